#include "daemon/metrics.h"

#include <array>
#include <charconv>
#include <chrono>
#include <initializer_list>
#include <span>
#include <tuple>
#include <utility>

namespace tengen::daemon {
namespace {

using pool::Histogram;
using pool::TeamStats;

struct Label {
  std::string_view name;
  std::string_view value;
};
using Labels = std::initializer_list<Label>;

std::string escaped(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
  return text;
}

/// As short as it can be and still be read back as the same number.
template <typename Number>
std::string text_of(Number value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

/// Samples of one metric stay together under its HELP and TYPE: family first, then its samples.
class Exposition {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_ += "# HELP ";
    text_.append(name).append(" ").append(help).append("\n# TYPE ");
    text_.append(name).append(" ").append(type).append("\n");
  }

  template <typename Number>
  void sample(Number value, Labels labels = {}, std::string_view suffix = "") {
    text_.append(name_).append(suffix);
    char before = '{';
    for (const auto& label : labels) {
      text_.append(1, before).append(label.name).append("=\"");
      text_.append(escaped(label.value)).append("\"");
      before = ',';
    }
    if (labels.size() > 0) text_ += '}';
    text_.append(" ").append(text_of(value)).append("\n");
  }

  void histogram(const Histogram& histogram, std::optional<std::string_view> profile) {
    const auto& counts = histogram.counts();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const std::string bound = i < Histogram::kBoundsMs.size()
                                    ? text_of(static_cast<double>(Histogram::kBoundsMs[i]) / 1e3)
                                    : "+Inf";
      if (profile) {
        sample(counts[i], {{"profile", *profile}, {"le", bound}}, "_bucket");
      } else {
        sample(counts[i], {{"le", bound}}, "_bucket");
      }
    }
    const double sum = seconds(histogram.sum());
    if (profile) {
      sample(sum, {{"profile", *profile}}, "_sum");
      sample(histogram.count(), {{"profile", *profile}}, "_count");
    } else {
      sample(sum, {}, "_sum");
      sample(histogram.count(), {}, "_count");
    }
  }

  template <typename Number>
  void single(std::string_view name, std::string_view type, std::string_view help, Number value) {
    family(name, type, help);
    sample(value);
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::string_view name_;
};

// One counter a profile.
struct Counter {
  std::string_view name;
  std::string_view help;
  std::uint64_t TeamStats::*count;
};
constexpr Counter kCounters[] = {
    {"tengen_engines_spawned_total", "Engine processes asked for.", &TeamStats::spawned},
    {"tengen_engines_spawn_failures_total", "Processes that could not be made.",
     &TeamStats::spawn_failures},
    {"tengen_engines_ready_total", "Engines whose handshake was completed.", &TeamStats::ready},
    {"tengen_engines_crashed_total", "Engines that ended without being asked to, at work or idle.",
     &TeamStats::exits_unasked},
    {"tengen_engines_retired_total",
     "Engines asked to quit: surplus, too large, of another variant or of an old profile.",
     &TeamStats::retired},
    {"tengen_jobs_submitted_total", "Jobs given to the pool.", &TeamStats::submitted},
    {"tengen_jobs_done_total", "Jobs that an engine has done.", &TeamStats::done},
    {"tengen_jobs_moved_total", "Jobs that went to another engine after a failure.",
     &TeamStats::moved},
    {"tengen_jobs_preempted_total", "Streams that made room for moves.", &TeamStats::preempted},
    {"tengen_jobs_quarantined_total", "Jobs put aside for a while after they failed two engines.",
     &TeamStats::quarantined},
    {"tengen_analysis_updates_total", "Updates of streams passed on.", &TeamStats::updates},
    {"tengen_engine_commands_total", "GTP commands written, searches included.",
     &TeamStats::commands},
    {"tengen_sync_refusals_total", "Commands of a position sync that an engine refused.",
     &TeamStats::refusals},
    {"tengen_boards_verified_total", "Engines' boards that were compared with the game's.",
     &TeamStats::verified},
    {"tengen_board_mismatches_total", "Of those, boards that were not the game's.",
     &TeamStats::verify_mismatches},
    {"tengen_engine_noise_lines_total", "Lines on standard output outside any answer.",
     &TeamStats::noise_lines},
    {"tengen_engine_late_answers_total",
     "Answers to commands that had been answered before; they are dropped.",
     &TeamStats::late_answers},
    {"tengen_engine_stderr_bytes_total", "Bytes read from engines' standard error.",
     &TeamStats::error_bytes},
    {"tengen_engine_stderr_dropped_bytes_total", "Of those, bytes beyond what is remembered.",
     &TeamStats::error_bytes_dropped},
};

// Counters that tell kinds of one thing apart.
struct Kind {
  std::string_view name;
  std::uint64_t TeamStats::*count;
};
constexpr Kind kKills[] = {{"late", &TeamStats::killed_late},
                           {"tainted", &TeamStats::killed_tainted},
                           {"cancelled", &TeamStats::killed_cancelled}};
constexpr Kind kSyncs[] = {{"continued", &TeamStats::syncs_continued},
                           {"undone", &TeamStats::syncs_undone},
                           {"replayed", &TeamStats::syncs_replayed}};
constexpr std::array<std::string_view, 9> kJobErrors = {
    "unknown_profile", "queue_full", "profile_failed", "engines_failed", "position_refused",
    "not_supported",   "expired",    "cancelled",      "draining"};
static_assert(kJobErrors.size() == std::tuple_size_v<decltype(TeamStats::failed)>);
static_assert(kJobErrors.size() == static_cast<std::size_t>(pool::JobError::Draining) + 1);

// One gauge a profile.
struct Gauge {
  std::string_view name;
  std::string_view help;
  double (*value)(const ProfileFigures& profile);
};
constexpr Gauge kGauges[] = {
    {"tengen_engines_max", "Processes the profile may have at once.",
     [](const ProfileFigures& profile) { return static_cast<double>(profile.processes_max); }},
    {"tengen_profile_failed", "1 while the profile's engines cannot be started.",
     [](const ProfileFigures& profile) { return profile.status.failed ? 1.0 : 0.0; }},
    {"tengen_jobs_queued", "Jobs waiting for an engine.",
     [](const ProfileFigures& profile) { return static_cast<double>(profile.status.queued); }},
    {"tengen_job_wait_estimate_seconds", "How long a move asked for now would wait, as estimated.",
     [](const ProfileFigures& profile) { return seconds(profile.status.wait); }},
};

struct Times {
  std::string_view name;
  std::string_view help;
  Histogram TeamStats::*times;
};
constexpr Times kTimes[] = {
    {"tengen_job_wait_seconds", "From a job's submission to the write.", &TeamStats::wait},
    {"tengen_job_sync_seconds", "From the write to the last answer of the position sync.",
     &TeamStats::sync},
    {"tengen_job_search_seconds", "From there to the last byte of the engine's answer.",
     &TeamStats::search},
};

void add_kinds(Exposition& out, const std::vector<ProfileFigures>& profiles, std::string_view label,
               std::span<const Kind> kinds) {
  for (const auto& profile : profiles) {
    for (const auto& kind : kinds) {
      out.sample(profile.stats.*kind.count, {{"profile", profile.status.name}, {label, kind.name}});
    }
  }
}

void add_engines(Exposition& out, const std::vector<ProfileFigures>& profiles) {
  out.family("tengen_engines", "gauge", "Engine processes by what they do.");
  for (const auto& profile : profiles) {
    const auto& status = profile.status;
    const std::pair<std::string_view, int> states[] = {{"starting", status.starting},
                                                       {"idle", status.idle},
                                                       {"searching", status.busy},
                                                       {"streaming", status.streaming},
                                                       {"stopping", status.stopping}};
    for (const auto& [state, count] : states) {
      out.sample(count, {{"profile", status.name}, {"state", state}});
    }
  }
  out.family("tengen_engines_resident_bytes", "gauge",
             "Memory that the profile's engines hold, where it is watched.");
  for (const auto& profile : profiles) {
    if (!profile.resident_bytes) continue;
    out.sample(*profile.resident_bytes, {{"profile", profile.status.name}});
  }
}

void add_profiles(Exposition& out, const std::vector<ProfileFigures>& profiles) {
  add_engines(out, profiles);
  for (const auto& gauge : kGauges) {
    out.family(gauge.name, "gauge", gauge.help);
    for (const auto& profile : profiles) {
      out.sample(gauge.value(profile), {{"profile", profile.status.name}});
    }
  }
  for (const auto& counter : kCounters) {
    out.family(counter.name, "counter", counter.help);
    for (const auto& profile : profiles) {
      out.sample(profile.stats.*counter.count, {{"profile", profile.status.name}});
    }
  }
  out.family("tengen_engines_killed_total", "counter", "Engines that were killed, by the reason.");
  add_kinds(out, profiles, "reason", kKills);
  out.family(
      "tengen_syncs_total", "counter",
      "Positions brought to an engine, by how: by plays only, by undo, from an empty board.");
  add_kinds(out, profiles, "kind", kSyncs);
  out.family("tengen_jobs_failed_total", "counter", "Jobs that ended without a result, by error.");
  for (const auto& profile : profiles) {
    for (std::size_t i = 0; i < kJobErrors.size(); ++i) {
      out.sample(profile.stats.failed[i],
                 {{"profile", profile.status.name}, {"error", kJobErrors[i]}});
    }
  }
  for (const auto& times : kTimes) {
    out.family(times.name, "histogram", times.help);
    for (const auto& profile : profiles) {
      out.histogram(profile.stats.*times.times, profile.status.name);
    }
  }
}

void add_daemon(Exposition& out, const DaemonFigures& figures) {
  const auto& server = figures.server;
  out.family("tengen_build_info", "gauge", "Always 1; the label tells the version.");
  out.sample(1, {{"version", server.version}});
  out.single("tengen_sockets", "gauge", "Open sockets, those before their upgrade included.",
             server.sockets);
  out.single("tengen_connections", "gauge", "WebSocket connections.", figures.connections);
  out.single("tengen_games_in_play", "gauge", "Games that have not ended.", figures.games_in_play);
  out.single("tengen_games_in_memory", "gauge", "Games in memory, finished ones included.",
             figures.games_in_memory);
  out.single("tengen_analyses", "gauge", "Analyses and reviews that run.", figures.analyses);
  out.single("tengen_frames_received_total", "counter", "WebSocket messages from clients.",
             server.frames_received);
  out.single("tengen_frames_sent_total", "counter", "WebSocket messages to clients.",
             server.frames_sent);
  out.single("tengen_http_requests_total", "counter", "Plain HTTP requests answered.",
             server.http_requests);
  out.single("tengen_events_stored_total", "counter", "Events of games made durable.",
             server.events_stored);
  out.family("tengen_commit_seconds", "histogram",
             "From handing a batch to the store to its being durable.");
  out.histogram(server.commit, std::nullopt);
  out.family("tengen_reloads_total", "counter", "Reloads of the configuration, by the outcome.");
  out.sample(server.reloads, {{"outcome", "done"}});
  out.sample(server.reloads_refused, {{"outcome", "refused"}});
}

void add_process(Exposition& out, const DaemonFigures& figures) {
  const auto& usage = figures.process;
  out.single("tengen_process_start_time_seconds", "gauge", "When the daemon began, in Unix time.",
             static_cast<double>(figures.server.started_unix_ms) / 1e3);
  out.single("tengen_process_resident_bytes", "gauge", "Memory that the daemon itself holds.",
             usage.resident_bytes);
  out.single("tengen_process_open_files", "gauge", "Open file descriptors.", usage.open_files);
  out.single("tengen_process_open_files_max", "gauge", "How many descriptors it may have open.",
             usage.open_files_max);
  out.single("tengen_process_cpu_seconds_total", "counter",
             "Processor time of the daemon itself, without its engines.", usage.cpu_seconds);
}

}  // namespace

std::string metrics_text(const DaemonFigures& figures) {
  Exposition out;
  add_daemon(out, figures);
  add_profiles(out, figures.profiles);
  add_process(out, figures);
  return out.take();
}

}  // namespace tengen::daemon
