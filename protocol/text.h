// What a text from outside may hold, and a way to make any bytes fit to be sent.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tengen::protocol {

/// Valid UTF-8 without control characters, line separators and marks that turn the direction of the
/// text around them.
bool is_clean_text(std::string_view text);
/// Printable ASCII without spaces, at least one character.
bool is_token(std::string_view text);
/// Printable ASCII with spaces; may be empty.
bool is_printable_ascii(std::string_view text);

/// The text with a question mark for each byte or character that is_clean_text refuses, cut to at
/// most `bytes_max` bytes between characters.
std::string clean_text(std::string_view text, std::size_t bytes_max);

}  // namespace tengen::protocol
