#!/usr/bin/env python3
"""The records that `tengen play` writes, read and written again by @sabaki/sgf, a reader that many
programs for people use (case 29): awkward names come back as they were.

Needs node, and @sabaki/sgf below build/npm or wherever $NODE_PATH says:
npm install --prefix build/npm --no-save @sabaki/sgf@3.4.7
The programs under test are those of the release build, or $TENGEND and $TENGEN.
"""
import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "e2e" / "python"))
import tengen_client  # noqa: E402  (the lines above have to come first)
from daemon import Daemon  # noqa: E402
from tengen_client import Seat, create_game, game_pb2  # noqa: E402

TENGEN = os.environ.get("TENGEN", str(ROOT / "build" / "release" / "bin" / "tengen"))
NODE_PATH = os.environ.get("NODE_PATH", str(ROOT / "build" / "npm" / "node_modules"))
LIMIT_S = 60

# A name and how FF[4] has it between brackets: with a backslash before ] and \.
NAMES = {
    "Müller[3k]\\": "Müller[3k\\]\\\\",
    "柯潔 九段": "柯潔 九段",
    "🤖 👩🏽": "🤖 👩🏽",
    "](;B[aa]": "\\](;B[aa\\]",
    "a:b;c(d)'\"": "a:b;c(d)'\"",
    "\\\\]": "\\\\\\\\\\]",
    "]" * 64: "\\]" * 64,
}

# Each node of the main line from the root, and the file as the library writes it.
READER = """
const sgf = require('@sabaki/sgf');
const trees = sgf.parseFile(process.argv[1]);
const line = [];
for (let node = trees[0]; node; node = node.children[0]) line.push(node.data);
console.log(JSON.stringify({games: trees.length, line, text: sgf.stringify(trees)}));
"""


async def record(url: str, black: str, white: str, file: pathlib.Path) -> str:
    """E5, C3, and black resigns at the terminal, which writes the record."""
    async def connect() -> tengen_client.Socket:
        return await tengen_client.open_socket(url)

    seats = [game_pb2.SeatSpec(kind=game_pb2.SEAT_KIND_HUMAN, name=name) for name in (black, white)]
    created = await create_game(connect, width=9, preset="chinese", seats=seats)
    tickets = {each.slot: each.ticket for each in created.tickets}
    players = [Seat(connect, created.game, tickets[slot]) for slot in (1, 2)]
    await players[0].play("E5")
    await players[1].until(lambda seat: len(seat.events) >= 1)
    await players[1].play("C3")
    for player in players:
        await player.close()
    subprocess.run([TENGEN, "play", "--join", tickets[1], "--sgf", file, "--server", url],
                   input=b"resign\n", stdout=subprocess.DEVNULL, check=True, timeout=LIMIT_S)
    return file.read_text(encoding="utf-8")


def read_by_sabaki(file: pathlib.Path) -> dict:
    ran = subprocess.run(["node", "-e", READER, file], stdout=subprocess.PIPE, check=True,
                         timeout=LIMIT_S, env={**os.environ, "NODE_PATH": NODE_PATH})
    return json.loads(ran.stdout)


class SabakiTest(unittest.TestCase):
    def test_awkward_names_come_back_as_they_were(self) -> None:
        daemon = Daemon()
        self.addCleanup(daemon.stop)
        names = list(NAMES)
        with tempfile.TemporaryDirectory(prefix="tengen-sgf-") as folder:
            file = pathlib.Path(folder) / "game.sgf"
            for black, white in zip(names, names[1:] + names[:1]):
                with self.subTest(black=black):
                    text = asyncio.run(record(daemon.url, black, white, file))
                    players = f"PB[{NAMES[black]}]PW[{NAMES[white]}]"
                    self.assertIn(players, text)
                    read = read_by_sabaki(file)
                    self.assertEqual(read["games"], 1)
                    root, *moves = read["line"]
                    self.assertEqual((root["PB"], root["PW"]), ([black], [white]))
                    self.assertEqual((root["CA"], root["RE"]), (["UTF-8"], ["W+R"]))
                    self.assertEqual(moves, [{"B": ["ee"]}, {"W": ["cg"]}])
                    self.assertIn(players, read["text"])


if __name__ == "__main__":
    unittest.main()
