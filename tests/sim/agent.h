// A seeded user of agents' games: it makes them by frame and plays their agents' seats over HTTP,
// with what happens to such calls: lost answers, acts sent again, garbage, wrong tickets, waits
// that are hung up, silence. What it is shown it holds against the log, and of each act it keeps
// the first answer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/effects.h"
#include "rules/game.h"
#include "sim/caller.h"
#include "sim/line.h"
#include "sim/view_check.h"

namespace tengen::sim {

class World;

class Agent final : public Line, public Caller {
 public:
  Agent(World& world, std::uint64_t number);

  void start();
  /// Its games are over, and every act of its agents was answered.
  bool is_done() const;
  void check_end() const;

  std::optional<daemon::ConnId> connection() const override { return connection_; }
  protocol::Format format() const override { return protocol::Format::Binary; }
  void on_connecting(daemon::ConnId id) override { connection_ = id; }
  void on_disconnected() override;
  void on_frame(daemon::ConnId id, const protocol::ServerFrame& frame) override;

  void on_answer(daemon::HttpId id, const daemon::HttpResponse& response) override;
  void on_lost(daemon::HttpId id) override;

 private:
  struct Act {
    std::string key{};
    std::string body{};
    std::string if_match{};
    std::optional<Action> meant{};  // nothing: garbage
    int sent = 0;
  };
  struct Kept {
    Act act;
    daemon::HttpResponse answer;
  };
  struct Seat {
    int slot = 1;
    std::string ticket{};
    bool is_silent = false;
    daemon::TimePoint silent_since{};
    bool polls = false;  // looks again and again, and never waits
    // What was seen last; nothing after an answer was lost.
    std::optional<AgentSight> sight{};
    std::uint32_t seq = 0;
    std::optional<daemon::HttpId> main{};  // the view, act or wait that goes on
    std::optional<Act> act{};              // not answered yet
    std::vector<Kept> kept{};              // by key, as answered first
    /// Answers to the second of two calls that were made at once, by key; the first one's is not
    /// there yet.
    std::map<std::string, daemon::HttpResponse> twins{};
    std::optional<bool> last_accepted{};  // of the newest act, where that is known
    bool is_last_known = true;
    std::uint64_t accepted = 0;
    std::uint64_t lost = 0;  // acts without a key whose answer nobody has
  };
  struct Match {
    protocol::CreateGame create;
    std::optional<rules::GameId> id{};
    std::vector<Seat> seats{};            // agents'
    std::optional<std::string> person{};  // the ticket of a person's seat
    bool is_joined = false;               // on this connection
    std::optional<protocol::TakeSeat> open{};
    bool is_asking = false;         // by frame
    std::uint32_t seen = 0;         // the newest event that any agent was told of
    std::set<std::uint32_t> own{};  // events that its acts were found to be
  };
  struct Call {
    enum class Kind : std::uint8_t { View, Act, Twin, Again, Wait, Leave, Refused, Query, Watch };
    Kind kind = Kind::View;
    std::size_t match = 0;
    std::size_t seat = 0;
    daemon::TimePoint at{};
    std::chrono::seconds wait{0};
    int status = 0;        // Refused: what is expected
    std::size_t kept = 0;  // Again: which
    rules::GameId game{};  // Watch
    std::string key{};     // Twin
  };

  // By frame (agent.cc).
  void think();
  void step();
  void step_line(Match& match);
  void play_person(Match& match);
  void ask(protocol::ClientMessage message, Match& match);
  void on_reply(Match& match, const protocol::ClientMessage& asked,
                const protocol::ServerMessage& message);
  protocol::CreateGame make_request();
  std::string next_id();

  // Over HTTP (agent_calls.cc).
  void step_seat(std::size_t match, std::size_t seat);
  void lose(daemon::HttpId id);
  void misbehave(std::size_t match, std::size_t seat);
  void act(std::size_t match, std::size_t seat, Act act);
  Act choose_act(const Match& match, const Seat& seat);
  Act spoilt_act(const Match& match, const Seat& seat);
  void wait(std::size_t match, std::size_t seat);
  daemon::HttpId call(Call call, daemon::HttpRequest request);
  daemon::HttpRequest request(const Seat& seat, const char* method, const char* path,
                              std::string body = "") const;
  void refused(std::size_t match, std::size_t seat, int status, daemon::HttpRequest request);
  void check_open_calls() const;
  void check_departure(const Match& match, const Seat& seat) const;
  std::size_t waits_of(std::size_t match, std::size_t seat) const;

  // What is answered (agent_answers.cc).
  std::uint32_t seq_of(const daemon::HttpResponse& response) const;
  void see(Match& match, Seat& seat, const daemon::HttpResponse& response);
  void on_act(Match& match, Seat& seat, const daemon::HttpResponse& response);
  void on_accepted(Match& match, const Seat& seat, const Act& act, const rules::Game& game);
  void on_refused(const Match& match, Seat& seat, const Act& act,
                  const daemon::HttpResponse& response, const rules::Game& game);
  void on_wait(Match& match, Seat& seat, const Call& call, const daemon::HttpResponse& response);
  void on_twin(Seat& seat, const std::string& key, const daemon::HttpResponse& response);
  void on_page(const Call& call, const daemon::HttpResponse& response);

  World& world_;
  std::uint64_t number_;
  std::uint64_t next_id_ = 1;
  std::uint64_t pause_us_;  // from thought to thought, at most
  std::vector<Match> matches_;
  std::map<daemon::HttpId, Call> calls_;
  std::optional<daemon::ConnId> connection_;
  bool is_welcome_ = false;
  std::uint32_t next_frame_ = 1;
  std::map<std::uint32_t, std::pair<protocol::ClientMessage, std::size_t>> in_flight_;
};

}  // namespace tengen::sim
