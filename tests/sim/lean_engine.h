// A cheap GTP engine for the bulk of the pool's simulator: what an engine has on its board and has
// been told, kept by nothing but the commands it took. It reads commands with its own eyes, forgets
// at clear_board everything that any real engine forgets there, and clears nothing for a boardsize
// it already has. Framing, time and misbehaviour are its process's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pool/profile.h"
#include "rules/record.h"

namespace tengen::sim {

/// SplitMix64 (Steele, Lea and Flood 2014).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// 0 to bound - 1; bound at least 1.
  std::uint64_t below(std::uint64_t bound) { return (next() >> 11) % bound; }
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low + 1)));
  }
  bool chance(double probability) {
    return static_cast<double>(next() >> 11) < probability * 9007199254740992.0;
  }

 private:
  std::uint64_t state_;
};

using Words = std::vector<std::string_view>;
/// The parts of a line between blanks.
Words split(std::string_view line);

/// What an engine can do, apart from what its profile says.
struct Talents {
  bool lists_commands = true;
  bool takes_handicap = true;
  bool takes_time = true;
  bool judges = true;  // status lists and scores
};

class LeanEngine {
 public:
  LeanEngine(const pool::Profile& profile, Talents talents, std::uint64_t seed);

  /// What a command asks for. Instant ones are answered by obey, a search by end_search when the
  /// engine has thought, a stream by line after line until end_stream.
  enum class Work : std::uint8_t { Instant, Search, Stream, MoveStream };
  Work work_of(std::string_view command) const;

  struct Reply {
    bool is_success = true;
    std::string text;
  };
  Reply obey(const Words& words);
  Reply end_search(const Words& words);
  /// One line of a stream, without its end.
  std::string stream_line(const Words& words);
  /// The move at the end of a MoveStream: "play D4".
  std::string end_stream(const Words& words);

  /// Makes a move that nobody asked for. An engine that lies goes on showing the board that it
  /// should have.
  enum class Show : std::uint8_t { Truth, Lie };
  void drift(Show show);
  /// Whether the board is not what the commands made it.
  bool has_drifted() const { return has_drifted_; }
  /// How often its board was cleared; a drift ends with that.
  std::uint64_t clears() const { return clears_; }

  // What it holds.
  const rules::Record& record() const { return record_; }
  const std::string& komi() const { return komi_; }
  const std::string& rules() const { return rules_; }
  const std::vector<std::pair<std::string, std::string>>& settings() const { return settings_; }
  const std::string& time_settings() const { return time_settings_; }
  // Since the last search.
  const std::vector<std::string>& time_left() const { return time_left_; }
  const std::string& seed() const { return seed_; }
  /// Forgets what holds for one search only.
  void begin_search();

  const Talents& talents() const { return talents_; }
  bool has_refused_handicap() const { return has_refused_handicap_; }
  bool has_refused_time() const { return has_refused_time_; }
  std::uint64_t visits() const { return visits_; }

 private:
  bool force(rules::Move move);
  const rules::Board& shown() const { return shown_ ? shown_->board() : record_.board(); }
  Reply undo();
  Reply set_size(const Words& words);
  Reply play(const Words& words);
  Reply set_handicap(const Words& words);
  Reply place_handicap(const Words& words);
  Reply list_stones(const Words& words) const;
  Reply list_status();
  Reply list_commands() const;
  std::optional<Reply> set_state(const Words& words);
  std::string board_text() const;
  rules::Move choose(rules::Color color);
  rules::Point any_point();
  std::string candidate(rules::Color color, int order);
  void clear(rules::Size size);

  const pool::Profile* profile_;
  Talents talents_;
  Dice dice_;
  rules::Record record_;
  bool has_drifted_ = false;
  std::uint64_t clears_ = 0;
  std::optional<rules::Record> shown_;  // by a liar
  std::string komi_;
  std::string rules_;
  std::vector<std::pair<std::string, std::string>> settings_;
  std::string time_settings_;
  std::vector<std::string> time_left_;
  std::string seed_;
  bool has_refused_handicap_ = false;
  bool has_refused_time_ = false;
  std::uint64_t visits_ = 0;  // of the present stream
};

}  // namespace tengen::sim
