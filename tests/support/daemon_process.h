// A real tengend on a data folder of its own, with everything a test does to it: kill, stop,
// restart on the same data and port, count its engines. Nothing of it outlives the test.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace tengen::tests {

/// The path of one of the build's programs.
std::string program(const std::string& name);

/// One [[profile]] of a daemon's configuration.
struct TestProfile {
  std::string name;
  std::vector<std::string> command;
  int processes_warm = 1;
  int processes_max = 2;
  int search_limit_ms = 60'000;
};
/// A configuration with exactly these profiles.
std::string config_with(const std::vector<TestProfile>& profiles);
/// A [[profile]] whose command is this one for `sh -c`; `more` are further keys, a line each.
std::string shell_profile(const std::string& name, const std::string& shell_command,
                          const std::string& more = "");
/// A command for `sh -c`: the build's fake engine.
std::string fake_engine(const std::string& switches = "");
/// The command line of a fake engine that writes down all it is told.
std::vector<std::string> transcribed_engine(const std::string& transcript,
                                            const std::string& switches);

struct DaemonOptions {
  std::string config;  // TOML; empty: the daemon's own default
  std::chrono::seconds start_limit{20};
};

class DaemonProcess {
 public:
  /// Serves when the constructor returns; throws with the daemon's log when it does not.
  explicit DaemonProcess(DaemonOptions options = {});
  ~DaemonProcess();
  DaemonProcess(const DaemonProcess&) = delete;
  DaemonProcess& operator=(const DaemonProcess&) = delete;

  std::uint16_t port() const { return port_; }
  std::string url() const { return "ws://127.0.0.1:" + std::to_string(port_); }
  pid_t pid() const { return child_->pid(); }
  const TempFolder& folder() const { return folder_; }
  std::string data() const { return folder_.file("data"); }
  /// Standard error of all runs so far.
  std::string log() const { return read_text(folder_.file("log")); }

  /// What /metrics says of this series now.
  double metric(const std::string& series) const;

  /// SIGKILL, and waits until it is gone.
  void kill();
  /// SIGTERM; gives the exit code, minus the signal's number, or nothing when it does not end.
  std::optional<int> stop(std::chrono::milliseconds patience);
  enum class Port : std::uint8_t { Same, Any };
  /// Starts again on the same data after kill or stop.
  void restart(Port port = Port::Any);

  /// Engine processes alive now of the run with this number (from 1; 0: the present one), wrappers
  /// and grandchildren included.
  std::vector<pid_t> engines(int run = 0) const;
  int runs() const { return runs_; }

 private:
  void start(std::uint16_t port);
  std::string tag(int run) const;

  DaemonOptions options_;
  TempFolder folder_;
  std::optional<Child> child_;
  std::uint16_t port_ = 0;
  int runs_ = 0;
};

/// Until the daemon's log has the text; false when it does not come.
bool wait_for_log(const DaemonProcess& daemon, const std::string& text);

}  // namespace tengen::tests
