// SGF as trees of nodes and properties, for reading and writing back what we do not understand. A
// tree is one vector of nodes in the order of the file; nodes name each other by index, so nothing
// here recurses, however deep the variations are. What the properties mean is in sgf_text.h
// (values) and sgf_game.h (a game of Go). Format: https://www.red-bean.com/sgf/sgf4.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rules/sgf_charset.h"

namespace tengen::rules {

/// A place in the file, both from 1. Columns count bytes (of the decoded text in a UTF-16 file).
struct SgfPlace {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend bool operator==(SgfPlace, SgfPlace) = default;
};

/// Why a file, or a tree of it, was refused.
struct SgfError {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::string reason;
};

/// Values are UTF-8 between the brackets as the file has them, escapes included, so that writing
/// gives back the same text; text_of() and its neighbours in sgf_text.h make sense of them.
struct SgfProperty {
  std::string id;  // capitals and digits: small letters of older files are dropped
  std::vector<std::string> values;
  SgfPlace place;

  friend bool operator==(const SgfProperty& a, const SgfProperty& b) {
    return a.id == b.id && a.values == b.values;
  }
};

struct SgfNode {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::uint32_t parent = kNone;
  std::uint32_t first_child = kNone;  // the main line
  std::uint32_t next_sibling = kNone;
  std::vector<SgfProperty> properties;  // each id once; repeated ones are joined
  SgfPlace place;

  /// The property of that name, or null.
  const SgfProperty* find(std::string_view id) const;
  /// Its first value as written, or the empty text.
  std::string_view value(std::string_view id) const;

  friend bool operator==(const SgfNode& a, const SgfNode& b) {
    return a.parent == b.parent && a.first_child == b.first_child &&
           a.next_sibling == b.next_sibling && a.properties == b.properties;
  }
};

/// One game tree; its root is the first node, and there is always one. CA and FF are lifted out of
/// the root, because the writer states its own.
struct SgfTree {
  std::vector<SgfNode> nodes;     // parents before children
  std::string charset = "UTF-8";  // what the values were read as
  int format = 4;                 // FF, 1 where the file has none

  const SgfNode& root() const { return nodes.front(); }
  friend bool operator==(const SgfTree& a, const SgfTree& b) { return a.nodes == b.nodes; }
};

struct SgfCollection {
  std::vector<SgfTree> trees;
  friend bool operator==(const SgfCollection&, const SgfCollection&) = default;
};

/// For a whole file.
struct SgfLimits {
  std::size_t bytes = 16u << 20;
  std::size_t trees = 100'000;
  std::size_t nodes = 1'000'000;
  std::size_t values = 2'000'000;
  std::size_t open_variations = 100'000;
  std::size_t node_properties = 256;  // different ones in one node
  std::size_t identifier_letters = 64;
};

/// Reads every game tree of a file; text before, between and after them is ignored (a tree begins
/// with "(", white space and ";"). Each tree has its own CA; without one it is taken for UTF-8 if
/// all its values are valid, else for GBK if all its high bytes come in pairs from A1 up and the
/// decoder knows GBK, else for Latin-1. A byte order mark decides for the whole file. Bytes that
/// are invalid in their charset become U+FFFD. Linear in the size of the file.
std::variant<SgfCollection, SgfError> parse_sgf(std::string_view bytes,
                                                const CharsetDecoder& decode,
                                                const SgfLimits& limits = {});

/// The trees as FF[4] and CA[UTF-8], whatever they were read as: FF[1] to FF[3] differ in property
/// names, which stay, not in syntax. Reading the text gives the same trees back. Values must be
/// escaped; a bracket or a backslash at the end that is not gets its backslash here.
std::string write_sgf(const SgfCollection& collection);

}  // namespace tengen::rules
