// See clock_commands.h. The numbers are rules/engine_clock's; here they only become commands.
#include "pool/clock_commands.h"

#include "rules/engine_clock.h"

namespace tengen::pool {
namespace {

using rules::ClockFace;
using rules::ClockSystem;
using rules::NoLimitForm;
using rules::TimeControl;

std::string gtp_words(const rules::GtpTimeSettings& told) {
  return std::to_string(told.main) + " " + std::to_string(told.byo_time) + " " +
         std::to_string(told.byo_stones);
}

/// The dialects with a word for it say "none", unless the engine misunderstands that as well.
std::string large_absolute() { return "absolute " + std::to_string(rules::kMaxToldSeconds); }

std::optional<std::string> left_words(const std::optional<rules::GtpTimeLeft>& left) {
  if (!left) return std::nullopt;
  return std::to_string(left->seconds) + " " + std::to_string(left->stones);
}

std::optional<std::string> left_words(ClockDialect dialect, const TimeControl& control,
                                      const ClockFace& face) {
  switch (dialect) {
    case ClockDialect::Gtp:
      return left_words(rules::gtp_time_left(control, face));
    case ClockDialect::Kgs:
      return left_words(rules::kgs_time_left(control, face));
    case ClockDialect::Kata:
      return rules::kata_time_left(control, face);
    case ClockDialect::None:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::string time_settings_command(const Profile& profile, const std::optional<JobClock>& clock) {
  const TimeControl control = clock ? clock->control : TimeControl{};
  const bool says_absolute =
      control.system == ClockSystem::None && profile.no_limit == NoLimitForm::LargeAbsolute;
  switch (profile.clock) {
    case ClockDialect::Gtp:
      return "time_settings " + gtp_words(rules::gtp_time_settings(control, profile.no_limit));
    case ClockDialect::Kgs:
      return "kgs-time_settings " +
             (says_absolute ? large_absolute() : rules::kgs_time_settings(control));
    case ClockDialect::Kata:
      return "kata-time_settings " +
             (says_absolute ? large_absolute() : rules::kata_time_settings(control));
    case ClockDialect::None:
      break;
  }
  return {};
}

std::vector<std::string> time_left_commands(const Profile& profile,
                                            const std::optional<JobClock>& clock) {
  std::vector<std::string> commands;
  if (!clock) return commands;
  for (const rules::Color color : {rules::Color::Black, rules::Color::White}) {
    const ClockFace& face = clock->faces[static_cast<std::size_t>(rules::index_of(color))];
    if (const auto left = left_words(profile.clock, clock->control, face)) {
      commands.push_back((color == rules::Color::Black ? "time_left B " : "time_left W ") + *left);
    }
  }
  return commands;
}

}  // namespace tengen::pool
