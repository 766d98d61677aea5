#include "daemon/tickets.h"

#include <gtest/gtest.h>

#include "tests/daemon/counting_key.h"

namespace tengen::daemon {
namespace {

constexpr rules::GameId kTicketGame{0x0123456789abcdef, 0xfedcba9876543210};

// The MAC's first 16 bytes, from another program:
//   printf 0123456789abcdeffedcba98765432102 | openssl dgst -sha256 -mac HMAC
//     -macopt hexkey:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
//   3b4366fb677ef88b8932fdb15ea0653f66160cadd31837329a1c212d9e2911b2
constexpr const char* kKnown = "0123456789abcdeffedcba98765432102-3b4366fb677ef88b8932fdb15ea0653f";

TEST(TicketsTest, TheTicketIsThatOfAnotherProgramsHmac) {
  EXPECT_EQ(make_ticket(counting_key(), {kTicketGame, 2}), kKnown);
}

TEST(TicketsTest, AGenuineTicketOpensItsSeat) {
  const auto seat = open_ticket(counting_key(), kKnown);
  ASSERT_TRUE(seat);
  EXPECT_EQ(seat->game, kTicketGame);
  EXPECT_EQ(seat->slot, 2);
}

TEST(TicketsTest, BothSlotsHaveTicketsOfTheirOwn) {
  for (const int slot : {1, 2}) {
    const auto seat = open_ticket(counting_key(), make_ticket(counting_key(), {kTicketGame, slot}));
    ASSERT_TRUE(seat);
    EXPECT_EQ(seat->slot, slot);
  }
}

TEST(TicketsTest, ChangingAnyCharacterMakesItFalse) {
  const std::string genuine = kKnown;
  for (std::size_t i = 0; i < genuine.size(); ++i) {
    for (const char c : {'0', '1', '2', 'f', '-', 'A', '\0', '\n'}) {
      std::string forged = genuine;
      if (forged[i] == c) continue;
      forged[i] = c;
      EXPECT_FALSE(open_ticket(counting_key(), forged)) << i << " " << forged;
    }
  }
}

TEST(TicketsTest, ATicketCutShortAtAnyPlaceIsFalse) {
  const std::string genuine = kKnown;
  for (std::size_t length = 0; length < genuine.size(); ++length) {
    EXPECT_FALSE(open_ticket(counting_key(), genuine.substr(0, length))) << length;
  }
  EXPECT_FALSE(open_ticket(counting_key(), genuine + "0"));
  EXPECT_FALSE(open_ticket(counting_key(), " " + genuine));
}

TEST(TicketsTest, TheMacOfOneSlotDoesNotOpenTheOther) {
  std::string forged = kKnown;
  forged[32] = '1';
  EXPECT_FALSE(open_ticket(counting_key(), forged));
}

TEST(TicketsTest, TheTicketOfAnotherKeyIsFalse) {
  TicketKey other = counting_key();
  other[31] ^= 1;
  EXPECT_FALSE(open_ticket(other, kKnown));
}

TEST(TicketsTest, NoOtherSlotExistsEvenWithItsOwnMac) {
  EXPECT_FALSE(open_ticket(counting_key(), make_ticket(counting_key(), {kTicketGame, 0})));
  EXPECT_FALSE(open_ticket(counting_key(), make_ticket(counting_key(), {kTicketGame, 3})));
}

}  // namespace
}  // namespace tengen::daemon
