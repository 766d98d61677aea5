// What agents are answered, held against the log and against what was answered before.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "sim/agent.h"
#include "sim/world.h"

namespace tengen::sim {
namespace {

using namespace std::chrono_literals;
using daemon::HttpResponse;

bool is_same(const HttpResponse& a, const HttpResponse& b) {
  return a.status == b.status && a.body == b.body && a.etag == b.etag && a.type == b.type;
}

bool was_undone(const rules::Game& game) {
  return std::any_of(game.events().begin(), game.events().end(), [](const rules::Event& event) {
    return std::holds_alternative<rules::Undone>(event.body);
  });
}

}  // namespace

void Agent::on_lost(daemon::HttpId id) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  auto& seat = matches_[found->second.match].seats[found->second.seat];
  const auto kind = found->second.kind;
  calls_.erase(found);
  if (seat.main == id) seat.main.reset();
  if (kind != Call::Kind::Act) return;
  seat.sight.reset();
  seat.is_last_known = false;
  if (!seat.act->key.empty()) return;
  seat.act.reset();
  ++seat.lost;
}

void Agent::on_answer(daemon::HttpId id, const HttpResponse& response) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) world_.fail("an answer to a call that nobody has made");
  const Call call = found->second;
  auto& match = matches_[call.match];
  auto& seat = match.seats[call.seat];
  switch (call.kind) {
    case Call::Kind::Wait:
      on_wait(match, seat, call, response);
      break;
    case Call::Kind::View:
    case Call::Kind::Leave:
      see(match, seat, response);
      if (call.kind == Call::Kind::Leave && !seat.sight->is_over) {
        world_.fail("an agent has left and its game goes on");
      }
      break;
    case Call::Kind::Act:
      on_act(match, seat, response);
      break;
    case Call::Kind::Twin:
      on_twin(seat, call.key, response);
      break;
    case Call::Kind::Again:
      if (!is_same(seat.kept[call.kept].answer, response)) {
        world_.fail("an act sent again got another answer");
      }
      break;
    case Call::Kind::Refused:
      if (response.status != call.status) {
        world_.fail("a call was answered with " + std::to_string(response.status) + ", not " +
                    std::to_string(call.status));
      }
      break;
    case Call::Kind::Query:
      if (response.status != 200) world_.fail("a query was refused: " + response.body);
      break;
    case Call::Kind::Watch:
      on_page(call, response);
      break;
  }
  calls_.erase(id);
  if (seat.main == id) seat.main.reset();
}

// The event that an answer tells of: it is there, and no older than what was told before.
std::uint32_t Agent::seq_of(const HttpResponse& response) const {
  const std::string& etag = response.etag;
  std::uint32_t seq = 0;
  const bool is_quoted = etag.size() > 2 && etag.front() == '"' && etag.back() == '"';
  if (!is_quoted) world_.fail("a view without its ETag");
  std::from_chars(etag.data() + 1, etag.data() + etag.size() - 1, seq);
  return seq;
}

void Agent::see(Match& match, Seat& seat, const HttpResponse& response) {
  if (response.status != 200) world_.fail("a view was refused: " + response.body);
  const auto seq = seq_of(response);
  if (seq < match.seen) world_.fail("a view from the past");
  match.seen = seq;
  auto read = read_view(response.body, world_.game_at(*match.id, seq), seat.slot);
  if (const auto* problem = std::get_if<std::string>(&read)) world_.fail(*problem);
  seat.sight = std::get<AgentSight>(std::move(read));
  seat.seq = seq;
  ++world_.counts["agents' views"];
  if (seat.act) return;  // it may be made or not
  if (seat.is_last_known && seat.sight->last_accepted != seat.last_accepted) {
    world_.fail("a view is wrong about the last act");
  }
}

void Agent::on_wait(Match& match, Seat& seat, const Call& call, const HttpResponse& response) {
  if (response.status == 429) {
    if (waits_of(call.match, call.seat) <= 2) world_.fail("a wait was refused without two others");
    seat.sight.reset();
    return;
  }
  see(match, seat, response);
  const auto age = world_.now().steady - call.at;
  if (!seat.sight->is_turn && !seat.sight->is_over && age < call.wait) {
    world_.fail("a wait was answered with nothing new before its time");
  }
}

void Agent::on_act(Match& match, Seat& seat, const HttpResponse& response) {
  const Act act = std::exchange(seat.act, std::nullopt).value();
  const auto seq = seq_of(response);
  if (act.sent == 1 && seq < match.seen) world_.fail("an answer from the past");
  match.seen = std::max(match.seen, seq);
  const auto game = world_.game_at(*match.id, seq);
  const bool is_accepted = response.status == 200;
  auto read = is_accepted ? read_view(response.body, game, seat.slot)
                          : read_refusal(response.body, game, seat.slot);
  if (const auto* problem = std::get_if<std::string>(&read)) world_.fail(*problem);
  if (is_accepted) {
    ++seat.accepted;
    on_accepted(match, seat, act, game);
  } else {
    on_refused(match, seat, act, response, game);
  }
  const auto twin = seat.twins.find(act.key);
  if (twin != seat.twins.end() && !is_same(twin->second, response)) {
    world_.fail("one act sent twice at once got two answers");
  }
  if (!act.key.empty()) seat.kept.push_back({act, response});
  // What came in between a loss and this is unknown, but this was the newest.
  seat.last_accepted = is_accepted;
  seat.is_last_known = true;
  seat.sight.reset();
  if (act.sent > 1) return;
  seat.sight = std::get<AgentSight>(std::move(read));
  seat.seq = seq;
}

// The newest move in the log, as the answer tells it, is this very act and no other's.
void Agent::on_accepted(Match& match, const Seat& seat, const Act& act, const rules::Game& game) {
  ++world_.counts["agents' acts accepted"];
  if (!act.meant) world_.fail("garbage was accepted as an act");
  const auto color = game.header().color_of_slot(seat.slot);
  const rules::Event* own = nullptr;
  for (const auto& event : game.events()) {
    const bool is_move = std::holds_alternative<rules::Played>(event.body) ||
                         std::holds_alternative<rules::Passed>(event.body);
    if (is_move) own = &event;
  }
  if (own == nullptr) world_.fail("an accepted act is not in the log");
  const auto* played = std::get_if<rules::Played>(&own->body);
  const auto* passed = std::get_if<rules::Passed>(&own->body);
  const bool is_meant =
      *act.meant ? played != nullptr && played->color == color && played->point == **act.meant
                 : passed != nullptr && passed->color == color;
  if (!is_meant) world_.fail("an accepted act is another one in the log");
  if (!match.own.insert(own->seq).second) world_.fail("two acts were one move");
  if (!act.if_match.empty() && act.if_match != '"' + std::to_string(own->seq - 1) + '"') {
    world_.fail("an act was made for another view than the one that it names");
  }
}

void Agent::on_refused(const Match&, Seat& seat, const Act& act, const HttpResponse& response,
                       const rules::Game& game) {
  ++world_.counts["agents' acts refused"];
  const bool is_stale = !act.if_match.empty() && act.if_match != response.etag;
  const auto legal = legal_actions(game, seat.slot);
  const bool is_legal =
      act.meant && std::find(legal.begin(), legal.end(), *act.meant) != legal.end();
  const int expected = act.meant && is_stale ? 412 : 400;
  if (response.status != expected || (is_legal && !is_stale)) {
    world_.fail("an act was refused with " + std::to_string(response.status) + ": " +
                response.body);
  }
}

void Agent::on_twin(Seat& seat, const std::string& key, const HttpResponse& response) {
  const auto first = std::find_if(seat.kept.begin(), seat.kept.end(),
                                  [&](const Kept& kept) { return kept.act.key == key; });
  if (first == seat.kept.end()) {
    seat.twins.insert_or_assign(key, response);
  } else if (!is_same(first->answer, response)) {
    world_.fail("one act sent twice at once got two answers");
  }
}

void Agent::on_page(const Call& call, const HttpResponse& response) {
  if (response.status != 200) world_.fail("a game has no page");
  const auto* known = world_.durable(call.game);
  const auto game = world_.game_at(call.game, world_.public_seq(*known));
  if (was_undone(world_.game_now(call.game))) return;
  if (auto problem = problem_of_page(response.body, game)) world_.fail(*problem);
  ++world_.counts["pages"];
}

}  // namespace tengen::sim
