// Runs seeds of the simulator: `sim_runner --seeds N [--first S]` or `sim_runner --seed S`. Prints
// each failure with its seed, what happened in all, and the counts on the last line.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "sim/world.h"

int main(int argc, char** argv) {
  std::uint64_t first = 1;
  std::uint64_t seeds = 1000;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--seeds") {
      seeds = value;
    } else if (option == "--first") {
      first = value;
    } else if (option == "--seed") {
      first = value;
      seeds = 1;
    } else {
      std::fprintf(stderr, "usage: sim_runner [--seeds N] [--first S] | --seed S\n");
      return 2;
    }
  }
  std::uint64_t failed = 0;
  std::map<std::string, std::uint64_t> counts;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    tengen::sim::World world(seed, tengen::sim::Sabotage::None);
    if (const auto failure = world.run()) {
      ++failed;
      std::printf("%s\n", failure->c_str());
    }
    for (const auto& [what, count] : world.counts) counts[what] += count;
  }
  for (const auto& [what, count] : counts) {
    std::printf("%-16s %10llu\n", what.c_str(), static_cast<unsigned long long>(count));
  }
  std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(seeds - failed),
              static_cast<unsigned long long>(failed));
  return failed == 0 ? 0 : 1;
}
