// libFuzzer target: SGF. Whatever is read must be written so that it reads as the same trees again
// and is written the same, and the main line of each tree is a game or an error, never a crash.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "clients/cli/charset.h"
#include "rules/sgf_game.h"
#include "rules/sgf_tree.h"

namespace {

using namespace tengen::rules;

void read_games(const SgfCollection& collection) {
  for (const SgfTree& tree : collection.trees) {
    const auto game = game_of(tree);
    const auto* read = std::get_if<SgfGame>(&game);
    if (read == nullptr) continue;
    (void)parse_result_text(read->result);
    (void)preset_of_rules(read->rules);
    for (const SgfStep& step : read->steps) {
      if (step.kind == SgfStepKind::Play && !step.point.is_on(read->size)) std::abort();
    }
  }
}

void round_trip(const SgfCollection& collection) {
  const std::string written = write_sgf(collection);
  SgfLimits wide;
  wide.bytes = 4 * wide.bytes;
  const auto parsed = parse_sgf(written, nullptr, wide);
  const auto* again = std::get_if<SgfCollection>(&parsed);
  if (again == nullptr || *again != collection || write_sgf(*again) != written) std::abort();
}

void texts(std::string_view text) {
  const std::string value = escaped_text(text_of(text));
  if (text_of(value) != text_of(text)) std::abort();
  (void)parse_komi_half(text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  texts(bytes);
  const auto parsed = parse_sgf(bytes, tengen::cli::decode_charset);
  if (const auto* collection = std::get_if<SgfCollection>(&parsed)) {
    read_games(*collection);
    round_trip(*collection);
  }
  return 0;
}
