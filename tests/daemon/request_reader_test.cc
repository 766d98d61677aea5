// By hand after RFC 9110 and RFC 9112. What a connection makes of it is in tests/e2e/http_test.cc.
#include "daemon/net/request_reader.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

namespace tengen::daemon {
namespace {

using Progress = RequestReader::Progress;

constexpr RequestLimits kReaderLimits{1'000, 100};

const OwnNames& names() {
  static const OwnNames own{{"go.example"}, {"https://go.example"}};
  return own;
}

/// What came of bytes that arrive in pieces: a request, a refusal, or neither yet.
struct Read {
  std::optional<HttpRequest> request;
  int status = 0;
  RequestHead head;
  std::string rest;  // that was not taken
};
Read read(std::string_view bytes, std::size_t piece) {
  RequestReader reader(kReaderLimits, names());
  Read read;
  for (std::size_t at = 0; at < bytes.size() && !read.request; at += piece) {
    read.rest += bytes.substr(at, piece);
    for (bool goes_on = true; goes_on;) {
      const auto result = reader.read(read.rest);
      read.head = reader.head();
      if (const auto* refused = std::get_if<HttpResponse>(&result)) {
        read.status = refused->status;
        return read;
      }
      goes_on = std::get<Progress>(result) == Progress::Head;
      if (std::get<Progress>(result) == Progress::Whole) read.request = reader.take();
    }
  }
  return read;
}

std::string get(const std::string& target, const std::string& fields = "Host: localhost\r\n") {
  return "GET " + target + " HTTP/1.1\r\n" + fields + "\r\n";
}

std::string in_chunks(const std::string& chunks, const std::string& trailer = "") {
  return "POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks +
         "0\r\n" + trailer + "\r\n";
}

/// So many bytes in as many fields as there can be.
std::string of_short_fields(std::size_t bytes) {
  std::string request = "GET /a HTTP/1.1\r\nHost: localhost\r\n";
  while (request.size() + 12 < bytes) request += "a:b\r\n";
  request += "X:";
  request.append(bytes - request.size() - 4, 'x');
  return request + "\r\n\r\n";
}

TEST(RequestReader, AHeaderMayBeAsLongAsTheLimitAndNoLongerHoweverItComes) {
  for (const std::size_t piece : {1, 3, 999, 1'000, 1'001, 100'000}) {
    const auto longest = of_short_fields(1'000);
    ASSERT_EQ(longest.size(), 1'000u);
    const auto good = read(longest + "more", piece);
    EXPECT_TRUE(good.request) << piece;
    for (const std::size_t bytes : {1'001, 1'100, 2'500, 20'000}) {
      const auto request = of_short_fields(bytes);
      ASSERT_EQ(request.size(), bytes);
      const auto refused = read(request, piece);
      EXPECT_FALSE(refused.request) << bytes << " in pieces of " << piece;
      EXPECT_EQ(refused.status, 431) << bytes << " in pieces of " << piece;
    }
  }
}

TEST(RequestReader, WhatStandsAroundChunksIsHeldToTheSameLimit) {
  const std::string body = "5\r\nhello\r\n";
  for (const std::size_t piece : {1, 100, 100'000}) {
    EXPECT_EQ(read(in_chunks(body, "X: " + std::string(900, 'x') + "\r\n"), piece).status, 0);
    EXPECT_EQ(read(in_chunks(body, "X: " + std::string(1'000, 'x') + "\r\n"), piece).status, 431);
    EXPECT_EQ(read(in_chunks("5;" + std::string(1'000, 'x') + "\r\nhello\r\n"), piece).status, 431);
    std::string short_ones;
    while (short_ones.size() < 1'000) short_ones += "a:b\r\n";
    EXPECT_EQ(read(in_chunks(body, short_ones), piece).status, 431);
  }
  std::string many;
  for (int i = 0; i < 100; ++i) many += "1;a=" + std::string(100, 'b') + "\r\nx\r\n";
  EXPECT_TRUE(read(in_chunks(many), 100'000).request) << "each chunk by itself";
}

TEST(RequestReader, FieldsBehindTheBodySayNothing) {
  const auto found = read(in_chunks("5\r\nhello\r\n",
                                    "Authorization: Bearer abc\r\nIf-Match: \"5\"\r\n"
                                    "Idempotency-Key: k\r\nHost: rebound.example\r\n"),
                          100'000);
  ASSERT_TRUE(found.request);
  EXPECT_EQ(found.request->body, "hello");
  EXPECT_EQ(found.request->authorization + found.request->if_match + found.request->idempotency_key,
            "");
}

// Where the body of another coding ends cannot be told: what follows is no request.
TEST(RequestReader, OtherTransferCodingsAreNotTakenForNoBody) {
  for (const char* fields : {"Transfer-Encoding: gzip\r\n", "Transfer-Encoding: chunked, gzip\r\n",
                             "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding:\r\n",
                             "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"}) {
    EXPECT_EQ(
        read("POST /a HTTP/1.1\r\nHost: localhost\r\n" + std::string(fields) + "\r\n0\r\n\r\n",
             100'000)
            .status,
        501)
        << fields;
  }
}

TEST(RequestReader, ATargetMaySayTheHost) {
  const auto found = read(get("http://go.example:8374/v1/view?x"), 100'000);
  ASSERT_TRUE(found.request);
  EXPECT_EQ(found.request->target, "/v1/view?x");
  EXPECT_EQ(found.head.target, "/v1/view?x");
  EXPECT_EQ(found.head.host, "go.example:8374");
  EXPECT_EQ(read(get("http://rebound.example/"), 100'000).status, 403);
}

TEST(RequestReader, ItTakesOneRequestAndLeavesTheRest) {
  const std::string next = "GET /next";
  for (const std::string& request : {get("/a"), in_chunks("5\r\nhello\r\n"),
                                     std::string("POST /a HTTP/1.1\r\nHost: localhost\r\n"
                                                 "Content-Length: 5\r\n\r\nhello")}) {
    const auto found = read(request + next, 100'000);
    EXPECT_TRUE(found.request);
    EXPECT_EQ(found.rest, next);
  }
}

TEST(RequestReader, WhoWaitsForTheBodyToBeAskedForIsSeen) {
  const std::string post =
      "POST /a HTTP/1.1\r\nHost: localhost\r\nExpect: 100-Continue\r\nContent-Length: 5\r\n\r\n";
  EXPECT_TRUE(read(post, 100'000).head.awaits_continue);
  EXPECT_FALSE(read(post + "h", 100'000).head.awaits_continue);
  EXPECT_FALSE(
      read(get("/a", "Host: localhost\r\nExpect: 100-continue\r\n"), 100'000).head.awaits_continue);
}

TEST(RequestReader, ARefusalKnowsWhomItIsFor) {
  const auto refused = read("HEAD / HTTP/1.0\r\nHost: rebound.example\r\n\r\n", 100'000);
  EXPECT_EQ(refused.status, 403);
  EXPECT_TRUE(refused.head.is_head);
  EXPECT_EQ(refused.head.version, 10u);
  EXPECT_FALSE(refused.head.keeps_alive);
}

}  // namespace
}  // namespace tengen::daemon
