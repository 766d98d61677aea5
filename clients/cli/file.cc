// Atomic replacement of files.
#include "clients/cli/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tengen::cli {

namespace {

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

std::optional<std::string> replace_file(const std::string& path, std::string_view text) {
  const std::string temporary = path + "." + std::to_string(::getpid()) + ".tmp";
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return std::strerror(errno);
  const bool is_written = write_all(fd, text) && ::fsync(fd) == 0;
  const int write_error = errno;
  const bool is_closed = ::close(fd) == 0;
  if (is_written && is_closed && std::rename(temporary.c_str(), path.c_str()) == 0) {
    return std::nullopt;
  }
  const int error = is_written ? errno : write_error;
  ::unlink(temporary.c_str());
  return std::strerror(error);
}

}  // namespace tengen::cli
