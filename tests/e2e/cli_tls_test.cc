// The client `tengen` over TLS: whom it trusts, and what it says of whom it does not.
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <future>
#include <string>
#include <vector>

#include "tests/support/certificate.h"
#include "tests/support/child.h"
#include "tests/support/daemon_process.h"
#include "tests/support/proc.h"

namespace tengen::cli {
namespace {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using asio::ip::tcp;
using daemon::TlsFiles;
using tests::DaemonProcess;
using tests::make_certificate;
using tests::program;

tests::DaemonOptions serving(const TlsFiles& files) {
  return {"[tls]\ncertificate = \"" + files.certificate + "\"\nkey = \"" + files.key + "\"\n" +
          tests::config_with({{"fake", {program("fake_engine"), "--pass-after", "20"}}})};
}

std::string url_of(std::uint16_t port, const std::string& host = "127.0.0.1") {
  return "wss://" + host + ":" + std::to_string(port);
}

tests::Ran list_engines(const std::string& url, const std::vector<std::string>& more) {
  std::vector<std::string> argv{program("tengen"), "engines", "--json", "--server", url};
  argv.insert(argv.end(), more.begin(), more.end());
  return tests::run(argv, "");
}

TEST(CliTls, AMatchIsPlayedOverIt) {
  const tests::TempFolder folder;
  const auto files = make_certificate(folder, "one");
  DaemonProcess daemon(serving(files));
  const auto ran = tests::run(
      {program("tengen"), "match", "--black", "fake", "--white", "fake", "--size", "9", "--games",
       "3", "--json", "--server", url_of(daemon.port()), "--ca-file", files.certificate},
      "");
  EXPECT_EQ(ran.status, 0) << ran.err << daemon.log();
  EXPECT_NE(ran.out.find("\"number\":3,"), std::string::npos) << ran.out;
}

TEST(CliTls, ANameIsAsGoodAsAnAddressAndTheFileMayStandInTheEnvironment) {
  const tests::TempFolder folder;
  const auto files = make_certificate(folder, "one");
  DaemonProcess daemon(serving(files));
  tests::ChildSpec spec;
  spec.argv = {program("tengen"), "engines", "--json", "--server",
               url_of(daemon.port(), "localhost")};
  spec.environment = {"TENGEN_CA_FILE=" + files.certificate};
  spec.output_file = folder.file("out");
  spec.error_file = folder.file("err");
  EXPECT_EQ(tests::Child(spec).wait(tests::kEventually), 0) << tests::read_text(spec.error_file);
  EXPECT_NE(tests::read_text(spec.output_file).find("\"profile\":\"fake\""), std::string::npos);
}

TEST(CliTls, AnUntrustedCertificateIsRefusedAndNamedAsWhatItIs) {
  const tests::TempFolder folder;
  const auto files = make_certificate(folder, "one");
  const auto other = make_certificate(folder, "other");
  DaemonProcess daemon(serving(files));
  const std::string url = url_of(daemon.port());
  const std::vector<std::string> trusts[] = {{}, {"--ca-file", other.certificate}};
  for (const auto& trust : trusts) {
    const auto ran = list_engines(url, trust);
    EXPECT_EQ(ran.status, 3);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err, "tengen: no connection to " + url +
                           ": the server's certificate is not trusted (self-signed certificate); "
                           "--ca-file says what to trust\n");
  }
  // One that plays looks for a lost server, but for this one in vain: it says so at once.
  const auto play = tests::run({program("tengen"), "play", "--server", url}, "");
  EXPECT_EQ(play.status, 3);
  EXPECT_NE(play.err.find("not trusted"), std::string::npos) << play.err;
}

TEST(CliTls, ATrustedCertificateOfSomebodyElseIsRefused) {
  const tests::TempFolder folder;
  const auto files = make_certificate(folder, "one", "IP:192.0.2.1,DNS:other.example");
  DaemonProcess daemon(serving(files));
  for (const std::string host : {"127.0.0.1", "localhost"}) {
    const auto url = url_of(daemon.port(), host);
    const auto ran = list_engines(url, {"--ca-file", files.certificate});
    EXPECT_EQ(ran.status, 3);
    EXPECT_EQ(ran.err, "tengen: no connection to " + url +
                           ": the server's certificate is not for " + host + "\n");
  }
}

TEST(CliTls, AFileWithoutCertificatesIsNamed) {
  const tests::TempFolder folder;
  for (const auto& file : {folder.file("nowhere"), folder.write("text", "no certificate")}) {
    const auto ran = list_engines(url_of(1), {"--ca-file", file});
    EXPECT_EQ(ran.status, 3);
    EXPECT_EQ(ran.err.rfind("tengen: " + file + ": ", 0), 0u) << ran.err;
  }
}

/// Takes one connection, shakes hands, and goes; gives the name that the client asked for.
std::string name_asked_for(const TlsFiles& files, const std::string& host) {
  asio::io_context io;
  tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
  ssl::context context(ssl::context::tls_server);
  context.use_certificate_chain_file(files.certificate);
  context.use_private_key_file(files.key, ssl::context::pem);
  auto client = std::async(std::launch::async, [&] {
    return list_engines(url_of(acceptor.local_endpoint().port(), host),
                        {"--ca-file", files.certificate});
  });
  ssl::stream<tcp::socket> stream(acceptor.accept(), context);
  stream.handshake(ssl::stream_base::server);
  const char* name = SSL_get_servername(stream.native_handle(), TLSEXT_NAMETYPE_host_name);
  std::string asked = name == nullptr ? "" : name;
  stream.next_layer().close();
  EXPECT_EQ(client.get().status, 3);
  return asked;
}

TEST(CliTls, TheServerIsToldWhichNameIsMeantAndOfAnAddressNothing) {
  const tests::TempFolder folder;
  const auto files = make_certificate(folder, "one");
  EXPECT_EQ(name_asked_for(files, "localhost"), "localhost");
  EXPECT_EQ(name_asked_for(files, "127.0.0.1"), "");
}

TEST(CliTls, WhatSpeaksNoTlsIsNoServer) {
  const DaemonProcess plain({tests::config_with({{"fake", {program("fake_engine")}}})});
  const auto ran = list_engines(url_of(plain.port()), {});
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.err.rfind("tengen: no server at " + url_of(plain.port()) + ": ", 0), 0u) << ran.err;
}

}  // namespace
}  // namespace tengen::cli
