#include "protocol/agent_rules.h"

#include <gtest/gtest.h>

#include "tests/protocol/agent_table.h"

namespace tengen::protocol {
namespace {

namespace json = boost::json;

/// The schema without its name, which each publisher gives.
json::object unnamed(json::value schema) {
  json::object object = schema.as_object();
  object.erase("$id");
  return object;
}

TEST(AgentRulesTest, DocumentHasTheSixMembers) {
  const json::value document = parse(agent_rules_json());
  std::vector<std::string> names;
  for (const auto& member : document.as_object()) names.emplace_back(member.key());
  EXPECT_EQ(names, (std::vector<std::string>{"slug", "rulesVersion", "markdown", "actSchema",
                                             "observationSchema", "queries"}));
  EXPECT_EQ(document.at("slug"), "go");
  EXPECT_EQ(document.at("rulesVersion"), "go-chinese-19-0.3");
}

TEST(AgentRulesTest, SchemasAreThePublishedOnes) {
  const json::value document = parse(agent_rules_json());
  EXPECT_EQ(unnamed(document.at("actSchema")), unnamed(schema("act")));
  EXPECT_EQ(unnamed(document.at("observationSchema")), unnamed(schema("observation")));
  json::object queries = document.at("queries").as_object();
  for (auto& [name, query] : queries) {
    EXPECT_TRUE(query.at("description").is_string()) << name;
    query.as_object().erase("description");
  }
  EXPECT_EQ(json::value(queries), schema("queries"));
}

TEST(AgentRulesTest, SchemasHaveNamesOfOurOwn) {
  const json::value document = parse(agent_rules_json());
  EXPECT_TRUE(document.at("actSchema").at("$id").as_string().starts_with("urn:tengen:"));
  EXPECT_TRUE(document.at("observationSchema").at("$id").as_string().starts_with("urn:tengen:"));
}

TEST(AgentRulesTest, TextNamesEveryCallAndEveryMemberOfTheView) {
  const json::value document = parse(agent_rules_json());
  const std::string_view text = document.at("markdown").as_string();
  for (const std::string_view word :
       {"GET /v1/view", "POST /v1/act", "POST /v1/wait", "POST /v1/query", "POST /v1/leave",
        "`seat`", "`role`", "`status`", "`yourTurn`", "`legalActions`", "`observation`", "`events`",
        "`lastActionResult.accepted`", "`ended`", "`winnerSeat`", "`standings`"}) {
    EXPECT_NE(text.find(word), text.npos) << word;
  }
}

}  // namespace
}  // namespace tengen::protocol
