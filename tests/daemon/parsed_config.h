// What is wrong in the text of a configuration.
#pragma once

#include "daemon/config.h"

namespace tengen::daemon {

/// None when the text is good.
inline ConfigErrors errors_in(std::string_view text) {
  auto parsed = parse_config(text, "t.toml");
  const auto* errors = std::get_if<ConfigErrors>(&parsed);
  return errors != nullptr ? *errors : ConfigErrors{};
}

}  // namespace tengen::daemon
