// Reads the fields of one message from outside, each checked by a named rule, and keeps the first
// complaint. Readers go on after a complaint and give harmless values, so that a whole message is
// read in one expression and the complaint is asked for once, at the end.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/messages.h"

namespace tengen::protocol {

/// For a number that has no limit of its own.
constexpr int kAnyInt = std::numeric_limits<int>::max();

class FieldReader {
 public:
  /// The complaint about a field; `reason` is the field's name.
  void refuse(ErrorCode code, std::string_view field, std::string message);
  void refuse(std::string_view field, std::string message) {
    refuse(ErrorCode::InvalidArgument, field, std::move(message));
  }
  const std::optional<Error>& error() const { return error_; }

  /// A choice of an enumeration whose values are 1..last, the same on the wire as here.
  template <typename Enum>
  Enum choice(int value, Enum last, std::string_view field,
              ErrorCode code = ErrorCode::InvalidArgument) {
    if (value >= 1 && value <= static_cast<int>(last)) return static_cast<Enum>(value);
    refuse(code, field, std::string(field) + " must be one of the values this version knows");
    return static_cast<Enum>(1);
  }
  rules::GameId game(std::string_view text);
  std::string request_id(const std::string& text);
  /// 1 or 2; 0 too when the field may be left out.
  int slot_or_none(std::uint32_t slot);
  int slot(std::uint32_t slot);
  int number(std::uint32_t value, int maximum, std::string_view field);
  /// 0..maximum nanoseconds.
  std::chrono::nanoseconds duration(std::int64_t value, std::chrono::nanoseconds maximum,
                                    std::string_view field);
  std::uint8_t side(std::uint32_t value, std::string_view field);
  rules::Size size(std::uint32_t width, std::uint32_t height);
  int komi_half(std::int32_t value);
  /// Clean text, up to `bytes_max` bytes.
  std::string text(const std::string& value, std::size_t bytes_max, std::string_view field);
  /// Printable ASCII without spaces, 1..bytes_max bytes.
  std::string token(const std::string& value, std::size_t bytes_max, std::string_view field);
  /// A vertex whose board is not known here: a text that is not too long for one.
  std::string vertex_text(const std::string& value);
  /// A point of the board by its GTP vertex.
  rules::Point vertex(std::string_view text, rules::Size size);

 private:
  std::optional<Error> error_;
};

}  // namespace tengen::protocol
