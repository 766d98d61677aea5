// Reading the engine's answer to a search. Whether a move is legal is for the rules to say; whether
// it is a move at all is said here.
#pragma once

#include <optional>

#include "pool/gtp.h"
#include "pool/job.h"

namespace tengen::pool {

/// The command that asks for what the job wants: "genmove B", "final_status_list dead".
std::string search_command(const Job& job);

/// The result in the answer's text, or nothing when it is rubbish: then the engine is broken.
std::optional<JobResult> read_result(const Job& job, const Answer& answer);

}  // namespace tengen::pool
