// The scripted engine as a process over standard input and output, for tests with real pipes,
// signals and time. An analysis ticks while nothing is read.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
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
  std::string persona = "plain";
  std::string illegal = "occupied";
  int late_ms = 0;
  int slow_start_ms = 0;
  int tick_ms = 50;
  std::size_t stderr_flood = 0;
  bool is_instant = false;
  bool ignores_term = false;
  bool ignores_quit = false;
  std::string once_file;
  std::string insult_file;
};

void describe(CLI::App& app, Options& options) {
  app.add_option("--persona", options.persona,
                 "Whom it plays: plain, gnugo, leela-zero, pachi, katago, bare");
  app.add_option("--also-knows", options.script.also_knows, "Commands beside the persona's own");
  app.add_option("--lacks", options.script.lacks, "Commands of the persona's that it lacks");
  app.add_option("--pass-after", options.script.pass_after, "Pass from this many moves on");
  app.add_option("--dead", options.script.dead_given, "Vertices that final_status_list names");
  app.add_option("--seed", options.script.seed, "Seed of the random moves");
  app.add_option("--late-ms", options.late_ms, "Time taken by each genmove");
  app.add_option("--slow-start-ms", options.slow_start_ms, "Time before the first answer");
  app.add_option("--tick-ms", options.tick_ms, "Time between two updates of an analysis");
  app.add_option("--candidates", options.script.candidates, "Moves that an analysis tells of")
      ->check(CLI::Range(1, 25));
  app.add_option("--variation", options.script.variation, "Moves of the variation of each");
  app.add_option("--stderr-flood", options.stderr_flood, "Bytes to stderr before each answer");
  app.add_option("--once-file", options.once_file, "Fail only if this file can be created");
  app.add_option("--insult-file", options.insult_file,
                 "Write to this file what no careful client would have sent");
  app.add_flag("--crlf", options.script.crlf, "End lines with CR LF");
  app.add_flag("--tabs", options.script.tabs, "Write tabs for blanks");
  app.add_flag("--form-feeds", options.script.form_feeds, "Write control characters");
  app.add_flag("--instant", options.is_instant, "Play the first legal point");
  app.add_flag("--ignore-term", options.ignores_term, "Ignore SIGTERM");
  app.add_flag("--ignore-quit", options.ignores_quit, "Outlive quit and the end of input");
}

// GNU Go's own switches, which variants of its profile append.
void describe_rules(CLI::App& app, Script& script) {
  using tengen::rules::KoRule;
  using tengen::rules::SuicideRule;
  const auto ko = [&](const char* name, KoRule rule) {
    app.add_flag_callback(name, [&script, rule] { script.ko = rule; });
  };
  const auto suicide = [&](const char* name, SuicideRule rule) {
    app.add_flag_callback(name, [&script, rule] { script.suicide = rule; });
  };
  ko("--simple-ko", KoRule::Simple);
  ko("--positional-superko", KoRule::Positional);
  ko("--situational-superko", KoRule::Situational);
  suicide("--forbid-suicide", SuicideRule::No);
  suicide("--allow-suicide", SuicideRule::Multi);
  suicide("--allow-all-suicide", SuicideRule::Any);
  app.add_flag_callback("--chinese-rules", [] {});
  app.add_flag_callback("--japanese-rules", [] {});
}

void describe_faults(CLI::App& app, Script& script, std::string& illegal) {
  app.add_option("--hang-at", script.hang_at, "Fall silent at this command");
  app.add_option("--crash-at", script.crash_at, "Exit with code 70 at this command");
  app.add_option("--garbage-at", script.garbage_at, "Answer rubbish to this command");
  app.add_option("--wrong-id-at", script.wrong_id_at, "Answer with another id");
  app.add_option("--no-id-at", script.no_id_at, "Answer without an id");
  app.add_option("--late-at", script.late_at, "Answer after the next command");
  app.add_option("--twice-at", script.twice_at, "Answer twice");
  app.add_option("--double-at", script.double_at, "Answer with an error and then in earnest");
  app.add_option("--short-newline-at", script.short_newline_at, "Leave a newline out");
  app.add_option("--surplus-newline-at", script.surplus_newline_at, "Write a newline too many");
  app.add_option("--huge-line-at", script.huge_line_at, "Answer with an endless line");
  app.add_option("--chatter-every", script.chatter_every, "Talk before each n-th answer");
  app.add_option("--inner-blank-at", script.inner_blank_at, "Leave a line of this list empty");
  app.add_option("--refuse", script.refuse_command, "Refuse this command ...");
  app.add_option("--refuse-at", script.refuse_at, "... the n-th time");
  app.add_option("--drop-play-at", script.drop_play_at, "Take this play and forget it");
  app.add_option("--illegal-at", script.illegal_at, "This genmove names a forbidden point");
  app.add_option("--illegal", illegal, "Which one: occupied, ko, suicide, off-board");
  app.add_option("--resign-at", script.resign_at, "Resign at this genmove");
  app.add_option("--cancelled-at", script.cancelled_at, "Answer 'cancelled' to this genmove");
  app.add_option("--stream-ticks-max", script.stream_ticks_max, "End an analysis by itself");
  app.add_option("--stream-crash-at", script.stream_crash_at, "Crash at this update");
  app.add_option("--stream-huge-at", script.stream_huge_at, "Make this update endless");
  app.add_option("--stream-nan-at", script.stream_nan_at, "Write no number in this update");
  app.add_option("--stream-off-board-at", script.stream_off_board_at, "Name no point in this one");
  app.add_flag("--stream-hangs", script.stream_hangs, "Hang where an analysis should stop");
}

bool finish(Options& options) {
  const auto persona = tengen::tests::parse_persona(options.persona);
  if (!persona) return false;
  Script& script = options.script;
  script.persona = *persona;
  if (options.is_instant) script.style = Script::Style::FirstLegal;
  if (!script.dead_given.empty()) script.dead = Script::Dead::Given;
  using Illegal = Script::Illegal;
  if (options.illegal == "ko") script.illegal = Illegal::Ko;
  if (options.illegal == "suicide") script.illegal = Illegal::Suicide;
  if (options.illegal == "off-board") script.illegal = Illegal::OffBoard;
  return true;
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
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) std::_Exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

class Process {
 public:
  explicit Process(const Options& options) : options_(options), engine_(options.script) {}

  /// Until the end of its input.
  void serve() {
    char buffer[4096];
    while (true) {
      if (!wait_for_input()) continue;
      const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      take(std::string_view(buffer, static_cast<std::size_t>(got)));
    }
    if (options_.ignores_quit) return;
    say(engine_.feed(line_));
    say(engine_.end_input());
    leave();
  }

 private:
  /// False when a tick has passed instead.
  bool wait_for_input() {
    if (!engine_.is_streaming()) return true;
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&input, 1, options_.tick_ms);
    if (ready != 0) return ready > 0;
    say(engine_.tick());
    leave();
    return false;
  }

  void take(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto end = bytes.find('\n');
      line_ += bytes.substr(0, end);
      if (end == std::string_view::npos) return;
      bytes.remove_prefix(end + 1);
      obey(line_ + '\n');
      line_.clear();
    }
  }

  void obey(const std::string& line) {
    if (options_.stderr_flood > 0) {
      write_all(STDERR_FILENO, std::string(options_.stderr_flood, 'e'));
    }
    const bool is_search =
        line.find("genmove") != std::string::npos || line.find("kata-search") != std::string::npos;
    if (is_search) wait_ms(options_.late_ms);
    if (options_.ignores_quit && line.find("quit") != std::string::npos) return;
    say(engine_.feed(line));
    leave();
  }

  void say(const std::string& bytes) {
    write_all(STDOUT_FILENO, bytes);
    if (options_.insult_file.empty() || !engine_.insult() || is_insult_told_) return;
    is_insult_told_ = true;
    const int fd =
        ::open(options_.insult_file.c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0) return;
    write_all(fd, *engine_.insult() + '\n');
    ::close(fd);
  }

  /// As the engine did, if it did.
  void leave() const {
    if (engine_.is_hung()) linger();
    if (engine_.has_crashed()) std::_Exit(70);
    if (engine_.has_quit()) std::_Exit(0);
  }

  const Options& options_;
  ScriptedEngine engine_;
  std::string line_;
  bool is_insult_told_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("A GTP engine that plays another one, and misbehaves on request");
  describe(app, options);
  describe_rules(app, options.script);
  describe_faults(app, options.script, options.illegal);
  CLI11_PARSE(app, argc, argv);
  if (!finish(options)) return 2;
  if (!options.once_file.empty()) {
    options.script.may_fail = [path = options.once_file] { return create_once(path); };
  }
  if (options.ignores_term) ::signal(SIGTERM, SIG_IGN);
  wait_ms(options.slow_start_ms);
  Process process(options);
  process.serve();
  if (options.ignores_quit) linger();
  return 0;
}
