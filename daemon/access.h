// Who calls: looks up the secrets that clients show among the configured access tokens. A reload
// makes a new one of the new configuration. A connection keeps a copy of its caller, and asks for
// it again after a reload or a revocation.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/access_token.h"

namespace tengen::daemon {

/// No secret of fewer characters can hold 128 bits, and longer ones are not ours: neither is ever
/// accepted, whatever hash the configuration has.
inline constexpr std::size_t kSecretBytesMin = 22;
inline constexpr std::size_t kSecretBytesMax = 128;

SecretHash hash_of(std::string_view secret);

/// What "Bearer SECRET" in an Authorization header names; nothing for any other scheme or form.
std::optional<std::string_view> bearer_of(std::string_view authorization);

class Access {
 public:
  explicit Access(AccessConfig config) : config_(std::move(config)) {}

  // Pointers hold until the next revoke.

  /// The token with this secret, or null. The secret's hash is compared with that of every token,
  /// each time in constant time.
  const AccessToken* find(std::string_view secret) const;
  /// Who comes without a token; null: nobody may.
  const AccessToken* anonymous() const;
  /// The same caller as configured now, perhaps with other roles and quotas; null when the token is
  /// gone, revoked or has another secret.
  const AccessToken* current(const AccessToken& caller) const;

  /// The token is not accepted any more, until the configuration is read again. False: no such
  /// token.
  bool revoke(std::string_view name);

  const std::vector<AccessToken>& tokens() const { return config_.tokens; }

 private:
  AccessConfig config_;
};

}  // namespace tengen::daemon
