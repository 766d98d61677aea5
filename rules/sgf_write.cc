// Writing trees: node after node in the order of the file, climbing by the parent index.
#include <cstddef>

#include "rules/sgf_tree.h"

namespace tengen::rules {
namespace {

constexpr std::size_t kNodesPerLine = 10;

/// The value in brackets. Well-formed values pass unchanged; others are made harmless.
void add_value(std::string& sgf, std::string_view value) {
  sgf += '[';
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool is_last = i + 1 == value.size();
    if (value[i] == ']' || (value[i] == '\\' && is_last)) {
      sgf += '\\';
    } else if (value[i] == '\\') {
      sgf += value[i++];
    }
    sgf += value[i];
  }
  sgf += ']';
}

void add_properties(std::string& sgf, const SgfNode& node) {
  for (const SgfProperty& property : node.properties) {
    sgf += property.id;
    if (property.values.empty()) sgf += "[]";
    for (const std::string& value : property.values) add_value(sgf, value);
  }
}

class Writer {
 public:
  Writer(std::string& sgf, const SgfTree& tree) : sgf_(sgf), nodes_(tree.nodes) {}

  void write() {
    sgf_ += "(;FF[4]CA[UTF-8]";
    std::uint32_t at = 0;
    add_properties(sgf_, nodes_[at]);
    while ((at = next(at)) != SgfNode::kNone) {
      sgf_ += ';';
      add_properties(sgf_, nodes_[at]);
    }
    sgf_ += ")\n";
  }

 private:
  /// Steps to the first child, else to the sibling of the nearest node that has one; opens and
  /// closes the variations on the way.
  std::uint32_t next(std::uint32_t at) {
    if (nodes_[at].first_child != SgfNode::kNone) return enter(nodes_[at].first_child);
    while (at != 0) {
      if (is_variation(at)) sgf_ += ')';
      if (nodes_[at].next_sibling != SgfNode::kNone) return enter(nodes_[at].next_sibling);
      at = nodes_[at].parent;
    }
    return SgfNode::kNone;
  }

  std::uint32_t enter(std::uint32_t at) {
    if (is_variation(at) || ++on_line_ > kNodesPerLine) {
      sgf_ += '\n';
      on_line_ = 1;
    }
    if (is_variation(at)) sgf_ += '(';
    return at;
  }

  bool is_variation(std::uint32_t at) const {
    const SgfNode& first = nodes_[nodes_[nodes_[at].parent].first_child];
    return first.next_sibling != SgfNode::kNone;
  }

  std::string& sgf_;
  const std::vector<SgfNode>& nodes_;
  std::size_t on_line_ = kNodesPerLine;  // the moves begin below the root
};

}  // namespace

std::string write_sgf(const SgfCollection& collection) {
  std::string sgf;
  for (const SgfTree& tree : collection.trees) Writer(sgf, tree).write();
  return sgf;
}

}  // namespace tengen::rules
