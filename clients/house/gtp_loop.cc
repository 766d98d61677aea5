#include "clients/house/gtp_loop.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "clients/house/gtp_session.h"
#include "rules/sgf_tree.h"

namespace tengen::house {
namespace {

/// Bytes read, 0 at the end, negative after an error.
ssize_t read_some(int fd, std::span<char> buffer) {
  ssize_t got = 0;
  do {
    got = ::read(fd, buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  return got;
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Regular files only: a pipe or a device might never end.
std::optional<std::string> read_open_file(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  std::string bytes;
  std::array<char, 65536> buffer;
  while (bytes.size() <= rules::SgfLimits{}.bytes) {
    const ssize_t got = read_some(fd, buffer);
    if (got < 0) return std::nullopt;
    if (got == 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return std::nullopt;
}

std::optional<std::string> read_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return std::nullopt;
  auto bytes = read_open_file(fd);
  ::close(fd);
  return bytes;
}

bool send_answers(GtpSession& session) {
  while (const auto answer = session.next_answer()) {
    if (!write_all(STDOUT_FILENO, *answer)) return false;
  }
  return true;
}

}  // namespace

int run_house(const HouseOptions& options) {
  std::signal(SIGPIPE, SIG_IGN);
  GtpSession session(options, read_file);
  std::array<char, 4096> buffer;
  while (!session.is_over()) {
    const ssize_t got = read_some(STDIN_FILENO, buffer);
    if (got > 0) session.on_bytes({buffer.data(), static_cast<std::size_t>(got)});
    if (got <= 0) session.on_end();
    if (!send_answers(session) || got < 0) return 1;
    if (got == 0) break;
  }
  return 0;
}

}  // namespace tengen::house
