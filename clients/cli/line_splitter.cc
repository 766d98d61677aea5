// Cuts input into lines of bounded length.
#include "clients/cli/line_splitter.h"

namespace tengen::cli {

void LineSplitter::on_bytes(std::string_view bytes) {
  for (const char byte : bytes) {
    if (byte == '\n') {
      ready_ += partial_ + '\n';
      partial_.clear();
    } else if (partial_.size() < kLineMax) {
      partial_ += byte;
    }
  }
}

void LineSplitter::on_end() {
  if (!partial_.empty()) on_bytes("\n");
}

std::optional<std::string> LineSplitter::take() {
  const std::size_t end = ready_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = ready_.substr(0, end);
  ready_.erase(0, end + 1);
  return line;
}

}  // namespace tengen::cli
