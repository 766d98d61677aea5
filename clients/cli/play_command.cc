// The stages of a game against an engine, and what can be typed.
#include "clients/cli/play_command.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>
#include <variant>

#include "clients/cli/json_text.h"
#include "clients/cli/wording.h"
#include "rules/ascii.h"
#include "rules/sgf.h"

namespace tengen::cli {

namespace {

constexpr std::string_view kHelp =
    "  D4      play there (letters without I, rows from the bottom)\n"
    "  pass    pass\n"
    "  resign  give the game up\n"
    "when play has stopped:\n"
    "  dead D4 Q16  these chains are dead, or without points none is; in a confirmation, mark\n"
    "               them, or take the marks away\n"
    "  agree        the other side's list is yours too\n"
    "  seki D4      mark an empty point as seki, or take the mark away\n"
    "  done         what is marked is what you propose\n"
    "  accept, dispute  answer what the other side proposes\n"
    "before the first move:\n"
    "  handicap D4 Q16  place your handicap\n"
    "in play:\n"
    "  undo N  ask to take the last N moves back; pause, no-result: ask for these\n"
    "  agree, decline  answer what the other side asks; unpause: go on\n"
    "at any time:\n"
    "  board   draw the board again\n"
    "  moves   list the moves so far\n"
    "  quit    leave the game open and end; it can be joined again\n";

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::string seat_name(const rules::Seat& seat) {
  const bool is_engine = seat.kind == rules::SeatKind::Engine;
  const std::string name =
      !seat.name.empty() ? printable(seat.name) : (is_engine ? printable(seat.profile) : "a human");
  return seat.other_rules ? name + " (which plays by other rules)" : name;
}

std::string time_of(const rules::Header& header) {
  if (header.clock.system == rules::ClockSystem::None) return "";
  return ", time " + time_control_text(header.clock);
}

}  // namespace

PlayCommand::PlayCommand(PlayOptions options)
    : options_(std::move(options)), ticket_(options_.ticket) {}

void PlayCommand::on_opened(const protocol::Welcome&, Context& context) {
  if (follower_) tell(context, "The server is back.\n");
  ticket_.empty() ? create(context) : join(context);
}

void PlayCommand::on_lost(const std::string& reason, Context& context) {
  stage_ = Stage::Away;
  tell(context, "The server is away (" + reason + "); looking for it.\n");
}

void PlayCommand::create(Context& context) {
  if (request_id_.empty()) request_id_ = fresh_request_id(context.conversation.random());
  protocol::CreateGame create;
  create.request_id = request_id_;
  create.size = options_.terms.size;
  create.preset = options_.terms.preset;
  create.rules = options_.terms.rules;
  create.komi_half = options_.terms.komi_half;
  create.seats[1] = options_.engine;
  create.colors = options_.color;
  create.time = options_.terms.time;
  stage_ = Stage::Creating;
  setup_request_ = context.send(create);
}

void PlayCommand::join(Context& context) {
  stage_ = Stage::Joining;
  setup_request_ = context.send(protocol::JoinGame{ticket_});
}

void PlayCommand::on_reply(RequestId request, const protocol::ServerMessage& message,
                           Context& context) {
  if (pending_ && request == pending_->request) return on_answer(message, context);
  if (request != setup_request_) return;
  if (const auto* error = std::get_if<protocol::Error>(&message)) {
    return context.fail(ExitCode::No, error_line(*error));
  }
  const auto* created = std::get_if<protocol::GameCreated>(&message);
  if (stage_ == Stage::Creating && created != nullptr) return on_created(*created, context);
  const auto* joined = std::get_if<protocol::GameJoined>(&message);
  if (stage_ == Stage::Joining && joined != nullptr) return on_joined(*joined, context);
  const auto* subscribed = std::get_if<protocol::Subscribed>(&message);
  if (stage_ == Stage::Subscribing && subscribed != nullptr) {
    return on_subscribed(*subscribed, context);
  }
  context.fail(ExitCode::Failed, "the server gave an answer of the wrong kind");
}

void PlayCommand::on_created(const protocol::GameCreated& created, Context& context) {
  for (const protocol::TicketOf& mine : created.tickets) {
    if (mine.slot == 1) ticket_ = mine.ticket;
  }
  if (ticket_.empty()) {
    return context.fail(ExitCode::Failed, "the server gave no ticket for the new game");
  }
  join(context);
}

void PlayCommand::on_joined(const protocol::GameJoined& joined, Context& context) {
  if (!follower_) {
    auto follower = Follower::of(joined.snapshot.header);
    if (const auto* problem = std::get_if<std::string>(&follower)) {
      return context.fail(ExitCode::Failed,
                          "the game's header is not valid: " + printable(*problem));
    }
    follower_ = std::get<Follower>(std::move(follower));
    slot_ = joined.slot;
    color_ = joined.color;
    const rules::Header& header = follower_->game().header();
    const auto opponent = static_cast<std::size_t>(header.slot_of(other(color_)) - 1);
    tell(context, "You are " + std::string(color_word(color_)) + " against " +
                      seat_name(joined.snapshot.seats[opponent]) + " on " + size_text(header.size) +
                      (header.preset.empty() ? "" : ", " + printable(header.preset) + " rules") +
                      ", komi " + rules::komi_text(header.komi_half) + time_of(header) +
                      ". Type help for help.\n" + rejoin_line());
  }
  stage_ = Stage::Subscribing;
  setup_request_ =
      context.send(protocol::Subscribe{follower_->game().header().id, follower_->seen()});
}

void PlayCommand::on_subscribed(const protocol::Subscribed& subscribed, Context& context) {
  const auto* events = std::get_if<protocol::GameEvents>(&subscribed.start);
  if (events == nullptr || subscribed.head < follower_->seen()) {
    return context.fail(ExitCode::Failed, "the server has not kept the game's log");
  }
  stage_ = Stage::Playing;
  send_pending(context);
  if (!events->events.empty()) return take_missed(events->events, context);
  if (follower_->seen() == 0) show_board(context);
  prompt(context);
}

void PlayCommand::on_events(const protocol::GameEvents& events, Context& context) {
  if (stage_ != Stage::Playing || events.game != follower_->game().header().id) return;
  take(events.events, Told::Yes, context);
}

// The history of a game joined later is on the board; only news is told.
void PlayCommand::take_missed(const std::vector<rules::Event>& events, Context& context) {
  const bool is_news = follower_->seen() != 0 || events.size() == 1 || events.front().seq > 1;
  take(events, is_news ? Told::Yes : Told::No, context);
}

void PlayCommand::take(const std::vector<rules::Event>& events, Told told, Context& context) {
  const std::uint32_t before = follower_->seen();
  if (const auto problem = follower_->on_events(events)) {
    return context.fail(ExitCode::Failed, "the game's log does not replay: " + *problem);
  }
  const rules::Size size = follower_->game().header().size;
  for (const rules::Event& event : events) {
    if (told == Told::Yes && event.seq > before) tell(context, event_line(event, size) + "\n");
  }
  if (follower_->seen() == before) return;
  show_board(context);
  follower_->is_finished() ? end_game(context) : prompt(context);
}

void PlayCommand::end_game(Context& context) {
  const rules::Result& result = *follower_->game().result();
  const std::string who = !result.winner             ? "Nobody wins"
                          : *result.winner == color_ ? "You win"
                                                     : "You lose";
  tell(context, who + ": " + result_text(result) + "\n");
  if (!options_.sgf_path.empty()) {
    context.out.push_back(
        WriteFile{options_.sgf_path, rules::to_sgf(follower_->game(), options_.application)});
  }
  print_json(context);
  context.finish(ExitCode::Done);
}

bool PlayCommand::is_awaited() const {
  return follower_ && !pending_ && follower_->seen() >= acted_seq_ &&
         follower_->game().is_waiting_on(color_);
}

// Whoever has nothing more to say agrees with what the other side finds dead.
void PlayCommand::on_input_end(Context& context) {
  if (is_awaited() && follower_->game().awaits_list(color_)) {
    return act(protocol::ListDead{}, context);
  }
  leave(context);
}

bool PlayCommand::wants_line() const {
  if (options_.input == PlayOptions::Input::Terminal) return true;
  return stage_ == Stage::Playing && is_awaited();
}

void PlayCommand::on_line(std::string_view line, Context& context) {
  line = trim(line);
  if (line.empty()) return prompt(context);
  if (line.size() > kLineMax || has_control(line)) {
    tell(context, "That line is too long or holds control characters; nothing was sent.\n");
    return prompt(context);
  }
  const std::string word = rules::lower(line);
  if (word == "quit" || word == "exit") return leave(context);
  if (word == "pass") return act(Act::Pass, {}, context);
  if (word == "resign") return act(Act::Resign, {}, context);
  if (word == "help" || word == "?") {
    tell(context, std::string(kHelp));
  } else if (word == "board" && follower_) {
    show_board(context);
  } else if (word == "moves" && follower_) {
    show_moves(context);
  } else if (auto body = other_act(word)) {
    return act(std::move(*body), context);
  } else {
    return act(Act::Play, line, context);
  }
  prompt(context);
}

std::string PlayCommand::why_not(Act kind) const {
  if (!follower_) return "The game has not begun yet.";
  if (pending_) return "Your last move has not been answered yet.";
  if (follower_->game().is_finished()) return "The game is over.";
  const auto turn = follower_->game().turn();
  if (kind == Act::Resign || turn == std::optional(color_)) return {};
  if (follower_->game().phase() == rules::Phase::Handicap) return "The handicap comes first.";
  if (!turn) return "Play has stopped; say what is dead.";
  return "It is " + std::string(color_word(*turn)) + "'s turn.";
}

void PlayCommand::act(Act kind, std::string_view vertex, Context& context) {
  const std::string objection = why_not(kind);
  if (!objection.empty()) {
    tell(context, objection + "\n");
    return prompt(context);
  }
  const rules::Game& game = follower_->game();
  const rules::GameId id = game.header().id;
  const std::string request_id = fresh_request_id(context.conversation.random());
  if (kind == Act::Resign) {
    pending_ = Pending{protocol::Resign{id, slot_, request_id}};
  } else if (kind == Act::Pass) {
    pending_ = Pending{protocol::Pass{id, slot_, request_id, game.position_seq()}};
  } else {
    const auto point = rules::parse_gtp_vertex(vertex, game.header().size);
    if (!point) {
      tell(context, "'" + printable(vertex) + "' is not a point of this board; try help.\n");
      return prompt(context);
    }
    pending_ = Pending{protocol::Play{id, slot_, request_id, game.position_seq(),
                                      gtp_vertex(*point, game.header().size)}};
  }
  send_pending(context);
}

std::optional<protocol::ActBody> PlayCommand::other_act(std::string_view line) const {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" ,\t", at), line.size());
    if (end > at) words.emplace_back(line.substr(at, end - at));
    at = end + 1;
  }
  if (words.empty()) return std::nullopt;
  const std::string verb = std::move(words.front());
  words.erase(words.begin());
  const bool has_proposal = follower_ && follower_->game().proposer().has_value();
  if (verb == "dead" && has_proposal && words.size() == 1) {
    return protocol::MarkChain{std::move(words.front())};
  }
  if (verb == "dead" && !has_proposal) return protocol::ListDead{std::move(words)};
  if (verb == "seki" && words.size() == 1) return protocol::MarkSekiPoint{std::move(words.front())};
  if (verb == "handicap") return protocol::PlaceHandicap{std::move(words)};
  if (verb == "undo" && words.size() <= 1) {
    const int moves = words.empty() ? 2 : std::atoi(words.front().c_str());
    return protocol::AskOpponent{rules::AskKind::Undo, moves};
  }
  if (!words.empty()) return std::nullopt;
  if (verb == "pause") return protocol::AskOpponent{rules::AskKind::Pause};
  if (verb == "no-result") return protocol::AskOpponent{rules::AskKind::NoResult};
  if (verb == "decline") return protocol::Decline{};
  if (verb == "unpause") return protocol::Unpause{};
  if (verb == "annul") return protocol::Annul{};
  if (verb == "agree" && follower_ && follower_->game().asked()) {
    return protocol::Agree{follower_->game().asked_seq()};
  }
  if (verb == "agree") return protocol::ListDead{};
  if (verb == "done") return protocol::ProposeMarks{};
  if (verb == "accept") return protocol::AcceptMarks{};
  if (verb == "dispute") return protocol::DisputeMarks{};
  return std::nullopt;
}

void PlayCommand::act(protocol::ActBody body, Context& context) {
  const std::string objection = why_not(Act::Resign);
  if (!objection.empty()) {
    tell(context, objection + "\n");
    return prompt(context);
  }
  const rules::Game& game = follower_->game();
  pending_ = Pending{protocol::GameAct{game.header().id, slot_,
                                       fresh_request_id(context.conversation.random()),
                                       game.position_seq(), std::move(body)}};
  send_pending(context);
}

void PlayCommand::send_pending(Context& context) {
  if (!pending_ || stage_ != Stage::Playing) return;
  pending_->request = context.send(pending_->message);
}

void PlayCommand::on_answer(const protocol::ServerMessage& message, Context& context) {
  pending_.reset();
  if (const auto* accepted = std::get_if<protocol::Accepted>(&message)) {
    acted_seq_ = std::max(acted_seq_, accepted->seq);
    if (accepted->events) return on_events(*accepted->events, context);
    return prompt(context);
  }
  if (const auto* error = std::get_if<protocol::Error>(&message)) {
    tell(context, "Refused: " + error_line(*error) + "\n");
    return prompt(context);
  }
  context.fail(ExitCode::Failed, "the server gave an answer of the wrong kind");
}

// With JSON, standard output is for the one object at the end.
void PlayCommand::tell(Context& context, std::string text) const {
  if (options_.output == Output::Json) {
    context.warn(std::move(text));
  } else {
    context.print(std::move(text));
  }
}

void PlayCommand::print_json(Context& context) const {
  if (options_.output != Output::Json || !follower_) return;
  const rules::Game& game = follower_->game();
  const auto& result = game.result();
  const auto winner = result ? result->winner : std::nullopt;
  const auto text_or_null = [](bool is_there, std::string_view text) {
    return is_there ? json_string(text) : std::string("null");
  };
  context.print(
      "{\"game\":" + json_string(to_text(game.header().id)) +
      ",\"ticket\":" + json_string(ticket_) + ",\"color\":" + json_string(color_word(color_)) +
      ",\"result\":" + text_or_null(result.has_value(), result ? result_text(*result) : "") +
      ",\"winner\":" + text_or_null(winner.has_value(), winner ? color_word(*winner) : "") +
      ",\"moves\":" + std::to_string(game.record().moves().size()) + "}\n");
}

void PlayCommand::leave(Context& context) {
  tell(context,
       ticket_.empty() ? "No game was begun.\n" : "The game stays open.\n" + rejoin_line());
  print_json(context);
  context.finish(ExitCode::Done);
}

void PlayCommand::show_board(Context& context) const {
  const rules::Game& game = follower_->game();
  const rules::Record& record = game.record();
  const auto& moves = record.moves();
  const auto last = moves.empty() ? std::nullopt : moves.back().point;
  std::string text = "\n" + board_text(record.board(), last, options_.style);
  if (!moves.empty()) {
    text += "Move " + std::to_string(moves.size()) + ": " +
            std::string(color_word(moves.back().color)) + " " +
            move_text(moves.back(), game.header().size) + ". ";
  }
  text += "Captures: black " + std::to_string(record.captured_by(rules::Color::Black)) +
          ", white " + std::to_string(record.captured_by(rules::Color::White)) + ".\n";
  const rules::TimeControl& clock = game.header().clock;
  if (clock.system != rules::ClockSystem::None) text += clocks_text(clock, game.clocks()) + "\n";
  tell(context, text);
}

void PlayCommand::show_moves(Context& context) const {
  constexpr std::size_t kPerLine = 10;
  const rules::Game& game = follower_->game();
  const auto& moves = game.record().moves();
  std::string text = moves.empty() ? "No moves yet.\n" : "";
  for (std::size_t i = 0; i < moves.size(); ++i) {
    text += std::to_string(i + 1) + (moves[i].color == rules::Color::Black ? " B " : " W ") +
            move_text(moves[i], game.header().size);
    text += (i + 1) % kPerLine == 0 || i + 1 == moves.size() ? "\n" : ", ";
  }
  tell(context, text);
}

void PlayCommand::prompt(Context& context) const {
  if (options_.input != PlayOptions::Input::Terminal || !is_awaited()) return;
  tell(context, what_is_asked() + std::string(color_word(color_)) + "> ");
}

// Nothing while play goes on.
std::string PlayCommand::what_is_asked() const {
  const rules::Game& game = follower_->game();
  if (game.phase() == rules::Phase::Handicap) {
    return "Place up to " + std::to_string(game.header().free_handicap) +
           " stones: handicap D4 Q16.\n";
  }
  if (game.phase() != rules::Phase::Marking) return {};
  if (game.awaits_list(color_)) {
    return "Which chains are dead? Say agree to take the other side's list, or dead D4 Q16.\n";
  }
  if (game.is_proposed()) return "Say accept or dispute.\n";
  return "Mark what is dead: dead D4, seki D4 for a point in a seki, then done.\n";
}

std::string PlayCommand::rejoin_line() const {
  return "To come back: tengen play --join " + printable(ticket_) + options_.rejoin_arguments +
         "\n";
}

}  // namespace tengen::cli
