// See insults.h.
#include "tests/support/insults.h"

#include <algorithm>

namespace tengen::tests {
namespace {

// KataGo reads nine digits, and counts leading zeros.
constexpr std::size_t kIdDigitsMax = 9;

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

std::optional<std::string> insult_in_id(std::string_view digits) {
  if (digits.empty()) return "a command without an id";
  if (digits.size() > kIdDigitsMax) return "an id of more than nine digits";
  if (digits.front() == '0') return "an id that is 0 or begins with it";
  return std::nullopt;
}

}  // namespace

std::string_view id_of(std::string_view line) {
  const auto end =
      std::find_if_not(line.begin(), line.end(), [](char c) { return c >= '0' && c <= '9'; });
  return line.substr(0, static_cast<std::size_t>(end - line.begin()));
}

std::optional<std::string> insult_in(Persona persona, std::string_view line) {
  if (line.empty()) return "an empty line";
  if (!std::all_of(line.begin(), line.end(), is_printable)) {
    return "a character that is not printable ASCII";
  }
  if (line.find('#') != std::string_view::npos) return "a comment sign";
  if (line.front() == ' ' || line.back() == ' ' || line.find("  ") != std::string_view::npos) {
    return "a blank too many";
  }
  if (line.size() + 1 > traits_of(persona).careful_bytes) return "a line that is too long";
  const std::string_view digits = id_of(line);
  if (auto insult = insult_in_id(digits)) return insult;
  if (digits.size() == line.size()) return "an id without a command";
  if (line[digits.size()] != ' ') return "an id glued to its command";
  return std::nullopt;
}

}  // namespace tengen::tests
