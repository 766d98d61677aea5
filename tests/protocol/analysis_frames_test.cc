// Requests for analysis from outside: what is filled in, and what is refused with which field's
// name.
#include <gtest/gtest.h>

#include "protocol/codec.h"

namespace tengen::protocol {
namespace {

using namespace std::chrono_literals;
using rules::Color;
using rules::Point;

const std::string kGame = R"("source":{"game":{"game":"0123456789abcdef0123456789abcdef"}})";

std::string start(const std::string& fields) {
  return R"({"id":5,"start_analysis":{"profile":"katago",)" + fields + "}}";
}
std::string review(const std::string& fields) {
  return R"({"id":5,"review_game":{"profile":"katago",)" + fields + "}}";
}
std::string position(const std::string& fields) {
  return start(R"("source":{"position":{)" + fields + "}}");
}

template <typename Message>
Message read(const std::string& json) {
  auto decoded = decode_client(Format::Json, json);
  if (const auto* bad = std::get_if<DecodeError>(&decoded)) {
    ADD_FAILURE() << bad->error.reason << ": " << bad->error.message;
    return {};
  }
  return std::get<Message>(std::get<ClientFrame>(std::move(decoded)).message);
}

std::string refusal_of(const std::string& json) {
  const auto decoded = decode_client(Format::Json, json);
  const auto* bad = std::get_if<DecodeError>(&decoded);
  return bad != nullptr ? bad->error.reason : "accepted";
}

TEST(AnalysisFramesTest, WhatIsLeftOutIsTheUsual) {
  const auto asked = read<StartAnalysis>(start(kGame));
  EXPECT_EQ(std::get<GameSource>(asked.source).move, std::nullopt);
  EXPECT_EQ(asked.interval, 500ms);
  EXPECT_EQ(asked.time_max, 0ms);
  EXPECT_EQ(asked.visits_max, 0u);
  EXPECT_EQ(asked.detail, (AnalysisDetail{false, 10, 15}));
  const auto whole = read<ReviewGame>(review(kGame));
  EXPECT_EQ(whole.time_per_move, 1'000ms);
  EXPECT_EQ(whole.from, 0u);
  EXPECT_EQ(whole.to, std::nullopt);
}

TEST(AnalysisFramesTest, AReviewByVisitsHasNoLimitOfTime) {
  EXPECT_EQ(read<ReviewGame>(review(kGame + R"(,"max_visits":50)")).time_per_move, 0ms);
  EXPECT_EQ(read<ReviewGame>(review(kGame + R"(,"max_visits":50,"ms_per_move":60)")).time_per_move,
            60ms);
}

TEST(AnalysisFramesTest, APositionIsOnTheLargeBoardByChineseRulesUnlessItSaysOtherwise) {
  const auto empty = std::get<PositionSource>(read<StartAnalysis>(position("")).source);
  EXPECT_EQ(empty.size, (rules::Size{19, 19}));
  EXPECT_EQ(empty.komi_half, 15);
  EXPECT_EQ(empty.rules, rules::find_preset("chinese")->rules);
  EXPECT_EQ(empty.to_move, Color::Black);
  const auto small = std::get<PositionSource>(
      read<StartAnalysis>(position(R"("width":9,"preset":"japanese")")).source);
  EXPECT_EQ(small.size, (rules::Size{9, 9}));
  EXPECT_EQ(small.komi_half, 13);
}

TEST(AnalysisFramesTest, AfterAMoveTheOtherSideIsToMove) {
  const std::string moves = R"("width":9,"moves":[{"color":"COLOR_BLACK","vertex":"e5"},)"
                            R"({"color":"COLOR_BLACK","vertex":"pass"}])";
  const auto found = std::get<PositionSource>(read<StartAnalysis>(position(moves)).source);
  EXPECT_EQ(found.moves, (std::vector<rules::Move>{rules::Move::play(Color::Black, Point::at(4, 4)),
                                                   rules::Move::pass(Color::Black)}));
  EXPECT_EQ(found.to_move, Color::White);
  const auto told = std::get<PositionSource>(
      read<StartAnalysis>(position(moves + R"(,"to_move":"COLOR_BLACK")")).source);
  EXPECT_EQ(told.to_move, Color::Black);
}

TEST(AnalysisFramesTest, EachLimitIsReachedAndPassedByName) {
  const struct {
    std::string accepted;
    std::string refused;
    std::string field;
  } kCases[] = {
      {R"(,"interval_ms":50)", R"(,"interval_ms":49)", "interval_ms"},
      {R"(,"interval_ms":10000)", R"(,"interval_ms":10001)", "interval_ms"},
      {R"(,"max_ms":100)", R"(,"max_ms":99)", "max_ms"},
      {R"(,"max_ms":86400000)", R"(,"max_ms":86400001)", "max_ms"},
      {R"(,"max_visits":100000000)", R"(,"max_visits":100000001)", "max_visits"},
      {R"(,"moves_max":50)", R"(,"moves_max":51)", "moves_max"},
      {R"(,"variation_max":50)", R"(,"variation_max":51)", "variation_max"},
  };
  for (const auto& each : kCases) {
    EXPECT_EQ(refusal_of(start(kGame + each.accepted)), "accepted") << each.accepted;
    EXPECT_EQ(refusal_of(start(kGame + each.refused)), each.field) << each.refused;
  }
}

TEST(AnalysisFramesTest, AReviewHasLimitsOfItsOwn) {
  EXPECT_EQ(refusal_of(review(kGame + R"(,"ms_per_move":50,"from":1875,"to":1875)")), "accepted");
  EXPECT_EQ(refusal_of(review(kGame + R"(,"ms_per_move":49)")), "ms_per_move");
  EXPECT_EQ(refusal_of(review(kGame + R"(,"ms_per_move":600001)")), "ms_per_move");
  EXPECT_EQ(refusal_of(review(kGame + R"(,"from":1876)")), "from");
  EXPECT_EQ(refusal_of(review(kGame + R"(,"to":1876)")), "to");
  EXPECT_EQ(refusal_of(review(kGame + R"(,"from":3,"to":2)")), "to");
}

TEST(AnalysisFramesTest, WhatCannotBeAnalysedIsRefusedByName) {
  EXPECT_EQ(refusal_of(start(R"("max_ms":100)")), "source");
  EXPECT_EQ(refusal_of(start(R"("source":{})")), "source");
  EXPECT_EQ(refusal_of(start(R"("source":{"game":{"game":"x"}})")), "game");
  EXPECT_EQ(refusal_of(R"({"id":5,"start_analysis":{)" + kGame + "}}"), "profile");
  EXPECT_EQ(refusal_of(start(kGame + R"(,"settings":[{"key":"a b"}])")), "key");
  EXPECT_EQ(refusal_of(position(R"("width":26)")), "width");
  EXPECT_EQ(refusal_of(position(R"("preset":"mine")")), "preset");
  EXPECT_EQ(refusal_of(position(R"("komi_half":801)")), "komi_half");
  EXPECT_EQ(refusal_of(position(R"("width":9,"moves":[{"color":1,"vertex":"K10"}])")), "vertex");
  EXPECT_EQ(refusal_of(position(R"("width":9,"moves":[{"vertex":"D4"}])")), "color");
  EXPECT_EQ(refusal_of(position(R"("width":9,"to_move":3)")), "color");
  EXPECT_EQ(refusal_of(start(R"("source":{"sgf":{}})")), "sgf");
}

TEST(AnalysisFramesTest, APositionHasNoMoreStonesThanPointsAndNoMoreMovesThanAGame) {
  StartAnalysis asked{PositionSource{{2, 2}, {}, 15, {}, {}, Color::Black}, "katago", {}, {}};
  auto& source = std::get<PositionSource>(asked.source);
  const auto refused = [&] {
    const auto decoded =
        decode_client(Format::Binary, encode(Format::Binary, ClientFrame{5, asked}));
    const auto* bad = std::get_if<DecodeError>(&decoded);
    return bad != nullptr ? bad->error.reason : "accepted";
  };
  source.setup.assign(4, {Color::Black, Point::at(0, 0)});
  EXPECT_EQ(refused(), "accepted") << "whether stones can stand there is judged later";
  source.setup.assign(5, {Color::Black, Point::at(0, 0)});
  EXPECT_EQ(refused(), "setup");
  source.setup.clear();
  source.moves.assign(1'875, rules::Move::pass(Color::Black));
  EXPECT_EQ(refused(), "accepted");
  source.moves.push_back(rules::Move::pass(Color::Black));
  EXPECT_EQ(refused(), "moves");
}

TEST(AnalysisFramesTest, ARecordIsWithinTheLimitOfAFrame) {
  const auto refused = [](std::size_t bytes) {
    const StartAnalysis asked{
        SgfSource{std::string(bytes, 'x'), 0, std::nullopt}, "katago", {}, {}};
    const auto frame = encode(Format::Binary, ClientFrame{5, asked});
    const auto decoded = decode_client(Format::Binary, frame);
    const auto* bad = std::get_if<DecodeError>(&decoded);
    return bad != nullptr ? bad->error.reason : "accepted with " + std::to_string(frame.size());
  };
  EXPECT_EQ(refused(61'440).substr(0, 8), "accepted");
  EXPECT_LT(std::stoul(refused(61'440).substr(14)), 65'536u);
  EXPECT_EQ(refused(61'441), "sgf");
}

// The largest board with all that may be asked for; outboxes hold several of them.
TEST(AnalysisFramesTest, TheLargestUpdateIsFarWithinAnOutbox) {
  PositionAnalysis position;
  position.size = {25, 25};
  position.winrate = 1.0 / 3;
  position.score_lead = -1.0 / 3;
  Candidate candidate{4'000'000'000u, 1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3, {}};
  candidate.variation.assign(kVariationMax, rules::Move::play(Color::Black, Point::at(24, 0)));
  position.candidates.assign(kCandidatesMax, candidate);
  position.ownership.assign(625, 1.0f / 3);
  const ServerFrame frame{0, AnalysisUpdate{1, position}};
  EXPECT_LT(encode(Format::Binary, frame).size(), 24u * 1024);
  EXPECT_LT(encode(Format::Json, frame).size(), 64u * 1024);
}

}  // namespace
}  // namespace tengen::protocol
