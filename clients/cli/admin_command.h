// `tengen admin`: asks the daemon to do one thing that operators do, and prints what came of it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "clients/cli/command.h"

namespace tengen::cli {

std::string connections_text(const std::vector<protocol::ConnectionInfo>& connections);
/// One JSON object on one line.
std::string connections_json(const std::vector<protocol::ConnectionInfo>& connections);

struct AdminOptions {
  protocol::AdminVerb verb{};
  Output output = Output::Text;
};

class AdminCommand final : public Command {
 public:
  /// No daemon has so many: a list that is longer is not waited for.
  static constexpr std::size_t kConnectionsMax = 100'000;

  explicit AdminCommand(AdminOptions options) : options_(std::move(options)) {}

  void on_opened(const protocol::Welcome& welcome, Context& context) override;
  void on_reply(RequestId request, const protocol::ServerMessage& message,
                Context& context) override;
  void on_events(const protocol::GameEvents&, Context&) override {}
  void on_lost(const std::string&, Context&) override {}

 private:
  void ask(Context& context);
  void on_list(const protocol::ConnectionList& list, Context& context);
  std::string done_text(const protocol::AdminDone& done) const;

  AdminOptions options_;
  std::string request_id_;  // the same for every try, so that it is done once
  std::vector<protocol::ConnectionInfo> connections_;  // so far
};

}  // namespace tengen::cli
