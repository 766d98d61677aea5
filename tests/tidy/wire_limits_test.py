#!/usr/bin/env python3
"""Proves that a limit of the sources which the page does not have, or has with another value, is
found, however the value is written."""
import sys
import unittest

sys.dont_write_bytecode = True
import wire_limits  # noqa: E402
from wire.trees import tree  # noqa: E402

FRAME = "protocol/tengen/v1/frame.proto"
PROTO = """\
syntax = "proto3";
package tengen.v1;
message Limits {
  uint32 games_max = 1;  // In the whole daemon.
}
message Hello {
  string client = 1;  // Up to 1,064 bytes.
}
"""
HUB = """\
struct HubLimits {
  protocol::Limits session;
  std::uint32_t games_max = 10'000;  // unfinished ones
};
"""
MESSAGES = """\
inline constexpr std::size_t kNameBytesMax = 1'064;
struct PublishedLimits {
  std::uint32_t games_max = 0;
};
"""
PAGE = """\
# Limits of the wire

## Published

| limit | value | source | field | at the limit |
|---|---|---|---|---|
| `games_max` | 10,000 games | `daemon/hub.h` | `Limits.games_max` | `LIMIT_REACHED`, `games_max`. |

## Told

| limit | value | source | field | at the limit |
|---|---|---|---|---|
| `kNameBytesMax` | 1,064 bytes | `protocol/messages.h` | `Hello.client` | It is closed with 1009. |
"""
ERRORS = """\
## Codes

| code |
|---|
| `LIMIT_REACHED` |

## Reasons

| code | reason |
|---|---|
| `LIMIT_REACHED` | `games_max` |

## Close codes

| close code |
|---|
| 1009 |
"""
TREE = {FRAME: PROTO, "daemon/hub.h": HUB, "protocol/messages.h": MESSAGES,
        wire_limits.PAGE: PAGE, wire_limits.ERRORS: ERRORS}


class WireLimitsTest(unittest.TestCase):
    def found(self, files=None, page=None):
        """What is found in TREE with other files and with the page changed by (old, new)."""
        changed = dict(TREE)
        if page:
            self.assertIn(page[0], PAGE)
            changed[wire_limits.PAGE] = PAGE.replace(*page)
        with tree({**changed, **(files or {})}) as root:
            return [f"{b.file}:{b.line}: {b.text}" for b in wire_limits.breaches(root)]

    def assert_one(self, found, begin, words):
        self.assertEqual(1, len(found), found)
        self.assertTrue(found[0].startswith(begin), found)
        self.assertIn(words, found[0])

    def test_a_full_page_is_fine(self):
        self.assertEqual([], self.found())

    def test_a_limit_without_a_row_is_found(self):
        for path, text, line in (
                ("daemon/net/a.h", "struct SocketLimits {\n  int frames_max = 5;\n};\n", 2),
                ("daemon/a.h", "struct Quotas {\n  int games_max = 5;\n"
                               "  friend bool operator==(const Quotas&, const Quotas&) = default;\n"
                               "};\n", 2),
                ("daemon/a.h", "\ninline constexpr int kFailuresMax = 3;\n", 2),
                ("protocol/a.h", "inline constexpr std::uint32_t kMaxThings{7};\n", 1),
                ("protocol/a.h", "inline constexpr std::chrono::seconds kWaitMin{7};\n", 1)):
            with self.subTest(text=text):
                self.assert_one(self.found({path: text}), f"{path}:{line}", "has no limit")

    def test_other_constants_comments_and_lower_folders_need_no_row(self):
        for path, text in (("daemon/a.h", "inline constexpr int kVersion = 3;\n"),
                           ("daemon/a.h", "// inline constexpr int kThingsMax = 3;\n"),
                           ("rules/a.h", "inline constexpr int kThingsMax = 3;\n"),
                           ("daemon/a.h", "struct SocketLimits {\n  Limits a;\n  Limits b{};\n"
                                          "};\n")):
            with self.subTest(text=text):
                self.assertEqual([], self.found({path: text}))

    def test_a_row_has_the_value_of_the_source(self):
        self.assert_one(self.found(page=("10,000 games", "10,001 games")),
                        f"{wire_limits.PAGE}:7", "games_max is 10,000 in daemon/hub.h")
        self.assert_one(self.found(page=("10,000 games", "many games")),
                        f"{wire_limits.PAGE}:7", "games_max is 10,000 in daemon/hub.h")

    def row_and_source(self, told, declared):
        """What is found with a row for kOddMax and its declaration."""
        row = f"| `kOddMax` | {told} | `daemon/odd.h` | | Nothing. |\n"
        return self.found({"daemon/odd.h": declared,
                           "rules/side.h": "inline constexpr int kSide = 5;\n"},
                          ("| `kNameBytesMax`", row + "| `kNameBytesMax`"))

    def test_values_are_read_however_they_are_written(self):
        for told, declared in (("65,536", "int kOddMax = 64 * 1024"),
                               ("75", "std::uint32_t kOddMax = 3u * rules::kSide * rules::kSide"),
                               ("5,000 ms", "std::chrono::milliseconds kOddMax{5'000}"),
                               ("30,000 ms", "std::chrono::seconds kOddMax{30}"),
                               ("1,814,400,000 ms, three weeks",
                                "std::chrono::milliseconds kOddMax = std::chrono::hours{24 * 21}")):
            with self.subTest(declared=declared):
                self.assertEqual([], self.row_and_source(told, f"inline constexpr {declared};\n"))
                found = self.row_and_source("1", f"inline constexpr {declared};\n")
                self.assert_one(found, f"{wire_limits.PAGE}:13", "kOddMax is ")

    def test_what_is_no_plain_number_is_told_by_its_numbers(self):
        declared = "inline constexpr Rate kOddMax = Rate::per_second(1, 1'600);\n"
        self.assertEqual([], self.row_and_source("1 a second, 1,600 at once", declared))
        for told in ("1 a second", "1,600 at once, 1 a second", "2 a second, 1,600 at once"):
            with self.subTest(told=told):
                self.assert_one(self.row_and_source(told, declared), f"{wire_limits.PAGE}:13",
                                "kOddMax is 1 and 1,600")

    def test_a_value_that_cannot_be_told_is_a_breach(self):
        self.assert_one(self.row_and_source("1", "\ninline constexpr int kOddMax = odd();\n"),
                        "daemon/odd.h:2", "cannot tell the value of kOddMax")

    def test_a_row_without_its_limit_is_found(self):
        found = self.found({"daemon/hub.h": "struct HubLimits {\n  protocol::Limits session;\n};\n"})
        self.assert_one(found, f"{wire_limits.PAGE}:7", "daemon/hub.h has no limit games_max")

    def test_a_row_says_what_happens(self):
        self.assert_one(self.found(page=("It is closed with 1009.", "")),
                        f"{wire_limits.PAGE}:13", "what happens at kNameBytesMax?")

    def test_a_field_is_there_and_its_comment_tells_the_limit(self):
        self.assert_one(self.found(page=("`Hello.client`", "`Hello.name`")),
                        f"{wire_limits.PAGE}:13", "no field Hello.name")
        for comment in ("Up to 64 bytes", "Up to 11064 bytes", "Short"):
            with self.subTest(comment=comment):
                found = self.found({FRAME: PROTO.replace("Up to 1,064 bytes", comment)})
                self.assert_one(found, f"{wire_limits.PAGE}:13",
                                "the comment of Hello.client does not say 1,064")

    def test_answers_are_those_of_the_page_of_errors(self):
        for old, new, words in (("`LIMIT_REACHED`, `games_max`", "`LIMIT_GONE`", "code LIMIT_GONE"),
                                ("`LIMIT_REACHED`, `games_max`", "`LIMIT_REACHED`, `games`",
                                 "no reason games of LIMIT_REACHED"),
                                ("closed with 1009", "closed with 1010", "no close code 1010")):
            with self.subTest(new=new):
                found = self.found(page=(old, new))
                self.assertEqual(1, len(found), found)
                self.assertIn(words, found[0])

    def test_a_missing_page_is_many_breaches(self):
        files = {path: text for path, text in TREE.items() if path != wire_limits.PAGE}
        with tree(files) as root:
            self.assertEqual(2, len(wire_limits.breaches(root)))


if __name__ == "__main__":
    unittest.main()
