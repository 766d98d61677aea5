// What clients send. A refused field is named in the error's reason.
#include "protocol/convert.h"

#include <algorithm>
#include <string>
#include <utility>

#include "rules/game.h"
#include "rules/handicap.h"
#include "rules/ruleset.h"

namespace tengen::protocol {
namespace {

Hello read(const v1::Hello& wire, FieldReader& reader) {
  return {wire.version(), reader.text(wire.client(), kNameBytesMax, "client"),
          wire.token().empty() ? "" : reader.token(wire.token(), kTokenBytesMax, "token")};
}

Ping read(const v1::Ping& wire, FieldReader&) { return {wire.client_time_ms()}; }

ListEngines read(const v1::ListEngines&, FieldReader&) { return {}; }

JoinGame read(const v1::JoinGame& wire, FieldReader& reader) {
  return {reader.token(wire.ticket(), kTicketBytesMax, "ticket")};
}

Play read(const v1::Play& wire, FieldReader& reader) {
  return {.game = reader.game(wire.game()),
          .slot = reader.slot_or_none(wire.slot()),
          .request_id = reader.request_id(wire.request_id()),
          .position_seq = wire.position_seq(),
          .vertex = reader.vertex_text(wire.vertex())};
}

Pass read(const v1::Pass& wire, FieldReader& reader) {
  return {.game = reader.game(wire.game()),
          .slot = reader.slot_or_none(wire.slot()),
          .request_id = reader.request_id(wire.request_id()),
          .position_seq = wire.position_seq()};
}

Resign read(const v1::Resign& wire, FieldReader& reader) {
  return {.game = reader.game(wire.game()),
          .slot = reader.slot_or_none(wire.slot()),
          .request_id = reader.request_id(wire.request_id())};
}

AskOpponent read_question(const v1::AskOpponent& wire, FieldReader& reader) {
  const AskOpponent ask{reader.choice(wire.kind(), rules::AskKind::NoResult, "kind"),
                        reader.number(wire.moves(), kMoveLimitMax, "moves")};
  if ((ask.kind == rules::AskKind::Undo) != (ask.moves > 0)) {
    reader.refuse("moves", "moves must be 1 and more for an undo, and 0 for other questions");
  }
  return ask;
}

ActBody read_act(const v1::GameAct& wire, FieldReader& reader) {
  switch (wire.act_case()) {
    case v1::GameAct::kMarkChain:
      return MarkChain{reader.vertex_text(wire.mark_chain().vertex())};
    case v1::GameAct::kMarkSekiPoint:
      return MarkSekiPoint{reader.vertex_text(wire.mark_seki_point().vertex())};
    case v1::GameAct::kProposeMarks:
      return ProposeMarks{};
    case v1::GameAct::kAcceptMarks:
      return AcceptMarks{};
    case v1::GameAct::kDisputeMarks:
      return DisputeMarks{};
    case v1::GameAct::kListDead:
      if (!wire.list_dead().take_the_others()) {
        return ListDead{read_vertex_texts(wire.list_dead().vertices(), reader)};
      }
      if (wire.list_dead().vertices_size() != 0) {
        reader.refuse("vertices", "a list of one's own, or the other side's");
      }
      return ListDead{};
    case v1::GameAct::kPlaceHandicap:
      return PlaceHandicap{read_vertex_texts(wire.place_handicap().vertices(), reader)};
    case v1::GameAct::kLeave:
      return Leave{};
    case v1::GameAct::kAsk:
      return read_question(wire.ask(), reader);
    case v1::GameAct::kAgree:
      return Agree{wire.agree().question()};
    case v1::GameAct::kDecline:
      return Decline{};
    case v1::GameAct::kUnpause:
      return Unpause{};
    case v1::GameAct::kAnnul:
      return Annul{};
    case v1::GameAct::ACT_NOT_SET:
      break;
  }
  reader.refuse("act", "act must be one that this version knows");
  return Leave{};
}

GameAct read(const v1::GameAct& wire, FieldReader& reader) {
  return {.game = reader.game(wire.game()),
          .slot = reader.slot_or_none(wire.slot()),
          .request_id = reader.request_id(wire.request_id()),
          .position_seq = wire.position_seq(),
          .body = read_act(wire, reader)};
}

GetLegalMoves read(const v1::GetLegalMoves& wire, FieldReader& reader) {
  return {reader.game(wire.game())};
}

GetSnapshot read(const v1::GetSnapshot& wire, FieldReader& reader) {
  return {reader.game(wire.game())};
}

Subscribe read(const v1::Subscribe& wire, FieldReader& reader) {
  Subscribe subscribe{.game = reader.game(wire.game()), .after_seq = std::nullopt};
  if (wire.has_after_seq()) subscribe.after_seq = wire.after_seq();
  return subscribe;
}

Unsubscribe read(const v1::Unsubscribe& wire, FieldReader& reader) {
  return {reader.game(wire.game())};
}

TakeSeat read(const v1::TakeSeat& wire, FieldReader& reader) {
  return {.game = reader.game(wire.game()),
          .slot = reader.slot(wire.slot()),
          .request_id = reader.request_id(wire.request_id()),
          .name = reader.text(wire.name(), kNameBytesMax, "name")};
}

rules::Size read_size(const v1::CreateGame& wire, FieldReader& reader) {
  const std::uint32_t width = wire.width() != 0 ? wire.width() : 19;
  return reader.size(width, wire.height() != 0 ? wire.height() : width);
}

ColorChoice read_colors(v1::ColorChoice wire, FieldReader& reader) {
  switch (wire) {
    case v1::COLOR_CHOICE_UNSPECIFIED:
    case v1::COLOR_CHOICE_SLOT1_BLACK:
      return ColorChoice::Slot1Black;
    case v1::COLOR_CHOICE_SLOT1_WHITE:
      return ColorChoice::Slot1White;
    case v1::COLOR_CHOICE_RANDOM:
      return ColorChoice::Random;
    default:
      reader.refuse("colors", "colors must be one of the values this version knows");
      return ColorChoice::Slot1Black;
  }
}

std::array<SeatRequest, 2> read_seats(const v1::CreateGame& wire, FieldReader& reader) {
  std::array<SeatRequest, 2> seats;
  if (wire.seats_size() != 2) {
    reader.refuse("seats", "seats must be exactly two");
    return seats;
  }
  for (int index = 0; index < 2; ++index) {
    rules::Seat seat = read_seat(wire.seats(index), reader);
    if (seat.other_rules) reader.refuse("other_rules", "other_rules is for the daemon to say");
    auto& request = seats[static_cast<std::size_t>(index)];
    request = {
        seat.kind,        std::move(seat.name), std::move(seat.profile), std::move(seat.settings),
        seat.resign_from, seat.is_open};
    if (seat.kind != rules::SeatKind::Engine) continue;
    request.undos = seat.undos;
    request.pauses = seat.pauses;
  }
  return seats;
}

void check_playable(const rules::Ruleset& rules, FieldReader& reader) {
  if (const auto problem = rules::problem(rules)) {
    reader.refuse(ErrorCode::UnsupportedRules, "rules", *problem);
  }
}

/// A preset for one size is a fixed set: it comes as it is or not at all.
void check_fixed(const rules::Preset& preset, const CreateGame& game, FieldReader& reader) {
  if (!preset.only_size) return;
  const std::string name(preset.name);
  if (game.size != *preset.only_size) reader.refuse("width", name + " is for its one size only");
  if (game.rules != preset.rules) reader.refuse("rules", name + " cannot be changed");
  if (game.komi_half != preset.komi_half) {
    reader.refuse("komi_half", name + " cannot be played with another komi");
  }
  if (game.handicap != 0) reader.refuse("handicap", name + " has no handicap");
}

/// The name the game is known by: none when the rules are no longer those of the preset. Another
/// move limit or komi leaves the name.
std::string preset_name(const v1::CreateGame& wire, const rules::Preset& preset,
                        rules::Ruleset rules) {
  rules.move_limit = preset.rules.move_limit;
  const bool is_by_components = wire.preset().empty() && wire.has_rules();
  return is_by_components || rules != preset.rules ? std::string() : std::string(preset.name);
}

std::optional<rules::GameSeed> read_seed(const std::string& wire, FieldReader& reader) {
  if (wire.empty()) return std::nullopt;
  rules::GameSeed seed{};
  if (wire.size() != seed.size()) {
    reader.refuse("seed", "seed must be 32 bytes");
    return std::nullopt;
  }
  std::copy(wire.begin(), wire.end(), seed.begin());
  return seed;
}

HandicapPlacement read_placement(v1::HandicapPlacement wire, FieldReader& reader) {
  switch (wire) {
    case v1::HANDICAP_PLACEMENT_UNSPECIFIED:
    case v1::HANDICAP_PLACEMENT_FIXED:
      return HandicapPlacement::Fixed;
    case v1::HANDICAP_PLACEMENT_FREE:
      return HandicapPlacement::Free;
    default:
      reader.refuse("placement", "placement must be one of the values this version knows");
      return HandicapPlacement::Fixed;
  }
}

void check_handicap(const CreateGame& game, FieldReader& reader) {
  if (game.handicap == 0) return;
  const bool is_free = game.placement == HandicapPlacement::Free;
  const int most = is_free ? game.size.area() - 1 : rules::fixed_handicap_max(game.size);
  if (game.handicap >= 2 && game.handicap <= most) return;
  reader.refuse("handicap", most < 2 ? "this board has no fixed handicap"
                                     : "handicap must be 0 or 2.." + std::to_string(most));
}

std::chrono::milliseconds read_marking_time(std::uint32_t wire, FieldReader& reader) {
  if (wire == 0) return rules::kMarkingTime;
  const std::chrono::milliseconds time(wire);
  if (time < rules::kMarkingTimeMin || time > rules::kMarkingTimeMax) {
    reader.refuse("marking_ms", "marking_ms must be 0 or " +
                                    std::to_string(rules::kMarkingTimeMin.count()) + ".." +
                                    std::to_string(rules::kMarkingTimeMax.count()));
  }
  return time;
}

rules::AnalysisPolicy read_policy(v1::AnalysisPolicy wire, FieldReader& reader) {
  if (wire == v1::ANALYSIS_POLICY_UNSPECIFIED) return rules::AnalysisPolicy::AfterEnd;
  return reader.choice(wire, rules::AnalysisPolicy::Everyone, "analysis");
}

constexpr int kBroadcastDelayMsMax = static_cast<int>(rules::kBroadcastDelayMax.count());
constexpr int kLagAllowanceMsMax = static_cast<int>(rules::kLagAllowanceMax.count());

std::chrono::milliseconds read_absence(const v1::CreateGame& wire, FieldReader& reader) {
  const std::chrono::milliseconds time(wire.absence_ms());
  if (wire.absence_ms() != 0 && (time < kAbsenceMin || time > rules::kAbsenceMax)) {
    reader.refuse("absence_ms", "absence_ms must be 0 or 1000..86400000");
  }
  if (wire.absence_ms() == 0 && !wire.absence_profile().empty()) {
    reader.refuse("absence_profile", "absence_profile needs absence_ms");
  }
  return time;
}

CreateGame read(const v1::CreateGame& wire, FieldReader& reader) {
  const rules::Preset& preset = read_preset(wire.preset(), reader);
  const rules::Ruleset rules = read_rules(wire.rules(), preset.rules, reader);
  check_playable(rules, reader);
  CreateGame game{
      .request_id = reader.request_id(wire.request_id()),
      .size = read_size(wire, reader),
      .preset = preset_name(wire, preset, rules),
      .rules = rules,
      .komi_half = wire.has_komi_half() ? reader.komi_half(wire.komi_half()) : preset.komi_half,
      .seats = read_seats(wire, reader),
      .colors = read_colors(wire.colors(), reader),
      .seed = read_seed(wire.seed(), reader),
      .time = wire.has_time() ? read_time_control(wire.time(), reader) : rules::TimeControl{},
      .handicap = reader.number(wire.handicap(), rules::kMaxSize * rules::kMaxSize, "handicap"),
      .placement = read_placement(wire.placement(), reader),
      .marking_time = read_marking_time(wire.marking_ms(), reader),
      .annul_before = reader.number(wire.annul_before(), kMoveLimitMax, "annul_before"),
      .analysis = read_policy(wire.analysis(), reader),
      .absence = read_absence(wire, reader),
      .absence_profile =
          wire.absence_profile().empty()
              ? ""
              : reader.token(wire.absence_profile(), kProfileBytesMax, "absence_profile"),
      .broadcast_delay = std::chrono::milliseconds(
          reader.number(wire.broadcast_delay_ms(), kBroadcastDelayMsMax, "broadcast_delay_ms")),
      .lag_allowance = std::chrono::milliseconds(
          reader.number(wire.lag_allowance_ms(), kLagAllowanceMsMax, "lag_allowance_ms"))};
  check_fixed(preset, game, reader);
  check_handicap(game, reader);
  return game;
}

std::optional<ClientMessage> read_body(const v1::ClientFrame& wire, FieldReader& reader) {
  switch (wire.body_case()) {
    case v1::ClientFrame::kHello:
      return read(wire.hello(), reader);
    case v1::ClientFrame::kPing:
      return read(wire.ping(), reader);
    case v1::ClientFrame::kListEngines:
      return read(wire.list_engines(), reader);
    case v1::ClientFrame::kCreateGame:
      return read(wire.create_game(), reader);
    case v1::ClientFrame::kJoinGame:
      return read(wire.join_game(), reader);
    case v1::ClientFrame::kPlay:
      return read(wire.play(), reader);
    case v1::ClientFrame::kPassTurn:
      return read(wire.pass_turn(), reader);
    case v1::ClientFrame::kResign:
      return read(wire.resign(), reader);
    case v1::ClientFrame::kAct:
      return read(wire.act(), reader);
    case v1::ClientFrame::kGetLegalMoves:
      return read(wire.get_legal_moves(), reader);
    case v1::ClientFrame::kGetSnapshot:
      return read(wire.get_snapshot(), reader);
    case v1::ClientFrame::kSubscribe:
      return read(wire.subscribe(), reader);
    case v1::ClientFrame::kUnsubscribe:
      return read(wire.unsubscribe(), reader);
    case v1::ClientFrame::kTakeSeat:
      return read(wire.take_seat(), reader);
    case v1::ClientFrame::kRematch:
      return Rematch{reader.game(wire.rematch().game()),
                     reader.slot_or_none(wire.rematch().slot())};
    case v1::ClientFrame::kOpenVirtualEngine:
      return read_open_virtual(wire.open_virtual_engine(), reader);
    case v1::ClientFrame::kGtpCall:
      return read_virtual_call(wire.gtp_call(), reader);
    case v1::ClientFrame::kCloseVirtualEngine:
      return CloseVirtualEngine{read_engine_id(wire.close_virtual_engine().engine(), reader)};
    case v1::ClientFrame::kAdmin:
      return read_admin(wire.admin(), reader);
    case v1::ClientFrame::kQuery:
      return read_query(wire.query(), reader);
    case v1::ClientFrame::kListGames:
      return read_list_games(wire.list_games(), reader);
    case v1::ClientFrame::kStartAnalysis:
      return read_start_analysis(wire.start_analysis(), reader);
    case v1::ClientFrame::kStopAnalysis:
      return StopAnalysis{wire.stop_analysis().analysis()};
    case v1::ClientFrame::kReviewGame:
      return read_review_game(wire.review_game(), reader);
    case v1::ClientFrame::BODY_NOT_SET:
      return std::nullopt;
  }
  return std::nullopt;
}

struct ActWriter {
  v1::GameAct& wire;

  void operator()(const MarkChain& mark) const {
    wire.mutable_mark_chain()->set_vertex(mark.vertex);
  }
  void operator()(const MarkSekiPoint& mark) const {
    wire.mutable_mark_seki_point()->set_vertex(mark.vertex);
  }
  void operator()(const ProposeMarks&) const { wire.mutable_propose_marks(); }
  void operator()(const AcceptMarks&) const { wire.mutable_accept_marks(); }
  void operator()(const DisputeMarks&) const { wire.mutable_dispute_marks(); }
  void operator()(const ListDead& list) const {
    v1::ListDead& to = *wire.mutable_list_dead();
    to.set_take_the_others(!list.vertices);
    if (list.vertices) to.mutable_vertices()->Add(list.vertices->begin(), list.vertices->end());
  }
  void operator()(const PlaceHandicap& place) const {
    wire.mutable_place_handicap()->mutable_vertices()->Add(place.vertices.begin(),
                                                           place.vertices.end());
  }
  void operator()(const Leave&) const { wire.mutable_leave(); }
  void operator()(const AskOpponent& ask) const {
    wire.mutable_ask()->set_kind(static_cast<v1::AskKind>(ask.kind));
    wire.mutable_ask()->set_moves(static_cast<std::uint32_t>(ask.moves));
  }
  void operator()(const Agree& agree) const { wire.mutable_agree()->set_question(agree.question); }
  void operator()(const Decline&) const { wire.mutable_decline(); }
  void operator()(const Unpause&) const { wire.mutable_unpause(); }
  void operator()(const Annul&) const { wire.mutable_annul(); }
};

/// Writes one request into a frame.
struct Writer {
  v1::ClientFrame& frame;

  void operator()(const Hello& hello) const {
    frame.mutable_hello()->set_version(hello.version);
    frame.mutable_hello()->set_client(hello.client);
    frame.mutable_hello()->set_token(hello.token);
  }
  void operator()(const Ping& ping) const {
    frame.mutable_ping()->set_client_time_ms(ping.client_time_ms);
  }
  void operator()(const ListEngines&) const { frame.mutable_list_engines(); }
  void operator()(const CreateGame& game) const {
    v1::CreateGame& wire = *frame.mutable_create_game();
    wire.set_request_id(game.request_id);
    wire.set_width(game.size.width);
    wire.set_height(game.size.height);
    wire.set_preset(game.preset);
    write_rules(game.rules, *wire.mutable_rules());
    wire.set_komi_half(game.komi_half);
    for (const SeatRequest& seat : game.seats) {
      write_seat({seat.kind, seat.name, seat.profile, seat.settings, false, seat.resign_from,
                  seat.is_open, seat.undos, seat.pauses},
                 *wire.add_seats());
    }
    wire.set_colors(static_cast<v1::ColorChoice>(static_cast<int>(game.colors) + 1));
    if (game.seed) wire.set_seed(game.seed->data(), game.seed->size());
    if (game.time != rules::TimeControl{}) write_time_control(game.time, *wire.mutable_time());
    wire.set_handicap(static_cast<std::uint32_t>(game.handicap));
    wire.set_placement(static_cast<v1::HandicapPlacement>(static_cast<int>(game.placement) + 1));
    wire.set_marking_ms(static_cast<std::uint32_t>(game.marking_time.count()));
    wire.set_annul_before(static_cast<std::uint32_t>(game.annul_before));
    wire.set_analysis(static_cast<v1::AnalysisPolicy>(game.analysis));
    wire.set_absence_ms(static_cast<std::uint32_t>(game.absence.count()));
    wire.set_absence_profile(game.absence_profile);
    wire.set_broadcast_delay_ms(static_cast<std::uint32_t>(game.broadcast_delay.count()));
    wire.set_lag_allowance_ms(static_cast<std::uint32_t>(game.lag_allowance.count()));
  }
  void operator()(const JoinGame& join) const {
    frame.mutable_join_game()->set_ticket(join.ticket);
  }
  void operator()(const Play& play) const {
    v1::Play& wire = *frame.mutable_play();
    write_act(play, wire);
    wire.set_position_seq(play.position_seq);
    wire.set_vertex(play.vertex);
  }
  void operator()(const Pass& pass) const {
    write_act(pass, *frame.mutable_pass_turn());
    frame.mutable_pass_turn()->set_position_seq(pass.position_seq);
  }
  void operator()(const Resign& resign) const { write_act(resign, *frame.mutable_resign()); }
  void operator()(const GameAct& act) const {
    v1::GameAct& wire = *frame.mutable_act();
    write_act(act, wire);
    wire.set_position_seq(act.position_seq);
    std::visit(ActWriter{wire}, act.body);
  }
  void operator()(const GetLegalMoves& get) const {
    frame.mutable_get_legal_moves()->set_game(to_text(get.game));
  }
  void operator()(const GetSnapshot& get) const {
    frame.mutable_get_snapshot()->set_game(to_text(get.game));
  }
  void operator()(const Subscribe& subscribe) const {
    v1::Subscribe& wire = *frame.mutable_subscribe();
    wire.set_game(to_text(subscribe.game));
    if (subscribe.after_seq) wire.set_after_seq(*subscribe.after_seq);
  }
  void operator()(const Unsubscribe& unsubscribe) const {
    frame.mutable_unsubscribe()->set_game(to_text(unsubscribe.game));
  }
  void operator()(const TakeSeat& take) const {
    v1::TakeSeat& wire = *frame.mutable_take_seat();
    write_act(take, wire);
    wire.set_name(take.name);
  }
  void operator()(const Rematch& rematch) const {
    frame.mutable_rematch()->set_game(to_text(rematch.game));
    frame.mutable_rematch()->set_slot(static_cast<std::uint32_t>(rematch.slot));
  }
  void operator()(const OpenVirtualEngine& open) const {
    write_open_virtual(open, *frame.mutable_open_virtual_engine());
  }
  void operator()(const CallVirtualEngine& call) const {
    v1::GtpCall& wire = *frame.mutable_gtp_call();
    wire.set_engine(to_text(call.engine));
    wire.set_method(call.method);
    wire.set_request(call.request);
    wire.set_request_id(call.request_id);
  }
  void operator()(const CloseVirtualEngine& close) const {
    frame.mutable_close_virtual_engine()->set_engine(to_text(close.engine));
  }
  void operator()(const Admin& admin) const { write_admin(admin, *frame.mutable_admin()); }
  void operator()(const Query& query) const { write_query(query, *frame.mutable_query()); }
  void operator()(const ListGames& list) const {
    write_list_games(list, *frame.mutable_list_games());
  }
  void operator()(const StartAnalysis& start) const {
    write_start_analysis(start, *frame.mutable_start_analysis());
  }
  void operator()(const StopAnalysis& stop) const {
    frame.mutable_stop_analysis()->set_analysis(stop.analysis);
  }
  void operator()(const ReviewGame& review) const {
    write_review_game(review, *frame.mutable_review_game());
  }

  template <typename Act, typename Wire>
  static void write_act(const Act& act, Wire& wire) {
    wire.set_game(to_text(act.game));
    wire.set_slot(static_cast<std::uint32_t>(act.slot));
    wire.set_request_id(act.request_id);
  }
};

}  // namespace

const rules::Preset& read_preset(const std::string& name, FieldReader& reader) {
  const rules::Preset* preset = rules::find_preset(name.empty() ? "chinese" : name);
  if (preset != nullptr) return *preset;
  std::string known;
  for (const rules::Preset& each : rules::presets()) {
    known += " " + std::string(each.name);
  }
  reader.refuse("preset", "preset must be one of:" + known);
  return rules::presets().front();
}

std::vector<std::string> read_vertex_texts(const Texts& wire, FieldReader& reader) {
  constexpr int kVerticesMax = rules::kMaxSize * rules::kMaxSize;
  std::vector<std::string> vertices;
  if (wire.size() > kVerticesMax) {
    reader.refuse("vertices", "vertices must be at most " + std::to_string(kVerticesMax));
    return vertices;
  }
  for (const std::string& vertex : wire) vertices.push_back(reader.vertex_text(vertex));
  return vertices;
}

std::variant<ClientFrame, Error> from_wire(const v1::ClientFrame& wire) {
  FieldReader reader;
  if (wire.id() == 0) reader.refuse("id", "id must be 1..4294967295");
  std::optional<ClientMessage> message = read_body(wire, reader);
  if (!message) reader.refuse("body", "body must be one request that this version knows");
  if (reader.error()) return *reader.error();
  return ClientFrame{wire.id(), std::move(*message)};
}

void to_wire(const ClientFrame& frame, v1::ClientFrame& wire) {
  wire.set_id(frame.id);
  std::visit(Writer{wire}, frame.message);
}

}  // namespace tengen::protocol
