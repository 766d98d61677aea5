// libFuzzer target: what a stranger sends to the daemon's port. The real parser reads it within the
// daemon's kinds of limits, and what it lets through is routed as the daemon routes it. However the
// bytes are cut on their way, the same requests come out of them.
#include <arpa/inet.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "daemon/access.h"
#include "daemon/http_address.h"
#include "daemon/http_route.h"
#include "daemon/net/request_reader.h"
#include "daemon/own_names.h"
#include "daemon/peer.h"

namespace {

using namespace tengen::daemon;
using Progress = RequestReader::Progress;

// Small, so that short inputs reach them.
constexpr RequestLimits kLimits{400, 100};

void check(bool holds) {
  if (!holds) std::abort();
}

const OwnNames& names() {
  static const OwnNames own{{"go.example"}, {"https://go.example"}};
  return own;
}

/// Of a host that was let through: no name of anybody else's.
void check_host(std::string host) {
  for (char& c : host) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const bool is_v6 = host.starts_with('[');
  const auto end = is_v6 ? host.find(']') : host.find(':');
  host = is_v6 ? host.substr(1, end - 1) : host.substr(0, end);
  in6_addr address{};
  const bool is_address = ::inet_pton(is_v6 ? AF_INET6 : AF_INET, host.c_str(), &address) == 1;
  check(is_address || host == "localhost" || host == "go.example");
}

void check_head(const RequestHead& head) {
  check_host(head.host);
  const auto is_url = [](std::string_view text) {
    return text.starts_with("http://") || text.starts_with("https://");
  };
  check(!is_url(head.target));
  const auto again = address_of({head.target, {1, head.host}, {}}, names());
  check(std::get<HttpAddress>(again).target == head.target);
}

void check_route(const std::string& method, const std::string& target) {
  const auto found = route_of(method, target);
  const auto path = target.substr(0, target.find('?'));
  if (const auto* none = std::get_if<NoRoute>(&found)) {
    check(none->status == 404 || none->status == 405);
    check(none->allow.empty() == (none->status == 404));
    check(!none->text.empty());
    return;
  }
  const auto& route = std::get<HttpRoute>(found);
  check(route.game.has_value() == (route.call == HttpCall::Watch));
  check(is_page(target) == (route.call <= HttpCall::Metrics));
  const auto with_query = route_of(method, path + "?x=/v1/act");
  check(std::get<HttpRoute>(with_query).call == route.call);
}

void check_request(const HttpRequest& request) {
  check(request.body.size() <= kLimits.body_bytes_max);
  check(request.method.size() + request.target.size() + request.authorization.size() +
            request.idempotency_key.size() + request.if_match.size() <=
        kLimits.header_bytes_max);
  check_route(request.method, request.target);
  if (const auto secret = bearer_of(request.authorization)) {
    check(!secret->empty() && secret->find_first_of(" \t\r\n\",;") == std::string_view::npos);
    check(request.authorization.find(*secret) != std::string::npos);
  }
  const Peer peer(request.if_match);
  check(!peer.place().empty());
}

void check_refusal(const HttpResponse& refused) {
  const int known[] = {400, 403, 413, 431, 501};
  check(std::find(std::begin(known), std::end(known), refused.status) != std::end(known));
  check(!refused.body.empty() && refused.body.size() < 200);
}

/// The requests of a stream that comes in pieces, up to one that is refused or has no end. Which of
/// the two it is may depend on the pieces: what is wrong can be seen before all of it has come.
std::vector<std::string> read_all(std::string_view stream, std::size_t piece) {
  std::vector<std::string> told;
  std::string arrived;
  std::optional<RequestReader> reader(std::in_place, kLimits, names());
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    arrived += stream.substr(at, piece);
    for (bool goes_on = true; goes_on;) {
      const auto result = reader->read(arrived);
      if (const auto* refused = std::get_if<HttpResponse>(&result)) {
        check_refusal(*refused);
        return told;
      }
      goes_on = std::get<Progress>(result) != Progress::NeedsMore;
      if (std::get<Progress>(result) == Progress::Head) {
        check_head(reader->head());
        told.push_back(reader->head().host + (reader->head().is_upgrade ? " upgrade" : "") +
                       (reader->head().keeps_alive ? " stays" : ""));
      }
      if (std::get<Progress>(result) == Progress::Whole) {
        const auto request = reader->take();
        check_request(request);
        told.push_back(request.method + ' ' + request.target + ' ' + request.authorization + ' ' +
                       request.idempotency_key + ' ' + request.body);
        reader.emplace(kLimits, names());
        goes_on = !arrived.empty();
      }
    }
  }
  return told;
}

void check_url(std::string_view text) {
  if (const auto url = parse_public_url(text)) {
    check(parse_public_url(url->text) == url);
    check(is_host_allowed(url->text.substr(url->text.find("//") + 2), names_of(*url)));
    check(is_origin_allowed(url->text, "localhost", names_of(*url)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view stream(reinterpret_cast<const char*>(data), size);
  const auto whole = read_all(stream, std::max<std::size_t>(size, 1));
  for (const std::size_t piece : {1, 7, 100}) check(read_all(stream, piece) == whole);
  check_url(stream.substr(0, stream.find('\n')));
  return 0;
}
