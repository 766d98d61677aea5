// See shipped.h. A value that differs from Profile's own has its reason in docs/engines.md.
#include "pool/shipped.h"

#include <array>

namespace tengen::pool {
namespace {

using rules::KoRule;
using rules::Scoring;
using rules::SuicideRule;
using std::chrono::milliseconds;
using std::chrono::seconds;

Profile named(std::string_view kind) {
  Profile profile;
  profile.name = kind;
  return profile;
}

Profile house() {
  Profile profile = named("house");
  profile.command = {"tengen", "gtp", "--local"};
  profile.size_min = 1;
  profile.size_max = rules::kMaxSize;
  profile.rectangles = true;
  profile.settings = {{"playouts", "tengen-playouts", 0, 40'000, 0}};
  profile.rules = RulesDialect::Tengen;
  profile.clock = ClockDialect::Kgs;
  profile.honours_clock = true;
  profile.seed_command = "set_random_seed";
  profile.cancel = CancelBy::Kill;
  profile.verify = VerifyBy::ListStones;
  profile.undo_max = 100;
  profile.raw_commands = {"all_legal", "captures",    "is_legal",
                          "last_move", "list_stones", "showboard"};
  return profile;
}

std::string gnugo_option(KoRule ko) {
  if (ko == KoRule::Simple) return "--simple-ko";
  return ko == KoRule::Positional ? "--positional-superko" : "--situational-superko";
}

std::string gnugo_option(SuicideRule suicide) {
  if (suicide == SuicideRule::No) return "--forbid-suicide";
  return suicide == SuicideRule::Multi ? "--allow-suicide" : "--allow-all-suicide";
}

std::string gnugo_option(Scoring scoring) {
  return scoring == Scoring::Area ? "--chinese-rules" : "--japanese-rules";
}

Variant gnugo_variant(Scoring scoring, KoRule ko, SuicideRule suicide) {
  Variant variant;
  variant.name = std::string(name_of(scoring)) + '-' + std::string(name_of(ko)) + '-' +
                 std::string(name_of(suicide));
  variant.arguments = {gnugo_option(scoring), gnugo_option(ko), gnugo_option(suicide)};
  variant.plays = {{ko}, {suicide}, {scoring}};
  return variant;
}

/// Every rule that its command line can be told. The rules of the preset chinese come first: those
/// are the processes that are kept warm. Suicide of a single stone leaves the board as it was,
/// which positional superko bans; GNU Go does not see that, so there it is told to have none.
std::vector<Variant> gnugo_variants() {
  std::vector<Variant> variants;
  for (const Scoring scoring : {Scoring::Area, Scoring::Territory}) {
    for (const KoRule ko : {KoRule::Positional, KoRule::Situational, KoRule::Simple}) {
      variants.push_back(gnugo_variant(scoring, ko, SuicideRule::No));
      variants.push_back(gnugo_variant(scoring, ko, SuicideRule::Multi));
      if (ko == KoRule::Positional) {
        variants.back().plays.suicide.push_back(SuicideRule::Any);
      } else {
        variants.push_back(gnugo_variant(scoring, ko, SuicideRule::Any));
      }
    }
  }
  return variants;
}

Profile gnugo() {
  Profile profile = named("gnugo");
  profile.command = {"gnugo", "--mode", "gtp", "--never-resign"};
  profile.size_min = 5;
  profile.size_max = 19;
  profile.variants = gnugo_variants();
  profile.settings = {{"level", "level", 0, 10, 10}};
  profile.seed_command = "set_random_seed";
  profile.forget_command = "clear_cache";
  profile.cancel = CancelBy::Kill;
  profile.verify = VerifyBy::ListStones;
  profile.undo_max = 16;
  profile.raw_commands = {"attack",        "captures",
                          "countlib",      "defend",
                          "dragon_status", "estimate_score",
                          "findlib",       "initial_influence",
                          "is_legal",      "ladder_attack",
                          "owl_attack",    "owl_defend",
                          "showboard",     "unconditional_status"};
  profile.pace_setting = "level";
  profile.pace = {{0, milliseconds(200)},
                  {1, milliseconds(300)},
                  {3, milliseconds(600)},
                  {5, milliseconds(1000)},
                  {10, milliseconds(2500)}};
  return profile;
}

Profile leela_zero() {
  Profile profile = named("leela-zero");
  profile.command = {"leelaz", "--gtp", "--noponder", "-t", "1", "-p", "400", "-r", "0"};
  profile.size_min = 19;
  profile.size_max = 19;
  profile.plays.scoring = {Scoring::Area};
  profile.clock = ClockDialect::Kgs;
  profile.honours_clock = true;
  profile.analysis = AnalysisDialect::Lz;
  profile.reg_search_command = "";
  profile.moves_after_passes = false;
  profile.undo_max = 20;
  profile.start_limit = seconds(120);
  return profile;
}

Profile pachi() {
  Profile profile = named("pachi");
  profile.command = {"pachi", "-t", "=1000", "threads=1,resign_threshold=0"};
  profile.size_min = 2;
  profile.size_max = 19;
  profile.plays.ko = {KoRule::Simple};
  profile.plays.suicide = {SuicideRule::No};
  profile.other_rules = OtherRules::Mark;
  profile.rules = RulesDialect::Kgs;
  profile.clock = ClockDialect::Kgs;
  profile.analysis = AnalysisDialect::LzBare;
  profile.reg_search_command = "";
  profile.undo_max = 20;
  profile.pace = {{0, milliseconds(1000)}};
  return profile;
}

Profile katago() {
  Profile profile = named("katago");
  profile.command = {"katago", "gtp", "-override-config",
                     "reportAnalysisWinratesAs=SIDETOMOVE,allowResignation=false,"
                     "ponderingEnabled=false"};
  profile.size_min = 2;
  profile.size_max = 19;
  profile.rectangles = true;
  profile.rules = RulesDialect::Kata;
  profile.clock = ClockDialect::Kata;
  profile.honours_clock = true;
  profile.analysis = AnalysisDialect::Kata;
  profile.search_command = "kata-search_cancellable";
  profile.search_plays = false;
  profile.reg_search_command = "kata-search_cancellable";
  profile.cleanup_command = "";
  profile.cancel = CancelBy::Stop;
  profile.stop_command = "stop";
  profile.verify = VerifyBy::Showboard;
  profile.undo_max = 1;
  profile.start_limit = seconds(120);
  return profile;
}

Profile gtp() { return named("gtp"); }

constexpr std::array<std::string_view, 6> kNames = {"gtp",   "gnugo",  "leela-zero",
                                                    "pachi", "katago", "house"};
constexpr Profile (*kMakers[])() = {gtp, gnugo, leela_zero, pachi, katago, house};

}  // namespace

std::span<const std::string_view> shipped_kinds() { return kNames; }

std::optional<Profile> shipped_profile(std::string_view kind) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == kind) return kMakers[i]();
  }
  return std::nullopt;
}

}  // namespace tengen::pool
