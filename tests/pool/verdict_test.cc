// What is asked for a job and what the answers mean. Answers are what engines were recorded to say
// (GNU Go 3.8, Leela Zero 0.17, KataGo 1.17, Pachi 12.90), or a fault of that kind.
#include "pool/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tengen::pool {
namespace {

using rules::Color;
using rules::Size;

constexpr Size kBoard{9, 9};
constexpr Want kWants[] = {
    Want::Genmove,      Want::CleanupGenmove, Want::RegGenmove, Want::GenmoveAnalyze,
    Want::FreeHandicap, Want::DeadList,       Want::AliveList,  Want::SekiList,
    Want::FinalScore,   Want::Analyze,        Want::Raw};

Job job_for(Want want, Color color = Color::Black, Size size = kBoard) {
  Job job{.id = {1},
          .game = {},
          .profile = "some",
          .settings = {},
          .record = rules::Record(size, rules::KoRule::Simple, rules::SuicideRule::No),
          .rules = {}};
  job.color = color;
  job.want = want;
  job.stones = 4;
  job.command = "list_stones black";
  return job;
}

Profile asking_profile() {
  Profile profile;
  profile.name = "some";
  profile.analysis = AnalysisDialect::Kata;
  profile.raw_commands = {"list_stones", "showboard"};
  return profile;
}

Answer yes(std::string text) { return {1, true, std::move(text), false, {}}; }
Answer no(std::string text) { return {1, false, std::move(text), false, {}}; }

/// "play D4", "pass", "resign", or "rubbish".
std::string move_in(Want want, std::string text, Size size = kBoard) {
  const auto result = read_result(job_for(want, Color::Black, size), yes(std::move(text)));
  if (!result) return "rubbish";
  const EngineMove& move = std::get<EngineMove>(*result);
  if (move.kind == EngineMove::Kind::Pass) return "pass";
  if (move.kind == EngineMove::Kind::Resign) return "resign";
  return "play " + gtp_vertex(move.point, size);
}

/// The vertices in their order, or "rubbish".
std::string stones_in(Want want, std::string text, Size size = kBoard) {
  const auto result = read_result(job_for(want, Color::Black, size), yes(std::move(text)));
  if (!result) return "rubbish";
  std::string vertices;
  for (const rules::Point point : std::get<EngineStones>(*result).points) {
    if (!vertices.empty()) vertices += ' ';
    vertices += gtp_vertex(point, size);
  }
  return vertices;
}

EngineScore score_in(std::string text) {
  const auto result = read_result(job_for(Want::FinalScore), yes(std::move(text)));
  return result ? std::get<EngineScore>(*result) : EngineScore{-9999, "rubbish"};
}

TEST(SearchCommand, AsksForEachWant) {
  const Profile profile = asking_profile();
  const std::pair<Want, const char*> rows[] = {
      {Want::Genmove, "genmove W"},
      {Want::CleanupGenmove, "kgs-genmove_cleanup W"},
      {Want::RegGenmove, "reg_genmove W"},
      {Want::GenmoveAnalyze, "kata-genmove_analyze W 20 rootInfo true"},
      {Want::FreeHandicap, "place_free_handicap 4"},
      {Want::DeadList, "final_status_list dead"},
      {Want::AliveList, "final_status_list alive"},
      {Want::SekiList, "final_status_list seki"},
      {Want::FinalScore, "final_score"},
      {Want::Analyze, "kata-analyze W 20 rootInfo true"},
      {Want::Raw, "list_stones black"},
  };
  ASSERT_EQ(std::size(rows), std::size(kWants));
  for (const auto& [want, command] : rows) {
    EXPECT_EQ(search_command(job_for(want, Color::White), profile), command);
    EXPECT_TRUE(is_command(command));
  }
}

TEST(SearchCommand, UsesTheProfilesCommands) {
  Profile profile = asking_profile();
  profile.search_command = "kata-search_cancellable";
  profile.reg_search_command = "kata-search";
  profile.cleanup_command.clear();
  EXPECT_EQ(search_command(job_for(Want::Genmove), profile), "kata-search_cancellable B");
  EXPECT_EQ(search_command(job_for(Want::RegGenmove), profile), "kata-search B");
  EXPECT_EQ(search_command(job_for(Want::CleanupGenmove), profile), "kata-search_cancellable B");
  profile.analysis = AnalysisDialect::LzBare;
  EXPECT_EQ(search_command(job_for(Want::Analyze), profile), "lz-analyze B 20");
}

TEST(Refusal, OnlyWhatTheProfileLacksIsRefused) {
  Profile profile = asking_profile();
  for (const Want want : kWants) EXPECT_FALSE(refusal(job_for(want), profile)) << name_of(want);
  profile.analysis = AnalysisDialect::None;
  for (const Want want : {Want::Analyze, Want::GenmoveAnalyze}) {
    const auto failure = refusal(job_for(want), profile);
    ASSERT_TRUE(failure) << name_of(want);
    EXPECT_EQ(failure->error, JobError::NotSupported);
    EXPECT_TRUE(failure->detail.starts_with("profile some has no ")) << failure->detail;
  }
}

TEST(SearchCommand, IsAPlainOneWhereTheProfileHasNoOther) {
  Profile profile = asking_profile();
  profile.reg_search_command.clear();
  profile.cleanup_command.clear();
  EXPECT_EQ(search_command(job_for(Want::RegGenmove), profile), "genmove B");
  EXPECT_EQ(search_command(job_for(Want::CleanupGenmove), profile), "genmove B");
}

TEST(SearchCommand, CleansUpAfterTwoPassesWhereAPlainMoveWouldKill) {
  Profile profile = asking_profile();
  profile.moves_after_passes = false;
  rules::Record record({9, 9}, rules::KoRule::Positional, rules::SuicideRule::No);
  Job job = job_for(Want::Genmove);
  ASSERT_EQ(record.play(rules::Move::pass(rules::Color::Black)), rules::Refusal::None);
  job.record = record;
  EXPECT_EQ(search_command(job, profile), "genmove B");
  ASSERT_EQ(record.play(rules::Move::pass(rules::Color::White)), rules::Refusal::None);
  job.record = record;
  EXPECT_EQ(search_command(job, profile), "kgs-genmove_cleanup B");
  job.want = Want::GenmoveAnalyze;
  EXPECT_TRUE(refusal(job, profile));
}

void pass_twice(Job& job) {
  rules::Record record = *job.record;
  for (const Color color : {Color::Black, Color::White}) {
    ASSERT_EQ(record.play(rules::Move::pass(color)), rules::Refusal::None);
  }
  job.record = record;
}

// Leela Zero 0.17 aborts when it is asked for a plain move after two passes.
TEST(Refusal, APlainSearchAfterTwoPassesIsRefusedWhereItKillsWhateverItIsFor) {
  struct Row {
    const char* reg_search;
    const char* cleanup;
    std::vector<Want> refused;
  };
  const Row rows[] = {
      {"reg_genmove", "kgs-genmove_cleanup", {Want::GenmoveAnalyze}},
      {"", "kgs-genmove_cleanup", {Want::GenmoveAnalyze, Want::RegGenmove}},
      {"reg_genmove", "", {Want::GenmoveAnalyze, Want::Genmove, Want::CleanupGenmove}},
      {"genmove",
       "genmove",
       {Want::GenmoveAnalyze, Want::Genmove, Want::CleanupGenmove, Want::RegGenmove}},
  };
  for (const Row& row : rows) {
    Profile profile = asking_profile();
    profile.reg_search_command = row.reg_search;
    profile.cleanup_command = row.cleanup;
    for (const Want want : kWants) {
      if (want == Want::FreeHandicap) continue;  // not on a board that was played on
      Job job = job_for(want);
      profile.moves_after_passes = false;
      EXPECT_FALSE(refusal(job, profile)) << name_of(want) << " before the passes";
      pass_twice(job);
      const auto failure = refusal(job, profile);
      const bool is_refused =
          std::find(row.refused.begin(), row.refused.end(), want) != row.refused.end();
      EXPECT_EQ(failure.has_value(), is_refused) << name_of(want);
      if (failure) {
        EXPECT_EQ(failure->error, JobError::NotSupported);
      }
      profile.moves_after_passes = true;
      EXPECT_FALSE(refusal(job, profile)) << name_of(want) << " where it is harmless";
    }
  }
}

TEST(Refusal, OnlyThePlainSearchIsDeadlyAndOnlyAfterTwoPasses) {
  Profile profile = asking_profile();
  profile.moves_after_passes = false;
  Job job = job_for(Want::RegGenmove);
  EXPECT_FALSE(is_deadly("genmove B", job, profile));
  pass_twice(job);
  EXPECT_TRUE(is_deadly("genmove B", job, profile));
  EXPECT_TRUE(is_deadly("genmove", job, profile));
  EXPECT_FALSE(is_deadly("kgs-genmove_cleanup B", job, profile));
  EXPECT_FALSE(is_deadly("genmove_debug B", job, profile));
  rules::Record record = *job.record;
  ASSERT_EQ(record.play(rules::Move::play(Color::Black, rules::Point::at(2, 2))),
            rules::Refusal::None);
  job.record = record;
  EXPECT_FALSE(is_deadly("genmove B", job, profile)) << "the last two were no passes";
}

// Pachi and Leela Zero abort at a handicap on a board with stones. GTP 2 allows 2 stones to all
// points but one.
TEST(Refusal, AHandicapNeedsAnEmptyBoardAndANumberOfStonesThatItHolds) {
  const Profile profile = asking_profile();
  Job job = job_for(Want::FreeHandicap);
  for (const auto& [stones, is_fine] : std::initializer_list<std::pair<int, bool>>{
           {-1, false}, {0, false}, {1, false}, {2, true}, {80, true}, {81, false}}) {
    job.stones = stones;
    EXPECT_EQ(!refusal(job, profile), is_fine) << stones;
  }
  job.stones = 4;
  rules::Record empty({9, 9}, rules::KoRule::Simple, rules::SuicideRule::No);
  rules::Record handicapped = empty;
  ASSERT_TRUE(handicapped.set_up({{Color::Black, rules::Point::at(2, 2)}}));
  rules::Record played = empty;
  ASSERT_EQ(played.play(rules::Move::play(Color::Black, rules::Point::at(2, 2))),
            rules::Refusal::None);
  rules::Record passed = empty;
  ASSERT_EQ(passed.play(rules::Move::pass(Color::Black)), rules::Refusal::None);
  for (const rules::Record& record : {handicapped, played, passed}) {
    job.record = record;
    const auto failure = refusal(job, profile);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->error, JobError::NotSupported);
  }
}

TEST(Refusal, RawCommandsAreAllowedByNameAndMustFitTheLine) {
  Profile profile = asking_profile();
  Job job = job_for(Want::Raw);
  const auto allows = [&](std::string command) {
    job.command = std::move(command);
    const auto failure = refusal(job, profile);
    return !failure || failure->error != JobError::NotSupported;
  };
  EXPECT_TRUE(allows("showboard"));
  EXPECT_TRUE(allows("list_stones white"));
  for (const char* command :
       {"", " ", "printsgf /etc/passwd", "showboard2", "SHOWBOARD", "list_stones\nquit",
        "showboard\nquit", "showboard # quit", "showboard \x07", "showboard \xc3\xa9", " showboard",
        "7 showboard", "quit showboard"}) {
    EXPECT_FALSE(allows(command)) << command;
  }
  profile.line_bytes_max = 40;
  EXPECT_TRUE(allows("list_stones " + std::string(10, 'x')));
  EXPECT_FALSE(allows("list_stones " + std::string(28, 'x')));
}

TEST(Refusal, QuotesARefusedCommandWithoutItsControlCharacters) {
  Job job = job_for(Want::Raw);
  job.command = "quit\n\x1b[2J" + std::string(5000, 'x');
  const auto failure = refusal(job, asking_profile());
  ASSERT_TRUE(failure);
  EXPECT_LT(failure->detail.size(), 500u);
  for (const char c : failure->detail) EXPECT_TRUE(c >= ' ' && c <= '~');
}

TEST(ReadResult, AMoveIsOneWordInEitherCase) {
  for (const Want want : {Want::Genmove, Want::CleanupGenmove, Want::RegGenmove}) {
    EXPECT_EQ(move_in(want, "D4"), "play D4");
    EXPECT_EQ(move_in(want, "j9"), "play J9");
    EXPECT_EQ(move_in(want, "PASS"), "pass");
    EXPECT_EQ(move_in(want, "pass"), "pass");
    EXPECT_EQ(move_in(want, "resign"), "resign");
    EXPECT_EQ(move_in(want, "Resign"), "resign");
    for (const char* text : {"", "K1", "I5", "A0", "A10", "D4 D5", "D4x", "=", "cancelled",
                             "play D4", "null", "D4\nD5", "\xff\xfe"}) {
      EXPECT_EQ(move_in(want, text), "rubbish") << text;
    }
  }
  EXPECT_EQ(move_in(Want::Genmove, "T19", {19, 19}), "play T19");
}

TEST(ReadResult, AMoveWithAnalysisIsTheLineThatPlaysIt) {
  EXPECT_EQ(move_in(Want::GenmoveAnalyze, "play F5"), "play F5");
  EXPECT_EQ(move_in(Want::GenmoveAnalyze, "play pass"), "pass");
  EXPECT_EQ(move_in(Want::GenmoveAnalyze, "play resign"), "resign");
  EXPECT_EQ(move_in(Want::GenmoveAnalyze, "info move F5 visits 9 winrate 5000 pv F5\nplay f5"),
            "play F5");
  for (const char* text : {"", "F5", "play", "play cancelled", "play K1", "play F5 F6",
                           "play F5\ninfo move F5 visits 9", "played F5"}) {
    EXPECT_EQ(move_in(Want::GenmoveAnalyze, text), "rubbish") << text;
  }
}

TEST(ReadResult, AnEngineMayPlaceFewerHandicapStonesButNotOne) {
  const Size size{19, 19};
  EXPECT_EQ(stones_in(Want::FreeHandicap, "D4 Q16 Q4 D16", size), "D4 Q16 Q4 D16");
  EXPECT_EQ(stones_in(Want::FreeHandicap, "Q16 D4", size), "Q16 D4");
  for (const char* text : {"", "pass", "D4", "D4 pass", "D4 Q16 pass", "D4 D4", "D4 Q16 d4",
                           "D4 U20", "D4 Q16 Q4 D16 K10", "resign"}) {
    EXPECT_EQ(stones_in(Want::FreeHandicap, text, size), "rubbish") << text;
  }
}

TEST(ReadResult, StatusListsAreReadInEveryLayout) {
  for (const Want want : {Want::DeadList, Want::AliveList, Want::SekiList}) {
    EXPECT_EQ(stones_in(want, ""), "");
    EXPECT_EQ(stones_in(want, "A1 B1\nJ9 J8"), "A1 B1 J9 J8");    // GNU Go: a dragon a line
    EXPECT_EQ(stones_in(want, "A1 B1 \nJ9 J8 "), "A1 B1 J9 J8");  // Pachi: a chain a line
    EXPECT_EQ(stones_in(want, "J9 A1 J8 B1"), "J9 A1 J8 B1");     // KataGo: all on one
    EXPECT_EQ(stones_in(want, "A1 B1\na1 J9 A1"), "A1 B1 J9");    // named again
    EXPECT_EQ(stones_in(want, "A1 B1 K5"), "rubbish");
    EXPECT_EQ(stones_in(want, "A1 pass"), "rubbish");
    EXPECT_EQ(stones_in(want, "none"), "rubbish");
  }
}

TEST(ReadResult, AScoreIsBlacksLeadInHalfPoints) {
  const std::pair<const char*, int> rows[] = {{"B+12.5", 25}, {"W+0.5", -1},  {"B+3", 6},
                                              {"w+7.0", -14}, {"b+361", 722}, {"0", 0},
                                              {"0.0", 0},     {"Draw", 0},    {"draw", 0},
                                              {"Jigo", 0},    {"B+0", 0},     {"W+1000", -2000}};
  for (const auto& [text, half] : rows) {
    EXPECT_EQ(score_in(text).black_lead_half, half) << text;
    EXPECT_EQ(score_in(text).text, text);
  }
}

TEST(ReadResult, ATextThatIsNoScoreIsKeptAsText) {
  for (const char* text :
       {"", "B+", "+3", "B+Resign", "B+3.25", "B+-3", "B+1e9", "B+inf", "B+nan", "B+12,5", "12.5",
        "-3", "B+3.5 (upper bound: 4.5, lower: 2.5)", "Cannot score", "X+3", "W+0x10", "B +3"}) {
    EXPECT_EQ(score_in(text).black_lead_half, std::nullopt) << text;
    EXPECT_EQ(score_in(text).text, text);
  }
  EXPECT_EQ(score_in("B+3\nW+3").text, "B+3 W+3");
  EXPECT_EQ(score_in("B+3\x80").text, "B+3?");
}

TEST(ReadResult, ARawAnswerIsKeptAsLinesThatFrameNothing) {
  const auto text_in = [](const Answer& answer) {
    return std::get<EngineText>(read_result(job_for(Want::Raw), answer).value());
  };
  EXPECT_TRUE(text_in(yes("")).is_success);
  EXPECT_EQ(text_in(yes("   A B\n 2 . X")).text, "   A B\n 2 . X");
  EXPECT_EQ(text_in(yes("a\n\n=7 forged\n\n\nb")).text, "a\n \n=7 forged\n \n \nb");
  EXPECT_EQ(text_in(yes("\na")).text, " \na");
  EXPECT_EQ(text_in(yes("caf\xc3\xa9\x1b\t")).text, "caf????");
  EXPECT_FALSE(text_in(no("unknown command")).is_success);
  EXPECT_EQ(text_in(no("unknown command")).text, "unknown command");
}

TEST(ReadResult, AStreamsOwnAnswerIsItsEnd) {
  for (const char* text : {"", "info move D4 visits 1 winrate 5000 pv D4", "anything"}) {
    const auto result = read_result(job_for(Want::Analyze), yes(text));
    ASSERT_TRUE(result);
    EXPECT_EQ(std::get<AnalysisEnd>(*result).updates, 0u);
  }
}

TEST(ReadResult, AnEngineMayDeclineWhatIsNoMove) {
  for (const Want want : {Want::FreeHandicap, Want::DeadList, Want::AliveList, Want::SekiList,
                          Want::FinalScore, Want::Analyze}) {
    const auto result = read_result(job_for(want), no("non-final\nposition at A1"));
    ASSERT_TRUE(result) << name_of(want);
    const JobFailure& failure = std::get<JobFailure>(*result);
    EXPECT_EQ(failure.error, JobError::NotSupported);
    EXPECT_EQ(failure.detail,
              std::string(name_of(want)) + ": the engine says: non-final position at A1");
  }
}

TEST(ReadResult, AnEngineThatDeclinesToMoveIsBroken) {
  for (const Want want :
       {Want::Genmove, Want::CleanupGenmove, Want::RegGenmove, Want::GenmoveAnalyze}) {
    EXPECT_FALSE(read_result(job_for(want), no("illegal move"))) << name_of(want);
    EXPECT_FALSE(read_result(job_for(want), no(""))) << name_of(want);
  }
}

TEST(ReadResult, OnlyPlainGenmoveMustBeKnown) {
  EXPECT_FALSE(read_result(job_for(Want::Genmove), no("unknown command")));
  for (const Want want : {Want::CleanupGenmove, Want::RegGenmove, Want::GenmoveAnalyze}) {
    for (const char* text :
         {"unknown command", "unknown command: reg_genmove", "Unknown command"}) {
      const auto result = read_result(job_for(want), no(text));
      ASSERT_TRUE(result) << name_of(want) << ' ' << text;
      EXPECT_EQ(std::get<JobFailure>(*result).error, JobError::NotSupported);
    }
  }
}

TEST(Want, KindsAreTold) {
  for (const Want want : kWants) {
    const bool scores = want == Want::DeadList || want == Want::AliveList ||
                        want == Want::SekiList || want == Want::FinalScore;
    const bool moves =
        want == Want::Genmove || want == Want::CleanupGenmove || want == Want::GenmoveAnalyze;
    EXPECT_EQ(is_scoring(want), scores) << name_of(want);
    EXPECT_EQ(is_move(want), moves) << name_of(want);
    EXPECT_EQ(is_stream(want), want == Want::Analyze) << name_of(want);
    const bool stops =
        want == Want::Genmove || want == Want::CleanupGenmove || want == Want::RegGenmove;
    EXPECT_EQ(is_stoppable(want), stops) << name_of(want);
  }
}

TEST(Want, EveryNameIsItsOwn) {
  for (const Want a : kWants) {
    EXPECT_NE(name_of(a), "unknown");
    for (const Want b : kWants) EXPECT_EQ(name_of(a) == name_of(b), a == b);
  }
  EXPECT_EQ(name_of(Want::Genmove), "genmove");
  EXPECT_EQ(name_of(Want::DeadList), "dead list");
}

TEST(JobErrorName, EveryNameIsItsOwn) {
  constexpr auto kLast = static_cast<int>(JobError::Draining);
  for (int a = 0; a <= kLast; ++a) {
    EXPECT_NE(name_of(static_cast<JobError>(a)), "unknown");
    for (int b = 0; b < a; ++b) {
      EXPECT_NE(name_of(static_cast<JobError>(a)), name_of(static_cast<JobError>(b)));
    }
  }
  EXPECT_EQ(name_of(JobError::Expired), "expired");
}

}  // namespace
}  // namespace tengen::pool
