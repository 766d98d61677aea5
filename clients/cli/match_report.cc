// Counts and prints a match.
#include "clients/cli/match_report.h"

#include <algorithm>

#include "clients/cli/json_text.h"
#include "clients/cli/table.h"
#include "clients/cli/wording.h"

namespace tengen::cli {

namespace {

using rules::Color;

int player_of(const GameOutcome& outcome, Color color) {
  return color == Color::Black ? outcome.black_player : 1 - outcome.black_player;
}

struct Wins {
  int black = 0;
  int white = 0;
  int all() const { return black + white; }
};

struct Tally {
  std::array<Wins, 2> wins;  // by player
  int drawn = 0;
};

Tally tally_of(const std::vector<GameOutcome>& outcomes) {
  Tally tally;
  for (const GameOutcome& outcome : outcomes) {
    if (!outcome.result.winner) {
      ++tally.drawn;
      continue;
    }
    const Color winner = *outcome.result.winner;
    Wins& wins = tally.wins[static_cast<std::size_t>(player_of(outcome, winner))];
    ++(winner == Color::Black ? wins.black : wins.white);
  }
  return tally;
}

/// With one decimal, rounded half up; "0.0" for no games.
std::string average_moves(const std::vector<GameOutcome>& outcomes) {
  if (outcomes.empty()) return "0.0";
  std::size_t sum = 0;
  for (const GameOutcome& outcome : outcomes) sum += outcome.moves;
  const std::size_t tenths = (sum * 20 + outcomes.size()) / (2 * outcomes.size());
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string game_json(const GameOutcome& outcome) {
  const auto& winner = outcome.result.winner;
  std::string remarks;
  for (const std::string& remark : outcome.remarks) {
    remarks += (remarks.empty() ? "" : ",") + json_string(remark);
  }
  return "{\"number\":" + std::to_string(outcome.number) +
         ",\"id\":" + json_string(to_text(outcome.id)) +
         ",\"black_player\":" + std::to_string(outcome.black_player + 1) +
         ",\"result\":" + json_string(result_text(outcome.result)) + ",\"winner_player\":" +
         (winner ? std::to_string(player_of(outcome, *winner) + 1) : std::string("null")) +
         ",\"moves\":" + std::to_string(outcome.moves) +
         ",\"ended_by\":" + json_string(outcome.ended_by) + ",\"remarks\":[" + remarks + "]}";
}

std::string_view ended_by(const rules::Game& game) {
  const rules::ResultKind kind = game.result()->kind;
  if (kind != rules::ResultKind::Score) return name_of(kind);
  const auto& events = game.events();
  const bool by_limit = std::any_of(events.begin(), events.end(), [](const rules::Event& event) {
    const auto* stopped = std::get_if<rules::Stopped>(&event.body);
    return stopped != nullptr && stopped->reason == rules::StopReason::MoveLimit;
  });
  return by_limit ? "move_limit" : "score";
}

/// Whoever plays by other rules, and seats that were taken over.
std::vector<std::string> remarks_on(const rules::Game& game) {
  std::vector<std::string> remarks;
  for (const Color color : {Color::Black, Color::White}) {
    if (game.header().seat(color).other_rules) {
      remarks.push_back(std::string(color_word(color)) + " plays by other rules");
    }
  }
  for (const rules::Event& event : game.events()) {
    const auto* changed = std::get_if<rules::SeatChanged>(&event.body);
    if (changed == nullptr) continue;
    const rules::Seat& seat = *changed->seat;
    remarks.push_back(std::string(color_word(changed->color)) + " is played by " +
                      printable(seat.profile) + (seat.other_rules ? " by other rules" : "") +
                      " from event " + std::to_string(event.seq) + ": " +
                      printable(changed->reason));
  }
  return remarks;
}

}  // namespace

GameOutcome outcome_of(int number, int black_player, const rules::Game& game) {
  return {
      number,         game.header().id, black_player, *game.result(), game.record().moves().size(),
      ended_by(game), remarks_on(game)};
}

std::string outcome_line(const GameOutcome& outcome, const Players& players) {
  const auto name = [&](Color color) {
    return players[static_cast<std::size_t>(player_of(outcome, color))];
  };
  std::string line = "game " + std::to_string(outcome.number) + "  " + to_text(outcome.id) + "  " +
                     name(Color::Black) + " - " + name(Color::White) + "  " +
                     result_text(outcome.result) + "  " + std::to_string(outcome.moves) +
                     " moves  " + std::string(outcome.ended_by);
  for (const std::string& remark : outcome.remarks) line += "; " + remark;
  return line + "\n";
}

std::string summary_text(const std::vector<GameOutcome>& outcomes, const Players& players) {
  const Tally tally = tally_of(outcomes);
  std::vector<Row> rows{{"", "wins", "as black", "as white"}};
  for (std::size_t i = 0; i < players.size(); ++i) {
    const Wins& wins = tally.wins[i];
    rows.push_back({std::to_string(i + 1) + " " + players[i], std::to_string(wins.all()),
                    std::to_string(wins.black), std::to_string(wins.white)});
  }
  rows.push_back({"drawn", std::to_string(tally.drawn)});
  return table_text({Align::Left, Align::Right, Align::Right, Align::Right}, rows) +
         std::to_string(outcomes.size()) + " games, " + average_moves(outcomes) +
         " moves on average\n";
}

std::string summary_json(const std::vector<GameOutcome>& outcomes, const Players& players,
                         const GameTerms& terms) {
  const Tally tally = tally_of(outcomes);
  std::vector<GameOutcome> sorted = outcomes;
  std::sort(sorted.begin(), sorted.end(),
            [](const GameOutcome& a, const GameOutcome& b) { return a.number < b.number; });
  std::string games;
  for (const GameOutcome& outcome : sorted)
    games += (games.empty() ? "" : ",") + game_json(outcome);
  std::string sides;
  for (std::size_t i = 0; i < players.size(); ++i) {
    const Wins& wins = tally.wins[i];
    sides += (sides.empty() ? "" : ",") + ("{\"engine\":" + json_string(players[i])) +
             ",\"wins\":" + std::to_string(wins.all()) +
             ",\"wins_as_black\":" + std::to_string(wins.black) +
             ",\"wins_as_white\":" + std::to_string(wins.white) + "}";
  }
  return "{\"size\":" + json_string(size_text(terms.size)) +
         ",\"rules\":" + json_string(terms.rules_text) +
         ",\"komi\":" + rules::komi_text(terms.komi_half) +
         ",\"time\":" + json_string(time_control_text(terms.time)) + ",\"players\":[" + sides +
         "],\"drawn\":" + std::to_string(tally.drawn) +
         ",\"average_moves\":" + average_moves(outcomes) + ",\"games\":[" + games + "]}\n";
}

}  // namespace tengen::cli
