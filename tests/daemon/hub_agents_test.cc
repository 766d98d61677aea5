// The agents' calls over HTTP, line by line of document 002 and what follows from it: who may call,
// what an act does and is answered, waits, departures, and all of it after a restart.
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "tests/daemon/hub_rig.h"
#include "tests/protocol/agent_table.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;
using protocol::Error;
using protocol::ErrorCode;
using rules::Color;
using rules::SeatKind;

protocol::CreateGame agent_game(std::string request_id, SeatKind opponent = SeatKind::Agent) {
  const auto* preset = rules::find_preset(rules::kAgentPreset);
  protocol::CreateGame create;
  create.request_id = std::move(request_id);
  create.size = {19, 19};
  create.preset = std::string(preset->name);
  create.rules = preset->rules;
  create.komi_half = preset->komi_half;
  create.seats[0].kind = SeatKind::Agent;
  create.seats[1].kind = opponent;
  if (opponent == SeatKind::Engine) create.seats[1].profile = "fake";
  create.colors = protocol::ColorChoice::Random;
  return create;
}

/// A game with agents, and their calls.
struct Table {
  HubRig rig;
  ConnId maker;
  protocol::GameCreated game;

  explicit Table(SeatKind opponent = SeatKind::Agent, HubConfig config = rig_config(),
                 std::vector<tests::Script> scripts = {{}})
      : rig(std::move(config), std::move(scripts)),
        maker(rig.join()),
        game(rig.ask<protocol::GameCreated>(maker, agent_game("g", opponent))) {}

  std::string ticket(int slot) const {
    for (const auto& each : game.tickets) {
      if (each.slot == slot) return each.ticket;
    }
    return "";
  }
  int slot_of(Color color) const { return color == game.slot1_color ? 1 : 2; }
  HttpRequest request(int slot, const std::string& method, const std::string& path,
                      std::string body = "") const {
    HttpRequest request;
    request.method = method;
    request.target = path;
    request.authorization = "Bearer " + ticket(slot);
    request.body = std::move(body);
    return request;
  }
  HttpResponse take(HttpRequest request) {
    const auto answer = rig.answer_to(rig.call(std::move(request)));
    EXPECT_TRUE(answer) << "there is no answer";
    return answer.value_or(HttpResponse{});
  }
  HttpResponse post(int slot, const std::string& call, std::string body = "") {
    return take(request(slot, "POST", "/v1/" + call, std::move(body)));
  }
  json::value view(int slot) {
    const auto answer = take(request(slot, "GET", "/v1/view"));
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.type, "application/json");
    return checked(answer);
  }
  /// The view in an answer, held against the schemas.
  static json::value checked(const HttpResponse& answer) {
    auto view = json::parse(answer.body);
    protocol::expect_fits(protocol::schema("view"), view);
    protocol::expect_fits(protocol::schema("observation"), view.at("observation"));
    return view;
  }
};

const std::string kCenter = R"({"type": "place", "x": 9, "y": 9})";
const std::string kPass = R"({"type": "pass"})";

std::size_t legal_actions(const HttpResponse& answer) {
  return json::parse(answer.body).at("legalActions").as_array().size();
}

TEST(HubAgentsTest, BothSlotsGetTicketsAndSeeTheGame) {
  Table table;
  ASSERT_EQ(table.game.tickets.size(), 2u);
  const auto black = table.view(table.slot_of(Color::Black));
  EXPECT_EQ(black.at("matchId").as_string(), rules::to_text(table.game.game));
  EXPECT_EQ(black.at("seat"), table.slot_of(Color::Black));
  EXPECT_EQ(black.at("role"), "black");
  EXPECT_EQ(black.at("status"), "playing");
  EXPECT_EQ(black.at("yourTurn"), true);
  EXPECT_EQ(black.at("legalActions").as_array().size(), 362u);
  EXPECT_EQ(black.at("spectatorUrl").as_string(),
            "http://tengen.example/watch/" + rules::to_text(table.game.game));
  const auto white = table.view(table.slot_of(Color::White));
  EXPECT_EQ(white.at("yourTurn"), false);
  EXPECT_TRUE(white.at("legalActions").as_array().empty());
}

TEST(HubAgentsTest, TheRulesAreForEveryone) {
  Table table;
  HttpRequest request;
  request.method = "GET";
  request.target = "/v1/rules/go";
  const auto answer = table.take(request);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(json::parse(answer.body).at("rulesVersion"), "go-chinese-19-0.3");
}

TEST(HubAgentsTest, EveryCallNeedsTheTicketOfAnAgentsSeat) {
  Table table(SeatKind::Human);
  const int human = 2;
  for (const auto& [method, call] : {std::pair("GET", "view"),
                                     {"POST", "act"},
                                     {"POST", "wait"},
                                     {"POST", "query"},
                                     {"POST", "leave"}}) {
    for (const std::string& bearer : std::initializer_list<std::string>{
             std::string(), std::string("Bearer "), "Bearer " + table.ticket(human),
             "Bearer tengen_user_token", "Basic " + table.ticket(1), table.ticket(1)}) {
      auto request = table.request(1, method, std::string("/v1/") + call, kPass);
      request.authorization = bearer;
      const auto answer = table.take(request);
      EXPECT_EQ(answer.status, 401) << call << ": " << bearer;
      EXPECT_EQ(answer.www_authenticate, "Bearer");
      EXPECT_TRUE(json::parse(answer.body).as_object().contains("error"));
    }
  }
  EXPECT_EQ(table.view(1).at("status"), "playing");
}

TEST(HubAgentsTest, AnAgentsTicketTakesNoSeatOnAConnection) {
  Table table;
  const auto error = table.rig.ask<Error>(table.maker, protocol::JoinGame{table.ticket(1)});
  EXPECT_EQ(error.code, ErrorCode::BadTicket);
}

TEST(HubAgentsTest, WrongMethodsAndPathsAreToldApart) {
  Table table;
  EXPECT_EQ(table.take(table.request(1, "GET", "/v1/act")).status, 405);
  EXPECT_EQ(table.take(table.request(1, "GET", "/v1/act")).allow, "POST");
  EXPECT_EQ(table.take(table.request(1, "POST", "/v1/view")).allow, "GET");
  EXPECT_EQ(table.take(table.request(1, "GET", "/v1/views")).status, 404);
  EXPECT_EQ(table.take(table.request(1, "GET", "/v1/view?a=b")).status, 200);
}

TEST(HubAgentsTest, AnActIsPlayedAndAnsweredWithTheViewAfterIt) {
  Table table;
  const int black = table.slot_of(Color::Black);
  const auto answer = table.post(black, "act", kCenter);
  EXPECT_EQ(answer.status, 200);
  const auto view = Table::checked(answer);
  EXPECT_EQ(view.at("observation").at("board").at(9).at(9), 1);
  EXPECT_EQ(view.at("lastActionResult").at("accepted"), true);
  EXPECT_EQ(view.at("yourTurn"), false);
  const auto white = table.view(3 - black);
  EXPECT_EQ(white.at("yourTurn"), true);
  EXPECT_EQ(white.at("legalActions").as_array().size(), 361u);
  EXPECT_FALSE(white.as_object().contains("lastActionResult"));
}

TEST(HubAgentsTest, AnIllegalActIs400WithWhatIsLegalNow) {
  Table table;
  const int black = table.slot_of(Color::Black);
  table.post(black, "act", kCenter);
  const auto occupied = table.post(3 - black, "act", kCenter);
  EXPECT_EQ(occupied.status, 400);
  EXPECT_EQ(legal_actions(occupied), 361u);
  EXPECT_NE(json::parse(occupied.body).at("error").as_string().find("occupied"),
            json::string::npos);
  const auto result = table.view(3 - black).at("lastActionResult");
  EXPECT_EQ(result.at("accepted"), false);
  // What the other one did is not this one's result.
  EXPECT_EQ(table.view(black).at("lastActionResult").at("accepted"), true);
}

TEST(HubAgentsTest, OffTurnAndAfterTheEndNothingIsLegal) {
  Table table;
  const int black = table.slot_of(Color::Black);
  const auto early = table.post(3 - black, "act", kCenter);
  EXPECT_EQ(early.status, 400);
  EXPECT_EQ(legal_actions(early), 0u);
  table.post(black, "act", kPass);
  table.post(3 - black, "act", kPass);
  const auto late = table.post(black, "act", kCenter);
  EXPECT_EQ(late.status, 400);
  EXPECT_EQ(legal_actions(late), 0u);
}

TEST(HubAgentsTest, BodiesThatAreNoActAreRefusedAndNothingIsPlayed) {
  Table table;
  const int black = table.slot_of(Color::Black);
  for (const char* body :
       {"", "[]", "pass", "{}", R"({"type": "resign"})", R"({"type": "place", "x": 9})",
        R"({"type": "place", "x": "9", "y": 9})", R"({"type": "place", "x": 19, "y": 0})",
        R"({"type": "pass", "x": 1})", R"({"type": "pass", "type": "pass"})"}) {
    const auto answer = table.post(black, "act", body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_EQ(legal_actions(answer), 362u) << body;
  }
  EXPECT_EQ(table.view(black).at("lastActionResult").at("accepted"), false);
}

TEST(HubAgentsTest, TheSameKeyGetsTheFirstAnswerAgain) {
  Table table;
  const int black = table.slot_of(Color::Black);
  auto act = table.request(black, "POST", "/v1/act", kCenter);
  act.idempotency_key = "first";
  const auto first = table.take(act);
  table.post(3 - black, "act", R"({"type": "place", "x": 0, "y": 0})");
  EXPECT_EQ(table.take(act).body, first.body);
  EXPECT_EQ(table.take(act).etag, first.etag);
  // A refusal is an answer too.
  auto refused = table.request(black, "POST", "/v1/act", kCenter);
  refused.idempotency_key = "second";
  const auto refusal = table.take(refused);
  EXPECT_EQ(refusal.status, 400);
  table.post(black, "act", R"({"type": "place", "x": 18, "y": 0})");
  EXPECT_EQ(table.take(refused).body, refusal.body);
  EXPECT_EQ(table.take(refused).status, 400);
  EXPECT_EQ(table.view(black).at("observation").at("board").at(9).at(9), 1);
}

TEST(HubAgentsTest, KeysAreLimitedInLengthAndNumber) {
  auto config = rig_config();
  config.limits.agents.keys_max = 2;
  Table table(SeatKind::Agent, config);
  const int white = table.slot_of(Color::White);
  auto act = table.request(white, "POST", "/v1/act", kPass);
  act.idempotency_key = std::string(65, 'k');
  EXPECT_EQ(table.take(act).status, 400);
  act.idempotency_key = "with space";
  EXPECT_EQ(table.take(act).status, 400);
  EXPECT_FALSE(table.view(white).as_object().contains("lastActionResult"));
  for (const char* key : {"a", "b"}) {
    act.idempotency_key = key;
    EXPECT_EQ(table.take(act).status, 400);  // off turn
  }
  act.idempotency_key = "c";
  const auto answer = table.take(act);
  EXPECT_EQ(answer.status, 429);
  EXPECT_EQ(answer.retry_after, 0);  // later is no better
  act.idempotency_key.clear();
  EXPECT_EQ(table.take(act).status, 400);
}

TEST(HubAgentsTest, AnActForAnOlderViewIs412) {
  Table table;
  const int black = table.slot_of(Color::Black);
  const auto seen = table.take(table.request(3 - black, "GET", "/v1/view"));
  EXPECT_FALSE(seen.etag.empty());
  table.post(black, "act", kCenter);
  auto act = table.request(3 - black, "POST", "/v1/act", kPass);
  act.if_match = seen.etag;
  const auto stale = table.take(act);
  EXPECT_EQ(stale.status, 412);
  EXPECT_EQ(legal_actions(stale), 361u);
  act.if_match = stale.etag;
  EXPECT_EQ(table.take(act).status, 200);
}

TEST(HubAgentsTest, AWaitIsAnsweredAtOnceOnTurnAndAfterTheEnd) {
  Table table;
  const int black = table.slot_of(Color::Black);
  EXPECT_EQ(Table::checked(table.post(black, "wait", "")).at("yourTurn"), true);
  table.post(black, "leave");
  EXPECT_EQ(Table::checked(table.post(3 - black, "wait", "")).at("status"), "ended");
}

TEST(HubAgentsTest, AWaitEndsWhenTheTurnComes) {
  Table table;
  const int black = table.slot_of(Color::Black);
  const auto wait = table.rig.call(table.request(3 - black, "POST", "/v1/wait", ""));
  EXPECT_FALSE(table.rig.answer_to(wait));
  table.post(black, "act", kCenter);
  const auto answer = table.rig.answer_to(wait);
  ASSERT_TRUE(answer);
  const auto view = Table::checked(*answer);
  EXPECT_EQ(view.at("yourTurn"), true);
  EXPECT_EQ(view.at("observation").at("board").at(9).at(9), 1);
}

TEST(HubAgentsTest, AWaitEndsAtItsTimeWithTheViewAsItIs) {
  Table table;
  const int white = table.slot_of(Color::White);
  const auto usual = table.rig.call(table.request(white, "POST", "/v1/wait", ""));
  const auto longest =
      table.rig.call(table.request(white, "POST", "/v1/wait", R"({"timeoutSeconds": 30})"));
  table.rig.advance(7'999ms);
  EXPECT_FALSE(table.rig.answer_to(usual));
  table.rig.advance(1ms);
  ASSERT_TRUE(table.rig.answer_to(usual));
  EXPECT_EQ(Table::checked(*table.rig.answer_to(usual)).at("yourTurn"), false);
  table.rig.advance(21'999ms);
  EXPECT_FALSE(table.rig.answer_to(longest));
  table.rig.advance(1ms);
  EXPECT_TRUE(table.rig.answer_to(longest));
}

TEST(HubAgentsTest, TimesOutOfBoundsAre400) {
  Table table;
  const int white = table.slot_of(Color::White);
  for (const char* body : {R"({"timeoutSeconds": 0})", R"({"timeoutSeconds": 31})",
                           R"({"timeoutSeconds": 1.5})", R"({"timeoutSeconds": "8"})", "8"}) {
    EXPECT_EQ(table.post(white, "wait", body).status, 400) << body;
  }
}

TEST(HubAgentsTest, TwoWaitsOfATicketAreOpenAtMost) {
  Table table;
  const int white = table.slot_of(Color::White);
  const auto wait = [&] { return table.rig.call(table.request(white, "POST", "/v1/wait")); };
  const auto first = wait();
  const auto second = wait();
  const auto third = table.rig.answer_to(wait());
  ASSERT_TRUE(third);
  EXPECT_EQ(third->status, 429);
  // Whoever hangs up makes room.
  table.rig.hang_up(first);
  const auto fourth = wait();
  EXPECT_FALSE(table.rig.answer_to(fourth));
  table.rig.advance(8s);
  EXPECT_FALSE(table.rig.answer_to(first));
  EXPECT_TRUE(table.rig.answer_to(second));
  EXPECT_TRUE(table.rig.answer_to(fourth));
}

TEST(HubAgentsTest, DrainingAnswersOpenWaitsAndRefusesNewCalls) {
  Table table;
  const int white = table.slot_of(Color::White);
  const auto wait = table.rig.call(table.request(white, "POST", "/v1/wait"));
  table.rig.drain();
  ASSERT_TRUE(table.rig.answer_to(wait));
  EXPECT_EQ(table.rig.answer_to(wait)->status, 200);
  const auto late = table.take(table.request(white, "GET", "/v1/view"));
  EXPECT_EQ(late.status, 503);
  EXPECT_GT(late.retry_after, 0);
}

TEST(HubAgentsTest, LeavingLosesTheGameAndLeavingAgainChangesNothing) {
  Table table;
  const int black = table.slot_of(Color::Black);
  for (const char* body : {"{", "[]", R"({"type": "pass"})"}) {
    EXPECT_EQ(table.post(black, "leave", body).status, 400) << body;
  }
  const auto left = Table::checked(table.post(black, "leave", "{}"));
  EXPECT_EQ(left.at("status"), "ended");
  EXPECT_EQ(left.at("ended").at("reason"), "leave");
  EXPECT_EQ(left.at("ended").at("winnerSeat"), "white");
  EXPECT_FALSE(left.as_object().contains("lastActionResult"));
  EXPECT_EQ(Table::checked(table.post(black, "leave")), left);
  EXPECT_EQ(table.view(3 - black).at("ended").at("winnerSeat"), "white");
}

TEST(HubAgentsTest, QueriesAreAnsweredAtAnyTimeAndTouchNothing) {
  Table table;
  const int white = table.slot_of(Color::White);
  const auto answer =
      table.post(white, "query", R"({"name": "estimate_score", "args": {"dead": []}})");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(json::parse(answer.body), json::parse(R"({"black": 0, "white": 7.5, "komi": 7.5,
                                                     "method": "area_with_dead"})"));
  EXPECT_EQ(table.post(white, "query", R"({"name": "winner"})").status, 400);
  EXPECT_FALSE(table.view(white).as_object().contains("lastActionResult"));
  table.post(white, "leave");
  EXPECT_EQ(table.post(white, "query", R"({"name": "group_liberties"})").status, 200);
}

TEST(HubAgentsTest, AnAgentThatIsSilentForTooLongHasDeparted) {
  Table table;
  const int black = table.slot_of(Color::Black);
  table.rig.advance(599s);
  table.view(black);
  table.rig.advance(1s);
  const auto view = table.view(black);
  EXPECT_EQ(view.at("status"), "ended");
  EXPECT_EQ(view.at("ended").at("reason"), "departure");
  EXPECT_EQ(view.at("ended").at("winnerSeat"), "black");
  EXPECT_EQ(view.at("ended").at("standings"),
            json::parse(R"([{"seat": "black", "score": 1}, {"seat": "white", "score": 0}])"));
}

TEST(HubAgentsTest, AnEngineAnswersAnAgent) {
  Table table(SeatKind::Engine);
  ASSERT_EQ(table.game.tickets.size(), 1u);
  table.rig.settle();
  const auto wait = table.rig.call(table.request(1, "POST", "/v1/wait"));
  ASSERT_TRUE(table.rig.answer_to(wait));
  const auto before = Table::checked(*table.rig.answer_to(wait));
  EXPECT_EQ(before.at("yourTurn"), true);
  const auto action = before.at("legalActions").as_array().front();
  EXPECT_EQ(table.post(1, "act", json::serialize(action)).status, 200);
  table.rig.settle();
  EXPECT_EQ(table.view(1).at("yourTurn"), true);
}

TEST(HubAgentsTest, APersonPlaysAgainstAnAgentButNeitherTakesBackNorPauses) {
  Table table(SeatKind::Human);
  auto& rig = table.rig;
  const auto joined =
      rig.ask<protocol::GameJoined>(table.maker, protocol::JoinGame{table.ticket(2)});
  if (joined.color == Color::White) {
    EXPECT_EQ(table.post(1, "act", kCenter).status, 200);
  }
  const auto seq =
      rig.ask<protocol::Snapshot>(table.maker, protocol::GetSnapshot{table.game.game}).position_seq;
  rig.ask<protocol::Accepted>(table.maker, rig.play(table.game.game, "D4", seq));
  EXPECT_EQ(table.view(1).at("yourTurn"), true);
  for (const auto& [kind, moves] :
       {std::pair(rules::AskKind::Undo, 1), {rules::AskKind::Pause, 0}}) {
    const auto now =
        rig.ask<protocol::Snapshot>(table.maker, protocol::GetSnapshot{table.game.game});
    const auto error = rig.ask<Error>(
        table.maker, protocol::GameAct{table.game.game, 2, "u" + std::to_string(moves),
                                       now.position_seq, protocol::AskOpponent{kind, moves}});
    EXPECT_EQ(error.code, ErrorCode::UnsupportedRules);
  }
}

TEST(HubAgentsTest, AnAgentIsNotAskedForARematch) {
  Table table(SeatKind::Human);
  table.rig.ask<protocol::GameJoined>(table.maker, protocol::JoinGame{table.ticket(2)});
  table.post(1, "leave");
  const auto error = table.rig.ask<Error>(table.maker, protocol::Rematch{table.game.game, 2});
  EXPECT_EQ(error.code, ErrorCode::UnsupportedRules);
  EXPECT_EQ(error.reason, "agents");
}

TEST(HubAgentsTest, AgentsPlayOneKindOfGameOnly) {
  HubRig rig;
  const ConnId client = rig.join();
  auto other_rules = agent_game("a");
  other_rules.preset = "chinese";
  EXPECT_EQ(rig.ask<Error>(client, other_rules).code, ErrorCode::UnsupportedRules);
  auto chosen = agent_game("b");
  chosen.colors = protocol::ColorChoice::Slot1Black;
  EXPECT_EQ(rig.ask<Error>(client, chosen).reason, "colors");
  auto handicap = agent_game("c");
  handicap.handicap = 2;
  EXPECT_EQ(rig.ask<Error>(client, handicap).code, ErrorCode::InvalidArgument);
}

TEST(HubAgentsTest, TicketsResultsAndKeysSurviveARestart) {
  Table table;
  const int black = table.slot_of(Color::Black);
  auto act = table.request(black, "POST", "/v1/act", kCenter);
  act.idempotency_key = "first";
  const auto first = table.take(act);
  table.post(3 - black, "act", kCenter);  // refused
  table.rig.restart();
  EXPECT_EQ(table.take(act).body, first.body);
  EXPECT_EQ(table.view(black).at("lastActionResult").at("accepted"), true);
  EXPECT_EQ(table.view(3 - black).at("lastActionResult").at("accepted"), false);
  // The silence begins anew: down time is nobody's.
  table.rig.advance(599s);
  EXPECT_EQ(table.view(black).at("status"), "playing");
}

TEST(HubAgentsTest, AGameThatIsLoadedAgainKnowsItsAgents) {
  auto config = rig_config();
  config.limits.finished_kept_max = 0;
  Table table(SeatKind::Agent, config);
  const int black = table.slot_of(Color::Black);
  table.post(black, "act", kCenter);
  table.post(3 - black, "leave");
  table.rig.restart();
  EXPECT_EQ(table.rig.hub().games(), 0u);
  const auto view = table.view(black);
  EXPECT_EQ(view.at("status"), "ended");
  EXPECT_EQ(view.at("lastActionResult").at("accepted"), true);
}

TEST(HubAgentsTest, NothingIsSaidOfAnActBeforeItIsDurable) {
  Table table;
  const int black = table.slot_of(Color::Black);
  const auto wait = table.rig.call(table.request(3 - black, "POST", "/v1/wait"));
  table.rig.is_store_held = true;
  const auto act = table.rig.call(table.request(black, "POST", "/v1/act", kCenter));
  EXPECT_FALSE(table.rig.answer_to(act));
  EXPECT_FALSE(table.rig.answer_to(wait));
  const auto view = table.rig.call(table.request(3 - black, "GET", "/v1/view"));
  EXPECT_FALSE(table.rig.answer_to(view));
  table.rig.finish_commit();
  EXPECT_TRUE(table.rig.answer_to(act));
  EXPECT_TRUE(table.rig.answer_to(wait));
  EXPECT_TRUE(table.rig.answer_to(view));
}

TEST(HubAgentsTest, TheSpectatorsPageShowsTheBoardAndNoSecret) {
  Table table;
  table.post(table.slot_of(Color::Black), "act", kCenter);
  HttpRequest request;
  request.method = "GET";
  request.target = "/watch/" + rules::to_text(table.game.game);
  const auto page = table.take(request);
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.type, "text/html; charset=utf-8");
  EXPECT_NE(page.body.find("black K10"), std::string::npos);
  for (const int slot : {1, 2}) {
    EXPECT_EQ(page.body.find(table.ticket(slot)), std::string::npos);
  }
  request.target = "/watch/" + std::string(32, '0');
  EXPECT_EQ(table.take(request).status, 404);
  request.target = "/watch/x";
  EXPECT_EQ(table.take(request).status, 404);
}

}  // namespace
}  // namespace tengen::daemon
