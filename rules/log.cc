#include "rules/log.h"

#include <algorithm>
#include <cstdlib>

namespace tengen::rules {
namespace {

struct NameOf {
  std::string_view operator()(const Played&) const { return "play"; }
  std::string_view operator()(const Passed&) const { return "pass"; }
  std::string_view operator()(const Resigned&) const { return "resign"; }
  std::string_view operator()(const DeadListed&) const { return "dead"; }
  std::string_view operator()(const Forfeited&) const { return "forfeit"; }
  std::string_view operator()(const TimedOut&) const { return "timeout"; }
  std::string_view operator()(const SeatChanged&) const { return "seat"; }
  std::string_view operator()(const Captured&) const { return "captured"; }
  std::string_view operator()(const Stopped&) const { return "stopped"; }
  std::string_view operator()(const Scored&) const { return "scored"; }
  std::string_view operator()(const Finished&) const { return "finished"; }
  std::string_view operator()(const Undone&) const { return "undo"; }
  std::string_view operator()(const Marked&) const { return "mark"; }
  std::string_view operator()(const SekiMarked&) const { return "mark-seki"; }
  std::string_view operator()(const MarkingDone&) const { return "done"; }
  std::string_view operator()(const MarkingAccepted&) const { return "accept"; }
  std::string_view operator()(const MarkingDisputed&) const { return "dispute"; }
  std::string_view operator()(const HandicapPlaced&) const { return "handicap"; }
  std::string_view operator()(const Abandoned&) const { return "abandon"; }
  std::string_view operator()(const Annulled&) const { return "annul"; }
  std::string_view operator()(const NoResultAgreed&) const { return "no-result"; }
  std::string_view operator()(const Paused&) const { return "pause"; }
  std::string_view operator()(const Unpaused&) const { return "unpause"; }
  std::string_view operator()(const Continued&) const { return "continued"; }
  std::string_view operator()(const Asked&) const { return "ask"; }
  std::string_view operator()(const Declined&) const { return "decline"; }
};

}  // namespace

std::string_view name_of(const EventBody& body) { return std::visit(NameOf{}, body); }

bool is_derived(const EventBody& body) {
  return std::holds_alternative<Captured>(body) || std::holds_alternative<Stopped>(body) ||
         std::holds_alternative<Continued>(body) || std::holds_alternative<Scored>(body) ||
         std::holds_alternative<Finished>(body);
}

int handicap_stones(const Header& header) {
  const auto is_black = [](const Stone& stone) { return stone.color == Color::Black; };
  if (header.first != Color::White || header.setup.size() < 2) return 0;
  if (!std::all_of(header.setup.begin(), header.setup.end(), is_black)) return 0;
  return static_cast<int>(header.setup.size());
}

std::string_view name_of(ResultKind kind) {
  switch (kind) {
    case ResultKind::Score:
      return "score";
    case ResultKind::Resign:
      return "resign";
    case ResultKind::Forfeit:
      return "forfeit";
    case ResultKind::Timeout:
      return "timeout";
    case ResultKind::Abandon:
      return "abandon";
    case ResultKind::NoResult:
      return "no-result";
    case ResultKind::Annulled:
      return "annulled";
  }
  return "unknown";
}

std::string result_text(const Result& result) {
  if (result.kind == ResultKind::NoResult || result.kind == ResultKind::Annulled) return "Void";
  if (!result.winner) return "0";
  const std::string side = *result.winner == Color::Black ? "B+" : "W+";
  switch (result.kind) {
    case ResultKind::Resign:
      return side + "R";
    case ResultKind::Forfeit:
    case ResultKind::Abandon:
      return side + "F";
    case ResultKind::Timeout:
      return side + "T";
    case ResultKind::Score:
    case ResultKind::NoResult:
    case ResultKind::Annulled:
      break;
  }
  return side + komi_text(result.margin_half);
}

std::string score_text(int black_lead_half) {
  if (black_lead_half == 0) return "0";
  return (black_lead_half > 0 ? "B+" : "W+") + komi_text(std::abs(black_lead_half));
}

}  // namespace tengen::rules
