// One game as a state machine over its log: a Record with turn, phase, clocks, end and result. Each
// method that changes it appends the events it made; replay feeds a log back through the same
// methods. It does not know what time it is: every move says what it took.
//
// How it ends (document 004 for the confirmation): two passes stop play. All alive: it is scored.
// Compare lists: both sides list dead chains; equal lists are lifted, after unequal ones play goes
// on as cleanup, to two more passes and a score with all stones alive. Confirmation: the side that
// passed first proposes (mark, mark_seki, done), the other accepts or disputes; a dispute goes back
// to the board, and the stop after the third is scored by area with all stones alive.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rules/clock.h"
#include "rules/log.h"
#include "rules/record.h"
#include "rules/score.h"

namespace tengen::rules {

/// Marks that the proposer of one confirmation may set and take away: every point of the largest
/// board, there and back, and all of it once more.
inline constexpr int kMarksMax = 4 * kMaxSize * kMaxSize;

/// Cleanup is play after unequal dead lists; Handicap is before black's free handicap is placed.
enum class Phase : std::uint8_t { Play = 1, Marking = 2, Finished = 3, Cleanup = 4, Handicap = 5 };
std::string_view name_of(Phase phase);

struct ReplayError {
  std::uint32_t seq = 0;  // the event that does not fit; 0 for the header
  std::string reason;
};

class Game {
 public:
  /// What is wrong with a header, for people; nothing when a game can be made of it.
  static std::optional<std::string> problem(const Header& header);
  /// The header must have no problem().
  explicit Game(Header header);

  /// Rebuilds a game from its log, or names the first event the rules do not reproduce.
  static std::variant<Game, ReplayError> replay(Header header, std::span<const Event> events);

  /// A move that used more than time_left(), or took any time in a game without a clock, comes when
  /// the game is over: GameOver.
  [[nodiscard]] Refusal play(Color color, Point point, const Stamp& stamp, MoveTime time = {});
  [[nodiscard]] Refusal pass(Color color, const Stamp& stamp, MoveTime time = {});
  [[nodiscard]] Refusal resign(Color color, const Stamp& stamp);
  [[nodiscard]] Refusal forfeit(Color color, std::string reason, const Stamp& stamp);
  /// The side to move, in a game with a clock, has used more than time_left(); or the side that a
  /// confirmation or a handicap waits for has let the marking time pass.
  [[nodiscard]] Refusal time_out(Color color, const Stamp& stamp);
  [[nodiscard]] Refusal abandon(Color color, const Stamp& stamp);
  [[nodiscard]] Refusal annul(std::optional<Color> by, std::string reason, const Stamp& stamp);

  // What needs both sides: one asks, the other agrees by doing it, with the asking side's colour.
  [[nodiscard]] Refusal ask(Color color, AskKind kind, int moves, const Stamp& stamp);
  [[nodiscard]] Refusal decline(Color color, const Stamp& stamp);
  /// Takes the last moves back, which may not reach behind the last stop.
  [[nodiscard]] Refusal undo(Color asker, int moves, const Stamp& stamp);
  /// Stops the clocks in the middle of a turn that has taken so long; moves are refused until then.
  [[nodiscard]] Refusal pause(Color asker, const Stamp& stamp, MoveTime time = {});
  /// Only with simple ko, when the board has been the same before with the same side to move.
  [[nodiscard]] Refusal no_result(Color asker, const Stamp& stamp);
  /// The same when nobody has asked: the server has no engine for the side to move. WrongPhase in a
  /// game without a clock.
  [[nodiscard]] Refusal pause_for_server(const Stamp& stamp, MoveTime time);
  /// Either side may end a pause that was agreed to. One for the server ends by the side to move,
  /// which an engine plays; another one is refused as Paused.
  [[nodiscard]] Refusal unpause(Color color, const Stamp& stamp);
  /// Black's free handicap: two stones up to what the header gives.
  [[nodiscard]] Refusal place_handicap(std::vector<Point> points, const Stamp& stamp);
  /// Another one plays that side from now on. The seat must have no problem of its own; where it
  /// has one nothing changes and the answer is WrongPhase.
  [[nodiscard]] Refusal change_seat(Color color, Seat seat, std::string reason, const Stamp& stamp);
  /// A seat's dead list in the marking phase, absent when it cannot list: it then takes the other
  /// side's. The points are widened to whole chains. With both lists given equal ones are lifted
  /// and the game is scored; after unequal ones it goes on as cleanup.
  [[nodiscard]] Refusal list_dead(Color color, std::optional<std::vector<Point>> points,
                                  const Stamp& stamp);
  // The confirmation. The proposer marks, up to kMarksMax times, and is done; the answerer accepts
  // or disputes.
  /// Marks the chain as dead, or no longer. A chain that Benson's algorithm proves alive cannot be.
  [[nodiscard]] Refusal mark(Color color, Point point, const Stamp& stamp);
  /// Marks an empty point as seki, or no longer.
  [[nodiscard]] Refusal mark_seki(Color color, Point point, const Stamp& stamp);
  [[nodiscard]] Refusal done(Color color, const Stamp& stamp);
  [[nodiscard]] Refusal accept(Color color, const Stamp& stamp);
  [[nodiscard]] Refusal dispute(Color color, const Stamp& stamp);
  /// Does what the event tells of, for whoever follows a game by its events. Derived events are
  /// nobody's act and are refused as WrongPhase.
  [[nodiscard]] Refusal act(const Event& event);

  const Header& header() const { return header_; }
  const Record& record() const { return *record_; }
  /// The record as it stands, shared: moves that follow do not change it.
  std::shared_ptr<const Record> shared_record() const { return record_; }
  const std::vector<Event>& events() const { return events_; }
  Phase phase() const { return phase_; }
  bool is_finished() const { return phase_ == Phase::Finished; }
  /// Play or cleanup.
  bool is_in_play() const { return phase_ == Phase::Play || phase_ == Phase::Cleanup; }
  bool is_paused() const { return pause_.has_value(); }
  const std::optional<PauseReason>& pause_reason() const { return pause_; }
  /// How many moves may be taken back.
  int undoable() const { return static_cast<int>(record_->moves().size() - undo_floor_); }
  /// What is asked of the other side now.
  const std::optional<Asked>& asked() const { return asked_; }
  /// The number of the event of what was asked last; 0 when nothing ever was.
  std::uint32_t asked_seq() const { return asked_seq_; }
  /// Whose turn it is in play; nothing in the other phases.
  std::optional<Color> turn() const;
  /// Whether something is awaited of that side: its move, its list, its marks, its handicap.
  bool is_waiting_on(Color color) const;
  /// Black's handicap stones on the board when play began; 0 for none.
  int handicap() const;
  /// Who plays that side now.
  const Seat& seat(Color color) const { return seats_[index_of_slot(color)]; }
  const std::array<Seat, 2>& seats() const { return seats_; }  // by slot
  /// What both clocks showed when the present turn began. A side that has lost on time has nothing.
  const ClockFaces& clocks() const { return clocks_; }
  /// How long the side to move may think, from the beginning of its turn, before it has lost on
  /// time; nothing without a limit and outside the play phase.
  std::optional<std::chrono::nanoseconds> time_left() const;
  /// Whether a side's dead list is still awaited.
  bool awaits_list(Color color) const;
  /// The dead lists that have been given, black's first; while they are compared and after.
  std::vector<DeadListed> dead_lists() const;
  /// Who proposes in the confirmation that goes on; nothing when none does.
  std::optional<Color> proposer() const;
  /// Whether the proposer has said done.
  bool is_proposed() const { return is_proposed_; }
  /// Every stone of every chain marked dead, and the points marked as seki, sorted. Also after the
  /// marks were accepted.
  std::vector<Point> marked_dead() const;
  const std::vector<Point>& marked_seki() const { return seki_; }
  int disputes() const { return disputes_; }
  /// Whether the board has been the same before with the same side to move.
  bool is_repeated() const;
  const std::optional<Result>& result() const { return result_; }
  const std::optional<Scored>& score() const { return score_; }

  /// The last event's number; 0 for a new game.
  std::uint32_t seq() const { return static_cast<std::uint32_t>(events_.size()); }
  /// The number of the last event that changed the board or the turn (play, pass, undo, handicap);
  /// 0 at first.
  std::uint32_t position_seq() const { return position_seq_; }

  /// Every point `color` may play, in index order; empty off turn and outside the play phase.
  std::vector<Point> legal_points(Color color) const;

 private:
  /// A side's dead list, once given; the inner value is absent when it cannot list.
  using DeadList = std::optional<std::vector<Point>>;

  std::size_t index_of_slot(Color color) const {
    return static_cast<std::size_t>(header_.slot_of(color) - 1);
  }
  /// The record to be changed: nobody else's any more.
  Record& own_record();
  Refusal judge_move(Color color, const MoveTime& time) const;
  Refusal judge_agreement(const Asked& asked) const;
  Refusal judge_question(const Asked& asked) const;
  enum class Side : std::uint8_t { Proposer, Answerer };
  Refusal judge_marking(Color color, Side side) const;
  Refusal judge_mark(Color color, Point point) const;
  bool allows(const MoveTime& time) const;
  void stop_clocks(const Paused& paused, const Stamp& stamp);
  std::optional<ReplayError> follow(std::uint32_t seq, const Event& event);
  ClockFace charge(Color color, const MoveTime& time);
  void after_move(const Stamp& stamp);
  void after_stop(const Stamp& stamp);
  void compare_lists(const Stamp& stamp);
  void go_on(ContinueReason reason, const Stamp& stamp);
  void finish_by_score(Scoring scoring, const Marks& marks, const Stamp& stamp);
  void finish(Result result, const Stamp& stamp);
  void append(EventBody body, const Stamp& stamp);

  Header header_;
  std::array<Seat, 2> seats_;       // by slot
  std::shared_ptr<Record> record_;  // copied before a change while somebody shares it
  std::vector<Event> events_;
  Phase phase_ = Phase::Play;
  Color turn_ = Color::Black;
  int passes_ = 0;  // in a row, since play began or went on
  std::optional<PauseReason> pause_;
  std::optional<Asked> asked_;
  std::uint32_t asked_seq_ = 0;
  std::array<int, 2> questions_{};  // asked so far, by colour
  std::size_t undo_floor_ = 0;      // moves made before play began or went on
  std::uint32_t position_seq_ = 0;
  ClockFaces clocks_;
  std::vector<ClockFaces> clocks_before_;  // each move; empty in a game without a clock
  bool is_proposed_ = false;
  std::vector<Point> dead_;  // chains marked dead, by their lowest points, sorted
  std::vector<Point> seki_;
  int marks_ = 0;  // set and taken away in this confirmation
  int disputes_ = 0;
  std::array<std::optional<DeadList>, 2> lists_;  // by colour
  std::optional<Scored> score_;
  std::optional<Result> result_;
};

}  // namespace tengen::rules
