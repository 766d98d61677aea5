// A push for many connections: encoded once for each format that one of them speaks, and shared.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "protocol/codec.h"
#include "protocol/outbox.h"

namespace tengen::daemon {

class EncodedPush {
 public:
  explicit EncodedPush(protocol::ServerMessage message) : frame_{0, std::move(message)} {}

  const protocol::SharedFrame& in(protocol::Format format) {
    auto& bytes = encoded_[format == protocol::Format::Json ? 1 : 0];
    if (!bytes) bytes = std::make_shared<const std::string>(protocol::encode(format, frame_));
    return bytes;
  }

 private:
  protocol::ServerFrame frame_;
  std::array<protocol::SharedFrame, 2> encoded_;
};

}  // namespace tengen::daemon
