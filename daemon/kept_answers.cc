#include "daemon/kept_answers.h"

#include <algorithm>
#include <utility>

namespace tengen::daemon {

const KeptAnswers::Kept* KeptAnswers::find(const std::string& request_id) const {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Kept& kept) { return kept.request_id == request_id; });
  return found == kept_.end() ? nullptr : &*found;
}

void KeptAnswers::keep(Kept kept) {
  bytes_ += kept.reply.bytes.size();
  kept_.push_back(std::move(kept));
  while (kept_.size() > 1 && (kept_.size() > answers_max_ || bytes_ > bytes_max_)) {
    bytes_ -= kept_.front().reply.bytes.size();
    kept_.pop_front();
  }
}

}  // namespace tengen::daemon
