// Plain on this side, TLS on the other: with it every plain client of the tests speaks to a daemon
// that has a certificate. It runs in a thread of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace tengen::tests {

class TlsTunnel {
 public:
  /// To this port of 127.0.0.1, trusting this certificate alone. Whatever cannot be carried on (an
  /// unknown certificate, a broken connection) closes its plain side.
  TlsTunnel(std::uint16_t target, const std::string& trusted_certificate);
  ~TlsTunnel();
  TlsTunnel(const TlsTunnel&) = delete;
  TlsTunnel& operator=(const TlsTunnel&) = delete;

  std::uint16_t port() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tengen::tests
