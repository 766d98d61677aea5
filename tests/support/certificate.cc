#include "tests/support/certificate.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

namespace tengen::tests {
namespace {

constexpr long kDay = 24L * 60 * 60;

void check(bool is_good, const char* what) {
  if (!is_good) throw std::runtime_error(std::string("OpenSSL: ") + what);
}

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using File = std::unique_ptr<std::FILE, decltype(&std::fclose)>;

File open(const std::string& path, const char* mode) {
  File file(std::fopen(path.c_str(), mode), &std::fclose);
  check(file != nullptr, path.c_str());
  return file;
}

void name_hosts(X509* certificate, const std::string& hosts) {
  const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> names(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, hosts.c_str()),
      &X509_EXTENSION_free);
  check(names && X509_add_ext(certificate, names.get(), -1) == 1, "alternative names");
}

}  // namespace

daemon::TlsFiles make_certificate(const TempFolder& folder, const std::string& name,
                                  const std::string& hosts) {
  const Key key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), &X509_free);
  check(key && certificate, "a key and a certificate");
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kDay);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* subject = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), subject);
  name_hosts(certificate.get(), hosts);
  check(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0, "the signature");

  daemon::TlsFiles files{folder.file(name + ".pem"), folder.file(name + ".key")};
  check(PEM_write_X509(open(files.certificate, "w").get(), certificate.get()) == 1, "a file");
  check(PEM_write_PrivateKey(open(files.key, "w").get(), key.get(), nullptr, nullptr, 0, nullptr,
                             nullptr) == 1,
        "a file");
  return files;
}

std::string encrypt_key(const TempFolder& folder, const std::string& key_file) {
  const Key key(PEM_read_PrivateKey(open(key_file, "r").get(), nullptr, nullptr, nullptr),
                &EVP_PKEY_free);
  check(key != nullptr, "the key");
  const std::string path = folder.file("encrypted.key");
  unsigned char passphrase[] = {'s', 'e', 'c', 'r', 'e', 't'};
  check(PEM_write_PrivateKey(open(path, "w").get(), key.get(), EVP_aes_128_cbc(), passphrase,
                             sizeof passphrase, nullptr, nullptr) == 1,
        "a file");
  return path;
}

}  // namespace tengen::tests
