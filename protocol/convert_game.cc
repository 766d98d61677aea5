// The values of a game: rules, seats, events and snapshots, in both directions.
#include <limits>
#include <string>
#include <utility>

#include "protocol/convert.h"
#include "protocol/text.h"

namespace tengen::protocol {
namespace {

using Seats = google::protobuf::RepeatedPtrField<v1::SeatSpec>;

constexpr std::size_t kReasonBytesMax = 256;
constexpr int kIntMax = std::numeric_limits<int>::max();
constexpr std::size_t kSha256Digits = 64;

// Reading.

rules::Result read_result(const v1::Result& wire, FieldReader& reader) {
  rules::Result result{reader.choice(wire.kind(), rules::ResultKind::Annulled, "kind"),
                       std::nullopt, wire.margin_half()};
  if (wire.winner() != v1::COLOR_UNSPECIFIED) result.winner = read_color(wire.winner(), reader);
  return result;
}

rules::Scored read_scored(const v1::Scored& wire, rules::Size size, FieldReader& reader) {
  return {wire.black_half(), wire.white_half(), read_points(wire.removed(), size, reader),
          reader.choice(wire.by(), rules::Scoring::Territory, "by"),
          read_points(wire.seki(), size, reader)};
}

rules::DeadListed read_dead_list(const v1::DeadListed& wire, rules::Size size,
                                 FieldReader& reader) {
  rules::DeadListed listed{read_color(wire.color(), reader), std::nullopt};
  if (!wire.cannot_list()) listed.points = read_points(wire.vertices(), size, reader);
  return listed;
}

rules::Asked read_asked(const v1::Asked& wire, FieldReader& reader) {
  return {read_color(wire.color(), reader),
          reader.choice(wire.kind(), rules::AskKind::NoResult, "kind"),
          reader.number(wire.moves(), kIntMax, "moves")};
}

rules::Paused read_paused(const v1::Paused& wire, FieldReader& reader) {
  auto paused = with_time(rules::Paused{read_color(wire.color(), reader)}, wire, reader);
  paused.reason = read_pause_reason(wire.reason(), reader);
  return paused;
}

template <typename Mark, typename Wire>
Mark read_mark(const Wire& wire, rules::Size size, FieldReader& reader) {
  return {read_color(wire.color(), reader), reader.vertex(wire.vertex(), size)};
}

rules::EventBody read_body(const v1::Event& wire, rules::Size size, FieldReader& reader) {
  switch (wire.body_case()) {
    case v1::Event::kPlayed:
      return with_time(rules::Played{read_color(wire.played().color(), reader),
                                     reader.vertex(wire.played().vertex(), size)},
                       wire.played(), reader);
    case v1::Event::kPassed:
      return with_time(rules::Passed{read_color(wire.passed().color(), reader)}, wire.passed(),
                       reader);
    case v1::Event::kResigned:
      return rules::Resigned{read_color(wire.resigned().color(), reader)};
    case v1::Event::kDeadListed:
      return read_dead_list(wire.dead_listed(), size, reader);
    case v1::Event::kForfeited:
      return rules::Forfeited{read_color(wire.forfeited().color(), reader),
                              reader.text(wire.forfeited().reason(), kReasonBytesMax, "reason")};
    case v1::Event::kTimedOut:
      return rules::TimedOut{read_color(wire.timed_out().color(), reader)};
    case v1::Event::kSeatChanged:
      return rules::SeatChanged{
          read_color(wire.seat_changed().color(), reader),
          read_seat(wire.seat_changed().seat(), reader),
          reader.text(wire.seat_changed().reason(), kReasonBytesMax, "reason")};
    case v1::Event::kCaptured:
      return rules::Captured{read_color(wire.captured().by(), reader),
                             read_points(wire.captured().vertices(), size, reader)};
    case v1::Event::kStopped:
      return rules::Stopped{
          reader.choice(wire.stopped().reason(), rules::StopReason::MoveLimit, "reason")};
    case v1::Event::kScored:
      return read_scored(wire.scored(), size, reader);
    case v1::Event::kFinished:
      return rules::Finished{read_result(wire.finished().result(), reader)};
    case v1::Event::kUndone:
      return rules::Undone{read_color(wire.undone().color(), reader),
                           reader.number(wire.undone().moves(), kIntMax, "moves")};
    case v1::Event::kMarked:
      return read_mark<rules::Marked>(wire.marked(), size, reader);
    case v1::Event::kSekiMarked:
      return read_mark<rules::SekiMarked>(wire.seki_marked(), size, reader);
    case v1::Event::kMarkingDone:
      return rules::MarkingDone{read_color(wire.marking_done().color(), reader)};
    case v1::Event::kMarkingAccepted:
      return rules::MarkingAccepted{read_color(wire.marking_accepted().color(), reader)};
    case v1::Event::kMarkingDisputed:
      return rules::MarkingDisputed{read_color(wire.marking_disputed().color(), reader)};
    case v1::Event::kHandicapPlaced:
      return rules::HandicapPlaced{read_points(wire.handicap_placed().vertices(), size, reader)};
    case v1::Event::kAbandoned:
      return rules::Abandoned{read_color(wire.abandoned().color(), reader)};
    case v1::Event::kAnnulled:
      return rules::Annulled{read_color_or_none(wire.annulled().by(), reader),
                             reader.text(wire.annulled().reason(), kReasonBytesMax, "reason")};
    case v1::Event::kNoResult:
      return rules::NoResultAgreed{read_color(wire.no_result().color(), reader)};
    case v1::Event::kPaused:
      return read_paused(wire.paused(), reader);
    case v1::Event::kUnpaused:
      return rules::Unpaused{read_color(wire.unpaused().color(), reader)};
    case v1::Event::kAsked:
      return read_asked(wire.asked(), reader);
    case v1::Event::kDeclined:
      return rules::Declined{read_color(wire.declined().color(), reader)};
    case v1::Event::kContinued:
      return rules::Continued{
          reader.choice(wire.continued().reason(), rules::ContinueReason::Dispute, "reason")};
    case v1::Event::BODY_NOT_SET:
      break;
  }
  reader.refuse("body", "an event that this version does not know");
  return rules::Passed{rules::Color::Black};
}

std::array<rules::Seat, 2> read_seats(const Seats& wire, FieldReader& reader) {
  if (wire.size() != 2) {
    reader.refuse("seats", "seats must be exactly two");
    return {};
  }
  return {read_seat(wire[0], reader), read_seat(wire[1], reader)};
}

rules::Header read_info(const v1::GameInfo& wire, FieldReader& reader) {
  rules::Header header;
  header.created_ms = wire.created_ms();
  header.size = reader.size(wire.width(), wire.height());
  header.preset = reader.text(wire.preset(), kNameBytesMax, "preset");
  header.rules = read_rules(wire.rules(), {}, reader);
  header.komi_half = reader.komi_half(wire.komi_half());
  for (const v1::Stone& stone : wire.setup()) {
    header.setup.push_back(read_stone(stone, header.size, reader));
  }
  header.first = read_color(wire.first(), reader);
  header.slot1_color = read_color(wire.slot1_color(), reader);
  if (wire.has_time()) header.clock = read_time_control(wire.time(), reader);
  header.seats = read_seats(wire.seats(), reader);
  header.free_handicap = reader.number(wire.free_handicap(), kIntMax, "free_handicap");
  header.marking_time = std::chrono::milliseconds(wire.marking_ms());
  header.annul_before = reader.number(wire.annul_before(), kIntMax, "annul_before");
  header.analysis = reader.choice(wire.analysis(), rules::AnalysisPolicy::Everyone, "analysis");
  header.absence = std::chrono::milliseconds(wire.absence_ms());
  header.absence_profile = reader.text(wire.absence_profile(), kProfileBytesMax, "absence_profile");
  header.broadcast_delay = std::chrono::milliseconds(wire.broadcast_delay_ms());
  header.lag_allowance = std::chrono::milliseconds(wire.lag_allowance_ms());
  return header;
}

// Writing.

void write_result(const rules::Result& result, v1::Result& wire) {
  wire.set_kind(static_cast<v1::ResultKind>(result.kind));
  if (result.winner) wire.set_winner(wire_color(*result.winner));
  wire.set_margin_half(result.margin_half);
  wire.set_text(result_text(result));
}

void write_scored(const rules::Scored& scored, rules::Size size, v1::Scored& wire) {
  wire.set_black_half(scored.black_half);
  wire.set_white_half(scored.white_half);
  write_points(scored.removed, size, *wire.mutable_removed());
  wire.set_by(static_cast<v1::Scoring>(scored.by));
  write_points(scored.seki, size, *wire.mutable_seki());
}

void write_asked(const rules::Asked& asked, v1::Asked& wire) {
  wire.set_color(wire_color(asked.color));
  wire.set_kind(static_cast<v1::AskKind>(asked.kind));
  wire.set_moves(static_cast<std::uint32_t>(asked.moves));
}

void write_dead_list(const rules::DeadListed& listed, rules::Size size, v1::DeadListed& wire) {
  wire.set_color(wire_color(listed.color));
  wire.set_cannot_list(!listed.points);
  if (listed.points) write_points(*listed.points, size, *wire.mutable_vertices());
}

/// Writes the body of one event of a game of that size.
struct BodyWriter {
  v1::Event& event;
  rules::Size size;

  void operator()(const rules::Played& played) const {
    event.mutable_played()->set_color(wire_color(played.color));
    event.mutable_played()->set_vertex(gtp_vertex(played.point, size));
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
    write_dead_list(listed, size, *event.mutable_dead_listed());
  }
  void operator()(const rules::Forfeited& forfeited) const {
    event.mutable_forfeited()->set_color(wire_color(forfeited.color));
    event.mutable_forfeited()->set_reason(clean_text(forfeited.reason, kReasonBytesMax));
  }
  void operator()(const rules::TimedOut& timed_out) const {
    event.mutable_timed_out()->set_color(wire_color(timed_out.color));
  }
  void operator()(const rules::SeatChanged& changed) const {
    v1::SeatChanged& wire = *event.mutable_seat_changed();
    wire.set_color(wire_color(changed.color));
    write_seat(*changed.seat, *wire.mutable_seat());
    wire.set_reason(clean_text(changed.reason, kReasonBytesMax));
  }
  void operator()(const rules::Captured& captured) const {
    event.mutable_captured()->set_by(wire_color(captured.by));
    write_points(captured.points, size, *event.mutable_captured()->mutable_vertices());
  }
  void operator()(const rules::Stopped& stopped) const {
    event.mutable_stopped()->set_reason(static_cast<v1::StopReason>(stopped.reason));
  }
  void operator()(const rules::Scored& scored) const {
    write_scored(scored, size, *event.mutable_scored());
  }
  void operator()(const rules::Finished& finished) const {
    write_result(finished.result, *event.mutable_finished()->mutable_result());
  }
  void operator()(const rules::Undone& undone) const {
    event.mutable_undone()->set_color(wire_color(undone.color));
    event.mutable_undone()->set_moves(static_cast<std::uint32_t>(undone.moves));
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
    write_points(placed.points, size, *event.mutable_handicap_placed()->mutable_vertices());
  }
  void operator()(const rules::Abandoned& abandoned) const {
    event.mutable_abandoned()->set_color(wire_color(abandoned.color));
  }
  void operator()(const rules::Annulled& annulled) const {
    event.mutable_annulled()->set_reason(clean_text(annulled.reason, kReasonBytesMax));
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
  void operator()(const rules::Asked& asked) const { write_asked(asked, *event.mutable_asked()); }
  void operator()(const rules::Declined& declined) const {
    event.mutable_declined()->set_color(wire_color(declined.color));
  }
  void operator()(const rules::Continued& continued) const {
    event.mutable_continued()->set_reason(static_cast<v1::ContinueReason>(continued.reason));
  }

  template <typename Mark, typename Wire>
  void write_mark(const Mark& mark, Wire& wire) const {
    wire.set_color(wire_color(mark.color));
    wire.set_vertex(gtp_vertex(mark.point, size));
  }
};

void write_info(const rules::Header& header, v1::GameInfo& wire) {
  wire.set_created_ms(header.created_ms);
  wire.set_width(header.size.width);
  wire.set_height(header.size.height);
  wire.set_preset(header.preset);
  write_rules(header.rules, *wire.mutable_rules());
  wire.set_komi_half(header.komi_half);
  for (const rules::Stone& stone : header.setup) write_stone(stone, header.size, *wire.add_setup());
  wire.set_first(wire_color(header.first));
  for (const rules::Seat& seat : header.seats) write_seat(seat, *wire.add_seats());
  wire.set_slot1_color(wire_color(header.slot1_color));
  wire.set_free_handicap(static_cast<std::uint32_t>(header.free_handicap));
  wire.set_marking_ms(static_cast<std::uint32_t>(header.marking_time.count()));
  wire.set_annul_before(static_cast<std::uint32_t>(header.annul_before));
  wire.set_analysis(static_cast<v1::AnalysisPolicy>(header.analysis));
  wire.set_absence_ms(static_cast<std::uint32_t>(header.absence.count()));
  wire.set_absence_profile(header.absence_profile);
  wire.set_broadcast_delay_ms(static_cast<std::uint32_t>(header.broadcast_delay.count()));
  wire.set_lag_allowance_ms(static_cast<std::uint32_t>(header.lag_allowance.count()));
  if (header.clock != rules::TimeControl{}) write_time_control(header.clock, *wire.mutable_time());
}

}  // namespace

rules::Stone read_stone(const v1::Stone& wire, rules::Size size, FieldReader& reader) {
  return {read_color(wire.color(), reader), reader.vertex(wire.vertex(), size)};
}

rules::Move read_move(const v1::Move& wire, rules::Size size, FieldReader& reader) {
  const rules::Color color = read_color(wire.color(), reader);
  if (wire.vertex() == "pass") return rules::Move::pass(color);
  return rules::Move::play(color, reader.vertex(wire.vertex(), size));
}

rules::Settings read_settings(const WireSettings& wire, FieldReader& reader) {
  rules::Settings settings;
  if (static_cast<std::size_t>(wire.size()) > kSettingsMax) {
    reader.refuse("settings", "settings must be at most " + std::to_string(kSettingsMax));
    return settings;
  }
  for (const v1::Setting& setting : wire) {
    std::string key = reader.token(setting.key(), kSettingBytesMax, "key");
    for (const auto& [known, value] : settings) {
      if (known == key) reader.refuse("key", "each key may be set once");
    }
    if (setting.value().size() > kSettingBytesMax || !is_printable_ascii(setting.value())) {
      reader.refuse("value", "value must be at most " + std::to_string(kSettingBytesMax) +
                                 " printable ASCII characters");
    }
    settings.emplace_back(std::move(key), setting.value());
  }
  return settings;
}

std::vector<rules::Point> read_points(const Texts& wire, rules::Size size, FieldReader& reader) {
  std::vector<rules::Point> points;
  points.reserve(static_cast<std::size_t>(wire.size()));
  for (const std::string& vertex : wire) points.push_back(reader.vertex(vertex, size));
  return points;
}

std::vector<std::string> read_rows(const Texts& wire, rules::Size size, FieldReader& reader) {
  bool fits = wire.size() == size.height;
  for (const std::string& row : wire) {
    fits = fits && row.size() == size.width && row.find_first_not_of("XO.") == std::string::npos;
  }
  if (!fits) reader.refuse("rows", "rows must draw the board in X, O and .");
  return {wire.begin(), wire.end()};
}

void write_stone(const rules::Stone& stone, rules::Size size, v1::Stone& wire) {
  wire.set_color(wire_color(stone.color));
  wire.set_vertex(gtp_vertex(stone.point, size));
}

void write_move(const rules::Move& move, rules::Size size, v1::Move& wire) {
  wire.set_color(wire_color(move.color));
  wire.set_vertex(move.point ? gtp_vertex(*move.point, size) : "pass");
}

void write_points(const std::vector<rules::Point>& points, rules::Size size, Texts& wire) {
  for (const rules::Point point : points) *wire.Add() = gtp_vertex(point, size);
}

rules::Color read_color(v1::Color wire, FieldReader& reader) {
  return reader.choice(wire, rules::Color::White, "color");
}

std::optional<rules::Color> read_color_or_none(v1::Color wire, FieldReader& reader) {
  if (wire == v1::COLOR_UNSPECIFIED) return std::nullopt;
  return read_color(wire, reader);
}

rules::PauseReason read_pause_reason(v1::PauseReason wire, FieldReader& reader) {
  if (wire == v1::PAUSE_REASON_UNSPECIFIED) return rules::PauseReason::Agreed;
  return reader.choice(wire, rules::PauseReason::ServerLag, "pause_reason");
}

rules::Ruleset read_rules(const v1::RulesComponents& wire, rules::Ruleset rules,
                          FieldReader& reader) {
  const auto component = [&reader](int value, auto& into, auto last, std::string_view field) {
    if (value != 0) into = reader.choice(value, last, field, ErrorCode::UnsupportedRules);
  };
  component(wire.ko(), rules.ko, rules::KoRule::Situational, "ko");
  component(wire.suicide(), rules.suicide, rules::SuicideRule::Any, "suicide");
  component(wire.scoring(), rules.scoring, rules::Scoring::Territory, "scoring");
  component(wire.bonus(), rules.bonus, rules::HandicapBonus::NMinusOne, "bonus");
  component(wire.end(), rules.end, rules::EndRule::Confirmation, "end");
  if (wire.move_limit() > kMoveLimitMax) {
    reader.refuse("move_limit", "move_limit must be 0.." + std::to_string(kMoveLimitMax));
  }
  if (wire.move_limit() != 0) rules.move_limit = wire.move_limit();
  return rules;
}

rules::Seat read_seat(const v1::SeatSpec& wire, FieldReader& reader) {
  rules::Seat seat;
  seat.kind = reader.choice(wire.kind(), rules::SeatKind::Agent, "kind");
  seat.name = reader.text(wire.name(), kNameBytesMax, "name");
  if (seat.kind == rules::SeatKind::Engine) {
    seat.profile = reader.token(wire.profile(), kProfileBytesMax, "profile");
    seat.settings = read_settings(wire.settings(), reader);
    seat.other_rules = wire.other_rules();
    seat.resign_from = reader.number(wire.resign_from(), kMoveLimitMax, "resign_from");
    seat.undos = wire.has_undos() ? reader.number(wire.undos(), rules::kQuestionsMax, "undos")
                                  : rules::kUndosGranted;
    seat.pauses = wire.has_pauses() ? reader.number(wire.pauses(), rules::kQuestionsMax, "pauses")
                                    : rules::kPausesGranted;
    if (wire.open()) reader.refuse("open", "open is not for engine seats");
    return seat;
  }
  seat.is_open = wire.open();
  if (wire.resign_from() != 0) reader.refuse("resign_from", "resign_from is for engines only");
  if (wire.has_undos()) reader.refuse("undos", "undos is for engines only");
  if (wire.has_pauses()) reader.refuse("pauses", "pauses is for engines only");
  if (!wire.profile().empty()) reader.refuse("profile", "profile is for engine seats only");
  if (wire.settings_size() != 0) reader.refuse("settings", "settings are for engine seats only");
  if (wire.other_rules()) reader.refuse("other_rules", "other_rules is for engine seats only");
  return seat;
}

Snapshot read_snapshot(const v1::Snapshot& wire, FieldReader& reader) {
  Snapshot snapshot;
  snapshot.game = reader.game(wire.game());
  snapshot.seq = wire.seq();
  snapshot.position_seq = wire.position_seq();
  snapshot.header = read_info(wire.info(), reader);
  snapshot.header.id = snapshot.game;
  const rules::Size size = snapshot.header.size;
  snapshot.phase = reader.choice(wire.phase(), rules::Phase::Handicap, "phase");
  if (wire.turn() != v1::COLOR_UNSPECIFIED) snapshot.turn = read_color(wire.turn(), reader);
  snapshot.rows = read_rows(wire.rows(), size, reader);
  for (const v1::Move& move : wire.moves()) {
    snapshot.moves.push_back(read_move(move, size, reader));
  }
  snapshot.captured = {reader.number(wire.captured_by_black(), kIntMax, "captured_by_black"),
                       reader.number(wire.captured_by_white(), kIntMax, "captured_by_white")};
  if (wire.has_ko_ban()) snapshot.ko_ban = read_stone(wire.ko_ban(), size, reader);
  if (wire.has_score()) snapshot.score = read_scored(wire.score(), size, reader);
  if (wire.has_result()) snapshot.result = read_result(wire.result(), reader);
  snapshot.seats = read_seats(wire.seats(), reader);
  if (wire.has_clocks()) snapshot.clocks = read_clocks(wire.clocks(), reader);
  if (wire.waiting() != v1::WAITING_UNSPECIFIED) {
    snapshot.waiting = reader.choice(wire.waiting(), Waiting::Engine, "waiting");
  }
  if (wire.has_marking()) {
    snapshot.marking =
        Marking{read_color(wire.marking().proposer(), reader), wire.marking().proposed(),
                read_points(wire.marking().dead(), size, reader),
                read_points(wire.marking().seki(), size, reader)};
  }
  for (const v1::DeadListed& list : wire.dead_lists()) {
    snapshot.dead_lists.push_back(read_dead_list(list, size, reader));
  }
  snapshot.disputes = reader.number(wire.disputes(), kIntMax, "disputes");
  if (wire.paused()) snapshot.paused = read_pause_reason(wire.pause_reason(), reader);
  if (wire.has_asked()) snapshot.asked = read_asked(wire.asked(), reader);
  snapshot.asked_seq = wire.asked_seq();
  snapshot.seed_sha256 = reader.text(wire.info().seed_sha256(), kSha256Digits, "seed_sha256");
  if (wire.info().seed().size() == snapshot.header.seed.size()) {
    const std::string& seed = wire.info().seed();
    std::copy(seed.begin(), seed.end(), snapshot.header.seed.begin());
  }
  for (const std::uint32_t slot : wire.absent_slots()) {
    snapshot.present[static_cast<std::size_t>(reader.slot(slot) - 1)] = false;
  }
  return snapshot;
}

GameEvents read_events(const v1::GameEvents& wire, FieldReader& reader) {
  GameEvents events{reader.game(wire.game()), reader.size(wire.width(), wire.height()), {}};
  for (const v1::Event& event : wire.events()) {
    events.events.push_back(
        {event.seq(),
         {event.unix_ms(), reader.text(event.request_id(), kRequestIdBytesMax, "request_id")},
         read_body(event, events.size, reader)});
  }
  return events;
}

v1::Color wire_color(rules::Color color) { return static_cast<v1::Color>(color); }

void write_rules(const rules::Ruleset& rules, v1::RulesComponents& wire) {
  wire.set_ko(static_cast<v1::KoRule>(rules.ko));
  wire.set_suicide(static_cast<v1::SuicideRule>(rules.suicide));
  wire.set_scoring(static_cast<v1::Scoring>(rules.scoring));
  wire.set_bonus(static_cast<v1::HandicapBonus>(rules.bonus));
  wire.set_end(static_cast<v1::EndRule>(rules.end));
  wire.set_move_limit(rules.move_limit);
}

void write_settings(const rules::Settings& settings, WireSettings& wire) {
  for (const auto& [key, value] : settings) {
    v1::Setting& setting = *wire.Add();
    setting.set_key(key);
    setting.set_value(value);
  }
}

void write_seat(const rules::Seat& seat, v1::SeatSpec& wire) {
  wire.set_kind(static_cast<v1::SeatKind>(seat.kind));
  wire.set_name(seat.name);
  wire.set_profile(seat.profile);
  write_settings(seat.settings, *wire.mutable_settings());
  wire.set_other_rules(seat.other_rules);
  wire.set_resign_from(static_cast<std::uint32_t>(seat.resign_from));
  wire.set_open(seat.is_open);
  if (seat.kind != rules::SeatKind::Engine) return;
  wire.set_undos(static_cast<std::uint32_t>(seat.undos));
  wire.set_pauses(static_cast<std::uint32_t>(seat.pauses));
}

void write_snapshot(const Snapshot& snapshot, v1::Snapshot& wire) {
  const rules::Size size = snapshot.header.size;
  wire.set_game(to_text(snapshot.game));
  wire.set_seq(snapshot.seq);
  wire.set_position_seq(snapshot.position_seq);
  write_info(snapshot.header, *wire.mutable_info());
  wire.set_phase(static_cast<v1::Phase>(snapshot.phase));
  if (snapshot.turn) wire.set_turn(wire_color(*snapshot.turn));
  for (const std::string& row : snapshot.rows) wire.add_rows(row);
  for (const rules::Move& move : snapshot.moves) write_move(move, size, *wire.add_moves());
  wire.set_captured_by_black(static_cast<std::uint32_t>(snapshot.captured[0]));
  wire.set_captured_by_white(static_cast<std::uint32_t>(snapshot.captured[1]));
  if (snapshot.ko_ban) write_stone(*snapshot.ko_ban, size, *wire.mutable_ko_ban());
  if (snapshot.score) write_scored(*snapshot.score, size, *wire.mutable_score());
  if (snapshot.result) write_result(*snapshot.result, *wire.mutable_result());
  for (const rules::Seat& seat : snapshot.seats) write_seat(seat, *wire.add_seats());
  if (snapshot.clocks) write_clocks(*snapshot.clocks, *wire.mutable_clocks());
  if (snapshot.waiting) wire.set_waiting(static_cast<v1::Waiting>(*snapshot.waiting));
  if (snapshot.marking) {
    v1::Marking& marking = *wire.mutable_marking();
    marking.set_proposer(wire_color(snapshot.marking->proposer));
    marking.set_proposed(snapshot.marking->is_proposed);
    write_points(snapshot.marking->dead, size, *marking.mutable_dead());
    write_points(snapshot.marking->seki, size, *marking.mutable_seki());
  }
  for (const rules::DeadListed& list : snapshot.dead_lists) {
    write_dead_list(list, size, *wire.add_dead_lists());
  }
  wire.set_disputes(static_cast<std::uint32_t>(snapshot.disputes));
  wire.set_paused(snapshot.paused.has_value());
  if (snapshot.paused) wire.set_pause_reason(static_cast<v1::PauseReason>(*snapshot.paused));
  if (snapshot.asked) write_asked(*snapshot.asked, *wire.mutable_asked());
  wire.set_asked_seq(snapshot.asked_seq);
  wire.mutable_info()->set_seed_sha256(snapshot.seed_sha256);
  if (snapshot.result) {  // before, it is a secret
    wire.mutable_info()->set_seed(snapshot.header.seed.data(), snapshot.header.seed.size());
  }
  for (const std::uint32_t slot : {1u, 2u}) {
    if (!snapshot.present[slot - 1]) wire.add_absent_slots(slot);
  }
}

void write_events(const GameEvents& events, v1::GameEvents& wire) {
  wire.set_game(to_text(events.game));
  wire.set_width(events.size.width);
  wire.set_height(events.size.height);
  for (const rules::Event& event : events.events) {
    v1::Event& to = *wire.add_events();
    to.set_seq(event.seq);
    to.set_unix_ms(event.stamp.unix_ms);
    to.set_request_id(event.stamp.request_id);
    std::visit(BodyWriter{to, events.size}, event.body);
  }
}

}  // namespace tengen::protocol
