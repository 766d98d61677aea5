// A certificate that signs itself, made anew for a test.
#pragma once

#include <string>

#include "daemon/net/tls.h"
#include "tests/support/temp_folder.h"

namespace tengen::tests {

/// Writes NAME.pem and NAME.key into the folder and gives their paths. The hosts are as OpenSSL's
/// subjectAltName has them.
daemon::TlsFiles make_certificate(const TempFolder& folder, const std::string& name,
                                  const std::string& hosts = "IP:127.0.0.1,DNS:localhost");
/// The key again, under a passphrase; gives its path.
std::string encrypt_key(const TempFolder& folder, const std::string& key);

}  // namespace tengen::tests
