// See hub_rig.h.
#include "tests/daemon/hub_rig.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "protocol/codec.h"

namespace tengen::daemon {
namespace {

protocol::CreateGame game_of(std::string request_id) {
  const auto* preset = rules::find_preset("chinese");
  protocol::CreateGame create;
  create.request_id = std::move(request_id);
  create.size = {9, 9};
  create.preset = "chinese";
  create.rules = preset->rules;
  create.komi_half = preset->komi_half;
  return create;
}

protocol::FrameKind kind_of(protocol::Format format) {
  return format == protocol::Format::Binary ? protocol::FrameKind::Binary
                                            : protocol::FrameKind::Text;
}

}  // namespace

HubConfig rig_config() {
  pool::Profile profile;
  profile.name = "fake";
  profile.command = {"fake"};
  profile.processes_max = 1;
  profile.size_min = 2;
  profile.settings = {{"level", "level", 0, 10, 10}};
  HubConfig config;
  config.profiles = {profile};
  config.server = "tengend test";
  config.public_url = "http://tengen.example";
  config.ticket_key.fill(7);
  config.seed = 1;
  return config;
}

protocol::CreateGame people_game(std::string request_id) { return game_of(std::move(request_id)); }

protocol::CreateGame engine_game(std::string request_id) {
  auto create = game_of(std::move(request_id));
  create.seats[1] = {rules::SeatKind::Engine, "", "fake", {}};
  return create;
}

tests::Script first_legal() {
  tests::Script script;
  script.style = tests::Script::Style::FirstLegal;
  return script;
}

tests::Script waiting_engine() {
  tests::Script script = first_legal();
  script.searches_wait = true;
  return script;
}

HubRig::HubRig(HubConfig config, std::vector<tests::Script> scripts)
    : config_(std::move(config)),
      scripts_(std::move(scripts)),
      now_{TimePoint(std::chrono::hours(1)), 1'700'000'000'000} {
  boot();
}

void HubRig::boot() {
  hub_ = std::make_unique<Hub>(config_);
  StoredState state;
  for (const auto& [id, game] : games_) {
    if (!game.is_finished) state.unfinished.push_back(game.log);
  }
  state.requests = requests_;
  EXPECT_EQ(hub_->restore(std::move(state)).value_or(""), "");
  hub_->start(now_, effects_);
  settle();
}

void HubRig::restart() {
  effects_.clear();
  engines_.clear();
  said_.clear();
  starting_.clear();
  to_load_.clear();
  in_flight_.reset();
  boot();
}

void HubRig::restart(std::vector<pool::Profile> profiles) {
  config_.profiles = std::move(profiles);
  restart();
}

void HubRig::reload(std::vector<pool::Profile> profiles) {
  hub_->reload(std::move(profiles), config_.limits.games_max, now_, effects_);
  settle();
}

void HubRig::set_access(AccessConfig config) {
  hub_->set_access(std::move(config), effects_);
  settle();
}

ConnId HubRig::connect(protocol::Format format, std::string_view address) {
  const ConnId id{next_connection_++};
  formats_[id] = format;
  hub_->on_connected(id, format, address, now_, effects_);
  settle();
  return id;
}

ConnId HubRig::join(protocol::Format format) {
  const ConnId id = connect(format);
  ask<protocol::Welcome>(id, protocol::Hello{protocol::kVersion, "test"});
  return id;
}

void HubRig::disconnect(ConnId id) {
  hub_->on_disconnected(id, now_, effects_);
  settle();
}

std::uint32_t HubRig::send(ConnId id, protocol::ClientMessage message) {
  const std::uint32_t frame = next_frame_++;
  const auto format = formats_.at(id);
  send_bytes(id, kind_of(format), protocol::encode(format, {frame, std::move(message)}));
  return frame;
}

void HubRig::send_bytes(ConnId id, protocol::FrameKind kind, std::string_view bytes) {
  hub_->on_frame(id, kind, bytes, now_, effects_);
  settle();
}

std::optional<protocol::ServerMessage> HubRig::reply_to(ConnId id, std::uint32_t frame) const {
  std::optional<protocol::ServerMessage> found;
  for (const auto& each : frames(id)) {
    if (each.reply_to != frame) continue;
    EXPECT_FALSE(found) << "two replies to frame " << frame;
    found = each.message;
  }
  return found;
}

void HubRig::complain(const std::optional<protocol::ServerMessage>& reply) {
  if (!reply) {
    ADD_FAILURE() << "there is no reply";
  } else if (const auto* error = std::get_if<protocol::Error>(&*reply)) {
    ADD_FAILURE() << name_of(error->code) << " " << error->reason << ": " << error->message;
  } else {
    ADD_FAILURE() << "the reply is another message: " << reply->index();
  }
}

std::vector<protocol::ServerFrame> HubRig::frames(ConnId id) const {
  const auto found = frames_.find(id);
  return found != frames_.end() ? found->second : std::vector<protocol::ServerFrame>{};
}

std::vector<rules::Event> HubRig::pushed(ConnId id) const {
  std::vector<rules::Event> events;
  for (const auto& frame : frames(id)) {
    const auto* push = std::get_if<protocol::GameEvents>(&frame.message);
    if (push == nullptr) continue;
    EXPECT_EQ(frame.reply_to, 0u);
    events.insert(events.end(), push->events.begin(), push->events.end());
  }
  return events;
}

std::optional<CloseConnection> HubRig::closed(ConnId id) const {
  const auto found = closed_.find(id);
  return found != closed_.end() ? std::optional(found->second) : std::nullopt;
}

HttpId HubRig::call(HttpRequest request) {
  const HttpId id{next_call_++};
  hub_->on_http(id, std::move(request), now_, effects_);
  settle();
  return id;
}

std::optional<HttpResponse> HubRig::answer_to(HttpId id) const {
  const auto found = answers_.find(id);
  if (found == answers_.end()) return std::nullopt;
  EXPECT_EQ(found->second.size(), 1u) << "answers to one call";
  return found->second.front();
}

void HubRig::hang_up(HttpId id) {
  hub_->on_http_gone(id, now_);
  settle();
}

rules::GameId HubRig::make_game(ConnId id, protocol::CreateGame create) {
  const auto created = ask<protocol::GameCreated>(id, std::move(create));
  for (const auto& ticket : created.tickets) {
    ask<protocol::GameJoined>(id, protocol::JoinGame{ticket.ticket});
  }
  return created.game;
}

protocol::Play HubRig::play(rules::GameId game, std::string_view vertex, std::uint32_t position_seq,
                            std::string request_id, int slot) {
  if (request_id.empty()) request_id = "r" + std::to_string(next_request_++);
  return {game, slot, std::move(request_id), position_seq, std::string(vertex)};
}

void HubRig::settle() {
  while (true) {
    hub_->on_deadline(now_, effects_);
    hub_->end_turn(now_, effects_);
    EXPECT_EQ(hub_->broken_invariant().value_or(""), "");
    for (auto& effect : std::exchange(effects_, {})) carry_out(std::move(effect));
    if (!starting_.empty()) {
      const auto engine = starting_.front();
      starting_.pop_front();
      hub_->on_spawned(engine, static_cast<int>(1000 + engine.value), now_, effects_);
    } else if (!said_.empty() && !are_engines_held) {
      const auto what = std::move(said_.front());
      said_.pop_front();
      answer_engine(what);
    } else if (in_flight_ && !is_store_held) {
      const auto commit = *std::exchange(in_flight_, std::nullopt);
      apply(commit.batch);
      hub_->on_stored(commit.ticket, now_, effects_);
    } else if (!to_load_.empty() && !is_store_held) {
      const auto id = to_load_.front();
      to_load_.pop_front();
      const auto found = games_.find(id);
      LoadedGame loaded{id, std::nullopt, {}};
      if (found != games_.end()) loaded.game = found->second.log;
      hub_->on_loaded(std::move(loaded), now_, effects_);
    }
    if (effects_.empty() && starting_.empty() && (said_.empty() || are_engines_held) &&
        (is_store_held || (!in_flight_ && to_load_.empty()))) {
      hub_->end_turn(now_, effects_);
      if (effects_.empty()) return;
    }
  }
}

void HubRig::finish_commit() {
  ASSERT_TRUE(in_flight_) << "no commit is in flight";
  const auto commit = *std::exchange(in_flight_, std::nullopt);
  apply(commit.batch);
  hub_->on_stored(commit.ticket, now_, effects_);
  settle();
}

void HubRig::finish_searches() {
  for (auto& [id, engine] : engines_) {
    if (engine.is_searching()) said_.push_back({pool::EngineId{id}, engine.finish_search(), false});
  }
  settle();
}

void HubRig::tick() {
  for (auto& [id, engine] : engines_) {
    auto line = engine.tick();
    if (!line.empty()) said_.push_back({pool::EngineId{id}, std::move(line), false});
    if (engine.has_crashed()) said_.push_back({pool::EngineId{id}, "", true});
  }
  settle();
}

void HubRig::advance(std::chrono::nanoseconds by) {
  const auto end = now_.steady + by;
  while (now_.steady < end) {
    const auto next = std::min(hub_->deadline().value_or(end), end);
    const auto step = std::max(next, now_.steady) - now_.steady;
    now_.steady += step;
    now_.unix_ms += std::chrono::duration_cast<std::chrono::milliseconds>(step).count();
    settle();
  }
}

void HubRig::drain() {
  hub_->drain(now_, effects_);
  settle();
}

void HubRig::carry_out(Effect effect) {
  if (const auto* send = std::get_if<SendFrame>(&effect)) {
    auto decoded = protocol::decode_server(formats_.at(send->connection), *send->frame);
    ASSERT_TRUE(std::holds_alternative<protocol::ServerFrame>(decoded));
    frames_[send->connection].push_back(std::get<protocol::ServerFrame>(std::move(decoded)));
  } else if (const auto* close = std::get_if<CloseConnection>(&effect)) {
    closed_.emplace(close->connection, *close);
  } else if (auto* answer = std::get_if<HttpAnswer>(&effect)) {
    answers_[answer->request].push_back(std::move(answer->response));
  } else if (auto* commit = std::get_if<Commit>(&effect)) {
    ASSERT_FALSE(in_flight_) << "two commits in flight";
    commits_.push_back(*commit);
    in_flight_ = std::move(*commit);
  } else if (const auto* load = std::get_if<LoadGame>(&effect)) {
    ++loads_;
    to_load_.push_back(load->id);
  } else if (auto* line = std::get_if<LogLine>(&effect)) {
    log_.push_back(std::move(*line));
  } else if (const auto* spawn = std::get_if<pool::Spawn>(&effect)) {
    engines_.try_emplace(spawn->engine.value, scripts_[std::min(spawned_, scripts_.size() - 1)]);
    ++spawned_;
    starting_.push_back(spawn->engine);
  } else if (const auto* write = std::get_if<pool::Write>(&effect)) {
    feed(*write);
  } else if (const auto* kill = std::get_if<pool::Kill>(&effect)) {
    said_.push_back({kill->engine, "", true});
  }
}

void HubRig::feed(const pool::Write& write) {
  const auto found = engines_.find(write.engine.value);
  if (found == engines_.end()) return;
  written_ += write.bytes;
  auto answer = found->second.feed(write.bytes);
  if (!answer.empty()) said_.push_back({write.engine, std::move(answer), false});
  if (found->second.has_crashed() || found->second.has_quit()) {
    said_.push_back({write.engine, "", true});
  }
}

void HubRig::answer_engine(const EngineSays& what) {
  if (!engines_.contains(what.engine.value)) return;
  if (!what.is_exit) return hub_->on_output(what.engine, what.bytes, now_, effects_);
  engines_.erase(what.engine.value);
  hub_->on_exit(what.engine, {false, 0}, now_, effects_);
}

void HubRig::apply(const Batch& batch) {
  for (const auto& game : batch.games) {
    EXPECT_TRUE(games_.try_emplace(game.id, DurableGame{{game.header, {}}, false}).second);
    requests_.emplace_back(game.request_id, game.id);
  }
  for (const auto& event : batch.events) {
    auto& events = games_.at(event.game).log.events;
    EXPECT_EQ(event.seq, events.size() + 1);
    events.push_back(event.body);
  }
  for (const auto& id : batch.finished) games_.at(id).is_finished = true;
  for (const NewAgentAct& made : batch.agent_acts) {
    auto& acts = games_.at(made.game).log.agent_acts;
    std::erase_if(acts, [&](const AgentAct& old) {
      return old.slot == made.act.slot && old.key == made.act.key;
    });
    acts.push_back(made.act);
  }
}

bool HubRig::has_written(std::string_view part) const {
  return written_.find(part) != std::string::npos;
}

}  // namespace tengen::daemon
