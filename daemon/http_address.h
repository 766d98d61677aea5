// Whom a request is meant for: its target, which may say it in full (RFC 9112, 3.2.2), and the
// fields Host and Origin, held against what this daemon is called.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "daemon/own_names.h"

namespace tengen::daemon {

/// A header field as it was given.
struct GivenField {
  std::size_t times = 0;
  std::string_view value{};  // the first
};
struct GivenAddress {
  std::string_view target;
  GivenField host;
  GivenField origin;
};

struct HttpAddress {
  std::string target;  // "/path" or "/path?query"; other forms, such as "*", as they came
  std::string host;    // with its port, if it was given one
};
/// Nobody else may see the request.
struct Misaddressed {
  int status = 400;
  std::string_view text;
};

std::variant<HttpAddress, Misaddressed> address_of(const GivenAddress& given,
                                                   const OwnNames& names);

}  // namespace tengen::daemon
