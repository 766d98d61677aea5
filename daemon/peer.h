// Where a connection comes from: an address, as the limits on addresses see it.
#pragma once

#include <string>
#include <string_view>

namespace tengen::daemon {

class Peer {
 public:
  /// An IP address as text, without a port. Anything else is one unknown place for all.
  explicit Peer(std::string_view address);

  /// On this machine. A proxy is as well, so that nothing that is counted by address means anything
  /// here.
  bool is_loopback() const { return is_loopback_; }
  /// What is one place for the limits: an IPv4 address (also one written as IPv6), or the first 64
  /// bits of an IPv6 address, since whoever has one has the other addresses of that network too.
  const std::string& place() const { return place_; }

 private:
  std::string place_ = "unknown";
  bool is_loopback_ = false;
};

}  // namespace tengen::daemon
