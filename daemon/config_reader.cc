#include "daemon/config_reader.h"

#include <algorithm>
#include <numeric>

#include "pool/gtp.h"

namespace tengen::daemon {
namespace {

constexpr std::size_t kSlipsMax = 2;  // letters wrong in a key that is still recognized

/// How many letters must be added, left out or changed to make one text of the other (the
/// Levenshtein distance).
std::size_t slips_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0u);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

void Reader::complain_at(const toml::source_position& at, const std::string& text) {
  errors_.push_back(file_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                    text);
}

void Reader::complain(const toml::node& node, const std::string& text) {
  complain_at(node.source().begin, text);
}

const toml::node* Reader::find(std::string_view key) {
  known_.emplace(key);
  return table_.get(key);
}

void Reader::read(std::string_view key, std::string& value) {
  const auto* node = find(key);
  if (node == nullptr) return;
  if (const auto text = node->value_exact<std::string>()) {
    value = *text;
  } else {
    complain(*node, std::string(key) + " must be a string");
  }
}

void Reader::read(std::string_view key, bool& value) {
  const auto* node = find(key);
  if (node == nullptr) return;
  if (const auto flag = node->value_exact<bool>()) {
    value = *flag;
  } else {
    complain(*node, std::string(key) + " must be true or false");
  }
}

std::optional<std::int64_t> Reader::integer(std::string_view key, std::int64_t minimum,
                                            std::int64_t maximum) {
  const auto* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto number = node->value_exact<std::int64_t>();
  if (number && *number >= minimum && *number <= maximum) return *number;
  complain(*node, std::string(key) + " must be an integer from " + std::to_string(minimum) +
                      " to " + std::to_string(maximum));
  return std::nullopt;
}

void Reader::read(std::string_view key, std::chrono::milliseconds& value, std::int64_t maximum) {
  if (const auto number = integer(key, 1, maximum)) value = std::chrono::milliseconds(*number);
}

void Reader::read(std::string_view key, std::vector<std::string>& value, Empty empty) {
  const auto* node = find(key);
  if (node == nullptr) return;
  const auto* array = node->as_array();
  std::vector<std::string> texts;
  for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
    if (const auto text = (*array)[i].value_exact<std::string>()) texts.push_back(*text);
  }
  const bool is_fine = array != nullptr && texts.size() == array->size() &&
                       (empty == Empty::Allowed || !texts.empty());
  if (is_fine) {
    value = std::move(texts);
  } else {
    complain(*node, std::string(key) + " must be an array of strings");
  }
}

const toml::table* Reader::table(std::string_view key) {
  const auto* node = find(key);
  if (node == nullptr) return nullptr;
  if (const auto* table = node->as_table()) return table;
  complain(*node, std::string(key) + " must be written as a [" + std::string(key) + "] table");
  return nullptr;
}

std::optional<std::vector<const toml::table*>> Reader::tables(std::string_view key) {
  const auto* node = find(key);
  if (node == nullptr) return std::nullopt;
  std::vector<const toml::table*> found;
  const auto* array = node->as_array();
  for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
    if (const auto* table = (*array)[i].as_table()) found.push_back(table);
  }
  if (array == nullptr || found.size() != array->size()) {
    complain(*node, std::string(key) + " must be written as [[" + std::string(key) + "]] tables");
  }
  return found;
}

void Reader::refuse_unknown() {
  for (const auto& [key, node] : table_) {
    if (known_.contains(std::string(key.str()))) continue;
    complain_at(key.source().begin,
                "unknown key " + pool::printable(key.str()) + "; " + known_like(key.str()));
  }
}

/// The key that was perhaps meant, or all of them.
std::string Reader::known_like(std::string_view key) const {
  constexpr std::size_t kKeyMax = 64;
  std::string all;
  for (const auto& each : known_) {
    if (key.size() <= kKeyMax && slips_between(key, each) <= kSlipsMax) {
      return "is " + each + " meant?";
    }
    all += (all.empty() ? "known here: " : ", ") + each;
  }
  return all;
}

}  // namespace tengen::daemon
