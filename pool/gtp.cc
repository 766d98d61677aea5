// See gtp.h. The framing rules follow the GTP 2 specification, section 2, and what engines really
// send: surplus newlines before and after answers are harmless, a missing one is not.
#include "pool/gtp.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "pool/require.h"
#include "rules/ascii.h"

namespace tengen::pool {
namespace {

constexpr std::size_t kIdDigitsMax = 9;

bool is_sign(char c) { return c == '=' || c == '?'; }
/// "=====" over a banner: an answer's sign is followed by its id, a blank or nothing.
bool is_ruler(std::string_view line) { return line.size() > 1 && line[1] == line[0]; }
bool is_control(char c) { return (c >= 0 && c < ' ') || c == 127; }

void drop_trailing(std::string& text, char what) {
  while (!text.empty() && text.back() == what) text.pop_back();
}

/// The id of the digits after the sign: 0 for none, nothing for one that we cannot have sent.
std::optional<std::uint32_t> parse_id(std::string_view digits) {
  if (digits.empty()) return 0;
  if (digits.size() > kIdDigitsMax || digits.front() == '0') return std::nullopt;
  std::uint32_t id = 0;
  for (const char c : digits) id = id * 10 + static_cast<std::uint32_t>(c - '0');
  return id;
}

}  // namespace

void AnswerReader::feed(std::string_view bytes, std::vector<Answer>& out) {
  while (lost_.empty() && !bytes.empty()) {
    const auto end = std::find_if(bytes.begin(), bytes.end(), is_control);
    extend_line({bytes.begin(), end});
    if (end == bytes.end()) return;
    if (*end == '\t') extend_line(" ");
    if (*end == '\n' && lost_.empty()) end_line(out);
    bytes = {end + 1, bytes.end()};
  }
}

void AnswerReader::extend_line(std::string_view text) {
  line_ += text;
  if (line_.size() > line_bytes_max()) lose("a line is too long");
}

std::size_t AnswerReader::line_bytes_max() const {
  const bool is_stream = is_in_answer_ && answer_.id == stream_id_ && stream_id_ != 0;
  return is_stream ? Limits::kStreamLineBytesMax : Limits::kAnswerLineBytesMax;
}

void AnswerReader::end_line(std::vector<Answer>& out) {
  const bool is_end = line_.empty();  // a line of blanks is text
  drop_trailing(line_, ' ');
  if (is_in_answer_ && is_end) {
    finish_answer(out);
  } else if (is_in_answer_) {
    continue_answer(out);
  } else if (!line_.empty() && is_sign(line_.front()) && !is_ruler(line_)) {
    begin_answer();
  } else if (!line_.empty()) {
    take_noise();
  }
  line_.clear();
}

void AnswerReader::take_noise() {
  if (noise_lines_++ == 0) first_noise_ = line_;
  if (noise_.size() + line_.size() >= Limits::kAnswerBytesMax) return;
  if (!noise_.empty()) noise_.push_back('\n');
  noise_ += line_;
}

void AnswerReader::begin_answer() {
  std::size_t end = 1;
  while (end < line_.size() && rules::is_digit(line_[end])) ++end;
  const auto id = parse_id(std::string_view(line_).substr(1, end - 1));
  if (!id) return lose("an answer's id is none of ours");
  if (*id != 0 && end < line_.size() && line_[end] != ' ') {
    return lose("an answer's id runs into its text");
  }
  const auto text = line_.find_first_not_of(' ', end);
  is_in_answer_ = true;
  answer_.id = *id;
  answer_.is_success = line_.front() == '=';
  if (text != std::string::npos) answer_.text.assign(line_, text);
  answer_.before.swap(noise_);
}

bool AnswerReader::is_update() const {
  return stream_id_ != 0 && answer_.id == stream_id_ &&
         (line_.starts_with("info ") || line_.starts_with("rootInfo "));
}

void AnswerReader::continue_answer(std::vector<Answer>& out) {
  if (is_update()) {
    out.push_back({answer_.id, answer_.is_success, std::move(line_), true, {}});
    return;
  }
  // Some engines end an answer with one newline only; the next answer would be taken for its text.
  if (line_.size() > 1 && is_sign(line_[0]) && rules::is_digit(line_[1])) {
    return lose("an answer has no end before the next one");
  }
  if (answer_.text.size() + line_.size() > Limits::kAnswerBytesMax) {
    return lose("an answer is too long");
  }
  if (!answer_.text.empty()) answer_.text.push_back('\n');
  answer_.text += line_;
}

void AnswerReader::finish_answer(std::vector<Answer>& out) {
  drop_trailing(answer_.text, '\n');
  out.push_back(std::move(answer_));
  answer_ = Answer();
  is_in_answer_ = false;
}

void AnswerReader::lose(std::string_view reason) {
  lost_ = reason;
  line_.clear();
  answer_ = Answer();
}

bool is_command(std::string_view text, std::size_t line_bytes_max) {
  if (text.empty() || text.size() + kIdDigitsMax + 2 > line_bytes_max) return false;
  if (text.front() == ' ' || rules::is_digit(text.front())) return false;
  for (const char c : text) {
    if (c < ' ' || c > '~' || c == '#') return false;
  }
  return true;
}

std::uint32_t CommandWriter::write(std::string_view command, std::string& out) {
  require(is_command(command, command.size() + kIdDigitsMax + 2),
          "only well-formed commands are written");
  const std::uint32_t id = next_id_;
  next_id_ = id == Limits::kCommandIdMax ? 1 : id + 1;
  char digits[kIdDigitsMax];
  out.append(digits, std::to_chars(digits, std::end(digits), id).ptr);
  out += ' ';
  out += command;
  out += '\n';
  return id;
}

std::string printable(std::string_view text, std::size_t bytes_max) {
  std::string line;
  for (const char c : text) {
    if (line.size() == bytes_max) break;
    const bool is_blank = c == '\n' || c == '\t' || c == ' ';
    if (is_blank && (line.empty() || line.back() == ' ')) continue;
    if (is_blank) {
      line.push_back(' ');
    } else {
      line.push_back(c > ' ' && c <= '~' ? c : '?');
    }
  }
  drop_trailing(line, ' ');
  return line;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  std::size_t begin = 0;
  while ((begin = text.find_first_not_of(" \n", begin)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    found.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return found;
}

}  // namespace tengen::pool
