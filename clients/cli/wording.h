// How things are said to people: names, events and errors in one line each. Whatever came over the
// wire passes through printable(), so that a strange server cannot write to the terminal.
#pragma once

#include <string>
#include <string_view>

#include "protocol/messages.h"
#include "rules/log.h"

namespace tengen::cli {

/// The text with every control character (C0, DEL, C1) and every malformed byte as '?'.
std::string printable(std::string_view text);
/// Whether printable() would change the text.
bool has_control(std::string_view text);

/// "black", "white".
std::string_view color_word(rules::Color color);
/// "9x9".
std::string size_text(rules::Size size);
/// "D4" or "pass".
std::string move_text(const rules::Move& move, rules::Size size);
/// "illegal move: superko (white repeats move 31)".
std::string error_line(const protocol::Error& error);
/// "Black plays D4." and the like.
std::string event_line(const rules::Event& event, rules::Size size);

}  // namespace tengen::cli
