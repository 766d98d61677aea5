// The board of a virtual GTP engine and what is answered from it alone: moves judged by the rules
// core in any order of colours, passes that end nothing, undo, komi, size, the drawn board and the
// score. It knows no jobs and no callers.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "daemon/virtual_call.h"
#include "rules/record.h"

namespace tengen::daemon {

/// Work for an engine of the profile.
struct EngineWork {
  pool::Want want = pool::Want::Genmove;
  rules::Color color = rules::Color::Black;  // for Genmove
  std::string command{};                     // for Raw
};
/// What comes of a call at once: its result, or work that has to be done first.
using Outcome = std::variant<protocol::GtpResult, EngineWork>;

class VirtualBoard {
 public:
  /// An error when a move of the start is illegal or there are too many.
  static std::variant<VirtualBoard, protocol::Error> make(const VirtualEngineSpec& spec,
                                                          std::size_t moves_max);

  /// A call that fails changes nothing; neither does one that needs an engine, yet.
  Outcome carry_out(const protocol::GtpCallBody& call, const EngineFacts& facts);
  /// Plays what an engine found, but for a resignation, which changes nothing. A refusal changes
  /// nothing either.
  [[nodiscard]] rules::Refusal take(rules::Color color, const pool::EngineMove& move);

  const rules::Record& record() const { return *record_; }
  /// The record as it stands, shared: calls that follow do not change it.
  std::shared_ptr<const rules::Record> shared_record() const { return record_; }
  int komi_half() const { return komi_half_; }

 private:
  VirtualBoard(const VirtualEngineSpec& spec, std::size_t moves_max);

  Outcome begin(const protocol::GtpProtocolVersion& call, const EngineFacts& facts);
  Outcome begin(const protocol::GtpName& call, const EngineFacts& facts);
  Outcome begin(const protocol::GtpVersion& call, const EngineFacts& facts);
  Outcome begin(const protocol::GtpKnownCommand& call, const EngineFacts& facts);
  Outcome begin(const protocol::GtpListCommands& call, const EngineFacts& facts);
  Outcome begin(const protocol::GtpQuit& call, const EngineFacts& facts);
  Outcome begin(const protocol::GtpBoardSize& call, const EngineFacts& facts);
  Outcome begin(const protocol::GtpClearBoard& call, const EngineFacts& facts);
  Outcome begin(const protocol::GtpKomi& call, const EngineFacts& facts);
  Outcome begin(const protocol::GtpPlay& call, const EngineFacts& facts);
  Outcome begin(const protocol::GtpGenMove& call, const EngineFacts& facts);
  Outcome begin(const protocol::GtpUndo& call, const EngineFacts& facts);
  Outcome begin(const protocol::GtpRaw& call, const EngineFacts& facts);

  rules::Refusal play(const protocol::GtpPlay& move);
  void clear(rules::Size size);
  bool is_full() const { return record_->moves().size() >= moves_max_; }
  rules::Record& own_record();
  int black_lead_half() const;

  std::string profile_;
  rules::Settings settings_;
  rules::Ruleset rules_;
  std::size_t moves_max_;
  std::shared_ptr<rules::Record> record_;  // copied before a change while somebody shares it
  int komi_half_;
};

}  // namespace tengen::daemon
