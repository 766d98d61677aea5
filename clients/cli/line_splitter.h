// Cuts standard input into lines. A line longer than the limit is cut off there and its rest
// dropped, so input without newlines cannot grow the process.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tengen::cli {

class LineSplitter {
 public:
  static constexpr std::size_t kLineMax = 4096;

  void on_bytes(std::string_view bytes);
  /// A last line without a newline becomes a line.
  void on_end();
  /// The next line without its newline, if there is a whole one.
  std::optional<std::string> take();

 private:
  std::string ready_;    // whole lines, each with its newline
  std::string partial_;  // at most kLineMax bytes of the line being read
};

}  // namespace tengen::cli
