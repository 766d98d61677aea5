#include "tests/bench/bare_engine.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <utility>

namespace tengen::tests {
namespace {

/// Between fork and exec; only what is safe there.
[[noreturn]] void become(char* const* argv, const std::string& fallback, int input, int output) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDERR_FILENO);
  ::execvp(argv[0], argv);
  ::execv(fallback.c_str(), argv);
  ::_exit(127);
}

void stop_blocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

}  // namespace

BareProcess::BareProcess(const std::vector<std::string>& argv) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const std::string fallback = "/usr/games/" + argv.front();
  int down[2];
  int up[2];
  if (::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe for an engine");
  }
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("no process for an engine");
  if (pid_ == 0) become(words.data(), fallback, down[0], up[1]);
  ::close(down[0]);
  ::close(up[1]);
  input_ = down[1];
  output_ = up[0];
  stop_blocking(input_);
  stop_blocking(output_);
}

BareProcess::~BareProcess() {
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  ::close(input_);
  ::close(output_);
}

void BareProcess::write(std::string_view bytes) const {
  if (::write(input_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("an engine does not read");
  }
}

BareEngine::BareEngine(boost::asio::io_context& io, const std::vector<std::string>& argv,
                       Reader reader)
    : process_(argv), reader_(std::move(reader)), output_(io, process_.output()) {
  read();
}

// The descriptor is the process's to close.
BareEngine::~BareEngine() { output_.release(); }

void BareEngine::read() {
  output_.async_read_some(boost::asio::buffer(buffer_),
                          [this](boost::system::error_code error, std::size_t size) {
                            if (error) return;
                            reader_(std::string_view(buffer_.data(), size));
                            read();
                          });
}

}  // namespace tengen::tests
