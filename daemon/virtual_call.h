// What goes into virtual GTP engines and comes out of them, as plain values.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "daemon/ids.h"
#include "pool/job.h"
#include "pool/profile.h"
#include "protocol/gtp_calls.h"
#include "rules/ruleset.h"

namespace tengen::daemon {

/// What of one virtual engine can grow, and how far.
struct VirtualEngineLimits {
  std::size_t moves_max = protocol::kGtpMovesMax;  // on its board, passes too
  std::size_t calls_waiting_max = 64;              // the one at work and resends included
  std::size_t answers_kept_max = 32;               // for resends, the newest
  std::size_t answer_bytes_kept_max = 128 * 1024;  // of all of them; the newest is always kept
};

/// The rules of a virtual engine unless it is opened with others, those of the preset chinese:
/// positional superko, no suicide, area.
inline constexpr rules::Ruleset kVirtualRules{};
/// Where it starts unless it is told: an empty board, and the komi of the document's example.
inline constexpr rules::Size kVirtualSize{19, 19};
inline constexpr int kVirtualKomiHalf = 0;

/// What a virtual engine is opened with.
struct VirtualEngineSpec {
  std::string profile{};
  rules::Settings settings{};
  rules::Ruleset rules = kVirtualRules;
  protocol::GtpStart start{kVirtualSize, kVirtualKomiHalf, {}};
  pool::ClientId client{};  // in whose name its jobs are
  std::string opening{};    // its request's own name; empty: it is not sent again
};

/// Who is to get an answer: a request of a connection. Never looked into by virtual engines.
struct Caller {
  ConnId connection{};
  std::uint32_t request = 0;
  friend constexpr auto operator<=>(const Caller&, const Caller&) = default;
};

/// One call as it came in.
struct VirtualCall {
  Caller caller{};
  std::string method{};
  std::string request{};     // the bytes
  std::string request_id{};  // the same in every resend; empty: it will not be sent again
};

struct VirtualReply {
  Caller caller;
  protocol::GtpAnswer answer;
};

/// What virtual engines want done: answers sent, jobs given to the pool, jobs taken back.
struct VirtualEffects {
  std::vector<VirtualReply> replies;
  std::vector<pool::Job> submit;
  std::vector<pool::JobId> cancel;
};

/// What is known now of the engines behind a virtual one.
struct EngineFacts {
  const pool::Profile* profile = nullptr;  // null: the configuration has it no more
  std::string name{};                      // as the engine says, empty until one has started
  std::string version{};
};

}  // namespace tengen::daemon
