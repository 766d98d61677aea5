// A small honest GTP engine in memory, driven by bytes, that plays one of the engines in use and
// misbehaves exactly as its script says. Deterministic: the same script and the same bytes give the
// same answers. It counts commands and ticks, never time, so it serves the simulator as well as the
// fake engine process. It asserts nothing: it remembers the first thing that a careful client would
// not have written to it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rules/record.h"
#include "tests/support/gtp_ear.h"
#include "tests/support/repertoire.h"
#include "tests/support/script.h"

namespace tengen::tests {

class ScriptedEngine {
 public:
  explicit ScriptedEngine(Script script = {});

  /// Takes input in any chunking and gives back what the engine writes; one call counts as one
  /// write. Nothing more once it hangs, has crashed or has quit.
  std::string feed(std::string_view bytes);
  /// The end of its input: what was written is still obeyed, then it goes.
  std::string end_input();

  /// The next update of an analysis that runs, possibly with its end; empty when none does.
  std::string tick();
  bool is_streaming() const;
  /// The answer that a search withholds (Script::searches_wait), and those to what came behind it.
  std::string finish_search();
  bool is_searching() const;
  /// The answer that Script::late_at withholds; empty when there is none.
  std::string late_answer();

  bool is_hung() const { return state_ == State::Hung; }
  bool has_crashed() const { return state_ == State::Crashed; }
  bool has_quit() const { return state_ == State::Quit; }
  int commands() const { return commands_; }
  int genmoves() const { return repertoire_.genmoves(); }

  bool knows(std::string_view command) const { return repertoire_.knows(command); }

  // What it holds.
  const rules::Record& record() const { return repertoire_.board().record(); }
  double komi() const { return repertoire_.settings().komi(); }
  std::optional<int> level() const { return repertoire_.settings().level(); }
  std::optional<std::uint64_t> seed() const { return repertoire_.seed(); }
  /// The commands that told it rules and time last, whole; empty: none that it remembers.
  const std::string& rules() const { return repertoire_.settings().rules(); }
  const std::string& time_settings() const { return repertoire_.settings().time_settings(); }
  /// "41 0"; empty when it was not told since the time settings.
  const std::string& time_left(rules::Color color) const {
    return repertoire_.settings().time_left(color);
  }
  /// Every command that reached it, without ids, from the first on.
  const std::vector<std::string>& told() const { return told_; }
  /// The first thing that no careful client sends to this persona; nothing when all was well.
  /// Refusals that the script itself brought about are none.
  const std::optional<std::string>& insult() const { return insult_; }

 private:
  enum class State : std::uint8_t { Running, Hung, Crashed, Quit };
  enum class Activity : std::uint8_t { None, Searching, Cancellable, GenmoveAnalysis, Analysis };

  void receive(const std::string& line);
  void note_insult(std::string_view line, std::string_view what);
  void check_tail(const std::vector<std::string>& lines);
  void run(std::string& out);
  void interrupt(std::string& out);
  void take(const std::string& line, std::string& out);
  void obey(const Heard& heard, std::string& out);
  void begin(const Heard& heard, Activity activity, std::string& out);
  void execute(const Heard& heard, bool has_header, std::string& out);
  void judge(const Heard& heard, const Reply& reply, bool was_adrift);
  void respond(const Heard& heard, Reply reply, std::string& out);
  void spoil(const Heard& heard, Reply& reply);
  std::string framed(std::string id, const Reply& reply) const;
  std::string header(const std::string& id) const;
  std::string update();
  std::string dressed(std::string bytes) const;
  void settle(const std::string& id);

  const Script& script() const { return repertoire_.script(); }
  bool strikes(int at) const { return repertoire_.strikes(at, number_); }

  Repertoire repertoire_;
  LineCutter cutter_;
  State state_ = State::Running;
  Activity activity_ = Activity::None;
  std::deque<std::string> pending_;     // lines not taken yet
  std::multiset<std::string> awaited_;  // ids without their answer
  int commands_ = 0;
  int number_ = 0;  // of the command that is obeyed now
  int lists_ = 0;
  int updates_ = 0;  // of all analyses
  int updates_of_this_ = 0;
  Heard current_;  // the search or analysis that runs
  int current_number_ = 0;
  std::optional<AnalysisOrder> order_;
  std::string late_;
  bool has_listed_ = false;
  std::vector<std::string> told_;
  std::optional<std::string> insult_;
};

}  // namespace tengen::tests
