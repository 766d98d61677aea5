// A simulated engine process: a LeanEngine behind pipes, with time and misbehaviour. It reads its
// lines in order, is busy while it thinks, streams until the next line comes, and breaks, hangs or
// lies as its faults say. It also judges what it is sent: a line that no daemon may send to any
// engine is a failure of the run.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pool/pool.h"
#include "sim/lean_engine.h"

namespace tengen::sim {

/// A line that a faulty engine says between its answers.
inline constexpr std::string_view kChatter = "thinking about it";

/// Probabilities: of each command, unless said otherwise.
struct Faults {
  double crash = 0;
  double hang = 0;
  double garbage = 0;   // an answer that is none, or without an id, or far too long
  double wrong_id = 0;  // an answer to a command that was not sent yet
  double repeat = 0;    // an answer twice
  double refuse = 0;    // "?" to a command that is no search, now and then for good
  double drift = 0;     // the board changes by itself
  double late = 0;      // of each search: it takes far longer than anybody waits
  double illegal = 0;   // of each search for a move: an occupied point
  double decline = 0;   // of each search: "?"
  double noise = 0;     // a line that is no answer
  bool lies = false;    // a drifted engine shows the board that it should have
  bool is_crlf = false;
  bool ignores_quit = false;
};

/// How long it takes; each time is drawn between a tenth of this and this.
struct Pace {
  std::chrono::microseconds start{20'000};
  std::chrono::microseconds sync{200};
  std::chrono::microseconds search{20'000};
  std::chrono::microseconds stream_end{5'000};
};

/// The search, or stream, that a process has begun last.
struct Search {
  std::uint64_t write = 0;  // the number of the write it came in, from 1
  std::uint32_t id = 0;
  std::string command;
  LeanEngine::Work work = LeanEngine::Work::Instant;
  bool is_void = false;         // a command before it in its write was refused
  bool has_sync = false;        // anything came before it in its write
  bool has_look = false;        // the board was shown in its write, and honestly
  bool is_board_shown = false;  // and has not changed since
  bool is_over = false;
  bool is_stopped = false;  // told to stop
  LeanEngine::Reply reply;  // when it is over
  std::uint64_t lines = 0;  // of a stream
};

/// What the world has to do for a process, after `delay`.
struct Emission {
  enum class Kind : std::uint8_t { Output, Resume, Exit };
  Kind kind = Kind::Output;
  std::chrono::microseconds delay{0};
  std::string bytes{};
  std::uint64_t token = 0;  // of a Resume
  pool::ExitStatus status{};
  bool ends_sync = false;    // with these bytes the last answer before the search has come
  bool ends_search = false;  // with these the search's own
};
using Emissions = std::vector<Emission>;

class PoolProcess {
 public:
  /// `arguments` is what the profile and its variant say; the profile is copied, since the pool's
  /// own may change meanwhile.
  PoolProcess(const pool::Profile& profile, std::size_t variant, Talents talents, Faults faults,
              Pace pace, std::uint64_t seed);
  PoolProcess(const PoolProcess&) = delete;  // the engine refers to the profile in here
  PoolProcess& operator=(const PoolProcess&) = delete;

  void write(std::string_view bytes, pool::TimePoint now, Emissions& out);
  void close_input(pool::TimePoint now, Emissions& out);
  void resume(std::uint64_t token, pool::TimePoint now, Emissions& out);
  /// SIGKILL, or a death of its own; what it has written is still to be read.
  void end(pool::ExitStatus status, pool::TimePoint now, Emissions& out);
  /// No more misbehaviour from here on; one that hangs goes on hanging.
  void heal() { faults_ = {}; }

  const pool::Profile& profile() const { return profile_; }
  std::size_t variant() const { return variant_; }
  LeanEngine& brain() { return brain_; }
  const LeanEngine& brain() const { return brain_; }
  std::uint64_t writes() const { return writes_; }
  /// The last search begun; absent before the first.
  const std::optional<Search>& search() const { return search_; }
  bool is_searching() const { return search_ && !search_->is_over && state_ != State::Gone; }
  bool is_streaming() const { return is_searching() && search_->work == LeanEngine::Work::Stream; }
  bool is_hung() const { return state_ == State::Hung; }
  bool is_gone() const { return state_ == State::Gone; }
  bool is_quitting() const { return is_quitting_; }
  /// Whether it refused to be told something that the pool may go without from then on.
  bool has_refused_time() const { return has_refused_time_ || brain_.has_refused_time(); }
  bool has_refused_look() const { return has_refused_look_; }
  /// What it was sent that it should not have been; empty while all is well.
  const std::string& broken() const { return broken_; }

 private:
  enum class State : std::uint8_t { Booting, Free, Searching, Hung, Gone };
  struct Line {
    std::uint64_t write;
    std::string text;
  };
  struct Command {
    std::uint32_t id = 0;
    Words words;
  };

  void take_line(std::string line);
  bool check_bytes(const std::string& line);
  std::optional<Command> parse(const std::string& line);
  void check_command(const Command& command);
  void check_state(const Words& words);
  void run(pool::TimePoint now, Emissions& out);
  void obey(const Line& line, pool::TimePoint now, Emissions& out);
  void note_write(std::uint64_t write);
  void note_refusal(std::string_view name, std::uint64_t write);
  bool misbehave(const Command& command, const Line& line, pool::TimePoint now, Emissions& out);
  bool is_refused(const Line& line);
  bool is_fence_allowed(const Words& search) const;
  void begin_search(const Command& command, const Line& line, pool::TimePoint now, Emissions& out);
  void begin_thinking(pool::TimePoint now, Emissions& out);
  void tick(pool::TimePoint now, Emissions& out);
  void end_search(pool::TimePoint now, Emissions& out);
  void end_stream(pool::TimePoint now, Emissions& out);
  bool take_stop(std::string_view text, pool::TimePoint now, Emissions& out);
  void answer(std::uint32_t id, const LeanEngine::Reply& reply);
  void flush(std::chrono::microseconds delay, pool::TimePoint now, Emissions& out);
  void resume_later(std::chrono::microseconds delay, pool::TimePoint now, Emissions& out);
  std::chrono::microseconds draw(std::chrono::microseconds longest);
  void break_rule(const std::string& what);

  pool::Profile profile_;
  std::size_t variant_;
  Faults faults_;
  Pace pace_;
  Dice dice_;
  LeanEngine brain_;
  State state_ = State::Booting;
  std::uint64_t token_ = 0;  // of the Resume that counts
  std::uint64_t writes_ = 0;
  std::string partial_;
  std::deque<Line> input_;
  bool is_input_closed_ = false;
  bool is_quitting_ = false;
  std::uint64_t refused_write_ = 0;
  // In the write of the last line.
  std::uint64_t last_write_ = 0;
  std::size_t undos_ = 0;
  std::size_t commands_ = 0;
  std::optional<std::uint64_t> shown_;  // the hash of the board that was shown
  bool has_refused_time_ = false;
  bool has_refused_look_ = false;
  std::string stubborn_;  // a command that it never takes
  std::vector<std::uint32_t> outstanding_;
  std::optional<Search> search_;
  int ticks_left_ = 0;
  std::string output_;
  bool output_ends_sync_ = false;
  bool output_ends_search_ = false;
  pool::TimePoint output_at_{};
  std::string broken_;
};

}  // namespace tengen::sim
