// How a game ends; see game.h. Marks are kept by chain, so that one mark is one decision.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "rules/benson.h"
#include "rules/game.h"

namespace tengen::rules {
namespace {

/// Disputes after which nobody is asked any more.
constexpr int kDisputesMax = 3;

Result result_of(const Scored& scored) {
  const int lead = scored.black_half - scored.white_half;
  Result result{ResultKind::Score, std::nullopt, std::abs(lead)};
  if (lead != 0) result.winner = lead > 0 ? Color::Black : Color::White;
  return result;
}

/// Adds what is not there and takes out what is.
void toggle(std::vector<Point>& sorted, Point point) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), point);
  if (at != sorted.end() && *at == point) {
    sorted.erase(at);
  } else {
    sorted.insert(at, point);
  }
}

}  // namespace

Refusal Game::list_dead(Color color, std::optional<std::vector<Point>> points, const Stamp& stamp) {
  if (is_finished()) return Refusal::GameOver;
  if (!awaits_list(color)) return Refusal::WrongPhase;
  if (points) {
    points = whole_chains(record_->board(), *points);
    if (!points) return Refusal::BadList;
  }
  lists_[index_of(color)].emplace(points);
  append(DeadListed{color, std::move(points)}, stamp);
  if (!awaits_list(other(color))) compare_lists(stamp);
  return Refusal::None;
}

bool Game::awaits_list(Color color) const {
  return phase_ == Phase::Marking && header_.rules.end == EndRule::CompareLists &&
         !lists_[index_of(color)].has_value();
}

std::vector<DeadListed> Game::dead_lists() const {
  std::vector<DeadListed> lists;
  for (const Color color : {Color::Black, Color::White}) {
    const auto& list = lists_[index_of(color)];
    if (list) lists.push_back({color, *list});
  }
  return lists;
}

std::optional<Color> Game::proposer() const {
  if (phase_ != Phase::Marking || header_.rules.end != EndRule::Confirmation) return std::nullopt;
  return turn_;  // the side that passed first is to move again
}

std::vector<Point> Game::marked_dead() const {
  return whole_chains(record_->board(), dead_).value_or(std::vector<Point>{});
}

Refusal Game::judge_marking(Color color, Side side) const {
  if (is_finished()) return Refusal::GameOver;
  const auto proposes = proposer();
  if (!proposes) return Refusal::WrongPhase;
  const bool is_answer = side == Side::Answerer;
  if (is_proposed_ != is_answer || (color == *proposes) == is_answer) return Refusal::NotYourTurn;
  return Refusal::None;
}

Refusal Game::judge_mark(Color color, Point point) const {
  const Refusal refusal = judge_marking(color, Side::Proposer);
  if (refusal != Refusal::None) return refusal;
  if (marks_ == kMarksMax) return Refusal::MarkedTooOften;
  return point.is_on(record_->size()) ? Refusal::None : Refusal::OffBoard;
}

Refusal Game::mark(Color color, Point point, const Stamp& stamp) {
  if (const Refusal refusal = judge_mark(color, point); refusal != Refusal::None) return refusal;
  const Board& board = record_->board();
  if (!is_stone(board.at(point))) return Refusal::NoStone;
  const auto chain = board.chain(point);
  const Point lowest = *std::min_element(chain.begin(), chain.end());
  const PassAlive alive = pass_alive(board, color_of(board.at(point)), record_->suicide());
  if (std::find(alive.stones.begin(), alive.stones.end(), lowest) != alive.stones.end()) {
    return Refusal::AliveChain;
  }
  ++marks_;
  toggle(dead_, lowest);
  append(Marked{color, lowest}, stamp);
  return Refusal::None;
}

Refusal Game::mark_seki(Color color, Point point, const Stamp& stamp) {
  if (const Refusal refusal = judge_mark(color, point); refusal != Refusal::None) return refusal;
  if (record_->board().at(point) != Cell::Empty) return Refusal::Occupied;
  ++marks_;
  toggle(seki_, point);
  append(SekiMarked{color, point}, stamp);
  return Refusal::None;
}

Refusal Game::done(Color color, const Stamp& stamp) {
  const Refusal refusal = judge_marking(color, Side::Proposer);
  if (refusal != Refusal::None) return refusal;
  is_proposed_ = true;
  append(MarkingDone{color}, stamp);
  return Refusal::None;
}

Refusal Game::accept(Color color, const Stamp& stamp) {
  const Refusal refusal = judge_marking(color, Side::Answerer);
  if (refusal != Refusal::None) return refusal;
  append(MarkingAccepted{color}, stamp);
  finish_by_score(header_.rules.scoring, {marked_dead(), seki_}, stamp);
  return Refusal::None;
}

Refusal Game::dispute(Color color, const Stamp& stamp) {
  const Refusal refusal = judge_marking(color, Side::Answerer);
  if (refusal != Refusal::None) return refusal;
  append(MarkingDisputed{color}, stamp);
  ++disputes_;
  go_on(ContinueReason::Dispute, stamp);
  return Refusal::None;
}

Refusal Game::no_result(Color asker, const Stamp& stamp) {
  const Refusal refusal = judge_agreement({asker, AskKind::NoResult, 0});
  if (refusal != Refusal::None) return refusal;
  append(NoResultAgreed{asker}, stamp);
  finish({ResultKind::NoResult, std::nullopt, 0}, stamp);
  return Refusal::None;
}

// Sides take turns, so the same side is to move after every second move. What was played is played
// again: superko would have refused a repetition, and without it no positions are remembered.
bool Game::is_repeated() const {
  if (header_.rules.ko != KoRule::Simple) return false;
  const std::vector<Move>& moves = record_->moves();
  Record past(record_->size(), KoRule::Simple, record_->suicide());
  (void)past.set_up(record_->setup());
  for (std::size_t made = 0; made < moves.size(); ++made) {
    const bool is_same_turn = (moves.size() - made) % 2 == 0;
    if (is_same_turn && past.board().hash() == record_->board().hash() &&
        past.board() == record_->board()) {
      return true;
    }
    (void)past.force(moves[made]);
  }
  return false;
}

void Game::after_stop(const Stamp& stamp) {
  const bool is_settled = phase_ == Phase::Cleanup || header_.rules.end == EndRule::AllAlive;
  if (is_settled) return finish_by_score(header_.rules.scoring, {}, stamp);
  if (disputes_ == kDisputesMax) return finish_by_score(Scoring::Area, {}, stamp);
  phase_ = Phase::Marking;
}

void Game::compare_lists(const Stamp& stamp) {
  const DeadList& black = *lists_[index_of(Color::Black)];
  const DeadList& white = *lists_[index_of(Color::White)];
  if (black && white && *black != *white) return go_on(ContinueReason::Cleanup, stamp);
  finish_by_score(header_.rules.scoring, {black.value_or(white.value_or(std::vector<Point>{})), {}},
                  stamp);
}

// The turn is where it was: the side after the last pass is the one that passed first.
void Game::go_on(ContinueReason reason, const Stamp& stamp) {
  phase_ = reason == ContinueReason::Cleanup ? Phase::Cleanup : Phase::Play;
  passes_ = 0;
  undo_floor_ = record_->moves().size();
  is_proposed_ = false;
  marks_ = 0;
  dead_.clear();
  seki_.clear();
  append(Continued{reason}, stamp);
}

void Game::finish_by_score(Scoring scoring, const Marks& marks, const Stamp& stamp) {
  const Points points = count(*record_, scoring, marks);
  Scored scored;
  scored.black_half = 2 * points.black;
  scored.white_half =
      2 * (points.white + bonus_points(header_.rules.bonus, handicap())) + header_.komi_half;
  scored.removed = marks.dead;
  scored.by = scoring;
  scored.seki = marks.seki;
  score_ = scored;
  const Result result = result_of(scored);
  append(std::move(scored), stamp);
  finish(result, stamp);
}

}  // namespace tengen::rules
