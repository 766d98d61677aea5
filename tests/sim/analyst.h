// A seeded user of analysis: of games as they go on, of positions and SGF records, and reviews; it
// stops some, leaves others to end by themselves, and goes away in the middle. It knows what runs
// on its connection: each has one end and nothing after it, and tells only what its game had.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "daemon/effects.h"
#include "rules/game.h"
#include "sim/line.h"

namespace tengen::sim {

class World;

class Analyst final : public Line {
 public:
  explicit Analyst(World& world);

  void start();
  /// It has asked for what it wanted and nothing runs for it any more.
  bool is_done() const { return wishes_ == 0 && in_flight_.empty() && running_.empty(); }

  /// How many analyses may run for it: those that it knows of, and those that it has asked for.
  std::size_t wanted() const;

  std::optional<daemon::ConnId> connection() const override { return connection_; }
  protocol::Format format() const override { return format_; }
  void on_connecting(daemon::ConnId id) override { connection_ = id; }
  void on_disconnected() override;
  void on_frame(daemon::ConnId id, const protocol::ServerFrame& frame) override;

 private:
  /// What was asked for, and what of it must hold.
  struct Asked {
    protocol::ClientMessage message;
    bool must_be_refused = false;
    daemon::TimePoint at{};
    std::uint32_t seq = 0;  // the game's position then
  };
  struct Running {
    protocol::ClientMessage asked;
    daemon::TimePoint since{};
    std::uint32_t positions = 0;  // of a review
    std::uint32_t done = 0;
    std::uint32_t seq = 0;  // the newest position of a game that was told of, or known before
    std::optional<std::uint32_t> move{};  // of a review, told last
  };

  void think();
  void step();
  void wish();
  protocol::StartAnalysis make_start();
  protocol::ReviewGame make_review();
  /// A source, and whether nobody can analyse it.
  std::pair<protocol::AnalysisSource, bool> make_source();
  protocol::PositionSource make_position(bool is_legal);
  void ask(protocol::ClientMessage message, bool must_be_refused = false);

  void on_reply(const Asked& asked, const protocol::ServerMessage& message);
  void on_started(std::uint32_t analysis, const Asked& asked, std::uint32_t positions);
  void on_refused(const Asked& asked, const protocol::Error& error) const;
  void on_update(const protocol::AnalysisUpdate& update);
  void on_progress(const protocol::ReviewProgress& progress);
  void on_ended(const protocol::AnalysisEnded& ended);
  Running& running(std::uint32_t analysis, const char* what);
  void check_position(const Running& running, const protocol::PositionAnalysis& position) const;
  void check_candidates(const rules::Game& game, const protocol::PositionAnalysis& position) const;
  void check_may_analyse(rules::GameId id) const;
  void check_ages() const;
  void check_follows(const Running& running, daemon::TimePoint::duration age) const;

  World& world_;
  std::uint64_t wishes_ = 0;  // that are left
  std::optional<daemon::ConnId> connection_;
  protocol::Format format_ = protocol::Format::Binary;
  bool is_welcome_ = false;
  std::uint32_t next_frame_ = 1;
  std::map<std::uint32_t, Asked> in_flight_;
  std::map<std::uint32_t, Running> running_;
};

}  // namespace tengen::sim
