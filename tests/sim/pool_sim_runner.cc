// Runs seeds of the pool's simulator: `pool_sim_runner --seeds N --jobs N [--first S]` or
// `pool_sim_runner --seed S --jobs N [--trace 1]`. Prints the seeds as they begin, each failure,
// what happened in all, and the counts on the last line.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "sim/pool_world.h"

int main(int argc, char** argv) {
  std::uint64_t first = 1;
  std::uint64_t seeds = 10;
  std::uint64_t jobs = 100'000;
  bool is_traced = false;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--seeds") {
      seeds = value;
    } else if (option == "--first") {
      first = value;
    } else if (option == "--jobs") {
      jobs = value;
    } else if (option == "--trace") {
      is_traced = value != 0;
    } else if (option == "--seed") {
      first = value;
      seeds = 1;
    } else {
      std::fprintf(stderr,
                   "usage: pool_sim_runner [--seeds N] [--first S] [--jobs N] | --seed S\n");
      return 2;
    }
  }
  std::uint64_t failed = 0;
  std::map<std::string, std::uint64_t> counts;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    std::fprintf(stderr, "seed %llu\n", static_cast<unsigned long long>(seed));
    tengen::sim::PoolWorld world(seed, jobs);
    world.is_traced = is_traced;
    if (const auto failure = world.run()) {
      ++failed;
      std::printf("%s\n", failure->c_str());
    }
    for (const auto& [what, count] : world.counts) {
      const bool is_greatest = what.starts_with("longest");
      counts[what] = is_greatest ? std::max(counts[what], count) : counts[what] + count;
    }
  }
  for (const auto& [what, count] : counts) {
    std::printf("%-40s %10llu\n", what.c_str(), static_cast<unsigned long long>(count));
  }
  std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(seeds - failed),
              static_cast<unsigned long long>(failed));
  return failed == 0 ? 0 : 1;
}
