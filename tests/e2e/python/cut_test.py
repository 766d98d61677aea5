#!/usr/bin/env python3
"""A game of two seats, played by the client in tengen_client.py, whose connection is cut at every
frame in turn and in every way: whenever it happens, the game ends up the same, event by event.

The program under test is $TENGEND, else the release build's.
"""
import asyncio
import enum
import itertools
import socket
import struct
import sys
import unittest
from dataclasses import dataclass, field
from typing import Any, Callable

sys.dont_write_bytecode = True
import tengen_client  # noqa: E402  (the line above has to come first)
from daemon import Daemon  # noqa: E402
from tengen_client import Seat, create_game, frame_pb2, game_pb2  # noqa: E402
from websockets.exceptions import ConnectionClosedError  # noqa: E402

# Sixty moves of GNU Go 3.8 against itself, black first, with random ones among them for the sake of
# captures, and three passes. What was captured, which stones are dead in the end and the score, by
# Chinese rules with a komi of 7.5, are GNU Go's word as well.
MOVES = """
E2 E5 D6 E6 D7 F8 C4 F3 F2 G3 F6 F7 E8 G6 G2 H2 D3 pass J5 H4 E4 F4 G8 F9 D5 E7 D8 G1 A2 E3
C3 F1 pass D2 C2 E1 E9 C1 B1 D1 D4 H7 H9 H8 A7 pass B8 H1 H3 J3 A4 E2 J4 H5 J2 J1 B5 C9 H6 J7
""".split()
CAPTURES = {36: {"E2", "F2", "G2"}, 50: {"H3"}, 56: {"J2"}}  # by the number of the move
DEAD = {"C9", "H9", "G8", "F6", "H6", "J5", "J4"}
DEAD_CHAINS = ["C9", "F6", "G8", "H6", "H9", "J5"]  # J4 is of J5's chain
SCORE = "W+16.5"
ACTS = ("played", "passed", "dead_listed")  # every other event follows from one of them

GAMES_AT_ONCE = 8  # while one waits for the disk, others go on
GAME_LIMIT_S = 30  # one that hangs is to fail by itself, with its cut named


class Moment(enum.Enum):
    """When the connection is lost, seen from a frame."""
    BEFORE_SENDING = "before sending"
    AFTER_SENDING = "after sending"
    INSTEAD_OF_READING = "instead of reading"  # the frame has come and the client never sees it
    AFTER_READING = "after reading"

    def is_of_sending(self) -> bool:
        return self in (Moment.BEFORE_SENDING, Moment.AFTER_SENDING)


@dataclass(frozen=True)
class Cut:
    moment: Moment
    frame: int  # counted from 0 over all connections of the game, in both directions

    def __str__(self) -> str:
        return f"cut {self.moment.value} frame {self.frame}"


@dataclass
class Scissors:
    """Counts the frames of one game and knows which one the cut is at."""
    cut: Cut | None
    sent: list[bool] = field(default_factory=list)  # of each frame: sent, or else read
    has_cut: bool = False

    def count(self, is_sent: bool) -> None:
        self.sent.append(is_sent)

    def is_now(self, moment: Moment) -> bool:
        if self.has_cut or self.cut != Cut(moment, len(self.sent) - 1):
            return False
        self.has_cut = True
        return True


class CuttableSocket:
    """A WebSocket that the scissors can end as a network does, without a word of the protocol."""

    def __init__(self, inner: Any, scissors: Scissors) -> None:
        self._inner = inner
        self._scissors = scissors
        self._is_cut = False

    async def send(self, data: bytes) -> None:
        self._scissors.count(is_sent=True)
        await self._maybe_cut(Moment.BEFORE_SENDING)
        self._throw_if_cut()
        await self._inner.send(data)
        await self._maybe_cut(Moment.AFTER_SENDING)
        self._throw_if_cut()

    async def recv(self) -> bytes:
        self._throw_if_cut()
        data = await self._inner.recv()
        self._scissors.count(is_sent=False)
        await self._maybe_cut(Moment.INSTEAD_OF_READING)
        self._throw_if_cut()
        await self._maybe_cut(Moment.AFTER_READING)  # seen by the next that sends or reads
        return data

    async def close(self) -> None:
        await self._inner.close()

    async def _maybe_cut(self, moment: Moment) -> None:
        if not self._scissors.is_now(moment):
            return
        self._is_cut = True
        if len(self._scissors.sent) % 2 == 0:  # by a reset; the others by an end of the stream
            linger = struct.pack("ii", 1, 0)
            raw = self._inner.transport.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self._inner.transport.abort()
        await self._inner.wait_closed()

    # Frames that had come before the cut are lost with it, not read from a buffer afterwards.
    def _throw_if_cut(self) -> None:
        if self._is_cut:
            raise ConnectionClosedError(None, None)


@dataclass
class Story:
    """What one game was for its two seats."""
    logs: list[list[Any]]  # each seat's events, without their times
    answers: list[tuple[int, int]]  # to each act in turn: seq and position_seq


class Table:
    """Two seats of a new game, who take turns over two connections."""

    def __init__(self, url: str, scissors: Scissors) -> None:
        self._url = url
        self._scissors = scissors
        self._answers: list[tuple[int, int]] = []

    async def play(self) -> Story:
        await self._sit_down()
        for number, move in enumerate([*MOVES, "pass", "pass"]):
            mover = await self._next_to_act(number)
            self._note(await (mover.pass_turn() if move == "pass" else mover.play(move)))
        for number, dead in enumerate((DEAD_CHAINS, DEAD_CHAINS[::-1])):
            seat = await self._next_to_act(number)
            self._note(await seat.list_dead(dead))
        for seat in self._seats:
            await self._leave(seat)
        return Story([without_times(seat.events) for seat in self._seats], self._answers)

    async def _connect(self) -> CuttableSocket:
        return CuttableSocket(await tengen_client.open_socket(self._url), self._scissors)

    async def _sit_down(self) -> None:
        human = game_pb2.SeatSpec(kind=game_pb2.SEAT_KIND_HUMAN)
        created = await create_game(self._connect, width=9, preset="chinese", seats=[human, human])
        # The ids of the acts are the same in each game, since they are part of the events.
        self._seats = [Seat(self._connect, created.game, each.ticket, ids_of(each.slot))
                       for each in created.tickets]
        for seat in self._seats:
            await seat.until(lambda seat: True)

    # Whoever acts has seen what the other has, so that each game has its frames in the same order.
    async def _next_to_act(self, number: int) -> Seat:
        seat, other = self._seats[number % 2], self._seats[1 - number % 2]
        await seat.until(lambda seat: len(seat.events) >= len(other.events))
        return seat

    def _note(self, accepted: Any) -> None:
        self._answers.append((accepted.seq, accepted.position_seq))

    # After a pong there can be nothing more that was still on its way.
    async def _leave(self, seat: Seat) -> None:
        await seat.until(lambda seat: seat.seen["finished"] == 1)
        await seat.ask(ping=frame_pb2.Ping(client_time_ms=1))
        await seat.close()


def ids_of(slot: int) -> Callable[[], str]:
    numbers = itertools.count(1)
    return lambda: f"slot-{slot}-act-{next(numbers)}"


def without_times(events: list[Any]) -> list[Any]:
    for event in events:
        event.ClearField("unix_ms")
    return events


async def play(url: str, scissors: Scissors) -> Story:
    async with asyncio.timeout(GAME_LIMIT_S):
        return await Table(url, scissors).play()


class CutTest(unittest.TestCase):
    daemon: Daemon
    uncut: Story
    frames: list[bool]  # of the uncut game: sent, or else read

    @classmethod
    def setUpClass(cls) -> None:
        cls.daemon = Daemon()
        try:
            scissors = Scissors(None)
            cls.uncut = asyncio.run(play(cls.daemon.url, scissors))
            cls.frames = scissors.sent
        except BaseException:
            cls.daemon.stop()
            raise

    @classmethod
    def tearDownClass(cls) -> None:
        cls.daemon.stop()

    def play_cut_at_every(self, moment: Moment) -> None:
        asyncio.run(self.play_cuts([Cut(moment, frame) for frame, is_sent in enumerate(self.frames)
                                    if is_sent == moment.is_of_sending()]))

    async def play_cuts(self, cuts: list[Cut]) -> None:
        at_once = asyncio.Semaphore(GAMES_AT_ONCE)
        async with asyncio.TaskGroup() as games:
            for cut in cuts:
                games.create_task(self.play_cut(cut, at_once))

    async def play_cut(self, cut: Cut, at_once: asyncio.Semaphore) -> None:
        scissors = Scissors(cut)
        async with at_once:
            try:
                story = await play(self.daemon.url, scissors)
            except Exception as error:
                error.add_note(str(cut))
                raise
        self.assertTrue(scissors.has_cut, cut)
        self.assertEqual(story.answers, self.uncut.answers, cut)
        for log in story.logs:
            self.assertEqual(log, self.uncut.logs[0], cut)

    def test_the_uncut_game_is_the_scripted_one_for_both_seats(self) -> None:
        events = self.uncut.logs[0]
        self.assertEqual(self.uncut.logs[1], events)
        self.assertEqual([event.seq for event in events], list(range(1, len(events) + 1)))
        self.assertEqual(moves_in(events), [*MOVES, "pass", "pass"])
        self.assertEqual(captures_in(events), CAPTURES)
        self.assertEqual(set(events[-2].scored.removed), DEAD)
        self.assertEqual(events[-1].finished.result.text, SCORE)

    def test_every_act_is_answered_with_the_number_of_its_own_event(self) -> None:
        acts = [event.seq for event in self.uncut.logs[0] if event.WhichOneof("body") in ACTS]
        self.assertEqual([seq for seq, _ in self.uncut.answers], acts)

    def test_a_cut_before_a_request_changes_nothing(self) -> None:
        self.play_cut_at_every(Moment.BEFORE_SENDING)

    def test_a_cut_right_after_a_request_changes_nothing(self) -> None:
        self.play_cut_at_every(Moment.AFTER_SENDING)

    def test_a_cut_that_swallows_a_reply_or_a_push_changes_nothing(self) -> None:
        self.play_cut_at_every(Moment.INSTEAD_OF_READING)

    def test_a_cut_right_after_a_reply_or_a_push_changes_nothing(self) -> None:
        self.play_cut_at_every(Moment.AFTER_READING)


def moves_in(events: list[Any]) -> list[str]:
    return [event.played.vertex if event.HasField("played") else "pass"
            for event in events if event.WhichOneof("body") in ("played", "passed")]


def captures_in(events: list[Any]) -> dict[int, set[str]]:
    captures: dict[int, set[str]] = {}
    moves = 0
    for event in events:
        moves += event.WhichOneof("body") in ("played", "passed")
        if event.HasField("captured"):
            captures[moves] = set(event.captured.vertices)
    return captures


if __name__ == "__main__":
    unittest.main()
