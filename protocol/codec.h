// Frames to bytes and back, in both subprotocols: protobuf in binary frames and the same messages
// as protobuf JSON in text frames. Unknown fields are ignored in binary and refused by name in
// JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/messages.h"

namespace tengen::protocol {

enum class Format : std::uint8_t { Binary, Json };

inline constexpr std::string_view kBinarySubprotocol = "tengen.v1.pb";
inline constexpr std::string_view kJsonSubprotocol = "tengen.v1.json";
inline constexpr std::uint32_t kVersion = 1;

/// Why bytes are no frame. `frame_id` is the frame's id where it could be read, else 0.
struct DecodeError {
  std::uint32_t frame_id = 0;
  Error error;
};

std::variant<ClientFrame, DecodeError> decode_client(Format format, std::string_view bytes);
std::string encode(Format format, const ServerFrame& frame);

/// The client's half.
std::string encode(Format format, const ClientFrame& frame);
std::variant<ServerFrame, DecodeError> decode_server(Format format, std::string_view bytes);

}  // namespace tengen::protocol
