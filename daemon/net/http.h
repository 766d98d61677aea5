// A plain HTTP request and its answer: what is not an upgrade to a WebSocket. The socket takes care
// of the lengths, of HEAD and of the connection; what is said is up to whoever answers.
#pragma once

#include <string>

namespace tengen::daemon {

/// As the client wrote them; nothing about them is checked.
struct HttpRequest {
  std::string method;
  std::string target;
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::string allow;  // the methods that would do, with 405
};

}  // namespace tengen::daemon
