#include "daemon/watch_page.h"

#include <gtest/gtest.h>

#include "tests/rules/game_table.h"

namespace tengen::daemon {
namespace {

TEST(WatchPageTest, NamesFromOutsideAreNoMarkup) {
  auto header = rules::header_of(rules::Size{9, 9}, "chinese");
  header.seats[0].name = "<script>\"a\"&b</script>";
  const auto page = watch_page(rules::Game(header));
  EXPECT_EQ(page.find("<script>"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;&quot;a&quot;&amp;b&lt;/script&gt;"), std::string::npos);
}

TEST(WatchPageTest, TheBoardIsDrawnFromTheTop) {
  rules::Table table(rules::header_of(rules::Size{2, 3}, "chinese"));
  ASSERT_EQ(table.play(rules::Color::Black, "B3"), rules::Refusal::None);
  const auto page = watch_page(table.game);
  EXPECT_NE(page.find("    A B\n"
                      "  3 . X 3\n"
                      "  2 . . 2\n"
                      "  1 . . 1\n"
                      "    A B\n"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("move 1: black B3"), std::string::npos);
}

TEST(WatchPageTest, OnlyAGameThatGoesOnIsLoadedAgain) {
  rules::Table table(rules::header_of(rules::Size{9, 9}, "chinese"));
  EXPECT_NE(watch_page(table.game).find("http-equiv=\"refresh\""), std::string::npos);
  ASSERT_EQ(table.game.resign(rules::Color::White, {}), rules::Refusal::None);
  const auto page = watch_page(table.game);
  EXPECT_EQ(page.find("http-equiv=\"refresh\""), std::string::npos);
  EXPECT_NE(page.find("finished: B+R"), std::string::npos);
}

}  // namespace
}  // namespace tengen::daemon
