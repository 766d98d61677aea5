// An engine that plays short random games and, among the moves that all its like are asked for,
// crashes or hangs at fixed distances. It can also be stubborn: it ignores quit, the end of its
// input and SIGTERM, and so does a child that it leaves behind.
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "tests/faults/fault_board.h"
#include "tests/support/scripted_engine.h"

namespace tengen::tests {
namespace {

using Counter = FaultBoard::Counter;

constexpr int kCrashCode = 70;

struct Options {
  std::string board;
  std::uint64_t crash_every = 0;  // 0: never
  std::uint64_t hang_every = 0;
  int pass_after = 12;
  bool is_stubborn = false;
};

[[noreturn]] void linger() {
  while (true) ::pause();
}

void be_stubborn() {
  ::signal(SIGTERM, SIG_IGN);
  if (::fork() != 0) return;
  // Its pipes are the engine's alone, so that the engine's end is seen at once.
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(fd);
  linger();
}

/// Every other crash is by a signal.
[[noreturn]] void crash(std::uint64_t number) {
  if (number % 2 == 0) ::kill(::getpid(), SIGKILL);
  std::_Exit(kCrashCode);
}

void fail_if_due(FaultBoard& board, const Options& options) {
  const auto is_due = [asked = board.add(Counter::Asked)](std::uint64_t every) {
    return every > 0 && asked % every == 0;
  };
  if (is_due(options.hang_every)) {
    board.add(Counter::Hangs);
    linger();
  }
  if (is_due(options.crash_every)) crash(board.add(Counter::Crashes));
}

void write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (done < 0) std::_Exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

class FaultEngine {
 public:
  explicit FaultEngine(const Options& options)
      : options_(options), board_(options.board), engine_(script_of(options)) {}

  void serve() {
    char buffer[4096];
    ssize_t got = 0;
    while ((got = ::read(STDIN_FILENO, buffer, sizeof buffer)) > 0) {
      for (const char c : std::string_view(buffer, static_cast<std::size_t>(got))) {
        line_ += c;
        if (c == '\n') obey();
      }
    }
    if (options_.is_stubborn) linger();
  }

 private:
  static Script script_of(const Options& options) {
    Script script;
    script.pass_after = options.pass_after;
    script.seed = static_cast<std::uint64_t>(::getpid());
    return script;
  }

  void obey() {
    const bool is_quit = line_.find("quit") != std::string::npos;
    if (line_.find("genmove") != std::string::npos) fail_if_due(board_, options_);
    if (!is_quit || !options_.is_stubborn) write_all(engine_.feed(line_));
    line_.clear();
    if (engine_.has_quit()) std::_Exit(0);
  }

  const Options& options_;
  FaultBoard board_;
  ScriptedEngine engine_;
  std::string line_;
};

}  // namespace
}  // namespace tengen::tests

int main(int argc, char** argv) {
  tengen::tests::Options options;
  CLI::App app("A GTP engine that crashes and hangs at fixed distances");
  app.add_option("--board", options.board, "File that the engines of a run share")->required();
  app.add_option("--crash-every", options.crash_every, "Crash when asked for every n-th move");
  app.add_option("--hang-every", options.hang_every, "Hang when asked for every n-th move");
  app.add_option("--pass-after", options.pass_after, "Pass from this many moves on");
  app.add_flag("--stubborn", options.is_stubborn, "Outlive everything but SIGKILL, with a child");
  CLI11_PARSE(app, argc, argv);
  try {
    if (options.is_stubborn) tengen::tests::be_stubborn();
    tengen::tests::FaultEngine(options).serve();
  } catch (const std::exception&) {
    return 1;
  }
}
