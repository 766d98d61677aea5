#include "daemon/new_token.h"

#include "daemon/access.h"

namespace tengen::daemon {
namespace {

constexpr std::string_view kBase64Url =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string hex(const SecretHash& hash) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : hash) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace

std::string secret_of(const std::array<std::uint8_t, 32>& random) {
  std::string secret = "tengen_";
  std::uint32_t bits = 0;
  int held = 0;  // bits not written yet
  for (const std::uint8_t byte : random) {
    bits = (bits << 8 | byte) & 0xffff;
    for (held += 8; held >= 6; held -= 6) secret += kBase64Url[bits >> (held - 6) & 63];
  }
  if (held > 0) secret += kBase64Url[bits << (6 - held) & 63];
  return secret;
}

std::string token_table(std::string_view name, std::string_view secret) {
  return "\n[[token]]\nname = \"" + std::string(name) + "\"\nsha256 = \"" + hex(hash_of(secret)) +
         "\"\nroles = [\"play\", \"analyse\", \"watch\"]\n";
}

}  // namespace tengen::daemon
