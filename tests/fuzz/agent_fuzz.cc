// libFuzzer target: the bodies that agents send. Whatever the bytes are, each is refused with a
// reason or means something on the board; a query that is accepted is answered.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/agent_queries.h"
#include "protocol/agent_requests.h"
#include "protocol/text.h"
#include "rules/game.h"

namespace {

using namespace tengen::protocol;
using tengen::rules::Color;
using tengen::rules::Game;
using tengen::rules::Point;

void check(bool holds) {
  if (!holds) std::abort();
}

/// A reason is a short text that can be shown to anyone.
void check_reason(const BadBody& bad) {
  check(!bad.text.empty() && bad.text.size() < 200 && is_clean_text(bad.text));
}

std::string members_of(Point point) {
  const auto [x, y] = tengen::rules::agent_point(point);
  return "\"x\":" + std::to_string(x) + ",\"y\":" + std::to_string(y);
}

void check_act(std::string_view body) {
  const auto act = parse_act(body);
  if (const auto* bad = std::get_if<BadBody>(&act)) return check_reason(*bad);
  const auto& point = std::get<AgentAct>(act).point;
  check(!point || point->is_on(kAgentBoard));
  const std::string written =
      point ? "{\"type\":\"place\"," + members_of(*point) + "}" : "{\"type\":\"pass\"}";
  check(parse_act(written) == act);
}

void check_query(std::string_view body, const Game& game) {
  const auto query = parse_query(body);
  if (const auto* bad = std::get_if<BadBody>(&query)) return check_reason(*bad);
  check(answer_json(std::get<AgentQuery>(query), game).starts_with('{'));
}

void check_wait(std::string_view body) {
  const auto wait = parse_wait(body);
  if (const auto* bad = std::get_if<BadBody>(&wait)) return check_reason(*bad);
  const auto time = std::get<std::chrono::seconds>(wait);
  check(time >= std::chrono::seconds(1) && time <= kAgentWaitMax);
}

Game some_game() {
  tengen::rules::Header header;
  const auto* preset = tengen::rules::find_preset(kAgentRules);
  header.preset = preset->name;
  header.rules = preset->rules;
  header.komi_half = preset->komi_half;
  Game game(header);
  check(game.play(Color::Black, Point::at(15, 3), {}) == tengen::rules::Refusal::None);
  check(game.play(Color::White, Point::at(15, 4), {}) == tengen::rules::Refusal::None);
  return game;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Game game = some_game();
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  check_act(body);
  check_query(body, game);
  check_wait(body);
  return 0;
}
