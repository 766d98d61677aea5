// The [[profile]] tables of the configuration: a shipped profile, and what is different about it.
#pragma once

#include <vector>

#include "daemon/config_reader.h"
#include "pool/profile.h"

namespace tengen::daemon {

/// The profiles of the file's root table, in order. Those that are wrong are complained about,
/// alone and beside each other, and are among them all the same.
std::vector<pool::Profile> read_profiles(Reader& root, const std::string& file,
                                         ConfigErrors& errors);

}  // namespace tengen::daemon
