// Every message through both formats, and frames compared with bytes worked out by hand.
#include "protocol/codec.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "protocol/outbox.h"
#include "tests/protocol/samples.h"

namespace tengen::protocol {
namespace {

using namespace std::chrono_literals;

constexpr Format kFormats[] = {Format::Binary, Format::Json};

std::string read_golden(const std::string& name) {
  const std::ifstream file(TENGEN_TESTS_DIR "/golden/protocol/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The bytes of a .hex file: pairs of digits, with a comment from '#' to the end of each line.
std::string golden_bytes(const std::string& name) {
  std::istringstream lines(read_golden(name));
  std::string bytes;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream pairs(line.substr(0, line.find('#')));
    for (std::string pair; pairs >> pair;) {
      bytes += static_cast<char>(std::stoi(pair, nullptr, 16));
    }
  }
  return bytes;
}

std::string golden_json(const std::string& name) {
  const std::string text = read_golden(name);
  return text.substr(0, text.find_last_not_of('\n') + 1);
}

template <typename Frame>
const Frame& frame_of(const std::variant<Frame, DecodeError>& decoded) {
  if (const auto* error = std::get_if<DecodeError>(&decoded)) {
    ADD_FAILURE() << error->error.reason << ": " << error->error.message;
    static const Frame kNone;
    return kNone;
  }
  return std::get<Frame>(decoded);
}

template <typename Frame>
std::size_t kinds_in(const std::vector<Frame>& frames) {
  std::set<std::size_t> kinds;
  for (const Frame& frame : frames) kinds.insert(frame.message.index());
  return kinds.size();
}

TEST(CodecTest, SamplesHoldEveryMessage) {
  EXPECT_EQ(kinds_in(client_samples()), std::variant_size_v<ClientMessage>);
  EXPECT_EQ(kinds_in(server_samples()), std::variant_size_v<ServerMessage>);
}

TEST(CodecTest, ClientFramesComeBackAsTheyWere) {
  for (const Format format : kFormats) {
    for (const ClientFrame& frame : client_samples()) {
      SCOPED_TRACE(frame.id);
      EXPECT_EQ(frame_of(decode_client(format, encode(format, frame))), frame);
    }
  }
}

TEST(CodecTest, ServerFramesComeBackAsTheyWere) {
  for (const Format format : kFormats) {
    for (const ServerFrame& frame : server_samples()) {
      SCOPED_TRACE(frame.reply_to);
      EXPECT_EQ(frame_of(decode_server(format, encode(format, frame))), frame);
    }
  }
}

TEST(CodecTest, EveryErrorCodeHasItsNameOnTheWire) {
  for (int number = 1; number <= static_cast<int>(ErrorCode::Internal); ++number) {
    const auto code = static_cast<ErrorCode>(number);
    const std::string json = encode(Format::Json, ServerFrame{1, Error{.code = code}});
    const std::string key = R"("code":"ERROR_CODE_)" + std::string(name_of(code)) + "\"";
    EXPECT_NE(json.find(key), std::string::npos) << json;
  }
}

TEST(CodecTest, ErrorsSayWhetherARetryCanHelp) {
  const auto json = [](ErrorCode code) {
    return encode(Format::Json, ServerFrame{1, Error{.code = code}});
  };
  EXPECT_NE(json(ErrorCode::Unavailable).find(R"("retryable":true)"), std::string::npos);
  EXPECT_NE(json(ErrorCode::LimitReached).find(R"("retryable":true)"), std::string::npos);
  EXPECT_NE(json(ErrorCode::Stale).find(R"("retryable":false)"), std::string::npos);
}

TEST(CodecTest, TextsOfEnginesAreMadeFitToBeSent) {
  EngineInfo engine;
  engine.profile = "odd";
  engine.name = "Odd\x1b[31m\xff Go";
  const ServerFrame sent{1, EngineList{{engine}}};
  for (const Format format : kFormats) {
    const ServerFrame frame = frame_of(decode_server(format, encode(format, sent)));
    EXPECT_EQ(std::get<EngineList>(frame.message).engines.at(0).name, "Odd?[31m? Go");
  }
}

TEST(CodecTest, ResultsCarryTheTextOfSgf) {
  const std::string json = encode(Format::Json, server_samples().at(7));
  EXPECT_NE(json.find(R"("text":"W+R")"), std::string::npos) << json;
}

TEST(CodecTest, UnknownFieldsAreIgnoredInBinary) {
  // Field 2047 as a varint: (2047 << 3 | 0) is 16376, which is f8 7f.
  const ClientFrame frame = client_samples().at(0);
  const std::string bytes = encode(Format::Binary, frame) + std::string("\xf8\x7f\x01");
  EXPECT_EQ(frame_of(decode_client(Format::Binary, bytes)), frame);
}

struct Golden {
  std::string name;
  std::variant<ClientFrame, ServerFrame> frame;
};

std::vector<Golden> goldens() {
  const rules::GameId game{0x0123456789abcdef, 0x0123456789abcdef};
  const rules::Event passed{2, {1'700'000'000'000, ""}, rules::Passed{rules::Color::White}};
  const rules::Event clocked{
      2,
      {1'700'000'000'000, ""},
      rules::Passed{rules::Color::White, {1'500ms, 7ns}, {58'500ms, 30s, 5, 0}}};
  return {{"client_hello", ClientFrame{1, Hello{1, "gold"}}},
          {"client_play", ClientFrame{7, Play{game, 1, "r1", 300, "D4"}}},
          {"server_accepted", ServerFrame{7, Accepted{game, 301, 301, std::nullopt}}},
          {"server_push", ServerFrame{0, GameEvents{game, {9, 9}, {passed}}}},
          {"server_push_with_clock", ServerFrame{0, GameEvents{game, {9, 9}, {clocked}}}}};
}

TEST(CodecTest, BinaryFramesAreTheBytesWorkedOutByHand) {
  for (const Golden& golden : goldens()) {
    const std::string bytes = golden_bytes(golden.name + ".hex");
    const auto encoded = [](const auto& frame) { return encode(Format::Binary, frame); };
    EXPECT_EQ(std::visit(encoded, golden.frame), bytes) << golden.name;
    if (const auto* client = std::get_if<ClientFrame>(&golden.frame)) {
      EXPECT_EQ(frame_of(decode_client(Format::Binary, bytes)), *client);
    } else {
      EXPECT_EQ(frame_of(decode_server(Format::Binary, bytes)),
                std::get<ServerFrame>(golden.frame));
    }
  }
}

TEST(CodecTest, JsonFramesReadAsDocumented) {
  for (const Golden& golden : goldens()) {
    const std::string text = golden_json(golden.name + ".json");
    const auto encoded = [](const auto& frame) { return encode(Format::Json, frame); };
    EXPECT_EQ(std::visit(encoded, golden.frame), text) << golden.name;
  }
}

/// The log of the longest game a client can ask for: each move with the longest request id and the
/// longest times, and as many captured stones as were played.
GameEvents longest_game() {
  GameEvents game{sample_game(), {25, 25}, {}};
  const std::string request_id(kRequestIdBytesMax, 'r');
  const auto add = [&game](const std::string& id, rules::EventBody body) {
    const auto seq = static_cast<std::uint32_t>(game.events.size() + 1);
    game.events.push_back({seq, {1'700'000'000'000, id}, std::move(body)});
  };
  for (std::uint32_t move = 0; move < kMoveLimitMax; ++move) {
    const rules::MoveTime time{rules::kMaxControlTime, rules::kMaxControlTime};
    const rules::ClockFace left{rules::kMaxTimeLeft, rules::kMaxControlTime, rules::kMaxPeriods, 0};
    add(request_id, rules::Played{rules::Color::White, rules::Point::at(24, 0), time, left});
    if (move % 4 == 3) {
      add(request_id, rules::Captured{rules::Color::White,
                                      std::vector<rules::Point>(4, rules::Point::at(24, 0))});
    }
  }
  return game;
}

TEST(CodecTest, TheLongestGameFitsAnOutbox) {
  const ServerFrame frame{1, Subscribed{sample_game(), 1, longest_game()}};
  for (const Format format : kFormats) {
    EXPECT_LT(encode(format, frame).size(), kOutboxBytesMax);
  }
}

}  // namespace
}  // namespace tengen::protocol
