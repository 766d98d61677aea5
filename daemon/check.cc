#include "daemon/check.h"

#include <cstdio>
#include <cstdlib>

namespace tengen::daemon {

void fail_check(const char* what) {
  std::fprintf(stderr, "tengend: broken promise: %s\n", what);
  std::abort();
}

}  // namespace tengen::daemon
