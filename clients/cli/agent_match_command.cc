#include "clients/cli/agent_match_command.h"

#include <utility>
#include <variant>

#include "clients/cli/json_text.h"
#include "clients/cli/wording.h"
#include "rules/ruleset.h"

namespace tengen::cli {

AgentMatchCommand::AgentMatchCommand(AgentMatchOptions options) : options_(std::move(options)) {}

void AgentMatchCommand::on_opened(const protocol::Welcome&, Context& context) {
  if (request_id_.empty()) request_id_ = fresh_request_id(context.conversation.random());
  const rules::Preset& preset = *rules::find_preset(rules::kAgentPreset);
  protocol::CreateGame create;
  create.request_id = request_id_;
  create.size = *preset.only_size;
  create.preset = std::string(preset.name);
  create.rules = preset.rules;
  create.komi_half = preset.komi_half;
  create.seats[0].kind = rules::SeatKind::Agent;
  create.seats[1].kind = rules::SeatKind::Agent;
  if (options_.opponent) create.seats[1] = *options_.opponent;
  create.colors = protocol::ColorChoice::Random;
  context.send(std::move(create));
}

void AgentMatchCommand::on_reply(RequestId, const protocol::ServerMessage& message,
                                 Context& context) {
  if (const auto* error = std::get_if<protocol::Error>(&message)) {
    return context.fail(ExitCode::No, error_line(*error));
  }
  const auto* created = std::get_if<protocol::GameCreated>(&message);
  if (created == nullptr) {
    return context.fail(ExitCode::Failed, "the server did not answer with a game");
  }
  context.print(options_.output == Output::Json ? json(*created) : text(*created));
  context.finish(ExitCode::Done);
}

void AgentMatchCommand::on_lost(const std::string& reason, Context& context) {
  context.warn("The server is away (" + reason + "); looking for it.\n");
}

std::string AgentMatchCommand::text(const protocol::GameCreated& created) const {
  std::string out = "Game " + rules::to_text(created.game) + "\n";
  for (const protocol::TicketOf& ticket : created.tickets) {
    out += "Ticket of slot " + std::to_string(ticket.slot) + ": " + ticket.ticket + "\n";
  }
  out += "Watch: " + options_.http + "/watch/" + rules::to_text(created.game) + "\n";
  return out +
         "Each agent calls with its ticket, such as\n  curl -H \"Authorization: Bearer "
         "TICKET\" " +
         options_.http + "/v1/view\nThe rules and the calls: " + options_.http + "/v1/rules/go\n";
}

std::string AgentMatchCommand::json(const protocol::GameCreated& created) const {
  std::string tickets;
  for (const protocol::TicketOf& ticket : created.tickets) {
    tickets += tickets.empty() ? "" : ",";
    tickets += "{\"slot\":" + std::to_string(ticket.slot) +
               ",\"ticket\":" + json_string(ticket.ticket) + "}";
  }
  const std::string game = rules::to_text(created.game);
  return "{\"game\":" + json_string(game) + ",\"tickets\":[" + tickets +
         "],\"url\":" + json_string(options_.http) +
         ",\"watch\":" + json_string(options_.http + "/watch/" + game) + "}\n";
}

}  // namespace tengen::cli
