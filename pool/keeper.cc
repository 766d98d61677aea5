// See keeper.h. The keeper reads fixed-size records and does nothing until the pipe ends, which is
// when the last process that could start engines has gone.
#include "pool/keeper.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <set>

#include "pool/spawn.h"

namespace tengen::pool {
namespace {

enum class Order : std::int32_t { Watch = 1, Forget = 2 };

struct Record {
  Order order;
  std::int32_t group;
};

/// The only descriptor that the keeper has open.
constexpr int kPipe = 0;

static_assert(sizeof(Record) == 8, "records are written atomically and have no padding");

bool read_record(int pipe, Record& record) {
  char* at = reinterpret_cast<char*>(&record);
  std::size_t missing = sizeof record;
  while (missing > 0) {
    const ssize_t got = ::read(pipe, at, missing);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    missing -= static_cast<std::size_t>(got);
  }
  return true;
}

/// Moves away from the daemon: a signal to its group or terminal must not end the keeper first.
void settle(int pipe) {
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_IGN);
  ::prctl(PR_SET_NAME, "tengen-keeper");
  ::dup2(pipe, kPipe);
  ::close_range(kPipe + 1, ~0u, 0);
}

[[noreturn]] void keep(int pipe) {
  settle(pipe);
  std::set<std::int32_t> groups;
  Record record{};
  while (read_record(kPipe, record)) {
    if (record.order == Order::Watch) groups.insert(record.group);
    if (record.order == Order::Forget) groups.erase(record.group);
  }
  for (const std::int32_t group : groups) {
    if (group > 1) ::kill(-group, SIGKILL);
  }
  ::_exit(0);
}

// A keeper that has gone cannot be told anything; engines then still die with the loop's thread.
void send(int pipe, Order order, pid_t group) {
  const Record record{order, group};
  while (::write(pipe, &record, sizeof record) < 0 && errno == EINTR) {
  }
}

}  // namespace

std::variant<Keeper, std::string> Keeper::start() {
  Pipe pipe = make_pipe();
  if (!pipe.read.is_open()) return "no pipe for the keeper: " + std::string(std::strerror(errno));
  const pid_t pid = ::fork();
  if (pid < 0) return "no process for the keeper: " + std::string(std::strerror(errno));
  if (pid == 0) keep(pipe.read.get());
  return Keeper(pipe.write.release(), pid);
}

Keeper::Keeper(Keeper&& other) noexcept : pipe_(other.pipe_), pid_(other.pid_) {
  other.pipe_ = -1;
  other.pid_ = 0;
}

Keeper::~Keeper() {
  if (pipe_ < 0) return;
  ::close(pipe_);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Keeper::watch(pid_t group) { send(pipe_, Order::Watch, group); }
void Keeper::forget(pid_t group) { send(pipe_, Order::Forget, group); }

}  // namespace tengen::pool
