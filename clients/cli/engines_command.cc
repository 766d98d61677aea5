// The list of engines as a table and as JSON.
#include "clients/cli/engines_command.h"

#include <variant>

#include "clients/cli/json_text.h"
#include "clients/cli/table.h"
#include "clients/cli/wording.h"

namespace tengen::cli {

namespace {

std::string engine_name(const protocol::EngineInfo& engine) {
  if (engine.name.empty()) return "-";
  const std::string name = printable(engine.name);
  return engine.version.empty() ? name : name + " " + printable(engine.version);
}

std::string sizes(const protocol::EngineInfo& engine) {
  return std::to_string(engine.size_min) + "-" + std::to_string(engine.size_max);
}

std::string settings(const protocol::EngineInfo& engine) {
  std::string text;
  for (const protocol::EngineSetting& setting : engine.settings) {
    text += text.empty() ? "" : ", ";
    text += printable(setting.key) + "=" + std::to_string(setting.standard) + " (" +
            std::to_string(setting.minimum) + ".." + std::to_string(setting.maximum) + ")";
  }
  return text.empty() ? "-" : text;
}

const char* state(const protocol::EngineInfo& engine) {
  if (engine.failed) return "failed";
  return engine.draining ? "draining" : "ok";
}

std::string engine_json(const protocol::EngineInfo& engine) {
  std::string list;
  for (const protocol::EngineSetting& setting : engine.settings) {
    list += list.empty() ? "" : ",";
    list += "{\"key\":" + json_string(setting.key) +
            ",\"minimum\":" + std::to_string(setting.minimum) +
            ",\"maximum\":" + std::to_string(setting.maximum) +
            ",\"standard\":" + std::to_string(setting.standard) + "}";
  }
  return "{\"profile\":" + json_string(engine.profile) + ",\"name\":" + json_string(engine.name) +
         ",\"version\":" + json_string(engine.version) +
         ",\"processes\":" + std::to_string(engine.processes) +
         ",\"processes_max\":" + std::to_string(engine.processes_max) +
         ",\"busy\":" + std::to_string(engine.busy) +
         ",\"queued\":" + std::to_string(engine.queued) +
         ",\"streaming\":" + std::to_string(engine.streaming) +
         ",\"wait_ms\":" + std::to_string(engine.wait.count()) +
         ",\"failed\":" + (engine.failed ? "true" : "false") +
         ",\"draining\":" + (engine.draining ? "true" : "false") +
         ",\"honours_clock\":" + (engine.honours_clock ? "true" : "false") +
         ",\"size_min\":" + std::to_string(engine.size_min) +
         ",\"size_max\":" + std::to_string(engine.size_max) + ",\"settings\":[" + list + "]}";
}

}  // namespace

std::string engines_text(const std::vector<protocol::EngineInfo>& engines) {
  constexpr auto L = Align::Left;
  constexpr auto R = Align::Right;
  std::vector<Row> rows{
      {"PROFILE", "ENGINE", "RUNNING", "BUSY", "QUEUED", "WAIT", "SIZES", "STATE", "SETTINGS"}};
  for (const protocol::EngineInfo& engine : engines) {
    rows.push_back({printable(engine.profile), engine_name(engine),
                    std::to_string(engine.processes) + "/" + std::to_string(engine.processes_max),
                    std::to_string(engine.busy), std::to_string(engine.queued),
                    rules::seconds_text(engine.wait) + " s", sizes(engine), state(engine),
                    settings(engine)});
  }
  return table_text({L, L, R, R, R, R, L, L, L}, rows);
}

std::string engines_json(const std::vector<protocol::EngineInfo>& engines) {
  std::string list;
  for (const protocol::EngineInfo& engine : engines) {
    list += (list.empty() ? "" : ",") + engine_json(engine);
  }
  return "{\"engines\":[" + list + "]}\n";
}

void EnginesCommand::on_opened(const protocol::Welcome&, Context& context) {
  context.send(protocol::ListEngines{});
}

void EnginesCommand::on_reply(RequestId, const protocol::ServerMessage& message, Context& context) {
  if (const auto* error = std::get_if<protocol::Error>(&message)) {
    return context.fail(ExitCode::No, error_line(*error));
  }
  const auto* list = std::get_if<protocol::EngineList>(&message);
  if (list == nullptr) {
    return context.fail(ExitCode::Failed, "the server did not answer with a list of engines");
  }
  context.print(output_ == Output::Json ? engines_json(list->engines)
                                        : engines_text(list->engines));
  context.finish(ExitCode::Done);
}

}  // namespace tengen::cli
