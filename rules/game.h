// One game as a state machine over its log: a Record with turn, phase, clocks, end and result. Each
// method that changes it appends the events it made; replay feeds a log back through the same
// methods. It does not know what time it is: every move says what it took.
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

namespace tengen::rules {

enum class Phase : std::uint8_t { Play = 1, Marking = 2, Finished = 3 };
std::string_view name_of(Phase phase);

struct ReplayError {
  std::uint32_t seq = 0;  // the event that does not fit; 0 for the header
  std::string reason;
};

class Game {
 public:
  /// Whether games can be played by these rules: all but those that end by confirmation.
  static bool is_playable(const Ruleset& rules);
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
  /// The side to move, in a game with a clock, has used more than time_left().
  [[nodiscard]] Refusal time_out(Color color, const Stamp& stamp);
  /// Another one plays that side from now on. The seat must have no problem of its own; where it
  /// has one nothing changes and the answer is WrongPhase.
  [[nodiscard]] Refusal change_seat(Color color, Seat seat, std::string reason, const Stamp& stamp);
  /// A seat's dead list in the marking phase, absent when it cannot list: it then takes the other
  /// side's. The points are widened to whole chains. With both lists given the game is scored:
  /// equal lists are removed, unequal ones leave all stones alive.
  [[nodiscard]] Refusal list_dead(Color color, std::optional<std::vector<Point>> points,
                                  const Stamp& stamp);
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
  /// Whose turn it is in the play phase; nothing in the others.
  std::optional<Color> turn() const;
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
  const std::optional<Result>& result() const { return result_; }
  const std::optional<Scored>& score() const { return score_; }

  /// The last event's number; 0 for a new game.
  std::uint32_t seq() const { return static_cast<std::uint32_t>(events_.size()); }
  /// The number of the last event that changed the board or the turn (play or pass); 0 at first.
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
  bool allows(const MoveTime& time) const;
  std::optional<ReplayError> follow(std::uint32_t seq, const Event& event);
  ClockFace charge(Color color, const MoveTime& time);
  void after_move(const Stamp& stamp);
  void after_stop(const Stamp& stamp);
  void compare_lists(const Stamp& stamp);
  void finish_by_score(std::vector<Point> removed, const Stamp& stamp);
  void finish(Result result, const Stamp& stamp);
  void append(EventBody body, const Stamp& stamp);

  Header header_;
  std::array<Seat, 2> seats_;       // by slot
  std::shared_ptr<Record> record_;  // copied before a change while somebody shares it
  std::vector<Event> events_;
  Phase phase_ = Phase::Play;
  Color turn_ = Color::Black;
  int passes_ = 0;
  std::uint32_t position_seq_ = 0;
  ClockFaces clocks_;
  std::array<std::optional<DeadList>, 2> lists_;  // by colour
  std::optional<Scored> score_;
  std::optional<Result> result_;
};

}  // namespace tengen::rules
