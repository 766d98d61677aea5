// See lean_engine.h.
#include "sim/lean_engine.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace tengen::sim {
namespace {

using rules::Color;
using rules::Move;
using rules::Point;

// Simple ko in its own choices and no judgement of others' moves: a real engine takes nearly every
// play on an empty point, and now and then answers a move that the game's rules forbid.
constexpr auto kKo = rules::KoRule::Simple;
constexpr auto kSuicide = rules::SuicideRule::No;
constexpr double kPass = 0.02;
constexpr double kResign = 0.002;
constexpr int kTries = 12;

std::optional<int> number(std::string_view word) {
  int value = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  if (read.ec != std::errc() || read.ptr != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<Color> color_of(std::string_view word) {
  if (word == "B" || word == "black") return Color::Black;
  if (word == "W" || word == "white") return Color::White;
  return std::nullopt;
}

/// The colour that a search names.
Color mover(const Words& words) {
  const auto color = words.size() > 1 ? color_of(words[1]) : std::nullopt;
  return color.value_or(Color::Black);
}

std::string joined(const Words& words) {
  std::string line;
  for (const std::string_view word : words) {
    if (!line.empty()) line += ' ';
    line += word;
  }
  return line;
}

}  // namespace

std::uint64_t Dice::next() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

Words split(std::string_view line) {
  Words words;
  while (true) {
    const auto begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) return words;
    const auto end = std::min(line.find(' ', begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

LeanEngine::LeanEngine(const pool::Profile& profile, Talents talents, std::uint64_t seed)
    : profile_(&profile), talents_(talents), dice_(seed), record_({19, 19}, kKo, kSuicide) {}

LeanEngine::Work LeanEngine::work_of(std::string_view command) const {
  if (command.ends_with("genmove_analyze")) return Work::MoveStream;
  if (command.ends_with("-analyze")) return Work::Stream;
  const bool is_search = command == profile_->search_command ||
                         command == profile_->reg_search_command ||
                         command == profile_->cleanup_command || command == "place_free_handicap" ||
                         command == "final_status_list" || command == "final_score" ||
                         command == "get_komi" || command == "estimate_score";
  return is_search ? Work::Search : Work::Instant;
}

LeanEngine::Reply LeanEngine::obey(const Words& words) {
  const std::string_view command = words.front();
  if (command == "play") return play(words);
  if (command == "undo") return undo();
  if (command == "boardsize" || command == "rectangular_boardsize") return set_size(words);
  if (command == "clear_board") {
    clear(record_.size());
    return {};
  }
  if (command == "set_free_handicap") return set_handicap(words);
  if (command == "list_stones") return list_stones(words);
  if (command == "showboard") return {true, board_text()};
  if (command == "protocol_version") return {true, "2"};
  if (command == "name") return {true, "Lean"};
  if (command == "version") return {true, "1.0"};
  if (command == "list_commands") return list_commands();
  if (auto reply = set_state(words)) return std::move(*reply);
  return {false, "unknown command"};
}

std::optional<LeanEngine::Reply> LeanEngine::set_state(const Words& words) {
  const std::string_view command = words.front();
  if (command == "komi") {
    komi_ = words.at(1);
    return Reply{};
  }
  if (command == "tengen-rules" || command == "kgs-rules" || command == "kata-set-rules") {
    rules_ = joined(words);
    return Reply{};
  }
  if (command.ends_with("time_settings") || command == "time_left") {
    if (!talents_.takes_time) {
      has_refused_time_ = true;
      return Reply{false, "unknown command"};
    }
    if (command == "time_left") {
      time_left_.push_back(joined(words));
    } else {
      time_settings_ = joined(words);
    }
    return Reply{};
  }
  if (!profile_->forget_command.empty() && command == profile_->forget_command) {
    seed_.clear();  // so that a seed sent before it is missed
    return Reply{};
  }
  if (!profile_->seed_command.empty() && command == profile_->seed_command) {
    seed_ = words.at(1);
    return Reply{};
  }
  for (const pool::SettingSpec& spec : profile_->settings) {
    if (command != spec.command) continue;
    std::erase_if(settings_, [&](const auto& each) { return each.first == command; });
    settings_.emplace_back(command, words.at(1));
    return Reply{};
  }
  return std::nullopt;
}

void LeanEngine::clear(rules::Size size) {
  record_ = rules::Record(size, kKo, kSuicide);
  has_drifted_ = false;
  ++clears_;
  shown_.reset();
  komi_.clear();
  rules_.clear();
  settings_.clear();
  time_settings_.clear();
}

LeanEngine::Reply LeanEngine::set_size(const Words& words) {
  const auto width = number(words.at(1));
  const auto height = number(words.back());
  if (!width || !height) return {false, "boardsize not an integer"};
  const rules::Size size{static_cast<std::uint8_t>(*width), static_cast<std::uint8_t>(*height)};
  if (!size.is_valid()) return {false, "unacceptable size"};
  if (size != record_.size()) clear(size);
  return {};
}

bool LeanEngine::force(Move move) {
  if (shown_) (void)shown_->force(move);
  return record_.force(move) == rules::Refusal::None;
}

LeanEngine::Reply LeanEngine::undo() {
  if (shown_) (void)shown_->undo();
  if (!record_.undo()) return {false, "cannot undo"};
  return {};
}

LeanEngine::Reply LeanEngine::play(const Words& words) {
  const Color color = mover(words);
  Move move = Move::pass(color);
  if (words.at(2) != "pass") {
    const auto point = rules::parse_gtp_vertex(words[2], record_.size());
    if (!point) return {false, "illegal move"};
    move = Move::play(color, *point);
  }
  if (!force(move)) return {false, "illegal move"};
  return {};
}

LeanEngine::Reply LeanEngine::set_handicap(const Words& words) {
  std::vector<rules::Stone> stones;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto point = rules::parse_gtp_vertex(words[i], record_.size());
    if (point) stones.push_back({Color::Black, *point});
  }
  const bool is_empty = record_.board().stones() == 0 && record_.moves().empty();
  if (talents_.takes_handicap && is_empty && record_.set_up(stones)) return {};
  has_refused_handicap_ = true;
  return {false, "repeated or bad vertex"};
}

LeanEngine::Reply LeanEngine::place_handicap(const Words& words) {
  const int wanted = number(words.at(1)).value_or(0);
  if (record_.board().stones() != 0 || wanted < 2 || wanted >= record_.size().area()) {
    return {false, "invalid number of stones"};
  }
  const int placed = dice_.chance(0.2) ? 2 : wanted;  // GTP allows fewer
  std::vector<rules::Stone> stones;
  Reply reply;
  while (static_cast<int>(stones.size()) < placed) {
    const rules::Stone stone{Color::Black, any_point()};
    if (std::find(stones.begin(), stones.end(), stone) != stones.end()) continue;
    stones.push_back(stone);
    reply.text += rules::gtp_vertex(stone.point, record_.size()) + ' ';
  }
  reply.is_success = record_.set_up(stones);
  return reply;
}

LeanEngine::Reply LeanEngine::list_stones(const Words& words) const {
  Reply reply;
  const rules::Size size = record_.size();
  for (int row = 0; row < size.height; ++row) {
    for (int col = 0; col < size.width; ++col) {
      const Point point = Point::at(col, row);
      if (shown().at(point) != rules::cell_of(mover(words))) continue;
      reply.text += rules::gtp_vertex(point, size) + ' ';
    }
  }
  return reply;
}

// Some stones, over some lines: which of them are dead is none of the simulator's business.
LeanEngine::Reply LeanEngine::list_status() {
  if (!talents_.judges) return {false, "cannot list"};
  Reply reply;
  const rules::Size size = record_.size();
  for (int i = dice_.between(0, 6); i > 0; --i) {
    const Point point = any_point();
    if (!rules::is_stone(record_.board().at(point))) continue;
    reply.text += rules::gtp_vertex(point, size) + (dice_.chance(0.3) ? "\n" : " ");
  }
  while (reply.text.ends_with('\n')) reply.text.pop_back();
  return reply;
}

LeanEngine::Reply LeanEngine::list_commands() const {
  if (!talents_.lists_commands) return {false, "unknown command"};
  std::string text =
      "boardsize\nrectangular_boardsize\nclear_board\nkomi\nplay\nundo\nlist_stones\nshowboard\n"
      "protocol_version\nname\nversion\nlist_commands\nquit\nget_komi\nestimate_score\nplace_free_"
      "handicap\n"
      "tengen-rules\nkgs-rules\nkata-set-rules\nlz-analyze\nkata-analyze\nlz-genmove_analyze\n"
      "kata-genmove_analyze\nfinal_score\n";
  if (talents_.takes_handicap) text += "set_free_handicap\n";
  if (talents_.takes_time) {
    text += "time_settings\nkgs-time_settings\nkata-time_settings\ntime_left\n";
  }
  if (talents_.judges) text += "final_status_list\n";
  for (const std::string* each :
       {&profile_->search_command, &profile_->reg_search_command, &profile_->cleanup_command,
        &profile_->seed_command, &profile_->forget_command}) {
    if (!each->empty()) text += *each + '\n';
  }
  for (const pool::SettingSpec& spec : profile_->settings) text += spec.command + '\n';
  text.pop_back();
  return {true, text};
}

// As GNU Go draws it: columns above and below, rows numbered on both sides.
std::string LeanEngine::board_text() const {
  const rules::Size size = record_.size();
  std::string columns = "  ";
  for (int col = 0; col < size.width; ++col) {
    columns += ' ';
    columns += "ABCDEFGHJKLMNOPQRSTUVWXYZ"[col];
  }
  std::string text = "\n" + columns + '\n';
  for (int row = 0; row < size.height; ++row) {
    const std::string number = std::to_string(size.height - row);
    text += std::string(2 - number.size(), ' ') + number;
    for (int col = 0; col < size.width; ++col) {
      const auto cell = shown().at(Point::at(col, row));
      text += ' ';
      text += cell == rules::Cell::Black ? 'X' : cell == rules::Cell::White ? 'O' : '.';
    }
    text += ' ' + number + '\n';
  }
  return text + columns;
}

void LeanEngine::begin_search() {
  time_left_.clear();
  seed_.clear();
  visits_ = 0;
}

LeanEngine::Reply LeanEngine::end_search(const Words& words) {
  const std::string_view command = words.front();
  if (command == "place_free_handicap") return place_handicap(words);
  if (command == "final_status_list") return list_status();
  if (command == "final_score") {
    if (!talents_.judges) return {false, "cannot score"};
    const int half = dice_.between(-40, 40);
    if (half == 0) return {true, "0"};
    return {true, (half > 0 ? "B+" : "W+") + rules::komi_text(std::abs(half))};
  }
  if (command == "get_komi") return {true, komi_};
  if (command == "estimate_score") return {words.size() == 2, "B+3.5 (upper bound: 4.5)"};
  if (dice_.chance(kResign)) return {true, "resign"};
  const Move move = choose(mover(words));
  const bool plays = command == profile_->cleanup_command ||
                     (command == profile_->search_command && profile_->search_plays);
  if (plays) (void)force(move);
  return {true, move.is_pass() ? "PASS" : rules::gtp_vertex(*move.point, record_.size())};
}

Move LeanEngine::choose(Color color) {
  if (dice_.chance(kPass)) return Move::pass(color);
  for (int i = 0; i < kTries; ++i) {
    const Move move = Move::play(color, any_point());
    if (record_.check(move) == rules::Refusal::None) return move;
  }
  return Move::pass(color);
}

Point LeanEngine::any_point() {
  const rules::Size size = record_.size();
  return Point::at(dice_.between(0, size.width - 1), dice_.between(0, size.height - 1));
}

void LeanEngine::drift(Show show) {
  if (show == Show::Lie && !shown_) shown_ = record_;
  for (int i = 0; i < kTries; ++i) {
    const Move move = Move::play(Color::Black, any_point());
    if (record_.force(move) == rules::Refusal::None) break;
  }
  has_drifted_ = true;
}

std::string LeanEngine::candidate(Color color, int order) {
  const Move move = choose(color);
  const std::string vertex =
      move.is_pass() ? "pass" : rules::gtp_vertex(*move.point, record_.size());
  const auto visits = std::to_string(order == 0 ? visits_ : 1);
  char line[160];
  if (profile_->analysis == pool::AnalysisDialect::Kata) {
    std::snprintf(line, sizeof line,
                  "info move %s visits %s utility 0.02 winrate 0.51 scoreMean 0.5 scoreLead 0.5 "
                  "prior 0.12 lcb 0.5 weight 2 order %d pv %s",
                  vertex.c_str(), visits.c_str(), order, vertex.c_str());
  } else {
    std::snprintf(line, sizeof line,
                  "info move %s visits %s winrate 5057 prior 120 lcb 4921 order %d pv %s",
                  vertex.c_str(), visits.c_str(), order, vertex.c_str());
  }
  return line;
}

std::string LeanEngine::stream_line(const Words& words) {
  const Color color = mover(words);
  visits_ += 1 + dice_.below(60);
  std::string line = candidate(color, 0);
  // The second one is another than the first: no engine names a move twice.
  const std::string second = candidate(color, 1);
  const Words first_words = split(line);
  if (dice_.chance(0.5) && split(second)[2] != first_words[2]) line += ' ' + second;
  if (std::find(words.begin(), words.end(), "ownership") != words.end()) {
    line += " ownership";
    for (int i = record_.size().area(); i > 0; --i) line += " 0.25";
  }
  return line;
}

std::string LeanEngine::end_stream(const Words& words) {
  const Move move = choose(mover(words));
  (void)force(move);
  return "play " + (move.is_pass() ? "pass" : rules::gtp_vertex(*move.point, record_.size()));
}

}  // namespace tengen::sim
