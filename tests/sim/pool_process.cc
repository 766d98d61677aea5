// See pool_process.h.
#include "sim/pool_process.h"

#include <algorithm>
#include <charconv>

namespace tengen::sim {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

// Far beyond any limit of any simulated profile.
constexpr auto kLate = 3600s;
constexpr auto kPipe = 200us;  // from the process to the pool, at most
constexpr double kStubborn = 0.5;
constexpr double kObeyedRefusal = 0.3;    // "?" and does it all the same
constexpr double kOwnEnd = 0.02;          // of a stream, with each line
constexpr double kLazyOutput = 0.5;       // answers to a sync are kept until the search's is there
constexpr double kCancelledAnswer = 0.5;  // a stopped search answers no move
constexpr auto kTick = 20ms;

/// Whether a command for which the engine thinks names a colour.
bool is_for_color(std::string_view command) {
  return command != "place_free_handicap" && command != "get_komi" && command != "estimate_score" &&
         !command.starts_with("final_");
}

bool is_look(std::string_view name) { return name == "list_stones" || name == "showboard"; }

bool is_comment(std::string_view line) { return line.starts_with('#'); }

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

}  // namespace

PoolProcess::PoolProcess(const pool::Profile& profile, std::size_t variant, Talents talents,
                         Faults faults, Pace pace, std::uint64_t seed)
    : profile_(profile),
      variant_(variant),
      faults_(faults),
      pace_(pace),
      dice_(seed),
      brain_(profile_, talents, dice_.next()) {}

microseconds PoolProcess::draw(microseconds longest) {
  const auto low = longest / 10;
  return low + microseconds(dice_.below(static_cast<std::uint64_t>((longest - low).count()) + 1));
}

void PoolProcess::break_rule(const std::string& what) {
  if (broken_.empty()) broken_ = what;
}

void PoolProcess::write(std::string_view bytes, pool::TimePoint now, Emissions& out) {
  if (state_ == State::Gone) return;
  if (is_input_closed_) return break_rule("a write after the input was closed");
  if (writes_++ == 0) resume_later(draw(pace_.start), now, out);
  partial_ += bytes;
  std::size_t begin = 0;
  for (auto end = partial_.find('\n'); end != std::string::npos; end = partial_.find('\n', begin)) {
    std::string line = partial_.substr(begin, end - begin);
    begin = end + 1;
    if (!check_bytes(line) || take_stop(line, now, out)) continue;
    input_.push_back({writes_, std::move(line)});
  }
  partial_.erase(0, begin);
  if (!partial_.empty()) break_rule("a write ends within a line: '" + partial_ + "'");
  if (is_streaming() && state_ == State::Searching && !input_.empty()) end_stream(now, out);
  run(now, out);
}

bool PoolProcess::check_bytes(const std::string& line) {
  const bool is_printable =
      std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (line.size() + 1 > profile_.line_bytes_max || !is_printable || line.empty()) {
    break_rule("a line that may not be sent: '" + line + "'");
  }
  return broken_.empty();
}

std::optional<PoolProcess::Command> PoolProcess::parse(const std::string& line) {
  Command command;
  const auto read = std::from_chars(line.data(), line.data() + line.size(), command.id);
  const auto rest = line.substr(static_cast<std::size_t>(read.ptr - line.data()));
  const bool is_good = read.ec == std::errc() && line.front() >= '1' && line.front() <= '9' &&
                       command.id <= 999'999'999 && rest.size() > 1 && rest[0] == ' ' &&
                       rest.back() != ' ' && rest.find("  ") == std::string::npos &&
                       rest.find('#') == std::string::npos && (rest[1] < '0' || rest[1] > '9');
  if (!is_good) {
    break_rule("a line that is no command: '" + line + "'");
    return std::nullopt;
  }
  command.words = split(std::string_view(line).substr(line.size() - rest.size() + 1));
  return command;
}

// What any engine might die of, and what makes no sense on the board as it is.
void PoolProcess::check_command(const Command& command) {
  const Words& words = command.words;
  const std::string_view name = words.front();
  const auto complain = [&] { break_rule("'" + std::string(name) + "' may not be sent so"); };
  if (std::find(outstanding_.begin(), outstanding_.end(), command.id) != outstanding_.end()) {
    break_rule("an id is used again before its answer");
  }
  outstanding_.push_back(command.id);
  if (is_quitting_) break_rule("a command after quit");
  if (name == "play" && (words.size() != 3 || (words[1] != "B" && words[1] != "W"))) complain();
  const bool names_color = brain_.work_of(name) != LeanEngine::Work::Instant && is_for_color(name);
  if (names_color && (words.size() < 2 || (words[1] != "B" && words[1] != "W"))) complain();
  if (broken_.empty()) check_state(words);
}

void PoolProcess::check_state(const Words& words) {
  const std::string_view name = words.front();
  const rules::Record& record = brain_.record();
  const bool is_known = refused_write_ != last_write_ && !brain_.has_drifted();
  const auto complain = [&](const std::string& why) {
    break_rule("'" + std::string(name) + "' " + why);
  };
  if (name == "play" && words[2] != "pass") {
    const auto point = rules::parse_gtp_vertex(words[2], record.size());
    if (!point && is_known) return complain("off the board");
    if (is_known && record.board().at(*point) != rules::Cell::Empty) {
      complain("on an occupied point");
    }
  } else if (name == "undo") {
    if (is_known && record.moves().empty()) complain("reaches setup");
    if (++undos_ > static_cast<std::size_t>(profile_.undo_max)) complain("beyond undo_max");
  } else if (name == "boardsize" || name == "rectangular_boardsize") {
    for (std::size_t i = 1; i < words.size(); ++i) {
      const int size = std::atoi(std::string(words[i]).c_str());
      if (size < profile_.size_min || size > profile_.size_max) complain("beyond the profile's");
    }
    if (words.size() > 2 && !profile_.rectangles) complain("for a rectangle");
  } else if (name == "set_free_handicap") {
    if (words.size() < 3) complain("with less than two stones");
  } else if (name == "list_stones" && words.size() != 2) {
    complain("without a colour");
  }
}

// A stop is read while the engine thinks; when it comes too late it is a command like others, or a
// comment.
bool PoolProcess::take_stop(std::string_view text, pool::TimePoint now, Emissions& out) {
  const bool is_silent = is_comment(text);
  if (is_silent && text != profile_.stop_command) break_rule("a comment that is no stop");
  if (state_ != State::Searching || search_->work == LeanEngine::Work::Stream) return is_silent;
  const auto space = text.find(' ');
  const std::string_view command =
      is_silent || space == std::string_view::npos ? text : text.substr(space + 1);
  const bool is_stop = profile_.cancel == pool::CancelBy::Stop && command == profile_.stop_command;
  if (!is_stop) {
    if (command != "quit") break_rule("a command while it thinks: '" + std::string(text) + "'");
    return false;
  }
  search_->is_stopped = true;
  ticks_left_ = 0;
  resume_later(draw(pace_.stream_end), now, out);
  return is_silent;
}

void PoolProcess::run(pool::TimePoint now, Emissions& out) {
  while (state_ == State::Free && !input_.empty() && broken_.empty()) {
    const Line line = std::move(input_.front());
    input_.pop_front();
    obey(line, now, out);
  }
  if (state_ == State::Gone || state_ == State::Hung) return;
  const bool keeps = state_ == State::Searching && !is_streaming() && dice_.chance(kLazyOutput);
  if (!keeps && !output_.empty()) flush(draw(pace_.sync), now, out);
  if (state_ == State::Free && is_input_closed_ && !faults_.ignores_quit) {
    end({false, 0}, now, out);
  }
}

void PoolProcess::note_write(std::uint64_t write) {
  if (write != last_write_) {
    undos_ = 0;
    commands_ = 0;
    shown_.reset();
  }
  last_write_ = write;
  ++commands_;
}

void PoolProcess::obey(const Line& line, pool::TimePoint now, Emissions& out) {
  const auto command = parse(line.text);
  if (!command) return;
  note_write(line.write);
  check_command(*command);
  if (!broken_.empty() || misbehave(*command, line, now, out)) return;
  const std::string_view name = command->words.front();
  if (brain_.work_of(name) != LeanEngine::Work::Instant) {
    return begin_search(*command, line, now, out);
  }
  if (name == "quit") {
    is_quitting_ = true;
    if (faults_.ignores_quit) return;
    answer(command->id, {});
    flush(draw(pace_.sync), now, out);
    return end({false, 0}, now, out);
  }
  if (name == profile_.stop_command) return answer(command->id, {});
  if (is_look(name) && !shown_ && !faults_.lies) shown_ = brain_.record().board().hash();
  const auto reply = brain_.obey(command->words);
  if (!reply.is_success) refused_write_ = line.write;
  answer(command->id, reply);
  if (dice_.chance(faults_.repeat)) answer(command->id, reply);
}

bool PoolProcess::misbehave(const Command& command, const Line& line, pool::TimePoint now,
                            Emissions& out) {
  if (dice_.chance(faults_.noise)) output_ += std::string(kChatter) + '\n';
  if (dice_.chance(faults_.crash)) {
    flush(0us, now, out);
    end({true, 11}, now, out);
    return true;
  }
  if (dice_.chance(faults_.hang)) {
    flush(0us, now, out);
    state_ = State::Hung;
    return true;
  }
  if (dice_.chance(faults_.garbage)) {
    constexpr const char* kGarbage[] = {"=%$ garbage\n\n", "? not with an id\n\n", "=0 zero\n\n",
                                        "=99999999999 large\n\n"};
    output_ += dice_.chance(0.1) ? std::string(300'000, 'x') : kGarbage[dice_.below(4)];
    refused_write_ = line.write;
    return true;
  }
  if (dice_.chance(faults_.wrong_id)) answer(command.id + 1, {true, "D4"});
  if (dice_.chance(faults_.drift)) {
    brain_.drift(faults_.lies ? LeanEngine::Show::Lie : LeanEngine::Show::Truth);
  }
  if (brain_.work_of(command.words.front()) != LeanEngine::Work::Instant) return false;
  if (!is_refused(line)) return false;
  if (dice_.chance(kObeyedRefusal)) (void)brain_.obey(command.words);
  note_refusal(command.words.front(), line.write);
  answer(command.id, {false, "illegal move"});
  return true;
}

// A look at the board is no part of the sync, and an engine may go without being told the time.
void PoolProcess::note_refusal(std::string_view name, std::uint64_t write) {
  if (is_look(name)) {
    has_refused_look_ = true;
  } else {
    refused_write_ = write;
  }
  if (name.ends_with("time_settings") || name == "time_left") has_refused_time_ = true;
}

bool PoolProcess::is_refused(const Line& line) {
  const std::string_view text = std::string_view(line.text).substr(line.text.find(' ') + 1);
  if (first_word(text) == "quit") return false;
  if (faults_.refuse > 0 && !stubborn_.empty() && text == stubborn_) return true;
  if (!dice_.chance(faults_.refuse)) return false;
  if (dice_.chance(kStubborn)) stubborn_ = text;
  return true;
}

void PoolProcess::begin_search(const Command& command, const Line& line, pool::TimePoint now,
                               Emissions& out) {
  Search search;
  search.write = line.write;
  search.id = command.id;
  search.command = line.text.substr(line.text.find(' ') + 1);
  search.work = brain_.work_of(command.words.front());
  search.is_void = refused_write_ == line.write;
  search.has_sync = commands_ > 1;
  search.has_look = shown_.has_value();
  search.is_board_shown = !has_refused_look_ && shown_ == brain_.record().board().hash();
  search_ = std::move(search);
  state_ = State::Searching;
  output_ends_sync_ = true;
  if (!input_.empty() && input_.front().write == line.write && !is_fence_allowed(command.words)) {
    break_rule("a command behind a search in the same write");
  }
  begin_thinking(now, out);
}

// A text of lines may have an empty one in it, so one command behind it tells where it ends.
bool PoolProcess::is_fence_allowed(const Words& search) const {
  const bool is_text = search.front() == "final_status_list" || search.front() == "get_komi" ||
                       search.front() == "estimate_score";
  const bool is_last = input_.size() == 1 || input_[1].write != input_.front().write;
  return is_text && is_last && input_.front().text.ends_with(" protocol_version");
}

void PoolProcess::begin_thinking(pool::TimePoint now, Emissions& out) {
  if (dice_.chance(faults_.late)) return resume_later(kLate, now, out);
  if (search_->work == LeanEngine::Work::Search) return resume_later(draw(pace_.search), now, out);
  output_ += '=' + std::to_string(search_->id) + (dice_.chance(0.5) ? " \n" : "\n");
  ticks_left_ = dice_.between(0, 3);
  resume_later(draw(kTick), now, out);
}

void PoolProcess::resume_later(microseconds delay, pool::TimePoint, Emissions& out) {
  Emission resume;
  resume.kind = Emission::Kind::Resume;
  resume.delay = delay;
  resume.token = ++token_;
  out.push_back(std::move(resume));
}

void PoolProcess::resume(std::uint64_t token, pool::TimePoint now, Emissions& out) {
  if (token != token_) return;
  if (state_ == State::Booting) {
    state_ = State::Free;
  } else if (state_ == State::Searching) {
    const bool is_search = search_->work == LeanEngine::Work::Search;
    if (is_search || (search_->work == LeanEngine::Work::MoveStream && ticks_left_ == 0)) {
      end_search(now, out);
    } else {
      tick(now, out);
    }
  }
  run(now, out);
}

void PoolProcess::tick(pool::TimePoint now, Emissions& out) {
  const Words words = split(search_->command);
  output_ += brain_.stream_line(words) + '\n';
  ++search_->lines;
  --ticks_left_;
  const bool is_stream = search_->work == LeanEngine::Work::Stream;
  if (is_stream && dice_.chance(kOwnEnd)) return end_stream(now, out);
  resume_later(draw(kTick), now, out);
}

void PoolProcess::end_search(pool::TimePoint now, Emissions& out) {
  const Words words = split(search_->command);
  brain_.begin_search();
  LeanEngine::Reply& reply = search_->reply;
  if (search_->work == LeanEngine::Work::MoveStream) {
    reply.text = brain_.end_stream(words);
    output_ += reply.text + "\n\n";
  } else if (search_->is_stopped && dice_.chance(kCancelledAnswer)) {
    reply.text = "cancelled";
    answer(search_->id, reply);
  } else {
    const rules::Record& record = brain_.record();
    const auto& moves = record.moves();
    if (dice_.chance(faults_.decline)) {
      reply = {false, "cannot do it"};
    } else if (is_for_color(words.front()) && !moves.empty() && !moves.back().is_pass() &&
               rules::is_stone(record.board().at(*moves.back().point)) &&
               dice_.chance(faults_.illegal)) {
      reply.text = rules::gtp_vertex(*moves.back().point, record.size());
    } else {
      reply = brain_.end_search(words);
    }
    answer(search_->id, reply);
    if (dice_.chance(faults_.repeat)) answer(search_->id, reply);
  }
  search_->is_over = true;
  state_ = State::Free;
  output_ends_search_ = true;
  flush(0us, now, out);
}

void PoolProcess::end_stream(pool::TimePoint now, Emissions& out) {
  brain_.begin_search();
  output_ += '\n';
  search_->is_over = true;
  state_ = State::Free;
  ++token_;
  output_ends_search_ = true;
  flush(draw(pace_.stream_end), now, out);
}

void PoolProcess::answer(std::uint32_t id, const LeanEngine::Reply& reply) {
  std::erase(outstanding_, id);
  output_ += reply.is_success ? '=' : '?';
  output_ += std::to_string(id);
  if (!reply.text.empty()) output_ += ' ' + reply.text;
  output_ += "\n\n";
}

// In one piece or two, at the same instant; what the whole ends is said of both.
void PoolProcess::flush(microseconds delay, pool::TimePoint now, Emissions& out) {
  if (output_.empty()) return;
  if (faults_.is_crlf) {
    std::string text;
    for (const char c : output_) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
    output_ = std::move(text);
  }
  output_at_ = std::max(output_at_, now + delay + draw(kPipe));
  Emission piece;
  piece.delay = std::chrono::duration_cast<microseconds>(output_at_ - now);
  const bool is_cut = output_.size() > 1 && dice_.chance(0.1);
  piece.ends_sync = std::exchange(output_ends_sync_, false);
  piece.ends_search = std::exchange(output_ends_search_, false);
  if (is_cut) {
    const std::size_t cut = 1 + dice_.below(output_.size() - 1);
    Emission head = piece;
    head.bytes = output_.substr(0, cut);
    output_.erase(0, cut);
    out.push_back(std::move(head));
  }
  piece.bytes = std::exchange(output_, {});
  out.push_back(std::move(piece));
}

void PoolProcess::close_input(pool::TimePoint now, Emissions& out) {
  is_input_closed_ = true;
  if (is_streaming() && state_ == State::Searching) end_stream(now, out);
  run(now, out);
}

void PoolProcess::end(pool::ExitStatus status, pool::TimePoint now, Emissions& out) {
  if (state_ == State::Gone) return;
  state_ = State::Gone;
  ++token_;
  Emission exit;
  exit.kind = Emission::Kind::Exit;
  output_at_ = std::max(output_at_, now + draw(5ms));
  exit.delay = std::chrono::duration_cast<microseconds>(output_at_ - now);
  exit.status = status;
  out.push_back(std::move(exit));
}

}  // namespace tengen::sim
