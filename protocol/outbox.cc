#include "protocol/outbox.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tengen::protocol {

Outbox::Queued Outbox::push(SharedFrame frame) { return add({std::move(frame), 0}); }

Outbox::Queued Outbox::push_newest(SharedFrame frame, std::uint64_t key) {
  const auto first = frames_.begin() + (writing_ ? 1 : 0);
  const auto old =
      std::find_if(first, frames_.end(), [key](const Waiting& each) { return each.key == key; });
  if (old != frames_.end()) {
    bytes_ -= old->frame->size();
    frames_.erase(old);
  }
  return add({std::move(frame), key});
}

Outbox::Queued Outbox::add(Waiting waiting) {
  if (waiting.frame->size() > kOutboxBytesMax - bytes_) return Queued::Overflow;
  bytes_ += waiting.frame->size();
  frames_.push_back(std::move(waiting));
  return Queued::Accepted;
}

SharedFrame Outbox::begin_write() {
  if (writing_ || frames_.empty()) return nullptr;
  writing_ = true;
  return frames_.front().frame;
}

void Outbox::drop_waiting() {
  while (frames_.size() > (writing_ ? 1u : 0u)) {
    bytes_ -= frames_.back().frame->size();
    frames_.pop_back();
  }
}

void Outbox::written() {
  if (!writing_) std::abort();  // The shell reports a write it never began.
  writing_ = false;
  bytes_ -= frames_.front().frame->size();
  frames_.pop_front();
}

}  // namespace tengen::protocol
