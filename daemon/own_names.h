// What this daemon is called, and which requests of browsers are therefore its own pages': a page
// of another site must reach it neither under that site's name (Origin) nor under a name that the
// site has made to point here (Host).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tengen::daemon {

/// "https://go.example": how it is reached from outside, in lower case and without a path; a port
/// only where it is not the scheme's own.
struct PublicUrl {
  std::string text;
  std::string host;  // an IPv6 address without brackets
  friend bool operator==(const PublicUrl&, const PublicUrl&) = default;
};
/// From "http://HOST" or "https://HOST", with ":PORT" or without; nothing from anything else.
std::optional<PublicUrl> parse_public_url(std::string_view text);

struct OwnNames {
  std::vector<std::string> hosts;    // besides localhost and all addresses; in lower case
  std::vector<std::string> origins;  // besides the one of the request's own Host
};
OwnNames names_of(const PublicUrl& url);

/// Whether the Host field names this daemon. Any address does: only names can be made to point
/// here.
bool is_host_allowed(std::string_view host, const OwnNames& names);
/// Whether a page of this origin was served by this daemon, asked under this Host.
bool is_origin_allowed(std::string_view origin, std::string_view host, const OwnNames& names);

}  // namespace tengen::daemon
