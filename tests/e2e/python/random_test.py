#!/usr/bin/env python3
"""Fifty games at once between people whose connections do what connections do: they break before and
after a request and before an answer, so that everything is asked for again; they send things that
are nothing, and acts for positions that are gone. Every game is the same for both sides, is there
after a kill -9, and leaves nothing behind.

The program under test is $TENGEND, else the release build's.
"""
import asyncio
import os
import random
import sys
import unittest
from typing import Any

sys.dont_write_bytecode = True
import tengen_client  # noqa: E402  (the line above has to come first)
from daemon import Daemon  # noqa: E402
from tengen_client import Caller, Refused, Seat, create_game, frame_pb2, game_pb2  # noqa: E402
from websockets.exceptions import ConnectionClosedError  # noqa: E402

GAMES = 50
MOVES = 30
MISHAP = 0.08  # of each frame
GAME_LIMIT_S = 100
SETTLE_LIMIT_S = 20


class Mischief:
    """A socket with mishaps of its own."""

    def __init__(self, socket: Any, chance: random.Random) -> None:
        self._socket = socket
        self._chance = chance

    async def send(self, data: bytes) -> None:
        kind = self._chance.randrange(3) if self._chance.random() < MISHAP else None
        if kind == 0:
            await self._break()
        elif kind == 1:
            await self._socket.send(bytes(self._chance.randrange(256) for _ in range(20)) + b"\xff")
        await self._socket.send(data)
        if kind == 2:
            await self._break()

    async def recv(self) -> bytes:
        if self._chance.random() < MISHAP / 4:
            await self._break()
        return await self._socket.recv()

    async def close(self) -> None:
        await self._socket.close()

    async def _break(self) -> None:
        self._socket.transport.abort()
        raise ConnectionClosedError(None, None)


class Game:
    def __init__(self, daemon: Daemon, seed: int) -> None:
        self._daemon = daemon
        self._chance = random.Random(seed)
        self.name = ""
        self.stale = 0

    async def play(self) -> list[Any]:
        human = game_pb2.SeatSpec(kind=game_pb2.SEAT_KIND_HUMAN)
        created = await create_game(self._calm, width=7, preset="chinese", seats=[human, human])
        self.name = created.game
        seats = [Seat(self._wild, created.game, each.ticket) for each in created.tickets]
        for seat in seats:
            await seat.until(lambda seat: True)
        for number in range(MOVES):
            mover, other = seats[number % 2], seats[1 - number % 2]
            await mover.until(lambda seat: len(seat.events) >= len(other.events))
            if number > 0 and self._chance.random() < 0.1:
                await self._ask_for_what_is_gone(mover)
            legal = await mover.ask(get_legal_moves=frame_pb2.GetLegalMoves(game=self.name))
            await mover.play(self._chance.choice(list(legal.vertices)))
        await seats[0].until(lambda seat: len(seat.events) >= len(seats[1].events))
        await seats[0].ask(resign=frame_pb2.Resign(game=self.name, request_id="resign"))
        for seat in seats:
            await seat.until(lambda seat: seat.seen["finished"] == 1)
            await seat.close()
        return [seat.events for seat in seats]

    async def _ask_for_what_is_gone(self, seat: Seat) -> None:
        try:
            await seat.ask(pass_turn=frame_pb2.Pass(
                game=self.name, request_id=f"stale-{self._chance.random()}", position_seq=0))
        except Refused as refused:
            if refused.error.code != frame_pb2.ERROR_CODE_STALE:
                raise
            self.stale += 1
        else:
            raise AssertionError("a pass for a position that is gone was made")

    async def _calm(self) -> Any:
        return await tengen_client.open_socket(self._daemon.url)

    async def _wild(self) -> Mischief:
        return Mischief(await self._calm(), self._chance)


class RandomTest(unittest.IsolatedAsyncioTestCase):
    async def test_fifty_games_go_through_every_mishap(self) -> None:
        daemon = Daemon()
        self.addCleanup(daemon.stop)
        descriptors = len(os.listdir(f"/proc/{daemon.pid}/fd"))
        games = [Game(daemon, seed) for seed in range(GAMES)]
        async with asyncio.timeout(GAME_LIMIT_S):
            logs = await asyncio.gather(*(game.play() for game in games))
        self.assertGreater(sum(game.stale for game in games), 0)
        for black, white in logs:
            self.assertEqual(black, white)
            plays = sum(event.WhichOneof("body") == "played" for event in black)
            self.assertEqual(plays, MOVES)
        async with asyncio.timeout(SETTLE_LIMIT_S):
            while len(os.listdir(f"/proc/{daemon.pid}/fd")) > descriptors:
                await asyncio.sleep(0.05)
        daemon.kill()
        daemon.restart()
        caller = Caller(lambda: tengen_client.open_socket(daemon.url))
        for game, (black, _) in zip(games, logs):
            snapshot = await caller.ask(get_snapshot=frame_pb2.GetSnapshot(game=game.name))
            self.assertEqual(snapshot.seq, len(black))
            self.assertEqual(len(snapshot.moves), MOVES)
            self.assertTrue(snapshot.HasField("result"))
        await caller.close()


if __name__ == "__main__":
    unittest.main()
