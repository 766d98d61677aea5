// TLS as a client: which certificates are trusted, and whether the one that a server shows is that
// server's.
#pragma once

#include <openssl/types.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace boost::asio::ssl {
class context;
}

namespace tengen::cli {

using TlsContext = boost::asio::ssl::context;

/// For TLS 1.2 and later. It trusts the certificates of the file, and no others, or without one
/// those of the system. The text names the file and what is wrong with it.
std::variant<std::shared_ptr<TlsContext>, std::string> load_trust(const std::string& ca_file);

/// Before the handshake: the certificate has to be for this name or address, and a server with
/// several is told which one is meant. False when it cannot be asked for.
[[nodiscard]] bool expect_host(SSL* tls, const std::string& host);
/// After a handshake that failed: why the certificate is not accepted, or nothing when that is not
/// what it failed of.
std::optional<std::string> objection_to_certificate(SSL* tls, const std::string& host);

}  // namespace tengen::cli
