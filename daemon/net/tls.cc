#include "daemon/net/tls.h"

#include <openssl/ssl.h>

#include <boost/asio/ssl/context.hpp>
#include <filesystem>

namespace tengen::daemon {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

// A pipe would stop the loop that reads it.
bool is_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

void configure(ssl::context& context) {
  SSL_CTX* handle = context.native_handle();
  SSL_CTX_set_min_proto_version(handle, TLS1_2_VERSION);
  SSL_CTX_set_options(
      handle, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  // Tickets resume a session as well, and the peer keeps them.
  SSL_CTX_set_session_cache_mode(handle, SSL_SESS_CACHE_OFF);
}

}  // namespace

std::variant<std::shared_ptr<TlsContext>, std::string> load_tls(const TlsFiles& files) {
  if (!is_file(files.certificate)) return "tls.certificate: " + files.certificate + " is no file";
  if (!is_file(files.key)) return "tls.key: " + files.key + " is no file";
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  configure(*context);
  error_code error;
  context->set_password_callback([](std::size_t, ssl::context::password_purpose) { return ""; },
                                 error);
  context->use_certificate_chain_file(files.certificate, error);
  if (error) return "tls.certificate: " + files.certificate + ": " + error.message();
  context->use_private_key_file(files.key, ssl::context::pem, error);
  if (error) return "tls.key: " + files.key + ": " + error.message();
  return context;
}

}  // namespace tengen::daemon
