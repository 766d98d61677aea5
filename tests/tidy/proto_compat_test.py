#!/usr/bin/env python3
"""Proves that every way to break what the .proto files have promised is found, and that what breaks
nothing is let through."""
import contextlib
import io
import os
import sys
import unittest

sys.dont_write_bytecode = True
import proto_compat  # noqa: E402
from wire.trees import HEAD, PATH, tree  # noqa: E402

# `Game` begins on line 3, its first field is on line 4; `Color` on line 13.
GAME = """\
message Game {
  string name = 1;
  uint32 size = 2;
  repeated Stone stones = 3;
  optional sint32 komi_half = 4;
  oneof end {
    Stone last = 5;
  }
  map<string, Color> colors = 6;
}
enum Color {
  COLOR_UNSPECIFIED = 0;
  COLOR_BLACK = 1;
}
message Stone {
  reserved 2, 5 to 9;
  reserved "old";
  string at = 1;
}
"""


class ProtoCompatTest(unittest.TestCase):
    def run_on(self, root, *options):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = proto_compat.main([*options, root])
        return status, printed.getvalue()

    def after(self, *changes, options=()):
        """What is printed when texts of GAME are replaced after its baseline was made."""
        text = HEAD + GAME
        with tree({PATH: text, proto_compat.BASELINE: ""}) as root:
            self.assertEqual((0, ""), self.run_on(root, "--write", "--break"))
            for old, new in changes:
                self.assertEqual(1, text.count(old), old)
                text = text.replace(old, new)
            with open(os.path.join(root, PATH), "w", encoding="utf-8") as file:
                file.write(text)
            status, printed = self.run_on(root, *options)
            again = self.run_on(root)
        self.assertEqual(status, 1 if printed else 0)
        return printed if not options else (printed, again)

    def assert_break(self, old, new, line, words):
        printed = self.after((old, new))
        self.assertEqual(1, printed.count("\n"), printed)
        self.assertTrue(printed.startswith(f"{PATH}:{line}: tengen.v1."), printed)
        self.assertIn(words, printed)

    def test_the_same_tree_is_fine(self):
        self.assertEqual("", self.after())

    def test_order_comments_and_files_do_not_matter(self):
        self.assertEqual("", self.after(
            ("  string name = 1;\n  uint32 size = 2;\n",
             "  // Its size.\n  uint32 size = 2;\n\n  string name = 1;\n")))

    def test_a_field_keeps_its_type(self):
        self.assert_break("string name = 1", "bytes name = 1", 4,
                          "1 name was string and is bytes: leave it and add a field")
        self.assert_break("uint32 size = 2", "sint32 size = 2", 5, "was uint32 and is sint32")
        self.assert_break("Stone last = 5", "Game last = 5", 9, "is tengen.v1.Game")
        self.assert_break("map<string, Color>", "map<string, Stone>", 11, "map<string, ")

    def test_a_field_keeps_its_label(self):
        self.assert_break("string name = 1", "repeated string name = 1", 4,
                          "was string and is repeated string")
        self.assert_break("repeated Stone", "Stone", 6, "was repeated tengen.v1.Stone")
        self.assert_break("optional sint32", "sint32", 7, "was optional sint32")

    def test_a_field_keeps_its_name(self):
        self.assert_break("string name = 1", "string title = 1", 4,
                          "1 name is called title now, and JSON sends names")

    def test_a_field_keeps_its_number(self):
        self.assert_break("string name = 1", "string name = 8", 4,
                          "name was number 1 and is 8: numbers stay")

    def test_two_fields_may_not_change_their_numbers(self):
        printed = self.after(("string name = 1", "string name = 2"),
                             ("uint32 size = 2", "uint32 size = 1"))
        self.assertIn("1 name is called size", printed)
        self.assertIn("2 size is called name", printed)

    def test_a_field_stays_in_its_oneof_and_outside_of_others(self):
        self.assert_break("  oneof end {\n    Stone last = 5;\n  }\n", "  Stone last = 5;\n", 8,
                          "was in end and is in none")
        self.assert_break("uint32 size = 2;", "oneof more { uint32 size = 2; }", 5,
                          "was in no oneof and is in more")
        self.assert_break("oneof end", "oneof finish", 9, "was in end and is in finish")

    def test_a_field_that_goes_is_reserved_by_number_and_name(self):
        self.assert_break("  uint32 size = 2;\n", "", 3,
                          'or write reserved 2; reserved "size";')
        self.assert_break("  uint32 size = 2;\n", "  reserved 2;\n", 3, 'write reserved "size";')
        self.assert_break("  uint32 size = 2;\n", '  reserved "size";\n', 3, "write reserved 2;")
        printed = self.after(("  uint32 size = 2;\n", '  reserved 2; reserved "size";\n'))
        self.assertIn("there is something new", printed)

    def test_what_was_reserved_stays_so(self):
        self.assert_break("reserved 2, 5 to 9", "reserved 2, 5 to 8", 17, "reserved 5..9 is gone")
        self.assert_break('  reserved "old";\n', "", 17, 'reserved "old" is gone')
        printed = self.after(("reserved 2, 5 to 9", "reserved 2, 3 to 6, 7 to 20"))
        self.assertIn("there is something new", printed)

    def test_a_value_keeps_its_name_and_number(self):
        self.assert_break("COLOR_BLACK = 1", "COLOR_WHITE = 1", 15,
                          "1 COLOR_BLACK is called COLOR_WHITE")
        self.assert_break("COLOR_BLACK = 1", "COLOR_BLACK = 2", 15, "numbers stay")

    def test_a_value_that_goes_is_reserved(self):
        self.assert_break("  COLOR_BLACK = 1;\n", "", 13, 'reserved 1; reserved "COLOR_BLACK";')
        printed = self.after(("  COLOR_BLACK = 1;\n", '  reserved 1; reserved "COLOR_BLACK";\n'))
        self.assertIn("there is something new", printed)

    def test_a_message_or_an_enum_that_goes_is_named_where_the_baseline_has_it(self):
        printed = self.after(("  repeated Stone stones = 3;\n", ""), ("    Stone last = 5;\n",
                             "    Game last = 5;\n"), (GAME[GAME.index("message Stone"):], ""))
        self.assertRegex(printed, r"wire_baseline.txt:\d+: message tengen.v1.Stone is gone")
        printed = self.after(("map<string, Color>", "map<string, Stone>"),
                             (GAME[GAME.index("enum Color"):GAME.index("message Stone")], ""))
        self.assertRegex(printed, r"wire_baseline.txt:\d+: enum tengen.v1.Color is gone")

    def test_something_new_has_to_be_written_to_the_baseline(self):
        for old, new in (("uint32 size = 2;", "uint32 size = 2; uint32 more = 7;"),
                         ("COLOR_BLACK = 1;", "COLOR_BLACK = 1; COLOR_WHITE = 2;"),
                         ("message Stone {", "message More {}\nmessage Stone {"),
                         ("Stone last = 5;", "Stone last = 5; Game more = 7;")):
            with self.subTest(new=new):
                printed = self.after((old, new))
                self.assertTrue(printed.startswith(proto_compat.BASELINE + ":1: there is"), printed)
                self.assertIn("proto_compat.py --write", printed)
                self.assertEqual(("", (0, "")), self.after((old, new), options=("--write",)))

    def test_a_break_is_not_written_unless_it_is_meant(self):
        change = ("string name = 1", "bytes name = 1")
        printed, again = self.after(change, options=("--write",))
        self.assertIn("was string and is bytes", printed)
        self.assertEqual((1, printed), again)
        self.assertEqual(("", (0, "")), self.after(change, options=("--write", "--break")))

    def test_nothing_may_be_added_to_a_frozen_package(self):
        path = "protocol/gtp/gtp.proto"
        text = ('syntax = "proto3";\npackage gtp;\nmessage Move {\n  enum Type {\n    PASS = 0;\n'
                '  }\n  Type type = 1;\n}\n')
        with tree({path: text, PATH: HEAD + GAME}) as root:
            os.makedirs(os.path.join(root, "tests/protocol"))
            self.assertEqual((0, ""), self.run_on(root, "--write"))
            for old, new, words in (
                    ("Type type = 1;", "Type type = 1; string more = 2;", "2 more is new"),
                    ("PASS = 0;", "PASS = 0; PLACE = 1;", "1 PLACE is new"),
                    ("message Move {", "message More {} message Move {", "gtp.More is new"),
                    ("message Move {", "message Move { message In {}", "gtp.Move.In is new")):
                with self.subTest(new=new):
                    with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                        file.write(text.replace(old, new))
                    for options in ((), ("--write",)):
                        status, printed = self.run_on(root, *options)
                        self.assertEqual(1, status)
                        self.assertTrue(printed.startswith(path + ":"), printed)
                        self.assertIn(words, printed)

    def test_a_line_of_the_baseline_that_cannot_be_read_is_named(self):
        with tree({PATH: HEAD + GAME, proto_compat.BASELINE: "message tengen.v1.Game\n<<<< ours\n"
                   }) as root:
            status, printed = self.run_on(root)
        self.assertEqual(1, status)
        self.assertIn(proto_compat.BASELINE + ":2: not a line of", printed)

    def test_what_protoc_refuses_is_one_breach(self):
        with tree({PATH: HEAD + "message A {\n"}) as root:
            status, printed = self.run_on(root)
        self.assertEqual(1, status)
        self.assertIn("a.proto:4", printed)


if __name__ == "__main__":
    unittest.main()
