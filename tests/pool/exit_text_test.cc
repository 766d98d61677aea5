#include "pool/exit_text.h"

#include <gtest/gtest.h>

namespace tengen::pool {
namespace {

struct ExitRow {
  ExitStatus status;
  const char* text;
};

// Signal numbers are those of Linux on every common processor.
constexpr ExitRow kExitRows[] = {
    {{false, 0}, "exited with code 0"},
    {{false, 7}, "exited with code 7"},
    {{false, 126}, "exited with code 126 (its program cannot be executed)"},
    {{false, 127}, "exited with code 127 (its program or an interpreter was not found)"},
    {{false, 128}, "exited with code 128"},
    {{false, 139},
     "exited with code 139, which is a shell's word for signal 11 (SIGSEGV: a memory fault of its "
     "own)"},
    {{false, 255}, "exited with code 255"},
    {{true, 6}, "was killed by signal 6 (SIGABRT: an assertion of its own failed, or it gave up)"},
    {{true, 9}, "was killed by signal 9 (SIGKILL: by the system for want of memory, or by hand)"},
    {{true, 11}, "was killed by signal 11 (SIGSEGV: a memory fault of its own)"},
    {{true, 13}, "was killed by signal 13 (SIGPIPE: it wrote where nobody reads any more)"},
    {{true, 15}, "was killed by signal 15 (SIGTERM: asked to end, by hand or by the system)"},
    {{true, 24}, "was killed by signal 24 (SIGXCPU: it has used up its processor time)"},
    {{true, 34}, "was killed by signal 34"},
};

TEST(ExitText, SaysWhatACodeOrSignalUsuallyMeans) {
  for (const ExitRow& row : kExitRows) EXPECT_EQ(exit_text(row.status), row.text);
}

}  // namespace
}  // namespace tengen::pool
