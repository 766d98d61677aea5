#include "daemon/pages.h"

#include "daemon/health.h"
#include "daemon/http_route.h"

namespace tengen::daemon {
namespace {

HttpResponse health_page(const Hub& hub) {
  std::vector<ProfileCondition> profiles;
  for (auto& status : hub.pool().statuses()) {
    const auto* profile = hub.pool().find_profile(status.name);
    const int processes_warm = profile == nullptr ? 0 : profile->processes_warm;
    profiles.push_back({std::move(status), processes_warm});
  }
  const auto health = hub.is_draining() ? Health::Draining : health_of(profiles);
  HttpResponse response;
  response.status = health == Health::Ok ? 200 : 503;
  response.type = "application/json";
  response.body = health_json(health, profiles);
  return response;
}

std::optional<std::uint64_t> resident_bytes(const pool::Pool& pool, std::string_view profile) {
  std::optional<std::uint64_t> sum;
  for (const auto& engine : pool.engines(profile)) {
    if (engine.resident_bytes > 0) sum = sum.value_or(0) + engine.resident_bytes;
  }
  return sum;
}

HttpResponse metrics_page(const Hub& hub, const ServerFigures& server) {
  DaemonFigures figures;
  for (auto& status : hub.pool().statuses()) {
    const std::string name = status.name;
    const auto* profile = hub.pool().find_profile(name);
    figures.profiles.push_back({std::move(status), hub.pool().stats(name),
                                profile == nullptr ? 0 : profile->processes_max,
                                resident_bytes(hub.pool(), name)});
  }
  figures.connections = hub.connections();
  figures.games_in_play = hub.games_in_play();
  figures.games_in_memory = hub.games();
  figures.analyses = hub.analyses();
  figures.server = server;
  figures.process = process_usage();
  HttpResponse response;
  response.type = kMetricsType;
  response.body = metrics_text(figures);
  return response;
}

}  // namespace

HttpResponse page(const HttpRequest& request, const Hub& hub, const ServerFigures& server) {
  const auto found = route_of(request.method, request.target);
  if (const auto* none = std::get_if<NoRoute>(&found)) {
    auto response = plain_response(none->status, std::string(none->text) + "\n");
    response.allow = none->allow;
    return response;
  }
  switch (std::get<HttpRoute>(found).call) {
    case HttpCall::Health:
      return health_page(hub);
    case HttpCall::Metrics:
      return metrics_page(hub, server);
    default:
      return plain_response(
          426, "this is a WebSocket endpoint: subprotocol tengen.v1.pb or tengen.v1.json\n");
  }
}

}  // namespace tengen::daemon
