#include "protocol/codec.h"

#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/util/json_util.h>

#include <limits>
#include <utility>

#include "protocol/convert.h"

namespace tengen::protocol {
namespace {

constexpr std::size_t kParserBytesMax = std::numeric_limits<int>::max();

google::protobuf::StringPiece piece_of(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

Error bad_frame(std::string message) {
  return {.code = ErrorCode::BadFrame, .reason = "frame", .message = std::move(message)};
}

/// JSON into a message; what the parser says when it cannot.
std::optional<std::string> parse_json(std::string_view bytes, google::protobuf::Message& wire,
                                      bool ignores_unknown) {
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = ignores_unknown;
  try {
    const auto status =
        google::protobuf::util::JsonStringToMessage(piece_of(bytes), &wire, options);
    if (status.ok()) return std::nullopt;
    return std::string(status.message());
  } catch (const std::exception& error) {
    return std::string(error.what());
  }
}

std::optional<Error> parse(Format format, std::string_view bytes, google::protobuf::Message& wire) {
  // The parser would write what is wrong with each frame to stderr.
  const google::protobuf::LogSilencer silence;
  if (bytes.size() > kParserBytesMax) return bad_frame("longer than a message can be");
  if (format == Format::Binary) {
    if (wire.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
    return bad_frame("not a protobuf message of this protocol");
  }
  std::optional<std::string> error = parse_json(bytes, wire, false);
  if (!error) return std::nullopt;
  return bad_frame(std::move(*error));
}

/// The id of a frame that could not be read whole: in binary what was read before the fault.
std::uint32_t id_of_bad(Format format, std::string_view bytes, const v1::ClientFrame& read) {
  if (format == Format::Binary) return read.id();
  v1::FrameId frame;
  const google::protobuf::LogSilencer silence;
  return parse_json(bytes, frame, true) ? 0 : frame.id();
}

std::string serialize(Format format, const google::protobuf::Message& wire) {
  if (format == Format::Binary) return wire.SerializeAsString();
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;  // Scripts find every key, zeros too.
  std::string text;
  const auto status = google::protobuf::util::MessageToJsonString(wire, &text, options);
  return status.ok() ? text : std::string();
}

}  // namespace

std::variant<ClientFrame, DecodeError> decode_client(Format format, std::string_view bytes) {
  v1::ClientFrame wire;
  if (std::optional<Error> error = parse(format, bytes, wire)) {
    return DecodeError{id_of_bad(format, bytes, wire), std::move(*error)};
  }
  std::variant<ClientFrame, Error> frame = from_wire(wire);
  if (auto* error = std::get_if<Error>(&frame)) return DecodeError{wire.id(), std::move(*error)};
  return std::get<ClientFrame>(std::move(frame));
}

std::variant<ServerFrame, DecodeError> decode_server(Format format, std::string_view bytes) {
  v1::ServerFrame wire;
  if (std::optional<Error> error = parse(format, bytes, wire)) {
    return DecodeError{0, std::move(*error)};
  }
  std::variant<ServerFrame, Error> frame = from_wire(wire);
  if (auto* error = std::get_if<Error>(&frame)) {
    return DecodeError{wire.reply_to(), std::move(*error)};
  }
  return std::get<ServerFrame>(std::move(frame));
}

std::string encode(Format format, const ServerFrame& frame) {
  v1::ServerFrame wire;
  to_wire(frame, wire);
  return serialize(format, wire);
}

std::string encode(Format format, const ClientFrame& frame) {
  v1::ClientFrame wire;
  to_wire(frame, wire);
  return serialize(format, wire);
}

}  // namespace tengen::protocol
