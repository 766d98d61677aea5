// HMAC-SHA-256 and SHA-256, by OpenSSL.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace tengen::daemon {

using Mac = std::array<std::uint8_t, 32>;

Mac mac_of(std::span<const std::uint8_t> key, std::string_view text);

/// SHA-256 of the bytes.
Mac digest_of(std::span<const std::uint8_t> bytes);

}  // namespace tengen::daemon
