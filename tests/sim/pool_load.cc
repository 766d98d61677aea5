// See pool_load.h.
#include "sim/pool_load.h"

#include <algorithm>
#include <iterator>

#include "rules/handicap.h"

namespace tengen::sim {
namespace {

using namespace std::chrono_literals;
using pool::Want;
using rules::Color;
using rules::Move;
using rules::Point;
using std::chrono::milliseconds;

template <typename Value, std::size_t count>
Value one_of(Dice& dice, const Value (&values)[count]) {
  return values[dice.below(count)];
}

std::string build(Dice& dice) { return "--build=" + std::to_string(dice.below(1'000'000)); }

Point any_point(rules::Size size, Dice& dice) {
  return Point::at(dice.between(0, size.width - 1), dice.between(0, size.height - 1));
}

rules::Ruleset any_rules(Dice& dice) {
  while (true) {
    rules::Ruleset rules;
    rules.ko = static_cast<rules::KoRule>(dice.between(1, 3));
    rules.suicide = static_cast<rules::SuicideRule>(dice.between(1, 3));
    rules.scoring = static_cast<rules::Scoring>(dice.between(1, 2));
    rules.bonus = static_cast<rules::HandicapBonus>(dice.between(1, 3));
    rules.end = static_cast<rules::EndRule>(dice.between(1, 3));
    if (!rules::problem(rules)) return rules;
  }
}

rules::Ruleset rules_for(const pool::Profile& profile, Dice& dice) {
  while (true) {
    const rules::Ruleset rules = any_rules(dice);
    if (profile.other_rules == pool::OtherRules::Mark || !profile.problem(rules)) return rules;
  }
}

void draw_sizes(pool::Profile& profile, Dice& dice) {
  profile.size_min = dice.between(2, 6);
  profile.size_max = dice.between(profile.size_min, 9);
  if (dice.chance(0.1)) profile.size_max = one_of(dice, {13, 19, 25});
  profile.rectangles = dice.chance(0.3);
}

void draw_rules(pool::Profile& profile, Dice& dice) {
  using rules::KoRule;
  using rules::SuicideRule;
  profile.rules = static_cast<pool::RulesDialect>(dice.below(4));
  profile.other_rules = static_cast<pool::OtherRules>(dice.below(2));
  if (dice.chance(0.3)) {
    profile.plays.ko = {KoRule::Positional, KoRule::Simple};
  } else if (dice.chance(0.4)) {
    profile.variants = {{"no", {"--no-suicide"}, {{}, {SuicideRule::No}, {}}},
                        {"any", {"--suicide"}, {{}, {SuicideRule::Any, SuicideRule::Multi}, {}}}};
  } else if (dice.chance(0.2)) {
    profile.variants = {{"simple", {"--ko", "simple"}, {{KoRule::Simple}, {}, {}}},
                        {"positional", {"--ko", "positional"}, {{KoRule::Positional}, {}, {}}},
                        {"rest", {}, {}}};
  }
}

void draw_words(pool::Profile& profile, Dice& dice) {
  const pool::Profile usual;
  profile.seed_command.clear();
  profile.forget_command.clear();
  profile.search_command = usual.search_command;
  profile.search_plays = true;
  profile.reg_search_command = usual.reg_search_command;
  profile.cleanup_command = usual.cleanup_command;
  profile.stop_command.clear();
  profile.clock = static_cast<pool::ClockDialect>(dice.below(4));
  profile.no_limit = static_cast<rules::NoLimitForm>(dice.below(2));
  profile.analysis = static_cast<pool::AnalysisDialect>(dice.below(4));
  if (dice.chance(0.4)) profile.seed_command = "set_random_seed";
  if (!profile.seed_command.empty() && dice.chance(0.5)) profile.forget_command = "clear_cache";
  if (dice.chance(0.15)) {
    profile.search_command = "kata-search";
    profile.search_plays = false;
  }
  if (dice.chance(0.2)) profile.reg_search_command.clear();
  if (dice.chance(0.3)) profile.cleanup_command.clear();
  profile.moves_after_passes = dice.chance(0.7);
  profile.cancel = static_cast<pool::CancelBy>(dice.below(3));
  if (profile.cancel == pool::CancelBy::Stop) {
    profile.stop_command = dice.chance(0.5) ? "stop" : "# interrupt";
  }
  profile.verify = static_cast<pool::VerifyBy>(dice.below(3));
  profile.verify_every = one_of(dice, {1, 3, 16, 64});
  profile.undo_max = one_of(dice, {0, 0, 2, 10, 100});
  profile.line_bytes_max = one_of<std::size_t>(dice, {255, 255, 120, 1000});
  profile.raw_commands = {"get_komi", "estimate_score"};
}

void draw_settings(pool::Profile& profile, Dice& dice) {
  profile.settings.clear();
  profile.pace_setting.clear();
  profile.pace.clear();
  if (dice.chance(0.5)) profile.settings.push_back({"level", "level", 1, 10, dice.between(1, 10)});
  if (dice.chance(0.2)) profile.settings.push_back({"visits", "visits-limit", 0, 5000, 50});
  if (profile.settings.empty() || profile.settings.front().key != "level") return;
  if (dice.chance(0.5)) {
    profile.pace_setting = "level";
    profile.pace = {{1, 5ms}, {4, 40ms}, {10, 400ms}};
  }
}

void draw_time(pool::Profile& profile, Dice& dice) {
  profile.honours_clock = dice.chance(0.3);
  profile.start_limit = milliseconds(dice.between(200, 3000));
  profile.answer_limit = milliseconds(dice.between(100, 1000));
  profile.search_limit = milliseconds(dice.between(200, 2000));
  profile.list_limit = milliseconds(dice.between(200, 2000));
  profile.stream_limit = milliseconds(dice.between(100, 3000));
  profile.idle_limit = milliseconds(dice.between(50, 5000));
  profile.quarantine = milliseconds(dice.between(10, 2000));
}

void draw_limits(pool::Profile& profile, Dice& dice) {
  profile.processes_max = dice.between(1, 4);
  profile.processes_warm = dice.between(0, profile.processes_max);
  profile.queue_max = one_of<std::size_t>(dice, {1, 8, 64, 1024});
  profile.queue_per_client_max = one_of<std::size_t>(dice, {1, 16, 256});
  profile.share_moves = one_of(dice, {1, 16, 16, 50});
  profile.share_questions = one_of(dice, {1, 4, 4, 20});
  profile.share_analysis = one_of(dice, {1, 1, 4});
  if (dice.chance(0.5)) profile.memory_max_bytes = 100'000'000;
  if (dice.chance(0.3)) profile.process.niceness = dice.between(0, 19);
  if (dice.chance(0.2)) profile.environment = {"LEAN_MODE=fast"};
  if (dice.chance(0.2)) profile.directory = "/tmp";
}

rules::Size size_for(const pool::Profile& profile, Dice& dice) {
  const auto side = [&] {
    // Mostly the smaller ones: they are cheap, and full boards come soon.
    const int limit = std::min(profile.size_max, std::max(profile.size_min, 9));
    const int top = dice.chance(0.05) ? profile.size_max : limit;
    return static_cast<std::uint8_t>(dice.between(profile.size_min, top));
  };
  const std::uint8_t width = side();
  return {width, profile.rectangles && dice.chance(0.4) ? side() : width};
}

/// A control without a problem() of any system, from hopeless to generous.
rules::TimeControl any_control(Dice& dice) {
  constexpr const char* kControls[] = {
      "none",          "absolute:60",     "absolute:0.5",      "fischer:5+1",  "fischer:60+2/90",
      "byoyomi:5+3x2", "byoyomi:0+5x0.5", "canadian:10+10/20", "permove:0.25", "permove:30"};
  return std::get<rules::TimeControl>(rules::parse_time_control(one_of(dice, kControls)));
}

rules::ClockFace any_face(const rules::TimeControl& control, Dice& dice) {
  const rules::ClockFace fresh = rules::first_face(control);
  rules::ClockFace face = fresh;
  face.main_left = face.main_left * dice.between(0, 100) / 100;
  if (face.main_left.count() == 0 && face.period_left.count() > 0) {
    face.period_left = face.period_left * dice.between(1, 100) / 100;
  }
  return rules::fits(control, face) ? face : fresh;
}

}  // namespace

pool::Profile random_profile(Dice& dice, const std::string& name) {
  while (true) {
    pool::Profile profile;
    profile.name = name;
    profile.command = {"lean", profile.name, build(dice)};
    draw_sizes(profile, dice);
    draw_rules(profile, dice);
    draw_words(profile, dice);
    draw_settings(profile, dice);
    draw_time(profile, dice);
    draw_limits(profile, dice);
    if (!pool::problem(profile)) return profile;
  }
}

void change(pool::Profile& profile, Dice& dice) {
  const pool::Profile before = profile;
  do {
    profile = before;
    switch (dice.below(8)) {
      case 0:
        profile.command.back() = build(dice);
        break;
      case 1:
        draw_limits(profile, dice);
        break;
      case 2:
        draw_time(profile, dice);
        break;
      case 3:
        profile.variants.clear();
        profile.plays = {};
        break;
      case 4:
        draw_settings(profile, dice);
        break;
      case 5:
        profile.rules = static_cast<pool::RulesDialect>(dice.below(4));
        break;
      case 6:
        draw_sizes(profile, dice);
        break;
      default:
        draw_words(profile, dice);
        break;
    }
  } while (pool::problem(profile));
}

PoolGame::PoolGame(const pool::Profile& profile, rules::GameId id, pool::ClientId client,
                   Dice& dice)
    : id_(id),
      profile_(profile.name),
      client_(client),
      rules_(rules_for(profile, dice)),
      komi_half_(dice.between(-20, 20)),
      record_(size_for(profile, dice), rules_.ko, rules_.suicide),
      length_(static_cast<std::size_t>(dice.between(2, record_.size().area() * 2))) {
  for (const pool::SettingSpec& spec : profile.settings) {
    if (dice.chance(0.5)) continue;
    const int value = dice.between(spec.minimum, spec.maximum);
    settings_.emplace_back(spec.key, std::to_string(value));
  }
  set_up(dice);
  set_clock(dice);
}

// Handicaps as fixed, of the players' choice, and positions from a book. Stones that do not touch
// have liberties whatever their number.
void PoolGame::set_up(Dice& dice) {
  const rules::Size size = record_.size();
  std::vector<rules::Stone> stones;
  const int fixed = rules::fixed_handicap_max(size);
  if (dice.chance(0.1) && fixed >= 2) {
    for (const Point point : rules::fixed_handicap(size, dice.between(2, fixed))) {
      stones.push_back({Color::Black, point});
    }
  } else if (dice.chance(0.15)) {
    const bool is_mixed = dice.chance(0.4);
    for (int i = dice.between(1, 8); i > 0; --i) {
      const Point point = any_point(size, dice);
      const auto touches = [&](const rules::Stone& each) {
        return std::abs(each.point.col() - point.col()) + std::abs(each.point.row() - point.row()) <
               2;
      };
      if (std::any_of(stones.begin(), stones.end(), touches)) continue;
      stones.push_back({is_mixed && dice.chance(0.5) ? Color::White : Color::Black, point});
    }
  }
  const bool is_small = size.width < 2 || size.height < 2;
  if (stones.empty() || is_small || !record_.set_up(stones)) return;
  to_move_ = Color::White;
}

void PoolGame::set_clock(Dice& dice) {
  if (dice.chance(0.6)) return;
  pool::JobClock clock;
  clock.control = any_control(dice);
  for (rules::ClockFace& face : clock.faces) face = any_face(clock.control, dice);
  clock_ = clock;
}

Want PoolGame::some_want(const pool::Profile& profile, Dice& dice) const {
  if (dice.chance(is_empty() ? 0.1 : 0.002)) return Want::FreeHandicap;
  if (dice.chance(0.75)) return Want::Genmove;
  constexpr Want kOthers[] = {Want::CleanupGenmove, Want::RegGenmove, Want::RegGenmove,
                              Want::GenmoveAnalyze, Want::DeadList,   Want::AliveList,
                              Want::SekiList,       Want::FinalScore, Want::Analyze,
                              Want::Analyze,        Want::Raw};
  const Want want = one_of(dice, kOthers);
  const bool is_analysis = want == Want::Analyze || want == Want::GenmoveAnalyze;
  if (is_analysis && profile.analysis == pool::AnalysisDialect::None && dice.chance(0.9)) {
    return Want::Genmove;
  }
  return want;
}

pool::Job PoolGame::job(pool::JobId id, Want want, const pool::Profile& profile, Dice& dice) const {
  pool::Job job{id, id_, profile_, settings_, record_, rules_, komi_half_, to_move_, want};
  job.seed = static_cast<std::uint32_t>(1 + dice.below(2'147'483'647));
  job.client = client_;
  job.clock = clock_;
  const bool is_move = want == Want::Genmove || want == Want::CleanupGenmove ||
                       want == Want::GenmoveAnalyze || want == Want::FreeHandicap;
  job.priority = is_move                 ? pool::Priority::Move
                 : want == Want::Analyze ? pool::Priority::Analysis
                                         : pool::Priority::Question;
  if (dice.chance(0.02)) job.priority = static_cast<pool::Priority>(dice.below(3));
  if (dice.chance(0.02)) job.color = rules::other(job.color);
  job.analysis.interval = milliseconds(dice.between(10, 200));
  if (dice.chance(0.5)) job.analysis.visits_max = 1 + static_cast<std::uint32_t>(dice.below(300));
  if (dice.chance(0.5)) job.analysis.time_max = milliseconds(dice.between(1, 500));
  job.analysis.ownership = profile.analysis == pool::AnalysisDialect::Kata && dice.chance(0.2);
  job.stones = dice.between(2, std::clamp(record_.size().area() - 1, 2, 9));
  if (dice.chance(0.05)) job.stones = one_of(dice, {0, 1, record_.size().area()});
  if (want == Want::Raw) {
    constexpr const char* kCommands[] = {"get_komi",      "known_command play",
                                         "known_command", "printsgf board.sgf",
                                         "get_komi #",    "get_komi\nquit"};
    job.command = one_of(dice, kCommands);
  }
  return job;
}

void PoolGame::add(Move move) {
  if (record_.play(move) != rules::Refusal::None) return;
  to_move_ = rules::other(move.color);
  if (record_.moves().size() >= length_) is_over_ = true;
}

bool PoolGame::take(const pool::EngineMove& move, Color color, std::size_t moves) {
  if (moves != record_.moves().size() || color != to_move_) return false;
  if (move.kind == pool::EngineMove::Kind::Resign) {
    is_over_ = true;
    return true;
  }
  const bool is_pass = move.kind == pool::EngineMove::Kind::Pass;
  add(is_pass ? Move::pass(color) : Move::play(color, move.point));
  return record_.moves().size() > moves;
}

void PoolGame::take_handicap(const pool::EngineStones& stones) {
  if (!is_empty()) return;
  std::vector<rules::Stone> setup;
  for (const Point point : stones.points) setup.push_back({Color::Black, point});
  if (record_.set_up(setup)) to_move_ = Color::White;
}

bool PoolGame::suits(const pool::Profile& profile) const {
  return !profile.problem(record_.size(), settings_);
}

void PoolGame::play_any(Dice& dice) {
  if (dice.chance(0.02)) {
    for (int passes = dice.between(1, 2); passes > 0; --passes) add(Move::pass(to_move_));
    return;
  }
  for (int i = 0; i < 5; ++i) {
    const Move move = Move::play(to_move_, any_point(record_.size(), dice));
    if (record_.check(move) == rules::Refusal::None) return add(move);
  }
}

void PoolGame::jump(Dice& dice) {
  int back = dice.chance(0.7) ? dice.between(1, 3) : dice.between(1, 30);
  for (; back > 0 && record_.undo(); --back) to_move_ = rules::other(to_move_);
  if (!record_.moves().empty()) to_move_ = rules::other(record_.moves().back().color);
  for (int on = dice.between(0, 2); on > 0; --on) play_any(dice);
}

}  // namespace tengen::sim
