// Between the document's values (package gtp) and ours: colours, moves, komi, positions. Inside the
// library only, because generated headers are slow to include.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "gtp/gtp.pb.h"
#include "protocol/gtp_calls.h"

namespace tengen::protocol {

/// What is wrong with a field.
Error bad_gtp(std::string_view field, std::string message);

/// Refused unless it is BLACK or WHITE.
std::variant<rules::Color, Error> read_gtp_color(::gtp::Color wire);
/// In half points; refused unless it is a multiple of 0.5 within the largest komi.
std::variant<int, Error> read_gtp_komi(float points);
/// A square board, refused with GTP's own words.
std::variant<rules::Size, Error> read_gtp_size(std::int32_t side);
/// A move that can be played: a pass, or a vertex of some board.
std::variant<GtpPlay, Error> read_gtp_move(const ::gtp::Move& wire);
/// A position to start from.
std::variant<GtpStart, Error> read_gtp_game(const ::gtp::Game& wire);

void write_gtp_move(const GtpMove& move, ::gtp::Move& wire);
void write_gtp_game(const GtpStart& start, ::gtp::Game& wire);

}  // namespace tengen::protocol
