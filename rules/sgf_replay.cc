#include "rules/sgf_replay.h"

#include <utility>

namespace tengen::rules {
namespace {

/// The game's steps one after the other.
class Replayer {
 public:
  Replayer(const SgfGame& game, const Ruleset& rules, Strictness strictness)
      : strictness_(strictness), replay_{Record(game.size, rules.ko, rules.suicide)} {
    replay_.to_move = game.first;
  }

  /// Counts the step, and makes it unless a strict replay has stopped.
  std::optional<SgfError> take(const SgfStep& step) {
    if (++steps_ > kReplayStepsMax) {
      return error(step, "more than " + std::to_string(kReplayStepsMax) + " moves and setups");
    }
    if (!step.is_move()) return is_stopped_ ? std::nullopt : edit(step);
    ++replay_.moves;
    if (step.kind == SgfStepKind::Pass) ++replay_.passes;
    if (!is_stopped_) move(step);
    return std::nullopt;
  }

  SgfReplay result() && { return std::move(replay_); }

 private:
  static SgfError error(const SgfStep& step, std::string reason) {
    return {step.place.line, step.place.column, std::move(reason)};
  }

  std::optional<SgfError> edit(const SgfStep& step) {
    if (replay_.record.edit(step.edits)) return std::nullopt;
    return error(step, "the setup leaves a chain without liberties");
  }

  void move(const SgfStep& step) {
    const Refusal refusal = judge(step);
    if (refusal == Refusal::None) {
      (void)replay_.record.force(move_of(step));  // judged to be legal
    } else {
      refuse(step, refusal);
    }
    if (!is_stopped_) replay_.to_move = other(step.color);
  }

  Refusal judge(const SgfStep& step) const {
    if (step.kind == SgfStepKind::Unplayable) return Refusal::OffBoard;
    return replay_.record.check(move_of(step));
  }

  void refuse(const SgfStep& step, Refusal reason) {
    is_stopped_ = strictness_ == Strictness::Strict;
    RefusedMove refused{replay_.moves, step.color, step.text, reason, false, step.place};
    if (step.kind != SgfStepKind::Unplayable) {
      refused.at = gtp_vertex(step.point, replay_.record.size());
      refused.is_played = !is_stopped_ && replay_.record.force(move_of(step)) == Refusal::None;
    }
    if (is_stopped_) replay_.to_move = step.color;
    replay_.refused.push_back(std::move(refused));
  }

  static Move move_of(const SgfStep& step) {
    return step.kind == SgfStepKind::Pass ? Move::pass(step.color)
                                          : Move::play(step.color, step.point);
  }

  Strictness strictness_;
  SgfReplay replay_;
  int steps_ = 0;
  bool is_stopped_ = false;
};

}  // namespace

std::variant<SgfReplay, SgfError> replay(const SgfGame& game, const Ruleset& rules,
                                         Strictness strictness) {
  Replayer replayer(game, rules, strictness);
  for (const SgfStep& step : game.steps) {
    if (auto error = replayer.take(step)) return std::move(*error);
  }
  return std::move(replayer).result();
}

}  // namespace tengen::rules
