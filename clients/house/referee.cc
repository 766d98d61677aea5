#include "clients/house/referee.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "rules/ascii.h"
#include "rules/zobrist.h"

namespace tengen::house {

using rules::Color;
using rules::Move;
using rules::Point;
using rules::Refusal;

namespace {

constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();
constexpr rules::Size kLargestSize{rules::kMaxSize, rules::kMaxSize};

}  // namespace

Referee::Referee(const HouseOptions& options, FileReader read_file)
    : options_(options),
      read_file_(std::move(read_file)),
      rules_(options.rules),
      game_(options.size, options.rules.rules),
      komi_half_(options.komi_half.value_or(options.rules.base->komi_half)),
      playouts_(options.playouts) {}

// Sorted by name, for people who read the list.
std::span<const Referee::Entry> Referee::entries() {
  static constexpr Entry kEntries[] = {
      {"all_legal", 1, 1, &Referee::all_legal},
      {"boardsize", 1, 1, &Referee::boardsize},
      {"captures", 1, 1, &Referee::captures},
      {"clear_board", 0, 0, &Referee::clear_board},
      {"final_score", 0, 0, &Referee::final_score},
      {"final_status_list", 1, 1, &Referee::final_status_list},
      {"fixed_handicap", 1, 1, &Referee::fixed_handicap},
      {"genmove", 1, 1, &Referee::genmove},
      {"gg-undo", 0, 1, &Referee::gg_undo},
      {"is_legal", 2, 2, &Referee::is_legal},
      {"kgs-game_over", 0, 0, &Referee::ignore},
      {"kgs-genmove_cleanup", 1, 1, &Referee::genmove_cleanup},
      {"kgs-rules", 1, 1, &Referee::kgs_rules},
      {"kgs-time_settings", 1, 4, &Referee::kgs_time_settings},
      {"known_command", 1, 1, &Referee::known_command},
      {"komi", 1, 1, &Referee::komi},
      {"last_move", 0, 0, &Referee::last_move},
      {"level", 1, 1, &Referee::set_level},
      {"list_commands", 0, 0, &Referee::list_commands},
      {"list_stones", 1, 1, &Referee::list_stones},
      {"loadsgf", 1, 2, &Referee::loadsgf},
      {"move_history", 0, 0, &Referee::move_history},
      {"name", 0, 0, &Referee::name},
      {"place_free_handicap", 1, 1, &Referee::place_free_handicap},
      {"play", 2, 2, &Referee::play},
      {"protocol_version", 0, 0, &Referee::protocol_version},
      {"quit", 0, 0, &Referee::quit},
      {"rectangular_boardsize", 2, 2, &Referee::boardsize},
      {"reg_genmove", 1, 1, &Referee::reg_genmove},
      {"set_free_handicap", 0, kAnyNumber, &Referee::set_free_handicap},
      {"set_random_seed", 1, 1, &Referee::set_random_seed},
      {"showboard", 0, 0, &Referee::showboard},
      {"tengen-playouts", 1, 1, &Referee::set_playouts},
      {"tengen-rules", 0, 1, &Referee::tengen_rules},
      {"time_left", 3, 3, &Referee::time_left},
      {"time_settings", 3, 3, &Referee::time_settings},
      {"undo", 0, 0, &Referee::undo},
      {"version", 0, 0, &Referee::version},
  };
  return kEntries;
}

const Referee::Entry* Referee::find(std::string_view name) {
  const auto all = entries();
  const auto is_it = [&](const Entry& entry) { return entry.name == name; };
  const auto entry = std::find_if(all.begin(), all.end(), is_it);
  return entry == all.end() ? nullptr : &*entry;
}

Response Referee::answer(const Command& command) {
  const Entry* entry = find(command.name);
  if (entry == nullptr) return failure("unknown command");
  const std::size_t count = command.arguments.size();
  if (count < entry->arguments_min || count > entry->arguments_max) return syntax_error();
  return (this->*entry->run)(command.arguments);
}

Response Referee::protocol_version(const Arguments&) { return success("2"); }

Response Referee::name(const Arguments&) { return success("Tengen house"); }

Response Referee::version(const Arguments&) { return success(options_.version); }

Response Referee::known_command(const Arguments& arguments) {
  return success(find(arguments[0]) != nullptr ? "true" : "false");
}

Response Referee::list_commands(const Arguments&) {
  std::string text;
  for (const Entry& entry : entries()) text += (text.empty() ? "" : "\n") + std::string(entry.name);
  return success(text);
}

Response Referee::quit(const Arguments&) {
  is_over_ = true;
  return success();
}

Response Referee::ignore(const Arguments&) { return success(); }

Response Referee::play(const Arguments& arguments) {
  const auto color = parse_color(arguments[0]);
  const auto target = target_of(arguments[1]);
  if (!color || !target) return syntax_error();
  if (is_full()) return failure("too many moves");
  const Refusal refusal =
      target->is_on_board ? game_.play({*color, target->point}) : Refusal::OffBoard;
  if (refusal == Refusal::None) return success();
  return failure("illegal move: " + std::string(rules::name_of(refusal)));
}

Response Referee::genmove(const Arguments& arguments) {
  return think_and_play(arguments, Aim::Play);
}

Response Referee::genmove_cleanup(const Arguments& arguments) {
  return think_and_play(arguments, Aim::Cleanup);
}

Response Referee::think_and_play(const Arguments& arguments, Aim aim) {
  const auto color = parse_color(arguments[0]);
  if (!color) return syntax_error();
  if (is_full()) return failure("too many moves");
  const Move move = think(*color, aim);
  const Refusal refusal = game_.play(move);
  assert(refusal == Refusal::None);
  static_cast<void>(refusal);
  return success(text_of(move));
}

Response Referee::reg_genmove(const Arguments& arguments) {
  const auto color = parse_color(arguments[0]);
  if (!color) return syntax_error();
  return success(text_of(think(*color, Aim::Play)));
}

/// Where nothing is lifted at the end, dead stones must be taken before the pass.
Move Referee::think(Color color, Aim aim) const {
  SearchTask task{game_.record()};
  task.color = color;
  task.scoring = game_.rules().scoring;
  task.white_extra_half = white_extra_half();
  task.playouts = budget_.playouts(color, wanted_playouts(), default_playouts(game_.size()));
  task.seed = seed_for(Use::Move);
  task.aim = aim;
  const Move move = search(task).move;
  if (!move.is_pass() || aim == Aim::Cleanup) return move;
  if (game_.rules().end != rules::EndRule::AllAlive) return move;
  task.aim = Aim::Cleanup;
  return search(task).move;
}

int Referee::wanted_playouts() const {
  const int usual = default_playouts(game_.size());
  const int wanted = playouts_.value_or(usual * level_ / kLevelMax);
  return std::clamp(wanted, 1, options_.limits.playouts);
}

int Referee::white_extra_half() const {
  return komi_half_ + 2 * rules::bonus_points(game_.rules().bonus, game_.handicap());
}

std::uint64_t Referee::seed_for(Use use) const {
  const std::uint64_t of_move = rules::splitmix64(options_.seed, game_.record().moves().size());
  return rules::splitmix64(of_move, static_cast<std::uint64_t>(use));
}

Response Referee::undo(const Arguments&) {
  return game_.undo(1) ? success() : failure("cannot undo");
}

Response Referee::gg_undo(const Arguments& arguments) {
  const auto count = arguments.empty() ? 1 : parse_number(arguments[0]);
  if (!count) return syntax_error();
  return game_.undo(*count) ? success() : failure("cannot undo");
}

Response Referee::set_playouts(const Arguments& arguments) {
  const auto count = parse_number(arguments[0]);
  const auto most = static_cast<std::uint64_t>(options_.limits.playouts);
  if (!count || *count > most) return syntax_error();
  playouts_.reset();
  if (*count > 0) playouts_ = static_cast<int>(*count);
  return success();
}

Response Referee::set_level(const Arguments& arguments) {
  const auto level = parse_number(arguments[0]);
  if (!level || *level < 1 || *level > kLevelMax) return syntax_error();
  level_ = static_cast<int>(*level);
  playouts_.reset();
  return success();
}

Response Referee::set_random_seed(const Arguments& arguments) {
  const auto seed = parse_number(arguments[0]);
  if (!seed) return syntax_error();
  options_.seed = *seed;
  return success();
}

std::optional<Referee::Target> Referee::target_of(std::string_view word) const {
  if (rules::lower(word) == "pass") return Target{};
  if (!rules::parse_gtp_vertex(word, kLargestSize)) return std::nullopt;
  const auto point = rules::parse_gtp_vertex(word, game_.size());
  return Target{point, point.has_value()};
}

std::string Referee::vertices(std::span<const Point> points) const {
  std::string text;
  for (const Point point : points) {
    text += (text.empty() ? "" : " ") + rules::gtp_vertex(point, game_.size());
  }
  return text;
}

std::string Referee::text_of(Move move) const {
  return move.is_pass() ? "pass" : rules::gtp_vertex(*move.point, game_.size());
}

}  // namespace tengen::house
