// The messages of operators as plain values; their meaning is in tengen/v1/admin.proto.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rules/color.h"
#include "rules/game_id.h"

namespace tengen::protocol {

inline constexpr std::size_t kRulingBytesMax = 128;
inline constexpr std::size_t kNoticeBytesMax = 512;
/// In one list.
inline constexpr std::size_t kConnectionsListedMax = 1'000;

struct EndGame {
  rules::GameId game;
  std::optional<rules::Color> winner;  // absent: the game does not count
  std::string text;                    // may be empty
  friend bool operator==(const EndGame&, const EndGame&) = default;
};
/// A connection as operators name it.
struct ConnectionNumber {
  std::uint64_t value = 0;
  friend bool operator==(const ConnectionNumber&, const ConnectionNumber&) = default;
};
struct Kick {
  std::variant<std::string, ConnectionNumber> whom;  // a token's name, or one connection
  friend bool operator==(const Kick&, const Kick&) = default;
};
struct RevokeToken {
  std::string name;
  friend bool operator==(const RevokeToken&, const RevokeToken&) = default;
};
struct RetireEngine {
  std::uint32_t engine = 0;
  friend bool operator==(const RetireEngine&, const RetireEngine&) = default;
};
struct DrainProfile {
  std::string profile;
  bool undo = false;
  friend bool operator==(const DrainProfile&, const DrainProfile&) = default;
};
struct SendNotice {
  std::string text;
  friend bool operator==(const SendNotice&, const SendNotice&) = default;
};
struct ListConnections {
  std::uint64_t after = 0;
  friend bool operator==(const ListConnections&, const ListConnections&) = default;
};
using AdminVerb = std::variant<EndGame, Kick, RevokeToken, RetireEngine, DrainProfile, SendNotice,
                               ListConnections>;
struct Admin {
  std::string request_id;
  AdminVerb verb;
  friend bool operator==(const Admin&, const Admin&) = default;
};

struct AdminDone {
  std::uint32_t connections = 0;
  friend bool operator==(const AdminDone&, const AdminDone&) = default;
};
struct ConnectionInfo {
  ConnectionNumber connection;
  std::string token;
  std::string client;
  std::string address;
  std::uint32_t seats = 0;
  std::uint32_t subscriptions = 0;
  friend bool operator==(const ConnectionInfo&, const ConnectionInfo&) = default;
};
struct ConnectionList {
  std::vector<ConnectionInfo> connections;
  bool has_more = false;
  friend bool operator==(const ConnectionList&, const ConnectionList&) = default;
};
/// A push to everybody.
struct Notice {
  std::string text;
  friend bool operator==(const Notice&, const Notice&) = default;
};

}  // namespace tengen::protocol
