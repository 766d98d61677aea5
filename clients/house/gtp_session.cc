#include "clients/house/gtp_session.h"

#include <utility>

namespace tengen::house {

GtpSession::GtpSession(const HouseOptions& options, FileReader read_file)
    : limits_(options.limits), lines_(options.limits), referee_(options, std::move(read_file)) {}

std::optional<std::string> GtpSession::next_answer() {
  while (!is_over()) {
    const std::optional<GtpLine> line = lines_.take();
    if (!line) return std::nullopt;
    const std::optional<Command> command = parse_command(line->text, limits_);
    if (line->is_too_long) {
      return answer_text(command ? command->id : std::nullopt, failure("line too long"));
    }
    if (command) return answer_text(command->id, referee_.answer(*command));
  }
  return std::nullopt;
}

}  // namespace tengen::house
