#include "protocol/session.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/protocol/samples.h"

namespace tengen::protocol {
namespace {

using std::chrono::milliseconds;

constexpr TimePoint kStart{};
constexpr milliseconds kInstant{1};

/// A session and the client at its other end.
class SessionTest : public testing::TestWithParam<Format> {
 protected:
  FrameKind kind() const {
    return GetParam() == Format::Binary ? FrameKind::Binary : FrameKind::Text;
  }
  SessionEffects receive(const std::string& bytes) {
    SessionEffects out;
    session_.on_frame(kind(), bytes, kStart, out);
    return out;
  }
  SessionEffects receive(std::uint32_t id, const ClientMessage& message) {
    return receive(encode(GetParam(), ClientFrame{id, message}));
  }
  /// Says Hello with id 1 and is welcomed.
  void open() {
    receive(1, Hello{kVersion, "test"});
    session_.welcome();
    session_.reply(1, Welcome{});
  }
  ServerFrame read(const std::string& bytes) const {
    const auto decoded = decode_server(GetParam(), bytes);
    const auto* frame = std::get_if<ServerFrame>(&decoded);
    EXPECT_NE(frame, nullptr);
    return frame != nullptr ? *frame : ServerFrame{};
  }
  /// The single effect, which must be an error sent in reply to `reply_to`.
  Error error_in(const SessionEffects& out, std::uint32_t reply_to, std::size_t effects = 1) const {
    EXPECT_EQ(out.size(), effects);
    const Send* send = out.empty() ? nullptr : std::get_if<Send>(&out.front());
    if (send == nullptr) {
      ADD_FAILURE() << "no error was sent";
      return {};
    }
    const ServerFrame frame = read(send->bytes);
    EXPECT_EQ(frame.reply_to, reply_to);
    const auto* error = std::get_if<Error>(&frame.message);
    EXPECT_NE(error, nullptr);
    return error != nullptr ? *error : Error{};
  }
  static std::uint16_t close_code(const SessionEffects& out) {
    const Close* close = out.empty() ? nullptr : std::get_if<Close>(&out.back());
    return close != nullptr ? close->code : 0;
  }
  static bool is_request(const SessionEffects& out, std::uint32_t id) {
    const Request* request = out.size() == 1 ? std::get_if<Request>(&out.front()) : nullptr;
    return request != nullptr && request->id == id;
  }

  Limits limits_{.frame_bytes_max = 2'000,
                 .frame_bytes_before_hello_max = 200,
                 .requests_in_flight_max = 3,
                 .bad_frames_max = 4,
                 .hello_limit = milliseconds(5'000)};
  Session session_{GetParam(), limits_, kStart};
};

INSTANTIATE_TEST_SUITE_P(BothFormats, SessionTest, testing::Values(Format::Binary, Format::Json),
                         [](const auto& param_info) {
                           return param_info.param == Format::Binary ? "Binary" : "Json";
                         });

TEST_P(SessionTest, HelloIsPassedOnAndOpensOnceWelcomed) {
  EXPECT_TRUE(is_request(receive(1, Hello{kVersion, "test"}), 1));
  EXPECT_FALSE(session_.is_welcomed());
  session_.welcome();
  EXPECT_TRUE(session_.is_welcomed());
}

TEST_P(SessionTest, EveryRequestIsPassedOnWhole) {
  open();
  for (const ClientFrame& frame : client_samples()) {
    if (std::holds_alternative<Hello>(frame.message)) continue;
    const SessionEffects out = receive(frame.id, frame.message);
    ASSERT_TRUE(is_request(out, frame.id));
    EXPECT_EQ(std::get<Request>(out.front()).message, frame.message);
    session_.reply(frame.id, Error{});
  }
}

TEST_P(SessionTest, RequestBeforeHelloIsRefusedAndTheConnectionLives) {
  EXPECT_EQ(error_in(receive(4, ListEngines{}), 4).code, ErrorCode::HelloRequired);
  EXPECT_TRUE(is_request(receive(4, Hello{kVersion, ""}), 4));
}

TEST_P(SessionTest, RequestBetweenHelloAndWelcomeIsRefused) {
  receive(1, Hello{kVersion, ""});
  EXPECT_EQ(error_in(receive(2, ListEngines{}), 2).code, ErrorCode::HelloRequired);
}

TEST_P(SessionTest, SecondHelloIsRefused) {
  receive(1, Hello{kVersion, ""});
  const Error early = error_in(receive(2, Hello{kVersion, ""}), 2);
  EXPECT_EQ(early.code, ErrorCode::InvalidArgument);
  EXPECT_EQ(early.reason, "hello");
  session_.welcome();
  session_.reply(1, Welcome{});
  const Error late = error_in(receive(3, Hello{kVersion, ""}), 3);
  EXPECT_EQ(late.code, ErrorCode::InvalidArgument);
  EXPECT_EQ(late.reason, "hello");
}

TEST_P(SessionTest, UnknownVersionIsAnsweredAndClosed) {
  const SessionEffects out = receive(1, Hello{2, ""});
  EXPECT_EQ(error_in(out, 1, 2).code, ErrorCode::UnsupportedVersion);
  EXPECT_EQ(close_code(out), kCloseVersion);
}

TEST_P(SessionTest, NothingIsHeardAfterAClose) {
  receive(1, Hello{2, ""});
  EXPECT_TRUE(receive(2, Hello{kVersion, ""}).empty());
  EXPECT_EQ(session_.deadline(), std::nullopt);
}

TEST_P(SessionTest, TheOtherKindOfFrameCloses) {
  const FrameKind other = kind() == FrameKind::Text ? FrameKind::Binary : FrameKind::Text;
  SessionEffects out;
  session_.on_frame(other, encode(GetParam(), ClientFrame{1, Hello{kVersion, ""}}), kStart, out);
  EXPECT_EQ(out.size(), 1u);
  EXPECT_EQ(close_code(out), kCloseUnsupportedData);
}

TEST_P(SessionTest, LimitOnBytesIsTighterBeforeWelcome) {
  EXPECT_EQ(error_in(receive(std::string(200, '\xff')), 0).code, ErrorCode::BadFrame);
  EXPECT_EQ(close_code(receive(std::string(201, '\xff'))), kCloseTooBig);
}

TEST_P(SessionTest, OverlongFrameClosesAfterWelcomeToo) {
  open();
  EXPECT_EQ(error_in(receive(std::string(2'000, '\xff')), 0).code, ErrorCode::BadFrame);
  EXPECT_EQ(close_code(receive(std::string(2'001, '\xff'))), kCloseTooBig);
}

TEST_P(SessionTest, IdInFlightIsRefusedByAPushSoThatItsReplyStaysTheOnlyOne) {
  open();
  receive(7, Ping{1});
  const Error error = error_in(receive(7, Ping{2}), 0);
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_EQ(error.reason, "id");
  const ServerFrame pong = read(session_.reply(7, Pong{1, 2}));
  EXPECT_EQ(pong.reply_to, 7u);
  EXPECT_EQ(std::get<Pong>(pong.message).client_time_ms, 1);
}

TEST_P(SessionTest, IdIsFreeAgainAfterItsReply) {
  open();
  receive(7, Ping{1});
  session_.reply(7, Pong{1, 2});
  EXPECT_TRUE(is_request(receive(7, Ping{2}), 7));
}

TEST_P(SessionTest, IdOfAReplyThatIsHeldBackIsInFlightUntilItIsLetGo) {
  open();
  receive(7, Ping{1});
  const ServerFrame pong = read(session_.hold_reply(7, Pong{1, 2}));
  EXPECT_EQ(pong.reply_to, 7u);
  EXPECT_EQ(session_.in_flight(), 1u);
  EXPECT_EQ(error_in(receive(7, Ping{2}), 0).reason, "id");
  EXPECT_EQ(error_in(receive(7, JoinGame{""}), 0).reason, "ticket");
  session_.let_go(7);
  EXPECT_EQ(session_.in_flight(), 0u);
  EXPECT_TRUE(is_request(receive(7, Ping{2}), 7));
}

TEST_P(SessionTest, BadFieldUnderAnIdInFlightIsAPushToo) {
  open();
  receive(7, Ping{1});
  EXPECT_EQ(error_in(receive(7, JoinGame{""}), 0).reason, "ticket");
  EXPECT_EQ(error_in(receive(8, JoinGame{""}), 8).reason, "ticket");
}

TEST_P(SessionTest, OneRequestTooManyIsRefusedUntilAReplyIsSent) {
  open();
  for (const std::uint32_t id : {1u, 2u, 3u}) EXPECT_TRUE(is_request(receive(id, Ping{}), id));
  EXPECT_EQ(error_in(receive(4, Ping{}), 4).code, ErrorCode::LimitReached);
  EXPECT_EQ(session_.in_flight(), 3u);
  session_.reply(2, Pong{});
  EXPECT_TRUE(is_request(receive(4, Ping{}), 4));
}

TEST_P(SessionTest, BadFramesAreAnsweredUntilThereAreTooMany) {
  open();
  for (int count = 0; count < 3; ++count) {
    EXPECT_EQ(error_in(receive("\xff{"), 0).code, ErrorCode::BadFrame);
  }
  EXPECT_TRUE(is_request(receive(9, Ping{}), 9));
  const SessionEffects out = receive("\xff{");
  EXPECT_EQ(error_in(out, 0, 2).code, ErrorCode::BadFrame);
  EXPECT_EQ(close_code(out), kCloseBadFrames);
}

TEST_P(SessionTest, RefusedFieldsAreNotBadFrames) {
  open();
  for (int count = 0; count < 20; ++count) {
    EXPECT_EQ(error_in(receive(2, JoinGame{""}), 2).code, ErrorCode::InvalidArgument);
  }
}

TEST_P(SessionTest, HelloLateByNothingIsInTime) {
  ASSERT_EQ(session_.deadline(), kStart + milliseconds(5'000));
  SessionEffects out;
  session_.on_deadline(kStart + milliseconds(5'000) - kInstant, out);
  EXPECT_TRUE(out.empty());
  session_.on_deadline(kStart + milliseconds(5'000), out);
  EXPECT_EQ(close_code(out), kCloseHelloTimeout);
}

TEST_P(SessionTest, WelcomedSessionHasNoDeadline) {
  open();
  EXPECT_EQ(session_.deadline(), std::nullopt);
  SessionEffects out;
  session_.on_deadline(kStart + milliseconds(60'000), out);
  EXPECT_TRUE(out.empty());
}

TEST_P(SessionTest, ReplyNobodyWaitsForIsOurMistake) {
  open();
  EXPECT_DEATH(session_.reply(5, Pong{}), "");
}

}  // namespace
}  // namespace tengen::protocol
