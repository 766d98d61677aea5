"""A client for tengen.v1 with nothing but the .proto files to go by: it makes its message classes
from them when it is loaded. It shows what any client has to do, in whatever language, so that a
lost connection costs nothing: number the events, send an unanswered request again as it was, and
subscribe from the last event seen.

Needs protoc, and of Debian python3-protobuf and python3-websockets.
"""
import importlib
import pathlib
import secrets
import ssl
import subprocess
import sys
import tempfile
from collections import Counter
from types import ModuleType
from typing import Any, Awaitable, Callable, Iterable, Protocol

import websockets
from google.protobuf.message import Message
from websockets.exceptions import ConnectionClosed

PROTOCOL = pathlib.Path(__file__).resolve().parents[3] / "protocol"
SUBPROTOCOL = "tengen.v1.pb"

# Closed with one of these, a client that connects again would only be told the same again: the
# table in frame.proto. Any other end, and one without a code, is worth another connection.
HOPELESS = {1003, 1007, 1009, 4003, 4004, 4008, 4010}

# The events that change position_seq: what comes of a move, such as a capture, does not.
POSITION_CHANGES = {"played", "passed", "undone", "handicap_placed"}


def make_messages(protocol: pathlib.Path) -> dict[str, ModuleType]:
    """The module of each .proto file by its path, such as tengen.v1.frame, as protoc writes it."""
    sources = sorted(map(str, protocol.glob("**/*.proto")))
    with tempfile.TemporaryDirectory() as folder:
        options = [f"--proto_path={protocol}", f"--python_out={folder}"]
        subprocess.run(["protoc", *options, *sources], check=True)
        sys.path.insert(0, folder)  # the modules include each other from this root
        try:
            names = [str(source.relative_to(protocol).with_suffix("")).replace("/", ".")
                     for source in map(pathlib.Path, sources)]
            return {name: importlib.import_module(f"{name}_pb2") for name in names}
        finally:
            sys.path.remove(folder)


MESSAGES = make_messages(PROTOCOL)
frame_pb2, game_pb2 = MESSAGES["tengen.v1.frame"], MESSAGES["tengen.v1.game"]


class Refused(Exception):
    """The daemon's answer is an Error. Programs look at error.code, people at the text."""

    def __init__(self, error: Any) -> None:
        code = frame_pb2.ErrorCode.Name(error.code)
        super().__init__(f"{code} ({error.reason}): {error.message}")
        self.error = error


class Broken(Exception):
    """The daemon did what tengen.v1 rules out."""


class Socket(Protocol):
    """What is needed of a WebSocket; websockets.connect() gives one."""

    async def send(self, data: bytes) -> None: ...

    async def recv(self) -> bytes: ...

    async def close(self) -> None: ...


async def open_socket(url: str, ca_file: str | None = None) -> Socket:
    """With wss:// the certificates of the file are trusted, or without one those of the system."""
    trust = ssl.create_default_context(cafile=ca_file) if url.startswith("wss://") else None
    # Frames have about a hundred bytes, which compression would not make fewer.
    return await websockets.connect(url, subprotocols=[SUBPROTOCOL], compression=None, ssl=trust)


def events_in(frame: Any) -> Iterable[Any]:
    """Events come in three ways: after a subscription, beside the answer to an act, as pushes. They
    are in order over all three, so they are taken as the frames arrive."""
    match frame.WhichOneof("body"):
        case "subscribed":
            return frame.subscribed.events.events
        case "accepted":
            return frame.accepted.events.events
        case "game_events":
            return frame.game_events.events
    return ()


class Link:
    """One connection. It has one request open at a time, though the protocol allows more."""

    def __init__(self, socket: Socket, take: Callable[[Any], None]) -> None:
        self._socket = socket
        self._take = take
        self._id = 0  # of the last request; they are the connection's own and start anew with it

    async def ask(self, **body: Message) -> Any:
        """The reply to one request, such as ask(hello=Hello(version=1))."""
        self._id += 1
        request = frame_pb2.ClientFrame(id=self._id, **body)
        await self._socket.send(request.SerializeToString())
        while (frame := await self._read()).reply_to == 0:
            pass  # a push that was on its way already
        if frame.reply_to != self._id:
            raise Broken(f"an answer to request {frame.reply_to}, which is not open")
        reply = getattr(frame, frame.WhichOneof("body"))
        if frame.HasField("error"):
            raise Refused(reply)
        return reply

    async def push(self) -> None:
        """Waits for a push and takes its events."""
        frame = await self._read()
        if frame.reply_to != 0:
            raise Broken(f"an answer to request {frame.reply_to}, which has been answered")

    async def close(self) -> None:
        await self._socket.close()

    async def _read(self) -> Any:
        frame = frame_pb2.ServerFrame.FromString(await self._socket.recv())
        for event in events_in(frame):
            self._take(event)
        return frame


class Caller:
    """Requests that outlive their connection: when it is lost, a new one is made and what had no
    answer is sent again, byte for byte. The request_id in it lets the daemon do it once."""

    def __init__(self, connect: Callable[[], Awaitable[Socket]]) -> None:
        self._connect = connect
        self._link: Link | None = None

    async def ask(self, **body: Message) -> Any:
        return await self._on_link(lambda link: link.ask(**body))

    async def close(self) -> None:
        if self._link is not None:
            await self._link.close()

    # A daemon that cannot be reached at all is the caller's business: connect() throws OSError. A
    # program that runs unattended would then wait, longer each time, and try again.
    async def _on_link(self, step: Callable[[Link], Awaitable[Any]]) -> Any:
        while True:
            try:
                if self._link is None:
                    self._link = await self._greet()
                return await step(self._link)
            except ConnectionClosed as closed:
                self._link = None
                if closed.rcvd is not None and closed.rcvd.code in HOPELESS:
                    raise

    async def _greet(self) -> Link:
        link = Link(await self._connect(), self._take)
        await link.ask(hello=frame_pb2.Hello(version=1, client="tengen_client.py"))
        return link

    def _take(self, event: Any) -> None:
        raise Broken(f"event {event.seq} of a game that was not subscribed to")


class Seat(Caller):
    """One seat of one game, and the game's events from the first on. What it knows beside them, the
    game's name and the ticket, is enough to go on after any interruption."""

    def __init__(self, connect: Callable[[], Awaitable[Socket]], game: str, ticket: str,
                 new_id: Callable[[], str] = lambda: secrets.token_hex(16)) -> None:
        super().__init__(connect)
        self.events: list[Any] = []
        self.seen: Counter[str] = Counter()  # how many events of each kind
        self._game = game
        self._ticket = ticket
        self._new_id = new_id
        self._position_seq = 0

    async def play(self, vertex: str) -> Any:
        return await self._act("play", frame_pb2.Play, vertex=vertex)

    async def pass_turn(self) -> Any:
        return await self._act("pass_turn", frame_pb2.Pass)

    async def list_dead(self, vertices: list[str]) -> Any:
        dead = frame_pb2.ListDead(vertices=vertices)
        return await self._act("act", frame_pb2.GameAct, list_dead=dead)

    async def until(self, is_there: Callable[["Seat"], bool]) -> None:
        """Waits until the events are such. Asked anew after each frame and reconnection."""
        async def read(link: Link) -> None:
            while not is_there(self):
                await link.push()
        await self._on_link(read)

    # The id is made once, before the first try, and not once for each try. The answer to a resend
    # has no events with it. They come with the subscription or as a push, and no promise is made
    # that they do so before the answer.
    async def _act(self, field: str, act: Callable[..., Message], **details: Any) -> Any:
        request = act(game=self._game, request_id=self._new_id(),
                      position_seq=self._position_seq, **details)
        accepted = await self.ask(**{field: request})
        await self.until(lambda seat: len(seat.events) >= accepted.seq)
        return accepted

    # A new connection has joined nothing and watches nothing. after_seq is given even if it is 0,
    # since an absent one asks for a snapshot and not for the events.
    async def _greet(self) -> Link:
        link = await super()._greet()
        await link.ask(join_game=frame_pb2.JoinGame(ticket=self._ticket))
        after = frame_pb2.Subscribe(game=self._game, after_seq=len(self.events))
        subscribed = await link.ask(subscribe=after)
        if len(self.events) != subscribed.head:
            raise Broken(f"{len(self.events)} events, but the last one is {subscribed.head}")
        return link

    def _take(self, event: Any) -> None:
        if event.seq != len(self.events) + 1:
            raise Broken(f"event {event.seq} came after event {len(self.events)}")
        self.events.append(event)
        kind = event.WhichOneof("body")
        self.seen[kind] += 1
        if kind in POSITION_CHANGES:
            self._position_seq = event.seq


async def create_game(connect: Callable[[], Awaitable[Socket]], **fields: Any) -> Any:
    """A new game, such as create_game(connect, width=9, seats=[...]); the answer has its name and
    the tickets. Whoever knows the request_id gets the same answer, so it is a secret."""
    caller = Caller(connect)
    request = frame_pb2.CreateGame(request_id=secrets.token_hex(16), **fields)
    created = await caller.ask(create_game=request)
    await caller.close()
    return created
