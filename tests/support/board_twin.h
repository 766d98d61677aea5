// A Record and a slow, obviously right twin of it (flood fill, a list of all positions so far) that
// play the same moves and undos and compare everything they know.
#pragma once

#include <array>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "rules/record.h"
#include "tests/support/slow_board.h"

namespace tengen::tests {

class BoardTwin {
 public:
  BoardTwin(rules::Size size, rules::KoRule ko, rules::SuicideRule suicide);

  const rules::Record& record() const { return record_; }
  int captures() const { return captures_; }
  int suicides() const { return suicides_; }

  // Each answers with the first difference found, for people; nothing when the two agree.
  std::optional<std::string> play(rules::Move move);
  std::optional<std::string> undo();
  std::optional<std::string> compare_legal_points(rules::Color color) const;

 private:
  struct Past {
    SlowBoard board;
    std::size_t positions = 0;
    std::optional<rules::Stone> ko_ban;
    std::array<int, 2> captured{};
  };
  /// A board and who had moved last: '?' at the start until the first move tells.
  using Position = std::pair<std::string, char>;

  rules::Refusal judge(rules::Color color, rules::Point point) const;
  void make(rules::Move move);
  void note_ko(rules::Color color, rules::Point point, const SlowBoard& before);
  std::optional<std::string> compare() const;
  std::optional<std::string> compare_chains() const;

  rules::KoRule ko_;
  rules::SuicideRule suicide_;
  rules::Record record_;
  SlowBoard slow_;
  std::vector<Position> positions_;
  std::optional<rules::Stone> ko_ban_;
  std::array<int, 2> captured_{};  // by colour
  std::vector<Past> past_;
  int captures_ = 0;
  int suicides_ = 0;
};

/// Random moves and undos on one board, until `attempts` were made; the full legal list is compared
/// at every 64th. The number of moves made is added to `moves`.
std::optional<std::string> play_random_twin(BoardTwin& twin, int attempts, std::mt19937_64& random,
                                            long& moves);

}  // namespace tengen::tests
