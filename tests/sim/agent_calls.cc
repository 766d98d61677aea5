// What agents ask over HTTP, and what else arrives there.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "protocol/agent_requests.h"
#include "sim/agent.h"
#include "sim/world.h"

namespace tengen::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMovesEnough = 12;  // from then on games come to their end

std::string body_of(const Action& action) {
  if (!action) return R"({"type": "pass"})";
  return R"({"type": "place", "x": )" + std::to_string(action->col()) + R"(, "y": )" +
         std::to_string(action->row()) + "}";
}

/// One in the corner, where stones are soon taken and points forbidden; else any.
Action in_corner(const std::vector<Action>& legal, std::uint64_t nth) {
  std::vector<Action> near;
  std::copy_if(legal.begin(), legal.end(), std::back_inserter(near), [](const Action& action) {
    return action && action->col() < 3 && action->row() < 3;
  });
  return near.empty() ? legal[nth % legal.size()] : near[nth % near.size()];
}

std::string etag_of(std::uint32_t seq) { return '"' + std::to_string(seq) + '"'; }

}  // namespace

daemon::HttpRequest Agent::request(const Seat& seat, const char* method, const char* path,
                                   std::string body) const {
  daemon::HttpRequest request;
  request.method = method;
  request.target = path;
  request.authorization = "Bearer " + seat.ticket;
  request.body = std::move(body);
  return request;
}

daemon::HttpId Agent::call(Call call, daemon::HttpRequest request) {
  call.at = world_.now().steady;
  const auto id = world_.call(*this, std::move(request));
  calls_.emplace(id, call);
  return id;
}

void Agent::refused(std::size_t match, std::size_t seat, int status, daemon::HttpRequest request) {
  Call what{Call::Kind::Refused, match, seat};
  what.status = status;
  call(what, std::move(request));
}

// One thing at a time for each seat: learn what is there, wait for the turn, act.
void Agent::step_seat(std::size_t match, std::size_t at) {
  auto& seat = matches_[match].seats[at];
  if (!seat.is_silent && world_.may_fail() && world_.chance(0.25)) misbehave(match, at);
  if (seat.main) {
    if (world_.may_fail() && world_.chance(0.05)) lose(*seat.main);
    return;
  }
  if (seat.act) return act(match, at, *seat.act);
  if (seat.is_silent) return check_departure(matches_[match], seat);
  if (seat.sight && seat.sight->is_over) return;
  if (!seat.sight || (!seat.sight->is_turn && seat.polls)) {
    seat.main = call({Call::Kind::View, match, at}, request(seat, "GET", "/v1/view"));
  } else if (!seat.sight->is_turn) {
    wait(match, at);
  } else if (seat.seq > 4 * kMovesEnough && world_.chance(0.3)) {
    seat.main = call({Call::Kind::Leave, match, at}, request(seat, "POST", "/v1/leave"));
  } else {
    act(match, at, choose_act(matches_[match], seat));
  }
}

Agent::Act Agent::choose_act(const Match&, const Seat& seat) {
  Act act;
  if (world_.chance(0.9)) act.key = next_id();
  if (world_.chance(0.3)) act.if_match = etag_of(seat.seq);
  const auto& legal = seat.sight->legal;
  const bool passes = world_.chance(seat.seq > kMovesEnough ? 0.3 : 0.05);
  act.meant = passes ? Action{} : legal[world_.below(legal.size())];
  if (!passes && world_.chance(0.8)) act.meant = in_corner(legal, world_.random()());
  act.body = body_of(*act.meant);
  return act;
}

// The connection breaks: nobody will ever read the answer.
void Agent::lose(daemon::HttpId id) {
  world_.hang_up(id);
  on_lost(id);
}

// One that is refused, or would be if nothing had happened since.
Agent::Act Agent::spoilt_act(const Match&, const Seat& seat) {
  Act act;
  if (world_.chance(0.8)) act.key = next_id();
  const char* garbage[] = {"",
                           "{",
                           "[]",
                           R"({"type": "place", "x": 3})",
                           R"({"type": "place", "x": 19, "y": 0})",
                           R"({"type": "place", "x": "3", "y": 3})",
                           R"({"type": "pass", "x": 3})",
                           R"({"type": "pass", "type": "pass"})",
                           R"({"type": "resign"})",
                           "\xff\xfe"};
  if (world_.chance(0.4)) {
    act.body = garbage[world_.below(std::size(garbage))];
    return act;
  }
  act.meant =
      rules::Point::at(static_cast<int>(world_.below(19)), static_cast<int>(world_.below(19)));
  if (world_.chance(0.3)) act.meant = Action{};
  act.body = body_of(*act.meant);
  if (world_.chance(0.5)) act.if_match = etag_of(seat.seq - (seat.seq > 0 ? 1 : 0));
  return act;
}

void Agent::act(std::size_t match, std::size_t at, Act act) {
  auto& seat = matches_[match].seats[at];
  auto post = request(seat, "POST", "/v1/act", act.body);
  post.idempotency_key = act.key;
  post.if_match = act.if_match;
  if (++act.sent > 1) ++world_.counts["agents' acts sent again"];
  if (!act.key.empty() && world_.may_fail() && world_.chance(0.05)) {
    ++world_.counts["agents' acts sent again"];
    Call twin{Call::Kind::Twin, match, at};
    twin.key = act.key;
    call(twin, post);
    ++act.sent;
  }
  seat.act = std::move(act);
  seat.main = call({Call::Kind::Act, match, at}, std::move(post));
}

void Agent::wait(std::size_t match, std::size_t at) {
  auto& seat = matches_[match].seats[at];
  Call what{Call::Kind::Wait, match, at};
  what.wait = std::chrono::seconds(1 + world_.below(30));
  std::string body = R"({"timeoutSeconds": )" + std::to_string(what.wait.count()) + "}";
  if (world_.chance(0.1)) {
    what.wait = protocol::kAgentWait;
    body.clear();
  }
  const auto id = call(what, request(seat, "POST", "/v1/wait", std::move(body)));
  if (!seat.main) seat.main = id;
}

std::size_t Agent::waits_of(std::size_t match, std::size_t seat) const {
  return static_cast<std::size_t>(
      std::count_if(calls_.begin(), calls_.end(), [&](const auto& each) {
        const Call& call = each.second;
        return call.kind == Call::Kind::Wait && call.match == match && call.seat == seat;
      }));
}

void Agent::misbehave(std::size_t match, std::size_t at) {
  auto& seat = matches_[match].seats[at];
  ++world_.counts["agents' misdeeds"];
  switch (world_.below(12)) {
    case 0: {
      auto stolen = request(seat, "POST", "/v1/act", R"({"type": "pass"})");
      auto& letter = stolen.authorization[stolen.authorization.size() / 2];
      letter = letter == 'A' ? 'B' : 'A';
      return refused(match, at, 401, std::move(stolen));
    }
    case 1:
      return refused(match, at, 405, request(seat, "GET", "/v1/act"));
    case 2:
      return refused(match, at, 404, request(seat, "POST", "/v1/undo"));
    case 3: {
      auto post = request(seat, "POST", "/v1/act", R"({"type": "pass"})");
      post.idempotency_key = world_.chance(0.5) ? "two words" : std::string(65, 'k');
      return refused(match, at, 400, std::move(post));
    }
    case 4: {
      const char* bodies[] = {R"({"timeoutSeconds": 0})", R"({"timeoutSeconds": 31})",
                              R"({"timeoutSeconds": "8"})", "8", R"({"seconds": 8})"};
      return refused(match, at, 400, request(seat, "POST", "/v1/wait", bodies[world_.below(5)]));
    }
    case 5: {
      const char* bodies[] = {R"({"name": "estimate_score"})", R"({"name": "group_liberties"})",
                              R"({"name": "neighborhood", "args": {"x": 3, "y": 3}})"};
      call({Call::Kind::Query, match, at},
           request(seat, "POST", "/v1/query", bodies[world_.below(3)]));
      return;
    }
    case 6:
      return refused(match, at, 400,
                     request(seat, "POST", "/v1/query", R"({"name": "best_move", "args": {}})"));
    case 7:
      if (seat.sight && !seat.sight->is_turn && waits_of(match, at) < 3) wait(match, at);
      return;
    case 8:
      if (const auto game = world_.any_game()) {
        Call what{Call::Kind::Watch, match, at};
        what.game = *game;
        call(what, request(seat, "GET", ("/watch/" + rules::to_text(*game)).c_str()));
      }
      return;
    case 9:
      if (!seat.kept.empty()) {
        Call what{Call::Kind::Again, match, at};
        what.kept = world_.below(seat.kept.size());
        const auto& act = seat.kept[what.kept].act;
        // The key is what counts, whatever comes with it.
        auto post = request(seat, "POST", "/v1/act", world_.chance(0.3) ? "{}" : act.body);
        post.idempotency_key = act.key;
        ++world_.counts["agents' acts sent again"];
        call(what, std::move(post));
      }
      return;
    case 10:
      if (seat.sight && !seat.main && !seat.act) act(match, at, spoilt_act(matches_[match], seat));
      return;
    default:
      if (!world_.chance(0.15) || seat.main || seat.act) return;
      if (world_.chance(0.5)) {
        ++world_.counts["silent agents"];
        seat.is_silent = true;
        seat.silent_since = world_.now().steady;
      } else {
        seat.main = call({Call::Kind::Leave, match, at}, request(seat, "POST", "/v1/leave", "{}"));
      }
  }
}

// An agent that was not heard of for so long has lost, once its game has begun and its last wait is
// over.
void Agent::check_departure(const Match& match, const Seat& seat) const {
  const auto silence = world_.now().steady - seat.silent_since;
  if (silence < kSilenceMax + protocol::kAgentWaitMax + 10s || match.open) return;
  if (!world_.durable(*match.id)->finished) world_.fail("a silent agent has not departed");
}

// Nobody waits for ever, nor sleeps through a turn.
void Agent::check_open_calls() const {
  for (const auto& [id, call] : calls_) {
    const auto age = world_.now().steady - call.at;
    if (age > call.wait + 30s) world_.fail("an HTTP request was not answered");
    if (call.kind != Call::Kind::Wait || age < 10s || !world_.chance(0.05)) continue;
    const auto& match = matches_[call.match];
    const auto game = world_.game_now(*match.id);
    if (game.events().empty()) continue;
    const auto quiet = world_.now().unix_ms - game.events().back().stamp.unix_ms;
    const bool has_news =
        game.is_finished() || !legal_actions(game, match.seats[call.seat].slot).empty();
    if (has_news && quiet > 10'000) world_.fail("an agent sleeps through its turn");
  }
}

}  // namespace tengen::sim
