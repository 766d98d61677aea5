#include "daemon/peer.h"

#include <gtest/gtest.h>

namespace tengen::daemon {
namespace {

TEST(PeerTest, LoopbackIsKnownInEverySpelling) {
  for (const char* text : {"127.0.0.1", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1",
                           "::ffff:127.0.0.1", "::FFFF:7f00:1", "::1%lo"}) {
    EXPECT_TRUE(Peer(text).is_loopback()) << text;
  }
}

TEST(PeerTest, NothingElseIsLoopback) {
  for (const char* text :
       {"", "localhost", "0.0.0.0", "::", "128.0.0.1", "126.255.255.255", "::2", "::127.0.0.1",
        "::ffff:128.0.0.1", "fe80::1", "127.0.0.1:80", "127.1", "0127.0.0.1", " 127.0.0.1"}) {
    EXPECT_FALSE(Peer(text).is_loopback()) << text;
  }
}

TEST(PeerTest, AnIpv4AddressIsAPlaceHoweverItIsWritten) {
  EXPECT_EQ(Peer("192.0.2.1").place(), Peer("::ffff:192.0.2.1").place());
  EXPECT_EQ(Peer("192.0.2.1").place(), Peer("::ffff:c000:201").place());
  EXPECT_NE(Peer("192.0.2.1").place(), Peer("192.0.2.2").place());
  EXPECT_NE(Peer("192.0.2.1").place(), Peer("::192.0.2.1").place());
}

TEST(PeerTest, AnIpv6NetworkOf64BitsIsOnePlace) {
  EXPECT_EQ(Peer("2001:db8:1:2::1").place(), Peer("2001:db8:1:2:ffff:ffff:ffff:ffff").place());
  EXPECT_NE(Peer("2001:db8:1:2::1").place(), Peer("2001:db8:1:3::1").place());
  EXPECT_EQ(Peer("fe80::1%eth0").place(), Peer("fe80::1").place());
}

TEST(PeerTest, WhatIsNoAddressIsOnePlaceThatNoAddressHas) {
  EXPECT_EQ(Peer("").place(), Peer("localhost").place());
  EXPECT_NE(Peer("").place(), Peer("0.0.0.0").place());
  EXPECT_NE(Peer("").place(), Peer("::").place());
}

}  // namespace
}  // namespace tengen::daemon
