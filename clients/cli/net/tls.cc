// Everything that is OpenSSL's and not Asio's.
#include "clients/cli/net/tls.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <boost/asio/ssl/context.hpp>

namespace tengen::cli {

namespace {

namespace ssl = boost::asio::ssl;

bool is_address(const std::string& host) {
  in6_addr address{};  // the larger of the two
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

}  // namespace

std::variant<std::shared_ptr<TlsContext>, std::string> load_trust(const std::string& ca_file) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  boost::system::error_code error;
  context->set_verify_mode(ssl::verify_peer, error);
  if (error) return error.message();
  if (ca_file.empty()) {
    context->set_default_verify_paths(error);
    if (error) return "the system's certificates: " + error.message();
    return context;
  }
  context->load_verify_file(ca_file, error);
  if (error) return ca_file + ": " + error.message();
  return context;
}

bool expect_host(SSL* tls, const std::string& host) {
  if (is_address(host)) {  // which has no server name (RFC 6066, 3)
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls), host.c_str()) == 1;
  }
  SSL_set_hostflags(tls, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return SSL_set1_host(tls, host.c_str()) == 1 && SSL_set_tlsext_host_name(tls, host.c_str()) == 1;
}

std::optional<std::string> objection_to_certificate(SSL* tls, const std::string& host) {
  const long verdict = SSL_get_verify_result(tls);
  switch (verdict) {
    case X509_V_OK:
      return std::nullopt;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return "the server's certificate is not for " + host;
    default:
      return std::string("the server's certificate is not trusted (") +
             X509_verify_cert_error_string(verdict) + "); --ca-file says what to trust";
  }
}

}  // namespace tengen::cli
