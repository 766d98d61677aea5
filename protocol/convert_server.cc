// What the daemon sends.
#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <utility>

#include "protocol/convert.h"
#include "protocol/text.h"

namespace tengen::protocol {
namespace {

constexpr std::size_t kTextBytesMax = 256;

// Reading.

EngineInfo read_engine(const v1::EngineInfo& wire, FieldReader& reader) {
  EngineInfo engine{.profile = reader.token(wire.profile(), kProfileBytesMax, "profile"),
                    .name = reader.text(wire.name(), kTextBytesMax, "name"),
                    .version = reader.text(wire.version(), kTextBytesMax, "version"),
                    .processes = reader.number(wire.processes(), kAnyInt, "processes"),
                    .processes_max = reader.number(wire.processes_max(), kAnyInt, "processes_max"),
                    .busy = reader.number(wire.busy(), kAnyInt, "busy"),
                    .queued = wire.queued(),
                    .failed = wire.failed(),
                    .size_min = reader.number(wire.size_min(), rules::kMaxSize, "size_min"),
                    .size_max = reader.number(wire.size_max(), rules::kMaxSize, "size_max"),
                    .settings = {},
                    .honours_clock = wire.honours_clock(),
                    .wait = std::chrono::milliseconds(wire.wait_ms()),
                    .streaming = reader.number(wire.streaming(), kAnyInt, "streaming"),
                    .draining = wire.draining()};
  for (const v1::EngineSetting& setting : wire.settings()) {
    engine.settings.push_back({reader.token(setting.key(), kSettingBytesMax, "key"),
                               setting.minimum(), setting.maximum(), setting.standard()});
  }
  return engine;
}

template <typename Wire>
std::vector<EngineInfo> read_engines(const Wire& wire, FieldReader& reader) {
  std::vector<EngineInfo> engines;
  for (const v1::EngineInfo& engine : wire.engines()) {
    engines.push_back(read_engine(engine, reader));
  }
  return engines;
}

PublishedLimits read(const v1::Limits& wire) {
  return {.frame_bytes_max = wire.frame_bytes_max(),
          .frame_bytes_before_hello_max = wire.frame_bytes_before_hello_max(),
          .requests_in_flight_max = wire.requests_in_flight_max(),
          .subscriptions_max = wire.subscriptions_max(),
          .games_max = wire.games_max(),
          .name_bytes_max = wire.name_bytes_max(),
          .request_id_bytes_max = wire.request_id_bytes_max(),
          .analyses_max = wire.analyses_max()};
}

PublishedQuotas read(const v1::Quotas& wire) {
  return {.games_max = wire.games_max(),
          .analyses_max = wire.analyses_max(),
          .virtual_engines_max = wire.virtual_engines_max(),
          .watches_max = wire.watches_max(),
          .requests_per_minute = wire.requests_per_minute()};
}

Welcome read(const v1::Welcome& wire, FieldReader& reader) {
  Welcome welcome{.version = wire.version(),
                  .server = reader.text(wire.server(), kTextBytesMax, "server"),
                  .limits = read(wire.limits()),
                  .presets = {},
                  .engines = read_engines(wire, reader),
                  .heartbeat_ms = wire.heartbeat_ms(),
                  .quotas = read(wire.quotas())};
  for (const std::string& preset : wire.presets()) {
    welcome.presets.push_back(reader.text(preset, kNameBytesMax, "presets"));
  }
  return welcome;
}

TicketOf read(const v1::SlotTicket& wire, FieldReader& reader) {
  return {reader.slot(wire.slot()), reader.token(wire.ticket(), kTicketBytesMax, "ticket")};
}

GameCreated read(const v1::GameCreated& wire, FieldReader& reader) {
  GameCreated created{reader.game(wire.game()), read_color(wire.slot1_color(), reader), {}};
  for (const v1::SlotTicket& ticket : wire.tickets()) {
    created.tickets.push_back(read(ticket, reader));
  }
  return created;
}

GameJoined read(const v1::GameJoined& wire, FieldReader& reader) {
  return {reader.slot(wire.slot()), read_color(wire.color(), reader),
          read_snapshot(wire.snapshot(), reader)};
}

LegalMoves read(const v1::LegalMoves& wire, FieldReader& reader) {
  LegalMoves legal{reader.game(wire.game()),
                   wire.position_seq(),
                   reader.size(wire.width(), wire.height()),
                   std::nullopt,
                   {}};
  if (wire.color() != v1::COLOR_UNSPECIFIED) legal.color = read_color(wire.color(), reader);
  for (const std::string& vertex : wire.vertices()) {
    legal.points.push_back(reader.vertex(vertex, legal.size));
  }
  return legal;
}

Accepted read(const v1::Accepted& wire, FieldReader& reader) {
  Accepted accepted{reader.game(wire.game()), wire.seq(), wire.position_seq(), std::nullopt};
  if (wire.has_events()) accepted.events = read_events(wire.events(), reader);
  return accepted;
}

Subscribed read(const v1::Subscribed& wire, FieldReader& reader) {
  Subscribed subscribed{reader.game(wire.game()), wire.head(), GameEvents{}};
  if (wire.has_events()) {
    subscribed.start = read_events(wire.events(), reader);
  } else if (wire.has_snapshot()) {
    subscribed.start = read_snapshot(wire.snapshot(), reader);
  } else {
    reader.refuse("start", "start must be events or a snapshot");
  }
  return subscribed;
}

Error read(const v1::Error& wire, FieldReader& reader) {
  Error error{.code = reader.choice(wire.code(), ErrorCode::UnknownEngine, "code"),
              .reason = reader.text(wire.reason(), kTextBytesMax, "reason"),
              .message = reader.text(wire.message(), kTextBytesMax, "message"),
              .retry_after_ms = wire.retry_after_ms()};
  if (wire.has_state()) error.state = read_snapshot(wire.state(), reader);
  return error;
}

std::optional<ServerMessage> read_body(const v1::ServerFrame& wire, FieldReader& reader) {
  switch (wire.body_case()) {
    case v1::ServerFrame::kError:
      return read(wire.error(), reader);
    case v1::ServerFrame::kWelcome:
      return read(wire.welcome(), reader);
    case v1::ServerFrame::kPong:
      return Pong{wire.pong().client_time_ms(), wire.pong().server_time_ms()};
    case v1::ServerFrame::kEngineList:
      return EngineList{read_engines(wire.engine_list(), reader)};
    case v1::ServerFrame::kGameCreated:
      return read(wire.game_created(), reader);
    case v1::ServerFrame::kGameJoined:
      return read(wire.game_joined(), reader);
    case v1::ServerFrame::kAccepted:
      return read(wire.accepted(), reader);
    case v1::ServerFrame::kLegalMoves:
      return read(wire.legal_moves(), reader);
    case v1::ServerFrame::kSnapshot:
      return read_snapshot(wire.snapshot(), reader);
    case v1::ServerFrame::kSubscribed:
      return read(wire.subscribed(), reader);
    case v1::ServerFrame::kUnsubscribed:
      return Unsubscribed{reader.game(wire.unsubscribed().game())};
    case v1::ServerFrame::kGameEvents:
      return read_events(wire.game_events(), reader);
    case v1::ServerFrame::kSeatTaken:
      return SeatTaken{read(wire.seat_taken().ticket(), reader),
                       read(wire.seat_taken().joined(), reader)};
    case v1::ServerFrame::kRematchOffered:
      return RematchOffered{reader.game(wire.rematch_offered().game()),
                            reader.slot(wire.rematch_offered().slot())};
    case v1::ServerFrame::kRematchMade:
      return RematchMade{reader.game(wire.rematch_made().game()),
                         read(wire.rematch_made().created(), reader)};
    case v1::ServerFrame::kPresence:
      return Presence{reader.game(wire.presence().game()), reader.slot(wire.presence().slot()),
                      wire.presence().present()};
    case v1::ServerFrame::kVirtualEngineOpened:
      return VirtualEngineOpened{read_engine_id(wire.virtual_engine_opened().engine(), reader)};
    case v1::ServerFrame::kGtpReply:
      return GtpReply{wire.gtp_reply().response()};
    case v1::ServerFrame::kVirtualEngineClosed:
      return VirtualEngineClosed{read_engine_id(wire.virtual_engine_closed().engine(), reader)};
    case v1::ServerFrame::kQueryResult:
      return read_query_result(wire.query_result(), reader);
    case v1::ServerFrame::kGameList:
      return read_game_list(wire.game_list(), reader);
    case v1::ServerFrame::kAnalysisStarted:
      return AnalysisStarted{wire.analysis_started().analysis()};
    case v1::ServerFrame::kAnalysisStopped:
      return AnalysisStopped{wire.analysis_stopped().analysis()};
    case v1::ServerFrame::kAnalysisUpdate:
      return read_analysis_update(wire.analysis_update(), reader);
    case v1::ServerFrame::kAnalysisEnded:
      return read_analysis_ended(wire.analysis_ended(), reader);
    case v1::ServerFrame::kReviewStarted:
      return ReviewStarted{wire.review_started().analysis(), wire.review_started().positions()};
    case v1::ServerFrame::kReviewProgress:
      return read_review_progress(wire.review_progress(), reader);
    case v1::ServerFrame::kAdminDone:
      return AdminDone{wire.admin_done().connections()};
    case v1::ServerFrame::kConnectionList:
      return read_connection_list(wire.connection_list(), reader);
    case v1::ServerFrame::kNotice:
      return Notice{reader.text(wire.notice().text(), kNoticeBytesMax, "text")};
    case v1::ServerFrame::kDraining:
      return Draining{wire.draining().reconnect_after_ms()};
    case v1::ServerFrame::BODY_NOT_SET:
      return std::nullopt;
  }
  return std::nullopt;
}

// Writing.

/// As many as the field holds.
std::uint32_t wire_ms(std::chrono::milliseconds time) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(time.count(), 0, kMost));
}

void write_engine(const EngineInfo& engine, v1::EngineInfo& wire) {
  wire.set_profile(engine.profile);
  wire.set_name(clean_text(engine.name, kTextBytesMax));
  wire.set_version(clean_text(engine.version, kTextBytesMax));
  wire.set_processes(static_cast<std::uint32_t>(engine.processes));
  wire.set_processes_max(static_cast<std::uint32_t>(engine.processes_max));
  wire.set_busy(static_cast<std::uint32_t>(engine.busy));
  wire.set_queued(engine.queued);
  wire.set_failed(engine.failed);
  wire.set_size_min(static_cast<std::uint32_t>(engine.size_min));
  wire.set_size_max(static_cast<std::uint32_t>(engine.size_max));
  for (const EngineSetting& setting : engine.settings) {
    v1::EngineSetting& to = *wire.add_settings();
    to.set_key(setting.key);
    to.set_minimum(setting.minimum);
    to.set_maximum(setting.maximum);
    to.set_standard(setting.standard);
  }
  wire.set_honours_clock(engine.honours_clock);
  wire.set_wait_ms(wire_ms(engine.wait));
  wire.set_streaming(static_cast<std::uint32_t>(engine.streaming));
  wire.set_draining(engine.draining);
}

void write_limits(const PublishedLimits& limits, v1::Limits& wire) {
  wire.set_frame_bytes_max(limits.frame_bytes_max);
  wire.set_frame_bytes_before_hello_max(limits.frame_bytes_before_hello_max);
  wire.set_requests_in_flight_max(limits.requests_in_flight_max);
  wire.set_subscriptions_max(limits.subscriptions_max);
  wire.set_games_max(limits.games_max);
  wire.set_name_bytes_max(limits.name_bytes_max);
  wire.set_request_id_bytes_max(limits.request_id_bytes_max);
  wire.set_analyses_max(limits.analyses_max);
}

void write_quotas(const PublishedQuotas& quotas, v1::Quotas& wire) {
  wire.set_games_max(quotas.games_max);
  wire.set_analyses_max(quotas.analyses_max);
  wire.set_virtual_engines_max(quotas.virtual_engines_max);
  wire.set_watches_max(quotas.watches_max);
  wire.set_requests_per_minute(quotas.requests_per_minute);
}

void write_ticket(const TicketOf& ticket, v1::SlotTicket& wire) {
  wire.set_slot(static_cast<std::uint32_t>(ticket.slot));
  wire.set_ticket(ticket.ticket);
}

void write_created(const GameCreated& created, v1::GameCreated& wire) {
  wire.set_game(to_text(created.game));
  wire.set_slot1_color(wire_color(created.slot1_color));
  for (const TicketOf& ticket : created.tickets) write_ticket(ticket, *wire.add_tickets());
}

void write_joined(const GameJoined& joined, v1::GameJoined& wire) {
  wire.set_slot(static_cast<std::uint32_t>(joined.slot));
  wire.set_color(wire_color(joined.color));
  write_snapshot(joined.snapshot, *wire.mutable_snapshot());
}

/// Writes one message into a frame.
struct Writer {
  v1::ServerFrame& frame;

  void operator()(const Welcome& welcome) const {
    v1::Welcome& wire = *frame.mutable_welcome();
    wire.set_version(welcome.version);
    wire.set_server(clean_text(welcome.server, kTextBytesMax));
    write_limits(welcome.limits, *wire.mutable_limits());
    for (const std::string& preset : welcome.presets) wire.add_presets(preset);
    for (const EngineInfo& engine : welcome.engines) write_engine(engine, *wire.add_engines());
    wire.set_heartbeat_ms(welcome.heartbeat_ms);
    write_quotas(welcome.quotas, *wire.mutable_quotas());
  }
  void operator()(const EngineList& list) const {
    v1::EngineList& wire = *frame.mutable_engine_list();
    for (const EngineInfo& engine : list.engines) write_engine(engine, *wire.add_engines());
  }
  void operator()(const GameCreated& created) const {
    write_created(created, *frame.mutable_game_created());
  }
  void operator()(const GameJoined& joined) const {
    write_joined(joined, *frame.mutable_game_joined());
  }
  void operator()(const SeatTaken& taken) const {
    write_ticket(taken.ticket, *frame.mutable_seat_taken()->mutable_ticket());
    write_joined(taken.joined, *frame.mutable_seat_taken()->mutable_joined());
  }
  void operator()(const RematchOffered& offered) const {
    frame.mutable_rematch_offered()->set_game(to_text(offered.game));
    frame.mutable_rematch_offered()->set_slot(static_cast<std::uint32_t>(offered.slot));
  }
  void operator()(const RematchMade& made) const {
    frame.mutable_rematch_made()->set_game(to_text(made.game));
    write_created(made.created, *frame.mutable_rematch_made()->mutable_created());
  }
  void operator()(const Presence& presence) const {
    frame.mutable_presence()->set_game(to_text(presence.game));
    frame.mutable_presence()->set_slot(static_cast<std::uint32_t>(presence.slot));
    frame.mutable_presence()->set_present(presence.is_present);
  }
  void operator()(const Accepted& accepted) const {
    v1::Accepted& wire = *frame.mutable_accepted();
    wire.set_game(to_text(accepted.game));
    wire.set_seq(accepted.seq);
    wire.set_position_seq(accepted.position_seq);
    if (accepted.events) write_events(*accepted.events, *wire.mutable_events());
  }
  void operator()(const LegalMoves& legal) const {
    v1::LegalMoves& wire = *frame.mutable_legal_moves();
    wire.set_game(to_text(legal.game));
    wire.set_position_seq(legal.position_seq);
    wire.set_width(legal.size.width);
    wire.set_height(legal.size.height);
    if (legal.color) wire.set_color(wire_color(*legal.color));
    for (const rules::Point point : legal.points) wire.add_vertices(gtp_vertex(point, legal.size));
  }
  void operator()(const Snapshot& snapshot) const {
    write_snapshot(snapshot, *frame.mutable_snapshot());
  }
  void operator()(const Subscribed& subscribed) const {
    v1::Subscribed& wire = *frame.mutable_subscribed();
    wire.set_game(to_text(subscribed.game));
    wire.set_head(subscribed.head);
    if (const auto* events = std::get_if<GameEvents>(&subscribed.start)) {
      return write_events(*events, *wire.mutable_events());
    }
    write_snapshot(std::get<Snapshot>(subscribed.start), *wire.mutable_snapshot());
  }
  void operator()(const Unsubscribed& unsubscribed) const {
    frame.mutable_unsubscribed()->set_game(to_text(unsubscribed.game));
  }
  void operator()(const GameEvents& events) const {
    write_events(events, *frame.mutable_game_events());
  }
  void operator()(const VirtualEngineOpened& opened) const {
    frame.mutable_virtual_engine_opened()->set_engine(to_text(opened.engine));
  }
  void operator()(const GtpReply& reply) const {
    frame.mutable_gtp_reply()->set_response(reply.bytes);
  }
  void operator()(const VirtualEngineClosed& closed) const {
    frame.mutable_virtual_engine_closed()->set_engine(to_text(closed.engine));
  }
  void operator()(const QueryResult& result) const {
    write_query_result(result, *frame.mutable_query_result());
  }
  void operator()(const GameList& list) const { write_game_list(list, *frame.mutable_game_list()); }
  void operator()(const AnalysisStarted& started) const {
    frame.mutable_analysis_started()->set_analysis(started.analysis);
  }
  void operator()(const AnalysisStopped& stopped) const {
    frame.mutable_analysis_stopped()->set_analysis(stopped.analysis);
  }
  void operator()(const AnalysisUpdate& update) const {
    write_analysis_update(update, *frame.mutable_analysis_update());
  }
  void operator()(const AnalysisEnded& ended) const {
    write_analysis_ended(ended, *frame.mutable_analysis_ended());
  }
  void operator()(const ReviewStarted& started) const {
    frame.mutable_review_started()->set_analysis(started.analysis);
    frame.mutable_review_started()->set_positions(started.positions);
  }
  void operator()(const ReviewProgress& progress) const {
    write_review_progress(progress, *frame.mutable_review_progress());
  }
  void operator()(const AdminDone& done) const {
    frame.mutable_admin_done()->set_connections(done.connections);
  }
  void operator()(const ConnectionList& list) const {
    write_connection_list(list, *frame.mutable_connection_list());
  }
  void operator()(const Notice& notice) const { frame.mutable_notice()->set_text(notice.text); }
  void operator()(const Draining& draining) const {
    frame.mutable_draining()->set_reconnect_after_ms(draining.reconnect_after_ms);
  }
  void operator()(const Pong& pong) const {
    frame.mutable_pong()->set_client_time_ms(pong.client_time_ms);
    frame.mutable_pong()->set_server_time_ms(pong.server_time_ms);
  }
  void operator()(const Error& error) const {
    v1::Error& wire = *frame.mutable_error();
    wire.set_code(static_cast<v1::ErrorCode>(error.code));
    wire.set_reason(clean_text(error.reason, kTextBytesMax));
    wire.set_message(clean_text(error.message, kTextBytesMax));
    wire.set_retryable(is_retryable(error.code));
    wire.set_retry_after_ms(error.retry_after_ms);
    if (error.state) write_snapshot(*error.state, *wire.mutable_state());
  }
};

}  // namespace

std::variant<ServerFrame, Error> from_wire(const v1::ServerFrame& wire) {
  FieldReader reader;
  std::optional<ServerMessage> message = read_body(wire, reader);
  if (!message) reader.refuse("body", "body must be one message that this version knows");
  if (reader.error()) return *reader.error();
  return ServerFrame{wire.reply_to(), std::move(*message)};
}

void to_wire(const ServerFrame& frame, v1::ServerFrame& wire) {
  wire.set_reply_to(frame.reply_to);
  std::visit(Writer{wire}, frame.message);
}

}  // namespace tengen::protocol
