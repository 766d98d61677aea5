// The [[token]] tables and the [anonymous] table of the configuration.
#pragma once

#include <string>

#include "daemon/access_token.h"
#include "daemon/config_reader.h"

namespace tengen::daemon {

/// The callers of the file's root table. Tokens that are wrong are complained about, alone and
/// beside each other, and are among them all the same.
AccessConfig read_access(Reader& root, const std::string& file, ConfigErrors& errors);

}  // namespace tengen::daemon
