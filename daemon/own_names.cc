#include "daemon/own_names.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "rules/ascii.h"

namespace tengen::daemon {
namespace {

constexpr std::size_t kHostBytesMax = 253;  // RFC 1035, written with dots

bool is_address(const std::string& host, int family) {
  in6_addr address{};  // the larger of the two
  return ::inet_pton(family, host.c_str(), &address) == 1;
}

bool is_name(std::string_view host) {
  const auto is_fine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  return !host.empty() && host.size() <= kHostBytesMax && host.front() != '.' &&
         std::all_of(host.begin(), host.end(), is_fine);
}

struct HostPort {
  std::string host;  // in lower case, without brackets
  bool is_v6 = false;
  std::optional<std::uint16_t> port;
};

// "HOST", "HOST:PORT", "[V6]" or "[V6]:PORT".
std::optional<HostPort> split(std::string_view text) {
  HostPort parts;
  parts.is_v6 = text.starts_with('[');
  const auto end = parts.is_v6 ? text.find(']') : text.find(':');
  if (parts.is_v6 && end == std::string_view::npos) return std::nullopt;
  parts.host = rules::lower(parts.is_v6 ? text.substr(1, end - 1) : text.substr(0, end));
  const auto rest = end == std::string_view::npos ? "" : text.substr(parts.is_v6 ? end + 1 : end);
  if (parts.is_v6 ? !is_address(parts.host, AF_INET6) : !is_name(parts.host)) return std::nullopt;
  if (rest.empty()) return parts;
  std::uint16_t port = 0;
  const auto* const last = rest.data() + rest.size();
  const auto [stop, error] = std::from_chars(rest.data() + 1, last, port);
  if (rest.front() != ':' || error != std::errc() || stop != last) return std::nullopt;
  parts.port = port;
  return parts;
}

bool contains(const std::vector<std::string>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

std::optional<PublicUrl> parse_public_url(std::string_view text) {
  const auto colon = text.find("://");
  if (colon == std::string_view::npos) return std::nullopt;
  const auto scheme = rules::lower(text.substr(0, colon));
  if (scheme != "http" && scheme != "https") return std::nullopt;
  const auto parts = split(text.substr(colon + 3));
  if (!parts || parts->port == 0) return std::nullopt;
  PublicUrl url{scheme + "://" + (parts->is_v6 ? "[" + parts->host + "]" : parts->host),
                parts->host};
  const std::uint16_t standard = scheme == "http" ? 80 : 443;
  if (parts->port && *parts->port != standard) url.text += ":" + std::to_string(*parts->port);
  return url;
}

OwnNames names_of(const PublicUrl& url) { return {{url.host}, {url.text}}; }

bool is_host_allowed(std::string_view host, const OwnNames& names) {
  const auto parts = split(host);
  if (!parts) return false;
  return parts->is_v6 || is_address(parts->host, AF_INET) || parts->host == "localhost" ||
         contains(names.hosts, parts->host);
}

bool is_origin_allowed(std::string_view origin, std::string_view host, const OwnNames& names) {
  const auto scheme = origin.find("://");
  if (scheme == std::string_view::npos) return false;
  return origin.substr(scheme + 3) == host || contains(names.origins, origin);
}

}  // namespace tengen::daemon
