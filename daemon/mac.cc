#include "daemon/mac.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "daemon/check.h"

namespace tengen::daemon {

Mac mac_of(std::span<const std::uint8_t> key, std::string_view text) {
  Mac mac{};
  unsigned int length = 0;
  const auto* data = reinterpret_cast<const unsigned char*>(text.data());
  const auto* made = HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), data, text.size(),
                          mac.data(), &length);
  check(made != nullptr && length == mac.size(), "HMAC-SHA-256 is available");
  return mac;
}

Mac digest_of(std::span<const std::uint8_t> bytes) {
  Mac digest{};
  unsigned int length = 0;
  const int done =
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  check(done == 1 && length == digest.size(), "SHA-256 is available");
  return digest;
}

}  // namespace tengen::daemon
