// The house engine's side of GTP: a parsed command in, the answer out. It judges every move by the
// rules it was given, knows no turn and no end, and reads no clock: what it answers depends on its
// options and the commands so far alone. Commands: GTP 2, KGS's, some of GNU Go's, and tengen-*.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clients/house/gtp_line.h"
#include "clients/house/local_game.h"
#include "clients/house/search.h"
#include "clients/house/time_budget.h"
#include "rules/rules_text.h"

namespace tengen::house {

struct HouseOptions {
  rules::NamedRules rules{rules::find_preset("chinese"), rules::find_preset("chinese")->rules};
  std::optional<int> komi_half;  // absent: that of the preset
  rules::Size size{19, 19};      // one that the preset allows
  std::uint64_t seed = 0;
  std::optional<int> playouts;  // for one move; absent: as suits the board's size
  std::string version;          // what `version` answers
  GtpLimits limits;
};

/// The bytes of a file, or nothing when it cannot be read.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;

class Referee {
 public:
  Referee(const HouseOptions& options, FileReader read_file);

  Response answer(const Command& command);
  /// Whether `quit` has been answered.
  bool is_over() const { return is_over_; }

  const LocalGame& game() const { return game_; }
  int komi_half() const { return komi_half_; }

 private:
  using Arguments = std::vector<std::string>;
  struct Entry {
    std::string_view name;
    std::size_t arguments_min;
    std::size_t arguments_max;
    Response (Referee::*run)(const Arguments&);
  };
  static std::span<const Entry> entries();
  static const Entry* find(std::string_view name);

  // The protocol and the engine (referee.cc).
  Response protocol_version(const Arguments& arguments);
  Response name(const Arguments& arguments);
  Response version(const Arguments& arguments);
  Response known_command(const Arguments& arguments);
  Response list_commands(const Arguments& arguments);
  Response quit(const Arguments& arguments);
  Response play(const Arguments& arguments);
  Response genmove(const Arguments& arguments);
  Response reg_genmove(const Arguments& arguments);
  Response genmove_cleanup(const Arguments& arguments);
  Response undo(const Arguments& arguments);
  Response gg_undo(const Arguments& arguments);
  Response set_playouts(const Arguments& arguments);
  Response set_level(const Arguments& arguments);
  Response set_random_seed(const Arguments& arguments);
  Response ignore(const Arguments& arguments);

  // What is played, and on which board (referee_setup.cc).
  Response boardsize(const Arguments& arguments);
  Response clear_board(const Arguments& arguments);
  Response komi(const Arguments& arguments);
  Response kgs_rules(const Arguments& arguments);
  Response tengen_rules(const Arguments& arguments);
  Response fixed_handicap(const Arguments& arguments);
  Response place_free_handicap(const Arguments& arguments);
  Response set_free_handicap(const Arguments& arguments);
  Response loadsgf(const Arguments& arguments);
  Response time_settings(const Arguments& arguments);
  Response kgs_time_settings(const Arguments& arguments);
  Response time_left(const Arguments& arguments);

  // Questions about the game (referee_query.cc).
  Response showboard(const Arguments& arguments);
  Response list_stones(const Arguments& arguments);
  Response captures(const Arguments& arguments);
  Response all_legal(const Arguments& arguments);
  Response is_legal(const Arguments& arguments);
  Response last_move(const Arguments& arguments);
  Response move_history(const Arguments& arguments);
  Response final_score(const Arguments& arguments);
  Response final_status_list(const Arguments& arguments);

  /// A vertex or "pass" on this board.
  struct Target {
    std::optional<rules::Point> point;
    bool is_on_board = true;
  };
  /// Nothing when the word names no point of any board.
  std::optional<Target> target_of(std::string_view word) const;
  std::string vertices(std::span<const rules::Point> points) const;
  std::string text_of(rules::Move move) const;

  bool is_full() const { return game_.record().moves().size() >= options_.limits.moves; }
  int wanted_playouts() const;
  int white_extra_half() const;
  /// Fixed by the seed, the number of moves and what it is for.
  enum class Use : std::uint8_t { Move, Status };
  std::uint64_t seed_for(Use use) const;
  rules::Move think(rules::Color color, Aim aim) const;
  Response think_and_play(const Arguments& arguments, Aim aim);

  void start_on(rules::Size size);
  Response use_rules(const rules::NamedRules& named);
  Response place(const std::vector<rules::Point>& points);

  /// Whole chains that count as dead: none where all stones are alive at the end, else those dead
  /// by playouts and not alive by Benson's algorithm.
  std::vector<rules::Point> dead_stones() const;
  int black_lead_half() const;

  HouseOptions options_;
  FileReader read_file_;
  rules::NamedRules rules_;
  LocalGame game_;
  int komi_half_;
  TimeBudget budget_;
  std::optional<int> playouts_;
  int level_ = kLevelMax;  // in tenths of the usual playouts
  bool is_over_ = false;

  static constexpr int kLevelMax = 10;
};

/// Errors that several commands share, in GTP's words.
inline Response syntax_error() { return failure("syntax error"); }

}  // namespace tengen::house
