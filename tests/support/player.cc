#include "tests/support/player.h"

#include <algorithm>

namespace tengen::tests {

using rules::Color;

namespace {

[[noreturn]] void give_up(const std::string& text) { throw std::runtime_error(text); }

bool is_own_eye(const rules::Board& board, Color color, rules::Point point) {
  const auto near = point.neighbours();
  return std::all_of(near.begin(), near.end(), [&](rules::Point each) {
    const auto cell = board.at(each);
    return cell == rules::cell_of(color) || cell == rules::Cell::Border;
  });
}

}  // namespace

Player::Player(std::uint16_t port, const protocol::CreateGame& create, protocol::Format format)
    : format_(format) {
  caller_.emplace(port, format_);
  const auto created = caller_->expect<protocol::GameCreated>(create);
  if (created.tickets.empty()) give_up("no ticket for the human slot");
  ticket_ = created.tickets.front().ticket;
  join_and_subscribe();
}

Player::Player(std::uint16_t port, std::string ticket, protocol::Format format)
    : format_(format), ticket_(std::move(ticket)) {
  caller_.emplace(port, format_);
  join_and_subscribe();
}

void Player::reconnect(std::uint16_t port) {
  caller_.reset();
  caller_.emplace(port, format_);
  join_and_subscribe();
}

void Player::join_and_subscribe() {
  auto joined = caller_->expect<protocol::GameJoined>(protocol::JoinGame{ticket_});
  header_ = std::move(joined.snapshot.header);
  color_ = joined.color;
  auto answer =
      caller_->expect<protocol::Subscribed>(protocol::Subscribe{header_.id, ledger_.seen()});
  const auto* missing = std::get_if<protocol::GameEvents>(&answer.start);
  if (missing == nullptr) give_up("a snapshot came instead of the missing events");
  take(missing->events);
  if (answer.head != ledger_.seen()) give_up("the head is not the last event");
}

void Player::take(const std::vector<rules::Event>& events) {
  if (auto wrong = ledger_.take(events)) give_up(*wrong);
}

rules::Game Player::game() const {
  auto game = rules::Game::replay(header_, ledger_.events());
  if (auto* error = std::get_if<rules::ReplayError>(&game)) {
    give_up("event " + std::to_string(error->seq) + " does not replay: " + error->reason);
  }
  return std::get<rules::Game>(std::move(game));
}

bool Player::wait_for_turn(std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    const auto now = game();
    const bool has_seen_act = ledger_.seen() >= acted_seq_;
    if (has_seen_act && (now.is_finished() || now.turn() == color_)) return true;
    if (has_seen_act && now.awaits_list(color_)) act(agree_request());
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    const auto events = caller_->pushed(left);
    if (!events) return false;
    take(events->events);
  }
}

bool Player::wait_for_seq(std::uint32_t seq, std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (ledger_.seen() < seq) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    const auto events = caller_->pushed(left);
    if (!events) return false;
    take(events->events);
  }
  return true;
}

protocol::Play Player::play_request(std::string vertex) const {
  return {header_.id, 0, fresh_request_id(), game().position_seq(), std::move(vertex)};
}

protocol::GameAct Player::agree_request() const {
  return {header_.id, 0, fresh_request_id(), game().position_seq(), protocol::ListDead{}};
}

protocol::Pass Player::pass_request() const {
  return {header_.id, 0, fresh_request_id(), game().position_seq()};
}

protocol::Accepted Player::play_simple() {
  const auto point = simple_point(game(), color_, ledger_.seen() * 7919u);
  if (!point) return pass();
  return act(play_request(rules::gtp_vertex(*point, header_.size)));
}

std::optional<rules::Point> simple_point(const rules::Game& game, Color color,
                                         std::uint64_t choice) {
  auto points = game.legal_points(color);
  const auto& board = game.record().board();
  std::erase_if(points, [&](rules::Point point) {
    if (is_own_eye(board, color, point)) return true;
    rules::Board after = board;
    std::vector<rules::Point> taken;
    after.play(color, point, taken);
    return after.liberties(point) < 2;
  });
  if (points.empty()) return std::nullopt;
  return points[choice % points.size()];
}

}  // namespace tengen::tests
