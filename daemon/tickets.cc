#include "daemon/tickets.h"

#include <openssl/crypto.h>

#include "daemon/mac.h"

namespace tengen::daemon {
namespace {

constexpr std::size_t kIdDigits = 32;
constexpr std::size_t kMacBytes = 16;
constexpr std::size_t kTicketLength = kIdDigits + 2 + 2 * kMacBytes;

std::string mac_text(const TicketKey& key, std::string_view seat) {
  const Mac mac = mac_of(key, seat);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < kMacBytes; ++i) {
    text += kDigits[mac[i] >> 4];
    text += kDigits[mac[i] & 15];
  }
  return text;
}

}  // namespace

std::string taking_name(const TicketKey& key, std::string_view caller,
                        std::string_view request_id) {
  return mac_text(key, "take " + std::string(caller) + " " + std::string(request_id));
}

std::string make_ticket(const TicketKey& key, SeatOf seat) {
  const std::string name = rules::to_text(seat.game) + static_cast<char>('0' + seat.slot);
  return name + "-" + mac_text(key, name);
}

std::optional<SeatOf> open_ticket(const TicketKey& key, std::string_view ticket) {
  if (ticket.size() != kTicketLength || ticket[kIdDigits + 1] != '-') return std::nullopt;
  const auto game = rules::parse_game_id(ticket.substr(0, kIdDigits));
  const int slot = ticket[kIdDigits] - '0';
  if (!game || (slot != 1 && slot != 2)) return std::nullopt;
  const std::string expected = mac_text(key, ticket.substr(0, kIdDigits + 1));
  const auto given = ticket.substr(kIdDigits + 2);
  if (CRYPTO_memcmp(expected.data(), given.data(), expected.size()) != 0) return std::nullopt;
  return SeatOf{*game, slot};
}

}  // namespace tengen::daemon
