// What operators ask for, and what they are told.
#include <utility>

#include "protocol/convert.h"
#include "protocol/text.h"

namespace tengen::protocol {
namespace {

constexpr std::size_t kTextBytesMax = 256;

EndGame read_ending(const v1::EndGame& wire, FieldReader& reader) {
  EndGame end{.game = reader.game(wire.game()),
              .winner = std::nullopt,
              .text = reader.text(wire.text(), kRulingBytesMax, "text")};
  if (wire.ruling_case() == v1::EndGame::kWinner) {
    end.winner = reader.choice(wire.winner(), rules::Color::White, "winner");
  } else if (wire.ruling_case() != v1::EndGame::kAnnul) {
    reader.refuse("ruling", "ruling must be a winner, or that the game does not count");
  }
  return end;
}

Kick read_kick(const v1::Kick& wire, FieldReader& reader) {
  if (wire.token().empty() == (wire.connection() == 0)) {
    reader.refuse("token", "either a token or a connection must be given");
  }
  if (wire.token().empty()) return {ConnectionNumber{wire.connection()}};
  return {reader.token(wire.token(), kNameBytesMax, "token")};
}

SendNotice read_notice(const v1::SendNotice& wire, FieldReader& reader) {
  if (wire.text().empty()) reader.refuse("text", "text must not be empty");
  return {reader.text(wire.text(), kNoticeBytesMax, "text")};
}

AdminVerb read_verb(const v1::Admin& wire, FieldReader& reader) {
  switch (wire.verb_case()) {
    case v1::Admin::kEndGame:
      return read_ending(wire.end_game(), reader);
    case v1::Admin::kKick:
      return read_kick(wire.kick(), reader);
    case v1::Admin::kRevokeToken:
      return RevokeToken{reader.token(wire.revoke_token().name(), kNameBytesMax, "name")};
    case v1::Admin::kRetireEngine:
      return RetireEngine{wire.retire_engine().engine()};
    case v1::Admin::kDrainProfile:
      return DrainProfile{reader.token(wire.drain_profile().profile(), kProfileBytesMax, "profile"),
                          wire.drain_profile().undo()};
    case v1::Admin::kSendNotice:
      return read_notice(wire.send_notice(), reader);
    case v1::Admin::kListConnections:
      return ListConnections{wire.list_connections().after()};
    case v1::Admin::VERB_NOT_SET:
      break;
  }
  reader.refuse("verb", "verb must be one that this version knows");
  return ListConnections{};
}

struct VerbWriter {
  v1::Admin& wire;

  void operator()(const EndGame& end) const {
    v1::EndGame& to = *wire.mutable_end_game();
    to.set_game(to_text(end.game));
    to.set_text(end.text);
    if (end.winner) {
      to.set_winner(wire_color(*end.winner));
    } else {
      to.mutable_annul();
    }
  }
  void operator()(const Kick& kick) const {
    if (const auto* token = std::get_if<std::string>(&kick.whom)) {
      wire.mutable_kick()->set_token(*token);
    } else {
      wire.mutable_kick()->set_connection(std::get<ConnectionNumber>(kick.whom).value);
    }
  }
  void operator()(const RevokeToken& revoke) const {
    wire.mutable_revoke_token()->set_name(revoke.name);
  }
  void operator()(const RetireEngine& retire) const {
    wire.mutable_retire_engine()->set_engine(retire.engine);
  }
  void operator()(const DrainProfile& drain) const {
    wire.mutable_drain_profile()->set_profile(drain.profile);
    wire.mutable_drain_profile()->set_undo(drain.undo);
  }
  void operator()(const SendNotice& notice) const {
    wire.mutable_send_notice()->set_text(notice.text);
  }
  void operator()(const ListConnections& list) const {
    wire.mutable_list_connections()->set_after(list.after);
  }
};

}  // namespace

Admin read_admin(const v1::Admin& wire, FieldReader& reader) {
  return {.request_id = reader.request_id(wire.request_id()), .verb = read_verb(wire, reader)};
}

void write_admin(const Admin& admin, v1::Admin& wire) {
  wire.set_request_id(admin.request_id);
  std::visit(VerbWriter{wire}, admin.verb);
}

ConnectionList read_connection_list(const v1::ConnectionList& wire, FieldReader& reader) {
  ConnectionList list{{}, wire.has_more()};
  for (const v1::ConnectionInfo& each : wire.connections()) {
    list.connections.push_back({.connection = {each.connection()},
                                .token = reader.text(each.token(), kTextBytesMax, "token"),
                                .client = reader.text(each.client(), kTextBytesMax, "client"),
                                .address = reader.text(each.address(), kTextBytesMax, "address"),
                                .seats = each.seats(),
                                .subscriptions = each.subscriptions()});
  }
  return list;
}

void write_connection_list(const ConnectionList& list, v1::ConnectionList& wire) {
  wire.set_has_more(list.has_more);
  for (const ConnectionInfo& each : list.connections) {
    v1::ConnectionInfo& to = *wire.add_connections();
    to.set_connection(each.connection.value);
    to.set_token(each.token);
    to.set_client(each.client);
    to.set_address(clean_text(each.address, kTextBytesMax));
    to.set_seats(each.seats);
    to.set_subscriptions(each.subscriptions);
  }
}

}  // namespace tengen::protocol
