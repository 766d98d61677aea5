#include "daemon/tickets.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "daemon/check.h"

namespace tengen::daemon {
namespace {

constexpr std::size_t kIdDigits = 32;
constexpr std::size_t kMacBytes = 16;
constexpr std::size_t kTicketLength = kIdDigits + 2 + 2 * kMacBytes;

std::string mac_of(const TicketKey& key, std::string_view seat) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  const auto* data = reinterpret_cast<const unsigned char*>(seat.data());
  const auto* made = HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), data, seat.size(),
                          digest.data(), &length);
  check(made != nullptr && length >= kMacBytes, "HMAC-SHA-256 is available");
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < kMacBytes; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

}  // namespace

std::string make_ticket(const TicketKey& key, SeatOf seat) {
  const std::string name = rules::to_text(seat.game) + static_cast<char>('0' + seat.slot);
  return name + "-" + mac_of(key, name);
}

std::optional<SeatOf> open_ticket(const TicketKey& key, std::string_view ticket) {
  if (ticket.size() != kTicketLength || ticket[kIdDigits + 1] != '-') return std::nullopt;
  const auto game = rules::parse_game_id(ticket.substr(0, kIdDigits));
  const int slot = ticket[kIdDigits] - '0';
  if (!game || (slot != 1 && slot != 2)) return std::nullopt;
  const std::string expected = mac_of(key, ticket.substr(0, kIdDigits + 1));
  const auto given = ticket.substr(kIdDigits + 2);
  if (CRYPTO_memcmp(expected.data(), given.data(), expected.size()) != 0) return std::nullopt;
  return SeatOf{*game, slot};
}

}  // namespace tengen::daemon
