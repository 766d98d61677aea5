#!/usr/bin/env python3
"""The conversation in docs/protocol.md, sent to a daemon as it stands there: each answer has what the
page shows of it. Names that the daemon draws, of games and tickets, may be others.

The program under test is $TENGEND, else the release build's.
"""
import asyncio
import json
import pathlib
import sys
import unittest
from typing import Any

sys.dont_write_bytecode = True
import websockets  # noqa: E402  (the line above has to come first)
from daemon import Daemon  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "protocol.md"
DRAWN = ("game", "ticket")  # keys whose values the daemon draws
ANSWER_LIMIT_S = 20


def conversation() -> list[tuple[str, str]]:
    """The page's frames, each with its direction."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    return [(line[0], line[2:]) for line in lines if line.startswith(("> {", "< {"))]


class PageTest(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.drawn: dict[str, str] = {}  # what the daemon drew, by what the page has for it
        self.daemon = Daemon()
        self.addCleanup(self.daemon.stop)

    def assert_shown(self, shown: Any, come: Any, where: str) -> None:
        """What the page shows has come; more may have."""
        if isinstance(shown, dict):
            for key, value in shown.items():
                self.assertIn(key, come, where)
                if key in DRAWN and isinstance(value, str):
                    self.assertEqual(self.drawn.setdefault(value, come[key]), come[key], where)
                else:
                    self.assert_shown(value, come[key], f"{where}.{key}")
        elif isinstance(shown, list):
            self.assertEqual(len(shown), len(come), where)
            for index, value in enumerate(shown):
                self.assert_shown(value, come[index], f"{where}[{index}]")
        else:
            self.assertEqual(shown, come, where)

    async def test_the_pages_conversation_goes_as_it_says(self) -> None:
        frames = conversation()
        self.assertGreater(len(frames), 10)
        async with websockets.connect(self.daemon.url, subprotocols=["tengen.v1.json"]) as socket:
            for direction, text in frames:
                if direction == "<":
                    answer = await asyncio.wait_for(socket.recv(), ANSWER_LIMIT_S)
                    self.assert_shown(json.loads(text), json.loads(answer), text)
                    continue
                for name, drawn in self.drawn.items():
                    text = text.replace(name, drawn)
                await socket.send(text)


if __name__ == "__main__":
    unittest.main()
