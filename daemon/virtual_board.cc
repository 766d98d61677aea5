#include "daemon/virtual_board.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/board_text.h"
#include "rules/log.h"
#include "rules/score.h"

namespace tengen::daemon {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::GtpDone;
using protocol::GtpRefused;
using protocol::GtpResult;
using protocol::GtpText;

/// A command of GTP that a call of the document stands for.
struct Standard {
  std::string_view command;
  std::string_view method;
};
constexpr Standard kStandard[] = {
    {"protocol_version", "ProtocolVersion"},
    {"name", "Name"},
    {"version", "Version"},
    {"known_command", "KnownCommand"},
    {"list_commands", "ListCommands"},
    {"quit", "Quit"},
    {"boardsize", "BoardSize"},
    {"clear_board", "ClearBoard"},
    {"komi", "Komi"},
    {"play", "Play"},
    {"genmove", "GenMove"},
    {"undo", "Undo"},
};
// Raw commands that need no engine.
constexpr std::string_view kShowboard = "showboard";
constexpr std::string_view kFinalScore = "final_score";

/// Every command there is, each once: the standard ones, our own, then those of the profile.
std::vector<std::string> commands(const pool::Profile* profile) {
  std::vector<std::string> names;
  for (const Standard& each : kStandard) names.emplace_back(each.command);
  names.emplace_back(kShowboard);
  names.emplace_back(kFinalScore);
  if (profile == nullptr) return names;
  for (const std::string& name : profile->raw_commands) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

bool is_command(std::string_view name, const pool::Profile* profile) {
  const auto all = commands(profile);
  return std::find(all.begin(), all.end(), name) != all.end();
}

GtpResult refused(ErrorCode code, std::string reason, std::string text) {
  return Error{code, std::move(reason), std::move(text), 0, {}};
}

Error illegal_move(rules::Refusal refusal) {
  return {ErrorCode::IllegalMove, std::string(name_of(refusal)), "illegal move", 0, {}};
}

Error too_many_moves() { return {ErrorCode::LimitReached, "moves_max", "too many moves", 0, {}}; }

}  // namespace

VirtualBoard::VirtualBoard(const VirtualEngineSpec& spec, std::size_t moves_max)
    : profile_(spec.profile),
      settings_(spec.settings),
      rules_(spec.rules),
      moves_max_(moves_max),
      komi_half_(spec.start.komi_half) {
  clear(spec.start.size);
}

std::variant<VirtualBoard, Error> VirtualBoard::make(const VirtualEngineSpec& spec,
                                                     std::size_t moves_max) {
  VirtualBoard board(spec, moves_max);
  for (const protocol::GtpPlay& move : spec.start.moves) {
    if (board.is_full()) return too_many_moves();
    const rules::Refusal refusal = board.play(move);
    if (refusal != rules::Refusal::None) return illegal_move(refusal);
  }
  return board;
}

Outcome VirtualBoard::carry_out(const protocol::GtpCallBody& call, const EngineFacts& facts) {
  return std::visit([&](const auto& body) { return begin(body, facts); }, call);
}

Outcome VirtualBoard::begin(const protocol::GtpProtocolVersion&, const EngineFacts&) {
  return GtpResult(protocol::GtpProtocol{});
}

// Until an engine has started only the profile is known.
Outcome VirtualBoard::begin(const protocol::GtpName&, const EngineFacts& facts) {
  return GtpResult(GtpText{facts.name.empty() ? profile_ : facts.name});
}

Outcome VirtualBoard::begin(const protocol::GtpVersion&, const EngineFacts& facts) {
  return GtpResult(GtpText{facts.version});
}

Outcome VirtualBoard::begin(const protocol::GtpKnownCommand& call, const EngineFacts& facts) {
  return GtpResult(protocol::GtpKnown{is_command(call.command, facts.profile)});
}

Outcome VirtualBoard::begin(const protocol::GtpListCommands&, const EngineFacts& facts) {
  return GtpResult(protocol::GtpCommands{commands(facts.profile)});
}

Outcome VirtualBoard::begin(const protocol::GtpQuit&, const EngineFacts&) {
  return GtpResult(GtpDone{});
}

Outcome VirtualBoard::begin(const protocol::GtpBoardSize& call, const EngineFacts& facts) {
  if (facts.profile == nullptr || facts.profile->problem(call.size, settings_)) {
    return refused(ErrorCode::InvalidArgument, "size", "unacceptable size");
  }
  clear(call.size);
  return GtpResult(GtpDone{});
}

Outcome VirtualBoard::begin(const protocol::GtpClearBoard&, const EngineFacts&) {
  clear(record_->size());
  return GtpResult(GtpDone{});
}

Outcome VirtualBoard::begin(const protocol::GtpKomi& call, const EngineFacts&) {
  komi_half_ = call.komi_half;
  return GtpResult(GtpDone{});
}

Outcome VirtualBoard::begin(const protocol::GtpPlay& call, const EngineFacts&) {
  if (is_full()) return GtpResult(too_many_moves());
  const rules::Refusal refusal = play(call);
  if (refusal != rules::Refusal::None) return GtpResult(illegal_move(refusal));
  return GtpResult(GtpDone{});
}

Outcome VirtualBoard::begin(const protocol::GtpGenMove& call, const EngineFacts&) {
  if (is_full()) return GtpResult(too_many_moves());
  return EngineWork{pool::Want::Genmove, call.color, {}};
}

Outcome VirtualBoard::begin(const protocol::GtpUndo&, const EngineFacts&) {
  if (record_->moves().empty() || !own_record().undo()) {
    return refused(ErrorCode::InvalidArgument, "undo", "cannot undo");
  }
  return GtpResult(GtpDone{});
}

// The drawn board begins on a line of its own, as in the document's transcript.
Outcome VirtualBoard::begin(const protocol::GtpRaw& call, const EngineFacts& facts) {
  const std::string_view name = call.name();
  if (name == kShowboard || name == kFinalScore) {
    if (name != call.line) return GtpResult(GtpRefused{"syntax error"});
    if (name == kShowboard) return GtpResult(GtpText{'\n' + rules::board_text(*record_)});
    return GtpResult(GtpText{rules::score_text(black_lead_half())});
  }
  for (const Standard& each : kStandard) {
    if (name == each.command) {
      return GtpResult(GtpRefused{"not a raw command: call " + std::string(each.method)});
    }
  }
  if (!is_command(name, facts.profile)) return GtpResult(GtpRefused{"unknown command"});
  return EngineWork{pool::Want::Raw, rules::Color::Black, call.line};
}

rules::Refusal VirtualBoard::take(rules::Color color, const pool::EngineMove& move) {
  switch (move.kind) {
    case pool::EngineMove::Kind::Play:
      return own_record().play(rules::Move::play(color, move.point));
    case pool::EngineMove::Kind::Pass:
      return own_record().play(rules::Move::pass(color));
    case pool::EngineMove::Kind::Resign:
      break;
  }
  return rules::Refusal::None;
}

rules::Refusal VirtualBoard::play(const protocol::GtpPlay& move) {
  if (!move.vertex) return own_record().play(rules::Move::pass(move.color));
  const auto point = rules::parse_gtp_vertex(*move.vertex, record_->size());
  if (!point) return rules::Refusal::OffBoard;
  return own_record().play(rules::Move::play(move.color, *point));
}

void VirtualBoard::clear(rules::Size size) {
  record_ = std::make_shared<rules::Record>(size, rules_.ko, rules_.suicide);
}

rules::Record& VirtualBoard::own_record() {
  if (record_.use_count() > 1) record_ = std::make_shared<rules::Record>(*record_);
  return *record_;
}

// As the board stands: nobody has agreed on what is dead.
int VirtualBoard::black_lead_half() const {
  const rules::Points points = rules::count(*record_, rules_.scoring, {});
  return 2 * (points.black - points.white) - komi_half_;
}

}  // namespace tengen::daemon
