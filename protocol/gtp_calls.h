// Calls to virtual GTP engines as plain values (document 000): a method's name and the bytes of its
// request in, the bytes of its response out. Everything that can be checked without a game is
// checked here. A call that fails does so in its response's own `error` where the document gives it
// one, else as an Error for the frame to carry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/gtp_start.h"
#include "protocol/messages.h"

namespace tengen::protocol {

/// The longest request, in bytes: a command's name or a raw command fits.
inline constexpr std::size_t kGtpRequestBytesMax = 1024;
/// The longest raw command, in bytes; a profile's engines may take less.
inline constexpr std::size_t kGtpCommandBytesMax = 255;
/// The longest name or version of an engine that is passed on, in bytes.
inline constexpr std::size_t kGtpNameBytesMax = 256;

// The calls; GtpPlay is in gtp_start.h. Where a name has two spellings the other one is in
// brackets.
struct GtpProtocolVersion {
  friend bool operator==(const GtpProtocolVersion&, const GtpProtocolVersion&) = default;
};
struct GtpName {
  friend bool operator==(const GtpName&, const GtpName&) = default;
};
struct GtpVersion {
  friend bool operator==(const GtpVersion&, const GtpVersion&) = default;
};
struct GtpKnownCommand {  // (IsKnownCommand)
  std::string command;
  friend bool operator==(const GtpKnownCommand&, const GtpKnownCommand&) = default;
};
struct GtpListCommands {
  friend bool operator==(const GtpListCommands&, const GtpListCommands&) = default;
};
struct GtpQuit {
  friend bool operator==(const GtpQuit&, const GtpQuit&) = default;
};
struct GtpBoardSize {  // (SetBoardSize)
  rules::Size size;
  friend bool operator==(const GtpBoardSize&, const GtpBoardSize&) = default;
};
struct GtpClearBoard {
  friend bool operator==(const GtpClearBoard&, const GtpClearBoard&) = default;
};
struct GtpKomi {  // (SetKomi)
  int komi_half = 0;
  friend bool operator==(const GtpKomi&, const GtpKomi&) = default;
};
struct GtpGenMove {
  rules::Color color = rules::Color::Black;
  friend bool operator==(const GtpGenMove&, const GtpGenMove&) = default;
};
struct GtpUndo {
  friend bool operator==(const GtpUndo&, const GtpUndo&) = default;
};
/// A command of GTP that the document has no message for. The request is its line, the response the
/// answer's text: "= ..." or "? ...".
struct GtpRaw {
  std::string line;  // printable ASCII, one blank between words, at least one word
  std::string_view name() const { return std::string_view(line).substr(0, line.find(' ')); }
  friend bool operator==(const GtpRaw&, const GtpRaw&) = default;
};
using GtpCallBody =
    std::variant<GtpProtocolVersion, GtpName, GtpVersion, GtpKnownCommand, GtpListCommands, GtpQuit,
                 GtpBoardSize, GtpClearBoard, GtpKomi, GtpPlay, GtpGenMove, GtpUndo, GtpRaw>;
struct GtpCall {
  std::int32_t id = 0;  // the sender's, of any value, to be echoed; a raw command has none
  GtpCallBody body;
  friend bool operator==(const GtpCall&, const GtpCall&) = default;
};

using GtpAnswer = std::variant<GtpReply, Error>;

/// The call, or the answer to one that is refused as it stands: a reply where its response can say
/// so, an error where it cannot, the method is unknown or the bytes are none of its request.
std::variant<GtpCall, GtpReply, Error> decode_gtp_call(std::string_view method,
                                                       std::string_view request);

// What comes of a call.
struct GtpDone {};  // there is no more to say
struct GtpProtocol {
  int version = 2;
};
struct GtpText {  // a name, a version, the answer to a raw command
  std::string text;
};
struct GtpRefused {  // an engine's own "? ..." to a raw command
  std::string text;
};
struct GtpKnown {
  bool is_known = false;
};
struct GtpCommands {
  std::vector<std::string> names;
};
struct GtpMove {  // of GenMove
  enum class Kind : std::uint8_t { Pass, Resign, Place };
  Kind kind = Kind::Pass;
  rules::Color color = rules::Color::Black;
  rules::Point point{};  // for Place
  rules::Size size{};    // of the board it is on
};
using GtpResult =
    std::variant<GtpDone, GtpProtocol, GtpText, GtpRefused, GtpKnown, GtpCommands, GtpMove, Error>;

/// The answer. The result must be one that such a call can have; an Error always is, and its
/// message is what the response's `error` says.
GtpAnswer encode_gtp_result(const GtpCall& call, const GtpResult& result);

}  // namespace tengen::protocol
