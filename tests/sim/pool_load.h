// What the pool's simulator asks for: random profiles of every dialect and quirk, and games that
// live by the engines' answers, jump about in their own history and want more than moves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pool/pool.h"
#include "sim/lean_engine.h"

namespace tengen::sim {

/// A profile without a problem(), its limits short enough for virtual time.
pool::Profile random_profile(Dice& dice, const std::string& name);

/// Changes something: how its engines are started or spoken to, what they can do, or what they are
/// told. Games made for the old profile may not suit() the new one.
void change(pool::Profile& profile, Dice& dice);

/// A game that the profile takes. Whatever it hands out is a job that the daemon could have made.
class PoolGame {
 public:
  PoolGame(const pool::Profile& profile, rules::GameId id, pool::ClientId client, Dice& dice);

  rules::GameId id() const { return id_; }
  const std::string& profile() const { return profile_; }
  pool::ClientId client() const { return client_; }
  bool is_over() const { return is_over_; }
  bool is_empty() const { return record_.moves().empty() && record_.setup().empty(); }
  /// Whether the profile still takes its size and settings.
  bool suits(const pool::Profile& profile) const;

  /// Something to want of this profile in this position, most often a move.
  pool::Want some_want(const pool::Profile& profile, Dice& dice) const;
  pool::Job job(pool::JobId id, pool::Want want, const pool::Profile& profile, Dice& dice) const;

  /// The answer to a move job made when the record had `moves` moves; what is late or illegal is
  /// dropped, as the daemon would. Whether it was played.
  bool take(const pool::EngineMove& move, rules::Color color, std::size_t moves);
  void take_handicap(const pool::EngineStones& stones);
  /// Somebody plays a move, if a few tries find one.
  void play_any(Dice& dice);
  /// Takes moves back, sometimes to go on differently.
  void jump(Dice& dice);
  std::size_t moves() const { return record_.moves().size(); }

 private:
  void set_up(Dice& dice);
  void set_clock(Dice& dice);
  void add(rules::Move move);

  rules::GameId id_;
  std::string profile_;
  pool::ClientId client_;
  rules::Settings settings_;
  rules::Ruleset rules_;
  int komi_half_;
  rules::Record record_;
  rules::Color to_move_ = rules::Color::Black;
  std::optional<pool::JobClock> clock_;
  std::size_t length_;
  bool is_over_ = false;
};

}  // namespace tengen::sim
