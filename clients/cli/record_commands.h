// `tengen replay` and `tengen score`: what the rules core says of a game record. They need no
// daemon, and no file either: the bytes come from the caller.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/effects.h"
#include "rules/rules_text.h"
#include "rules/sgf_replay.h"

namespace tengen::cli {

/// What a command prints, and its exit code: 1 when the record says no.
struct Printed {
  std::string out;
  std::string error;
  ExitCode code = ExitCode::Done;
};

/// Which game of a file, by which rules.
struct RecordOptions {
  std::string file;                        // for messages
  int game = 1;                            // among the games of Go in the file, from 1
  std::optional<rules::NamedRules> rules;  // absent: as RU says, else chinese
  rules::Strictness strictness = rules::Strictness::Strict;
  Output output = Output::Text;
};

/// The final position, or the first move that is refused and why; lenient names all of those.
Printed replay_record(std::string_view sgf, const RecordOptions& options);

struct ScoreOptions {
  RecordOptions record;
  std::optional<int> komi_half;   // absent: as KM says, else as the rules say
  std::vector<std::string> dead;  // vertices; each stands for its chain
  std::vector<std::string> seki;  // vertices; an empty one stands for its region
};

/// The score of the final position with the stones and regions so marked; all others live.
Printed score_record(std::string_view sgf, const ScoreOptions& options);

}  // namespace tengen::cli
