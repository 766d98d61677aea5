#include "daemon/http_address.h"

#include <algorithm>
#include <optional>

#include "rules/ascii.h"

namespace tengen::daemon {
namespace {

// Of "http://HOST/path" what is behind the slashes; nothing of other forms. Whether the last step
// was encrypted is known here anyway, and a proxy's client may have asked for the other scheme.
std::optional<std::string_view> after_scheme(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    const bool is_it = target.size() >= scheme.size() &&
                       std::equal(scheme.begin(), scheme.end(), target.begin(),
                                  [](char a, char b) { return a == rules::lower(b); });
    if (is_it) return target.substr(scheme.size());
  }
  return std::nullopt;
}

// A target that names the host goes before the field (RFC 9112, 3.2.2).
HttpAddress split(const GivenAddress& given) {
  const auto absolute = after_scheme(given.target);
  if (!absolute) return {std::string(given.target), std::string(given.host.value)};
  const auto end = std::min(absolute->find_first_of("/?"), absolute->size());
  std::string path(absolute->substr(end));
  if (!path.starts_with('/')) path.insert(0, 1, '/');
  return {std::move(path), std::string(absolute->substr(0, end))};
}

}  // namespace

std::variant<HttpAddress, Misaddressed> address_of(const GivenAddress& given,
                                                   const OwnNames& names) {
  if (given.host.times > 1 || given.origin.times > 1) {
    return Misaddressed{400, "Host and Origin may be given once\n"};
  }
  auto address = split(given);
  if (given.host.times == 0 || !is_host_allowed(address.host, names)) {
    return Misaddressed{403,
                        "the Host must be localhost, an IP address or the host of public_url\n"};
  }
  const bool has_origin = given.origin.times > 0;
  if (has_origin && !is_origin_allowed(given.origin.value, address.host, names)) {
    return Misaddressed{403, "foreign origin\n"};
  }
  return address;
}

}  // namespace tengen::daemon
