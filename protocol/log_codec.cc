#include "protocol/log_codec.h"

#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "protocol/convert.h"
#include "tengen/v1/log.pb.h"

namespace tengen::protocol {
namespace {

using Indexes = google::protobuf::RepeatedField<std::uint32_t>;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

constexpr rules::Size kLargestBoard{rules::kMaxSize, rules::kMaxSize};

/// Whether any part of the message has fields this version does not know.
bool has_unknown_fields(const Message& message) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  if (!reflection.GetUnknownFields(message).empty()) return true;
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      if (has_unknown_fields(reflection.GetMessage(message, field))) return true;
      continue;
    }
    for (int index = 0; index < reflection.FieldSize(message, field); ++index) {
      if (has_unknown_fields(reflection.GetRepeatedMessage(message, field, index))) return true;
    }
  }
  return false;
}

bool parse_whole(std::string_view bytes, Message& wire) {
  const google::protobuf::LogSilencer silence;
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) return false;
  return wire.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) &&
         !has_unknown_fields(wire);
}

// Reading. Complaints are kept by the reader; here only their being there counts.

rules::Point read_point(std::uint32_t index, rules::Size size, FieldReader& reader) {
  const rules::Point point(static_cast<std::uint16_t>(index));
  if (index >= rules::kCells || !point.is_on(size)) reader.refuse("point", "off the board");
  return point;
}

std::vector<rules::Point> read_points(const Indexes& wire, FieldReader& reader) {
  std::vector<rules::Point> points;
  points.reserve(static_cast<std::size_t>(wire.size()));
  for (const std::uint32_t index : wire) points.push_back(read_point(index, kLargestBoard, reader));
  return points;
}

rules::DeadListed read(const v1::LogDeadListed& wire, FieldReader& reader) {
  rules::DeadListed listed{read_color(wire.color(), reader), std::nullopt};
  if (!wire.cannot_list()) listed.points = read_points(wire.points(), reader);
  if (wire.cannot_list() && wire.points_size() != 0) reader.refuse("points", "a list of none");
  return listed;
}

rules::Finished read(const v1::LogFinished& wire, FieldReader& reader) {
  rules::Result result{reader.choice(wire.kind(), rules::ResultKind::Annulled, "kind"),
                       std::nullopt, wire.margin_half()};
  if (wire.winner() != v1::COLOR_UNSPECIFIED) result.winner = read_color(wire.winner(), reader);
  return {result};
}

rules::Seat read_seat(const v1::LogSeat& wire, FieldReader& reader) {
  rules::Seat seat{
      reader.choice(wire.kind(), rules::SeatKind::Agent, "kind"), wire.name(), wire.profile(), {}};
  for (const v1::LogSetting& setting : wire.settings()) {
    seat.settings.emplace_back(setting.key(), setting.value());
  }
  seat.other_rules = wire.other_rules();
  seat.resign_from = reader.number(wire.resign_from(), kAnyInt, "resign_from");
  seat.is_open = wire.open();
  if (seat.kind != rules::SeatKind::Engine) {
    if (wire.has_undos() || wire.has_pauses()) reader.refuse("undos", "not an engine's");
    return seat;
  }
  seat.undos =
      wire.has_undos() ? reader.number(wire.undos(), kAnyInt, "undos") : rules::kUndosGranted;
  seat.pauses =
      wire.has_pauses() ? reader.number(wire.pauses(), kAnyInt, "pauses") : rules::kPausesGranted;
  return seat;
}

rules::Paused read(const v1::LogPaused& wire, FieldReader& reader) {
  auto paused = with_time(rules::Paused{read_color(wire.color(), reader)}, wire, reader);
  paused.reason = read_pause_reason(wire.reason(), reader);
  return paused;
}

template <typename Mark>
Mark read_mark(const v1::LogMarked& wire, FieldReader& reader) {
  return {read_color(wire.color(), reader), read_point(wire.point(), kLargestBoard, reader)};
}

rules::EventBody read_body(const v1::LogEvent& wire, FieldReader& reader) {
  switch (wire.body_case()) {
    case v1::LogEvent::kPlayed:
      return with_time(rules::Played{read_color(wire.played().color(), reader),
                                     read_point(wire.played().point(), kLargestBoard, reader)},
                       wire.played(), reader);
    case v1::LogEvent::kPassed:
      return with_time(rules::Passed{read_color(wire.passed().color(), reader)}, wire.passed(),
                       reader);
    case v1::LogEvent::kResigned:
      return rules::Resigned{read_color(wire.resigned().color(), reader)};
    case v1::LogEvent::kDeadListed:
      return read(wire.dead_listed(), reader);
    case v1::LogEvent::kForfeited:
      return rules::Forfeited{read_color(wire.forfeited().color(), reader),
                              wire.forfeited().reason()};
    case v1::LogEvent::kTimedOut:
      return rules::TimedOut{read_color(wire.timed_out().color(), reader)};
    case v1::LogEvent::kSeatChanged:
      return rules::SeatChanged{read_color(wire.seat_changed().color(), reader),
                                read_seat(wire.seat_changed().seat(), reader),
                                wire.seat_changed().reason()};
    case v1::LogEvent::kCaptured:
      return rules::Captured{read_color(wire.captured().by(), reader),
                             read_points(wire.captured().points(), reader)};
    case v1::LogEvent::kStopped:
      return rules::Stopped{
          reader.choice(wire.stopped().reason(), rules::StopReason::MoveLimit, "reason")};
    case v1::LogEvent::kScored:
      return rules::Scored{wire.scored().black_half(), wire.scored().white_half(),
                           read_points(wire.scored().removed(), reader),
                           reader.choice(wire.scored().by(), rules::Scoring::Territory, "by"),
                           read_points(wire.scored().seki(), reader)};
    case v1::LogEvent::kFinished:
      return read(wire.finished(), reader);
    case v1::LogEvent::kUndone:
      return rules::Undone{read_color(wire.undone().color(), reader),
                           reader.number(wire.undone().moves(), kAnyInt, "moves")};
    case v1::LogEvent::kMarked:
      return read_mark<rules::Marked>(wire.marked(), reader);
    case v1::LogEvent::kSekiMarked:
      return read_mark<rules::SekiMarked>(wire.seki_marked(), reader);
    case v1::LogEvent::kMarkingDone:
      return rules::MarkingDone{read_color(wire.marking_done().color(), reader)};
    case v1::LogEvent::kMarkingAccepted:
      return rules::MarkingAccepted{read_color(wire.marking_accepted().color(), reader)};
    case v1::LogEvent::kMarkingDisputed:
      return rules::MarkingDisputed{read_color(wire.marking_disputed().color(), reader)};
    case v1::LogEvent::kHandicapPlaced:
      return rules::HandicapPlaced{read_points(wire.handicap_placed().points(), reader)};
    case v1::LogEvent::kAbandoned:
      return rules::Abandoned{read_color(wire.abandoned().color(), reader)};
    case v1::LogEvent::kAnnulled:
      return rules::Annulled{read_color_or_none(wire.annulled().by(), reader),
                             wire.annulled().reason()};
    case v1::LogEvent::kNoResult:
      return rules::NoResultAgreed{read_color(wire.no_result().color(), reader)};
    case v1::LogEvent::kPaused:
      return read(wire.paused(), reader);
    case v1::LogEvent::kUnpaused:
      return rules::Unpaused{read_color(wire.unpaused().color(), reader)};
    case v1::LogEvent::kAsked:
      return rules::Asked{read_color(wire.asked().color(), reader),
                          reader.choice(wire.asked().kind(), rules::AskKind::NoResult, "kind"),
                          reader.number(wire.asked().moves(), kAnyInt, "moves")};
    case v1::LogEvent::kDeclined:
      return rules::Declined{read_color(wire.declined().color(), reader)};
    case v1::LogEvent::kContinued:
      return rules::Continued{
          reader.choice(wire.continued().reason(), rules::ContinueReason::Dispute, "reason")};
    case v1::LogEvent::BODY_NOT_SET:
      break;
  }
  reader.refuse("body", "none");
  return rules::Passed{rules::Color::Black};
}

/// Unlike convert's, this one insists on every component.
rules::Ruleset read_all_rules(const v1::RulesComponents& wire, FieldReader& reader) {
  return {.ko = reader.choice(wire.ko(), rules::KoRule::Situational, "ko"),
          .suicide = reader.choice(wire.suicide(), rules::SuicideRule::Any, "suicide"),
          .scoring = reader.choice(wire.scoring(), rules::Scoring::Territory, "scoring"),
          .bonus = reader.choice(wire.bonus(), rules::HandicapBonus::NMinusOne, "bonus"),
          .end = reader.choice(wire.end(), rules::EndRule::Confirmation, "end"),
          .move_limit = wire.move_limit()};
}

rules::Header read_header(const v1::LogHeader& wire, FieldReader& reader) {
  rules::Header header;
  header.id = {wire.game_high(), wire.game_low()};
  header.created_ms = wire.created_ms();
  header.size = reader.size(wire.width(), wire.height());
  header.preset = wire.preset();
  header.rules = read_all_rules(wire.rules(), reader);
  header.komi_half = wire.komi_half();
  for (const v1::LogStone& stone : wire.setup()) {
    header.setup.push_back(
        {read_color(stone.color(), reader), read_point(stone.point(), header.size, reader)});
  }
  header.first = read_color(wire.first(), reader);
  header.slot1_color = read_color(wire.slot1_color(), reader);
  if (wire.seed().size() == header.seed.size()) {
    std::copy(wire.seed().begin(), wire.seed().end(), header.seed.begin());
  } else {
    reader.refuse("seed", "not 32 bytes");
  }
  if (!wire.has_clock()) reader.refuse("clock", "none");
  header.clock = read_time_control(wire.clock(), reader);
  header.free_handicap = reader.number(wire.free_handicap(), kAnyInt, "free_handicap");
  header.annul_before = reader.number(wire.annul_before(), kAnyInt, "annul_before");
  header.analysis = reader.choice(wire.analysis(), rules::AnalysisPolicy::Everyone, "analysis");
  if (wire.marking_ms() == 0) reader.refuse("marking_ms", "none");
  header.marking_time = std::chrono::milliseconds(wire.marking_ms());
  header.absence = std::chrono::milliseconds(wire.absence_ms());
  header.absence_profile = wire.absence_profile();
  header.broadcast_delay = std::chrono::milliseconds(wire.broadcast_delay_ms());
  header.lag_allowance = std::chrono::milliseconds(wire.lag_allowance_ms());
  if (wire.seats_size() != 2) {
    reader.refuse("seats", "not two");
    return header;
  }
  header.seats = {read_seat(wire.seats(0), reader), read_seat(wire.seats(1), reader)};
  return header;
}

// Writing.

void write_points(const std::vector<rules::Point>& points, Indexes& wire) {
  for (const rules::Point point : points) wire.Add(point.index());
}

void write_seat(const rules::Seat& seat, v1::LogSeat& wire) {
  wire.set_kind(static_cast<v1::SeatKind>(seat.kind));
  wire.set_name(seat.name);
  wire.set_profile(seat.profile);
  for (const auto& [key, value] : seat.settings) {
    v1::LogSetting& setting = *wire.add_settings();
    setting.set_key(key);
    setting.set_value(value);
  }
  wire.set_other_rules(seat.other_rules);
  wire.set_resign_from(static_cast<std::uint32_t>(seat.resign_from));
  wire.set_open(seat.is_open);
  if (seat.kind != rules::SeatKind::Engine) return;
  wire.set_undos(static_cast<std::uint32_t>(seat.undos));
  wire.set_pauses(static_cast<std::uint32_t>(seat.pauses));
}

struct LogBodyWriter {
  v1::LogEvent& event;

  void operator()(const rules::Played& played) const {
    event.mutable_played()->set_color(wire_color(played.color));
    event.mutable_played()->set_point(played.point.index());
    write_time(played, *event.mutable_played());
  }
  void operator()(const rules::Passed& passed) const {
    event.mutable_passed()->set_color(wire_color(passed.color));
    write_time(passed, *event.mutable_passed());
  }
  void operator()(const rules::Resigned& resigned) const {
    event.mutable_resigned()->set_color(wire_color(resigned.color));
  }
  void operator()(const rules::DeadListed& listed) const {
    v1::LogDeadListed& wire = *event.mutable_dead_listed();
    wire.set_color(wire_color(listed.color));
    wire.set_cannot_list(!listed.points);
    if (listed.points) write_points(*listed.points, *wire.mutable_points());
  }
  void operator()(const rules::Forfeited& forfeited) const {
    event.mutable_forfeited()->set_color(wire_color(forfeited.color));
    event.mutable_forfeited()->set_reason(forfeited.reason);
  }
  void operator()(const rules::TimedOut& timed_out) const {
    event.mutable_timed_out()->set_color(wire_color(timed_out.color));
  }
  void operator()(const rules::SeatChanged& changed) const {
    v1::LogSeatChanged& wire = *event.mutable_seat_changed();
    wire.set_color(wire_color(changed.color));
    write_seat(*changed.seat, *wire.mutable_seat());
    wire.set_reason(changed.reason);
  }
  void operator()(const rules::Captured& captured) const {
    event.mutable_captured()->set_by(wire_color(captured.by));
    write_points(captured.points, *event.mutable_captured()->mutable_points());
  }
  void operator()(const rules::Stopped& stopped) const {
    event.mutable_stopped()->set_reason(static_cast<v1::StopReason>(stopped.reason));
  }
  void operator()(const rules::Scored& scored) const {
    event.mutable_scored()->set_black_half(scored.black_half);
    event.mutable_scored()->set_white_half(scored.white_half);
    write_points(scored.removed, *event.mutable_scored()->mutable_removed());
    write_points(scored.seki, *event.mutable_scored()->mutable_seki());
    event.mutable_scored()->set_by(static_cast<v1::Scoring>(scored.by));
  }
  void operator()(const rules::Finished& finished) const {
    v1::LogFinished& wire = *event.mutable_finished();
    wire.set_kind(static_cast<v1::ResultKind>(finished.result.kind));
    if (finished.result.winner) wire.set_winner(wire_color(*finished.result.winner));
    wire.set_margin_half(finished.result.margin_half);
  }
  void operator()(const rules::Undone& undone) const {
    event.mutable_undone()->set_moves(static_cast<std::uint32_t>(undone.moves));
    event.mutable_undone()->set_color(wire_color(undone.color));
  }
  void operator()(const rules::Marked& marked) const {
    write_mark(marked, *event.mutable_marked());
  }
  void operator()(const rules::SekiMarked& marked) const {
    write_mark(marked, *event.mutable_seki_marked());
  }
  void operator()(const rules::MarkingDone& done) const {
    event.mutable_marking_done()->set_color(wire_color(done.color));
  }
  void operator()(const rules::MarkingAccepted& accepted) const {
    event.mutable_marking_accepted()->set_color(wire_color(accepted.color));
  }
  void operator()(const rules::MarkingDisputed& disputed) const {
    event.mutable_marking_disputed()->set_color(wire_color(disputed.color));
  }
  void operator()(const rules::HandicapPlaced& placed) const {
    write_points(placed.points, *event.mutable_handicap_placed()->mutable_points());
  }
  void operator()(const rules::Abandoned& abandoned) const {
    event.mutable_abandoned()->set_color(wire_color(abandoned.color));
  }
  void operator()(const rules::Annulled& annulled) const {
    event.mutable_annulled()->set_reason(annulled.reason);
    if (annulled.by) event.mutable_annulled()->set_by(wire_color(*annulled.by));
  }
  void operator()(const rules::NoResultAgreed& agreed) const {
    event.mutable_no_result()->set_color(wire_color(agreed.color));
  }
  void operator()(const rules::Paused& paused) const {
    write_time(paused, *event.mutable_paused());
    event.mutable_paused()->set_color(wire_color(paused.color));
    event.mutable_paused()->set_reason(static_cast<v1::PauseReason>(paused.reason));
  }
  void operator()(const rules::Unpaused& unpaused) const {
    event.mutable_unpaused()->set_color(wire_color(unpaused.color));
  }
  void operator()(const rules::Asked& asked) const {
    event.mutable_asked()->set_moves(static_cast<std::uint32_t>(asked.moves));
    event.mutable_asked()->set_kind(static_cast<v1::AskKind>(asked.kind));
    event.mutable_asked()->set_color(wire_color(asked.color));
  }
  void operator()(const rules::Declined& declined) const {
    event.mutable_declined()->set_color(wire_color(declined.color));
  }
  void operator()(const rules::Continued& continued) const {
    event.mutable_continued()->set_reason(static_cast<v1::ContinueReason>(continued.reason));
  }

  template <typename Mark>
  static void write_mark(const Mark& mark, v1::LogMarked& wire) {
    wire.set_point(mark.point.index());
    wire.set_color(wire_color(mark.color));
  }
};

}  // namespace

std::string encode_header(const rules::Header& header) {
  v1::LogHeader wire;
  wire.set_game_high(header.id.high);
  wire.set_game_low(header.id.low);
  wire.set_created_ms(header.created_ms);
  wire.set_width(header.size.width);
  wire.set_height(header.size.height);
  wire.set_preset(header.preset);
  write_rules(header.rules, *wire.mutable_rules());
  wire.set_komi_half(header.komi_half);
  for (const rules::Stone& stone : header.setup) {
    v1::LogStone& to = *wire.add_setup();
    to.set_color(wire_color(stone.color));
    to.set_point(stone.point.index());
  }
  wire.set_first(wire_color(header.first));
  for (const rules::Seat& seat : header.seats) write_seat(seat, *wire.add_seats());
  wire.set_slot1_color(wire_color(header.slot1_color));
  wire.set_seed(header.seed.data(), header.seed.size());
  write_time_control(header.clock, *wire.mutable_clock());
  wire.set_free_handicap(static_cast<std::uint32_t>(header.free_handicap));
  wire.set_annul_before(static_cast<std::uint32_t>(header.annul_before));
  wire.set_analysis(static_cast<v1::AnalysisPolicy>(header.analysis));
  wire.set_marking_ms(static_cast<std::uint32_t>(header.marking_time.count()));
  wire.set_absence_ms(static_cast<std::uint32_t>(header.absence.count()));
  wire.set_absence_profile(header.absence_profile);
  wire.set_broadcast_delay_ms(static_cast<std::uint32_t>(header.broadcast_delay.count()));
  wire.set_lag_allowance_ms(static_cast<std::uint32_t>(header.lag_allowance.count()));
  return wire.SerializeAsString();
}

std::optional<rules::Header> decode_header(std::string_view bytes) {
  v1::LogHeader wire;
  if (!parse_whole(bytes, wire)) return std::nullopt;
  FieldReader reader;
  rules::Header header = read_header(wire, reader);
  if (reader.error()) return std::nullopt;
  return header;
}

std::string encode_event(const rules::Event& event) {
  v1::LogEvent wire;
  wire.set_seq(event.seq);
  wire.set_unix_ms(event.stamp.unix_ms);
  wire.set_request_id(event.stamp.request_id);
  std::visit(LogBodyWriter{wire}, event.body);
  return wire.SerializeAsString();
}

std::optional<rules::Event> decode_event(std::string_view bytes) {
  v1::LogEvent wire;
  if (!parse_whole(bytes, wire)) return std::nullopt;
  FieldReader reader;
  if (wire.seq() == 0) reader.refuse("seq", "none");
  rules::Event event{wire.seq(), {wire.unix_ms(), wire.request_id()}, read_body(wire, reader)};
  if (reader.error()) return std::nullopt;
  return event;
}

}  // namespace tengen::protocol
