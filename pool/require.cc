// See require.h.
#include "pool/require.h"

#include <cstdio>
#include <cstdlib>

namespace tengen::pool {

void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "tengen pool: broken promise: %s\n", promise);
  std::abort();
}

}  // namespace tengen::pool
