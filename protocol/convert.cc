// What clients send. A refused field is named in the error's reason.
#include "protocol/convert.h"

#include <algorithm>
#include <string>
#include <utility>

#include "rules/game.h"
#include "rules/ruleset.h"

namespace tengen::protocol {
namespace {

Hello read(const v1::Hello& wire, FieldReader& reader) {
  return {wire.version(), reader.text(wire.client(), kNameBytesMax, "client")};
}

Ping read(const v1::Ping& wire, FieldReader&) { return {wire.client_time_ms()}; }

ListEngines read(const v1::ListEngines&, FieldReader&) { return {}; }

JoinGame read(const v1::JoinGame& wire, FieldReader& reader) {
  return {reader.token(wire.ticket(), kTicketBytesMax, "ticket")};
}

std::string read_vertex_text(const std::string& vertex, FieldReader& reader) {
  if (vertex.size() <= kVertexBytesMax) return vertex;
  reader.refuse(ErrorCode::InvalidVertex, "vertex",
                "vertex must be at most " + std::to_string(kVertexBytesMax) + " bytes");
  return {};
}

Play read(const v1::Play& wire, FieldReader& reader) {
  return {.game = reader.game(wire.game()),
          .slot = reader.slot_or_none(wire.slot()),
          .request_id = reader.request_id(wire.request_id()),
          .position_seq = wire.position_seq(),
          .vertex = read_vertex_text(wire.vertex(), reader)};
}

Pass read(const v1::Pass& wire, FieldReader& reader) {
  return {.game = reader.game(wire.game()),
          .slot = reader.slot_or_none(wire.slot()),
          .request_id = reader.request_id(wire.request_id()),
          .position_seq = wire.position_seq()};
}

Resign read(const v1::Resign& wire, FieldReader& reader) {
  return {.game = reader.game(wire.game()),
          .slot = reader.slot_or_none(wire.slot()),
          .request_id = reader.request_id(wire.request_id())};
}

GetLegalMoves read(const v1::GetLegalMoves& wire, FieldReader& reader) {
  return {reader.game(wire.game())};
}

GetSnapshot read(const v1::GetSnapshot& wire, FieldReader& reader) {
  return {reader.game(wire.game())};
}

Subscribe read(const v1::Subscribe& wire, FieldReader& reader) {
  Subscribe subscribe{.game = reader.game(wire.game()), .after_seq = std::nullopt};
  if (wire.has_after_seq()) subscribe.after_seq = wire.after_seq();
  return subscribe;
}

Unsubscribe read(const v1::Unsubscribe& wire, FieldReader& reader) {
  return {reader.game(wire.game())};
}

rules::Size read_size(const v1::CreateGame& wire, FieldReader& reader) {
  const std::uint32_t width = wire.width() != 0 ? wire.width() : 19;
  return reader.size(width, wire.height() != 0 ? wire.height() : width);
}

ColorChoice read_colors(v1::ColorChoice wire, FieldReader& reader) {
  switch (wire) {
    case v1::COLOR_CHOICE_UNSPECIFIED:
    case v1::COLOR_CHOICE_SLOT1_BLACK:
      return ColorChoice::Slot1Black;
    case v1::COLOR_CHOICE_SLOT1_WHITE:
      return ColorChoice::Slot1White;
    case v1::COLOR_CHOICE_RANDOM:
      return ColorChoice::Random;
    default:
      reader.refuse("colors", "colors must be one of the values this version knows");
      return ColorChoice::Slot1Black;
  }
}

std::array<SeatRequest, 2> read_seats(const v1::CreateGame& wire, FieldReader& reader) {
  std::array<SeatRequest, 2> seats;
  if (wire.seats_size() != 2) {
    reader.refuse("seats", "seats must be exactly two");
    return seats;
  }
  for (int index = 0; index < 2; ++index) {
    rules::Seat seat = read_seat(wire.seats(index), reader);
    if (seat.other_rules) reader.refuse("other_rules", "other_rules is for the daemon to say");
    seats[static_cast<std::size_t>(index)] = {seat.kind, std::move(seat.name),
                                              std::move(seat.profile), std::move(seat.settings)};
  }
  return seats;
}

/// The preset whose parts the request may override: the one named, or chinese.
const rules::Preset& read_preset(const std::string& name, FieldReader& reader) {
  const rules::Preset* preset = rules::find_preset(name.empty() ? "chinese" : name);
  if (preset != nullptr) return *preset;
  std::string known;
  for (const rules::Preset& each : rules::presets()) {
    if (rules::Game::is_playable(each.rules)) known += " " + std::string(each.name);
  }
  reader.refuse("preset", "preset must be one of:" + known);
  return rules::presets().front();
}

void check_playable(const rules::Ruleset& rules, FieldReader& reader) {
  if (const auto problem = rules::problem(rules)) {
    reader.refuse(ErrorCode::UnsupportedRules, "rules", *problem);
  } else if (!rules::Game::is_playable(rules)) {
    reader.refuse(ErrorCode::UnsupportedRules, "rules",
                  "games that end by confirmation cannot be played by this version");
  }
}

/// A preset for one size is a fixed set: it comes as it is or not at all.
void check_fixed(const rules::Preset& preset, const CreateGame& game, FieldReader& reader) {
  if (!preset.only_size) return;
  const std::string name(preset.name);
  if (game.size != *preset.only_size) reader.refuse("width", name + " is for its one size only");
  if (game.rules != preset.rules) reader.refuse("rules", name + " cannot be changed");
  if (game.komi_half != preset.komi_half) {
    reader.refuse("komi_half", name + " cannot be played with another komi");
  }
}

/// The name the game is known by: none when the rules are no longer those of the preset. Another
/// move limit or komi leaves the name.
std::string preset_name(const v1::CreateGame& wire, const rules::Preset& preset,
                        rules::Ruleset rules) {
  rules.move_limit = preset.rules.move_limit;
  const bool is_by_components = wire.preset().empty() && wire.has_rules();
  return is_by_components || rules != preset.rules ? std::string() : std::string(preset.name);
}

std::optional<rules::GameSeed> read_seed(const std::string& wire, FieldReader& reader) {
  if (wire.empty()) return std::nullopt;
  rules::GameSeed seed{};
  if (wire.size() != seed.size()) {
    reader.refuse("seed", "seed must be 32 bytes");
    return std::nullopt;
  }
  std::copy(wire.begin(), wire.end(), seed.begin());
  return seed;
}

CreateGame read(const v1::CreateGame& wire, FieldReader& reader) {
  const rules::Preset& preset = read_preset(wire.preset(), reader);
  const rules::Ruleset rules = read_rules(wire.rules(), preset.rules, reader);
  check_playable(rules, reader);
  CreateGame game{
      .request_id = reader.request_id(wire.request_id()),
      .size = read_size(wire, reader),
      .preset = preset_name(wire, preset, rules),
      .rules = rules,
      .komi_half = wire.has_komi_half() ? reader.komi_half(wire.komi_half()) : preset.komi_half,
      .seats = read_seats(wire, reader),
      .colors = read_colors(wire.colors(), reader),
      .seed = read_seed(wire.seed(), reader),
      .time = wire.has_time() ? read_time_control(wire.time(), reader) : rules::TimeControl{}};
  check_fixed(preset, game, reader);
  return game;
}

std::optional<ClientMessage> read_body(const v1::ClientFrame& wire, FieldReader& reader) {
  switch (wire.body_case()) {
    case v1::ClientFrame::kHello:
      return read(wire.hello(), reader);
    case v1::ClientFrame::kPing:
      return read(wire.ping(), reader);
    case v1::ClientFrame::kListEngines:
      return read(wire.list_engines(), reader);
    case v1::ClientFrame::kCreateGame:
      return read(wire.create_game(), reader);
    case v1::ClientFrame::kJoinGame:
      return read(wire.join_game(), reader);
    case v1::ClientFrame::kPlay:
      return read(wire.play(), reader);
    case v1::ClientFrame::kPassTurn:
      return read(wire.pass_turn(), reader);
    case v1::ClientFrame::kResign:
      return read(wire.resign(), reader);
    case v1::ClientFrame::kGetLegalMoves:
      return read(wire.get_legal_moves(), reader);
    case v1::ClientFrame::kGetSnapshot:
      return read(wire.get_snapshot(), reader);
    case v1::ClientFrame::kSubscribe:
      return read(wire.subscribe(), reader);
    case v1::ClientFrame::kUnsubscribe:
      return read(wire.unsubscribe(), reader);
    case v1::ClientFrame::BODY_NOT_SET:
      return std::nullopt;
  }
  return std::nullopt;
}

/// Writes one request into a frame.
struct Writer {
  v1::ClientFrame& frame;

  void operator()(const Hello& hello) const {
    frame.mutable_hello()->set_version(hello.version);
    frame.mutable_hello()->set_client(hello.client);
  }
  void operator()(const Ping& ping) const {
    frame.mutable_ping()->set_client_time_ms(ping.client_time_ms);
  }
  void operator()(const ListEngines&) const { frame.mutable_list_engines(); }
  void operator()(const CreateGame& game) const {
    v1::CreateGame& wire = *frame.mutable_create_game();
    wire.set_request_id(game.request_id);
    wire.set_width(game.size.width);
    wire.set_height(game.size.height);
    wire.set_preset(game.preset);
    write_rules(game.rules, *wire.mutable_rules());
    wire.set_komi_half(game.komi_half);
    for (const SeatRequest& seat : game.seats) {
      write_seat({seat.kind, seat.name, seat.profile, seat.settings}, *wire.add_seats());
    }
    wire.set_colors(static_cast<v1::ColorChoice>(static_cast<int>(game.colors) + 1));
    if (game.seed) wire.set_seed(game.seed->data(), game.seed->size());
    if (game.time != rules::TimeControl{}) write_time_control(game.time, *wire.mutable_time());
  }
  void operator()(const JoinGame& join) const {
    frame.mutable_join_game()->set_ticket(join.ticket);
  }
  void operator()(const Play& play) const {
    v1::Play& wire = *frame.mutable_play();
    write_act(play, wire);
    wire.set_position_seq(play.position_seq);
    wire.set_vertex(play.vertex);
  }
  void operator()(const Pass& pass) const {
    write_act(pass, *frame.mutable_pass_turn());
    frame.mutable_pass_turn()->set_position_seq(pass.position_seq);
  }
  void operator()(const Resign& resign) const { write_act(resign, *frame.mutable_resign()); }
  void operator()(const GetLegalMoves& get) const {
    frame.mutable_get_legal_moves()->set_game(to_text(get.game));
  }
  void operator()(const GetSnapshot& get) const {
    frame.mutable_get_snapshot()->set_game(to_text(get.game));
  }
  void operator()(const Subscribe& subscribe) const {
    v1::Subscribe& wire = *frame.mutable_subscribe();
    wire.set_game(to_text(subscribe.game));
    if (subscribe.after_seq) wire.set_after_seq(*subscribe.after_seq);
  }
  void operator()(const Unsubscribe& unsubscribe) const {
    frame.mutable_unsubscribe()->set_game(to_text(unsubscribe.game));
  }

  template <typename Act, typename Wire>
  static void write_act(const Act& act, Wire& wire) {
    wire.set_game(to_text(act.game));
    wire.set_slot(static_cast<std::uint32_t>(act.slot));
    wire.set_request_id(act.request_id);
  }
};

}  // namespace

std::variant<ClientFrame, Error> from_wire(const v1::ClientFrame& wire) {
  FieldReader reader;
  if (wire.id() == 0) reader.refuse("id", "id must be 1..4294967295");
  std::optional<ClientMessage> message = read_body(wire, reader);
  if (!message) reader.refuse("body", "body must be one request that this version knows");
  if (reader.error()) return *reader.error();
  return ClientFrame{wire.id(), std::move(*message)};
}

void to_wire(const ClientFrame& frame, v1::ClientFrame& wire) {
  wire.set_id(frame.id);
  std::visit(Writer{wire}, frame.message);
}

}  // namespace tengen::protocol
