#include "protocol/messages.h"

namespace tengen::protocol {

std::string_view name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::BadFrame:
      return "BAD_FRAME";
    case ErrorCode::HelloRequired:
      return "HELLO_REQUIRED";
    case ErrorCode::UnsupportedVersion:
      return "UNSUPPORTED_VERSION";
    case ErrorCode::InvalidArgument:
      return "INVALID_ARGUMENT";
    case ErrorCode::UnknownGame:
      return "UNKNOWN_GAME";
    case ErrorCode::BadTicket:
      return "BAD_TICKET";
    case ErrorCode::NotYourSeat:
      return "NOT_YOUR_SEAT";
    case ErrorCode::InvalidVertex:
      return "INVALID_VERTEX";
    case ErrorCode::IllegalMove:
      return "ILLEGAL_MOVE";
    case ErrorCode::NotYourTurn:
      return "NOT_YOUR_TURN";
    case ErrorCode::GameOver:
      return "GAME_OVER";
    case ErrorCode::WrongPhase:
      return "WRONG_PHASE";
    case ErrorCode::Stale:
      return "STALE";
    case ErrorCode::RequestIdConflict:
      return "REQUEST_ID_CONFLICT";
    case ErrorCode::UnknownProfile:
      return "UNKNOWN_PROFILE";
    case ErrorCode::EngineCannotPlay:
      return "ENGINE_CANNOT_PLAY";
    case ErrorCode::UnsupportedRules:
      return "UNSUPPORTED_RULES";
    case ErrorCode::LimitReached:
      return "LIMIT_REACHED";
    case ErrorCode::Unavailable:
      return "UNAVAILABLE";
    case ErrorCode::Internal:
      return "INTERNAL";
    case ErrorCode::Unauthenticated:
      return "UNAUTHENTICATED";
    case ErrorCode::Forbidden:
      return "FORBIDDEN";
    case ErrorCode::UnknownEngine:
      return "UNKNOWN_ENGINE";
  }
  return "INTERNAL";
}

bool is_retryable(ErrorCode code) {
  return code == ErrorCode::LimitReached || code == ErrorCode::Unavailable;
}

// Written as game ids are.
std::string to_text(VirtualEngineId id) { return rules::to_text(rules::GameId{id.high, id.low}); }

std::optional<VirtualEngineId> parse_virtual_engine_id(std::string_view text) {
  const auto read = rules::parse_game_id(text);
  if (!read) return std::nullopt;
  return VirtualEngineId{read->high, read->low};
}

char letter_of(rules::Cell cell) {
  if (cell == rules::Cell::Black) return 'X';
  return cell == rules::Cell::White ? 'O' : '.';
}

namespace {

std::vector<std::string> rows_of(const rules::Board& board) {
  std::vector<std::string> rows(board.size().height);
  for (int row = 0; row < board.size().height; ++row) {
    for (int col = 0; col < board.size().width; ++col) {
      rows[static_cast<std::size_t>(row)] += letter_of(board.at(rules::Point::at(col, row)));
    }
  }
  return rows;
}

std::optional<Clocks> clocks_of(const rules::Game& game, std::chrono::nanoseconds elapsed) {
  if (game.header().clock.system == rules::ClockSystem::None) return std::nullopt;
  const auto running = game.is_paused() ? std::nullopt : game.turn();
  return Clocks{game.clocks(), running, running ? elapsed : std::chrono::nanoseconds{}};
}

std::optional<Marking> marking_of(const rules::Game& game) {
  const auto proposer = game.proposer();
  if (!proposer) return std::nullopt;
  return Marking{*proposer, game.is_proposed(), game.marked_dead(), game.marked_seki()};
}

}  // namespace

Snapshot snapshot_of(const rules::Game& game, std::chrono::nanoseconds elapsed) {
  const rules::Record& record = game.record();
  return {.game = game.header().id,
          .seq = game.seq(),
          .position_seq = game.position_seq(),
          .header = game.header(),
          .phase = game.phase(),
          .turn = game.turn(),
          .rows = rows_of(record.board()),
          .moves = record.moves(),
          .captured = {record.captured_by(rules::Color::Black),
                       record.captured_by(rules::Color::White)},
          .ko_ban = record.ko_ban(),
          .score = game.score(),
          .result = game.result(),
          .seats = game.seats(),
          .clocks = clocks_of(game, elapsed),
          .waiting = std::nullopt,
          .marking = marking_of(game),
          .dead_lists = game.dead_lists(),
          .disputes = game.disputes(),
          .paused = game.pause_reason(),
          .asked = game.asked(),
          .asked_seq = game.asked() ? game.asked_seq() : 0};
}

}  // namespace tengen::protocol
