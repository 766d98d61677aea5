// The output rule at its source: what the journal lets out, when, and in which order.
#include "daemon/journal.h"

#include <gtest/gtest.h>

namespace tengen::daemon {
namespace {

constexpr rules::GameId kJournalGame{1, 2};

NewEvent event(std::uint32_t seq) { return {kJournalGame, seq, "event " + std::to_string(seq)}; }

Effect log_line(std::string text) { return LogLine{pool::Note::Level::Info, std::move(text)}; }

// What came out, in order: the texts of lines, and "commit N" for commits.
std::vector<std::string> told(const Effects& out) {
  std::vector<std::string> texts;
  for (const auto& effect : out) {
    if (const auto* commit = std::get_if<Commit>(&effect)) {
      texts.push_back("commit " + std::to_string(commit->ticket.value));
    } else {
      texts.push_back(std::get<LogLine>(effect).text);
    }
  }
  return texts;
}

using Texts = std::vector<std::string>;

class JournalTest : public testing::Test {
 protected:
  Texts flush() {
    Effects out;
    journal_.flush(out);
    return told(out);
  }
  Texts stored(std::uint64_t ticket) {
    Effects out;
    journal_.on_stored({ticket}, out);
    return told(out);
  }
  Texts send(Ticket after, std::string text) {
    Effects out;
    journal_.send_after(after, log_line(std::move(text)), out);
    return told(out);
  }

  Journal journal_;
};

TEST_F(JournalTest, NothingIsCommittedWhenNothingChanged) {
  EXPECT_EQ(flush(), Texts{});
  EXPECT_TRUE(journal_.is_settled());
}

TEST_F(JournalTest, AnEffectOfNoChangeGoesOutAtOnce) {
  EXPECT_EQ(send(Ticket{}, "welcome"), Texts{"welcome"});
}

TEST_F(JournalTest, AnEffectOfAChangeWaitsUntilItsBatchIsDurable) {
  journal_.add(event(1));
  const Ticket ticket = journal_.open_ticket();
  EXPECT_EQ(send(ticket, "accepted"), Texts{});
  EXPECT_EQ(flush(), Texts{"commit 1"});
  EXPECT_FALSE(journal_.is_durable(ticket));
  EXPECT_EQ(stored(1), Texts{"accepted"});
  EXPECT_TRUE(journal_.is_durable(ticket));
  EXPECT_EQ(send(ticket, "later"), Texts{"later"});
}

TEST_F(JournalTest, EverythingOfATurnIsOneBatchInTheOrderOfItsChanges) {
  journal_.add(NewGame{kJournalGame, "header", "request"});
  journal_.add(event(1));
  journal_.add(event(2));
  journal_.add_finished(kJournalGame);
  Effects out;
  journal_.flush(out);
  ASSERT_EQ(out.size(), 1u);
  const auto& batch = std::get<Commit>(out.front()).batch;
  ASSERT_EQ(batch.games.size(), 1u);
  EXPECT_EQ(batch.games.front().header, "header");
  EXPECT_EQ(batch.games.front().request_id, "request");
  ASSERT_EQ(batch.events.size(), 2u);
  EXPECT_EQ(batch.events[0].body, "event 1");
  EXPECT_EQ(batch.events[1].body, "event 2");
  EXPECT_EQ(batch.finished, std::vector{kJournalGame});
}

TEST_F(JournalTest, OneCommitIsInFlightAndWhatArrivesMeanwhileIsTheNext) {
  journal_.add(event(1));
  EXPECT_EQ(flush(), Texts{"commit 1"});
  journal_.add(event(2));
  EXPECT_EQ(flush(), Texts{});
  journal_.add(event(3));
  EXPECT_EQ(flush(), Texts{});
  EXPECT_EQ(stored(1), Texts{});
  Effects out;
  journal_.flush(out);
  ASSERT_EQ(told(out), Texts{"commit 2"});
  EXPECT_EQ(std::get<Commit>(out.front()).batch.events.size(), 2u);
}

TEST_F(JournalTest, ABatchLetsOutItsOwnEffectsAndNotThoseOfTheNext) {
  journal_.add(event(1));
  send(journal_.open_ticket(), "first");
  flush();
  journal_.add(event(2));
  send(journal_.open_ticket(), "second");
  flush();
  EXPECT_EQ(stored(1), Texts{"first"});
  EXPECT_EQ(flush(), Texts{"commit 2"});
  EXPECT_EQ(stored(2), Texts{"second"});
}

TEST_F(JournalTest, EffectsOfOneBatchKeepTheirOrder) {
  journal_.add(event(1));
  for (const char* text : {"a", "b", "c"}) send(journal_.open_ticket(), text);
  flush();
  EXPECT_EQ(stored(1), (Texts{"a", "b", "c"}));
}

TEST_F(JournalTest, AnEffectOfABatchInFlightThatComesLateGoesBeforeTheNextBatchs) {
  journal_.add(event(1));
  const Ticket first = journal_.open_ticket();
  flush();
  journal_.add(event(2));
  send(journal_.open_ticket(), "of the second");
  EXPECT_EQ(send(first, "of the first"), Texts{});
  EXPECT_EQ(stored(1), Texts{"of the first"});
  flush();
  EXPECT_EQ(stored(2), Texts{"of the second"});
}

TEST_F(JournalTest, TheNewestTicketIsThatOfTheLatestChange) {
  EXPECT_TRUE(journal_.is_durable(journal_.newest_ticket()));
  journal_.add(event(1));
  EXPECT_EQ(journal_.newest_ticket(), journal_.open_ticket());
  const Ticket first = journal_.newest_ticket();
  flush();
  EXPECT_EQ(journal_.newest_ticket(), first);
  EXPECT_FALSE(journal_.is_durable(journal_.newest_ticket()));
  stored(1);
  EXPECT_TRUE(journal_.is_durable(journal_.newest_ticket()));
}

TEST_F(JournalTest, IsSettledOnlyWhenNothingIsOpenOrInFlight) {
  journal_.add(event(1));
  EXPECT_FALSE(journal_.is_settled());
  flush();
  EXPECT_FALSE(journal_.is_settled());
  stored(1);
  EXPECT_TRUE(journal_.is_settled());
}

TEST(JournalDeathTest, AnAnswerForAnotherBatchThanTheOneInFlightIsOurMistake) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  Journal journal;
  Effects out;
  EXPECT_DEATH(journal.on_stored({1}, out), "broken promise");
}

}  // namespace
}  // namespace tengen::daemon
