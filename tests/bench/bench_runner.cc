// Moves per second and CPU time per move of the whole path (frame, rules, store, instant engine,
// frames), beside a bare relay in the same run, in alternating rounds. Figures, not a test.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "protocol/codec.h"
#include "tests/bench/load.h"
#include "tests/support/caller.h"
#include "tests/support/child.h"
#include "tests/support/daemon_process.h"
#include "tests/support/proc.h"

namespace tengen::tests {
namespace {

struct Options {
  double seconds = 3;
  int rounds = 5;
  int connections = 32;
  int engines = 4;
};

struct Frames {
  std::size_t play = 0;
  std::size_t accepted = 0;
  std::size_t push = 0;
};

/// The sizes of one move's frames in the middle of a game.
Frames typical_frames() {
  const rules::GameId game{0x0190'0000'0000'7000, 0x8000'0000'0000'0000};
  const rules::Size size{9, 9};
  const rules::Stamp stamp{1'700'000'000'000, ""};
  const rules::Event event{42, stamp, rules::Played{rules::Color::White, rules::Point::at(3, 3)}};
  constexpr auto kBinary = protocol::Format::Binary;
  return {
      encode(kBinary, protocol::ClientFrame{41, protocol::Play{game, 0, "r41", 40, "D4"}}).size(),
      encode(kBinary, protocol::ServerFrame{41, protocol::Accepted{game, 41, 41, std::nullopt}})
          .size(),
      encode(kBinary, protocol::ServerFrame{0, protocol::GameEvents{game, size, {event}}}).size()};
}

struct RoundFigures {
  double moves_per_second = 0;
  double cpu_per_move = 0;       // microseconds of the server
  double user_per_move = 0;      // of these
  double system_per_move = 0;    // of these
  double children_per_move = 0;  // microseconds of its engines or echo processes
  double client_per_move = 0;    // microseconds of this program
  double switches_per_move = 0;  // voluntary, of the server
  double frames_per_move = 0;    // received by clients
  double bytes_per_frame = 0;
};

double own_cpu_us() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto us = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  };
  return us(usage.ru_utime) + us(usage.ru_stime);
}

double us(std::chrono::microseconds time) { return static_cast<double>(time.count()); }

/// All that is measured of one server, at one moment.
struct Reading {
  CpuTime server;
  double children = 0;
  double client = 0;
  double voluntary = 0;
  std::chrono::steady_clock::time_point at;
};

Reading read_figures(pid_t server) {
  Reading reading;
  reading.server = cpu_time_of(server);
  for (const pid_t child : children_of(server)) reading.children += us(cpu_time_of(child).total());
  reading.client = own_cpu_us();
  reading.voluntary = static_cast<double>(switches_of(server).voluntary);
  reading.at = std::chrono::steady_clock::now();
  return reading;
}

RoundFigures measure(Load& load, pid_t server, double seconds) {
  const auto before = read_figures(server);
  const auto counts =
      load.run_for(std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)));
  const auto after = read_figures(server);
  const auto moves = static_cast<double>(std::max<std::uint64_t>(counts.moves, 1));
  const std::chrono::duration<double> took = after.at - before.at;
  RoundFigures figures;
  figures.moves_per_second = moves / took.count();
  figures.cpu_per_move = us(after.server.total() - before.server.total()) / moves;
  figures.user_per_move = us(after.server.user - before.server.user) / moves;
  figures.system_per_move = us(after.server.system - before.server.system) / moves;
  figures.children_per_move = (after.children - before.children) / moves;
  figures.client_per_move = (after.client - before.client) / moves;
  figures.switches_per_move = (after.voluntary - before.voluntary) / moves;
  figures.frames_per_move = static_cast<double>(counts.frames) / moves;
  figures.bytes_per_frame = static_cast<double>(counts.bytes) /
                            static_cast<double>(std::max<std::uint64_t>(counts.frames, 1));
  return figures;
}

using Rounds = std::vector<RoundFigures>;

std::vector<double> sorted(const Rounds& rounds, double RoundFigures::*figure) {
  std::vector<double> values;
  for (const auto& round : rounds) values.push_back(round.*figure);
  std::sort(values.begin(), values.end());
  return values;
}

double median(const Rounds& rounds, double RoundFigures::*figure) {
  const auto values = sorted(rounds, figure);
  const auto half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void print_row(const char* name, const Rounds& tengend, const Rounds& relay,
               double RoundFigures::*figure) {
  const auto text = [&](const Rounds& rounds) {
    const auto values = sorted(rounds, figure);
    char line[64];
    std::snprintf(line, sizeof line, "%9.1f (%.1f - %.1f)", median(rounds, figure), values.front(),
                  values.back());
    return std::string(line);
  };
  std::printf("%-34s %-32s %s\n", name, text(tengend).c_str(), text(relay).c_str());
}

void print_table(const Rounds& tengend, const Rounds& relay) {
  std::printf("%-34s %-32s %s\n", "median (lowest - highest)", "   tengend", "   bare relay");
  print_row("moves per second", tengend, relay, &RoundFigures::moves_per_second);
  print_row("server CPU per move, us", tengend, relay, &RoundFigures::cpu_per_move);
  print_row("  user", tengend, relay, &RoundFigures::user_per_move);
  print_row("  system", tengend, relay, &RoundFigures::system_per_move);
  print_row("child processes' CPU per move, us", tengend, relay, &RoundFigures::children_per_move);
  print_row("client's CPU per move, us", tengend, relay, &RoundFigures::client_per_move);
  print_row("voluntary switches per move", tengend, relay, &RoundFigures::switches_per_move);
  print_row("frames back per move", tengend, relay, &RoundFigures::frames_per_move);
  print_row("bytes per frame back", tengend, relay, &RoundFigures::bytes_per_frame);
  std::printf(
      "\nserver CPU per move, tengend / bare relay: %.2f\n",
      median(tengend, &RoundFigures::cpu_per_move) / median(relay, &RoundFigures::cpu_per_move));
}

std::string instant_engines(int count) {
  return config_with({{"instant", {program("fake_engine"), "--instant"}, count, count}});
}

/// The relay's process and the port it has printed.
class Relay {
 public:
  Relay(const Options& options, const Frames& frames) : child_(spec(options, frames)) {
    const auto has_printed = [this] { return read_text(folder_.file("port")).ends_with('\n'); };
    if (!wait_until(has_printed, std::chrono::seconds(20))) {
      throw std::runtime_error("the relay does not start");
    }
    port_ = static_cast<std::uint16_t>(std::stoi(read_text(folder_.file("port"))));
  }
  std::uint16_t port() const { return port_; }
  pid_t pid() const { return child_.pid(); }

 private:
  ChildSpec spec(const Options& options, const Frames& frames) const {
    ChildSpec spec;
    spec.argv = {program("bare_relay"),           "--children",
                 std::to_string(options.engines), "--first-bytes",
                 std::to_string(frames.accepted), "--second-bytes",
                 std::to_string(frames.push)};
    spec.output_file = folder_.file("port");
    return spec;
  }

  TempFolder folder_;
  Child child_;
  std::uint16_t port_ = 0;
};

void compare(const Options& options) {
  const auto frames = typical_frames();
  DaemonProcess daemon({instant_engines(options.engines)});
  const Relay relay(options, frames);
  const auto games = Load::games(daemon.port(), options.connections);
  const auto echoes = Load::echoes(relay.port(), options.connections, frames.play);
  std::printf("%d connections, %d engines, %d rounds of %.1f s each\n\n", options.connections,
              options.engines, options.rounds, options.seconds);
  std::fflush(stdout);
  games->run_for(std::chrono::milliseconds(500));  // every engine is started and warm
  echoes->run_for(std::chrono::milliseconds(500));
  Rounds tengend;
  Rounds bare;
  for (int round = 0; round < options.rounds; ++round) {
    tengend.push_back(measure(*games, daemon.pid(), options.seconds));
    bare.push_back(measure(*echoes, relay.pid(), options.seconds));
  }
  print_table(tengend, bare);
}

}  // namespace
}  // namespace tengen::tests

int main(int argc, char** argv) {
  tengen::tests::Options options;
  CLI::App app("Measures tengend beside a bare relay");
  app.add_option("--seconds", options.seconds, "Length of a round")->check(CLI::Range(0.1, 10.0));
  app.add_option("--rounds", options.rounds, "Rounds of each")->check(CLI::Range(1, 100));
  app.add_option("--connections", options.connections, "Clients")->check(CLI::Range(1, 64));
  app.add_option("--engines", options.engines, "Processes")->check(CLI::Range(1, 64));
  CLI11_PARSE(app, argc, argv);
  try {
    tengen::tests::compare(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_runner: %s\n", error.what());
    return 1;
  }
  return 0;
}
