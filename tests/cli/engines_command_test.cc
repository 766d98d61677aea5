// `tengen engines` against a server of values, and a server of nonsense.
#include "clients/cli/engines_command.h"

#include <gtest/gtest.h>

#include "protocol/codec.h"
#include "tests/cli/scripted_client.h"

namespace tengen::cli {
namespace {

protocol::EngineInfo gnugo() {
  return {"gnugo",
          "GNU Go",
          "3.8",
          2,
          4,
          1,
          3,
          false,
          5,
          19,
          {{"level", 0, 10, 8}},
          true,
          std::chrono::milliseconds(2'350),
          1};
}
protocol::EngineInfo broken() { return {"leela", "", "", 0, 1, 0, 0, true, 19, 19, {}}; }
protocol::EngineInfo drained() {
  protocol::EngineInfo engine = broken();
  engine.profile = "old";
  engine.failed = false;
  engine.draining = true;
  return engine;
}

ScriptedClient client_for(Output output) {
  ScriptedClient client(std::make_unique<EnginesCommand>(output), Conversation::Patience::None);
  client.daemon.welcome.version = protocol::kVersion;
  client.daemon.welcome.engines = {gnugo(), broken(), drained()};
  return client;
}

TEST(EnginesCommand, PrintsATable) {
  ScriptedClient client = client_for(Output::Text);
  client.start();
  EXPECT_EQ(client.printed,
            "PROFILE  ENGINE      RUNNING  BUSY  QUEUED    WAIT  SIZES  STATE     SETTINGS\n"
            "gnugo    GNU Go 3.8      2/4     1       3  2.35 s  5-19   ok        level=8 (0..10)\n"
            "leela    -               0/1     0       0     0 s  19-19  failed    -\n"
            "old      -               0/1     0       0     0 s  19-19  draining  -\n");
  EXPECT_EQ(client.code, ExitCode::Done);
}

TEST(EnginesCommand, PrintsOneJsonObject) {
  ScriptedClient client = client_for(Output::Json);
  client.daemon.welcome.engines = {gnugo()};
  client.start();
  EXPECT_EQ(client.printed,
            "{\"engines\":[{\"profile\":\"gnugo\",\"name\":\"GNU Go\",\"version\":\"3.8\","
            "\"processes\":2,\"processes_max\":4,\"busy\":1,\"queued\":3,\"streaming\":1,"
            "\"wait_ms\":2350,\"failed\":false,\"draining\":false,\"honours_clock\":true,"
            "\"size_min\":5,\"size_max\":19,\"settings\":[{\"key\":\"level\",\"minimum\":0,"
            "\"maximum\":10,\"standard\":8}]}]}\n");
}

TEST(EnginesCommand, WithoutAServerItFailsAtOnce) {
  ScriptedClient client = client_for(Output::Text);
  client.run([&](Effects& out) { client.client.on_start(client.now, out); });
  client.lose();
  EXPECT_EQ(client.code, ExitCode::Failed);
  EXPECT_EQ(client.warned, "tengen: no server at ws://127.0.0.1:8374: connection reset\n");
}

TEST(EnginesCommand, ARefusalIsANo) {
  ScriptedClient client = client_for(Output::Text);
  client.run([&](Effects& out) { client.client.on_start(client.now, out); });
  client.run([&](Effects& out) { client.client.on_connected(client.now, out); });
  client.receive({{client.sent[0].id, client.daemon.welcome}});
  const protocol::Error error{protocol::ErrorCode::Internal, "", "sorry", 0, std::nullopt};
  client.receive({{client.sent[1].id, error}});
  EXPECT_EQ(client.code, ExitCode::No);
  EXPECT_EQ(client.warned, "tengen: internal (sorry)\n");
}

TEST(Client, BytesThatAreNoFrameEndItWithAMessage) {
  for (const std::string& bytes :
       {std::string(), std::string("hello"), std::string(100, '\xff'), std::string(3, '\0')}) {
    ScriptedClient client = client_for(Output::Text);
    client.run([&](Effects& out) { client.client.on_start(client.now, out); });
    client.run([&](Effects& out) { client.client.on_connected(client.now, out); });
    client.run([&](Effects& out) { client.client.on_bytes(bytes, client.now, out); });
    EXPECT_EQ(client.code, ExitCode::Failed);
    EXPECT_EQ(client.warned.rfind("tengen: ", 0), 0u) << client.warned;
  }
}

TEST(Client, ReadsTheFramesTheDaemonWrites) {
  ScriptedClient client = client_for(Output::Text);
  client.run([&](Effects& out) { client.client.on_start(client.now, out); });
  client.run([&](Effects& out) { client.client.on_connected(client.now, out); });
  for (std::size_t i = 0; i < 2; ++i) {
    for (const auto& frame : client.daemon.on_request(client.sent[i])) {
      const std::string bytes = protocol::encode(protocol::Format::Binary, frame);
      client.run([&](Effects& out) { client.client.on_bytes(bytes, client.now, out); });
    }
  }
  EXPECT_EQ(client.code, ExitCode::Done);
}

TEST(Client, NothingHappensAfterTheEnd) {
  ScriptedClient client = client_for(Output::Text);
  client.start();
  client.printed.clear();
  client.lose();
  client.connect();
  EXPECT_FALSE(client.client.deadline());
  EXPECT_EQ(client.printed + client.warned, "");
}

}  // namespace
}  // namespace tengen::cli
