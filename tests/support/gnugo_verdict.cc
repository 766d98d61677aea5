#include "tests/support/gnugo_verdict.h"

#include <sstream>
#include <stdexcept>
#include <vector>

#include "rules/ruleset.h"
#include "tests/support/child.h"

namespace tengen::tests {
namespace {

constexpr std::chrono::seconds kPatience{120};

std::string script_of(const rules::Game& game) {
  const auto size = game.header().size;
  std::string script = "boardsize " + std::to_string(size.width) + "\nclear_board\nkomi " +
                       rules::komi_text(game.header().komi_half) + "\n";
  for (const auto& move : game.record().moves()) {
    script += move.color == rules::Color::Black ? "play black " : "play white ";
    script += (move.point ? rules::gtp_vertex(*move.point, size) : "pass") + "\n";
  }
  return script + "final_status_list seki\nfinal_score\nquit\n";
}

// The answers without their `= `, one for each command.
std::vector<std::string> answers_of(const std::string& output) {
  std::vector<std::string> answers;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('?')) throw std::runtime_error("GNU Go refuses: " + line);
    if (line.starts_with('=')) {
      answers.push_back(line.size() > 2 ? line.substr(2) : "");
    } else if (!answers.empty()) {
      answers.back() += line;
    }
  }
  return answers;
}

}  // namespace

GnuGoVerdict gnugo_verdict(const rules::Game& game) {
  constexpr std::size_t kAfterScore = 2;  // the answers to final_score and quit come last
  const auto ran = run({"gnugo", "--mode", "gtp", "--chinese-rules"}, script_of(game), kPatience);
  const auto answers = answers_of(ran.out);
  constexpr std::size_t kBesideMoves = 6;  // three before, three after
  if (answers.size() != game.record().moves().size() + kBesideMoves) {
    throw std::runtime_error("GNU Go did not answer everything: " + ran.err);
  }
  return {!answers[answers.size() - kAfterScore - 1].empty(),
          answers[answers.size() - kAfterScore]};
}

std::string gnugo_score_text(const rules::Result& result) {
  if (!result.winner) return "0";
  const std::string half = result.margin_half % 2 == 0 ? ".0" : ".5";
  return (*result.winner == rules::Color::Black ? "B+" : "W+") +
         std::to_string(result.margin_half / 2) + half;
}

}  // namespace tengen::tests
