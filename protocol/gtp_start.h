// A position that a virtual GTP engine starts from: document 000's Game as plain values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rules/color.h"
#include "rules/point.h"

namespace tengen::protocol {

struct GtpPlay {
  rules::Color color = rules::Color::Black;
  std::optional<std::string> vertex;  // of some board, in GTP's words; absent: a pass
  friend bool operator==(const GtpPlay&, const GtpPlay&) = default;
};
struct GtpStart {
  rules::Size size;
  int komi_half = 0;
  std::vector<GtpPlay> moves;  // on the board; whether they are legal is for the rules to say
  friend bool operator==(const GtpStart&, const GtpStart&) = default;
};

/// Moves that a virtual engine can start from, and the most its board can have.
inline constexpr std::size_t kGtpMovesMax = 5'000;

}  // namespace tengen::protocol
