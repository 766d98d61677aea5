// An engine in memory for the probe's tests, that can be made to fail: a board without captures,
// which knows taken points, turns nothing away else, and moves to the first free point.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/probe/probe.h"
#include "pool/gtp.h"
#include "rules/point.h"

namespace tengen::cli {

enum class Fault : std::uint8_t {
  None,
  DiesInUndo,
  DiesOfSize20,
  DiesAtPass,
  HangsInGenmove,
  ShiftsIds,
  RefusesKomi,
  AnswersHandicapTwice,
  RandomMoves,
  OnlySize19,
  IsNoKnownKind,
  OutlivesQuit,
  // Of analysis.
  HasNoStreams,
  HasKataStreams,       // beside those of lz-analyze, all of them good
  RefusesInterval,      // as Pachi does
  StatesPerCent,        // in the streams of kata-analyze
  StreamsNothing,       // and ends at the next command as it should
  AnswersStreamAtOnce,  // with an update in its answer
  EndsStreamItself,     // after two updates
  EndsStreamEarly,      // after one
  StreamsForEver,
  SwallowsFence,  // it ends the stream and gets no answer
  DiesInStream,
  DiesAfterStream,  // once the fence is answered
  AnswersFenceFirst,
  MixesTextsUp,  // from the first stream on an answer has the text of the one before
  PlaysNoAnalyzedMove,
  PlaysOffTheBoard,  // when it analyzes
  DiesInAnalyzedMove,
};

class FakeProbeEngine final : public ProbeEngine {
 public:
  explicit FakeProbeEngine(Fault fault = Fault::None) : fault_(fault) {}

  std::optional<std::string> start() override;
  Exchange ask(std::string_view bytes, std::size_t answers,
               std::chrono::milliseconds timeout) override;
  void expect_stream(std::uint32_t id) override { reader_.expect_stream(id); }
  void close_input() override { state_ = State::Ended; }
  std::optional<std::string> wait_exit(std::chrono::milliseconds timeout) override;
  void kill() override { state_ = State::Ended; }
  std::uint64_t error_bytes() const override { return 0; }
  std::uint64_t noise_lines() const override { return 0; }
  std::string error_tail() const override { return "oh\nno"; }

  int starts() const { return starts_; }
  /// Every command without its id, as far as it was obeyed.
  const std::vector<std::string>& heard() const { return heard_; }

 private:
  enum class State : std::uint8_t { Running, Hung, Ended };
  using Words = std::vector<std::string_view>;
  struct Move {
    char color;  // 'b' or 'w'
    std::string vertex;
  };
  /// An analysis that runs.
  struct Analysis {
    bool is_kata = false;
    int updates = 0;
  };

  void obey(std::string_view line);
  void carry_out(std::uint32_t id, const Words& words);
  void respond(std::uint32_t id, bool is_success, std::string text);
  bool strikes(const Words& words);
  void end(std::string how);

  bool knows_analysis(std::string_view command) const;
  void begin_analysis(std::uint32_t id, const Words& words);
  void genmove_analyze(std::uint32_t id, const Words& words);
  bool ticks() const;
  void tick();
  void end_analysis();
  std::string update(bool is_kata) const;

  bool answer(const Words& words, std::string& text);
  std::string commands() const;
  bool set_size(std::string_view word);
  bool play(std::string_view color, std::string_view vertex);
  bool list(std::string_view color, std::string& text) const;
  bool genmove(std::string_view color, std::string& text);
  bool handicap(const Words& words);
  bool undo(std::string& text);
  bool is_taken(const std::string& vertex) const;

  Fault fault_;
  State state_ = State::Ended;
  std::string how_ = "exit code 0";
  int starts_ = 0;
  int genmoves_ = 0;
  rules::Size size_;
  std::vector<Move> moves_;
  std::vector<std::string> heard_;
  std::string written_;  // and not read yet
  pool::AnswerReader reader_;
  std::optional<Analysis> analysis_;
  bool had_analysis_ = false;
  std::string text_before_;
};

/// Probes it as "gnugo --mode gtp --level 3" with half a second for each answer.
Printed probe_fake(FakeProbeEngine& engine);
Printed probe_fake(Fault fault);

/// The report's line for a check, its columns one blank apart.
std::string line(const Printed& printed, const std::string& check);
bool has(const Printed& printed, std::string_view text);

}  // namespace tengen::cli
