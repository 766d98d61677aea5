#include "tests/support/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "pool/spawn.h"
#include "tests/support/proc.h"
#include "tests/support/temp_folder.h"

namespace tengen::tests {
namespace {

constexpr int kCannotRun = 127;  // as a shell says it

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

/// What a child needs, prepared before it exists.
struct Plan {
  const char* program;
  std::vector<char*> argv;
  std::vector<char*> environment;
  int input;  // negative: the file
  pid_t parent;
};

void open_as(int fd, const std::string& path, int flags) {
  const int opened = ::open(path.c_str(), flags, 0600);
  if (opened < 0 || ::dup2(opened, fd) < 0) ::_exit(kCannotRun);
}

// A test that crashes takes its children with it.
[[noreturn]] void become(const ChildSpec& spec, const Plan& plan) {
  constexpr int kAppend = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.parent) ::_exit(kCannotRun);
  if (plan.input < 0) {
    open_as(STDIN_FILENO, spec.input_file, O_RDONLY | O_CLOEXEC);
  } else if (::dup2(plan.input, STDIN_FILENO) < 0) {
    ::_exit(kCannotRun);
  }
  open_as(STDOUT_FILENO, spec.output_file, kAppend);
  open_as(STDERR_FILENO, spec.error_file, kAppend);
  ::execve(plan.program, plan.argv.data(), plan.environment.data());
  ::_exit(kCannotRun);
}

}  // namespace

Child::Child(const ChildSpec& spec) {
  int ends[2] = {-1, -1};
  if (spec.has_input_pipe && ::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  // Everything that allocates is done before the fork.
  const std::string program = pool::find_program(spec.argv.front());
  const auto environment = environment_with(spec.environment);
  const Plan plan{program.c_str(), pointers(spec.argv), pointers(environment), ends[0], ::getpid()};
  pid_ = ::fork();
  if (pid_ == 0) become(spec, plan);
  if (ends[0] >= 0) ::close(ends[0]);
  input_ = ends[1];
  if (pid_ < 0) {
    close_input();
    throw std::system_error(errno, std::generic_category(), "fork");
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
