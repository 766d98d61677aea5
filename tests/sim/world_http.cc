// HTTP in the simulated world: requests take their time to arrive, their callers may hang up, and
// each is answered once.
#include "sim/world.h"

namespace tengen::sim {

using namespace std::chrono_literals;

daemon::HttpId World::call(Caller& caller, daemon::HttpRequest request) {
  const daemon::HttpId id{next_call_++};
  calls_.emplace(id, &caller);
  request.peer = "127.0.0.1";
  after(micros(10, 3'000), [this, id, request = std::move(request)] {
    if (!calls_.contains(id)) return;
    auto when = now_;
    if (sabotage_ == Sabotage::ShowAhead && request.target.starts_with("/watch/")) {
      when.unix_ms += 3'600'000;
    }
    hub_->on_http(id, request, when, effects_);
  });
  return id;
}

void World::hang_up(daemon::HttpId id) {
  if (calls_.erase(id) == 0) return;
  hung_up_.insert(id);
  if (sabotage_ != Sabotage::KeepGoneWait) hub_->on_http_gone(id, now());
}

// What waited for the store when its caller hung up may still be told.
void World::answer(const daemon::HttpAnswer& what) {
  const auto found = calls_.find(what.request);
  if (found == calls_.end()) {
    if (!hung_up_.contains(what.request)) fail("an HTTP request was answered twice");
    return;
  }
  ++counts["HTTP answers"];
  if (sabotage_ == Sabotage::LoseAnswer && chance(0.05)) return;
  auto response = what.response;
  if (sabotage_ == Sabotage::OfferTakenPoint && chance(0.1)) offer_taken_point(response.body);
  auto* caller = found->second;
  calls_.erase(found);
  caller->on_answer(what.request, response);
  if (sabotage_ == Sabotage::AnswerCallTwice && chance(0.05)) answer(what);
}

void World::offer_taken_point(std::string& body) {
  const std::string offers = R"("legalActions":[{)";
  const std::string last = R"("lastMove":{"type":"place",)";
  const auto at = body.find(offers);
  const auto from = body.find(last);
  if (at == std::string::npos || from == std::string::npos) return;
  const auto begin = from + last.size();
  const auto point = body.substr(begin, body.find(R"(,"seat")", begin) - begin);
  body.insert(at + offers.size() - 1, R"({"type":"place",)" + point + "},");
}

}  // namespace tengen::sim
