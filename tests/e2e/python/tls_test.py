#!/usr/bin/env python3
"""The client in tengen_client.py over TLS: it plays with a daemon whose certificate it is given, and
with no other.

The program under test is $TENGEND, else the release build's.
"""
import asyncio
import pathlib
import ssl
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import tengen_client  # noqa: E402  (the line above has to come first)
from daemon import CONFIG, Daemon  # noqa: E402
from tengen_client import Seat, create_game, game_pb2  # noqa: E402

MOVES = ["E5", "D4", "F4", "pass", "pass"]
GAME_LIMIT_S = 30


def make_certificate(folder: pathlib.Path, name: str, hosts: str) -> tuple[str, str]:
    """A certificate that signs itself, and its key."""
    certificate, key = str(folder / f"{name}.pem"), str(folder / f"{name}.key")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", f"/CN={name}",
                    "-addext", f"subjectAltName={hosts}", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True)
    return certificate, key


class TlsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="tengen-python-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def serve(self, hosts: str) -> tuple[str, str]:
        """The address of a daemon with a certificate for these hosts, and the certificate."""
        certificate, key = make_certificate(self.folder, "daemon", hosts)
        tls = f'[tls]\ncertificate = "{certificate}"\nkey = "{key}"\n'
        daemon = Daemon(tls + CONFIG)
        self.addCleanup(daemon.stop)
        return f"wss://127.0.0.1:{daemon.port}", certificate

    def refusal(self, url: str, ca_file: str | None) -> ssl.SSLCertVerificationError:
        with self.assertRaises(ssl.SSLCertVerificationError) as refused:
            asyncio.run(tengen_client.open_socket(url, ca_file))
        return refused.exception

    def test_a_game_of_two_seats(self) -> None:
        url, certificate = self.serve("IP:127.0.0.1")

        async def play() -> list[str]:
            async def connect() -> tengen_client.Socket:
                return await tengen_client.open_socket(url, certificate)

            human = game_pb2.SeatSpec(kind=game_pb2.SEAT_KIND_HUMAN)
            created = await create_game(connect, width=9, preset="tromp-taylor",
                                        seats=[human, human])
            seats = [Seat(connect, created.game, each.ticket) for each in created.tickets]
            for seat in seats:
                await seat.until(lambda seat: True)
            for number, move in enumerate(MOVES):
                seat = seats[number % 2]
                await seat.until(lambda seat, made=number: len(seat.events) >= made)
                await (seat.pass_turn() if move == "pass" else seat.play(move))
            for seat in seats:
                await seat.until(lambda seat: seat.seen["finished"] == 1)
                await seat.close()
            return [event.played.vertex for event in seats[0].events if event.HasField("played")]

        self.assertEqual(asyncio.run(asyncio.wait_for(play(), GAME_LIMIT_S)),
                         [move for move in MOVES if move != "pass"])

    def test_an_unknown_certificate_is_refused(self) -> None:
        url, _ = self.serve("IP:127.0.0.1")
        other, _ = make_certificate(self.folder, "other", "IP:127.0.0.1")
        for ca_file in (None, other):
            self.assertIn("self-signed certificate", str(self.refusal(url, ca_file)))

    def test_somebody_elses_certificate_is_refused(self) -> None:
        url, certificate = self.serve("DNS:other.example")
        self.assertIn("IP address mismatch", str(self.refusal(url, certificate)))


if __name__ == "__main__":
    unittest.main()
