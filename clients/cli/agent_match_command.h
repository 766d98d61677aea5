// `tengen agent-match`: makes one game for agents and prints what they need: the tickets of their
// slots, where to call, and where to watch.
#pragma once

#include <optional>
#include <string>

#include "clients/cli/command.h"

namespace tengen::cli {

struct AgentMatchOptions {
  std::optional<protocol::SeatRequest> opponent;  // an engine in slot 2; absent: another agent
  std::string http;                               // "http://HOST:PORT", where agents call
  Output output = Output::Text;
};

class AgentMatchCommand final : public Command {
 public:
  explicit AgentMatchCommand(AgentMatchOptions options);

  void on_opened(const protocol::Welcome& welcome, Context& context) override;
  void on_reply(RequestId request, const protocol::ServerMessage& message,
                Context& context) override;
  void on_events(const protocol::GameEvents&, Context&) override {}
  void on_lost(const std::string& reason, Context& context) override;

 private:
  std::string text(const protocol::GameCreated& created) const;
  std::string json(const protocol::GameCreated& created) const;

  AgentMatchOptions options_;
  std::string request_id_;  // the same for every try, so that there is one game
};

}  // namespace tengen::cli
