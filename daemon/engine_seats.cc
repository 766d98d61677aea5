#include "daemon/engine_seats.h"

#include <utility>

#include "daemon/check.h"
#include "pool/pace.h"

namespace tengen::daemon {
namespace {

using protocol::Error;
using protocol::ErrorCode;

Error cannot_play(std::string reason, std::string why) {
  return {ErrorCode::EngineCannotPlay, std::move(reason), std::move(why), 0, {}};
}

}  // namespace

std::optional<Error> objection(const pool::Pool& pool, const std::string& name,
                               const rules::Settings& settings, const EngineTerms& terms) {
  const auto* profile = pool.find_profile(name);
  if (profile == nullptr) {
    return Error{ErrorCode::UnknownProfile, "profile", "no engine profile has that name", 0, {}};
  }
  if (!pool.wait_estimate(name)) {
    return Error{ErrorCode::Unavailable, "profile", "its engines cannot be started", 5'000, {}};
  }
  if (auto problem = profile->problem(terms.size, settings)) {
    return cannot_play("profile", std::move(*problem));
  }
  if (profile->other_rules == pool::OtherRules::Refuse) {
    if (auto problem = profile->problem(terms.rules)) {
      return cannot_play("rules", std::move(*problem));
    }
  }
  if (auto problem = pool::pace_problem(*profile, terms.clock, terms.size)) {
    return cannot_play("time", std::move(*problem));
  }
  return std::nullopt;
}

std::optional<Error> objection_to_new(const pool::Pool& pool, const std::string& name,
                                      const rules::Settings& settings, const EngineTerms& terms) {
  if (pool.intake(name) == pool::Intake::Closed) {
    return Error{ErrorCode::Unavailable,
                 "profile_draining",
                 "an operator lets this profile have nothing new for now",
                 5'000,
                 {}};
  }
  return objection(pool, name, settings, terms);
}

bool plays_other_rules(const pool::Pool& pool, const std::string& name,
                       const rules::Ruleset& rules) {
  const auto* profile = pool.find_profile(name);
  check(profile != nullptr, "a seat's profile is known");
  return profile->problem(rules).has_value();
}

std::optional<rules::Seat> substitute_for(const pool::Pool& pool, const rules::Game& game,
                                          rules::Color color) {
  const auto& seat = game.seat(color);
  const auto* profile = pool.find_profile(seat.profile);
  if (profile == nullptr || profile->substitute.empty()) return std::nullopt;
  const auto& name = profile->substitute;
  const auto& header = game.header();
  if (objection(pool, name, {}, {header.size, header.rules, header.clock})) return std::nullopt;
  rules::Seat taken{
      rules::SeatKind::Engine, "", name, {}, plays_other_rules(pool, name, header.rules)};
  taken.undos = seat.undos;
  taken.pauses = seat.pauses;
  return taken;
}

}  // namespace tengen::daemon
