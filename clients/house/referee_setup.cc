// The commands that say what is played: board, komi, rules, handicap, a game from a file, the time.
#include <algorithm>
#include <chrono>
#include <span>
#include <variant>

#include "clients/house/free_handicap.h"
#include "clients/house/game_file.h"
#include "clients/house/referee.h"
#include "rules/ascii.h"
#include "rules/handicap.h"

namespace tengen::house {

using rules::NamedRules;
using rules::Point;
using rules::Size;

namespace {

using std::chrono::seconds;

constexpr std::uint64_t kLongestTime = 1'000'000'000;  // seconds; a controller's "no limit"
constexpr std::uint64_t kMostStones = 1'000'000;
constexpr int kFewestHandicapStones = 2;

/// A number of GTP's type int that may be too large for us, then as large as we take.
std::optional<std::uint64_t> number_up_to(std::string_view word, std::uint64_t most) {
  const auto number = parse_number(word);
  if (!number) return std::nullopt;
  return std::min(*number, most);
}

/// The numbers from the second argument on: seconds, then seconds, then stones or periods. Nothing
/// unless there are exactly `count`.
std::optional<TimeSettings> parse_times(TimeSystem system, std::span<const std::string> words,
                                        std::size_t count) {
  if (words.size() != count) return std::nullopt;
  TimeSettings settings{system, {}, {}, 0};
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = number_up_to(words[i], i < 2 ? kLongestTime : kMostStones);
    if (!number) return std::nullopt;
    if (i == 0) settings.main = seconds(*number);
    if (i == 1) settings.period = seconds(*number);
    if (i == 2) settings.stones = static_cast<int>(*number);
  }
  return settings;
}

bool is_allowed(const NamedRules& named, Size size) {
  return size.is_valid() && (!named.base->only_size || *named.base->only_size == size);
}

/// Nothing unless it is a number; 0 for one that no board has.
std::optional<std::uint8_t> parse_side(std::string_view word) {
  const auto number = parse_number(word);
  if (!number) return std::nullopt;
  return static_cast<std::uint8_t>(*number <= rules::kMaxSize ? *number : 0);
}

}  // namespace

/// One side for a square, or a width and a height.
Response Referee::boardsize(const Arguments& arguments) {
  const auto width = parse_side(arguments.front());
  const auto height = parse_side(arguments.back());
  if (!width || !height) return syntax_error();
  const Size size{*width, *height};
  if (!is_allowed(rules_, size)) return failure("unacceptable size");
  start_on(size);
  return success();
}

Response Referee::clear_board(const Arguments&) {
  start_on(game_.size());
  return success();
}

void Referee::start_on(Size size) {
  game_.clear(size);
  budget_.restart();
}

Response Referee::komi(const Arguments& arguments) {
  const auto komi_half = rules::parse_komi(arguments[0]);
  if (!komi_half) return syntax_error();
  komi_half_ = *komi_half;
  return success();
}

Response Referee::kgs_rules(const Arguments& arguments) {
  const std::string& word = arguments[0];
  if (word != "chinese" && word != "aga" && word != "japanese" && word != "new_zealand") {
    return syntax_error();
  }
  const rules::Preset* preset = rules::find_preset(word == "new_zealand" ? "new-zealand" : word);
  return use_rules({preset, preset->rules});
}

/// Without an argument it tells the rules.
Response Referee::tengen_rules(const Arguments& arguments) {
  if (arguments.empty()) return success(rules::components_text(game_.rules()));
  const auto parsed = rules::parse_rules(arguments[0]);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) return failure(*wrong);
  return use_rules(std::get<NamedRules>(parsed));
}

Response Referee::use_rules(const NamedRules& named) {
  if (!is_allowed(named, game_.size())) return failure("unacceptable size");
  if (!game_.change_rules(named.rules)) return failure("a move made is illegal by these rules");
  rules_ = named;
  return success();
}

Response Referee::fixed_handicap(const Arguments& arguments) {
  if (!game_.is_untouched()) return failure("board not empty");
  const auto count = number_up_to(arguments[0], kMostStones);
  if (!count) return syntax_error();
  const auto points = rules::fixed_handicap(game_.size(), static_cast<int>(*count));
  if (points.empty()) return failure("invalid number of stones");
  return place(points);
}

Response Referee::place_free_handicap(const Arguments& arguments) {
  if (!game_.is_untouched()) return failure("board not empty");
  const auto count = number_up_to(arguments[0], kMostStones);
  if (!count) return syntax_error();
  const int stones = static_cast<int>(*count);
  if (stones < kFewestHandicapStones || stones >= game_.size().area()) {
    return failure("invalid number of stones");
  }
  return place(free_handicap(game_.size(), stones));
}

Response Referee::place(const std::vector<Point>& points) {
  if (!game_.place_handicap(points)) return failure("board not empty");
  return success(vertices(points));
}

Response Referee::set_free_handicap(const Arguments& arguments) {
  if (!game_.is_untouched()) return failure("board not empty");
  std::vector<Point> points;
  const auto most = static_cast<std::size_t>(game_.size().area() - 1);
  const bool is_count_good = arguments.size() >= kFewestHandicapStones && arguments.size() <= most;
  if (!is_count_good) return failure("bad vertex list");
  for (const std::string& word : arguments) {
    const auto point = rules::parse_gtp_vertex(word, game_.size());
    if (!point) return failure("bad vertex list");
    points.push_back(*point);
  }
  return game_.place_handicap(points) ? success() : failure("bad vertex list");
}

Response Referee::loadsgf(const Arguments& arguments) {
  std::optional<std::size_t> before_move;
  if (arguments.size() == 2) {
    before_move = parse_number(arguments[1]);
    if (!before_move) return syntax_error();
  }
  const auto bytes = read_file_(arguments[0]);
  if (!bytes) return failure("cannot load file");
  const auto file = parse_game_file(*bytes, before_move, options_.limits);
  if (!file || !is_allowed(rules_, file->game.size) || !game_.load(file->game)) {
    return failure("cannot load file");
  }
  komi_half_ = file->komi_half.value_or(komi_half_);
  budget_.restart();
  return success();
}

/// GTP's three numbers: no byo-yomi time is absolute time, and byo-yomi time without stones means
/// no limit at all.
Response Referee::time_settings(const Arguments& arguments) {
  auto settings = parse_times(TimeSystem::Canadian, arguments, 3);
  if (!settings) return syntax_error();
  if (settings->period.count() == 0) settings->system = TimeSystem::Absolute;
  const bool is_absolute = settings->system == TimeSystem::Absolute;
  const bool has_limit = is_absolute ? settings->main.count() > 0 : settings->stones > 0;
  if (!has_limit) settings = TimeSettings{};
  budget_.set(*settings);
  return success();
}

Response Referee::kgs_time_settings(const Arguments& arguments) {
  const std::string kind = rules::lower(arguments[0]);
  const std::span<const std::string> numbers = std::span(arguments).subspan(1);
  std::optional<TimeSettings> settings;
  if (kind == "none") settings = parse_times(TimeSystem::None, numbers, 0);
  if (kind == "absolute") settings = parse_times(TimeSystem::Absolute, numbers, 1);
  if (kind == "byoyomi") settings = parse_times(TimeSystem::ByoYomi, numbers, 3);
  if (kind == "canadian") settings = parse_times(TimeSystem::Canadian, numbers, 3);
  if (!settings) return syntax_error();
  budget_.set(*settings);
  return success();
}

Response Referee::time_left(const Arguments& arguments) {
  const auto color = parse_color(arguments[0]);
  const auto time = number_up_to(arguments[1], kLongestTime);
  const auto stones = number_up_to(arguments[2], kMostStones);
  if (!color || !time || !stones) return syntax_error();
  budget_.set_left(*color, {seconds(*time), static_cast<int>(*stones)});
  return success();
}

}  // namespace tengen::house
