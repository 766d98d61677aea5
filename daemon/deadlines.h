// The deadlines of many cores in one ordered set. After an event only the touched core's is set
// anew.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "daemon/effects.h"

namespace tengen::daemon {

template <typename Key>
class Deadlines {
 public:
  /// The key's deadline from now on; none removes it.
  void set(const Key& key, std::optional<TimePoint> at) {
    const auto old = by_key_.find(key);
    if (old != by_key_.end()) {
      if (at == old->second) return;
      ordered_.erase({old->second, key});
      by_key_.erase(old);
    }
    if (!at) return;
    by_key_.emplace(key, *at);
    ordered_.emplace(*at, key);
  }

  /// Whether the judge says yes to every key that has a deadline.
  template <typename Judge>
  bool all_of(const Judge& judge) const {
    for (const auto& [key, at] : by_key_) {
      if (!judge(key)) return false;
    }
    return true;
  }

  std::optional<TimePoint> next() const {
    if (ordered_.empty()) return std::nullopt;
    return ordered_.begin()->first;
  }

  /// Removes and gives a key whose deadline has come; nothing when none has.
  std::optional<Key> take_due(TimePoint now) {
    if (ordered_.empty() || ordered_.begin()->first > now) return std::nullopt;
    const Key key = ordered_.begin()->second;
    ordered_.erase(ordered_.begin());
    by_key_.erase(key);
    return key;
  }

 private:
  std::map<Key, TimePoint> by_key_;
  std::set<std::pair<TimePoint, Key>> ordered_;
};

}  // namespace tengen::daemon
