// What a scripted engine is to be and to do: whom it plays, how it moves, and where it misbehaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rules/ruleset.h"
#include "tests/support/persona.h"

namespace tengen::tests {

struct Script {
  enum class Style : std::uint8_t {
    FirstLegal,  // the first legal point in index order
    Random,      // a random legal point that fills no eye of its own, else a pass
  };
  enum class Dead : std::uint8_t { None, All, Given, Unsupported };
  /// What an illegal genmove names, where the board has such a point; else a taken one.
  enum class Illegal : std::uint8_t { Occupied, Ko, Suicide, OffBoard };

  Persona persona = Persona::Plain;
  std::vector<std::string> also_knows;  // commands beside the persona's own
  std::vector<std::string> lacks;       // commands of the persona's that it does not know

  Style style = Style::Random;
  std::uint64_t seed = 1;
  int pass_after = -1;  // passes from this many moves on its board on; negative: never
  Dead dead = Dead::None;
  std::vector<std::string> dead_given;  // vertices, for Given
  std::vector<std::string> seki_given;
  std::optional<std::string> score_given;  // the answer to final_score
  /// The rules its own moves keep to, until it is told others.
  rules::KoRule ko = rules::KoRule::Positional;
  rules::SuicideRule suicide = rules::SuicideRule::No;

  bool crlf = false;
  bool tabs = false;        // for blanks in its answers
  bool form_feeds = false;  // and other control characters in them
  std::string banner;       // written before the first answer

  /// Searches withhold their answer until finish_search(); cancellable ones end at any input.
  bool searches_wait = false;
  std::size_t candidates = 3;  // of an analysis, at most 25
  std::size_t variation = 4;   // moves that each is told with
  int stream_ticks_max = 0;    // an analysis ends by itself after so many updates; 0: never
  bool stream_hangs = false;   // falls silent when an analysis should stop

  // Faults count from 1 in the engine's life; 0 means never.
  int hang_at = 0;             // n-th command: silent from then on
  int crash_at = 0;            // n-th command: gone without an answer
  int garbage_at = 0;          // n-th command: an answer that is none
  int wrong_id_at = 0;         // n-th command: answered with the next id
  int no_id_at = 0;            // n-th command: answered without an id
  int late_at = 0;             // n-th command: answered after the next one, or by late_answer()
  int twice_at = 0;            // n-th command: the same answer twice
  int double_at = 0;           // n-th command: an error, and then the answer
  int short_newline_at = 0;    // n-th command: one newline is missing after the answer
  int surplus_newline_at = 0;  // n-th command: one too many
  int huge_line_at = 0;        // n-th command: an answer of huge_bytes in one line
  std::size_t huge_bytes = 100'000;
  int chatter_every = 0;   // before each n-th answer: a line that is no answer
  int inner_blank_at = 0;  // n-th list: an empty line inside it
  int refuse_play_at = 0;  // n-th play: refused
  bool refuse_plays_after_that = false;
  std::string refuse_command;  // with refuse_at: n-th of these is refused
  int refuse_at = 0;
  bool refuse_after_that = false;
  bool refuse_handicap = false;
  int drop_play_at = 0;  // n-th play: accepted and forgotten, the board is another from then on
  int illegal_at = 0;    // n-th genmove: names a point where it must not play
  Illegal illegal = Illegal::Occupied;
  int resign_at = 0;     // n-th genmove
  int cancelled_at = 0;  // n-th genmove: "cancelled"
  /// Given in turn as answers to place_free_handicap, whatever was asked; its board gets nothing.
  std::vector<std::string> handicap_answers;
  // The n-th update of all its analyses.
  int stream_crash_at = 0;
  int stream_huge_at = 0;       // a line of huge_bytes
  int stream_nan_at = 0;        // a winrate that is no number
  int stream_off_board_at = 0;  // a move that is not on the board
  /// Asked before each fault that counts commands or genmoves; absent: yes.
  std::function<bool()> may_fail;
};

}  // namespace tengen::tests
