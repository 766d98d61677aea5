// See probe_session.h.
#include "clients/cli/probe/session.h"

#include <utility>

namespace tengen::cli {
namespace {

using std::chrono::milliseconds;

constexpr int kFirstAnswerPatience = 3;  // times the timeout
constexpr milliseconds kDeathGrace{500};

}  // namespace

pool::Answer no_answer() {
  pool::Answer answer;
  answer.is_success = false;
  return answer;
}

std::optional<std::string> ProbeSession::start() {
  failure_.clear();
  writer_ = pool::CommandWriter();
  is_first_ = true;
  auto wrong = engine_.start();
  is_running_ = !wrong;
  return wrong;
}

void ProbeSession::stop() {
  engine_.kill();
  is_running_ = false;
}

pool::Answer ProbeSession::ask(const std::string& command) {
  auto answers = ask_at_once({command});
  if (answers.empty()) return no_answer();
  return std::move(answers.front());
}

bool ProbeSession::accepts_all(const std::vector<std::string>& commands) {
  for (const std::string& command : commands) {
    if (!accepts(command)) return false;
  }
  return true;
}

std::vector<pool::Answer> ProbeSession::ask_at_once(const std::vector<std::string>& commands) {
  if (!can_ask() || commands.empty()) return {};
  std::string bytes;
  std::uint32_t first_id = 0;
  for (const std::string& command : commands) {
    const std::uint32_t id = writer_.write(command, bytes);
    if (first_id == 0) first_id = id;
  }
  return hear(bytes, first_id, commands);
}

std::vector<pool::Answer> ProbeSession::hear(const std::string& bytes, std::uint32_t first_id,
                                             const std::vector<std::string>& commands) {
  milliseconds left = timeout_ * (is_first_ ? kFirstAnswerPatience : 1);
  is_first_ = false;
  took_ = milliseconds(0);
  std::vector<pool::Answer> taken;
  std::string_view unsent = bytes;
  while (failure_.empty() && taken.size() < commands.size()) {
    Exchange exchange = engine_.ask(unsent, commands.size() - taken.size(), left);
    unsent = {};
    took_ += exchange.took;
    left = exchange.took < left ? left - exchange.took : milliseconds(0);
    take(exchange, first_id, commands.size(), taken);
    // Updates may come for ever.
    if (exchange.heard == WaitEnd::All && left == milliseconds(0))
      exchange.heard = WaitEnd::Silence;
    if (failure_.empty() && exchange.heard != WaitEnd::All && taken.size() < commands.size()) {
      fail(exchange, commands[taken.size()]);
    }
  }
  return taken;
}

/// Answers come in the order of their commands. One for a command that has its answer already is
/// surplus and harmless; any other stranger means that nothing can be matched any more.
void ProbeSession::take(Exchange& exchange, std::uint32_t first_id, std::size_t count,
                        std::vector<pool::Answer>& taken) {
  for (pool::Answer& answer : exchange.answers) {
    const auto awaited = first_id + static_cast<std::uint32_t>(taken.size());
    if (answer.is_update && answer.id == awaited) {
      updates_.push_back(std::move(answer.text));
    } else if (answer.id == awaited && taken.size() < count) {
      taken.push_back(std::move(answer));
    } else if (answer.id != 0 && answer.id < awaited) {
      ++surplus_answers_;
    } else {
      return lose_framing("an answer " +
                          (answer.id == 0 ? "without id" : "with id " + std::to_string(answer.id)) +
                          " where " + std::to_string(awaited) + " was awaited");
    }
  }
}

std::vector<pool::Answer> ProbeSession::ask_raw(const std::string& bytes, std::size_t answers) {
  std::vector<pool::Answer> heard;
  std::string_view unsent = bytes;
  while (failure_.empty() && is_running_ && heard.size() < answers) {
    Exchange exchange = engine_.ask(unsent, answers - heard.size(), timeout_);
    unsent = {};
    for (pool::Answer& answer : exchange.answers) heard.push_back(std::move(answer));
    if (exchange.heard != WaitEnd::All && heard.size() < answers) {
      fail(exchange, pool::printable(bytes));
    }
  }
  return heard;
}

Stream ProbeSession::stream(const std::string& command, std::size_t updates) {
  Stream stream;
  if (!can_ask()) return stream;
  std::string bytes;
  const std::uint32_t id = writer_.write(command, bytes);
  engine_.expect_stream(id);
  updates_.clear();
  auto answers = listen(bytes, id, command, updates, stream);
  fence(id, command, std::move(answers), stream);
  engine_.expect_stream(0);
  stream.updates = std::exchange(updates_, {});
  return stream;
}

/// Until there are so many updates, the stream is over or the time is; silence is no failure yet.
std::vector<pool::Answer> ProbeSession::listen(const std::string& bytes, std::uint32_t id,
                                               const std::string& command, std::size_t updates,
                                               Stream& stream) {
  std::vector<pool::Answer> taken;
  std::string_view unsent = bytes;
  while (failure_.empty() && taken.empty() && updates_.size() < updates &&
         stream.listened < timeout_) {
    Exchange exchange = engine_.ask(unsent, 1, timeout_ - stream.listened);
    unsent = {};
    stream.listened += exchange.took;
    const bool is_first = updates_.empty();
    take(exchange, id, 1, taken);
    if (is_first && !updates_.empty()) stream.first_update = stream.listened;
    if (!failure_.empty() || exchange.heard == WaitEnd::All) continue;
    if (exchange.heard == WaitEnd::Silence) break;
    fail(exchange, command);
  }
  stream.ended_by_itself = !taken.empty();
  return taken;
}

/// `answers` holds the stream's own if that has come already.
void ProbeSession::fence(std::uint32_t id, const std::string& command,
                         std::vector<pool::Answer> answers, Stream& stream) {
  if (!can_ask()) return;
  const std::string harmless = "protocol_version";
  std::string bytes;
  const std::uint32_t fence_id = writer_.write(harmless, bytes);
  if (stream.ended_by_itself) {
    hear(bytes, fence_id, {harmless});
  } else {
    answers = hear(bytes, id, {command + ", then " + harmless, harmless});
  }
  stream.ending = took_;
  if (failure_.empty()) stream.end = std::move(answers.front());
}

Stream ProbeSession::search(const std::string& command) {
  Stream stream;
  if (!can_ask()) return stream;
  std::string bytes;
  const std::uint32_t id = writer_.write(command, bytes);
  engine_.expect_stream(id);
  updates_.clear();
  auto answers = hear(bytes, id, {command});
  engine_.expect_stream(0);
  stream.updates = std::exchange(updates_, {});
  stream.ended_by_itself = !answers.empty();
  if (!answers.empty()) stream.end = std::move(answers.front());
  return stream;
}

std::optional<std::string> ProbeSession::quit(milliseconds timeout) {
  std::string bytes;
  writer_.write("quit", bytes);
  engine_.ask(bytes, 1, timeout);  // an engine may end without an answer
  return wait_exit(timeout);
}

std::optional<std::string> ProbeSession::close_input(milliseconds timeout) {
  engine_.close_input();
  return wait_exit(timeout);
}

std::optional<std::string> ProbeSession::wait_exit(milliseconds timeout) {
  auto ended = engine_.wait_exit(timeout);
  stop();
  return ended;
}

void ProbeSession::lose_framing(std::string why) {
  if (lost_framing_.empty()) lost_framing_ = why;
  failure_ = std::move(why);
}

void ProbeSession::fail(const Exchange& exchange, const std::string& command) {
  const std::string at = " at '" + command + "'";
  if (exchange.heard == WaitEnd::Silence) {
    failure_ = "no answer within " + std::to_string(took_.count()) + " ms" + at;
  } else if (exchange.heard == WaitEnd::Unframed) {
    lose_framing("answers cannot be told apart" + at + ": " + exchange.reason);
  } else if (const auto ended = engine_.wait_exit(kDeathGrace)) {
    failure_ = "the engine ended" + at + ": " + *ended;
  } else {
    failure_ = "the engine closed its output" + at;
  }
}

}  // namespace tengen::cli
