// Carries what the conversation heard to the command.
#include "clients/cli/client.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "clients/cli/wording.h"
#include "protocol/codec.h"

namespace tengen::cli {

Client::Client(Conversation conversation, std::unique_ptr<Command> command)
    : conversation_(std::move(conversation)), command_(std::move(command)) {}

void Client::on_start(TimePoint now, Effects& out) { conversation_.on_start(now, out); }

void Client::on_connected(TimePoint now, Effects& out) {
  if (!is_over_) tell(conversation_.on_connected(now, out), now, out);
}

void Client::on_bytes(std::string_view bytes, TimePoint now, Effects& out) {
  const auto decoded = protocol::decode_server(protocol::Format::Binary, bytes);
  if (const auto* bad = std::get_if<protocol::DecodeError>(&decoded)) {
    tell(Broken{"the server sent a frame that cannot be read: " + error_line(bad->error)}, now,
         out);
    return;
  }
  on_frame(std::get<protocol::ServerFrame>(decoded), now, out);
}

void Client::on_frame(const protocol::ServerFrame& frame, TimePoint now, Effects& out) {
  if (!is_over_) tell(conversation_.on_frame(frame, now, out), now, out);
}

void Client::on_disconnected(const Loss& loss, TimePoint now, Effects& out) {
  if (!is_over_) tell(conversation_.on_disconnected(loss, now, out), now, out);
}

void Client::on_line(std::string_view line, TimePoint now, Effects& out) {
  if (is_over_) return;
  Context context{conversation_, now, out};
  command_->on_line(line, context);
  note_finish(out);
}

void Client::on_input_end(TimePoint now, Effects& out) {
  if (is_over_) return;
  Context context{conversation_, now, out};
  command_->on_input_end(context);
  note_finish(out);
}

void Client::on_deadline(TimePoint now, Effects& out) {
  if (!is_over_) tell(conversation_.on_deadline(now, out), now, out);
}

std::optional<TimePoint> Client::deadline() const {
  if (is_over_) return std::nullopt;
  return conversation_.deadline();
}

void Client::tell(const Heard& heard, TimePoint now, Effects& out) {
  if (is_over_) return;
  Context context{conversation_, now, out};
  if (const auto* opened = std::get_if<Opened>(&heard)) {
    command_->on_opened(opened->welcome, context);
  } else if (const auto* reply = std::get_if<Reply>(&heard)) {
    command_->on_reply(reply->request, reply->message, context);
  } else if (const auto* push = std::get_if<Push>(&heard)) {
    command_->on_events(push->events, context);
  } else if (const auto* lost = std::get_if<Lost>(&heard)) {
    command_->on_lost(lost->reason, context);
  } else if (const auto* broken = std::get_if<Broken>(&heard)) {
    context.fail(ExitCode::Failed, broken->reason);
  }
  note_finish(out);
}

void Client::note_finish(const Effects& out) {
  is_over_ = is_over_ || std::any_of(out.begin(), out.end(), [](const Effect& effect) {
               return std::holds_alternative<Finish>(effect);
             });
}

}  // namespace tengen::cli
