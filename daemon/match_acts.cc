// What players ask a match to do, each request once; see match.h.
#include <algorithm>
#include <utility>

#include "daemon/check.h"
#include "daemon/match.h"
#include "rules/score.h"

namespace tengen::daemon {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using rules::Color;
using rules::Refusal;

Error error_of(Refusal refusal) {
  const std::string reason(name_of(refusal));
  switch (refusal) {
    case Refusal::NotYourTurn:
      return {ErrorCode::NotYourTurn, reason, "it is the other side's turn", 0, {}};
    case Refusal::GameOver:
      return {ErrorCode::GameOver, reason, "the game is over", 0, {}};
    case Refusal::WrongPhase:
      return {ErrorCode::WrongPhase, reason, "not in this phase of the game", 0, {}};
    case Refusal::Paused:
      return {ErrorCode::WrongPhase, reason, "the game is paused", 0, {}};
    default:
      return {ErrorCode::IllegalMove, reason, "illegal move: " + reason, 0, {}};
  }
}

Error seat_is_open() {
  return {ErrorCode::WrongPhase, "open-seat", "a seat has still to be taken"};
}

bool has_agent(const rules::Game& game) {
  return game.seat(Color::Black).kind == rules::SeatKind::Agent ||
         game.seat(Color::White).kind == rules::SeatKind::Agent;
}

std::string request_key(Color color, const std::string& request_id) {
  return (color == Color::Black ? 'b' : 'w') + request_id;
}

/// How often that side was granted what such an event tells of. A pause for the server has the
/// colour of an engine, and engines ask for nothing.
template <typename Granted>
int times_granted(const rules::Game& game, Color asker) {
  return static_cast<int>(
      std::count_if(game.events().begin(), game.events().end(), [&](const rules::Event& event) {
        const auto* granted = std::get_if<Granted>(&event.body);
        return granted != nullptr && granted->color == asker;
      }));
}

bool is_agreement(const rules::EventBody& body) {
  return std::holds_alternative<rules::Undone>(body) ||
         std::holds_alternative<rules::Paused>(body) ||
         std::holds_alternative<rules::NoResultAgreed>(body);
}

// Whose act the event is, when it is an act that a player can ask for.
std::optional<Color> actor_of(const rules::EventBody& body) {
  return std::visit(
      [&](const auto& event) -> std::optional<Color> {
        using Event = std::decay_t<decltype(event)>;
        constexpr bool is_nobodys =
            std::is_same_v<Event, rules::TimedOut> || std::is_same_v<Event, rules::Abandoned>;
        if constexpr (std::is_same_v<Event, rules::HandicapPlaced>) {
          return Color::Black;
        } else if constexpr (std::is_same_v<Event, rules::Annulled>) {
          return event.by;
        } else if constexpr (!is_nobodys && requires { event.color; }) {
          return is_agreement(body) ? other(event.color) : event.color;
        } else {
          return std::nullopt;
        }
      },
      body);
}

/// What a request asks for, before the rules have a say; nothing when a vertex is not on the board.
struct ActAsked {
  Color color;
  const rules::Board& board;

  using Asked = std::optional<rules::EventBody>;
  std::optional<rules::Point> point(const std::string& vertex) const {
    return rules::parse_gtp_vertex(vertex, board.size());
  }
  std::optional<std::vector<rules::Point>> points(const std::vector<std::string>& vertices) const {
    std::vector<rules::Point> found;
    for (const std::string& vertex : vertices) {
      const auto each = point(vertex);
      if (!each) return std::nullopt;
      found.push_back(*each);
    }
    return found;
  }

  Asked operator()(const protocol::MarkChain& mark) const {
    const auto at = point(mark.vertex);
    return at ? Asked(rules::Marked{color, *at}) : std::nullopt;
  }
  Asked operator()(const protocol::MarkSekiPoint& mark) const {
    const auto at = point(mark.vertex);
    return at ? Asked(rules::SekiMarked{color, *at}) : std::nullopt;
  }
  Asked operator()(const protocol::ProposeMarks&) const { return rules::MarkingDone{color}; }
  Asked operator()(const protocol::AcceptMarks&) const { return rules::MarkingAccepted{color}; }
  Asked operator()(const protocol::DisputeMarks&) const { return rules::MarkingDisputed{color}; }
  Asked operator()(const protocol::ListDead& list) const {
    if (!list.vertices) return rules::DeadListed{color, std::nullopt};
    auto listed = points(*list.vertices);
    return listed ? Asked(rules::DeadListed{color, std::move(listed)}) : std::nullopt;
  }
  Asked operator()(const protocol::PlaceHandicap& place) const {
    auto placed = points(place.vertices);
    if (!placed) return std::nullopt;
    std::sort(placed->begin(), placed->end());
    return rules::HandicapPlaced{std::move(*placed)};
  }
  Asked operator()(const protocol::Leave&) const {
    return rules::Forfeited{color, "left the game"};
  }
  Asked operator()(const protocol::AskOpponent& ask) const {
    return rules::Asked{color, ask.kind, ask.moves};
  }
  Asked operator()(const protocol::Agree&) const { return std::nullopt; }  // see on_agree
  Asked operator()(const protocol::Decline&) const { return rules::Declined{color}; }
  Asked operator()(const protocol::Unpause&) const { return rules::Unpaused{color}; }
  Asked operator()(const protocol::Annul&) const {
    return rules::Annulled{color, "before it had well begun"};
  }
};

// Marks and lists name chains by any of their stones, and the log names them as they were then:
// that a request sent again is a mark or a list has to do.
bool is_same_act(const rules::EventBody& a, const rules::EventBody& b) {
  if (std::holds_alternative<rules::Marked>(a)) return a.index() == b.index();
  const auto* one = std::get_if<rules::DeadListed>(&a);
  const auto* other = std::get_if<rules::DeadListed>(&b);
  if (one != nullptr && other != nullptr) {
    return one->points.has_value() == other->points.has_value();
  }
  return a == b;
}

// The act without what it took: that is not for whoever sends it again to say.
rules::EventBody bare_act(rules::EventBody act) {
  if (auto* played = std::get_if<rules::Played>(&act)) {
    act = rules::Played{played->color, played->point};
  } else if (auto* passed = std::get_if<rules::Passed>(&act)) {
    act = rules::Passed{passed->color};
  }
  return act;
}

}  // namespace

Match::Answer Match::on_play(int slot, const protocol::Play& request, Now now, MatchEffects& out) {
  const auto point = rules::parse_gtp_vertex(request.vertex, game_.header().size);
  if (!point) {
    return Error{ErrorCode::InvalidVertex,
                 "vertex",
                 "vertex is a letter and a number on this board, such as D4",
                 0,
                 {}};
  }
  const Color color = game_.header().color_of_slot(slot);
  if (auto again = answer_again(color, request.request_id, rules::Played{color, *point})) {
    return *again;
  }
  if (auto error = judge_turn(slot, request.position_seq, now)) return *error;
  const auto time = turn_.for_person(game_, now.steady);
  return after_act(game_.play(color, *point, stamp_of(now, request.request_id), time), now, out);
}

Match::Answer Match::on_pass(int slot, const protocol::Pass& request, Now now, MatchEffects& out) {
  const Color color = game_.header().color_of_slot(slot);
  if (auto again = answer_again(color, request.request_id, rules::Passed{color})) return *again;
  if (auto error = judge_turn(slot, request.position_seq, now)) return *error;
  const auto time = turn_.for_person(game_, now.steady);
  return after_act(game_.pass(color, stamp_of(now, request.request_id), time), now, out);
}

Match::Answer Match::on_resign(int slot, const protocol::Resign& request, Now now,
                               MatchEffects& out) {
  const Color color = game_.header().color_of_slot(slot);
  if (auto again = answer_again(color, request.request_id, rules::Resigned{color})) return *again;
  return after_act(game_.resign(color, stamp_of(now, request.request_id)), now, out);
}

std::optional<Match::Answer> Match::answer_again(Color color, const std::string& request_id,
                                                 const rules::EventBody& act) const {
  const auto found = done_.find(request_key(color, request_id));
  if (found == done_.end()) return std::nullopt;
  if (!is_same_act(found->second.act, act)) {
    return Error{ErrorCode::RequestIdConflict,
                 "request_id",
                 "this request_id has been used for another act",
                 0,
                 {}};
  }
  return accepted(found->second.seq);
}

Match::Answer Match::on_act(int slot, const protocol::GameAct& request, Now now,
                            MatchEffects& out) {
  const Color color = game_.header().color_of_slot(slot);
  if (std::holds_alternative<protocol::Agree>(request.body)) {
    return on_agree(color, request, now, out);
  }
  auto act = std::visit(ActAsked{color, game_.record().board()}, request.body);
  if (!act) {
    return Error{ErrorCode::InvalidVertex,
                 "vertex",
                 "a vertex is a letter and a number on this board, such as D4",
                 0,
                 {}};
  }
  if (auto again = answer_again(color, request.request_id, *act)) return *again;
  if (has_open_seat() && !std::holds_alternative<rules::Forfeited>(*act)) return seat_is_open();
  const auto* asked = std::get_if<rules::Asked>(&*act);
  if (asked != nullptr && asked->kind != rules::AskKind::NoResult && has_agent(game_)) {
    return Error{ErrorCode::UnsupportedRules, "agents",
                 "agents take nothing back and do not pause"};
  }
  // Black's handicap is black's to place.
  if (std::holds_alternative<rules::HandicapPlaced>(*act) && color != Color::Black) {
    return error_of(Refusal::NotYourTurn);
  }
  const bool is_any_time = std::holds_alternative<rules::Forfeited>(*act);
  if (auto error = judge_seq(request.position_seq, now); error && !is_any_time) return *error;
  if (std::holds_alternative<rules::Annulled>(*act) &&
      game_.record().moves().size() >= static_cast<std::size_t>(game_.header().annul_before)) {
    return error_of(Refusal::WrongPhase);
  }
  const rules::Event event{0, stamp_of(now, request.request_id), std::move(*act)};
  return after_act(game_.act(event), now, out);
}

void Match::on_departed(Color color, Now now, MatchEffects& out) {
  if (game_.abandon(color, stamp_of(now, {})) != Refusal::None) return;
  cancel_jobs(out);
  ask(now, out);  // for nothing more: nobody's marks are waited for any longer
}

std::optional<Error> Match::on_ruling(std::optional<Color> winner, const std::string& text, Now now,
                                      MatchEffects& out) {
  std::string reason(kAdjudicated);
  if (!text.empty()) reason += ": " + text;
  const Refusal refusal = winner
                              ? game_.forfeit(other(*winner), std::move(reason), stamp_of(now, {}))
                              : game_.annul(std::nullopt, std::move(reason), stamp_of(now, {}));
  if (refusal != Refusal::None) return error_of(refusal);
  cancel_jobs(out);
  ask(now, out);
  return std::nullopt;
}

void Match::on_absent(Color color, const std::optional<rules::Seat>& engine, Now now,
                      MatchEffects& out) {
  if (!engine) return on_departed(color, now, out);
  check(game_.change_seat(color, *engine, "was away for too long", stamp_of(now, {})) ==
            Refusal::None,
        "a seat in play can be changed");
  if (color == game_.turn()) turn_.begin(now.steady);  // the person's absence is no lag of ours
  // What was asked of the person is the engine's to decide, and engines agree to nothing late.
  ask(now, out);
}

std::optional<Error> Match::on_take_seat(int slot, const std::string& name,
                                         const std::string& request_id, Now now,
                                         MatchEffects& out) {
  const Color color = game_.header().color_of_slot(slot);
  const auto known = done_.find(request_key(color, request_id));
  if (known != done_.end()) {
    if (std::holds_alternative<rules::SeatChanged>(known->second.act)) return std::nullopt;
    return Error{ErrorCode::RequestIdConflict, "request_id", "this request_id was another act"};
  }
  rules::Seat seat = game_.seat(color);
  if (!seat.is_open) return Error{ErrorCode::NotYourSeat, "taken", "this seat is taken"};
  if (game_.is_finished()) return error_of(Refusal::GameOver);
  seat.is_open = false;
  seat.name = name;
  check(game_.change_seat(color, seat, "it is taken", stamp_of(now, request_id)) == Refusal::None,
        "an open seat can be taken");
  remember(game_.events().back());
  if (!has_open_seat()) {
    turn_.begin(now.steady);
    ask(now, out);
  }
  return std::nullopt;
}

bool Match::has_open_seat() const {
  return game_.seat(Color::Black).is_open || game_.seat(Color::White).is_open;
}

Match::Answer Match::on_agree(Color color, const protocol::GameAct& request, Now now,
                              MatchEffects& out) {
  const auto found = done_.find(request_key(color, request.request_id));
  if (found != done_.end() && is_agreement(found->second.act)) {
    return accepted(found->second.seq);
  }
  // Anything else under this id is another act.
  if (auto again = answer_again(color, request.request_id, rules::Declined{other(color)})) {
    return *again;
  }
  if (auto error = judge_seq(request.position_seq, now)) return *error;
  const auto& asked = game_.asked();
  if (!asked) return error_of(Refusal::NothingAsked);
  if (asked->color == color) return error_of(Refusal::NotYourTurn);
  if (std::get<protocol::Agree>(request.body).question != game_.asked_seq()) {
    return Error{ErrorCode::Stale, "question", "another question was asked since", 0,
                 snapshot(now)};
  }
  const Refusal refusal = agree(stamp_of(now, request.request_id), now);
  if (refusal == Refusal::None) cancel_jobs(out);
  return after_act(refusal, now, out);
}

// Does what is asked; what an engine has begun to search is of no use after any of it.
rules::Refusal Match::agree(const rules::Stamp& stamp, Now now) {
  const rules::Asked asked = *game_.asked();
  wants_to_pass_ = false;
  switch (asked.kind) {
    case rules::AskKind::Undo:
      return game_.undo(asked.color, asked.moves, stamp);
    case rules::AskKind::Pause:
      return game_.pause(
          asked.color, stamp,
          is_persons_turn() ? turn_.for_person(game_, now.steady) : rules::MoveTime{});
    case rules::AskKind::NoResult:
      break;
  }
  return game_.no_result(asked.color, stamp);
}

std::optional<Error> Match::judge_seq(std::uint32_t position_seq, Now now) const {
  if (game_.is_finished()) return error_of(Refusal::GameOver);
  if (position_seq == game_.position_seq()) return std::nullopt;
  return Error{ErrorCode::Stale, "position_seq", "the position has changed since", 0,
               snapshot(now)};
}

std::optional<Error> Match::judge_turn(int slot, std::uint32_t position_seq, Now now) const {
  if (has_open_seat()) return seat_is_open();
  if (auto error = judge_seq(position_seq, now)) return error;
  if (!game_.is_in_play()) return error_of(Refusal::WrongPhase);
  if (game_.turn() != game_.header().color_of_slot(slot)) return error_of(Refusal::NotYourTurn);
  return std::nullopt;
}

protocol::Accepted Match::accepted(std::uint32_t seq) const {
  std::uint32_t position = 0;
  for (std::uint32_t i = seq; i > 0 && position == 0; --i) {
    const auto& body = game_.events()[i - 1].body;
    if (std::holds_alternative<rules::Played>(body) ||
        std::holds_alternative<rules::Passed>(body) ||
        std::holds_alternative<rules::Undone>(body) ||
        std::holds_alternative<rules::HandicapPlaced>(body)) {
      position = i;
    }
  }
  return {game_.header().id, seq, position, std::nullopt};
}

Match::Answer Match::after_act(Refusal refusal, Now now, MatchEffects& out) {
  if (refusal != Refusal::None) return error_of(refusal);
  // Derived events may follow the act's own.
  std::uint32_t seq = game_.seq();
  while (is_derived(game_.events()[seq - 1].body)) --seq;
  remember(game_.events()[seq - 1]);
  const auto answer = accepted(seq);
  const auto& body = game_.events()[seq - 1].body;
  // A question and its refusal leave the turn as it is.
  const bool is_talk =
      std::holds_alternative<rules::Asked>(body) || std::holds_alternative<rules::Declined>(body);
  if (!is_talk) turn_.begin(now.steady);
  if (const auto& asked = game_.asked(); asked && !is_person(other(asked->color))) {
    answer_for_engine(now, out);
  }
  if (game_.is_finished()) cancel_jobs(out);
  ask(now, out);
  return answer;
}

// What needs no good will is not the seat's to refuse: a repetition has no end.
bool Match::grants(const rules::Asked& asked) const {
  const rules::Seat& seat = game_.seat(other(asked.color));
  switch (asked.kind) {
    case rules::AskKind::Undo:
      return times_granted<rules::Undone>(game_, asked.color) < seat.undos;
    case rules::AskKind::Pause:
      return times_granted<rules::Paused>(game_, asked.color) < seat.pauses;
    case rules::AskKind::NoResult:
      break;
  }
  return true;
}

void Match::answer_for_engine(Now now, MatchEffects& out) {
  const rules::Asked asked = *game_.asked();
  if (!grants(asked)) {
    check(game_.decline(other(asked.color), stamp_of(now, {})) == Refusal::None,
          "what is asked can be declined");
    return;
  }
  check(agree(stamp_of(now, {}), now) == Refusal::None, "what may be asked can be done");
  turn_.begin(now.steady);
  cancel_jobs(out);
}

void Match::remember(const rules::Event& event) {
  const auto color = actor_of(event.body);
  if (!color || event.stamp.request_id.empty()) return;
  done_.emplace(request_key(*color, event.stamp.request_id),
                Done{*color, bare_act(event.body), event.seq});
}

}  // namespace tengen::daemon
