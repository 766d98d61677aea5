#include "tests/faults/crash_round.h"

#include <algorithm>
#include <utility>

#include "tests/support/player.h"
#include "tests/support/proc.h"

namespace tengen::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kDeathLimit{1};  // for engines of a killed daemon
constexpr milliseconds kReadSlice{20};

/// The game of a log, or why the rules do not reproduce it.
std::variant<rules::Game, std::string> replayed(const rules::Header& header,
                                                const std::vector<rules::Event>& events) {
  auto game = rules::Game::replay(header, events);
  if (auto* error = std::get_if<rules::ReplayError>(&game)) {
    return "event " + std::to_string(error->seq) + " does not replay: " + error->reason;
  }
  return std::get<rules::Game>(std::move(game));
}

void note(std::string& trouble, const std::string& text) {
  if (trouble.empty()) trouble = text;
}

}  // namespace

CrashRound::CrashRound(DaemonProcess& daemon, int games, int human_games, std::uint64_t seed)
    : daemon_(daemon), random_(seed) {
  caller_.emplace(daemon_.port());
  for (int i = 0; i < games; ++i) create(i, i < human_games);
}

void CrashRound::create(int number, bool is_human) {
  constexpr int kSize = 9;
  const auto engine = engine_seat("gnugo", {{"level", "1"}});
  // People play black in one game and white in the next.
  const bool is_first = number % 2 == 0;
  const auto create = !is_human  ? game_of(kSize, engine, engine)
                      : is_first ? game_of(kSize, human_seat(), engine)
                                 : game_of(kSize, engine, human_seat());
  const auto created = caller_->expect<protocol::GameCreated>(create);
  auto& entry = games_[created.game];
  entry.header = caller_->expect<protocol::Snapshot>(protocol::GetSnapshot{created.game}).header;
  if (is_human) {
    entry.ticket = created.tickets.front().ticket;
    entry.color = entry.header.color_of_slot(created.tickets.front().slot);
  }
  come_back(entry);
}

void CrashRound::play_for(milliseconds time) {
  const auto end = steady_clock::now() + time;
  while (steady_clock::now() < end && !is_finished()) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - steady_clock::now());
    if (auto frame = caller_->next(std::clamp(left, milliseconds(0), kReadSlice))) {
      on_frame(std::move(*frame));
    } else if (caller_->socket().is_closed()) {
      throw std::runtime_error("the daemon closed the connection:\n" + daemon_.log());
    }
  }
}

bool CrashRound::is_finished() const {
  return std::all_of(games_.begin(), games_.end(),
                     [](const auto& each) { return each.second.ledger.is_finished(); });
}

void CrashRound::on_frame(protocol::ServerFrame frame) {
  if (const auto* events = std::get_if<protocol::GameEvents>(&frame.message)) {
    auto& entry = games_.at(events->game);
    if (const auto wrong = entry.ledger.take(events->events)) note(entry.trouble, *wrong);
    return act_if_due(entry);
  }
  const auto asked = asked_.find(frame.reply_to);
  if (asked == asked_.end()) return;
  auto& entry = games_.at(asked->second);
  asked_.erase(asked);
  on_answer(entry, frame.message);
  act_if_due(entry);
}

void CrashRound::on_answer(Entry& entry, const protocol::ServerMessage& message) {
  const auto* accepted = std::get_if<protocol::Accepted>(&message);
  if (accepted == nullptr) {
    // Each act is legal and for the present position, so no refusal is right.
    note(entry.trouble, "an act was refused: " + describe(message));
    return;
  }
  const auto request_id =
      std::visit([](const auto& act) { return act.request_id; }, *entry.pending);
  entry.acknowledged.emplace(request_id, accepted->seq);
  entry.pending.reset();
}

// At most one act is under way; the next one waits until its event has been seen, too.
void CrashRound::act_if_due(Entry& entry) {
  if (entry.ticket.empty() || entry.pending || !entry.trouble.empty()) return;
  for (const auto& [request_id, seq] : entry.acknowledged) {
    if (seq > entry.ledger.seen()) return;
  }
  auto replay = replayed(entry.header, entry.ledger.events());
  const auto* game = std::get_if<rules::Game>(&replay);
  if (game == nullptr) return note(entry.trouble, std::get<std::string>(replay));
  if (game->awaits_list(entry.color)) {
    entry.pending = protocol::GameAct{entry.header.id, 0, fresh_request_id(), game->position_seq(),
                                      protocol::ListDead{}};
    return send_act(entry);
  }
  if (game->turn() != entry.color) return;
  const auto& moves = game->record().moves();
  const bool is_over = !moves.empty() && moves.back().is_pass();
  const auto point = is_over ? std::nullopt : simple_point(*game, entry.color, random_());
  const auto id = entry.header.id;
  const auto seq = game->position_seq();
  if (point) {
    entry.pending = protocol::Play{id, 0, fresh_request_id(), seq,
                                   rules::gtp_vertex(*point, entry.header.size)};
  } else {
    entry.pending = protocol::Pass{id, 0, fresh_request_id(), seq};
  }
  send_act(entry);
}

void CrashRound::send_act(Entry& entry) {
  const auto id = std::visit([&](const auto& act) { return caller_->send(act); }, *entry.pending);
  asked_.emplace(id, entry.header.id);
}

std::vector<std::string> CrashRound::kill_and_check() {
  daemon_.kill();
  const int old_run = daemon_.runs();
  read_what_is_left();
  daemon_.restart();
  caller_.emplace(daemon_.port());
  std::vector<std::string> troubles;
  for (auto& [id, entry] : games_) {
    come_back(entry);
    if (!entry.trouble.empty()) {
      troubles.push_back("game " + to_text(id) + ": " + entry.trouble);
    }
  }
  if (!wait_until([&] { return daemon_.engines(old_run).empty(); }, kDeathLimit)) {
    troubles.emplace_back("an engine of the killed daemon is alive");
  }
  return troubles;
}

// What had left the daemon before it died has been acknowledged, read or not.
void CrashRound::read_what_is_left() {
  while (true) {
    auto frame = caller_->next(kReadSlice);
    if (!frame && caller_->socket().is_closed()) break;
    if (!frame) continue;
    if (const auto* events = std::get_if<protocol::GameEvents>(&frame->message)) {
      auto& entry = games_.at(events->game);
      if (const auto wrong = entry.ledger.take(events->events)) note(entry.trouble, *wrong);
    } else if (const auto asked = asked_.find(frame->reply_to); asked != asked_.end()) {
      on_answer(games_.at(asked->second), frame->message);
      asked_.erase(asked);
    }
  }
  asked_.clear();
}

// Joins and subscribes from the very beginning, so that the whole log is compared each time.
void CrashRound::come_back(Entry& entry) {
  const auto id = entry.header.id;
  if (!entry.ticket.empty()) {
    caller_->expect<protocol::GameJoined>(protocol::JoinGame{entry.ticket});
  }
  const auto answer = caller_->expect<protocol::Subscribed>(protocol::Subscribe{id, 0});
  const auto* whole = std::get_if<protocol::GameEvents>(&answer.start);
  if (whole == nullptr) return note(entry.trouble, "a snapshot came instead of the log");
  check_log(entry, whole->events);
  // Sent again it is accepted, whether it had been received before the kill or not.
  if (entry.pending) {
    send_act(entry);
  } else {
    act_if_due(entry);
  }
}

void CrashRound::check_log(Entry& entry, const std::vector<rules::Event>& log) {
  if (log.size() < entry.ledger.seen()) {
    note(entry.trouble, "only " + std::to_string(log.size()) + " of " +
                            std::to_string(entry.ledger.seen()) + " events are left");
  }
  if (const auto wrong = entry.ledger.take(log)) note(entry.trouble, *wrong);
  const auto replay = replayed(entry.header, log);
  if (const auto* wrong = std::get_if<std::string>(&replay)) note(entry.trouble, *wrong);
  for (const auto& [request_id, seq] : entry.acknowledged) {
    const auto is_its_event = [&request_id = request_id](const rules::Event& event) {
      return is_act_of(event, request_id);
    };
    const bool is_there = seq >= 1 && seq <= log.size() && is_its_event(log[seq - 1]);
    if (!is_there || std::count_if(log.begin(), log.end(), is_its_event) != 1) {
      note(entry.trouble, "the act " + request_id + ", acknowledged as event " +
                              std::to_string(seq) + ", is not exactly once among the log's " +
                              std::to_string(log.size()));
    }
  }
}

std::vector<std::string> CrashRound::verdicts() {
  std::vector<std::string> all;
  for (auto& [id, entry] : games_) {
    if (!entry.ledger.is_finished()) {
      note(entry.trouble,
           "is not finished after " + std::to_string(entry.ledger.seen()) + " events");
    }
    check_log(entry, entry.ledger.events());
    const auto replay = replayed(entry.header, entry.ledger.events());
    const auto* game = std::get_if<rules::Game>(&replay);
    if (game != nullptr && game->result() && game->result()->kind != rules::ResultKind::Score) {
      note(entry.trouble, "was not scored: " + result_text(*game->result()));
    }
    all.push_back(entry.trouble.empty() ? "" : "game " + to_text(id) + ": " + entry.trouble);
  }
  return all;
}

std::size_t CrashRound::events_seen() const {
  std::size_t sum = 0;
  for (const auto& [id, entry] : games_) sum += entry.ledger.seen();
  return sum;
}

std::size_t CrashRound::acts_acknowledged() const {
  std::size_t sum = 0;
  for (const auto& [id, entry] : games_) sum += entry.acknowledged.size();
  return sum;
}

}  // namespace tengen::tests
