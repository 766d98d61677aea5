#include "protocol/log_codec.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "tests/protocol/samples.h"

namespace tengen::protocol {
namespace {

std::string bytes_of(std::initializer_list<int> values) {
  std::string bytes;
  for (const int value : values) bytes += static_cast<char>(value);
  return bytes;
}

TEST(LogCodecTest, SamplesHoldEveryKindOfEvent) {
  std::set<std::size_t> kinds;
  for (const rules::Event& event : sample_events()) kinds.insert(event.body.index());
  EXPECT_EQ(kinds.size(), std::variant_size_v<rules::EventBody>);
}

TEST(LogCodecTest, HeaderComesBackAsItWas) {
  EXPECT_EQ(decode_header(encode_header(sample_header())), sample_header());
  EXPECT_EQ(decode_header(encode_header(rules::Header{})), rules::Header{});
}

TEST(LogCodecTest, SeedComesBackAndIsOf32Bytes) {
  rules::Header header = sample_header();
  for (std::size_t i = 0; i < header.seed.size(); ++i) {
    header.seed[i] = static_cast<std::uint8_t>(i);
  }
  EXPECT_EQ(decode_header(encode_header(header)), header);
}

TEST(LogCodecTest, EventsComeBackAsTheyWere) {
  for (const rules::Event& event : sample_events()) {
    EXPECT_EQ(decode_event(encode_event(event)), event) << event.seq;
  }
}

TEST(LogCodecTest, TextsThatAreNotUtf8ComeBackAsTheyWere) {
  const rules::Event event{1, {5, "\xff\xfe"}, rules::Forfeited{rules::Color::Black, "\xc3("}};
  EXPECT_EQ(decode_event(encode_event(event)), event);
}

// The bytes by hand: Point::at(8, 0) is (0 + 1) * 27 + 8 + 1 = 36, 0x24.
TEST(LogCodecTest, EventIsTheBytesWorkedOutByHand) {
  const rules::Event event{3, {1, "r"}, rules::Played{rules::Color::White, rules::Point::at(8, 0)}};
  const std::string expected = bytes_of({0x08, 3,       // seq
                                         0x10, 1,       // unix_ms
                                         0x1a, 1, 'r',  // request_id, field 3, length 1
                                         0x52, 4,       // played, field 10, length 4
                                         0x08, 2,       // color: white
                                         0x10, 0x24});  // point
  EXPECT_EQ(encode_event(event), expected);
}

// Events as they were stored before seats said what engines grant, and pauses why: field 31 with a
// pause that white asked for, and field 20 with an engine "p" for black.
TEST(LogCodecTest, WhatOldLogsLeaveOutIsWhatWasTrueThen) {
  const std::string paused = bytes_of({0x08, 3, 0x10, 1, 0xfa, 0x01, 2, 0x10, 2});
  EXPECT_EQ(decode_event(paused),
            (rules::Event{3, {1, ""}, rules::Paused{rules::Color::White, {}, {}}}));
  const std::string changed =
      bytes_of({0x08, 3, 0x10, 1, 0xa2, 0x01, 9, 0x0a, 5, 0x08, 2, 0x1a, 1, 'p', 0x18, 1});
  const rules::Seat seat{rules::SeatKind::Engine, "", "p", {}, false, 0, false, 200, 3};
  EXPECT_EQ(decode_event(changed),
            (rules::Event{3, {1, ""}, rules::SeatChanged{rules::Color::Black, seat, ""}}));
}

// What a move took goes into field 3: 5 ns used, none of lag, 100 ns of main time and three periods
// left, the fields that are 0 being left out.
TEST(LogCodecTest, WhatAMoveTookIsBesideIt) {
  using std::chrono::nanoseconds;
  const rules::Event event{3,
                           {1, ""},
                           rules::Played{rules::Color::White,
                                         rules::Point::at(8, 0),
                                         {nanoseconds{5}, nanoseconds{0}},
                                         {nanoseconds{100}, nanoseconds{0}, 3, 0}}};
  const std::string expected = bytes_of({0x08, 3,     // seq
                                         0x10, 1,     // unix_ms
                                         0x52, 14,    // played, field 10
                                         0x08, 2,     // color: white
                                         0x10, 0x24,  // point
                                         0x1a, 8,     // time, field 3
                                         0x08, 5,     // used_ns
                                         0x1a, 4,     // left, field 3
                                         0x08, 100,   // main_ns
                                         0x18, 3});   // periods
  EXPECT_EQ(encode_event(event), expected);
  EXPECT_EQ(decode_event(expected), event);
}

// The last field of a header: system none, in field 14 (14 << 3 | 2 = 0x72).
TEST(LogCodecTest, AHeaderWithoutAClockSaysSo) {
  std::string bytes = encode_header(rules::Header{});
  ASSERT_NE(decode_header(bytes), std::nullopt);
  const std::string clock = bytes_of({0x72, 2, 0x08, 1});
  ASSERT_NE(bytes.find(clock), std::string::npos);
  bytes.erase(bytes.find(clock), clock.size());
  EXPECT_EQ(decode_header(bytes), std::nullopt);
}

TEST(LogCodecTest, AHeaderWithAnImpossibleClockIsRefused) {
  rules::Header header = sample_header();
  header.clock.periods = 0;
  EXPECT_EQ(decode_header(encode_header(header)), std::nullopt);
  header.clock = {};
  header.clock.stones = 1;
  EXPECT_EQ(decode_header(encode_header(header)), std::nullopt);
}

TEST(LogCodecTest, PointsArePacked) {
  const rules::Event event{
      1, {0, ""}, rules::Captured{rules::Color::Black, {rules::Point::at(0, 0), rules::Point(45)}}};
  const std::string expected = bytes_of({0x08, 1,          // seq
                                         0x7a, 6,          // captured, field 15, length 6
                                         0x0a, 2, 28, 45,  // points, field 1, two of one byte each
                                         0x10, 1});        // by: black
  EXPECT_EQ(encode_event(event), expected);
}

TEST(LogCodecTest, NoProperPrefixIsAHeader) {
  const std::string bytes = encode_header(sample_header());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(decode_header(std::string_view(bytes).substr(0, size)), std::nullopt) << size;
  }
}

TEST(LogCodecTest, NoProperPrefixIsAnEvent) {
  for (const rules::Event& event : sample_events()) {
    const std::string bytes = encode_event(event);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_EQ(decode_event(std::string_view(bytes).substr(0, size)), std::nullopt)
          << event.seq << " cut to " << size;
    }
  }
}

TEST(LogCodecTest, EventWithAFieldOfALaterVersionIsRefused) {
  const std::string bytes = encode_event(sample_events().front());
  EXPECT_EQ(decode_event(bytes + bytes_of({0xf8, 0x7f, 1})), std::nullopt);  // field 2047
}

TEST(LogCodecTest, UnknownFieldInsideABodyIsRefused) {
  // passed {color: black, field 9: 1}: tag 9 << 3 is 0x48.
  EXPECT_EQ(decode_event(bytes_of({0x08, 1, 0x5a, 4, 0x08, 1, 0x48, 1})), std::nullopt);
  EXPECT_NE(decode_event(bytes_of({0x08, 1, 0x5a, 2, 0x08, 1})), std::nullopt);
}

TEST(LogCodecTest, UnknownFieldInsideASeatIsRefused) {
  rules::Header header = sample_header();
  header.seats[0].name = "xyzzy";
  std::string bytes = encode_header(header);
  const std::size_t name = bytes.find("xyzzy");
  ASSERT_NE(name, std::string::npos);
  bytes[name - 2] = 0x3a;  // The name's tag becomes that of field 7, which seats do not have.
  EXPECT_EQ(decode_header(bytes), std::nullopt);
}

TEST(LogCodecTest, ImpossibleValuesAreRefused) {
  const std::string cases[] = {
      bytes_of({0x10, 1, 0x5a, 2, 0x08, 1}),                          // no seq
      bytes_of({0x08, 1}),                                            // no body
      bytes_of({0x08, 1, 0x5a, 0}),                                   // pass of nobody
      bytes_of({0x08, 1, 0x5a, 2, 0x08, 3}),                          // a third colour
      bytes_of({0x08, 1, 0x52, 4, 0x08, 1, 0x10, 27}),                // a sentinel point
      bytes_of({0x08, 1, 0x52, 2, 0x08, 1}),                          // point 0
      bytes_of({0x08, 1, 0x52, 5, 0x08, 1, 0x10, 0xd9, 0x05}),        // point 729, past the field
      bytes_of({0x08, 1, 0x52, 6, 0x08, 1, 0x10, 0xa4, 0x80, 0x04}),  // 65536 + 36
      bytes_of({0x08, 1, 0x82, 0x01, 2, 0x08, 3}),                    // a third reason to stop
      bytes_of({0x08, 1, 0x92, 0x01, 0}),                             // an end of no kind
      bytes_of({0x08, 1, 0x6a, 7, 0x0a, 1, 28, 0x10, 1, 0x18, 1}),    // a list by one who cannot
      // Used -1: the varint of 2^64 - 1. Then lag -1, and main time left of -1.
      bytes_of({0x08, 1, 0x5a, 15, 0x08, 1, 0x12, 11, 0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                0xff, 0xff, 0xff, 1}),
      bytes_of({0x08, 1, 0x5a, 15, 0x08, 1, 0x12, 11, 0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                0xff, 0xff, 0xff, 1}),
      bytes_of({0x08, 1,    0x5a, 17,   0x08, 1,    0x12, 13,   0x1a, 11, 0x08,
                0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}),
      bytes_of({0x08, 1, 0x5a, 9, 0x08, 1, 0x12, 5, 0x1a, 3, 0x18, 0xe9, 0x07}),  // 1001 periods
      bytes_of({0x08, 1, 0x9a, 0x01, 0}),                    // nobody's time was up
      bytes_of({0x08, 1, 0xa2, 0x01, 2, 0x18, 1}),           // a seat of no kind
      bytes_of({0x08, 1, 0xa2, 0x01, 4, 0x0a, 2, 0x08, 1}),  // a seat of no colour
  };
  for (const std::string& bytes : cases) {
    EXPECT_EQ(decode_event(bytes), std::nullopt) << testing::PrintToString(bytes);
  }
}

TEST(LogCodecTest, HeaderWithoutTwoSeatsOrWithAStoneOffTheBoardIsRefused) {
  rules::Header header = sample_header();
  header.setup = {{rules::Color::Black, rules::Point::at(9, 0)}};  // the board has 9 columns
  EXPECT_EQ(decode_header(encode_header(header)), std::nullopt);
  header.setup.clear();
  header.size = {0, 9};
  EXPECT_EQ(decode_header(encode_header(header)), std::nullopt);
  EXPECT_EQ(decode_header(""), std::nullopt);
}

TEST(LogCodecTest, RandomBytesNeverDoMoreThanFail) {
  std::mt19937 random(7);
  int accepted = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string bytes(random() % 32, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    if (const auto event = decode_event(bytes)) {
      ++accepted;
      EXPECT_EQ(decode_event(encode_event(*event)), event);
    }
  }
  EXPECT_LT(accepted, 100);
}

}  // namespace
}  // namespace tengen::protocol
