// Whole files: read up to a limit, replaced atomically.
#include "clients/cli/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
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

/// Up to one byte more than the limit; nothing when reading fails.
std::optional<std::string> read_all(int fd, std::size_t bytes_max) {
  constexpr std::size_t kPiece = 64 * 1024;
  std::string bytes;
  while (bytes.size() <= bytes_max) {
    const std::size_t have = bytes.size();
    bytes.resize(have + kPiece);
    const ssize_t got = ::read(fd, bytes.data() + have, kPiece);
    bytes.resize(have + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
  }
  return bytes;
}

}  // namespace

std::variant<std::string, FileError> read_file(const std::string& path, std::size_t bytes_max) {
  const bool is_input = path == "-";
  const int fd = is_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return FileError{std::strerror(errno)};
  auto bytes = read_all(fd, bytes_max);
  const int error = errno;
  if (!is_input) ::close(fd);
  if (!bytes) return FileError{std::strerror(error)};
  if (bytes->size() > bytes_max) {
    return FileError{"more than " + std::to_string(bytes_max) + " bytes"};
  }
  return std::move(*bytes);
}

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
