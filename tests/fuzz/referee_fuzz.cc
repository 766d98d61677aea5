// libFuzzer target: a whole conversation with the house engine, quick because it makes hardly any
// playouts. Every line that is not blank gets exactly one well-formed answer, however the bytes
// arrive; every file that loadsgf opens is the input itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clients/house/gtp_session.h"

namespace {

using tengen::house::GtpLine;
using tengen::house::GtpSession;
using tengen::house::HouseOptions;
using tengen::house::LineReader;

constexpr std::size_t kSearchesMax = 3;

void check(bool holds) {
  if (!holds) std::abort();
}

HouseOptions options() {
  HouseOptions options;
  options.size = {5, 5};
  options.limits.playouts = 2;
  options.limits.moves = 60;
  options.limits.line_bytes = 200;
  return options;
}

/// Lines with anything in front of a comment.
std::size_t count_commands(std::string_view bytes) {
  std::size_t commands = 0;
  bool is_blank = true;
  bool is_comment = false;
  const auto end_line = [&] {
    commands += is_blank ? 0 : 1;
    is_blank = true;
    is_comment = false;
  };
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '#') is_comment = true;
    if (!is_comment && code > ' ' && code != 127) is_blank = false;
    if (c == '\n') end_line();
  }
  end_line();
  return commands;
}

void check_answer(std::string_view answer) {
  check(answer.starts_with('=') || answer.starts_with('?'));
  check(answer.find("\n\n") == answer.size() - 2);
}

/// Words that start a search, which is slow to set up.
std::size_t count_searches(std::string_view bytes) {
  std::size_t searches = 0;
  for (const std::string_view word : {"genmove", "final_"}) {
    for (auto at = bytes.find(word); at != bytes.npos; at = bytes.find(word, at + 1)) ++searches;
  }
  return searches;
}

void check_conversation(std::string_view bytes) {
  GtpSession session(options(), [&](const std::string&) { return std::string(bytes); });
  session.on_bytes(bytes);
  session.on_end();
  std::size_t answers = 0;
  while (const auto answer = session.next_answer()) {
    check_answer(*answer);
    ++answers;
  }
  const std::size_t commands = count_commands(bytes);
  check(session.is_over() ? answers <= commands : answers == commands);
}

std::vector<GtpLine> lines_of(std::string_view bytes, std::size_t chunk) {
  LineReader reader(options().limits);
  std::vector<GtpLine> lines;
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    reader.on_bytes(bytes.substr(at, chunk));
    while (auto line = reader.take()) lines.push_back(std::move(*line));
  }
  reader.on_end();
  while (auto line = reader.take()) lines.push_back(std::move(*line));
  return lines;
}

void check_lines(std::string_view bytes) {
  const auto whole = lines_of(bytes, bytes.size() + 1);
  const auto pieces = lines_of(bytes, 3);
  check(whole.size() == pieces.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    check(whole[i].text == pieces[i].text && whole[i].is_too_long == pieces[i].is_too_long);
    check(whole[i].text.size() <= options().limits.line_bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_lines(bytes);
  if (count_searches(bytes) <= kSearchesMax) check_conversation(bytes);
  return 0;
}
