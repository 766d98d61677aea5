// Rules as components, and the names people use for sets of them. Source of the presets: the
// table in docs/rules.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rules/point.h"

namespace tengen::rules {

enum class KoRule : std::uint8_t { Simple = 1, Positional = 2, Situational = 3 };
enum class SuicideRule : std::uint8_t { No = 1, Multi = 2, Any = 3 };
enum class Scoring : std::uint8_t { Area = 1, Territory = 2 };
/// Points white gets for n handicap stones: none, n, or n - 1.
enum class HandicapBonus : std::uint8_t { None = 1, N = 2, NMinusOne = 3 };
/// What two passes lead to: scoring as it stands, the comparison of dead lists, or the confirmation
/// phase of the Japanese rules.
enum class EndRule : std::uint8_t { AllAlive = 1, CompareLists = 2, Confirmation = 3 };

struct Ruleset {
  KoRule ko = KoRule::Positional;
  SuicideRule suicide = SuicideRule::No;
  Scoring scoring = Scoring::Area;
  HandicapBonus bonus = HandicapBonus::N;
  EndRule end = EndRule::CompareLists;
  /// Plays and passes after which the game is scored as it stands; 0 means 3 * width * height.
  std::uint32_t move_limit = 0;

  std::uint32_t effective_move_limit(Size size) const {
    return move_limit != 0 ? move_limit : 3u * static_cast<std::uint32_t>(size.area());
  }
  friend bool operator==(const Ruleset&, const Ruleset&) = default;
};

/// Why these components do not go together; nothing when they do. Territory with the comparison of
/// dead lists is refused: play that goes on after a disagreement would cost points.
std::optional<std::string> problem(const Ruleset& rules);

/// Points white gets for black's handicap of that many stones; fewer than two are none.
int bonus_points(HandicapBonus bonus, int stones);

struct Preset {
  std::string_view name;
  Ruleset rules;
  int komi_half = 15;             // half points
  std::optional<Size> only_size;  // absent: every size
};

/// All presets in the order they are documented.
std::span<const Preset> presets();
/// The preset of that exact name, or null.
const Preset* find_preset(std::string_view name);

/// What agents play by (document 002): the one kind of game that their view knows.
inline constexpr std::string_view kAgentPreset = "go-chinese-19-0.3";

/// Largest komi accepted, in half points either way (KataGo's limit, 1000 points, is wider).
inline constexpr int kMaxKomiHalf = 800;

/// "7.5", "-3", "0".
std::string komi_text(int komi_half);
/// Reads a komi in points, a multiple of 0.5 within the largest: "7.5", "-3", "0.50".
std::optional<int> parse_komi(std::string_view text);

/// The words used on command lines, in logs and in configuration: "positional", "any", "n-1" ...
std::string_view name_of(KoRule ko);
std::string_view name_of(SuicideRule suicide);
std::string_view name_of(Scoring scoring);
std::string_view name_of(HandicapBonus bonus);
std::string_view name_of(EndRule end);
std::optional<KoRule> parse_ko(std::string_view text);
std::optional<SuicideRule> parse_suicide(std::string_view text);
std::optional<Scoring> parse_scoring(std::string_view text);
std::optional<HandicapBonus> parse_bonus(std::string_view text);
std::optional<EndRule> parse_end(std::string_view text);

}  // namespace tengen::rules
