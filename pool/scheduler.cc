// See scheduler.h.
#include "pool/scheduler.h"

#include <algorithm>

#include "pool/limits.h"
#include "pool/require.h"

namespace tengen::pool {
namespace {

constexpr int kSameGame = 2;

// An engine that holds nothing loses no other game's tree, which makes up for a change of size.
int fit(const Held& held, const Job& job) {
  if (held.game == job.game) return kSameGame;
  if (!held.size) return 1;
  return held.size == job.record.size() ? 1 : 0;
}

Queue::iterator best_in(Queue& queue, const Held& held) {
  auto best = queue.begin();
  if ((*best)->overtaken >= Limits::kOvertakesMax) return best;
  int best_fit = fit(held, (*best)->job);
  for (auto each = queue.begin(); each != queue.end() && best_fit < kSameGame; ++each) {
    const int each_fit = fit(held, (*each)->job);
    if (each_fit <= best_fit) continue;
    best = each;
    best_fit = each_fit;
  }
  return best;
}

// Counts against the bound when the oldest is passed over.
std::unique_ptr<Work> take(Queue& queue, Queue::iterator which) {
  if (which != queue.begin()) ++queue.front()->overtaken;
  std::unique_ptr<Work> work = std::move(*which);
  queue.erase(which);
  return work;
}

}  // namespace

std::optional<EngineId> choose_engine(std::span<const IdleEngine> idle, const Job& job) {
  const IdleEngine* best = nullptr;
  for (const IdleEngine& each : idle) {
    const int gain = best == nullptr ? 1 : fit(each.held, job) - fit(best->held, job);
    if (gain > 0 || (gain == 0 && each.since < best->since)) best = &each;
  }
  if (best == nullptr) return std::nullopt;
  return best->id;
}

void enqueue(Queue& queue, std::unique_ptr<Work> work) {
  auto at = queue.end();
  while (at != queue.begin() && (*std::prev(at))->order > work->order) --at;
  queue.insert(at, std::move(work));
}

std::unique_ptr<Work> take_same_game(Queue& queue, const Held& held) {
  require(!queue.empty(), "there is a job to take");
  const auto best = best_in(queue, held);
  if (fit(held, (*best)->job) < kSameGame) return nullptr;
  return take(queue, best);
}

std::unique_ptr<Work> take_best(Queue& queue, const Held& held) {
  require(!queue.empty(), "there is a job to take");
  return take(queue, best_in(queue, held));
}

}  // namespace tengen::pool
