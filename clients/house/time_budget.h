// How many playouts the time left allows. No clock is read: the estimate rests on the controller's
// own figures and an assumed speed, so the same commands give the same moves on every machine.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

#include "rules/color.h"

namespace tengen::house {

/// None: no limit. ByoYomi: `stones` is a number of periods, each for one move. Canadian: that many
/// moves in one period.
enum class TimeSystem : std::uint8_t { None, Absolute, ByoYomi, Canadian };

struct TimeSettings {
  TimeSystem system = TimeSystem::None;
  std::chrono::seconds main{0};
  std::chrono::seconds period{0};
  int stones = 0;
};

/// What `time_left` says: `stones` 0 means main time.
struct TimeLeft {
  std::chrono::seconds time{0};
  int stones = 0;
};

class TimeBudget {
 public:
  void set(const TimeSettings& settings);
  void set_left(rules::Color color, TimeLeft left) { left_[index(color)] = left; }
  /// A new game: the settings stay, what was left is forgotten.
  void restart() { left_ = {}; }

  /// `wanted`, or fewer so that one move of `color` takes no more than a thirtieth of its main time
  /// or half of its share of a period, whichever is longer, if `per_second` playouts are made in a
  /// second. Never below kFewest, unless fewer are wanted.
  int playouts(rules::Color color, int wanted, int per_second) const;

  static constexpr int kFewest = 16;

 private:
  static std::size_t index(rules::Color color) {
    return static_cast<std::size_t>(rules::index_of(color));
  }
  std::chrono::milliseconds share_of_period(const TimeLeft& left) const;

  TimeSettings settings_;
  std::array<std::optional<TimeLeft>, 2> left_;
};

}  // namespace tengen::house
