#include "rules/sgf_game.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "rules/sgf.h"
#include "tests/rules/sgf_files.h"

namespace tengen::rules {
namespace {

namespace json = boost::json;
using tengen::tests::json_text;
using tengen::tests::parsed_sgf;
using tengen::tests::sgf_bytes;
using tengen::tests::sgf_error;
using tengen::tests::sgf_manifest;

SgfGame game_in(const SgfTree& tree) {
  const auto game = game_of(tree);
  if (const auto* error = std::get_if<SgfError>(&game)) {
    ADD_FAILURE() << error->line << ":" << error->column << ": " << error->reason;
    return {};
  }
  return std::get<SgfGame>(game);
}

SgfGame game_in(std::string_view bytes) { return game_in(parsed_sgf(bytes).trees.at(0)); }

/// "LINE:COLUMN: REASON", or the empty text when the tree is a game.
std::string game_error(const SgfTree& tree) {
  const auto game = game_of(tree);
  const auto* error = std::get_if<SgfError>(&game);
  if (error == nullptr) return {};
  return std::to_string(error->line) + ":" + std::to_string(error->column) + ": " + error->reason;
}

std::string game_error(std::string_view bytes) { return game_error(parsed_sgf(bytes).trees.at(0)); }

int moves_in(const SgfGame& game) {
  return static_cast<int>(std::count_if(game.steps.begin(), game.steps.end(),
                                        [](const SgfStep& step) { return step.is_move(); }));
}

int passes_in(const SgfGame& game) {
  return static_cast<int>(
      std::count_if(game.steps.begin(), game.steps.end(),
                    [](const SgfStep& step) { return step.kind == SgfStepKind::Pass; }));
}

int edits_in(const SgfGame& game, Cell cell) {
  int count = 0;
  for (const SgfStep& step : game.steps) {
    for (const Placement& edit : step.edits) count += edit.cell == cell ? 1 : 0;
  }
  return count;
}

/// The steps as one line: "+D5 -A1" for a set-up, "B[D5]", "W[]", "B?xx" for a move of no point.
std::string steps_text(const SgfGame& game) {
  std::string text;
  for (const SgfStep& step : game.steps) {
    if (!text.empty()) text += ' ';
    if (step.kind == SgfStepKind::Setup) {
      for (const Placement& edit : step.edits) {
        text +=
            std::string(1, ".XO"[static_cast<int>(edit.cell)]) + gtp_vertex(edit.point, game.size);
      }
      continue;
    }
    text += step.color == Color::Black ? 'B' : 'W';
    if (step.kind == SgfStepKind::Unplayable) text += "?" + step.text;
    if (step.kind == SgfStepKind::Play) text += gtp_vertex(step.point, game.size);
    if (step.kind == SgfStepKind::Pass) text += '-';
  }
  return text;
}

bool alternates(const SgfGame& game) {
  const SgfStep* last = nullptr;
  for (const SgfStep& step : game.steps) {
    if (!step.is_move()) continue;
    if (last != nullptr && last->color == step.color) return false;
    last = &step;
  }
  return true;
}

/// The first move on the board, as a vertex.
std::string first_play(const SgfGame& game) {
  for (const SgfStep& step : game.steps) {
    if (step.kind == SgfStepKind::Play) return gtp_vertex(step.point, game.size);
  }
  return {};
}

/// What is asked of a file with one game of Go. Gives the keys it knows.
std::set<std::string> check_game(const json::object& expect, const SgfTree& tree) {
  const SgfGame game = game_in(tree);
  const SgfNode& root = tree.root();
  const json::object found = {
      {"size", static_cast<int>(game.size.width)},
      {"moves", moves_in(game)},
      {"passes", passes_in(game)},
      {"setup_black", edits_in(game, Cell::Black)},
      {"setup_white", edits_in(game, Cell::White)},
      {"handicap_property", game.handicap},
      {"first_to_move", game.first == Color::Black ? "B" : "W"},
      {"first_move", first_play(game)},
      {"strict_alternation", alternates(game)},
      {"player_property_valid", game.stated_first.has_value()},
      {"PB", game.black},
      {"PB_if_guessed", game.black},
      {"PW", game.white},
      {"EV", game.event},
      {"comment", text_of(root.value("C"))},
      {"comment_length", text_of(root.value("C")).size()},
      {"nodes_total", tree.nodes.size()},
      {"ff_assumed", tree.format},
      {"game", is_go(tree) ? 1 : 0},
      {"setup_after_start",
       std::any_of(game.steps.begin() + (game.steps.empty() ? 0 : 1), game.steps.end(),
                   [](const SgfStep& step) { return !step.is_move(); })},
  };
  std::set<std::string> known;
  for (const auto& [key, value] : found) {
    known.emplace(key);
    const json::value* wanted = expect.if_contains(key);
    if (wanted == nullptr) continue;
    EXPECT_EQ(json::serialize(*wanted), json::serialize(value)) << key;
  }
  return known;
}

TEST(SgfGame, EveryAwkwardFileGivesWhatItsManifestSays) {
  // Other tests: files with several trees and those that leave a choice; replays are not for here.
  const std::set<std::string> elsewhere = {"note", "trees", "LB", "illegal_at",
                                           "illegal_at_default_rules"};
  int count = 0;
  const json::value manifest = sgf_manifest("awkward_manifest.json");
  for (const auto& entry : manifest.at("files").as_array()) {
    const json::object& expect = entry.at("expect").as_object();
    SCOPED_TRACE(json_text(entry.at("file")));
    ++count;
    if (expect.contains("either")) continue;
    const SgfCollection collection = parsed_sgf(sgf_bytes(json_text(entry.at("file"))));
    EXPECT_EQ(collection.trees.size(), expect.at("trees").to_number<std::size_t>());
    if (collection.trees.size() != 1) continue;
    const std::set<std::string> known = check_game(expect, collection.trees.front());
    for (const auto& [key, value] : expect) {
      EXPECT_TRUE(known.contains(std::string(key)) || elsewhere.contains(std::string(key))) << key;
    }
  }
  EXPECT_EQ(count, 31);
}

TEST(SgfGame, EveryRecordGivesWhatItsManifestSays) {
  int count = 0;
  const json::value manifest = sgf_manifest("games_manifest.json");
  for (const auto& entry : manifest.at("games").as_array()) {
    SCOPED_TRACE(json_text(entry.at("file")));
    const json::value& facts = entry.at("facts");
    const SgfGame game = game_in(sgf_bytes(json_text(entry.at("file"))));
    const int size = entry.at("size").to_number<int>();
    EXPECT_EQ(game.size, (Size{static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(size)}));
    EXPECT_EQ(game.komi_half.has_value(), !json_text(entry.at("komi")).empty());
    if (game.komi_half) {
      EXPECT_EQ(*game.komi_half, 2 * std::stod(json_text(entry.at("komi"))));
    }
    EXPECT_EQ(game.rules, json_text(entry.at("rules")));
    EXPECT_EQ(game.result, json_text(entry.at("result")));
    EXPECT_EQ(game.handicap, entry.at("handicap").to_number<int>());
    EXPECT_EQ(moves_in(game), facts.at("moves").to_number<int>());
    EXPECT_EQ(passes_in(game), facts.at("passes").to_number<int>());
    EXPECT_EQ(edits_in(game, Cell::Black), facts.at("setup_black").to_number<int>());
    EXPECT_EQ(edits_in(game, Cell::White), facts.at("setup_white").to_number<int>());
    EXPECT_EQ(alternates(game), facts.at("strict_alternation").as_bool());
    EXPECT_EQ(game.first == Color::Black ? "B" : "W", json_text(facts.at("first_to_move")));
    ++count;
  }
  EXPECT_EQ(count, 60);
}

TEST(SgfGame, OtherGamesInACollectionAreNamed) {
  const SgfCollection collection = parsed_sgf(sgf_bytes("awkward/17-collection.sgf"));
  ASSERT_EQ(collection.trees.size(), 4u);
  EXPECT_EQ(moves_in(game_in(collection.trees[0])), 1);
  EXPECT_EQ(moves_in(game_in(collection.trees[1])), 2);
  EXPECT_EQ(game_error(collection.trees[2]), "3:2: not a game of Go: GM[2]");
  EXPECT_EQ(moves_in(game_in(collection.trees[3])), 3);
}

TEST(SgfGame, KomiMayBeFoxOrEmpty) {
  std::vector<std::optional<int>> komi_half;
  for (const SgfTree& tree : parsed_sgf(sgf_bytes("awkward/33-komi-forms.sgf")).trees) {
    komi_half.push_back(game_in(tree).komi_half);
  }
  EXPECT_EQ(komi_half, (std::vector<std::optional<int>>{13, 15, 15, std::nullopt}));
}

TEST(SgfGame, BoardSizesAreAcceptedOrNamed) {
  const SgfCollection collection = parsed_sgf(sgf_bytes("awkward/34-sz-forms.sgf"));
  ASSERT_EQ(collection.trees.size(), 5u);
  EXPECT_EQ(game_in(collection.trees[0]).size, (Size{19, 19}));
  EXPECT_EQ(game_in(collection.trees[1]).size, (Size{13, 9}));
  EXPECT_EQ(game_error(collection.trees[2]),
            "1:68: SZ[26] is no board size: 1 to 25 points each way");
  EXPECT_EQ(game_in(collection.trees[3]).size, (Size{1, 1}));
  EXPECT_EQ(game_error(collection.trees[4]),
            "1:117: SZ[abc] is no board size: 1 to 25 points each way");
  for (const char* bad : {"0", "-9", "9:", ":9", "9:26", "9x9", "9:9:9", ""}) {
    EXPECT_EQ(game_error("(;SZ[" + std::string(bad) + "])"),
              "1:3: SZ[" + std::string(bad) + "] is no board size: 1 to 25 points each way");
  }
}

TEST(SgfGame, FilesThatLeaveAChoice) {
  EXPECT_EQ(moves_in(game_in(sgf_bytes("awkward/05-utf16le.sgf"))), 4);
  EXPECT_EQ(steps_text(game_in(sgf_bytes("awkward/26-two-colours-one-node.sgf"))), "BE5 WE3 BC7");
  EXPECT_EQ(sgf_error(sgf_bytes("awkward/29-truncated.sgf")),
            "1:32: the value of B that begins here has no closing bracket");
  EXPECT_EQ(game_error(sgf_bytes("awkward/35-overlapping-setup.sgf")),
            "1:28: AW sets up E5, which this node has set up before");
  EXPECT_EQ(steps_text(game_in(sgf_bytes("awkward/36-setup-no-liberty.sgf"))), "XB9XA8OA9 BC7");
}

TEST(SgfGame, LabelsAreComposedValues) {
  const SgfTree tree = parsed_sgf(sgf_bytes("awkward/07-escapes.sgf")).trees.at(0);
  const SgfProperty* labels = tree.nodes.at(1).find("LB");
  ASSERT_NE(labels, nullptr);
  ASSERT_EQ(labels->values.size(), 2u);
  const auto first = composed(labels->values[0]).value();
  EXPECT_EQ(first.first, "ee");
  EXPECT_EQ(simple_text_of(first.second), "A:B");
}

TEST(SgfGame, PointListsAreRectangles) {
  EXPECT_EQ(steps_text(game_in("(;SZ[5]AB[aa:bb][ee]AW[ec:cc];AE[aa:ba];AB[bb: a\na][])")),
            "XA5XB5XA4XB4XE1OC3OD3OE3 .A5.B5 XA5XB5XA4XB4");
}

TEST(SgfGame, SetupIsOneStepWhereItsFirstPropertyStands) {
  EXPECT_EQ(steps_text(game_in("(;SZ[5]AW[aa]B[cc]AB[bb];W[dd]AE[aa]AB[ee]B[])")),
            "OA5XB4 BC3 WD2 .A5XE1 B-");
}

TEST(SgfGame, SetupThatIsNoPointIsAnError) {
  EXPECT_EQ(game_error("(;SZ[9]\nAB[aa][jj])"), "2:1: AB[jj] names no point of the board");
  EXPECT_EQ(game_error("(;SZ[9]AW[a])"), "1:8: AW[a] names no point of the board");
  EXPECT_EQ(game_error("(;SZ[9]AE[aa:zz])"), "1:8: AE[aa:zz] names no point of the board");
  EXPECT_EQ(game_error("(;SZ[9]AB[aa][aa])"),
            "1:8: AB sets up A9, which this node has set up before");
  EXPECT_EQ(game_error("(;SZ[9]AB[aa];AW[aa])"), "");
}

TEST(SgfGame, MovesOfNoPointStayNumberedSteps) {
  const SgfGame game = game_in("(;SZ[9];B[aa];W[jj];B[AA];W[a];B[ab:c];W[ e\ne ];\nB[" +
                               std::string(60, 'x') + "])");
  EXPECT_EQ(steps_text(game), "BA9 W?jj B?AA W?a B?ab:c WE5 B?" + std::string(40, 'x'));
  EXPECT_EQ(game.steps.at(1).node, 2u);
  EXPECT_EQ(game.steps.at(6).place, (SgfPlace{3, 1}));
}

TEST(SgfGame, TtPassesUpToNineteen) {
  EXPECT_EQ(steps_text(game_in("(;SZ[19];B[tt];W[];B[ \n])")), "B- W- B-");
  EXPECT_EQ(steps_text(game_in("(;SZ[20:19];B[tt];W[ss])")), "B?tt WT1");
  EXPECT_EQ(steps_text(game_in("(;SZ[25];B[tt];W[yy])")), "BU6 WZ1");
}

TEST(SgfGame, OnlyTheMainLineIsRead) {
  EXPECT_EQ(steps_text(game_in("(;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee]))")), "BA9 WB8 BC7");
}

TEST(SgfGame, TheStonesDecideWhoBegins) {
  const std::vector<std::pair<std::string, Color>> cases = {
      {"(;)", Color::Black},
      {"(;HA[5])", Color::Black},
      {"(;AB[aa])", Color::Black},
      {"(;AB[aa][bb])", Color::White},
      {"(;HA[0]AB[aa];AB[bb];W[cc])", Color::White},
      {"(;AB[aa];B[cc];AB[bb])", Color::Black},
      {"(;AB[aa][bb]AW[cc])", Color::Black},
      {"(;AB[aa][bb]PL[B])", Color::Black},
      {"(;AB[aa][bb]PL[black])", Color::White},
      {"(;PL[W])", Color::White},
      {"(;;PL[ w ])", Color::White},
      {"(;PL[1];B[aa];PL[W])", Color::Black},
  };
  for (const auto& [text, first] : cases) EXPECT_EQ(game_in(text).first, first) << text;
}

TEST(SgfGame, TheRootIsRead) {
  const SgfGame game = game_in(
      "(;GM[1]SZ[9]KM[6.5]HA[2]RU[Japanese]PB[Ann\\] "
      "B]PW[\xC3\xA9]DT[2020-01-02]EV[Cup\n1]RE[W+R])");
  EXPECT_EQ(game.komi_half, 13);
  EXPECT_EQ(game.handicap, 2);
  EXPECT_EQ(game.rules, "Japanese");
  EXPECT_EQ(game.black, "Ann] B");
  EXPECT_EQ(game.white, "\xC3\xA9");
  EXPECT_EQ(game.date, "2020-01-02");
  EXPECT_EQ(game.event, "Cup 1");
  EXPECT_EQ(game.result, "W+R");
}

TEST(SgfGame, GamesThatAreNotGoSaySo) {
  EXPECT_EQ(game_error("(;GM[11])"), "1:2: not a game of Go: GM[11]");
  EXPECT_EQ(game_error("(;GM[Go])"), "1:2: not a game of Go: GM[Go]");
  EXPECT_EQ(game_error("(;GM[ 1 ])"), "");
  EXPECT_EQ(game_error("(;GM[])"), "");
}

TEST(SgfGame, LongGamesAreRead) {
  std::string text = "(;SZ[25]";
  for (int i = 0; i < 50'000; ++i) text += ";B[aa]AE[aa]";
  EXPECT_EQ(game_in(text + ")").steps.size(), 100'000u);
}

Header header_of(Size size, std::string_view preset) {
  Header header;
  header.size = size;
  header.preset = preset;
  header.rules = find_preset(preset)->rules;
  header.komi_half = find_preset(preset)->komi_half;
  header.seats[0].name = "Ann";
  header.seats[1].name = "Bob";
  return header;
}

TEST(SgfGame, WhatWeWriteIsReadBack) {
  Header header = header_of({13, 9}, "aga");
  header.setup = {{Color::Black, Point::at(3, 2)}, {Color::Black, Point::at(9, 6)}};
  header.first = Color::White;
  header.komi_half = 1;
  Game game(header);
  ASSERT_EQ(game.play(Color::White, Point::at(12, 8), {}), Refusal::None);
  ASSERT_EQ(game.pass(Color::Black, {}), Refusal::None);
  ASSERT_EQ(game.resign(Color::White, {}), Refusal::None);
  const SgfGame read = game_in(to_sgf(game, "Tengen:0.1.0"));
  EXPECT_EQ(read.size, (Size{13, 9}));
  EXPECT_EQ(read.komi_half, 1);
  EXPECT_EQ(read.handicap, 2);
  EXPECT_EQ(preset_of_rules(read.rules), "aga");
  EXPECT_EQ(read.first, Color::White);
  EXPECT_EQ(parse_result_text(read.result),
            (SgfResult{SgfResultKind::Resign, Color::Black, std::nullopt}));
  EXPECT_EQ(steps_text(read), "XD7XK3 WN1 B-");
}

TEST(SgfGame, EveryNameIsReadBack) {
  for (const std::string& name :
       {std::string("Müller[3k]\\"), std::string("棋聖 申眞諝"), std::string("🙂👩‍🚀"),
        std::string(500, ']'), std::string(499, 'x') + "\\"}) {
    Header header = header_of({9, 9}, "chinese");
    header.seats[0].name = name;
    header.komi_half = 750;  // looks like Fox's hundredths
    const SgfGame read = game_in(to_sgf(Game(header), "Tengen:0.1.0"));
    EXPECT_EQ(read.black, name);
    EXPECT_EQ(read.white, "Bob");
    EXPECT_EQ(read.komi_half, 750);
  }
}

TEST(SgfGame, WhatAFileCanMakeOfAFewBytesIsLimited) {
  const auto reason = [](std::string_view sgf, const SgfGameLimits& limits) {
    const auto game = game_of(parsed_sgf(sgf).trees.front(), limits);
    return std::get<SgfError>(game).reason;
  };
  EXPECT_EQ(reason("(;SZ[25];AB[aa:yy])", {.edited_points = 600}), "more than 600 points set up");
  EXPECT_EQ(reason("(;SZ[9];B[];W[];B[];W[])", {.steps = 2}), "more than 2 moves and setups");
}

TEST(SgfGame, StonesThatWereErasedAgainAreNoHandicap) {
  EXPECT_EQ(
      std::get<SgfGame>(game_of(parsed_sgf("(;SZ[9]AB[aa][cc]AW[bb];AE[bb])").trees[0])).first,
      Color::White);
  EXPECT_EQ(std::get<SgfGame>(game_of(parsed_sgf("(;SZ[9]AB[aa][cc];AE[aa])").trees[0])).first,
            Color::Black);
}

TEST(SgfGame, AKomiThatCannotBeReadIsKept) {
  const auto unread = [](std::string_view sgf) {
    return std::get<SgfGame>(game_of(parsed_sgf(sgf).trees.front())).unread_komi;
  };
  EXPECT_EQ(unread("(;KM[7.3])"), "7.3");
  EXPECT_EQ(unread("(;KM[6.5])"), "");
  EXPECT_EQ(unread("(;KM[ ])"), "");
}

}  // namespace
}  // namespace tengen::rules
