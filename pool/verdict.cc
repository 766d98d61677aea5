// See verdict.h. Layouts differ between engines (a chain a line, a dragon a line, all on one line)
// and so does the case of words; what an answer says does not.
#include "pool/verdict.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "rules/ascii.h"

namespace tengen::pool {
namespace {

using rules::Color;

constexpr int kHandicapStonesMin = 2;  // GTP 2, section 4.1: one stone is no handicap
constexpr double kScoreMax = 10'000;   // points; more is no score

std::string with_color(const std::string& command, Color color) {
  return command + (color == Color::Black ? " B" : " W");
}

const std::string& or_plain(const std::string& command, const Profile& profile) {
  return command.empty() ? profile.search_command : command;
}

bool is_after_two_passes(const Job& job) {
  const auto& moves = job.record.moves();
  return moves.size() >= 2 && moves.back().is_pass() && moves[moves.size() - 2].is_pass();
}

/// Some engines die when they are asked for a move after two passes, unless it is to clean up.
bool is_plain_search_deadly(const Job& job, const Profile& profile) {
  return !profile.moves_after_passes && is_after_two_passes(job);
}

const std::string& move_command(const Job& job, const Profile& profile) {
  return is_plain_search_deadly(job, profile) ? or_plain(profile.cleanup_command, profile)
                                              : profile.search_command;
}

/// A handicap on a board with stones kills Pachi and Leela Zero. As many stones as may be given
/// with set_free_handicap: all points but one.
bool can_be_handicapped(const Job& job) {
  const bool is_empty =
      job.record.setup().empty() && job.record.moves().empty() && job.record.board().stones() == 0;
  return is_empty && job.stones >= kHandicapStonesMin && job.stones < job.record.size().area();
}

bool is_allowed(std::string_view command, const Profile& profile) {
  const auto& allowed = profile.raw_commands;
  const auto parts = words(command);
  return !parts.empty() &&
         std::find(allowed.begin(), allowed.end(), parts.front()) != allowed.end();
}

/// The one word of a text; nothing when it has none or more.
std::optional<std::string_view> only_word(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\n'; };
  const auto begin = std::find_if_not(text.begin(), text.end(), is_blank);
  const auto end = std::find_if(begin, text.end(), is_blank);
  if (begin == end || !std::all_of(end, text.end(), is_blank)) return std::nullopt;
  return std::string_view(begin, end);
}

std::optional<EngineMove> read_move(std::string_view text, rules::Size size) {
  const auto found = only_word(text);
  if (!found) return std::nullopt;
  if (const auto point = rules::parse_gtp_vertex(*found, size)) {
    return EngineMove{EngineMove::Kind::Play, *point};
  }
  const std::string word = rules::lower(*found);
  if (word == "pass") return EngineMove{EngineMove::Kind::Pass, {}};
  if (word == "resign") return EngineMove{EngineMove::Kind::Resign, {}};
  return std::nullopt;
}

/// "play F5", after any updates.
std::optional<EngineMove> read_played(std::string_view text, rules::Size size) {
  const auto found = words(text.substr(text.rfind('\n') + 1));
  if (found.size() != 2 || rules::lower(found.front()) != "play") return std::nullopt;
  return read_move(found.back(), size);
}

/// The points named in a text, each once, in the order of their first mention.
struct Points {
  std::vector<rules::Point> each;
  bool has_repeats = false;
};

std::optional<Points> read_points(std::string_view text, rules::Size size) {
  Points points;
  std::array<bool, rules::kCells> seen{};
  for (const std::string_view word : words(text)) {
    const auto point = rules::parse_gtp_vertex(word, size);
    if (!point) return std::nullopt;
    if (std::exchange(seen[point->index()], true)) {
      points.has_repeats = true;
    } else {
      points.each.push_back(*point);
    }
  }
  return points;
}

std::optional<EngineStones> read_list(std::string_view text, rules::Size size) {
  auto points = read_points(text, size);
  if (!points) return std::nullopt;
  return EngineStones{std::move(points->each)};
}

/// An engine may place fewer stones than it was asked for, but never less than a handicap.
std::optional<EngineStones> read_handicap(const Job& job, std::string_view text) {
  auto points = read_points(text, job.record.size());
  if (!points || points->has_repeats ||
      points->each.size() < static_cast<std::size_t>(kHandicapStonesMin) ||
      points->each.size() > static_cast<std::size_t>(std::max(job.stones, 0))) {
    return std::nullopt;
  }
  return EngineStones{std::move(points->each)};
}

/// A number of points as half points; nothing when it is none, or between two halves.
std::optional<int> read_half_points(std::string_view word) {
  if (word.empty() || word.front() == '-') return std::nullopt;
  double points = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), points);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  if (!(points <= kScoreMax) || points * 2 != std::floor(points * 2)) return std::nullopt;
  return static_cast<int>(points * 2);
}

/// Black's lead in "B+12.5", "W+0.5", "0", "Draw".
std::optional<int> read_lead(std::string_view text) {
  const auto found = only_word(text);
  if (!found) return std::nullopt;
  const std::string word = rules::lower(*found);
  if (word == "draw" || word == "jigo") return 0;
  const bool has_winner = word.starts_with("b+") || word.starts_with("w+");
  const auto half = read_half_points(std::string_view(word).substr(has_winner ? 2 : 0));
  if (!half || (!has_winner && *half != 0)) return std::nullopt;
  return word.front() == 'w' ? -*half : *half;
}

/// Lines of printable ASCII. A line that is empty would end an answer wherever the text is framed
/// again, so it becomes a blank.
std::string printable_lines(std::string_view text) {
  std::string lines;
  for (const char c : text) {
    if (c == '\n') {
      if (lines.empty() || lines.back() == '\n') lines.push_back(' ');
      lines.push_back('\n');
    } else {
      lines.push_back(c >= ' ' && c <= '~' ? c : '?');
    }
  }
  return lines;
}

template <typename Result>
std::optional<JobResult> result(std::optional<Result> found) {
  if (!found) return std::nullopt;
  return JobResult(std::move(*found));
}

std::optional<JobResult> read_success(const Job& job, const std::string& text) {
  const rules::Size size = job.record.size();
  switch (job.want) {
    case Want::Genmove:
    case Want::CleanupGenmove:
    case Want::RegGenmove:
      return result(read_move(text, size));
    case Want::GenmoveAnalyze:
      return result(read_played(text, size));
    case Want::FreeHandicap:
      return result(read_handicap(job, text));
    case Want::DeadList:
    case Want::AliveList:
    case Want::SekiList:
      return result(read_list(text, size));
    case Want::FinalScore:
      return EngineScore{read_lead(text), printable(text)};
    case Want::Analyze:
      return AnalysisEnd{};
    case Want::Raw:
      return EngineText{true, printable_lines(text)};
  }
  return std::nullopt;
}

/// GTP 2 lays the text of this refusal down; some engines add the name.
bool is_unknown_command(std::string_view text) {
  return rules::lower(text).starts_with("unknown command");
}

std::optional<JobResult> read_refusal(const Job& job, const std::string& text) {
  if (job.want == Want::Raw) return EngineText{false, printable_lines(text)};
  if (job.want == Want::Genmove) return std::nullopt;
  const bool is_for_move = is_move(job.want) || job.want == Want::RegGenmove;
  if (is_for_move && !is_unknown_command(text)) return std::nullopt;
  return JobFailure{JobError::NotSupported,
                    std::string(name_of(job.want)) + ": the engine says: " + printable(text)};
}

}  // namespace

std::string search_command(const Job& job, const Profile& profile) {
  switch (job.want) {
    case Want::Genmove:
      return with_color(move_command(job, profile), job.color);
    case Want::CleanupGenmove:
      return with_color(or_plain(profile.cleanup_command, profile), job.color);
    case Want::RegGenmove:
      return with_color(or_plain(profile.reg_search_command, profile), job.color);
    case Want::GenmoveAnalyze:
      return genmove_analyze_command(profile.analysis, job.analysis, job.color);
    case Want::FreeHandicap:
      return "place_free_handicap " + std::to_string(job.stones);
    case Want::DeadList:
      return "final_status_list dead";
    case Want::AliveList:
      return "final_status_list alive";
    case Want::SekiList:
      return "final_status_list seki";
    case Want::FinalScore:
      return "final_score";
    case Want::Analyze:
      return analysis_command(profile.analysis, job.analysis, job.color);
    case Want::Raw:
      return job.command;
  }
  return {};
}

std::optional<JobFailure> refusal(const Job& job, const Profile& profile) {
  const auto refuse = [&](std::string_view why) {
    return JobFailure{JobError::NotSupported, "profile " + profile.name + ' ' + std::string(why)};
  };
  if (job.want == Want::Analyze || job.want == Want::GenmoveAnalyze) {
    if (profile.analysis == AnalysisDialect::None) return refuse("has no analysis");
  }
  if (is_plain_search_deadly(job, profile)) {
    if (job.want == Want::GenmoveAnalyze) {
      return refuse("has no analysis of a move after two passes");
    }
    if (is_deadly(search_command(job, profile), job, profile)) {
      return refuse("cannot be asked for a move after two passes");
    }
  }
  if (job.want == Want::FreeHandicap && !can_be_handicapped(job)) {
    return refuse("places 2 stones or more on an empty board, and leaves a point free");
  }
  if (job.want != Want::Raw) return std::nullopt;
  if (!is_allowed(job.command, profile)) {
    return refuse("does not allow the command " + printable(job.command));
  }
  if (!is_command(job.command, profile.line_bytes_max)) {
    return refuse("cannot be sent the command: it must be printable ASCII without #, and short");
  }
  return std::nullopt;
}

bool is_deadly(std::string_view command, const Job& job, const Profile& profile) {
  return is_plain_search_deadly(job, profile) &&
         command.substr(0, command.find(' ')) == profile.search_command;
}

std::optional<JobResult> read_result(const Job& job, const Answer& answer) {
  return answer.is_success ? read_success(job, answer.text) : read_refusal(job, answer.text);
}

bool is_scoring(Want want) {
  return want == Want::DeadList || want == Want::AliveList || want == Want::SekiList ||
         want == Want::FinalScore;
}

bool is_move(Want want) {
  return want == Want::Genmove || want == Want::CleanupGenmove || want == Want::GenmoveAnalyze;
}

bool is_stoppable(Want want) {
  return want == Want::Genmove || want == Want::CleanupGenmove || want == Want::RegGenmove;
}

bool is_stream(Want want) { return want == Want::Analyze; }

bool is_text(Want want) {
  return want == Want::DeadList || want == Want::AliveList || want == Want::SekiList ||
         want == Want::Raw;
}

bool has_updates(Want want) { return is_stream(want) || want == Want::GenmoveAnalyze; }

}  // namespace tengen::pool
