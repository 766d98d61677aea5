// The least that a server of this kind can do, to measure ours against: a WebSocket server that
// makes one round trip over pipes to a child process for each message and sends two frames back.
// The same library, callbacks and socket options; no rules, no store, no protocol.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr std::size_t kMessageBytesMax = 64 * 1024;

struct Options {
  int children = 4;
  std::size_t first_bytes = 60;
  std::size_t second_bytes = 60;
};

[[noreturn]] void echo_lines() {
  char buffer[4096];
  ssize_t got = 0;
  while ((got = ::read(STDIN_FILENO, buffer, sizeof buffer)) > 0) {
    if (::write(STDOUT_FILENO, buffer, static_cast<std::size_t>(got)) != got) break;
  }
  ::_exit(0);
}

/// One child that echoes lines; answers come in the order of the questions.
class EchoChild {
 public:
  explicit EchoChild(asio::io_context& io) : to_(io), from_(io) {
    int down[2];
    int up[2];
    if (::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0) std::abort();
    if (::fork() == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(down[0], STDIN_FILENO);
      ::dup2(up[1], STDOUT_FILENO);
      for (const int end : {down[0], down[1], up[0], up[1]}) ::close(end);
      echo_lines();
    }
    ::close(down[0]);
    ::close(up[1]);
    to_.assign(down[1]);
    from_.assign(up[0]);
  }

  void start() { read(); }

  void ask(std::function<void()> answered) {
    waiting_.push_back(std::move(answered));
    queue_ += "123 genmove white\n";
    if (writing_.empty()) write();
  }

 private:
  void write() {
    writing_ = std::exchange(queue_, {});
    asio::async_write(to_, asio::buffer(writing_), [this](error_code error, std::size_t) {
      writing_.clear();
      if (!error && !queue_.empty()) write();
    });
  }

  void read() {
    asio::async_read_until(from_, lines_, '\n', [this](error_code error, std::size_t length) {
      if (error) return;
      lines_.consume(length);
      auto answered = std::move(waiting_.front());
      waiting_.pop_front();
      answered();
      read();
    });
  }

  asio::posix::stream_descriptor to_;
  asio::posix::stream_descriptor from_;
  asio::streambuf lines_;
  std::deque<std::function<void()>> waiting_;
  std::string queue_;
  std::string writing_;
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, EchoChild& child, const Options& options)
      : stream_(std::move(socket)),
        child_(child),
        frames_{std::string(options.first_bytes, 'a'), std::string(options.second_bytes, 'b')} {}

  void start() {
    beast::get_lowest_layer(stream_).socket().set_option(tcp::no_delay(true));
    http::async_read(stream_.next_layer(), buffer_, request_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (!error) self->accept();
                     });
  }

 private:
  void accept() {
    stream_.read_message_max(kMessageBytesMax);
    stream_.auto_fragment(false);
    stream_.binary(true);
    stream_.set_option(
        websocket::stream_base::decorator([this](websocket::response_type& response) {
          response.set(http::field::sec_websocket_protocol,
                       request_[http::field::sec_websocket_protocol]);
        }));
    stream_.async_accept(request_, [self = shared_from_this()](error_code error) {
      self->buffer_.clear();
      if (!error) self->read();
    });
  }

  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return;
      self->buffer_.consume(self->buffer_.size());
      self->child_.ask([self] { self->answer(0); });
    });
  }

  void answer(std::size_t number) {
    if (number == frames_.size()) return read();
    stream_.async_write(asio::buffer(frames_[number]),
                        [self = shared_from_this(), number](error_code error, std::size_t) {
                          if (!error) self->answer(number + 1);
                        });
  }

  websocket::stream<beast::tcp_stream> stream_;
  EchoChild& child_;
  beast::flat_buffer buffer_;
  http::request<http::empty_body> request_;
  std::array<std::string, 2> frames_;
};

void accept_next(tcp::acceptor& acceptor, std::deque<EchoChild>& children, const Options& options,
                 std::size_t number) {
  acceptor.async_accept([&, number](error_code error, tcp::socket socket) {
    if (error) return;
    auto& child = children[number % children.size()];
    std::make_shared<Session>(std::move(socket), child, options)->start();
    accept_next(acceptor, children, options, number + 1);
  });
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Echoes through a child process; prints its port");
  app.add_option("--children", options.children, "Echo processes")->check(CLI::Range(1, 64));
  app.add_option("--first-bytes", options.first_bytes, "Size of the first frame back");
  app.add_option("--second-bytes", options.second_bytes, "Size of the second frame back");
  CLI11_PARSE(app, argc, argv);
  ::signal(SIGPIPE, SIG_IGN);
  asio::io_context io{1};
  std::deque<EchoChild> children;
  for (int i = 0; i < options.children; ++i) children.emplace_back(io).start();
  tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
  std::printf("%d\n", static_cast<int>(acceptor.local_endpoint().port()));
  std::fflush(stdout);
  accept_next(acceptor, children, options, 0);
  io.run();
}
