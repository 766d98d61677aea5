#include "daemon/http_route.h"

#include <algorithm>
#include <array>

namespace tengen::daemon {
namespace {

constexpr std::string_view kAgentPaths = "/v1/";

enum class Methods : std::uint8_t { Any, GetAndHead, Get, Post };

struct Entry {
  std::string_view path;
  HttpCall call;
  Methods methods;
};
constexpr std::array<Entry, 9> kEntries{{{"/", HttpCall::Hint, Methods::Any},
                                         {"/healthz", HttpCall::Health, Methods::GetAndHead},
                                         {"/metrics", HttpCall::Metrics, Methods::GetAndHead},
                                         {"/v1/rules/go", HttpCall::Rules, Methods::Get},
                                         {"/v1/view", HttpCall::View, Methods::Get},
                                         {"/v1/act", HttpCall::Act, Methods::Post},
                                         {"/v1/wait", HttpCall::Wait, Methods::Post},
                                         {"/v1/query", HttpCall::Query, Methods::Post},
                                         {"/v1/leave", HttpCall::Leave, Methods::Post}}};

// HEAD is GET without the body, also where only GET is named.
std::optional<NoRoute> objection(Methods methods, std::string_view method) {
  const bool is_get = method == "GET" || method == "HEAD";
  switch (methods) {
    case Methods::Any:
      return std::nullopt;
    case Methods::GetAndHead:
      if (is_get) return std::nullopt;
      return NoRoute{405, "only GET and HEAD", "GET, HEAD"};
    case Methods::Get:
      if (is_get) return std::nullopt;
      return NoRoute{405, "this call is made with GET", "GET"};
    case Methods::Post:
      if (method == "POST") return std::nullopt;
      return NoRoute{405, "this call is made with POST", "POST"};
  }
  return std::nullopt;
}

std::variant<HttpRoute, NoRoute> watch_route(std::string_view method, std::string_view name) {
  const auto game = rules::parse_game_id(name);
  if (!game) return NoRoute{404, "no game has that id"};
  if (auto no = objection(Methods::Get, method)) return *no;
  return HttpRoute{HttpCall::Watch, game};
}

}  // namespace

std::variant<HttpRoute, NoRoute> route_of(std::string_view method, std::string_view target) {
  const auto path = target.substr(0, target.find('?'));
  if (path.starts_with(kWatchPath)) return watch_route(method, path.substr(kWatchPath.size()));
  const auto* const entry = std::find_if(kEntries.begin(), kEntries.end(),
                                         [&](const Entry& each) { return each.path == path; });
  if (entry == kEntries.end()) {
    return NoRoute{404, is_page(path) ? "not found" : "there is no such call"};
  }
  if (auto no = objection(entry->methods, method)) return *no;
  return HttpRoute{entry->call};
}

bool is_page(std::string_view target) {
  return !target.starts_with(kAgentPaths) && !target.starts_with(kWatchPath);
}

}  // namespace tengen::daemon
