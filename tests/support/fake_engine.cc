// The scripted engine as a process over standard input and output, for tests with real pipes,
// signals and time.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "tests/support/scripted_engine.h"

namespace {

using tengen::tests::Script;
using tengen::tests::ScriptedEngine;

struct Options {
  Script script;
  int late_ms = 0;
  int slow_start_ms = 0;
  std::size_t stderr_flood = 0;
  bool is_instant = false;
  bool ignores_term = false;
  bool ignores_quit = false;
  std::string once_file;
};

void describe(CLI::App& app, Options& options) {
  app.add_option("--hang-at", options.script.hang_at, "Fall silent at this command");
  app.add_option("--crash-at", options.script.crash_at, "Exit with code 70 at this command");
  app.add_option("--garbage-at", options.script.garbage_at, "Answer rubbish to this command");
  app.add_option("--wrong-id-at", options.script.wrong_id_at, "Answer with another id");
  app.add_option("--illegal-at", options.script.illegal_at, "This genmove names a taken point");
  app.add_option("--pass-after", options.script.pass_after, "Pass from this many moves on");
  app.add_option("--seed", options.script.seed, "Seed of the random moves");
  app.add_option("--late-ms", options.late_ms, "Time taken by each genmove");
  app.add_option("--slow-start-ms", options.slow_start_ms, "Time before the first answer");
  app.add_option("--stderr-flood", options.stderr_flood, "Bytes to stderr before each answer");
  app.add_option("--once-file", options.once_file, "Fail only if this file can be created");
  app.add_flag("--crlf", options.script.crlf, "End lines with CR LF");
  app.add_flag("--instant", options.is_instant, "Play the first legal point");
  app.add_flag("--ignore-term", options.ignores_term, "Ignore SIGTERM");
  app.add_flag("--ignore-quit", options.ignores_quit, "Outlive quit and the end of input");
}

bool create_once(const std::string& path) {
  const int fd = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

void wait_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

[[noreturn]] void linger() {
  while (true) ::pause();
}

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0) std::_Exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void obey(const std::string& line, ScriptedEngine& engine, const Options& options) {
  if (options.stderr_flood > 0) write_all(STDERR_FILENO, std::string(options.stderr_flood, 'e'));
  if (line.find("genmove") != std::string::npos) wait_ms(options.late_ms);
  if (options.ignores_quit && line.find("quit") != std::string::npos) return;
  write_all(STDOUT_FILENO, engine.feed(line + '\n'));
  if (engine.is_hung()) linger();
  if (engine.has_crashed()) std::_Exit(70);
  if (engine.has_quit()) std::_Exit(0);
}

void serve(ScriptedEngine& engine, const Options& options) {
  std::string line;
  char buffer[4096];
  ssize_t got = 0;
  while ((got = ::read(STDIN_FILENO, buffer, sizeof buffer)) > 0) {
    for (const char c : std::string_view(buffer, static_cast<std::size_t>(got))) {
      if (c != '\n') {
        line.push_back(c);
        continue;
      }
      obey(line, engine, options);
      line.clear();
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("A GTP engine that misbehaves on request");
  describe(app, options);
  CLI11_PARSE(app, argc, argv);
  if (options.is_instant) options.script.style = Script::Style::FirstLegal;
  if (!options.once_file.empty()) {
    options.script.may_fail = [path = options.once_file] { return create_once(path); };
  }
  if (options.ignores_term) ::signal(SIGTERM, SIG_IGN);
  wait_ms(options.slow_start_ms);
  ScriptedEngine engine(options.script);
  serve(engine, options);
  if (options.ignores_quit) linger();
  return 0;
}
