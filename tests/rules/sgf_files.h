// The SGF files of tests/data/rules/sgf and what their manifests say, for the tests of SGF.
#pragma once

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "clients/cli/charset.h"
#include "rules/sgf_tree.h"

namespace tengen::tests {

inline std::string sgf_bytes(const std::string& name) {
  std::ifstream file(TENGEN_TESTS_DIR "/data/rules/sgf/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline boost::json::value sgf_manifest(const std::string& name) {
  return boost::json::parse(sgf_bytes(name));
}

inline std::string json_text(const boost::json::value& value) {
  return boost::json::value_to<std::string>(value);
}

/// Every file that a manifest names.
inline std::vector<std::string> all_sgf_files() {
  std::vector<std::string> names;
  for (const auto& [manifest, list] :
       {std::pair("awkward_manifest.json", "files"), std::pair("games_manifest.json", "games")}) {
    const boost::json::value document = sgf_manifest(manifest);
    for (const auto& entry : document.at(list).as_array()) {
      names.push_back(json_text(entry.at("file")));
    }
  }
  return names;
}

inline rules::SgfCollection parsed_sgf(std::string_view bytes,
                                       const rules::SgfLimits& limits = {}) {
  const auto parsed = rules::parse_sgf(bytes, cli::decode_charset, limits);
  if (const auto* error = std::get_if<rules::SgfError>(&parsed)) {
    ADD_FAILURE() << error->line << ":" << error->column << ": " << error->reason;
    return {{rules::SgfTree{{rules::SgfNode{}}}}};
  }
  return std::get<rules::SgfCollection>(parsed);
}

/// "LINE:COLUMN: REASON", or the empty text when the file is read.
inline std::string sgf_error(std::string_view bytes, const rules::SgfLimits& limits = {}) {
  const auto parsed = rules::parse_sgf(bytes, cli::decode_charset, limits);
  const auto* error = std::get_if<rules::SgfError>(&parsed);
  if (error == nullptr) return {};
  return std::to_string(error->line) + ":" + std::to_string(error->column) + ": " + error->reason;
}

}  // namespace tengen::tests
