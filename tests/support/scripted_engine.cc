// See scripted_engine.h.
#include "tests/support/scripted_engine.h"

#include <algorithm>

#include "tests/support/insults.h"

namespace tengen::tests {
namespace {

/// An empty line in the middle of a list, or of what stands for one.
std::string with_inner_blank(std::string text) {
  if (text.find_first_of(" \n") == std::string::npos) text += "\nA1";
  const auto at = text.find_first_of(" \n");
  return text.replace(at, 1, "\n\n");
}

bool is_list(std::string_view command) {
  return command == "final_status_list" || command == "list_commands" || command == "list_stones";
}

}  // namespace

ScriptedEngine::ScriptedEngine(Script script)
    : repertoire_(std::move(script)), cutter_(repertoire_.script().persona) {}

std::string ScriptedEngine::feed(std::string_view bytes) {
  if (state_ == State::Quit && !bytes.empty()) note_insult(bytes, "written after quit");
  if (state_ != State::Running) return {};
  const auto lines = cutter_.feed(bytes);
  for (const std::string& line : lines) receive(line);
  check_tail(lines);
  std::string out;
  run(out);
  return out;
}

std::string ScriptedEngine::end_input() {
  if (state_ != State::Running) return {};
  std::string out = cutter_.rest().empty() ? std::string() : feed("\n");
  while (is_searching()) out += finish_search();
  if (activity_ == Activity::Analysis) interrupt(out);
  if (state_ == State::Running && script().persona == Persona::LeelaZero) out += '\n';
  if (state_ == State::Running) state_ = State::Quit;
  return out;
}

void ScriptedEngine::receive(const std::string& line) {
  if (const auto insult = insult_in(script().persona, line)) note_insult(line, *insult);
  const std::string id(id_of(line));
  if (!id.empty() && awaited_.contains(id)) note_insult(line, "an id that is still awaited");
  awaited_.insert(id);
  pending_.push_back(line);
}

void ScriptedEngine::note_insult(std::string_view line, std::string_view what) {
  if (insult_) return;
  insult_ = std::string(what) + ": '" + std::string(line.substr(0, 200)) + "'";
}

// An analysis must be the last thing in its write: whatever comes behind it ends it.
void ScriptedEngine::check_tail(const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find("analyze") == std::string::npos &&
        lines[i].find("cancellable") == std::string::npos) {
      continue;
    }
    const Heard heard = hear(script().persona, lines[i]);
    if (heard.kind != Heard::Kind::Command || !repertoire_.knows(heard.words.front())) continue;
    const Talk talk = repertoire_.talk(heard.words.front());
    if (talk != Talk::Analysis && talk != Talk::CancellableSearch) continue;
    const bool is_last = i + 1 == lines.size() && cutter_.rest().empty();
    if (!is_last) note_insult(lines[i], "something was written behind it at once");
  }
}

void ScriptedEngine::run(std::string& out) {
  while (state_ == State::Running && !pending_.empty()) {
    if (is_searching() && activity_ != Activity::Cancellable) return;
    const std::string line = std::move(pending_.front());
    pending_.pop_front();
    if (activity_ != Activity::None) interrupt(out);
    if (state_ == State::Running) take(line, out);
  }
  if (state_ == State::Quit && !pending_.empty()) {
    note_insult(pending_.front(), "written behind quit");
  }
}

/// Input has come while it thought in the open.
void ScriptedEngine::interrupt(std::string& out) {
  const bool is_search = activity_ == Activity::Cancellable;
  activity_ = Activity::None;
  if (is_search) {
    number_ = current_number_;
    return respond(current_, said("cancelled"), out);
  }
  if (script().stream_hangs) {
    state_ = State::Hung;
    return;
  }
  out += dressed("\n");
  settle(current_.id);
}

void ScriptedEngine::take(const std::string& line, std::string& out) {
  const Heard heard = hear(script().persona, line);
  if (heard.kind != Heard::Kind::Command) {
    out += heard.reply;
    return settle(std::string(id_of(line)));
  }
  told_.push_back(heard.text);
  number_ = ++commands_;
  if (commands_ == 1) out += script().banner;
  if (strikes(script().hang_at)) {
    state_ = State::Hung;
  } else if (strikes(script().crash_at)) {
    state_ = State::Crashed;
  } else if (strikes(script().garbage_at)) {
    out += "=%$ garbage\n\n";
  } else {
    obey(heard, out);
  }
}

void ScriptedEngine::obey(const Heard& heard, std::string& out) {
  const std::string& command = heard.words.front();
  if (!repertoire_.knows(command)) {
    if (has_listed_) note_insult(heard.text, "a command that it does not list");
    return execute(heard, false, out);
  }
  if (is_dangerous(command)) note_insult(heard.text, "a dangerous command");
  if (script().searches_wait) {
    switch (repertoire_.talk(command)) {
      case Talk::Search:
        return begin(heard, Activity::Searching, out);
      case Talk::CancellableSearch:
        return begin(heard, Activity::Cancellable, out);
      case Talk::GenmoveAnalysis:
        return begin(heard, Activity::GenmoveAnalysis, out);
      case Talk::Analysis:
      case Talk::Answer:
        break;
    }
  }
  execute(heard, false, out);
}

void ScriptedEngine::begin(const Heard& heard, Activity activity, std::string& out) {
  const bool has_updates = activity == Activity::GenmoveAnalysis || activity == Activity::Analysis;
  if (has_updates) {
    order_ = repertoire_.order(heard.words);
    if (!order_) return execute(heard, false, out);
    out += header(heard.id);
  }
  current_ = heard;
  current_number_ = number_;
  updates_of_this_ = 0;
  activity_ = activity;
}

void ScriptedEngine::execute(const Heard& heard, bool has_header, std::string& out) {
  const std::string& command = heard.words.front();
  const bool was_adrift = repertoire_.board().has_drifted();
  const Talk talk = repertoire_.knows(command) ? repertoire_.talk(command) : Talk::Answer;
  const auto order = repertoire_.order(heard.words);  // before the move is made
  if (talk == Talk::GenmoveAnalysis && !has_header && order) {
    order_ = order;
    updates_of_this_ = 0;
    out += header(heard.id) + update();
    has_header = state_ == State::Running;
  }
  if (state_ != State::Running) return;
  const Reply reply = repertoire_.answer(heard.words);
  judge(heard, reply, was_adrift);
  if (reply.kills) {
    state_ = State::Crashed;
    return;
  }
  if (command == "list_commands") has_listed_ = true;
  if (command == "quit") state_ = State::Quit;
  if (talk == Talk::Analysis && reply.is_success && order) {
    return begin(heard, Activity::Analysis, out);
  }
  if (!has_header) return respond(heard, reply, out);
  // An error has no place behind the header: the answer just ends.
  out += dressed(reply.is_success ? reply.text + "\n\n" : "\n");
  settle(heard.id);
}

void ScriptedEngine::judge(const Heard& heard, const Reply& reply, bool was_adrift) {
  if (reply.kills) return note_insult(heard.text, "it died of it");
  if (!reply.is_careless || was_adrift) return;
  note_insult(heard.text, reply.is_success ? "taken, but never to be sent"
                                           : "refused with '" + reply.text + '\'');
}

void ScriptedEngine::respond(const Heard& heard, Reply reply, std::string& out) {
  spoil(heard, reply);
  std::string id = reply.has_id ? heard.id : std::string();
  if (strikes(script().wrong_id_at)) id = std::to_string(id.empty() ? 1 : std::stoull(id) + 1);
  if (strikes(script().no_id_at)) id.clear();
  std::string frame = framed(id, reply);
  if (!reply.before.empty()) frame.insert(0, framed(id, declined(reply.before)));
  if (strikes(script().double_at)) frame.insert(0, framed(id, declined("illegal move")));
  if (strikes(script().twice_at)) frame += frame;
  if (script().chatter_every > 0 && number_ % script().chatter_every == 0) {
    out += dressed("thinking about it\n");
  }
  settle(heard.id);
  if (strikes(script().late_at)) {
    late_ = std::move(frame);
    return;
  }
  out += frame;
  out += late_answer();
}

/// What is wrong with the answer itself.
void ScriptedEngine::spoil(const Heard& heard, Reply& reply) {
  if (is_list(heard.words.front()) && repertoire_.strikes(script().inner_blank_at, ++lists_)) {
    reply.text = with_inner_blank(std::move(reply.text));
  }
  if (strikes(script().huge_line_at)) reply.text = std::string(script().huge_bytes, 'x');
  if (strikes(script().short_newline_at)) --reply.newlines;
  if (strikes(script().surplus_newline_at)) ++reply.newlines;
}

std::string ScriptedEngine::framed(std::string id, const Reply& reply) const {
  std::string frame(1, reply.is_success ? '=' : '?');
  frame += id;
  if (repertoire_.traits().blank_after_id || !reply.text.empty()) frame += ' ';
  frame += script().form_feeds ? "\f\x01" + reply.text + '\f' : reply.text;
  frame.append(static_cast<std::size_t>(reply.newlines), '\n');
  return dressed(std::move(frame));
}

std::string ScriptedEngine::header(const std::string& id) const {
  return dressed('=' + id + (script().persona == Persona::Pachi ? " \n" : "\n"));
}

std::string ScriptedEngine::dressed(std::string bytes) const {
  if (script().tabs) std::replace(bytes.begin(), bytes.end(), ' ', '\t');
  if (!script().crlf) return bytes;
  std::string result;
  for (const char c : bytes) {
    if (c == '\n') result += '\r';
    result += c;
  }
  return result;
}

void ScriptedEngine::settle(const std::string& id) {
  const auto found = awaited_.find(id);
  if (found != awaited_.end()) awaited_.erase(found);
}

bool ScriptedEngine::is_streaming() const {
  return state_ == State::Running &&
         (activity_ == Activity::Analysis || activity_ == Activity::GenmoveAnalysis);
}

bool ScriptedEngine::is_searching() const {
  return state_ == State::Running && activity_ != Activity::None && activity_ != Activity::Analysis;
}

std::string ScriptedEngine::tick() {
  if (!is_streaming()) return {};
  std::string out = update();
  ++updates_of_this_;
  const int most = script().stream_ticks_max;
  if (activity_ != Activity::Analysis || most == 0 || updates_of_this_ < most) return out;
  if (state_ != State::Running) return out;
  activity_ = Activity::None;
  settle(current_.id);
  return out + dressed("\n");
}

std::string ScriptedEngine::update() {
  ++updates_;
  if (repertoire_.strikes(script().stream_crash_at, updates_)) {
    state_ = State::Crashed;
    return {};
  }
  // Leela Zero has nothing to say about a game that has ended.
  if (script().persona == Persona::LeelaZero && repertoire_.board().passes() >= 2) return {};
  BadUpdate bad = BadUpdate::None;
  if (repertoire_.strikes(script().stream_huge_at, updates_)) bad = BadUpdate::Huge;
  if (repertoire_.strikes(script().stream_nan_at, updates_)) bad = BadUpdate::Nan;
  if (repertoire_.strikes(script().stream_off_board_at, updates_)) bad = BadUpdate::OffBoard;
  return dressed(analysis_line(script(), *order_, record(), updates_of_this_ + 1, bad) + '\n');
}

std::string ScriptedEngine::finish_search() {
  if (!is_searching()) return {};
  const bool has_header = activity_ == Activity::GenmoveAnalysis;
  activity_ = Activity::None;
  number_ = current_number_;
  std::string out;
  execute(current_, has_header, out);
  run(out);
  return out;
}

std::string ScriptedEngine::late_answer() { return std::exchange(late_, {}); }

}  // namespace tengen::tests
