#!/usr/bin/env python3
"""Sixty plays and a genmove for a virtual engine arrive in one TCP segment while the engine's process
is still starting: it is told all of them in their order, and then asked (case 25). The plays are a
fight for a ko, so that a play that overtook another would be refused.

The program under test is $TENGEND, else the release build's.
"""
import asyncio
import pathlib
import socket
import struct
import sys
import tempfile
import time
import unittest
import urllib.request
from typing import Any

from websockets.frames import OP_BINARY, Frame

sys.dont_write_bytecode = True
import tengen_client  # noqa: E402  (the line above has to come first)
from daemon import Daemon  # noqa: E402
from tengen_client import MESSAGES  # noqa: E402

frame_pb2 = MESSAGES["tengen.v1.frame"]
virtual_pb2 = MESSAGES["tengen.v1.virtual"]
gtp_pb2 = MESSAGES["gtp.gtp"]

SIZE = 9
PATIENCE_S = 60
PLAYS = 60
ANSWER = "E6"  # a free point in the end

# It starts no further until the file `go` is there, and writes down what it is told.
ENGINE = """cd "{folder}"; : > started; while [ ! -e go ]; do sleep 0.02; done
while read -r id command rest; do
  echo "$command $rest" >> told
  case $command in
    quit) printf '=%s\\n\\n' $id; exit 0;;
    genmove) printf '=%s {answer}\\n\\n' $id;;
    *) printf '=%s \\n\\n' $id;;
  esac
done"""
CONFIG = "[[profile]]\nname = \"gated\"\nprocesses_max = 1\ncommand = [\"sh\", \"-c\", '''{engine}''']\n"


def ko_fight() -> list[tuple[str, str]]:
    """White D4 and black E4 take each other in turn, which needs a threat and an answer each time.
    White's threats and answers are on the left, black's on the right: they take nothing."""
    white = [f"{column}{row}" for row in (6, 7, 8, 9) for column in "ABCD"] + ["E9", "A5"]
    black = [f"{column}{row}" for row in (6, 7, 8, 9) for column in "FGHJ"] + ["J5", "J4"]
    moves = [("B", "C4"), ("W", "F4"), ("B", "D5"), ("W", "E5"), ("B", "D3"), ("W", "E3"),
             ("B", "J1"), ("W", "D4"), ("B", "E4")]
    while len(moves) < PLAYS:
        moves += [("W", white.pop(0)), ("B", black.pop(0)), ("W", "D4"),
                  ("B", black.pop(0)), ("W", white.pop(0)), ("B", "E4")]
    return moves[:PLAYS]


def play_call(number: int, color: str, vertex: str) -> bytes:
    move = gtp_pb2.Move(type=gtp_pb2.Move.PLACE,
                        color=gtp_pb2.BLACK if color == "B" else gtp_pb2.WHITE,
                        vertex=gtp_pb2.Vertex(column=vertex[0], row=int(vertex[1:])))
    return gtp_pb2.PlayRequest(id=number, move=move).SerializeToString()


def segments_sent(transport: asyncio.WriteTransport) -> int:
    """TCP segments with data that the kernel has sent: tcpi_data_segs_out."""
    info = transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    return int(struct.unpack_from("I", info, 156)[0])


class Client:
    """Frames by hand: many requests in one write, and their answers in whatever order they come."""

    def __init__(self, socket_: Any) -> None:
        self._socket = socket_
        self._id = 0

    def frame(self, **body: Any) -> bytes:
        self._id += 1
        request = frame_pb2.ClientFrame(id=self._id, **body)
        return Frame(OP_BINARY, request.SerializeToString()).serialize(mask=True)

    def write(self, frames: list[bytes]) -> int:
        """In one write; gives the number of segments that it became."""
        transport = self._socket.transport
        before = segments_sent(transport)
        transport.write(b"".join(frames))
        return segments_sent(transport) - before

    async def read(self) -> Any:
        data = await asyncio.wait_for(self._socket.recv(), PATIENCE_S)
        return frame_pb2.ServerFrame.FromString(data)

    async def ask(self, **body: Any) -> Any:
        self.write([self.frame(**body)])
        answer = await self.read()
        if answer.HasField("error"):
            raise tengen_client.Refused(answer.error)
        return getattr(answer, answer.WhichOneof("body"))

    async def open_engine(self) -> str:
        start = gtp_pb2.Game(size=SIZE, komi=0)
        opened = await self.ask(open_virtual_engine=virtual_pb2.OpenVirtualEngine(
            profile="gated", start=start))
        return str(opened.engine)

    def call(self, engine: str, method: str, request: bytes) -> bytes:
        return self.frame(gtp_call=virtual_pb2.GtpCall(engine=engine, method=method,
                                                       request=request))


def plays_of(client: Client, engine: str, moves: list[tuple[str, str]]) -> list[bytes]:
    return [client.call(engine, "Play", play_call(number, *move))
            for number, move in enumerate(moves, 1)]


def engines_ready(daemon: Daemon) -> float:
    text = urllib.request.urlopen(f"http://127.0.0.1:{daemon.port}/metrics").read().decode()
    line = next(line for line in text.split("\n")
                if line.startswith('tengen_engines_ready_total{profile="gated"}'))
    return float(line.split()[-1])


class BurstTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="tengen-burst-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.daemon = Daemon(CONFIG.format(engine=ENGINE.format(folder=self.folder,
                                                                answer=ANSWER)))
        self.addCleanup(self.daemon.stop)
        link = await tengen_client.open_socket(self.daemon.url)
        self.client = Client(link)
        self.addAsyncCleanup(link.close)
        await self.client.ask(hello=frame_pb2.Hello(version=1, client="burst_test.py"))

    async def until_started(self) -> None:
        limit = time.monotonic() + PATIENCE_S
        while not (self.folder / "started").exists():
            self.assertLess(time.monotonic(), limit, "the engine's process does not start")
            await asyncio.sleep(0.01)

    def told(self) -> list[str]:
        file = self.folder / "told"
        return file.read_text().splitlines() if file.exists() else []

    async def test_a_burst_before_the_start_is_told_in_order_and_then_asked(self) -> None:
        moves = ko_fight()
        engine = await self.client.open_engine()
        await self.until_started()
        frames = plays_of(self.client, engine, moves)
        request = gtp_pb2.GenMoveRequest(id=61, color=gtp_pb2.BLACK).SerializeToString()
        frames.append(self.client.call(engine, "GenMove", request))
        self.assertEqual(self.client.write(frames), 1, "one segment")

        for number in range(1, PLAYS + 1):
            answer = await self.client.read()
            self.assertEqual(answer.WhichOneof("body"), "gtp_reply", answer)
            played = gtp_pb2.PlayResponse.FromString(answer.gtp_reply.response)
            self.assertEqual(played.id, number)
            self.assertFalse(played.HasField("error"), f"{number}: {moves[number - 1]}")
        self.assertEqual(self.told(), [], "it has not begun to listen")
        self.assertEqual(engines_ready(self.daemon), 0)

        (self.folder / "go").touch()
        answer = await self.client.read()
        found = gtp_pb2.GenMoveResponse.FromString(answer.gtp_reply.response)
        self.assertEqual(found.id, 61)
        self.assertEqual(f"{found.move.vertex.column}{found.move.vertex.row}", ANSWER)
        told = [line for line in self.told() if line.split()[0] in ("play", "genmove", "undo")]
        self.assertEqual(told, [f"play {color} {vertex}" for color, vertex in moves] +
                         ["genmove B"])

    async def test_the_ko_is_held_where_the_order_is_wrong(self) -> None:
        """What the other test relies on: without the exchange before it the retake is refused."""
        engine = await self.client.open_engine()
        moves = ko_fight()[:9] + [("W", "D4")]
        self.client.write(plays_of(self.client, engine, moves))
        refused = []
        for number in range(1, len(moves) + 1):
            answer = await self.client.read()
            played = gtp_pb2.PlayResponse.FromString(answer.gtp_reply.response)
            if played.HasField("error"):
                refused.append((number, played.error.message))
        self.assertEqual(refused, [(10, "illegal move")])
        (self.folder / "go").touch()


if __name__ == "__main__":
    unittest.main()
