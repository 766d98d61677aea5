// A plain HTTP request and its answer: what is not an upgrade to a WebSocket. The connection takes
// care of the lengths, of HEAD and of what comes next; what is said is up to whoever answers.
#pragma once

#include <string>
#include <utility>

namespace tengen::daemon {

/// As the client wrote it; nothing but Host and Origin has been checked. What is absent is empty.
struct HttpRequest {
  std::string method{};
  std::string target{};
  std::string authorization{};
  std::string content_type{};
  std::string idempotency_key{};
  std::string if_match{};
  std::string if_none_match{};
  std::string peer{};  // its address, without the port
  std::string body{};
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::string allow{};  // the methods that would do, with 405
  std::string etag{};
  std::string www_authenticate{};
  int retry_after = 0;  // seconds; 0: not said
};

inline HttpResponse plain_response(int status, std::string text) {
  HttpResponse response;
  response.status = status;
  response.body = std::move(text);
  return response;
}

}  // namespace tengen::daemon
