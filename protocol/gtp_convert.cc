#include "protocol/gtp_convert.h"

#include <cmath>
#include <utility>

namespace tengen::protocol {
namespace {

constexpr rules::Size kLargest{rules::kMaxSize, rules::kMaxSize};

/// The vertex in GTP's words, which may name no point of any board.
std::string vertex_text(const ::gtp::Vertex& wire) {
  return wire.column().size() == 1 ? wire.column() + std::to_string(wire.row()) : std::string();
}

/// Whether it says anything. A pass needs no vertex, and some clients always send one.
bool is_blank(const ::gtp::Vertex& wire) { return wire.column().empty() && wire.row() == 0; }

::gtp::Color wire_gtp_color(rules::Color color) {
  return color == rules::Color::Black ? ::gtp::BLACK : ::gtp::WHITE;
}

std::variant<GtpPlay, Error> read_place(rules::Color color, const ::gtp::Move& wire) {
  if (!wire.has_vertex()) return bad_gtp("vertex", "a PLACE needs a vertex");
  std::string vertex = vertex_text(wire.vertex());
  if (!rules::parse_gtp_vertex(vertex, kLargest)) {
    return bad_gtp("vertex", "a vertex has a column, A to Z without I, and a row from 1 to 25");
  }
  return GtpPlay{color, std::move(vertex)};
}

}  // namespace

Error bad_gtp(std::string_view field, std::string message) {
  return {ErrorCode::InvalidArgument, std::string(field), std::move(message), 0, {}};
}

std::variant<rules::Color, Error> read_gtp_color(::gtp::Color wire) {
  if (wire == ::gtp::BLACK) return rules::Color::Black;
  if (wire == ::gtp::WHITE) return rules::Color::White;
  return bad_gtp("color", "color must be BLACK or WHITE");
}

std::variant<int, Error> read_gtp_komi(float points) {
  const double half = 2.0 * static_cast<double>(points);
  if (std::isfinite(half) && half == std::floor(half) && std::fabs(half) <= rules::kMaxKomiHalf) {
    return static_cast<int>(half);
  }
  return bad_gtp("komi", "komi must be a multiple of 0.5 within " +
                             rules::komi_text(rules::kMaxKomiHalf) + " points either way");
}

std::variant<rules::Size, Error> read_gtp_size(std::int32_t side) {
  if (side < 1 || side > rules::kMaxSize) return bad_gtp("size", "unacceptable size");
  const auto length = static_cast<std::uint8_t>(side);
  return rules::Size{length, length};
}

// A PASS with a point is no pass: whoever sends it has left the type out.
std::variant<GtpPlay, Error> read_gtp_move(const ::gtp::Move& wire) {
  const auto color = read_gtp_color(wire.color());
  if (const auto* error = std::get_if<Error>(&color)) return *error;
  switch (wire.type()) {
    case ::gtp::Move::PASS:
      if (!is_blank(wire.vertex())) return bad_gtp("type", "a PASS has no vertex");
      return GtpPlay{std::get<rules::Color>(color), std::nullopt};
    case ::gtp::Move::PLACE:
      return read_place(std::get<rules::Color>(color), wire);
    case ::gtp::Move::RESIGN:
      return bad_gtp("type", "a RESIGN cannot be played");
    default:
      return bad_gtp("type", "type must be PASS or PLACE");
  }
}

std::variant<GtpStart, Error> read_gtp_game(const ::gtp::Game& wire) {
  const auto size = read_gtp_size(wire.size());
  if (const auto* error = std::get_if<Error>(&size)) return *error;
  const auto komi = read_gtp_komi(wire.komi());
  if (const auto* error = std::get_if<Error>(&komi)) return *error;
  if (static_cast<std::size_t>(wire.moves_size()) > kGtpMovesMax) {
    return bad_gtp("moves", "at most " + std::to_string(kGtpMovesMax) + " moves");
  }
  GtpStart start{std::get<rules::Size>(size), std::get<int>(komi), {}};
  start.moves.reserve(static_cast<std::size_t>(wire.moves_size()));
  for (const ::gtp::Move& each : wire.moves()) {
    auto move = read_gtp_move(each);
    if (auto* error = std::get_if<Error>(&move)) return std::move(*error);
    auto& play = std::get<GtpPlay>(move);
    if (play.vertex && !rules::parse_gtp_vertex(*play.vertex, start.size)) {
      return bad_gtp("moves", "a move is off the board");
    }
    start.moves.push_back(std::move(play));
  }
  return start;
}

void write_gtp_move(const GtpMove& move, ::gtp::Move& wire) {
  wire.set_color(wire_gtp_color(move.color));
  switch (move.kind) {
    case GtpMove::Kind::Pass:
      return wire.set_type(::gtp::Move::PASS);
    case GtpMove::Kind::Resign:
      return wire.set_type(::gtp::Move::RESIGN);
    case GtpMove::Kind::Place:
      break;
  }
  wire.set_type(::gtp::Move::PLACE);
  const std::string vertex = rules::gtp_vertex(move.point, move.size);
  wire.mutable_vertex()->set_column(vertex.substr(0, 1));
  wire.mutable_vertex()->set_row(move.size.height - move.point.row());
}

void write_gtp_game(const GtpStart& start, ::gtp::Game& wire) {
  wire.set_size(start.size.width);
  wire.set_komi(static_cast<float>(start.komi_half) / 2);
  for (const GtpPlay& play : start.moves) {
    ::gtp::Move& move = *wire.add_moves();
    move.set_color(play.color == rules::Color::Black ? ::gtp::BLACK : ::gtp::WHITE);
    move.set_type(play.vertex ? ::gtp::Move::PLACE : ::gtp::Move::PASS);
    if (!play.vertex) continue;
    move.mutable_vertex()->set_column(play.vertex->substr(0, 1));
    move.mutable_vertex()->set_row(std::stoi(play.vertex->substr(1)));
  }
}

}  // namespace tengen::protocol
