#include "tests/bench/pool_loop.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "pool/keeper.h"
#include "pool/process.h"

namespace tengen::tests {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using pool::EngineId;
using pool::TimePoint;

constexpr int kPollsPerTurn = 256;
constexpr std::chrono::seconds kWarmUpLimit{60};

pool::Keeper keeper_or_throw() {
  auto keeper = pool::Keeper::start();
  if (const auto* problem = std::get_if<std::string>(&keeper)) throw std::runtime_error(*problem);
  return std::move(std::get<pool::Keeper>(keeper));
}

}  // namespace

struct PoolLoop::State {
  explicit State(std::vector<pool::Profile> profiles)
      : keeper(keeper_or_throw()),
        timer(io),
        patience(io),
        pool(std::move(profiles), 1),
        processes(io, keeper, process_events()) {}

  pool::ProcessEvents process_events();
  TimePoint now();
  template <typename Call>
  void call(Call ask);
  void route(pool::Effects& list);
  void turn();
  void dispatch();
  void carry_out();
  void arm();

  pool::Keeper keeper;
  asio::io_context io{1};
  asio::steady_timer timer;
  asio::steady_timer patience;
  std::optional<TimePoint> armed;
  std::optional<TimePoint> deadline;
  std::optional<TimePoint> turn_time;
  pool::Pool pool;
  pool::Effects effects;
  pool::Effects dispatched;  // of one call, kept for its memory
  PoolTaps taps;
  pool::Processes processes;
};

PoolLoop::PoolLoop(std::vector<pool::Profile> profiles)
    : state_(std::make_unique<State>(std::move(profiles))) {}

PoolLoop::~PoolLoop() = default;

PoolTaps& PoolLoop::taps() { return state_->taps; }
const pool::Pool& PoolLoop::pool() const { return state_->pool; }
pool::TimePoint PoolLoop::now() { return state_->now(); }

void PoolLoop::start() {
  State& state = *state_;
  state.call([&](pool::Effects& out) { state.pool.start(state.now(), out); });
  state.turn();
}

void PoolLoop::submit(pool::Job job) {
  State& state = *state_;
  state.call([&](pool::Effects& out) { state.pool.submit(std::move(job), state.now(), out); });
}

void PoolLoop::later(std::chrono::milliseconds after, std::function<void()> call) {
  const auto once = std::make_shared<asio::steady_timer>(state_->io, after);
  once->async_wait([once, call = std::move(call)](error_code error) {
    if (!error) call();
  });
}

bool PoolLoop::run_until(const std::function<bool()>& is_met, std::chrono::milliseconds patience) {
  State& state = *state_;
  bool is_late = false;
  state.patience.expires_after(patience);
  state.patience.async_wait([&is_late](error_code error) { is_late = !error; });
  state.io.restart();
  state.turn();  // what was submitted before
  while (!is_met() && !is_late) {
    state.io.run_one();
    for (int i = 0; i < kPollsPerTurn && state.io.poll_one() != 0; ++i) {
    }
    state.turn();
  }
  if (is_late) return is_met();
  state.patience.cancel();
  state.io.poll();  // its handler refers to this call
  state.turn();
  return true;
}

void PoolLoop::warm_up(std::size_t engines) {
  start();
  const auto are_idle = [&] {
    std::size_t idle = 0;
    for (const pool::ProfileStatus& status : pool().statuses()) {
      idle += static_cast<std::size_t>(status.idle);
    }
    return idle >= engines;
  };
  if (!run_until(are_idle, kWarmUpLimit)) throw std::runtime_error("the engines do not start");
}

TimePoint PoolLoop::State::now() {
  if (!turn_time) turn_time = std::chrono::steady_clock::now();
  return *turn_time;
}

// As the hub does after everything that it tells the pool.
template <typename Call>
void PoolLoop::State::call(Call ask) {
  pool::Effects out;
  ask(out);
  route(out);
}

void PoolLoop::State::route(pool::Effects& list) {
  for (pool::Effect& effect : list) {
    if (const auto* done = std::get_if<pool::JobDone>(&effect)) {
      if (taps.done) taps.done(*done);
    } else if (const auto* update = std::get_if<pool::AnalysisUpdate>(&effect)) {
      if (taps.updated) taps.updated(*update);
    } else if (const auto* moved = std::get_if<pool::JobMoved>(&effect)) {
      if (taps.moved) taps.moved(*moved);
    } else if (std::holds_alternative<pool::SearchBegun>(effect)) {
      continue;  // games with clocks want to know
    } else if (const auto* note = std::get_if<pool::Note>(&effect)) {
      if (note->level < pool::Note::Level::Warning) continue;
      std::fprintf(stderr, "engine %u: %s\n", note->engine.value, note->text.c_str());
    } else {
      effects.push_back(std::move(effect));
    }
  }
  deadline = pool.deadline();
}

void PoolLoop::State::turn() {
  if (deadline && *deadline <= now()) {
    call([this](pool::Effects& out) { pool.on_deadline(now(), out); });
  }
  dispatch();
  carry_out();
  arm();
  turn_time.reset();
}

void PoolLoop::State::dispatch() {
  while (true) {
    dispatched.clear();
    pool.dispatch(now(), dispatched);
    if (dispatched.empty()) return;
    route(dispatched);
  }
}

void PoolLoop::State::carry_out() {
  for (pool::Effect& effect : effects) {
    if (const auto* write = std::get_if<pool::Write>(&effect)) {
      if (taps.written) taps.written(*write);
      processes.write(*write);
    } else if (const auto* spawn = std::get_if<pool::Spawn>(&effect)) {
      if (taps.started) taps.started(*spawn);
      processes.spawn(*spawn);
    } else if (const auto* close = std::get_if<pool::CloseInput>(&effect)) {
      processes.close_input(*close);
    } else {
      processes.kill(std::get<pool::Kill>(effect));
    }
  }
  effects.clear();
}

void PoolLoop::State::arm() {
  if (deadline == armed) return;
  armed = deadline;
  if (!armed) {
    timer.cancel();
    return;
  }
  timer.expires_at(*armed);
  timer.async_wait([this](error_code error) {
    if (!error) armed.reset();  // the turn looks at the deadlines
  });
}

pool::ProcessEvents PoolLoop::State::process_events() {
  pool::ProcessEvents events;
  events.spawned = [this](EngineId engine, int pid) {
    if (taps.spawned) taps.spawned(engine, pid);
    call([&](pool::Effects& out) { pool.on_spawned(engine, pid, now(), out); });
  };
  events.spawn_failed = [this](EngineId engine, const std::string& reason) {
    call([&](pool::Effects& out) { pool.on_spawn_failed(engine, reason, now(), out); });
  };
  events.output = [this](EngineId engine, std::string_view bytes) {
    if (taps.read) taps.read(engine, bytes);
    call([&](pool::Effects& out) { pool.on_output(engine, bytes, now(), out); });
  };
  events.error_output = [this](EngineId engine, std::string_view bytes) {
    call([&](pool::Effects& out) { pool.on_error_output(engine, bytes, now(), out); });
  };
  events.exited = [this](EngineId engine, pool::ExitStatus status) {
    call([&](pool::Effects& out) { pool.on_exit(engine, status, now(), out); });
  };
  events.memory = [this](EngineId engine, std::uint64_t bytes) {
    call([&](pool::Effects& out) { pool.on_memory(engine, bytes, now(), out); });
  };
  return events;
}

}  // namespace tengen::tests
