// Makes an access token for `tengend token`: a secret that is shown once, and the table of the
// configuration that knows only its hash.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tengen::daemon {

/// "tengen_" and 43 characters of base64url (RFC 4648, unpadded), for people and secret scanners to
/// know what they see.
std::string secret_of(const std::array<std::uint8_t, 32>& random);

/// The [[token]] table to paste into the configuration.
std::string token_table(std::string_view name, std::string_view secret);

}  // namespace tengen::daemon
