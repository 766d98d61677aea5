#!/usr/bin/env python3
"""A program that knows only the frames and document 000's messages lets GNU Go play itself on one
virtual engine, to two passes. GNU Go on its own, fed with the moves, has the same stones after each.

The program under test is $TENGEND, else the release build's.
"""
import asyncio
import re
import subprocess
import sys
import unittest
from typing import Any

sys.dont_write_bytecode = True
import tengen_client  # noqa: E402  (the line above has to come first)
from daemon import Daemon  # noqa: E402
from tengen_client import MESSAGES, Caller  # noqa: E402

gtp_pb2 = MESSAGES["gtp.gtp"]
virtual_pb2 = MESSAGES["tengen.v1.virtual"]
game_pb2 = tengen_client.game_pb2

CONFIG = '[[profile]]\nkind = "gnugo"\n'
SIZE = 9
KOMI = 5.5
MOVES_MAX = 200
GNUGO = "/usr/games/gnugo"
COLORS = {gtp_pb2.BLACK: "black", gtp_pb2.WHITE: "white"}


class VirtualEngine:
    """GTP by protobuf: one call at a time, each by its name and messages."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._engine = ""
        self._id = 0

    async def open(self, profile: str, **settings: str) -> None:
        start = gtp_pb2.Game(size=SIZE, komi=KOMI)
        chosen = [game_pb2.Setting(key=key, value=value) for key, value in settings.items()]
        opened = await self._caller.ask(open_virtual_engine=virtual_pb2.OpenVirtualEngine(
            profile=profile, start=start, settings=chosen))
        self._engine = opened.engine

    async def call(self, method: str, **fields: Any) -> Any:
        self._id += 1
        request = getattr(gtp_pb2, f"{method}Request")(id=self._id, **fields)
        bytes_back = await self._send(method, request.SerializeToString())
        response = getattr(gtp_pb2, f"{method}Response").FromString(bytes_back)
        if response.id != self._id:
            raise AssertionError(f"{method} {self._id} was answered as {response.id}")
        return response

    async def raw(self, line: str) -> str:
        answer = (await self._send("Raw", line.encode("ascii"))).decode("ascii")
        if not answer.startswith("="):
            raise AssertionError(f"{line}: {answer}")
        return answer[1:].strip("\n").removeprefix(" ")

    async def _send(self, method: str, request: bytes) -> bytes:
        reply = await self._caller.ask(gtp_call=virtual_pb2.GtpCall(
            engine=self._engine, method=method, request=request, request_id=f"c{self._id}{method}"
            if method != "Raw" else ""))
        return reply.response


class Witness:
    """GNU Go by itself: what stones there are after these moves."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([GNUGO, "--mode", "gtp"], text=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.say(f"boardsize {SIZE}")

    def say(self, command: str) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().strip()
        self._process.stdout.readline()
        if not answer.startswith("="):
            raise AssertionError(f"{command}: {answer}")
        return answer[1:].strip()

    def stones(self, color: str) -> set[str]:
        return set(self.say(f"list_stones {color}").split())

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def stones_on(board: str) -> dict[str, set[str]]:
    """From the board as the document draws it: rows with their numbers on both sides."""
    found: dict[str, set[str]] = {"black": set(), "white": set()}
    for line in board.split("\n"):
        row = re.match(r"\s*(\d+) ((?:[.+XO] ?){%d})" % SIZE, line)
        if row is None:
            continue
        for column, point in zip("ABCDEFGHJ", row.group(2).split()):
            if point in "XO":
                found["black" if point == "X" else "white"].add(f"{column}{row.group(1)}")
    return found


def area(stones: dict[str, set[str]]) -> dict[str, int]:
    """Stones and what they alone surround."""
    owner = {stone: color for color, group in stones.items() for stone in group}
    points = {color: len(group) for color, group in stones.items()}
    columns = "ABCDEFGHJ"[:SIZE]
    todo = {f"{column}{row}" for column in columns for row in range(1, SIZE + 1)} - owner.keys()
    while todo:
        region, borders, edge = set(), set(), [todo.pop()]
        while edge:
            point = edge.pop()
            region.add(point)
            x, y = columns.index(point[0]), int(point[1:])
            for near_x, near_y in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if not (0 <= near_x < SIZE and 1 <= near_y <= SIZE):
                    continue
                near = f"{columns[near_x]}{near_y}"
                if near in owner:
                    borders.add(owner[near])
                elif near in todo:
                    todo.remove(near)
                    edge.append(near)
        if len(borders) == 1:
            points[borders.pop()] += len(region)
    return points


def score_text(points: dict[str, int]) -> str:
    lead = points["black"] - points["white"] - KOMI
    return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"


class VirtualEngineTest(unittest.IsolatedAsyncioTestCase):
    async def test_gnu_go_plays_itself_to_two_passes(self) -> None:
        daemon = Daemon(CONFIG)
        self.addCleanup(daemon.stop)
        caller = Caller(lambda: tengen_client.open_socket(daemon.url))
        engine = VirtualEngine(caller)
        await engine.open("gnugo", level="1")
        self.assertEqual((await engine.call("ProtocolVersion")).version, 2)
        self.assertEqual((await engine.call("Name")).name, "GNU Go")
        witness = Witness()
        self.addCleanup(witness.close)
        passes = moves = 0
        while passes < 2:
            color = (gtp_pb2.BLACK, gtp_pb2.WHITE)[moves % 2]
            move = (await engine.call("GenMove", color=color)).move
            moves += 1
            self.assertLess(moves, MOVES_MAX)
            self.assertEqual(move.color, color)
            self.assertNotEqual(move.type, gtp_pb2.Move.RESIGN)
            is_pass = move.type == gtp_pb2.Move.PASS
            passes = passes + 1 if is_pass else 0
            vertex = "pass" if is_pass else f"{move.vertex.column}{move.vertex.row}"
            witness.say(f"play {COLORS[color]} {vertex}")
            shown = stones_on(await engine.raw("showboard"))
            for name in COLORS.values():
                self.assertEqual(shown[name], witness.stones(name), f"after move {moves}, {vertex}")
        self.assertGreater(moves, 20)
        self.assertEqual(await engine.raw("final_score"), score_text(area(shown)))
        # Undo steps back over the passes, to the board before the last stone.
        for _ in range(3):
            self.assertFalse((await engine.call("Undo")).HasField("error"))
            witness.say("undo")
        shown = stones_on(await engine.raw("showboard"))
        for name in COLORS.values():
            self.assertEqual(shown[name], witness.stones(name))
        self.assertFalse((await engine.call("Quit")).HasField("error"))
        with self.assertRaises(tengen_client.Refused):
            await engine.raw("showboard")
        await caller.close()


if __name__ == "__main__":
    unittest.main()
