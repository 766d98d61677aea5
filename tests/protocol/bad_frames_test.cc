// Bytes that are no frame, and frames whose fields are refused: each gets an error that names what
// is wrong, with the frame's id where it can be read.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "protocol/codec.h"
#include "tests/protocol/samples.h"

namespace tengen::protocol {
namespace {

DecodeError error_of(Format format, const std::string& bytes) {
  const std::variant<ClientFrame, DecodeError> decoded = decode_client(format, bytes);
  if (const auto* error = std::get_if<DecodeError>(&decoded)) return *error;
  ADD_FAILURE() << "accepted: " << bytes.substr(0, 200);
  return {};
}

const std::string kSomeGame = R"("game":"0123456789abcdef0123456789abcdef")";

/// A play with `fields` after its game.
std::string play(const std::string& fields) {
  return R"({"id":5,"play":{)" + kSomeGame + "," + fields + "}}";
}

/// A game request with `fields` beside a good request id and two human seats.
std::string create(const std::string& fields) {
  return R"({"id":5,"create_game":{"request_id":"c1","seats":[{"kind":"SEAT_KIND_HUMAN"},)"
         R"({"kind":"SEAT_KIND_HUMAN"}])" +
         (fields.empty() ? "" : "," + fields) + "}}";
}

/// A game request whose second seat is `seat`.
std::string create_with(const std::string& seat) {
  return R"({"id":5,"create_game":{"request_id":"c1","seats":[{"kind":"SEAT_KIND_HUMAN"},)" + seat +
         "]}}";
}

/// An operator's request with `verb` beside a good request id.
std::string admin(const std::string& verb) {
  return R"({"id":5,"admin":{"request_id":"r")" + (verb.empty() ? "" : "," + verb) + "}}";
}

std::string many_settings(int count) {
  std::string settings;
  for (int index = 0; index < count; ++index) {
    if (index > 0) settings += ",";
    settings += R"({"key":"k)" + std::to_string(index) + R"(","value":"1"})";
  }
  return R"({"kind":"SEAT_KIND_ENGINE","profile":"p","settings":[)" + settings + "]}";
}

struct BadField {
  std::string json;
  ErrorCode code;
  std::string reason;
};

class BadFieldTest : public testing::TestWithParam<BadField> {};

TEST_P(BadFieldTest, IsRefusedByName) {
  const DecodeError bad = error_of(Format::Json, GetParam().json);
  EXPECT_EQ(bad.frame_id, 5u) << GetParam().json;
  EXPECT_EQ(name_of(bad.error.code), name_of(GetParam().code)) << GetParam().json;
  EXPECT_EQ(bad.error.reason, GetParam().reason) << GetParam().json;
  EXPECT_FALSE(bad.error.message.empty());
}

const std::string k65(65, 'x');

INSTANTIATE_TEST_SUITE_P(
    Acts, BadFieldTest,
    testing::Values(
        BadField{R"({"id":5})", ErrorCode::InvalidArgument, "body"},
        BadField{R"({"id":5,"play":{"request_id":"r","vertex":"D4"}})", ErrorCode::InvalidArgument,
                 "game"},
        BadField{R"({"id":5,"get_snapshot":{"game":"0123456789ABCDEF0123456789ABCDEF"}})",
                 ErrorCode::InvalidArgument, "game"},
        BadField{R"({"id":5,"subscribe":{"game":"0123456789abcdef0123456789abcde"}})",
                 ErrorCode::InvalidArgument, "game"},
        BadField{play(R"("slot":3,"request_id":"r")"), ErrorCode::InvalidArgument, "slot"},
        BadField{play(R"("vertex":"D4")"), ErrorCode::InvalidArgument, "request_id"},
        BadField{play(R"("request_id":"a b")"), ErrorCode::InvalidArgument, "request_id"},
        BadField{play(R"("request_id":"a\u0007")"), ErrorCode::InvalidArgument, "request_id"},
        BadField{play(R"("request_id":"é")"), ErrorCode::InvalidArgument, "request_id"},
        BadField{play(R"("request_id":")" + k65 + "\""), ErrorCode::InvalidArgument, "request_id"},
        BadField{play(R"("request_id":"r","vertex":")" + k65 + "\""), ErrorCode::InvalidVertex,
                 "vertex"},
        BadField{R"({"id":5,"pass_turn":{)" + kSomeGame + "}}", ErrorCode::InvalidArgument,
                 "request_id"},
        BadField{R"({"id":5,"resign":{)" + kSomeGame + "}}", ErrorCode::InvalidArgument,
                 "request_id"},
        BadField{R"({"id":5,"join_game":{}})", ErrorCode::InvalidArgument, "ticket"},
        BadField{R"({"id":5,"join_game":{"ticket":")" + std::string(129, 't') + "\"}}",
                 ErrorCode::InvalidArgument, "ticket"},
        BadField{R"({"id":5,"hello":{"version":1,"client":")" + k65 + "\"}}",
                 ErrorCode::InvalidArgument, "client"},
        BadField{R"({"id":5,"hello":{"version":1,"client":"a\nb"}})", ErrorCode::InvalidArgument,
                 "client"},
        BadField{R"({"id":5,"hello":{"version":1,"client":"\u202egnp"}})",
                 ErrorCode::InvalidArgument, "client"}));

INSTANTIATE_TEST_SUITE_P(
    Others, BadFieldTest,
    testing::Values(
        BadField{R"({"id":5,"query":{"game":"0123456789abcdef0123456789abcdef"}})",
                 ErrorCode::InvalidArgument, "query"},
        BadField{R"({"id":5,"query":{"game":"x","territory_map":{}}})", ErrorCode::InvalidArgument,
                 "game"},
        BadField{
            R"({"id":5,"query":{"game":"0123456789abcdef0123456789abcdef","neighborhood":{"vertex":"D4","radius":5}}})",
            ErrorCode::InvalidArgument, "radius"},
        BadField{R"({"id":5,"list_games":{"limit":201}})", ErrorCode::InvalidArgument, "limit"},
        BadField{R"({"id":5,"list_games":{"before":"x"}})", ErrorCode::InvalidArgument, "before"},
        BadField{
            R"({"id":5,"take_seat":{"game":"0123456789abcdef0123456789abcdef","request_id":"r"}})",
            ErrorCode::InvalidArgument, "slot"},
        BadField{R"({"id":5,"take_seat":{"game":"0123456789abcdef0123456789abcdef","slot":1}})",
                 ErrorCode::InvalidArgument, "request_id"},
        BadField{R"({"id":5,"rematch":{"game":"0123456789abcdef0123456789abcdef","slot":3}})",
                 ErrorCode::InvalidArgument, "slot"},
        BadField{R"({"id":5,"open_virtual_engine":{}})", ErrorCode::InvalidArgument, "profile"},
        BadField{R"({"id":5,"open_virtual_engine":{"profile":"p","start":{"size":26}}})",
                 ErrorCode::InvalidArgument, "size"},
        BadField{R"({"id":5,"open_virtual_engine":{"profile":"p","start":{"size":9,"komi":0.3}}})",
                 ErrorCode::InvalidArgument, "komi"},
        BadField{R"({"id":5,"open_virtual_engine":{"profile":"p","preset":"ing"}})",
                 ErrorCode::InvalidArgument, "preset"},
        BadField{R"({"id":5,"open_virtual_engine":{"profile":"p","request_id":"a b"}})",
                 ErrorCode::InvalidArgument, "request_id"},
        BadField{R"({"id":5,"gtp_call":{"engine":"x","method":"Play"}})",
                 ErrorCode::InvalidArgument, "engine"},
        BadField{R"({"id":5,"gtp_call":{"engine":"0123456789abcdef0123456789abcdef"}})",
                 ErrorCode::InvalidArgument, "method"},
        BadField{R"({"id":5,"close_virtual_engine":{"engine":""}})", ErrorCode::InvalidArgument,
                 "engine"}));

INSTANTIATE_TEST_SUITE_P(
    Admin, BadFieldTest,
    testing::Values(
        BadField{R"({"id":5,"admin":{"list_connections":{}}})", ErrorCode::InvalidArgument,
                 "request_id"},
        BadField{admin(""), ErrorCode::InvalidArgument, "verb"},
        BadField{admin(R"("end_game":{"game":"x","annul":{}})"), ErrorCode::InvalidArgument,
                 "game"},
        BadField{admin(R"("end_game":{)" + kSomeGame + "}"), ErrorCode::InvalidArgument, "ruling"},
        BadField{admin(R"("end_game":{)" + kSomeGame + R"(,"winner":"COLOR_UNSPECIFIED"})"),
                 ErrorCode::InvalidArgument, "winner"},
        BadField{admin(R"("end_game":{)" + kSomeGame + R"(,"annul":{},"text":"a\u0007"})"),
                 ErrorCode::InvalidArgument, "text"},
        BadField{admin(R"("end_game":{)" + kSomeGame + R"(,"annul":{},"text":")" +
                       std::string(129, 'x') + "\"}"),
                 ErrorCode::InvalidArgument, "text"},
        BadField{admin(R"("kick":{})"), ErrorCode::InvalidArgument, "token"},
        BadField{admin(R"("kick":{"token":"club","connection":"1"})"), ErrorCode::InvalidArgument,
                 "token"},
        BadField{admin(R"("kick":{"token":"a b"})"), ErrorCode::InvalidArgument, "token"},
        BadField{admin(R"("kick":{"token":")" + k65 + "\"}"), ErrorCode::InvalidArgument, "token"},
        BadField{admin(R"("revoke_token":{})"), ErrorCode::InvalidArgument, "name"},
        BadField{admin(R"("drain_profile":{"undo":true})"), ErrorCode::InvalidArgument, "profile"},
        BadField{admin(R"("send_notice":{})"), ErrorCode::InvalidArgument, "text"},
        BadField{admin(R"("send_notice":{"text":"a\nb"})"), ErrorCode::InvalidArgument, "text"},
        BadField{admin(R"("send_notice":{"text":")" + std::string(513, 'x') + "\"}"),
                 ErrorCode::InvalidArgument, "text"}));

INSTANTIATE_TEST_SUITE_P(
    Games, BadFieldTest,
    testing::Values(
        BadField{R"({"id":5,"create_game":{"seats":[{"kind":1},{"kind":1}]}})",
                 ErrorCode::InvalidArgument, "request_id"},
        BadField{R"({"id":5,"create_game":{"request_id":"c1"}})", ErrorCode::InvalidArgument,
                 "seats"},
        BadField{R"({"id":5,"create_game":{"request_id":"c1","seats":[{"kind":1}]}})",
                 ErrorCode::InvalidArgument, "seats"},
        BadField{R"({"id":5,"create_game":{"request_id":"c1","seats":[{"kind":1},{"kind":1},)"
                 R"({"kind":1}]}})",
                 ErrorCode::InvalidArgument, "seats"},
        BadField{create(R"("width":26)"), ErrorCode::InvalidArgument, "width"},
        BadField{create(R"("width":4294967295)"), ErrorCode::InvalidArgument, "width"},
        BadField{create(R"("height":26)"), ErrorCode::InvalidArgument, "height"},
        BadField{create(R"("komi_half":801)"), ErrorCode::InvalidArgument, "komi_half"},
        BadField{create(R"("komi_half":-801)"), ErrorCode::InvalidArgument, "komi_half"},
        BadField{create(R"("preset":"Chinese")"), ErrorCode::InvalidArgument, "preset"},
        BadField{create(R"("colors":9)"), ErrorCode::InvalidArgument, "colors"},
        BadField{create(R"("analysis":4)"), ErrorCode::InvalidArgument, "analysis"},
        BadField{create(R"("rules":{"scoring":"SCORING_TERRITORY"})"), ErrorCode::UnsupportedRules,
                 "rules"},
        BadField{create(R"("rules":{"scoring":3})"), ErrorCode::UnsupportedRules, "scoring"},
        BadField{create(R"("seed":"AAAA")"), ErrorCode::InvalidArgument, "seed"},
        BadField{create(R"("rules":{"ko":4})"), ErrorCode::UnsupportedRules, "ko"},
        BadField{create(R"("rules":{"suicide":-1})"), ErrorCode::UnsupportedRules, "suicide"},
        BadField{create(R"("rules":{"bonus":4})"), ErrorCode::UnsupportedRules, "bonus"},
        BadField{create(R"("rules":{"end":4})"), ErrorCode::UnsupportedRules, "end"},
        BadField{create(R"("rules":{"move_limit":1876})"), ErrorCode::InvalidArgument,
                 "move_limit"},
        BadField{create(R"("preset":"go-chinese-19-0.3","width":9)"), ErrorCode::InvalidArgument,
                 "width"},
        BadField{create(R"("preset":"go-chinese-19-0.3","komi_half":13)"),
                 ErrorCode::InvalidArgument, "komi_half"},
        BadField{create(R"("preset":"go-chinese-19-0.3","rules":{"ko":"KO_RULE_SIMPLE"})"),
                 ErrorCode::InvalidArgument, "rules"},
        BadField{create(R"("preset":"go-chinese-19-0.3","rules":{"move_limit":10})"),
                 ErrorCode::InvalidArgument, "rules"},
        BadField{create(R"("preset":"go-chinese-19-0.3","handicap":2)"), ErrorCode::InvalidArgument,
                 "handicap"},
        BadField{create(R"("handicap":1)"), ErrorCode::InvalidArgument, "handicap"},
        BadField{create(R"("handicap":10)"), ErrorCode::InvalidArgument, "handicap"},
        BadField{create(R"("width":8,"handicap":5)"), ErrorCode::InvalidArgument, "handicap"},
        BadField{create(R"("width":7,"handicap":5)"), ErrorCode::InvalidArgument, "handicap"},
        BadField{create(R"("width":19,"height":9,"handicap":2)"), ErrorCode::InvalidArgument,
                 "handicap"},
        BadField{create(R"("width":2,"handicap":4,"placement":"HANDICAP_PLACEMENT_FREE")"),
                 ErrorCode::InvalidArgument, "handicap"},
        BadField{create(R"("placement":3)"), ErrorCode::InvalidArgument, "placement"},
        BadField{create(R"("marking_ms":99)"), ErrorCode::InvalidArgument, "marking_ms"},
        BadField{create(R"("marking_ms":86400001)"), ErrorCode::InvalidArgument, "marking_ms"},
        BadField{create(R"("time":{})"), ErrorCode::InvalidArgument, "system"},
        BadField{create(R"("time":{"system":7})"), ErrorCode::InvalidArgument, "system"},
        BadField{create(R"("time":{"system":1,"main_ms":1})"), ErrorCode::InvalidArgument, "time"},
        BadField{create(R"("time":{"system":2})"), ErrorCode::InvalidArgument, "time"},
        BadField{create(R"("time":{"system":2,"main_ms":4294967295})"), ErrorCode::InvalidArgument,
                 "time"},
        BadField{create(R"("time":{"system":3,"main_ms":9,"increment_ms":1,"cap_ms":8})"),
                 ErrorCode::InvalidArgument, "time"},
        BadField{create(R"("time":{"system":4,"period_ms":1,"periods":1001})"),
                 ErrorCode::InvalidArgument, "time"},
        BadField{create(R"("time":{"system":4,"period_ms":1,"periods":4294967295})"),
                 ErrorCode::InvalidArgument, "periods"},
        BadField{create(R"("time":{"system":5,"period_ms":1,"stones":2147483648})"),
                 ErrorCode::InvalidArgument, "stones"},
        BadField{create_with("{}"), ErrorCode::InvalidArgument, "kind"},
        BadField{create_with(R"({"kind":4})"), ErrorCode::InvalidArgument, "kind"},
        BadField{create_with(R"({"kind":1,"name":")" + k65 + "\"}"), ErrorCode::InvalidArgument,
                 "name"},
        BadField{create_with(R"({"kind":1,"name":"a\u0000b"})"), ErrorCode::InvalidArgument,
                 "name"},
        BadField{create_with(R"({"kind":1,"profile":"gnugo"})"), ErrorCode::InvalidArgument,
                 "profile"},
        BadField{create_with(R"({"kind":1,"settings":[{"key":"a","value":"1"}]})"),
                 ErrorCode::InvalidArgument, "settings"},
        BadField{create_with(R"({"kind":2})"), ErrorCode::InvalidArgument, "profile"},
        BadField{create_with(R"({"kind":2,"profile":"a b"})"), ErrorCode::InvalidArgument,
                 "profile"},
        BadField{create_with(R"({"kind":2,"profile":"p","settings":[{"key":""}]})"),
                 ErrorCode::InvalidArgument, "key"},
        BadField{create_with(R"({"kind":2,"profile":"p","settings":[{"key":"a","value":"1\n2"}]})"),
                 ErrorCode::InvalidArgument, "value"},
        BadField{create_with(R"({"kind":2,"profile":"p","settings":[{"key":"a","value":"1"},)"
                             R"({"key":"a","value":"2"}]})"),
                 ErrorCode::InvalidArgument, "key"},
        BadField{create_with(R"({"kind":1,"other_rules":true})"), ErrorCode::InvalidArgument,
                 "other_rules"},
        BadField{create_with(R"({"kind":1,"undos":0})"), ErrorCode::InvalidArgument, "undos"},
        BadField{create_with(R"({"kind":3,"pauses":3})"), ErrorCode::InvalidArgument, "pauses"},
        BadField{create_with(R"({"kind":2,"profile":"p","undos":201})"), ErrorCode::InvalidArgument,
                 "undos"},
        BadField{create_with(R"({"kind":2,"profile":"p","pauses":201})"),
                 ErrorCode::InvalidArgument, "pauses"},
        BadField{create_with(R"({"kind":2,"profile":"p","other_rules":true})"),
                 ErrorCode::InvalidArgument, "other_rules"},
        BadField{create_with(many_settings(17)), ErrorCode::InvalidArgument, "settings"}));

TEST(BadFramesTest, IdZeroIsRefused) {
  for (const std::string json : {R"({"ping":{}})", R"({"id":0,"ping":{}})"}) {
    const DecodeError bad = error_of(Format::Json, json);
    EXPECT_EQ(bad.frame_id, 0u);
    EXPECT_EQ(bad.error.code, ErrorCode::InvalidArgument);
    EXPECT_EQ(bad.error.reason, "id");
  }
}

TEST(BadFramesTest, EmptyBinaryFrameHasNoId) {
  EXPECT_EQ(error_of(Format::Binary, "").error.reason, "id");
}

TEST(BadFramesTest, TextThatIsNoJsonIsABadFrame) {
  for (const std::string text :
       {"", "{", "null", "[]", "3", "\"id\"", "{\"id\":1", "{id:}", "{\"id\":1}}", "\xff\xfe",
        "{\"id\":1,\"hello\":{\"client\":\"\xc3\"}}"}) {
    EXPECT_EQ(error_of(Format::Json, text).error.code, ErrorCode::BadFrame) << text;
  }
}

TEST(BadFramesTest, UnknownJsonFieldIsRefusedByNameAndKeepsTheId) {
  const DecodeError bad = error_of(Format::Json, R"({"id":6,"ping":{"clientTime":1}})");
  EXPECT_EQ(bad.frame_id, 6u);
  EXPECT_EQ(bad.error.code, ErrorCode::BadFrame);
  EXPECT_NE(bad.error.message.find("clientTime"), std::string::npos) << bad.error.message;
}

TEST(BadFramesTest, JsonValueOfTheWrongTypeKeepsTheId) {
  for (const std::string json : {R"({"id":6,"play":{"slot":"one"}})", R"({"id":6,"play":7})",
                                 R"({"id":6,"play":{"slot":-1}})",
                                 R"({"id":6,"create_game":{"colors":"COLOR_CHOICE_RED"}})"}) {
    const DecodeError bad = error_of(Format::Json, json);
    EXPECT_EQ(bad.frame_id, 6u) << json;
    EXPECT_EQ(bad.error.code, ErrorCode::BadFrame) << json;
  }
}

TEST(BadFramesTest, TwoRequestsInOneJsonFrameAreRefused) {
  const DecodeError bad = error_of(Format::Json, R"({"id":6,"ping":{},"list_engines":{}})");
  EXPECT_EQ(bad.frame_id, 6u);
  EXPECT_EQ(bad.error.code, ErrorCode::BadFrame);
}

TEST(BadFramesTest, DeepJsonIsRefused) {
  std::string deep = R"({"id":6,"ping":)";
  for (int level = 0; level < 10'000; ++level) deep += R"({"a":)";
  EXPECT_EQ(error_of(Format::Json, deep).error.code, ErrorCode::BadFrame);
  const std::string closed = deep + "1" + std::string(10'000, '}') + "}";
  EXPECT_EQ(error_of(Format::Json, closed).error.code, ErrorCode::BadFrame);
}

TEST(BadFramesTest, DeepGroupsAreRefused) {
  // Field 2047 as a group begins with fb 7f (2047 << 3 | 3 = 16379).
  std::string deep;
  for (int level = 0; level < 10'000; ++level) deep += "\xfb\x7f";
  EXPECT_EQ(error_of(Format::Binary, deep).error.code, ErrorCode::BadFrame);
}

TEST(BadFramesTest, BadUtf8InBinaryIsABadFrameWithItsId) {
  std::string bytes = encode(Format::Binary, ClientFrame{9, Hello{1, "abc"}});
  bytes[bytes.find("abc")] = '\xff';
  const DecodeError bad = error_of(Format::Binary, bytes);
  EXPECT_EQ(bad.frame_id, 9u);
  EXPECT_EQ(bad.error.code, ErrorCode::BadFrame);
}

TEST(BadFramesTest, NoProperPrefixOfABinaryRequestIsThatRequest) {
  for (const ClientFrame& frame : client_samples()) {
    const std::string bytes = encode(Format::Binary, frame);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto decoded = decode_client(Format::Binary, std::string_view(bytes).substr(0, size));
      EXPECT_TRUE(std::holds_alternative<DecodeError>(decoded)) << frame.id << " " << size;
    }
  }
}

TEST(BadFramesTest, ControlCharactersInAVertexAreLeftToTheRules) {
  const auto decoded = decode_client(Format::Json, play(R"("request_id":"r","vertex":"D4\nquit")"));
  ASSERT_TRUE(std::holds_alternative<ClientFrame>(decoded));
  const auto& vertex = std::get<Play>(std::get<ClientFrame>(decoded).message).vertex;
  EXPECT_EQ(vertex, "D4\nquit");
  EXPECT_EQ(rules::parse_gtp_vertex(vertex, {19, 19}), std::nullopt);
}

TEST(BadFramesTest, RandomBytesNeverDoMoreThanFail) {
  std::mt19937 random(20240501);
  for (int round = 0; round < 5'000; ++round) {
    std::string bytes(random() % 64, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    for (const Format format : {Format::Binary, Format::Json}) {
      const auto decoded = decode_client(format, bytes);
      if (const auto* bad = std::get_if<DecodeError>(&decoded)) {
        EXPECT_FALSE(bad->error.message.empty());
      }
    }
  }
}

TEST(BadFramesTest, FlippedBitsInGoodFramesNeverDoMoreThanFail) {
  for (const ServerFrame& frame : server_samples()) {
    const std::string good = encode(Format::Binary, frame);
    for (std::size_t bit = 0; bit < good.size() * 8; bit += 3) {
      std::string bytes = good;
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
      const auto decoded = decode_server(Format::Binary, bytes);
      if (const auto* bad = std::get_if<DecodeError>(&decoded)) {
        EXPECT_FALSE(bad->error.message.empty());
      }
    }
  }
}

TEST(BadFramesTest, ErrorAboutHostileTextCanItselfBeSent) {
  const DecodeError bad =
      error_of(Format::Json, "{\"id\":6,\"\\u0007\\n" + std::string(5'000, 'x') + "\":1}");
  for (const Format format : {Format::Binary, Format::Json}) {
    const std::string sent = encode(format, ServerFrame{bad.frame_id, bad.error});
    EXPECT_LT(sent.size(), 1'000u);
    const auto read = decode_server(format, sent);
    ASSERT_TRUE(std::holds_alternative<ServerFrame>(read));
    const auto& error = std::get<Error>(std::get<ServerFrame>(read).message);
    EXPECT_EQ(error.code, ErrorCode::BadFrame);
  }
}

}  // namespace
}  // namespace tengen::protocol
