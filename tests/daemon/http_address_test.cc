// By hand after RFC 9112, 3.2 (forms of targets) and 3.3.
#include "daemon/http_address.h"

#include <gtest/gtest.h>

namespace tengen::daemon {
namespace {

const OwnNames kNames{{"go.example"}, {"https://go.example"}};

std::variant<HttpAddress, Misaddressed> ask(std::string_view target, std::string_view host) {
  return address_of({target, {1, host}, {}}, kNames);
}

TEST(HttpAddress, APathIsAskedOfTheHostInTheField) {
  for (const char* target : {"/", "/a?b", "*", "/http://other.example/", "http:/a", "ftp://h/a"}) {
    const auto found = std::get<HttpAddress>(ask(target, "localhost:8374"));
    EXPECT_EQ(found.target, target);
    EXPECT_EQ(found.host, "localhost:8374");
  }
}

TEST(HttpAddress, AWholeUrlIsAskedOfItsOwnHost) {
  struct Case {
    const char* url;
    const char* target;
    const char* host;
  };
  for (const auto& [url, target, host] : {Case{"http://localhost/a?b", "/a?b", "localhost"},
                                          {"hTTp://Go.Example:1/", "/", "Go.Example:1"},
                                          {"https://127.0.0.1", "/", "127.0.0.1"},
                                          {"http://[::1]:80?a/b", "/?a/b", "[::1]:80"},
                                          {"http://localhost//a", "//a", "localhost"}}) {
    const auto found = std::get<HttpAddress>(ask(url, "rebound.example"));
    EXPECT_EQ(found.target, target) << url;
    EXPECT_EQ(found.host, host) << url;
  }
}

TEST(HttpAddress, ForeignHostsAreRefusedWhereverTheyStand) {
  for (const char* url :
       {"http://rebound.example/", "http://", "http:///", "http://a@localhost/",
        "http://localhost:x/", "http://localhost#/", "https://go.example.evil/"}) {
    EXPECT_EQ(std::get<Misaddressed>(ask(url, "localhost")).status, 403) << url;
  }
  EXPECT_EQ(std::get<Misaddressed>(ask("/", "rebound.example")).status, 403);
  EXPECT_EQ(std::get<Misaddressed>(ask("/", "")).status, 403);
}

TEST(HttpAddress, TheFieldHasToBeThereOnceAllTheSame) {
  for (const char* target : {"/", "http://localhost/"}) {
    EXPECT_EQ(std::get<Misaddressed>(address_of({target, {0, ""}, {}}, kNames)).status, 403);
    EXPECT_EQ(std::get<Misaddressed>(address_of({target, {2, "localhost"}, {}}, kNames)).status,
              400);
  }
}

TEST(HttpAddress, AnOriginIsHeldAgainstTheHostThatIsAsked) {
  const auto status_of = [](std::string_view target, const GivenField& origin) {
    const auto found = address_of({target, {1, "localhost"}, origin}, kNames);
    const auto* wrong = std::get_if<Misaddressed>(&found);
    return wrong == nullptr ? 200 : wrong->status;
  };
  EXPECT_EQ(status_of("/", {1, "http://localhost"}), 200);
  EXPECT_EQ(status_of("/", {1, "https://go.example"}), 200);
  EXPECT_EQ(status_of("/", {1, "http://127.0.0.1"}), 403);
  EXPECT_EQ(status_of("/", {1, ""}), 403);
  EXPECT_EQ(status_of("/", {2, "http://localhost"}), 400);
  EXPECT_EQ(status_of("http://127.0.0.1/", {1, "http://127.0.0.1"}), 200);
  EXPECT_EQ(status_of("http://127.0.0.1/", {1, "http://localhost"}), 403);
}

}  // namespace
}  // namespace tengen::daemon
