// Parses the values on the command line.
#include "clients/cli/arguments.h"

#include <charconv>
#include <cstdlib>
#include <utility>

#include "rules/game.h"
#include "rules/rules_text.h"

namespace tengen::cli {

namespace {

std::optional<int> parse_number(std::string_view text, int lowest, int highest) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  if (value < lowest || value > highest) return std::nullopt;
  return value;
}

BadArgument bad_server(std::string_view text) {
  return {"'" + std::string(text) +
          "' is not a server: expected ws://HOST:PORT or wss://HOST:PORT"};
}

}  // namespace

std::variant<Address, BadArgument> parse_server(std::string_view text) {
  constexpr std::string_view kPlain = "ws://";
  constexpr std::string_view kTls = "wss://";
  const bool is_tls = text.starts_with(kTls);
  if (!is_tls && !text.starts_with(kPlain)) return bad_server(text);
  std::string_view rest = text.substr(is_tls ? kTls.size() : kPlain.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos) return bad_server(text);
  std::string_view host = rest.substr(0, colon);
  const std::string_view port = rest.substr(colon + 1);
  const bool in_brackets = host.starts_with('[') && host.ends_with(']');
  if (in_brackets) host = host.substr(1, host.size() - 2);
  const std::string_view forbidden = in_brackets ? "/[]@ " : "/[]@: ";
  const bool bad_host = host.empty() || host.find_first_of(forbidden) != std::string_view::npos;
  if (bad_host || !parse_number(port, 1, 65'535)) return bad_server(text);
  return Address{std::string(host), std::string(port), is_tls ? Transport::Tls : Transport::Plain};
}

std::optional<rules::Size> parse_size(std::string_view text) {
  const std::size_t cross = text.find('x');
  const bool is_square = cross == std::string_view::npos;
  const auto width = parse_number(text.substr(0, cross), 1, rules::kMaxSize);
  const auto height = is_square ? width : parse_number(text.substr(cross + 1), 1, rules::kMaxSize);
  if (!width || !height) return std::nullopt;
  return rules::Size{static_cast<std::uint8_t>(*width), static_cast<std::uint8_t>(*height)};
}

std::variant<protocol::SeatRequest, BadArgument> parse_engine(std::string_view text) {
  const std::size_t colon = text.find(':');
  protocol::SeatRequest seat;
  seat.kind = rules::SeatKind::Engine;
  seat.profile = std::string(text.substr(0, colon));
  if (seat.profile.empty())
    return BadArgument{"an engine needs a profile: PROFILE[:key=value,...]"};
  if (colon == std::string_view::npos) return seat;
  std::string_view rest = text.substr(colon + 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view setting = rest.substr(0, comma);
    const std::size_t equals = setting.find('=');
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == setting.size()) {
      return BadArgument{"'" + std::string(setting) + "' is not a setting: expected key=value"};
    }
    seat.settings.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    if (comma == std::string_view::npos) return seat;
    rest.remove_prefix(comma + 1);
  }
}

std::variant<GameTerms, BadArgument> parse_terms(std::string_view size, std::string_view rules_text,
                                                 std::string_view komi) {
  const auto parsed_size = parse_size(size);
  if (!parsed_size) {
    return BadArgument{"'" + std::string(size) +
                       "' is not a board size: expected N or WxH, 1 to 25"};
  }
  const auto parsed_rules = rules::parse_rules(rules_text);
  if (const auto* reason = std::get_if<std::string>(&parsed_rules)) return BadArgument{*reason};
  const auto& named = std::get<rules::NamedRules>(parsed_rules);
  if (named.base->only_size && *named.base->only_size != *parsed_size) {
    return BadArgument{"the rules " + std::string(rules_text) + " are not for this board size"};
  }
  const auto parsed_komi =
      komi.empty() ? std::optional(named.base->komi_half) : rules::parse_komi(komi);
  if (!parsed_komi) {
    return BadArgument{"'" + std::string(komi) + "' is not a komi: expected a multiple of 0.5, -" +
                       rules::komi_text(rules::kMaxKomiHalf) + " to " +
                       rules::komi_text(rules::kMaxKomiHalf)};
  }
  return GameTerms{*parsed_size, std::string(named.base->name), named.rules, *parsed_komi,
                   std::string(rules_text)};
}

std::variant<rules::TimeControl, BadArgument> parse_time(std::string_view text) {
  auto parsed = rules::parse_time_control(text);
  if (auto* reason = std::get_if<std::string>(&parsed)) return BadArgument{std::move(*reason)};
  return std::get<rules::TimeControl>(parsed);
}

}  // namespace tengen::cli
