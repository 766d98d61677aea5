#include "clients/cli/record_commands.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "clients/cli/board_view.h"
#include "clients/cli/charset.h"
#include "clients/cli/json_text.h"
#include "clients/cli/wording.h"
#include "rules/log.h"
#include "rules/score.h"
#include "rules/sgf_game.h"
#include "rules/sgf_text.h"
#include "rules/sgf_tree.h"

namespace tengen::cli {
namespace {

using rules::Color;
using rules::Point;
using rules::SgfError;
using rules::SgfGame;
using rules::SgfReplay;

/// What went wrong, for people.
struct Problem {
  std::string reason;
  ExitCode code = ExitCode::No;
};

Printed failed(const RecordOptions& options, const Problem& problem) {
  return {"", "tengen: " + options.file + ": " + problem.reason + "\n", problem.code};
}

Problem problem_of(const SgfError& error) {
  return {"line " + std::to_string(error.line) + ", column " + std::to_string(error.column) + ": " +
          error.reason};
}

std::variant<SgfGame, Problem> chosen_game(std::string_view sgf, int number) {
  const auto parsed = rules::parse_sgf(sgf, decode_charset);
  if (const auto* error = std::get_if<SgfError>(&parsed)) return problem_of(*error);
  int games = 0;
  for (const rules::SgfTree& tree : std::get<rules::SgfCollection>(parsed).trees) {
    if (!rules::is_go(tree) || ++games != number) continue;
    auto game = rules::game_of(tree);
    if (const auto* error = std::get_if<SgfError>(&game)) return problem_of(*error);
    return std::get<SgfGame>(std::move(game));
  }
  return Problem{"there are " + std::to_string(games) + " games of Go in it, and no number " +
                 std::to_string(number)};
}

rules::NamedRules rules_for(const RecordOptions& options, const SgfGame& game) {
  if (options.rules) return *options.rules;
  const auto preset = rules::preset_of_rules(game.rules);
  return std::get<rules::NamedRules>(rules::parse_rules(preset.value_or("chinese")));
}

/// A record replayed by the rules that count.
struct Replayed {
  SgfGame game;
  rules::NamedRules rules;
  SgfReplay replay;
};

std::variant<Replayed, Problem> replay_chosen(std::string_view sgf, const RecordOptions& options) {
  auto game = chosen_game(sgf, options.game);
  if (auto* problem = std::get_if<Problem>(&game)) return std::move(*problem);
  SgfGame& found = std::get<SgfGame>(game);
  const rules::NamedRules rules = rules_for(options, found);
  const auto& only_size = rules.base->only_size;
  if (only_size && *only_size != found.size) {
    return Problem{"the rules " + std::string(rules.base->name) + " are not for its board size",
                   ExitCode::Usage};
  }
  auto replay = rules::replay(found, rules.rules, options.strictness);
  if (const auto* error = std::get_if<SgfError>(&replay)) return problem_of(*error);
  return Replayed{std::move(found), rules, std::get<SgfReplay>(std::move(replay))};
}

std::string_view color_word(Color color) { return color == Color::Black ? "Black" : "White"; }
std::string color_letter(Color color) { return color == Color::Black ? "B" : "W"; }

std::string refused_line(const rules::RefusedMove& move) {
  return "move " + std::to_string(move.number) + ", " + color_letter(move.color) + " " + move.at +
         ", is refused: " + std::string(name_of(move.reason)) +
         (move.is_played ? " (played nevertheless)" : "");
}

bool is_refused(const RecordOptions& options, const SgfReplay& replay) {
  return options.strictness == rules::Strictness::Strict && !replay.refused.empty();
}

/// What of the file was not understood, and every refused move: lines for standard error.
std::string remarks_on(const RecordOptions& options, const Replayed& replayed) {
  const SgfReplay& replay = replayed.replay;
  const std::string& rules = replayed.game.rules;
  std::string text;
  if (!options.rules && !rules.empty() && !rules::preset_of_rules(rules)) {
    text += "tengen: " + options.file + ": the rules '" + printable(rules) +
            "' are not known; chinese are used\n";
  }
  for (const rules::RefusedMove& move : replay.refused) {
    text += "tengen: " + options.file + ": line " + std::to_string(move.place.line) + ": " +
            refused_line(move) + "\n";
  }
  return text;
}

std::vector<std::string> rows_of(const rules::Board& board) {
  std::vector<std::string> rows(1);
  for (const char c : board.to_text()) {
    if (c == '\n') {
      rows.emplace_back();
    } else {
      rows.back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

std::string replay_json(const Replayed& replayed) {
  const SgfReplay& replay = replayed.replay;
  const auto number = [](int value) { return std::to_string(value); };
  std::string json = "{\"moves\":" + number(replay.moves) + ",\"passes\":" + number(replay.passes);
  json += ",\"lost\":{\"black\":" + number(replay.record.captured_by(Color::White));
  json += ",\"white\":" + number(replay.record.captured_by(Color::Black)) + "},\"rows\":[";
  bool is_first = true;
  for (const std::string& row : rows_of(replay.record.board())) {
    json += (is_first ? "" : ",") + json_string(row);
    is_first = false;
  }
  json += "],\"to_move\":" + json_string(color_letter(replay.to_move));
  const bool is_clean = replay.refused.empty();
  json += ",\"first_illegal\":" + (is_clean ? "null" : number(replay.refused.front().number));
  json +=
      ",\"reason\":" + (is_clean ? "null" : json_string(name_of(replay.refused.front().reason)));
  const std::string& result = replayed.game.result;
  return json + ",\"result\":" + (result.empty() ? "null" : json_string(result)) + "}\n";
}

std::optional<Point> last_point(const rules::Record& record) {
  return record.moves().empty() ? std::nullopt : record.moves().back().point;
}

std::string replay_text(const Replayed& replayed) {
  const SgfReplay& replay = replayed.replay;
  std::string text =
      std::to_string(replay.moves) + " moves, " + std::to_string(replay.passes) +
      " of them passes, by " + std::string(replayed.rules.base->name) + " rules" +
      (replayed.rules.is_preset() ? ""
                                  : " (" + rules::components_text(replayed.rules.rules) + ")") +
      "\n";
  text += board_text(replay.record.board(), last_point(replay.record), BoardStyle::Plain);
  text += "Stones lost: black " + std::to_string(replay.record.captured_by(Color::White)) +
          ", white " + std::to_string(replay.record.captured_by(Color::Black)) + ". ";
  text += std::string(color_word(replay.to_move)) + " is to move.\n";
  if (!replayed.game.result.empty()) text += "Result in the file: " + replayed.game.result + "\n";
  return text;
}

/// Points named on the command line; where one is not on the board, that.
std::variant<std::vector<Point>, Problem> points_named(const std::vector<std::string>& names,
                                                       rules::Size size) {
  std::vector<Point> points;
  for (const std::string& name : names) {
    const auto point = rules::parse_gtp_vertex(name, size);
    if (!point) return Problem{"'" + name + "' is no point of the board", ExitCode::Usage};
    points.push_back(*point);
  }
  return points;
}

struct Counted {
  int black_half = 0;
  int white_half = 0;
};

std::variant<rules::Marks, Problem> marks_of(const ScoreOptions& options,
                                             const rules::Board& board) {
  auto dead = points_named(options.dead, board.size());
  if (auto* problem = std::get_if<Problem>(&dead)) return std::move(*problem);
  auto seki = points_named(options.seki, board.size());
  if (auto* problem = std::get_if<Problem>(&seki)) return std::move(*problem);
  const auto chains = rules::whole_chains(board, std::get<std::vector<Point>>(dead));
  if (!chains) return Problem{"a point marked dead is empty", ExitCode::Usage};
  return rules::Marks{*chains, std::get<std::vector<Point>>(std::move(seki))};
}

Counted counted(const Replayed& replayed, const rules::Marks& marks, int komi_half) {
  const rules::Ruleset& rules = replayed.rules.rules;
  const rules::Points points = rules::count(replayed.replay.record, rules.scoring, marks);
  const int bonus = rules::bonus_points(rules.bonus, rules::handicap_stones(replayed.game));
  return {2 * points.black, 2 * (points.white + bonus) + komi_half};
}

}  // namespace

Printed replay_record(std::string_view sgf, const RecordOptions& options) {
  const auto found = replay_chosen(sgf, options);
  if (const auto* problem = std::get_if<Problem>(&found)) return failed(options, *problem);
  const Replayed& replayed = std::get<Replayed>(found);
  Printed printed;
  printed.out = options.output == Output::Json ? replay_json(replayed) : replay_text(replayed);
  printed.error = remarks_on(options, replayed);
  if (is_refused(options, replayed.replay)) printed.code = ExitCode::No;
  return printed;
}

Printed score_record(std::string_view sgf, const ScoreOptions& options) {
  const auto found = replay_chosen(sgf, options.record);
  if (const auto* problem = std::get_if<Problem>(&found)) return failed(options.record, *problem);
  const Replayed& replayed = std::get<Replayed>(found);
  Printed printed;
  printed.error = remarks_on(options.record, replayed);
  if (is_refused(options.record, replayed.replay)) {
    printed.code = ExitCode::No;
    return printed;
  }
  const auto marks = marks_of(options, replayed.replay.record.board());
  if (const auto* problem = std::get_if<Problem>(&marks)) return failed(options.record, *problem);
  if (!options.komi_half && !replayed.game.unread_komi.empty()) {
    printed.error += "tengen: " + options.record.file + ": the komi '" +
                     printable(replayed.game.unread_komi) +
                     "' cannot be read; that of the rules is used\n";
  }
  const int komi_half =
      options.komi_half.value_or(replayed.game.komi_half.value_or(replayed.rules.base->komi_half));
  const Counted score = counted(replayed, std::get<rules::Marks>(marks), komi_half);
  const int lead = score.black_half - score.white_half;
  if (options.record.output == Output::Json) {
    printed.out = "{\"black\":" + rules::komi_text(score.black_half) +
                  ",\"white\":" + rules::komi_text(score.white_half) +
                  ",\"margin\":" + rules::komi_text(lead) + "}\n";
  } else {
    printed.out = rules::score_text(lead) + "\n";
  }
  return printed;
}

}  // namespace tengen::cli
