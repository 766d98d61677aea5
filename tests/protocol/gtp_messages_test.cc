// The messages of package gtp are a contract: the table below was made from the document's listing,
// and the generated messages must have these fields and no others.
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "gtp/gtp.pb.h"
#include "protocol/gtp_convert.h"

namespace tengen::protocol {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using rules::Color;

const std::set<std::string> kListing = {
    "message Vertex: int32 row = 1; string column = 2",
    "enum Color: EMPTY = 0; BLACK = 1; WHITE = 2",
    "enum Move.Type: PASS = 0; RESIGN = 1; PLACE = 2",
    "message Move: Type type = 1; Color color = 2; Vertex vertex = 3",
    "message Game: int32 size = 1; float komi = 2; repeated Move moves = 3",
    "message Error: string message = 2",
    "message ProtocolVersionRequest: int32 id = 1",
    "message ProtocolVersionResponse: int32 id = 1; int32 version = 2",
    "message NameRequest: int32 id = 1",
    "message NameResponse: int32 id = 1; string name = 2",
    "message VersionRequest: int32 id = 1",
    "message VersionResponse: int32 id = 1; string version = 2",
    "message KnownCommandRequest: int32 id = 1; string command = 2",
    "message KnownCommandResponse: int32 id = 1; bool known = 2",
    "message ListCommandsRequest: int32 id = 1",
    "message ListCommandsResponse: int32 id = 1; repeated string commands = 2",
    "message QuitRequest: int32 id = 1",
    "message QuitResponse: int32 id = 1; Error error = 2",
    "message BoardSizeRequest: int32 id = 1; int32 size = 2",
    "message BoardSizeResponse: int32 id = 1; Error error = 2",
    "message ClearBoardRequest: int32 id = 1",
    "message ClearBoardResponse: int32 id = 1",
    "message KomiRequest: int32 id = 1; float komi = 2",
    "message KomiResponse: int32 id = 1; Error error = 2",
    "message PlayRequest: int32 id = 1; Move move = 2",
    "message PlayResponse: int32 id = 1; Error error = 2",
    "message GenMoveRequest: int32 id = 1; Color color = 2",
    "message GenMoveResponse: int32 id = 1; Move move = 2",
    "message UndoRequest: int32 id = 1",
    "message UndoResponse: int32 id = 1; Error error = 2",
};

std::string type_of(const FieldDescriptor& field) {
  if (field.type() == FieldDescriptor::TYPE_MESSAGE) return field.message_type()->name();
  if (field.type() == FieldDescriptor::TYPE_ENUM) return field.enum_type()->name();
  return field.type_name();
}

std::string line_of(const Descriptor& message) {
  std::string line = "message " + message.name();
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    line += (i == 0 ? ": " : "; ") + std::string(field.is_repeated() ? "repeated " : "") +
            type_of(field) + ' ' + field.name() + " = " + std::to_string(field.number());
  }
  return line;
}

/// By the full name, without the package's.
std::string line_of(const EnumDescriptor& choice) {
  std::string line = "enum " + choice.full_name().substr(4);
  for (int i = 0; i < choice.value_count(); ++i) {
    line += (i == 0 ? ": " : "; ") + choice.value(i)->name() + " = " +
            std::to_string(choice.value(i)->number());
  }
  return line;
}

TEST(GtpMessagesTest, TheFieldsAreThoseOfTheDocumentsListing) {
  const auto& file = *::gtp::Move::descriptor()->file();
  EXPECT_EQ(file.package(), "gtp");
  EXPECT_EQ(file.service_count(), 0);
  std::set<std::string> lines;
  for (int i = 0; i < file.enum_type_count(); ++i) lines.insert(line_of(*file.enum_type(i)));
  for (int i = 0; i < file.message_type_count(); ++i) {
    const Descriptor& message = *file.message_type(i);
    lines.insert(line_of(message));
    for (int k = 0; k < message.enum_type_count(); ++k) {
      lines.insert(line_of(*message.enum_type(k)));
    }
  }
  EXPECT_EQ(lines, kListing);
}

::gtp::Game game(int size, float komi) {
  ::gtp::Game wire;
  wire.set_size(size);
  wire.set_komi(komi);
  return wire;
}

void add_place(::gtp::Game& wire, ::gtp::Color color, const char* column, int row) {
  ::gtp::Move& move = *wire.add_moves();
  move.set_type(::gtp::Move::PLACE);
  move.set_color(color);
  move.mutable_vertex()->set_column(column);
  move.mutable_vertex()->set_row(row);
}

std::string refused_field(const ::gtp::Game& wire) {
  const auto read = read_gtp_game(wire);
  const auto* error = std::get_if<Error>(&read);
  return error != nullptr ? error->reason : std::string();
}

TEST(GtpMessagesTest, AGameIsASizeAKomiAndMovesInAnyOrderOfColours) {
  ::gtp::Game wire = game(9, 6.5f);
  add_place(wire, ::gtp::BLACK, "F", 6);
  add_place(wire, ::gtp::BLACK, "c", 3);
  wire.add_moves()->set_color(::gtp::WHITE);
  const auto read = read_gtp_game(wire);
  ASSERT_TRUE(std::holds_alternative<GtpStart>(read));
  EXPECT_EQ(
      std::get<GtpStart>(read),
      (GtpStart{
          {9, 9}, 13, {{Color::Black, "F6"}, {Color::Black, "c3"}, {Color::White, std::nullopt}}}));
}

TEST(GtpMessagesTest, AGameIsRefusedByTheFirstThingThatIsWrongWithIt) {
  EXPECT_EQ(refused_field(game(0, 0)), "size");
  EXPECT_EQ(refused_field(game(26, 0)), "size");
  EXPECT_EQ(refused_field(game(9, 0.25f)), "komi");
  ::gtp::Game off_board = game(9, 0);
  add_place(off_board, ::gtp::BLACK, "A", 10);
  EXPECT_EQ(refused_field(off_board), "moves");
  ::gtp::Game resigned = game(9, 0);
  resigned.add_moves()->set_type(::gtp::Move::RESIGN);
  resigned.mutable_moves(0)->set_color(::gtp::BLACK);
  EXPECT_EQ(refused_field(resigned), "type");
  ::gtp::Game nobodys = game(9, 0);
  nobodys.add_moves();
  EXPECT_EQ(refused_field(nobodys), "color");
}

TEST(GtpMessagesTest, AGameHasAtMostSoManyMoves) {
  ::gtp::Game wire = game(9, 0);
  for (std::size_t i = 0; i < kGtpMovesMax; ++i) wire.add_moves()->set_color(::gtp::BLACK);
  EXPECT_EQ(refused_field(wire), "");
  wire.add_moves()->set_color(::gtp::BLACK);
  EXPECT_EQ(refused_field(wire), "moves");
}

}  // namespace
}  // namespace tengen::protocol
