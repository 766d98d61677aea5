// The keeper is a small process forked before anything else. It learns the process group of every
// engine over a pipe, and when the daemon is gone, however it died, it kills the groups that are
// left, shell wrappers and grandchildren included, and exits.
#pragma once

#include <sys/types.h>

#include <string>
#include <variant>

namespace tengen::pool {

class Keeper {
 public:
  /// Forks the keeper. Call it before threads, sockets and libraries with state exist.
  static std::variant<Keeper, std::string> start();

  Keeper(Keeper&& other) noexcept;
  Keeper& operator=(Keeper&&) = delete;
  /// Tells the keeper that the daemon is going and waits for it.
  ~Keeper();

  /// From now on the group is killed when the daemon is gone. One write: safe between vfork and
  /// exec.
  void watch(pid_t group);
  /// The group has ended; its number may be used by strangers.
  void forget(pid_t group);

 private:
  Keeper(int pipe, pid_t pid) : pipe_(pipe), pid_(pid) {}
  int pipe_;
  pid_t pid_;
};

}  // namespace tengen::pool
