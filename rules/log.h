// The log is the game: a header, then numbered events. Player events are judged again on replay by
// the method that made them, outside events are applied, derived events are regenerated and
// compared. This file owns the values and a text form with one line per event (golden files,
// fuzzing); the binary form is protocol's.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rules/clock.h"
#include "rules/color.h"
#include "rules/game_id.h"
#include "rules/move.h"
#include "rules/ruleset.h"
#include "rules/time_control.h"

namespace tengen::rules {

/// An agent plays as a person does, over HTTP, by the rules of agents' games alone.
enum class SeatKind : std::uint8_t { Human = 1, Engine = 2, Agent = 3 };

/// Key and value of an engine setting, in the order given.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// What every random choice of a game's engines is derived from; a secret until the game is over.
using GameSeed = std::array<std::uint8_t, 32>;

/// How often a side may ask the other one for something in one game.
inline constexpr int kQuestionsMax = 200;
/// What an engine grants where the game does not say otherwise: every undo, and few pauses, which
/// cost the other side nothing and stop the game for as long as it likes.
inline constexpr int kUndosGranted = kQuestionsMax;
inline constexpr int kPausesGranted = 3;

/// Who plays one slot. `profile`, `settings` and `other_rules` belong to engines only.
struct Seat {
  SeatKind kind = SeatKind::Human;
  std::string name;  // shown to people and written to SGF; may be empty
  std::string profile;
  Settings settings;
  bool other_rules = false;  // it cannot be told the game's rules and plays by some of its own
  /// Moves of the game before which this engine's resignation counts as a pass.
  int resign_from = 0;
  bool is_open = false;  // nobody has taken this seat yet; not of engines
  /// How many undos and pauses this engine grants the other side in one game; 0 for others.
  int undos = 0;
  int pauses = 0;
  friend bool operator==(const Seat&, const Seat&) = default;
};

/// Who may have an engine analyse a game while it is in play. Once it is over everyone may.
enum class AnalysisPolicy : std::uint8_t {
  AfterEnd = 1,    // nobody
  Spectators = 2,  // whoever plays none of its seats
  Everyone = 3,
};

/// The usual marking time, and its bounds.
inline constexpr std::chrono::milliseconds kMarkingTime{120'000};
inline constexpr std::chrono::milliseconds kMarkingTimeMin{100};
inline constexpr std::chrono::milliseconds kMarkingTimeMax{86'400'000};

/// How long a person may be away before the seat is lost, and the longest delay of a broadcast.
inline constexpr std::chrono::milliseconds kAbsenceMax{86'400'000};
inline constexpr std::chrono::milliseconds kBroadcastDelayMax{3'600'000};
/// The most of each turn of a person that can be the network's.
inline constexpr std::chrono::milliseconds kLagAllowanceMax{2'000};

struct Header {
  GameId id;
  std::int64_t created_ms = 0;  // Unix time
  Size size;
  std::string preset;  // the name the rules were asked for by; empty when given by components
  Ruleset rules;
  int komi_half = 15;  // half points
  std::vector<Stone> setup;
  Color first = Color::Black;
  std::array<Seat, 2> seats;  // by slot: seats[0] is slot 1
  Color slot1_color = Color::Black;
  GameSeed seed{};
  TimeControl clock;
  /// Stones that black places where it likes before the first move; 0, or 2 and more. Then `first`
  /// is white and `setup` empty.
  int free_handicap = 0;
  /// Either side may annul the game while fewer plays and passes than this were made; 0: never.
  int annul_before = 0;
  AnalysisPolicy analysis = AnalysisPolicy::AfterEnd;
  /// How long a side may take to mark or list dead stones, each time it is waited for.
  std::chrono::milliseconds marking_time{kMarkingTime};
  /// A person without a connection for so long loses the game, or the seat to an engine of
  /// `absence_profile` if that is not empty. 0: never.
  std::chrono::milliseconds absence{0};
  std::string absence_profile{};
  std::chrono::milliseconds broadcast_delay{0};  // of what spectators see
  std::chrono::milliseconds lag_allowance{0};    // of each turn of a person, free of charge
  friend bool operator==(const Header&, const Header&) = default;

  Color color_of_slot(int slot) const { return slot == 1 ? slot1_color : other(slot1_color); }
  int slot_of(Color color) const { return color == slot1_color ? 1 : 2; }
  /// Who began; who plays now is Game's to say.
  const Seat& seat(Color color) const {
    return seats[static_cast<std::size_t>(slot_of(color) - 1)];
  }
};

/// What a turn took: `used` was the mover's to pay, `lag` was the server's doing and is given back.
/// Both are zero in a game without a clock.
struct MoveTime {
  std::chrono::nanoseconds used{0};
  std::chrono::nanoseconds lag{0};
  friend bool operator==(const MoveTime&, const MoveTime&) = default;
};

// Player events. `left` is what the mover's clock shows after the move; it follows from the time
// and is compared on replay.
struct Played {
  Color color;
  Point point;
  MoveTime time{};
  ClockFace left{};
  friend bool operator==(const Played&, const Played&) = default;
};
struct Passed {
  Color color;
  MoveTime time{};
  ClockFace left{};
  friend bool operator==(const Passed&, const Passed&) = default;
};
struct Resigned {
  Color color;
  friend bool operator==(const Resigned&, const Resigned&) = default;
};
/// What one side can ask and the other agree to.
enum class AskKind : std::uint8_t { Undo = 1, Pause = 2, NoResult = 3 };
/// A side asks the other one. One thing is asked at a time; a move and a stop make it void.
struct Asked {
  Color color;
  AskKind kind = AskKind::Undo;
  int moves = 0;  // to take back; 0 unless kind is Undo
  friend bool operator==(const Asked&, const Asked&) = default;
};
/// The other side says no, or the asking one takes its question back.
struct Declined {
  Color color;
  friend bool operator==(const Declined&, const Declined&) = default;
};
// The three below are the other side's agreement; `color` is who asked.
/// The last moves were taken back. The clocks show again what they did before them.
struct Undone {
  Color color;
  int moves = 0;
  friend bool operator==(const Undone&, const Undone&) = default;
};
/// The proposer marks a chain as dead, or no longer; `point` is its lowest one.
struct Marked {
  Color color;
  Point point;
  friend bool operator==(const Marked&, const Marked&) = default;
};
/// The proposer marks an empty point as seki, or no longer.
struct SekiMarked {
  Color color;
  Point point;
  friend bool operator==(const SekiMarked&, const SekiMarked&) = default;
};
/// The proposer has marked what it proposes.
struct MarkingDone {
  Color color;
  friend bool operator==(const MarkingDone&, const MarkingDone&) = default;
};
/// The answerer accepts the marks, or sends the game back to the board.
struct MarkingAccepted {
  Color color;
  friend bool operator==(const MarkingAccepted&, const MarkingAccepted&) = default;
};
struct MarkingDisputed {
  Color color;
  friend bool operator==(const MarkingDisputed&, const MarkingDisputed&) = default;
};

// Outside events.
/// Black's free handicap, sorted; at least two stones and no more than were given.
struct HandicapPlaced {
  std::vector<Point> points;
  friend bool operator==(const HandicapPlaced&, const HandicapPlaced&) = default;
};
/// A seat's dead chains after two passes; `points` absent when it could not list. Whole chains.
struct DeadListed {
  Color color;
  std::optional<std::vector<Point>> points;
  friend bool operator==(const DeadListed&, const DeadListed&) = default;
};
struct Forfeited {
  Color color;
  std::string reason;
  friend bool operator==(const Forfeited&, const Forfeited&) = default;
};

/// The side to move has used all its time.
struct TimedOut {
  Color color;
  friend bool operator==(const TimedOut&, const TimedOut&) = default;
};
/// The side has gone and lost the game.
struct Abandoned {
  Color color;
  friend bool operator==(const Abandoned&, const Abandoned&) = default;
};
/// The game does not count.
struct Annulled {
  std::optional<Color> by;  // absent: neither side
  std::string reason;       // for people
  friend bool operator==(const Annulled&, const Annulled&) = default;
};
/// The repetition has no end.
struct NoResultAgreed {
  Color color;
  friend bool operator==(const NoResultAgreed&, const NoResultAgreed&) = default;
};
/// Why the clocks stand still. ServerLag: the server has no engine for the side to move, and goes
/// on by itself as soon as one searches.
enum class PauseReason : std::uint8_t { Agreed = 1, ServerLag = 2 };
/// Both clocks stand still. What the side to move had used of its turn until then is `time`, and
/// `left` what its clock shows. `color` is who asked, or whom the server keeps waiting.
struct Paused {
  Color color;
  MoveTime time{};
  ClockFace left{};
  PauseReason reason = PauseReason::Agreed;
  friend bool operator==(const Paused&, const Paused&) = default;
};
/// The clocks run again, as that side wants, or as its engine has begun to search.
struct Unpaused {
  Color color;
  friend bool operator==(const Unpaused&, const Unpaused&) = default;
};
/// A seat as a value the size of a pointer: seats seldom change, and every event would be as large.
class SeatBox {
 public:
  SeatBox() : SeatBox(Seat{}) {}
  SeatBox(Seat seat) : seat_(std::make_unique<Seat>(std::move(seat))) {}
  SeatBox(const SeatBox& other) : SeatBox(*other) {}
  SeatBox(SeatBox&&) noexcept = default;
  SeatBox& operator=(const SeatBox& other) { return *this = SeatBox(other); }
  SeatBox& operator=(SeatBox&&) noexcept = default;
  ~SeatBox() = default;

  const Seat& operator*() const { return *seat_; }
  Seat& operator*() { return *seat_; }
  friend bool operator==(const SeatBox& a, const SeatBox& b) { return *a == *b; }

 private:
  std::unique_ptr<Seat> seat_;  // absent only when moved from
};
/// From now on that side is played by another.
struct SeatChanged {
  Color color;
  SeatBox seat;
  std::string reason;  // for people
  friend bool operator==(const SeatChanged&, const SeatChanged&) = default;
};

// Derived events.
/// Stones removed by the play just before; `by` is the side whose prisoners they are.
struct Captured {
  Color by;
  std::vector<Point> points;
  friend bool operator==(const Captured&, const Captured&) = default;
};
enum class StopReason : std::uint8_t { TwoPasses = 1, MoveLimit = 2 };
struct Stopped {
  StopReason reason;
  friend bool operator==(const Stopped&, const Stopped&) = default;
};
/// Play goes on after a stop: as cleanup because the dead lists differ, or after a dispute. The
/// side to move is the one whose turn it was anyway.
enum class ContinueReason : std::uint8_t { Cleanup = 1, Dispute = 2 };
struct Continued {
  ContinueReason reason;
  friend bool operator==(const Continued&, const Continued&) = default;
};
/// Points in half points, komi and bonus included in white's; `removed` are the chains lifted as
/// dead, `seki` the points whose regions are nobody's by agreement.
struct Scored {
  int black_half = 0;
  int white_half = 0;
  std::vector<Point> removed;
  Scoring by = Scoring::Area;
  std::vector<Point> seki{};
  friend bool operator==(const Scored&, const Scored&) = default;
};
enum class ResultKind : std::uint8_t {
  Score = 1,
  Resign = 2,
  Forfeit = 3,
  Timeout = 4,
  Abandon = 5,
  NoResult = 6,
  Annulled = 7,
};
/// "score", "resign" ... "no-result", "annulled".
std::string_view name_of(ResultKind kind);
struct Result {
  ResultKind kind = ResultKind::Score;
  std::optional<Color> winner;  // absent for an even score, no result and an annulled game
  int margin_half = 0;          // half points; 0 unless kind is Score
  friend bool operator==(const Result&, const Result&) = default;
};
struct Finished {
  Result result;
  friend bool operator==(const Finished&, const Finished&) = default;
};

using EventBody =
    std::variant<Played, Passed, Resigned, DeadListed, Forfeited, TimedOut, SeatChanged, Captured,
                 Stopped, Scored, Finished, Undone, Marked, SekiMarked, MarkingDone,
                 MarkingAccepted, MarkingDisputed, HandicapPlaced, Abandoned, Annulled,
                 NoResultAgreed, Paused, Unpaused, Continued, Asked, Declined>;

/// When an event was recorded and which request asked for it.
struct Stamp {
  std::int64_t unix_ms = 0;
  std::string request_id;  // empty for engines and for events nobody asked for
  friend bool operator==(const Stamp&, const Stamp&) = default;
};

struct Event {
  std::uint32_t seq = 0;  // from 1, without gaps
  Stamp stamp;
  EventBody body;
  friend bool operator==(const Event&, const Event&) = default;
};

/// The word that names the event's kind: "play", "captured", "finished" ...
std::string_view name_of(const EventBody& body);
/// Whether the rules make the event, so that it is nobody's act.
bool is_derived(const EventBody& body);

/// Black's handicap as the header has it: the number of setup stones when they are all black, at
/// least two, and white moves first; else 0. A free one is Game's to say.
int handicap_stones(const Header& header);

/// SGF's result text: "B+3.5", "W+R", "B+F", "W+T", "0", "Void".
std::string result_text(const Result& result);
/// The same for a score, by black's lead in half points.
std::string score_text(int black_lead_half);

/// One line each, without the newline. Points are written as padded indexes.
std::string to_line(const Header& header);
std::string to_line(const Event& event);

struct LogText {
  Header header;
  std::vector<Event> events;
};
struct LogTextError {
  std::size_t line = 0;  // from 1
  std::string reason;
};
/// Reads a header line and event lines, each ended by a newline.
std::variant<LogText, LogTextError> parse_log_text(std::string_view text);

}  // namespace tengen::rules
