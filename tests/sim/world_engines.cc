// The processes of the simulated world: when they start, answer, think, and die.
#include <algorithm>

#include "sim/world.h"

namespace tengen::sim {

using namespace std::chrono_literals;

tests::Script World::make_script(const std::vector<std::string>& argv) {
  tests::Script script;
  const bool is_katago = argv.back() == "katago";
  if (is_katago) script.persona = tests::Persona::KataGo;
  script.seed = random_();
  script.pass_after = static_cast<int>(10 + below(40));
  script.searches_wait = true;
  script.crlf = chance(0.2);
  script.dead = chance(0.2) ? tests::Script::Dead::Unsupported
                            : (chance(0.3) ? tests::Script::Dead::All : tests::Script::Dead::None);
  if (chance(0.1)) script.banner = "welcome\n\n";
  if (!may_fail() || !chance(0.4)) return script;
  ++counts["faulty engines"];
  if (is_katago && chance(0.6)) {
    spoil_stream(script);
  } else {
    spoil(script);
  }
  return script;
}

void World::spoil_stream(tests::Script& script) {
  const auto at = static_cast<int>(1 + below(20));
  switch (below(5)) {
    case 0:
      script.stream_crash_at = at;
      break;
    case 1:
      script.stream_hangs = true;
      break;
    case 2:
      script.stream_nan_at = at;
      break;
    case 3:
      script.stream_off_board_at = at;
      break;
    default:
      script.stream_ticks_max = at;
  }
}

void World::spoil(tests::Script& script) {
  const auto at = static_cast<int>(1 + below(60));
  switch (below(7)) {
    case 0:
      script.hang_at = at;
      break;
    case 1:
      script.crash_at = at;
      break;
    case 2:
      script.garbage_at = at;
      break;
    case 3:
      script.wrong_id_at = at;
      break;
    case 4:
      script.illegal_at = 1 + at / 6;
      break;
    case 5:
      script.refuse_play_at = at;
      break;
    default:
      script.resign_at = 1 + at / 6;
      break;
  }
}

void World::spawn(const pool::Spawn& what) {
  ++counts["engines"];
  const auto id = what.engine;
  if (may_fail() && chance(0.05)) {
    after(micros(10, 100), [this, id, life = life_] {
      if (life == life_) hub_->on_spawn_failed(id, "no such file", now_, effects_);
    });
    return;
  }
  auto& engine = engines_.emplace(id.value, Engine(make_script(what.argv))).first->second;
  const bool is_slow = may_fail() && chance(0.05);
  engine.delay = is_slow ? micros(500'000, 3'000'000) : micros(100, 20'000);
  after(micros(10, 1'000), [this, id, life = life_] {
    if (life == life_) hub_->on_spawned(id, static_cast<int>(1000 + id.value), now_, effects_);
  });
}

void World::write(const pool::Write& what) {
  const auto found = engines_.find(what.engine.value);
  if (found == engines_.end()) return;
  auto& engine = found->second;
  const auto answer = engine.brain.feed(what.bytes);
  const auto from = std::max(engine.busy_until, now_.steady);
  engine.busy_until = from + engine.delay;
  const auto delay =
      std::chrono::duration_cast<std::chrono::microseconds>(engine.busy_until - now_.steady);
  say(what.engine, answer, delay);
  if (engine.brain.is_searching() && !engine.is_thinking) think(what.engine, delay);
  if (engine.brain.is_streaming() && !engine.is_ticking) tick_later(what.engine);
}

/// What a stream tells now and then, behind what was answered before it.
void World::tick_later(pool::EngineId id) {
  engines_.at(id.value).is_ticking = true;
  after(micros(50'000, 400'000), [this, id, life = life_] {
    const auto found = engines_.find(id.value);
    if (life != life_ || found == engines_.end()) return;
    auto& engine = found->second;
    engine.is_ticking = false;
    if (!engine.brain.is_streaming()) return;
    ++counts["stream updates"];
    const auto at = std::max(engine.busy_until, now_.steady);
    say(id, engine.brain.tick(),
        std::chrono::duration_cast<std::chrono::microseconds>(at - now_.steady));
    if (engine.brain.is_streaming()) tick_later(id);
  });
}

/// What an engine has written arrives in one or two pieces, and then its end if it has gone.
void World::say(pool::EngineId id, const std::string& bytes, std::chrono::microseconds delay) {
  const auto cut = bytes.empty() ? 0 : below(bytes.size());
  for (auto piece : {bytes.substr(0, cut), bytes.substr(cut)}) {
    if (piece.empty()) continue;
    after(delay, [this, id, piece = std::move(piece), life = life_] {
      if (life == life_ && engines_.contains(id.value)) {
        hub_->on_output(id, piece, now_, effects_);
      }
    });
  }
  const auto& brain = engines_.at(id.value).brain;
  if (brain.has_crashed()) exit_later(id, {true, 11}, delay + micros(1, 500));
  if (brain.has_quit()) exit_later(id, {false, 0}, delay + micros(1, 500));
}

/// A search goes on for a while after the position has been answered for.
void World::think(pool::EngineId id, std::chrono::microseconds delay) {
  auto& engine = engines_.at(id.value);
  engine.is_thinking = true;
  const auto time = may_fail() && chance(0.02) ? micros(300'000, 3'000'000) : micros(100, 30'000);
  engine.busy_until += time;
  after(delay + time, [this, id, life = life_] {
    const auto found = engines_.find(id.value);
    if (life != life_ || found == engines_.end()) return;
    found->second.is_thinking = false;
    say(id, found->second.brain.finish_search(), 0us);
    if (found->second.brain.is_searching()) think(id, 0us);
  });
}

void World::exit_later(pool::EngineId id, pool::ExitStatus status,
                       std::chrono::microseconds delay) {
  after(delay, [this, id, status, life = life_] {
    if (life != life_ || engines_.erase(id.value) == 0) return;
    hub_->on_exit(id, status, now_, effects_);
  });
}

}  // namespace tengen::sim
