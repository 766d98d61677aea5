#include "protocol/session.h"

#include <cstdlib>
#include <utility>

namespace tengen::protocol {
namespace {

FrameKind kind_of(Format format) {
  return format == Format::Binary ? FrameKind::Binary : FrameKind::Text;
}

Error invalid(std::string reason, std::string message) {
  return {.code = ErrorCode::InvalidArgument,
          .reason = std::move(reason),
          .message = std::move(message)};
}

}  // namespace

Session::Session(Format format, const Limits& limits, TimePoint now)
    : format_(format), limits_(limits), opened_(now) {}

void Session::on_frame(FrameKind kind, std::string_view bytes, TimePoint /*now*/,
                       SessionEffects& out) {
  if (state_ == State::Closed) return;
  if (kind != kind_of(format_)) {
    return close(kCloseUnsupportedData, "the subprotocol has the other kind of frames", out);
  }
  if (bytes.size() > frame_bytes_max()) return close(kCloseTooBig, "frame too long", out);
  std::variant<ClientFrame, DecodeError> decoded = decode_client(format_, bytes);
  if (const auto* error = std::get_if<DecodeError>(&decoded)) return on_bad_frame(*error, out);
  ClientFrame& frame = std::get<ClientFrame>(decoded);
  if (const std::optional<Error> error = objection(frame)) {
    refuse(frame.id, *error, out);
    if (error->code == ErrorCode::UnsupportedVersion) close(kCloseVersion, error->message, out);
    return;
  }
  in_flight_.insert(frame.id);
  out.push_back(Request{frame.id, std::move(frame.message)});
}

std::size_t Session::frame_bytes_max() const {
  return state_ == State::Open ? limits_.frame_bytes_max : limits_.frame_bytes_before_hello_max;
}

void Session::on_bad_frame(const DecodeError& bad, SessionEffects& out) {
  refuse(bad.frame_id, bad.error, out);
  if (bad.error.code != ErrorCode::BadFrame) return;
  ++bad_frames_;
  if (bad_frames_ >= limits_.bad_frames_max) close(kCloseBadFrames, "too many bad frames", out);
}

std::optional<Error> Session::objection(const ClientFrame& frame) const {
  if (is_in_flight(frame.id)) {
    return invalid("id", "id " + std::to_string(frame.id) + " still waits for its reply");
  }
  const auto* hello = std::get_if<Hello>(&frame.message);
  if (hello != nullptr) return objection_to(*hello);
  if (state_ == State::AwaitingHello) {
    return Error{.code = ErrorCode::HelloRequired,
                 .reason = "hello",
                 .message = "the first request must be Hello"};
  }
  if (in_flight() >= limits_.requests_in_flight_max) {
    return Error{
        .code = ErrorCode::LimitReached,
        .reason = "requests_in_flight_max",
        .message = "wait for replies: " + std::to_string(in_flight()) + " requests are in flight"};
  }
  return std::nullopt;
}

std::optional<Error> Session::objection_to(const Hello& hello) const {
  // Before Welcome only a Hello can be in flight.
  if (state_ == State::Open || in_flight() != 0) {
    return invalid("hello", "Hello was said before");
  }
  if (hello.version == kVersion) return std::nullopt;
  return Error{.code = ErrorCode::UnsupportedVersion,
               .reason = "version",
               .message = "this daemon speaks version " + std::to_string(kVersion)};
}

void Session::welcome() {
  if (state_ == State::AwaitingHello) state_ = State::Open;
}

std::string Session::reply(std::uint32_t request, const ServerMessage& message) {
  if (in_flight_.erase(request) == 0) std::abort();  // A request got no reply or two: our mistake.
  return encode(format_, ServerFrame{request, message});
}

std::string Session::hold_reply(std::uint32_t request, const ServerMessage& message) {
  auto bytes = reply(request, message);
  held_.insert(request);
  return bytes;
}

void Session::let_go(std::uint32_t request) { held_.erase(request); }

std::optional<TimePoint> Session::deadline() const {
  if (state_ != State::AwaitingHello) return std::nullopt;
  return opened_ + limits_.hello_limit;
}

void Session::on_deadline(TimePoint now, SessionEffects& out) {
  const std::optional<TimePoint> due = deadline();
  if (due && now >= *due) close(kCloseHelloTimeout, "no Hello in time", out);
}

void Session::refuse(std::uint32_t frame_id, const Error& error, SessionEffects& out) {
  // An id in flight gets one reply only, its own, so that this error goes out as a push.
  const std::uint32_t reply_to = is_in_flight(frame_id) ? 0 : frame_id;
  out.push_back(Send{encode(format_, ServerFrame{reply_to, error})});
}

void Session::close(std::uint16_t code, std::string reason, SessionEffects& out) {
  state_ = State::Closed;
  out.push_back(Close{code, std::move(reason)});
}

}  // namespace tengen::protocol
