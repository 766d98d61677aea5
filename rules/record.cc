#include "rules/record.h"

#include <algorithm>

namespace tengen::rules {
namespace {

constexpr std::size_t kFirstIndexSize = 256;

std::uint8_t bit_of(Color color) { return static_cast<std::uint8_t>(color); }

bool has_empty_neighbour(const Board& board, Point point) {
  const auto near = point.neighbours();
  return board.at(near[0]) == Cell::Empty || board.at(near[1]) == Cell::Empty ||
         board.at(near[2]) == Cell::Empty || board.at(near[3]) == Cell::Empty;
}

bool is_allowed(SuicideRule rule, int suicided) {
  return rule == SuicideRule::Any || (rule == SuicideRule::Multi && suicided > 1);
}

bool has_dead_chain(const Board& board) {
  for (std::uint16_t i = 0; i < kCells; ++i) {
    if (is_stone(board.at(Point(i))) && board.liberties(Point(i)) == 0) return true;
  }
  return false;
}

/// Sets points of which no two are the same.
void set_cells(Board& board, const std::vector<Placement>& placements) {
  std::vector<Point> emptied;
  for (const Placement& placement : placements) {
    if (is_stone(board.at(placement.point))) emptied.push_back(placement.point);
  }
  if (!emptied.empty()) board.remove(emptied);
  for (const Placement& placement : placements) {
    if (is_stone(placement.cell)) board.place({color_of(placement.cell), placement.point});
  }
}

bool are_placeable(const std::vector<Stone>& stones, const Board& board) {
  std::array<bool, kCells> named{};
  for (const Stone& stone : stones) {
    if (!stone.point.is_on(board.size()) || board.at(stone.point) != Cell::Empty) return false;
    if (named[stone.point.index()]) return false;
    named[stone.point.index()] = true;
  }
  return true;
}

}  // namespace

std::string_view name_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::None:
      return "none";
    case Refusal::OffBoard:
      return "off-board";
    case Refusal::Occupied:
      return "occupied";
    case Refusal::Suicide:
      return "suicide";
    case Refusal::Ko:
      return "ko";
    case Refusal::Superko:
      return "superko";
    case Refusal::NotYourTurn:
      return "not-your-turn";
    case Refusal::GameOver:
      return "game-over";
    case Refusal::WrongPhase:
      return "wrong-phase";
    case Refusal::BadList:
      return "bad-list";
    case Refusal::AliveChain:
      return "alive-chain";
    case Refusal::NoStone:
      return "no-stone";
    case Refusal::NoRepetition:
      return "no-repetition";
    case Refusal::NothingToUndo:
      return "nothing-to-undo";
    case Refusal::AlreadyAsked:
      return "already-asked";
    case Refusal::NothingAsked:
      return "nothing-asked";
    case Refusal::AskedTooOften:
      return "asked-too-often";
    case Refusal::MarkedTooOften:
      return "marked-too-often";
    case Refusal::Paused:
      return "paused";
    case Refusal::BadHandicap:
      return "bad-handicap";
  }
  return "unknown";
}

Record::Record(Size size, KoRule ko, SuicideRule suicide)
    : ko_(ko), suicide_(suicide), board_(size) {
  remember(Cell::Empty);
}

bool Record::set_up(const std::vector<Stone>& stones) {
  if (!moves_.empty() || !edits_.empty() || !are_placeable(stones, board_)) return false;
  for (const Stone& stone : stones) {
    board_.place(stone);
    setup_.push_back(stone);
    held_[stone.point.index()] |= bit_of(stone.color);
  }
  forget_positions(0);
  remember(Cell::Empty);
  return true;
}

bool Record::edit(const std::vector<Placement>& placements) {
  Board after = board_;
  std::array<bool, kCells> named{};
  for (const Placement& placement : placements) {
    if (!placement.point.is_on(size()) || named[placement.point.index()]) return false;
    named[placement.point.index()] = true;
  }
  set_cells(after, placements);
  if (has_dead_chain(after)) return false;
  board_ = after;
  for (const Placement& placement : placements) {
    if (is_stone(placement.cell))
      held_[placement.point.index()] |= bit_of(color_of(placement.cell));
  }
  edits_.push_back({static_cast<std::uint32_t>(moves_.size()), placements});
  ko_ban_.reset();
  remembered_ = {};
  if (moves_.empty()) forget_positions(0);
  remember(Cell::Empty);
  return true;
}

Refusal Record::check(Move move) const {
  if (move.is_pass()) return Refusal::None;
  if (!move.point->is_on(size())) return Refusal::OffBoard;
  return judge(move.color, *move.point);
}

Refusal Record::play(Move move) {
  const Refusal refusal = check(move);
  if (refusal == Refusal::None) apply(move);
  return refusal;
}

Refusal Record::force(Move move) {
  const Refusal refusal = check(move);
  if (refusal == Refusal::OffBoard || refusal == Refusal::Occupied) return refusal;
  apply(move);
  return Refusal::None;
}

bool Record::undo() {
  if (moves_.empty() || (!edits_.empty() && edits_.back().moves == moves_.size())) return false;
  const Move move = moves_.back();
  const Before before = before_.back();
  moves_.pop_back();
  before_.pop_back();
  if (!move.is_pass()) {
    const bool stands = board_.at(*move.point) == cell_of(move.color);
    captured_[index_of(stands ? move.color : other(move.color))] -= static_cast<int>(taken_.size());
    board_.take_back(move.color, *move.point, taken_);
  }
  forget_positions(before.positions);
  if (before.names_mover) positions_.back().mover = Cell::Empty;
  ko_ban_ = before.ko_ban;
  remembered_ = before.remembered;
  all_taken_.resize(before.taken);
  const std::size_t first = before_.empty() ? 0 : before_.back().taken;
  taken_.assign(all_taken_.begin() + static_cast<std::ptrdiff_t>(first), all_taken_.end());
  return true;
}

std::vector<Point> Record::legal_points(Color color) const {
  std::vector<Point> points;
  points.reserve(static_cast<std::size_t>(size().area() - board_.stones()));
  for (int row = 0; row < size().height; ++row) {
    for (int col = 0; col < size().width; ++col) {
      const Point point = Point::at(col, row);
      if (judge(color, point) == Refusal::None) points.push_back(point);
    }
  }
  return points;
}

// The second line answers for most points: with an empty neighbour a play is no suicide, and a
// banned ko point has none.
Refusal Record::judge(Color color, Point point) const {
  if (board_.at(point) != Cell::Empty) return Refusal::Occupied;
  if (is_fresh(color, point) && has_empty_neighbour(board_, point)) return Refusal::None;
  const Board::Outcome outcome = board_.preview(color, point);
  if (outcome.suicided > 0 && !is_allowed(suicide_, outcome.suicided)) return Refusal::Suicide;
  if (ko_ban_ == Stone{color, point}) return Refusal::Ko;
  return repeats(color, point, outcome) ? Refusal::Superko : Refusal::None;
}

bool Record::is_fresh(Color color, Point point) const {
  return (held_[point.index()] & bit_of(color)) == 0;
}

bool Record::repeats(Color color, Point point, const Board::Outcome& outcome) const {
  if (ko_ == KoRule::Simple) return false;
  if (outcome.suicided == 0 && is_fresh(color, point)) return false;
  // A lone suicide leaves the board as it stands, which is in the history.
  if (outcome.suicided == 1 && ko_ == KoRule::Positional) return true;
  const std::size_t mask = index_.size() - 1;
  for (std::size_t slot = outcome.hash & mask; index_[slot] != 0; slot = (slot + 1) & mask) {
    const Position& position = positions_[index_[slot] - 1];
    if (position.hash != outcome.hash) continue;
    if (ko_ == KoRule::Situational && position.mover != cell_of(color)) continue;
    Board after = board_;
    std::vector<Point> taken;
    after.play(color, point, taken);
    if (is_same_board(position, after)) return true;
  }
  return false;
}

bool Record::is_same_board(const Position& position, const Board& board) const {
  Board past(size());
  for (const Stone& stone : setup_) past.place(stone);
  std::vector<Point> taken;
  std::uint32_t edit = 0;
  for (std::uint32_t i = 0; i <= position.moves; ++i) {
    while (edit < position.edits && edits_[edit].moves == i) {
      set_cells(past, edits_[edit++].placements);
    }
    if (i == position.moves || moves_[i].is_pass()) continue;
    past.play(moves_[i].color, *moves_[i].point, taken);
  }
  return past == board;
}

void Record::apply(Move move) {
  const bool names_mover = !positions_.empty() && positions_.back().mover == Cell::Empty;
  before_.push_back({all_taken_.size(), positions_.size(), ko_ban_, remembered_, names_mover});
  if (names_mover) name_mover(move.color);
  moves_.push_back(move);
  ko_ban_.reset();
  if (move.is_pass()) {
    taken_.clear();
    if (ko_ == KoRule::Situational && !remembered_[index_of(move.color)]) {
      remember(cell_of(move.color));
    }
    return;
  }
  board_.play(move.color, *move.point, taken_);
  all_taken_.insert(all_taken_.end(), taken_.begin(), taken_.end());
  note_stones(move.color, *move.point);
  remembered_ = {};
  remember(cell_of(move.color));
}

void Record::name_mover(Color next) {
  positions_.back().mover = cell_of(other(next));
  remembered_[index_of(other(next))] = true;
}

void Record::note_stones(Color color, Point point) {
  const bool stands = board_.at(point) == cell_of(color);
  captured_[index_of(stands ? color : other(color))] += static_cast<int>(taken_.size());
  if (!stands) return;
  if (ko_ != KoRule::Simple) held_[point.index()] |= bit_of(color);
  if (taken_.size() == 1 && board_.chain_size(point) == 1 && board_.liberties(point) == 1) {
    ko_ban_ = Stone{other(color), taken_.front()};
  }
}

void Record::remember(Cell mover) {
  if (ko_ == KoRule::Simple) return;
  if (is_stone(mover)) remembered_[index_of(color_of(mover))] = true;
  positions_.push_back({board_.hash(), static_cast<std::uint32_t>(moves_.size()),
                        static_cast<std::uint32_t>(edits_.size()), mover});
  if (positions_.size() * 2 > index_.size()) {
    grow_index();
  } else {
    insert(static_cast<std::uint32_t>(positions_.size() - 1));
  }
}

// The newest entries go first, so emptying their slots breaks no other entry's way.
void Record::forget_positions(std::size_t count) {
  const std::size_t mask = index_.size() - 1;
  while (positions_.size() > count) {
    std::size_t slot = positions_.back().hash & mask;
    while (index_[slot] != positions_.size()) slot = (slot + 1) & mask;
    index_[slot] = 0;
    positions_.pop_back();
  }
}

void Record::insert(std::uint32_t position) {
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = positions_[position].hash & mask;
  while (index_[slot] != 0) slot = (slot + 1) & mask;
  index_[slot] = position + 1;
}

void Record::grow_index() {
  index_.assign(std::max(kFirstIndexSize, index_.size() * 2), 0u);
  for (std::uint32_t i = 0; i < positions_.size(); ++i) insert(i);
}

}  // namespace tengen::rules
