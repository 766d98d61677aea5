// Starting one child process: three pipes that nobody else inherits, its own process group, the
// death signal of the calling thread, and nothing of ours but the environment.
#pragma once

#include <sys/types.h>

#include <string>
#include <variant>

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

/// Starts the program, or says why not. The keeper learns the child's group before the program
/// runs, so that no grandchild can be there before the keeper knows of it.
std::variant<Spawned, std::string> spawn_process(const Spawn& what, Keeper& keeper);

}  // namespace tengen::pool
