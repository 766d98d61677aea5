// See verdict.h.
#include "pool/verdict.h"

#include <algorithm>

namespace tengen::pool {
namespace {

std::string lower(std::string_view text) {
  std::string word(text);
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return word;
}

std::optional<JobResult> read_move(std::string_view text, rules::Size size) {
  const auto found = words(text);
  if (found.size() != 1) return std::nullopt;
  const std::string word = lower(found.front());
  if (word == "pass") return EngineMove{EngineMove::Kind::Pass, {}};
  if (word == "resign") return EngineMove{EngineMove::Kind::Resign, {}};
  const auto point = rules::parse_gtp_vertex(word, size);
  if (!point) return std::nullopt;
  return EngineMove{EngineMove::Kind::Play, *point};
}

std::optional<JobResult> read_points(std::string_view text, rules::Size size) {
  EngineDeadList list;
  for (const std::string_view word : words(text)) {
    const auto point = rules::parse_gtp_vertex(word, size);
    if (!point) return std::nullopt;
    list.points.push_back(*point);
  }
  return list;
}

}  // namespace

std::string search_command(const Job& job) {
  if (job.want == Want::DeadList) return "final_status_list dead";
  return job.color == rules::Color::Black ? "genmove B" : "genmove W";
}

std::optional<JobResult> read_result(const Job& job, const Answer& answer) {
  const rules::Size size = job.record.size();
  if (answer.is_success) {
    return job.want == Want::Genmove ? read_move(answer.text, size)
                                     : read_points(answer.text, size);
  }
  // An engine may decline to judge stones; one that declines to move at a position it took is
  // broken.
  if (job.want == Want::Genmove) return std::nullopt;
  return JobFailure{JobError::NotSupported, "final_status_list: " + printable(answer.text)};
}

}  // namespace tengen::pool
