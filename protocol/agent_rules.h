// What GET /v1/rules/go serves: the rules of agents' games and how the calls work, for whoever
// plays (often a language model), with the schemas of acts, observations and queries (document
// 002).
#pragma once

#include <string>

namespace tengen::protocol {

/// The document as JSON text; always the same.
std::string agent_rules_json();

}  // namespace tengen::protocol
