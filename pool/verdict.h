// What is asked of an engine for a job, and what its answer means. Whether a move is legal is for
// the rules to say; whether it is a move at all is said here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pool/gtp.h"
#include "pool/job.h"
#include "pool/profile.h"

namespace tengen::pool {

/// The command that asks for what the job wants: "genmove B", "final_status_list dead",
/// "place_free_handicap 4", "kata-analyze B 20". It fits is_command() and the profile's line.
std::string search_command(const Job& job, const Profile& profile);

/// Whether the profile's engines can do it at all, before one is asked: a stream needs a dialect,
/// a raw command must be allowed and fit for a line, a handicap needs an empty board. Nothing when
/// they can.
std::optional<JobFailure> refusal(const Job& job, const Profile& profile);

/// Whether the engine would die of the command: a plain search after two passes, where the profile
/// says so.
bool is_deadly(std::string_view command, const Job& job, const Profile& profile);

/// The result in the answer's text, or nothing when it is rubbish: then the engine is broken. An
/// engine may decline lists, scores, handicaps, streams and raw commands, and may not know the
/// commands for other moves than a plain genmove; one that declines to move at a position it took
/// is broken. A stream's own answer is its end; its updates were counted by whoever read them.
std::optional<JobResult> read_result(const Job& job, const Answer& answer);

/// Status lists and scores can take an engine half a minute: one at a time per profile, and never
/// tried again after a timeout.
bool is_scoring(Want want);
/// Whether the engine's answer is a move that it may have played on its own board. Not so for
/// RegGenmove; FreeHandicap's stones are on its board, but they are no move.
bool is_move(Want want);
/// Whether the profile's stop_command ends it: a search for a move alone, since KataGo stops
/// neither a move with its analysis nor a list.
bool is_stoppable(Want want);
/// Whether it is a stream without an end of its own.
bool is_stream(Want want);
/// Whether the answer is a text of lines, which may have empty ones in it: a fence ends it.
bool is_text(Want want);
/// Whether updates may come before the answer: streams, and moves with their analysis.
bool has_updates(Want want);

}  // namespace tengen::pool
