#include "protocol/agent_requests.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <string>

#include "tests/protocol/agent_table.h"

namespace tengen::protocol {
namespace {

using rules::Point;
using std::chrono::seconds;

template <typename Result>
bool is_refused(const Result& result) {
  const auto* bad = std::get_if<BadBody>(&result);
  return bad != nullptr && !bad->text.empty();
}

// Q16 and A1, whose coordinates cannot be exchanged unseen.
TEST(AgentRequestsTest, ActIsAPlaceOrAPass) {
  const auto expect_act = [](std::string_view body, std::optional<Point> point) {
    const auto act = parse_act(body);
    ASSERT_TRUE(std::holds_alternative<AgentAct>(act)) << body;
    EXPECT_EQ(std::get<AgentAct>(act).point, point) << body;
  };
  const rules::Size size{19, 19};
  expect_act(R"({"type":"place","x":15,"y":3})", rules::parse_gtp_vertex("Q16", size));
  expect_act(R"( { "y" : 18 , "type" : "place", "x" : 0 } )", rules::parse_gtp_vertex("A1", size));
  expect_act(R"({"type":"place","x":18.0,"y":1e1})", rules::parse_gtp_vertex("T9", size));
  expect_act(R"({"type":"pass"})", std::nullopt);
  expect_act(R"({"\u0074ype":"p\u0061ss"})", std::nullopt);
}

// Texts that are JSON: here the published schema judges as well.
TEST(AgentRequestsTest, ActIsJudgedAsThePublishedSchemaJudges) {
  const boost::json::value act = schema("act");
  int fitting = 0;
  for (const std::string_view type :
       {R"("place")", R"("pass")", R"("Place")", R"("")", "null", "1"}) {
    for (const std::string_view x : {"", "0", "18", "19", "-1", "9.5", "9.0", "-0", "1e1", "1e400",
                                     R"("9")", "null", "true", "[9]", "123456789012345678901"}) {
      for (const std::string_view rest : {R"(,"y":0)", R"(,"y":18)", "", R"(,"y":"1")", R"(,"z":1)",
                                          R"(,"y":1,"z":1)", R"(,"y":1,"Y":1)"}) {
        std::string body = R"({"type":)" + std::string(type);
        if (!x.empty()) body += R"(,"x":)" + std::string(x);
        body += std::string(rest) + "}";
        const bool fits = tengen::tests::schema_breaches(act, parse(body)).empty();
        EXPECT_EQ(!is_refused(parse_act(body)), fits) << body;
        fitting += fits ? 1 : 0;
      }
    }
  }
  // A place with 0, 18, 9.0, -0 or 1e1 as x and one of two good rests; a bare pass.
  EXPECT_EQ(fitting, 5 * 2 + 1);
}

TEST(AgentRequestsTest, WhatIsNotOneJsonObjectIsRefused) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view body : {""sv,
                                      " "sv,
                                      "null"sv,
                                      "[]"sv,
                                      R"("pass")"sv,
                                      "{"sv,
                                      R"({"type":"pass"}x)"sv,
                                      R"({"type":"pass"}{"type":"pass"})"sv,
                                      R"({"type":"pass",})"sv,
                                      R"({type:"pass"})"sv,
                                      R"({'type':'pass'})"sv,
                                      R"({"type":"pass"} // no)"sv,
                                      R"({"type":"place","x":NaN,"y":1})"sv,
                                      R"({"type":"place","x":Infinity,"y":1})"sv,
                                      R"({"type":"place","x":01,"y":1})"sv,
                                      R"({"type":"place","x":+1,"y":1})"sv,
                                      "\xef\xbb\xbf{\"type\":\"pass\"}"sv,
                                      "{\"type\":\"pass\"}\0"sv,
                                      "{\"type\":\"p\xff\"}"sv,
                                      R"({"type":"\ud800"})"sv}) {
    EXPECT_TRUE(is_refused(parse_act(body))) << ::testing::PrintToString(std::string(body));
    EXPECT_TRUE(is_refused(parse_query(body))) << ::testing::PrintToString(std::string(body));
    if (body.empty()) continue;
    EXPECT_TRUE(is_refused(parse_wait(body))) << ::testing::PrintToString(std::string(body));
  }
}

TEST(AgentRequestsTest, MemberThatComesTwiceIsRefusedAtAnyDepth) {
  EXPECT_TRUE(is_refused(parse_act(R"({"type":"pass","type":"pass"})")));
  EXPECT_TRUE(is_refused(parse_act(R"({"type":"place","x":1,"y":2,"\u0078":1})")));
  EXPECT_TRUE(is_refused(parse_wait(R"({"timeoutSeconds":1,"timeoutSeconds":1})")));
  EXPECT_TRUE(is_refused(parse_query(
      R"({"name":"estimate_score","args":{"dead":[{"x":1,"y":2},{"x":1,"y":2,"x":1}]}})")));
  EXPECT_FALSE(is_refused(
      parse_query(R"({"name":"estimate_score","args":{"dead":[{"x":1,"y":2},{"x":1,"y":2}]}})")));
}

TEST(AgentRequestsTest, BodyHasALengthAndADepth) {
  std::string body = R"({"type":"pass"})";
  body += std::string(kAgentBodyBytesMax - body.size(), ' ');
  EXPECT_FALSE(is_refused(parse_act(body)));
  EXPECT_TRUE(is_refused(parse_act(body + " ")));
  const std::string deep(1000, '[');
  EXPECT_TRUE(is_refused(parse_act(R"({"type":)" + deep)));
}

TEST(AgentRequestsTest, QueryThatNamesEveryPointFits) {
  std::string list;
  for (int i = 0; i < 361; ++i) {
    list += i == 0 ? "" : ",";
    list += "\n    {\n      \"x\": " + std::to_string(i % 19) +
            ",\n      \"y\": " + std::to_string(i / 19) + "\n    }";
  }
  const auto query = parse_query(R"({"name":"estimate_score","args":{"dead":[)" + list + "]}}");
  ASSERT_FALSE(is_refused(query));
  EXPECT_EQ(std::get<AgentEstimate>(std::get<AgentQuery>(query)).dead->size(), 361u);
}

TEST(AgentRequestsTest, RefusalNamesTheMember) {
  EXPECT_EQ(std::get<BadBody>(parse_act(R"({"type":"pass","z":1})")).text,
            R"(the member "z" is not known here)");
  EXPECT_EQ(std::get<BadBody>(parse_act(R"({"type":"place","x":19,"y":3})")).text,
            R"("x" must be there and be an integer from 0 to 18)");
  const std::string long_name(1000, 'a');
  EXPECT_LT(std::get<BadBody>(parse_act("{\"type\":\"pass\",\"" + long_name + "\":1}")).text.size(),
            100u);
}

TEST(AgentRequestsTest, QueriesAreReadByName) {
  const auto expect_query = [](std::string_view body, const AgentQuery& expected) {
    const auto query = parse_query(body);
    ASSERT_TRUE(std::holds_alternative<AgentQuery>(query)) << body;
    EXPECT_EQ(std::get<AgentQuery>(query), expected) << body;
  };
  const Point q16 = rules::parse_gtp_vertex("Q16", {19, 19}).value();
  expect_query(R"({"name":"estimate_score","args":{}})", AgentEstimate{});
  expect_query(R"({"name":"estimate_score"})", AgentEstimate{});
  expect_query(R"({"name":"estimate_score","args":{"dead":[]}})",
               AgentEstimate{std::vector<Point>{}});
  expect_query(R"({"name":"estimate_score","args":{"dead":[{"x":15,"y":3}]}})",
               AgentEstimate{std::vector<Point>{q16}});
  expect_query(R"({"name":"group_liberties","args":{}})", AgentGroups{});
  expect_query(R"({"name":"group_liberties","args":{"x":15,"y":3}})", AgentGroups{q16});
  expect_query(R"({"name":"neighborhood","args":{"x":15,"y":3}})", AgentNeighborhood{q16, 2});
  expect_query(R"({"args":{"radius":4,"y":3,"x":15},"name":"neighborhood"})",
               AgentNeighborhood{q16, 4});
}

TEST(AgentRequestsTest, ArgumentsAreJudgedAsThePublishedSchemasJudge) {
  const boost::json::value queries = schema("queries");
  const std::string_view arguments[] = {"{}",
                                        R"({"x":3,"y":4})",
                                        R"({"x":3})",
                                        R"({"y":3})",
                                        R"({"x":3,"y":19})",
                                        R"({"x":-1,"y":3})",
                                        R"({"x":"3","y":4})",
                                        R"({"x":3,"y":null})",
                                        R"({"x":3,"y":4,"z":0})",
                                        R"({"x":3,"y":4,"radius":1})",
                                        R"({"x":3,"y":4,"radius":4})",
                                        R"({"x":3,"y":4,"radius":0})",
                                        R"({"x":3,"y":4,"radius":5})",
                                        R"({"x":3,"y":4,"radius":"2"})",
                                        R"({"x":3,"y":4,"radius":null})",
                                        R"({"x":3,"y":4,"radius":2.5})",
                                        R"({"radius":2})",
                                        R"({"dead":[]})",
                                        R"({"dead":null})",
                                        R"({"dead":{}})",
                                        R"({"dead":[{"x":3,"y":4}]})",
                                        R"({"dead":[{"x":3}]})",
                                        R"({"dead":[3,4]})",
                                        R"({"dead":[{"x":3,"y":4,"z":5}]})",
                                        R"({"dead":[{"x":3,"y":19}]})",
                                        R"({"dead":[null]})",
                                        R"({"dead":[],"x":1,"y":1})",
                                        R"({"Dead":[]})"};
  int fitting = 0;
  for (const auto& [name, query] : queries.as_object()) {
    for (const std::string_view args : arguments) {
      const auto breaches =
          tengen::tests::schema_breaches(query.at("parametersSchema"), parse(args));
      const std::string body =
          "{\"name\":\"" + std::string(name) + "\",\"args\":" + std::string(args) + "}";
      EXPECT_EQ(!is_refused(parse_query(body)), breaches.empty()) << body;
      fitting += breaches.empty() ? 1 : 0;
    }
  }
  // estimate_score: {}, two lists. group_liberties: {}, a point. neighborhood: a point, two radii.
  EXPECT_EQ(fitting, 3 + 2 + 3);
}

TEST(AgentRequestsTest, QueryThatIsNotPublishedIsRefused) {
  for (const std::string_view body :
       {R"({"name":"best_move","args":{}})", R"({"name":"Estimate_score","args":{}})",
        R"({"name":"","args":{}})", R"({"name":null,"args":{}})", R"({"args":{}})",
        R"({"name":"estimate_score","args":null})", R"({"name":"estimate_score","args":[]})",
        R"({"name":"estimate_score","args":{},"turn":1})",
        R"({"name":"estimate_score","dead":[]})"}) {
    EXPECT_TRUE(is_refused(parse_query(body))) << body;
  }
}

TEST(AgentRequestsTest, WaitIsOneToThirtySecondsAndUsuallyEight) {
  EXPECT_EQ(std::get<seconds>(parse_wait("")), seconds(8));
  EXPECT_EQ(std::get<seconds>(parse_wait("{}")), seconds(8));
  EXPECT_EQ(std::get<seconds>(parse_wait(R"({"timeoutSeconds":1})")), seconds(1));
  EXPECT_EQ(std::get<seconds>(parse_wait(R"({"timeoutSeconds":30})")), seconds(30));
  for (const std::string_view body :
       {R"({"timeoutSeconds":0})", R"({"timeoutSeconds":31})", R"({"timeoutSeconds":-8})",
        R"({"timeoutSeconds":1.5})", R"({"timeoutSeconds":"8"})", R"({"timeoutSeconds":null})",
        R"({"timeoutSeconds":4294967304})", R"({"timeoutSeconds":18446744073709551624})",
        R"({"timeout":8})", R"({"timeoutSeconds":8,"x":1})", "8"}) {
    EXPECT_TRUE(is_refused(parse_wait(body))) << body;
  }
}

}  // namespace
}  // namespace tengen::protocol
