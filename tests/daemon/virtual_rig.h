// One virtual engine, its callers and what it asked of the pool, for the tests of virtual engines.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/virtual_engine.h"
#include "tests/support/gtp_wire.h"

namespace tengen::daemon {

inline pool::Profile virtual_profile() {
  pool::Profile profile;
  profile.name = "fake";
  profile.command = {"fake"};
  profile.size_min = 2;
  profile.size_max = 19;
  profile.settings = {{"level", "level", 0, 10, 10}};
  profile.raw_commands = {"countlib", "showboard", "captures"};
  return profile;
}

/// An empty board by the usual rules.
inline VirtualEngineSpec virtual_spec(std::uint8_t side = 9) {
  VirtualEngineSpec spec;
  spec.profile = "fake";
  spec.start.size = {side, side};
  return spec;
}

/// Moves such as "B D4" and "W pass".
inline std::vector<protocol::GtpPlay> gtp_moves(const std::vector<std::string>& texts) {
  std::vector<protocol::GtpPlay> moves;
  for (const std::string& text : texts) {
    const auto color = text[0] == 'B' ? rules::Color::Black : rules::Color::White;
    const std::string vertex = text.substr(2);
    moves.push_back({color, vertex == "pass" ? std::nullopt : std::optional(vertex)});
  }
  return moves;
}

class VirtualRig {
 public:
  explicit VirtualRig(VirtualEngineSpec spec = virtual_spec(), VirtualEngineLimits limits = {})
      : engine_({5, rules::GameSeed{}}, spec,
                std::get<VirtualBoard>(VirtualBoard::make(spec, limits.moves_max)), limits) {}

  pool::Profile profile = virtual_profile();
  EngineFacts facts{&profile, "GNU Go", "3.8"};

  VirtualEngine& engine() { return engine_; }
  const rules::Record& record() const { return engine_.board().record(); }
  const std::vector<pool::Job>& jobs() const { return effects_.submit; }
  const std::vector<pool::JobId>& cancelled() const { return effects_.cancel; }
  /// The requests answered, in the order of their answers.
  const std::vector<std::uint32_t>& answered() const { return answered_; }

  /// The request's number; its answer may come at once or later.
  std::uint32_t send(std::string method, std::string request, std::string request_id = {}) {
    const std::uint32_t number = ++requests_;
    engine_.on_call(
        {{ConnId{1}, number}, std::move(method), std::move(request), std::move(request_id)}, facts,
        effects_);
    take_replies();
    return number;
  }
  bool is_answered(std::uint32_t request) const { return answers_.contains(request); }
  /// The response; the test fails when there is none.
  std::string reply(std::uint32_t request) const {
    const auto found = answers_.find(request);
    const auto* reply =
        found == answers_.end() ? nullptr : std::get_if<protocol::GtpReply>(&found->second);
    EXPECT_NE(reply, nullptr) << "no response to request " << request;
    return reply != nullptr ? reply->bytes : std::string();
  }
  /// The error of the frame; one with an empty reason when there is none.
  protocol::Error error(std::uint32_t request) const {
    const auto found = answers_.find(request);
    const auto* error =
        found == answers_.end() ? nullptr : std::get_if<protocol::Error>(&found->second);
    return error != nullptr ? *error : protocol::Error{};
  }
  std::string ask(std::string method, std::string request) {
    return reply(send(std::move(method), std::move(request)));
  }

  /// "B D4", "W pass": what the response's error says, empty when it was played.
  std::string play(std::string_view move) {
    const std::string_view vertex = move.substr(2);
    return tests::error_text(
        ask("Play", tests::play_request(1, color(move), vertex == "pass" ? "" : vertex)));
  }
  void play_all(const std::vector<std::string>& moves) {
    for (const std::string& move : moves) EXPECT_EQ(play(move), "") << move;
  }
  std::string undo() { return tests::error_text(ask("Undo", tests::id_request(1))); }
  std::string raw(std::string line) { return ask("Raw", std::move(line)); }
  std::uint32_t genmove(std::string_view side, std::string request_id = {}) {
    return send("GenMove", tests::color_request(1, color(side)), std::move(request_id));
  }

  /// The pool's answer to the newest job.
  void done(pool::JobResult result) { done(jobs().back().id, std::move(result)); }
  void done(pool::JobId job, pool::JobResult result) {
    engine_.on_job_done({job, std::move(result)}, facts, effects_);
    take_replies();
  }
  void engine_plays(std::string_view vertex) {
    const auto point = rules::parse_gtp_vertex(vertex, record().size());
    done(pool::EngineMove{pool::EngineMove::Kind::Play, point.value()});
  }
  void engine_passes() { done(pool::EngineMove{pool::EngineMove::Kind::Pass, {}}); }
  void engine_fails(pool::JobError error) { done(pool::JobFailure{error, "why"}); }
  void end() {
    engine_.end(effects_);
    take_replies();
  }

 private:
  static rules::Color color(std::string_view move) {
    return move[0] == 'B' ? rules::Color::Black : rules::Color::White;
  }
  void take_replies() {
    for (VirtualReply& reply : effects_.replies) {
      answered_.push_back(reply.caller.request);
      const bool is_first = answers_.emplace(reply.caller.request, std::move(reply.answer)).second;
      EXPECT_TRUE(is_first) << "two answers to request " << reply.caller.request;
    }
    effects_.replies.clear();
    EXPECT_EQ(engine_.broken_invariant().value_or(""), "");
  }

  VirtualEngine engine_;
  VirtualEffects effects_;
  std::uint32_t requests_ = 0;
  std::map<std::uint32_t, protocol::GtpAnswer> answers_;
  std::vector<std::uint32_t> answered_;
};

}  // namespace tengen::daemon
