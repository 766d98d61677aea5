// An engine process with as little around it as there can be: bytes go in as they are and come out
// as they are. Nothing is queued, parsed, watched or restarted.
#pragma once

#include <sys/types.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tengen::tests {

class BareProcess {
 public:
  /// Starts it; argv[0] is looked up in PATH and /usr/games. Throws when there can be no process.
  /// A program that cannot be run shows in an output that ends at once.
  explicit BareProcess(const std::vector<std::string>& argv);
  /// Kills it and waits for its end.
  ~BareProcess();
  BareProcess(const BareProcess&) = delete;
  BareProcess& operator=(const BareProcess&) = delete;

  pid_t pid() const { return pid_; }
  /// Our end of its standard output, which does not block.
  int output() const { return output_; }
  /// At once and whole: the engine must have read what it was given before. Throws otherwise.
  void write(std::string_view bytes) const;

 private:
  pid_t pid_ = 0;
  int input_ = -1;
  int output_ = -1;
};

/// The same, read by Asio.
class BareEngine {
 public:
  /// Called from the loop, for each read; may write.
  using Reader = std::function<void(std::string_view bytes)>;

  BareEngine(boost::asio::io_context& io, const std::vector<std::string>& argv, Reader reader);
  ~BareEngine();
  BareEngine(const BareEngine&) = delete;
  BareEngine& operator=(const BareEngine&) = delete;

  pid_t pid() const { return process_.pid(); }
  void write(std::string_view bytes) const { process_.write(bytes); }

 private:
  void read();

  BareProcess process_;
  Reader reader_;
  boost::asio::posix::stream_descriptor output_;
  std::array<char, 16 * 1024> buffer_;
};

}  // namespace tengen::tests
