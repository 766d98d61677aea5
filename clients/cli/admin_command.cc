// The request of an operator's verb, and its answer as text and as JSON.
#include "clients/cli/admin_command.h"

#include <variant>

#include "clients/cli/json_text.h"
#include "clients/cli/table.h"
#include "clients/cli/wording.h"

namespace tengen::cli {

std::string connections_text(const std::vector<protocol::ConnectionInfo>& connections) {
  constexpr auto L = Align::Left;
  constexpr auto R = Align::Right;
  std::vector<Row> rows{{"CONNECTION", "TOKEN", "CLIENT", "ADDRESS", "SEATS", "WATCHES"}};
  for (const protocol::ConnectionInfo& each : connections) {
    rows.push_back({std::to_string(each.connection.value), printable(each.token),
                    each.client.empty() ? "-" : printable(each.client), printable(each.address),
                    std::to_string(each.seats), std::to_string(each.subscriptions)});
  }
  return table_text({R, L, L, L, R, R}, rows);
}

std::string connections_json(const std::vector<protocol::ConnectionInfo>& connections) {
  std::string list;
  for (const protocol::ConnectionInfo& each : connections) {
    list += list.empty() ? "" : ",";
    list += "{\"connection\":" + std::to_string(each.connection.value) +
            ",\"token\":" + json_string(each.token) + ",\"client\":" + json_string(each.client) +
            ",\"address\":" + json_string(each.address) +
            ",\"seats\":" + std::to_string(each.seats) +
            ",\"subscriptions\":" + std::to_string(each.subscriptions) + "}";
  }
  return "{\"connections\":[" + list + "]}\n";
}

// After a loss a list begins anew: connections have changed meanwhile.
void AdminCommand::on_opened(const protocol::Welcome&, Context& context) {
  if (request_id_.empty()) request_id_ = fresh_request_id(context.conversation.random());
  connections_.clear();
  if (auto* list = std::get_if<protocol::ListConnections>(&options_.verb)) list->after = 0;
  ask(context);
}

void AdminCommand::ask(Context& context) {
  context.send(protocol::Admin{request_id_, options_.verb});
}

void AdminCommand::on_reply(RequestId, const protocol::ServerMessage& message, Context& context) {
  if (const auto* error = std::get_if<protocol::Error>(&message)) {
    return context.fail(ExitCode::No, error_line(*error));
  }
  if (const auto* list = std::get_if<protocol::ConnectionList>(&message)) {
    return on_list(*list, context);
  }
  const auto* done = std::get_if<protocol::AdminDone>(&message);
  if (done == nullptr) {
    return context.fail(ExitCode::Failed, "the server did not say what it has done");
  }
  context.print(done_text(*done));
  context.finish(ExitCode::Done);
}

void AdminCommand::on_list(const protocol::ConnectionList& list, Context& context) {
  auto* asked = std::get_if<protocol::ListConnections>(&options_.verb);
  const bool goes_on =
      !list.connections.empty() &&
      (asked != nullptr && list.connections.back().connection.value > asked->after);
  const bool is_endless = connections_.size() + list.connections.size() > kConnectionsMax;
  if (asked == nullptr || is_endless || (list.has_more && !goes_on)) {
    return context.fail(ExitCode::Failed, "the server answered with a list of no use");
  }
  connections_.insert(connections_.end(), list.connections.begin(), list.connections.end());
  if (list.has_more) {
    asked->after = list.connections.back().connection.value;
    return ask(context);
  }
  context.print(options_.output == Output::Json ? connections_json(connections_)
                                                : connections_text(connections_));
  context.finish(ExitCode::Done);
}

std::string AdminCommand::done_text(const protocol::AdminDone& done) const {
  if (options_.output == Output::Json) {
    return "{\"connections\":" + std::to_string(done.connections) + "}\n";
  }
  const std::string count =
      std::to_string(done.connections) + (done.connections == 1 ? " connection" : " connections");
  if (std::holds_alternative<protocol::Kick>(options_.verb) ||
      std::holds_alternative<protocol::RevokeToken>(options_.verb)) {
    return "Done: closed " + count + ".\n";
  }
  if (std::holds_alternative<protocol::SendNotice>(options_.verb)) {
    return "Done: told " + count + ".\n";
  }
  return "Done.\n";
}

}  // namespace tengen::cli
