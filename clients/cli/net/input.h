// Standard input, read when somebody wants a line and never blocking the loop. Terminals, pipes and
// files all work.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include "clients/cli/line_splitter.h"

namespace tengen::cli {

class Input {
 public:
  /// `on_ready` is called from the loop after a wait(), when take() may have more.
  Input(boost::asio::io_context& io, std::function<void()> on_ready);
  ~Input();

  /// The next line, if one has been read.
  std::optional<std::string> take() { return lines_.take(); }
  /// Whether everything has been read; lines may still be there to take.
  bool is_at_end() const { return is_at_end_; }
  /// Sees to it that on_ready is called once there is more to read. Does nothing at the end.
  void wait();
  void stop();

 private:
  void read();

  std::function<void()> on_ready_;
  boost::asio::io_context& io_;
  boost::asio::posix::stream_descriptor descriptor_;
  int flags_;  // of the open file, which we share with whoever started us
  LineSplitter lines_;
  bool is_waiting_ = false;
  bool is_at_end_ = false;
};

}  // namespace tengen::cli
