// The log's binary form, one protobuf message for the header and one for each event: what the store
// keeps. Fields are never renumbered.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rules/log.h"

namespace tengen::protocol {

std::string encode_header(const rules::Header& header);
std::optional<rules::Header> decode_header(std::string_view bytes);
std::string encode_event(const rules::Event& event);
/// Nothing when the bytes are not an event this version knows whole.
std::optional<rules::Event> decode_event(std::string_view bytes);

}  // namespace tengen::protocol
