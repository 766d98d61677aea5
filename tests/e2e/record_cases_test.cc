// A fault that people who run Go servers have reported of game records: names that break the file
// they are written to. Each record is the one that a person gets, and is read by other programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "rules/sgf_charset.h"
#include "rules/sgf_game.h"
#include "rules/sgf_tree.h"
#include "tests/support/caller.h"
#include "tests/support/child.h"
#include "tests/support/daemon_process.h"
#include "tests/support/proc.h"

namespace tengen::cli {
namespace {

using tests::Caller;
using tests::DaemonProcess;
using tests::fake_engine;
using tests::program;
using tests::shell_profile;
using tests::TempFolder;

/// A name, and how it stands in a record: FF[4] wants a backslash before `]` and `\`.
/// https://www.red-bean.com/sgf/sgf4.html#text
struct Name {
  std::string text;
  std::string value;
};

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

const std::vector<Name> kNames{
    {"Müller[3k]\\", "Müller[3k\\]\\\\"},
    {"柯潔 九段", "柯潔 九段"},
    {"\U0001F916 \U0001F469\U0001F3FD", "\U0001F916 \U0001F469\U0001F3FD"},
    {"](;B[aa]", "\\](;B[aa\\]"},
    {"a:b;c(d)'\"", "a:b;c(d)'\""},
    {"\\\\]", "\\\\\\\\\\]"},
    {"محمد", "محمد"},
    {repeated("]", 64), repeated("\\]", 64)},
};

/// By our own reader, which must need no charset but UTF-8.
rules::SgfGame read(const std::string& sgf) {
  const auto parsed = rules::parse_sgf(
      sgf, [](std::string_view, std::string_view) { return std::optional<std::string>(); });
  const auto* collection = std::get_if<rules::SgfCollection>(&parsed);
  if (collection == nullptr || collection->trees.size() != 1) {
    throw std::runtime_error("not one record: " + sgf);
  }
  return std::get<rules::SgfGame>(rules::game_of(collection->trees.front()));
}

/// What the person at black's seat gets with `tengen play --sgf`, who plays a move and resigns.
std::string record_of(const DaemonProcess& daemon, const std::string& black,
                      const std::string& white) {
  auto create = tests::game_of(5, tests::human_seat(black), tests::engine_seat("fake"));
  create.seats[1].name = white;
  const auto created = Caller(daemon.port()).expect<protocol::GameCreated>(create);
  const std::string file = daemon.folder().file("game.sgf");
  std::filesystem::remove(file);
  const auto ran = tests::run({program("tengen"), "play", "--join", created.tickets.at(0).ticket,
                               "--sgf", file, "--server", daemon.url()},
                              "E5\nresign\n", tests::kEventually);
  EXPECT_EQ(ran.status, 0) << ran.err;
  return tests::read_text(file);
}

/// What `loadsgf` leaves on GNU Go's board, and the record that it writes of what it has read.
struct GnuGoReading {
  std::string answers;
  std::string record;
};

GnuGoReading read_by_gnugo(const std::string& sgf) {
  const TempFolder folder;
  const std::string file = folder.write("in.sgf", sgf);
  const std::string written = folder.file("out.sgf");
  const auto told =
      tests::run({"gnugo", "--mode", "gtp"},
                 "loadsgf " + file + "\nlist_stones black\nget_komi\nquit\n", tests::kEventually);
  const auto scored =
      tests::run({"gnugo", "--level", "1", "-l", file, "--score", "estimate", "-o", written}, "",
                 tests::kEventually);
  EXPECT_EQ(scored.status, 0) << scored.err;
  return {told.out, tests::read_text(written)};
}

// Case 29.
TEST(RecordCases, AnyNameComesBackFromTheRecordAsItWas) {
  DaemonProcess daemon({shell_profile("fake", fake_engine())});
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const Name& black = kNames[i];
    const Name& white = kNames[(i + 1) % kNames.size()];
    SCOPED_TRACE(black.text);
    const std::string sgf = record_of(daemon, black.text, white.text);
    EXPECT_TRUE(rules::is_utf8(sgf));
    EXPECT_NE(sgf.find("CA[UTF-8]"), std::string::npos) << sgf;
    EXPECT_NE(sgf.find("PB[" + black.value + "]PW[" + white.value + "]"), std::string::npos) << sgf;

    const auto game = read(sgf);
    EXPECT_EQ(game.black, black.text);
    EXPECT_EQ(game.white, white.text);
    EXPECT_EQ(game.result, "W+R");
    EXPECT_EQ(game.steps.size(), 2u) << sgf;

    const auto gnugo = read_by_gnugo(sgf);
    EXPECT_EQ(gnugo.answers, "= black\n\n= E5\n\n=  7.5\n\n= \n\n");
    const auto again = read(gnugo.record);
    EXPECT_EQ(again.black, black.text);
    EXPECT_EQ(again.white, white.text);
    EXPECT_EQ(again.steps.size(), 2u) << gnugo.record;
  }
}

// Case 29. A name that is too long for a seat is refused, not cut.
TEST(RecordCases, ANameOfFiveHundredCharactersIsRefused) {
  DaemonProcess daemon({shell_profile("fake", fake_engine())});
  Caller caller(daemon.port());
  const auto limit = caller.welcome().limits.name_bytes_max;
  for (const std::string& name :
       {std::string(500, 'x'), std::string(limit + 1, 'x'), repeated("柯", 22)}) {
    const auto refused =
        caller.expect_error(tests::game_of(9, tests::human_seat(name), tests::engine_seat("fake")));
    EXPECT_EQ(refused.code, protocol::ErrorCode::InvalidArgument);
    EXPECT_EQ(refused.reason, "name");
  }
  const std::string longest(limit, 'x');
  EXPECT_EQ(read(record_of(daemon, longest, "")).black, longest);
}

// Case 29. An engine is named by its profile.
TEST(RecordCases, TheNameOfAProfileComesBackFromTheRecordsOfAMatch) {
  const Name awkward{"Mueller[3k]\\", "Mueller[3k\\]\\\\"};
  DaemonProcess daemon(
      {shell_profile(awkward.text, fake_engine()) + shell_profile("fake", fake_engine())});
  const std::string folder = daemon.folder().file("records");
  const auto ran = tests::run(
      {program("tengen"), "match", "--black", awkward.text, "--white", "fake", "--size", "5",
       "--games", "2", "--alternate", "--sgf-dir", folder, "--server", daemon.url()},
      "", tests::kEventually);
  ASSERT_EQ(ran.status, 0) << ran.err;
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string sgf = tests::read_text(entry.path());
    EXPECT_NE(sgf.find("[" + awkward.value + "]"), std::string::npos) << sgf;
    const auto game = read(sgf);
    names.insert(names.end(), {game.black, game.white});
    const auto again = read(read_by_gnugo(sgf).record);
    EXPECT_EQ(again.black, game.black);
    EXPECT_EQ(again.white, game.white);
    EXPECT_EQ(again.steps.size(), game.steps.size());
  }
  EXPECT_EQ(std::count(names.begin(), names.end(), awkward.text), 2);
  EXPECT_EQ(std::count(names.begin(), names.end(), "fake"), 2);
}

}  // namespace
}  // namespace tengen::cli
