// Who a scripted engine plays: the engines in use, with what was measured of each of them. A
// persona is data and a few questions; what it makes of a line is in gtp_ear.h, of a command in
// repertoire.h. Source of the facts: measurements of GNU Go 3.8, Leela Zero 0.17 (Debian's build,
// assertions on), Pachi 12.90, KataGo 1.17, michi-c and gomill's test player; docs/engines.md tells
// what follows from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tengen::tests {

enum class Persona : std::uint8_t {
  Plain,  // no engine in particular: polite, a dozen commands
  GnuGo,
  LeelaZero,
  Pachi,
  KataGo,
  Bare,  // what GTP 2 requires and no more
};

struct Traits {
  std::string_view word;  // "gnugo", as switches name it
  std::string_view name;
  std::string_view version;
  std::span<const std::string_view> commands;  // as list_commands has them
  int size_min = 1;
  int size_max = 19;
  bool rectangles = false;
  std::string_view pass = "pass";
  /// A line is taken in pieces of so many bytes, each a command of its own; 0: never.
  std::size_t piece_bytes = 0;
  /// Bytes, the newline included, that a careful client never exceeds.
  std::size_t careful_bytes = 256;
  bool blank_after_id = true;       // "=5 " even when there is nothing to say
  bool clears_at_boardsize = true;  // also when the size stays what it is
  bool forgets_time = false;        // clear_board ends time settings
};

const Traits& traits_of(Persona persona);
std::optional<Persona> parse_persona(std::string_view word);

/// Commands that kill some engine, break its framing, write files or sleep: no careful client sends
/// one, whatever the engine lists.
bool is_dangerous(std::string_view command);

}  // namespace tengen::tests
