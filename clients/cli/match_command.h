// `tengen match`: engine against engine, many games at a time through one connection. Each game is
// made with a request_id of its own, so asking again after a crash never makes a second one, and is
// followed event by event with our own rules as the judge. Whether it may watch is asked before the
// first game is made.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/command.h"
#include "clients/cli/engines_command.h"
#include "clients/cli/follower.h"
#include "clients/cli/match_report.h"

namespace tengen::cli {

struct MatchOptions {
  static constexpr int kGamesMax = 100'000;
  static constexpr int kConcurrencyMax = 1'000;
  enum class Colors : std::uint8_t { Fixed, Alternate };

  std::array<protocol::SeatRequest, 2> engines;  // the first has black in the first game
  Players players;
  GameTerms terms;
  int games = 1;
  int concurrency = 1;
  Colors colors = Colors::Fixed;
  std::optional<std::uint64_t> seed{};  // every game's seed follows from it; absent: drawn
  std::string sgf_dir;                  // empty: no files
  Output output = Output::Text;
  std::string application;  // for SGF: "Tengen:0.1.0"
};

/// The seed of a match's game with this number (from 1).
rules::GameSeed seed_of_game(std::uint64_t match_seed, int number);

class MatchCommand final : public Command {
 public:
  explicit MatchCommand(MatchOptions options);

  void on_opened(const protocol::Welcome& welcome, Context& context) override;
  void on_reply(RequestId request, const protocol::ServerMessage& message,
                Context& context) override;
  void on_events(const protocol::GameEvents& events, Context& context) override;
  void on_lost(const std::string& reason, Context& context) override;

 private:
  enum class Stage : std::uint8_t { Creating, Fetching, Following };
  /// A game that is not finished. Slot 1 is the first player in every game.
  struct Running {
    Stage stage = Stage::Creating;
    std::string request_id;
    std::optional<rules::GameId> id;
    std::optional<Follower> follower;
  };
  using Games = std::map<int, Running>;  // by number, from 1

  void on_may_watch(const protocol::ServerMessage& message, Context& context);
  void start_games(Context& context);
  void ask(int number, const Running& game, Context& context);
  protocol::CreateGame creation(int number, const std::string& request_id) const;
  rules::Color first_players_color(int number) const;

  void on_created(Games::iterator game, const protocol::GameCreated& created, Context& context);
  void on_snapshot(Games::iterator game, const protocol::Snapshot& snapshot, Context& context);
  void on_subscribed(Games::iterator game, const protocol::Subscribed& subscribed,
                     Context& context);
  void take(Games::iterator game, const std::vector<rules::Event>& events, Context& context);
  void finish_game(Games::iterator game, Context& context);
  void on_refused(const Games::iterator& game, const protocol::Error& error, Context& context);
  bool has_games_in_play() const;
  void break_off(const Games::iterator& game, const std::string& what, Context& context);
  bool is_as_asked(const rules::Header& header, int number) const;
  void write_sgf(int number, const rules::Game& game, Context& context) const;

  MatchOptions options_;
  std::size_t running_max_ = 1;
  int started_ = 0;
  Games games_;
  std::map<rules::GameId, int> numbers_;  // of the games in games_ that have an id
  std::map<RequestId, int> requests_;     // in flight, by the game's number
  std::optional<RequestId> may_watch_;    // the question, while it has no answer
  std::vector<GameOutcome> outcomes_;
};

}  // namespace tengen::cli
