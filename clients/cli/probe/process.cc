// See probe_process.h. Starting is the pool's own business: engines are probed exactly as the
// daemon will run them. Waiting reads the clock here, and standard error is always drained.
#include "clients/cli/probe/process.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>
#include <variant>

#include "pool/keeper.h"
#include "pool/limits.h"
#include "pool/spawn.h"

namespace tengen::cli {
namespace {

using std::chrono::milliseconds;
constexpr std::size_t kErrorTailBytesMax = pool::Limits::kQuotedBytesMax / 2;

using Clock = std::chrono::steady_clock;

milliseconds since(Clock::time_point begin) {
  return std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
}

std::string status_text(int status) {
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return "exit code " + std::to_string(WEXITSTATUS(status));
}

class ProcessEngine final : public ProbeEngine {
 public:
  ProcessEngine(std::vector<std::string> command, pool::Keeper& keeper)
      : what_{pool::EngineId{1}, std::move(command), ""}, keeper_(keeper) {}
  ~ProcessEngine() override { ProcessEngine::kill(); }

  std::optional<std::string> start() override;
  Exchange ask(std::string_view bytes, std::size_t answers, milliseconds timeout) override;
  void expect_stream(std::uint32_t id) override { reader_.expect_stream(id); }
  void close_input() override { child_.input.reset(); }
  std::optional<std::string> wait_exit(milliseconds timeout) override;
  void kill() override;
  std::string error_tail() const override { return error_tail_; }
  std::uint64_t error_bytes() const override { return error_bytes_; }
  std::uint64_t noise_lines() const override { return earlier_noise_ + reader_.noise_lines(); }

 private:
  void wait(milliseconds timeout);
  void write_some();
  void read_output();
  void read_errors();
  void reap();

  pool::Spawn what_;
  pool::Keeper& keeper_;
  pool::Spawned child_;  // pid 0: none
  pool::AnswerReader reader_;
  std::vector<pool::Answer> answers_;
  std::string unwritten_;
  bool has_ended_ = false;  // as the pidfd says; the output may hold more
  std::string ended_;       // how the last process ended, once reaped
  std::uint64_t error_bytes_ = 0;
  std::string error_tail_;
  std::uint64_t earlier_noise_ = 0;
};

std::optional<std::string> ProcessEngine::start() {
  kill();
  earlier_noise_ += reader_.noise_lines();
  reader_ = pool::AnswerReader();
  answers_.clear();
  unwritten_.clear();
  has_ended_ = false;
  ended_.clear();
  auto spawned = pool::spawn_process(what_, keeper_);
  if (auto* wrong = std::get_if<std::string>(&spawned)) return std::move(*wrong);
  child_ = std::move(std::get<pool::Spawned>(spawned));
  return std::nullopt;
}

Exchange ProcessEngine::ask(std::string_view bytes, std::size_t answers, milliseconds timeout) {
  const auto begin = Clock::now();
  auto until = begin + timeout;
  unwritten_ += bytes;
  Exchange exchange;
  bool was_ended = false;
  while (answers_.size() < answers && reader_.lost().empty() && child_.output.is_open()) {
    if (has_ended_ && !was_ended) {  // somebody else may hold the pipe open for ever
      was_ended = true;
      until = std::min(until, Clock::now() + pool::Limits::kPipeGrace);
    }
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    if (left <= milliseconds(0)) break;
    wait(left);
  }
  exchange.answers = std::exchange(answers_, {});
  exchange.took = since(begin);
  if (exchange.answers.size() >= answers) return exchange;
  exchange.heard = has_ended_ || !child_.output.is_open() ? WaitEnd::Closed : WaitEnd::Silence;
  if (!reader_.lost().empty()) {
    exchange.heard = WaitEnd::Unframed;
    exchange.reason = reader_.lost();
  }
  return exchange;
}

std::optional<std::string> ProcessEngine::wait_exit(milliseconds timeout) {
  const auto until = Clock::now() + timeout;
  while (child_.pid != 0 && !has_ended_) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    if (left <= milliseconds(0)) return std::nullopt;
    wait(left);
  }
  reap();
  return ended_;
}

void ProcessEngine::kill() {
  if (child_.pid == 0) return;
  ::kill(-child_.pid, SIGKILL);
  reap();
}

/// One turn: whatever can be read, written or seen within the time.
void ProcessEngine::wait(milliseconds timeout) {
  const int input = unwritten_.empty() ? -1 : child_.input.get();
  std::array<pollfd, 4> fds{{{child_.output.get(), POLLIN, 0},
                             {child_.error.get(), POLLIN, 0},
                             {input, POLLOUT, 0},
                             {has_ended_ ? -1 : child_.exit.get(), POLLIN, 0}}};
  if (::poll(fds.data(), fds.size(), static_cast<int>(timeout.count())) <= 0) return;
  if (fds[0].revents != 0) read_output();
  if (fds[1].revents != 0) read_errors();
  if (fds[2].revents != 0) write_some();
  if (fds[3].revents != 0) has_ended_ = true;
}

void ProcessEngine::write_some() {
  const ssize_t count = ::write(child_.input.get(), unwritten_.data(), unwritten_.size());
  if (count > 0) {
    unwritten_.erase(0, static_cast<std::size_t>(count));
  } else if (count < 0 && errno != EAGAIN && errno != EINTR) {
    unwritten_.clear();  // it reads no more; the output tells what became of it
    child_.input.reset();
  }
}

void ProcessEngine::read_output() {
  std::array<char, 64 * 1024> bytes{};
  const ssize_t count = ::read(child_.output.get(), bytes.data(), bytes.size());
  if (count > 0) {
    reader_.feed(std::string_view(bytes.data(), static_cast<std::size_t>(count)), answers_);
  } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
    child_.output.reset();
  }
}

void ProcessEngine::read_errors() {
  std::array<char, 64 * 1024> bytes{};
  const ssize_t count = ::read(child_.error.get(), bytes.data(), bytes.size());
  if (count > 0) {
    error_bytes_ += static_cast<std::uint64_t>(count);
    error_tail_.append(bytes.data(), static_cast<std::size_t>(count));
    if (error_tail_.size() > kErrorTailBytesMax) {
      error_tail_.erase(0, error_tail_.size() - kErrorTailBytesMax);
    }
  } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
    child_.error.reset();
  }
}

/// The process has ended or been killed. Its group goes before its number can be another's.
void ProcessEngine::reap() {
  if (child_.pid == 0) return;
  ::kill(-child_.pid, SIGKILL);
  int status = 0;
  while (::waitpid(child_.pid, &status, 0) < 0 && errno == EINTR) {
  }
  ended_ = status_text(status);
  keeper_.forget(child_.pid);
  child_ = pool::Spawned();
}

}  // namespace

int run_probe(const ProbeOptions& options) {
  auto keeper = pool::Keeper::start();
  if (const auto* wrong = std::get_if<std::string>(&keeper)) {
    std::fprintf(stderr, "tengen: %s\n", wrong->c_str());
    return static_cast<int>(ExitCode::Failed);
  }
  ::signal(SIGPIPE, SIG_IGN);  // NOLINT(cert-err33-c): it cannot fail
  ProcessEngine engine(options.command, std::get<pool::Keeper>(keeper));
  const Printed printed = probe(options, engine);
  std::fputs(printed.error.c_str(), stderr);
  if (std::fputs(printed.out.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
    std::fprintf(stderr, "tengen: the output cannot be written\n");
    return static_cast<int>(ExitCode::Failed);
  }
  return static_cast<int>(printed.code);
}

}  // namespace tengen::cli
