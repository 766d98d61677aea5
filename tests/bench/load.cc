#include "tests/bench/load.h"

#include <boost/asio/io_context.hpp>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "protocol/codec.h"
#include "rules/record.h"
#include "tests/bench/load_connection.h"
#include "tests/support/caller.h"

namespace tengen::tests {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kQuietLimit{30};

/// What all clients of one load share.
struct Round {
  bool is_open = false;  // moves may be sent
  std::size_t busy = 0;  // clients that wait for something
  LoadCounts counts;
};

/// One game after the other over one connection.
class GameClient {
 public:
  GameClient(boost::asio::io_context& io, std::uint16_t port, Round& round) : round_(&round) {
    ++round_->busy;
    connection_ = LoadConnection::open(io, port, protocol::kBinarySubprotocol,
                                       {[this] {
                                          ask(protocol::Hello{protocol::kVersion, "load"});
                                        },
                                        [this](std::string_view bytes) { on_message(bytes); },
                                        [](const std::string& reason) {
                                          throw std::runtime_error("connection lost: " + reason);
                                        }});
  }

  void resume() {
    if (!is_paused_) return;
    is_paused_ = false;
    ++round_->busy;
    go_on();
  }

 private:
  void ask(protocol::ClientMessage message) {
    const protocol::ClientFrame frame{++frame_id_, std::move(message)};
    connection_->send(encode(protocol::Format::Binary, frame));
  }

  void on_message(std::string_view bytes) {
    ++round_->counts.frames;
    round_->counts.bytes += bytes.size();
    auto frame = protocol::decode_server(protocol::Format::Binary, bytes);
    auto* good = std::get_if<protocol::ServerFrame>(&frame);
    if (good == nullptr) throw std::runtime_error("the server sent a bad frame");
    std::visit([this](auto& message) { on(message); }, good->message);
  }

  void on(const protocol::Welcome&) { create(); }
  void on(const protocol::GameCreated& created) {
    game_ = created.game;
    ask(protocol::JoinGame{created.tickets.front().ticket});
  }
  void on(const protocol::GameJoined&) { ask(protocol::Subscribe{game_, 0}); }
  void on(const protocol::Subscribed&) { go_on(); }
  void on(const protocol::Accepted& accepted) {
    ++round_->counts.moves;
    if (accepted.events) on(*accepted.events);
  }
  void on(const protocol::Unsubscribed&) {}
  void on(const protocol::GameEvents& events) {
    if (events.game != game_) return;
    for (const auto& event : events.events) take(event);
  }
  void on(const protocol::Error& error) {
    throw std::runtime_error("refused: " + describe(protocol::ServerMessage(error)));
  }
  template <typename Other>
  void on(const Other&) {
    throw std::runtime_error("an answer of the wrong kind");
  }

  void take(const rules::Event& event) {
    if (const auto* played = std::get_if<rules::Played>(&event.body)) {
      move(event.seq, rules::Move::play(played->color, played->point));
    } else if (const auto* passed = std::get_if<rules::Passed>(&event.body)) {
      move(event.seq, rules::Move::pass(passed->color));
    } else if (std::holds_alternative<rules::Stopped>(event.body)) {
      has_stopped_ = true;
    } else if (std::holds_alternative<rules::Finished>(event.body)) {
      ++round_->counts.games;
      ask(protocol::Unsubscribe{game_});
      create();
    }
    // Captures follow the play they belong to in the same frame.
  }

  void move(std::uint32_t seq, rules::Move move) {
    if (record_->play(move) != rules::Refusal::None) throw std::runtime_error("an illegal move");
    position_seq_ = seq;
    const bool is_second_pass = move.is_pass() && was_pass_;
    was_pass_ = move.is_pass();
    if (move.color == rules::Color::White && !is_second_pass) go_on();
  }

  void create() {
    record_.emplace(kSize, rules::KoRule::Positional, rules::SuicideRule::No);
    position_seq_ = 0;
    was_pass_ = false;
    has_stopped_ = false;
    ask(game_of(kSize.width, human_seat(), engine_seat("instant")));
  }

  // Between rounds nothing is sent.
  void go_on() {
    const bool is_at_limit = record_->moves().size() >= kMoveLimit;
    if (has_stopped_ || is_at_limit) return;
    if (!round_->is_open) {
      is_paused_ = true;
      --round_->busy;
      return;
    }
    const auto vertex = first_legal();
    const std::string request_id = "r" + std::to_string(frame_id_);
    if (vertex) {
      ask(protocol::Play{game_, 0, request_id, position_seq_, *vertex});
    } else {
      ask(protocol::Pass{game_, 0, request_id, position_seq_});
    }
  }

  std::optional<std::string> first_legal() const {
    for (int row = 0; row < kSize.height; ++row) {
      for (int col = 0; col < kSize.width; ++col) {
        const auto point = rules::Point::at(col, row);
        if (record_->check(rules::Move::play(rules::Color::Black, point)) == rules::Refusal::None) {
          return rules::gtp_vertex(point, kSize);
        }
      }
    }
    return std::nullopt;
  }

  static constexpr rules::Size kSize{9, 9};
  static constexpr std::size_t kMoveLimit = 3u * 9 * 9;

  Round* round_;
  std::shared_ptr<LoadConnection> connection_;
  std::uint32_t frame_id_ = 0;
  rules::GameId game_;
  std::optional<rules::Record> record_;
  std::uint32_t position_seq_ = 0;
  bool was_pass_ = false;
  bool has_stopped_ = false;
  bool is_paused_ = false;
};

/// Sends one message and waits for two frames, again and again.
class EchoClient {
 public:
  EchoClient(boost::asio::io_context& io, std::uint16_t port, Round& round, std::size_t bytes)
      : round_(&round), message_(bytes, 'm') {
    ++round_->busy;
    connection_ = LoadConnection::open(
        io, port, protocol::kBinarySubprotocol,
        {[this] { go_on(); }, [this](std::string_view answer) { on_message(answer); },
         [](const std::string& reason) { throw std::runtime_error("relay lost: " + reason); }});
  }

  void resume() {
    if (!is_paused_) return;
    is_paused_ = false;
    ++round_->busy;
    go_on();
  }

 private:
  void on_message(std::string_view answer) {
    ++round_->counts.frames;
    round_->counts.bytes += answer.size();
    if (++frames_ % 2 != 0) return;
    ++round_->counts.moves;
    go_on();
  }

  void go_on() {
    if (round_->is_open) return connection_->send(message_);
    is_paused_ = true;
    --round_->busy;
  }

  Round* round_;
  std::string message_;
  std::shared_ptr<LoadConnection> connection_;
  std::uint64_t frames_ = 0;
  bool is_paused_ = false;
};

template <typename Client>
class LoadOf final : public Load {
 public:
  template <typename... More>
  LoadOf(std::uint16_t port, int connections, More... more) {
    for (int i = 0; i < connections; ++i) clients_.emplace_back(io_, port, round_, more...);
    settle();
  }

  LoadCounts run_for(std::chrono::milliseconds time) override {
    round_.counts = {};
    round_.is_open = true;
    io_.restart();
    for (auto& client : clients_) client.resume();
    io_.run_until(steady_clock::now() + time);
    settle();
    return round_.counts;
  }

 private:
  void settle() {
    round_.is_open = false;
    const auto end = steady_clock::now() + kQuietLimit;
    io_.restart();
    while (round_.busy > 0 && steady_clock::now() < end) io_.run_one_until(end);
    if (round_.busy > 0) throw std::runtime_error("some clients were never answered");
    io_.poll();
  }

  boost::asio::io_context io_{1};
  Round round_;
  std::deque<Client> clients_;
};

}  // namespace

std::unique_ptr<Load> Load::games(std::uint16_t port, int connections) {
  return std::make_unique<LoadOf<GameClient>>(port, connections);
}

std::unique_ptr<Load> Load::echoes(std::uint16_t port, int connections, std::size_t message_bytes) {
  return std::make_unique<LoadOf<EchoClient>>(port, connections, message_bytes);
}

}  // namespace tengen::tests
