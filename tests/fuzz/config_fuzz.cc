// Any bytes as a configuration: accepted with profiles and tokens that can be used and an address
// that may be served with them, or refused with errors that each name the file and a line, and the
// same both times.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "daemon/config.h"

namespace {

using tengen::pool::Profile;

bool has(const std::vector<Profile>& profiles, const std::string& name) {
  return std::any_of(profiles.begin(), profiles.end(),
                     [&](const Profile& each) { return each.name == name; });
}

bool is_good(const tengen::daemon::AccessConfig& access) {
  using namespace tengen::daemon;
  return access.tokens.size() <= kTokensMax && !access.anonymous.roles.has(Role::Admin) &&
         std::none_of(access.tokens.begin(), access.tokens.end(), [](const AccessToken& token) {
           return token_name_problem(token.name) || token.roles.is_empty();
         });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tengen::daemon;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = parse_config(text, "f");
  const auto again = parse_config(text, "f");
  if (parsed.index() != again.index()) std::abort();
  if (const auto* config = std::get_if<Config>(&parsed)) {
    if (config->host.empty() || config->games_max == 0 || config->profiles.empty()) std::abort();
    if (config->profiles != std::get<Config>(again).profiles) std::abort();
    if (!is_good(config->access) || exposure_problem(config->host, *config)) std::abort();
    if (config->access != std::get<Config>(again).access) std::abort();
    for (const auto& profile : config->profiles) {
      if (tengen::pool::problem(profile)) std::abort();
      if (!profile.substitute.empty() && !has(config->profiles, profile.substitute)) std::abort();
    }
    return 0;
  }
  const auto& errors = std::get<ConfigErrors>(parsed);
  if (errors.empty() || errors != std::get<ConfigErrors>(again)) std::abort();
  for (const auto& error : errors) {
    if (!error.starts_with("f:")) std::abort();
  }
  return 0;
}
