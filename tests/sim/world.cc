#include "sim/world.h"

#include <algorithm>
#include <stdexcept>

#include "protocol/log_codec.h"
#include "sim/agent.h"
#include "sim/analyst.h"
#include "sim/client.h"
#include "sim/guest.h"

namespace tengen::sim {
namespace {

using namespace std::chrono_literals;

constexpr auto kFaultTime = 120s;
constexpr auto kRunMax = 4h;
constexpr auto kNetworkMax = 3ms;
constexpr auto kWindDownMax = 60s;
constexpr daemon::TimePoint kStart(1h);
constexpr std::int64_t kStartUnixMs = 1'700'000'000'000;

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
  now_.steady = kStart;
  now_.unix_ms = kStartUnixMs;
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
      if (!advance(end)) fail("the games do not come to an end");
    }
    check_end();
    wind_down();
    check_nothing_left();
  } catch (const Broken& broken) {
    return broken.what();
  }
  return std::nullopt;
}

bool World::advance(daemon::TimePoint until) {
  const auto deadline = hub_->deadline();
  if (events_.empty() && !deadline) return false;
  const bool is_event_next = !events_.empty() && (!deadline || events_.top().at <= *deadline);
  const auto at = is_event_next ? events_.top().at : *deadline;
  if (at > until) return false;
  if (at > now_.steady) {
    now_.steady = at;
    now_.unix_ms =
        kStartUnixMs + std::chrono::duration_cast<std::chrono::milliseconds>(at - kStart).count();
  }
  if (is_event_next) {
    const auto action = events_.top().action;
    events_.pop();
    action();
  }
  turn();
  return true;
}

// Everybody goes, and what they asked for has time to come to its end.
void World::wind_down() {
  is_winding_down_ = true;
  while (!connections_.empty()) disconnect(*connections_.begin()->second);
  while (!calls_.empty()) hang_up(calls_.begin()->first);
  turn();
  const auto end = now_.steady + kWindDownMax;
  while (advance(end)) {
  }
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
  if (chance(0.6)) {
    agents_.push_back(std::make_unique<Agent>(*this, agents_.size()));
    agents_.back()->start();
  }
  for (auto i = below(4); i > 0; --i) {
    analysts_.push_back(std::make_unique<Analyst>(*this));
    analysts_.back()->start();
  }
}

std::optional<rules::GameId> World::any_game() {
  if (games_.empty()) return std::nullopt;
  auto game = games_.begin();
  std::advance(game, static_cast<std::ptrdiff_t>(below(games_.size())));
  return game->first;
}

std::optional<rules::GameId> World::any_game_in_play() {
  std::vector<rules::GameId> open;
  for (const auto& [id, game] : games_) {
    if (!game.finished) open.push_back(id);
  }
  if (open.empty()) return std::nullopt;
  return open[below(open.size())];
}

void World::note_taker(rules::GameId game, int slot, const std::string& request_id) {
  const auto [known, is_new] = takers_.try_emplace({game, slot}, request_id);
  if (!is_new && known->second != request_id) fail("two requests have taken the same seat");
}

bool World::is_over() const {
  const auto is_done = [](const auto& each) { return each->is_done(); };
  if (!std::all_of(clients_.begin(), clients_.end(), is_done)) return false;
  if (!std::all_of(agents_.begin(), agents_.end(), is_done)) return false;
  if (!std::all_of(analysts_.begin(), analysts_.end(), is_done)) return false;
  if (guests_.empty()) return true;
  return !may_fail() && std::all_of(guests_.begin(), guests_.end(), is_done) &&
         std::all_of(games_.begin(), games_.end(),
                     [](const auto& game) { return game.second.finished; });
}

void World::boot() {
  ++life_;
  daemon::HubConfig config;
  config.profiles = {make_profile("alpha", 2), make_profile("beta", 1), make_profile("kata", 3)};
  config.profiles[1].substitute = "alpha";
  config.profiles[2].command.push_back("katago");
  config.profiles[2].analysis = pool::AnalysisDialect::Kata;
  config.profiles[2].stream_limit = 5s;
  config.server = "simulated";
  config.ticket_key = key_;
  config.seed = random_();
  config.limits.finished_kept_max = 2;
  config.limits.agents.silence_max = kSilenceMax;
  config.limits.analysis = {6, 3, 2};
  config.public_url = "http://tengen.example";
  hub_ = std::make_unique<daemon::Hub>(std::move(config));
  daemon::StoredState state;
  for (const auto& [id, game] : games_) {
    if (game.finished) continue;
    if (sabotage_ == Sabotage::ForgetGame && life_ > 1) continue;
    state.unfinished.push_back({game.header, game.events, game.agent_acts});
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
  for (const auto& [id, caller] : std::exchange(calls_, {})) caller->on_lost(id);
  seated_.clear();
  boot();
}

void World::turn() {
  hub_->on_deadline(now_, effects_);
  hub_->end_turn(now_, effects_);
  if (const auto broken = hub_->broken_invariant()) fail(*broken);
  if (hub_->analyses() > wanted_analyses()) fail("an analysis goes on for nobody");
  carry_out();
}

void World::carry_out() {
  for (auto& effect : std::exchange(effects_, {})) {
    if (const auto* frame = std::get_if<daemon::SendFrame>(&effect)) {
      deliver(*frame);
    } else if (const auto* close = std::get_if<daemon::CloseConnection>(&effect)) {
      const auto found = connections_.find(close->connection);
      if (found != connections_.end()) disconnect(*found->second);
    } else if (const auto* answered = std::get_if<daemon::HttpAnswer>(&effect)) {
      answer(*answered);
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
  if (!saw_ahead_.empty()) fail("somebody without a seat saw more of a game than its delay allows");
}

void World::connect(Line& client, protocol::Format format) {
  if (is_winding_down_) return;
  const daemon::ConnId id{next_connection_++};
  connections_[id] = &client;
  client.on_connecting(id);
  hub_->on_connected(id, format, "127.0.0.1", now_, effects_);
}

void World::disconnect(Line& client) {
  const auto id = client.connection();
  if (!id) return;
  connections_.erase(*id);
  const bool is_told = sabotage_ != Sabotage::KeepGoneListener || !chance(0.1);
  if (is_told) hub_->on_disconnected(*id, now_, effects_);
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
  check_output_rule(what.connection, frame);
  ++counts["frames out"];
  if (sabotage_ == Sabotage::LoseReply && frame.reply_to != 0 && chance(0.05)) return;
  const bool is_end = std::holds_alternative<protocol::AnalysisEnded>(frame.message);
  if (sabotage_ == Sabotage::LoseEnd && is_end && chance(0.2)) return;
  const bool is_again = (sabotage_ == Sabotage::AnswerTwice && chance(0.05)) ||
                        (sabotage_ == Sabotage::EndTwice && is_end && chance(0.2));
  for (int i = is_again ? 2 : 1; i > 0; --i) client->on_frame(what.connection, frame);
  if (sabotage_ != Sabotage::UpdateAfterEnd) return;
  const auto late = last_update_.find(what.connection);
  if (is_end && late != last_update_.end()) client->on_frame(what.connection, late->second);
  if (std::holds_alternative<protocol::AnalysisUpdate>(frame.message)) {
    last_update_.insert_or_assign(what.connection, frame);
  }
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
    auto& made = games_[game.id];
    made.header = game.header;
    if (const auto header = protocol::decode_header(game.header)) {
      made.delay = header->broadcast_delay;
    }
    requests_.emplace_back(game.request_id, game.id);
  }
  for (const auto& event : batch.events) {
    auto& game = games_[event.game];
    if (sabotage_ == Sabotage::LoseEvent && chance(0.02)) continue;
    if (event.seq != game.events.size() + 1) fail("the store got an event out of order");
    game.events.push_back(event.body);
    ++counts["events"];
  }
  for (const auto& [id, act] : batch.agent_acts) {
    if (sabotage_ == Sabotage::ForgetAgentAct && chance(0.5)) continue;
    auto& acts = games_[id].agent_acts;
    std::erase_if(acts, [&, made = act](const auto& known) {
      return known.slot == made.slot && known.key == made.key;
    });
    acts.push_back(act);
  }
  for (const auto& id : batch.finished) games_[id].finished = true;
}

void World::load(rules::GameId id) {
  after(micros(50, 5'000), [this, id, life = life_] {
    if (life != life_) return;
    daemon::LoadedGame loaded{id, std::nullopt, {}};
    if (const auto* game = durable(id))
      loaded.game = {game->header, game->events, game->agent_acts};
    hub_->on_loaded(std::move(loaded), now_, effects_);
  });
}

}  // namespace tengen::sim
