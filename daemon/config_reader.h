// Reading one table of a TOML file. Every complaint is remembered with its place, and what is wrong
// keeps its default, so that one run reports all errors. For the sources of the configuration only:
// toml++ is slow to include.
#pragma once

// toml++ asserts on some bytes before it reports them; a strange file must be an error, not the
// end.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/config.h"

namespace tengen::daemon {

class Reader {
 public:
  /// The table, the file's name and the errors must outlive the reader.
  Reader(const toml::table& table, const std::string& file, ConfigErrors& errors)
      : table_(table), file_(file), errors_(errors) {}

  void complain(const toml::node& node, const std::string& text);
  /// A complaint about the table itself.
  void complain(const std::string& text) { complain(table_, text); }

  /// The key's value or null; from now on the key is a known one.
  const toml::node* find(std::string_view key);

  // Each reads the key into `value` if it is there.
  void read(std::string_view key, std::string& value);
  void read(std::string_view key, bool& value);
  void read(std::string_view key, std::chrono::milliseconds& value, std::int64_t maximum);
  template <typename Integer>
  void read(std::string_view key, Integer& value, std::int64_t minimum, std::int64_t maximum) {
    if (const auto number = integer(key, minimum, maximum)) value = static_cast<Integer>(*number);
  }
  enum class Empty : std::uint8_t { Refused, Allowed };
  void read(std::string_view key, std::vector<std::string>& value, Empty empty);
  /// One of a few words, which `words` lists for people: "none or gtp".
  template <typename Value>
  void read(std::string_view key, Value& value, std::optional<Value> (*parse)(std::string_view),
            std::string_view words) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const auto text = node->value_exact<std::string>();
    const auto parsed = text ? parse(*text) : std::nullopt;
    if (parsed) {
      value = *parsed;
    } else {
      complain(*node, std::string(key) + " must be " + std::string(words));
    }
  }

  /// The table of this key, or null.
  const toml::table* table(std::string_view key);
  /// Each table of an array of tables, in order; nothing when the key is not there.
  std::optional<std::vector<const toml::table*>> tables(std::string_view key);

  /// Complains about every key that was not asked for.
  void refuse_unknown();

 private:
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t minimum,
                                      std::int64_t maximum);
  void complain_at(const toml::source_position& at, const std::string& text);
  std::string known_like(std::string_view key) const;

  const toml::table& table_;
  const std::string& file_;
  ConfigErrors& errors_;
  std::set<std::string> known_;
};

}  // namespace tengen::daemon
