// Assertions about our own mistakes, in release too. Never used on what clients or engines send.
#pragma once

namespace tengen::daemon {

[[noreturn]] void fail_check(const char* what);

inline void check(bool holds, const char* what) {
  if (!holds) [[unlikely]]
    fail_check(what);
}

}  // namespace tengen::daemon
