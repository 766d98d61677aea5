// A program run by a test: its input and output are files or pipes, and it never outlives its
// owner.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tengen::tests {

struct ChildSpec {
  std::vector<std::string> argv;         // argv[0] is looked up in PATH and /usr/games
  std::vector<std::string> environment;  // NAME=value, added to ours
  std::string input_file = "/dev/null";  // read as standard input, unless piped
  bool has_input_pipe = false;
  std::string output_file = "/dev/null";  // appended to
  std::string error_file = "/dev/null";   // appended to
};

class Child {
 public:
  /// Starts it. A program that cannot be run ends with code 127.
  explicit Child(const ChildSpec& spec);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  /// Kills it if it still runs.
  ~Child();

  pid_t pid() const { return pid_; }
  void send_signal(int signal) const;
  void write(std::string_view text) const;
  void close_input();
  /// How it ended, within the patience: the exit code, or minus the signal's number.
  std::optional<int> wait(std::chrono::milliseconds patience);

 private:
  pid_t pid_ = 0;
  int input_ = -1;
  std::optional<int> status_;
};

struct Ran {
  int status = 0;  // as Child::wait; -1000 when it had to be killed
  std::string out;
  std::string err;
};
/// Runs a program to its end with the text as its whole input.
Ran run(const std::vector<std::string>& argv, std::string_view input,
        std::chrono::milliseconds patience = std::chrono::seconds(60));

}  // namespace tengen::tests
