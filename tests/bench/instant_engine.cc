// The engine that costs nothing, for measuring whoever speaks to it: all complete lines of a read
// are answered with one write, and nothing is checked. It plays row after row from left to right,
// always as the side that began, and passes when its rows are full.
#include <unistd.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace {

constexpr std::string_view kColumns = "ABCDEFGHJKLMNOPQRST";
constexpr std::array<std::string_view, 2> kRows = {"1", "2"};
constexpr std::size_t kBytes = 64 * 1024;

/// One game at a time on 19x19.
class InstantEngine {
 public:
  /// Appends the answer to one line, newline not included.
  void obey(std::string_view line, std::string& out);
  bool has_quit() const { return has_quit_; }

 private:
  void write_move(std::string& out) const;

  std::size_t moves_ = 0;  // on its board
  bool has_quit_ = false;
};

void InstantEngine::obey(std::string_view line, std::string& out) {
  const auto blank = line.find(' ');
  if (blank == std::string_view::npos) return;
  const std::string_view command = line.substr(blank + 1);
  out += '=';
  out += line.substr(0, blank);
  out += ' ';
  if (command.starts_with("play")) {
    ++moves_;
  } else if (command.starts_with("genmove")) {
    write_move(out);
    ++moves_;
  } else if (command.starts_with("clear_board")) {
    moves_ = 0;
  } else if (command == "protocol_version") {
    out += '2';
  } else if (command == "name") {
    out += "Instant";
  } else if (command == "version") {
    out += "1.0";
  } else if (command == "list_commands") {
    out +=
        "boardsize\nclear_board\ngenmove\nkomi\nlist_commands\nname\nplay\nprotocol_version\n"
        "quit\nversion";
  } else if (command == "quit") {
    has_quit_ = true;
  }
  out += "\n\n";
}

void InstantEngine::write_move(std::string& out) const {
  const std::size_t turn = moves_ / 2;
  const std::size_t row = turn / kColumns.size();
  if (row >= kRows.size()) {
    out += "pass";
    return;
  }
  out += kColumns[turn % kColumns.size()];
  out += kRows[row];
}

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (done < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

void serve() {
  InstantEngine engine;
  static char buffer[kBytes];
  std::string partial;  // a line whose end has not come
  std::string answers;
  ssize_t got = 0;
  while (!engine.has_quit() && (got = ::read(STDIN_FILENO, buffer, sizeof buffer)) > 0) {
    partial.append(buffer, static_cast<std::size_t>(got));
    std::string_view lines = partial;
    answers.clear();
    for (auto end = lines.find('\n'); end != std::string_view::npos; end = lines.find('\n')) {
      engine.obey(lines.substr(0, end), answers);
      lines.remove_prefix(end + 1);
    }
    partial.erase(0, partial.size() - lines.size());
    if (!write_all(answers)) return;
  }
}

}  // namespace

int main() { serve(); }
