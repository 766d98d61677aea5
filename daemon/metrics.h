// The daemon's figures as Prometheus reads them (text exposition format 0.0.4). Pure: values go in,
// text comes out. docs/operations.md lists every name; a test holds the two together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/process_usage.h"
#include "pool/pool.h"
#include "pool/stats.h"

namespace tengen::daemon {

inline constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

struct ProfileFigures {
  pool::ProfileStatus status;
  pool::TeamStats stats;
  int processes_max = 0;
  std::optional<std::uint64_t> resident_bytes;  // of its engines; absent: never told
};

/// What the server has counted since it began, and what is open now.
struct ServerFigures {
  std::string version;
  std::int64_t started_unix_ms = 0;
  std::size_t sockets = 0;
  std::uint64_t frames_received = 0;
  std::uint64_t frames_sent = 0;
  std::uint64_t http_requests = 0;
  std::uint64_t events_stored = 0;
  pool::Histogram commit;  // from the hand-over to the store to its answer
  std::uint64_t reloads = 0;
  std::uint64_t reloads_refused = 0;
};

struct DaemonFigures {
  std::vector<ProfileFigures> profiles;  // names differ
  std::size_t connections = 0;
  std::size_t games_in_play = 0;
  std::size_t games_in_memory = 0;
  std::size_t analyses = 0;
  ServerFigures server;
  ProcessUsage process;
};

std::string metrics_text(const DaemonFigures& figures);

}  // namespace tengen::daemon
