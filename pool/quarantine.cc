// See quarantine.h.
#include "pool/quarantine.h"

#include "pool/limits.h"

namespace tengen::pool {

void Quarantine::add(const Job& job, TimePoint until) {
  const std::uint64_t key = fingerprint(job);
  if (!until_.insert_or_assign(key, until).second) std::erase(order_, key);
  order_.push_back(key);
  if (order_.size() <= Limits::kQuarantineMax) return;
  until_.erase(order_.front());
  order_.pop_front();
}

std::optional<std::chrono::milliseconds> Quarantine::left(const Job& job, TimePoint now) const {
  if (until_.empty()) return std::nullopt;
  const auto found = until_.find(fingerprint(job));
  if (found == until_.end() || found->second <= now) return std::nullopt;
  return std::chrono::ceil<std::chrono::milliseconds>(found->second - now);
}

void Quarantine::clear() {
  until_.clear();
  order_.clear();
}

// FNV-1a over what tells one question from another.
std::uint64_t Quarantine::fingerprint(const Job& job) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const std::uint64_t parts[] = {std::hash<rules::GameId>()(job.game),
                                 job.record.board().hash(),
                                 job.record.moves().size(),
                                 static_cast<std::uint64_t>(job.want),
                                 static_cast<std::uint64_t>(rules::index_of(job.color)),
                                 std::hash<std::string>()(job.command)};
  for (std::uint64_t part : parts) {
    for (int i = 0; i < 8; ++i, part >>= 8) hash = (hash ^ (part & 0xff)) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace tengen::pool
