// The analyses that run: of games as they go on, of fixed positions, and reviews of whole games.
// Whoever follows the same game with the same wishes shares one stream of the pool. A core: what an
// engine thinks of a position that is not durable yet is kept back here, and only its newest.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/analysis_line.h"
#include "daemon/effects.h"
#include "pool/effects.h"
#include "pool/job.h"

namespace tengen::daemon {

struct AnalysisLimits {
  std::uint32_t running_max = 64;         // analyses and reviews in the whole daemon
  std::uint32_t per_connection_max = 8;   // that one connection takes part in
  std::uint32_t subscribers_max = 1'000;  // connections that share one
};

/// What is asked of the engines; already judged by the profile.
struct AnalysisOrder {
  std::string profile;
  rules::Settings settings;
  pool::AnalysisRequest request;
  protocol::AnalysisDetail detail;
  friend bool operator==(const AnalysisOrder&, const AnalysisOrder&) = default;
};

/// What analyses want of the pool and have to say. What is told comes first.
struct AnalysisEffects {
  struct Tell {
    std::vector<ConnId> to;
    protocol::ServerMessage message;
    Ticket after{};
    std::uint32_t newest_of = 0;  // the analysis whose newest this is; 0: it is not to be left out
  };
  std::vector<Tell> tell;
  std::vector<pool::JobId> cancel;
  std::vector<pool::Job> submit;
  /// Connections that take part no longer, and in which analysis.
  std::vector<std::pair<ConnId, std::uint32_t>> left;
};

class Analyses {
 public:
  explicit Analyses(const AnalysisLimits& limits) : limits_(limits) {}

  /// Its job ids begin with these two bits: matches' with none of them, virtual engines' with the
  /// top one.
  static constexpr std::uint64_t kJobs = std::uint64_t{1} << 62;
  static bool is_its_job(pool::JobId job) { return (job.value >> 62) == 1; }

  struct Begun {
    std::uint32_t analysis = 0;
    Ticket after{};  // what the reply has to wait for
  };
  using Start = std::variant<Begun, protocol::Error>;
  /// The position is the game's present one, if there is something to think about, and `after` the
  /// ticket that it waits for. A connection that has this analysis already gets its new time limit.
  /// A zero time is none.
  Start follow(ConnId connection, AnalysisOrder order, rules::GameId game,
               std::optional<AnalysisPosition> position, Ticket after,
               std::chrono::milliseconds time_max, TimePoint now, AnalysisEffects& out);
  /// One position. `game`: whose it is.
  Start think(ConnId connection, AnalysisOrder order, std::optional<rules::GameId> game,
              AnalysisPosition position, Ticket after, std::chrono::milliseconds time_max,
              TimePoint now, AnalysisEffects& out);
  /// The positions of the line after so many moves, ascending, at least one.
  Start review(ConnId connection, AnalysisOrder order, std::optional<rules::GameId> game,
               AnalysisLine line, std::vector<std::uint32_t> moves, Ticket after,
               AnalysisEffects& out);

  /// What everything that was told of a running analysis waited for; nothing when it is not
  /// running.
  std::optional<Ticket> told_with(std::uint32_t analysis) const;
  /// The connection hears no more of it. Unknown ones are ignored, as are those of others.
  void stop(ConnId connection, std::uint32_t analysis, AnalysisEffects& out);
  void on_disconnected(ConnId connection, AnalysisEffects& out);
  /// The connection may not have this game analysed any longer.
  void forbid(ConnId connection, rules::GameId game, AnalysisEffects& out);

  bool is_followed(rules::GameId game) const { return followed_.contains(game); }
  /// A followed game has changed: its present position, or nothing while there is none.
  void on_position(rules::GameId game, const std::optional<AnalysisPosition>& position,
                   Ticket after, AnalysisEffects& out);
  void on_finished(rules::GameId game, Ticket after, AnalysisEffects& out);

  void on_update(const pool::AnalysisUpdate& update, Ticket durable, AnalysisEffects& out);
  void on_job_done(const pool::JobDone& done, AnalysisEffects& out);
  /// What was kept back for tickets up to this one is told.
  void on_stored(Ticket durable, AnalysisEffects& out);
  void end_all(protocol::AnalysisEnd reason, AnalysisEffects& out);

  std::optional<TimePoint> deadline() const {
    return limits_of_time_.empty() ? std::nullopt : std::optional(limits_of_time_.begin()->at);
  }
  void on_deadline(TimePoint now, AnalysisEffects& out);

  std::size_t running() const { return running_.size(); }
  /// Connections that take part, over all analyses; for invariants.
  std::size_t subscriptions() const;
  /// The jobs it waits for; for invariants.
  std::vector<pool::JobId> jobs() const;

 private:
  struct Subscriber {
    ConnId connection;
    std::optional<TimePoint> until;
  };
  /// When a connection has had enough of an analysis.
  struct TimeLimit {
    TimePoint at;
    std::uint32_t analysis = 0;
    ConnId connection;
    friend auto operator<=>(const TimeLimit&, const TimeLimit&) = default;
  };
  struct Review {
    LineWalk walk;
    std::vector<std::uint32_t> moves;
    std::size_t done = 0;
  };
  struct Running {
    std::uint32_t id = 0;
    AnalysisOrder order;
    pool::ClientId client{};  // whose share of the engines it takes
    std::optional<rules::GameId> game{};
    bool is_following = false;
    std::optional<Review> review{};
    std::optional<AnalysisPosition> position{};
    Ticket after{};  // of the position
    std::optional<pool::JobId> job{};
    std::optional<protocol::PositionAnalysis> latest{};  // of the position
    bool is_held = false;                                // the latest waits for its ticket
    std::vector<Subscriber> subscribers{};
  };

  std::optional<protocol::Error> objection(ConnId connection, const Running* shared) const;
  Running& begin(ConnId connection, AnalysisOrder order, std::optional<rules::GameId> game,
                 Ticket after);
  void set_time_limit(std::uint32_t analysis, Subscriber& subscriber,
                      std::optional<TimePoint> until);
  Running* find_shared(rules::GameId game, const AnalysisOrder& order);
  void turn_to(Running& running, std::optional<AnalysisPosition> position, Ticket after,
               AnalysisEffects& out);
  void ask(Running& running, AnalysisEffects& out);
  void drop_job(Running& running, AnalysisEffects& out);
  void on_position_done(Running& running, AnalysisEffects& out);
  void leave(Running& running, ConnId connection, AnalysisEffects& out);
  void end(Running& running, protocol::AnalysisEnd reason, const std::string& message,
           AnalysisEffects& out);
  void forget(std::uint32_t id);
  static void tell_latest(Running& running, AnalysisEffects& out);
  static std::vector<ConnId> all_of(const Running& running);

  AnalysisLimits limits_;
  std::map<std::uint32_t, Running> running_;         // by id
  std::map<pool::JobId, std::uint32_t> by_job_;      // the analysis that waits for it
  std::map<rules::GameId, std::uint32_t> followed_;  // how many analyses follow it
  std::set<TimeLimit> limits_of_time_;
  std::uint32_t last_id_ = 0;
  std::uint64_t jobs_made_ = 0;
};

}  // namespace tengen::daemon
