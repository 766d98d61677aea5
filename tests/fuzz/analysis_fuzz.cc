// Feeds arbitrary engine text to the readers of analysis lines and of answers: whatever is accepted
// is on the board, finite and in range, the same for both sides, and every text is fit to be sent
// on. The same bytes as a raw command are refused or are one line.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "pool/analysis.h"
#include "pool/verdict.h"

namespace {

using namespace tengen::pool;
using tengen::rules::Color;
using tengen::rules::Move;
using tengen::rules::Point;
using tengen::rules::Size;

constexpr Size kSizes[] = {{19, 19}, {25, 25}, {3, 2}};
constexpr AnalysisDialect kDialects[] = {AnalysisDialect::Lz, AnalysisDialect::LzBare,
                                         AnalysisDialect::Kata};
constexpr int kWants = static_cast<int>(Want::Raw) + 1;

void check(bool holds) {
  if (!holds) std::abort();
}

bool is_chance(double value) { return value >= 0 && value <= 1; }
bool is_lead(double value) { return std::abs(value) <= kScoreLeadMax; }
bool is_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

void check_move(Move move, Color color, Size size) {
  check(move.color == color && (move.is_pass() || move.point->is_on(size)));
}

void check_candidate(const Candidate& candidate, Color to_move, Size size) {
  check_move(candidate.move, to_move, size);
  check(is_chance(candidate.winrate) && is_chance(candidate.prior.value_or(0)) &&
        is_chance(candidate.lcb.value_or(0)) && is_lead(candidate.score_lead.value_or(0)));
  check(candidate.order >= 0);
  check(!candidate.variation.empty() && candidate.variation.size() <= kVariationMovesMax);
  check(candidate.variation.front() == candidate.move);
  Color color = to_move;
  for (const Move move : candidate.variation) {
    check_move(move, color, size);
    color = other(color);
  }
}

void check_analysis(const Analysis& analysis, Color to_move, Size size) {
  check(analysis.to_move == to_move);
  check(analysis.candidates.size() <= kCandidatesMax);
  std::set<int> seen;
  for (const Candidate& candidate : analysis.candidates) {
    check_candidate(candidate, to_move, size);
    const auto& point = candidate.move.point;
    check(seen.insert(point ? point->index() : -1).second);
  }
  check(analysis.candidates.empty() || analysis.winrate.has_value());
  check(is_chance(analysis.winrate.value_or(0)) && is_lead(analysis.score_lead.value_or(0)));
  check(analysis.ownership.empty() ||
        analysis.ownership.size() == static_cast<std::size_t>(size.area()));
  for (const float owner : analysis.ownership) check(owner >= -1 && owner <= 1);
}

/// A line that can be read for one side can be read for the other, with the numbers turned.
void check_line(AnalysisDialect dialect, std::string_view line, Size size) {
  const auto black = read_analysis(dialect, line, size, Color::Black);
  const auto white = read_analysis(dialect, line, size, Color::White);
  check(black.index() == white.index());
  if (const auto* problem = std::get_if<std::string>(&black)) {
    check(!problem->empty() && is_text(*problem) && problem->size() < 200);
    return;
  }
  const Analysis& one = std::get<Analysis>(black);
  const Analysis& two = std::get<Analysis>(white);
  check_analysis(one, Color::Black, size);
  check_analysis(two, Color::White, size);
  check(one.candidates.size() == two.candidates.size() && one.visits == two.visits);
  check(one.winrate.has_value() == two.winrate.has_value());
  if (one.winrate) check(*two.winrate == 1 - *one.winrate);
  if (one.score_lead) check(*two.score_lead == -*one.score_lead);
}

void check_stones(const EngineStones& stones, Size size) {
  std::set<Point> seen;
  for (const Point point : stones.points) check(point.is_on(size) && seen.insert(point).second);
}

void check_lines(std::string_view text) {
  check(!text.starts_with('\n') && text.find("\n\n") == std::string_view::npos);
  for (const char c : text) check(c == '\n' || (c >= ' ' && c <= '~'));
}

void check_result(const JobResult& result, const Job& job) {
  const Size size = job.record.size();
  if (const auto* move = std::get_if<EngineMove>(&result)) {
    check(is_move(job.want) || job.want == Want::RegGenmove);
    check(move->kind != EngineMove::Kind::Play || move->point.is_on(size));
  } else if (const auto* stones = std::get_if<EngineStones>(&result)) {
    check_stones(*stones, size);
    if (job.want == Want::FreeHandicap) {
      check(stones->points.size() >= 2 &&
            stones->points.size() <= static_cast<std::size_t>(job.stones));
    }
  } else if (const auto* score = std::get_if<EngineScore>(&result)) {
    check(std::abs(score->black_lead_half.value_or(0)) <= 20'000 && is_text(score->text));
  } else if (const auto* text = std::get_if<EngineText>(&result)) {
    check(job.want == Want::Raw);
    check_lines(text->text);
  } else if (const auto* failure = std::get_if<JobFailure>(&result)) {
    check(failure->error == JobError::NotSupported && is_text(failure->detail));
    check(job.want != Want::Genmove);
  } else {
    check(is_stream(job.want));
  }
}

Job job_on(Size size) {
  using namespace tengen::rules;
  Job job{.id = {1},
          .game = {},
          .profile = "some",
          .settings = {},
          .record = Record(size, KoRule::Simple, SuicideRule::No),
          .rules = {}};
  job.stones = 9;
  return job;
}

void check_answer(std::string_view text, Job& job) {
  for (int want = 0; want < kWants; ++want) {
    job.want = static_cast<Want>(want);
    for (const bool is_success : {true, false}) {
      const auto result = read_result(job, {1, is_success, std::string(text)});
      if (result) check_result(*result, job);
    }
  }
}

void check_raw_command(std::string_view text, Job& job) {
  job.want = Want::Raw;
  job.command = std::string(text);
  Profile profile;
  profile.raw_commands = {"showboard", "list_stones"};
  if (const auto refused = refusal(job, profile)) return check(is_text(refused->detail));
  const std::string command = search_command(job, profile);
  check(is_command(command, profile.line_bytes_max) && is_text(command));
  check(command.starts_with("showboard") || command.starts_with("list_stones"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const Size board : kSizes) {
    for (const AnalysisDialect dialect : kDialects) check_line(dialect, bytes, board);
  }
  static Job large = job_on(kSizes[0]);  // made once: a record is large
  static Job small = job_on(kSizes[2]);
  check_answer(bytes, large);
  check_answer(bytes, small);
  check_raw_command(bytes, small);
  return 0;
}
