// Calls to virtual engines as bytes. All bytes were made from the document's own listing by protoc
// (`protoc --encode=gtp.PlayRequest`), what they say stands beside them.
#include "protocol/gtp_calls.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tengen::protocol {
namespace {

using rules::Color;
using rules::Size;

std::string bytes_of(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

std::string hex_of(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

/// The response that refuses a request, in hexadecimal digits; empty when it is none.
std::string refusal(std::string_view method, std::string_view hex) {
  const auto decoded = decode_gtp_call(method, bytes_of(hex));
  const auto* reply = std::get_if<GtpReply>(&decoded);
  return reply != nullptr ? hex_of(reply->bytes) : std::string();
}

/// Whether a Play is refused by its own response.
bool is_play_refused(std::string_view hex) {
  return refusal("Play", hex).starts_with(std::string(hex.substr(0, 4)) + "12");
}

/// The reason of an error for the frame; empty when it is none.
std::string error_reason(std::string_view method, std::string_view request) {
  const auto decoded = decode_gtp_call(method, request);
  const auto* error = std::get_if<Error>(&decoded);
  return error != nullptr ? error->reason : std::string();
}

GtpCall call_of(std::string_view method, std::string_view hex) {
  const auto decoded = decode_gtp_call(method, bytes_of(hex));
  const auto* call = std::get_if<GtpCall>(&decoded);
  EXPECT_NE(call, nullptr) << method << ' ' << hex;
  return call != nullptr ? *call : GtpCall{};
}

std::string response(const GtpCall& call, const GtpResult& result) {
  const auto answer = encode_gtp_result(call, result);
  const auto* reply = std::get_if<GtpReply>(&answer);
  return reply != nullptr ? hex_of(reply->bytes) : "an error";
}

TEST(GtpCallsTest, EveryMethodIsReadInEitherSpelling) {
  const struct {
    std::string_view method;
    std::string_view other;
    std::string_view hex;
    GtpCall call;
  } kCases[] = {
      {"ProtocolVersion", "", "0803", {3, GtpProtocolVersion{}}},
      {"Name", "", "0801", {1, GtpName{}}},
      {"Version", "", "0802", {2, GtpVersion{}}},
      {"KnownCommand", "IsKnownCommand", "08041204706c6179", {4, GtpKnownCommand{"play"}}},
      {"ListCommands", "", "0805", {5, GtpListCommands{}}},
      {"Quit", "", "0806", {6, GtpQuit{}}},
      {"BoardSize", "SetBoardSize", "08081009", {8, GtpBoardSize{{9, 9}}}},
      {"ClearBoard", "", "0809", {9, GtpClearBoard{}}},
      {"Komi", "SetKomi", "080a150000d040", {10, GtpKomi{13}}},
      {"Play", "", "0807120b080210011a050804120144", {7, GtpPlay{Color::Black, "D4"}}},
      {"GenMove", "", "08ac021002", {300, GtpGenMove{Color::White}}},
      {"Undo", "", "080b", {11, GtpUndo{}}},
  };
  for (const auto& each : kCases) {
    EXPECT_EQ(call_of(each.method, each.hex), each.call) << each.method;
    if (each.other.empty()) continue;
    EXPECT_EQ(call_of(each.other, each.hex), each.call) << each.other;
  }
}

TEST(GtpCallsTest, APassHasNoVertexOrAnEmptyOne) {
  EXPECT_EQ(call_of("Play", "08ffffffffffffffffff0112021002").body,
            GtpCallBody(GtpPlay{Color::White, std::nullopt}));
  EXPECT_EQ(call_of("Play", "0801120410021a00").body,
            GtpCallBody(GtpPlay{Color::White, std::nullopt}));
}

TEST(GtpCallsTest, AnythingButAMoveThatCanBePlayedIsAnErrorAndNeverAPass) {
  EXPECT_EQ(refusal("Play", "0807"),  // no move: "a move is needed"
            "08071212121061206d6f7665206973206e6565646564");
  EXPECT_EQ(refusal("Play", "0807120908021a050804120144"),  // EMPTY: "color must be BLACK or WHITE"
            "0807121e121c636f6c6f72206d75737420626520424c41434b206f72205748495445");
  EXPECT_EQ(refusal("Play", "0807120408021002"),  // no vertex: "a PLACE needs a vertex"
            "0807121812166120504c414345206e65656473206120766572746578");
  EXPECT_EQ(refusal("Play", "0807120408011001"),  // RESIGN: "a RESIGN cannot be played"
            "0807121b1219612052455349474e2063616e6e6f7420626520706c61796564");
  EXPECT_TRUE(is_play_refused("08011200"));                        // an empty move: nobody's pass
  EXPECT_TRUE(is_play_refused("0801120910021a050804120144"));      // a PASS at D4
  EXPECT_TRUE(is_play_refused("0801120408031002"));                // a type 3
  EXPECT_TRUE(is_play_refused("0801120b080210031a050804120144"));  // a colour 3
}

TEST(GtpCallsTest, AVertexThatNoBoardHasIsRefused) {
  EXPECT_EQ(call_of("Play", "0801120b080210021a05081912015a").body,
            GtpCallBody(GtpPlay{Color::White, "Z25"}));
  EXPECT_TRUE(is_play_refused("0801120b080210021a05081a120141"));                    // A26
  EXPECT_TRUE(is_play_refused("08011209080210021a03120141"));                        // A0
  EXPECT_TRUE(is_play_refused("08011214080210021a0e08ffffffffffffffffff01120141"));
  EXPECT_TRUE(is_play_refused("0801120b080210021a050804120149"));                    // I4
  EXPECT_TRUE(is_play_refused("0801120c080210021a06080412024431"));  // "D1" and 4, not D14
  EXPECT_TRUE(is_play_refused("08011208080210021a020804"));          // no column
  EXPECT_TRUE(is_play_refused("0801120c080210021a0608041202c3a9"));  // e with an accent
}

TEST(GtpCallsTest, AColourThatIsNoneCannotBeAskedForAMove) {
  EXPECT_EQ(error_reason("GenMove", bytes_of("0805")), "color");      // EMPTY
  EXPECT_EQ(error_reason("GenMove", bytes_of("08051003")), "color");  // 3
}

TEST(GtpCallsTest, KomiIsAMultipleOfAHalfWithinTheLargest) {
  EXPECT_EQ(call_of("Komi", "0801").body, GtpCallBody(GtpKomi{0}));               // absent
  EXPECT_EQ(call_of("Komi", "080a15000000bf").body, GtpCallBody(GtpKomi{-1}));    // -0.5
  EXPECT_EQ(call_of("Komi", "0801150000c843").body, GtpCallBody(GtpKomi{800}));   // 400
  EXPECT_EQ(call_of("Komi", "0801150000c8c3").body, GtpCallBody(GtpKomi{-800}));  // -400
  for (const std::string_view hex : {"080a150000c840",                            // 6.25
                                     "080a150000807f",                            // infinity
                                     "080a15000080ff",                            // minus infinity
                                     "080a150000c07f",                            // not a number
                                     "080a150040c843",                            // 400.5
                                     "080a15caf24971"}) {                         // 1e30
    EXPECT_TRUE(refusal("Komi", hex).starts_with("080a12")) << hex;
  }
}

TEST(GtpCallsTest, ASizeThatNoBoardHasIsUnacceptable) {
  EXPECT_EQ(call_of("BoardSize", "08011019").body, GtpCallBody(GtpBoardSize{{25, 25}}));
  EXPECT_EQ(refusal("BoardSize", "0808101a"),  // 26
            "080812131211756e61636365707461626c652073697a65");
  EXPECT_TRUE(refusal("BoardSize", "0801").starts_with("080112"));                        // 0
  EXPECT_TRUE(refusal("BoardSize", "080110ffffffffffffffffff01").starts_with("080112"));  // -1
  EXPECT_TRUE(refusal("BoardSize", "080110ffffffff07").starts_with("080112"));            // 2^31-1
}

TEST(GtpCallsTest, TheIdComesBackWhateverItIs) {
  EXPECT_EQ(response(call_of("Undo", "0880808080f8ffffffff01"), GtpDone{}),
            "0880808080f8ffffffff01");  // -2^31
  EXPECT_EQ(response({std::numeric_limits<std::int32_t>::max(), GtpUndo{}}, GtpDone{}),
            "08ffffffff07");
  EXPECT_EQ(response(call_of("Undo", ""), GtpDone{}), "");  // 0 is not written
}

TEST(GtpCallsTest, ResponsesAreTheDocumentsMessages) {
  EXPECT_EQ(response({3, GtpProtocolVersion{}}, GtpProtocol{}), "08031002");
  EXPECT_EQ(response({1, GtpName{}}, GtpText{"GNU Go"}), "08011206474e5520476f");
  EXPECT_EQ(response({2, GtpVersion{}}, GtpText{"3.8"}), "08021203332e38");
  EXPECT_EQ(response({2, GtpVersion{}}, GtpText{""}), "0802");
  EXPECT_EQ(response({4, GtpKnownCommand{}}, GtpKnown{true}), "08041001");
  EXPECT_EQ(response({4, GtpKnownCommand{}}, GtpKnown{false}), "0804");
  EXPECT_EQ(response({5, GtpListCommands{}}, GtpCommands{{"play", "undo"}}),
            "08051204706c61791204756e646f");
  EXPECT_EQ(response({6, GtpQuit{}}, GtpDone{}), "0806");
  EXPECT_EQ(response({8, GtpBoardSize{}}, GtpDone{}), "0808");
  EXPECT_EQ(response({9, GtpClearBoard{}}, GtpDone{}), "0809");
  EXPECT_EQ(response({10, GtpKomi{}}, GtpDone{}), "080a");
  EXPECT_EQ(response({7, GtpPlay{}}, GtpDone{}), "0807");
  EXPECT_EQ(response({11, GtpUndo{}}, GtpDone{}), "080b");
}

TEST(GtpCallsTest, AMoveIsAPlaceAPassOrAResignation) {
  const auto move_in = [](GtpMove::Kind kind, std::int32_t id, Color color, std::string_view at) {
    const Size size{19, 19};
    const auto point = rules::parse_gtp_vertex(at, size).value_or(rules::Point{});
    return response({id, GtpGenMove{color}}, GtpMove{kind, color, point, size});
  };
  EXPECT_EQ(move_in(GtpMove::Kind::Place, 300, Color::White, "Q16"),
            "08ac02120b080210021a050810120151");
  EXPECT_EQ(move_in(GtpMove::Kind::Place, 5, Color::Black, "A1"), "0805120b080210011a050801120141");
  EXPECT_EQ(move_in(GtpMove::Kind::Pass, 5, Color::White, ""), "080512021002");
  EXPECT_EQ(move_in(GtpMove::Kind::Resign, 5, Color::Black, ""), "0805120408011001");
}

TEST(GtpCallsTest, AFailureIsInTheResponseWhereThatHasAnError) {
  const Error failure{ErrorCode::IllegalMove, "ko", "illegal move", 0, {}};
  EXPECT_EQ(response({7, GtpPlay{}}, failure), "0807120e120c696c6c6567616c206d6f7665");
  const Error cannot{ErrorCode::InvalidArgument, "undo", "cannot undo", 0, {}};
  EXPECT_EQ(response({11, GtpUndo{}}, cannot), "080b120d120b63616e6e6f7420756e646f");
  for (const GtpCallBody& body :
       {GtpCallBody(GtpQuit{}), GtpCallBody(GtpBoardSize{}), GtpCallBody(GtpKomi{})}) {
    EXPECT_EQ(response({7, body}, failure), "0807120e120c696c6c6567616c206d6f7665");
  }
}

TEST(GtpCallsTest, AFailureIsTheFramesWhereTheResponseHasNoError) {
  const Error failure{ErrorCode::Unavailable, "queue-full", "later", 500, {}};
  for (const GtpCallBody& body :
       {GtpCallBody(GtpProtocolVersion{}), GtpCallBody(GtpName{}), GtpCallBody(GtpVersion{}),
        GtpCallBody(GtpKnownCommand{}), GtpCallBody(GtpListCommands{}),
        GtpCallBody(GtpClearBoard{}), GtpCallBody(GtpGenMove{}), GtpCallBody(GtpRaw{"x"})}) {
    EXPECT_EQ(encode_gtp_result({7, body}, failure), GtpAnswer(failure)) << body.index();
  }
}

TEST(GtpCallsTest, TextsOfEnginesAreMadeFitForAMessage) {
  EXPECT_EQ(response({1, GtpName{}}, GtpText{"a\nb\xff"}), hex_of("\x08\x01\x12\x04"
                                                                  "a?b?"));
  const std::string long_name(kGtpNameBytesMax + 1, 'x');
  const std::string cut(kGtpNameBytesMax, 'x');
  EXPECT_EQ(response({1, GtpName{}}, GtpText{long_name}), response({1, GtpName{}}, GtpText{cut}));
}

TEST(GtpCallsTest, MethodsThatDoNotExistAreRefused) {
  for (const std::string_view method :
       {"", "play", "PLAY", "SetPlay", "SetBoardsize", "/gtp.GTP/Play", "Play ", "genmove"}) {
    EXPECT_EQ(error_reason(method, ""), "method") << method;
  }
  EXPECT_EQ(error_reason(std::string(100'000, 'x'), ""), "method");
}

TEST(GtpCallsTest, BytesThatAreNoRequestAreRefused) {
  for (const std::string_view hex : {"08", "ffff", "0807120b0802", "0a00ff", "07", "120a01"}) {
    EXPECT_EQ(error_reason("Play", bytes_of(hex)), "request") << hex;
  }
  EXPECT_EQ(error_reason("KnownCommand", bytes_of("1201ff")), "request");  // no UTF-8
}

TEST(GtpCallsTest, FieldsOfLaterListingsAreIgnored) {
  EXPECT_EQ(call_of("Undo", "080bf87f01"), (GtpCall{11, GtpUndo{}}));  // field 2047
}

TEST(GtpCallsTest, ARequestHasALongestLength) {
  // A command after an id (two bytes), its key (one) and its length (two).
  const auto request = [](std::size_t length) {
    std::string bytes = "\x08\x04\x12";
    bytes += static_cast<char>(0x80 | (length & 0x7f));
    bytes += static_cast<char>(length >> 7);
    return bytes + std::string(length, 'x');
  };
  ASSERT_EQ(request(kGtpRequestBytesMax - 5).size(), kGtpRequestBytesMax);
  EXPECT_EQ(error_reason("KnownCommand", request(kGtpRequestBytesMax - 5)), "");
  EXPECT_EQ(error_reason("KnownCommand", request(kGtpRequestBytesMax - 4)), "request");
  EXPECT_EQ(error_reason("Raw", std::string(kGtpRequestBytesMax + 1, ' ')), "request");
}

TEST(GtpCallsTest, ARawCommandIsALineOfWords) {
  const auto line = [](std::string_view request) {
    const auto decoded = decode_gtp_call("Raw", request);
    const auto* call = std::get_if<GtpCall>(&decoded);
    return call != nullptr ? std::get<GtpRaw>(call->body).line : "refused";
  };
  EXPECT_EQ(line("showboard"), "showboard");
  EXPECT_EQ(line("  countlib   D4 "), "countlib D4");
  EXPECT_EQ(GtpRaw{"countlib D4"}.name(), "countlib");
  EXPECT_EQ(GtpRaw{"showboard"}.name(), "showboard");
  for (const std::string_view bad :
       {"", "   ", "play B D4\nprintsgf x", "a\tb", "a\rb", "caf\xc3\xa9", "a\x7f"}) {
    EXPECT_EQ(line(bad), "refused") << bad;
  }
  EXPECT_EQ(line(std::string_view("a\0b", 3)), "refused");
  EXPECT_NE(line(std::string(kGtpCommandBytesMax, 'a')), "refused");
  EXPECT_EQ(line(std::string(kGtpCommandBytesMax + 1, 'a')), "refused");
}

TEST(GtpCallsTest, ARawAnswerIsGtpText) {
  const auto text = [](const GtpResult& result) {
    const auto answer = encode_gtp_result({0, GtpRaw{"x"}}, result);
    return std::get<GtpReply>(answer).bytes;
  };
  EXPECT_EQ(text(GtpText{"B+1"}), "= B+1");
  EXPECT_EQ(text(GtpText{""}), "= ");
  EXPECT_EQ(text(GtpText{"a\nb"}), "= a\nb");
  EXPECT_EQ(text(GtpRefused{"unknown command"}), "? unknown command");
}

}  // namespace
}  // namespace tengen::protocol
