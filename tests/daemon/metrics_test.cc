// The metrics as a scraper sees them, through a reader that shares nothing with their writer.
#include "daemon/metrics.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "tests/support/exposition.h"

namespace tengen::daemon {
namespace {

using std::chrono::milliseconds;
using tests::read_exposition;

/// Every counter of the pool has a value of its own.
pool::TeamStats counted_stats() {
  pool::TeamStats stats;
  std::uint64_t next = 100;
  for (auto* counter : {&stats.spawned, &stats.spawn_failures, &stats.ready, &stats.exits_unasked,
                        &stats.killed_late, &stats.killed_tainted, &stats.killed_cancelled,
                        &stats.retired, &stats.submitted, &stats.done}) {
    *counter = ++next;  // 101 to 110
  }
  for (auto& failed : stats.failed) failed = ++next;  // 111 to 119
  for (auto* counter :
       {&stats.moved, &stats.preempted, &stats.quarantined, &stats.updates, &stats.syncs_continued,
        &stats.syncs_undone, &stats.syncs_replayed, &stats.commands, &stats.refusals,
        &stats.verified, &stats.verify_mismatches, &stats.noise_lines, &stats.late_answers,
        &stats.error_bytes, &stats.error_bytes_dropped}) {
    *counter = ++next;  // 120 to 134
  }
  stats.wait.add(milliseconds(1));
  stats.sync.add(milliseconds(2));
  stats.search.add(milliseconds(4));
  return stats;
}

ProfileFigures profile_of(const std::string& name) {
  ProfileFigures profile;
  profile.status.name = name;
  profile.status.starting = 1;
  profile.status.idle = 2;
  profile.status.busy = 3;
  profile.status.streaming = 4;
  profile.status.stopping = 5;
  profile.status.queued = 6;
  profile.status.wait = milliseconds(1'500);
  profile.stats = counted_stats();
  profile.processes_max = 15;
  profile.resident_bytes = 16'000'000'000;
  return profile;
}

DaemonFigures figures_of(std::vector<ProfileFigures> profiles) {
  DaemonFigures figures;
  figures.profiles = std::move(profiles);
  figures.connections = 21;
  figures.games_in_play = 22;
  figures.games_in_memory = 23;
  figures.analyses = 35;
  figures.server.version = "1.2.3";
  figures.server.started_unix_ms = 1'764'500'000'250;
  figures.server.sockets = 24;
  figures.server.frames_received = 25;
  figures.server.frames_sent = 26;
  figures.server.http_requests = 27;
  figures.server.events_stored = 28;
  figures.server.reloads = 29;
  figures.server.reloads_refused = 30;
  figures.process = {31, 32, 33, 34.5};
  return figures;
}

TEST(MetricsTest, EveryFigureStandsUnderItsName) {
  const auto found = read_exposition(metrics_text(figures_of({profile_of("a")})));
  EXPECT_EQ(found.faults, std::vector<std::string>{});
  const std::map<std::string, double> expected = {
      {"tengen_build_info{version=\"1.2.3\"}", 1},
      {"tengen_sockets", 24},
      {"tengen_connections", 21},
      {"tengen_games_in_play", 22},
      {"tengen_games_in_memory", 23},
      {"tengen_analyses", 35},
      {"tengen_frames_received_total", 25},
      {"tengen_frames_sent_total", 26},
      {"tengen_http_requests_total", 27},
      {"tengen_events_stored_total", 28},
      {"tengen_reloads_total{outcome=\"done\"}", 29},
      {"tengen_reloads_total{outcome=\"refused\"}", 30},
      {"tengen_process_start_time_seconds", 1'764'500'000.25},
      {"tengen_process_resident_bytes", 31},
      {"tengen_process_open_files", 32},
      {"tengen_process_open_files_max", 33},
      {"tengen_process_cpu_seconds_total", 34.5},
      {"tengen_engines{profile=\"a\",state=\"starting\"}", 1},
      {"tengen_engines{profile=\"a\",state=\"idle\"}", 2},
      {"tengen_engines{profile=\"a\",state=\"searching\"}", 3},
      {"tengen_engines{profile=\"a\",state=\"streaming\"}", 4},
      {"tengen_engines{profile=\"a\",state=\"stopping\"}", 5},
      {"tengen_jobs_queued{profile=\"a\"}", 6},
      {"tengen_job_wait_estimate_seconds{profile=\"a\"}", 1.5},
      {"tengen_engines_max{profile=\"a\"}", 15},
      {"tengen_engines_resident_bytes{profile=\"a\"}", 16'000'000'000},
      {"tengen_profile_failed{profile=\"a\"}", 0},
      {"tengen_engines_spawned_total{profile=\"a\"}", 101},
      {"tengen_engines_spawn_failures_total{profile=\"a\"}", 102},
      {"tengen_engines_ready_total{profile=\"a\"}", 103},
      {"tengen_engines_crashed_total{profile=\"a\"}", 104},
      {"tengen_engines_killed_total{profile=\"a\",reason=\"late\"}", 105},
      {"tengen_engines_killed_total{profile=\"a\",reason=\"tainted\"}", 106},
      {"tengen_engines_killed_total{profile=\"a\",reason=\"cancelled\"}", 107},
      {"tengen_engines_retired_total{profile=\"a\"}", 108},
      {"tengen_jobs_submitted_total{profile=\"a\"}", 109},
      {"tengen_jobs_done_total{profile=\"a\"}", 110},
      {"tengen_jobs_failed_total{profile=\"a\",error=\"unknown_profile\"}", 111},
      {"tengen_jobs_failed_total{profile=\"a\",error=\"queue_full\"}", 112},
      {"tengen_jobs_failed_total{profile=\"a\",error=\"profile_failed\"}", 113},
      {"tengen_jobs_failed_total{profile=\"a\",error=\"engines_failed\"}", 114},
      {"tengen_jobs_failed_total{profile=\"a\",error=\"position_refused\"}", 115},
      {"tengen_jobs_failed_total{profile=\"a\",error=\"not_supported\"}", 116},
      {"tengen_jobs_failed_total{profile=\"a\",error=\"expired\"}", 117},
      {"tengen_jobs_failed_total{profile=\"a\",error=\"cancelled\"}", 118},
      {"tengen_jobs_failed_total{profile=\"a\",error=\"draining\"}", 119},
      {"tengen_jobs_moved_total{profile=\"a\"}", 120},
      {"tengen_jobs_preempted_total{profile=\"a\"}", 121},
      {"tengen_jobs_quarantined_total{profile=\"a\"}", 122},
      {"tengen_analysis_updates_total{profile=\"a\"}", 123},
      {"tengen_syncs_total{profile=\"a\",kind=\"continued\"}", 124},
      {"tengen_syncs_total{profile=\"a\",kind=\"undone\"}", 125},
      {"tengen_syncs_total{profile=\"a\",kind=\"replayed\"}", 126},
      {"tengen_engine_commands_total{profile=\"a\"}", 127},
      {"tengen_sync_refusals_total{profile=\"a\"}", 128},
      {"tengen_boards_verified_total{profile=\"a\"}", 129},
      {"tengen_board_mismatches_total{profile=\"a\"}", 130},
      {"tengen_engine_noise_lines_total{profile=\"a\"}", 131},
      {"tengen_engine_late_answers_total{profile=\"a\"}", 132},
      {"tengen_engine_stderr_bytes_total{profile=\"a\"}", 133},
      {"tengen_engine_stderr_dropped_bytes_total{profile=\"a\"}", 134},
      {"tengen_job_wait_seconds_sum{profile=\"a\"}", 0.001},
      {"tengen_job_sync_seconds_sum{profile=\"a\"}", 0.002},
      {"tengen_job_search_seconds_sum{profile=\"a\"}", 0.004},
  };
  for (const auto& [series, value] : expected) EXPECT_EQ(found.at(series), value) << series;
  // What is not named above is a part of one of the four histograms: 17 buckets, a count, and the
  // sum of the commits.
  EXPECT_EQ(found.samples.size(), expected.size() + 4 * 18 + 1);
}

TEST(MetricsTest, BucketsCountWhatIsAtMostTheirBoundInSeconds) {
  auto figures = figures_of({});
  for (const int ms : {1, 3, 3, 7'000, 400'000}) figures.server.commit.add(milliseconds(ms));
  const auto found = read_exposition(metrics_text(figures));
  EXPECT_EQ(found.faults, std::vector<std::string>{});
  const auto bucket = [&](const std::string& bound) {
    return found.at("tengen_commit_seconds_bucket{le=\"" + bound + "\"}");
  };
  EXPECT_EQ(bucket("0.001"), 1);
  EXPECT_EQ(bucket("0.002"), 1);
  EXPECT_EQ(bucket("0.005"), 3);
  EXPECT_EQ(bucket("0.05"), 3);
  EXPECT_EQ(bucket("5"), 3);
  EXPECT_EQ(bucket("10"), 4);
  EXPECT_EQ(bucket("300"), 4);
  EXPECT_EQ(bucket("+Inf"), 5);
  EXPECT_EQ(found.at("tengen_commit_seconds_count"), 5);
  EXPECT_DOUBLE_EQ(found.at("tengen_commit_seconds_sum"), 407.007);
}

TEST(MetricsTest, SeveralProfilesAreOneMetricEach) {
  auto failed = profile_of("b");
  failed.status.failed = true;
  const auto found =
      read_exposition(metrics_text(figures_of({profile_of("a"), failed, profile_of("c")})));
  EXPECT_EQ(found.faults, std::vector<std::string>{});
  EXPECT_EQ(found.at("tengen_profile_failed{profile=\"a\"}"), 0);
  EXPECT_EQ(found.at("tengen_profile_failed{profile=\"b\"}"), 1);
  EXPECT_EQ(found.at("tengen_jobs_done_total{profile=\"c\"}"), 110);
}

TEST(MetricsTest, AnyNameOfAProfileIsAValidLabel) {
  const std::string name = "a\"b\\c\nd{,=}\xe5\xa4\xa9";
  const auto found = read_exposition(metrics_text(figures_of({profile_of(name), profile_of("a")})));
  EXPECT_EQ(found.faults, std::vector<std::string>{});
  EXPECT_EQ(found.at("tengen_jobs_queued{profile=\"a\\\"b\\\\c\\nd{,=}\xe5\xa4\xa9\"}"), 6);
}

TEST(MetricsTest, MemoryThatIsNotWatchedIsAbsentAndNotZero) {
  auto profile = profile_of("a");
  profile.resident_bytes.reset();
  const auto found = read_exposition(metrics_text(figures_of({profile, profile_of("b")})));
  EXPECT_EQ(found.faults, std::vector<std::string>{});
  EXPECT_FALSE(found.samples.contains("tengen_engines_resident_bytes{profile=\"a\"}"));
  EXPECT_TRUE(found.samples.contains("tengen_engines_resident_bytes{profile=\"b\"}"));
}

/// The rows of the document's tables that name a metric: its name and its type.
std::map<std::string, std::string> documented_metrics() {
  std::ifstream file(TENGEN_SOURCE_DIR "/docs/operations.md");
  std::map<std::string, std::string> found;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("| `tengen_", 0) != 0) continue;
    const auto name_end = line.find('`', 3);
    const auto type_begin = line.find("| ", name_end) + 2;
    found[line.substr(3, name_end - 3)] =
        line.substr(type_begin, line.find(' ', type_begin) - type_begin);
  }
  return found;
}

TEST(MetricsTest, TheDocumentNamesEveryMetricAndNoOther) {
  const auto found = read_exposition(metrics_text(figures_of({profile_of("a")})));
  EXPECT_EQ(documented_metrics(), found.types);
}

TEST(MetricsTest, NamesEndInTheirUnit) {
  for (const auto& [name, type] : read_exposition(metrics_text(figures_of({}))).types) {
    EXPECT_TRUE(name.starts_with("tengen_")) << name;
    EXPECT_EQ(name.ends_with("_total"), type == "counter") << name;
    if (type == "histogram") {
      EXPECT_TRUE(name.ends_with("_seconds")) << name;
    }
  }
}

struct BadText {
  const char* why;
  const char* text;
};

TEST(ExpositionReaderTest, WhatAScraperWouldChokeOnIsAFault) {
  const std::string head = "# HELP m Words.\n# TYPE m ";
  const BadText cases[] = {
      {"no HELP", "# TYPE m gauge\nm 1\n"},
      {"no TYPE", "# HELP m Words.\nm 1\n"},
      {"a series twice", "gauge\nm 1\nm 2\n"},
      {"a series with labels twice", "gauge\nm{a=\"1\"} 1\nm{a=\"1\"} 2\n"},
      {"apart", "gauge\nm 1\n# HELP n Words.\n# TYPE n gauge\nn 1\nm{a=\"1\"} 2\n"},
      {"no newline at the end", "gauge\nm 1"},
      {"no number", "gauge\nm one\n"},
      {"no value", "gauge\nm\n"},
      {"a quote in a value", "gauge\nm{a=\"b\"c\"} 1\n"},
      {"a backslash in a value", "gauge\nm{a=\"b\\c\"} 1\n"},
      {"a label's name", "gauge\nm{a-b=\"c\"} 1\n"},
      {"a label twice", "gauge\nm{a=\"1\",a=\"2\"} 1\n"},
      {"no type", "number\nm 1\n"},
      {"below zero", "counter\nm -1\n"},
      {"no buckets", "histogram\nm_sum 1\nm_count 1\n"},
      {"buckets fall",
       "histogram\nm_bucket{le=\"1\"} 2\nm_bucket{le=\"+Inf\"} 1\nm_sum 1\n"
       "m_count 1\n"},
      {"no +Inf", "histogram\nm_bucket{le=\"1\"} 1\nm_sum 1\nm_count 1\n"},
      {"count", "histogram\nm_bucket{le=\"+Inf\"} 1\nm_sum 1\nm_count 2\n"},
      {"no sum", "histogram\nm_bucket{le=\"+Inf\"} 1\nm_count 1\n"},
  };
  for (const auto& [why, text] : cases) {
    const std::string whole = text[0] == '#' ? text : head + text;
    EXPECT_FALSE(read_exposition(whole).faults.empty()) << why;
  }
  EXPECT_EQ(read_exposition(head + "histogram\nm_bucket{a=\"\\\"\\\\\\n\",le=\"1\"} 1\n"
                                   "m_bucket{a=\"\\\"\\\\\\n\",le=\"+Inf\"} 2\n"
                                   "m_sum{a=\"\\\"\\\\\\n\"} 1e-3\nm_count{a=\"\\\"\\\\\\n\"} 2\n")
                .faults,
            std::vector<std::string>{});
}

}  // namespace
}  // namespace tengen::daemon
