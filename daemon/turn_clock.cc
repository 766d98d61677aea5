#include "daemon/turn_clock.h"

#include <algorithm>

#include "daemon/check.h"

namespace tengen::daemon {
namespace {

using std::chrono::nanoseconds;

/// The face after that much thinking, in the middle of the turn.
rules::ClockFace face_after(const rules::TimeControl& control, const rules::ClockFace& face,
                            nanoseconds used) {
  constexpr rules::ClockTime kBegin{};
  constexpr rules::Color kSide = rules::Color::Black;
  rules::Clock clock(control);
  const bool is_running = clock.restore({face, face}, kSide, kBegin) == rules::ClockAnswer::Done &&
                          clock.resume(kBegin) == rules::ClockAnswer::Done;
  check(is_running, "a game's clock fits its control");
  return clock.face(kSide, kBegin + used);
}

}  // namespace

void TurnClock::begin(TimePoint now) {
  *this = TurnClock();
  begun_ = now;
}

void TurnClock::on_search_lost(nanoseconds time) {
  lost_ = time;
  is_searched_ = false;
}

void TurnClock::add_search(nanoseconds time) {
  searched_ += time;
  lost_ = {};
  is_searched_ = false;
}

rules::MoveTime TurnClock::for_person(const rules::Game& game, TimePoint now) const {
  const auto left = game.time_left();
  if (!left) return {};
  const nanoseconds charged = std::max(elapsed(now) - game.header().lag_allowance, nanoseconds{0});
  const nanoseconds used = std::min(charged, *left);
  return {used, elapsed(now) - used};
}

rules::MoveTime TurnClock::for_engine(const rules::Game& game, TimePoint now) const {
  if (!game.time_left()) return {};
  return {searched_, std::max(elapsed(now) - searched_, nanoseconds{0})};
}

std::optional<TimePoint> TurnClock::flag_at(const rules::Game& game) const {
  const auto left = game.time_left();
  if (!left) return std::nullopt;
  return begun_ + game.header().lag_allowance + *left + nanoseconds{1};
}

bool TurnClock::is_overdrawn(const rules::Game& game) const {
  const auto left = game.time_left();
  return left && searched_ > *left;
}

std::optional<TimePoint> TurnClock::grace_end(const rules::Game& game) const {
  if (is_searched_ || !game.time_left()) return std::nullopt;
  return begun_ + searched_ + lost_ + kServerLagGrace;
}

rules::MoveTime TurnClock::for_server_pause(const rules::Game& game, TimePoint now) const {
  if (!game.time_left()) return {};
  return {searched_, std::max(elapsed(now) - searched_ - lost_, nanoseconds{0})};
}

std::optional<pool::JobClock> TurnClock::for_job(const rules::Game& game) const {
  const rules::TimeControl& control = game.header().clock;
  if (control.system == rules::ClockSystem::None) return std::nullopt;
  pool::JobClock clock{control, game.clocks()};
  if (const auto turn = game.turn()) {
    auto& face = clock.faces[static_cast<std::size_t>(index_of(*turn))];
    face = face_after(control, face, searched_);
  }
  return clock;
}

}  // namespace tengen::daemon
