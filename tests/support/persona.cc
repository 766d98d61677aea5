// See persona.h.
#include "tests/support/persona.h"

#include <algorithm>

namespace tengen::tests {
namespace {

// clang-format off
constexpr std::string_view kPlain[] = {
    "boardsize", "clear_board", "final_status_list", "genmove", "komi", "level", "list_commands",
    "name", "play", "protocol_version", "quit", "set_free_handicap", "version",
};

constexpr std::string_view kGnuGo[] = {
    "aa_confirm_safety", "accurate_approxlib", "accuratelib", "advance_random_seed", "all_legal",
    "all_move_values", "analyze_eyegraph", "analyze_semeai", "analyze_semeai_after_move", "attack",
    "attack_either", "black", "block_off", "boardsize", "break_in", "captures", "clear_board",
    "clear_cache", "color", "combination_attack", "combination_defend", "connect", "countlib",
    "cputime", "decrease_depths", "defend", "defend_both", "disconnect", "does_attack",
    "does_defend", "does_surround", "dragon_data", "dragon_status", "dragon_stones",
    "draw_search_area", "dump_stack", "echo", "echo_err", "estimate_score", "eval_eye",
    "experimental_score", "eye_data", "final_score", "final_status", "final_status_list",
    "findlib", "finish_sgftrace", "fixed_handicap", "followup_influence", "genmove",
    "genmove_black", "genmove_white", "get_connection_node_counter", "get_handicap", "get_komi",
    "get_life_node_counter", "get_owl_node_counter", "get_random_seed", "get_reading_node_counter",
    "get_trymove_counter", "gg-undo", "gg_genmove", "half_eye_data", "help", "increase_depths",
    "initial_influence", "invariant_hash_for_moves", "invariant_hash", "is_legal", "is_surrounded",
    "kgs-genmove_cleanup", "known_command", "komi", "ladder_attack", "last_move", "level",
    "limit_search", "list_commands", "list_stones", "loadsgf", "move_influence",
    "move_probabilities", "move_reasons", "move_uncertainty", "move_history", "name", "new_score",
    "orientation", "owl_attack", "owl_connection_defends", "owl_defend", "owl_does_attack",
    "owl_does_defend", "owl_substantial", "owl_threaten_attack", "owl_threaten_defense",
    "place_free_handicap", "play", "popgo", "printsgf", "protocol_version", "query_boardsize",
    "query_orientation", "quit", "reg_genmove", "report_uncertainty",
    "reset_connection_node_counter", "reset_life_node_counter", "reset_owl_node_counter",
    "reset_reading_node_counter", "reset_search_mask", "reset_trymove_counter",
    "restricted_genmove", "same_dragon", "set_free_handicap", "set_random_seed",
    "set_search_diamond", "set_search_limit", "showboard", "start_sgftrace", "surround_map",
    "tactical_analyze_semeai", "test_eyeshape", "time_left", "time_settings", "top_moves",
    "top_moves_black", "top_moves_white", "tryko", "trymove", "tune_move_ordering",
    "unconditional_status", "undo", "version", "white", "worm_cutstone", "worm_data",
    "worm_stones",
};

constexpr std::string_view kLeelaZero[] = {
    "protocol_version", "name", "version", "quit", "known_command", "list_commands", "boardsize",
    "clear_board", "komi", "play", "genmove", "showboard", "undo", "final_score",
    "final_status_list", "time_settings", "time_left", "fixed_handicap", "last_move",
    "move_history", "place_free_handicap", "set_free_handicap", "loadsgf", "printsgf",
    "kgs-genmove_cleanup", "kgs-time_settings", "kgs-game_over", "heatmap", "lz-analyze",
    "lz-genmove_analyze", "lz-memory_report", "lz-setoption", "gomill-explain_last_move",
};

constexpr std::string_view kPachi[] = {
    "boardsize", "clear_board", "echo", "final_score", "final_status_list", "fixed_handicap",
    "genmove", "known_command", "komi", "list_commands", "name", "place_free_handicap", "play",
    "protocol_version", "quit", "set_free_handicap", "showboard", "time_left", "undo", "version",
    "predict", "score_est", "time_settings", "tunit", "gogui-analyze_commands",
    "gogui-bad_selfatari", "gogui-best_moves", "gogui-color_palette", "gogui-final_score",
    "gogui-influence", "gogui-joseki_moves", "gogui-joseki_show_pattern", "gogui-livegfx",
    "gogui-pattern_best", "gogui-pattern_colors", "gogui-pattern_features", "gogui-pattern_gammas",
    "gogui-pattern_rating", "gogui-playout_moves", "gogui-score_est", "gogui-show_spatial",
    "gogui-spatial_size", "gogui-toggle_debugging_commands", "gogui-version", "gogui-winrates",
    "kgs-game_over", "kgs-genmove_cleanup", "kgs-rules", "kgs-time_settings", "lz-analyze",
    "lz-genmove_analyze", "pachi-dumptbook", "pachi-engine", "pachi-evaluate", "pachi-gentbook",
    "pachi-getoption", "pachi-predict", "pachi-result", "pachi-score_est", "pachi-setoption",
    "pachi-tunit",
};

constexpr std::string_view kKataGo[] = {
    "protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize",
    "rectangular_boardsize", "clear_board", "set_position", "komi", "get_komi", "play", "undo",
    "kata-get-rules", "kata-set-rule", "kata-set-rules", "kata-get-models", "kata-get-param",
    "kata-set-param", "kata-list-params", "kgs-rules", "genmove", "kata-search",
    "kata-search_cancellable", "genmove_debug", "kata-search_debug", "clear_cache", "showboard",
    "fixed_handicap", "place_free_handicap", "set_free_handicap", "time_settings",
    "kgs-time_settings", "time_left", "kata-list_time_settings", "kata-time_settings",
    "final_score", "final_status_list", "loadsgf", "printsgf", "lz-genmove_analyze",
    "kata-genmove_analyze", "kata-search_analyze", "kata-search_analyze_cancellable", "lz-analyze",
    "kata-analyze", "kata-raw-nn", "kata-raw-human-nn", "cputime", "gomill-cpu_time",
    "kata-benchmark", "kata-debug-print-tc", "debug_moves", "stop",
};

constexpr std::string_view kBare[] = {
    "boardsize", "clear_board", "genmove", "gomill-describe_engine", "gomill-explain_last_move",
    "known_command", "komi", "list_commands", "name", "play", "protocol_version", "quit",
    "version",
};
// clang-format on

constexpr Traits kTraits[] = {
    {"plain", "Scripted", "1.0", kPlain, 1, 25, false, "PASS"},
    {"gnugo", "GNU Go", "3.8", kGnuGo, 1, 19, false, "PASS", 999, 999},
    {"leela-zero", "Leela Zero", "0.17", kLeelaZero, 19, 19, false, "pass", 0, 65'536},
    {"pachi", "Pachi", "12.90", kPachi, 2, 19, false, "pass", 4095, 4095, true, true, true},
    {"katago", "KataGo", "1.17.2+scripted", kKataGo, 2, 19, true, "pass", 0, 65'536, true, false},
    {"bare", "GTP test player", "1.0", kBare, 1, 19, false, "pass", 255, 256, false},
};

// Those that write files, sleep, read files that need not be what they seem, or were measured to
// die or to break their framing.
constexpr std::string_view kDangerous[] = {
    "all_move_values",  "analyze_eyegraph", "draw_search_area", "gomill-explain_last_move",
    "heatmap",          "kata-benchmark",   "kgs-game_over",    "loadsgf",
    "lz-memory_report", "move_history",     "pachi-dumptbook",  "pachi-engine",
    "pachi-gentbook",   "printsgf",         "set_search_limit", "start_sgftrace"};

}  // namespace

const Traits& traits_of(Persona persona) { return kTraits[static_cast<std::size_t>(persona)]; }

std::optional<Persona> parse_persona(std::string_view word) {
  const auto found = std::find_if(std::begin(kTraits), std::end(kTraits),
                                  [&](const Traits& each) { return each.word == word; });
  if (found == std::end(kTraits)) return std::nullopt;
  return static_cast<Persona>(found - std::begin(kTraits));
}

bool is_dangerous(std::string_view command) {
  return std::find(std::begin(kDangerous), std::end(kDangerous), command) != std::end(kDangerous);
}

}  // namespace tengen::tests
