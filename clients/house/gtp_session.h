// One GTP conversation as a core: bytes in, answers out one by one, so that each can be sent before
// the next command is thought about.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "clients/house/gtp_line.h"
#include "clients/house/referee.h"

namespace tengen::house {

class GtpSession {
 public:
  GtpSession(const HouseOptions& options, FileReader read_file);

  void on_bytes(std::string_view bytes) { lines_.on_bytes(bytes); }
  /// The input has ended; a last line without a newline still counts.
  void on_end() { lines_.on_end(); }
  /// Carries out the next command and gives its answer as it is sent. Nothing when no whole command
  /// is left, or after `quit`: what stands behind it is dropped.
  std::optional<std::string> next_answer();
  bool is_over() const { return referee_.is_over(); }

  const Referee& referee() const { return referee_; }

 private:
  GtpLimits limits_;
  LineReader lines_;
  Referee referee_;
};

}  // namespace tengen::house
