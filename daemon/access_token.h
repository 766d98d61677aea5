// What the configuration says of callers: access tokens with the hash of their secret, what they
// may do and how much of it. Plain values; `Access` decides who is who.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tengen::daemon {

/// None of them includes another.
enum class Role : std::uint8_t { Play, Analyse, Watch, Admin };
inline constexpr std::array<Role, 4> kRoles = {Role::Play, Role::Analyse, Role::Watch, Role::Admin};
/// "play", "analyse", "watch", "admin".
std::string_view name_of(Role role);
std::optional<Role> parse_role(std::string_view text);

class Roles {
 public:
  constexpr Roles() = default;
  constexpr Roles(std::initializer_list<Role> roles) {
    for (const Role role : roles) add(role);
  }
  constexpr void add(Role role) { bits_ = static_cast<std::uint8_t>(bits_ | bit(role)); }
  constexpr bool has(Role role) const { return (bits_ & bit(role)) != 0; }
  constexpr bool is_empty() const { return bits_ == 0; }
  friend constexpr bool operator==(Roles, Roles) = default;

 private:
  static constexpr unsigned bit(Role role) { return 1u << static_cast<unsigned>(role); }
  std::uint8_t bits_ = 0;
};

/// How much of a kind one token may have at once, over all its connections; of callers without one,
/// each address (see account_of). 0 is no limit.
struct Quotas {
  std::uint32_t games_max = 100;  // unfinished ones that it made
  std::uint32_t analyses_max = 4;
  std::uint32_t virtual_engines_max = 8;
  std::uint32_t requests_per_minute = 6'000;
  std::uint32_t watches_max = 1'000;  // subscriptions to games
  friend bool operator==(const Quotas&, const Quotas&) = default;
};
inline constexpr Quotas kNoQuotas{0, 0, 0, 0, 0};

/// SHA-256 of a token's secret.
using SecretHash = std::array<std::uint8_t, 32>;

struct AccessToken {
  std::string name;  // as token_name_problem wants it
  SecretHash hash{};
  Roles roles;
  Quotas quotas;
  friend bool operator==(const AccessToken&, const AccessToken&) = default;
};

inline constexpr std::size_t kTokensMax = 1'000;
inline constexpr std::size_t kTokenNameBytesMax = 64;
/// What messages and counts call whoever comes without a token; no token has this name.
inline constexpr std::string_view kAnonymous = "anonymous";

/// Why a token cannot have this name; nothing when it can.
std::optional<std::string> token_name_problem(std::string_view name);

/// Whoever reaches a daemon without tokens may do everything but rule it, as much as they like.
inline AccessToken everyone() {
  return {std::string(kAnonymous), {}, {Role::Play, Role::Analyse, Role::Watch}, kNoQuotas};
}

/// All callers there are.
struct AccessConfig {
  std::vector<AccessToken> tokens;
  AccessToken anonymous = everyone();  // without a role: nobody comes without a token
  friend bool operator==(const AccessConfig&, const AccessConfig&) = default;
};

}  // namespace tengen::daemon
