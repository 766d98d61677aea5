#include "tests/protocol/samples.h"

#include "protocol/codec.h"

namespace tengen::protocol {
namespace {

using namespace std::chrono_literals;
using rules::Color;
using rules::Point;

constexpr rules::Size kSize{9, 13};

EngineInfo sample_engine() {
  return {.profile = "gnugo",
          .name = "GNU Go",
          .version = "3.8",
          .processes = 2,
          .processes_max = 4,
          .busy = 1,
          .queued = 3,
          .failed = true,
          .size_min = 5,
          .size_max = 19,
          .settings = {{"level", 1, 10, 8}, {"bias", -5, 5, -1}},
          .honours_clock = true,
          .wait = 2'500ms,
          .streaming = 1,
          .draining = true};
}

rules::GameSeed sample_seed() {
  rules::GameSeed seed{};
  for (std::size_t i = 0; i < seed.size(); ++i) seed[i] = static_cast<std::uint8_t>(255 - i);
  return seed;
}

CreateGame sample_create() {
  return {.request_id = "create-1",
          .size = kSize,
          .preset = "",
          .rules = {.ko = rules::KoRule::Situational,
                    .suicide = rules::SuicideRule::Multi,
                    .scoring = rules::Scoring::Area,
                    .bonus = rules::HandicapBonus::NMinusOne,
                    .end = rules::EndRule::AllAlive,
                    .move_limit = 200},
          .komi_half = -11,
          .seats = {SeatRequest{rules::SeatKind::Human, "Ada \u5929\u5143", "", {}},
                    SeatRequest{rules::SeatKind::Engine,
                                "",
                                "gnugo",
                                {{"level", "3"}, {"note", "a b"}},
                                30,
                                false,
                                0,
                                7}},
          .colors = ColorChoice::Random,
          .seed = sample_seed(),
          .time = {rules::ClockSystem::Fischer, 300s, 5s, 600s, {}, 0, 0},
          .handicap = 4,
          .placement = HandicapPlacement::Free,
          .marking_time = 90s,
          .annul_before = 12,
          .analysis = rules::AnalysisPolicy::Everyone,
          .absence = 60s,
          .absence_profile = "gnugo",
          .broadcast_delay = 90s,
          .lag_allowance = 250ms};
}

}  // namespace

rules::GameId sample_game() { return {0x018f3a5c7b2e9d41, 0xfedcba9876543210}; }

rules::Header sample_header() {
  rules::Header header;
  header.id = sample_game();
  header.created_ms = 1'700'000'000'123;
  header.size = kSize;
  header.preset = "aga";
  header.rules = sample_create().rules;
  header.komi_half = -11;
  header.setup = {{Color::Black, Point::at(2, 3)}, {Color::White, Point::at(8, 12)}};
  header.first = Color::White;
  header.seats = {rules::Seat{rules::SeatKind::Engine, "Bot", "gnugo", {{"level", "3"}}, true},
                  rules::Seat{rules::SeatKind::Human, "Ada \u5929\u5143", "", {}}};
  header.slot1_color = Color::White;
  header.clock = {rules::ClockSystem::ByoYomi, 600s, {}, {}, 30s, 5, 0};
  header.free_handicap = 3;
  header.annul_before = 20;
  header.analysis = rules::AnalysisPolicy::Spectators;
  header.marking_time = 45s;
  header.absence = 120s;
  header.absence_profile = "house";
  header.broadcast_delay = 30s;
  header.lag_allowance = 500ms;
  header.seats[0].resign_from = 40;
  header.seats[0].undos = 12;
  header.seats[1].is_open = true;
  return header;
}

std::vector<rules::Event> sample_events() {
  const std::vector<rules::EventBody> bodies = {
      rules::Played{Color::White, Point::at(8, 0)},
      rules::Captured{Color::White, {Point::at(7, 0), Point::at(8, 1)}},
      rules::Passed{Color::Black},
      rules::Stopped{rules::StopReason::TwoPasses},
      rules::Stopped{rules::StopReason::MoveLimit},
      rules::DeadListed{Color::Black, std::vector<Point>{Point::at(0, 0)}},
      rules::DeadListed{Color::Black, std::vector<Point>{}},
      rules::DeadListed{Color::White, std::nullopt},
      rules::Scored{41, -6, {Point::at(0, 12)}},
      rules::Finished{{rules::ResultKind::Score, Color::Black, 47}},
      rules::Finished{{rules::ResultKind::Score, std::nullopt, 0}},
      rules::Resigned{Color::White},
      rules::Forfeited{Color::Black, "its engine failed \u00e0 la carte"},
      rules::Finished{{rules::ResultKind::Forfeit, Color::White, 0}},
      rules::Played{Color::Black, Point::at(0, 12), {1'500ms, 7ns}, {58'500ms, 30s, 5, 0}},
      rules::Passed{Color::White, {10s, 0ns}, {0ns, 29s, 0, 25}},
      rules::SeatChanged{
          Color::White,
          rules::Seat{rules::SeatKind::Engine, "Bot", "house", {{"level", "3"}}, true},
          "it played an illegal move"},
      rules::TimedOut{Color::Black},
      rules::Finished{{rules::ResultKind::Timeout, Color::White, 0}},
      rules::Scored{-3, 0, {}, rules::Scoring::Territory, {Point::at(2, 2), Point::at(8, 12)}},
      rules::Undone{Color::White, 2},
      rules::Marked{Color::Black, Point::at(0, 12)},
      rules::SekiMarked{Color::White, Point::at(8, 0)},
      rules::MarkingDone{Color::Black},
      rules::MarkingAccepted{Color::White},
      rules::MarkingDisputed{Color::White},
      rules::HandicapPlaced{{Point::at(3, 3), Point::at(5, 3)}},
      rules::Abandoned{Color::Black},
      rules::Annulled{Color::White, "it did not count"},
      rules::Annulled{std::nullopt, "the server says so"},
      rules::NoResultAgreed{Color::Black},
      rules::Paused{Color::White, {1'500ms, 0ns}, {58'500ms, 30s, 5, 0}},
      rules::Paused{Color::Black},
      rules::Paused{Color::Black, {0ns, 60s}, {58'500ms, 30s, 5, 0}, rules::PauseReason::ServerLag},
      rules::Unpaused{Color::White},
      rules::Asked{Color::Black, rules::AskKind::Undo, 2},
      rules::Asked{Color::White, rules::AskKind::NoResult, 0},
      rules::Declined{Color::Black},
      rules::Continued{rules::ContinueReason::Cleanup},
      rules::Continued{rules::ContinueReason::Dispute},
      rules::Finished{{rules::ResultKind::Abandon, Color::White, 0}},
      rules::Finished{{rules::ResultKind::NoResult, std::nullopt, 0}},
      rules::Finished{{rules::ResultKind::Annulled, std::nullopt, 0}},
  };
  std::vector<rules::Event> events;
  for (const rules::EventBody& body : bodies) {
    const auto seq = static_cast<std::uint32_t>(events.size() + 1);
    events.push_back({seq, {1'700'000'000'000 + seq, seq % 2 == 1 ? "r-" : ""}, body});
  }
  return events;
}

Snapshot sample_snapshot() {
  Snapshot snapshot;
  snapshot.game = sample_game();
  snapshot.seq = 77;
  snapshot.position_seq = 70;
  snapshot.header = sample_header();
  snapshot.phase = rules::Phase::Marking;
  snapshot.turn = Color::White;
  snapshot.rows.assign(kSize.height, ".X.O.....");
  snapshot.moves = {rules::Move::play(Color::White, Point::at(3, 0)),
                    rules::Move::pass(Color::Black)};
  snapshot.captured = {3, 5};
  snapshot.ko_ban = rules::Stone{Color::Black, Point::at(4, 4)};
  snapshot.score = rules::Scored{100, 75, {Point::at(1, 0)}};
  snapshot.result = rules::Result{rules::ResultKind::Resign, Color::White, 0};
  snapshot.seats = {
      rules::Seat{rules::SeatKind::Engine, "", "house", {}, false},
      rules::Seat{rules::SeatKind::Engine, "\u5929", "gnugo", {{"level", "3"}}, true}};
  snapshot.clocks = Clocks{{rules::ClockFace{600s, 30s, 5, 0}, rules::ClockFace{0s, 12s, 3, 0}},
                           Color::White,
                           4'321'000'001ns};
  snapshot.waiting = Waiting::EngineQueue;
  snapshot.marking =
      Marking{Color::White, true, {Point::at(1, 0), Point::at(3, 0)}, {Point::at(4, 4)}};
  snapshot.dead_lists = {rules::DeadListed{Color::Black, std::vector<Point>{Point::at(1, 0)}},
                         rules::DeadListed{Color::White, std::nullopt}};
  snapshot.disputes = 2;
  snapshot.paused = rules::PauseReason::ServerLag;
  snapshot.asked = rules::Asked{Color::White, rules::AskKind::Undo, 2};
  snapshot.asked_seq = 76;
  snapshot.seed_sha256 = std::string(64, 'a');
  snapshot.present = {true, false};
  return snapshot;
}

std::vector<ClientFrame> analysis_requests() {
  const rules::GameId game = sample_game();
  const PositionSource position{
      kSize,
      sample_create().rules,
      -11,
      {{Color::Black, Point::at(2, 3)}, {Color::White, Point::at(8, 12)}},
      {rules::Move::play(Color::White, Point::at(3, 0)), rules::Move::pass(Color::Black)},
      Color::Black};
  const SgfSource record{"(;GM[1]SZ[9];B[ee])", 3, 1};
  return {
      {50, StartAnalysis{GameSource{game, std::nullopt}, "katago", {}, {}, kInterval, 0ms, 0}},
      {51, StartAnalysis{GameSource{game, 0},
                         "katago",
                         {{"level", "3"}},
                         {true, 50, 1},
                         50ms,
                         86'400'000ms,
                         100'000'000}},
      {52, StartAnalysis{position, "leelaz", {}, {false, 1, 50}, 10'000ms, 100ms, 1}},
      {53, StartAnalysis{record, "leelaz", {}, {}, kInterval, 0ms, 0}},
      {54, StopAnalysis{7}},
      {55, ReviewGame{GameSource{game, std::nullopt}, "katago", {}, {}, kReviewTime, 0, 0, {}}},
      {56, ReviewGame{record, "katago", {{"level", "3"}}, {true, 2, 3}, 0ms, 50, 10, 20}},
      {57, ReviewGame{position, "katago", {}, {}, 50ms, 50, 0, 0}},
  };
}

std::vector<ServerFrame> analysis_samples() {
  const Candidate known{
      40,    0.625,
      -3.25, 0.125,
      0.5,   {rules::Move::play(Color::White, Point::at(8, 0)), rules::Move::pass(Color::Black)}};
  const Candidate bare{1, 0, {}, {}, {}, {rules::Move::pass(Color::White)}};
  PositionAnalysis position{20, 33, kSize, Color::White, 41, 0.625, -3.25, {known, bare}, {}};
  PositionAnalysis empty;
  empty.size = kSize;
  PositionAnalysis owned = position;
  owned.ownership.assign(9 * 13, -0.25f);
  return {
      {50, AnalysisStarted{7}},
      {51, AnalysisStopped{7}},
      {52, ReviewStarted{8, 120}},
      {0, AnalysisUpdate{7, position}},
      {0, AnalysisUpdate{7, owned}},
      {0, AnalysisUpdate{7, empty}},
      {0, ReviewProgress{8, 1, 120, position}},
      {0, AnalysisEnded{7, AnalysisEnd::Draining, "the engines failed"}},
      {0, AnalysisEnded{7, AnalysisEnd::Done, ""}},
  };
}

std::vector<ClientFrame> client_samples() {
  const rules::GameId game = sample_game();
  std::vector<ClientFrame> samples{
      {1, Hello{1, "tengen 0.1"}},
      {36, Hello{1, "", "tengen_0123456789"}},
      {2, ListEngines{}},
      {3, sample_create()},
      {4, JoinGame{"s1.AbCd_-"}},
      {5, Play{game, 2, "p-1", 300, "D4"}},
      {6, Pass{game, 1, "p-2", 301}},
      {7, Resign{game, 2, "p-3"}},
      {20, GameAct{game, 1, "a-1", 302, MarkChain{"D4"}}},
      {21, GameAct{game, 1, "a-2", 302, MarkSekiPoint{"T19"}}},
      {22, GameAct{game, 1, "a-3", 302, ProposeMarks{}}},
      {23, GameAct{game, 2, "a-4", 302, AcceptMarks{}}},
      {24, GameAct{game, 2, "a-5", 302, DisputeMarks{}}},
      {25, GameAct{game, 2, "a-6", 302, ListDead{std::vector<std::string>{"D4", "A1"}}}},
      {26, GameAct{game, 2, "a-7", 302, ListDead{std::vector<std::string>{}}}},
      {27, GameAct{game, 2, "a-8", 302, ListDead{}}},
      {28, GameAct{game, 1, "a-9", 0, PlaceHandicap{{"D4", "Q16"}}}},
      {29, GameAct{game, 1, "a-10", 302, Leave{}}},
      {30, GameAct{game, 1, "a-11", 302, AskOpponent{rules::AskKind::Undo, 2}}},
      {31, GameAct{game, 1, "a-12", 302, AskOpponent{rules::AskKind::Pause, 0}}},
      {32, GameAct{game, 2, "a-13", 302, Agree{77}}},
      {33, GameAct{game, 2, "a-14", 302, Decline{}}},
      {34, GameAct{game, 2, "a-15", 302, Unpause{}}},
      {35, GameAct{game, 2, "a-16", 302, Annul{}}},
      {8, GetLegalMoves{game}},
      {9, GetSnapshot{game}},
      {10, Subscribe{game, 0}},
      {11, Subscribe{game, std::nullopt}},
      {12, Unsubscribe{game}},
      {40, Query{game, EstimateScore{}}},
      {41, Query{game, EstimateScore{std::vector<std::string>{}}}},
      {42, Query{game, EstimateScore{std::vector<std::string>{"D4", "A1"}}}},
      {43, Query{game, GroupLiberties{}}},
      {44, Query{game, GroupLiberties{"D4"}}},
      {45, Query{game, Neighborhood{"D4", 4}}},
      {46, Query{game, TerritoryMap{}}},
      {47, ListGames{}},
      {49, TakeSeat{game, 2, "t-1", "Ada \u5929\u5143"}},
      {50, Rematch{game, 0}},
      {51, Rematch{game, 2}},
      {52, OpenVirtualEngine{"gnugo",
                             {{"level", "3"}},
                             {{9, 9}, -15, {{Color::Black, "C3"}, {Color::White, std::nullopt}}},
                             sample_create().rules}},
      {53, CallVirtualEngine{{1, 2}, "GenMove", std::string("\x08\x00\xff", 3), "c-1"}},
      {54, CallVirtualEngine{{1, 2}, "Raw", "showboard", ""}},
      {55, CloseVirtualEngine{{0xfedcba9876543210, 3}}},
      {58, Admin{"d-1", EndGame{game, Color::White, "\u5929 has cheated"}}},
      {59, Admin{"d-2", EndGame{game, std::nullopt, ""}}},
      {60, Admin{"d-3", Kick{"club"}}},
      {61, Admin{"d-4", Kick{ConnectionNumber{0xfedcba9876543210}}}},
      {62, Admin{"d-5", RevokeToken{"club"}}},
      {63, Admin{"d-6", RetireEngine{7}}},
      {64, Admin{"d-7", DrainProfile{"gnugo", true}}},
      {65, Admin{"d-8", SendNotice{"We stop at \u5929"}}},
      {66, Admin{"d-9", ListConnections{0xfedcba9876543210}}},
      {48, ListGames{true, "gnugo", "Ada \u5929\u5143", 200, game}},
      {0xffffffff, Ping{-1'700'000'000'000}},
  };
  const auto analyses = analysis_requests();
  samples.insert(samples.end(), analyses.begin(), analyses.end());
  return samples;
}

std::vector<ServerFrame> query_samples() {
  const rules::GameId game = sample_game();
  const rules::Group group{Color::White, {Point::at(0, 0)}, {Point::at(1, 0), Point::at(0, 1)}};
  const GameSummary summary{game,
                            1'700'000'000'123,
                            kSize,
                            "aga",
                            {rules::Seat{rules::SeatKind::Engine, "", "gnugo", {}, true},
                             rules::Seat{rules::SeatKind::Agent, "Ada \u5929\u5143", "", {}}},
                            120,
                            rules::Phase::Finished,
                            3,
                            "W+0.5"};
  return {
      {40, QueryResult{game, 70, ScoreEstimate{-3, 200, 15, true}}},
      {41, QueryResult{game, 70, ScoreEstimate{}}},
      {42, QueryResult{game, 70, Groups{{group, group}, kSize}}},
      {43, QueryResult{game, 70, Groups{{}, kSize}}},
      {44, QueryResult{game, 70, Cells{3, 8, {"X.O", "..."}}}},
      {45, QueryResult{game, 70, OwnerMap{{"XXO", "..O"}, true}}},
      {46, GameList{{summary, summary}, true}},
      {47, GameList{}},
      {48, SeatTaken{{2, "s2.def"}, GameJoined{2, Color::White, sample_snapshot()}}},
      {49, RematchOffered{game, 1}},
      {50, RematchMade{game, GameCreated{game, Color::White, {{1, "s1.abc"}}}}},
      {51, VirtualEngineOpened{{1, 0xfedcba9876543210}}},
      {52, GtpReply{std::string("\x00\xff", 2)}},
      {53, VirtualEngineClosed{{1, 2}}},
      {0, Presence{game, 2, true}},
      {0, Presence{game, 1, false}},
      {0, Draining{2'500}},
      {54, AdminDone{2}},
      {55, ConnectionList{{{{0xfedcba9876543210}, "club", "tengen \u5929", "2001:db8::1", 2, 64},
                           {{1}, "anonymous", "", "127.0.0.1", 0, 0}},
                          true}},
      {0, Notice{"We stop at \u5929"}},
  };
}

std::vector<ServerFrame> server_samples() {
  const rules::GameId game = sample_game();
  const Welcome welcome{.version = kVersion,
                        .server = "tengend 0.1.0",
                        .limits = {65536, 4096, 32, 64, 1000, 64, 64, 8},
                        .presets = {"chinese", "aga"},
                        .engines = {sample_engine()},
                        .heartbeat_ms = 30'000};
  const LegalMoves legal{game, 70, kSize, Color::White, {Point::at(0, 0), Point::at(8, 12)}};
  const Error stale{.code = ErrorCode::Stale,
                    .reason = "position_seq",
                    .message = "the position is 70",
                    .retry_after_ms = 250,
                    .state = sample_snapshot()};
  std::vector<ServerFrame> samples = {
      {1, welcome},
      {2, EngineList{{sample_engine(), sample_engine()}}},
      {3, GameCreated{game, Color::White, {{1, "s1.abc"}, {2, "s2.def"}}}},
      {4, GameJoined{2, Color::White, sample_snapshot()}},
      {5, Accepted{game, 78, 78, std::nullopt}},
      {6, legal},
      {7, LegalMoves{game, 70, kSize, std::nullopt, {}}},
      {8, sample_snapshot()},
      {9, Subscribed{game, 77, GameEvents{game, kSize, sample_events()}}},
      {10, Subscribed{game, 77, sample_snapshot()}},
      {11, Unsubscribed{game}},
      {0, GameEvents{game, kSize, sample_events()}},
      {12, Pong{-5, 1'700'000'000'000}},
      {13, stale},
      {14, Error{.code = ErrorCode::Unavailable}},
      {15, Accepted{game, 78, 78, GameEvents{game, kSize, sample_events()}}},
  };
  const auto queries = query_samples();
  samples.insert(samples.end(), queries.begin(), queries.end());
  const auto analyses = analysis_samples();
  samples.insert(samples.end(), analyses.begin(), analyses.end());
  return samples;
}

}  // namespace tengen::protocol
