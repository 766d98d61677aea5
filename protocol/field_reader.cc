#include "protocol/field_reader.h"

#include <utility>

#include "protocol/text.h"

namespace tengen::protocol {

void FieldReader::refuse(ErrorCode code, std::string_view field, std::string message) {
  if (error_) return;
  error_ = Error{.code = code, .reason = std::string(field), .message = std::move(message)};
}

rules::GameId FieldReader::game(std::string_view text) {
  const std::optional<rules::GameId> id = rules::parse_game_id(text);
  if (!id) refuse("game", "game must be 32 hexadecimal digits in lower case");
  return id.value_or(rules::GameId{});
}

std::string FieldReader::request_id(const std::string& value) {
  return token(value, kRequestIdBytesMax, "request_id");
}

int FieldReader::slot_or_none(std::uint32_t slot) {
  if (slot > 2) refuse("slot", "slot must be 1 or 2, or 0 for the only one joined");
  return slot > 2 ? 0 : static_cast<int>(slot);
}

int FieldReader::slot(std::uint32_t slot) {
  if (slot < 1 || slot > 2) refuse("slot", "slot must be 1 or 2");
  return slot == 2 ? 2 : 1;
}

int FieldReader::number(std::uint32_t value, int maximum, std::string_view field) {
  if (value <= static_cast<std::uint32_t>(maximum)) return static_cast<int>(value);
  refuse(field, std::string(field) + " must be 0.." + std::to_string(maximum));
  return 0;
}

std::chrono::nanoseconds FieldReader::duration(std::int64_t value, std::chrono::nanoseconds maximum,
                                               std::string_view field) {
  if (value >= 0 && value <= maximum.count()) return std::chrono::nanoseconds(value);
  refuse(field, std::string(field) + " must be 0.." + std::to_string(maximum.count()));
  return std::chrono::nanoseconds{0};
}

std::uint8_t FieldReader::side(std::uint32_t value, std::string_view field) {
  if (value >= 1 && value <= rules::kMaxSize) return static_cast<std::uint8_t>(value);
  refuse(field, std::string(field) + " must be 1.." + std::to_string(rules::kMaxSize));
  return 1;
}

rules::Size FieldReader::size(std::uint32_t width, std::uint32_t height) {
  return {side(width, "width"), side(height, "height")};
}

int FieldReader::komi_half(std::int32_t value) {
  if (value >= -rules::kMaxKomiHalf && value <= rules::kMaxKomiHalf) return value;
  const std::string limit = std::to_string(rules::kMaxKomiHalf);
  refuse("komi_half", "komi_half must be -" + limit + ".." + limit + " half points");
  return 0;
}

std::string FieldReader::text(const std::string& value, std::size_t bytes_max,
                              std::string_view field) {
  if (value.size() <= bytes_max && is_clean_text(value)) return value;
  refuse(field, std::string(field) + " must be at most " + std::to_string(bytes_max) +
                    " bytes of UTF-8 without control characters");
  return {};
}

std::string FieldReader::token(const std::string& value, std::size_t bytes_max,
                               std::string_view field) {
  if (value.size() <= bytes_max && is_token(value)) return value;
  refuse(field, std::string(field) + " must be 1.." + std::to_string(bytes_max) +
                    " printable ASCII characters without spaces");
  return {};
}

std::string FieldReader::vertex_text(const std::string& value) {
  if (value.size() <= kVertexBytesMax) return value;
  refuse(ErrorCode::InvalidVertex, "vertex",
         "vertex must be at most " + std::to_string(kVertexBytesMax) + " bytes");
  return {};
}

rules::Point FieldReader::vertex(std::string_view text, rules::Size size) {
  const std::optional<rules::Point> point = rules::parse_gtp_vertex(text, size);
  if (!point) refuse(ErrorCode::InvalidVertex, "vertex", "vertex must be a point of the board");
  return point.value_or(rules::Point::at(0, 0));
}

}  // namespace tengen::protocol
