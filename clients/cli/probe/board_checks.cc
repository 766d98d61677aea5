// The checks of boards, komi and single plays: what the engine takes, and what it refuses. An
// engine is no referee, so most of these are only told.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clients/cli/probe/checks.h"
#include "pool/board_check.h"
#include "rules/point.h"
#include "rules/record.h"

namespace tengen::cli {
namespace {

constexpr int kPatternSizeMin = 5;  // the positions below reach E4

/// The sizes as ranges: "2-19, 21".
std::string ranges_text(const std::set<int>& sizes) {
  std::string text;
  for (auto at = sizes.begin(); at != sizes.end();) {
    const int first = *at;
    int last = first;
    for (++at; at != sizes.end() && *at == last + 1; ++at) last = *at;
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (last > first) text += "-" + std::to_string(last);
  }
  return text.empty() ? "none" : text;
}

bool takes_far_corner(ProbeSession& session, int size) {
  return session.accepts("play b " +
                         rules::gtp_vertex(rules::Point::at(size - 1, 0), square(size)));
}

/// Whether a board of that size can be set and has its far corner; then it is noted.
bool try_size(ProbeSession& session, Findings& findings, int size, std::set<int>& accepted) {
  if (!session.accepts("boardsize " + std::to_string(size))) return false;
  accepted.insert(size);
  if (!session.accepts("clear_board") || !takes_far_corner(session, size)) return false;
  findings.sizes.insert(size);
  return true;
}

Result sizes_result(const Findings& findings, const std::set<int>& accepted) {
  const bool are_all_good =
      std::includes(findings.sizes.begin(), findings.sizes.end(), accepted.begin(), accepted.end());
  return yes_or_no(
      !findings.sizes.empty(),
      ranges_text(findings.sizes) +
          (are_all_good ? ""
                        : "; set, but without a far corner, others of " + ranges_text(accepted)));
}

/// Apart from the others, so that these are known when an engine dies of one of those.
constexpr std::array<int, 4> kUsualSizes{9, 13, 19, 7};

Result usual_sizes(ProbeSession& session, Findings& findings) {
  std::set<int> accepted;
  for (const int size : kUsualSizes) {
    const bool is_good = try_size(session, findings, size, accepted);
    if (is_good && findings.size == 0) findings.size = size;
  }
  return sizes_result(findings, accepted);
}

/// Size 1 has a check of its own, since some engines die of it.
Result all_sizes(ProbeSession& session, Findings& findings) {
  std::set<int> accepted;
  for (int size = 2; size <= rules::kMaxSize; ++size) {
    if (std::find(kUsualSizes.begin(), kUsualSizes.end(), size) == kUsualSizes.end()) {
      try_size(session, findings, size, accepted);
    }
  }
  if (findings.size == 0 && !findings.sizes.empty()) {
    const auto large_enough = findings.sizes.lower_bound(kPatternSizeMin);
    findings.size = large_enough != findings.sizes.end() ? *large_enough : *findings.sizes.rbegin();
  }
  return sizes_result(findings, accepted);
}

Result size_one(ProbeSession& session, Findings& findings) {
  if (!clear(session, 1)) return {Verdict::No, ""};
  if (!session.accepts("play b pass")) return {Verdict::No, "a pass is refused there"};
  findings.sizes.insert(1);
  return {Verdict::Yes, ""};
}

Result rectangles(ProbeSession& session, Findings& findings) {
  if (!is_known(session, findings, "rectangular_boardsize")) {
    return not_known("rectangular_boardsize");
  }
  const bool is_wide =
      session.accepts_all({"rectangular_boardsize 9 7", "clear_board", "play b J7"});
  const bool is_tall =
      session.accepts_all({"rectangular_boardsize 7 9", "clear_board", "play b G9"});
  findings.has_rectangles = is_wide && is_tall;
  return yes_or_no(findings.has_rectangles, "rectangular_boardsize");
}

/// Which board it is then is asked through the handicap points: no vertex off the board is sent.
Result two_sizes(ProbeSession& session, Findings& findings) {
  if (!session.accepts_all({"boardsize 9 7", "clear_board"})) return {Verdict::Told, "refused"};
  if (!is_known(session, findings, "fixed_handicap")) return {Verdict::Told, "accepted"};
  const pool::Answer answer = session.ask("fixed_handicap 2");
  const bool is_square = answer.is_success && answer.text.find('7') != std::string::npos;
  return {Verdict::Told, is_square ? "silently a board of 9x9" : "accepted"};
}

Result komi(ProbeSession& session, Findings& findings) {
  if (findings.size == 0) return {Verdict::No, "no board size works"};
  if (!clear(session, findings.size)) return {Verdict::No, "komi 7.5 is refused"};
  std::string refused;
  for (const char* value : {"0", "0.5", "-3.5", "6.25", "100"}) {
    if (!session.accepts("komi " + std::string(value))) {
      refused += (refused.empty() ? "refuses " : ", ") + std::string(value);
    }
  }
  return {Verdict::Yes, refused.empty() ? "fractions and negative ones too" : refused};
}

Result plays(ProbeSession& session, Findings& findings) {
  return yes_or_no(play_all(session, findings, {"b B2", "w A1", "b pass", "w B1"}));
}

/// Whether the last play is refused after the others were accepted.
Result refuses_last(ProbeSession& session, const Findings& findings,
                    std::vector<std::string> plays) {
  if (findings.size < kPatternSizeMin) return {Verdict::Skipped, "the board is too small"};
  const std::string last = std::move(plays.back());
  plays.pop_back();
  if (!play_all(session, findings, plays)) return {Verdict::Told, "the position is refused"};
  const pool::Answer answer = session.ask("play " + last);
  return yes_or_no(!answer.is_success, pool::printable(answer.text, 60));
}

Result occupied(ProbeSession& session, Findings& findings) {
  return refuses_last(session, findings, {"b C3", "w C3"});
}
Result suicide_of_one(ProbeSession& session, Findings& findings) {
  const Result result = refuses_last(session, findings, {"w A2", "b D4", "w B1", "b A1"});
  if (result.verdict == Verdict::Yes) findings.suicide = rules::SuicideRule::Multi;
  return result;
}
Result suicide_of_two(ProbeSession& session, Findings& findings) {
  const Result result =
      refuses_last(session, findings, {"b A1", "w B1", "b D4", "w B2", "b E4", "w A3", "b A2"});
  if (result.verdict == Verdict::Yes) findings.suicide = rules::SuicideRule::No;
  return result;
}

/// White's C2 takes D2; Black at D2 would take it back.
std::vector<std::string> ko() {
  return {"b C3", "w D3", "b B2", "w E2", "b C1", "w D1", "b D2", "w C2"};
}
Result ko_retake(ProbeSession& session, Findings& findings) {
  auto plays = ko();
  plays.emplace_back("b D2");
  return refuses_last(session, findings, std::move(plays));
}
/// After the passes the ko ban is over by every rule but superko.
Result superko(ProbeSession& session, Findings& findings) {
  auto plays = ko();
  for (const char* play : {"b pass", "w pass", "b D2"}) plays.emplace_back(play);
  const Result result = refuses_last(session, findings, std::move(plays));
  // White may fill the point if it is empty, as it is when the ko was taken.
  findings.refuses_superko = result.verdict == Verdict::Yes && session.accepts("play w D2");
  return result;
}

Result two_of_a_color(ProbeSession& session, Findings& findings) {
  return yes_or_no(play_all(session, findings, {"b B2", "b A1"}));
}
Result white_first(ProbeSession& session, Findings& findings) {
  return yes_or_no(play_all(session, findings, {"w B2"}));
}
Result after_two_passes(ProbeSession& session, Findings& findings) {
  return yes_or_no(play_all(session, findings, {"b pass", "w pass", "b B2"}));
}

/// The point can be taken anew only if its stone is gone.
Result undo(ProbeSession& session, Findings& findings) {
  if (!is_known(session, findings, "undo")) return not_known("undo");
  if (!play_all(session, findings, {"b B2", "w A1"})) return {Verdict::Told, "no position"};
  findings.has_undo = session.accepts_all({"undo", "play w A1"});
  return yes_or_no(findings.has_undo);
}
Result undo_pass(ProbeSession& session, Findings& findings) {
  if (!is_known(session, findings, "undo")) return not_known("undo");
  if (!play_all(session, findings, {"b B2", "w pass"})) return {Verdict::Told, "no position"};
  const bool is_back = session.accepts_all({"undo", "undo", "play b B2"});
  findings.has_undo = findings.has_undo && is_back;
  return yes_or_no(is_back);
}
Result undo_at_start(ProbeSession& session, Findings& findings) {
  if (!is_known(session, findings, "undo")) return not_known("undo");
  if (!clear(session, findings.size)) return {Verdict::Told, "no position"};
  const pool::Answer answer = session.ask("undo");
  return yes_or_no(!answer.is_success, pool::printable(answer.text, 60));
}

/// Whether it shows three stones that no turning or mirroring of the board leaves in place.
bool is_shown(ProbeSession& session, const Findings& findings, pool::VerifyBy way) {
  rules::Record record(square(findings.size), rules::KoRule::Simple, rules::SuicideRule::No);
  std::vector<std::string> plays;
  for (const char* vertex : {"A1", "B1", "B2"}) {
    const auto color = plays.size() == 1 ? rules::Color::White : rules::Color::Black;
    const auto point = rules::parse_gtp_vertex(vertex, record.size());
    if (!point || record.play(rules::Move::play(color, *point)) != rules::Refusal::None) {
      return false;
    }
    plays.push_back((color == rules::Color::Black ? "b " : "w ") + std::string(vertex));
  }
  if (!play_all(session, findings, plays)) return false;
  std::vector<std::string> answers;
  for (const std::string& command : pool::verify_commands(way)) {
    const pool::Answer answer = session.ask(command);
    if (!answer.is_success) return false;
    answers.push_back(answer.text);
  }
  return pool::check_board(way, answers, record.board()) == pool::BoardCheck::Same;
}

Result shows_board(ProbeSession& session, Findings& findings) {
  if (findings.size < 2) return {Verdict::Skipped, "the board is too small"};
  for (const pool::VerifyBy way : {pool::VerifyBy::ListStones, pool::VerifyBy::Showboard}) {
    const std::string command(name_of(way));
    if (!is_known(session, findings, command) || !is_shown(session, findings, way)) continue;
    findings.verify = way;
    return {Verdict::Yes, command};
  }
  return {Verdict::No, ""};
}

Result handicap(ProbeSession& session, const Findings& findings, const std::string& command,
                const std::string& arguments) {
  if (!is_known(session, findings, command)) return not_known(command);
  if (!clear(session, findings.size)) return {Verdict::Told, "no empty board"};
  const pool::Answer answer = session.ask(command + arguments);
  return yes_or_no(answer.is_success, pool::printable(answer.text, 60));
}
Result fixed_handicap(ProbeSession& session, Findings& findings) {
  return handicap(session, findings, "fixed_handicap", " 2");
}
Result place_free_handicap(ProbeSession& session, Findings& findings) {
  return handicap(session, findings, "place_free_handicap", " 2");
}
Result set_free_handicap(ProbeSession& session, Findings& findings) {
  return handicap(session, findings, "set_free_handicap", " B2 A1");
}

/// After a refused list the point named first must be free.
Result atomic_handicap(ProbeSession& session, Findings& findings) {
  const Result given = handicap(session, findings, "set_free_handicap", " B2 A1 A1");
  if (given.verdict == Verdict::Skipped) return given;
  if (given.verdict == Verdict::Yes) return {Verdict::No, "a point given twice is accepted"};
  return yes_or_no(session.accepts("play w B2"));
}

}  // namespace

std::vector<Check> board_checks() {
  return {
      {"usual board sizes", Need::May, usual_sizes},
      {"all board sizes", Need::May, all_sizes},
      {"komi", Need::Must, komi},
      {"play", Need::Must, plays},
      {"rectangles", Need::May, rectangles},
      {"boardsize with two numbers", Need::May, two_sizes},
  };
}

std::vector<Check> play_checks() {
  return {
      {"refuses an occupied point", Need::May, occupied},
      {"refuses suicide of one stone", Need::May, suicide_of_one},
      {"refuses suicide of two stones", Need::May, suicide_of_two},
      {"refuses to retake a ko at once", Need::May, ko_retake},
      {"refuses a superko repetition", Need::May, superko},
      {"takes two moves of one color", Need::May, two_of_a_color},
      {"takes a first move by White", Need::May, white_first},
      {"takes moves after two passes", Need::May, after_two_passes},
      {"undo", Need::May, undo},
      {"undo takes back a pass", Need::May, undo_pass},
      {"refuses undo at the start", Need::May, undo_at_start},
      {"shows its board", Need::May, shows_board},
      {"fixed_handicap", Need::May, fixed_handicap},
      {"place_free_handicap", Need::May, place_free_handicap},
      {"set_free_handicap", Need::May, set_free_handicap},
      {"set_free_handicap is all or nothing", Need::May, atomic_handicap},
      {"board of size 1", Need::May, size_one},
  };
}

rules::Size square(int size) {
  const auto side = static_cast<std::uint8_t>(size);
  return {side, side};
}

bool clear(ProbeSession& session, int size) {
  return session.accepts_all({"boardsize " + std::to_string(size), "clear_board", "komi 7.5"});
}

bool play_all(ProbeSession& session, const Findings& findings,
              const std::vector<std::string>& plays) {
  if (!clear(session, findings.size)) return false;
  return std::all_of(plays.begin(), plays.end(),
                     [&](const std::string& play) { return session.accepts("play " + play); });
}

}  // namespace tengen::cli
