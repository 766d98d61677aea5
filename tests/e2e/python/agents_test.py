#!/usr/bin/env python3
"""Whole games between agents that know only document 002: every answer by its schemas, and a
hundred games that copy from legalActions without one refusal."""
import asyncio
import concurrent.futures
import json
import pathlib
import random
import sys
import time
import unittest
from typing import Any, Callable

sys.dont_write_bytecode = True
import jsonschema  # noqa: E402  (the line above has to come first)
import tengen_client  # noqa: E402
from agent_client import Agent, Answer  # noqa: E402
from daemon import Daemon  # noqa: E402
from tengen_client import create_game, game_pb2  # noqa: E402

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "data" / "agent"
PRESET = "go-chinese-19-0.3"
KOMI = 7.5
PASS_FROM_MOVE = 60
GAMES = 100
GAMES_AT_ONCE = 8
ALL_GAMES_LIMIT_S = 60
WHOLE_GAMES = 3

Check = Callable[[Answer], None]


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


class Judge:
    """Holds every answer against the schemas."""

    def __init__(self) -> None:
        kinds = ("view", "observation", "act")
        self._by_kind = {kind: jsonschema.Draft202012Validator(schema(kind)) for kind in kinds}
        self._queries = schema("queries")

    def view(self, answer: Answer) -> None:
        self._by_kind["view"].validate(answer.body)
        self._by_kind["observation"].validate(answer.body["observation"])
        for action in answer.body["legalActions"]:
            self._by_kind["act"].validate(action)

    def query(self, name: str, args: Any, answer: Answer) -> None:
        jsonschema.validate(args, self._queries[name]["parametersSchema"])
        jsonschema.validate(answer.body, self._queries[name]["resultSchema"])


def area(board: list[list[int]]) -> dict[str, float]:
    """Stones and the regions that touch one colour only, by flood fill; white has the komi."""
    points = {0: 0, 1: 0, 2: 0}
    seen: set[tuple[int, int]] = set()
    for y in range(19):
        for x in range(19):
            if board[y][x] != 0:
                points[board[y][x]] += 1
            elif (x, y) not in seen:
                region, borders = flood(board, x, y)
                seen |= region
                if len(borders) == 1:
                    points[borders.pop()] += len(region)
    return {"black": points[1], "white": points[2] + KOMI}


def flood(board: list[list[int]], x: int, y: int) -> tuple[set[tuple[int, int]], set[int]]:
    region, borders, todo = {(x, y)}, set(), [(x, y)]
    while todo:
        at_x, at_y = todo.pop()
        for near in ((at_x - 1, at_y), (at_x + 1, at_y), (at_x, at_y - 1), (at_x, at_y + 1)):
            if not (0 <= near[0] < 19 and 0 <= near[1] < 19) or near in region:
                continue
            if (cell := board[near[1]][near[0]]) != 0:
                borders.add(cell)
            else:
                region.add(near)
                todo.append(near)
    return region, borders


def moves_of(view: Any) -> int:
    """Stones placed so far: those on the board and those taken."""
    observation = view["observation"]
    stones = sum(cell != 0 for row in observation["board"] for cell in row)
    return stones + sum(observation["captures"].values())


class Game:
    """One game between two agents who copy from what is legal."""

    def __init__(self, daemon: Daemon, seed: int) -> None:
        self._random = random.Random(seed)
        agent = game_pb2.SeatSpec(kind=game_pb2.SEAT_KIND_AGENT)
        connect = lambda: tengen_client.open_socket(daemon.url)  # noqa: E731
        created = asyncio.run(create_game(
            connect, preset=PRESET, seats=[agent, agent],
            colors=tengen_client.frame_pb2.COLOR_CHOICE_RANDOM))
        self.agents = [Agent(daemon.port, each.ticket) for each in created.tickets]
        self.refusals = 0

    def play(self, check: Check = lambda answer: None) -> list[Any]:
        """Both views of the end."""
        moves = 0
        while True:
            ended = 0
            for agent in self.agents:
                seen = agent.view()
                check(seen)
                if seen.body["status"] == "ended":
                    ended += 1
                elif seen.body["yourTurn"]:
                    done = agent.act(self._choice(seen.body, moves))
                    moves += 1
                    self.refusals += done.status != 200
                    check(done)
            if ended == 2:
                return [self._last(agent, check) for agent in self.agents]

    def close(self) -> None:
        for agent in self.agents:
            agent.close()

    def _last(self, agent: Agent, check: Check) -> Any:
        answer = agent.wait(30)
        check(answer)
        return answer.body

    def _choice(self, view: Any, moves: int) -> Any:
        actions = view["legalActions"]
        return actions[-1] if moves >= PASS_FROM_MOVE else self._random.choice(actions)


class AgentsTest(unittest.TestCase):
    daemon: Daemon

    @classmethod
    def setUpClass(cls) -> None:
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.daemon.stop()

    def play_one(self, seed: int) -> tuple[int, list[Any]]:
        game = Game(self.daemon, seed)
        try:
            return game.refusals, game.play()
        finally:
            game.close()

    def check_end(self, views: list[Any]) -> None:
        scores = area(views[0]["observation"]["board"])
        winner = max(scores, key=lambda role: scores[role])
        self.assertEqual({view["role"] for view in views}, {"black", "white"})
        for view in views:
            self.assertEqual(view["observation"]["scores"], scores)
            self.assertEqual(view["observation"]["consecutivePasses"], 2)
            self.assertEqual(view["ended"]["reason"], "score")
            self.assertEqual(view["ended"]["winnerSeat"], winner)
            standings = {each["seat"]: each["score"] for each in view["ended"]["standings"]}
            self.assertEqual(standings, scores)

    def test_a_hundred_games_that_copy_from_what_is_legal_see_no_refusal(self) -> None:
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(GAMES_AT_ONCE) as tables:
            for refusals, views in tables.map(self.play_one, range(GAMES)):
                self.assertEqual(refusals, 0)
                self.check_end(views)
        self.assertLess(time.monotonic() - began, ALL_GAMES_LIMIT_S)

    def test_every_answer_of_whole_games_fits_its_schema(self) -> None:
        judge = Judge()
        for seed in range(WHOLE_GAMES):
            game = Game(self.daemon, seed)
            views = game.play(judge.view)
            self.check_end(views)
            board = views[0]["observation"]["board"]
            stone = next((x, y) for y in range(19) for x in range(19) if board[y][x] != 0)
            for name, args in (("estimate_score", {}), ("estimate_score", {"dead": []}),
                               ("group_liberties", {}),
                               ("group_liberties", {"x": stone[0], "y": stone[1]}),
                               ("neighborhood", {"x": 0, "y": 18, "radius": 4})):
                answer = game.agents[0].query(name, **args)
                self.assertEqual(answer.status, 200)
                judge.query(name, args, answer)
            # Counted with every stone alive, the estimate is the score.
            estimate = game.agents[1].query("estimate_score").body
            self.assertEqual({role: estimate[role] for role in ("black", "white")},
                             area(board))
            game.close()

    def test_the_published_schemas_are_those_of_the_document(self) -> None:
        game = Game(self.daemon, 0)
        published = game.agents[0].rules().body
        game.close()
        for name in ("act", "observation"):
            mine, theirs = schema(name), published[f"{name}Schema"]
            self.assertEqual({**mine, "$id": ""}, {**theirs, "$id": ""})
        for name, query in schema("queries").items():  # the descriptions are ours
            for part in ("parametersSchema", "resultSchema"):
                self.assertEqual(query[part], published["queries"][name][part])

    def test_a_wait_is_answered_when_the_other_side_has_moved(self) -> None:
        game = Game(self.daemon, 0)
        mover, waiter = sorted(game.agents, key=lambda agent: not agent.view().body["yourTurn"])
        with concurrent.futures.ThreadPoolExecutor(1) as aside:
            began = time.monotonic()
            waited = aside.submit(waiter.wait, 30)
            self.assertEqual(mover.act({"type": "place", "x": 3, "y": 3}).status, 200)
            answer = waited.result()
        self.assertTrue(answer.body["yourTurn"])
        self.assertEqual(answer.body["observation"]["board"][3][3], 1)
        self.assertLess(time.monotonic() - began, 20)
        game.close()

    def test_a_resend_with_its_key_gets_the_first_answer_again(self) -> None:
        game = Game(self.daemon, 0)
        mover, other = sorted(game.agents, key=lambda agent: not agent.view().body["yourTurn"])
        action = {"type": "place", "x": 3, "y": 3}
        first = mover.act(action, **{"Idempotency-Key": "k1"})
        other.act({"type": "pass"})
        again = mover.act(action, **{"Idempotency-Key": "k1"})
        self.assertEqual((again.status, again.body), (first.status, first.body))
        self.assertEqual(moves_of(mover.view().body), 1)
        stale = mover.act({"type": "pass"}, **{"If-Match": first.headers["ETag"]})
        self.assertEqual(stale.status, 412)
        self.assertEqual(len(stale.body["legalActions"]), 361)
        game.close()


if __name__ == "__main__":
    unittest.main()
