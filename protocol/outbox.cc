#include "protocol/outbox.h"

#include <cstdlib>
#include <utility>

namespace tengen::protocol {

Outbox::Queued Outbox::push(SharedFrame frame) {
  if (frame->size() > kOutboxBytesMax - bytes_) return Queued::Overflow;
  bytes_ += frame->size();
  frames_.push_back(std::move(frame));
  return Queued::Accepted;
}

SharedFrame Outbox::begin_write() {
  if (writing_ || frames_.empty()) return nullptr;
  writing_ = true;
  return frames_.front();
}

void Outbox::drop_waiting() {
  while (frames_.size() > (writing_ ? 1u : 0u)) {
    bytes_ -= frames_.back()->size();
    frames_.pop_back();
  }
}

void Outbox::written() {
  if (!writing_) std::abort();  // The shell reports a write it never began.
  writing_ = false;
  bytes_ -= frames_.front()->size();
  frames_.pop_front();
}

}  // namespace tengen::protocol
