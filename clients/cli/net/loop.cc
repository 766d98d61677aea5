// The shell around a Client.
#include "clients/cli/net/loop.h"

#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "clients/cli/file.h"
#include "clients/cli/net/input.h"
#include "protocol/codec.h"

namespace tengen::cli {

namespace {

namespace asio = boost::asio;

class Loop final : public Connection::Listener {
 public:
  Loop(Client& client, Server server) : client_(client), server_(std::move(server)), timer_(io_) {}

  ExitCode run() {
    turn([this](TimePoint now, Effects& out) { client_.on_start(now, out); });
    while (!code_ && io_.run_one() != 0) {
    }
    leave();
    return code_.value_or(ExitCode::Failed);
  }

  void on_open() override {
    turn([this](TimePoint now, Effects& out) { client_.on_connected(now, out); });
  }
  void on_message(std::string_view bytes) override {
    turn([&](TimePoint now, Effects& out) { client_.on_bytes(bytes, now, out); });
  }
  void on_loss(const Loss& loss) override {
    connection_.reset();
    turn([&](TimePoint now, Effects& out) { client_.on_disconnected(loss, now, out); });
  }

 private:
  template <typename Event>
  void turn(const Event& event) {
    if (code_) return;
    const TimePoint now = std::chrono::steady_clock::now();
    Effects out;
    event(now, out);
    carry_out(out);
    read_lines(now);
    arm();
  }

  void read_lines(TimePoint now) {
    while (!code_ && !is_input_over_ && client_.wants_line()) {
      if (!input_) input_.emplace(io_, [this] { turn([](TimePoint, Effects&) {}); });
      Effects out;
      if (const auto line = input_->take()) {
        client_.on_line(*line, now, out);
      } else if (input_->is_at_end()) {
        is_input_over_ = true;
        client_.on_input_end(now, out);
      } else {
        return input_->wait();
      }
      carry_out(out);
    }
  }

  void arm() {
    const auto deadline = client_.deadline();
    if (deadline == armed_) return;
    armed_ = deadline;
    if (!deadline) {
      timer_.cancel();
      return;
    }
    timer_.expires_at(*deadline);
    timer_.async_wait([this](boost::system::error_code error) {
      if (error) return;
      armed_.reset();
      turn([this](TimePoint now, Effects& out) { client_.on_deadline(now, out); });
    });
  }

  void carry_out(Effects& effects) {
    for (Effect& effect : effects) {
      if (code_) return;
      std::visit([this](auto& value) { carry_out(value); }, effect);
    }
  }
  void carry_out(const Connect&) { connection_ = Connection::open(io_, server_, *this); }
  void carry_out(const Disconnect&) {
    if (connection_) std::exchange(connection_, nullptr)->abandon();
  }
  void carry_out(const Send& send) {
    if (connection_) connection_->send(protocol::encode(protocol::Format::Binary, send.frame));
  }
  void carry_out(const Print& print) {
    std::fwrite(print.text.data(), 1, print.text.size(), stdout);
    if (std::fflush(stdout) != 0) code_ = ExitCode::Failed;
  }
  void carry_out(const Warn& warn) { std::fwrite(warn.text.data(), 1, warn.text.size(), stderr); }
  void carry_out(const WriteFile& file) {
    const auto problem = replace_file(file.path, file.text);
    if (!problem) return;
    std::fprintf(stderr, "tengen: cannot write %s: %s\n", file.path.c_str(), problem->c_str());
    code_ = ExitCode::Failed;
  }
  void carry_out(const Finish& finish) { code_ = finish.code; }

  /// Gives the close frame a moment to go out.
  void leave() {
    constexpr std::chrono::milliseconds kFarewellLimit{500};
    if (input_) input_->stop();
    timer_.cancel();
    if (!connection_) return;
    std::exchange(connection_, nullptr)->close();
    io_.run_for(kFarewellLimit);
  }

  Client& client_;
  Server server_;
  asio::io_context io_{1};
  asio::steady_timer timer_;
  std::optional<TimePoint> armed_;
  std::shared_ptr<Connection> connection_;
  std::optional<Input> input_;
  bool is_input_over_ = false;
  std::optional<ExitCode> code_;
};

}  // namespace

ExitCode run_client(Client& client, const Server& server) { return Loop(client, server).run(); }

}  // namespace tengen::cli
