// Between the wire's messages and ours. Everything that comes in is checked here, field by field,
// and nowhere else; what goes out is made fit to be read (texts of engines are cleaned). Inside the
// library only, because generated headers are slow to include.
#pragma once

#include <variant>

#include "protocol/field_reader.h"
#include "protocol/messages.h"
#include "tengen/v1/frame.pb.h"

namespace tengen::protocol {

/// The client's frame, or what is wrong with which field: the error's reason is the field's name.
std::variant<ClientFrame, Error> from_wire(const v1::ClientFrame& wire);
void to_wire(const ClientFrame& frame, v1::ClientFrame& wire);

std::variant<ServerFrame, Error> from_wire(const v1::ServerFrame& wire);
void to_wire(const ServerFrame& frame, v1::ServerFrame& wire);

using Texts = google::protobuf::RepeatedPtrField<std::string>;
/// GTP vertices of a board that is not known here.
std::vector<std::string> read_vertex_texts(const Texts& wire, FieldReader& reader);

// The values of a game, in convert_game.cc; complaints go to the reader.
rules::Color read_color(v1::Color wire, FieldReader& reader);
std::optional<rules::Color> read_color_or_none(v1::Color wire, FieldReader& reader);
/// What an older side leaves out was agreed to.
rules::PauseReason read_pause_reason(v1::PauseReason wire, FieldReader& reader);
/// Each component that is given replaces the one in `rules`.
rules::Ruleset read_rules(const v1::RulesComponents& wire, rules::Ruleset rules,
                          FieldReader& reader);
/// The preset whose parts the request may override: the one named, or chinese. In convert.cc.
const rules::Preset& read_preset(const std::string& name, FieldReader& reader);
using WireSettings = google::protobuf::RepeatedPtrField<v1::Setting>;
rules::Settings read_settings(const WireSettings& wire, FieldReader& reader);
void write_settings(const rules::Settings& settings, WireSettings& wire);
rules::Stone read_stone(const v1::Stone& wire, rules::Size size, FieldReader& reader);
void write_stone(const rules::Stone& stone, rules::Size size, v1::Stone& wire);
rules::Move read_move(const v1::Move& wire, rules::Size size, FieldReader& reader);
void write_move(const rules::Move& move, rules::Size size, v1::Move& wire);
rules::Seat read_seat(const v1::SeatSpec& wire, FieldReader& reader);
/// Rows in X, O and . that draw a board of that size.
std::vector<std::string> read_rows(const Texts& wire, rules::Size size, FieldReader& reader);
std::vector<rules::Point> read_points(const Texts& wire, rules::Size size, FieldReader& reader);
Snapshot read_snapshot(const v1::Snapshot& wire, FieldReader& reader);
GameEvents read_events(const v1::GameEvents& wire, FieldReader& reader);

// Questions and their answers, in convert_query.cc.
Query read_query(const v1::Query& wire, FieldReader& reader);
void write_query(const Query& query, v1::Query& wire);
ListGames read_list_games(const v1::ListGames& wire, FieldReader& reader);
void write_list_games(const ListGames& list, v1::ListGames& wire);
QueryResult read_query_result(const v1::QueryResult& wire, FieldReader& reader);
void write_query_result(const QueryResult& result, v1::QueryResult& wire);
GameList read_game_list(const v1::GameList& wire, FieldReader& reader);
void write_game_list(const GameList& list, v1::GameList& wire);

// Analysis, in convert_analysis.cc.
StartAnalysis read_start_analysis(const v1::StartAnalysis& wire, FieldReader& reader);
void write_start_analysis(const StartAnalysis& start, v1::StartAnalysis& wire);
ReviewGame read_review_game(const v1::ReviewGame& wire, FieldReader& reader);
void write_review_game(const ReviewGame& review, v1::ReviewGame& wire);
AnalysisUpdate read_analysis_update(const v1::AnalysisUpdate& wire, FieldReader& reader);
void write_analysis_update(const AnalysisUpdate& update, v1::AnalysisUpdate& wire);
ReviewProgress read_review_progress(const v1::ReviewProgress& wire, FieldReader& reader);
void write_review_progress(const ReviewProgress& progress, v1::ReviewProgress& wire);
AnalysisEnded read_analysis_ended(const v1::AnalysisEnded& wire, FieldReader& reader);
void write_analysis_ended(const AnalysisEnded& ended, v1::AnalysisEnded& wire);

// Operators, in convert_admin.cc.
Admin read_admin(const v1::Admin& wire, FieldReader& reader);
void write_admin(const Admin& admin, v1::Admin& wire);
ConnectionList read_connection_list(const v1::ConnectionList& wire, FieldReader& reader);
void write_connection_list(const ConnectionList& list, v1::ConnectionList& wire);

// Virtual engines, in convert_virtual.cc.
VirtualEngineId read_engine_id(const std::string& text, FieldReader& reader);
OpenVirtualEngine read_open_virtual(const v1::OpenVirtualEngine& wire, FieldReader& reader);
void write_open_virtual(const OpenVirtualEngine& open, v1::OpenVirtualEngine& wire);
CallVirtualEngine read_virtual_call(const v1::GtpCall& wire, FieldReader& reader);

// Time, in convert_clock.cc.
/// The control has no problem unless the reader complains.
rules::TimeControl read_time_control(const v1::TimeControl& wire, FieldReader& reader);
void write_time_control(const rules::TimeControl& control, v1::TimeControl& wire);
void read_move_time(const v1::MoveTime& wire, rules::MoveTime& time, rules::ClockFace& left,
                    FieldReader& reader);
void write_move_time(const rules::MoveTime& time, const rules::ClockFace& left, v1::MoveTime& wire);
Clocks read_clocks(const v1::Clocks& wire, FieldReader& reader);
void write_clocks(const Clocks& clocks, v1::Clocks& wire);

/// A play or a pass with what it took, which is left out when it is nothing. The wire's messages
/// and the log's have the same field for it.
template <typename Move, typename Wire>
Move with_time(Move move, const Wire& wire, FieldReader& reader) {
  if (wire.has_time()) read_move_time(wire.time(), move.time, move.left, reader);
  return move;
}
template <typename Move, typename Wire>
void write_time(const Move& move, Wire& wire) {
  if (move.time == rules::MoveTime{} && move.left == rules::ClockFace{}) return;
  write_move_time(move.time, move.left, *wire.mutable_time());
}

v1::Color wire_color(rules::Color color);
void write_rules(const rules::Ruleset& rules, v1::RulesComponents& wire);
void write_seat(const rules::Seat& seat, v1::SeatSpec& wire);
void write_points(const std::vector<rules::Point>& points, rules::Size size, Texts& wire);
void write_snapshot(const Snapshot& snapshot, v1::Snapshot& wire);
void write_events(const GameEvents& events, v1::GameEvents& wire);

}  // namespace tengen::protocol
