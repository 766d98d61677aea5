#include "daemon/health.h"

#include <algorithm>

#include "protocol/text.h"

namespace tengen::daemon {
namespace {

// A profile's name is one printable word today; whatever it becomes, this stays JSON.
std::string quoted(std::string_view text) {
  std::string json = "\"";
  for (const char c : protocol::clean_text(text, text.size())) {
    if (c == '"' || c == '\\') json += '\\';
    json += c;
  }
  return json + '"';
}

void add(std::string& json, std::string_view key, std::int64_t value) {
  json += ",\"" + std::string(key) + "\":" + std::to_string(value);
}

void add_profile(std::string& json, const ProfileCondition& profile) {
  const auto& status = profile.status;
  json += "{\"name\":" + quoted(status.name) + ",\"state\":" + quoted(name_of(health_of(profile)));
  add(json, "starting", status.starting);
  add(json, "idle", status.idle);
  add(json, "busy", status.busy);
  add(json, "streaming", status.streaming);
  add(json, "stopping", status.stopping);
  add(json, "queued", static_cast<std::int64_t>(status.queued));
  add(json, "wait_ms", status.wait.count());
  json +=
      std::string(",\"draining\":") + (status.intake == pool::Intake::Closed ? "true" : "false");
  json += '}';
}

}  // namespace

std::string_view name_of(ProfileHealth health) {
  switch (health) {
    case ProfileHealth::Ok:
      return "ok";
    case ProfileHealth::Starting:
      return "starting";
    case ProfileHealth::Failed:
      return "failed";
  }
  return "";
}

std::string_view name_of(Health health) {
  switch (health) {
    case Health::Ok:
      return "ok";
    case Health::Degraded:
      return "degraded";
    case Health::Draining:
      return "draining";
  }
  return "";
}

ProfileHealth health_of(const ProfileCondition& profile) {
  const auto& status = profile.status;
  if (status.failed) return ProfileHealth::Failed;
  if (status.idle + status.busy + status.streaming > 0) return ProfileHealth::Ok;
  const bool is_kept_warm = profile.processes_warm > 0 && status.intake == pool::Intake::Open;
  const bool is_wanted = is_kept_warm || status.starting > 0 || status.queued > 0;
  return is_wanted ? ProfileHealth::Starting : ProfileHealth::Ok;
}

Health health_of(std::span<const ProfileCondition> profiles) {
  const bool has_failed = std::any_of(profiles.begin(), profiles.end(), [](const auto& profile) {
    return health_of(profile) == ProfileHealth::Failed;
  });
  return has_failed ? Health::Degraded : Health::Ok;
}

std::string health_json(Health health, std::span<const ProfileCondition> profiles) {
  std::string json = "{\"status\":" + quoted(name_of(health)) + ",\"profiles\":[";
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    if (i > 0) json += ',';
    add_profile(json, profiles[i]);
  }
  return json + "]}\n";
}

}  // namespace tengen::daemon
