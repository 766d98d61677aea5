// `tengen play`: a person, or a pipe, against an engine. An act that was sent is kept with its
// request_id until it is answered and sent again after a loss, so it is made exactly once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/arguments.h"
#include "clients/cli/board_view.h"
#include "clients/cli/command.h"
#include "clients/cli/engines_command.h"
#include "clients/cli/follower.h"

namespace tengen::cli {

struct PlayOptions {
  /// A terminal is prompted and may type at any time; a pipe is read line by line, each line when
  /// it is our turn.
  enum class Input : std::uint8_t { Terminal, Pipe };

  protocol::SeatRequest engine;
  GameTerms terms;
  protocol::ColorChoice color = protocol::ColorChoice::Slot1Black;  // ours is slot 1
  std::string ticket;    // of a game to join; empty: a new game
  std::string sgf_path;  // empty: no file
  BoardStyle style = BoardStyle::Plain;
  Input input = Input::Pipe;
  Output output = Output::Text;
  std::string rejoin_arguments;  // what else a rejoin command line needs: " --server ws://..."
  std::string application;       // for SGF: "Tengen:0.1.0"
};

class PlayCommand final : public Command {
 public:
  /// The longest line worth reading.
  static constexpr std::size_t kLineMax = 1024;

  explicit PlayCommand(PlayOptions options);

  void on_opened(const protocol::Welcome& welcome, Context& context) override;
  void on_reply(RequestId request, const protocol::ServerMessage& message,
                Context& context) override;
  void on_events(const protocol::GameEvents& events, Context& context) override;
  void on_lost(const std::string& reason, Context& context) override;

  bool wants_line() const override;
  void on_line(std::string_view line, Context& context) override;
  void on_input_end(Context& context) override;

 private:
  enum class Stage : std::uint8_t { Away, Creating, Joining, Subscribing, Playing };
  enum class Act : std::uint8_t { Play, Pass, Resign };
  /// An act without an answer.
  struct Pending {
    protocol::ClientMessage message;
    RequestId request{};
  };

  void tell(Context& context, std::string text) const;
  void print_json(Context& context) const;
  void create(Context& context);
  void join(Context& context);
  void on_created(const protocol::GameCreated& created, Context& context);
  void on_joined(const protocol::GameJoined& joined, Context& context);
  void on_subscribed(const protocol::Subscribed& subscribed, Context& context);
  void on_answer(const protocol::ServerMessage& message, Context& context);
  enum class Told : std::uint8_t { Yes, No };
  void take_missed(const std::vector<rules::Event>& events, Context& context);
  void take(const std::vector<rules::Event>& events, Told told, Context& context);
  void end_game(Context& context);

  void act(Act kind, std::string_view vertex, Context& context);
  /// "dead D4", "accept" and the like; nothing when it is none of them.
  std::optional<protocol::ActBody> other_act(std::string_view line) const;
  void act(protocol::ActBody body, Context& context);
  std::string what_is_asked() const;
  std::string why_not(Act kind) const;
  void send_pending(Context& context);
  void leave(Context& context);

  /// Whether it is our turn and everything we did has been answered and seen.
  bool is_awaited() const;
  void show_board(Context& context) const;
  void show_moves(Context& context) const;
  void prompt(Context& context) const;
  std::string rejoin_line() const;

  PlayOptions options_;
  Stage stage_ = Stage::Away;
  std::string request_id_;  // of the game's creation
  RequestId setup_request_{};
  std::string ticket_;
  int slot_ = 0;
  rules::Color color_ = rules::Color::Black;
  std::optional<Follower> follower_;  // from the first join on
  std::optional<Pending> pending_;
  std::uint32_t acted_seq_ = 0;  // the event of our last accepted act
};

}  // namespace tengen::cli
