// Virtual GTP engines: what opens one, and calls to it as bytes.
#include <utility>

#include "protocol/convert.h"
#include "protocol/gtp_calls.h"
#include "protocol/gtp_convert.h"

namespace tengen::protocol {
namespace {

constexpr rules::Size kStartSize{19, 19};
constexpr std::size_t kMethodBytesMax = 64;

GtpStart read_start(const v1::OpenVirtualEngine& wire, FieldReader& reader) {
  if (!wire.has_start()) return {kStartSize, 0, {}};
  auto start = read_gtp_game(wire.start());
  if (const auto* error = std::get_if<Error>(&start)) {
    reader.refuse(error->code, error->reason, error->message);
    return {kStartSize, 0, {}};
  }
  return std::get<GtpStart>(std::move(start));
}

std::string optional_request_id(const std::string& text, FieldReader& reader) {
  return text.empty() ? "" : reader.request_id(text);
}

}  // namespace

VirtualEngineId read_engine_id(const std::string& text, FieldReader& reader) {
  const auto id = parse_virtual_engine_id(text);
  if (!id) reader.refuse("engine", "engine must be 32 hexadecimal digits");
  return id.value_or(VirtualEngineId{});
}

OpenVirtualEngine read_open_virtual(const v1::OpenVirtualEngine& wire, FieldReader& reader) {
  const rules::Preset& preset = read_preset(wire.preset(), reader);
  OpenVirtualEngine open{.profile = reader.token(wire.profile(), kProfileBytesMax, "profile"),
                         .settings = read_settings(wire.settings(), reader),
                         .start = read_start(wire, reader),
                         .rules = read_rules(wire.rules(), preset.rules, reader),
                         .request_id = optional_request_id(wire.request_id(), reader)};
  if (const auto problem = rules::problem(open.rules)) {
    reader.refuse(ErrorCode::UnsupportedRules, "rules", *problem);
  }
  return open;
}

void write_open_virtual(const OpenVirtualEngine& open, v1::OpenVirtualEngine& wire) {
  wire.set_profile(open.profile);
  for (const auto& [key, value] : open.settings) {
    v1::Setting& setting = *wire.add_settings();
    setting.set_key(key);
    setting.set_value(value);
  }
  write_gtp_game(open.start, *wire.mutable_start());
  write_rules(open.rules, *wire.mutable_rules());
  wire.set_request_id(open.request_id);
}

CallVirtualEngine read_virtual_call(const v1::GtpCall& wire, FieldReader& reader) {
  CallVirtualEngine call{.engine = read_engine_id(wire.engine(), reader),
                         .method = reader.token(wire.method(), kMethodBytesMax, "method"),
                         .request = wire.request(),
                         .request_id = optional_request_id(wire.request_id(), reader)};
  if (call.request.size() > kGtpRequestBytesMax) {
    reader.refuse("request",
                  "request must be at most " + std::to_string(kGtpRequestBytesMax) + " bytes");
  }
  return call;
}

}  // namespace tengen::protocol
