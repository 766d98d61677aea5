// Feeds arbitrary engine output to the answer reader: whatever the chunking, the answers are the
// same, the limits hold, and no text carries a control character.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "pool/gtp.h"

namespace {

using tengen::pool::Answer;
using tengen::pool::AnswerReader;
using tengen::pool::Limits;

void check(bool holds) {
  if (!holds) std::abort();
}

void check_answer(const Answer& answer) {
  check(answer.id <= Limits::kCommandIdMax);
  check(answer.text.size() <= Limits::kAnswerBytesMax + Limits::kAnswerLineBytesMax);
  for (const char c : answer.text) check(c == '\n' || !(c >= 0 && c < ' '));
}

std::vector<Answer> read(std::string_view bytes, std::size_t chunk, AnswerReader& reader) {
  std::vector<Answer> answers;
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    reader.feed(bytes.substr(at, chunk), answers);
  }
  return answers;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  AnswerReader whole_reader;
  AnswerReader single_reader;
  const auto whole = read(bytes, size == 0 ? 1 : size, whole_reader);
  const auto single = read(bytes, 1, single_reader);
  check(whole.size() == single.size());
  check(whole_reader.lost() == single_reader.lost());
  check(whole_reader.noise_lines() == single_reader.noise_lines());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    check_answer(whole[i]);
    check(whole[i].id == single[i].id && whole[i].text == single[i].text &&
          whole[i].is_success == single[i].is_success);
  }
  return 0;
}
