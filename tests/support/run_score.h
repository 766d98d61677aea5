// What a runner found: a line for each check, and the last line that ./check reads.
#pragma once

#include <cstdio>
#include <string>

namespace tengen::tests {

class RunScore {
 public:
  /// Prints the line and counts it.
  void count(bool is_good, const std::string& what) {
    is_good ? ++passed_ : ++failed_;
    std::printf("%s%s\n", is_good ? "" : "FAILED: ", what.c_str());
    std::fflush(stdout);
  }
  /// Prints "N passed, N failed"; the exit status. A run that checked nothing has failed.
  int report() const {
    std::printf("%d passed, %d failed\n", passed_, failed_);
    return failed_ == 0 && passed_ > 0 ? 0 : 1;
  }

 private:
  int passed_ = 0;
  int failed_ = 0;
};

}  // namespace tengen::tests
