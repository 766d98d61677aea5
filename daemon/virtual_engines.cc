#include "daemon/virtual_engines.h"

#include <algorithm>
#include <utility>

#include "daemon/check.h"
#include "daemon/engine_seats.h"

namespace tengen::daemon {
namespace {

using protocol::Error;
using protocol::ErrorCode;

EngineFacts facts_of(const pool::Pool& pool, const std::string& profile) {
  EngineFacts facts{pool.find_profile(profile), {}, {}};
  for (pool::ProfileStatus& status : pool.statuses()) {
    if (status.name != profile) continue;
    facts.name = std::move(status.engine_name);
    facts.version = std::move(status.engine_version);
  }
  return facts;
}

rules::GameSeed seed_from(const SecretBits& secret_bits) {
  rules::GameSeed seed{};
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < seed.size(); ++i) {
    bits = i % 8 == 0 ? secret_bits() : bits >> 8;
    seed[i] = static_cast<std::uint8_t>(bits);
  }
  return seed;
}

Error at_limit(std::string limit) {
  return {ErrorCode::LimitReached, std::move(limit), "too many virtual engines", 0, {}};
}

}  // namespace

VirtualEngines::VirtualEngines(const VirtualLimits& limits, SecretBits secret_bits)
    : limits_(limits), secret_bits_(std::move(secret_bits)) {}

std::variant<VirtualEngineId, Error> VirtualEngines::open(ConnId owner, VirtualEngineSpec spec,
                                                          const pool::Pool& pool, Now now) {
  if (auto error = objection_to(owner, spec, pool)) return std::move(*error);
  auto board = VirtualBoard::make(spec, limits_.engine.moves_max);
  if (auto* error = std::get_if<Error>(&board)) return std::move(*error);
  const VirtualEngineId id{secret_bits_(), secret_bits_()};
  const Number number = next_number_++;
  if (!spec.opening.empty()) {
    check(openings_.emplace(spec.opening, number).second, "an opening that is known is answered");
  }
  check(numbers_.emplace(id, number).second, "128 random bits come once");
  VirtualEngine engine({number, seed_from(secret_bits_)}, std::move(spec),
                       std::get<VirtualBoard>(std::move(board)), limits_.engine);
  engines_.emplace(number, Entry{id, owner, std::move(engine)});
  ++owned_[owner];
  deadlines_.set(number, now.steady + limits_.idle_max);
  return id;
}

std::optional<Error> VirtualEngines::objection_to(ConnId owner, const VirtualEngineSpec& spec,
                                                  const pool::Pool& pool) const {
  if (engines_.size() >= limits_.engines_max) return at_limit("engines_max");
  const auto owned = owned_.find(owner);
  if (owned != owned_.end() && owned->second >= limits_.engines_per_owner_max) {
    return at_limit("engines_per_owner_max");
  }
  if (auto text = rules::problem(spec.rules)) {
    return Error{ErrorCode::UnsupportedRules, "rules", std::move(*text), 0, {}};
  }
  return objection_to_new(pool, spec.profile, spec.settings, {spec.start.size, spec.rules, {}});
}

void VirtualEngines::on_call(VirtualEngineId id, VirtualCall call, const pool::Pool& pool, Now now,
                             VirtualEffects& out) {
  const auto found = numbers_.find(id);
  if (found == numbers_.end()) {
    out.replies.push_back({call.caller, no_virtual_engine()});
    return;
  }
  const Number number = found->second;
  VirtualEngine& engine = engines_.at(number).engine;
  deadlines_.set(number, now.steady + limits_.idle_max);
  engine.on_call(std::move(call), facts_of(pool, engine.spec().profile), out);
  drop_if_over(number);
}

std::optional<Error> VirtualEngines::close(VirtualEngineId id, VirtualEffects& out) {
  const auto found = numbers_.find(id);
  if (found == numbers_.end()) return no_virtual_engine();
  const Number number = found->second;
  engines_.at(number).engine.end(out);
  drop_if_over(number);
  return std::nullopt;
}

void VirtualEngines::on_job_done(const pool::JobDone& done, const pool::Pool& pool,
                                 VirtualEffects& out) {
  if (!is_its_job(done.job)) return;
  const auto found = engines_.find(VirtualEngine::number_of(done.job));
  if (found == engines_.end()) return;
  VirtualEngine& engine = found->second.engine;
  engine.on_job_done(done, facts_of(pool, engine.spec().profile), out);
  drop_if_over(found->first);
}

void VirtualEngines::on_deadline(Now now, VirtualEffects& out) {
  while (const auto number = deadlines_.take_due(now.steady)) {
    engines_.at(*number).engine.end(out);
    drop_if_over(*number);
  }
}

void VirtualEngines::drop_if_over(Number number) {
  const auto found = engines_.find(number);
  if (!found->second.engine.is_over()) return;
  const auto owned = owned_.find(found->second.owner);
  if (--owned->second == 0) owned_.erase(owned);
  numbers_.erase(found->second.id);
  openings_.erase(found->second.engine.spec().opening);
  deadlines_.set(number, std::nullopt);
  engines_.erase(found);
}

std::optional<VirtualEngineId> VirtualEngines::find_opened(const std::string& opening) const {
  const auto found = openings_.find(opening);
  if (found == openings_.end()) return std::nullopt;
  return engines_.at(found->second).id;
}

const VirtualEngine* VirtualEngines::find(VirtualEngineId id) const {
  const auto found = numbers_.find(id);
  return found == numbers_.end() ? nullptr : &engines_.at(found->second).engine;
}

std::optional<std::string> VirtualEngines::broken_invariant() const {
  std::size_t owned = 0;
  for (const auto& [owner, count] : owned_) owned += count;
  if (owned != engines_.size()) return "owners and engines disagree";
  if (numbers_.size() != engines_.size()) return "ids and engines disagree";
  if (deadlines_.next().has_value() == engines_.empty()) return "deadlines and engines disagree";
  std::size_t named = 0;
  for (const auto& [number, entry] : engines_) {
    const auto& opening = entry.engine.spec().opening;
    if (!opening.empty()) ++named;
    if (!opening.empty() && find_opened(opening) != entry.id) return "an opening names another";
    if (numbers_.at(entry.id) != number) return "an id names another engine";
    if (entry.engine.is_over()) return "an engine that is over is still there";
    if (auto broken = entry.engine.broken_invariant()) return broken;
  }
  if (named != openings_.size()) return "openings and engines disagree";
  return std::nullopt;
}

}  // namespace tengen::daemon
