// A small honest GTP engine in memory, driven by bytes, that misbehaves exactly as its script says.
// Deterministic: the same script and the same bytes give the same answers. It counts commands,
// never time, so it serves the simulator as well as the fake engine process.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/record.h"

namespace tengen::tests {

struct Script {
  enum class Style : std::uint8_t {
    FirstLegal,  // the first legal point in index order
    Random,      // a random legal point that fills no eye of its own, else a pass
  };
  enum class Dead : std::uint8_t { None, All, Given, Unsupported };

  Style style = Style::Random;
  std::uint64_t seed = 1;
  int pass_after = -1;  // passes from this many moves on its board on; negative: never
  Dead dead = Dead::None;
  std::vector<std::string> dead_given;  // vertices, for Given
  rules::KoRule ko = rules::KoRule::Positional;
  rules::SuicideRule suicide = rules::SuicideRule::No;
  bool crlf = false;
  std::string banner;  // written before the first answer

  // Faults count from 1 in the engine's life; 0 means never.
  int hang_at = 0;         // n-th command: silent from then on
  int crash_at = 0;        // n-th command: gone without an answer
  int garbage_at = 0;      // n-th command: an answer that is none
  int wrong_id_at = 0;     // n-th command: answered with the next id
  int refuse_play_at = 0;  // n-th play: refused
  bool refuse_plays_after_that = false;
  bool refuse_handicap = false;
  int illegal_at = 0;  // n-th genmove: names an occupied point when there is one
  int resign_at = 0;   // n-th genmove
  /// Asked before each fault that counts commands or genmoves; absent: yes.
  std::function<bool()> may_fail;
};

class ScriptedEngine {
 public:
  explicit ScriptedEngine(Script script = {});

  /// Takes input in any chunking and gives back what the engine writes. Nothing more once it hangs,
  /// has crashed or has quit.
  std::string feed(std::string_view bytes);

  bool is_hung() const { return state_ == State::Hung; }
  bool has_crashed() const { return state_ == State::Crashed; }
  bool has_quit() const { return state_ == State::Quit; }
  int commands() const { return commands_; }
  int genmoves() const { return genmoves_; }
  const rules::Record& record() const { return record_; }
  double komi() const { return komi_; }

 private:
  enum class State : std::uint8_t { Running, Hung, Crashed, Quit };
  struct Reply {
    bool is_success = true;
    std::string text;
  };

  void obey(std::string_view line, std::string& out);
  void write(std::uint64_t id, const Reply& reply, std::string& out) const;
  bool strikes(int at, int count) const;
  Reply answer(const std::vector<std::string_view>& words);
  Reply set_size(std::string_view word);
  Reply play(const std::vector<std::string_view>& words);
  Reply handicap(const std::vector<std::string_view>& words);
  Reply genmove(std::string_view color);
  Reply list_dead() const;
  rules::Move choose(rules::Color color);
  rules::Move random_move(rules::Color color);
  bool is_own_eye(rules::Color color, rules::Point point) const;
  std::optional<rules::Point> occupied_point() const;
  void clear(rules::Size size);

  Script script_;
  State state_ = State::Running;
  std::string line_;
  int commands_ = 0;
  int plays_ = 0;
  int genmoves_ = 0;
  std::uint64_t random_;
  double komi_ = 0;
  rules::Record record_;
};

}  // namespace tengen::tests
