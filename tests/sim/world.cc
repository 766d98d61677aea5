#include "sim/world.h"

#include <algorithm>
#include <stdexcept>

#include "protocol/log_codec.h"
#include "sim/client.h"
#include "sim/guest.h"

namespace tengen::sim {
namespace {

using namespace std::chrono_literals;

constexpr auto kFaultTime = 120s;
constexpr auto kRunMax = 4h;
constexpr auto kNetworkMax = 3ms;

struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

pool::Profile make_profile(std::string name, int processes) {
  pool::Profile profile;
  profile.name = std::move(name);
  profile.command = {"scripted"};
  profile.processes_warm = 1;
  profile.processes_max = processes;
  profile.size_min = 2;
  profile.start_limit = 5s;
  profile.answer_limit = 1s;
  profile.search_limit = 2s;
  profile.list_limit = 2s;
  return profile;
}

}  // namespace

World::World(std::uint64_t seed, Sabotage sabotage)
    : seed_(seed), sabotage_(sabotage), random_(seed) {
  now_.steady = daemon::TimePoint(1h);
  now_.unix_ms = 1'700'000'000'000;
  faults_until_ = now_.steady + kFaultTime;
  key_.fill(static_cast<std::uint8_t>(seed));
}

World::~World() = default;

std::optional<std::string> World::run() {
  try {
    boot();
    make_clients();
    const auto end = now_.steady + kRunMax;
    while (!is_over()) {
      const auto deadline = hub_->deadline();
      if (events_.empty() && !deadline) fail("nothing happens any more and games are open");
      const bool is_event_next = !events_.empty() && (!deadline || events_.top().at <= *deadline);
      const auto at = is_event_next ? events_.top().at : *deadline;
      if (at > end) fail("the games do not come to an end");
      if (at > now_.steady) {
        now_.unix_ms +=
            std::chrono::duration_cast<std::chrono::milliseconds>(at - now_.steady).count();
        now_.steady = at;
      }
      if (is_event_next) {
        const auto action = events_.top().action;
        events_.pop();
        action();
      }
      turn();
    }
    check_end();
  } catch (const Broken& broken) {
    return broken.what();
  }
  return std::nullopt;
}

void World::fail(const std::string& what) const {
  throw Broken("seed " + std::to_string(seed_) + ": " + what);
}

bool World::chance(double probability) {
  return static_cast<double>(random_() >> 11) < probability * 9007199254740992.0;
}

std::uint64_t World::below(std::uint64_t bound) { return random_() % bound; }

std::chrono::microseconds World::micros(std::uint64_t from, std::uint64_t to) {
  return std::chrono::microseconds(from + below(to - from + 1));
}

void World::after(std::chrono::microseconds delay, std::function<void()> action) {
  events_.push(Timed{now_.steady + delay, next_order_++, std::move(action)});
}

void World::make_clients() {
  const auto count = 2 + below(3);
  for (std::uint64_t i = 0; i < count; ++i) {
    clients_.push_back(std::make_unique<Client>(*this, i));
    clients_.back()->start();
  }
  const auto guests = below(3);
  for (std::uint64_t i = 0; i < guests; ++i) {
    guests_.push_back(std::make_unique<Guest>(*this, i));
    guests_.back()->start();
  }
}

std::optional<rules::GameId> World::any_game() {
  if (games_.empty()) return std::nullopt;
  auto game = games_.begin();
  std::advance(game, static_cast<std::ptrdiff_t>(below(games_.size())));
  return game->first;
}

void World::note_taker(rules::GameId game, int slot, const std::string& request_id) {
  const auto [known, is_new] = takers_.try_emplace({game, slot}, request_id);
  if (!is_new && known->second != request_id) fail("two requests have taken the same seat");
}

bool World::is_over() const {
  const auto is_done = [](const auto& each) { return each->is_done(); };
  if (!std::all_of(clients_.begin(), clients_.end(), is_done)) return false;
  if (guests_.empty()) return true;
  return !may_fail() && std::all_of(guests_.begin(), guests_.end(), is_done) &&
         std::all_of(games_.begin(), games_.end(),
                     [](const auto& game) { return game.second.finished; });
}

void World::boot() {
  ++life_;
  daemon::HubConfig config;
  config.profiles = {make_profile("alpha", 2), make_profile("beta", 1)};
  config.profiles[1].substitute = "alpha";
  config.server = "simulated";
  config.ticket_key = key_;
  config.seed = random_();
  config.limits.finished_kept_max = 2;
  hub_ = std::make_unique<daemon::Hub>(std::move(config));
  daemon::StoredState state;
  for (const auto& [id, game] : games_) {
    if (game.finished) continue;
    if (sabotage_ == Sabotage::ForgetGame && life_ > 1) continue;
    state.unfinished.push_back({game.header, game.events});
  }
  state.requests = requests_;
  if (const auto problem = hub_->restore(std::move(state))) fail("restore: " + *problem);
  hub_->start(now_, effects_);
  turn();
}

// kill -9: what was not durable is lost, or was written in the last moment without anybody knowing.
void World::crash(bool is_in_flight_durable) {
  ++counts["crashes"];
  if (in_flight_ && is_in_flight_durable) apply(in_flight_->batch);
  in_flight_.reset();
  effects_.clear();
  engines_.clear();
  for (auto& [id, client] : std::exchange(connections_, {})) client->on_disconnected();
  boot();
}

void World::turn() {
  hub_->on_deadline(now_, effects_);
  hub_->end_turn(now_, effects_);
  if (const auto broken = hub_->broken_invariant()) fail(*broken);
  carry_out();
}

void World::carry_out() {
  for (auto& effect : std::exchange(effects_, {})) {
    if (const auto* frame = std::get_if<daemon::SendFrame>(&effect)) {
      deliver(*frame);
    } else if (const auto* close = std::get_if<daemon::CloseConnection>(&effect)) {
      const auto found = connections_.find(close->connection);
      if (found != connections_.end()) disconnect(*found->second);
    } else if (auto* commits = std::get_if<daemon::Commit>(&effect)) {
      commit(std::move(*commits));
    } else if (const auto* loads = std::get_if<daemon::LoadGame>(&effect)) {
      load(loads->id);
    } else if (const auto* spawns = std::get_if<pool::Spawn>(&effect)) {
      spawn(*spawns);
    } else if (const auto* writes = std::get_if<pool::Write>(&effect)) {
      write(*writes);
    } else if (const auto* closes = std::get_if<pool::CloseInput>(&effect)) {
      const auto found = engines_.find(closes->engine.value);
      if (found != engines_.end() && !found->second.brain.is_hung()) {
        exit_later(closes->engine, {false, 0}, micros(100, 2'000));
      }
    } else if (const auto* kills = std::get_if<pool::Kill>(&effect)) {
      exit_later(kills->engine, {true, 9}, micros(100, 2'000));
    }
  }
}

void World::connect(Line& client, protocol::Format format) {
  const daemon::ConnId id{next_connection_++};
  connections_[id] = &client;
  client.on_connecting(id);
  hub_->on_connected(id, format, "127.0.0.1", now_, effects_);
}

void World::disconnect(Line& client) {
  const auto id = client.connection();
  if (!id) return;
  connections_.erase(*id);
  hub_->on_disconnected(*id, now_, effects_);
  client.on_disconnected();
}

void World::send(Line& client, protocol::FrameKind kind, std::string bytes) {
  const auto id = client.connection();
  if (!id) return;
  auto& last = last_arrival_[*id];
  last = std::max(last, now_.steady + micros(10, kNetworkMax / 1us));
  const auto delay = std::chrono::duration_cast<std::chrono::microseconds>(last - now_.steady);
  after(delay, [this, id = *id, kind, bytes = std::move(bytes)] {
    if (connections_.contains(id)) hub_->on_frame(id, kind, bytes, now_, effects_);
  });
}

// Frames of one connection arrive in order; each is checked against what is durable as it leaves.
void World::deliver(const daemon::SendFrame& what) {
  const auto found = connections_.find(what.connection);
  if (found == connections_.end()) return;
  Line* client = found->second;
  auto decoded = protocol::decode_server(client->format(), *what.frame);
  if (std::holds_alternative<protocol::DecodeError>(decoded)) fail("the hub sent a bad frame");
  auto frame = std::get<protocol::ServerFrame>(std::move(decoded));
  check_output_rule(frame);
  ++counts["frames out"];
  if (sabotage_ == Sabotage::LoseReply && frame.reply_to != 0 && chance(0.05)) return;
  const int copies = sabotage_ == Sabotage::AnswerTwice && chance(0.05) ? 2 : 1;
  for (int i = 0; i < copies; ++i) client->on_frame(what.connection, frame);
}

void World::check_output_rule(const protocol::ServerFrame& frame) const {
  const auto require = [&](rules::GameId id, std::uint32_t seq) {
    const auto* game = durable(id);
    if (game == nullptr || game->events.size() < seq) {
      fail("a frame tells of event " + std::to_string(seq) + " before it is durable");
    }
  };
  std::visit(
      [&](const auto& message) {
        using Message = std::decay_t<decltype(message)>;
        if constexpr (std::is_same_v<Message, protocol::GameCreated>) {
          require(message.game, 0);
        } else if constexpr (std::is_same_v<Message, protocol::RematchMade>) {
          require(message.created.game, 0);
        } else if constexpr (std::is_same_v<Message, protocol::SeatTaken>) {
          require(message.joined.snapshot.game, message.joined.snapshot.seq);
        } else if constexpr (std::is_same_v<Message, protocol::QueryResult>) {
          require(message.game, message.position_seq);
        } else if constexpr (std::is_same_v<Message, protocol::Accepted>) {
          require(message.game, message.events ? message.events->events.back().seq : message.seq);
        } else if constexpr (std::is_same_v<Message, protocol::Snapshot>) {
          require(message.game, message.seq);
        } else if constexpr (std::is_same_v<Message, protocol::GameJoined>) {
          require(message.snapshot.game, message.snapshot.seq);
        } else if constexpr (std::is_same_v<Message, protocol::GameEvents>) {
          require(message.game, message.events.back().seq);
        } else if constexpr (std::is_same_v<Message, protocol::Subscribed>) {
          require(message.game, message.head);
        } else if constexpr (std::is_same_v<Message, protocol::LegalMoves>) {
          require(message.game, message.position_seq);
        } else if constexpr (std::is_same_v<Message, protocol::Error>) {
          if (message.state) require(message.state->game, message.state->seq);
        }
      },
      frame.message);
}

const World::DurableGame* World::durable(rules::GameId id) const {
  const auto found = games_.find(id);
  return found == games_.end() ? nullptr : &found->second;
}

void World::commit(daemon::Commit what) {
  if (in_flight_) fail("two commits in flight");
  ++counts["commits"];
  in_flight_ = std::move(what);
  const bool is_slow = may_fail() && chance(0.02);
  const auto delay = is_slow ? micros(100'000, 1'500'000) : micros(100, 3'000);
  if (may_fail() && chance(0.002)) {
    after(delay, [this, life = life_] {
      if (life == life_) crash(false);  // the commit failed: the process stops
    });
    return;
  }
  if (may_fail() && chance(0.003)) {
    after(delay / 2, [this, life = life_] {
      if (life == life_) crash(chance(0.5));
    });
    return;
  }
  if (sabotage_ == Sabotage::AnswerBeforeCommit && chance(0.1)) {
    const auto ticket = in_flight_->ticket;
    auto batch = std::exchange(in_flight_, std::nullopt)->batch;
    after(delay, [this, batch = std::move(batch)] { apply(batch); });
    hub_->on_stored(ticket, now_, effects_);
    return;
  }
  after(delay, [this, life = life_] {
    if (life != life_) return;
    apply(in_flight_->batch);
    const auto ticket = in_flight_->ticket;
    in_flight_.reset();
    hub_->on_stored(ticket, now_, effects_);
  });
}

void World::apply(const daemon::Batch& batch) {
  for (const auto& game : batch.games) {
    if (games_.contains(game.id)) fail("a game was made twice");
    games_[game.id].header = game.header;
    requests_.emplace_back(game.request_id, game.id);
  }
  for (const auto& event : batch.events) {
    auto& game = games_[event.game];
    if (sabotage_ == Sabotage::LoseEvent && chance(0.02)) continue;
    if (event.seq != game.events.size() + 1) fail("the store got an event out of order");
    game.events.push_back(event.body);
    ++counts["events"];
  }
  for (const auto& id : batch.finished) games_[id].finished = true;
}

void World::load(rules::GameId id) {
  after(micros(50, 5'000), [this, id, life = life_] {
    if (life != life_) return;
    daemon::LoadedGame loaded{id, std::nullopt, {}};
    if (const auto* game = durable(id)) loaded.game = {game->header, game->events};
    hub_->on_loaded(std::move(loaded), now_, effects_);
  });
}

tests::Script World::make_script() {
  tests::Script script;
  script.seed = random_();
  script.pass_after = static_cast<int>(10 + below(40));
  script.searches_wait = true;
  script.crlf = chance(0.2);
  script.dead = chance(0.2) ? tests::Script::Dead::Unsupported
                            : (chance(0.3) ? tests::Script::Dead::All : tests::Script::Dead::None);
  if (chance(0.1)) script.banner = "welcome\n\n";
  if (!may_fail() || !chance(0.4)) return script;
  ++counts["faulty engines"];
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
  return script;
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
  auto& engine = engines_.emplace(id.value, Engine(make_script())).first->second;
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

// Whoever lets the marking time or that of a handicap pass loses on time with time on the clock.
bool World::ended_in_play(const rules::Game& game) {
  bool is_in_play = game.header().free_handicap == 0;
  for (const auto& event : game.events()) {
    if (std::holds_alternative<rules::HandicapPlaced>(event.body) ||
        std::holds_alternative<rules::Continued>(event.body)) {
      is_in_play = true;
    } else if (std::holds_alternative<rules::Stopped>(event.body)) {
      is_in_play = false;
    }
  }
  return is_in_play;
}

void World::check_clocks(const rules::Game& game) const {
  const auto& control = game.header().clock;
  const auto& result = game.result();
  for (const auto color : {rules::Color::Black, rules::Color::White}) {
    const auto& face = game.clocks()[static_cast<std::size_t>(index_of(color))];
    const bool has_lost = result && result->kind == rules::ResultKind::Timeout &&
                          result->winner != std::optional(color) && ended_in_play(game);
    if (has_lost ? face != rules::ClockFace{} : !rules::fits(control, face)) {
      fail("a clock shows what it cannot");
    }
  }
}

void World::check_end() const {
  for (const auto& [id, game] : games_) {
    if (!game.finished) fail("game " + rules::to_text(id) + " has no end");
    auto header = protocol::decode_header(game.header);
    if (!header) fail("a header cannot be read");
    std::vector<rules::Event> events;
    for (const auto& bytes : game.events) {
      auto event = protocol::decode_event(bytes);
      if (!event) fail("an event cannot be read");
      events.push_back(std::move(*event));
    }
    const auto replayed = rules::Game::replay(*header, events);
    if (const auto* error = std::get_if<rules::ReplayError>(&replayed)) {
      fail("a log does not replay: " + error->reason);
    }
    if (!std::get<rules::Game>(replayed).is_finished()) fail("a finished game's log is open");
    check_clocks(std::get<rules::Game>(replayed));
  }
  for (const auto& client : clients_) client->check_end();
}

}  // namespace tengen::sim
