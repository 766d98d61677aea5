// Games as agents play them, and what they are shown, held against the schemas in tests/data/agent.
#pragma once

#include <gtest/gtest.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/agent_view.h"
#include "rules/ruleset.h"
#include "tests/rules/game_table.h"
#include "tests/support/json_schema.h"
#include "tests/support/temp_folder.h"

namespace tengen::protocol {

using boost::json::parse;
using rules::kBlack;
using rules::kWhite;

inline rules::Header agent_header() {
  rules::Header header = rules::header_of(rules::Size{19, 19}, "go-chinese-19-0.3");
  header.komi_half = rules::find_preset("go-chinese-19-0.3")->komi_half;
  return header;
}

inline rules::Table agent_table(rules::Header header = agent_header()) {
  return rules::Table(std::move(header));
}

/// Moves of both sides in turn; "pass" is one too.
inline void play_on(rules::Table& table, const std::vector<std::string_view>& moves) {
  for (const std::string_view move : moves) {
    const rules::Color color = table.game.turn().value();
    const auto refusal = move == "pass" ? table.pass(color) : table.play(color, move);
    ASSERT_EQ(refusal, rules::Refusal::None) << move;
  }
}

inline boost::json::value schema(const std::string& name) {
  const std::string path = TENGEN_TESTS_DIR "/data/agent/" + name + ".schema.json";
  return parse(tengen::tests::read_text(path));
}

inline void expect_fits(const boost::json::value& schema, const boost::json::value& value) {
  EXPECT_EQ(tengen::tests::schema_breaches(schema, value), std::vector<std::string>{});
}

inline AgentViewer viewer_of(rules::Color color) {
  return {"g1", color == kBlack ? 2 : 1, color, "http://127.0.0.1:8374/watch/g1", std::nullopt};
}

/// The view, all of it held against its schemas.
inline boost::json::object view_of(const rules::Game& game, const AgentViewer& viewer) {
  const boost::json::value view = parse(agent_view_json(game, viewer));
  expect_fits(schema("view"), view);
  expect_fits(schema("observation"), view.at("observation"));
  const boost::json::value act = schema("act");
  for (const auto& action : view.at("legalActions").as_array()) expect_fits(act, action);
  return view.as_object();
}

inline boost::json::object view_of(const rules::Game& game, rules::Color color) {
  return view_of(game, viewer_of(color));
}

}  // namespace tengen::protocol
