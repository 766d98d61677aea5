// CLI11 reads the options; arguments.h turns their text into values.
#include "clients/cli/command_line.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include <CLI/CLI.hpp>

#include "clients/cli/admin_line.h"

namespace tengen::cli {

namespace {

constexpr std::string_view kVersion = TENGEN_VERSION;
constexpr int kPlayoutsMax = 1'000'000;

/// What was typed, before anything is checked.
struct Typed {
  std::string server{kDefaultServer};
  std::string token_file;
  std::string ca_file;
  std::string opponent;
  std::string engine = "house";
  std::string black;
  std::string white;
  std::string size = "19";
  std::string rules = "chinese";
  std::string komi;
  std::string time = "none";
  std::string color = "black";
  std::string ticket;
  std::string sgf;
  std::string file;
  std::vector<std::string> dead;
  std::vector<std::string> seki;
  std::string seed = "0";
  std::vector<std::string> command;
  int timeout_ms = 10'000;
  int game = 1;
  int playouts = 0;
  int games = 1;
  int concurrency = 4;
  bool plain = false;
  bool json = false;
  bool alternate = false;
  bool lenient = false;
  bool local = false;
};

void add_server(CLI::App& command, Typed& typed) {
  command.add_option("--server", typed.server, "The daemon's address")
      ->type_name("ws[s]://HOST:PORT")
      ->capture_default_str();
  command
      .add_option("--token-file", typed.token_file,
                  "Where an access token for the daemon is (default: $TENGEN_TOKEN)")
      ->type_name("FILE");
  command
      .add_option(
          "--ca-file", typed.ca_file,
          "With wss://: the certificates to trust, in PEM (default: $TENGEN_CA_FILE, or the "
          "system's)")
      ->type_name("FILE");
}

void add_terms(CLI::App& command, Typed& typed) {
  command.add_option("--size", typed.size, "Board size, N or WxH")->capture_default_str();
  command.add_option("--rules", typed.rules, "Name of the rules")->capture_default_str();
  command.add_option("--komi", typed.komi, "White's compensation (default: as the rules say)");
  command
      .add_option("--time", typed.time,
                  "none, absolute:MAIN, fischer:MAIN+INCREMENT[/CAP], byoyomi:MAIN+PERIODSxPERIOD, "
                  "canadian:MAIN+STONES/PERIOD or permove:TIME, in seconds")
      ->capture_default_str();
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
                            ->type_name("PROFILE[:key=value,...]")
                            ->capture_default_str();
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
  command->add_option("--seed", typed.seed, "Play the same games again, where the engines can");
  command->add_flag("--alternate", typed.alternate, "Change colours after each game");
  command->add_option("--sgf-dir", typed.sgf, "Write one SGF file per game there")
      ->type_name("DIR");
  command->add_flag("--json", typed.json, "Print one JSON object at the end");
  add_server(*command, typed);
  return command;
}

CLI::App* add_agent_match(CLI::App& app, Typed& typed) {
  CLI::App* command =
      app.add_subcommand("agent-match", "Make a game for agents over HTTP and print its tickets");
  command->add_option("--opponent", typed.opponent, "An engine instead of a second agent")
      ->type_name("PROFILE[:key=value,...]");
  command->add_flag("--json", typed.json, "Print one JSON object");
  add_server(*command, typed);
  return command;
}

void add_record(CLI::App& command, Typed& typed) {
  command.add_option("FILE", typed.file, "A game record in SGF")->required();
  command
      .add_option("--rules", typed.rules, "PRESET[,ko=...,...] (default: as RU says, or chinese)")
      ->default_str("");
  command.add_option("--game", typed.game, "Which of the file's games of Go")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command.add_flag("--lenient", typed.lenient, "Go on after moves that are against the rules");
  command.add_flag("--json", typed.json, "Print JSON");
}

CLI::App* add_replay(CLI::App& app, Typed& typed) {
  CLI::App* command = app.add_subcommand("replay", "Replay a game record and judge its moves");
  add_record(*command, typed);
  return command;
}

CLI::App* add_score(CLI::App& app, Typed& typed) {
  CLI::App* command = app.add_subcommand("score", "Score the end of a game record");
  add_record(*command, typed);
  command->add_option("--komi", typed.komi,
                      "White's compensation (default: as KM or the rules say)");
  command->add_option("--dead", typed.dead, "Stones that are dead, each with its chain")
      ->type_name("VERTEX,...")
      ->delimiter(',');
  command->add_option("--seki", typed.seki, "Points whose regions are no territory")
      ->type_name("VERTEX,...")
      ->delimiter(',');
  return command;
}

CLI::App* add_probe(CLI::App& app, Typed& typed) {
  CLI::App* command = app.add_subcommand("probe", "Examine a GTP engine and propose a profile");
  command->add_option("--timeout-ms", typed.timeout_ms, "The longest wait for one answer")
      ->check(CLI::Range(1, 600'000))
      ->capture_default_str();
  command->add_option("COMMAND", typed.command, "The engine and its arguments, after --")
      ->required();
  return command;
}

CLI::App* add_gtp(CLI::App& app, Typed& typed) {
  CLI::App* command = app.add_subcommand("gtp", "Be a GTP engine on standard input and output");
  command->add_flag("--local", typed.local, "Tengen's own engine and referee, without a daemon")
      ->required();
  command->add_option("--rules", typed.rules, "PRESET[,ko=...,suicide=...,scoring=...,...]")
      ->capture_default_str();
  command->add_option("--size", typed.size, "Board size, N or WxH")->capture_default_str();
  command->add_option("--komi", typed.komi, "White's compensation (default: as the rules say)");
  command->add_option("--seed", typed.seed, "The same seed gives the same moves")
      ->capture_default_str();
  command
      ->add_option("--playouts", typed.playouts,
                   "Games played out for a move; 0: as suits the size")
      ->check(CLI::Range(0, kPlayoutsMax))
      ->capture_default_str();
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

GameTerms terms_of(const Typed& typed, Reader& reader) {
  GameTerms terms = reader.take(parse_terms(typed.size, typed.rules, typed.komi));
  terms.time = reader.take(parse_time(typed.time));
  return terms;
}

protocol::ColorChoice color_choice(const std::string& word) {
  if (word == "random") return protocol::ColorChoice::Random;
  return word == "black" ? protocol::ColorChoice::Slot1Black : protocol::ColorChoice::Slot1White;
}

std::string application() { return "Tengen:" + std::string(kVersion); }

std::variant<std::uint64_t, BadArgument> parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  if (!text.empty() && error == std::errc() && stop == end) return seed;
  return BadArgument{"'" + text + "' is not a seed: expected a number from 0 to 2^64 - 1"};
}

ServerOption server_of(const Typed& typed, Reader& reader) {
  const Address address = reader.take(parse_server(typed.server));
  if (!typed.ca_file.empty() && address.transport == Transport::Plain && reader.complaint.empty()) {
    reader.complaint = "--ca-file is for wss://, and the server is " + typed.server;
  }
  return {typed.server, address, typed.token_file, typed.ca_file};
}

Parsed engines_of(const Typed& typed) {
  Reader reader;
  RunEngines run{server_of(typed, reader), typed.json ? Output::Json : Output::Text};
  if (!reader.complaint.empty()) return wrong_usage(reader.complaint);
  return run;
}

Parsed play_of(const Typed& typed, const Streams& streams) {
  Reader reader;
  RunPlay run;
  run.server = server_of(typed, reader);
  PlayOptions& options = run.options;
  if (typed.ticket.empty()) {
    options.engine = reader.take(parse_engine(typed.engine));
    options.terms = terms_of(typed, reader);
  }
  options.color = color_choice(typed.color);
  options.ticket = typed.ticket;
  options.sgf_path = typed.sgf;
  options.style = typed.plain ? BoardStyle::Plain : streams.output;
  options.input = streams.input;
  options.output = typed.json ? Output::Json : Output::Text;
  if (typed.server != kDefaultServer) options.rejoin_arguments = " --server " + typed.server;
  if (!typed.token_file.empty()) options.rejoin_arguments += " --token-file " + typed.token_file;
  if (!typed.ca_file.empty()) options.rejoin_arguments += " --ca-file " + typed.ca_file;
  options.application = application();
  if (!reader.complaint.empty()) return wrong_usage(reader.complaint);
  return run;
}

Parsed match_of(const Typed& typed, bool has_seed) {
  Reader reader;
  RunMatch run;
  run.server = server_of(typed, reader);
  MatchOptions& options = run.options;
  options.engines = {reader.take(parse_engine(typed.black)),
                     reader.take(parse_engine(typed.white))};
  options.players = {typed.black, typed.white};
  options.terms = terms_of(typed, reader);
  options.games = typed.games;
  options.concurrency = typed.concurrency;
  options.colors = typed.alternate ? MatchOptions::Colors::Alternate : MatchOptions::Colors::Fixed;
  if (has_seed) options.seed = reader.take(parse_seed(typed.seed));
  options.sgf_dir = typed.sgf;
  options.output = typed.json ? Output::Json : Output::Text;
  options.application = application();
  if (!reader.complaint.empty()) return wrong_usage(reader.complaint);
  return run;
}

Parsed agent_match_of(const Typed& typed) {
  Reader reader;
  RunAgentMatch run;
  run.server = server_of(typed, reader);
  if (!typed.opponent.empty()) run.options.opponent = reader.take(parse_engine(typed.opponent));
  // Agents call the port that serves the protocol.
  run.options.http = "http" + typed.server.substr(std::min<std::size_t>(2, typed.server.size()));
  if (run.options.http.ends_with('/')) run.options.http.pop_back();
  run.options.output = typed.json ? Output::Json : Output::Text;
  if (!reader.complaint.empty()) return wrong_usage(reader.complaint);
  return run;
}

Parsed admin_of(const Typed& typed, const AdminLine& line) {
  Reader reader;
  RunAdmin run{server_of(typed, reader), {}};
  run.options.verb = reader.take(line.verb());
  run.options.output = typed.json ? Output::Json : Output::Text;
  if (!reader.complaint.empty()) return wrong_usage(reader.complaint);
  return run;
}

std::variant<rules::NamedRules, BadArgument> parse_named_rules(const std::string& text) {
  auto parsed = rules::parse_rules(text);
  if (auto* reason = std::get_if<std::string>(&parsed)) return BadArgument{std::move(*reason)};
  return std::get<rules::NamedRules>(std::move(parsed));
}

std::variant<int, BadArgument> parse_komi(const std::string& text) {
  const auto komi_half = rules::parse_komi(text);
  if (komi_half) return *komi_half;
  return BadArgument{"'" + text + "' is not a komi: expected a multiple of 0.5"};
}

RecordOptions record_of(const Typed& typed, bool has_rules, Reader& reader) {
  RecordOptions options;
  options.file = typed.file;
  options.game = typed.game;
  if (has_rules) options.rules = reader.take(parse_named_rules(typed.rules));
  options.strictness = typed.lenient ? rules::Strictness::Lenient : rules::Strictness::Strict;
  options.output = typed.json ? Output::Json : Output::Text;
  return options;
}

Parsed replay_of(const Typed& typed, bool has_rules) {
  Reader reader;
  RunReplay run{record_of(typed, has_rules, reader)};
  if (!reader.complaint.empty()) return wrong_usage(reader.complaint);
  return run;
}

Parsed score_of(const Typed& typed, bool has_rules) {
  Reader reader;
  RunScore run;
  run.options.record = record_of(typed, has_rules, reader);
  if (!typed.komi.empty()) run.options.komi_half = reader.take(parse_komi(typed.komi));
  run.options.dead = typed.dead;
  run.options.seki = typed.seki;
  if (!reader.complaint.empty()) return wrong_usage(reader.complaint);
  return run;
}

Parsed house_of(const Typed& typed) {
  Reader reader;
  RunHouse run;
  house::HouseOptions& options = run.options;
  options.rules = reader.take(parse_named_rules(typed.rules));
  const auto size = parse_size(typed.size);
  if (!size) return wrong_usage("'" + typed.size + "' is not a board size");
  options.size = *size;
  if (!typed.komi.empty()) options.komi_half = reader.take(parse_komi(typed.komi));
  options.seed = reader.take(parse_seed(typed.seed));
  if (typed.playouts > 0) options.playouts = typed.playouts;
  options.version = kVersion;
  if (!reader.complaint.empty()) return wrong_usage(reader.complaint);
  const auto& only_size = options.rules.base->only_size;
  if (only_size && *only_size != options.size) {
    return wrong_usage("the rules " + typed.rules + " are not for this board size");
  }
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
  CLI::App app("Plays Go against the engines of a tengend daemon, and knows the rules without one.",
               "tengen");
  app.set_version_flag("--version", client_name());
  app.require_subcommand(0, 1);  // a word that is no command is then named
  app.footer(
      "Exit codes: 0 done, 1 the daemon or the rules say no, 2 wrong usage, 3 could not be carried "
      "out.");
  Typed typed;
  const CLI::App* engines = add_engines(app, typed);
  const CLI::App* play = add_play(app, typed);
  const CLI::App* match = add_match(app, typed);
  const CLI::App* agent_match = add_agent_match(app, typed);
  AdminLine admin(app, [&](CLI::App& verb) {
    verb.add_flag("--json", typed.json, "Print JSON");
    add_server(verb, typed);
  });
  const CLI::App* replay = add_replay(app, typed);
  const CLI::App* score = add_score(app, typed);
  const CLI::App* probe = add_probe(app, typed);
  add_gtp(app, typed);
  std::reverse(arguments.begin(), arguments.end());  // the order CLI11 takes a vector in
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Error& error) {
    return stop_of(app, error);
  }
  if (app.get_subcommands().empty()) return wrong_usage("a command is missing");
  if (app.got_subcommand(engines)) return engines_of(typed);
  if (app.got_subcommand(play)) return play_of(typed, streams);
  if (app.got_subcommand(match)) return match_of(typed, match->count("--seed") > 0);
  if (app.got_subcommand(agent_match)) return agent_match_of(typed);
  if (admin.is_asked()) return admin_of(typed, admin);
  if (app.got_subcommand(replay)) return replay_of(typed, replay->count("--rules") > 0);
  if (app.got_subcommand(score)) return score_of(typed, score->count("--rules") > 0);
  if (app.got_subcommand(probe)) {
    return RunProbe{{typed.command, std::chrono::milliseconds(typed.timeout_ms)}};
  }
  return house_of(typed);
}

}  // namespace tengen::cli
