// Written by hand after RFC 3986 (authorities), RFC 9110 (Host) and RFC 6454 (Origin).
#include "daemon/own_names.h"

#include <gtest/gtest.h>

namespace tengen::daemon {
namespace {

std::string url_of(std::string_view text) {
  const auto url = parse_public_url(text);
  return url ? url->text : "";
}

TEST(PublicUrlTest, IsASchemeAHostAndPerhapsAPort) {
  EXPECT_EQ(url_of("https://go.example"), "https://go.example");
  EXPECT_EQ(url_of("http://go.example:8374"), "http://go.example:8374");
  EXPECT_EQ(url_of("HTTPS://Go.Example"), "https://go.example");
  EXPECT_EQ(url_of("https://192.0.2.1:8374"), "https://192.0.2.1:8374");
  EXPECT_EQ(url_of("https://[2001:DB8::1]:8374"), "https://[2001:db8::1]:8374");
}

TEST(PublicUrlTest, APortThatIsTheSchemesOwnIsLeftOut) {
  EXPECT_EQ(url_of("https://go.example:443"), "https://go.example");
  EXPECT_EQ(url_of("http://go.example:80"), "http://go.example");
  EXPECT_EQ(url_of("http://go.example:443"), "http://go.example:443");
}

TEST(PublicUrlTest, AnythingElseIsRefused) {
  for (const char* text : {"",
                           "go.example",
                           "ws://go.example",
                           "https://",
                           "https://go.example/",
                           "https:///",
                           "https://go.example/path",
                           "https://user@go.example",
                           "https://go.example?x",
                           "https://go.example:",
                           "https://go.example:0",
                           "https://go.example:65536",
                           "https://go.example:80a",
                           "https://go .example",
                           "https://2001:db8::1",
                           "https://[::1",
                           "https://[::1]x",
                           "https://[go.example]",
                           "https://[]",
                           "https://.example",
                           "https://go.example\n",
                           ("https://b\xc3\xbc"
                            "cher.example")}) {
    EXPECT_EQ(url_of(text), "") << text;
  }
  EXPECT_EQ(url_of("https://" + std::string(253, 'a')), "https://" + std::string(253, 'a'));
  EXPECT_EQ(url_of("https://" + std::string(254, 'a')), "");
}

TEST(HostTest, LocalhostAndAddressesAreAllowed) {
  for (const char* host : {"localhost", "LOCALHOST:8374", "127.0.0.1", "192.0.2.1:1", "[::1]",
                           "[::1]:8374", "[2001:db8::1]"}) {
    EXPECT_TRUE(is_host_allowed(host, {})) << host;
  }
}

TEST(HostTest, OtherNamesAndWhatIsNoHostAreNot) {
  for (const char* host :
       {"", "rebound.example", "rebound.example:8374", "localhost.rebound.example", "localhost:",
        "localhost:x", "127.0.0.1.rebound.example", "[::1].rebound.example", "[rebound.example]",
        "[::1", "::1", "127.0.0.1@rebound.example", "localhost/", " localhost"}) {
    EXPECT_FALSE(is_host_allowed(host, {})) << host;
  }
}

TEST(HostTest, ThePublicNameIsAllowedUnderEveryPort) {
  const auto names = names_of(*parse_public_url("https://go.example:8443"));
  for (const char* host : {"go.example", "Go.Example:8443", "go.example:1", "localhost"}) {
    EXPECT_TRUE(is_host_allowed(host, names)) << host;
  }
  for (const char* host : {"www.go.example", "go.example.com", "example", "go.example."}) {
    EXPECT_FALSE(is_host_allowed(host, names)) << host;
  }
}

TEST(OriginTest, OnlyTheHostThatWasAskedAndThePublicUrlAreOurs) {
  const auto names = names_of(*parse_public_url("https://go.example"));
  EXPECT_TRUE(is_origin_allowed("http://127.0.0.1:8374", "127.0.0.1:8374", {}));
  EXPECT_TRUE(is_origin_allowed("https://go.example", "go.example", {}));
  // A proxy in front asks under a name of its own.
  EXPECT_TRUE(is_origin_allowed("https://go.example", "127.0.0.1:8374", names));
  for (const char* origin :
       {"", "null", "127.0.0.1:8374", "http://127.0.0.1", "http://127.0.0.1:8375",
        "http://other.example", "http://go.example", "https://go.example:8374",
        "https://go.example.com", "https://www.go.example"}) {
    EXPECT_FALSE(is_origin_allowed(origin, "127.0.0.1:8374", names)) << origin;
  }
}

}  // namespace
}  // namespace tengen::daemon
