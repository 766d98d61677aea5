// Starting one child process: three pipes that nobody else inherits, its own process group, the
// death signal of the calling thread, limits on what it takes of the machine, and of our
// environment only what it is meant to see.
#pragma once

#include <sys/types.h>

#include <string>
#include <variant>
#include <vector>

#include "pool/effects.h"
#include "pool/keeper.h"

namespace tengen::pool {

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { reset(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  int release();
  void reset();

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};
/// A close-on-exec pipe whose ends are none of 0, 1, 2; both closed when the system refused.
Pipe make_pipe();

/// A child that has executed its program. Our ends of the pipes do not block.
struct Spawned {
  pid_t pid = 0;    // also its process group
  Descriptor exit;  // a pidfd: readable when the process has ended
  Descriptor input;
  Descriptor output;
  Descriptor error;
};

/// The program's path: argv[0] itself when it holds a slash, else the first match beside our own
/// program, in PATH, then in /usr/games; empty when there is none.
std::string find_program(const std::string& name);

/// The environment a child gets: of ours the variables in kEnvironment and those that the entries
/// name, and what entries of the form NAME=VALUE set, a later one for the same name counting.
/// Ordered by name.
std::vector<std::string> child_environment(const std::vector<std::string>& entries);

/// Starts the program, or says why not. Its limits hold from its first instruction on, and it never
/// writes core files; one that the system does not grant is a failure. A niceness below our own
/// stays our own. The keeper learns the child's group before the program runs, so that no
/// grandchild can be there before the keeper knows of it.
std::variant<Spawned, std::string> spawn_process(const Spawn& what, Keeper& keeper);

}  // namespace tengen::pool
