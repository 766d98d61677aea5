// The stages of each game of a match.
#include "clients/cli/match_command.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "clients/cli/wording.h"
#include "rules/sgf.h"
#include "rules/zobrist.h"

namespace tengen::cli {

MatchCommand::MatchCommand(MatchOptions options) : options_(std::move(options)) {}

void MatchCommand::on_opened(const protocol::Welcome& welcome, Context& context) {
  running_max_ = static_cast<std::size_t>(options_.concurrency);
  const auto allow = [this](std::uint32_t limit) {
    if (limit != 0) running_max_ = std::min<std::size_t>(running_max_, limit);
  };
  allow(welcome.limits.subscriptions_max);
  allow(welcome.limits.games_max);
  requests_.clear();
  for (const auto& [number, game] : games_) ask(number, game, context);
  if (started_ > 0) return start_games(context);
  protocol::ListGames any;
  any.limit = 1;
  may_watch_ = context.send(any);  // of all who may watch, and of nobody else
}

void MatchCommand::on_may_watch(const protocol::ServerMessage& message, Context& context) {
  may_watch_.reset();
  if (const auto* error = std::get_if<protocol::Error>(&message)) {
    return context.fail(ExitCode::No,
                        "no game was made: a match is watched to its end, and the server says " +
                            error_line(*error));
  }
  if (!std::holds_alternative<protocol::GameList>(message)) {
    return context.fail(ExitCode::Failed, "the server gave an answer of the wrong kind");
  }
  start_games(context);
}

void MatchCommand::on_lost(const std::string& reason, Context& context) {
  context.warn("The server is away (" + reason + "); looking for it.\n");
}

void MatchCommand::start_games(Context& context) {
  while (games_.size() < running_max_ && started_ < options_.games) {
    const int number = ++started_;
    Running game;
    game.request_id = fresh_request_id(context.conversation.random());
    ask(number, games_.emplace(number, std::move(game)).first->second, context);
  }
}

void MatchCommand::ask(int number, const Running& game, Context& context) {
  RequestId request{};
  switch (game.stage) {
    case Stage::Creating:
      request = context.send(creation(number, game.request_id));
      break;
    case Stage::Fetching:
      request = context.send(protocol::GetSnapshot{*game.id});
      break;
    case Stage::Following:
      request = context.send(protocol::Subscribe{*game.id, game.follower->seen()});
      break;
  }
  requests_.emplace(request, number);
}

rules::GameSeed seed_of_game(std::uint64_t match_seed, int number) {
  const std::uint64_t of_game = rules::splitmix64(match_seed, static_cast<std::uint64_t>(number));
  rules::GameSeed seed{};
  for (std::size_t i = 0; i < seed.size(); ++i) {
    seed[i] = static_cast<std::uint8_t>(rules::splitmix64(of_game, i / 8) >> (8 * (i % 8)));
  }
  return seed;
}

protocol::CreateGame MatchCommand::creation(int number, const std::string& request_id) const {
  protocol::CreateGame create;
  create.request_id = request_id;
  create.size = options_.terms.size;
  create.preset = options_.terms.preset;
  create.rules = options_.terms.rules;
  create.komi_half = options_.terms.komi_half;
  create.seats = options_.engines;
  // Records should tell gnugo:level=1 from gnugo:level=5.
  for (std::size_t i = 0; i < create.seats.size(); ++i) {
    if (options_.players[i].size() <= protocol::kNameBytesMax) {
      create.seats[i].name = options_.players[i];
    }
  }
  create.colors = first_players_color(number) == rules::Color::Black
                      ? protocol::ColorChoice::Slot1Black
                      : protocol::ColorChoice::Slot1White;
  if (options_.seed) create.seed = seed_of_game(*options_.seed, number);
  create.time = options_.terms.time;
  return create;
}

rules::Color MatchCommand::first_players_color(int number) const {
  const bool swapped = options_.colors == MatchOptions::Colors::Alternate && number % 2 == 0;
  return swapped ? rules::Color::White : rules::Color::Black;
}

void MatchCommand::on_reply(RequestId request, const protocol::ServerMessage& message,
                            Context& context) {
  if (may_watch_ == request) return on_may_watch(message, context);
  const auto known = requests_.find(request);
  if (known == requests_.end()) return;  // the answer to an Unsubscribe
  const auto game = games_.find(known->second);
  requests_.erase(known);
  const Stage stage = game->second.stage;
  if (const auto* error = std::get_if<protocol::Error>(&message)) {
    return on_refused(game, *error, context);
  }
  const auto* created = std::get_if<protocol::GameCreated>(&message);
  if (stage == Stage::Creating && created != nullptr) return on_created(game, *created, context);
  const auto* snapshot = std::get_if<protocol::Snapshot>(&message);
  if (stage == Stage::Fetching && snapshot != nullptr) return on_snapshot(game, *snapshot, context);
  const auto* subscribed = std::get_if<protocol::Subscribed>(&message);
  if (stage == Stage::Following && subscribed != nullptr) {
    return on_subscribed(game, *subscribed, context);
  }
  break_off(game, "the server gave an answer of the wrong kind", context);
}

void MatchCommand::on_created(Games::iterator game, const protocol::GameCreated& created,
                              Context& context) {
  if (!numbers_.emplace(created.game, game->first).second) {
    return break_off(game, "the server gave two games the same id", context);
  }
  game->second.id = created.game;
  game->second.stage = Stage::Fetching;
  ask(game->first, game->second, context);
}

void MatchCommand::on_snapshot(Games::iterator game, const protocol::Snapshot& snapshot,
                               Context& context) {
  if (!is_as_asked(snapshot.header, game->first) || snapshot.header.id != *game->second.id) {
    return break_off(game, "the server made another game than was asked for", context);
  }
  auto follower = Follower::of(snapshot.header);
  if (const auto* problem = std::get_if<std::string>(&follower)) {
    return break_off(game, "the game's header is not valid: " + printable(*problem), context);
  }
  game->second.follower = std::get<Follower>(std::move(follower));
  game->second.stage = Stage::Following;
  ask(game->first, game->second, context);
}

bool MatchCommand::is_as_asked(const rules::Header& header, int number) const {
  return header.size == options_.terms.size && header.rules == options_.terms.rules &&
         header.komi_half == options_.terms.komi_half && header.clock == options_.terms.time &&
         header.slot1_color == first_players_color(number);
}

void MatchCommand::on_subscribed(Games::iterator game, const protocol::Subscribed& subscribed,
                                 Context& context) {
  const auto* events = std::get_if<protocol::GameEvents>(&subscribed.start);
  if (events == nullptr) {
    return break_off(game, "the server sent a position instead of the events", context);
  }
  if (subscribed.head < game->second.follower->seen()) {
    return break_off(game,
                     "the server's log ends at event " + std::to_string(subscribed.head) +
                         ", but it has sent event " + std::to_string(game->second.follower->seen()),
                     context);
  }
  take(game, events->events, context);
}

void MatchCommand::on_events(const protocol::GameEvents& events, Context& context) {
  const auto number = numbers_.find(events.game);
  if (number == numbers_.end()) return;  // sent before the server read our Unsubscribe
  const auto game = games_.find(number->second);
  if (!game->second.follower) {
    return break_off(game, "the server sent events before they were asked for", context);
  }
  take(game, events.events, context);
}

void MatchCommand::take(Games::iterator game, const std::vector<rules::Event>& events,
                        Context& context) {
  if (const auto problem = game->second.follower->on_events(events)) {
    return break_off(game, "the log does not replay: " + *problem, context);
  }
  if (game->second.follower->is_finished()) finish_game(game, context);
}

void MatchCommand::finish_game(Games::iterator game, Context& context) {
  const int number = game->first;
  const rules::Game& finished = game->second.follower->game();
  const int black_player = first_players_color(number) == rules::Color::Black ? 0 : 1;
  outcomes_.push_back(outcome_of(number, black_player, finished));
  if (!options_.sgf_dir.empty()) write_sgf(number, finished, context);
  const std::string line = outcome_line(outcomes_.back(), options_.players);
  options_.output == Output::Text ? context.print(line) : context.warn(line);
  const rules::GameId id = *game->second.id;
  std::erase_if(requests_, [number](const auto& entry) { return entry.second == number; });
  numbers_.erase(id);
  games_.erase(game);
  if (outcomes_.size() < static_cast<std::size_t>(options_.games)) {
    context.send(protocol::Unsubscribe{id});
    return start_games(context);
  }
  context.print(options_.output == Output::Text
                    ? summary_text(outcomes_, options_.players)
                    : summary_json(outcomes_, options_.players, options_.terms));
  context.finish(ExitCode::Done);
}

void MatchCommand::write_sgf(int number, const rules::Game& game, Context& context) const {
  constexpr std::size_t kDigits = 3;
  std::string digits = std::to_string(number);
  if (digits.size() < kDigits) digits.insert(0, kDigits - digits.size(), '0');
  context.out.push_back(
      WriteFile{options_.sgf_dir + "/" + digits + "-" + to_text(game.header().id) + ".sgf",
                rules::to_sgf(game, options_.application)});
}

void MatchCommand::on_refused(const Games::iterator& game, const protocol::Error& error,
                              Context& context) {
  if (game->second.stage == Stage::Creating) {
    // There is room for it as soon as one of ours has ended.
    if (protocol::is_retryable(error.code) && has_games_in_play()) {
      return ask(game->first, game->second, context);
    }
    return context.fail(ExitCode::No, "game " + std::to_string(game->first) +
                                          " cannot be made: " + error_line(error));
  }
  break_off(game, error_line(error), context);
}

bool MatchCommand::has_games_in_play() const {
  return std::any_of(games_.begin(), games_.end(),
                     [](const auto& each) { return each.second.stage != Stage::Creating; });
}

void MatchCommand::break_off(const Games::iterator& game, const std::string& what,
                             Context& context) {
  std::string name = "game " + std::to_string(game->first);
  if (game->second.id) name += " " + to_text(*game->second.id);
  context.fail(ExitCode::Failed, name + ": " + what);
}

}  // namespace tengen::cli
