#include "tests/support/json_schema.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <string_view>

namespace tengen::tests {
namespace {

std::vector<std::string> breaches(std::string_view schema, std::string_view value) {
  return schema_breaches(boost::json::parse(schema), boost::json::parse(value));
}

struct Case {
  std::string_view schema;
  std::string_view fits;
  std::string_view does_not;
};

// Draft 2020-12, validation vocabulary, one keyword after the other.
constexpr Case kCases[] = {
    {R"({"type":"object"})", "{}", "[]"},
    {R"({"type":"array"})", "[]", "{}"},
    {R"({"type":"string"})", R"("1")", "1"},
    {R"({"type":"boolean"})", "false", "0"},
    {R"({"type":"null"})", "null", "false"},
    {R"({"type":"number"})", "7.5", R"("7.5")"},
    {R"({"type":"integer"})", "-3", "-3.5"},
    {R"({"type":"integer"})", "3.0", R"("3")"},
    {R"({"type":["string","null"]})", "null", "1"},
    {R"({"type":["string","null"]})", R"("")", "false"},
    {R"({"const":"go"})", R"("go")", R"("Go")"},
    {R"({"const":7.5})", "75e-1", "7"},
    {R"({"const":19})", "19.0", R"("19")"},
    {R"({"const":0})", "0", "false"},
    {R"({"enum":["black",null]})", "null", R"("white")"},
    {R"({"enum":[0,1,2]})", "2", "3"},
    {R"({"required":["x"]})", R"({"x":null})", R"({"y":1})"},
    {R"({"required":["x"]})", R"("not an object")", "{}"},
    {R"({"properties":{"x":{"type":"integer"}}})", R"({"y":"a"})", R"({"x":"a"})"},
    {R"({"properties":{"x":{}},"additionalProperties":false})", R"({"x":1})", R"({"x":1,"y":1})"},
    {R"({"additionalProperties":{"type":"integer"}})", R"({"a":1})", R"({"a":"1"})"},
    {R"({"additionalProperties":true})", R"({"a":1})", ""},
    {R"({"items":{"type":"integer"}})", "[1,2]", "[1,null]"},
    {R"({"minItems":2})", "[1,2]", "[1]"},
    {R"({"maxItems":2})", "[1,2]", "[1,2,3]"},
    {R"({"oneOf":[{"type":"integer"},{"type":"null"}]})", "null", R"("")"},
    {R"({"oneOf":[{"type":"integer"},{"minimum":5}]})", "3", "7"},
    {R"({"minimum":0})", "0", "-1"},
    {R"({"minimum":0})", R"("-1")", "-0.5"},
    {R"({"maximum":18})", "18", "18.5"},
    {R"({"dependentRequired":{"x":["y"]}})", "{}", R"({"x":1})"},
    {R"({"dependentRequired":{"x":["y"]}})", R"({"y":1})", R"({"x":1,"z":1})"},
};

TEST(JsonSchemaTest, EachKeywordTellsWhatFitsFromWhatDoesNot) {
  for (const Case& c : kCases) {
    EXPECT_EQ(breaches(c.schema, c.fits), std::vector<std::string>{}) << c.schema << " " << c.fits;
    if (c.does_not.empty()) continue;
    EXPECT_EQ(breaches(c.schema, c.does_not).size(), 1u) << c.schema << " " << c.does_not;
  }
}

TEST(JsonSchemaTest, BreachIsNamedByItsPlace) {
  EXPECT_EQ(
      breaches(R"({"properties":{"a":{"items":{"required":["x"]}}}})", R"({"a":[{"x":1},{}]})"),
      std::vector<std::string>{"/a/1: lacks x"});
}

TEST(JsonSchemaTest, WhatIsNotUnderstoodIsNeverAFit) {
  EXPECT_FALSE(breaches(R"({"pattern":"a"})", "1").empty());
  EXPECT_FALSE(breaches(R"({"type":"float"})", "1").empty());
  EXPECT_FALSE(breaches(R"({"oneOf":[{"pattern":"a"},{"type":"integer"}]})", "1").empty());
  EXPECT_FALSE(breaches(R"({"items":[{}]})", "[1]").empty());
}

}  // namespace
}  // namespace tengen::tests
