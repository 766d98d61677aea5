// The states of a connection and the life of a request.
#include "clients/cli/conversation.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdio>
#include <utility>

#include "clients/cli/wording.h"
#include "protocol/codec.h"
#include "protocol/session.h"

namespace tengen::cli {

namespace {

/// Close codes after which the same conversation would only end the same way.
bool is_final(std::uint16_t close_code) {
  constexpr std::uint16_t kProtocolError = 1002;
  constexpr std::uint16_t kBadPayload = 1007;
  constexpr std::array<std::uint16_t, 8> kFinal{
      kProtocolError,           kBadPayload,
      protocol::kCloseTooBig,   protocol::kCloseUnsupportedData,
      protocol::kCloseVersion,  protocol::kCloseBadFrames,
      protocol::kCloseBadToken, protocol::kCloseKicked};
  return std::find(kFinal.begin(), kFinal.end(), close_code) != kFinal.end();
}

/// Our own pings; commands count from 1.
constexpr RequestId kPingRequest{0};

std::chrono::milliseconds heartbeat_of(const protocol::Welcome& welcome) {
  if (welcome.heartbeat_ms == 0) return Conversation::kHeartbeat;
  return std::clamp<std::chrono::milliseconds>(std::chrono::milliseconds(welcome.heartbeat_ms),
                                               Conversation::kHeartbeatMin,
                                               Conversation::kHeartbeatMax);
}

}  // namespace

std::string fresh_request_id(Random& random) {
  std::array<char, 33> text{};
  std::snprintf(text.data(), text.size(), "%016llx%016llx",
                static_cast<unsigned long long>(random()),
                static_cast<unsigned long long>(random()));
  return text.data();
}

Conversation::Conversation(Options options, Random random)
    : options_(std::move(options)), random_(random) {}

void Conversation::on_start(TimePoint now, Effects& out) {
  assert(state_ == State::Idle);
  away_since_ = now;
  connect(now, out);
}

void Conversation::connect(TimePoint now, Effects& out) {
  state_ = State::Connecting;
  timer_ = now + kConnectLimit;
  out.push_back(Connect{});
}

Heard Conversation::on_connected(TimePoint now, Effects& out) {
  if (state_ != State::Connecting) return Nothing{};
  state_ = State::Greeting;
  timer_ = now + kWelcomeLimit;
  out.push_back(Send{
      {++last_frame_id_, protocol::Hello{protocol::kVersion, options_.client, options_.token}}});
  return Nothing{};
}

Heard Conversation::on_frame(const protocol::ServerFrame& frame, TimePoint now, Effects& out) {
  if (state_ == State::Greeting) return on_greeting(frame, now, out);
  if (state_ != State::Open) return Nothing{};
  heard_at_ = now;
  pinged_at_.reset();
  if (frame.reply_to != 0) return on_reply(frame, now, out);
  if (const auto* events = std::get_if<protocol::GameEvents>(&frame.message)) return Push{*events};
  if (const auto* draining = std::get_if<protocol::Draining>(&frame.message)) {
    // A number from outside: no longer than we look for a server at all.
    return_after_ = std::min<std::chrono::milliseconds>(
        std::chrono::milliseconds(draining->reconnect_after_ms), kReturnAfterMax);
    return Nothing{};
  }
  if (const auto* notice = std::get_if<protocol::Notice>(&frame.message)) {
    out.push_back(Warn{"Notice from the server: " + printable(notice->text) + "\n"});
    return Nothing{};
  }
  if (std::holds_alternative<protocol::Presence>(frame.message)) return Nothing{};
  if (const auto* error = std::get_if<protocol::Error>(&frame.message)) {
    return abandon("the server complained: " + error_line(*error), out);
  }
  return abandon("the server sent a message nobody asked for", out);
}

Heard Conversation::on_greeting(const protocol::ServerFrame& frame, TimePoint now, Effects& out) {
  if (const auto* error = std::get_if<protocol::Error>(&frame.message)) {
    if (!protocol::is_retryable(error->code)) return abandon(error_line(*error), out);
    out.push_back(Disconnect{});
    return lose(error_line(*error), now, out);
  }
  const auto* welcome = std::get_if<protocol::Welcome>(&frame.message);
  if (welcome == nullptr || frame.reply_to != last_frame_id_) {
    return abandon("the server did not answer the greeting with a welcome", out);
  }
  if (welcome->version != protocol::kVersion) {
    return abandon("the server speaks version " + std::to_string(welcome->version) +
                       " of the protocol, this client version " +
                       std::to_string(protocol::kVersion),
                   out);
  }
  state_ = State::Open;
  timer_.reset();
  opened_at_ = now;
  heard_at_ = now;
  pinged_at_.reset();
  heartbeat_ = heartbeat_of(*welcome);
  has_met_ = true;
  outage_told_ = false;
  refusals_told_.clear();
  const std::uint32_t limit = welcome->limits.requests_in_flight_max;
  in_flight_max_ = limit != 0 ? limit : kInFlight;
  return Opened{*welcome};
}

Heard Conversation::on_reply(const protocol::ServerFrame& frame, TimePoint now, Effects& out) {
  const auto found = in_flight_.find(frame.reply_to);
  if (found == in_flight_.end()) {
    return abandon("the server answered a request that was not made", out);
  }
  Request request = std::move(found->second);
  in_flight_.erase(found);
  submit_queued(now, out);
  if (request.id == kPingRequest) return Nothing{};
  const auto* error = std::get_if<protocol::Error>(&frame.message);
  if (error != nullptr && postpone(request, *error, now, out)) return Nothing{};
  return Reply{request.id, frame.message};
}

bool Conversation::postpone(Request& request, const protocol::Error& error, TimePoint now,
                            Effects& out) {
  if (options_.patience == Patience::None || !protocol::is_retryable(error.code)) return false;
  if (!request.refused_since) request.refused_since = now;
  if (now - *request.refused_since >= kRefusalPatience) return false;
  tell_refusal(error_line(error), out);
  // A number from outside: no longer than the patience itself.
  const std::chrono::milliseconds asked = std::min<std::chrono::milliseconds>(
      std::chrono::milliseconds(error.retry_after_ms), kRefusalPatience);
  const auto delay = std::max(asked, request.backoff.next(random_));
  postponed_.push_back({now + delay, std::move(request)});
  return true;
}

void Conversation::tell_refusal(const std::string& why, Effects& out) {
  if (refusals_told_.size() >= kRefusalsToldMax || !refusals_told_.insert(why).second) return;
  out.push_back(Warn{"Not now, says the server: " + why + "; trying again for up to " +
                     std::to_string(kRefusalPatience.count()) + " minutes.\n"});
}

Heard Conversation::on_disconnected(const Loss& loss, TimePoint now, Effects& out) {
  if (state_ == State::Idle || state_ == State::Waiting || state_ == State::Over) return Nothing{};
  if (loss.hope == Loss::Hope::None) {
    return abandon("no connection to " + options_.server + ": " + printable(loss.reason), out);
  }
  if (is_final(loss.close_code)) {
    return abandon("the connection was closed for good: " + printable(loss.reason), out);
  }
  return lose(printable(loss.reason), now, out);
}

Heard Conversation::lose(const std::string& reason, TimePoint now, Effects& out) {
  forget_requests();
  if (state_ == State::Open) {
    away_since_ = now;
    if (now - opened_at_ >= kSteadyAfter) backoff_.reset();
  }
  const auto limit = has_met_ ? kGiveUpAfter : kFirstContactLimit;
  if (options_.patience == Patience::None || now - away_since_ >= limit) {
    return abandon("no server at " + options_.server + ": " + reason, out);
  }
  state_ = State::Waiting;
  const auto pause = std::exchange(return_after_, std::chrono::milliseconds{0});
  timer_ = now + std::max(pause, backoff_.next(random_));
  if (std::exchange(outage_told_, true)) return Nothing{};
  return Lost{reason};
}

Heard Conversation::abandon(std::string reason, Effects& out) {
  forget_requests();
  state_ = State::Over;
  timer_.reset();
  out.push_back(Disconnect{});
  return Broken{std::move(reason)};
}

void Conversation::forget_requests() {
  in_flight_.clear();
  queued_.clear();
  postponed_.clear();
}

Heard Conversation::on_deadline(TimePoint now, Effects& out) {
  if (timer_ && *timer_ <= now) {
    if (state_ == State::Waiting) {
      connect(now, out);
      return Nothing{};
    }
    out.push_back(Disconnect{});
    return lose("it did not answer in time", now, out);
  }
  if (!in_flight_.empty() && in_flight_.begin()->second.sent + kReplyLimit <= now) {
    out.push_back(Disconnect{});
    return lose("a request was not answered in time", now, out);
  }
  if (state_ == State::Open && pinged_at_.value_or(heard_at_) + heartbeat_ <= now) {
    Heard heard = on_silence(now, out);
    if (state_ != State::Open) return heard;
  }
  const auto due = std::stable_partition(postponed_.begin(), postponed_.end(),
                                         [now](const Postponed& p) { return p.at > now; });
  std::vector<Postponed> ready(std::make_move_iterator(due),
                               std::make_move_iterator(postponed_.end()));
  postponed_.erase(due, postponed_.end());
  for (Postponed& postponed : ready) submit(std::move(postponed.request), now, out);
  return Nothing{};
}

// It has said nothing for a heartbeat, or not even answered the ping for another one: no loss of a
// connection is seen when the network in between is gone.
Heard Conversation::on_silence(TimePoint now, Effects& out) {
  if (!pinged_at_) {
    pinged_at_ = now;
    const std::uint32_t frame = ++last_frame_id_;
    out.push_back(Send{{frame, protocol::Ping{}}});
    in_flight_.emplace(frame, Request{kPingRequest, protocol::Ping{}, now, {}, {}});
    return Nothing{};
  }
  const auto silence = std::chrono::floor<std::chrono::seconds>(now - heard_at_);
  out.push_back(Disconnect{});
  return lose("it has been silent for " + std::to_string(silence.count()) + " s", now, out);
}

std::optional<TimePoint> Conversation::deadline() const {
  std::optional<TimePoint> earliest = timer_;
  const auto consider = [&earliest](TimePoint at) {
    if (!earliest || at < *earliest) earliest = at;
  };
  if (!in_flight_.empty()) consider(in_flight_.begin()->second.sent + kReplyLimit);
  for (const Postponed& postponed : postponed_) consider(postponed.at);
  if (state_ == State::Open) consider(pinged_at_.value_or(heard_at_) + heartbeat_);
  return earliest;
}

RequestId Conversation::send(protocol::ClientMessage message, TimePoint now, Effects& out) {
  assert(is_open());
  const RequestId id{++last_request_};
  submit({id, std::move(message), now, {}, {}}, now, out);
  return id;
}

void Conversation::submit(Request request, TimePoint now, Effects& out) {
  queued_.push_back(std::move(request));
  submit_queued(now, out);
}

void Conversation::submit_queued(TimePoint now, Effects& out) {
  while (!queued_.empty() && in_flight_.size() < in_flight_max_) {
    Request request = std::move(queued_.front());
    queued_.pop_front();
    request.sent = now;
    const std::uint32_t frame = ++last_frame_id_;
    out.push_back(Send{{frame, request.message}});
    in_flight_.emplace(frame, std::move(request));
  }
}

}  // namespace tengen::cli
