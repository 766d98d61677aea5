// Lines of analysis streams. What Leela Zero, KataGo and Pachi were recorded to say is read as it
// is; the other lines are in their form, with numbers that are easily turned by hand.
#include "pool/analysis.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/temp_folder.h"

namespace tengen::pool {
namespace {

using rules::Color;
using rules::Move;
using rules::Size;

constexpr Size k19{19, 19};
constexpr Size k9{9, 9};
constexpr Size k3x2{3, 2};

Analysis read(AnalysisDialect dialect, std::string_view line, Size size, Color to_move) {
  const auto result = read_analysis(dialect, line, size, to_move);
  if (const auto* problem = std::get_if<std::string>(&result)) {
    ADD_FAILURE() << *problem << " in " << line;
    return {};
  }
  return std::get<Analysis>(result);
}

std::string problem_in(AnalysisDialect dialect, std::string_view line, Size size = k9) {
  const auto result = read_analysis(dialect, line, size, Color::Black);
  const auto* problem = std::get_if<std::string>(&result);
  return problem == nullptr ? "none" : *problem;
}

Move play(Color color, std::string_view vertex, Size size) {
  return Move::play(color, *rules::parse_gtp_vertex(vertex, size));
}

std::string golden(const char* name) {
  return tests::read_text(std::string(TENGEN_TESTS_DIR "/golden/analysis/") + name);
}

TEST(Analysis, ReadsWhatLeelaZeroSaysForBlack) {
  const Analysis got = read(AnalysisDialect::Lz, golden("leelaz_black.txt"), k19, Color::Black);
  EXPECT_EQ(got.to_move, Color::Black);
  ASSERT_EQ(got.candidates.size(), 14u);  // the word `info` counted in the file
  // 45 + 91 + 55 + 40 + 39 + 31 + 25 + 21 + 20 + 18 + 20 + 16 + 16 + 11
  EXPECT_EQ(got.visits, 448u);
  const Candidate& best = got.candidates.front();
  EXPECT_EQ(best.move, play(Color::Black, "S19", k19));
  EXPECT_EQ(best.visits, 45u);
  EXPECT_DOUBLE_EQ(best.winrate, 0.5039);
  EXPECT_DOUBLE_EQ(best.prior.value(), 0.0036);
  EXPECT_DOUBLE_EQ(best.lcb.value(), 0.4982);
  EXPECT_EQ(best.score_lead, std::nullopt);
  EXPECT_EQ(best.order, 0);
  ASSERT_EQ(best.variation.size(), 31u);  // vertices counted in the file
  EXPECT_EQ(best.variation[0], best.move);
  EXPECT_EQ(best.variation[1], play(Color::White, "T16", k19));
  EXPECT_EQ(best.variation[30], play(Color::Black, "N11", k19));
  const Candidate& last = got.candidates.back();
  EXPECT_EQ(last.move, play(Color::Black, "K16", k19));
  EXPECT_EQ(last.order, 13);
  EXPECT_EQ(last.variation.size(), 7u);
  EXPECT_DOUBLE_EQ(got.winrate.value(), 0.5039);
  EXPECT_EQ(got.score_lead, std::nullopt);
  EXPECT_TRUE(got.ownership.empty());
}

TEST(Analysis, TurnsWhatLeelaZeroSaysForWhiteToBlack) {
  const Analysis got = read(AnalysisDialect::Lz, golden("leelaz_white.txt"), k19, Color::White);
  ASSERT_EQ(got.candidates.size(), 2u);
  EXPECT_EQ(got.visits, 60u);                                // 59 + 1
  EXPECT_NEAR(got.candidates[0].winrate, 0.5022, 1e-9);      // 1 - 0.4978
  EXPECT_NEAR(got.candidates[0].lcb.value(), 0.5079, 1e-9);  // 1 - 0.4921
  EXPECT_NEAR(got.candidates[0].prior.value(), 0.0028, 1e-9);
  EXPECT_EQ(got.candidates[0].variation[1], play(Color::Black, "R4", k19));
  EXPECT_EQ(got.candidates[1].variation, std::vector{play(Color::White, "B6", k19)});
  EXPECT_EQ(got.candidates[1].lcb, 1.0);  // it says 0 of a move with one visit
  EXPECT_NEAR(got.winrate.value(), 0.5022, 1e-9);
}

TEST(Analysis, ReadsPachiWithoutLcb) {
  const char* line = "info move Q3 visits 692 winrate 5057 prior 8520 order 0 pv Q3 C16 ";
  const Analysis got = read(AnalysisDialect::LzBare, line, k19, Color::White);
  ASSERT_EQ(got.candidates.size(), 1u);
  EXPECT_NEAR(got.candidates[0].winrate, 0.4943, 1e-9);  // 1 - 0.5057
  EXPECT_NEAR(got.candidates[0].prior.value(), 0.852, 1e-9);
  EXPECT_EQ(got.candidates[0].lcb, std::nullopt);
  EXPECT_EQ(got.candidates[0].variation,
            (std::vector{play(Color::White, "Q3", k19), play(Color::Black, "C16", k19)}));
}

TEST(Analysis, ReadsKataGoAndTurnsTheLeadToo) {
  const char* line =
      "info move Q17 visits 26 edgeVisits 26 utility 0.0233937 winrate 0.510987 scoreMean "
      "0.0797898 "
      "scoreStdev 30.4752 scoreLead 0.0797898 scoreSelfplay 0.202044 prior 0.121485 lcb 0.506022 "
      "utilityLcb 0.00949177 weight 26 order 0 pv Q17 D17";
  const Analysis got = read(AnalysisDialect::Kata, line, k19, Color::White);
  ASSERT_EQ(got.candidates.size(), 1u);
  const Candidate& best = got.candidates.front();
  EXPECT_EQ(best.visits, 26u);
  EXPECT_NEAR(best.winrate, 0.489013, 1e-9);  // 1 - 0.510987
  EXPECT_NEAR(best.score_lead.value(), -0.0797898, 1e-9);
  EXPECT_NEAR(best.prior.value(), 0.121485, 1e-9);
  EXPECT_NEAR(best.lcb.value(), 0.493978, 1e-9);  // 1 - 0.506022
  EXPECT_NEAR(got.score_lead.value(), -0.0797898, 1e-9);
}

TEST(Analysis, TakesRootAndOwnershipBesideTheCandidates) {
  const char* line =
      "info move A1 visits 8 winrate 0.75 scoreLead 2.5 order 0 pv A1 C2 pass "
      "info move C1 visits 8 winrate 0.75 scoreLead 2.5 isSymmetryOf A1 order 1 pv C1 A2 "
      "rootInfo visits 9 winrate 0.625 scoreLead 1.5 weight 8.5 "
      "ownership 1 0.5 0 -0.25 -1 0.125";
  const Analysis black = read(AnalysisDialect::Kata, line, k3x2, Color::Black);
  EXPECT_EQ(black.visits, 9u);
  EXPECT_EQ(black.winrate, 0.625);
  EXPECT_EQ(black.score_lead, 1.5);
  EXPECT_EQ(black.candidates[0].variation[2], Move::pass(Color::Black));
  EXPECT_EQ(black.ownership, (std::vector<float>{1, 0.5F, 0, -0.25F, -1, 0.125F}));

  const Analysis white = read(AnalysisDialect::Kata, line, k3x2, Color::White);
  EXPECT_EQ(white.winrate, 0.375);
  EXPECT_EQ(white.score_lead, -1.5);
  EXPECT_EQ(white.ownership, (std::vector<float>{-1, -0.5F, 0, 0.25F, 1, -0.125F}));
  EXPECT_FALSE(std::signbit(white.ownership[2]));
}

TEST(Analysis, CountsACandidateCopiedForSymmetryOnce) {
  const char* line =
      "info move A1 visits 8 winrate 0.5 order 0 pv A1 "
      "info move C1 visits 8 winrate 0.5 isSymmetryOf A1 order 1 pv C1 "
      "info move B1 visits 3 winrate 0.5 order 2 pv B1";
  const Analysis got = read(AnalysisDialect::Kata, line, k3x2, Color::Black);
  EXPECT_EQ(got.candidates.size(), 3u);
  EXPECT_EQ(got.visits, 11u);  // 8 + 3
}

TEST(Analysis, TakesTheRootsNumbersFromTheFavouriteWhereverItStands) {
  const char* line =
      "info move A1 visits 9 winrate 0.25 scoreLead -3 order 1 pv A1 "
      "info move B1 visits 4 winrate 0.5 scoreLead 0.5 order 0 pv B1";
  const Analysis got = read(AnalysisDialect::Kata, line, k9, Color::Black);
  EXPECT_EQ(got.candidates[0].order, 1);
  EXPECT_EQ(got.winrate, 0.5);
  EXPECT_EQ(got.score_lead, 0.5);
}

TEST(Analysis, ReadsKeysInAnyOrderAndSkipsUnknownOnes) {
  const char* line =
      "info pv D4 e5 PASS pvVisits 9 7 3 pvEdgeVisits 9 7 2 mood good movesOwnership 0.5 -1e-05 "
      "nan "
      "winrate 0.5 tilt -1.5 move D4 visits 9 ownershipStdev 0.1 0.2 rootInfo thisHash A1B2C3 "
      "currentPlayer B visits 12 winrate 0.5 ownershipStdev 0.1 0.2 0.3";
  const Analysis got = read(AnalysisDialect::Kata, line, k9, Color::Black);
  ASSERT_EQ(got.candidates.size(), 1u);
  EXPECT_EQ(got.candidates[0].variation,
            (std::vector{play(Color::Black, "D4", k9), play(Color::White, "E5", k9),
                         Move::pass(Color::Black)}));
  EXPECT_EQ(got.candidates[0].order, 0);
  EXPECT_EQ(got.visits, 12u);
}

TEST(Analysis, AVariationThatIsMissingOrStartsElsewhereIsTheMoveAlone) {
  const char* line =
      "info move D4 visits 1 winrate 5000 order 0 pv "
      "info move pass visits 1 winrate 5000 order 1 pv E5 D4 "
      "info move C3 visits 1 winrate 5000 order 2";
  const Analysis got = read(AnalysisDialect::Lz, line, k9, Color::White);
  ASSERT_EQ(got.candidates.size(), 3u);
  EXPECT_EQ(got.candidates[0].variation, std::vector{play(Color::White, "D4", k9)});
  EXPECT_EQ(got.candidates[1].variation, std::vector{Move::pass(Color::White)});
  EXPECT_EQ(got.candidates[2].variation, std::vector{play(Color::White, "C3", k9)});
}

TEST(Analysis, CutsAnLcbThatOvershootsAndWhatRoundingAdds) {
  const char* line = "info move D4 visits 1 winrate -2.22045e-16 prior 1.0000001 lcb -0.38 pv D4";
  const Analysis got = read(AnalysisDialect::Kata, line, k9, Color::Black);
  ASSERT_EQ(got.candidates.size(), 1u);
  EXPECT_EQ(got.candidates[0].winrate, 0.0);
  EXPECT_EQ(got.candidates[0].prior, 1.0);
  EXPECT_EQ(got.candidates[0].lcb, 0.0);
}

TEST(Analysis, ACandidateWithoutVisitsYetIsOne) {
  const char* line = "info move D4 visits 0 winrate 0.5 pv D4";
  EXPECT_EQ(read(AnalysisDialect::Kata, line, k9, Color::Black).visits, 0u);
}

TEST(Analysis, SaysWhatIsWrongWithALine) {
  const std::pair<const char*, const char*> rows[] = {
      {"", "no line of an analysis"},
      {"play D4", "no line of an analysis"},
      {"information move D4", "no line of an analysis"},
      {"info", "a candidate lacks its move, visits or winrate at the line's end"},
      {"info visits 1 winrate 0.5",
       "a candidate lacks its move, visits or winrate at the line's end"},
      {"info move D4 winrate 0.5 info move C3 visits 1 winrate 0.5",
       "a candidate lacks its move, visits or winrate: info"},
      {"info move D4 visits 1 pv D4 rootInfo",
       "a candidate lacks its move, visits or winrate: rootInfo"},
      {"info move", "no move on the board at the line's end"},
      {"info move K4 visits 1 winrate 0.5", "no move on the board: K4"},
      {"info move I4 visits 1 winrate 0.5", "no move on the board: I4"},
      {"info move D10 visits 1 winrate 0.5", "no move on the board: D10"},
      {"info move D0 visits 1 winrate 0.5", "no move on the board: D0"},
      {"info move resign visits 1 winrate 0.5", "no move on the board: resign"},
      {"info move D4 visits 1 winrate 0.5 pv D4 A99", "no move on the board: A99"},
      {"info move D4 visits 1 winrate 0.5 isSymmetryOf Z3", "no move on the board: Z3"},
      {"info move D4 visits -1 winrate 0.5", "visits is no number: -1"},
      {"info move D4 visits 1.5 winrate 0.5", "visits is no number: 1.5"},
      {"info move D4 visits 4294967296 winrate 0.5", "visits is no number: 4294967296"},
      {"info move D4 visits 1 winrate nan", "winrate is no number: nan"},
      {"info move D4 visits 1 winrate -nan", "winrate is no number: -nan"},
      {"info move D4 visits 1 winrate inf", "winrate is no number: inf"},
      {"info move D4 visits 1 winrate 1e999", "winrate is no number: 1e999"},
      {"info move D4 visits 1 winrate 0.5x", "winrate is no number: 0.5x"},
      {"info move D4 visits 1 winrate", "winrate is no number at the line's end"},
      {"info move D4 visits 1 winrate 1.01", "winrate is out of range: 1.01"},
      {"info move D4 visits 1 winrate -0.01", "winrate is out of range: -0.01"},
      {"info move D4 visits 1 winrate 5000", "winrate is out of range: 5000"},
      {"info move D4 visits 1 winrate 0.5 prior 2", "prior is out of range: 2"},
      {"info move D4 visits 1 winrate 0.5 lcb nan", "lcb is no number: nan"},
      {"info move D4 visits 1 winrate 0.5 scoreLead inf", "scoreLead is no number: inf"},
      {"info move D4 visits 1 winrate 0.5 scoreLead 10001", "scoreLead is out of range: 10001"},
      {"info move D4 visits 1 winrate 0.5 order -1", "order is no number: -1"},
      {"info move D4 visits 1 winrate 0.5 info move d4 visits 1 winrate 0.5",
       "a candidate is named twice: D4"},
      {"info move pass visits 1 winrate 0.5 info move PASS visits 1 winrate 0.5",
       "a candidate is named twice: pass"},
      {"rootInfo winrate 7", "winrate is out of range: 7"},
      {"ownership 0.5 0.5", "ownership is no number at the line's end"},
      {"ownership 0.5 nan", "ownership is no number: nan"},
      {"ownership 0.5 1.5", "ownership is out of range: 1.5"},
      {"ownership 0.5 rootInfo visits 1", "ownership is no number: rootInfo"},
      {"info move D4 visits 1 winrate \x1b[31m\xff", "winrate is no number: ?[31m?"},
  };
  for (const auto& [line, problem] : rows) {
    EXPECT_EQ(problem_in(AnalysisDialect::Kata, line), problem) << line;
  }
  EXPECT_EQ(problem_in(AnalysisDialect::Lz, "info move D4 visits 1 winrate 10001"),
            "winrate is out of range: 10001");
}

TEST(Analysis, LimitsCandidatesAndVariations) {
  const Size size{25, 25};
  std::string line;
  for (int row = 0; row < 25; ++row) {
    for (int col = 0; col < 25; ++col) {
      line +=
          "info move " + gtp_vertex(rules::Point::at(col, row), size) + " visits 1 winrate 0.5 ";
    }
  }
  line += "info move pass visits 1 winrate 0.5";
  EXPECT_EQ(read(AnalysisDialect::Kata, line, size, Color::Black).candidates.size(), 626u);
  line += " info move pass visits 1 winrate 0.5";
  EXPECT_EQ(problem_in(AnalysisDialect::Kata, line, size), "too many candidates at the line's end");

  line = "info move D4 visits 1 winrate 0.5 pv";
  for (int i = 0; i < 500; ++i) line += " D4 E5";
  EXPECT_EQ(read(AnalysisDialect::Kata, line, k9, Color::Black).candidates[0].variation.size(),
            1000u);
  line += " D4";
  EXPECT_EQ(problem_in(AnalysisDialect::Kata, line), "a variation is too long: D4");
}

TEST(AnalysisCommand, IsInTheDialectAndInCentiseconds) {
  using std::chrono::milliseconds;
  const AnalysisRequest plain{};
  AnalysisRequest owners{};
  owners.ownership = true;
  owners.interval = milliseconds(505);
  EXPECT_EQ(analysis_command(AnalysisDialect::Lz, plain, Color::Black), "lz-analyze B interval 20");
  EXPECT_EQ(analysis_command(AnalysisDialect::LzBare, owners, Color::White), "lz-analyze W 50");
  EXPECT_EQ(analysis_command(AnalysisDialect::Kata, plain, Color::White),
            "kata-analyze W 20 rootInfo true");
  EXPECT_EQ(analysis_command(AnalysisDialect::Kata, owners, Color::Black),
            "kata-analyze B 50 ownership true rootInfo true");
  EXPECT_EQ(genmove_analyze_command(AnalysisDialect::Lz, plain, Color::Black),
            "lz-genmove_analyze B 20");
  EXPECT_EQ(genmove_analyze_command(AnalysisDialect::LzBare, plain, Color::White),
            "lz-genmove_analyze W 20");
  EXPECT_EQ(genmove_analyze_command(AnalysisDialect::Kata, owners, Color::White),
            "kata-genmove_analyze W 50 ownership true rootInfo true");
}

TEST(AnalysisCommand, KeepsTheIntervalWithinWhatEnginesTake) {
  using std::chrono::hours;
  using std::chrono::milliseconds;
  AnalysisRequest request{};
  for (const milliseconds shortest : {milliseconds(0), milliseconds(9), milliseconds(-1000)}) {
    request.interval = shortest;
    EXPECT_EQ(analysis_command(AnalysisDialect::LzBare, request, Color::Black), "lz-analyze B 1");
  }
  request.interval = hours(2);
  EXPECT_EQ(analysis_command(AnalysisDialect::LzBare, request, Color::Black),
            "lz-analyze B 360000");
}

}  // namespace
}  // namespace tengen::pool
