#include "rules/time_control.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "rules/ascii.h"

namespace tengen::rules {
namespace {

using std::chrono::milliseconds;

constexpr std::array kSystems = {ClockSystem::None,    ClockSystem::Absolute, ClockSystem::Fischer,
                                 ClockSystem::ByoYomi, ClockSystem::Canadian, ClockSystem::PerMove};

/// One field of a control, as problem() looks at it.
struct Field {
  std::string_view name;
  std::int64_t value;
  std::int64_t least;  // least allowed where the system uses the field
  std::int64_t most;
  bool used;
};

std::array<Field, 6> fields_of(const TimeControl& control) {
  const ClockSystem system = control.system;
  const bool fischer = system == ClockSystem::Fischer;
  const bool byo_yomi = system == ClockSystem::ByoYomi;
  const bool canadian = system == ClockSystem::Canadian;
  const bool main_only = system == ClockSystem::Absolute || fischer;
  const std::int64_t most = kMaxControlTime.count();
  return {{
      {"main time", control.main.count(), main_only ? 1 : 0, most,
       main_only || byo_yomi || canadian},
      {"increment", control.increment.count(), 1, most, fischer},
      {"cap", control.cap.count(), 0, most, fischer},
      {"period", control.period.count(), 1, most,
       byo_yomi || canadian || system == ClockSystem::PerMove},
      {"number of periods", control.periods, 1, kMaxPeriods, byo_yomi},
      {"number of stones", control.stones, 1, kMaxStones, canadian},
  }};
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// A number of digits; one too large to be within any limit becomes some other such number.
std::optional<int> parse_count(std::string_view text) {
  constexpr int kTooLarge = 1'000'000'000;
  if (!is_number(text)) return std::nullopt;
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() ? std::min(number, kTooLarge) : kTooLarge;
}

std::optional<milliseconds> parse_seconds(std::string_view text) {
  const std::size_t dot = text.find('.');
  const std::optional<int> whole = parse_count(text.substr(0, dot));
  if (!whole) return std::nullopt;
  std::string decimals;
  if (dot != std::string_view::npos) {
    decimals = text.substr(dot + 1);
    if (!is_number(decimals) || decimals.size() > 3) return std::nullopt;
  }
  decimals.resize(3, '0');
  return std::chrono::seconds(*whole) + milliseconds(*parse_count(decimals));
}

bool read(std::optional<std::string_view> text, milliseconds& target) {
  const auto value = text ? parse_seconds(*text) : std::nullopt;
  target = value.value_or(milliseconds{0});
  return value.has_value();
}

bool read(std::optional<std::string_view> text, int& target) {
  const auto value = text ? parse_count(*text) : std::nullopt;
  target = value.value_or(0);
  return value.has_value();
}

struct Halves {
  std::string_view left;
  std::optional<std::string_view> right;  // absent where there is no mark
};

Halves cut(std::string_view text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {text, std::nullopt};
  return {text.substr(0, at), text.substr(at + 1)};
}

bool read_fischer(const Halves& halves, TimeControl& control) {
  if (!read(halves.left, control.main) || !halves.right) return false;
  const Halves gain = cut(*halves.right, '/');
  if (!read(gain.left, control.increment)) return false;
  return !gain.right || (read(gain.right, control.cap) && control.cap.count() > 0);
}

/// The values after the colon, of a control whose system is set.
bool read_values(std::string_view text, TimeControl& control) {
  const Halves halves = cut(text, '+');
  const Halves times = cut(halves.right.value_or(""), 'x');
  const Halves share = cut(halves.right.value_or(""), '/');
  switch (control.system) {
    case ClockSystem::None:
      return false;
    case ClockSystem::Absolute:
      return read(text, control.main);
    case ClockSystem::PerMove:
      return read(text, control.period);
    case ClockSystem::Fischer:
      return read_fischer(halves, control);
    case ClockSystem::ByoYomi:
      return read(halves.left, control.main) && read(times.left, control.periods) &&
             read(times.right, control.period);
    case ClockSystem::Canadian:
      return read(halves.left, control.main) && read(share.left, control.stones) &&
             read(share.right, control.period);
  }
  return false;
}

}  // namespace

std::optional<std::string> problem(const TimeControl& control) {
  const std::string name(name_of(control.system));
  if (name.empty()) return "unknown clock system";
  for (const Field& field : fields_of(control)) {
    const std::string field_name(field.name);
    if (!field.used && field.value != 0) return "a clock '" + name + "' has no " + field_name;
    if (!field.used) continue;
    if (field.value < field.least) return "the clock's " + field_name + " is too small";
    if (field.value > field.most) return "the clock's " + field_name + " is too large";
  }
  if (control.cap.count() == 0) return std::nullopt;
  if (control.cap < control.main) return "the clock's cap is below its main time";
  if (control.cap < control.increment) return "the clock's cap is below its increment";
  return std::nullopt;
}

std::variant<TimeControl, std::string> parse_time_control(std::string_view text) {
  const Halves halves = cut(text, ':');
  TimeControl control;
  const auto named = std::find_if(kSystems.begin(), kSystems.end(), [&](ClockSystem system) {
    return name_of(system) == halves.left;
  });
  if (named != kSystems.end()) control.system = *named;
  const bool is_none = named == kSystems.begin() && !halves.right;
  if (!is_none && (named == kSystems.end() || !read_values(halves.right.value_or(""), control))) {
    return "'" + std::string(text) + "' is not a time control: expected none, absolute:MAIN, " +
           "fischer:MAIN+INCREMENT[/CAP], byoyomi:MAIN+PERIODSxPERIOD, " +
           "canadian:MAIN+STONES/PERIOD or permove:TIME, times in seconds";
  }
  if (const auto wrong = problem(control)) return "'" + std::string(text) + "': " + *wrong;
  return control;
}

std::string time_control_text(const TimeControl& control) {
  const std::string head = std::string(name_of(control.system)) + ":";
  const std::string main = head + seconds_text(control.main);
  const std::string period = seconds_text(control.period);
  switch (control.system) {
    case ClockSystem::None:
      return "none";
    case ClockSystem::Absolute:
      return main;
    case ClockSystem::PerMove:
      return head + period;
    case ClockSystem::ByoYomi:
      return main + "+" + std::to_string(control.periods) + "x" + period;
    case ClockSystem::Canadian:
      return main + "+" + std::to_string(control.stones) + "/" + period;
    case ClockSystem::Fischer:
      break;
  }
  const std::string gain = main + "+" + seconds_text(control.increment);
  return control.cap.count() == 0 ? gain : gain + "/" + seconds_text(control.cap);
}

std::string_view name_of(ClockSystem system) {
  switch (system) {
    case ClockSystem::None:
      return "none";
    case ClockSystem::Absolute:
      return "absolute";
    case ClockSystem::Fischer:
      return "fischer";
    case ClockSystem::ByoYomi:
      return "byoyomi";
    case ClockSystem::Canadian:
      return "canadian";
    case ClockSystem::PerMove:
      return "permove";
  }
  return "";
}

std::string seconds_text(std::chrono::milliseconds time) {
  std::string text = std::to_string(time.count() / 1000);
  const auto rest = time.count() % 1000;
  if (rest == 0) return text;
  std::string decimals = std::to_string(1000 + rest).substr(1);
  decimals.erase(decimals.find_last_not_of('0') + 1);
  return text + "." + decimals;
}

}  // namespace tengen::rules
