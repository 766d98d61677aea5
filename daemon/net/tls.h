// The certificate that a listener shows and its key, read from files and held against each other.
#pragma once

#include <memory>
#include <string>
#include <variant>

namespace boost::asio::ssl {
class context;
}

namespace tengen::daemon {

using TlsContext = boost::asio::ssl::context;

/// Paths of PEM files.
struct TlsFiles {
  std::string certificate;  // and those between it and a known one, in this order
  std::string key;
  friend bool operator==(const TlsFiles&, const TlsFiles&) = default;
};

/// For TLS 1.2 and later. Nothing is asked for on a terminal: a key that needs a passphrase is
/// refused. The text names the file and what is wrong with it.
std::variant<std::shared_ptr<TlsContext>, std::string> load_tls(const TlsFiles& files);

}  // namespace tengen::daemon
