// The newest answers of a virtual engine, for calls that are sent again after a lost connection.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "protocol/gtp_calls.h"

namespace tengen::daemon {

class KeptAnswers {
 public:
  struct Kept {
    std::string request_id;
    protocol::GtpCall call;
    protocol::GtpReply reply;
  };

  /// At most so many, and together of so many bytes; the newest is kept whatever its length.
  KeptAnswers(std::size_t answers_max, std::size_t bytes_max)
      : answers_max_(answers_max), bytes_max_(bytes_max) {}

  /// The one that was given to that request, or null.
  const Kept* find(const std::string& request_id) const;
  /// The request must not have one yet.
  void keep(Kept kept);

  std::size_t size() const { return kept_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t answers_max_;
  std::size_t bytes_max_;
  std::deque<Kept> kept_;  // the newest last
  std::size_t bytes_ = 0;  // of the replies
};

}  // namespace tengen::daemon
