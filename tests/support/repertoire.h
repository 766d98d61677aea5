// Everything a scripted engine does when it is told to, in its persona's way: what it takes, what
// it refuses, what kills it. It knows no bytes: words come in, an answer goes out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/analysis_talk.h"
#include "tests/support/engine_board.h"
#include "tests/support/engine_settings.h"
#include "tests/support/move_maker.h"
#include "tests/support/reply.h"
#include "tests/support/script.h"

namespace tengen::tests {

/// How long a command talks.
enum class Talk : std::uint8_t {
  Answer,             // at once
  Search,             // one that nothing can stop
  CancellableSearch,  // one that any input ends
  GenmoveAnalysis,    // a search with updates on the way
  Analysis,           // updates until the next input
};

class Repertoire {
 public:
  explicit Repertoire(Script script);

  /// As it is listed, or known without being listed.
  bool knows(std::string_view command) const;
  Talk talk(std::string_view command) const;
  /// Carries the command out. For an Analysis success only says that it may begin.
  Reply answer(const Words& words);
  /// What a successful analysis command asked for.
  std::optional<AnalysisOrder> order(const Words& words) const;

  const Script& script() const { return script_; }
  const Traits& traits() const { return traits_of(script_.persona); }
  const EngineBoard& board() const { return board_; }
  const EngineSettings& settings() const { return settings_; }
  std::optional<std::uint64_t> seed() const { return seed_; }
  int genmoves() const { return genmoves_; }
  bool strikes(int at, int count) const;

 private:
  using Action = Reply (Repertoire::*)(const Words&);
  struct Entry {
    std::string_view command;
    Action action;
  };
  static const Entry kEntries[];

  bool is_listed(std::string_view command) const;
  bool is_refused(const Words& words);
  Reply unknown() const;
  Reply nothing(const Words& words);

  // About itself (repertoire.cc).
  Reply protocol_version(const Words& words);
  Reply name(const Words& words);
  Reply version(const Words& words);
  Reply list_commands(const Words& words);
  Reply known_command(const Words& words);
  Reply komi(const Words& words);
  Reply get_komi(const Words& words);
  Reply level(const Words& words);
  Reply time(const Words& words);
  Reply time_left(const Words& words);
  Reply rules(const Words& words);
  Reply set_random_seed(const Words& words);
  Reply get_random_seed(const Words& words);
  Reply peculiar(const Words& words);

  // Moves and judgements (repertoire_search.cc).
  Reply genmove(const Words& words);
  Reply search(const Words& words);
  Reply genmove_analyze(const Words& words);
  Reply analyze(const Words& words);
  Reply final_status_list(const Words& words);
  Reply final_score(const Words& words);
  Reply seek_move(const Words& words, bool plays);
  std::optional<Reply> illegal_move(rules::Color color);
  std::string move_text(rules::Move move) const;
  std::vector<rules::Point> dead() const;
  std::string status_text(const std::vector<std::vector<rules::Point>>& chains) const;

  // The board (repertoire_board.cc).
  Reply boardsize(const Words& words);
  Reply clear_board(const Words& words);
  Reply play(const Words& words);
  Reply undo(const Words& words);
  Reply gg_undo(const Words& words);
  Reply fixed_handicap(const Words& words);
  Reply place_free_handicap(const Words& words);
  Reply set_free_handicap(const Words& words);
  Reply list_stones(const Words& words);
  Reply showboard(const Words& words);
  Reply bad_play(std::string_view leela) const;
  Reply bad_vertex(std::string_view vertex) const;
  Reply bad_size(std::string_view text) const;
  Reply not_empty() const;
  Reply place(std::vector<rules::Point> points);
  Reply leela_handicap(const Words& words);
  std::string vertices(const std::vector<rules::Point>& points) const;
  void clear(rules::Size size);

  Script script_;
  EngineBoard board_;
  EngineSettings settings_;
  MoveMaker mover_;
  std::optional<std::uint64_t> seed_;
  int plays_ = 0;
  int genmoves_ = 0;
  int refusable_ = 0;  // commands that the script may refuse, so far
  std::size_t handicaps_ = 0;
};

}  // namespace tengen::tests
