#include "daemon/peer.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace tengen::daemon {
namespace {

constexpr std::size_t kMappedPrefix = 12;  // ::ffff:0:0/96
constexpr std::size_t kNetworkBytes = 8;   // a /64

}  // namespace

Peer::Peer(std::string_view address) {
  const std::string text(address.substr(0, address.find('%')));  // fe80::1%eth0
  std::array<std::uint8_t, 16> bytes{};
  if (::inet_pton(AF_INET, text.c_str(), bytes.data()) == 1) {
    is_loopback_ = bytes[0] == 127;
    place_.assign(bytes.begin(), bytes.begin() + 4);
    return;
  }
  if (::inet_pton(AF_INET6, text.c_str(), bytes.data()) != 1) return;
  in6_addr v6{};
  std::copy(bytes.begin(), bytes.end(), v6.s6_addr);
  if (IN6_IS_ADDR_V4MAPPED(&v6)) {
    is_loopback_ = bytes[kMappedPrefix] == 127;
    place_.assign(bytes.begin() + kMappedPrefix, bytes.end());
  } else {
    is_loopback_ = IN6_IS_ADDR_LOOPBACK(&v6);
    place_.assign(bytes.begin(), bytes.begin() + kNetworkBytes);
  }
}

}  // namespace tengen::daemon
