// A Client with a fake daemon at the other end and a clock the test moves: it carries out effects
// as the loop would, and keeps what was printed, written and decided.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "clients/cli/client.h"
#include "tests/cli/fake_daemon.h"

namespace tengen::cli {

class ScriptedClient {
 public:
  explicit ScriptedClient(std::unique_ptr<Command> command,
                          Conversation::Patience patience = Conversation::Patience::Reconnect)
      : client(Conversation({"ws://127.0.0.1:8374", "tengen test", patience}, Random(7)),
               std::move(command)) {}

  /// Starts, connects, and exchanges frames until both sides are quiet.
  void start() {
    run([&](Effects& out) { client.on_start(now, out); });
    connect();
  }
  void connect() {
    run([&](Effects& out) { client.on_connected(now, out); });
    exchange();
  }
  /// The daemon hears what was sent and answers, until both are quiet.
  void exchange() {
    while (!sent.empty()) {
      const protocol::ClientFrame frame = sent.front();
      sent.pop_front();
      receive(daemon.on_request(frame));
    }
  }
  /// The daemon hears and logs what was sent, and dies before its answers leave.
  void die_before_answering() {
    for (const protocol::ClientFrame& frame : sent) (void)daemon.on_request(frame);
    lose();
  }
  /// The connection is lost; what was sent and not heard never arrives.
  void lose() {
    sent.clear();
    daemon.forget_connection();
    run([&](Effects& out) { client.on_disconnected({0, "connection reset"}, now, out); });
  }
  /// Moves the clock to the client's next deadline and past it.
  void wait() {
    const auto deadline = client.deadline();
    if (!deadline) return;
    now = *deadline;
    run([&](Effects& out) { client.on_deadline(now, out); });
  }
  /// After a loss: waits out the back-off and connects.
  void come_back() {
    wait();
    connect();
  }
  void receive(const std::vector<protocol::ServerFrame>& frames) {
    for (const protocol::ServerFrame& frame : frames) {
      run([&](Effects& out) { client.on_frame(frame, now, out); });
    }
  }
  /// An engine of the daemon moves.
  void engine_moves(std::size_t nth, const std::string& vertex) {
    receive(daemon.move(nth, vertex));
    exchange();
  }
  void happens(std::size_t nth, rules::EventBody body) {
    receive(daemon.happen(nth, std::move(body)));
    exchange();
  }
  void type(std::string_view line) {
    run([&](Effects& out) { client.on_line(line, now, out); });
  }
  void end_input() {
    run([&](Effects& out) { client.on_input_end(now, out); });
  }
  /// What was printed since the last call.
  std::string take_printed() { return std::exchange(printed, {}); }

  template <typename Event>
  void run(const Event& event) {
    Effects out;
    event(out);
    for (const Effect& effect : out) keep(effect);
  }

  Client client;
  FakeDaemon daemon{};
  TimePoint now{std::chrono::hours(1)};
  std::deque<protocol::ClientFrame> sent;  // not yet heard by the daemon
  std::size_t connects = 0;
  std::string printed;
  std::string warned;
  std::vector<WriteFile> files;
  std::optional<ExitCode> code;

 private:
  void keep(const Effect& effect) {
    if (std::holds_alternative<Connect>(effect)) ++connects;
    if (std::holds_alternative<Disconnect>(effect)) sent.clear();
    if (const auto* send = std::get_if<Send>(&effect)) sent.push_back(send->frame);
    if (const auto* print = std::get_if<Print>(&effect)) printed += print->text;
    if (const auto* warn = std::get_if<Warn>(&effect)) warned += warn->text;
    if (const auto* file = std::get_if<WriteFile>(&effect)) files.push_back(*file);
    if (const auto* finish = std::get_if<Finish>(&effect)) code = finish->code;
  }
};

}  // namespace tengen::cli
