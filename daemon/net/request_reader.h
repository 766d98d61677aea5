// Reads one HTTP request from bytes as they come, within limits: Beast's parser, and nothing of
// sockets. What nobody else should see it refuses itself: bytes that are no HTTP, requests that are
// too long, and those that are not meant for this daemon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "daemon/net/http.h"
#include "daemon/own_names.h"

namespace tengen::daemon {

struct RequestLimits {
  // The request line and the fields, with the empty line behind them: longer ones get 431. So do
  // the size of a chunk and the fields behind the last one.
  std::uint32_t header_bytes_max = 8 * 1024;
  std::uint32_t body_bytes_max = 64 * 1024;  // longer ones get 413
};

/// What decides a request's way before its body has come.
struct RequestHead {
  unsigned version = 11;
  bool keeps_alive = false;  // the connection, after the answer
  bool is_head = false;      // the method, which wants no body in the answer
  bool has_body = false;
  bool awaits_continue = false;  // and not a byte of the body has come
  bool is_upgrade = false;       // to a WebSocket
  std::string host;              // under which this daemon is asked
  std::string target;
  std::string subprotocols;  // of an upgrade; so the others
  std::string key;
  std::string socket_version;
};

class RequestReader {
 public:
  enum class Progress : std::uint8_t { NeedsMore, Head, Whole };

  /// The names must outlive it.
  RequestReader(const RequestLimits& limits, const OwnNames& names);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  /// Takes what is the request's from the front of the bytes. Head comes once, then Whole; or else
  /// why it is refused, and that is the end.
  [[nodiscard]] std::variant<Progress, HttpResponse> read(std::string& bytes);
  /// As far as it has been read.
  const RequestHead& head() const;
  /// The whole request, once; without the peer.
  HttpRequest take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tengen::daemon
