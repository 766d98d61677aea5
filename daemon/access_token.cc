#include "daemon/access_token.h"

#include <algorithm>

namespace tengen::daemon {
namespace {

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

}  // namespace

std::string_view name_of(Role role) {
  switch (role) {
    case Role::Play:
      return "play";
    case Role::Analyse:
      return "analyse";
    case Role::Watch:
      return "watch";
    case Role::Admin:
      return "admin";
  }
  return "";
}

std::optional<Role> parse_role(std::string_view text) {
  for (const Role role : kRoles) {
    if (text == name_of(role)) return role;
  }
  return std::nullopt;
}

std::optional<std::string> token_name_problem(std::string_view name) {
  if (name.empty() || name.size() > kTokenNameBytesMax ||
      !std::all_of(name.begin(), name.end(), is_name_char)) {
    return "the name must be 1 to " + std::to_string(kTokenNameBytesMax) +
           " letters, digits, '-', '_' or '.'";
  }
  if (name == kAnonymous) return "anonymous is whoever comes without a token: choose another name";
  return std::nullopt;
}

}  // namespace tengen::daemon
