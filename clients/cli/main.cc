// `tengen`: builds the command asked for and runs it in the loop.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "clients/cli/client.h"
#include "clients/cli/command_line.h"
#include "clients/cli/file.h"
#include "clients/cli/net/loop.h"
#include "clients/cli/net/tls.h"
#include "clients/cli/probe/process.h"
#include "clients/house/gtp_loop.h"

namespace {

using namespace tengen::cli;
namespace house = tengen::house;
namespace rules = tengen::rules;

Random seeded_random() {
  std::random_device device;
  std::array<std::random_device::result_type, 8> words{};
  for (auto& word : words) word = device();
  std::seed_seq seed(words.begin(), words.end());
  return Random(seed);
}

/// The access token, without the newline that ends a file; empty: none.
std::variant<std::string, FileError> token_of(const ServerOption& server) {
  std::string token;
  if (server.token_file.empty()) {
    const char* value = std::getenv("TENGEN_TOKEN");  // NOLINT(concurrency-mt-unsafe)
    if (value != nullptr) token = value;
  } else {
    constexpr std::size_t kBytesMax = 4096;
    auto read = read_file(server.token_file, kBytesMax);
    if (auto* wrong = std::get_if<FileError>(&read)) {
      return FileError{server.token_file + ": " + wrong->reason};
    }
    token = std::move(std::get<std::string>(read));
  }
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  return token;
}

/// Null for a plain connection, which trusts everybody.
std::variant<std::shared_ptr<TlsContext>, std::string> trust_of(const ServerOption& server) {
  if (server.address.transport == Transport::Plain) return std::shared_ptr<TlsContext>();
  if (!server.ca_file.empty()) return load_trust(server.ca_file);
  const char* file = std::getenv("TENGEN_CA_FILE");  // NOLINT(concurrency-mt-unsafe)
  return load_trust(file == nullptr ? "" : file);
}

int run(const ServerOption& server, Conversation::Patience patience,
        std::unique_ptr<Command> command) {
  auto token = token_of(server);
  if (const auto* wrong = std::get_if<FileError>(&token)) {
    std::fprintf(stderr, "tengen: %s\n", wrong->reason.c_str());
    return static_cast<int>(ExitCode::Failed);
  }
  auto trust = trust_of(server);
  if (const auto* wrong = std::get_if<std::string>(&trust)) {
    std::fprintf(stderr, "tengen: %s\n", wrong->c_str());
    return static_cast<int>(ExitCode::Failed);
  }
  Client client(
      Conversation({server.text, client_name(), patience, std::move(std::get<std::string>(token))},
                   seeded_random()),
      std::move(command));
  return static_cast<int>(run_client(
      client, {server.address, std::get<std::shared_ptr<TlsContext>>(std::move(trust))}));
}

/// Prints what the command makes of the file.
template <typename Make>
int with_file(const std::string& path, Make make) {
  const auto bytes = read_file(path, rules::SgfLimits{}.bytes);
  if (const auto* wrong = std::get_if<FileError>(&bytes)) {
    std::fprintf(stderr, "tengen: %s: %s\n", path.c_str(), wrong->reason.c_str());
    return static_cast<int>(ExitCode::Failed);
  }
  const Printed printed = make(std::get<std::string>(bytes));
  std::fputs(printed.error.c_str(), stderr);
  if (std::fputs(printed.out.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
    std::fprintf(stderr, "tengen: the output cannot be written\n");
    return static_cast<int>(ExitCode::Failed);
  }
  return static_cast<int>(printed.code);
}

struct Run {
  int operator()(RunEngines& run_engines) const {
    return run(run_engines.server, Conversation::Patience::None,
               std::make_unique<EnginesCommand>(run_engines.output));
  }
  int operator()(RunPlay& play) const {
    return run(play.server, Conversation::Patience::Reconnect,
               std::make_unique<PlayCommand>(std::move(play.options)));
  }
  int operator()(RunMatch& match) const {
    const std::string& folder = match.options.sgf_dir;
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error) {
      std::fprintf(stderr, "tengen: cannot make %s: %s\n", folder.c_str(), error.message().c_str());
      return static_cast<int>(ExitCode::Failed);
    }
    return run(match.server, Conversation::Patience::Reconnect,
               std::make_unique<MatchCommand>(std::move(match.options)));
  }
  int operator()(RunAgentMatch& match) const {
    return run(match.server, Conversation::Patience::Reconnect,
               std::make_unique<AgentMatchCommand>(std::move(match.options)));
  }
  int operator()(RunAdmin& admin) const {
    return run(admin.server, Conversation::Patience::Reconnect,
               std::make_unique<AdminCommand>(std::move(admin.options)));
  }
  int operator()(const RunReplay& run) const {
    return with_file(run.options.file,
                     [&](std::string_view sgf) { return replay_record(sgf, run.options); });
  }
  int operator()(const RunScore& run) const {
    return with_file(run.options.record.file,
                     [&](std::string_view sgf) { return score_record(sgf, run.options); });
  }
  int operator()(const RunProbe& run) const { return run_probe(run.options); }
  int operator()(const RunHouse& run) const { return house::run_house(run.options); }
  int operator()(const Stop& stop) const {
    std::fputs(stop.out.c_str(), stdout);
    std::fputs(stop.error.c_str(), stderr);
    return static_cast<int>(stop.code);
  }
};

}  // namespace

int main(int argc, char** argv) {
  Streams streams;
  if (::isatty(STDIN_FILENO) == 1) streams.input = PlayOptions::Input::Terminal;
  if (::isatty(STDOUT_FILENO) == 1) streams.output = BoardStyle::Color;
  Parsed parsed = parse_command_line(std::vector<std::string>(argv + 1, argv + argc), streams);
  return std::visit(Run{}, parsed);
}
