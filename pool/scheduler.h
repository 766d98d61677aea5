// The jobs that wait for one profile's engines, and whose turn it is: pure choices, no engines in
// here. Three kinds of work (moves, questions, analysis) share the engines' time by weights, and
// within a kind so do the clients, so that nobody's thousand jobs delay another's one. What is
// shared is time, not turns: each job is charged an estimate when it is taken and the rest when it
// is over.
//
// Among jobs whose turn it nearly is, those that are cheap here go first: the game an engine holds
// (no replay, a warm search tree), then its board size (a change costs some engines 60 ms). A bound
// keeps the one that is passed over from starving.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pool/work.h"

namespace tengen::pool {

/// What an engine has on its board; nothing when it is new or its board is unknown.
struct Held {
  std::optional<rules::GameId> game;
  std::optional<rules::Size> size;
};

/// How well an engine suits a job, better ones greater.
enum class Fit : std::uint8_t { OtherSize, SameSize, SameGame };
/// An engine that holds nothing loses no other game's tree, which makes up for a change of size.
Fit fit_of(const Held& held, const Job& job);

/// Weights of the kinds of work, by Priority.
using Shares = std::array<int, kPriorities>;

class Scheduler {
 public:
  explicit Scheduler(Shares shares) : shares_(shares) {}
  void set_shares(Shares shares) { shares_ = shares; }

  /// Takes a job in; one that was here before keeps its place among its client's.
  void add(std::unique_ptr<Work> work);

  /// Whether an engine may do a job: yes; not as things are; never, it would take another variant.
  enum class May : std::uint8_t { Take, NotNow, OtherVariant };
  using MayTake = std::function<May(const Work&)>;
  /// Takes the job that an engine should do next, or null when it may take none. The job whose turn
  /// it is may be passed over kOvertakesMax times; an engine of another variant is then left
  /// without work, so that it can make room for one of that job's.
  std::unique_ptr<Work> take(const Held& held, const MayTake& may_take, TimePoint now);
  /// The same, but only a job of the game that the engine holds.
  std::unique_ptr<Work> take_same_game(const Held& held, const MayTake& may_take);
  /// The job whose turn it is; null when none waits.
  const Work* next() const;
  /// The first jobs by turn, the one whose turn it is in front; at most kLookaheadMax.
  std::vector<const Work*> next_ones() const;
  /// The same of one kind.
  std::vector<const Work*> next_ones(Priority priority) const;

  /// What a job that was taken has cost in truth.
  void settle(Work& work, std::chrono::nanoseconds cost);
  /// How long jobs of that kind have been taking lately; the estimate that they are charged.
  std::chrono::nanoseconds usual_cost(Priority priority) const;
  /// Whether work of one kind waits and is due before a stream that has run for so long.
  bool is_before_stream(Priority priority, std::chrono::nanoseconds ran) const;

  std::unique_ptr<Work> remove(JobId job);
  std::vector<std::unique_ptr<Work>> remove_game(rules::GameId game);
  std::vector<std::unique_ptr<Work>> remove_client(ClientId client);
  std::vector<std::unique_ptr<Work>> remove_expired(TimePoint now);
  std::vector<std::unique_ptr<Work>> remove_all();
  /// When the first of the waiting jobs expires.
  std::optional<TimePoint> next_expiry() const;

  bool is_empty() const { return !only_ && jobs_.empty(); }
  std::size_t size() const { return jobs_.size() + (only_ ? 1 : 0); }
  std::size_t size(Priority priority) const {
    return kinds_[index_of(priority)].waiting + (only_ && only_->job.priority == priority ? 1 : 0);
  }
  std::size_t size_of(ClientId client) const;
  /// Every job that waits, in no order.
  std::vector<const Work*> all() const;
  std::optional<std::string> broken_invariant() const;

 private:
  /// What one client has waiting of one kind.
  struct Flow {
    ClientId client;
    double time = 0;  // virtual: engine seconds had, when it last joined at least the kind's
    std::vector<std::unique_ptr<Work>> works;  // by order
  };
  struct Kind {
    double time = 0;                                    // virtual: engine seconds had by its weight
    double floor = 0;                                   // of its flows' times
    std::unordered_map<std::uint64_t, Flow> flows;      // by client
    std::vector<const Flow*> turn;                      // those with work, by time and client
    std::set<std::pair<TimePoint, std::uint64_t>> due;  // works that are due at a time, by job id
    std::size_t waiting = 0;
    double usual_seconds = 0.1;

    Work& first() const { return *turn.front()->works.front(); }
    void add_turn(const Flow& flow);
    void remove_turn(const Flow& flow);
    bool has_turn(const Flow& flow) const;
  };

  static constexpr std::size_t index_of(Priority priority) {
    return static_cast<std::size_t>(priority);
  }
  /// Kinds with work, the one whose turn it is in front.
  struct Turns {
    std::array<std::size_t, kPriorities> kinds{};
    std::size_t count = 0;
    const std::size_t* begin() const { return kinds.data(); }
    const std::size_t* end() const { return kinds.data() + count; }
  };

  void file(std::unique_ptr<Work> work);
  /// A job that waits alone goes where all others are.
  void file_only() {
    if (only_) file(std::move(only_));
  }
  Kind& kind_of(const Work& work) { return kinds_[index_of(work.job.priority)]; }
  Turns kinds_by_turn() const;
  template <typename Visit>
  void visit_by_turn(const Kind& kind, const Visit& visit) const;
  Work* pick(const Kind& kind, const Held& held, const MayTake& may_take, TimePoint now) const;
  Work* urgent(const Kind& kind, const MayTake& may_take, TimePoint now) const;
  Work* same_game(const Held& held, const MayTake& may_take) const;
  std::unique_ptr<Work> take_out(Kind& kind, Flow& flow, Work& work);
  std::unique_ptr<Work> hand_over(Work& work);
  std::unique_ptr<Work> hand_over_only();
  double estimate(const Work& work) const;
  void charge(Kind& kind, Flow& flow, Work& work, double seconds);
  Flow& flow_of(Kind& kind, ClientId client);
  void forget_idle_flows(Kind& kind);
  double weight(Priority priority) const { return shares_[index_of(priority)]; }

  Shares shares_;
  /// The only job that waits, while it is not filed below: most are taken as soon as they come.
  std::unique_ptr<Work> only_;
  std::array<Kind, kPriorities> kinds_;
  double floor_ = 0;  // of the kinds' times: that of the kind that was last served
  std::unordered_map<std::uint64_t, Work*> jobs_;  // by job id
  std::unordered_multimap<rules::GameId, Work*> games_;
  std::set<std::pair<TimePoint, std::uint64_t>> expiries_;  // until and job id
};

}  // namespace tengen::pool
