// A command of `tengen` that talks to the daemon: what it does when the server is there, answers,
// tells of events or is lost. Conversation hears first; a command gets what is left to decide.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "clients/cli/conversation.h"

namespace tengen::cli {

/// What a command may use while it handles one event.
struct Context {
  Conversation& conversation;
  TimePoint now;
  Effects& out;

  RequestId send(protocol::ClientMessage message) {
    return conversation.send(std::move(message), now, out);
  }
  void print(std::string text) { out.push_back(Print{std::move(text)}); }
  void warn(std::string text) { out.push_back(Warn{std::move(text)}); }
  void finish(ExitCode code) { out.push_back(Finish{code}); }
  /// Says why on standard error, and ends.
  void fail(ExitCode code, const std::string& why) {
    warn("tengen: " + why + "\n");
    finish(code);
  }
};

class Command {
 public:
  virtual ~Command() = default;

  /// The server is there, for the first time or again. Nothing is in flight: ask for everything
  /// that is still wanted.
  virtual void on_opened(const protocol::Welcome& welcome, Context& context) = 0;
  virtual void on_reply(RequestId request, const protocol::ServerMessage& message,
                        Context& context) = 0;
  virtual void on_events(const protocol::GameEvents& events, Context& context) = 0;
  /// The server is away and being looked for.
  virtual void on_lost(const std::string& reason, Context& context) = 0;

  /// Whether a line of standard input could be used now; on_line is called only then.
  virtual bool wants_line() const { return false; }
  virtual void on_line(std::string_view, Context&) {}
  virtual void on_input_end(Context&) {}
};

}  // namespace tengen::cli
