// The messages of package gtp written and read by hand, field by field as the wire format says, for
// tests that see no generated code. Colours are the wire's numbers: 1 is black, 2 is white.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rules/color.h"

namespace tengen::tests {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value > 0x7f; value >>= 7) bytes += static_cast<char>(0x80 | (value & 0x7f));
  return bytes + static_cast<char>(value);
}

/// Numbers are left out where they are 0, as every writer does.
inline std::string number_field(int field, std::int64_t value) {
  if (value == 0) return {};
  return varint(static_cast<std::uint64_t>(field) << 3) + varint(static_cast<std::uint64_t>(value));
}

inline std::string bytes_field(int field, std::string_view bytes) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(bytes.size()) +
         std::string(bytes);
}

inline std::string float_field(int field, float value) {
  std::string bytes = varint(static_cast<std::uint64_t>(field) << 3 | 5);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(bits >> shift & 0xff);
  return bytes;
}

inline std::string id_request(int id) { return number_field(1, id); }
inline std::string size_request(int id, int size) { return id_request(id) + number_field(2, size); }
inline std::string komi_request(int id, float komi) {
  return id_request(id) + float_field(2, komi);
}
inline std::string text_request(int id, std::string_view text) {
  return id_request(id) + bytes_field(2, text);
}
inline std::string color_request(int id, rules::Color color) {
  return id_request(id) + number_field(2, static_cast<int>(color));
}

/// A pass without a vertex, else a place at a vertex such as "D4".
inline std::string move_message(rules::Color color, std::string_view vertex) {
  const std::string side = number_field(2, static_cast<int>(color));
  if (vertex.empty()) return side;
  const std::string point = number_field(1, std::stoi(std::string(vertex.substr(1)))) +
                            bytes_field(2, vertex.substr(0, 1));
  return number_field(1, 2) + side + bytes_field(3, point);
}
inline std::string play_request(int id, rules::Color color, std::string_view vertex) {
  return id_request(id) + bytes_field(2, move_message(color, vertex));
}

/// Reads one message made of numbers and bytes; the last value of each field counts.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes) {}

  /// 0 when the field is not there.
  std::int64_t number(int field) const {
    std::int64_t found = 0;
    each([&](int at, std::uint64_t value, std::string_view) {
      if (at == field) found = static_cast<std::int64_t>(value);
    });
    return found;
  }
  std::optional<std::string> bytes(int field) const {
    std::optional<std::string> found;
    each([&](int at, std::uint64_t, std::string_view part) {
      if (at == field) found = std::string(part);
    });
    return found;
  }
  template <typename Visit>
  void each(Visit visit) const {
    std::string_view rest = bytes_;
    while (!rest.empty()) {
      const std::uint64_t key = take(rest);
      const std::uint64_t value = take(rest);
      std::string_view part;
      if ((key & 7) == 2) {
        part = rest.substr(0, value);
        rest.remove_prefix(part.size());
      }
      visit(static_cast<int>(key >> 3), value, part);
    }
  }

 private:
  static std::uint64_t take(std::string_view& rest) {
    std::uint64_t value = 0;
    for (int shift = 0; !rest.empty() && shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(rest.front());
      rest.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  }

  std::string_view bytes_;
};

/// What a response's `error` says; empty when it has none.
inline std::string error_text(std::string_view response) {
  const auto error = WireReader(response).bytes(2);
  if (!error) return {};
  return WireReader(*error).bytes(2).value_or("an error without a message");
}

/// A move of a response as text: "B D4", "W pass", "B resign".
inline std::string move_text(std::string_view response) {
  const std::string move = WireReader(response).bytes(2).value_or("");
  const WireReader fields(move);
  const std::string side = fields.number(2) == 1 ? "B " : "W ";
  if (fields.number(1) != 2) return side + (fields.number(1) == 0 ? "pass" : "resign");
  const std::string vertex = fields.bytes(3).value_or("");
  const WireReader point(vertex);
  return side + point.bytes(2).value_or("?") + std::to_string(point.number(1));
}

}  // namespace tengen::tests
