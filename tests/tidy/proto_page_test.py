#!/usr/bin/env python3
"""Proves what is made of a .proto file and its comments, and that a page of other files is found."""
import contextlib
import io
import os
import sys
import unittest

sys.dont_write_bytecode = True
import proto_page  # noqa: E402
from wire.trees import tree  # noqa: E402

FRAME = "protocol/tengen/v1/frame.proto"
GAME = "protocol/tengen/v1/game.proto"
GTP = "protocol/gtp/gtp.proto"
LOG = "protocol/tengen/v1/log.proto"
HEAD = 'syntax = "proto3";\npackage tengen.v1;\n'


class ProtoPageTest(unittest.TestCase):
    def run_on(self, root, *options):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = proto_page.main([*options, root])
        return status, printed.getvalue()

    def page(self, files):
        """The page of a tree, without its header; the check agrees with what was written."""
        with tree({proto_page.PAGE: "", **files}) as root:
            self.assertEqual((0, ""), self.run_on(root, "--write"))
            self.assertEqual((0, ""), self.run_on(root))
            with open(os.path.join(root, proto_page.PAGE), encoding="utf-8") as file:
                text = file.read()
        self.assertTrue(text.startswith(proto_page.HEADER))
        return text[len(proto_page.HEADER):]

    def test_a_message_has_its_comment_its_users_and_its_fields(self):
        self.assertEqual("""
**[tengen/v1/frame.proto](#tengenv1frameproto)**: [Frame](#frame) · [PlayNow](#playnow)

## tengen/v1/frame.proto

What this file is about.

### Frame

Used in [PlayNow](#playnow).

| no. | field | type | meaning |
|---|---|---|---|
| 1 | `id` | uint32 | Of the request, 1\\|2 and more. |

One of `body`: what is asked.

| no. | field | type | meaning |
|---|---|---|---|
| 10 | `play` | [PlayNow](#playnow) | Answered by [Frame](#frame). |

### PlayNow

Plays.
At once.

Used in [Frame](#frame).

| no. | field | type | meaning |
|---|---|---|---|
| 1 | `points` | repeated string | As in [Frame.id](#frame), not in Other.id. |
| 2 | `komi` | optional sint32 | With a [PlayNow](#playnow) only. |
| 3 | `frames` | map&lt;string, [Frame](#frame)> | By name. |

Not used any more: 4, 6 to 8, `old`.
""", self.page({FRAME: "// What this file is about.\n" + HEAD + """\
message Frame {
  uint32 id = 1;  // Of the request, 1|2 and more.
  // what is asked.
  oneof body {
    PlayNow play = 10;  // Answered by Frame.
  }
}
// Plays.
// At once.
message PlayNow {
  // As in Frame.id, not
  // in Other.id.
  repeated string points = 1;
  optional sint32 komi = 2;  // With a PlayNow only.
  map<string, Frame> frames = 3;  // By name.
  reserved 4, 6 to 8;
  reserved "old";
}
"""}))

    def test_an_enum_has_its_values(self):
        self.assertIn("""
### Color

Whose.

| no. | value | meaning |
|---|---|---|
| 0 | `COLOR_UNSPECIFIED` | Nobody's. |
| 1 | `COLOR_BLACK` | Black's. |
""", self.page({GAME: HEAD + "// Whose.\nenum Color {\n  COLOR_UNSPECIFIED = 0;  // Nobody's.\n"
                             "  COLOR_BLACK = 1;  // Black's.\n}\n"}))

    def test_a_message_without_fields_says_so(self):
        self.assertIn("\n### Leave\n\nIt has no fields.\n", self.page({GAME: HEAD +
                                                                      "message Leave {}\n"}))

    def test_other_packages_keep_their_names_in_full(self):
        text = self.page({GTP: 'syntax = "proto3";\npackage gtp;\nmessage Move {\n'
                               '  enum Type { PASS = 0; }\n  Type type = 1;\n}\n',
                          GAME: HEAD + "message Move {}\n"})
        self.assertIn("\n### gtp.Move.Type\n\nUsed in [gtp.Move](#gtpmove).\n", text)
        self.assertIn("| 1 | `type` | [gtp.Move.Type](#gtpmovetype) |", text)

    def test_frames_come_first_and_the_log_last(self):
        text = self.page({GTP: 'syntax = "proto3";\npackage gtp;\n', LOG: HEAD, FRAME: HEAD,
                          GAME: HEAD})
        headings = [line for line in text.splitlines() if line.startswith("## ")]
        self.assertEqual(["## tengen/v1/frame.proto", "## tengen/v1/game.proto",
                          "## gtp/gtp.proto", "## tengen/v1/log.proto"], headings)

    def test_a_page_of_other_files_is_a_breach_that_shows_the_difference(self):
        old = HEAD + "message Leave {\n  string why = 1;  // Why.\n}\n"
        with tree({proto_page.PAGE: "", GAME: old}) as root:
            self.run_on(root, "--write")
            with open(os.path.join(root, GAME), "w", encoding="utf-8") as file:
                file.write(old.replace("Why.", "Why not."))
            status, printed = self.run_on(root)
        self.assertEqual(1, status)
        self.assertIn("-| 1 | `why` | string | Why. |\n+| 1 | `why` | string | Why not. |", printed)
        self.assertIn(f"{proto_page.PAGE}:1: is not of these .proto files: run", printed)

    def test_a_missing_page_is_a_breach_of_some_lines(self):
        with tree({GAME: HEAD + "message A {}\nmessage B {}\nmessage C {}\nmessage D {}\n"
                                "message E {}\nmessage F {}\nmessage G {}\n"}) as root:
            status, printed = self.run_on(root)
        self.assertEqual(1, status)
        self.assertEqual(proto_page.DIFFERENCE_LINES_MAX + 2, printed.count("\n"))

    def test_two_things_with_one_anchor_are_a_breach(self):
        with tree({GAME: HEAD + "message Gtpmove {}\n",
                   GTP: 'syntax = "proto3";\npackage gtp;\nmessage Move {}\n'}) as root:
            status, printed = self.run_on(root, "--write")
        self.assertEqual(1, status)
        self.assertIn("gtp.Move and Gtpmove have the same anchor", printed)

    def test_what_protoc_refuses_is_one_breach(self):
        with tree({GAME: HEAD + "message A {\n"}) as root:
            self.assertEqual(1, self.run_on(root)[0])


if __name__ == "__main__":
    unittest.main()
