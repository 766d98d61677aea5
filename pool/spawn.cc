// See spawn.h. vfork, because fork takes milliseconds in a large process and posix_spawn cannot set
// the death signal. Between vfork and exec the child shares our memory: only async-signal-safe
// calls there, and nothing of ours is written. Failures come back through a close-on-exec pipe, not
// through the shared memory, because sanitizers turn vfork into fork.
#include "pool/spawn.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>
#include <vector>

namespace tengen::pool {
namespace {

constexpr int kFirstFreeFd = 3;
constexpr int kSignalsEnd = 65;  // Linux has 1..64

enum class Stage : int {
  Setup,
  Niceness,
  CoreFiles,
  OpenFiles,
  CpuTime,
  Memory,
  Directory,
  Program
};

struct ChildFailure {
  Stage stage;
  int error;
};

struct ResourceLimit {
  decltype(RLIMIT_AS) resource;
  rlimit value;
  Stage stage;
};

/// All that the child needs, prepared before it exists.
struct Plan {
  const char* program;
  char* const* argv;
  char* const* environment;
  const char* directory;        // null: stay
  const ResourceLimit* limits;  // the address space last
  std::size_t limits_count;
  const int* niceness;  // null: stay
  int input;
  int output;
  int error;
  int report;
  pid_t parent;
  Keeper* keeper;
};

std::string error_text(int error) { return std::strerror(error); }

Descriptor lifted(int fd) {
  if (fd >= kFirstFreeFd) return Descriptor(fd);
  const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, kFirstFreeFd);
  ::close(fd);
  return Descriptor(copy);
}

// --- In the child.

[[noreturn]] void fail(const Plan& plan, Stage stage) {
  const ChildFailure failure{stage, errno};
  [[maybe_unused]] const auto written = ::write(plan.report, &failure, sizeof failure);
  ::_exit(127);
}

void reset_signals() {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < kSignalsEnd; ++signal) ::sigaction(signal, &standard, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become_engine(const Plan& plan) {
  if (::setpgid(0, 0) != 0) fail(plan, Stage::Setup);
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail(plan, Stage::Setup);
  if (::getppid() != plan.parent) ::_exit(127);  // the parent died before the line above
  ::signal(SIGPIPE, SIG_IGN);      // NOLINT(cert-err33-c): it cannot fail; a keeper may be dead
  plan.keeper->watch(::getpid());  // one write
  reset_signals();
  if (::dup2(plan.input, STDIN_FILENO) < 0 || ::dup2(plan.output, STDOUT_FILENO) < 0 ||
      ::dup2(plan.error, STDERR_FILENO) < 0) {
    fail(plan, Stage::Setup);
  }
  if (::close_range(kFirstFreeFd, ~0u, CLOSE_RANGE_CLOEXEC) != 0) fail(plan, Stage::Setup);
  if (plan.directory != nullptr && ::chdir(plan.directory) != 0) fail(plan, Stage::Directory);
  if (plan.niceness != nullptr && ::setpriority(PRIO_PROCESS, 0, *plan.niceness) != 0) {
    fail(plan, Stage::Niceness);
  }
  // From here to exec even the stack may not grow: our own memory may be above the limit.
  for (std::size_t i = 0; i < plan.limits_count; ++i) {
    const ResourceLimit& limit = plan.limits[i];
    if (::setrlimit(limit.resource, &limit.value) != 0) fail(plan, limit.stage);
  }
  ::execve(plan.program, plan.argv, plan.environment);
  fail(plan, Stage::Program);
}

// --- In the parent.

/// Signals stay blocked until the child has its own dispositions: a handler of ours must not run in
/// shared memory.
__attribute__((noinline)) pid_t vfork_engine(const Plan& plan) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::vfork();
  // The child calls only what is safe in shared memory, and ends in exec or _exit.
  if (pid == 0) become_engine(plan);  // NOLINT(clang-analyzer-unix.Vfork)
  const int error = errno;
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

const char* name_of(Stage stage) {
  switch (stage) {
    case Stage::Niceness:
      return "its niceness: ";
    case Stage::CoreFiles:
      return "its limit of core files: ";
    case Stage::OpenFiles:
      return "its limit of open files: ";
    case Stage::CpuTime:
      return "its limit of processor time: ";
    case Stage::Memory:
      return "its limit of memory: ";
    case Stage::Setup:
    case Stage::Directory:
    case Stage::Program:
      break;
  }
  return "";
}

/// Waits for exec (the pipe closes) or for a report.
std::string read_report(int report, const Spawn& what) {
  ChildFailure failure;
  ssize_t got = 0;
  do {
    got = ::read(report, &failure, sizeof failure);
  } while (got < 0 && errno == EINTR);
  if (got != sizeof failure) return {};
  const std::string why = error_text(failure.error);
  if (failure.stage == Stage::Program) return what.argv.front() + ": " + why;
  if (failure.stage == Stage::Directory) return what.directory + ": " + why;
  return std::string("the process cannot be set up: ") + name_of(failure.stage) + why;
}

// glibc 2.36 declares pidfd_open without C linkage.
int open_pidfd(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

void stop_blocking(const Descriptor& descriptor) {
  ::fcntl(descriptor.get(), F_SETFL, ::fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

void abandon(pid_t pid) {
  ::kill(pid, SIGKILL);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool is_passed_on(std::string_view name) {
  return std::any_of(std::begin(kEnvironment), std::end(kEnvironment), [&](std::string_view each) {
    return each.ends_with('_') ? name.starts_with(each) : name == each;
  });
}

/// The processor's time ends with SIGXCPU, which says why, and a second later with SIGKILL.
std::vector<ResourceLimit> limits_of(const ProcessLimits& wanted) {
  std::vector<ResourceLimit> limits = {{RLIMIT_CORE, {0, 0}, Stage::CoreFiles}};
  if (wanted.files > 0) {
    limits.push_back({RLIMIT_NOFILE, {wanted.files, wanted.files}, Stage::OpenFiles});
  }
  if (wanted.cpu_seconds > 0) {
    limits.push_back({RLIMIT_CPU, {wanted.cpu_seconds, wanted.cpu_seconds + 1}, Stage::CpuTime});
  }
  if (wanted.address_space_bytes > 0) {
    limits.push_back(
        {RLIMIT_AS, {wanted.address_space_bytes, wanted.address_space_bytes}, Stage::Memory});
  }
  return limits;
}

/// The texts as exec takes them, valid as long as the texts are.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this == &other) return *this;
  reset();
  fd_ = other.release();
  return *this;
}

int Descriptor::release() {
  const int fd = fd_;
  fd_ = -1;
  return fd;
}

void Descriptor::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  Pipe pipe{lifted(ends[0]), lifted(ends[1])};
  if (!pipe.read.is_open() || !pipe.write.is_open()) return {};
  return pipe;
}

namespace {

/// Where the running program lies.
std::string own_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string();
}

bool is_program(const std::string& path) {
  std::error_code error;
  return ::access(path.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(path, error);
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  const std::string folders =
      own_folder() + ':' + (path == nullptr ? "/usr/bin:/bin" : path) + ":/usr/games";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string candidate = folders.substr(begin, end - begin) + '/' + name;
    if (candidate.front() == '/' && candidate[1] != '/' && is_program(candidate)) return candidate;
    begin = end + 1;
  }
  return {};
}

std::vector<std::string> child_environment(const std::vector<std::string>& entries) {
  std::map<std::string, std::string> variables;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string text = *each;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = text.substr(0, equals);
    const bool is_named = std::find(entries.begin(), entries.end(), name) != entries.end();
    if (is_named || is_passed_on(name)) variables.emplace(name, text);
  }
  for (const std::string& entry : entries) {
    const std::size_t equals = entry.find('=');
    if (equals != std::string::npos) variables[entry.substr(0, equals)] = entry;
  }
  std::vector<std::string> texts;
  for (auto& [name, text] : variables) texts.push_back(std::move(text));
  return texts;
}

std::variant<Spawned, std::string> spawn_process(const Spawn& what, Keeper& keeper) {
  const std::string program = find_program(what.argv.front());
  if (program.empty())
    return what.argv.front() + ": not found beside tengend, in PATH or in /usr/games";
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  Pipe error = make_pipe();
  Pipe report = make_pipe();
  for (const Pipe* pipe : {&input, &output, &error, &report}) {
    if (!pipe->read.is_open()) return "no pipe: " + error_text(errno);
  }

  const std::vector<char*> argv = pointers_to(what.argv);
  const std::vector<std::string> variables = child_environment(what.environment);
  const std::vector<char*> environment = pointers_to(variables);
  const std::vector<ResourceLimit> limits = limits_of(what.limits);
  const bool is_nicer = what.limits.niceness > ::getpriority(PRIO_PROCESS, 0);
  const Plan plan{program.c_str(),
                  argv.data(),
                  environment.data(),
                  what.directory.empty() ? nullptr : what.directory.c_str(),
                  limits.data(),
                  limits.size(),
                  is_nicer ? &what.limits.niceness : nullptr,
                  input.read.get(),
                  output.write.get(),
                  error.write.get(),
                  report.write.get(),
                  ::getpid(),
                  &keeper};
  const pid_t pid = vfork_engine(plan);
  if (pid < 0) return "no process: " + error_text(errno);

  report.write.reset();
  std::string failure = read_report(report.read.get(), what);
  Descriptor exit(failure.empty() ? open_pidfd(pid) : -1);
  if (failure.empty() && !exit.is_open()) failure = "no pidfd: " + error_text(errno);
  if (!failure.empty()) {
    abandon(pid);
    keeper.forget(pid);
    return failure;
  }
  for (const Descriptor* ours : {&input.write, &output.read, &error.read}) stop_blocking(*ours);
  return Spawned{pid, std::move(exit), std::move(input.write), std::move(output.read),
                 std::move(error.read)};
}

}  // namespace tengen::pool
