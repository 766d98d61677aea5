// How an operator sees and changes a running daemon: health, metrics, and a configuration that is
// read again.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "tests/support/daemon_process.h"
#include "tests/support/exposition.h"
#include "tests/support/http_client.h"
#include "tests/support/player.h"
#include "tests/support/proc.h"

namespace tengen::daemon {
namespace {

using protocol::ErrorCode;
using tests::Caller;
using tests::DaemonProcess;
using tests::http_get;
using tests::http_request;
using tests::HttpClient;
using tests::Player;
using tests::program;

// Six failures in a row with pauses of 250 ms to 4 s between them, and a slow machine.
constexpr std::chrono::seconds kFailurePatience{40};

std::string fake_config(const std::string& switches = "", const std::string& name = "fake") {
  auto command = std::vector<std::string>{"sh", "-c"};
  command.push_back("exec \"" + program("fake_engine") + "\" " + switches);
  return tests::config_with({{name, command, 1, 1}});
}

/// What the daemon shows now, after a check that a scraper would take it.
tests::Exposition metrics(const DaemonProcess& daemon) {
  const auto reply = http_get(daemon.port(), "/metrics");
  EXPECT_EQ(reply.status, 200);
  auto found = tests::read_exposition(reply.body);
  EXPECT_EQ(found.faults, std::vector<std::string>{});
  return found;
}

bool wait_for_metric(const DaemonProcess& daemon, const std::string& series, double value) {
  return tests::wait_until([&] { return metrics(daemon).at(series) == value; }, tests::kEventually);
}

/// The state of a profile as health gives it.
std::string state_of(const DaemonProcess& daemon, const std::string& profile) {
  const auto json = boost::json::parse(http_get(daemon.port(), "/healthz").body);
  for (const auto& each : json.at("profiles").as_array()) {
    if (each.at("name").as_string() == profile) return std::string(each.at("state").as_string());
  }
  return "";
}

bool wait_for_state(const DaemonProcess& daemon, const std::string& profile,
                    const std::string& state, std::chrono::seconds patience = tests::kEventually) {
  return tests::wait_until([&] { return state_of(daemon, profile) == state; }, patience);
}

/// Writes the configuration and sends SIGHUP; true once the daemon says that it was taken or kept.
bool reload(const DaemonProcess& daemon, const std::string& config) {
  const auto outcomes = [&] {
    const auto found = metrics(daemon);
    return found.at("tengen_reloads_total{outcome=\"done\"}") +
           found.at("tengen_reloads_total{outcome=\"refused\"}");
  };
  const auto before = outcomes();
  daemon.folder().write("tengend.toml", config);
  ::kill(daemon.pid(), SIGHUP);
  return tests::wait_until([&] { return outcomes() == before + 1; }, tests::kEventually);
}

TEST(Http, HealthIsJsonAndOkWithAnEngine) {
  DaemonProcess daemon({fake_config()});
  ASSERT_TRUE(wait_for_state(daemon, "fake", "ok"));
  const auto reply = http_get(daemon.port(), "/healthz");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.header("content-type"), "application/json");
  EXPECT_EQ(reply.header("content-length"), std::to_string(reply.body.size()));
  EXPECT_EQ(reply.header("connection"), "");  // HTTP/1.1: it stays open
  EXPECT_EQ(boost::json::parse(reply.body), boost::json::parse(R"({"status":"ok","profiles":[
      {"name":"fake","state":"ok","starting":0,"idle":1,"busy":0,"streaming":0,"stopping":0,
       "queued":0,"wait_ms":0,"draining":false}]})"));
}

TEST(Http, AnEngineThatStartsSlowlyIsStartingAndTheDaemonIsOk) {
  DaemonProcess daemon({fake_config("--slow-start-ms 3000")});
  EXPECT_EQ(state_of(daemon, "fake"), "starting");
  EXPECT_EQ(http_get(daemon.port(), "/healthz").status, 200);
  EXPECT_TRUE(wait_for_state(daemon, "fake", "ok"));
}

TEST(Http, HeadTellsTheLengthAndSendsNoBody) {
  DaemonProcess daemon({fake_config()});
  ASSERT_TRUE(wait_for_state(daemon, "fake", "ok"));
  HttpClient client(daemon.port());
  client.send(http_request("HEAD", "/healthz"));
  const auto reply = client.reply(HttpClient::Body::None);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.header("content-length"),
            std::to_string(http_get(daemon.port(), "/healthz").body.size()));
  client.send(http_request("GET", "/healthz"));
  EXPECT_EQ(client.reply().status, 200);  // at once: no body lies between
}

struct Asked {
  std::string request;
  int status;
};

TEST(Http, OtherPathsMethodsAndHostsAreRefused) {
  DaemonProcess daemon({fake_config()});
  const std::string port = ":" + std::to_string(daemon.port());
  const std::string length = "Content-Length: 200000\r\n\r\n";
  const Asked cases[] = {
      {http_request("GET", "/"), 426},
      {http_request("GET", "/game"), 404},
      {http_request("GET", "/metrics/"), 404},
      {http_request("GET", "/Healthz"), 404},
      {http_request("POST", "/game"), 404},
      {http_request("POST", "/metrics"), 405},
      {http_request("DELETE", "/healthz"), 405},
      {http_request("BREW", "/healthz"), 405},
      {"POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello", 405},
      {"POST /metrics HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       405},
      {"PUT /healthz HTTP/1.1\r\nHost: localhost\r\n" + length, 413},
      {http_request("GET", "/metrics", "rebound.example"), 403},
      {http_request("GET", "/healthz", "rebound.example" + port), 403},
      {"GET /healthz HTTP/1.1\r\n\r\n", 403},
      {http_request("GET", "/metrics", "localhost"), 200},
      {http_request("GET", "/metrics", "localhost" + port), 200},
      {http_request("GET", "/metrics", "127.0.0.1" + port), 200},
      {http_request("GET", "/metrics", "[::1]" + port), 200},
      {http_request("GET", "/metrics?name=x"), 200},
      {"GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n", 200},
  };
  for (const auto& [request, status] : cases) {
    HttpClient client(daemon.port());
    client.send(request);
    const auto reply = client.reply();
    EXPECT_EQ(reply.status, status) << request;
    EXPECT_EQ(reply.header("allow"), status == 405 ? "GET, HEAD" : "") << request;
  }
}

TEST(Http, AnUpgradeAtAnotherPathIsNotFound) {
  DaemonProcess daemon({fake_config()});
  for (const char* target : {"/metrics", "/healthz", "/game"}) {
    tests::WsOptions options;
    options.target = target;
    EXPECT_EQ(tests::WsClient(daemon.port(), options).http_status(), 404) << target;
  }
}

TEST(Http, ARequestThatIsTooLongOrNoneIsCutOffAndOthersAreServed) {
  DaemonProcess daemon({fake_config()});
  HttpClient unfinished(daemon.port());
  unfinished.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n");
  const std::string requests[] = {
      "GET /metrics HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n",
      "GET /" + std::string(20'000, 'x') + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
      std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11),  // TLS
      "\n\n\n\n"};
  for (const auto& request : requests) {
    HttpClient client(daemon.port());
    client.send(request);
    EXPECT_TRUE(client.read_to_end().has_value()) << "it is still open";
    EXPECT_EQ(http_get(daemon.port(), "/healthz").status, 200);
  }
  const auto end = unfinished.read_to_end();  // the limit is ten seconds
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, "");
}

TEST(Http, MetricsFollowWhatHappens) {
  DaemonProcess daemon({fake_config()});
  ASSERT_TRUE(wait_for_metric(daemon, "tengen_engines{profile=\"fake\",state=\"idle\"}", 1));
  const auto before = metrics(daemon);
  EXPECT_EQ(before.at("tengen_engines_spawned_total{profile=\"fake\"}"), 1);
  EXPECT_EQ(before.at("tengen_engines_ready_total{profile=\"fake\"}"), 1);
  EXPECT_EQ(before.at("tengen_connections"), 0);
  EXPECT_EQ(before.at("tengen_games_in_play"), 0);
  EXPECT_EQ(before.at("tengen_commit_seconds_count"), 0);
  EXPECT_GT(before.at("tengen_process_resident_bytes"), 1e6);
  EXPECT_GT(before.at("tengen_process_open_files"), 3);
  EXPECT_GT(before.at("tengen_process_cpu_seconds_total"), 0);
  EXPECT_GT(before.at("tengen_process_start_time_seconds"), 1.7e9);

  Player player(daemon.port(), tests::game_against("fake"));
  player.play_simple();
  ASSERT_TRUE(player.wait_for_turn());
  const auto after = metrics(daemon);
  EXPECT_EQ(after.at("tengen_connections"), 1);
  EXPECT_GE(after.at("tengen_sockets"), 2);  // the player's and the scrape's own
  EXPECT_EQ(after.at("tengen_games_in_play"), 1);
  EXPECT_EQ(after.at("tengen_events_stored_total"), 2);
  EXPECT_GE(after.at("tengen_commit_seconds_count"), 2);
  EXPECT_EQ(after.at("tengen_jobs_submitted_total{profile=\"fake\"}"), 1);
  EXPECT_EQ(after.at("tengen_jobs_done_total{profile=\"fake\"}"), 1);
  EXPECT_EQ(after.at("tengen_job_search_seconds_count{profile=\"fake\"}"), 1);
  EXPECT_EQ(after.at("tengen_jobs_queued{profile=\"fake\"}"), 0);
  // Hello, CreateGame, JoinGame, Subscribe, Play; an answer to each, and the engine's move.
  EXPECT_EQ(after.at("tengen_frames_received_total"), 5);
  EXPECT_GE(after.at("tengen_frames_sent_total"), 6);
  EXPECT_GT(after.at("tengen_http_requests_total"), before.at("tengen_http_requests_total"));

  player.act(protocol::Resign{player.id(), 0, tests::fresh_request_id()});
  EXPECT_EQ(metrics(daemon).at("tengen_games_in_play"), 0);
}

TEST(Http, ADrainingDaemonAnswersWhoIsConnected) {
  // Engines that will not quit make the drain last for the grace that they get.
  DaemonProcess daemon({fake_config("--ignore-quit --ignore-term")});
  ASSERT_TRUE(wait_for_state(daemon, "fake", "ok"));
  HttpClient health(daemon.port());
  HttpClient scrape(daemon.port());
  ASSERT_TRUE(wait_for_metric(daemon, "tengen_sockets", 3));
  ::kill(daemon.pid(), SIGTERM);
  ASSERT_TRUE(tests::wait_for_log(daemon, "draining"));
  health.send(http_request("GET", "/healthz"));
  scrape.send(http_request("GET", "/metrics"));
  const auto reply = health.reply();
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(boost::json::parse(reply.body).at("status").as_string(), "draining");
  EXPECT_EQ(scrape.reply().status, 200);
  EXPECT_EQ(daemon.stop(tests::kEventually), 0);
}

// Case: an engine that ends at once, whatever is done.
TEST(Reload, HealsAProfileThatFailedWhileOthersPlayOn) {
  const auto config_of = [](std::vector<std::string> command) {
    return tests::config_with(
        {{"ill", std::move(command), 1, 1}, {"well", {program("fake_engine")}, 1, 1}});
  };
  DaemonProcess daemon({config_of({"sh", "-c", "exit 3"})});
  Player other(daemon.port(), tests::game_against("well"));
  other.play_simple();
  ASSERT_TRUE(other.wait_for_turn());
  ASSERT_TRUE(wait_for_state(daemon, "ill", "failed", kFailurePatience)) << daemon.log();

  const auto reply = http_get(daemon.port(), "/healthz");
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(boost::json::parse(reply.body).at("status").as_string(), "degraded");
  EXPECT_EQ(state_of(daemon, "well"), "ok");
  const auto ill = metrics(daemon);
  EXPECT_EQ(ill.at("tengen_profile_failed{profile=\"ill\"}"), 1);
  EXPECT_EQ(ill.at("tengen_profile_failed{profile=\"well\"}"), 0);
  EXPECT_GE(ill.at("tengen_engines_crashed_total{profile=\"ill\"}"), 6);
  const auto error = other.caller().expect_error(tests::game_against("ill"));
  EXPECT_EQ(error.code, ErrorCode::Unavailable);
  EXPECT_GT(error.retry_after_ms, 0u);
  EXPECT_FALSE(error.message.empty());
  other.play_simple();
  EXPECT_TRUE(other.wait_for_turn());

  ASSERT_TRUE(reload(daemon, config_of({program("fake_engine")}))) << daemon.log();
  ASSERT_TRUE(wait_for_state(daemon, "ill", "ok")) << daemon.log();
  EXPECT_EQ(http_get(daemon.port(), "/healthz").status, 200);
  Player healed(daemon.port(), tests::game_against("ill"));
  healed.play_simple();
  EXPECT_TRUE(healed.wait_for_turn());
  other.play_simple();
  EXPECT_TRUE(other.wait_for_turn());
}

TEST(Reload, AFileWithErrorsIsNamedWithTheirPlacesAndChangesNothing) {
  DaemonProcess daemon({fake_config()});
  Player player(daemon.port(), tests::game_against("fake"));
  ASSERT_TRUE(wait_for_state(daemon, "fake", "ok"));
  const auto engines = daemon.engines();
  ASSERT_EQ(engines.size(), 1u);
  const std::string file = daemon.folder().file("tengend.toml");
  ASSERT_TRUE(reload(daemon,
                     "log_level = \"loud\"\n"   // 1: no level
                     "games_max = 1\n"          // 2: good, and still not taken
                     "colour = \"red\"\n"       // 3: unknown
                     "[[profile]]\n"            // 4
                     "name = \"other\"\n"       // 5
                     "command = [\"true\"]\n"   // 6
                     "  processes_max = 0\n"))  // 7: too small
      << daemon.log();
  for (const char* place : {":1:13: ", ":3:1: ", ":7:19: "}) {
    EXPECT_NE(daemon.log().find(file + place), std::string::npos) << place << "\n" << daemon.log();
  }
  ASSERT_TRUE(reload(daemon, "listen = [\n"));
  EXPECT_NE(daemon.log().find(file + ":"), std::string::npos);
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  ::kill(daemon.pid(), SIGHUP);
  ASSERT_TRUE(wait_for_metric(daemon, "tengen_reloads_total{outcome=\"refused\"}", 3));

  EXPECT_EQ(metrics(daemon).at("tengen_reloads_total{outcome=\"done\"}"), 0);
  EXPECT_EQ(state_of(daemon, "fake"), "ok");
  EXPECT_EQ(state_of(daemon, "other"), "");
  EXPECT_EQ(daemon.engines(), engines);
  player.play_simple();
  EXPECT_TRUE(player.wait_for_turn());
  Player another(daemon.port(), tests::game_against("fake"));  // games_max is still more than one
}

TEST(Reload, TheSameFileChangesNothing) {
  DaemonProcess daemon({fake_config()});
  ASSERT_TRUE(wait_for_state(daemon, "fake", "ok"));
  const auto engines = daemon.engines();
  ASSERT_EQ(engines.size(), 1u);
  ASSERT_TRUE(reload(daemon, fake_config()));
  Player player(daemon.port(), tests::game_against("fake"));
  player.play_simple();
  EXPECT_TRUE(player.wait_for_turn());
  EXPECT_EQ(daemon.engines(), engines);
}

TEST(Reload, AProfileThatChangesDropsNoSearch) {
  const tests::TempFolder folder;
  const std::string transcript = folder.file("transcript");
  const auto config_of = [&](const std::string& switches) {
    return tests::config_with({{"fake", tests::transcribed_engine(transcript, switches), 1, 1}});
  };
  DaemonProcess daemon({config_of("--late-ms 3000")});
  Player player(daemon.port(), tests::game_against("fake"));
  player.play_simple();
  ASSERT_TRUE(wait_for_metric(daemon, "tengen_engines{profile=\"fake\",state=\"searching\"}", 1));
  ASSERT_TRUE(reload(daemon, config_of("--late-ms 0"))) << daemon.log();
  ASSERT_TRUE(player.wait_for_turn());
  EXPECT_EQ(player.game().record().moves().size(), 2u);
  const std::string told = tests::read_text(transcript);
  const auto first = told.find("genmove");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(told.find("genmove", first + 1), std::string::npos) << told;

  // The next move is the new engine's, which takes no three seconds.
  ASSERT_TRUE(wait_for_metric(daemon, "tengen_engines_ready_total{profile=\"fake\"}", 2));
  player.play_simple();
  ASSERT_TRUE(player.wait_for_turn());
  EXPECT_EQ(player.game().record().moves().size(), 4u);
  const auto after = metrics(daemon);
  EXPECT_EQ(after.at("tengen_jobs_done_total{profile=\"fake\"}"), 2);
  EXPECT_EQ(after.at("tengen_jobs_moved_total{profile=\"fake\"}"), 0);
  EXPECT_EQ(after.at("tengen_engines_retired_total{profile=\"fake\"}"), 1);
  EXPECT_EQ(after.at("tengen_engines_crashed_total{profile=\"fake\"}"), 0);
}

TEST(Reload, ProfilesComeAndGo) {
  DaemonProcess daemon({fake_config("", "old")});
  ASSERT_TRUE(wait_for_state(daemon, "old", "ok"));
  ASSERT_TRUE(reload(daemon, fake_config("", "new")));
  ASSERT_TRUE(wait_for_state(daemon, "new", "ok"));
  EXPECT_EQ(state_of(daemon, "old"), "");
  Player player(daemon.port(), tests::game_against("new"));
  player.play_simple();
  EXPECT_TRUE(player.wait_for_turn());
  EXPECT_EQ(player.caller().expect_error(tests::game_against("old")).code,
            ErrorCode::UnknownProfile);
  EXPECT_TRUE(tests::wait_until([&] { return daemon.engines().size() == 1; }, tests::kEventually));
}

TEST(Reload, LimitsAndLevelsChangeAtOnceAndTheRestIsNamed) {
  DaemonProcess daemon({fake_config()});
  Player player(daemon.port(), tests::game_against("fake"));
  // --listen goes before the file, so a change of it there is none; --data likewise.
  ASSERT_TRUE(reload(daemon, "listen = \"127.0.0.1:9\"\ndata_dir = \"/nowhere\"\ngames_max = 1\n" +
                                 fake_config()));
  EXPECT_EQ(daemon.log().find("needs a restart"), std::string::npos) << daemon.log();
  const auto error = player.caller().expect_error(tests::game_against("fake"));
  EXPECT_EQ(error.code, ErrorCode::LimitReached);
  EXPECT_EQ(error.reason, "games_max");
  ASSERT_TRUE(reload(daemon, "log_level = \"error\"\n" + fake_config()));
  const auto quiet = daemon.log();
  ASSERT_TRUE(reload(daemon, "log_level = \"error\"\n" + fake_config("--late-ms 1")));
  EXPECT_EQ(daemon.log(), quiet);
  ASSERT_TRUE(reload(daemon, fake_config()));
  EXPECT_TRUE(tests::wait_for_log(daemon, quiet + "["));
}

TEST(Reload, WhatNeedsARestartIsNamed) {
  const tests::TempFolder folder;
  const auto config_of = [&](const std::string& data) {
    return "listen = \"127.0.0.1:0\"\ndata_dir = \"" + folder.file(data) + "\"\n" + fake_config();
  };
  const std::string file = folder.write("tengend.toml", config_of("data"));
  tests::ChildSpec spec;
  spec.argv = {program("tengend"), "--config", file, "--port-file", folder.file("port")};
  spec.error_file = folder.file("log");
  tests::Child child(spec);
  const auto has_logged = [&](const std::string& text) {
    return tests::wait_until(
        [&] { return tests::read_text(spec.error_file).find(text) != std::string::npos; },
        tests::kEventually);
  };
  ASSERT_TRUE(has_logged("serving on"));
  folder.write("tengend.toml",
               "log_level = \"debug\"\nheartbeat_ms = 20000\n" + config_of("elsewhere"));
  child.send_signal(SIGHUP);
  EXPECT_TRUE(has_logged("data_dir has changed to " + folder.file("elsewhere")));
  EXPECT_TRUE(has_logged("heartbeat_ms has changed to 20000"));
  EXPECT_TRUE(has_logged("was reloaded"));
  EXPECT_EQ(tests::read_text(spec.error_file).find("listen has changed"), std::string::npos);
  auto moved = config_of("data");
  moved.replace(moved.find(":0\""), 3, ":8375\"");
  folder.write("tengend.toml", moved);
  child.send_signal(SIGHUP);
  EXPECT_TRUE(has_logged("listen has changed to 127.0.0.1:8375"));
  child.send_signal(SIGTERM);
  EXPECT_EQ(child.wait(tests::kEventually), 0);
}

TEST(Reload, WithoutAFileThereIsNothingToRead) {
  DaemonProcess daemon;
  ::kill(daemon.pid(), SIGHUP);
  EXPECT_TRUE(tests::wait_for_log(daemon, "without --config"));
  EXPECT_EQ(http_get(daemon.port(), "/metrics").status, 200);
}

}  // namespace
}  // namespace tengen::daemon
