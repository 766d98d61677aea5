// One virtual GTP engine (document 000): what a program that speaks GTP believes to have for
// itself. Calls are answered in the order they came. What the board can answer is answered at once;
// for a move, and for raw commands that the profile allows, the pool is asked, one job at a time. A
// core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "daemon/kept_answers.h"
#include "daemon/virtual_board.h"
#include "daemon/virtual_call.h"
#include "pool/effects.h"

namespace tengen::daemon {

/// Illegal moves in a row that an engine may answer a call with before the call fails.
inline constexpr int kVirtualIllegalAnswersMax = 2;

class VirtualEngine {
 public:
  /// What the table of virtual engines gives it. The number is below 2^31 and its own in this run
  /// of the daemon; its job ids are made of it.
  struct Identity {
    std::uint32_t number = 0;
    rules::GameSeed seed{};  // of its searches' random choices
  };

  VirtualEngine(Identity identity, VirtualEngineSpec spec, VirtualBoard board,
                const VirtualEngineLimits& limits);

  /// Job ids of virtual engines have the top bit, which no match's have.
  static bool is_its_job(pool::JobId job) { return (job.value >> 63) != 0; }
  /// Only for those.
  static std::uint32_t number_of(pool::JobId job) {
    return static_cast<std::uint32_t>(job.value >> 32) & 0x7fff'ffffu;
  }

  /// Answers now, or later, when the calls before it are done or its own job is. A call that was
  /// answered by a reply and is sent again gets that reply again; errors are not kept, since
  /// whatever gets one has changed nothing.
  void on_call(VirtualCall call, const EngineFacts& facts, VirtualEffects& out);
  /// Jobs that it does not wait for are ignored.
  void on_job_done(const pool::JobDone& done, const EngineFacts& facts, VirtualEffects& out);
  /// Takes its job back and refuses what waits.
  void end(VirtualEffects& out);
  /// Whether it was ended or has quit; calls that come nevertheless are refused.
  bool is_over() const { return is_over_; }

  const VirtualEngineSpec& spec() const { return spec_; }
  const VirtualBoard& board() const { return board_; }
  std::optional<pool::JobId> awaited_job() const { return awaited_; }
  /// Answers that are owed, resends counted too.
  std::size_t waiting() const;
  /// What is broken in its bookkeeping; nothing when all is well. For tests.
  std::optional<std::string> broken_invariant() const;

 private:
  struct Waiting {
    protocol::GtpCall call;
    std::string request_id;
    std::vector<Caller> callers;  // more than one after resends
  };
  using Result = std::optional<protocol::GtpResult>;

  bool join(const protocol::GtpCall& call, const VirtualCall& sent, VirtualEffects& out);
  void run(const EngineFacts& facts, VirtualEffects& out);
  void answer_first(const protocol::GtpResult& result, VirtualEffects& out);
  void ask(EngineWork work, VirtualEffects& out);
  Result judge(const pool::JobResult& result, VirtualEffects& out);
  Result judge_move(rules::Color color, const pool::EngineMove& move, VirtualEffects& out);

  Identity identity_;
  VirtualEngineSpec spec_;
  VirtualEngineLimits limits_;
  VirtualBoard board_;
  KeptAnswers kept_;
  std::deque<Waiting> queue_;           // in the order they came
  std::optional<pool::JobId> awaited_;  // for the first of them
  int illegal_answers_ = 0;             // to the first of them
  std::uint32_t jobs_made_ = 0;
  bool is_over_ = false;
};

/// What a call is told that comes too late, or names an engine that never was.
protocol::Error no_virtual_engine();

}  // namespace tengen::daemon
