// The HTTP side of a connection: what is read, what is refused, who waits for whom and for how
// long. Expected answers are those of RFC 9110 and RFC 9112.
#include <gtest/gtest.h>

#include <cstdio>
#include <future>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/http_client.h"
#include "tests/support/listener_rig.h"
#include "tests/support/proc.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using tests::http_request;
using tests::HttpClient;
using tests::ListenerRig;
using Body = HttpClient::Body;

// Long enough to be sure that something does not happen.
constexpr auto kWhile = 300ms;

/// Sizes that a test can reach, and times that none does, on a slow machine either: a test shortens
/// the one that it is about.
ListenerConfig patient() {
  ListenerConfig config;
  config.host = "127.0.0.1";
  config.names = {{"go.example"}, {"https://go.example"}};
  config.limits.http.request = {1'000, 100};
  config.limits.http.request_limit = 60s;
  config.limits.http.idle_limit = 60s;
  config.limits.http.write_limit = 60s;
  config.limits.http.linger_limit = 500ms;
  return config;
}

ListenerConfig with(std::chrono::milliseconds HttpLimits::*limit, std::chrono::milliseconds value) {
  auto config = patient();
  config.limits.http.*limit = value;
  return config;
}

HttpResponse text(std::string body, int status = 200) {
  HttpResponse response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

std::optional<HttpResponse> echo(const HttpRequest& request) {
  return text(request.method + " " + request.target + " " + request.body);
}

std::string post(const std::string& body, const std::string& fields = "") {
  return "POST /echo HTTP/1.1\r\nHost: localhost\r\n" + fields +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string chunked(const std::vector<std::string>& chunks) {
  std::string text = "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const auto& chunk : chunks) {
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", chunk.size());
    text += size + chunk + "\r\n";
  }
  return text + "0\r\n\r\n";
}

std::string upgrade(const std::string& fields = "") {
  return "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
         "Sec-WebSocket-Protocol: tengen.v1.pb\r\n" +
         fields + "\r\n";
}

TEST(HttpConnection, CarriesOneRequestAfterTheOther) {
  ListenerRig rig(patient(), echo);
  HttpClient client(rig.port());
  for (const std::string target : {"/a", "/b?c=d", "/a"}) {
    client.send(http_request("GET", target));
    const auto reply = client.reply();
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, "GET " + target + " ");
    EXPECT_EQ(reply.header("connection"), "");
  }
  client.send(post("hello"));
  EXPECT_EQ(client.reply().body, "POST /echo hello");
  EXPECT_EQ(rig.connections(), 1u);
}

TEST(HttpConnection, TheRequestIsToldAsItWasWritten) {
  ListenerRig rig(patient());
  HttpClient client(rig.port());
  client.send(post("{}",
                   "AUTHORIZATION: Bearer abc\r\ncontent-type: application/json\r\n"
                   "Idempotency-Key:  k 1 \r\nIf-Match: \"5\"\r\nIf-None-Match: W/\"6\"\r\n"));
  const auto [id, request] = rig.asked();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/echo");
  EXPECT_EQ(request.authorization, "Bearer abc");
  EXPECT_EQ(request.content_type, "application/json");
  EXPECT_EQ(request.idempotency_key, "k 1");
  EXPECT_EQ(request.if_match, "\"5\"");
  EXPECT_EQ(request.if_none_match, "W/\"6\"");
  EXPECT_EQ(request.peer, "127.0.0.1");
  EXPECT_EQ(request.body, "{}");
  rig.respond(id, text(""));
  EXPECT_EQ(client.reply().status, 200);

  client.send("DELETE /x HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const auto plain = rig.asked();
  EXPECT_NE(plain.id, id);
  EXPECT_EQ(plain.request.method, "DELETE");
  EXPECT_EQ(plain.request.authorization + plain.request.content_type +
                plain.request.idempotency_key + plain.request.if_match +
                plain.request.if_none_match + plain.request.body,
            "");
}

TEST(HttpConnection, TheAnswerHasTheFieldsThatItNames) {
  ListenerRig rig(patient(), [](const HttpRequest&) {
    auto response = text("{}", 401);
    response.type = "application/json";
    response.etag = "\"7\"";
    response.www_authenticate = "Bearer";
    response.retry_after = 3;
    return std::optional(response);
  });
  HttpClient client(rig.port());
  client.send(http_request("GET", "/"));
  const auto reply = client.reply();
  EXPECT_EQ(reply.status, 401);
  EXPECT_EQ(reply.header("content-type"), "application/json");
  EXPECT_EQ(reply.header("etag"), "\"7\"");
  EXPECT_EQ(reply.header("www-authenticate"), "Bearer");
  EXPECT_EQ(reply.header("retry-after"), "3");
  EXPECT_EQ(reply.header("cache-control"), "no-cache");
}

TEST(HttpConnection, AnswersWithoutABodyHaveNone) {
  ListenerRig rig(patient(), [](const HttpRequest& request) {
    return std::optional(text("a body", std::stoi(request.target.substr(1))));
  });
  HttpClient client(rig.port());
  for (const int status : {204, 304}) {
    client.send(http_request("GET", "/" + std::to_string(status)));
    const auto reply = client.reply();
    EXPECT_EQ(reply.status, status);
    EXPECT_EQ(reply.header("content-length"), "");
  }
  client.send(http_request("HEAD", "/200"));
  const auto head = client.reply(Body::None);
  EXPECT_EQ(head.header("content-length"), "6");
  client.send(http_request("GET", "/200"));
  EXPECT_EQ(client.reply().body, "a body");
}

TEST(HttpConnection, PipelinedRequestsAreAnsweredInTheirOrder) {
  ListenerRig rig(patient());
  HttpClient client(rig.port());
  // More than is read ahead: the rest waits in the network.
  std::string all;
  for (int i = 0; i < 100; ++i) {
    all += post(std::to_string(i));
    all += chunked({std::to_string(i), "!"});
  }
  client.send(all);
  for (int i = 0; i < 100; ++i) {
    for (const std::string& body : {std::to_string(i), std::to_string(i) + "!"}) {
      const auto [id, request] = rig.asked();
      ASSERT_EQ(request.body, body);
      rig.respond(id, text(body));
      ASSERT_EQ(client.reply().body, body);
    }
  }
}

TEST(HttpConnection, ClosesWhenItIsAskedToAndForOlderClients) {
  ListenerRig rig(patient(), echo);
  const std::string requests[] = {
      "GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      "GET /a HTTP/1.0\r\nHost: localhost\r\n\r\n",
      "GET /a HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n"};
  for (const auto& request : requests) {
    HttpClient client(rig.port());
    client.send(request);
    EXPECT_EQ(client.reply().body, "GET /a ") << request;
    EXPECT_EQ(client.read_to_end(), "") << request;
  }
}

TEST(HttpConnection, ABodyMayBeAsLongAsTheLimit) {
  ListenerRig rig(patient(), echo);
  HttpClient client(rig.port());
  const std::string body(100, 'x');
  client.send(post(body));
  EXPECT_EQ(client.reply().body, "POST /echo " + body);
  client.send(chunked({body.substr(0, 60), body.substr(60)}));
  EXPECT_EQ(client.reply().body, "POST /echo " + body);
}

TEST(HttpConnection, ABodyBeyondTheLimitGets413AndTheEnd) {
  ListenerRig rig(patient());
  const std::string body(101, 'x');
  const std::string requests[] = {
      post(body), chunked({body}), chunked({body.substr(0, 60), body.substr(60)}),
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 18446744073709551615\r\n\r\n",
      post(std::string(50'000, 'x'))};
  for (const auto& request : requests) {
    HttpClient client(rig.port());
    client.send(request);
    const auto reply = client.reply();
    EXPECT_EQ(reply.status, 413) << request.substr(0, 120);
    EXPECT_EQ(reply.header("connection"), "close");
    client.shutdown_send();
    EXPECT_EQ(client.read_to_end(), "");
  }
  EXPECT_FALSE(rig.gone(0ms));  // nobody was asked
}

TEST(HttpConnection, AHeaderMayBeAsLongAsTheLimitAndNoLonger) {
  ListenerRig rig(patient(), echo);
  const std::string frame = "GET /a HTTP/1.1\r\nHost: localhost\r\nX: \r\n\r\n";
  const auto request_of = [&](std::size_t bytes) {
    auto request = frame;
    return request.insert(request.size() - 4, bytes - frame.size(), 'x');
  };
  HttpClient client(rig.port());
  client.send(request_of(1'000));
  EXPECT_EQ(client.reply().status, 200);
  const std::string requests[] = {
      request_of(1'001), request_of(20'000),
      "GET /" + std::string(2'000, 'x') + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1;" +
          std::string(10'000, 'x'),
      "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: " +
          std::string(10'000, 'x')};
  for (const auto& request : requests) {
    HttpClient long_one(rig.port());
    long_one.send(request);
    EXPECT_EQ(long_one.reply().status, 431) << request.substr(0, 120);
  }
}

TEST(HttpConnection, ATargetMaySayTheHost) {
  ListenerRig rig(patient(), echo);
  HttpClient client(rig.port());
  const std::pair<std::string, std::string> targets[] = {
      {"http://localhost/a?b", "/a?b"},
      {"HTTPS://go.example:8374/a/b", "/a/b"},
      {"http://127.0.0.1", "/"},
      {"http://[::1]?b=/c", "/?b=/c"},
      {"/http://localhost/", "/http://localhost/"}};
  for (const auto& [target, path] : targets) {
    client.send(http_request("GET", target));
    EXPECT_EQ(client.reply().body, "GET " + path + " ");
  }
  client.send(http_request("OPTIONS", "*"));
  EXPECT_EQ(client.reply().body, "OPTIONS * ");
  // The target goes before the field, for better and for worse.
  client.send(http_request("GET", "http://localhost/a", "rebound.example"));
  EXPECT_EQ(client.reply().status, 200);
  for (const char* target : {"http://rebound.example/", "http://user@localhost/", "http://",
                             "http:///a", "https://localhost:x/"}) {
    HttpClient stranger(rig.port());
    stranger.send(http_request("GET", target));
    EXPECT_EQ(stranger.reply().status, 403) << target;
  }
}

TEST(HttpConnection, AnUpgradeMaySayTheHostInItsTarget) {
  ListenerRig rig(patient(), echo);
  HttpClient client(rig.port());
  auto request = upgrade("Origin: http://localhost:8374\r\n");
  client.send(request.replace(4, 1, "http://localhost:8374/"));
  EXPECT_EQ(client.reply(Body::None).status, 101);
}

// The parser is fed as the bytes come, so every split has to do.
TEST(HttpConnection, ARequestMayComeByteByByte) {
  ListenerRig rig(patient(), echo);
  HttpClient client(rig.port());
  for (const auto& request :
       {post("hello"), chunked({}), chunked({"hel", "lo"}),
        chunked({"hello"}).insert(chunked({"hello"}).size() - 2, "A: b\r\n")}) {
    for (const char c : request) client.send({&c, 1});
    EXPECT_EQ(client.reply().status, 200) << request;
  }
}

TEST(HttpConnection, WhoWaitsForContinueIsTold) {
  ListenerRig rig(patient(), echo);
  HttpClient client(rig.port());
  const auto request = post("hello", "Expect: 100-Continue\r\n");
  client.send(request.substr(0, request.size() - 5));
  EXPECT_EQ(client.reply(Body::None).status, 100);
  client.send("hello");
  EXPECT_EQ(client.reply().body, "POST /echo hello");
  client.send(request);  // does not wait, so nothing is said
  EXPECT_EQ(client.reply().body, "POST /echo hello");
}

TEST(HttpConnection, WhatIsRefusedIsNotContinued) {
  ListenerRig rig(patient());
  const std::string expect = "Expect: 100-continue\r\n";
  const std::pair<std::string, int> requests[] = {
      {"POST / HTTP/1.1\r\nHost: localhost\r\n" + expect + "Content-Length: 101\r\n\r\n", 413},
      {"POST / HTTP/1.1\r\nHost: other.example\r\n" + expect + "Content-Length: 9\r\n\r\n", 403}};
  for (const auto& [request, status] : requests) {
    HttpClient client(rig.port());
    client.send(request);
    EXPECT_EQ(client.reply().status, status) << request;
  }
}

struct Judged {
  std::string fields;
  int status;
};

TEST(HttpConnection, EveryRequestIsHeldAgainstHostAndOrigin) {
  ListenerRig rig(patient(), echo);
  const Judged cases[] = {
      {"Host: localhost\r\n", 200},
      {"Host: 127.0.0.1:8374\r\nOrigin: http://127.0.0.1:8374\r\n", 200},
      {"Host: go.example\r\nOrigin: https://go.example\r\n", 200},
      {"Host: 127.0.0.1:8374\r\nOrigin: https://go.example\r\n", 200},
      {"Host: rebound.example\r\n", 403},
      {"Host: rebound.example\r\nOrigin: http://rebound.example\r\n", 403},
      {"Host: localhost\r\nOrigin: http://other.example\r\n", 403},
      {"Host: localhost\r\nOrigin: null\r\n", 403},
      {"Host: localhost\r\nOrigin:\r\n", 403},
      {"Host:\r\n", 403},
      {"", 403},
      {"Host: localhost\r\nHost: localhost\r\n", 400},
      {"Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://other.example\r\n", 400},
  };
  for (const auto& [fields, status] : cases) {
    HttpClient client(rig.port());
    client.send("GET /a HTTP/1.1\r\n" + fields + "\r\n");
    EXPECT_EQ(client.reply().status, status) << fields;
  }
  // A good request first does not help the next one.
  HttpClient client(rig.port());
  client.send(http_request("GET", "/a"));
  EXPECT_EQ(client.reply().status, 200);
  client.send(http_request("GET", "/a", "rebound.example"));
  EXPECT_EQ(client.reply().status, 403);
}

TEST(HttpConnection, ASlowRequestIsCut) {
  ListenerRig rig(with(&HttpLimits::request_limit, 500ms));
  const std::string parts[] = {"", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\n",
                               "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nab",
                               ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
                                "chunked\r\n\r\n1\r\na\r\n")};
  for (const auto& part : parts) {
    HttpClient client(rig.port());
    client.send(part);
    EXPECT_EQ(client.read_to_end(), "") << part;
  }
  EXPECT_TRUE(tests::wait_until([&] { return rig.connections() == 0; }, tests::kEventually));
}

// The limit is for the whole request: a byte now and then does not put it off.
TEST(HttpConnection, ADribbledRequestIsCutAllTheSame) {
  ListenerRig rig(with(&HttpLimits::request_limit, 500ms));
  HttpClient client(rig.port());
  const auto start = std::chrono::steady_clock::now();
  std::optional<std::string> end;
  while (!end && std::chrono::steady_clock::now() - start < tests::kEventually) {
    try {
      client.send("x");
    } catch (const std::exception&) {
    }
    end = client.read_to_end(20ms);
  }
  EXPECT_TRUE(end);
}

TEST(HttpConnection, AfterAnAnswerTheNextRequestIsWaitedForAndNotForEver) {
  ListenerRig rig(with(&HttpLimits::idle_limit, 500ms), echo);
  HttpClient client(rig.port());
  client.send(http_request("GET", "/a"));
  EXPECT_EQ(client.reply().status, 200);
  EXPECT_EQ(client.read_to_end(), "");
}

TEST(HttpConnection, AnAnswerMayTakeLongerThanEveryLimit) {
  auto config = patient();
  config.limits.http.request_limit = 2s;
  config.limits.http.idle_limit = 2s;
  config.limits.http.write_limit = 2s;
  ListenerRig rig(config);
  HttpClient client(rig.port());
  client.send(http_request("GET", "/wait"));
  const auto [id, request] = rig.asked();
  EXPECT_FALSE(client.read_to_end(3s));
  rig.respond(id, text("at last"));
  EXPECT_EQ(client.reply().body, "at last");
}

TEST(HttpConnection, APeerThatLeavesBeforeItsAnswerIsGoneOnce) {
  ListenerRig rig(patient());
  HttpId left;
  {
    HttpClient client(rig.port());
    client.send(http_request("GET", "/wait"));
    left = rig.asked().id;
  }
  EXPECT_EQ(rig.gone(tests::kEventually), left);
  EXPECT_EQ(rig.connections(), 0u);
  rig.respond(left, text("too late"));
  EXPECT_FALSE(rig.gone(kWhile));
}

TEST(HttpConnection, APeerThatHasItsAnswerIsNeverGone) {
  ListenerRig rig(patient());
  {
    HttpClient client(rig.port());
    client.send(http_request("GET", "/wait"));
    rig.respond(rig.asked().id, text("here"));
    EXPECT_EQ(client.reply().body, "here");
  }
  EXPECT_TRUE(tests::wait_until([&] { return rig.connections() == 0; }, tests::kEventually));
  EXPECT_FALSE(rig.gone(kWhile));
}

TEST(HttpConnection, APeerThatClosesItsSideGetsWhatComesSoon) {
  ListenerRig rig(with(&HttpLimits::linger_limit, 60s));
  HttpClient client(rig.port());
  client.send(http_request("GET", "/a") + http_request("GET", "/b"));
  client.shutdown_send();
  for (const std::string target : {"/a", "/b"}) {
    const auto [id, request] = rig.asked();
    EXPECT_EQ(request.target, target);
    EXPECT_FALSE(rig.gone(kWhile));
    rig.respond(id, text(target));
    EXPECT_EQ(client.reply().body, target);
  }
  EXPECT_EQ(client.read_to_end(), "");
}

TEST(HttpConnection, AReaderWhoDoesNotReadIsCut) {
  std::promise<void> asked;
  ListenerRig rig(with(&HttpLimits::write_limit, 500ms), [&](const HttpRequest&) {
    asked.set_value();
    std::string much;
    much.resize(50'000'000, 'x');
    return std::optional(text(std::move(much)));
  });
  HttpClient client(rig.port());
  client.send(http_request("GET", "/big"));
  asked.get_future().wait();
  EXPECT_TRUE(tests::wait_until([&] { return rig.connections() == 0; }, tests::kEventually));
}

TEST(HttpConnection, AStoppedListenerAnswersWhoWaitsAndKeepsNobody) {
  ListenerRig rig(patient());
  HttpClient idle(rig.port());
  idle.send(http_request("GET", "/a"));
  rig.respond(rig.asked().id, text("a"));
  EXPECT_EQ(idle.reply().body, "a");
  HttpClient waiting(rig.port());
  waiting.send(http_request("GET", "/b"));
  const auto [id, request] = rig.asked();
  rig.stop();
  EXPECT_EQ(idle.read_to_end(), "");
  rig.respond(id, text("b"));
  const auto reply = waiting.reply();
  EXPECT_EQ(reply.body, "b");
  EXPECT_EQ(reply.header("connection"), "close");
  EXPECT_EQ(waiting.read_to_end(), "");
}

TEST(HttpConnection, AWebSocketMayFollowOtherRequestsOfItsConnection) {
  ListenerRig rig(patient(), echo);
  HttpClient client(rig.port());
  client.send(http_request("GET", "/a"));
  EXPECT_EQ(client.reply().status, 200);
  client.send(upgrade());
  const auto reply = client.reply(Body::None);
  EXPECT_EQ(reply.status, 101);
  EXPECT_EQ(reply.header("sec-websocket-accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");  // RFC 6455, 1.3
  EXPECT_EQ(reply.header("sec-websocket-protocol"), "tengen.v1.pb");
}

TEST(HttpConnection, AnUpgradeThatIsNotOneIsRefused) {
  ListenerRig rig(patient(), echo);
  const auto without = [](const std::string& field) {
    auto request = upgrade();
    const auto begin = request.find(field);
    return request.erase(begin, request.find("\r\n", begin) + 2 - begin);
  };
  auto old = upgrade();
  old.replace(old.find("Version: 13"), 11, "Version: 12");
  const std::pair<std::string, int> cases[] = {
      {upgrade("Origin: http://other.example\r\n"), 403},
      {upgrade("Content-Length: 2\r\n") + "ab", 400},
      {upgrade("Content-Length: 2\r\n"), 400},
      {upgrade("Transfer-Encoding: chunked\r\n") + "0\r\n\r\n", 400},
      {upgrade() + "\x82\x80", 400},
      {without("Sec-WebSocket-Protocol"), 400},
      {without("Sec-WebSocket-Key"), 400},
      {old, 426},
  };
  for (const auto& [request, status] : cases) {
    HttpClient client(rig.port());
    client.send(request);
    EXPECT_EQ(client.reply().status, status) << request;
  }
}

TEST(HttpConnection, BytesThatAreNoHttpGet400) {
  ListenerRig rig(patient(), echo);
  const std::string requests[] = {
      "\n\n\n\n",
      "hello\r\n\r\n",
      "GET /\r\n\r\n",
      "GET / HTTP/2.0\r\nHost: localhost\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: "
       "chunked\r\n\r\n"),
      std::string("GET / HTTP/1.1\r\nHost: local\0host\r\n\r\n", 36),
      std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11)};
  for (const auto& request : requests) {
    HttpClient client(rig.port());
    client.send(request);
    const auto reply = client.reply();
    EXPECT_EQ(reply.status, 400) << request;
    EXPECT_EQ(reply.header("connection"), "close");
  }
}

/// Requests with a few bytes changed, cut out or doubled.
std::string damaged(std::string request, std::mt19937& random) {
  const int faults = static_cast<int>(random() % 4);
  for (int i = 0; i < faults && !request.empty(); ++i) {
    const auto at = random() % request.size();
    switch (random() % 4) {
      case 0:
        request[at] = static_cast<char>(random());
        break;
      case 1:
        request.erase(at, random() % 8);
        break;
      case 2:
        request.insert(at, request.substr(at, random() % 8));
        break;
      default:
        request[at] = "\r\n :;0"[random() % 6];
    }
  }
  return request;
}

TEST(HttpConnection, DamagedBytesInAnyPiecesHarmNobody) {
  ListenerRig rig(patient(), echo);
  const std::string models[] = {post("hello"),
                                chunked({"hello", "you"}),
                                chunked({}).insert(chunked({}).size() - 2, "A: b\r\n"),
                                upgrade(),
                                http_request("GET", "/a"),
                                post("x", "Expect: 100-continue\r\n")};
  std::mt19937 random(1);
  for (int i = 0; i < 2'000; ++i) {
    HttpClient client(rig.port());
    const auto bytes = damaged(models[random() % std::size(models)], random) +
                       damaged(models[random() % std::size(models)], random);
    try {
      for (std::size_t at = 0; at < bytes.size();) {
        const auto length = 1 + random() % (i % 2 == 0 ? 8 : 200);
        client.send(std::string_view(bytes).substr(at, length));
        at += length;
      }
    } catch (const std::exception&) {  // it has closed
    }
  }
  HttpClient client(rig.port());
  client.send(http_request("GET", "/a"));
  EXPECT_EQ(client.reply().status, 200);
}

}  // namespace
}  // namespace tengen::daemon
