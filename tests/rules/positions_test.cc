// The rules core against tests/data/rules/positions.json: positions checked by several independent
// implementations, named in each case.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "rules/benson.h"
#include "rules/game.h"
#include "rules/record.h"
#include "rules/score.h"
#include "tests/support/drawn_board.h"

namespace tengen::rules {
namespace {

namespace json = boost::json;
using tengen::tests::drawn;
using tengen::tests::vertex;

std::string string_of(const json::value& value) { return json::value_to<std::string>(value); }

std::vector<std::string> texts_of(const json::value& value) {
  return json::value_to<std::vector<std::string>>(value);
}

Size size_of(const json::value& test_case) {
  const auto size = json::value_to<std::vector<int>>(test_case.at("size"));
  return {static_cast<std::uint8_t>(size[0]), static_cast<std::uint8_t>(size[1])};
}

Color color_named(const json::value& value) {
  return string_of(value) == "B" ? Color::Black : Color::White;
}

/// The cases of one kind.
std::vector<json::object> cases_of(std::string_view kind) {
  std::ifstream file(TENGEN_TESTS_DIR "/data/rules/positions.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<json::object> cases;
  const json::value document = json::parse(text);
  for (const json::value& test_case : document.at("cases").as_array()) {
    if (string_of(test_case.at("kind")) == kind) cases.push_back(test_case.as_object());
  }
  return cases;
}

std::vector<Point> points_of(const json::value& vertices, Size size) {
  std::vector<Point> points;
  for (const std::string& name : texts_of(vertices)) points.push_back(vertex(name, size));
  std::sort(points.begin(), points.end());
  return points;
}

std::string board_text(const json::value& rows) {
  std::string text;
  for (const std::string& row : texts_of(rows)) text += row + "\n";
  return text;
}

Record start_of(const json::value& test_case) {
  const json::value& rules = test_case.at("rules");
  Record record(size_of(test_case), parse_ko(string_of(rules.at("ko"))).value(),
                parse_suicide(string_of(rules.at("suicide"))).value());
  if (const json::value* rows = test_case.as_object().if_contains("rows")) {
    EXPECT_TRUE(record.set_up(drawn(texts_of(*rows)).stones));
  }
  return record;
}

void make_step(Record& record, const json::value& step) {
  const Color color = color_named(step.at("color"));
  const std::string at = string_of(step.at("at"));
  SCOPED_TRACE(at);
  const Move move = at == "pass" ? Move::pass(color) : Move::play(color, vertex(at, record.size()));
  if (!step.at("legal").as_bool()) {
    EXPECT_EQ(name_of(record.play(move)), string_of(step.at("why")));
    return;
  }
  ASSERT_EQ(record.play(move), Refusal::None);
  if (const json::value* captured = step.as_object().if_contains("captured")) {
    std::vector<Point> taken = record.taken();
    std::sort(taken.begin(), taken.end());
    EXPECT_EQ(taken, points_of(*captured, record.size()));
  }
  if (const json::value* ko = step.as_object().if_contains("ko")) {
    std::optional<Stone> ban;
    if (!ko->is_null()) ban = Stone{other(color), vertex(string_of(*ko), record.size())};
    EXPECT_EQ(record.ko_ban(), ban);
  }
}

void expect_refusals(const Record& record, const json::value& expect) {
  const Color color = color_named(expect.at("to_move"));
  EXPECT_EQ(static_cast<std::int64_t>(record.legal_points(color).size()),
            expect.at("legal_count").as_int64());
  for (const auto& [name, why] : expect.at("illegal").as_object()) {
    const Point point = vertex(std::string(name), record.size());
    EXPECT_EQ(name_of(record.check(Move::play(color, point))), string_of(why)) << name;
  }
}

void expect_chains(const Board& board, const json::value& chains) {
  for (const json::value& chain : chains.as_array()) {
    const Point at = vertex(string_of(chain.at("at")), board.size());
    EXPECT_EQ(board.at(at), cell_of(color_named(chain.at("color"))));
    EXPECT_EQ(board.chain_size(at), chain.at("stones").as_int64());
    EXPECT_EQ(board.liberties(at), chain.at("liberties").as_int64());
  }
}

void expect_end(const Record& record, const json::value& expect) {
  EXPECT_EQ(record.board().to_text(), board_text(expect.at("rows")));
  const json::value& captured = expect.at("captured");
  EXPECT_EQ(record.captured_by(Color::White), captured.at("B").as_int64());
  EXPECT_EQ(record.captured_by(Color::Black), captured.at("W").as_int64());
  expect_refusals(record, expect);
  expect_chains(record.board(), expect.at("chains"));
}

TEST(Positions, PlayCasesGoAsTheReferencesSay) {
  const auto cases = cases_of("play");
  ASSERT_EQ(cases.size(), 65u);
  for (const json::value test_case : cases) {
    SCOPED_TRACE(string_of(test_case.at("id")));
    Record record = start_of(test_case);
    for (const json::value& step : test_case.at("expect").at("steps").as_array()) {
      make_step(record, step);
    }
    expect_end(record, test_case.at("expect"));
  }
}

void expect_area(const Area& found, const json::value& expect) {
  EXPECT_EQ(found.black, expect.at("black").as_int64());
  EXPECT_EQ(found.white, expect.at("white").as_int64());
}

TEST(Positions, AreasAreThoseOfTheReferences) {
  const auto cases = cases_of("score");
  ASSERT_EQ(cases.size(), 28u);
  for (const json::value test_case : cases) {
    SCOPED_TRACE(string_of(test_case.at("id")));
    const Board board = tengen::tests::board_of(texts_of(test_case.at("rows")));
    const json::value& expect = test_case.at("expect");
    expect_area(area(board), expect.at("area_all_stones_alive"));
    expect_area(area(board, points_of(test_case.at("dead"), board.size())), expect.at("area"));
  }
}

std::string drawn_owners(const Board& board, const Owners& owners) {
  std::string text;
  for (int row = 0; row < board.size().height; ++row) {
    for (int col = 0; col < board.size().width; ++col) {
      const Cell owner = owners[Point::at(col, row).index()];
      text += owner == Cell::Black ? 'X' : owner == Cell::White ? 'O' : '.';
    }
    text += '\n';
  }
  return text;
}

TEST(Positions, OwnersOfPointsAreThoseOfTheReferences) {
  for (const json::value test_case : cases_of("score")) {
    SCOPED_TRACE(string_of(test_case.at("id")));
    const Board board = tengen::tests::board_of(texts_of(test_case.at("rows")));
    const std::vector<Point> dead = points_of(test_case.at("dead"), board.size());
    const Marks marks{dead, points_of(test_case.at("seki"), board.size())};
    const json::value& expect = test_case.at("expect");
    EXPECT_EQ(drawn_owners(board, area_owners(board, dead)),
              board_text(expect.at("area").at("map")));
    EXPECT_EQ(drawn_owners(board, territory_owners(board, marks)),
              board_text(expect.at("territory").at("map")));
  }
}

void expect_territory(const json::value& test_case, DeadOutsideTerritory outside,
                      const json::value& expect) {
  const Board board = tengen::tests::board_of(texts_of(test_case.at("rows")));
  const Marks marks{points_of(test_case.at("dead"), board.size()),
                    points_of(test_case.at("seki"), board.size())};
  const Territory found = territory(board, marks, outside);
  const json::value& lost = test_case.at("prisoners");
  EXPECT_EQ(found.black + found.dead_white + lost.at("white_stones_captured").as_int64(),
            expect.at("black_points").as_int64());
  EXPECT_EQ(found.white + found.dead_black + lost.at("black_stones_captured").as_int64(),
            expect.at("white_points").as_int64());
}

TEST(Positions, TerritoriesAreThoseOfTheReferences) {
  for (const json::value test_case : cases_of("score")) {
    SCOPED_TRACE(string_of(test_case.at("id")));
    const json::value& expect = test_case.at("expect");
    expect_territory(test_case, DeadOutsideTerritory::IsPrisoner, expect.at("territory"));
    expect_territory(test_case, DeadOutsideTerritory::Stays, expect.at("territory_strict_1989"));
  }
}

void expect_alive(const Board& board, SuicideRule suicide, const json::value& expect) {
  Owners map{};
  for (const Color color : {Color::Black, Color::White}) {
    const std::string key = color == Color::Black ? "black" : "white";
    const PassAlive alive = pass_alive(board, color, suicide);
    EXPECT_EQ(static_cast<std::int64_t>(alive.stones.size()),
              expect.at("alive_stones_" + key).as_int64());
    EXPECT_EQ(static_cast<std::int64_t>(alive.territory.size()),
              expect.at("territory_" + key).as_int64());
    for (const Point point : alive.stones) map[point.index()] = cell_of(color);
    for (const Point point : alive.territory) map[point.index()] = cell_of(color);
  }
  EXPECT_EQ(drawn_owners(board, map), board_text(expect.at("map")));
}

TEST(Positions, UnconditionalLifeIsThatOfTheReferences) {
  const auto cases = cases_of("unconditional");
  ASSERT_EQ(cases.size(), 20u);
  for (const json::value test_case : cases) {
    SCOPED_TRACE(string_of(test_case.at("id")));
    const Board board = tengen::tests::board_of(texts_of(test_case.at("rows")));
    const json::value& expect = test_case.at("expect");
    expect_alive(board, SuicideRule::No, expect.at("suicide_illegal"));
    expect_alive(board, SuicideRule::Multi, expect.at("suicide_legal"));
    expect_alive(board, SuicideRule::Any, expect.at("suicide_legal"));
    for (const json::value& chain : expect.at("chains_suicide_illegal").as_array()) {
      const Point at = vertex(string_of(chain.at("at")), board.size());
      const auto stones = pass_alive(board, color_named(chain.at("color")), SuicideRule::No).stones;
      EXPECT_EQ(std::binary_search(stones.begin(), stones.end(), at),
                chain.at("unconditionally_alive").as_bool());
    }
  }
}

Header handicap_header(const json::value& test_case, HandicapBonus bonus) {
  Header header;
  header.size = size_of(test_case);
  header.rules.bonus = bonus;
  header.rules.end = EndRule::AllAlive;
  header.komi_half = static_cast<int>(2 * test_case.at("komi").to_number<double>());
  for (const Point point : points_of(test_case.at("stones"), header.size)) {
    header.setup.push_back({Color::Black, point});
  }
  header.first = header.setup.empty() ? Color::Black : Color::White;
  return header;
}

TEST(Positions, HandicapCompensationIsThatOfTheReferences) {
  const std::pair<HandicapBonus, std::string_view> kinds[] = {
      {HandicapBonus::None, "no compensation (Tromp-Taylor, New Zealand)"},
      {HandicapBonus::NMinusOne, "N-1 (AGA, BGA, French)"},
      {HandicapBonus::N, "N (Chinese, Ing as OGS plays it)"}};
  const auto cases = cases_of("handicap");
  ASSERT_EQ(cases.size(), 9u);
  for (const json::value test_case : cases) {
    for (const auto& [bonus, key] : kinds) {
      SCOPED_TRACE(string_of(test_case.at("id")) + " " + std::string(key));
      Game game(handicap_header(test_case, bonus));
      ASSERT_EQ(game.pass(game.turn().value(), {}), Refusal::None);
      ASSERT_EQ(game.pass(game.turn().value(), {}), Refusal::None);
      const double lead =
          test_case.at("expect").at("white_minus_black").at(key).to_number<double>();
      EXPECT_EQ(game.score()->white_half - game.score()->black_half, static_cast<int>(2 * lead));
    }
  }
}

}  // namespace
}  // namespace tengen::rules
