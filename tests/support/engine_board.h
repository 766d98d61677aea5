// The board in a scripted engine's head: which plays its persona takes, what undo reaches, and
// whether the board is still the one that it was told.
#pragma once

#include <optional>
#include <vector>

#include "rules/record.h"
#include "tests/support/persona.h"

namespace tengen::tests {

class EngineBoard {
 public:
  EngineBoard(Persona persona, rules::KoRule ko, rules::SuicideRule suicide);

  void reset(rules::Size size);
  /// The rules of its own moves, from here on.
  void tell_rules(rules::KoRule ko, rules::SuicideRule suicide);

  enum class Verdict : std::uint8_t { Done, Occupied, Illegal };
  /// Plays what the persona lets pass: most take any superko, some a ko or suicide too.
  Verdict play(rules::Move move);
  /// Plays whatever it is, if the point is free.
  void force(rules::Move move);
  /// False when there is nothing that the persona would take back. Leela Zero takes handicap stones
  /// back, too.
  bool undo();
  /// Adds black stones before the first move; false, changing nothing, when that cannot be.
  bool set_up(const std::vector<rules::Point>& points);

  /// The board is no longer what the client must think it is, until it is cleared.
  void drift() { has_drifted_ = true; }
  bool has_drifted() const { return has_drifted_; }
  /// Passes that no play has followed; forgotten for good by forget_passes.
  int passes() const;
  void forget_passes() { passes_from_ = record_.moves().size(); }

  const rules::Record& record() const { return record_; }
  rules::Size size() const { return record_.size(); }
  /// Every stone of one colour or of both, from the top row to the bottom one, left to right.
  std::vector<rules::Point> stones(std::optional<rules::Color> color = std::nullopt) const;
  /// The chains in the order of their first stones.
  std::vector<std::vector<rules::Point>> chains() const;

 private:
  bool takes(rules::Refusal refusal, rules::Move move) const;
  void rebuild(rules::KoRule ko, rules::SuicideRule suicide,
               const std::vector<rules::Stone>& setup);

  Persona persona_;
  rules::Record record_;
  bool has_drifted_ = false;
  std::size_t passes_from_ = 0;
};

}  // namespace tengen::tests
