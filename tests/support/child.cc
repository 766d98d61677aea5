#include "tests/support/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "pool/spawn.h"
#include "tests/support/proc.h"
#include "tests/support/temp_folder.h"

namespace tengen::tests {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const auto& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment_with(const std::vector<std::string>& added) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) all.emplace_back(*each);
  all.insert(all.end(), added.begin(), added.end());
  return all;
}

}  // namespace

Child::Child(const ChildSpec& spec) {
  int ends[2] = {-1, -1};
  if (spec.has_input_pipe && ::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  if (spec.has_input_pipe) {
    ::posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
  } else {
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, spec.input_file.c_str(), O_RDONLY, 0);
  }
  constexpr int kAppend = O_WRONLY | O_CREAT | O_APPEND;
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, spec.output_file.c_str(), kAppend,
                                     0600);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, spec.error_file.c_str(), kAppend, 0600);
  const std::string program = pool::find_program(spec.argv.front());
  const auto environment = environment_with(spec.environment);
  const int error = ::posix_spawn(&pid_, program.c_str(), &files, nullptr,
                                  pointers(spec.argv).data(), pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&files);
  if (ends[0] >= 0) ::close(ends[0]);
  input_ = ends[1];
  if (error != 0) {
    if (input_ >= 0) ::close(input_);
    throw std::system_error(error, std::generic_category(), spec.argv.front());
  }
}

Child::Child(Child&& other) noexcept
    : pid_(other.pid_), input_(other.input_), status_(other.status_) {
  other.pid_ = 0;
  other.input_ = -1;
}

Child::~Child() {
  close_input();
  if (pid_ == 0 || status_) return;
  send_signal(SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Child::send_signal(int signal) const {
  if (!status_) ::kill(pid_, signal);
}

void Child::write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t done = ::write(input_, text.data(), text.size());
    if (done < 0) throw std::system_error(errno, std::generic_category(), "a child's input");
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

void Child::close_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

std::optional<int> Child::wait(std::chrono::milliseconds patience) {
  int status = 0;
  const bool has_ended =
      status_ || wait_until([&] { return ::waitpid(pid_, &status, WNOHANG) == pid_; }, patience);
  if (!has_ended) return std::nullopt;
  if (!status_) status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return status_;
}

Ran run(const std::vector<std::string>& argv, std::string_view input,
        std::chrono::milliseconds patience) {
  constexpr int kKilledByUs = -1000;
  const TempFolder folder;
  ChildSpec spec;
  spec.argv = argv;
  spec.input_file = folder.write("in", input);
  spec.output_file = folder.file("out");
  spec.error_file = folder.file("err");
  const int status = Child(spec).wait(patience).value_or(kKilledByUs);
  return {status, read_text(spec.output_file), read_text(spec.error_file)};
}

}  // namespace tengen::tests
