// One game in play: seats, exactly-once requests, the clock that runs, and the engine's part. It
// judges with rules::Game, asks the pool when an engine is to move or to list dead stones, and
// deals with engines that fail. A core; its events are read from game() by the hub, which stores
// and publishes them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "daemon/effects.h"
#include "daemon/turn_clock.h"
#include "pool/effects.h"
#include "pool/job.h"
#include "protocol/messages.h"
#include "rules/game.h"

namespace tengen::daemon {

/// What a match wants of the pool.
struct MatchEffects {
  std::vector<pool::Job> submit;
  std::vector<pool::JobId> cancel;
};

/// How long a match waits before it asks again after the pool could not do a job and did not say
/// when it could.
inline constexpr std::chrono::milliseconds kEngineRetryDelay{2'000};
/// The same while the configuration lets no engine of the seat's profile play the game: an operator
/// has to mend it, and a reload asks at once.
inline constexpr std::chrono::milliseconds kStrandedRetryDelay{30'000};
/// Jobs in a row that may fail on two engines each before the engine is given up.
inline constexpr int kEngineFailuresMax = 3;
/// Illegal moves in a row that an engine may answer with before it is given up.
inline constexpr int kIllegalAnswersMax = 2;

/// What the reason of every end by an operator's ruling begins with.
inline constexpr std::string_view kAdjudicated = "adjudicated";

/// When an event is recorded, and for which request; none for what nobody asked for.
inline rules::Stamp stamp_of(Now now, const std::string& request_id) {
  return {now.unix_ms, request_id};
}

class Match {
 public:
  /// `number` is the match's own in this run of the daemon; its job ids are made of it.
  Match(std::uint32_t number, rules::Game game);

  static std::uint32_t number_of(pool::JobId job) {
    return static_cast<std::uint32_t>(job.value >> 32);
  }
  std::uint32_t number() const { return number_; }
  const rules::Game& game() const { return game_; }

  /// Asks for whatever the game waits for now: after creation and after a restart. The present turn
  /// begins, so that the time in which the daemon was down is nobody's.
  void resume(Now now, MatchEffects& out);

  using Answer = std::variant<protocol::Accepted, protocol::Error>;
  /// A resend of an accepted request gets the first answer again. `slot` is one the caller holds.
  Answer on_play(int slot, const protocol::Play& request, Now now, MatchEffects& out);
  Answer on_pass(int slot, const protocol::Pass& request, Now now, MatchEffects& out);
  Answer on_resign(int slot, const protocol::Resign& request, Now now, MatchEffects& out);
  Answer on_act(int slot, const protocol::GameAct& request, Now now, MatchEffects& out);

  /// That side has gone and loses, unless the game is over.
  void on_departed(rules::Color color, Now now, MatchEffects& out);
  /// An operator ends the game: that side wins, or the game does not count. `text` says why and may
  /// be empty. An error when the game is over already.
  std::optional<protocol::Error> on_ruling(std::optional<rules::Color> winner,
                                           const std::string& text, Now now, MatchEffects& out);
  /// A person has been away for as long as the game allows: the engine takes the seat, or the game
  /// is lost when there is none.
  void on_absent(rules::Color color, const std::optional<rules::Seat>& engine, Now now,
                 MatchEffects& out);
  /// Somebody takes an open seat; nothing when that was done, by this request or an earlier one of
  /// the same id. With the last one the first turn begins.
  std::optional<protocol::Error> on_take_seat(int slot, const std::string& name,
                                              const std::string& request_id, Now now,
                                              MatchEffects& out);

  /// Answers of jobs that the match no longer waits for are ignored. `substitute` is who can take
  /// the seat over if its engine has to be given up, once for each seat. Where nobody can, a seat
  /// forfeits by its engine's faults alone: one that the configuration does not let play any more
  /// waits until it does.
  void on_job_done(const pool::JobDone& done, const std::optional<rules::Seat>& substitute, Now now,
                   MatchEffects& out);

  /// The pool has begun to search for a job, or has lost the engine that did. Jobs that the match
  /// no longer waits for are ignored.
  void on_search_begun(pool::JobId job, Now now);
  void on_job_moved(const pool::JobMoved& moved);

  /// The configuration is about to change: who is stranded is asked for again at once.
  void on_reload(Now now);

  /// When to ask an engine again, when a person's flag falls, when a person's marking time is over,
  /// or when the game pauses because the server is late with an engine. An engine's flag never
  /// falls by itself: the pool ends a search in time, and what it took is looked at then.
  std::optional<TimePoint> deadline() const;
  void on_deadline(Now now, MatchEffects& out);

  protocol::Snapshot snapshot(Now now) const;
  /// Whether a seat still has to be taken before anybody can move.
  bool has_open_seat() const;
  /// Whether a person is to move.
  bool is_persons_turn() const;
  /// Whether that side was last refused its engine for what the configuration says.
  bool is_stranded(rules::Color color) const {
    return stranded_[static_cast<std::size_t>(index_of(color))];
  }
  /// Whose job that is, while it is waited for.
  std::optional<rules::Color> color_awaiting(pool::JobId job) const;
  /// The jobs it waits for; for invariants.
  std::vector<pool::JobId> awaited_jobs() const;

 private:
  struct Done {
    rules::Color color;
    rules::EventBody act;
    std::uint32_t seq;
  };

  std::optional<Answer> answer_again(rules::Color color, const std::string& request_id,
                                     const rules::EventBody& act) const;
  std::optional<protocol::Error> judge_seq(std::uint32_t position_seq, Now now) const;
  std::optional<protocol::Error> judge_turn(int slot, std::uint32_t position_seq, Now now) const;
  protocol::Accepted accepted(std::uint32_t seq) const;
  Answer after_act(rules::Refusal refusal, Now now, MatchEffects& out);
  void remember(const rules::Event& event);

  void ask(Now now, MatchEffects& out);
  void ask_after_stop(MatchEffects& out);
  Answer on_agree(rules::Color color, const protocol::GameAct& request, Now now, MatchEffects& out);
  rules::Refusal agree(const rules::Stamp& stamp, Now now);
  bool grants(const rules::Asked& asked) const;
  void answer_for_engine(Now now, MatchEffects& out);
  bool is_person(rules::Color color) const;
  void note_waiting(Now now);
  void ask_engine(rules::Color color, pool::Want want, MatchEffects& out);
  using Substitute = std::optional<rules::Seat>;
  void on_turn_done(rules::Color color, const pool::JobDone& done, pool::Want want,
                    const Substitute& substitute, Now now);
  void on_move(rules::Color color, const pool::EngineMove& move, const Substitute& substitute,
               Now now);
  bool is_resignation_taken(rules::Color color) const;
  void on_failure(rules::Color color, const pool::JobFailure& failure, const Substitute& substitute,
                  Now now);
  void on_list_done(rules::Color color, const pool::JobResult& result, Now now);
  void ask_later(rules::Color color, const pool::JobFailure& failure, Now now);
  void on_handicap_done(rules::Color color, const pool::JobDone& done, const Substitute& substitute,
                        Now now);
  void propose(rules::Color color, const std::vector<rules::Point>& dead, Now now);
  void answer_proposal(rules::Color color, const std::vector<rules::Point>* dead, Now now);
  void end_marking_time(Now now);
  void take_list(rules::Color color, std::optional<std::vector<rules::Point>> points, Now now);
  void give_up(rules::Color color, const std::string& reason, const Substitute& substitute,
               Now now);
  bool replace(rules::Color color, const std::string& reason, const Substitute& substitute,
               Now now);
  void time_out(rules::Color color, Now now);
  void cancel_jobs(MatchEffects& out);
  bool is_turns_job(pool::JobId job) const;
  bool is_late() const;
  void end_server_pause(Now now);

  std::uint32_t number_;
  rules::Game game_;
  std::uint32_t jobs_made_ = 0;
  struct Awaited {
    pool::JobId job;
    pool::Want want;
  };
  std::array<std::optional<Awaited>, 2> awaited_;  // by colour
  TurnClock turn_;
  std::array<bool, 2> waits_on_{};  // whom marks, lists or a handicap are awaited of, by colour
  TimePoint waits_since_{};
  bool wants_to_pass_ = false;  // the engine to move, and is asked its cleanup move
  int illegal_answers_ = 0;
  int failures_ = 0;
  std::array<bool, 2> stranded_{};  // by colour
  std::optional<TimePoint> retry_at_;
  std::unordered_map<std::string, Done> done_;  // accepted requests, by slot and request id
};

}  // namespace tengen::daemon
