#include "tests/support/dictated_engine.h"

#include <sstream>

namespace tengen::tests {
namespace {

// Of the shell's own where it can: a process for each line would make it slow.
constexpr std::string_view kScript = R"(
note() { echo "$*" >> told; echo "$*" >> told.$$; }
: > told.$$
while read -r id command rest; do
  note $command $rest
  case $command in
    quit) printf '=%s\n\n' $id; exit 0;;
    genmove)
      answer=$(sed -n 1p answers); sed -i 1d answers
      case $answer in
        hang) sleep 600; exit;;
        half) printf '=%s' $id; sleep 600; exit;;
      esac
      note answer $rest ${answer:-pass}
      printf '=%s %s\n\n' $id "${answer:-pass}";;
    list_commands)
      printf '=%s boardsize\nclear_board\nkomi\nplay\nundo\ngenmove\ntime_settings\n' $id
      printf 'time_left\nkgs-time_settings\nkata-time_settings\n\n';;
    *) printf '=%s \n\n' $id;;
  esac
done)";

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::istringstream text(read_text(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string dictated_engine(const TempFolder& folder) {
  return "cd \"" + folder.path().string() + "\"" + std::string(kScript);
}

std::vector<std::string> told_lines(const TempFolder& folder) {
  return lines_of(folder.file("told"));
}

std::vector<Told> told_by_process(const TempFolder& folder) {
  std::vector<Told> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const bool is_one = entry.path().filename().string().starts_with("told.");
    if (is_one) found.push_back({entry.path(), lines_of(entry.path())});
  }
  return found;
}

std::vector<std::string> lines_with(std::string_view beginning,
                                    const std::vector<std::string>& lines) {
  std::vector<std::string> found;
  for (const auto& line : lines) {
    if (line.starts_with(beginning)) found.push_back(line);
  }
  return found;
}

std::size_t count_of(std::string_view word, std::string_view text) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace tengen::tests
