// What a virtual engine answers from its board alone.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/daemon/virtual_rig.h"

namespace tengen::daemon {
namespace {

using protocol::GtpPlay;
using rules::Color;
using rules::KoRule;
using rules::SuicideRule;
using tests::error_text;
using tests::id_request;
using tests::komi_request;
using tests::size_request;
using tests::text_request;
using tests::WireReader;

/// The boards of the document's transcript, each as it is answered: "= ", then eleven lines.
std::vector<std::string> document_boards() {
  std::ifstream file(TENGEN_TESTS_DIR "/data/gtp/document_game.txt");
  std::vector<std::string> boards;
  for (std::string line; std::getline(file, line);) {
    if (line == "= ") {
      boards.push_back(line);
    } else if (line.starts_with(' ')) {
      boards.back() += '\n' + line;
    }
  }
  return boards;
}

/// The stones of such an answer, row by row from the top.
std::string stones_of(const std::string& board) {
  std::string stones;
  std::size_t at = board.find('\n', 3);
  for (int row = 0; row < 9; ++row) {
    for (std::size_t col = 0; col < 9; ++col) stones += board.at(at + 4 + 2 * col);
    at = board.find('\n', at + 1);
  }
  return stones;
}

/// The transcript's moves: the stone that is new on each board, a pass where there is none. Black
/// begins.
std::vector<std::string> document_moves() {
  std::vector<std::string> moves;
  std::string before(81, '.');
  bool is_black = true;
  for (const std::string& board : document_boards()) {
    const std::string after = stones_of(board);
    std::string move = is_black ? "B pass" : "W pass";
    for (std::size_t i = 0; i < 81; ++i) {
      const bool was_empty = before[i] != 'X' && before[i] != 'O';
      if (was_empty && after[i] == (is_black ? 'X' : 'O')) {
        move = move.substr(0, 2) + "ABCDEFGHJ"[i % 9] + std::to_string(9 - i / 9);
      }
    }
    moves.push_back(move);
    before = after;
    is_black = !is_black;
  }
  return moves;
}

TEST(DocumentGameTest, HasTheMovesThatItsBoardsShow) {
  const auto moves = document_moves();
  ASSERT_EQ(moves.size(), 66u);
  EXPECT_EQ(moves[0], "B F6");
  EXPECT_EQ(moves[1], "W C3");
  EXPECT_EQ(moves[30], "B E1");  // takes E2
  EXPECT_EQ(moves[63], "W B3");
  EXPECT_EQ(moves[64], "B pass");
  EXPECT_EQ(moves[65], "W pass");
}

TEST(DocumentGameTest, IsPlayedAndDrawnAsInTheTranscript) {
  VirtualRig rig;
  const auto boards = document_boards();
  const auto moves = document_moves();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    ASSERT_EQ(rig.play(moves[i]), "") << moves[i];
    ASSERT_EQ(rig.raw("showboard"), boards[i]) << moves[i];
  }
}

TEST(DocumentGameTest, IsPlayedByTheEngineAgainstItself) {
  VirtualRig rig;
  const auto boards = document_boards();
  const auto moves = document_moves();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto request = rig.genmove(moves[i]);
    if (moves[i].ends_with("pass")) {
      rig.engine_passes();
    } else {
      rig.engine_plays(moves[i].substr(2));
    }
    ASSERT_EQ(tests::move_text(rig.reply(request)), moves[i]);
    ASSERT_EQ(rig.raw("showboard"), boards[i]) << moves[i];
  }
}

// 31 stones and 9 points against 31 and 8, two dame: one point. GNU Go's two count no eye in a
// seki, which is agreed between players and never found.
TEST(DocumentGameTest, IsBlacksByOnePointAsTheBoardStands) {
  for (const auto scoring : {rules::Scoring::Area, rules::Scoring::Territory}) {
    auto spec = virtual_spec();
    spec.rules.scoring = scoring;
    spec.rules.end = rules::EndRule::AllAlive;
    VirtualRig rig(spec);
    rig.play_all(document_moves());
    EXPECT_EQ(rig.raw("final_score"), "= B+1");
  }
}

TEST(DocumentGameTest, CanBeTheStart) {
  auto spec = virtual_spec();
  spec.start.moves = gtp_moves(document_moves());
  VirtualRig rig(spec);
  EXPECT_EQ(rig.raw("showboard"), document_boards().back());
}

TEST(VirtualBoardTest, NameVersionAndProtocolAreTheEngines) {
  VirtualRig rig;
  EXPECT_EQ(rig.ask("Name", id_request(1)), id_request(1) + tests::bytes_field(2, "GNU Go"));
  EXPECT_EQ(rig.ask("Version", id_request(2)), id_request(2) + tests::bytes_field(2, "3.8"));
  EXPECT_EQ(WireReader(rig.ask("ProtocolVersion", id_request(3))).number(2), 2);
}

TEST(VirtualBoardTest, BeforeAnEngineHasStartedTheNameIsTheProfilesAndTheVersionEmpty) {
  VirtualRig rig;
  rig.facts = {&rig.profile, {}, {}};
  EXPECT_EQ(rig.ask("Name", id_request(1)), id_request(1) + tests::bytes_field(2, "fake"));
  EXPECT_EQ(rig.ask("Version", id_request(2)), id_request(2));
}

std::vector<std::string> listed(VirtualRig& rig) {
  const std::string response = rig.ask("ListCommands", id_request(1));
  std::vector<std::string> names;
  WireReader(response).each([&](int field, std::uint64_t, std::string_view part) {
    if (field == 2) names.emplace_back(part);
  });
  return names;
}

TEST(VirtualBoardTest, TheCommandsAreGtpsOursAndTheProfilesEachOnce) {
  VirtualRig rig;
  const std::vector<std::string> expected = {
      "protocol_version", "name",        "version",  "known_command", "list_commands", "quit",
      "boardsize",        "clear_board", "komi",     "play",          "genmove",       "undo",
      "showboard",        "final_score", "countlib", "captures"};
  EXPECT_EQ(listed(rig), expected);
  for (const std::string& name : expected) {
    EXPECT_EQ(WireReader(rig.ask("KnownCommand", text_request(1, name))).number(2), 1) << name;
  }
  for (const std::string name : {"loadsgf", "Play", "", "showboard ", "genmove_black"}) {
    EXPECT_EQ(WireReader(rig.ask("KnownCommand", text_request(1, name))).number(2), 0) << name;
  }
}

TEST(VirtualBoardTest, AProfileThatIsGoneAllowsNoCommandsOfItsOwn) {
  VirtualRig rig;
  rig.facts.profile = nullptr;
  EXPECT_EQ(listed(rig).back(), "final_score");
  EXPECT_EQ(rig.raw("countlib A1"), "? unknown command");
}

TEST(VirtualBoardTest, AColourMayMoveTwiceAndPassesEndNothing) {
  VirtualRig rig;
  rig.play_all({"B D4", "B E5", "W pass", "B pass", "W pass", "W C3"});
  EXPECT_EQ(rig.record().moves().size(), 6u);
  rig.genmove("W");
  EXPECT_EQ(rig.jobs().size(), 1u);
}

TEST(VirtualBoardTest, UndoStepsBackOverPassesToTheStart) {
  VirtualRig rig;
  rig.play_all({"B D4", "W pass", "B pass"});
  EXPECT_EQ(rig.undo(), "");
  EXPECT_EQ(rig.undo(), "");
  EXPECT_EQ(rig.record().moves(),
            std::vector{rules::Move::play(Color::Black, *rules::parse_gtp_vertex("D4", {9, 9}))});
  EXPECT_EQ(rig.undo(), "");
  EXPECT_EQ(rig.undo(), "cannot undo");
  EXPECT_EQ(rig.record().board().stones(), 0);
}

TEST(VirtualBoardTest, UndoGivesCapturedStonesBack) {
  VirtualRig rig;
  rig.play_all({"W A1", "B A2"});
  const std::string before = rig.raw("showboard");
  rig.play_all({"B B1"});
  EXPECT_EQ(rig.record().captured_by(Color::Black), 1);
  EXPECT_EQ(rig.undo(), "");
  EXPECT_EQ(rig.raw("showboard"), before);
}

TEST(VirtualBoardTest, AMoveOnAStoneOffTheBoardOrOfSuicideIsIllegalAndChangesNothing) {
  VirtualRig rig(virtual_spec(2));
  rig.play_all({"B A1", "B B2"});
  EXPECT_EQ(rig.play("W A1"), "illegal move");
  EXPECT_EQ(rig.play("W A2"), "illegal move");  // both neighbours are black
  EXPECT_EQ(rig.play("W C1"), "illegal move");
  EXPECT_EQ(rig.play("W T19"), "illegal move");
  EXPECT_EQ(rig.record().moves().size(), 2u);
  rig.play_all({"W pass"});
}

// On 2x2 three black stones are taken by white's fourth; when they stand again and take that stone,
// the board is as it was after the third move.
const std::vector<std::string> kToRepetition = {"B A1", "B A2", "B B2", "W B1", "B A1", "B A2"};

TEST(VirtualBoardTest, PositionalSuperkoHoldsWhateverTheOrderOfColours) {
  VirtualRig rig(virtual_spec(2));
  rig.play_all(kToRepetition);
  EXPECT_EQ(rig.play("B B2"), "illegal move");
}

TEST(VirtualBoardTest, AnEngineMayBeOpenedWithOtherRules) {
  auto spec = virtual_spec(2);
  spec.rules.ko = KoRule::Simple;
  spec.rules.suicide = SuicideRule::Any;
  VirtualRig rig(spec);
  rig.play_all(kToRepetition);
  EXPECT_EQ(rig.play("B B2"), "");
  EXPECT_EQ(rig.undo(), "");
  VirtualRig other(spec);
  other.play_all({"B A1", "B B2", "W A2"});
  EXPECT_EQ(other.record().board().stones(), 2);
  EXPECT_EQ(other.record().captured_by(Color::Black), 1);
}

TEST(VirtualBoardTest, BoardSizeClearsTheBoardAndLeavesTheKomi) {
  VirtualRig rig;
  rig.play_all({"B D4"});
  rig.ask("Komi", komi_request(1, 6.5f));
  EXPECT_EQ(rig.ask("BoardSize", size_request(7, 13)), id_request(7));
  EXPECT_EQ(rig.record().size(), (rules::Size{13, 13}));
  EXPECT_EQ(rig.record().board().stones(), 0);
  EXPECT_EQ(rig.engine().board().komi_half(), 13);
  EXPECT_EQ(rig.undo(), "cannot undo");
}

TEST(VirtualBoardTest, ASizeThatTheProfileCannotPlayIsUnacceptableAndChangesNothing) {
  VirtualRig rig;
  rig.play_all({"B D4"});
  for (const int size : {0, 1, 20, 25, 26, -1}) {
    EXPECT_EQ(error_text(rig.ask("SetBoardSize", size_request(1, size))), "unacceptable size")
        << size;
  }
  EXPECT_EQ(rig.record().moves().size(), 1u);
  rig.facts.profile = nullptr;
  EXPECT_EQ(error_text(rig.ask("BoardSize", size_request(1, 9))), "unacceptable size");
}

TEST(VirtualBoardTest, ClearBoardLeavesSizeAndKomi) {
  VirtualRig rig;
  rig.ask("SetKomi", komi_request(1, -0.5f));
  rig.play_all({"B D4", "W A1", "B A2", "B B1"});
  EXPECT_EQ(rig.ask("ClearBoard", id_request(9)), id_request(9));
  EXPECT_EQ(rig.record().size(), (rules::Size{9, 9}));
  EXPECT_TRUE(rig.record().moves().empty());
  EXPECT_EQ(rig.record().captured_by(Color::Black), 0);
  EXPECT_EQ(rig.engine().board().komi_half(), -1);
}

TEST(VirtualBoardTest, TheScoreIsAsTheBoardStandsWithKomi) {
  VirtualRig rig;
  EXPECT_EQ(rig.raw("final_score"), "= 0");
  EXPECT_EQ(rig.ask("Komi", komi_request(1, 6.5f)), id_request(1));
  EXPECT_EQ(rig.raw("final_score"), "= W+6.5");
  rig.play_all({"B E5"});  // the whole board: 81
  EXPECT_EQ(rig.raw("final_score"), "= B+74.5");
  EXPECT_EQ(error_text(rig.ask("Komi", komi_request(1, 6.25f))),
            "komi must be a multiple of 0.5 within 400 points either way");
  EXPECT_EQ(rig.raw("final_score"), "= B+74.5");
}

TEST(VirtualBoardTest, RawCommandsAreOursOrTheProfiles) {
  VirtualRig rig;
  EXPECT_EQ(rig.raw("showboard now"), "? syntax error");
  EXPECT_EQ(rig.raw("final_score 1"), "? syntax error");
  EXPECT_EQ(rig.raw("play B D4"), "? not a raw command: call Play");
  EXPECT_EQ(rig.raw("boardsize 9"), "? not a raw command: call BoardSize");
  for (const char* line :
       {"loadsgf x", "printsgf /tmp/x", "Showboard", "countlibs", "12 showboard"}) {
    EXPECT_EQ(rig.raw(line), "? unknown command") << line;
  }
  EXPECT_TRUE(rig.jobs().empty());
}

TEST(VirtualBoardTest, ABoardHasAtMostSoManyMoves) {
  VirtualEngineLimits limits;
  limits.moves_max = 3;
  VirtualRig rig(virtual_spec(), limits);
  rig.play_all({"B D4", "W pass", "B pass"});
  EXPECT_EQ(rig.play("W E5"), "too many moves");
  EXPECT_EQ(rig.error(rig.genmove("W")).reason, "moves_max");
  EXPECT_EQ(rig.undo(), "");
  rig.genmove("W");
  rig.engine_passes();
  EXPECT_EQ(rig.record().moves().size(), 3u);
}

TEST(VirtualBoardTest, TheStartsMovesAreJudgedAndCanBeTakenBack) {
  auto spec = virtual_spec(2);
  spec.start.komi_half = 3;
  spec.start.moves = gtp_moves(kToRepetition);
  VirtualRig rig(spec);
  EXPECT_EQ(rig.record().moves().size(), kToRepetition.size());
  EXPECT_EQ(rig.engine().board().komi_half(), 3);
  EXPECT_EQ(rig.play("B B2"), "illegal move");
  EXPECT_EQ(rig.undo(), "");

  spec.start.moves.push_back({Color::Black, "B2"});
  const auto repeated = VirtualBoard::make(spec, 100);
  ASSERT_TRUE(std::holds_alternative<protocol::Error>(repeated));
  EXPECT_EQ(std::get<protocol::Error>(repeated).code, protocol::ErrorCode::IllegalMove);
  EXPECT_EQ(std::get<protocol::Error>(repeated).reason, "superko");
  const auto too_long = VirtualBoard::make(spec, 3);
  ASSERT_TRUE(std::holds_alternative<protocol::Error>(too_long));
  EXPECT_EQ(std::get<protocol::Error>(too_long).reason, "moves_max");
}

TEST(VirtualBoardTest, TheUsualRulesAreThoseOfThePresetChinese) {
  EXPECT_EQ(kVirtualRules, rules::find_preset("chinese")->rules);
  EXPECT_EQ(kVirtualRules.ko, KoRule::Positional);
  EXPECT_EQ(kVirtualRules.suicide, SuicideRule::No);
  const VirtualEngineSpec spec;
  EXPECT_EQ(spec.start, (protocol::GtpStart{{19, 19}, 0, {}}));
}

}  // namespace
}  // namespace tengen::daemon
