// See probe_session.h.
#include "clients/cli/probe/session.h"

#include <utility>

namespace tengen::cli {
namespace {

using std::chrono::milliseconds;

constexpr int kFirstAnswerPatience = 3;  // times the timeout
constexpr milliseconds kDeathGrace{500};

}  // namespace

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
  if (answers.empty()) return {0, false, ""};
  return std::move(answers.front());
}

bool ProbeSession::accepts_all(const std::vector<std::string>& commands) {
  for (const std::string& command : commands) {
    if (!accepts(command)) return false;
  }
  return true;
}

std::vector<pool::Answer> ProbeSession::ask_at_once(const std::vector<std::string>& commands) {
  if (!failure_.empty() || !is_running_ || commands.empty()) return {};
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
    if (answer.id == awaited && taken.size() < count) {
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
