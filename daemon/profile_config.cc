#include "daemon/profile_config.h"

#include <algorithm>
#include <map>

#include "pool/gtp.h"
#include "pool/shipped.h"

namespace tengen::daemon {
namespace {

using Empty = Reader::Empty;

constexpr std::int64_t kDay = 86'400'000;
constexpr std::int64_t kMany = 1'000'000;
constexpr std::int64_t kProcessesMax = 256;
constexpr std::int64_t kShareMax = 1'000;
constexpr std::int64_t kUndoMax = 10'000;
constexpr std::int64_t kSettingValueMax = 1'000'000'000;
constexpr std::int64_t kMegabytesMax = 16 * 1024 * 1024;
constexpr std::uint64_t kMegabyte = 1024 * 1024;

std::optional<rules::NoLimitForm> parse_no_limit(std::string_view text) {
  if (text == "zero-stones") return rules::NoLimitForm::ZeroStones;
  if (text == "large-absolute") return rules::NoLimitForm::LargeAbsolute;
  return std::nullopt;
}

std::string kinds_text() {
  std::string text;
  for (const std::string_view kind : pool::shipped_kinds()) {
    text += (text.empty() ? "" : ", ") + std::string(kind);
  }
  return text;
}

/// What the table's profile begins as.
pool::Profile read_kind(Reader& reader) {
  std::string kind = "gtp";
  reader.read("kind", kind);
  auto profile = pool::shipped_profile(kind);
  if (profile) return std::move(*profile);
  reader.complain(*reader.find("kind"), "kind must be one of " + kinds_text());
  return *pool::shipped_profile("gtp");
}

void read_megabytes(Reader& reader, std::string_view key, std::uint64_t& bytes) {
  std::uint64_t megabytes = bytes / kMegabyte;
  reader.read(key, megabytes, 0, kMegabytesMax);
  bytes = megabytes * kMegabyte;
}

void read_process(Reader& reader, pool::Profile& profile) {
  std::vector<std::string> extra;
  reader.read("command", profile.command, Empty::Refused);
  reader.read("extra_arguments", extra, Empty::Allowed);
  profile.command.insert(profile.command.end(), extra.begin(), extra.end());
  reader.read("directory", profile.directory);
  reader.read("environment", profile.environment, Empty::Allowed);
  read_megabytes(reader, "address_space_max_mb", profile.process.address_space_bytes);
  reader.read("cpu_max_s", profile.process.cpu_seconds, 0, kSettingValueMax);
  reader.read("files_max", profile.process.files, 0, kMany);
  reader.read("niceness", profile.process.niceness, 0, 19);
  read_megabytes(reader, "memory_max_mb", profile.memory_max_bytes);
  reader.read("processes_warm", profile.processes_warm, 0, kProcessesMax);
  reader.read("processes_max", profile.processes_max, 1, kProcessesMax);
}

void read_match(Reader& reader, pool::RulesMatch& match) {
  const toml::node* node = reader.find("plays");
  if (node == nullptr) return;
  const auto text = node->value_exact<std::string>();
  if (!text) return reader.complain(*node, "plays must be a string");
  auto parsed = pool::parse_rules_match(*text);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) {
    reader.complain(*node, "plays: " + *wrong);
  } else {
    match = std::get<pool::RulesMatch>(std::move(parsed));
  }
}

void read_play(Reader& reader, pool::Profile& profile) {
  reader.read("size_min", profile.size_min, 1, rules::kMaxSize);
  reader.read("size_max", profile.size_max, 1, rules::kMaxSize);
  reader.read("rectangles", profile.rectangles);
  read_match(reader, profile.plays);
  reader.read("other_rules", profile.other_rules, pool::parse_other_rules, "refuse or mark");
  reader.read("substitute", profile.substitute);
}

void read_speech(Reader& reader, pool::Profile& profile) {
  reader.read("rules", profile.rules, pool::parse_rules_dialect, "none, tengen, kgs or kata");
  reader.read("clock", profile.clock, pool::parse_clock_dialect, "none, gtp, kgs or kata");
  reader.read("no_limit", profile.no_limit, parse_no_limit, "zero-stones or large-absolute");
  reader.read("analysis", profile.analysis, pool::parse_analysis_dialect,
              "none, lz, lz-bare or kata");
  reader.read("seed_command", profile.seed_command);
  reader.read("forget_command", profile.forget_command);
  reader.read("search_command", profile.search_command);
  reader.read("search_plays", profile.search_plays);
  reader.read("reg_search_command", profile.reg_search_command);
  reader.read("moves_after_passes", profile.moves_after_passes);
  reader.read("cleanup_command", profile.cleanup_command);
  reader.read("cancel", profile.cancel, pool::parse_cancel_by, "wait, kill or stop");
  reader.read("stop_command", profile.stop_command);
  reader.read("verify", profile.verify, pool::parse_verify_by, "none, list_stones or showboard");
  reader.read("verify_every", profile.verify_every, 1, kMany);
  reader.read("undo_max", profile.undo_max, 0, kUndoMax);
  reader.read("line_bytes_max", profile.line_bytes_max, 100, kMany);
  reader.read("raw_commands", profile.raw_commands, Empty::Allowed);
}

void read_time(Reader& reader, pool::Profile& profile) {
  reader.read("honours_clock", profile.honours_clock);
  reader.read("pace_setting", profile.pace_setting);
  reader.read("start_limit_ms", profile.start_limit, kDay);
  reader.read("answer_limit_ms", profile.answer_limit, kDay);
  reader.read("search_limit_ms", profile.search_limit, kDay);
  reader.read("list_limit_ms", profile.list_limit, kDay);
  reader.read("stream_limit_ms", profile.stream_limit, kDay);
  reader.read("idle_limit_ms", profile.idle_limit, kDay);
  reader.read("quarantine_ms", profile.quarantine, kDay);
}

void read_queue(Reader& reader, pool::Profile& profile) {
  reader.read("queue_max", profile.queue_max, 1, kMany);
  reader.read("queue_per_client_max", profile.queue_per_client_max, 1, kMany);
  reader.read("share_moves", profile.share_moves, 1, kShareMax);
  reader.read("share_questions", profile.share_questions, 1, kShareMax);
  reader.read("share_analysis", profile.share_analysis, 1, kShareMax);
}

/// Reads the tables that belong to one profile: its settings, variants and pace.
class PartsReader {
 public:
  PartsReader(Reader& reader, const std::string& file, ConfigErrors& errors)
      : reader_(reader), file_(file), errors_(errors) {}

  void read(pool::Profile& profile) {
    read_settings(profile.settings);
    read_variants(profile.variants);
    read_pace(profile);
  }

 private:
  /// A setting that the kind has is changed, any other one is added; `setting = []` takes all away.
  void read_settings(std::vector<pool::SettingSpec>& settings) {
    const auto tables = reader_.tables("setting");
    if (!tables) return;
    if (tables->empty()) settings.clear();
    std::set<std::string> seen;
    for (const auto* table : *tables) {
      Reader reader(*table, file_, errors_);
      std::string key;
      reader.read("key", key);
      if (!seen.insert(key).second) {
        reader.complain("setting " + pool::printable(key) + " is described twice");
      }
      read_setting(reader, setting_of(settings, key));
    }
  }

  static pool::SettingSpec& setting_of(std::vector<pool::SettingSpec>& settings,
                                       const std::string& key) {
    const auto known = std::find_if(settings.begin(), settings.end(),
                                    [&](const auto& each) { return each.key == key; });
    if (known != settings.end()) return *known;
    pool::SettingSpec added;
    added.key = key;
    return settings.emplace_back(std::move(added));
  }

  static void read_setting(Reader& reader, pool::SettingSpec& setting) {
    reader.read("command", setting.command);
    reader.read("minimum", setting.minimum, -kSettingValueMax, kSettingValueMax);
    reader.read("maximum", setting.maximum, -kSettingValueMax, kSettingValueMax);
    reader.read("standard", setting.standard, -kSettingValueMax, kSettingValueMax);
    reader.refuse_unknown();
  }

  /// The order of variants means something, so those of the file stand for all of the kind's.
  void read_variants(std::vector<pool::Variant>& variants) {
    const auto tables = reader_.tables("variant");
    if (!tables) return;
    variants.clear();
    for (const auto* table : *tables) {
      Reader reader(*table, file_, errors_);
      auto& variant = variants.emplace_back();
      reader.read("name", variant.name);
      reader.read("arguments", variant.arguments, Empty::Allowed);
      read_match(reader, variant.plays);
      reader.refuse_unknown();
    }
  }

  /// An engine that cannot be made to play faster has one step, without a value.
  void read_pace(pool::Profile& profile) {
    const auto tables = reader_.tables("pace");
    if (!tables) return;
    profile.pace.clear();
    for (const auto* table : *tables) {
      Reader reader(*table, file_, errors_);
      auto& step = profile.pace.emplace_back();
      if (reader.find("value") == nullptr && !profile.pace_setting.empty()) {
        reader.complain("a step of the pace needs a value of " +
                        pool::printable(profile.pace_setting));
      }
      reader.read("value", step.value, -kSettingValueMax, kSettingValueMax);
      reader.read("p99_ms", step.p99, kDay);
      reader.refuse_unknown();
    }
  }

  Reader& reader_;
  const std::string& file_;
  ConfigErrors& errors_;
};

std::string who(const pool::Profile& profile) { return "profile " + pool::printable(profile.name); }

pool::Profile read_profile(const toml::table& table, const std::string& file,
                           ConfigErrors& errors) {
  const auto before = errors.size();
  Reader reader(table, file, errors);
  pool::Profile profile = read_kind(reader);
  reader.read("name", profile.name);
  read_process(reader, profile);
  read_play(reader, profile);
  read_speech(reader, profile);
  read_time(reader, profile);
  read_queue(reader, profile);
  PartsReader(reader, file, errors).read(profile);
  reader.refuse_unknown();
  if (errors.size() == before) {
    if (const auto wrong = problem(profile)) reader.complain(who(profile) + ": " + *wrong);
  }
  return profile;
}

using ByName = std::map<std::string, const pool::Profile*>;

/// Whether a seat that is handed on and on would come back to the profile.
bool comes_back(const pool::Profile& profile, const ByName& by_name) {
  const pool::Profile* next = &profile;
  for (std::size_t i = 0; i < by_name.size(); ++i) {
    const auto found = by_name.find(next->substitute);
    if (found == by_name.end()) return false;
    next = found->second;
    if (next == &profile) return true;
  }
  return false;
}

}  // namespace

std::vector<pool::Profile> read_profiles(Reader& root, const std::string& file,
                                         ConfigErrors& errors) {
  const auto tables = root.tables("profile").value_or(std::vector<const toml::table*>{});
  std::vector<pool::Profile> profiles;
  for (const auto* table : tables) profiles.push_back(read_profile(*table, file, errors));
  ByName by_name;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!by_name.emplace(profiles[i].name, &profiles[i]).second) {
      root.complain(*tables[i], who(profiles[i]) + " is defined twice");
    }
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const pool::Profile& profile = profiles[i];
    const auto* node = tables[i]->get("substitute");
    if (profile.substitute.empty() || node == nullptr) continue;
    if (!by_name.contains(profile.substitute)) {
      root.complain(*node, "substitute must be the name of a profile of this file");
    } else if (profile.substitute != profile.name && comes_back(profile, by_name)) {
      root.complain(*node, who(profile) + " would be its own substitute's substitute");
    }
  }
  return profiles;
}

}  // namespace tengen::daemon
