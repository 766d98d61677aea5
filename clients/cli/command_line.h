// The command line as values: which command, against which server, with which options.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "clients/cli/admin_command.h"
#include "clients/cli/agent_match_command.h"
#include "clients/cli/arguments.h"
#include "clients/cli/engines_command.h"
#include "clients/cli/match_command.h"
#include "clients/cli/play_command.h"
#include "clients/cli/probe/probe.h"
#include "clients/cli/record_commands.h"
#include "clients/house/referee.h"

namespace tengen::cli {

/// "tengen 0.1.0".
std::string client_name();

struct ServerOption {
  std::string text;  // as typed
  Address address;
  std::string token_file;  // holds an access token; empty: $TENGEN_TOKEN, which may be unset
  // Holds the certificates to trust; empty: $TENGEN_CA_FILE, and without that the system's.
  std::string ca_file;
};
struct RunEngines {
  ServerOption server;
  Output output = Output::Text;
};
struct RunPlay {
  ServerOption server;
  PlayOptions options;
};
struct RunMatch {
  ServerOption server;
  MatchOptions options;
};
struct RunAgentMatch {
  ServerOption server;
  AgentMatchOptions options;
};
struct RunAdmin {
  ServerOption server;
  AdminOptions options;
};
/// The file is the one that the options name.
struct RunReplay {
  RecordOptions options;
};
struct RunScore {
  ScoreOptions options;
};
struct RunProbe {
  ProbeOptions options;
};
struct RunHouse {
  house::HouseOptions options;
};
/// Nothing to run: help, the version, or what is wrong with the command line.
struct Stop {
  ExitCode code = ExitCode::Done;
  std::string out;
  std::string error;
};
using Parsed = std::variant<RunEngines, RunPlay, RunMatch, RunAgentMatch, RunAdmin, RunReplay,
                            RunScore, RunProbe, RunHouse, Stop>;

/// What the standard streams are.
struct Streams {
  PlayOptions::Input input = PlayOptions::Input::Pipe;
  BoardStyle output = BoardStyle::Plain;
};

/// The arguments are those after the program's name.
Parsed parse_command_line(std::vector<std::string> arguments, const Streams& streams);

}  // namespace tengen::cli
