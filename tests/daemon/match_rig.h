// A match with its clock and what it asked of the pool, for the tests of Match.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "daemon/match.h"

namespace tengen::daemon {

inline constexpr rules::GameId kRigGame{0x018bcfe568000000, 7};
inline constexpr rules::Size kRigSize{9, 9};

inline rules::Seat human_seat() { return {}; }
/// It grants what engines grant that are not told anything else.
inline rules::Seat engine_seat() {
  rules::Seat seat{rules::SeatKind::Engine, "", "fake", {}};
  seat.undos = rules::kUndosGranted;
  seat.pauses = rules::kPausesGranted;
  return seat;
}

inline rules::TimeControl time_control(std::string_view text) {
  return std::get<rules::TimeControl>(rules::parse_time_control(text));
}

/// A 9x9 game by the Chinese rules with komi 7.5; slot 1 is black.
inline rules::Header rig_header(rules::Seat black, rules::Seat white,
                                rules::EndRule end = rules::EndRule::CompareLists) {
  rules::Header header;
  header.id = kRigGame;
  header.created_ms = 1'700'000'000'000;
  header.size = kRigSize;
  header.rules.end = end;
  header.seats = {std::move(black), std::move(white)};
  return header;
}

inline rules::Point vertex(std::string_view text) {
  return rules::parse_gtp_vertex(text, kRigSize).value();
}

class MatchRig {
 public:
  explicit MatchRig(rules::Header header) : match_(1, rules::Game(std::move(header))) {
    match_.resume(now_, effects_);
  }
  explicit MatchRig(rules::Game game) : match_(2, std::move(game)) {
    match_.resume(now_, effects_);
  }

  const Match& match() const { return match_; }
  const rules::Game& game() const { return match_.game(); }
  const std::vector<pool::Job>& jobs() const { return effects_.submit; }
  const std::vector<pool::JobId>& cancelled() const { return effects_.cancel; }
  Now now() const { return now_; }

  /// Acts name the position as it is now.
  Match::Answer play(int slot, std::string_view at, std::string request_id) {
    return play_at(slot, at, std::move(request_id), game().position_seq());
  }
  Match::Answer play_at(int slot, std::string_view at, std::string request_id,
                        std::uint32_t position_seq) {
    return match_.on_play(slot,
                          {kRigGame, slot, std::move(request_id), position_seq, std::string(at)},
                          now_, effects_);
  }
  Match::Answer pass(int slot, std::string request_id) {
    return match_.on_pass(slot, {kRigGame, slot, std::move(request_id), game().position_seq()},
                          now_, effects_);
  }
  Match::Answer resign(int slot, std::string request_id) {
    return match_.on_resign(slot, {kRigGame, slot, std::move(request_id)}, now_, effects_);
  }

  Match::Answer act(int slot, protocol::ActBody body, std::string request_id) {
    return match_.on_act(
        slot, {kRigGame, slot, std::move(request_id), game().position_seq(), std::move(body)}, now_,
        effects_);
  }

  /// Who the hub would name when an engine is given up.
  std::optional<rules::Seat> substitute;

  /// The pool's answer to a job.
  void done(pool::JobId job, pool::JobResult result, std::chrono::nanoseconds searched = {}) {
    match_.on_job_done({job, std::move(result), searched}, substitute, now_, effects_);
  }
  void engine_plays(std::string_view at, std::chrono::nanoseconds searched = {}) {
    done(jobs().back().id, pool::EngineMove{pool::EngineMove::Kind::Play, vertex(at)}, searched);
  }
  void engine_passes() {
    done(jobs().back().id, pool::EngineMove{pool::EngineMove::Kind::Pass, {}});
  }
  void engine_fails(pool::JobError error, std::string detail = "why",
                    std::chrono::nanoseconds searched = {}) {
    done(jobs().back().id, pool::JobFailure{error, std::move(detail)}, searched);
  }
  /// The pool has brought an engine to the position of the last job.
  void search_begins() { match_.on_search_begun(jobs().back().id, now_); }
  /// The engine of the last job is lost after it has searched for so long, and the job waits again.
  void engine_is_lost(std::chrono::nanoseconds searched) {
    match_.on_job_moved({jobs().back().id, {}, "why", searched});
  }
  void reload() {
    match_.on_reload(now_);
    match_.on_deadline(now_, effects_);
  }
  /// The last job for that colour.
  pool::JobId job_of(rules::Color color) const {
    for (auto job = jobs().rbegin(); job != jobs().rend(); ++job) {
      if (job->color == color) return job->id;
    }
    return {};
  }

  void advance(std::chrono::nanoseconds by) {
    let_pass(by);
    match_.on_deadline(now_, effects_);
  }
  /// The same without a look at the deadlines, as when there is input in the same turn of the loop.
  void let_pass(std::chrono::nanoseconds by) {
    now_.steady += by;
    now_.unix_ms += std::chrono::duration_cast<std::chrono::milliseconds>(by).count();
  }

 private:
  Now now_{TimePoint(std::chrono::hours(1)), 1'700'000'001'000};
  MatchEffects effects_;
  Match match_;
};

/// A match rebuilt from the log, as after a restart.
/// The person has black.
inline MatchRig against_engine() { return MatchRig(rig_header(human_seat(), engine_seat())); }
inline MatchRig two_people() { return MatchRig(rig_header(human_seat(), human_seat())); }
inline MatchRig two_engines() { return MatchRig(rig_header(engine_seat(), engine_seat())); }

/// An engine's list of dead stones.
inline pool::EngineStones dead(std::initializer_list<const char*> vertices) {
  pool::EngineStones list;
  for (const char* text : vertices) list.points.push_back(vertex(text));
  return list;
}

inline MatchRig restarted(const MatchRig& rig) {
  auto game = rules::Game::replay(rig.game().header(), rig.game().events());
  return MatchRig(std::get<rules::Game>(std::move(game)));
}

/// The acceptance; the zero one when it is an error.
inline protocol::Accepted accepted_in(const Match::Answer& answer) {
  const auto* accepted = std::get_if<protocol::Accepted>(&answer);
  return accepted != nullptr ? *accepted : protocol::Accepted{};
}
/// The error; one with an empty reason when it was accepted.
inline protocol::Error error_in(const Match::Answer& answer) {
  const auto* error = std::get_if<protocol::Error>(&answer);
  return error != nullptr ? *error : protocol::Error{};
}

}  // namespace tengen::daemon
