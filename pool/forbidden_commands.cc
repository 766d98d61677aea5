// See forbidden_commands.h. The names are those of GNU Go, Leela Zero, KataGo, Pachi, Fuego, michi
// and gomill's players; docs/engines.md says where they were seen to do harm.
#include "pool/forbidden_commands.h"

#include <string>

#include "rules/ascii.h"

namespace tengen::pool {
namespace {

struct Forbidden {
  std::string_view name;  // one that ends in '*' stands for all that begin so
  std::string_view why;
};

constexpr std::string_view kFiles = "reads or writes files";
constexpr std::string_view kState =
    "changes the position, the rules, the clock or the settings that the daemon believes in";
constexpr std::string_view kSearch = "is a search, a score or a list, which a job asks for";
constexpr std::string_view kEnd = "ends, blocks or kills the engine";
constexpr std::string_view kFraming = "is answered in a way that hides where the answer ends";

constexpr Forbidden kForbidden[] = {
    {"book_*", kFiles},
    {"finish_sgftrace", kFiles},
    {"go_sentinel_file", kFiles},
    {"gomill-savesgf", kFiles},
    {"loadsgf", kFiles},
    {"pachi-dumptbook", kFiles},
    {"pachi-gentbook", kFiles},
    {"printsgf", kFiles},
    {"savesgf", kFiles},
    {"sg_exec", kFiles},
    {"start_sgftrace", kFiles},
    {"uct_save*", kFiles},

    {"advance_random_seed", kState},
    {"black", kState},
    {"boardsize", kState},
    {"clear_board", kState},
    {"decrease_depths", kState},
    {"fixed_handicap", kState},
    {"gg-undo", kState},
    {"go_param*", kState},
    {"go_rules", kState},
    {"go_set_info", kState},
    {"gogui-play_sequence", kState},
    {"gogui-setup*", kState},
    {"increase_depths", kState},
    {"kata-set-*", kState},
    {"kata-time_settings", kState},
    {"kgs-rules", kState},
    {"kgs-time_settings", kState},
    {"komi", kState},
    {"level", kState},
    {"limit_search", kState},
    {"lz-setoption", kState},
    {"orientation", kState},
    {"pachi-engine", kState},  // another engine in its place
    {"pachi-setoption", kState},
    {"place_free_handicap", kState},
    {"play", kState},
    {"play_sequence", kState},
    {"popgo", kState},
    {"rectangular_boardsize", kState},
    {"reset_search_mask", kState},
    {"set_free_handicap", kState},
    {"set_position", kState},
    {"set_random_seed", kState},
    {"set_search_diamond", kState},
    {"tengen-playouts", kState},
    {"tengen-rules", kState},
    {"time_left", kState},
    {"time_settings", kState},
    {"tryko", kState},
    {"trymove", kState},
    {"tune_move_ordering", kState},
    {"uct_param*", kState},
    {"undo", kState},
    {"white", kState},

    {"analyze", kSearch},
    {"final_score", kSearch},
    {"final_status_list", kSearch},
    {"genmove*", kSearch},
    {"gg_genmove", kSearch},
    {"gomill-genmove*", kSearch},
    {"kata-analyze", kSearch},
    {"kata-genmove*", kSearch},
    {"kata-search*", kSearch},
    {"kgs-genmove_cleanup", kSearch},
    {"lz-analyze", kSearch},
    {"lz-genmove*", kSearch},
    {"pachi-genmoves*", kSearch},
    {"reg_genmove", kSearch},
    {"restricted_genmove", kSearch},
    {"search_debug", kSearch},
    {"stop", kSearch},

    {"exit", kEnd},
    {"gogui-interrupt", kEnd},
    {"kata-benchmark", kEnd},
    {"kgs-game_over", kEnd},  // Pachi sleeps for five seconds
    {"known_command", kEnd},  // michi-c dies when it is sent without an argument
    {"quit", kEnd},
    {"set_search_limit", kEnd},  // GNU Go dies when it is sent without an argument
    {"sg_debugger", kEnd},

    {"all_move_values", kFraming},
    {"analyze_eyegraph", kFraming},
    {"draw_search_area", kFraming},
    {"gomill-explain_last_move", kFraming},
    {"lz-memory_report", kFraming},
    {"move_history", kFraming},  // Leela Zero leaves the id out
};

bool is_it(const Forbidden& forbidden, std::string_view command) {
  std::string_view name = forbidden.name;
  if (!name.ends_with('*')) return name == command;
  name.remove_suffix(1);
  return command.starts_with(name);
}

}  // namespace

std::optional<std::string_view> why_forbidden(std::string_view command) {
  const std::string name = rules::lower(command);
  for (const Forbidden& each : kForbidden) {
    if (is_it(each, name)) return each.why;
  }
  return std::nullopt;
}

}  // namespace tengen::pool
