#include "clients/house/gtp_line.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "rules/ascii.h"

namespace tengen::house {
namespace {

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::size_t at = line.find_first_not_of(' ');
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(' ', end);
  }
  return words;
}

}  // namespace

void LineReader::on_bytes(std::string_view bytes) {
  for (const char byte : bytes) add(byte);
}

void LineReader::on_end() {
  if (!partial_.text.empty()) end_line();
}

std::optional<GtpLine> LineReader::take() {
  if (lines_.empty()) return std::nullopt;
  GtpLine line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

void LineReader::add(char byte) {
  if (byte == '\n') return end_line();
  if (byte == '#') is_comment_ = true;
  if (byte == '\t') byte = ' ';
  const auto code = static_cast<unsigned char>(byte);
  if (is_comment_ || code < ' ' || code == 127) return;
  if (partial_.text.size() == limits_.line_bytes) {
    partial_.is_too_long = true;
  } else {
    partial_.text += byte;
  }
}

void LineReader::end_line() {
  lines_.push_back(std::exchange(partial_, GtpLine{}));
  is_comment_ = false;
}

std::optional<Command> parse_command(std::string_view line, const GtpLimits& limits) {
  std::vector<std::string> words = words_of(line);
  if (words.empty()) return std::nullopt;
  Command command;
  if (words.front().size() <= limits.id_digits) command.id = parse_number(words.front());
  if (command.id) words.erase(words.begin());
  if (words.empty()) return command;
  command.name = std::move(words.front());
  words.erase(words.begin());
  command.arguments = std::move(words);
  return command;
}

std::string answer_text(std::optional<std::uint64_t> id, const Response& response) {
  std::string text = response.is_success ? "=" : "?";
  if (id) text += std::to_string(*id);
  return text + ' ' + response.text + "\n\n";
}

std::optional<rules::Color> parse_color(std::string_view word) {
  const std::string name = rules::lower(word);
  if (name == "b" || name == "black") return rules::Color::Black;
  if (name == "w" || name == "white") return rules::Color::White;
  return std::nullopt;
}

std::optional<std::uint64_t> parse_number(std::string_view word) {
  if (word.empty() || !std::all_of(word.begin(), word.end(), rules::is_digit)) return std::nullopt;
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

}  // namespace tengen::house
