// libFuzzer target: the log's text form. A text that parses must be written back byte for byte, and
// a log it holds must replay or be refused, never crash.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "rules/game.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tengen::rules;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = parse_log_text(text);
  const auto* log = std::get_if<LogText>(&parsed);
  if (log == nullptr) return 0;
  std::string again = to_line(log->header) + "\n";
  for (const Event& event : log->events) again += to_line(event) + "\n";
  if (again != text) std::abort();
  (void)Game::replay(log->header, log->events);
  return 0;
}
