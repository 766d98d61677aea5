// CLI11 reads the options; arguments.h turns their text into values.
#include "clients/cli/command_line.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include <CLI/CLI.hpp>

namespace tengen::cli {

namespace {

constexpr std::string_view kVersion = TENGEN_VERSION;

/// What was typed, before anything is checked.
struct Typed {
  std::string server{kDefaultServer};
  std::string engine;
  std::string black;
  std::string white;
  std::string size = "19";
  std::string rules = "chinese";
  std::string komi;
  std::string color = "black";
  std::string ticket;
  std::string sgf;
  int games = 1;
  int concurrency = 4;
  bool plain = false;
  bool json = false;
  bool alternate = false;
};

void add_server(CLI::App& command, Typed& typed) {
  command.add_option("--server", typed.server, "The daemon's address")
      ->type_name("ws://HOST:PORT")
      ->capture_default_str();
}

void add_terms(CLI::App& command, Typed& typed) {
  command.add_option("--size", typed.size, "Board size, N or WxH")->capture_default_str();
  command.add_option("--rules", typed.rules, "Name of the rules")->capture_default_str();
  command.add_option("--komi", typed.komi, "White's compensation (default: as the rules say)");
}

CLI::App* add_engines(CLI::App& app, Typed& typed) {
  CLI::App* command = app.add_subcommand("engines", "List the daemon's engines");
  add_server(*command, typed);
  command->add_flag("--json", typed.json, "Print JSON");
  return command;
}

CLI::App* add_play(CLI::App& app, Typed& typed) {
  CLI::App* command = app.add_subcommand("play", "Play a game against an engine");
  CLI::Option* engine = command->add_option("--engine", typed.engine, "The opponent")
                            ->type_name("PROFILE[:key=value,...]");
  add_terms(*command, typed);
  command->add_option("--color", typed.color, "Your colour")
      ->check(CLI::IsMember({"black", "white", "random"}))
      ->capture_default_str();
  command->add_option("--join", typed.ticket, "Come back to a game")
      ->type_name("TICKET")
      ->excludes(engine);
  command->add_option("--sgf", typed.sgf, "Write the finished game there")->type_name("FILE");
  command->add_flag("--plain", typed.plain, "Draw the board in ASCII");
  command->add_flag("--json", typed.json, "Print one JSON object at the end, the rest on stderr");
  add_server(*command, typed);
  return command;
}

CLI::App* add_match(CLI::App& app, Typed& typed) {
  CLI::App* command = app.add_subcommand("match", "Play engines against each other");
  constexpr const char* kEngineType = "PROFILE[:key=value,...]";
  command->add_option("--black", typed.black, "Black in the first game")
      ->type_name(kEngineType)
      ->required();
  command->add_option("--white", typed.white, "White in the first game")
      ->type_name(kEngineType)
      ->required();
  add_terms(*command, typed);
  command->add_option("--games", typed.games, "How many games")
      ->check(CLI::Range(1, MatchOptions::kGamesMax))
      ->capture_default_str();
  command->add_option("--concurrency", typed.concurrency, "How many at a time")
      ->check(CLI::Range(1, MatchOptions::kConcurrencyMax))
      ->capture_default_str();
  command->add_flag("--alternate", typed.alternate, "Change colours after each game");
  command->add_option("--sgf-dir", typed.sgf, "Write one SGF file per game there")
      ->type_name("DIR");
  command->add_flag("--json", typed.json, "Print one JSON object at the end");
  add_server(*command, typed);
  return command;
}

Stop wrong_usage(const std::string& reason) {
  return {ExitCode::Usage, "", "tengen: " + reason + "\nRun with --help for more information.\n"};
}

/// Collects the first complaint while values are taken out of parse results.
struct Reader {
  std::string complaint;

  template <typename Value>
  Value take(std::variant<Value, BadArgument> parsed) {
    if (auto* value = std::get_if<Value>(&parsed)) return std::move(*value);
    if (complaint.empty()) complaint = std::get<BadArgument>(parsed).reason;
    return Value{};
  }
};

protocol::ColorChoice color_choice(const std::string& word) {
  if (word == "random") return protocol::ColorChoice::Random;
  return word == "black" ? protocol::ColorChoice::Slot1Black : protocol::ColorChoice::Slot1White;
}

std::string application() { return "Tengen:" + std::string(kVersion); }

Parsed engines_of(const Typed& typed) {
  Reader reader;
  RunEngines run{{typed.server, reader.take(parse_server(typed.server))},
                 typed.json ? Output::Json : Output::Text};
  if (!reader.complaint.empty()) return wrong_usage(reader.complaint);
  return run;
}

Parsed play_of(const Typed& typed, const Streams& streams) {
  Reader reader;
  RunPlay run;
  run.server = {typed.server, reader.take(parse_server(typed.server))};
  PlayOptions& options = run.options;
  if (typed.ticket.empty()) {
    if (typed.engine.empty()) return wrong_usage("play needs --engine or --join");
    options.engine = reader.take(parse_engine(typed.engine));
    options.terms = reader.take(parse_terms(typed.size, typed.rules, typed.komi));
  }
  options.color = color_choice(typed.color);
  options.ticket = typed.ticket;
  options.sgf_path = typed.sgf;
  options.style = typed.plain ? BoardStyle::Plain : streams.output;
  options.input = streams.input;
  options.output = typed.json ? Output::Json : Output::Text;
  if (typed.server != kDefaultServer) options.rejoin_arguments = " --server " + typed.server;
  options.application = application();
  if (!reader.complaint.empty()) return wrong_usage(reader.complaint);
  return run;
}

Parsed match_of(const Typed& typed) {
  Reader reader;
  RunMatch run;
  run.server = {typed.server, reader.take(parse_server(typed.server))};
  MatchOptions& options = run.options;
  options.engines = {reader.take(parse_engine(typed.black)),
                     reader.take(parse_engine(typed.white))};
  options.players = {typed.black, typed.white};
  options.terms = reader.take(parse_terms(typed.size, typed.rules, typed.komi));
  options.games = typed.games;
  options.concurrency = typed.concurrency;
  options.colors = typed.alternate ? MatchOptions::Colors::Alternate : MatchOptions::Colors::Fixed;
  options.sgf_dir = typed.sgf;
  options.output = typed.json ? Output::Json : Output::Text;
  options.application = application();
  if (!reader.complaint.empty()) return wrong_usage(reader.complaint);
  return run;
}

/// Help and the version are errors to CLI11, with the code 0.
Stop stop_of(const CLI::App& app, const CLI::Error& error) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = app.exit(error, out, err);
  return {code == 0 ? ExitCode::Done : ExitCode::Usage, out.str(), err.str()};
}

}  // namespace

std::string client_name() { return "tengen " + std::string(kVersion); }

Parsed parse_command_line(std::vector<std::string> arguments, const Streams& streams) {
  CLI::App app("Plays Go against the engines of a tengend daemon.", "tengen");
  app.set_version_flag("--version", client_name());
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 the daemon says no, 2 wrong usage, 3 could not be carried out.");
  Typed typed;
  const CLI::App* engines = add_engines(app, typed);
  const CLI::App* play = add_play(app, typed);
  add_match(app, typed);
  std::reverse(arguments.begin(), arguments.end());  // the order CLI11 takes a vector in
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Error& error) {
    return stop_of(app, error);
  }
  if (app.got_subcommand(engines)) return engines_of(typed);
  if (app.got_subcommand(play)) return play_of(typed, streams);
  return match_of(typed);
}

}  // namespace tengen::cli
