// See imitated_game.h.
#include "tests/support/imitated_game.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rules/handicap.h"

namespace tengen::tests {

using rules::Color;
using rules::Move;

namespace {

bool is_handicap(const ImitatedGame& game) {
  const auto& setup = game.record.setup();
  return setup.size() >= 2 && std::all_of(setup.begin(), setup.end(), [](const auto& stone) {
           return stone.color == Color::Black;
         });
}

}  // namespace

Color ImitatedGame::to_move() const {
  if (!record.moves().empty()) return rules::other(record.moves().back().color);
  return record.setup().empty() ? Color::Black : Color::White;
}

pool::Job ImitatedGame::job(const pool::Profile& profile, std::uint64_t job_id,
                            pool::Want want) const {
  pool::Job job{{job_id}, {id, id}, profile.name, {}, record, rules, komi_half, to_move(), want};
  job.seed = static_cast<std::uint32_t>(1000 * id + record.moves().size() + 1);
  job.clock = clock;
  return job;
}

bool ImitatedGame::take(const pool::JobResult& result) {
  const auto* answer = std::get_if<pool::EngineMove>(&result);
  if (answer == nullptr || answer->kind == pool::EngineMove::Kind::Resign) return false;
  const Color color = to_move();
  const bool is_play = answer->kind == pool::EngineMove::Kind::Play;
  const Move move = is_play ? Move::play(color, answer->point) : Move::pass(color);
  return record.play(move) == rules::Refusal::None;
}

std::optional<std::string> difference(const ScriptedEngine& engine, const ImitatedGame& game,
                                      const pool::Profile& profile) {
  if (engine.insult()) return "it was insulted: " + *engine.insult();
  if (engine.has_crashed()) return "it has crashed";
  if (engine.record().size() != game.record.size()) return "its board has another size";
  if (engine.record().board() != game.record.board()) {
    return "its board:\n" + engine.record().board().to_text() + "the game's:\n" +
           game.record.board().to_text();
  }
  if (is_handicap(game) && engine.knows("set_free_handicap") &&
      engine.record().setup().size() != game.record.setup().size()) {
    return "the handicap was told as plays";
  }
  if (engine.komi() * 2 != game.komi_half) return "its komi is " + std::to_string(engine.komi());
  const bool is_told_ko = profile.rules == pool::RulesDialect::Kata;
  if (is_told_ko && engine.record().ko() != game.record.ko()) return "its ko rule is another";
  if (profile.clock == pool::ClockDialect::None) return std::nullopt;
  if (engine.time_settings().empty()) return "it does not know the time system";
  const bool is_none = engine.time_settings().ends_with("settings none");
  if (is_none == game.clock.has_value()) {
    return "its time system is another: " + engine.time_settings();
  }
  return std::nullopt;
}

pool::Profile imitated_profile(Persona persona, int processes_max) {
  const bool is_bare = persona == Persona::Bare || persona == Persona::Plain;
  const std::string_view kind = is_bare ? "gtp" : traits_of(persona).word;
  auto profile = pool::shipped_profile(kind);
  EXPECT_TRUE(profile) << kind;
  if (!profile) return {};
  if (profile->command.empty()) profile->command = {"engine"};
  profile->processes_warm = 1;
  profile->processes_max = processes_max;
  EXPECT_EQ(problem(*profile).value_or(""), "");
  return *profile;
}

std::vector<int> imitated_sizes(Persona persona) {
  return persona == Persona::LeelaZero ? std::vector<int>{19} : std::vector<int>{9, 19};
}

ImitatedGame imitated_game(std::uint64_t id, int size, int handicap) {
  ImitatedGame game;
  game.id = id;
  const auto side = static_cast<std::uint8_t>(size);
  game.record = rules::Record({side, side}, rules::KoRule::Positional, rules::SuicideRule::No);
  std::vector<rules::Stone> stones;
  for (const rules::Point point : rules::fixed_handicap(game.record.size(), handicap)) {
    stones.push_back({Color::Black, point});
  }
  EXPECT_TRUE(game.record.set_up(stones));
  game.komi_half = stones.empty() ? 15 : 1;
  return game;
}

}  // namespace tengen::tests
