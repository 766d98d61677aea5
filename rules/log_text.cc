// One line is a word (events: their number first) and then `key=value` fields in a fixed order.
// There is one spelling for each value, so what parses is written back byte for byte: bytes that
// could end a field are %XX, numbers have no leading zeros, lists are comma separated. Only what a
// move took is left out when it is nothing, as in every game without a clock.
#include <charconv>
#include <chrono>
#include <concepts>
#include <type_traits>

#include "rules/log.h"

namespace tengen::rules {
namespace {

constexpr std::string_view kUpperHex = "0123456789ABCDEF";
constexpr std::string_view kLowerHex = "0123456789abcdef";
constexpr std::string_view kHeaderWord = "tengen-game-1";
/// What `points` holds when a side could not list.
constexpr std::string_view kNoList = "none";

// Values to text.

bool is_plain(char c) {
  return c > ' ' && c <= '~' && c != '%' && c != ',' && c != ':' && c != '=';
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_plain(c)) {
      out += c;
    } else {
      out += {'%', kUpperHex[byte >> 4], kUpperHex[byte & 15u]};
    }
  }
  return out;
}

std::string_view text_of(Color color) { return color == Color::Black ? "B" : "W"; }
std::string_view text_of(SeatKind kind) {
  switch (kind) {
    case SeatKind::Human:
      return "human";
    case SeatKind::Engine:
      return "engine";
    case SeatKind::Agent:
      break;
  }
  return "agent";
}
std::string_view text_of(AnalysisPolicy policy) {
  switch (policy) {
    case AnalysisPolicy::AfterEnd:
      return "after-end";
    case AnalysisPolicy::Spectators:
      return "spectators";
    case AnalysisPolicy::Everyone:
      break;
  }
  return "everyone";
}
std::string_view text_of(StopReason reason) {
  return reason == StopReason::TwoPasses ? "two-passes" : "move-limit";
}
std::string_view text_of(ContinueReason reason) {
  return reason == ContinueReason::Cleanup ? "cleanup" : "dispute";
}
std::string_view text_of(PauseReason reason) {
  return reason == PauseReason::Agreed ? "agreed" : "server-lag";
}
std::string_view text_of(AskKind kind) {
  switch (kind) {
    case AskKind::Undo:
      return "undo";
    case AskKind::Pause:
      return "pause";
    case AskKind::NoResult:
      break;
  }
  return "no-result";
}
std::string_view text_of(ResultKind kind) { return name_of(kind); }
std::string_view text_of(bool value) { return value ? "yes" : "no"; }
std::string text_of(const Stone& stone) {
  return std::string(text_of(stone.color)) + std::to_string(stone.point.index());
}
std::string text_of(const GameSeed& seed) {
  std::string out;
  for (const std::uint8_t byte : seed) out += {kLowerHex[byte >> 4], kLowerHex[byte & 15u]};
  return out;
}
std::string text_of(Point point) { return std::to_string(point.index()); }
std::string text_of(std::chrono::nanoseconds time) { return std::to_string(time.count()); }
std::string text_of(const ClockFace& face) {
  return text_of(face.main_left) + ":" + text_of(face.period_left) + ":" +
         std::to_string(face.periods_left) + ":" + std::to_string(face.stones_left);
}
std::string text_of(const std::pair<std::string, std::string>& setting) {
  return escaped(setting.first) + ":" + escaped(setting.second);
}

template <typename Item>
std::string text_of(const std::vector<Item>& items) {
  std::string out;
  for (const Item& item : items) {
    if (!out.empty()) out += ',';
    out += text_of(item);
  }
  return out;
}

class Line {
 public:
  explicit Line(std::string start) : text_(std::move(start)) {}

  Line& field(std::string_view key, std::string_view value) {
    text_ += ' ';
    text_ += key;
    text_ += '=';
    text_ += value;
    return *this;
  }
  template <std::integral Number>
  Line& field(std::string_view key, Number value) {
    return field(key, std::string_view(std::to_string(value)));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_seat(Line& line, const Seat& seat) {
  line.field("seat", text_of(seat.kind))
      .field("name", escaped(seat.name))
      .field("profile", escaped(seat.profile))
      .field("settings", text_of(seat.settings))
      .field("other_rules", text_of(seat.other_rules))
      .field("resign_from", seat.resign_from)
      .field("open", text_of(seat.is_open))
      .field("undos", seat.undos)
      .field("pauses", seat.pauses);
}

/// Of a play or a pass.
template <typename Move>
bool took_nothing(const Move& move) {
  return move.time == MoveTime{} && move.left == ClockFace{};
}

template <typename Move>
void add_time(Line& line, const Move& move) {
  if (took_nothing(move)) return;
  line.field("used", text_of(move.time.used)).field("lag", text_of(move.time.lag));
  line.field("left", text_of(move.left));
}

struct AddFields {
  Line& line;
  void operator()(const Played& e) const {
    line.field("color", text_of(e.color)).field("point", e.point.index());
    add_time(line, e);
  }
  void operator()(const Passed& e) const {
    line.field("color", text_of(e.color));
    add_time(line, e);
  }
  void operator()(const Resigned& e) const { line.field("color", text_of(e.color)); }
  void operator()(const DeadListed& e) const {
    line.field("color", text_of(e.color));
    line.field("points", e.points ? text_of(*e.points) : std::string(kNoList));
  }
  void operator()(const Forfeited& e) const {
    line.field("color", text_of(e.color)).field("reason", escaped(e.reason));
  }
  void operator()(const TimedOut& e) const { line.field("color", text_of(e.color)); }
  void operator()(const SeatChanged& e) const {
    line.field("color", text_of(e.color));
    add_seat(line, *e.seat);
    line.field("reason", escaped(e.reason));
  }
  void operator()(const Captured& e) const {
    line.field("by", text_of(e.by)).field("points", text_of(e.points));
  }
  void operator()(const Stopped& e) const { line.field("reason", text_of(e.reason)); }
  void operator()(const Scored& e) const {
    line.field("black_half", e.black_half).field("white_half", e.white_half);
    line.field("removed", text_of(e.removed)).field("by", name_of(e.by));
    line.field("seki", text_of(e.seki));
  }
  void operator()(const Finished& e) const {
    line.field("kind", text_of(e.result.kind));
    line.field("winner", e.result.winner ? text_of(*e.result.winner) : "none");
    line.field("margin_half", e.result.margin_half);
  }
  void operator()(const Undone& e) const {
    line.field("color", text_of(e.color)).field("moves", e.moves);
  }
  void operator()(const Marked& e) const {
    line.field("color", text_of(e.color)).field("point", e.point.index());
  }
  void operator()(const SekiMarked& e) const {
    line.field("color", text_of(e.color)).field("point", e.point.index());
  }
  void operator()(const MarkingDone& e) const { line.field("color", text_of(e.color)); }
  void operator()(const MarkingAccepted& e) const { line.field("color", text_of(e.color)); }
  void operator()(const MarkingDisputed& e) const { line.field("color", text_of(e.color)); }
  void operator()(const HandicapPlaced& e) const { line.field("points", text_of(e.points)); }
  void operator()(const Abandoned& e) const { line.field("color", text_of(e.color)); }
  void operator()(const Annulled& e) const {
    line.field("by", e.by ? text_of(*e.by) : "none").field("reason", escaped(e.reason));
  }
  void operator()(const NoResultAgreed& e) const { line.field("color", text_of(e.color)); }
  void operator()(const Paused& e) const {
    line.field("color", text_of(e.color)).field("reason", text_of(e.reason));
    add_time(line, e);
  }
  void operator()(const Unpaused& e) const { line.field("color", text_of(e.color)); }
  void operator()(const Asked& e) const {
    line.field("color", text_of(e.color)).field("kind", text_of(e.kind)).field("moves", e.moves);
  }
  void operator()(const Declined& e) const { line.field("color", text_of(e.color)); }
  void operator()(const Continued& e) const { line.field("reason", text_of(e.reason)); }
};

// Text to values: each `read` returns false, whatever it has stored, unless the whole text is the
// one spelling of a value.

template <std::integral Number>
bool read(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && text == std::to_string(out);
}

int hex_digit(char c) {
  const std::size_t digit = kUpperHex.find(c);
  return digit == std::string_view::npos ? -1 : static_cast<int>(digit);
}

bool read(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      if (!is_plain(text[i])) return false;
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return false;
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return false;
    const char c = static_cast<char>(high * 16 + low);
    if (is_plain(c)) return false;
    out += c;
    i += 2;
  }
  return true;
}

template <typename Value, std::size_t kCount>
bool read_one_of(std::string_view text, const Value (&values)[kCount], Value& out) {
  for (const Value value : values) {
    if (text_of(value) != text) continue;
    out = value;
    return true;
  }
  return false;
}

bool read(std::string_view text, Color& out) {
  return read_one_of(text, {Color::Black, Color::White}, out);
}
bool read(std::string_view text, SeatKind& out) {
  return read_one_of(text, {SeatKind::Human, SeatKind::Engine, SeatKind::Agent}, out);
}
bool read(std::string_view text, AnalysisPolicy& out) {
  return read_one_of(
      text, {AnalysisPolicy::AfterEnd, AnalysisPolicy::Spectators, AnalysisPolicy::Everyone}, out);
}
bool read(std::string_view text, StopReason& out) {
  return read_one_of(text, {StopReason::TwoPasses, StopReason::MoveLimit}, out);
}
bool read(std::string_view text, ResultKind& out) {
  return read_one_of(
      text,
      {ResultKind::Score, ResultKind::Resign, ResultKind::Forfeit, ResultKind::Timeout,
       ResultKind::Abandon, ResultKind::NoResult, ResultKind::Annulled},
      out);
}
bool read(std::string_view text, AskKind& out) {
  return read_one_of(text, {AskKind::Undo, AskKind::Pause, AskKind::NoResult}, out);
}
bool read(std::string_view text, PauseReason& out) {
  return read_one_of(text, {PauseReason::Agreed, PauseReason::ServerLag}, out);
}
bool read(std::string_view text, ContinueReason& out) {
  return read_one_of(text, {ContinueReason::Cleanup, ContinueReason::Dispute}, out);
}
bool read(std::string_view text, bool& out) { return read_one_of(text, {false, true}, out); }
bool read(std::string_view text, std::optional<Color>& out) {
  out.reset();
  return text == "none" || read(text, out.emplace());
}

template <typename Value>
bool store(std::optional<Value> value, Value& out) {
  if (value) out = *value;
  return value.has_value();
}
bool read(std::string_view text, KoRule& out) { return store(parse_ko(text), out); }
bool read(std::string_view text, SuicideRule& out) { return store(parse_suicide(text), out); }
bool read(std::string_view text, Scoring& out) { return store(parse_scoring(text), out); }
bool read(std::string_view text, HandicapBonus& out) { return store(parse_bonus(text), out); }
bool read(std::string_view text, EndRule& out) { return store(parse_end(text), out); }
bool read(std::string_view text, GameId& out) { return store(parse_game_id(text), out); }

bool read(std::string_view text, TimeControl& out) {
  const auto parsed = parse_time_control(text);
  const auto* control = std::get_if<TimeControl>(&parsed);
  if (control == nullptr || time_control_text(*control) != text) return false;
  out = *control;
  return true;
}
bool read(std::string_view text, std::chrono::nanoseconds& out) {
  std::int64_t count = 0;
  if (!read(text, count)) return false;
  out = std::chrono::nanoseconds(count);
  return true;
}
/// Takes the text up to the next colon out of `rest`; all of it when there is none.
std::string_view next_part(std::string_view& rest) {
  const std::size_t colon = rest.find(':');
  const std::string_view part = rest.substr(0, colon);
  rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  return part;
}
bool read(std::string_view text, ClockFace& out) {
  return read(next_part(text), out.main_left) && read(next_part(text), out.period_left) &&
         read(next_part(text), out.periods_left) && read(text, out.stones_left);
}

bool read(std::string_view text, std::chrono::milliseconds& out) {
  std::int64_t count = 0;
  if (!read(text, count)) return false;
  out = std::chrono::milliseconds(count);
  return true;
}
bool read(std::string_view text, GameSeed& out) {
  if (text.size() != 2 * out.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t digit = kLowerHex.find(text[i]);
    if (digit == std::string_view::npos) return false;
    out[i / 2] = static_cast<std::uint8_t>(out[i / 2] << 4 | digit);
  }
  return true;
}
bool read(std::string_view text, Size& out) {
  const std::size_t cross = text.find('x');
  return cross != std::string_view::npos && read(text.substr(0, cross), out.width) &&
         read(text.substr(cross + 1), out.height) && out.is_valid();
}
bool read(std::string_view text, Point& out) {
  std::uint16_t index = 0;
  if (!read(text, index)) return false;
  out = Point(index);
  return true;
}
bool read(std::string_view text, Stone& out) {
  return !text.empty() && read(text.substr(0, 1), out.color) && read(text.substr(1), out.point);
}
bool read(std::string_view text, std::pair<std::string, std::string>& out) {
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && read(text.substr(0, colon), out.first) &&
         read(text.substr(colon + 1), out.second);
}

template <typename Item>
bool read(std::string_view text, std::vector<Item>& out) {
  out.clear();
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    if (!read(text.substr(0, comma), out.emplace_back())) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
    if (text.empty()) return false;
  }
  return true;
}
bool read(std::string_view text, std::optional<std::vector<Point>>& out) {
  out.reset();
  return text == kNoList || read(text, out.emplace());
}

/// Takes the words of one line. The first thing that is wrong stays the reason; after it every
/// take does nothing.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}

  std::string_view word() {
    const std::size_t space = rest_.find(' ');
    const std::string_view word = rest_.substr(0, space);
    at_end_ = space == std::string_view::npos;
    rest_ = at_end_ ? std::string_view() : rest_.substr(space + 1);
    return word;
  }
  template <typename Value>
  Fields& take(std::string_view key, Value& out) {
    if (!reason_.empty()) return *this;
    if (at_end_) return fail("missing " + std::string(key));
    const std::string_view field = word();
    if (!field.starts_with(key) || field.substr(key.size(), 1) != "=") {
      return fail("expected " + std::string(key));
    }
    if (!read(field.substr(key.size() + 1), out)) return fail("bad " + std::string(key));
    return *this;
  }
  bool is_at_end() const { return at_end_; }
  Fields& fail(std::string reason) {
    if (reason_.empty()) reason_ = std::move(reason);
    return *this;
  }
  /// Empty when every field was good and nothing is left over.
  std::string finish() {
    if (!at_end_) fail("more than the line should hold");
    return std::move(reason_);
  }

 private:
  std::string_view rest_;
  bool at_end_ = false;
  std::string reason_;
};

void take_seat(Fields& fields, Seat& seat) {
  fields.take("seat", seat.kind)
      .take("name", seat.name)
      .take("profile", seat.profile)
      .take("settings", seat.settings)
      .take("other_rules", seat.other_rules)
      .take("resign_from", seat.resign_from)
      .take("open", seat.is_open)
      .take("undos", seat.undos)
      .take("pauses", seat.pauses);
}

template <typename Move>
void take_time(Fields& fields, Move& move) {
  if (fields.is_at_end()) return;
  fields.take("used", move.time.used).take("lag", move.time.lag).take("left", move.left);
  if (took_nothing(move)) fields.fail("a time of nothing is left out");
}

std::string parse_header(std::string_view line, Header& header) {
  Fields fields(line);
  if (fields.word() != kHeaderWord) return "expected " + std::string(kHeaderWord);
  Ruleset& rules = header.rules;
  fields.take("id", header.id).take("created_ms", header.created_ms).take("size", header.size);
  fields.take("preset", header.preset).take("ko", rules.ko).take("suicide", rules.suicide);
  fields.take("scoring", rules.scoring).take("bonus", rules.bonus).take("end", rules.end);
  fields.take("move_limit", rules.move_limit).take("komi_half", header.komi_half);
  fields.take("setup", header.setup).take("first", header.first);
  fields.take("slot1", header.slot1_color);
  for (Seat& seat : header.seats) take_seat(fields, seat);
  fields.take("seed", header.seed).take("clock", header.clock);
  fields.take("free_handicap", header.free_handicap).take("annul_before", header.annul_before);
  fields.take("analysis", header.analysis);
  fields.take("marking_ms", header.marking_time).take("absence_ms", header.absence);
  fields.take("absence_profile", header.absence_profile);
  fields.take("broadcast_delay_ms", header.broadcast_delay);
  fields.take("lag_allowance_ms", header.lag_allowance);
  return fields.finish();
}

struct TakeFields {
  Fields& fields;
  void operator()(Played& e) const {
    take_time(fields.take("color", e.color).take("point", e.point), e);
  }
  void operator()(Passed& e) const { take_time(fields.take("color", e.color), e); }
  void operator()(Resigned& e) const { fields.take("color", e.color); }
  void operator()(DeadListed& e) const { fields.take("color", e.color).take("points", e.points); }
  void operator()(Forfeited& e) const { fields.take("color", e.color).take("reason", e.reason); }
  void operator()(TimedOut& e) const { fields.take("color", e.color); }
  void operator()(SeatChanged& e) const {
    take_seat(fields.take("color", e.color), *e.seat);
    fields.take("reason", e.reason);
  }
  void operator()(Captured& e) const { fields.take("by", e.by).take("points", e.points); }
  void operator()(Stopped& e) const { fields.take("reason", e.reason); }
  void operator()(Scored& e) const {
    fields.take("black_half", e.black_half).take("white_half", e.white_half);
    fields.take("removed", e.removed).take("by", e.by).take("seki", e.seki);
  }
  void operator()(Finished& e) const {
    fields.take("kind", e.result.kind).take("winner", e.result.winner);
    fields.take("margin_half", e.result.margin_half);
  }
  void operator()(Undone& e) const { fields.take("color", e.color).take("moves", e.moves); }
  void operator()(Marked& e) const { fields.take("color", e.color).take("point", e.point); }
  void operator()(SekiMarked& e) const { fields.take("color", e.color).take("point", e.point); }
  void operator()(MarkingDone& e) const { fields.take("color", e.color); }
  void operator()(MarkingAccepted& e) const { fields.take("color", e.color); }
  void operator()(MarkingDisputed& e) const { fields.take("color", e.color); }
  void operator()(HandicapPlaced& e) const { fields.take("points", e.points); }
  void operator()(Abandoned& e) const { fields.take("color", e.color); }
  void operator()(Annulled& e) const { fields.take("by", e.by).take("reason", e.reason); }
  void operator()(NoResultAgreed& e) const { fields.take("color", e.color); }
  void operator()(Paused& e) const {
    take_time(fields.take("color", e.color).take("reason", e.reason), e);
  }
  void operator()(Unpaused& e) const { fields.take("color", e.color); }
  void operator()(Asked& e) const {
    fields.take("color", e.color).take("kind", e.kind).take("moves", e.moves);
  }
  void operator()(Declined& e) const { fields.take("color", e.color); }
  void operator()(Continued& e) const { fields.take("reason", e.reason); }
};

/// An empty event of the kind with that name.
template <std::size_t kIndex = 0>
std::optional<EventBody> body_named(std::string_view name) {
  if constexpr (kIndex == std::variant_size_v<EventBody>) {
    return std::nullopt;
  } else {
    EventBody body{std::variant_alternative_t<kIndex, EventBody>{}};
    return name_of(body) == name ? std::optional(std::move(body)) : body_named<kIndex + 1>(name);
  }
}

std::string parse_event(std::string_view line, Event& event) {
  Fields fields(line);
  if (!read(fields.word(), event.seq)) return "expected the event's number";
  fields.take("ms", event.stamp.unix_ms).take("request", event.stamp.request_id);
  std::string name;
  fields.take("event", name);
  auto body = body_named(name);
  if (!body) return fields.fail("unknown event").finish();
  event.body = std::move(*body);
  std::visit(TakeFields{fields}, event.body);
  return fields.finish();
}

}  // namespace

std::string to_line(const Header& header) {
  const Ruleset& rules = header.rules;
  Line line{std::string(kHeaderWord)};
  line.field("id", to_text(header.id)).field("created_ms", header.created_ms);
  line.field("size", std::to_string(header.size.width) + "x" + std::to_string(header.size.height));
  line.field("preset", escaped(header.preset));
  line.field("ko", name_of(rules.ko)).field("suicide", name_of(rules.suicide));
  line.field("scoring", name_of(rules.scoring)).field("bonus", name_of(rules.bonus));
  line.field("end", name_of(rules.end)).field("move_limit", rules.move_limit);
  line.field("komi_half", header.komi_half).field("setup", text_of(header.setup));
  line.field("first", text_of(header.first)).field("slot1", text_of(header.slot1_color));
  for (const Seat& seat : header.seats) add_seat(line, seat);
  line.field("seed", text_of(header.seed)).field("clock", time_control_text(header.clock));
  line.field("free_handicap", header.free_handicap).field("annul_before", header.annul_before);
  line.field("analysis", text_of(header.analysis));
  line.field("marking_ms", header.marking_time.count());
  line.field("absence_ms", header.absence.count());
  line.field("absence_profile", escaped(header.absence_profile));
  line.field("broadcast_delay_ms", header.broadcast_delay.count());
  line.field("lag_allowance_ms", header.lag_allowance.count());
  return line.text();
}

std::string to_line(const Event& event) {
  Line line{std::to_string(event.seq)};
  line.field("ms", event.stamp.unix_ms).field("request", escaped(event.stamp.request_id));
  line.field("event", name_of(event.body));
  std::visit(AddFields{line}, event.body);
  return line.text();
}

std::variant<LogText, LogTextError> parse_log_text(std::string_view text) {
  LogText log;
  std::size_t line_number = 0;
  while (line_number == 0 || !text.empty()) {
    ++line_number;
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return LogTextError{line_number, "no newline at the end"};
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    std::string reason = line_number == 1 ? parse_header(line, log.header)
                                          : parse_event(line, log.events.emplace_back());
    if (!reason.empty()) return LogTextError{line_number, std::move(reason)};
  }
  return log;
}

}  // namespace tengen::rules
