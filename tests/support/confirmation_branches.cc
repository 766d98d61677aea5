#include "tests/support/confirmation_branches.h"

#include <utility>
#include <variant>

namespace tengen::tests {
namespace {

class Reader {
 public:
  Branches read(const std::vector<rules::Event>& events) {
    for (const auto& event : events) {
      std::visit([this](const auto& body) { see(body); }, event.body);
    }
    return std::move(reached_);
  }

 private:
  void see(const rules::Stopped&) {
    is_marking_ = disputes_ < 3;
    is_proposed_ = false;
    dead_.clear();
    seki_.clear();
  }
  void see(const rules::Marked& mark) {
    const bool is_new = dead_.insert(mark.point).second;
    if (!is_new) dead_.erase(mark.point);
    reached_.insert(is_new ? "a chain is marked" : "a chain's mark is taken back");
  }
  void see(const rules::SekiMarked& mark) {
    const bool is_new = seki_.insert(mark.point).second;
    if (!is_new) seki_.erase(mark.point);
    reached_.insert(is_new ? "a point is marked as seki" : "a seki mark is taken back");
  }
  void see(const rules::MarkingDone& done) {
    is_proposed_ = true;
    reached_.insert(done.color == rules::Color::Black ? "black proposes" : "white proposes");
    if (dead_.empty() && seki_.empty()) reached_.insert("nothing is marked");
  }
  void see(const rules::MarkingAccepted&) {
    is_accepted_ = true;
    if (disputes_ > 0) reached_.insert("accepted after a dispute");
  }
  void see(const rules::MarkingDisputed&) { ++disputes_; }
  void see(const rules::Continued& continued) {
    is_marking_ = false;
    if (continued.reason != rules::ContinueReason::Dispute) return;
    reached_.insert("disputed, and play goes on");
  }
  void see(const rules::Captured&) {
    if (disputes_ > 0) reached_.insert("a capture after a dispute");
  }
  void see(const rules::Scored& scored) {
    const bool is_area = scored.by == rules::Scoring::Area;
    if (is_accepted_ && !is_area) reached_.insert("accepted, counted by territory");
    if (!is_accepted_ && is_area && disputes_ == 3) {
      reached_.insert("stopped after three disputes, counted by area");
    }
  }
  void see(const rules::NoResultAgreed&) {
    if (disputes_ > 0) reached_.insert("no result after a dispute");
  }
  void see(const rules::TimedOut&) {
    if (!is_marking_) return;
    reached_.insert(is_proposed_ ? "the answerer lets its time pass"
                                 : "the proposer lets its time pass");
  }
  void see(const rules::Resigned&) {
    if (is_marking_) reached_.insert("resigned");
  }
  void see(const rules::Abandoned&) {
    if (is_marking_) reached_.insert("abandoned");
  }
  template <typename Other>
  void see(const Other&) {}

  Branches reached_;
  std::set<rules::Point> dead_;
  std::set<rules::Point> seki_;
  bool is_marking_ = false;
  bool is_proposed_ = false;
  bool is_accepted_ = false;
  int disputes_ = 0;
};

}  // namespace

Branches confirmation_branches(const std::vector<rules::Event>& events) {
  return Reader().read(events);
}

}  // namespace tengen::tests
