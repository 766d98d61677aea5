// The whole client without I/O: a conversation and the command that listens to it. Once a Finish
// effect is out, every further event is ignored.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "clients/cli/command.h"

namespace tengen::cli {

class Client {
 public:
  Client(Conversation conversation, std::unique_ptr<Command> command);

  void on_start(TimePoint now, Effects& out);
  void on_connected(TimePoint now, Effects& out);
  /// One whole binary message. Bytes that are no frame end the client.
  void on_bytes(std::string_view bytes, TimePoint now, Effects& out);
  void on_frame(const protocol::ServerFrame& frame, TimePoint now, Effects& out);
  void on_disconnected(const Loss& loss, TimePoint now, Effects& out);
  void on_line(std::string_view line, TimePoint now, Effects& out);
  void on_input_end(TimePoint now, Effects& out);
  void on_deadline(TimePoint now, Effects& out);

  std::optional<TimePoint> deadline() const;
  bool wants_line() const { return !is_over_ && command_->wants_line(); }
  bool is_over() const { return is_over_; }

 private:
  void tell(const Heard& heard, TimePoint now, Effects& out);
  void note_finish(const Effects& out);

  Conversation conversation_;
  std::unique_ptr<Command> command_;
  bool is_over_ = false;
};

}  // namespace tengen::cli
