#include "tests/support/daemon_process.h"

#include <signal.h>

#include <stdexcept>

#include "tests/support/exposition.h"
#include "tests/support/http_client.h"
#include "tests/support/proc.h"

namespace tengen::tests {
namespace {

constexpr std::chrono::seconds kKillLimit{10};

}  // namespace

std::string program(const std::string& name) { return std::string(TENGEN_BIN_DIR) + "/" + name; }

std::string config_with(const std::vector<TestProfile>& profiles) {
  std::string text;
  for (const auto& profile : profiles) {
    text += "[[profile]]\nname = \"" + profile.name + "\"\ncommand = [";
    for (const auto& word : profile.command) text += "'" + word + "', ";
    text += "]\nprocesses_warm = " + std::to_string(profile.processes_warm) +
            "\nprocesses_max = " + std::to_string(profile.processes_max) +
            "\nsearch_limit_ms = " + std::to_string(profile.search_limit_ms) + "\n";
  }
  return text;
}

std::string shell_profile(const std::string& name, const std::string& shell_command,
                          const std::string& more) {
  return "[[profile]]\nname = '" + name + "'\ncommand = [\"sh\", \"-c\", '''" + shell_command +
         "''']\n" + more;
}

std::string fake_engine(const std::string& switches) {
  return "exec \"" + program("fake_engine") + "\" " + switches;
}

std::vector<std::string> transcribed_engine(const std::string& transcript,
                                            const std::string& switches) {
  return {"sh", "-c",
          "tee -a \"" + transcript + "\" | \"" + program("fake_engine") + "\" " + switches};
}

DaemonProcess::DaemonProcess(DaemonOptions options) : options_(std::move(options)) {
  if (!options_.config.empty()) folder_.write("tengend.toml", options_.config);
  start(0);
}

DaemonProcess::~DaemonProcess() {
  child_.reset();
  // Engines are the keeper's to kill; whatever it has left behind is not left to the machine.
  const auto all_gone = [this] {
    for (int run = 1; run <= runs_; ++run) {
      if (!engines(run).empty()) return false;
    }
    return true;
  };
  if (wait_until(all_gone, std::chrono::seconds(2))) return;
  for (int run = 1; run <= runs_; ++run) {
    for (const pid_t engine : engines(run)) ::kill(engine, SIGKILL);
  }
}

double DaemonProcess::metric(const std::string& series) const {
  return read_exposition(http_get(port_, "/metrics").body).at(series);
}

void DaemonProcess::kill() {
  child_->send_signal(SIGKILL);
  if (!child_->wait(kKillLimit)) throw std::runtime_error("tengend outlives SIGKILL");
}

std::optional<int> DaemonProcess::stop(std::chrono::milliseconds patience) {
  child_->send_signal(SIGTERM);
  return child_->wait(patience);
}

void DaemonProcess::restart(Port port) {
  child_.reset();
  start(port == Port::Same ? port_ : 0);
}

void DaemonProcess::start(std::uint16_t port) {
  ++runs_;
  const std::string port_file = folder_.file("port");
  std::filesystem::remove(port_file);
  ChildSpec spec;
  spec.argv = {
      program("tengend"), "--listen", "127.0.0.1:" + std::to_string(port), "--port-file", port_file,
      "--data",           data()};
  if (!options_.config.empty()) {
    spec.argv.insert(spec.argv.end(), {"--config", folder_.file("tengend.toml")});
  }
  spec.environment = {tag(runs_)};
  spec.error_file = folder_.file("log");
  child_.emplace(spec);
  bool has_ended = false;
  const bool serves = wait_until(
      [&] {
        has_ended = child_->wait(std::chrono::milliseconds(0)).has_value();
        return has_ended || std::filesystem::exists(port_file);
      },
      options_.start_limit);
  if (has_ended || !serves) throw std::runtime_error("tengend does not serve:\n" + log());
  port_ = static_cast<std::uint16_t>(std::stoi(read_text(port_file)));
}

// Of the daemon's environment engines get only what is on a list; variables of the locale are.
std::string DaemonProcess::tag(int run) const {
  return "LC_TENGEN_TEST_RUN=" + folder_.path().filename().string() + "." + std::to_string(run);
}

std::vector<pid_t> DaemonProcess::engines(int run) const {
  auto found = processes_with(tag(run == 0 ? runs_ : run));
  std::erase_if(found, [](pid_t pid) {
    // The daemon, its keeper, and a child of it that has not become an engine yet.
    const std::string path = program_of(pid);
    return path.empty() || path.ends_with("/tengend") || path.ends_with("/tengend (deleted)");
  });
  return found;
}

bool wait_for_log(const DaemonProcess& daemon, const std::string& text) {
  return wait_until([&] { return daemon.log().find(text) != std::string::npos; }, kEventually);
}

}  // namespace tengen::tests
