#include "tests/support/caller.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace tengen::tests {

using protocol::ClientFrame;
using protocol::ClientMessage;
using protocol::ServerFrame;
using protocol::ServerMessage;

namespace {

[[noreturn]] void fail(const std::string& text) { throw std::runtime_error(text); }

WsOptions options_of(protocol::Format format) {
  WsOptions options;
  if (format == protocol::Format::Json) options.subprotocol = protocol::kJsonSubprotocol;
  return options;
}

}  // namespace

std::string describe(const ServerMessage& message) {
  if (const auto* error = std::get_if<protocol::Error>(&message)) {
    return "Error " + std::string(name_of(error->code)) + " (" + error->reason +
           "): " + error->message;
  }
  return "message " + std::to_string(message.index());
}

Caller::Caller(std::uint16_t port, protocol::Format format, std::string token)
    : socket_(port, options_of(format)), format_(format) {
  welcome_ =
      expect<protocol::Welcome>(protocol::Hello{protocol::kVersion, "test", std::move(token)});
}

std::uint32_t Caller::send(ClientMessage message) {
  const std::uint32_t id = next_id_++;
  const bool is_binary = format_ == protocol::Format::Binary;
  socket_.send(is_binary ? protocol::FrameKind::Binary : protocol::FrameKind::Text,
               encode(format_, ClientFrame{id, std::move(message)}));
  return id;
}

std::optional<ServerFrame> Caller::read(std::chrono::milliseconds patience) {
  const auto bytes = socket_.receive(patience);
  if (!bytes) return std::nullopt;
  auto frame = protocol::decode_server(format_, *bytes);
  if (auto* bad = std::get_if<protocol::DecodeError>(&frame)) {
    fail("the daemon sent a bad frame: " + bad->error.message);
  }
  auto& good = std::get<ServerFrame>(frame);
  // The act's events come in its answer; tests look for them among the pushes.
  if (auto* accepted = std::get_if<protocol::Accepted>(&good.message)) {
    if (accepted->events) kept_.push_back(ServerFrame{0, *std::exchange(accepted->events, {})});
  }
  return std::move(good);
}

std::optional<ServerFrame> Caller::next(std::chrono::milliseconds patience) {
  if (kept_.empty()) return read(patience);
  auto first = std::move(kept_.front());
  kept_.pop_front();
  return first;
}

ServerMessage Caller::ask(ClientMessage message) {
  const std::uint32_t id = send(std::move(message));
  while (auto frame = read(kAnswerPatience)) {
    if (frame->reply_to == id) return std::move(frame->message);
    kept_.push_back(std::move(*frame));
  }
  fail(socket_.is_closed() ? "the connection has ended" : "no answer in time");
}

std::optional<protocol::GameEvents> Caller::pushed(std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    auto frame = next(std::max(left, std::chrono::milliseconds(0)));
    if (!frame) return std::nullopt;
    if (auto* events = std::get_if<protocol::GameEvents>(&frame->message)) {
      return std::move(*events);
    }
  }
}

protocol::SeatRequest engine_seat(std::string profile, rules::Settings settings) {
  protocol::SeatRequest seat;
  seat.kind = rules::SeatKind::Engine;
  seat.profile = std::move(profile);
  seat.settings = std::move(settings);
  return seat;
}

protocol::SeatRequest human_seat(std::string name) {
  protocol::SeatRequest seat;
  seat.name = std::move(name);
  return seat;
}

protocol::CreateGame game_of(int size, protocol::SeatRequest black, protocol::SeatRequest white) {
  const auto* preset = rules::find_preset("chinese");
  protocol::CreateGame create;
  create.request_id = fresh_request_id();
  create.size = {static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(size)};
  create.preset = preset->name;
  create.rules = preset->rules;
  create.komi_half = preset->komi_half;
  create.seats = {std::move(black), std::move(white)};
  return create;
}

protocol::CreateGame game_against(const std::string& profile) {
  return game_of(9, human_seat(), engine_seat(profile));
}

std::string fresh_request_id() {
  static std::uint32_t count = 0;
  return "t" + std::to_string(::getpid()) + "-" + std::to_string(++count);
}

}  // namespace tengen::tests
