#include "rules/sgf.h"

#include <gtest/gtest.h>

#include "tests/support/drawn_board.h"

namespace tengen::rules {
namespace {

using tengen::tests::vertex;

constexpr std::string_view kApplication = "Tengen:0.1.0";

Header header_under(Size size, std::string_view preset) {
  Header header;
  header.size = size;
  header.preset = preset;
  header.rules = find_preset(preset)->rules;
  header.komi_half = find_preset(preset)->komi_half;
  header.created_ms = 1'700'000'000'000;  // 2023-11-14 22:13:20 UTC
  header.seats[0].name = "Ann";
  header.seats[1] = {SeatKind::Engine, "", "gnugo", {}};
  return header;
}

void play(Game& game, std::initializer_list<std::string_view> moves) {
  for (const std::string_view move : moves) {
    const Color color = game.turn().value();
    const Refusal refusal = move == "pass" ? game.pass(color, {})
                                           : game.play(color, vertex(move, game.header().size), {});
    ASSERT_EQ(refusal, Refusal::None) << move;
  }
}

TEST(Sgf, AFinishedGameIsOneTree) {
  Game game(header_under({9, 9}, "tromp-taylor"));
  play(game, {"C6", "G3", "pass", "pass"});
  // One stone each on an otherwise open board: komi decides.
  EXPECT_EQ(to_sgf(game, kApplication),
            "(;FF[4]GM[1]CA[UTF-8]AP[Tengen:0.1.0]SZ[9]RU[Tromp-Taylor]KM[7.5]PB[Ann]PW[gnugo]"
            "DT[2023-11-14]RE[W+7.5]\n"
            ";B[cd];W[gg];B[];W[])\n");
}

TEST(Sgf, ARunningGameHasNoResult) {
  EXPECT_EQ(to_sgf(Game(header_under({19, 19}, "chinese")), kApplication),
            "(;FF[4]GM[1]CA[UTF-8]AP[Tengen:0.1.0]SZ[19]RU[Chinese]KM[7.5]PB[Ann]PW[gnugo]"
            "DT[2023-11-14])\n");
}

TEST(Sgf, AHandicapIsSetUpAndWhiteMoves) {
  Header header = header_under({13, 9}, "new-zealand");
  header.setup = {{Color::Black, Point::at(3, 2)}, {Color::Black, Point::at(9, 6)}};
  header.first = Color::White;
  header.slot1_color = Color::White;
  Game game(header);
  play(game, {"C6"});
  ASSERT_EQ(game.resign(Color::Black, {}), Refusal::None);
  EXPECT_EQ(to_sgf(game, kApplication),
            "(;FF[4]GM[1]CA[UTF-8]AP[Tengen:0.1.0]SZ[13:9]RU[NZ]KM[7]PB[gnugo]PW[Ann]"
            "DT[2023-11-14]RE[W+R]HA[2]AB[dc][jg]PL[W]\n"
            ";W[cd])\n");
}

TEST(Sgf, ASetupOfBothColoursIsNoHandicap) {
  Header header = header_under({5, 5}, "aga");
  header.setup = {{Color::White, Point::at(0, 1)}, {Color::Black, Point::at(4, 0)}};
  EXPECT_NE(to_sgf(Game(header), kApplication).find("RU[AGA]"), std::string::npos);
  EXPECT_NE(to_sgf(Game(header), kApplication).find("]AB[ea]AW[ab]PL[B])"), std::string::npos);
  EXPECT_EQ(to_sgf(Game(header), kApplication).find("HA["), std::string::npos);
}

TEST(Sgf, NamesAreEscapedAndStayOnOneLine) {
  Header header = header_under({5, 5}, "chinese");
  header.seats[0].name = "A\\n[3d]\r\n:\xC3\xA9";
  EXPECT_NE(to_sgf(Game(header), kApplication).find("PB[A\\\\n[3d\\]  :\xC3\xA9]PW"),
            std::string::npos);
}

TEST(Sgf, RulesWithoutAPresetAreSaidToBeComponents) {
  Header header = header_under({5, 5}, "chinese");
  header.preset.clear();
  header.komi_half = 0;
  EXPECT_NE(to_sgf(Game(header), kApplication).find("RU[components]KM[0]"), std::string::npos);
}

TEST(Sgf, MovesAreWrittenTenToALine) {
  Game game(header_under({5, 5}, "chinese"));
  play(game, {"A1", "E1", "A2", "E2", "A3", "E3", "A4", "E4", "A5", "E5", "C3"});
  const std::string sgf = to_sgf(game, kApplication);
  EXPECT_NE(sgf.find("\n;B[ae];W[ee];B[ad];W[ed];B[ac];W[ec];B[ab];W[eb];B[aa];W[ea]\n;B[cc])\n"),
            std::string::npos);
}

}  // namespace
}  // namespace tengen::rules
