// See gtp_ear.h.
#include "tests/support/gtp_ear.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "rules/ascii.h"

namespace tengen::tests {
namespace {

constexpr std::uint64_t kInt32Max = std::numeric_limits<std::int32_t>::max();

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return (code < 32 && c != '\t') || code == 127;
}
bool is_foreign(char c) { return static_cast<unsigned char>(c) >= 128; }

/// What is left of the line when the persona has thrown away what it does not want to see.
std::string cleaned(Persona persona, std::string_view line) {
  std::string text(line);
  const bool is_cut_at_nul =
      persona == Persona::GnuGo || persona == Persona::Pachi || persona == Persona::Plain;
  if (is_cut_at_nul) text = text.substr(0, text.find('\0'));
  if (persona != Persona::Pachi) {
    std::erase_if(text, [](char c) { return c != '\0' && is_control(c); });
  } else {
    std::erase(text, '\r');
  }
  if (persona == Persona::KataGo) std::erase_if(text, is_foreign);
  if (persona == Persona::KataGo || persona == Persona::Bare) std::erase(text, '\0');
  if (persona == Persona::LeelaZero) {
    if (!text.empty() && text.front() == '#') return {};
    text = rules::lower(std::move(text));
  } else {
    text = text.substr(0, text.find('#'));
  }
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const auto begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return words;
    const auto end = std::min(text.find(' ', begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

/// The value of the digits, saturated: none of the engines tells larger ones apart.
std::uint64_t value_of(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) {
    value =
        value > 1'000'000'000'000'000u ? value : value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

/// The id as the persona repeats it. Two wrap like a 32-bit integer and lose what is negative.
std::string echoed(Persona persona, std::string_view digits) {
  const std::uint64_t value = value_of(digits);
  switch (persona) {
    case Persona::GnuGo:
    case Persona::Pachi: {
      const auto wrapped = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
      return wrapped < 0 ? std::string() : std::to_string(wrapped);
    }
    case Persona::Bare:
      return value > kInt32Max ? std::to_string(kInt32Max) : std::string(digits);
    case Persona::Plain:
      return value == 0 ? std::string() : std::to_string(value);
    case Persona::LeelaZero:
    case Persona::KataGo:
      break;
  }
  return std::to_string(value);
}

Heard rejected(std::string reply) {
  Heard heard;
  heard.kind = Heard::Kind::Rejected;
  heard.reply = std::move(reply);
  return heard;
}

Heard command(std::string id, std::string_view rest) {
  Heard heard;
  heard.kind = Heard::Kind::Command;
  heard.id = std::move(id);
  heard.words = split(rest);
  const auto begin = rest.find_first_not_of(' ');
  heard.text = rest.substr(std::min(begin, rest.size()));
  return heard;
}

/// Leela Zero reads a number, throws one character away and compares what follows to the letter.
Heard hear_leela(std::string_view digits, std::string_view rest) {
  const std::string id = digits.empty() ? std::string() : echoed(Persona::LeelaZero, digits);
  const Heard unknown = rejected('?' + id + " unknown command\n\n");
  if (value_of(digits) > kInt32Max) {
    return rejected('?' + std::to_string(kInt32Max) + " unknown command\n\n");
  }
  if (digits.empty() ? rest.front() == ' ' : rest.size() < 2 || rest.front() != ' ') {
    return unknown;
  }
  Heard heard = command(id, rest);
  if (heard.words.empty()) return unknown;
  static constexpr std::string_view kExact[] = {"protocol_version", "name", "version", "quit"};
  const bool is_exact =
      std::find(std::begin(kExact), std::end(kExact), heard.words.front()) != std::end(kExact);
  if (is_exact && heard.text != heard.words.front()) return unknown;
  if (heard.text.find('\0') != std::string::npos) return unknown;
  return heard;
}

Heard hear_katago(std::string_view digits, std::string_view rest) {
  if (digits.size() > 9) {
    return rejected("? GTP id '0' could not be parsed: could not parse digits\n");
  }
  Heard heard = command(digits.empty() ? std::string() : echoed(Persona::KataGo, digits), rest);
  return heard.words.empty() ? rejected("? empty command\n") : heard;
}

Heard hear_pachi(std::string_view digits, std::string_view rest) {
  const std::string id = digits.empty() ? std::string() : echoed(Persona::Pachi, digits);
  // The first word is the id as a whole, whatever is glued to it.
  if (!digits.empty()) rest.remove_prefix(std::min(rest.find(' '), rest.size()));
  Heard heard = command(id, rest);
  if (heard.words.empty()) {
    return rejected('?' + id + (id.empty() ? "" : " ") + "argument missing\n\n");
  }
  heard.words.front() = rules::lower(heard.words.front());
  return heard;
}

}  // namespace

std::vector<std::string> LineCutter::feed(std::string_view bytes) {
  std::vector<std::string> lines;
  for (const char c : bytes) {
    if (c == '\n') {
      lines.push_back(std::move(rest_));
      rest_.clear();
      continue;
    }
    rest_ += c;
    if (piece_bytes_ == 0 || rest_.size() < piece_bytes_) continue;
    lines.push_back(std::move(rest_));
    rest_.clear();
  }
  return lines;
}

Heard hear(Persona persona, std::string_view line) {
  const std::string text = cleaned(persona, line);
  const bool is_all_blank = text.find_first_not_of(' ') == std::string::npos;
  if (persona == Persona::KataGo && is_all_blank &&
      std::any_of(line.begin(), line.end(), is_foreign)) {
    return rejected("? empty command\n");
  }
  if (persona == Persona::LeelaZero ? text.empty() : is_all_blank) return {};
  if (persona == Persona::Pachi && is_blank(line.front())) return {};

  std::string_view rest = text;
  if (persona != Persona::LeelaZero) rest.remove_prefix(rest.find_first_not_of(' '));
  // A minus belongs to the number and makes it one that is not repeated.
  const bool is_negative = persona == Persona::GnuGo && rest.size() > 1 && rest.front() == '-' &&
                           rules::is_digit(rest[1]);
  if (is_negative) rest.remove_prefix(1);
  const auto end = std::find_if_not(rest.begin(), rest.end(), rules::is_digit);
  const std::string_view digits = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  rest.remove_prefix(digits.size());

  if (persona == Persona::LeelaZero) return hear_leela(digits, rest);
  if (persona == Persona::KataGo) return hear_katago(digits, rest);
  if (persona == Persona::Pachi) return hear_pachi(digits, rest);
  Heard heard =
      command(digits.empty() || is_negative ? std::string() : echoed(persona, digits), rest);
  return heard.words.empty() ? Heard{} : heard;
}

}  // namespace tengen::tests
