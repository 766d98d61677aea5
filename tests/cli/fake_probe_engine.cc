// See fake_probe_engine.h. It writes bytes, which the pool's own reader cuts into answers.
#include "tests/cli/fake_probe_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace tengen::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAnswerTime{7};

bool say(std::string& text, std::string_view what) {
  text = what;
  return true;
}

}  // namespace

std::optional<std::string> FakeProbeEngine::start() {
  ++starts_;
  state_ = State::Running;
  moves_.clear();
  analysis_.reset();
  had_analysis_ = false;
  text_before_.clear();
  reader_ = pool::AnswerReader();
  return std::nullopt;
}

Exchange FakeProbeEngine::ask(std::string_view bytes, std::size_t answers, milliseconds timeout) {
  while (!bytes.empty()) {
    const auto end = std::min(bytes.find('\n'), bytes.size());
    obey(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  Exchange exchange;
  reader_.feed(std::exchange(written_, {}), exchange.answers);
  while (exchange.answers.size() < answers && ticks() && timeout >= kAnswerTime) {
    tick();
    reader_.feed(std::exchange(written_, {}), exchange.answers);
  }
  exchange.took = kAnswerTime;
  if (exchange.answers.size() >= answers) return exchange;
  if (!reader_.lost().empty()) {
    exchange.heard = WaitEnd::Unframed;
    exchange.reason = reader_.lost();
  } else if (state_ == State::Ended) {
    exchange.heard = WaitEnd::Closed;
  } else {
    exchange.heard = WaitEnd::Silence;
    exchange.took = timeout;
  }
  return exchange;
}

std::optional<std::string> FakeProbeEngine::wait_exit(milliseconds) {
  if (state_ != State::Ended) return std::nullopt;
  return how_;
}

void FakeProbeEngine::obey(std::string_view line) {
  if (line.empty() || line.front() == '#' || state_ != State::Running) return;
  if (line.back() == '\r') line.remove_suffix(1);
  std::uint32_t id = 0;
  const auto read = std::from_chars(line.data(), line.data() + line.size(), id);
  line.remove_prefix(static_cast<std::size_t>(read.ptr - line.data()));
  if (analysis_ && fault_ == Fault::StreamsForEver) return;
  const bool is_first = analysis_ && fault_ == Fault::AnswersFenceFirst;
  if (analysis_ && !is_first) {
    end_analysis();
    if (fault_ == Fault::SwallowsFence) return;
  }
  heard_.emplace_back(line.substr(line.find_first_not_of(' ')));
  const Words words = pool::words(line);
  if (!strikes(words)) carry_out(id, words);
  if (is_first) end_analysis();
}

void FakeProbeEngine::carry_out(std::uint32_t id, const Words& words) {
  if (fault_ == Fault::ShiftsIds) ++id;
  if (words[0].ends_with("nalyze") && knows_analysis(words[0])) {
    if (words[0].ends_with("-genmove_analyze")) return genmove_analyze(id, words);
    return begin_analysis(id, words);
  }
  std::string text;
  const bool is_success = answer(words, text);
  respond(id, is_success, text);
  const bool is_twice = fault_ == Fault::AnswersHandicapTwice && words[0] == "set_free_handicap";
  if (is_twice && !is_success) respond(id, is_success, text);
}

void FakeProbeEngine::respond(std::uint32_t id, bool is_success, std::string text) {
  if (fault_ == Fault::MixesTextsUp && had_analysis_) std::swap(text, text_before_);
  written_ += is_success ? '=' : '?';
  if (id != 0) written_ += std::to_string(id);
  written_ += ' ' + text + "\n\n";
}

bool FakeProbeEngine::strikes(const Words& words) {
  if (fault_ == Fault::DiesInUndo && words[0] == "undo") end("signal 11");
  if (fault_ == Fault::DiesOfSize20 && words[0] == "boardsize" && words[1] == "20") {
    end("signal 6");
  }
  if (fault_ == Fault::DiesAtPass && words[0] == "play" && words[2] == "pass") end("signal 9");
  if (fault_ == Fault::DiesInAnalyzedMove && words[0] == "lz-genmove_analyze") end("signal 8");
  if (fault_ == Fault::DiesAfterStream && had_analysis_ && words[0] == "name") end("signal 7");
  if (fault_ == Fault::HangsInGenmove && words[0] == "genmove") state_ = State::Hung;
  return state_ != State::Running;
}

void FakeProbeEngine::end(std::string how) {
  state_ = State::Ended;
  how_ = std::move(how);
}

bool FakeProbeEngine::knows_analysis(std::string_view command) const {
  if (fault_ == Fault::HasNoStreams) return false;
  if (command.starts_with("lz-")) return true;
  return fault_ == Fault::HasKataStreams || fault_ == Fault::StatesPerCent;
}

/// "lz-analyze B 1", "lz-analyze B interval 1", "kata-analyze B 1 rootInfo true".
void FakeProbeEngine::begin_analysis(std::uint32_t id, const Words& words) {
  const bool is_kata = words[0] == "kata-analyze";
  if (words.size() < 3) ADD_FAILURE() << "no colour or interval";
  if (fault_ == Fault::RefusesInterval && words[2] == "interval") {
    return respond(id, false, "numeric value expected");
  }
  if (fault_ == Fault::AnswersStreamAtOnce) return respond(id, true, update(is_kata));
  written_ += "=" + std::to_string(id) + '\n';
  analysis_ = Analysis{is_kata, 0};
  had_analysis_ = true;
}

void FakeProbeEngine::genmove_analyze(std::uint32_t id, const Words& words) {
  const std::string info = update(words[0].starts_with("kata"));
  std::string move;
  genmove(words[1] == "B" ? "b" : "w", move);
  if (fault_ == Fault::PlaysOffTheBoard) move = "Z25";
  const bool is_play = fault_ != Fault::PlaysNoAnalyzedMove;
  written_ += "=" + std::to_string(id) + '\n' + info + '\n' + info + '\n' +
              (is_play ? "play " : "") + move + "\n\n";
}

bool FakeProbeEngine::ticks() const {
  return analysis_ && state_ == State::Running && fault_ != Fault::StreamsNothing;
}

void FakeProbeEngine::tick() {
  if (fault_ == Fault::DiesInStream) return end("signal 11");
  written_ += update(analysis_->is_kata) + '\n';
  const int updates = ++analysis_->updates;
  const bool is_last = (fault_ == Fault::EndsStreamItself && updates == 2) ||
                       (fault_ == Fault::EndsStreamEarly && updates == 1);
  if (is_last) end_analysis();
}

void FakeProbeEngine::end_analysis() {
  written_ += '\n';
  analysis_.reset();
}

/// As Leela Zero and KataGo write them.
std::string FakeProbeEngine::update(bool is_kata) const {
  if (!is_kata) return "info move D4 visits 49 winrate 4982 prior 28 lcb 4921 order 0 pv D4 C3";
  const std::string winrate = fault_ == Fault::StatesPerCent ? "51.0987" : "0.510987";
  return "info move D4 visits 26 edgeVisits 26 utility 0.0233937 winrate " + winrate +
         " scoreMean 0.0797898 scoreLead 0.0797898 prior 0.121485 lcb 0.506022 order 0 pv D4 C3 "
         "rootInfo winrate 0.510987 scoreLead 0.0797898 visits 27";
}

bool FakeProbeEngine::answer(const Words& words, std::string& text) {
  const std::string_view command = words[0];
  if (command == "protocol_version") return say(text, "2");
  if (command == "name") {
    return say(text, fault_ == Fault::IsNoKnownKind ? "Other Engine!" : "GNU Go");
  }
  if (command == "version") return say(text, "3.8");
  if (command == "list_commands") return say(text, commands());
  if (command == "boardsize") return set_size(words[1]);
  if (command == "clear_board") return moves_.clear(), true;
  if (command == "komi") return fault_ != Fault::RefusesKomi;
  if (command == "play") return play(words[1], words[2]);
  if (command == "genmove") return genmove(words[1], text);
  if (command == "list_stones") return list(words[1], text);
  if (command == "kgs-time_settings") return true;
  if (command == "set_free_handicap") return handicap(words);
  if (command == "set_random_seed") return true;
  if (command == "undo") return undo(text);
  if (command != "quit") return text = "unknown command", false;
  if (fault_ != Fault::OutlivesQuit) end("exit code 0");
  return true;
}

std::string FakeProbeEngine::commands() const {
  std::string all =
      "boardsize\nclear_board\ngenmove\nkgs-time_settings\nkomi\nlevel\nlist_stones\nname\nplay\n"
      "set_free_handicap\nset_random_seed\nundo";
  for (const char* command :
       {"lz-analyze", "lz-genmove_analyze", "kata-analyze", "kata-genmove_analyze"}) {
    if (knows_analysis(command)) all += '\n' + std::string(command);
  }
  return all;
}

bool FakeProbeEngine::set_size(std::string_view word) {
  int size = 0;
  std::from_chars(word.data(), word.data() + word.size(), size);
  if (size < 1 || size > 20 || (fault_ == Fault::OnlySize19 && size != 19)) return false;
  size_ = {static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(size)};
  return true;
}

bool FakeProbeEngine::play(std::string_view color, std::string_view vertex) {
  if (vertex != "pass" && !rules::parse_gtp_vertex(vertex, size_)) ADD_FAILURE() << vertex;
  if (vertex != "pass" && is_taken(std::string(vertex))) return false;
  moves_.push_back({color.front(), std::string(vertex)});
  return true;
}

bool FakeProbeEngine::list(std::string_view color, std::string& text) const {
  for (const Move& move : moves_) {
    const bool is_of_color = std::tolower(color.front()) == move.color;
    if (is_of_color && move.vertex != "pass") text += ' ' + move.vertex;
  }
  return true;
}

bool FakeProbeEngine::genmove(std::string_view color, std::string& text) {
  const int skipped = fault_ == Fault::RandomMoves ? genmoves_++ % 7 : 0;
  for (int i = skipped; i < size_.area(); ++i) {
    text = rules::gtp_vertex(rules::Point::at(i % size_.width, i / size_.width), size_);
    if (!is_taken(text)) return moves_.push_back({color.front(), text}), true;
  }
  return say(text, "PASS");
}

bool FakeProbeEngine::handicap(const Words& words) {
  std::vector<std::string> points(words.begin() + 1, words.end());
  std::sort(points.begin(), points.end());
  if (std::adjacent_find(points.begin(), points.end()) != points.end()) return false;
  moves_.clear();
  for (const std::string& point : points) moves_.push_back({'b', point});
  return true;
}

bool FakeProbeEngine::undo(std::string& text) {
  if (moves_.empty()) return text = "cannot undo", false;
  moves_.pop_back();
  return true;
}

bool FakeProbeEngine::is_taken(const std::string& vertex) const {
  return std::any_of(moves_.begin(), moves_.end(),
                     [&](const Move& move) { return move.vertex == vertex; });
}

Printed probe_fake(FakeProbeEngine& engine) {
  return probe({{"gnugo", "--mode", "gtp", "--level", "3"}, milliseconds(500)}, engine);
}
Printed probe_fake(Fault fault) {
  FakeProbeEngine engine(fault);
  return probe_fake(engine);
}

/// The report's line for a check, its columns one blank apart.
std::string line(const Printed& printed, const std::string& check) {
  const auto begin = printed.out.find("# " + check + "  ");
  if (begin == std::string::npos) return "no such line";
  std::string text;
  for (const char c : printed.out.substr(begin, printed.out.find('\n', begin) - begin)) {
    if (c != ' ' || text.back() != ' ') text += c;
  }
  return text.substr(check.size() + 3);
}

bool has(const Printed& printed, std::string_view text) {
  return printed.out.find(text) != std::string::npos;
}

}  // namespace tengen::cli
