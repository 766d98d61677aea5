#include "rules/sgf_game.h"

#include <algorithm>
#include <array>
#include <bitset>

namespace tengen::rules {
namespace {

constexpr int kLargestWithTt = 19;
constexpr std::size_t kLongestQuote = 40;
/// White moves first after this many black stones and no white ones.
constexpr int kFewestHandicapStones = 2;

/// The value without white space, cut for a message and never inside a character.
std::string excerpt(std::string_view value) {
  std::string text = bare(value.substr(0, 4 * kLongestQuote));
  if (text.size() <= kLongestQuote) return text;
  std::size_t length = kLongestQuote;
  while (length > 0 && (static_cast<std::uint8_t>(text[length]) & 0xC0) == 0x80) --length;
  text.resize(length);
  return text;
}

SgfError error_at(SgfPlace place, std::string reason) {
  return {place.line, place.column, std::move(reason)};
}

std::optional<Cell> setup_cell(std::string_view id) {
  if (id == "AB") return Cell::Black;
  if (id == "AW") return Cell::White;
  if (id == "AE") return Cell::Empty;
  return std::nullopt;
}

/// The width or height in the text, if it is one.
std::optional<std::uint8_t> parse_side(std::string_view text) {
  const std::optional<int> side = parse_number(text);
  if (!side || *side < 1 || *side > kMaxSize) return std::nullopt;
  return static_cast<std::uint8_t>(*side);
}

std::variant<Size, SgfError> size_of(const SgfNode& root) {
  const SgfProperty* property = root.find("SZ");
  if (property == nullptr) return Size{19, 19};
  const std::string_view value = root.value("SZ");
  const auto sides = composed(value).value_or(std::pair(value, value));
  const auto width = parse_side(sides.first);
  const auto height = parse_side(sides.second);
  if (width && height) return Size{*width, *height};
  return error_at(property->place, "SZ[" + excerpt(value) + "] is no board size: 1 to " +
                                       std::to_string(kMaxSize) + " points each way");
}

/// Both corners of a point list's value, the same point for a single one.
std::optional<std::pair<Point, Point>> parse_corners(std::string_view value, Size size) {
  const auto halves = composed(value).value_or(std::pair(value, value));
  const auto first = parse_sgf_point(bare(halves.first), size);
  const auto second = parse_sgf_point(bare(halves.second), size);
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

/// The stones that stand before the first move when they are all black and at least two, else 0.
int black_stones_alone(const SgfGame& game) {
  std::array<Cell, kCells> cells{};
  for (const SgfStep& step : game.steps) {
    if (step.is_move()) break;
    for (const Placement& edit : step.edits) cells[edit.point.index()] = edit.cell;
  }
  const auto black = std::count(cells.begin(), cells.end(), Cell::Black);
  const auto white = std::count(cells.begin(), cells.end(), Cell::White);
  return black >= kFewestHandicapStones && white == 0 ? static_cast<int>(black) : 0;
}

/// Reads the main line.
class GameReader {
 public:
  GameReader(const SgfTree& tree, const SgfGameLimits& limits) : tree_(tree), limits_(limits) {}

  std::variant<SgfGame, SgfError> read();

 private:
  void read_root();
  bool read_node(std::uint32_t index);
  bool add_setup(const SgfProperty& property, Cell cell, SgfStep& step);
  bool add_edits(const SgfProperty& property, const std::string& value, Cell cell, SgfStep& step);
  void add_moves(const SgfProperty& property, Color color, std::uint32_t node);
  void decide_first();
  bool fail(SgfPlace place, std::string reason);

  const SgfTree& tree_;
  const SgfGameLimits& limits_;
  std::size_t edited_points_ = 0;
  SgfGame game_;
  SgfError error_;
  std::bitset<kCells> edited_;  // points set up in the node being read
};

std::variant<SgfGame, SgfError> GameReader::read() {
  const SgfNode& root = tree_.root();
  if (!is_go(tree_)) {
    return error_at(root.place, "not a game of Go: GM[" + excerpt(root.value("GM")) + "]");
  }
  const auto size = size_of(root);
  if (const auto* error = std::get_if<SgfError>(&size)) return *error;
  game_.size = std::get<Size>(size);
  read_root();
  for (std::uint32_t at = 0; at != SgfNode::kNone; at = tree_.nodes[at].first_child) {
    if (!read_node(at)) return error_;
  }
  decide_first();
  return std::move(game_);
}

void GameReader::read_root() {
  const SgfNode& root = tree_.root();
  game_.komi_half = parse_komi_half(root.value("KM"));
  if (!game_.komi_half && !bare(root.value("KM")).empty()) {
    game_.unread_komi = excerpt(root.value("KM"));
  }
  game_.handicap = std::max(0, parse_number(root.value("HA")).value_or(0));
  game_.rules = simple_text_of(root.value("RU"));
  game_.black = simple_text_of(root.value("PB"));
  game_.white = simple_text_of(root.value("PW"));
  game_.date = simple_text_of(root.value("DT"));
  game_.event = simple_text_of(root.value("EV"));
  game_.result = simple_text_of(root.value("RE"));
}

bool GameReader::read_node(std::uint32_t index) {
  std::optional<std::size_t> setup;
  edited_.reset();
  for (const SgfProperty& property : tree_.nodes[index].properties) {
    if (game_.steps.size() > limits_.steps) {
      return fail(property.place,
                  "more than " + std::to_string(limits_.steps) + " moves and setups");
    }
    if (property.id == "B") add_moves(property, Color::Black, index);
    if (property.id == "W") add_moves(property, Color::White, index);
    const std::optional<Cell> cell = setup_cell(property.id);
    if (!cell) continue;
    if (!setup) {
      setup = game_.steps.size();
      SgfStep& step = game_.steps.emplace_back();
      step.kind = SgfStepKind::Setup;
      step.node = index;
      step.place = property.place;
    }
    if (!add_setup(property, *cell, game_.steps[*setup])) return false;
  }
  return true;
}

bool GameReader::add_setup(const SgfProperty& property, Cell cell, SgfStep& step) {
  return std::all_of(property.values.begin(), property.values.end(), [&](const std::string& value) {
    return bare(value).empty() || add_edits(property, value, cell, step);
  });
}

bool GameReader::add_edits(const SgfProperty& property, const std::string& value, Cell cell,
                           SgfStep& step) {
  const auto corners = parse_corners(value, game_.size);
  if (!corners) {
    return fail(property.place,
                property.id + "[" + excerpt(value) + "] names no point of the board");
  }
  const auto [left, right] = std::minmax({corners->first.col(), corners->second.col()});
  const auto [top, bottom] = std::minmax({corners->first.row(), corners->second.row()});
  for (int row = top; row <= bottom; ++row) {
    for (int col = left; col <= right; ++col) {
      const Point point = Point::at(col, row);
      if (edited_.test(point.index())) {
        return fail(property.place, property.id + " sets up " + gtp_vertex(point, game_.size) +
                                        ", which this node has set up before");
      }
      if (++edited_points_ > limits_.edited_points) {
        return fail(property.place,
                    "more than " + std::to_string(limits_.edited_points) + " points set up");
      }
      edited_.set(point.index());
      step.edits.push_back({point, cell});
    }
  }
  return true;
}

void GameReader::add_moves(const SgfProperty& property, Color color, std::uint32_t node) {
  for (const std::string& value : property.values) {
    SgfStep& step = game_.steps.emplace_back();
    step.color = color;
    step.node = node;
    step.place = property.place;
    const std::string text = bare(value);
    const bool may_be_tt =
        game_.size.width <= kLargestWithTt && game_.size.height <= kLargestWithTt;
    if (text.empty() || (text == "tt" && may_be_tt)) continue;
    const std::optional<Point> point = parse_sgf_point(text, game_.size);
    step.kind = point ? SgfStepKind::Play : SgfStepKind::Unplayable;
    if (point) step.point = *point;
    if (!point) step.text = excerpt(value);
  }
}

/// The stones decide, not HA.
void GameReader::decide_first() {
  const auto first_move = std::find_if(game_.steps.begin(), game_.steps.end(),
                                       [](const SgfStep& step) { return step.is_move(); });
  const std::uint32_t end = first_move == game_.steps.end() ? SgfNode::kNone : first_move->node;
  for (std::uint32_t at = 0; at != SgfNode::kNone; at = tree_.nodes[at].first_child) {
    const std::string player = bare(tree_.nodes[at].value("PL"));
    if (player == "B" || player == "b") game_.stated_first = Color::Black;
    if (player == "W" || player == "w") game_.stated_first = Color::White;
    if (at == end) break;
  }
  const Color by_stones = black_stones_alone(game_) > 0 ? Color::White : Color::Black;
  game_.first = game_.stated_first.value_or(by_stones);
}

bool GameReader::fail(SgfPlace place, std::string reason) {
  error_ = error_at(place, std::move(reason));
  return false;
}

}  // namespace

bool is_go(const SgfTree& tree) {
  const std::string game = bare(tree.root().value("GM"));
  return game.empty() || parse_number(game) == 1;
}

std::variant<SgfGame, SgfError> game_of(const SgfTree& tree, const SgfGameLimits& limits) {
  return GameReader(tree, limits).read();
}

int handicap_stones(const SgfGame& game) {
  const auto first_move = std::find_if(game.steps.begin(), game.steps.end(),
                                       [](const SgfStep& step) { return step.is_move(); });
  const Color first = first_move == game.steps.end() ? game.first : first_move->color;
  return first == Color::White ? black_stones_alone(game) : 0;
}

}  // namespace tengen::rules
