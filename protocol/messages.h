// The messages of tengen.v1 as plain values: what the rest of the program sees of the wire. The
// meaning of each field is in the .proto files; convert.cc translates, and checks every field that
// can be checked without knowing a game.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/admin.h"
#include "protocol/analysis.h"
#include "protocol/gtp_start.h"
#include "rules/game.h"
#include "rules/queries.h"

namespace tengen::protocol {

// The longest fields accepted from a client, in bytes unless said otherwise.
inline constexpr std::size_t kNameBytesMax = 64;
inline constexpr std::size_t kRequestIdBytesMax = 64;
inline constexpr std::size_t kProfileBytesMax = 64;
inline constexpr std::size_t kVertexBytesMax = 64;
inline constexpr std::size_t kTicketBytesMax = 128;
inline constexpr std::size_t kTokenBytesMax = 128;
inline constexpr std::size_t kSettingBytesMax = 64;  // a key or a value
inline constexpr std::size_t kSettingsMax = 16;      // settings of one seat
/// The shortest absence that a game can be lost by.
inline constexpr std::chrono::milliseconds kAbsenceMin{1'000};
/// Games in one list, at most and usually.
inline constexpr std::uint32_t kGamesListedMax = 200;
inline constexpr std::uint32_t kGamesListed = 50;
/// The default move limit of the largest board. The longest game fits an outbox (see its test).
inline constexpr std::uint32_t kMoveLimitMax = 3u * rules::kMaxSize * rules::kMaxSize;

/// What clients switch on; the wire's ErrorCode has the same names and numbers.
enum class ErrorCode : std::uint8_t {
  BadFrame = 1,
  HelloRequired = 2,
  UnsupportedVersion = 3,
  InvalidArgument = 4,
  UnknownGame = 5,
  BadTicket = 6,
  NotYourSeat = 7,
  InvalidVertex = 8,
  IllegalMove = 9,
  NotYourTurn = 10,
  GameOver = 11,
  WrongPhase = 12,
  Stale = 13,
  RequestIdConflict = 14,
  UnknownProfile = 15,
  EngineCannotPlay = 16,
  UnsupportedRules = 17,
  LimitReached = 18,
  Unavailable = 19,
  Internal = 20,
  Unauthenticated = 21,
  Forbidden = 22,
  UnknownEngine = 23,
};
/// "STALE", "ILLEGAL_MOVE" ...
std::string_view name_of(ErrorCode code);
/// Whether the same request can succeed later without being changed.
bool is_retryable(ErrorCode code);

// What clients send.
struct Hello {
  std::uint32_t version = 0;
  std::string client;
  std::string token{};  // a secret; empty: none
  friend bool operator==(const Hello&, const Hello&) = default;
};
struct ListEngines {
  friend bool operator==(const ListEngines&, const ListEngines&) = default;
};
struct SeatRequest {
  rules::SeatKind kind = rules::SeatKind::Human;
  std::string name;
  std::string profile;
  rules::Settings settings;
  int resign_from = 0;
  bool is_open = false;
  int undos = rules::kUndosGranted;  // these two of engines only
  int pauses = rules::kPausesGranted;
  friend bool operator==(const SeatRequest&, const SeatRequest&) = default;
};
enum class ColorChoice : std::uint8_t { Slot1Black, Slot1White, Random };
enum class HandicapPlacement : std::uint8_t { Fixed, Free };
/// Rules and komi are resolved from preset and components by convert.
struct CreateGame {
  std::string request_id;
  rules::Size size;
  std::string preset;  // empty: by components
  rules::Ruleset rules;
  int komi_half = 15;
  std::array<SeatRequest, 2> seats;  // by slot
  ColorChoice colors = ColorChoice::Slot1Black;
  std::optional<rules::GameSeed> seed{};  // absent: drawn
  rules::TimeControl time{};
  int handicap = 0;  // 0, or a number that the placement allows on that board
  HandicapPlacement placement = HandicapPlacement::Fixed;
  std::chrono::milliseconds marking_time{rules::kMarkingTime};
  int annul_before = 0;
  rules::AnalysisPolicy analysis = rules::AnalysisPolicy::AfterEnd;
  std::chrono::milliseconds absence{0};
  std::string absence_profile{};
  std::chrono::milliseconds broadcast_delay{0};
  std::chrono::milliseconds lag_allowance{0};
  friend bool operator==(const CreateGame&, const CreateGame&) = default;
};
struct JoinGame {
  std::string ticket;
  friend bool operator==(const JoinGame&, const JoinGame&) = default;
};
struct Play {
  rules::GameId game;
  int slot = 0;  // 0: the only slot of the game that this connection has joined
  std::string request_id;
  std::uint32_t position_seq = 0;
  std::string vertex;  // GTP; parsed against the game's size by the match
  friend bool operator==(const Play&, const Play&) = default;
};
struct Pass {
  rules::GameId game;
  int slot = 0;
  std::string request_id;
  std::uint32_t position_seq = 0;
  friend bool operator==(const Pass&, const Pass&) = default;
};
struct Resign {
  rules::GameId game;
  int slot = 0;
  std::string request_id;
  friend bool operator==(const Resign&, const Resign&) = default;
};
struct MarkChain {
  std::string vertex;  // GTP, here and below; parsed against the game's size by the match
  friend bool operator==(const MarkChain&, const MarkChain&) = default;
};
struct MarkSekiPoint {
  std::string vertex;
  friend bool operator==(const MarkSekiPoint&, const MarkSekiPoint&) = default;
};
struct ProposeMarks {
  friend bool operator==(const ProposeMarks&, const ProposeMarks&) = default;
};
struct AcceptMarks {
  friend bool operator==(const AcceptMarks&, const AcceptMarks&) = default;
};
struct DisputeMarks {
  friend bool operator==(const DisputeMarks&, const DisputeMarks&) = default;
};
struct ListDead {
  std::optional<std::vector<std::string>> vertices;  // absent: the other side's list
  friend bool operator==(const ListDead&, const ListDead&) = default;
};
struct PlaceHandicap {
  std::vector<std::string> vertices;
  friend bool operator==(const PlaceHandicap&, const PlaceHandicap&) = default;
};
struct Leave {
  friend bool operator==(const Leave&, const Leave&) = default;
};
struct AskOpponent {
  rules::AskKind kind = rules::AskKind::Undo;
  int moves = 0;  // to take back
  friend bool operator==(const AskOpponent&, const AskOpponent&) = default;
};
struct Agree {
  std::uint32_t question = 0;  // the number of the Asked event
  friend bool operator==(const Agree&, const Agree&) = default;
};
struct Decline {
  friend bool operator==(const Decline&, const Decline&) = default;
};
struct Unpause {
  friend bool operator==(const Unpause&, const Unpause&) = default;
};
struct Annul {
  friend bool operator==(const Annul&, const Annul&) = default;
};
using ActBody =
    std::variant<MarkChain, MarkSekiPoint, ProposeMarks, AcceptMarks, DisputeMarks, ListDead,
                 PlaceHandicap, Leave, AskOpponent, Agree, Decline, Unpause, Annul>;
struct GameAct {
  rules::GameId game;
  int slot = 0;
  std::string request_id;
  std::uint32_t position_seq = 0;
  ActBody body;
  friend bool operator==(const GameAct&, const GameAct&) = default;
};
struct GetLegalMoves {
  rules::GameId game;
  friend bool operator==(const GetLegalMoves&, const GetLegalMoves&) = default;
};
struct GetSnapshot {
  rules::GameId game;
  friend bool operator==(const GetSnapshot&, const GetSnapshot&) = default;
};
struct Subscribe {
  rules::GameId game;
  std::optional<std::uint32_t> after_seq;  // absent: begin with a snapshot
  friend bool operator==(const Subscribe&, const Subscribe&) = default;
};
/// Takes a seat that is open.
struct TakeSeat {
  rules::GameId game;
  int slot = 0;
  std::string request_id;
  std::string name;
  friend bool operator==(const TakeSeat&, const TakeSeat&) = default;
};
/// Offers or accepts another game with colours swapped.
struct Rematch {
  rules::GameId game;
  int slot = 0;
  friend bool operator==(const Rematch&, const Rematch&) = default;
};
struct Unsubscribe {
  rules::GameId game;
  friend bool operator==(const Unsubscribe&, const Unsubscribe&) = default;
};
struct Ping {
  std::int64_t client_time_ms = 0;
  friend bool operator==(const Ping&, const Ping&) = default;
};
/// Exactly these points are taken for empty; absent: none, which is another question than an empty
/// list.
struct EstimateScore {
  std::optional<std::vector<std::string>> dead;  // GTP, here and below
  friend bool operator==(const EstimateScore&, const EstimateScore&) = default;
};
struct GroupLiberties {
  std::string vertex;  // empty: every chain
  friend bool operator==(const GroupLiberties&, const GroupLiberties&) = default;
};
struct Neighborhood {
  std::string vertex;
  int radius = rules::kNeighborhoodRadius;
  friend bool operator==(const Neighborhood&, const Neighborhood&) = default;
};
struct TerritoryMap {
  friend bool operator==(const TerritoryMap&, const TerritoryMap&) = default;
};
struct Query {
  rules::GameId game;
  std::variant<EstimateScore, GroupLiberties, Neighborhood, TerritoryMap> body;
  friend bool operator==(const Query&, const Query&) = default;
};
struct ListGames {
  bool in_play_only = false;
  std::string profile{};  // empty: any; so the name
  std::string name{};
  std::uint32_t limit = kGamesListed;
  std::optional<rules::GameId> before{};
  friend bool operator==(const ListGames&, const ListGames&) = default;
};
/// The secret name of a virtual engine: 128 random bits.
struct VirtualEngineId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend constexpr auto operator<=>(const VirtualEngineId&, const VirtualEngineId&) = default;
};
struct OpenVirtualEngine {
  std::string profile;
  rules::Settings settings;
  GtpStart start;
  rules::Ruleset rules;
  friend bool operator==(const OpenVirtualEngine&, const OpenVirtualEngine&) = default;
};
/// One call of document 000; protocol/gtp_calls.h reads its bytes.
struct CallVirtualEngine {
  VirtualEngineId engine;
  std::string method;
  std::string request;     // bytes
  std::string request_id;  // may be empty
  friend bool operator==(const CallVirtualEngine&, const CallVirtualEngine&) = default;
};
struct CloseVirtualEngine {
  VirtualEngineId engine;
  friend bool operator==(const CloseVirtualEngine&, const CloseVirtualEngine&) = default;
};
using ClientMessage =
    std::variant<Hello, ListEngines, CreateGame, JoinGame, Play, Pass, Resign, GameAct,
                 GetLegalMoves, GetSnapshot, Subscribe, Unsubscribe, Query, ListGames, TakeSeat,
                 Rematch, StartAnalysis, StopAnalysis, ReviewGame, OpenVirtualEngine,
                 CallVirtualEngine, CloseVirtualEngine, Admin, Ping>;
struct ClientFrame {
  std::uint32_t id = 0;  // never 0
  ClientMessage message;
  friend bool operator==(const ClientFrame&, const ClientFrame&) = default;
};

// What the daemon sends.
struct EngineSetting {
  std::string key;
  int minimum = 0;
  int maximum = 0;
  int standard = 0;
  friend bool operator==(const EngineSetting&, const EngineSetting&) = default;
};
struct EngineInfo {
  std::string profile;
  std::string name;  // as the engine says; empty until one has started
  std::string version;
  int processes = 0;  // running now
  int processes_max = 0;
  int busy = 0;
  std::uint32_t queued = 0;
  bool failed = false;
  int size_min = 0;
  int size_max = 0;
  std::vector<EngineSetting> settings;
  bool honours_clock = false;
  std::chrono::milliseconds wait{0};  // of a move asked for now, as an estimate
  int streaming = 0;
  bool draining = false;  // no new games
  friend bool operator==(const EngineInfo&, const EngineInfo&) = default;
};
struct PublishedLimits {
  std::uint32_t frame_bytes_max = 0;
  std::uint32_t frame_bytes_before_hello_max = 0;
  std::uint32_t requests_in_flight_max = 0;
  std::uint32_t subscriptions_max = 0;
  std::uint32_t games_max = 0;
  std::uint32_t name_bytes_max = 0;
  std::uint32_t request_id_bytes_max = 0;
  std::uint32_t analyses_max = 0;
  friend bool operator==(const PublishedLimits&, const PublishedLimits&) = default;
};
struct Welcome {
  std::uint32_t version = 0;
  std::string server;  // "tengend 0.1.0"
  PublishedLimits limits;
  std::vector<std::string> presets;
  std::vector<EngineInfo> engines;
  std::uint32_t heartbeat_ms = 0;
  friend bool operator==(const Welcome&, const Welcome&) = default;
};
struct EngineList {
  std::vector<EngineInfo> engines;
  friend bool operator==(const EngineList&, const EngineList&) = default;
};
struct TicketOf {
  int slot = 0;
  std::string ticket;
  friend bool operator==(const TicketOf&, const TicketOf&) = default;
};
struct GameCreated {
  rules::GameId game;
  rules::Color slot1_color = rules::Color::Black;
  std::vector<TicketOf> tickets;  // of the human slots
  friend bool operator==(const GameCreated&, const GameCreated&) = default;
};
/// Both clocks as they stood when the present turn began.
struct Clocks {
  rules::ClockFaces faces;
  std::optional<rules::Color> running;  // absent: none
  std::chrono::nanoseconds elapsed{0};  // since the turn began
  friend bool operator==(const Clocks&, const Clocks&) = default;
};
/// What a game cannot go on without; the wire's Waiting has the same names and numbers.
enum class Waiting : std::uint8_t {
  Player = 1,
  EngineQueue = 2,  // for an engine, and none is at it yet
  Engine = 3,
};
/// What has been marked in a confirmation.
struct Marking {
  rules::Color proposer = rules::Color::Black;
  bool is_proposed = false;
  std::vector<rules::Point> dead;  // every stone, sorted
  std::vector<rules::Point> seki;
  friend bool operator==(const Marking&, const Marking&) = default;
};
/// The state of a game at `seq`. Built by snapshot_of, but for what only the daemon knows.
struct Snapshot {
  rules::GameId game;
  std::uint32_t seq = 0;
  std::uint32_t position_seq = 0;
  rules::Header header;
  rules::Phase phase = rules::Phase::Play;
  std::optional<rules::Color> turn;
  std::vector<std::string> rows;  // from the top: X O .
  std::vector<rules::Move> moves;
  std::array<int, 2> captured{};  // by colour, the capturing side's
  std::optional<rules::Stone> ko_ban;
  std::optional<rules::Scored> score;
  std::optional<rules::Result> result;
  std::array<rules::Seat, 2> seats;  // by slot, who plays now
  std::optional<Clocks> clocks;      // absent in a game without a clock
  std::optional<Waiting> waiting;    // absent: for nothing; snapshot_of leaves it so
  std::optional<Marking> marking{};  // absent outside a confirmation
  std::vector<rules::DeadListed> dead_lists{};
  int disputes = 0;
  std::optional<rules::PauseReason> paused{};
  std::optional<rules::Asked> asked{};
  std::uint32_t asked_seq = 0;              // of its event
  std::string seed_sha256{};                // 64 hexadecimal digits; snapshot_of leaves it empty
  std::array<bool, 2> present{true, true};  // by slot; snapshot_of leaves them so
  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};
struct GameJoined {
  int slot = 0;
  rules::Color color = rules::Color::Black;
  Snapshot snapshot;
  friend bool operator==(const GameJoined&, const GameJoined&) = default;
};
/// Events of one game in order; a push, or part of Subscribed.
struct GameEvents {
  rules::GameId game;
  rules::Size size;
  std::vector<rules::Event> events;
  friend bool operator==(const GameEvents&, const GameEvents&) = default;
};
/// A play, pass or resignation is in the log.
struct Accepted {
  rules::GameId game;
  std::uint32_t seq = 0;           // of the act's own event
  std::uint32_t position_seq = 0;  // after it
  /// The act's events for a connection that watches the game, which gets no push of them; absent in
  /// the answer to a resend.
  std::optional<GameEvents> events;
  friend bool operator==(const Accepted&, const Accepted&) = default;
};
struct LegalMoves {
  rules::GameId game;
  std::uint32_t position_seq = 0;
  rules::Size size;
  std::optional<rules::Color> color;  // absent: nobody may play
  std::vector<rules::Point> points;
  friend bool operator==(const LegalMoves&, const LegalMoves&) = default;
};
struct Subscribed {
  rules::GameId game;
  std::uint32_t head = 0;
  std::variant<GameEvents, Snapshot> start;
  friend bool operator==(const Subscribed&, const Subscribed&) = default;
};
struct Unsubscribed {
  rules::GameId game;
  friend bool operator==(const Unsubscribed&, const Unsubscribed&) = default;
};
struct ScoreEstimate {
  int black_half = 0;
  int white_half = 0;  // with komi
  int komi_half = 0;
  bool has_dead = false;  // points were given as dead
  friend bool operator==(const ScoreEstimate&, const ScoreEstimate&) = default;
};
struct Groups {
  std::vector<rules::Group> groups;
  rules::Size size;
  friend bool operator==(const Groups&, const Groups&) = default;
};
struct Cells {
  int x0 = 0;
  int y0 = 0;
  std::vector<std::string> rows;
  friend bool operator==(const Cells&, const Cells&) = default;
};
struct OwnerMap {
  std::vector<std::string> rows;
  bool is_final = false;
  friend bool operator==(const OwnerMap&, const OwnerMap&) = default;
};
struct QueryResult {
  rules::GameId game;
  std::uint32_t position_seq = 0;
  std::variant<ScoreEstimate, Groups, Cells, OwnerMap> body;
  friend bool operator==(const QueryResult&, const QueryResult&) = default;
};
struct GameSummary {
  rules::GameId game;
  std::int64_t created_ms = 0;
  rules::Size size;
  std::string preset;
  std::array<rules::Seat, 2> seats;  // by colour, without settings
  std::uint32_t moves = 0;
  rules::Phase phase = rules::Phase::Play;
  std::uint32_t watchers = 0;
  std::string result;  // as in SGF; empty while it is not finished
  friend bool operator==(const GameSummary&, const GameSummary&) = default;
};
struct GameList {
  std::vector<GameSummary> games;
  bool has_more = false;
  friend bool operator==(const GameList&, const GameList&) = default;
};
/// A push: a person's last connection has gone, or one has come back.
struct Presence {
  rules::GameId game;
  int slot = 0;
  bool is_present = false;
  friend bool operator==(const Presence&, const Presence&) = default;
};
/// The caller has taken the seat; the ticket is for coming back.
struct SeatTaken {
  TicketOf ticket;
  GameJoined joined;
  friend bool operator==(const SeatTaken&, const SeatTaken&) = default;
};
/// A rematch waits for the other side, as an answer; or the other side offers one, as a push.
struct RematchOffered {
  rules::GameId game;
  int slot = 0;  // who offers
  friend bool operator==(const RematchOffered&, const RematchOffered&) = default;
};
/// A rematch has been made of `game`; `created` has the tickets of the receiver's slots.
struct RematchMade {
  rules::GameId game;
  GameCreated created;
  friend bool operator==(const RematchMade&, const RematchMade&) = default;
};
struct VirtualEngineOpened {
  VirtualEngineId engine;
  friend bool operator==(const VirtualEngineOpened&, const VirtualEngineOpened&) = default;
};
/// The answer to a call, as bytes of the document's response.
struct GtpReply {
  std::string bytes;
  friend bool operator==(const GtpReply&, const GtpReply&) = default;
};
struct VirtualEngineClosed {
  VirtualEngineId engine;
  friend bool operator==(const VirtualEngineClosed&, const VirtualEngineClosed&) = default;
};
/// A push: the daemon is about to close the connection.
struct Draining {
  std::uint32_t reconnect_after_ms = 0;
  friend bool operator==(const Draining&, const Draining&) = default;
};
struct Pong {
  std::int64_t client_time_ms = 0;
  std::int64_t server_time_ms = 0;
  friend bool operator==(const Pong&, const Pong&) = default;
};
struct Error {
  ErrorCode code = ErrorCode::Internal;
  std::string reason = {};   // one word a program can switch on within the code: "superko", "komi"
  std::string message = {};  // for people
  std::uint32_t retry_after_ms = 0;
  std::optional<Snapshot> state = std::nullopt;  // with Stale
  friend bool operator==(const Error&, const Error&) = default;
};
using ServerMessage =
    std::variant<Welcome, EngineList, GameCreated, GameJoined, Accepted, LegalMoves, Snapshot,
                 Subscribed, Unsubscribed, GameEvents, QueryResult, GameList, Draining, Presence,
                 AnalysisStarted, AnalysisStopped, AnalysisUpdate, AnalysisEnded, ReviewStarted,
                 ReviewProgress, SeatTaken, RematchOffered, RematchMade, VirtualEngineOpened,
                 GtpReply, VirtualEngineClosed, AdminDone, ConnectionList, Notice, Pong, Error>;
struct ServerFrame {
  std::uint32_t reply_to = 0;  // 0: a push
  ServerMessage message;
  friend bool operator==(const ServerFrame&, const ServerFrame&) = default;
};

/// 32 lower-case hexadecimal digits.
std::string to_text(VirtualEngineId id);
/// Nothing unless the text is exactly 32 digits 0-9 a-f.
std::optional<VirtualEngineId> parse_virtual_engine_id(std::string_view text);

/// The letter that draws it in rows: X, O or a dot.
char letter_of(rules::Cell cell);

/// The answer to a query about the game as it stands, or what is wrong with a vertex of it.
std::variant<QueryResult, Error> answer(const Query& query, const rules::Game& game);
/// One line of a list of games; who watches is the daemon's to say.
GameSummary summary_of(const rules::Game& game);

/// The game as it stands now, `elapsed` after its present turn began.
Snapshot snapshot_of(const rules::Game& game, std::chrono::nanoseconds elapsed = {});

}  // namespace tengen::protocol
