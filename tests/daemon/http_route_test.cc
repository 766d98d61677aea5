// By hand after SPEC 8 (the agents' calls) and docs/operations.md (the pages).
#include "daemon/http_route.h"

#include <gtest/gtest.h>

#include <string>

namespace tengen::daemon {
namespace {

constexpr const char* kGameText = "0123456789abcdef0123456789abcdef";

struct RouteCase {
  std::string method;
  std::string target;
  HttpCall call;
};

TEST(HttpRoute, EveryPathHasItsCall) {
  const RouteCase cases[] = {
      {"GET", "/", HttpCall::Hint},
      {"POST", "/", HttpCall::Hint},
      {"GET", "/healthz", HttpCall::Health},
      {"HEAD", "/metrics", HttpCall::Metrics},
      {"GET", "/v1/rules/go", HttpCall::Rules},
      {"GET", "/v1/view", HttpCall::View},
      {"HEAD", "/v1/view", HttpCall::View},
      {"POST", "/v1/act", HttpCall::Act},
      {"POST", "/v1/wait", HttpCall::Wait},
      {"POST", "/v1/query", HttpCall::Query},
      {"POST", "/v1/leave", HttpCall::Leave},
      {"GET", std::string("/watch/") + kGameText, HttpCall::Watch},
  };
  for (const auto& [method, target, call] : cases) {
    for (const char* query : {"", "?", "?a=b", "?/v1/act", "?a?b"}) {
      const auto found = route_of(method, target + query);
      const auto* route = std::get_if<HttpRoute>(&found);
      ASSERT_NE(route, nullptr) << method << target << query;
      EXPECT_EQ(route->call, call) << method << target << query;
      EXPECT_EQ(route->game.has_value(), call == HttpCall::Watch);
    }
  }
}

TEST(HttpRoute, AnotherMethodIsToldTheOnesThatDo) {
  const std::pair<RouteCase, const char*> cases[] = {
      {{"POST", "/healthz", {}}, "GET, HEAD"},
      {{"get", "/metrics", {}}, "GET, HEAD"},
      {{"POST", "/v1/rules/go", {}}, "GET"},
      {{"DELETE", "/v1/view", {}}, "GET"},
      {{"GET", "/v1/act", {}}, "POST"},
      {{"HEAD", "/v1/wait?x", {}}, "POST"},
      {{"", "/v1/leave", {}}, "POST"},
      {{"POST", std::string("/watch/") + kGameText, {}}, "GET"},
  };
  for (const auto& [asked, allow] : cases) {
    const auto found = route_of(asked.method, asked.target);
    const auto* none = std::get_if<NoRoute>(&found);
    ASSERT_NE(none, nullptr) << asked.method << asked.target;
    EXPECT_EQ(none->status, 405);
    EXPECT_EQ(none->allow, allow) << asked.method << asked.target;
  }
}

TEST(HttpRoute, ElsewhereIsNothing) {
  for (const char* target :
       {"", "*", "healthz", "//healthz", "/healthz/", "/HEALTHZ", "/%68ealthz", "/v1", "/v1/",
        "/v1/view/", "/v1/rules", "/v1/../healthz", "/watch/", "/watch/0123",
        "/watch/0123456789abcdef0123456789abcdef/", "/watch/0123456789abcdef0123456789abcdeg"}) {
    const auto found = route_of("GET", target);
    const auto* none = std::get_if<NoRoute>(&found);
    ASSERT_NE(none, nullptr) << target;
    EXPECT_EQ(none->status, 404) << target;
    EXPECT_EQ(none->allow, "") << target;
  }
}

TEST(HttpRoute, AgentsCallsAndWatchingAreTheHubs) {
  for (const char* target : {"/v1/view", "/v1/", "/v1/none?x", "/watch/", "/watch/x"}) {
    EXPECT_FALSE(is_page(target)) << target;
  }
  for (const char* target : {"/", "/v1", "/watch", "/healthz?/v1/", "*", ""}) {
    EXPECT_TRUE(is_page(target)) << target;
  }
}

}  // namespace
}  // namespace tengen::daemon
