// Holds a JSON value against a JSON Schema (draft 2020-12), as far as our tests need it: type,
// const, enum, required, properties, additionalProperties, items, minItems, maxItems, oneOf,
// minimum, maximum and dependentRequired. A keyword it does not know is an error, never ignored.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <vector>

namespace tengen::tests {

/// One line for each breach, "/path: what is wrong"; empty when the value fits. A schema that is
/// not understood gives a line too, whatever the value.
std::vector<std::string> schema_breaches(const boost::json::value& schema,
                                         const boost::json::value& value);

}  // namespace tengen::tests
