// GTP commands that no client may send raw, whatever a profile lists: an engine that answers them
// can no longer be trusted, or did what nobody but the operator may ask for.
#pragma once

#include <optional>
#include <string_view>

namespace tengen::pool {

/// Why the command of that name is forbidden, to follow "it"; nothing if it is not. In any case of
/// letters, since some engines take any.
std::optional<std::string_view> why_forbidden(std::string_view command);

}  // namespace tengen::pool
