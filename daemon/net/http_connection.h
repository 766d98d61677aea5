// One accepted connection in its HTTP phase: requests one after the other, each answered before the
// next is looked at, until one asks for a WebSocket, the peer leaves or a limit passes. It decides
// nothing about what is said, but answers itself what the reader of requests refuses.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "daemon/net/http.h"
#include "daemon/net/request_reader.h"
#include "daemon/own_names.h"
#include "protocol/codec.h"

namespace tengen::daemon {

class Wire;

struct HttpLimits {
  RequestLimits request;
  // For the TLS handshake, then for each whole request: the first from then on, others from their
  // first byte on.
  std::chrono::milliseconds request_limit{10'000};
  std::chrono::milliseconds idle_limit{30'000};   // from an answer to the next request
  std::chrono::milliseconds write_limit{10'000};  // for an answer to leave
  // For the peer to close after the last answer, and for the answer to a peer that has closed its
  // side: whether it still reads cannot be seen.
  std::chrono::milliseconds linger_limit{1'000};
  std::uint32_t linger_bytes_max = 64 * 1024;  // that may still come after the last answer
};

/// Of a request that asks for a WebSocket, what the answer depends on.
struct Upgrade {
  protocol::Format format = protocol::Format::Binary;
  std::string host;
  std::string key;
  std::string version;
};

/// Called from the loop. `closed` or `upgraded` comes exactly once, last.
struct HttpEvents {
  std::function<void(HttpRequest&&)> request;  // wants one respond, now or later
  std::function<void()> gone;                  // the peer has left without the answer
  std::function<void(Wire&&, const Upgrade&)> upgraded;
  std::function<void()> closed;
};

class HttpConnection {
 public:
  virtual ~HttpConnection() = default;
  virtual void start() = 0;
  /// Answers the request; when none waits for an answer nothing happens.
  virtual void respond(HttpResponse response) = 0;
  /// The next answer is the last one; between two requests it ends at once.
  virtual void finish_soon() = 0;
};

/// The names must live as long as the events do.
std::shared_ptr<HttpConnection> make_http_connection(Wire wire, const HttpLimits& limits,
                                                     const OwnNames& names, HttpEvents events);

}  // namespace tengen::daemon
