// See repertoire.h.
#include "tests/support/repertoire.h"

#include <algorithm>
#include <cstdio>

namespace tengen::tests {

const Repertoire::Entry Repertoire::kEntries[] = {
    {"protocol_version", &Repertoire::protocol_version},
    {"name", &Repertoire::name},
    {"version", &Repertoire::version},
    {"list_commands", &Repertoire::list_commands},
    {"known_command", &Repertoire::known_command},
    {"boardsize", &Repertoire::boardsize},
    {"rectangular_boardsize", &Repertoire::boardsize},
    {"clear_board", &Repertoire::clear_board},
    {"play", &Repertoire::play},
    {"undo", &Repertoire::undo},
    {"gg-undo", &Repertoire::gg_undo},
    {"fixed_handicap", &Repertoire::fixed_handicap},
    {"place_free_handicap", &Repertoire::place_free_handicap},
    {"set_free_handicap", &Repertoire::set_free_handicap},
    {"list_stones", &Repertoire::list_stones},
    {"showboard", &Repertoire::showboard},
    {"komi", &Repertoire::komi},
    {"get_komi", &Repertoire::get_komi},
    {"level", &Repertoire::level},
    {"time_settings", &Repertoire::time},
    {"kgs-time_settings", &Repertoire::time},
    {"kata-time_settings", &Repertoire::time},
    {"time_left", &Repertoire::time_left},
    {"kgs-rules", &Repertoire::rules},
    {"kata-set-rules", &Repertoire::rules},
    {"kata-set-rule", &Repertoire::rules},
    {"tengen-rules", &Repertoire::rules},
    {"set_random_seed", &Repertoire::set_random_seed},
    {"get_random_seed", &Repertoire::get_random_seed},
    {"genmove", &Repertoire::genmove},
    {"kgs-genmove_cleanup", &Repertoire::genmove},
    {"genmove_debug", &Repertoire::genmove},
    {"reg_genmove", &Repertoire::search},
    {"kata-search", &Repertoire::search},
    {"kata-search_cancellable", &Repertoire::search},
    {"kata-search_debug", &Repertoire::search},
    {"lz-genmove_analyze", &Repertoire::genmove_analyze},
    {"kata-genmove_analyze", &Repertoire::genmove_analyze},
    {"lz-analyze", &Repertoire::analyze},
    {"kata-analyze", &Repertoire::analyze},
    {"final_status_list", &Repertoire::final_status_list},
    {"final_score", &Repertoire::final_score},
    {"all_move_values", &Repertoire::peculiar},
    {"analyze_eyegraph", &Repertoire::peculiar},
    {"draw_search_area", &Repertoire::peculiar},
    {"move_history", &Repertoire::peculiar},
    {"printsgf", &Repertoire::peculiar},
    {"lz-memory_report", &Repertoire::peculiar},
    {"gomill-explain_last_move", &Repertoire::peculiar},
    {"loadsgf", &Repertoire::peculiar},
    {"set_search_limit", &Repertoire::peculiar},
};

Repertoire::Repertoire(Script script)
    : script_(std::move(script)),
      board_(script_.persona, script_.ko, script_.suicide),
      settings_(script_.persona),
      mover_(script_) {}

bool Repertoire::is_listed(std::string_view command) const {
  if (command == "final_status_list" && script_.dead == Script::Dead::Unsupported) return false;
  const auto among = [&](const auto& list) {
    return std::find(list.begin(), list.end(), command) != list.end();
  };
  return among(script_.also_knows) || (among(traits().commands) && !among(script_.lacks));
}

bool Repertoire::knows(std::string_view command) const {
  if (is_listed(command)) return true;
  return script_.persona == Persona::Pachi && command == "kgs-chat";
}

Talk Repertoire::talk(std::string_view command) const {
  if (command == "lz-analyze" || command == "kata-analyze") return Talk::Analysis;
  if (command == "kata-search_cancellable") return Talk::CancellableSearch;
  if (command.ends_with("-genmove_analyze")) return Talk::GenmoveAnalysis;
  if (command == "genmove" || command == "reg_genmove" || command == "kgs-genmove_cleanup" ||
      command == "genmove_debug" || command.starts_with("kata-search")) {
    return Talk::Search;
  }
  return Talk::Answer;
}

bool Repertoire::strikes(int at, int count) const {
  return at == count && (!script_.may_fail || script_.may_fail());
}

Reply Repertoire::answer(const Words& words) {
  const std::string& command = words.front();
  if (!knows(command)) return unknown();
  if (is_refused(words)) {
    board_.drift();  // what follows in the same write may fit no more
    return declined("refused");
  }
  const auto found = std::find_if(std::begin(kEntries), std::end(kEntries),
                                  [&](const Entry& each) { return each.command == command; });
  return found == std::end(kEntries) ? nothing(words) : (this->*found->action)(words);
}

bool Repertoire::is_refused(const Words& words) {
  if (script_.refuse_command.empty() || words.front() != script_.refuse_command) return false;
  ++refusable_;
  if (script_.refuse_after_that && script_.refuse_at != 0 && refusable_ > script_.refuse_at) {
    return true;
  }
  return strikes(script_.refuse_at, refusable_);
}

Reply Repertoire::unknown() const {
  return declined(script_.persona == Persona::KataGo ? "Unknown command" : "unknown command");
}

Reply Repertoire::nothing(const Words&) { return said(); }

Reply Repertoire::protocol_version(const Words&) { return said("2"); }
Reply Repertoire::name(const Words&) { return said(std::string(traits().name)); }
Reply Repertoire::version(const Words&) { return said(std::string(traits().version)); }

Reply Repertoire::list_commands(const Words&) {
  std::string text;
  const auto add = [&](std::string_view command) {
    if (!is_listed(command)) return;
    if (!text.empty()) text += '\n';
    text += command;
  };
  for (const std::string_view command : traits().commands) add(command);
  for (const std::string& command : script_.also_knows) add(command);
  return said(text);
}

Reply Repertoire::known_command(const Words& words) {
  if (words.size() == 1 && script_.persona == Persona::Bare) return killed();
  return said(knows(word_at(words, 1)) ? "true" : "false");
}

Reply Repertoire::komi(const Words& words) { return settings_.set_komi(words); }

Reply Repertoire::get_komi(const Words&) {
  char text[32];
  const bool is_wide = script_.persona == Persona::GnuGo;
  std::snprintf(text, sizeof text, is_wide ? "%4.1f" : "%g", settings_.komi());
  return said(text);
}

Reply Repertoire::level(const Words& words) {
  const Reply reply = settings_.set_level(words);
  const bool is_plain = script_.persona == Persona::Plain;
  return is_plain && !reply.is_success ? unknown() : reply;
}

Reply Repertoire::time(const Words& words) { return settings_.set_time(words); }
Reply Repertoire::time_left(const Words& words) { return settings_.set_time_left(words); }

Reply Repertoire::rules(const Words& words) {
  const Reply reply = settings_.set_rules(words);
  if (!reply.is_success) return reply;
  const rules::Record& record = board_.record();
  board_.tell_rules(settings_.ko().value_or(record.ko()),
                    settings_.suicide().value_or(record.suicide()));
  return reply;
}

Reply Repertoire::set_random_seed(const Words& words) {
  const auto seed = parse_number<std::uint64_t>(word_at(words, 1));
  if (!seed) return careless("invalid seed");
  seed_ = seed;
  mover_.seed(*seed);
  return said();
}

Reply Repertoire::get_random_seed(const Words&) {
  return said(std::to_string(seed_.value_or(script_.seed)));
}

// What breaks framing or kills, as measured: one newline too few or too many, no id, two answers'
// worth of text in one, the end of the process.
Reply Repertoire::peculiar(const Words& words) {
  const std::string& command = words.front();
  Reply reply;
  if (command == "all_move_values") reply.newlines = 1;
  if (command == "analyze_eyegraph" || command == "draw_search_area") reply.newlines = 3;
  if (command == "set_search_limit" && words.size() == 1) return killed();
  if (command == "loadsgf") {
    if (script_.persona == Persona::GnuGo) return killed();
    if (script_.persona == Persona::LeelaZero) return careless("cannot load file");
    return careless("Could not load sgf: no tree in 'first line\n\n=1 last line'");
  }
  if (script_.persona != Persona::LeelaZero) return reply;
  if (command == "move_history") reply.has_id = false;
  if (command == "printsgf" || command == "lz-memory_report" ||
      command == "gomill-explain_last_move") {
    reply.newlines = 3;
  }
  return reply;
}

}  // namespace tengen::tests
