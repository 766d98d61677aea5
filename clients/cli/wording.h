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
/// What a clock shows, seconds rounded up: "4:51", in byo-yomi "0:27 (3x30)" with the periods left,
/// in Canadian overtime "2:10 (7/300)" with the moves to be made.
std::string clock_text(const rules::TimeControl& control, const rules::ClockFace& face);
/// Both clocks: "B 4:51 (5x30) W 5:00 (5x30)".
std::string clocks_text(const rules::TimeControl& control, const rules::ClockFaces& faces);

}  // namespace tengen::cli
