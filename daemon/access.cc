#include "daemon/access.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>

#include "daemon/check.h"
#include "rules/ascii.h"

namespace tengen::daemon {
namespace {

bool is_same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return rules::lower(x) == rules::lower(y); });
}

// RFC 6750's b64token.
bool is_bearer_char(char c) {
  return rules::is_digit(c) || (rules::lower(c) >= 'a' && rules::lower(c) <= 'z') ||
         std::string_view("-._~+/=").find(c) != std::string_view::npos;
}

}  // namespace

SecretHash hash_of(std::string_view secret) {
  SecretHash hash{};
  unsigned int length = 0;
  const int made =
      EVP_Digest(secret.data(), secret.size(), hash.data(), &length, EVP_sha256(), nullptr);
  check(made == 1 && length == hash.size(), "SHA-256 is available");
  return hash;
}

std::optional<std::string_view> bearer_of(std::string_view authorization) {
  constexpr std::string_view kScheme = "Bearer ";
  if (!is_same_word(authorization.substr(0, kScheme.size()), kScheme)) return std::nullopt;
  const auto begin = authorization.find_first_not_of(' ', kScheme.size());
  if (begin == std::string_view::npos) return std::nullopt;
  const auto end = authorization.find_last_not_of(' ');
  const auto secret = authorization.substr(begin, end + 1 - begin);
  if (!std::all_of(secret.begin(), secret.end(), is_bearer_char)) return std::nullopt;
  return secret;
}

const AccessToken* Access::find(std::string_view secret) const {
  if (secret.size() < kSecretBytesMin || secret.size() > kSecretBytesMax) return nullptr;
  const SecretHash hash = hash_of(secret);
  const AccessToken* found = nullptr;
  for (const auto& token : config_.tokens) {
    const bool is_it = CRYPTO_memcmp(token.hash.data(), hash.data(), hash.size()) == 0;
    if (is_it) found = &token;  // and on: how long it takes must not tell which one it is
  }
  return found;
}

const AccessToken* Access::anonymous() const {
  return config_.anonymous.roles.is_empty() ? nullptr : &config_.anonymous;
}

const AccessToken* Access::current(const AccessToken& caller) const {
  if (caller.name == kAnonymous) return anonymous();
  for (const auto& token : config_.tokens) {
    if (token.name == caller.name) return token.hash == caller.hash ? &token : nullptr;
  }
  return nullptr;
}

bool Access::revoke(std::string_view name) {
  return std::erase_if(config_.tokens, [&](const auto& token) { return token.name == name; }) != 0;
}

}  // namespace tengen::daemon
