// Any bytes as a binary frame from a client: refused with a reason, or a frame that survives being
// written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "protocol/codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tengen::protocol;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto decoded = decode_client(Format::Binary, bytes);
  if (const auto* bad = std::get_if<DecodeError>(&decoded)) {
    if (bad->error.message.empty()) std::abort();
    return 0;
  }
  const auto& frame = std::get<ClientFrame>(decoded);
  const auto again = decode_client(Format::Binary, encode(Format::Binary, frame));
  if (!std::holds_alternative<ClientFrame>(again)) std::abort();
  if (std::get<ClientFrame>(again) != frame) std::abort();
  return 0;
}
