// Reviews of whole games through the hub.
#include "tests/daemon/analysis_rig.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::AnalysisEnd;
using protocol::AnalysisEnded;
using protocol::AnalysisStopped;
using protocol::GameSource;
using protocol::ReviewGame;
using protocol::ReviewProgress;
using protocol::ReviewStarted;
using protocol::SgfSource;
using protocol::StopAnalysis;
using rules::AnalysisPolicy;
using rules::Color;
using rules::Move;
using rules::Point;

class HubReviewTest : public HubAnalysisTest {};

/// A review by visits.
ReviewGame review_of(protocol::AnalysisSource source) {
  ReviewGame review;
  review.source = std::move(source);
  review.profile = "kata";
  review.time_per_move = 0ms;
  review.visits_max = 1;
  return review;
}

constexpr const char* kRecord = "(;GM[1]SZ[5];B[cc];W[bb];B[dd];W[];B[];W[aa])";

TEST_F(HubReviewTest, AReviewGoesThroughEveryPositionAndTellsHowFarItIs) {
  const auto begun =
      rig_.ask<ReviewStarted>(watcher_, review_of(SgfSource{kRecord, 0, std::nullopt}));
  EXPECT_EQ(begun.positions, 6u) << "0 to 6 but for the one after two passes";
  for (int i = 0; i < 10; ++i) rig_.tick();
  const auto progress = pushes<ReviewProgress>(watcher_);
  ASSERT_EQ(progress.size(), 6u);
  const std::uint32_t moves[] = {0, 1, 2, 3, 4, 6};
  for (std::uint32_t i = 0; i < 6; ++i) {
    EXPECT_EQ(progress[i].analysis, begun.analysis);
    EXPECT_EQ(progress[i].done, i + 1);
    EXPECT_EQ(progress[i].positions, 6u);
    EXPECT_EQ(progress[i].position.move, moves[i]);
    EXPECT_FALSE(progress[i].position.candidates.empty());
  }
  EXPECT_EQ(progress[1].position.to_move, Color::White);
  EXPECT_NEAR(progress[1].position.winrate.value_or(0), 0.49, 1e-9);
  ASSERT_EQ(pushes<AnalysisEnded>(watcher_).size(), 1u);
  EXPECT_EQ(pushes<AnalysisEnded>(watcher_)[0],
            (AnalysisEnded{begun.analysis, AnalysisEnd::Done, ""}));
  EXPECT_TRUE(updates(watcher_).empty());
  EXPECT_EQ(rig_.hub().analyses(), 0u);
}

TEST_F(HubReviewTest, APartOfAGameCanBeReviewed) {
  auto review = review_of(SgfSource{kRecord, 0, std::nullopt});
  review.from = 2;
  review.to = 3;
  EXPECT_EQ(rig_.ask<ReviewStarted>(watcher_, review).positions, 2u);
  for (int i = 0; i < 4; ++i) rig_.tick();
  const auto progress = pushes<ReviewProgress>(watcher_);
  ASSERT_EQ(progress.size(), 2u);
  EXPECT_EQ(progress[0].position.move, 2u);
  review.from = 7;
  review.to.reset();
  EXPECT_EQ(refused(watcher_, review).reason, "from");
}

TEST_F(HubReviewTest, AReviewByTimeTellsTheNewestOfEachPosition) {
  auto review = review_of(small_position({Move::play(Color::Black, Point::at(2, 2))}));
  review.visits_max = 0;
  review.time_per_move = 1'000ms;
  rig_.ask<ReviewStarted>(watcher_, review);
  rig_.tick();
  rig_.tick();
  rig_.advance(1'000ms);
  auto progress = pushes<ReviewProgress>(watcher_);
  ASSERT_EQ(progress.size(), 1u);
  EXPECT_EQ(progress[0].position.candidates.front().visits, 2u * 40 + 1);
  rig_.advance(1'000ms);
  progress = pushes<ReviewProgress>(watcher_);
  ASSERT_EQ(progress.size(), 2u);
  EXPECT_EQ(progress[1].position.move, 1u);
  EXPECT_EQ(progress[1].position.winrate, std::nullopt) << "nothing was found in that time";
}

TEST_F(HubReviewTest, AReviewOfAGameOfTheDaemonIsOfTheMovesMadeSoFar) {
  const auto game = make_game(AnalysisPolicy::Everyone);
  play(game, "E5");
  const auto begun = rig_.ask<ReviewStarted>(watcher_, review_of(GameSource{game, std::nullopt}));
  EXPECT_EQ(begun.positions, 2u);
  play(game, "C3");
  for (int i = 0; i < 4; ++i) rig_.tick();
  EXPECT_EQ(pushes<ReviewProgress>(watcher_).size(), 2u);
  EXPECT_EQ(rig_.hub().analyses(), 0u);
}

TEST_F(HubReviewTest, AReviewIsStoppedLikeAnAnalysis) {
  const auto begun =
      rig_.ask<ReviewStarted>(watcher_, review_of(SgfSource{kRecord, 0, std::nullopt}));
  rig_.tick();
  rig_.ask<AnalysisStopped>(watcher_, StopAnalysis{begun.analysis});
  for (int i = 0; i < 4; ++i) rig_.tick();
  EXPECT_EQ(pushes<ReviewProgress>(watcher_).size(), 1u);
  EXPECT_EQ(streaming(), 0);
}

}  // namespace
}  // namespace tengen::daemon
