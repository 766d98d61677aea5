// See probe_report.h.
#include "clients/cli/probe/report.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "clients/cli/json_text.h"
#include "clients/cli/table.h"
#include "clients/cli/wording.h"

namespace tengen::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kStartLimitMin{30'000};
constexpr milliseconds kSearchLimitMin{60'000};
constexpr int kLimitReserve = 20;  // times what was measured

std::string_view verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::Yes:
      return "yes";
    case Verdict::No:
      return "no";
    case Verdict::Told:
    case Verdict::Skipped:
      return "-";
    case Verdict::Failed:
      break;
  }
  return "FAILED";
}

/// A setting that is known to fit when the engine has the command.
struct KnownSetting {
  std::string_view key;
  std::string_view command;
  std::string_view engine;    // its name
  std::string_view argument;  // that sets it on the command line
  int minimum;
  int maximum;
  int standard;
};
constexpr std::array<KnownSetting, 2> kSettings{{
    {"level", "level", "GNU Go", "--level", 0, 10, 10},
    {"playouts", "tengen-playouts", "Tengen house", "--playouts", 0, 40'000, 0},
}};

/// A game that does not choose gets what the command line says.
int standard_of(const KnownSetting& setting, const std::vector<std::string>& command) {
  const auto at = std::find(command.begin(), command.end(), setting.argument);
  if (at == command.end() || at + 1 == command.end()) return setting.standard;
  const std::string& text = *(at + 1);
  int value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  const bool is_value = read.ec == std::errc() && read.ptr == end;
  return is_value ? std::clamp(value, setting.minimum, setting.maximum) : setting.standard;
}

/// The engine's name as one word: "gnu-go".
std::string profile_name(const std::string& name) {
  std::string word;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_letter) {
      word += c;
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word.empty() ? "engine" : word;
}

/// JSON's strings are also TOML's.
std::string array_text(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& each : texts) text += (text.empty() ? "" : ", ") + json_string(each);
  return "[" + text + "]";
}

struct SizeRange {
  int smallest = 0;
  int largest = 0;
};
/// The sizes around the one that was used, without a gap: a profile has one range.
SizeRange size_range(const Findings& findings) {
  SizeRange range{findings.size, findings.size};
  while (findings.sizes.count(range.smallest - 1) > 0) --range.smallest;
  while (findings.sizes.count(range.largest + 1) > 0) ++range.largest;
  return range;
}

milliseconds limit(milliseconds measured, milliseconds at_least) {
  return std::max(at_least, measured * kLimitReserve);
}

}  // namespace

std::string checks_text(const std::vector<Checked>& checked) {
  std::vector<Row> rows;
  for (const Checked& each : checked) {
    rows.push_back({std::string(each.name), std::string(verdict_word(each.result.verdict)),
                    printable(each.result.detail)});
  }
  std::istringstream lines(table_text({Align::Left, Align::Left, Align::Left}, rows));
  std::string text;
  for (std::string line; std::getline(lines, line);) text += "# " + line + '\n';
  return text;
}

std::string profile_text(const std::vector<std::string>& command, const Findings& findings) {
  const auto range = size_range(findings);
  const auto in_range = static_cast<std::size_t>(range.largest - range.smallest + 1);
  std::ostringstream out;
  out << "[[profile]]\n"
      << "name = " << json_string(profile_name(findings.name)) << '\n'
      << "command = " << array_text(command) << '\n'
      << "processes_warm = 1\n"
      << "processes_max = 2\n";
  if (in_range < findings.sizes.size()) out << "# It plays on other sizes too, beyond a gap.\n";
  out << "size_min = " << range.smallest << '\n'
      << "size_max = " << range.largest << '\n'
      << "rectangles = " << (findings.has_rectangles ? "true" : "false") << '\n'
      << "rules = " << (findings.has_tengen_rules ? "\"tengen\"" : "\"none\"") << '\n'
      << "seed_command = " << (findings.has_seed ? "\"set_random_seed\"" : "\"\"") << '\n'
      << "start_limit_ms = " << limit(findings.start, kStartLimitMin).count() << "  # took "
      << findings.start.count() << '\n'
      << "search_limit_ms = " << limit(findings.slowest_move, kSearchLimitMin).count()
      << "  # took up to " << findings.slowest_move.count() << '\n';
  for (const KnownSetting& setting : kSettings) {
    if (findings.name != setting.engine) continue;
    if (findings.commands.count(std::string(setting.command)) == 0) continue;
    out << "\n[[profile.setting]]\n"
        << "key = \"" << setting.key << "\"\n"
        << "command = \"" << setting.command << "\"\n"
        << "minimum = " << setting.minimum << '\n'
        << "maximum = " << setting.maximum << '\n'
        << "standard = " << standard_of(setting, command) << '\n';
  }
  return out.str();
}

}  // namespace tengen::cli
