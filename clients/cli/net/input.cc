// Waits with Asio, reads with read(2). Asio makes a descriptor non-blocking at its first wait; the
// open file is shared with the terminal's other users, our own output included, so that is undone.
#include "clients/cli/net/input.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include <boost/asio/post.hpp>

namespace tengen::cli {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

}  // namespace

Input::Input(asio::io_context& io, std::function<void()> on_ready)
    : on_ready_(std::move(on_ready)),
      io_(io),
      descriptor_(io),
      flags_(::fcntl(STDIN_FILENO, F_GETFL)) {
  error_code error;
  descriptor_.assign(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), error);
  is_at_end_ = static_cast<bool>(error);
}

Input::~Input() { stop(); }

void Input::stop() {
  is_at_end_ = true;
  error_code ignored;
  descriptor_.close(ignored);
}

void Input::wait() {
  if (is_waiting_ || is_at_end_) return;
  is_waiting_ = true;
  descriptor_.async_wait(asio::posix::descriptor_base::wait_read, [this](error_code error) {
    if (error == asio::error::operation_aborted) return;
    is_waiting_ = false;
    read();  // also when epoll cannot wait for it: a file never blocks
    on_ready_();
  });
  ::fcntl(descriptor_.native_handle(), F_SETFL, flags_);
}

void Input::read() {
  std::array<char, 4096> bytes{};
  const ssize_t count = ::read(descriptor_.native_handle(), bytes.data(), bytes.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count > 0) return lines_.on_bytes({bytes.data(), static_cast<std::size_t>(count)});
  lines_.on_end();
  is_at_end_ = true;
}

}  // namespace tengen::cli
