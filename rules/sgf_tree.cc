// Reading: one pass over the bytes with a stack of the variations that are open.
#include "rules/sgf_tree.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "rules/sgf_scan.h"

namespace tengen::rules {
namespace {

/// A root is read up to three times for its charset and a tree a second time if that was wrong;
/// this bound keeps a hostile file linear.
constexpr std::size_t kTimesReadAgain = 8;

bool is_high(char c) { return static_cast<std::uint8_t>(c) >= 0x80; }

bool has_paired_high_bytes(std::string_view value) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!is_high(value[i])) continue;
    const auto first = static_cast<std::uint8_t>(value[i]);
    if (first < 0xA1 || ++i == value.size() || static_cast<std::uint8_t>(value[i]) < 0xA1)
      return false;
  }
  return true;
}

template <typename Predicate>
bool every_value(const SgfTree& tree, Predicate holds) {
  return std::all_of(tree.nodes.begin(), tree.nodes.end(), [&](const SgfNode& node) {
    return std::all_of(node.properties.begin(), node.properties.end(), [&](const auto& property) {
      return std::all_of(property.values.begin(), property.values.end(), holds);
    });
  });
}

std::string guessed_charset(const SgfTree& tree, const CharsetDecoder& decode) {
  if (every_value(tree, is_utf8)) return "UTF-8";
  const bool may_be_gbk = every_value(tree, has_paired_high_bytes);
  return may_be_gbk && SgfCharset("GBK", decode).is_known() ? "GBK" : "ISO-8859-1";
}

void decode_values(SgfTree& tree, SgfCharset& charset) {
  for (SgfNode& node : tree.nodes) {
    for (SgfProperty& property : node.properties) {
      for (std::string& value : property.values) {
        if (std::any_of(value.begin(), value.end(), is_high)) value = charset.decoded(value);
      }
    }
  }
  tree.charset = charset.name();
}

int number_of(std::string_view text) {
  int number = 0;
  for (const char c : text.substr(0, 4))
    number = c >= '0' && c <= '9' ? number * 10 + (c - '0') : number;
  return number;
}

/// Takes FF and CA out of the root.
void lift_format(SgfTree& tree) {
  SgfNode& root = tree.nodes.front();
  tree.format = std::max(1, number_of(root.value("FF")));
  std::erase_if(root.properties, [](const SgfProperty& property) {
    return property.id == "FF" || property.id == "CA";
  });
}

std::string name_of_byte(char c) {
  if (c > ' ' && c < 0x7f) return std::string("'") + c + "'";
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "byte 0x%02X",
                static_cast<unsigned>(static_cast<std::uint8_t>(c)));
  return text.data();
}

std::string too_many(std::string_view what, std::size_t limit) {
  return "more than " + std::to_string(limit) + " " + std::string(what);
}

class Reader {
 public:
  Reader(std::string_view text, const CharsetDecoder& decode, const SgfLimits& limits)
      : text_(text),
        decode_(decode),
        limits_(limits),
        lines_(text),
        spare_(kTimesReadAgain * text.size()) {}

  /// `is_unicode`: the file's own mark says UTF-8, whatever CA says.
  std::variant<SgfCollection, SgfError> read(bool is_unicode);

 private:
  bool read_tree(const std::string& declared);
  bool read_nodes(SgfCharset& charset);
  bool open_variation();
  void close_variation();
  bool add_node();
  bool read_property(SgfCharset& charset);
  SgfProperty* property_for(std::string id, std::size_t at);
  bool read_values(SgfProperty& property, SgfCharset& charset);
  void finish_tree(SgfCharset& charset, bool is_declared);
  bool fail(std::size_t at, std::string reason);

  std::string_view text_;
  const CharsetDecoder& decode_;
  const SgfLimits& limits_;
  LineCounter lines_;
  std::size_t spare_;  // bytes of the file that may yet be read a second time
  SgfCollection collection_;
  SgfError error_;
  std::size_t pos_ = 0;
  std::size_t nodes_ = 0;
  std::size_t values_ = 0;
  // The tree being read.
  SgfTree tree_;
  std::vector<std::uint32_t> last_child_;  // per node
  std::vector<std::uint32_t> open_;        // per open variation: the node it hangs on
  std::uint32_t current_ = SgfNode::kNone;
  bool is_in_node_ = false;
};

std::variant<SgfCollection, SgfError> Reader::read(bool is_unicode) {
  while ((pos_ = find_tree(text_, pos_)) != kNotFound) {
    if (collection_.trees.size() == limits_.trees) {
      fail(pos_, too_many("game trees", limits_.trees));
      return error_;
    }
    const std::string declared = is_unicode ? "UTF-8" : declared_charset(text_, pos_, spare_);
    if (!read_tree(declared)) return error_;
  }
  if (collection_.trees.empty()) return SgfError{1, 1, "no game tree: no \"(\" followed by \";\""};
  return std::move(collection_);
}

/// A tree that cannot be split as its CA says is tried once more with every byte for itself.
bool Reader::read_tree(const std::string& declared) {
  SgfCharset charset(declared, decode_);
  const std::size_t start = pos_;
  const LineCounter lines = lines_;
  const std::size_t nodes = nodes_;
  const std::size_t values = values_;
  bool is_declared = charset.is_known() || hides_brackets(charset.kind());
  if (!read_nodes(charset)) {
    const std::size_t wasted = pos_ - start;
    if (!hides_brackets(charset.kind()) || wasted > spare_) return false;
    spare_ -= wasted;
    const SgfError error = error_;
    pos_ = start;
    lines_ = lines;
    nodes_ = nodes;
    values_ = values;
    is_declared = false;
    SgfCharset plain("UTF-8", decode_);
    if (!read_nodes(plain)) {
      error_ = error;
      return false;
    }
  }
  finish_tree(charset, is_declared);
  return true;
}

bool Reader::read_nodes(SgfCharset& charset) {
  tree_ = SgfTree{};
  last_child_.clear();
  open_.clear();
  current_ = SgfNode::kNone;
  while (true) {
    pos_ = skip_space(text_, pos_);
    if (pos_ == text_.size()) return fail(pos_, "the file ends inside a game tree");
    bool is_sound = true;
    switch (text_[pos_]) {
      case '(':
        is_sound = open_variation();
        break;
      case ')':
        close_variation();
        break;
      case ';':
        is_sound = add_node();
        break;
      default:
        is_sound = read_property(charset);
    }
    if (!is_sound) return false;
    if (open_.empty()) return true;
  }
}

bool Reader::open_variation() {
  if (open_.size() == limits_.open_variations) {
    return fail(pos_, too_many("variations inside each other", limits_.open_variations));
  }
  open_.push_back(current_);
  is_in_node_ = false;
  ++pos_;
  return true;
}

void Reader::close_variation() {
  current_ = open_.back();
  open_.pop_back();
  is_in_node_ = false;
  ++pos_;
}

bool Reader::add_node() {
  if (++nodes_ > limits_.nodes) return fail(pos_, too_many("nodes", limits_.nodes));
  const auto index = static_cast<std::uint32_t>(tree_.nodes.size());
  SgfNode& node = tree_.nodes.emplace_back();
  node.place = lines_.place(pos_);
  node.parent = current_;
  last_child_.push_back(SgfNode::kNone);
  if (current_ != SgfNode::kNone) {
    std::uint32_t& last = last_child_[current_];
    (last == SgfNode::kNone ? tree_.nodes[current_].first_child : tree_.nodes[last].next_sibling) =
        index;
    last = index;
  }
  current_ = index;
  is_in_node_ = true;
  ++pos_;
  return true;
}

bool Reader::read_property(SgfCharset& charset) {
  const std::size_t start = pos_;
  if (!is_letter(text_[pos_])) {
    return fail(pos_,
                name_of_byte(text_[pos_]) + " where a property, a node or a variation should be");
  }
  if (!is_in_node_) return fail(pos_, "a property before the \";\" of a node");
  std::string id = read_identifier(text_, pos_);
  if (id.empty()) return fail(start, "a property name without a capital letter");
  if (pos_ - start > limits_.identifier_letters) {
    return fail(start, "a property name of " + too_many("letters", limits_.identifier_letters));
  }
  pos_ = skip_space(text_, pos_);
  if (pos_ == text_.size()) return fail(pos_, "the file ends inside a game tree");
  if (text_[pos_] != '[') return fail(pos_, "no value in brackets after " + id);
  SgfProperty* property = property_for(std::move(id), start);
  return property != nullptr && read_values(*property, charset);
}

SgfProperty* Reader::property_for(std::string id, std::size_t at) {
  std::vector<SgfProperty>& properties = tree_.nodes[current_].properties;
  const auto found = std::find_if(properties.begin(), properties.end(),
                                  [&id](const SgfProperty& property) { return property.id == id; });
  if (found != properties.end()) return &*found;
  if (properties.size() == limits_.node_properties) {
    fail(at, too_many("different properties in one node", limits_.node_properties));
    return nullptr;
  }
  return &properties.emplace_back(SgfProperty{std::move(id), {}, lines_.place(at)});
}

bool Reader::read_values(SgfProperty& property, SgfCharset& charset) {
  while (pos_ < text_.size() && text_[pos_] == '[') {
    if (++values_ > limits_.values) return fail(pos_, too_many("values", limits_.values));
    const std::size_t end = end_of_value(text_, pos_ + 1, charset);
    if (end == kNotFound) {
      return fail(pos_, "the value of " + property.id + " that begins here has no closing bracket");
    }
    property.values.emplace_back(text_.substr(pos_ + 1, end - pos_ - 1));
    pos_ = skip_space(text_, end + 1);
  }
  return true;
}

void Reader::finish_tree(SgfCharset& charset, bool is_declared) {
  lift_format(tree_);
  if (is_declared) {
    decode_values(tree_, charset);
  } else {
    SgfCharset guess(guessed_charset(tree_, decode_), decode_);
    decode_values(tree_, guess);
  }
  collection_.trees.push_back(std::move(tree_));
}

bool Reader::fail(std::size_t at, std::string reason) {
  const SgfPlace place = lines_.place(at);
  error_ = {place.line, place.column, std::move(reason)};
  return false;
}

/// The charset that a UTF-16 byte order mark names, or nothing.
std::string_view utf16_of(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE")) return "UTF-16LE";
  if (bytes.starts_with("\xFE\xFF")) return "UTF-16BE";
  return {};
}

}  // namespace

const SgfProperty* SgfNode::find(std::string_view id) const {
  const auto found = std::find_if(properties.begin(), properties.end(),
                                  [id](const SgfProperty& property) { return property.id == id; });
  return found == properties.end() ? nullptr : &*found;
}

std::string_view SgfNode::value(std::string_view id) const {
  const SgfProperty* property = find(id);
  if (property == nullptr || property->values.empty()) return {};
  return property->values.front();
}

std::variant<SgfCollection, SgfError> parse_sgf(std::string_view bytes,
                                                const CharsetDecoder& decode,
                                                const SgfLimits& limits) {
  if (bytes.size() > limits.bytes) return SgfError{1, 1, too_many("bytes", limits.bytes)};
  if (const std::string_view wide = utf16_of(bytes); !wide.empty()) {
    const auto text = decode ? decode(bytes.substr(2), wide) : std::nullopt;
    if (!text) return SgfError{1, 1, "UTF-16 text that cannot be read"};
    return Reader(*text, decode, limits).read(true);
  }
  const bool is_marked = bytes.starts_with("\xEF\xBB\xBF");
  return Reader(bytes, decode, limits).read(is_marked);
}

}  // namespace tengen::rules
