// The lines of an analysis: what Leela Zero, Pachi and KataGo write while they think, with numbers
// that grow from update to update and are otherwise made up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rules/record.h"
#include "tests/support/script.h"

namespace tengen::tests {

/// A request as the engine understood it.
struct AnalysisOrder {
  bool is_kata = false;  // floats and more fields; else winrates in 1/10000
  rules::Color color = rules::Color::Black;
  int interval_cs = 0;  // hundredths of a second
  bool ownership = false;
  bool root_info = false;
};

/// Reads the arguments of an analyze or genmove_analyze command in the persona's way; nothing when
/// it would refuse them. Without a colour it is `to_move`.
std::optional<AnalysisOrder> read_order(Persona persona, const std::vector<std::string>& words,
                                        rules::Color to_move);

/// What is wrong with one update on purpose.
enum class BadUpdate : std::uint8_t { None, Huge, Nan, OffBoard };

/// The n-th update, from 1, without its newline.
std::string analysis_line(const Script& script, const AnalysisOrder& order,
                          const rules::Record& record, int n, BadUpdate bad = BadUpdate::None);

}  // namespace tengen::tests
