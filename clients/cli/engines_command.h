// `tengen engines`: asks once which engines the daemon has, and prints them.
#pragma once

#include <string>
#include <vector>

#include "clients/cli/command.h"

namespace tengen::cli {

std::string engines_text(const std::vector<protocol::EngineInfo>& engines);
/// One JSON object on one line.
std::string engines_json(const std::vector<protocol::EngineInfo>& engines);

class EnginesCommand final : public Command {
 public:
  explicit EnginesCommand(Output output) : output_(output) {}

  void on_opened(const protocol::Welcome& welcome, Context& context) override;
  void on_reply(RequestId request, const protocol::ServerMessage& message,
                Context& context) override;
  void on_events(const protocol::GameEvents&, Context&) override {}
  void on_lost(const std::string&, Context&) override {}

 private:
  Output output_;
};

}  // namespace tengen::cli
