// Sixteen games at once on a daemon that is killed again and again. All that the daemon ever sent
// is written down here, outside of it, and held against its log after each restart.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/caller.h"
#include "tests/support/daemon_process.h"
#include "tests/support/ledger.h"

namespace tengen::tests {

class CrashRound {
 public:
  /// Creates the games; the first `human_games` of them are played by us against an engine.
  CrashRound(DaemonProcess& daemon, int games, int human_games, std::uint64_t seed);

  /// Plays on for this long, or until every game is finished.
  void play_for(std::chrono::milliseconds time);
  bool is_finished() const;

  /// Kills and restarts the daemon. Gives all that is not as it was acknowledged.
  std::vector<std::string> kill_and_check();
  /// Ends the round: for each game what is wrong with it; empty texts for good ones.
  std::vector<std::string> verdicts();

  std::size_t events_seen() const;
  std::size_t acts_acknowledged() const;

 private:
  using Act = std::variant<protocol::Play, protocol::Pass, protocol::GameAct>;
  struct Entry {
    rules::Header header;
    Ledger ledger;
    std::string ticket;  // of the slot that we play; empty: two engines
    rules::Color color = rules::Color::Black;
    std::optional<Act> pending;                         // sent and not acknowledged
    std::map<std::string, std::uint32_t> acknowledged;  // request id to event
    std::string trouble;                                // the first thing that went wrong
  };

  void create(int number, bool is_human);
  void on_frame(protocol::ServerFrame frame);
  void on_answer(Entry& entry, const protocol::ServerMessage& message);
  void act_if_due(Entry& entry);
  void send_act(Entry& entry);
  void read_what_is_left();
  void come_back(Entry& entry);
  void check_log(Entry& entry, const std::vector<rules::Event>& log);

  DaemonProcess& daemon_;
  std::mt19937_64 random_;
  std::optional<Caller> caller_;
  std::map<rules::GameId, Entry> games_;
  std::map<std::uint32_t, rules::GameId> asked_;  // acts in flight, by frame id
};

}  // namespace tengen::tests
