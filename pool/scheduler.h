// Who does what, as pure choices. An engine that holds a game's position does its next job without
// a replay and with its search tree warm, and a change of board size costs some engines 60 ms: so
// same game first, then same size (or nothing held), then any; of jobs that fit alike the oldest,
// and a bound keeps the oldest from starving.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>

#include "pool/work.h"

namespace tengen::pool {

/// What an idle engine has on its board; nothing when it is new or its board is unknown.
struct Held {
  std::optional<rules::GameId> game;
  std::optional<rules::Size> size;
};

struct IdleEngine {
  EngineId id;
  Held held;
  TimePoint since;  // idle since then
};

/// The best idle engine for a job; ties go to the one idle longest. Nothing when there is none.
std::optional<EngineId> choose_engine(std::span<const IdleEngine> idle, const Job& job);

/// Jobs in the order they should be done, oldest first.
using Queue = std::deque<std::unique_ptr<Work>>;

/// Puts the work where its order of submission belongs.
void enqueue(Queue& queue, std::unique_ptr<Work> work);

/// Takes the oldest job of the game that an engine holds out of the queue, which must not be empty;
/// null when there is none, and when the
/// oldest job has been passed over often enough.
std::unique_ptr<Work> take_same_game(Queue& queue, const Held& held);

/// Takes the best job for an engine out of the queue, which must not be empty; counts against the
/// bound when the oldest is passed over.
std::unique_ptr<Work> take_best(Queue& queue, const Held& held);

}  // namespace tengen::pool
