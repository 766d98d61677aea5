// The values a command line spells, parsed into types that cannot be wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/messages.h"
#include "rules/ruleset.h"
#include "rules/time_control.h"

namespace tengen::cli {

inline constexpr std::string_view kDefaultServer = "ws://127.0.0.1:8374";

enum class Transport : std::uint8_t { Plain, Tls };

struct Address {
  std::string host;  // a name, or an address without brackets
  std::string port;  // 1..65535
  Transport transport = Transport::Plain;
  friend bool operator==(const Address&, const Address&) = default;
};

/// What a game is played under.
struct GameTerms {
  rules::Size size;
  std::string preset;  // what the rules start from
  rules::Ruleset rules;
  int komi_half = 15;
  std::string rules_text;  // as typed: the preset, or with other components
  rules::TimeControl time{};
};

/// What is wrong with an argument, for people.
struct BadArgument {
  std::string reason;
};

/// "ws://HOST:PORT" or "wss://HOST:PORT", with or without a final slash; IPv6 addresses in
/// brackets.
std::variant<Address, BadArgument> parse_server(std::string_view text);
/// "9" or "13x9", 1..25 each.
std::optional<rules::Size> parse_size(std::string_view text);
/// PROFILE or PROFILE:key=value,key=value.
std::variant<protocol::SeatRequest, BadArgument> parse_engine(std::string_view text);
/// Rules as rules::parse_rules reads them; an empty komi stands for the preset's.
std::variant<GameTerms, BadArgument> parse_terms(std::string_view size, std::string_view rules_text,
                                                 std::string_view komi);
/// A time control as rules::parse_time_control reads it.
std::variant<rules::TimeControl, BadArgument> parse_time(std::string_view text);

}  // namespace tengen::cli
