// See gtp_calls.h. Each method is a row of kMethods and an overload of ResponseWriter.
#include "protocol/gtp_calls.h"

#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "protocol/gtp_convert.h"
#include "protocol/text.h"

namespace tengen::protocol {
namespace {

using Decoded = std::variant<GtpCall, GtpReply, Error>;

constexpr std::size_t kErrorTextBytesMax = 256;

// ---- Requests

template <typename Body>
using Read = std::variant<Body, Error>;

template <typename Body, typename Value>
Read<Body> as(std::variant<Value, Error> value) {
  if (auto* error = std::get_if<Error>(&value)) return std::move(*error);
  return Body{std::get<Value>(std::move(value))};
}

Read<GtpKnownCommand> read_fields(const ::gtp::KnownCommandRequest& wire) {
  return GtpKnownCommand{wire.command()};
}
Read<GtpBoardSize> read_fields(const ::gtp::BoardSizeRequest& wire) {
  return as<GtpBoardSize>(read_gtp_size(wire.size()));
}
Read<GtpKomi> read_fields(const ::gtp::KomiRequest& wire) {
  return as<GtpKomi>(read_gtp_komi(wire.komi()));
}
Read<GtpPlay> read_fields(const ::gtp::PlayRequest& wire) {
  if (!wire.has_move()) return bad_gtp("move", "a move is needed");
  return read_gtp_move(wire.move());
}
Read<GtpGenMove> read_fields(const ::gtp::GenMoveRequest& wire) {
  return as<GtpGenMove>(read_gtp_color(wire.color()));
}

template <typename Body, typename Wire>
Read<Body> read_body(const Wire& wire) {
  if constexpr (std::is_empty_v<Body>) {
    return Body{};
  } else {
    return read_fields(wire);
  }
}

template <typename Body, typename Wire>
Decoded read_call(std::string_view request) {
  // The parser would write what is wrong to stderr.
  const google::protobuf::LogSilencer silence;
  Wire wire;
  if (!wire.ParseFromArray(request.data(), static_cast<int>(request.size()))) {
    return bad_gtp("request", "the bytes are no request of this method");
  }
  Read<Body> body = read_body<Body>(wire);
  if (const auto* error = std::get_if<Error>(&body)) {
    const GtpAnswer answer = encode_gtp_result({wire.id(), Body{}}, *error);
    return std::visit([](const auto& either) { return Decoded(either); }, answer);
  }
  return GtpCall{wire.id(), std::get<Body>(std::move(body))};
}

Decoded read_raw(std::string_view request) {
  GtpRaw raw;
  for (const char c : request) {
    if (c != ' ') {
      raw.line += c;
    } else if (!raw.line.empty() && raw.line.back() != ' ') {
      raw.line += ' ';
    }
  }
  if (raw.line.ends_with(' ')) raw.line.pop_back();
  if (raw.line.empty() || raw.line.size() > kGtpCommandBytesMax || !is_printable_ascii(raw.line)) {
    return bad_gtp("request", "a raw command is one line of printable ASCII of at most " +
                                  std::to_string(kGtpCommandBytesMax) + " bytes");
  }
  return GtpCall{0, std::move(raw)};
}

struct Method {
  std::string_view name;
  std::string_view other_name;  // empty: it has none
  Decoded (*read)(std::string_view request);
};

constexpr Method kMethods[] = {
    {"ProtocolVersion", "", read_call<GtpProtocolVersion, ::gtp::ProtocolVersionRequest>},
    {"Name", "", read_call<GtpName, ::gtp::NameRequest>},
    {"Version", "", read_call<GtpVersion, ::gtp::VersionRequest>},
    {"KnownCommand", "IsKnownCommand", read_call<GtpKnownCommand, ::gtp::KnownCommandRequest>},
    {"ListCommands", "", read_call<GtpListCommands, ::gtp::ListCommandsRequest>},
    {"Quit", "", read_call<GtpQuit, ::gtp::QuitRequest>},
    {"BoardSize", "SetBoardSize", read_call<GtpBoardSize, ::gtp::BoardSizeRequest>},
    {"ClearBoard", "", read_call<GtpClearBoard, ::gtp::ClearBoardRequest>},
    {"Komi", "SetKomi", read_call<GtpKomi, ::gtp::KomiRequest>},
    {"Play", "", read_call<GtpPlay, ::gtp::PlayRequest>},
    {"GenMove", "", read_call<GtpGenMove, ::gtp::GenMoveRequest>},
    {"Undo", "", read_call<GtpUndo, ::gtp::UndoRequest>},
    {"Raw", "", read_raw},
};

const Method* find_method(std::string_view name) {
  if (name.empty()) return nullptr;
  const auto* found = std::find_if(std::begin(kMethods), std::end(kMethods), [&](const Method& m) {
    return m.name == name || m.other_name == name;
  });
  return found == std::end(kMethods) ? nullptr : found;
}

// ---- Responses

template <typename Wire>
concept HasError = requires(Wire wire) {
  wire.mutable_error();
};

/// Writes the response to one call.
struct ResponseWriter {
  const GtpCall& call;
  const GtpResult& result;

  template <typename Wire, typename Fill>
  GtpAnswer write(Fill fill) const {
    Wire wire;
    wire.set_id(call.id);
    const auto* error = std::get_if<Error>(&result);
    if (error == nullptr) {
      fill(wire);
    } else if constexpr (HasError<Wire>) {
      wire.mutable_error()->set_message(clean_text(error->message, kErrorTextBytesMax));
    } else {
      return *error;
    }
    return GtpReply{wire.SerializeAsString()};
  }
  template <typename Wire>
  GtpAnswer write_done() const {
    return write<Wire>([&](Wire&) { expect<GtpDone>(); });
  }
  /// Whoever asks for another answer than such a call can have has made a mistake of ours.
  template <typename Result>
  const Result& expect() const {
    const auto* found = std::get_if<Result>(&result);
    if (found == nullptr) std::abort();
    return *found;
  }
  std::string short_text() const { return clean_text(expect<GtpText>().text, kGtpNameBytesMax); }

  GtpAnswer operator()(const GtpProtocolVersion&) const {
    return write<::gtp::ProtocolVersionResponse>(
        [&](auto& wire) { wire.set_version(expect<GtpProtocol>().version); });
  }
  GtpAnswer operator()(const GtpName&) const {
    return write<::gtp::NameResponse>([&](auto& wire) { wire.set_name(short_text()); });
  }
  GtpAnswer operator()(const GtpVersion&) const {
    return write<::gtp::VersionResponse>([&](auto& wire) { wire.set_version(short_text()); });
  }
  GtpAnswer operator()(const GtpKnownCommand&) const {
    return write<::gtp::KnownCommandResponse>(
        [&](auto& wire) { wire.set_known(expect<GtpKnown>().is_known); });
  }
  GtpAnswer operator()(const GtpListCommands&) const {
    return write<::gtp::ListCommandsResponse>([&](auto& wire) {
      for (const std::string& name : expect<GtpCommands>().names) wire.add_commands(name);
    });
  }
  GtpAnswer operator()(const GtpQuit&) const { return write_done<::gtp::QuitResponse>(); }
  GtpAnswer operator()(const GtpBoardSize&) const { return write_done<::gtp::BoardSizeResponse>(); }
  GtpAnswer operator()(const GtpClearBoard&) const {
    return write_done<::gtp::ClearBoardResponse>();
  }
  GtpAnswer operator()(const GtpKomi&) const { return write_done<::gtp::KomiResponse>(); }
  GtpAnswer operator()(const GtpPlay&) const { return write_done<::gtp::PlayResponse>(); }
  GtpAnswer operator()(const GtpGenMove&) const {
    return write<::gtp::GenMoveResponse>(
        [&](auto& wire) { write_gtp_move(expect<GtpMove>(), *wire.mutable_move()); });
  }
  GtpAnswer operator()(const GtpUndo&) const { return write_done<::gtp::UndoResponse>(); }
  GtpAnswer operator()(const GtpRaw&) const {
    if (const auto* error = std::get_if<Error>(&result)) return *error;
    if (const auto* no = std::get_if<GtpRefused>(&result)) return GtpReply{"? " + no->text};
    return GtpReply{"= " + expect<GtpText>().text};
  }
};

}  // namespace

std::variant<GtpCall, GtpReply, Error> decode_gtp_call(std::string_view method,
                                                       std::string_view request) {
  const Method* found = find_method(method);
  if (found == nullptr) return bad_gtp("method", "no call has that name");
  if (request.size() > kGtpRequestBytesMax) {
    return bad_gtp("request", "longer than " + std::to_string(kGtpRequestBytesMax) + " bytes");
  }
  return found->read(request);
}

GtpAnswer encode_gtp_result(const GtpCall& call, const GtpResult& result) {
  return std::visit(ResponseWriter{call, result}, call.body);
}

}  // namespace tengen::protocol
