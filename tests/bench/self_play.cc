#include "tests/bench/self_play.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "pool/shipped.h"
#include "tests/bench/mid_games.h"

namespace tengen::tests {
namespace {

constexpr std::size_t kMovesMax = 300;
constexpr std::chrono::minutes kSearchLimit{10};
constexpr std::chrono::minutes kTailLimit{60};  // for the answers that are due at the end

pool::Profile gnugo_profile(int engines, SelfPlay::Caches caches) {
  auto profile = pool::shipped_profile("gnugo");
  if (!profile) throw std::runtime_error("there is no profile for GNU Go");
  profile->command.insert(profile->command.end(), {"--seed", "1"});
  profile->processes_warm = engines;
  profile->processes_max = engines;
  // On a machine that has other things to do an engine may need a while; that is no hang.
  profile->search_limit = kSearchLimit;
  profile->answer_limit = kSearchLimit;
  if (caches == SelfPlay::Caches::Kept) profile->forget_command.clear();
  return *profile;
}

bool is_about_search(std::string_view command) {
  return command.starts_with("clear_cache") || command.starts_with("set_random_seed") ||
         command.starts_with("genmove");
}

/// Sorts the commands of a write, without their ids, into those about the position and the others.
void take_commands(std::string_view lines, Search& search) {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(line.size() + 1);
    const std::string_view command = line.substr(line.find(' ') + 1);
    (is_about_search(command) ? search.commands : search.sync).emplace_back(command);
  }
}

/// Any fixed number for a game and a move will do.
std::uint32_t seed_of(std::size_t game, std::size_t moves) {
  return static_cast<std::uint32_t>(1 + (game * 1'000'003 + moves * 7'919) % 2'000'000'000);
}

std::string text_of(const pool::EngineMove& move, rules::Size size) {
  switch (move.kind) {
    case pool::EngineMove::Kind::Play:
      return rules::gtp_vertex(move.point, size);
    case pool::EngineMove::Kind::Pass:
      return "PASS";
    case pool::EngineMove::Kind::Resign:
      break;
  }
  return "RESIGN";
}

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

double Searches::inside_share() const { return seconds(inside) / seconds(cpu); }
double Searches::per_cpu_second() const { return static_cast<double>(list.size()) / seconds(cpu); }

SelfPlay::SelfPlay(int engines, std::size_t games, Caches caches)
    : loop_({gnugo_profile(engines, caches)}), games_(games) {
  PoolTaps& taps = loop_.taps();
  taps.started = [this](const pool::Spawn& spawn) { command_ = spawn.argv; };
  taps.spawned = [this](pool::EngineId engine, int pid) {
    seats_.emplace(engine, Seat{EngineMeter(pid), {}, {}});
  };
  taps.written = [this](const pool::Write& write) { on_written(write); };
  taps.read = [this](pool::EngineId engine, std::string_view bytes) { on_read(engine, bytes); };
  taps.done = [this](const pool::JobDone& done) { on_done(done); };
  loop_.warm_up(static_cast<std::size_t>(engines));
}

const pool::TeamStats& SelfPlay::stats() const { return loop_.pool().stats("gnugo"); }

Searches SelfPlay::play(Pace pace, RoundLength length) {
  pace_ = pace;
  length_ = length;
  searches_ = {};
  searches_.games = mid_games(games_);
  searches_.queued_min = games_;
  order_.clear();
  moved_.clear();
  ++rounds_;
  const auto cpu_before = cpu();
  const auto begin = std::chrono::steady_clock::now();
  end_ = begin + length.time;
  for (std::size_t game = 0; game < games_; ++game) ask(game);
  if (!loop_.run_until([this] { return open_ == 0; }, length.time + kTailLimit)) {
    throw std::runtime_error("the games do not go on");
  }
  searches_.cpu = cpu() - cpu_before;
  searches_.wall = std::chrono::steady_clock::now() - begin;
  first_job_ += searches_.list.size();
  Searches sorted = std::exchange(searches_, {});
  const std::vector<Search> made = std::exchange(sorted.list, {});
  for (const std::size_t number : order_) {
    sorted.list.push_back(made[number]);
    sorted.inside += made[number].metered.search;
  }
  return sorted;
}

void SelfPlay::ask(std::size_t game) {
  const rules::Record& record = searches_.games[game];
  Search search;
  search.game = game;
  search.moves = record.moves().size();
  search.color = search.moves % 2 == 0 ? rules::Color::Black : rules::Color::White;
  search.seed = seed_of(game, search.moves);
  pool::Job job{.id = {first_job_ + searches_.list.size()},
                .game = {rounds_, game},
                .profile = "gnugo",
                .settings = {{"level", "1"}},
                .record = record,
                .rules = {},
                .color = search.color,
                .seed = search.seed,
                .client = {game % games_ + 1}};
  searches_.list.push_back(std::move(search));
  ++open_;
  loop_.submit(std::move(job));
}

void SelfPlay::on_written(const pool::Write& write) {
  Seat& seat = seats_.at(write.engine);
  seat.meter.on_write(write.bytes);
  const auto before = std::exchange(seat.search, std::nullopt);
  const auto job = job_of(write.engine);
  if (!job) return;
  const auto number = static_cast<std::size_t>(job->value - first_job_);
  if (before == number) throw std::runtime_error("a search was written twice");
  Search& search = searches_.list.at(number);
  search.engine = write.engine.value;
  take_commands(write.bytes, search);
  search.is_switch = seat.game != search.game;
  seat.game = search.game;
  seat.search = number;
  order_.push_back(number);
}

std::optional<pool::JobId> SelfPlay::job_of(pool::EngineId engine) const {
  for (const pool::EngineStatus& each : loop_.pool().engines("gnugo")) {
    if (each.id == engine) return each.job;
  }
  return std::nullopt;
}

void SelfPlay::on_read(pool::EngineId engine, std::string_view bytes) {
  Seat& seat = seats_.at(engine);
  auto metered = seat.meter.on_read(bytes);
  if (!metered || !seat.search) return;
  searches_.list.at(*seat.search).metered = std::move(*metered);
}

void SelfPlay::on_done(const pool::JobDone& done) {
  --open_;
  Search& search = searches_.list.at(static_cast<std::size_t>(done.job.value - first_job_));
  const auto* move = std::get_if<pool::EngineMove>(&done.result);
  if (move == nullptr) throw std::runtime_error("a job ended without a move");
  std::size_t game = search.game;
  rules::Record& record = searches_.games[game];
  search.answer = text_of(*move, record.size());
  const bool is_played = move->kind != pool::EngineMove::Kind::Resign &&
                         record.play({search.color, move->kind == pool::EngineMove::Kind::Play
                                                        ? std::optional(move->point)
                                                        : std::nullopt}) == rules::Refusal::None;
  if (!is_played || is_over(record)) {
    game = searches_.games.size();
    searches_.games.push_back(mid_games(games_)[search.game % games_]);
  }
  if (loop_.now() >= end_ || searches_.list.size() >= length_.searches) return;
  searches_.queued_min = std::min(searches_.queued_min, loop_.pool().statuses().front().queued);
  if (pace_ == Pace::AtOnce) return ask(game);
  moved_.push_back(game);
  if (open_ > 0) return;
  for (const std::size_t each : std::exchange(moved_, {})) ask(each);
}

bool SelfPlay::is_over(const rules::Record& record) const {
  const auto& moves = record.moves();
  const std::size_t count = moves.size();
  return count >= kMovesMax || (moves[count - 1].is_pass() && moves[count - 2].is_pass());
}

std::chrono::nanoseconds SelfPlay::cpu() const {
  std::chrono::nanoseconds sum{0};
  for (const auto& [engine, seat] : seats_) sum += seat.meter.used();
  return sum;
}

}  // namespace tengen::tests
