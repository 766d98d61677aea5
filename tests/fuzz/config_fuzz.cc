// Any bytes as a configuration: accepted, or refused with errors that each name the file and a
// line, and the same both times.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "daemon/config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tengen::daemon;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = parse_config(text, "f");
  const auto again = parse_config(text, "f");
  if (parsed.index() != again.index()) std::abort();
  if (const auto* config = std::get_if<Config>(&parsed)) {
    if (config->host.empty() || config->games_max == 0 || config->profiles.empty()) std::abort();
    for (const auto& profile : config->profiles) {
      if (tengen::pool::problem(profile)) std::abort();
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
