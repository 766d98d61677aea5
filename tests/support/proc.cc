#include "tests/support/proc.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <thread>

#include "tests/support/temp_folder.h"

namespace tengen::tests {
namespace {

std::string folder_of(pid_t pid) { return "/proc/" + std::to_string(pid); }

// The fields of /proc/PID/stat from the third on: the second, the name, may hold anything.
std::vector<std::string> stat_fields(pid_t pid) {
  const std::string text = read_text(folder_of(pid) + "/stat");
  const auto end = text.rfind(')');
  std::vector<std::string> fields;
  if (end == std::string::npos) return fields;
  std::istringstream words(text.substr(end + 1));
  for (std::string word; words >> word;) fields.push_back(word);
  return fields;
}

std::vector<pid_t> numbered_entries(const std::string& folder) {
  std::vector<pid_t> found;
  DIR* directory = ::opendir(folder.c_str());
  if (directory == nullptr) return found;
  while (const dirent* entry = ::readdir(directory)) {
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error == std::errc() && end == name.data() + name.size()) found.push_back(pid);
  }
  ::closedir(directory);
  return found;
}

bool has_variable(const std::string& environment, std::string_view variable) {
  for (auto at = environment.find(variable); at != std::string::npos;
       at = environment.find(variable, at + 1)) {
    const auto end = at + variable.size();
    const bool is_begin = at == 0 || environment[at - 1] == '\0';
    if (is_begin && (end == environment.size() || environment[end] == '\0')) return true;
  }
  return false;
}

std::chrono::microseconds ticks(const std::string& text) {
  return std::chrono::microseconds(std::stoll(text) * 1'000'000 / ::sysconf(_SC_CLK_TCK));
}

std::uint64_t number_after(const std::string& text, std::string_view label) {
  const auto at = text.find(label);
  return at == std::string::npos ? 0 : std::stoull(text.substr(at + label.size()));
}

}  // namespace

bool wait_until(const std::function<bool()>& is_met, std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!is_met()) {
    if (std::chrono::steady_clock::now() >= end) return is_met();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

bool is_alive(pid_t pid) {
  const auto fields = stat_fields(pid);
  return !fields.empty() && fields[0] != "Z" && fields[0] != "X";
}

std::string program_of(pid_t pid) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink(folder_of(pid) + "/exe", error);
  return error ? std::string() : program.string();
}

std::string command_line_of(pid_t pid) {
  std::string text = read_text(folder_of(pid) + "/cmdline");
  std::replace(text.begin(), text.end(), '\0', ' ');
  if (!text.empty()) text.pop_back();
  return text;
}

std::vector<pid_t> processes_with(std::string_view variable) {
  auto found = numbered_entries("/proc");
  std::erase_if(found, [&](pid_t pid) {
    return !has_variable(read_text(folder_of(pid) + "/environ"), variable) || !is_alive(pid);
  });
  return found;
}

std::vector<pid_t> children_of(pid_t pid) {
  const std::string main_thread = folder_of(pid) + "/task/" + std::to_string(pid);
  std::istringstream words(read_text(main_thread + "/children"));
  std::vector<pid_t> found;
  for (pid_t child = 0; words >> child;) found.push_back(child);
  return found;
}

CpuTime cpu_time_of(pid_t pid) {
  constexpr std::size_t kUserField = 11;  // utime is the 14th of all fields
  const auto fields = stat_fields(pid);
  if (fields.size() <= kUserField + 1) return {};
  return {ticks(fields[kUserField]), ticks(fields[kUserField + 1])};
}

std::size_t resident_kb_of(pid_t pid) {
  return number_after(read_text(folder_of(pid) + "/status"), "\nVmRSS:");
}

// A line is `N: LOCAL:PORT REMOTE:PORT STATE SENDING:RECEIVED ...`, in hexadecimal: what the sender
// has not been told that it arrived, and what the receiver has not read.
std::size_t unread_bytes_from(std::uint16_t port) {
  std::istringstream lines(read_text("/proc/net/tcp"));
  std::size_t bytes = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, local, remote, state, queues;
    if (!(words >> number >> local >> remote >> state >> queues) || number == "sl") continue;
    const auto after_colon = [](const std::string& text) {
      return std::stoul(text.substr(text.find(':') + 1), nullptr, 16);
    };
    if (after_colon(local) == port) bytes += std::stoul(queues, nullptr, 16);
    if (after_colon(remote) == port) bytes += after_colon(queues);
  }
  return bytes;
}

Switches switches_of(pid_t pid) {
  Switches all;
  const std::string tasks = folder_of(pid) + "/task";
  for (const pid_t task : numbered_entries(tasks)) {
    const std::string status = read_text(tasks + "/" + std::to_string(task) + "/status");
    all.voluntary += number_after(status, "\nvoluntary_ctxt_switches:");
    all.involuntary += number_after(status, "\nnonvoluntary_ctxt_switches:");
  }
  return all;
}

}  // namespace tengen::tests
