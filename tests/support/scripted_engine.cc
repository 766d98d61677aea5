// See scripted_engine.h. Its own reader of commands on purpose: a fake that shared the pool's code
// would share its mistakes.
#include "tests/support/scripted_engine.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace tengen::tests {
namespace {

using rules::Color;
using rules::Move;
using rules::Point;

constexpr rules::Size kFirstSize{19, 19};

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return words;
    const auto end = std::min(line.find_first_of(" \t", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

template <typename Number>
std::optional<Number> parse(std::string_view word) {
  Number value{};
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  if (read.ec != std::errc() || read.ptr != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<Color> parse_color(std::string_view word) {
  if (word == "B" || word == "b" || word == "black") return Color::Black;
  if (word == "W" || word == "w" || word == "white") return Color::White;
  return std::nullopt;
}

std::uint64_t next_random(std::uint64_t& state) {  // xorshift64* (Vigna 2016)
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545f4914f6cdd1du;
}

}  // namespace

ScriptedEngine::ScriptedEngine(Script script)
    : script_(std::move(script)),
      random_(script_.seed * 2 + 1),
      record_(kFirstSize, script_.ko, script_.suicide) {}

std::string ScriptedEngine::feed(std::string_view bytes) {
  std::string out;
  while (!bytes.empty() && state_ == State::Running) {
    const auto end = bytes.find('\n');
    line_ += bytes.substr(0, end);
    if (end == std::string_view::npos) break;
    bytes.remove_prefix(end + 1);
    std::erase(line_, '\r');
    obey(line_, out);
    line_.clear();
  }
  return out;
}

void ScriptedEngine::obey(std::string_view line, std::string& out) {
  auto words = split(line);
  if (words.empty()) return;
  const auto id = parse<std::uint64_t>(words.front());
  if (id) words.erase(words.begin());
  if (words.empty()) return;
  ++commands_;
  if (commands_ == 1) out += script_.banner;
  if (strikes(script_.hang_at, commands_)) {
    state_ = State::Hung;
  } else if (strikes(script_.crash_at, commands_)) {
    state_ = State::Crashed;
  } else if (strikes(script_.garbage_at, commands_)) {
    out += "=%$ garbage\n\n";
  } else {
    const bool is_wrong = strikes(script_.wrong_id_at, commands_);
    write(id.value_or(0) + (is_wrong ? 1 : 0), answer(words), out);
  }
}

bool ScriptedEngine::strikes(int at, int count) const {
  return at == count && (!script_.may_fail || script_.may_fail());
}

void ScriptedEngine::write(std::uint64_t id, const Reply& reply, std::string& out) const {
  const std::string_view newline = script_.crlf ? "\r\n" : "\n";
  out += reply.is_success ? '=' : '?';
  if (id != 0) out += std::to_string(id);
  out += ' ';
  for (const char c : reply.text) {
    if (c == '\n') {
      out += newline;
    } else {
      out += c;
    }
  }
  out += newline;
  out += newline;
}

ScriptedEngine::Reply ScriptedEngine::answer(const std::vector<std::string_view>& words) {
  const std::string_view command = words.front();
  const std::string_view argument = words.size() > 1 ? words[1] : std::string_view();
  if (command == "play") return play(words);
  if (command == "genmove") return genmove(argument);
  if (command == "boardsize") return set_size(argument);
  if (command == "clear_board") {
    clear(record_.size());
    return {};
  }
  if (command == "komi") {
    const auto komi = parse<double>(argument);
    if (!komi) return {false, "syntax error"};
    komi_ = *komi;
    return {};
  }
  if (command == "set_free_handicap") return handicap(words);
  if (command == "level" && parse<int>(argument)) return {};
  const bool can_list = script_.dead != Script::Dead::Unsupported;
  if (command == "final_status_list" && can_list) return list_dead();
  if (command == "protocol_version") return {true, "2"};
  if (command == "name") return {true, "Scripted"};
  if (command == "version") return {true, "1.0"};
  if (command == "quit") {
    state_ = State::Quit;
    return {};
  }
  if (command == "list_commands") {
    return {true, std::string("boardsize\nclear_board\n") +
                      (can_list ? "final_status_list\n" : "") +
                      "genmove\nkomi\nlevel\nlist_commands\nname\nplay\nprotocol_version\nquit\n"
                      "set_free_handicap\nversion"};
  }
  return {false, "unknown command"};
}

void ScriptedEngine::clear(rules::Size size) {
  record_ = rules::Record(size, script_.ko, script_.suicide);
}

ScriptedEngine::Reply ScriptedEngine::set_size(std::string_view word) {
  const auto size = parse<int>(word);
  if (!size || *size < 1 || *size > rules::kMaxSize) return {false, "unacceptable size"};
  const auto side = static_cast<std::uint8_t>(*size);
  clear({side, side});
  return {};
}

ScriptedEngine::Reply ScriptedEngine::play(const std::vector<std::string_view>& words) {
  ++plays_;
  const bool is_later = script_.refuse_plays_after_that && script_.refuse_play_at != 0 &&
                        plays_ > script_.refuse_play_at;
  if (is_later || strikes(script_.refuse_play_at, plays_)) return {false, "illegal move"};
  const auto color = words.size() == 3 ? parse_color(words[1]) : std::nullopt;
  if (!color) return {false, "syntax error"};
  if (words[2] == "pass") {
    const auto refusal = record_.play(Move::pass(*color));
    return {refusal == rules::Refusal::None, ""};
  }
  const auto point = rules::parse_gtp_vertex(words[2], record_.size());
  if (!point || record_.play(Move::play(*color, *point)) != rules::Refusal::None) {
    return {false, "illegal move"};
  }
  return {};
}

ScriptedEngine::Reply ScriptedEngine::handicap(const std::vector<std::string_view>& words) {
  std::vector<rules::Stone> stones;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto point = rules::parse_gtp_vertex(words[i], record_.size());
    if (!point) return {false, "syntax error"};
    stones.push_back({Color::Black, *point});
  }
  if (script_.refuse_handicap || record_.board().stones() != 0 || !record_.set_up(stones)) {
    return {false, "repeated or bad vertex"};
  }
  return {};
}

ScriptedEngine::Reply ScriptedEngine::genmove(std::string_view word) {
  ++genmoves_;
  const auto color = parse_color(word);
  if (!color) return {false, "syntax error"};
  if (strikes(script_.resign_at, genmoves_)) return {true, "resign"};
  if (strikes(script_.illegal_at, genmoves_)) {
    if (const auto point = occupied_point()) {
      return {true, rules::gtp_vertex(*point, record_.size())};
    }
  }
  const Move move = choose(*color);
  if (record_.play(move) != rules::Refusal::None) return {false, "no move"};
  return {true, move.is_pass() ? "PASS" : rules::gtp_vertex(*move.point, record_.size())};
}

Move ScriptedEngine::choose(Color color) {
  const auto moves = static_cast<int>(record_.moves().size());
  if (script_.pass_after >= 0 && moves >= script_.pass_after) return Move::pass(color);
  if (script_.style == Script::Style::Random) return random_move(color);
  const rules::Size size = record_.size();
  for (int row = 0; row < size.height; ++row) {
    for (int col = 0; col < size.width; ++col) {
      const Move move = Move::play(color, Point::at(col, row));
      if (record_.check(move) == rules::Refusal::None) return move;
    }
  }
  return Move::pass(color);
}

Move ScriptedEngine::random_move(Color color) {
  const rules::Size size = record_.size();
  std::vector<Point> free;
  for (int row = 0; row < size.height; ++row) {
    for (int col = 0; col < size.width; ++col) {
      const Point point = Point::at(col, row);
      if (record_.board().at(point) == rules::Cell::Empty) free.push_back(point);
    }
  }
  while (!free.empty()) {
    const std::size_t pick = next_random(random_) % free.size();
    const Move move = Move::play(color, free[pick]);
    if (!is_own_eye(color, free[pick]) && record_.check(move) == rules::Refusal::None) return move;
    free[pick] = free.back();
    free.pop_back();
  }
  return Move::pass(color);
}

bool ScriptedEngine::is_own_eye(Color color, Point point) const {
  const rules::Board& board = record_.board();
  for (const Point each : point.neighbours()) {
    const rules::Cell cell = board.at(each);
    if (cell != rules::cell_of(color) && cell != rules::Cell::Border) return false;
  }
  int hostile = 0;
  int borders = 0;
  for (const int step :
       {-rules::kStride - 1, -rules::kStride + 1, rules::kStride - 1, rules::kStride + 1}) {
    const rules::Cell cell = board.at(Point(static_cast<std::uint16_t>(point.index() + step)));
    hostile += cell == rules::cell_of(rules::other(color));
    borders += cell == rules::Cell::Border;
  }
  return hostile + (borders > 0 ? 1 : 0) < 2;
}

std::optional<Point> ScriptedEngine::occupied_point() const {
  const rules::Size size = record_.size();
  for (int row = 0; row < size.height; ++row) {
    for (int col = 0; col < size.width; ++col) {
      const Point point = Point::at(col, row);
      if (rules::is_stone(record_.board().at(point))) return point;
    }
  }
  return std::nullopt;
}

ScriptedEngine::Reply ScriptedEngine::list_dead() const {
  Reply reply;
  if (script_.dead == Script::Dead::Given) {
    for (const std::string& vertex : script_.dead_given) reply.text += vertex + '\n';
  }
  if (script_.dead == Script::Dead::All) {
    const rules::Size size = record_.size();
    for (int row = 0; row < size.height; ++row) {
      for (int col = 0; col < size.width; ++col) {
        const Point point = Point::at(col, row);
        if (!rules::is_stone(record_.board().at(point))) continue;
        reply.text += rules::gtp_vertex(point, size) + ' ';
      }
    }
  }
  while (!reply.text.empty() && (reply.text.back() == '\n' || reply.text.back() == ' ')) {
    reply.text.pop_back();
  }
  return reply;
}

}  // namespace tengen::tests
