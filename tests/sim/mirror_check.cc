// See mirror_check.h.
#include "sim/mirror_check.h"

#include <algorithm>

#include "pool/clock_commands.h"
#include "pool/engine_rules.h"
#include "pool/pace.h"
#include "pool/search_time.h"
#include "rules/ascii.h"

namespace tengen::sim {
namespace {

using pool::Want;
using rules::Move;
using rules::Stone;

char letter(rules::Color color) { return color == rules::Color::Black ? 'B' : 'W'; }

bool is_for_move(Want want) {
  return want == Want::Genmove || want == Want::CleanupGenmove || want == Want::GenmoveAnalyze;
}

/// The stones put down before the game: as a handicap, or by the first plays.
std::vector<Stone> setup_of(const rules::Record& record, std::size_t plays) {
  std::vector<Stone> stones = record.setup();
  for (std::size_t i = 0; i < plays; ++i) {
    const Move& move = record.moves()[i];
    if (!move.is_pass()) stones.push_back({move.color, *move.point});
  }
  return stones;
}

bool is_same_history(const rules::Record& held, const rules::Record& needed) {
  if (held.moves().size() < needed.moves().size()) return false;
  const std::size_t plays = held.moves().size() - needed.moves().size();
  if (!std::equal(needed.moves().begin(), needed.moves().end(),
                  held.moves().begin() + static_cast<std::ptrdiff_t>(plays))) {
    return false;
  }
  const auto stones = setup_of(held, plays);
  return std::is_permutation(stones.begin(), stones.end(), needed.setup().begin(),
                             needed.setup().end());
}

bool is_after_two_passes(const rules::Record& record) {
  const auto& moves = record.moves();
  return moves.size() >= 2 && moves.back().is_pass() && moves[moves.size() - 2].is_pass();
}

/// What no engine of that profile may be asked on this board; empty when nothing is wrong with it.
std::string danger(const std::string& asked, const rules::Record& record,
                   const pool::Profile& profile) {
  const std::string_view name = std::string_view(asked).substr(0, asked.find(' '));
  if (name == "place_free_handicap" && !(record.moves().empty() && record.setup().empty())) {
    return "asked for a handicap on a board that is not empty";
  }
  const bool is_deadly = name == profile.search_command && !profile.moves_after_passes;
  if (is_deadly && is_after_two_passes(record)) return "asked for a move after two passes";
  return {};
}

/// How the job's want is put to the engine, without what an analysis adds.
std::string command_of(const pool::Job& job, const pool::Profile& profile) {
  const std::string color = std::string(" ") + letter(job.color);
  const bool is_kata = profile.analysis == pool::AnalysisDialect::Kata;
  switch (job.want) {
    case Want::Genmove:
      if (is_after_two_passes(*job.record) && !profile.moves_after_passes) {
        return profile.cleanup_command + color;
      }
      return profile.search_command + color;
    case Want::CleanupGenmove:
      return (profile.cleanup_command.empty() ? profile.search_command : profile.cleanup_command) +
             color;
    case Want::RegGenmove:
      return (profile.reg_search_command.empty() ? profile.search_command
                                                 : profile.reg_search_command) +
             color;
    case Want::GenmoveAnalyze:
      return (is_kata ? "kata-genmove_analyze" : "lz-genmove_analyze") + color;
    case Want::Analyze:
      return (is_kata ? "kata-analyze" : "lz-analyze") + color;
    case Want::FreeHandicap:
      return "place_free_handicap " + std::to_string(job.stones);
    case Want::DeadList:
      return "final_status_list dead";
    case Want::AliveList:
      return "final_status_list alive";
    case Want::SekiList:
      return "final_status_list seki";
    case Want::FinalScore:
      return "final_score";
    case Want::Raw:
      return job.command;
  }
  return {};
}

std::string setting_of(const pool::SettingSpec& spec, const pool::Job& job,
                       const pool::Profile& profile) {
  std::string value = std::to_string(spec.standard);
  for (const auto& [key, chosen] : job.settings) {
    if (key == spec.key) value = chosen;
  }
  if (spec.key != profile.pace_setting || !job.clock) return value;
  const auto& face = job.clock->faces[static_cast<std::size_t>(rules::index_of(job.color))];
  const auto budget =
      pool::move_budget(job.clock->control, face, job.record.size(), job.record.moves().size());
  return std::to_string(pool::paced_value(profile, std::stoi(value), job.record.size(), budget));
}

std::string difference_of_settings(const LeanEngine& engine, const pool::Job& job,
                                   const pool::Profile& profile) {
  if (engine.settings().size() != profile.settings.size()) return "another number of settings";
  for (const pool::SettingSpec& spec : profile.settings) {
    const std::string value = setting_of(spec, job, profile);
    const auto told = std::find_if(engine.settings().begin(), engine.settings().end(),
                                   [&](const auto& each) { return each.first == spec.command; });
    if (told == engine.settings().end()) return spec.key + " was not told";
    if (told->second != value) return spec.key + " is " + told->second + ", not " + value;
  }
  return {};
}

std::string difference_of_time(const PoolProcess& process, const pool::Job& job, Attempt attempt) {
  const LeanEngine& engine = process.brain();
  const pool::Profile& profile = process.profile();
  if (process.has_refused_time()) return {};
  const std::string settings = pool::time_settings_command(profile, job.clock);
  if (engine.time_settings() != settings && (engine.talents().takes_time || !settings.empty())) {
    if (!engine.talents().takes_time) return {};
    return "'" + engine.time_settings() + "' instead of '" + settings + "'";
  }
  if (!is_for_move(job.want) || !engine.talents().takes_time || attempt == Attempt::Later) {
    return {};
  }
  const auto clock = job.clock ? std::optional(pool::told_clock(*job.clock, job.color)) : job.clock;
  if (engine.time_left() != pool::time_left_commands(profile, clock)) {
    return "the time left is not what it is";
  }
  return {};
}

std::string text_of(const pool::EngineMove& move, rules::Size size) {
  switch (move.kind) {
    case pool::EngineMove::Kind::Pass:
      return "pass";
    case pool::EngineMove::Kind::Resign:
      return "resign";
    case pool::EngineMove::Kind::Play:
      break;
  }
  return rules::lower(rules::gtp_vertex(move.point, size));
}

bool is_same_list(const pool::EngineStones& stones, std::string text, rules::Size size) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::vector<std::string> said;
  for (const std::string_view word : split(text)) {
    if (std::find(said.begin(), said.end(), word) == said.end()) said.emplace_back(word);
  }
  std::vector<std::string> told;
  for (const rules::Point point : stones.points) told.push_back(rules::gtp_vertex(point, size));
  return told == said;
}

}  // namespace

bool is_same_board(const LeanEngine& engine, const pool::Job& job) {
  return engine.record().board() == job.record.board();
}

std::string difference(const PoolProcess& process, const Taken& taken) {
  const LeanEngine& engine = process.brain();
  const pool::Job& job = taken.job;
  const pool::Profile& profile = taken.profile;
  const std::string command = command_of(job, process.profile());
  const std::string& asked = process.search()->command;
  if (auto wrong = danger(asked, *job.record, process.profile()); !wrong.empty()) return wrong;
  if (asked != command && !asked.starts_with(command + ' ')) {
    return "asked '" + asked + "' for '" + command + "'";
  }
  if (!is_same_board(engine, job)) {
    return "its board is\n" + engine.record().board().to_text() + "and not\n" +
           job.record.board().to_text();
  }
  if (!is_same_history(engine.record(), *job.record)) return "another way led to its board";
  if (engine.komi() != rules::komi_text(job.komi_half)) return "komi is '" + engine.komi() + "'";
  if (engine.rules() != pool::rules_command(profile.rules, job.rules).value_or("")) {
    return "rules are '" + engine.rules() + "'";
  }
  const bool is_seeded = is_for_move(job.want) && !process.profile().seed_command.empty();
  if (is_seeded && engine.seed() != std::to_string(job.seed)) return "another seed";
  if (auto wrong = difference_of_settings(engine, job, profile); !wrong.empty()) return wrong;
  return difference_of_time(process, job, taken.attempt);
}

namespace {

// What an engine says of its own accord behind a text, before the fence, cannot be told from it.
std::string_view without_chatter(std::string_view text) {
  const std::string line = '\n' + std::string(kChatter);
  while (text.ends_with(line)) text.remove_suffix(line.size());
  return text;
}

}  // namespace

std::string contradiction(const pool::JobResult& result, const pool::Job& job,
                          const LeanEngine::Reply& reply) {
  const rules::Size size = job.record.size();
  bool agrees = true;
  if (const auto* move = std::get_if<pool::EngineMove>(&result)) {
    const std::string said = rules::lower(reply.text);
    const std::string told = text_of(*move, size);
    agrees = said == told || said == "play " + told;
  } else if (const auto* stones = std::get_if<pool::EngineStones>(&result)) {
    agrees = is_same_list(*stones, reply.text, size);
  } else if (const auto* score = std::get_if<pool::EngineScore>(&result)) {
    agrees = score->text == reply.text;
  } else if (const auto* text = std::get_if<pool::EngineText>(&result)) {
    agrees = without_chatter(text->text) == reply.text && text->is_success == reply.is_success;
  }
  return agrees ? "" : "the engine said '" + reply.text + "'";
}

}  // namespace tengen::sim
