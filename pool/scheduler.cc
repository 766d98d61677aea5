// See scheduler.h. Virtual time as in start-time fair queueing (Goyal, Vin and Cheng 1996): whoever
// has had the least goes first, and whoever comes back after a rest starts where the others are, so
// that nobody saves up turns.
#include "pool/scheduler.h"

#include <algorithm>

#include "pool/limits.h"
#include "pool/require.h"
#include "pool/verdict.h"

namespace tengen::pool {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr double kUsualWeight = 1.0 / 16;  // of the newest cost in the usual one
/// A job is urgent when no more than so many usual costs are left until it is due.
constexpr double kUrgentCosts = 3;

double seconds_of(std::chrono::nanoseconds time) { return Seconds(time).count(); }

std::chrono::nanoseconds time_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Seconds(seconds));
}

/// By virtual time, at a tie by client.
template <typename Flow>
bool is_before(const Flow* a, const Flow* b) {
  return a->time != b->time ? a->time < b->time : a->client < b->client;
}

/// Where the work of that order is or would be.
template <typename Works>
auto place_of(Works& works, std::uint64_t order) {
  return std::lower_bound(works.begin(), works.end(), order,
                          [](const auto& work, std::uint64_t its) { return work->order < its; });
}

}  // namespace

Fit fit_of(const Held& held, const Job& job) {
  if (held.game == job.game) return Fit::SameGame;
  if (!held.size || *held.size == job.record.size()) return Fit::SameSize;
  return Fit::OtherSize;
}

// Those who wait are few enough that moving pointers along costs less than the nodes of a tree.
void Scheduler::Kind::add_turn(const Flow& flow) {
  turn.insert(std::lower_bound(turn.begin(), turn.end(), &flow, is_before<Flow>), &flow);
}

void Scheduler::Kind::remove_turn(const Flow& flow) {
  turn.erase(std::lower_bound(turn.begin(), turn.end(), &flow, is_before<Flow>));
}

bool Scheduler::Kind::has_turn(const Flow& flow) const {
  return std::binary_search(turn.begin(), turn.end(), &flow, is_before<Flow>);
}

Scheduler::Flow& Scheduler::flow_of(Kind& kind, ClientId client) {
  const auto found = kind.flows.find(client.value);
  if (found != kind.flows.end()) return found->second;
  if (kind.flows.size() >= Limits::kFlowsMax) forget_idle_flows(kind);
  Flow& flow = kind.flows[client.value];
  flow.client = client;
  return flow;
}

void Scheduler::add(std::unique_ptr<Work> work) {
  if (is_empty()) {
    only_ = std::move(work);
    return;
  }
  file_only();
  file(std::move(work));
}

void Scheduler::file(std::unique_ptr<Work> work) {
  const Job& job = work->job;
  Kind& kind = kind_of(*work);
  if (kind.waiting == 0) kind.time = std::max(kind.time, floor_);
  Flow& flow = flow_of(kind, job.client);
  if (flow.works.empty()) {
    flow.time = std::max(flow.time, kind.floor);
    kind.add_turn(flow);
  }
  ++kind.waiting;
  if (work->due) kind.due.emplace(*work->due, job.id.value);
  if (job.until) expiries_.emplace(*job.until, job.id.value);
  games_.emplace(job.game, work.get());
  jobs_.emplace(job.id.value, work.get());
  flow.works.insert(place_of(flow.works, work->order), std::move(work));
}

// At a tie the more important one goes first.
Scheduler::Turns Scheduler::kinds_by_turn() const {
  Turns turns;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (kinds_[i].waiting == 0) continue;
    std::size_t at = turns.count++;
    for (; at > 0 && kinds_[turns.kinds[at - 1]].time > kinds_[i].time; --at) {
      turns.kinds[at] = turns.kinds[at - 1];
    }
    turns.kinds[at] = i;
  }
  return turns;
}

// The first of each client's jobs, then their second ones and so on would be exact; a client's jobs
// one after the other, clients in turn, is near enough for a look ahead. Stops when `visit` says
// so.
template <typename Visit>
void Scheduler::visit_by_turn(const Kind& kind, const Visit& visit) const {
  constexpr std::size_t kOfOneClient = 8;
  std::size_t seen = 0;
  for (const Flow* flow : kind.turn) {
    std::size_t of_client = 0;
    for (const auto& work : flow->works) {
      if (!visit(*work) || ++seen == Limits::kLookaheadMax) return;
      if (++of_client == kOfOneClient) break;
    }
  }
}

const Work* Scheduler::next() const {
  if (only_) return only_.get();
  const Turns turns = kinds_by_turn();
  return turns.count == 0 ? nullptr : &kinds_[turns.kinds.front()].first();
}

std::vector<const Work*> Scheduler::next_ones() const {
  if (only_) return {only_.get()};
  std::vector<const Work*> ones;
  for (const std::size_t i : kinds_by_turn()) {
    visit_by_turn(kinds_[i], [&](const Work& work) {
      ones.push_back(&work);
      return ones.size() < Limits::kLookaheadMax;
    });
    if (ones.size() == Limits::kLookaheadMax) break;
  }
  return ones;
}

std::vector<const Work*> Scheduler::next_ones(Priority priority) const {
  if (only_ && only_->job.priority == priority) return {only_.get()};
  std::vector<const Work*> ones;
  visit_by_turn(kinds_[index_of(priority)], [&](const Work& work) {
    ones.push_back(&work);
    return true;
  });
  return ones;
}

std::unique_ptr<Work> Scheduler::take(const Held& held, const MayTake& may_take, TimePoint now) {
  if (only_) return may_take(*only_) == May::Take ? hand_over_only() : nullptr;
  for (const std::size_t i : kinds_by_turn()) {
    const Kind& kind = kinds_[i];
    Work& first = kind.first();
    const May may = may_take(first);
    const bool is_due = first.overtaken >= Limits::kOvertakesMax;
    if (is_due && may == May::Take) return hand_over(first);
    if (is_due && may == May::OtherVariant) return nullptr;
    Work* best = pick(kind, held, may_take, now);
    if (best == nullptr) continue;
    if (best != &first && may != May::NotNow) ++first.overtaken;
    return hand_over(*best);
  }
  return nullptr;
}

Work* Scheduler::pick(const Kind& kind, const Held& held, const MayTake& may_take,
                      TimePoint now) const {
  Work* first = nullptr;
  Work* same_size = nullptr;
  visit_by_turn(kind, [&](Work& work) {
    if (may_take(work) != May::Take) return true;
    if (first == nullptr) first = &work;
    const Fit fit = fit_of(held, work.job);
    if (fit == Fit::SameGame || (fit == Fit::SameSize && same_size == nullptr)) same_size = &work;
    return fit == Fit::OtherSize;  // nothing later can be better, but for the same game
  });
  if (first == nullptr) return nullptr;
  if (Work* same = same_game(held, may_take);
      same != nullptr && same->job.priority == first->job.priority) {
    return same;
  }
  if (Work* hurried = urgent(kind, may_take, now)) return hurried;
  return same_size != nullptr ? same_size : first;
}

Work* Scheduler::urgent(const Kind& kind, const MayTake& may_take, TimePoint now) const {
  if (kind.due.empty()) return nullptr;
  const auto& [due, id] = *kind.due.begin();
  if (due > now + time_of(kUrgentCosts * kind.usual_seconds)) return nullptr;
  Work& work = *jobs_.at(id);
  return may_take(work) == May::Take ? &work : nullptr;
}

// The oldest of the game's jobs that may be taken.
Work* Scheduler::same_game(const Held& held, const MayTake& may_take) const {
  if (!held.game) return nullptr;
  Work* oldest = nullptr;
  const auto [begin, end] = games_.equal_range(*held.game);
  for (auto each = begin; each != end; ++each) {
    Work& work = *each->second;
    if (oldest != nullptr && oldest->order < work.order) continue;
    if (may_take(work) == May::Take) oldest = &work;
  }
  return oldest;
}

std::unique_ptr<Work> Scheduler::take_same_game(const Held& held, const MayTake& may_take) {
  if (only_) {
    const bool is_same = held.game == only_->job.game && may_take(*only_) == May::Take;
    return is_same ? hand_over_only() : nullptr;
  }
  if (jobs_.empty()) return nullptr;
  const std::size_t turn = kinds_by_turn().kinds.front();
  Work& first = kinds_[turn].first();
  if (first.overtaken >= Limits::kOvertakesMax) return nullptr;
  Work* same = same_game(held, may_take);
  // A stream that has just made room for a move must not be back before it.
  if (same == nullptr || index_of(same->job.priority) > turn) return nullptr;
  if (same != &first) ++first.overtaken;
  return hand_over(*same);
}

std::unique_ptr<Work> Scheduler::hand_over(Work& work) {
  Kind& kind = kind_of(work);
  Flow& flow = flow_of(kind, work.job.client);
  floor_ = std::max(floor_, kind.time);
  kind.floor = std::max(kind.floor, kind.turn.front()->time);
  auto taken = take_out(kind, flow, work);
  charge(kind, flow, *taken, estimate(*taken));
  return taken;
}

std::unique_ptr<Work> Scheduler::hand_over_only() {
  Kind& kind = kind_of(*only_);
  floor_ = kind.time = std::max(kind.time, floor_);
  Flow& flow = flow_of(kind, only_->job.client);
  kind.floor = flow.time = std::max(flow.time, kind.floor);
  charge(kind, flow, *only_, estimate(*only_));
  return std::move(only_);
}

// Streams have no usual length: they are charged their first quantum, and the rest at their end.
double Scheduler::estimate(const Work& work) const {
  if (is_stream(work.job.want)) return seconds_of(Limits::kStreamQuantum);
  return kinds_[index_of(work.job.priority)].usual_seconds;
}

void Scheduler::charge(Kind& kind, Flow& flow, Work& work, double seconds) {
  kind.time += seconds / weight(work.job.priority);
  const bool has_turn = !flow.works.empty();
  if (has_turn) kind.remove_turn(flow);
  flow.time += seconds;
  if (has_turn) kind.add_turn(flow);
  work.charged += time_of(seconds);
}

void Scheduler::settle(Work& work, std::chrono::nanoseconds cost) {
  Kind& kind = kind_of(work);
  Flow& flow = flow_of(kind, work.job.client);
  charge(kind, flow, work, seconds_of(cost - work.charged));
  work.charged = std::chrono::nanoseconds(0);
  if (!is_stream(work.job.want)) {
    kind.usual_seconds += (seconds_of(cost) - kind.usual_seconds) * kUsualWeight;
  }
  if (flow.works.empty() && flow.time <= kind.floor) kind.flows.erase(work.job.client.value);
}

void Scheduler::forget_idle_flows(Kind& kind) {
  std::erase_if(kind.flows, [](const auto& each) { return each.second.works.empty(); });
}

std::chrono::nanoseconds Scheduler::usual_cost(Priority priority) const {
  return time_of(kinds_[index_of(priority)].usual_seconds);
}

bool Scheduler::is_before_stream(Priority priority, std::chrono::nanoseconds ran) const {
  if (size(priority) == 0 || priority == Priority::Analysis) return false;
  const Kind& kind = kinds_[index_of(priority)];
  const Kind& streams = kinds_[index_of(Priority::Analysis)];
  const double owed = seconds_of(ran - Limits::kStreamQuantum) / weight(Priority::Analysis);
  return kind.time <= streams.time + owed;
}

std::unique_ptr<Work> Scheduler::take_out(Kind& kind, Flow& flow, Work& work) {
  const Job& job = work.job;
  if (work.due) kind.due.erase({*work.due, job.id.value});
  if (job.until) expiries_.erase({*job.until, job.id.value});
  const auto [begin, end] = games_.equal_range(job.game);
  games_.erase(std::find_if(begin, end, [&](const auto& each) { return each.second == &work; }));
  jobs_.erase(job.id.value);
  --kind.waiting;
  const auto place = place_of(flow.works, work.order);
  auto taken = std::move(*place);
  flow.works.erase(place);
  if (flow.works.empty()) kind.remove_turn(flow);
  return taken;
}

std::unique_ptr<Work> Scheduler::remove(JobId job) {
  file_only();
  const auto found = jobs_.find(job.value);
  if (found == jobs_.end()) return nullptr;
  Work& work = *found->second;
  Kind& kind = kind_of(work);
  return take_out(kind, flow_of(kind, work.job.client), work);
}

std::vector<std::unique_ptr<Work>> Scheduler::remove_game(rules::GameId game) {
  file_only();
  std::vector<std::unique_ptr<Work>> removed;
  for (auto found = games_.find(game); found != games_.end(); found = games_.find(game)) {
    removed.push_back(remove(found->second->job.id));
  }
  return removed;
}

std::vector<std::unique_ptr<Work>> Scheduler::remove_client(ClientId client) {
  file_only();
  std::vector<std::unique_ptr<Work>> removed;
  for (Kind& kind : kinds_) {
    const auto found = kind.flows.find(client.value);
    if (found == kind.flows.end()) continue;
    Flow& flow = found->second;
    while (!flow.works.empty()) removed.push_back(take_out(kind, flow, *flow.works.front()));
  }
  return removed;
}

std::vector<std::unique_ptr<Work>> Scheduler::remove_expired(TimePoint now) {
  if (only_ && only_->job.until) file_only();
  std::vector<std::unique_ptr<Work>> removed;
  while (!expiries_.empty() && expiries_.begin()->first <= now) {
    removed.push_back(remove(JobId{expiries_.begin()->second}));
  }
  return removed;
}

std::vector<std::unique_ptr<Work>> Scheduler::remove_all() {
  file_only();
  std::vector<std::unique_ptr<Work>> removed;
  while (!jobs_.empty()) removed.push_back(remove(JobId{jobs_.begin()->first}));
  return removed;
}

std::optional<TimePoint> Scheduler::next_expiry() const {
  if (only_) return only_->job.until;
  if (expiries_.empty()) return std::nullopt;
  return expiries_.begin()->first;
}

std::size_t Scheduler::size_of(ClientId client) const {
  if (only_) return only_->job.client == client ? 1 : 0;
  std::size_t size = 0;
  for (const Kind& kind : kinds_) {
    if (kind.waiting == 0) continue;
    const auto flow = kind.flows.find(client.value);
    if (flow != kind.flows.end()) size += flow->second.works.size();
  }
  return size;
}

std::vector<const Work*> Scheduler::all() const {
  std::vector<const Work*> works;
  if (only_) works.push_back(only_.get());
  for (const auto& [id, work] : jobs_) works.push_back(work);
  return works;
}

std::optional<std::string> Scheduler::broken_invariant() const {
  if (only_ && !jobs_.empty()) return "the only job is not alone";
  std::size_t waiting = 0;
  for (const Kind& kind : kinds_) {
    std::size_t of_kind = 0;
    std::size_t flows = 0;
    for (const auto& [client, flow] : kind.flows) {
      of_kind += flow.works.size();
      flows += flow.works.empty() ? 0 : 1;
      if (!flow.works.empty() && !kind.has_turn(flow)) return "a client with work has no turn";
    }
    if (of_kind != kind.waiting) return "jobs of a kind are miscounted";
    if (flows != kind.turn.size()) return "a client without work has a turn";
    if (kind.flows.size() > std::max(Limits::kFlowsMax, flows + 1)) {
      return "more clients without work are remembered than may be";
    }
    waiting += of_kind;
  }
  if (waiting != jobs_.size() || jobs_.size() != games_.size()) return "a waiting job is lost";
  return std::nullopt;
}

}  // namespace tengen::pool
