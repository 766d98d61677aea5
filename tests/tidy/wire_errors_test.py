#!/usr/bin/env python3
"""Proves that a code, a reason word or a close code that is missing on the page of errors is found,
whichever way the sources write it, and that one too many is found as well."""
import sys
import unittest

sys.dont_write_bytecode = True
import wire_errors  # noqa: E402
from wire.trees import tree  # noqa: E402

FRAME = "protocol/tengen/v1/frame.proto"
PROTO = """\
// | code | meaning |
// |------|---------|
// | 1001 | going   |
syntax = "proto3";
package tengen.v1;
enum ErrorCode {
  ERROR_CODE_UNSPECIFIED = 0;
  ERROR_CODE_INVALID_ARGUMENT = 4;
  ERROR_CODE_LIMIT_REACHED = 18;
}
message Play {
  string vertex = 1;
  oneof act { Play play = 2; }
}
"""
MESSAGES = """\
bool is_retryable(ErrorCode code) {
  return code == ErrorCode::LimitReached;
}
"""
PAGE = """\
## Codes

| no. | code | cause | remedy | retryable |
|---|---|---|---|---|
| 4 | `INVALID_ARGUMENT` | A field. | Mend it. | no |
| 18 | `LIMIT_REACHED` | A limit. | Wait. | yes |

## Reasons

| code | reason | when |
|---|---|---|
| `LIMIT_REACHED` | `games_max` | Too many games. |

## Close codes

| close code | cause | remedy |
|---|---|---|
| 1001 | Going. | Come again. |
"""
HUB = 'return Error{ErrorCode::LimitReached, "games_max", "too many", 0, {}};\n'
TREE = {FRAME: PROTO, "protocol/messages.cc": MESSAGES, "daemon/hub.cc": HUB,
        "protocol/session.h": "constexpr std::uint16_t kCloseGoingAway = 1001;\n",
        wire_errors.PAGE: PAGE}


class WireErrorsTest(unittest.TestCase):
    def texts(self, **changes):
        """What is found in TREE with other files; `page` and `proto` change those by (old, new)."""
        files = dict(TREE)
        for path, key in ((wire_errors.PAGE, "page"), (FRAME, "proto")):
            if key in changes:
                old, new = changes[key]
                self.assertIn(old, files[path])
                files[path] = files[path].replace(old, new)
        files.update(changes.get("files", {}))
        with tree(files) as root:
            return [f"{b.file}:{b.line}: {b.text}" for b in wire_errors.breaches(root)]

    def assert_one(self, found, begin, words):
        self.assertEqual(1, len(found), found)
        self.assertTrue(found[0].startswith(begin), found)
        self.assertIn(words, found[0])

    def sends(self, path, text):
        return self.texts(files={path: text})

    def test_a_full_page_is_fine(self):
        self.assertEqual([], self.texts())

    def test_every_code_has_a_row(self):
        self.assert_one(self.texts(proto=("  ERROR_CODE_LIMIT", "  ERROR_CODE_STALE = 13;\n"
                                                                "  ERROR_CODE_LIMIT")),
                        f"{FRAME}:9", "no code STALE")

    def test_every_row_has_a_code(self):
        self.assert_one(self.texts(page=("| 18 |", "| 19 | `GONE` | A. | B. | no |\n| 18 |")),
                        f"{wire_errors.PAGE}:6", "there is no code GONE")

    def test_a_code_has_its_number_a_cause_and_a_remedy(self):
        for old, new, words in (("| 18 |", "| 17 |", "has the number 18"),
                                ("| A limit. |", "| |", "no cause"),
                                ("| Wait. |", "|  |", "no remedy")):
            with self.subTest(new=new):
                self.assert_one(self.texts(page=(old, new)), f"{wire_errors.PAGE}:6", words)

    def test_retryable_is_what_the_daemon_says(self):
        self.assert_one(self.texts(page=("Wait. | yes", "Wait. | no")), f"{wire_errors.PAGE}:6",
                        "is_retryable says yes")
        self.assert_one(self.texts(page=("Mend it. | no", "Mend it. | yes")),
                        f"{wire_errors.PAGE}:5", "is_retryable says no")

    def test_the_function_that_says_so_has_to_be_there(self):
        found = self.texts(files={"protocol/messages.cc": ""}, page=("Wait. | yes", "Wait. | no"))
        self.assert_one(found, "protocol/messages.cc:1", "not to be found")

    def test_reasons_are_found_however_they_are_written(self):
        for path, text in (
                ("daemon/a.cc", 'x = {ErrorCode::LimitReached, "more", "too many", 0, {}};'),
                ("daemon/net/a.cc", 'return Error{protocol::ErrorCode::LimitReached,\n  "more"};'),
                ("protocol/a.cc", 'E{.code = ErrorCode::LimitReached,\n   .reason = "more"};'),
                ("protocol/a.cc", 'reader.refuse(ErrorCode::LimitReached, "more", f(1, "x"));'),
                ("daemon/a.cc", 'return TooFast{"more", wait};'),
                ("daemon/a.cc", 'return at_limit("more");'),
                ("protocol/a.cc", 'reader.choice(wire.kind(), Kind::Last, "more",\n'
                                  '              ErrorCode::LimitReached);')):
            with self.subTest(text=text):
                found = self.sends(path, text)
                self.assertIn(f"{path}:", found[0])
                self.assertIn("no reason more of LIMIT_REACHED", found[0])

    def test_comments_send_nothing(self):
        self.assertEqual([], self.sends("daemon/a.cc",
                                        '// {ErrorCode::LimitReached, "more"}\nauto a = "//";\n'))

    def test_comparisons_and_cases_send_nothing(self):
        self.assertEqual([], self.sends("daemon/a.cc", "if (e.code == ErrorCode::LimitReached) {}\n"
                                        "switch (code) {\n  case ErrorCode::LimitReached:\n}\n"))

    def test_words_that_come_from_elsewhere_are_looked_for_there(self):
        for text in ("return {ErrorCode::LimitReached, std::string(too_fast->limit), text};",
                     "return {ErrorCode::LimitReached, std::string(name_of(refusal)), text};",
                     "return ErrorCode::LimitReached;"):
            with self.subTest(text=text):
                self.assertEqual([], self.sends("daemon/a.cc", text))

    def test_a_code_whose_reason_cannot_be_told_is_a_breach(self):
        self.assert_one(self.sends("daemon/a.cc", "\nreturn {ErrorCode::LimitReached, word};\n"),
                        "daemon/a.cc:2", "which reason goes with LimitReached")

    def test_a_field_needs_no_row(self):
        for text in ('reader.refuse("vertex", "no vertex");', 'invalid("act", "none");',
                     'reader.token(wire.vertex(), f(2, 3), "vertex");'):
            with self.subTest(text=text):
                self.assertEqual([], self.sends("protocol/a.cc", text))

    def test_what_is_no_field_needs_a_row(self):
        self.assert_one(self.sends("protocol/a.cc", '\nreader.refuse("shape", "no shape");\n'),
                        "protocol/a.cc:2", "no reason shape of INVALID_ARGUMENT")

    def test_refusals_of_the_rules_are_reasons(self):
        files = {"rules/record.cc": '    case Refusal::None:\n      return "none";\n'
                                    '    case Refusal::Ko:\n      return "ko";\n'
                                    '    case Refusal::Paused:\n      return "paused";\n',
                 "daemon/match_acts.cc": "    case Refusal::Paused:\n"
                                         "      return {ErrorCode::LimitReached, reason, text};\n"
                                         "    default:\n"
                                         "      return {ErrorCode::InvalidArgument, reason, text};\n"}
        self.assertEqual(["daemon/match_acts.cc:1: docs/protocol-errors.md has no reason paused of "
                          "LIMIT_REACHED",
                          "daemon/match_acts.cc:3: docs/protocol-errors.md has no reason ko of "
                          "INVALID_ARGUMENT"], self.texts(files=files))

    def test_failures_of_the_pool_are_reasons_where_they_get_a_code(self):
        files = {"pool/job.cc": '    case JobError::QueueFull:\n      return "queue-full";\n'
                                '    case JobError::Expired:\n      return "expired";\n'
                                '    case JobError::Draining:\n      return "draining";\n',
                 "daemon/a.cc": "\nErrorCode code_of(pool::JobError error) {\n  switch (error) {\n"
                                "    case pool::JobError::QueueFull:\n"
                                "      return ErrorCode::LimitReached;\n"
                                "    case pool::JobError::Expired:\n"
                                "    case pool::JobError::Draining:\n      break;\n  }\n"
                                "  return ErrorCode::Unavailable;\n}\n"}
        self.assertEqual([f"daemon/a.cc:2: docs/protocol-errors.md has no reason {reason}"
                          for reason in ("draining of UNAVAILABLE", "expired of UNAVAILABLE",
                                         "queue-full of LIMIT_REACHED")], self.texts(files=files))

    def test_a_reason_is_one_word(self):
        self.assert_one(self.sends("daemon/a.cc", 'E{ErrorCode::LimitReached, "too many"};'),
                        "daemon/a.cc:1", 'the reason "too many" of LIMIT_REACHED is not one word')

    def test_a_reason_that_nothing_sends_is_a_breach(self):
        self.assert_one(self.texts(files={"daemon/hub.cc": ""}), f"{wire_errors.PAGE}:12",
                        "nothing sends the reason games_max")

    def test_a_reason_says_when(self):
        self.assert_one(self.texts(page=("Too many games.", "")), f"{wire_errors.PAGE}:12", "when?")

    def test_close_codes_are_those_of_the_frames_and_the_session(self):
        self.assert_one(self.texts(proto=("// | 1001 ", "// | 4001 | late    |\n// | 1001 ")),
                        f"{FRAME}:1", "no close code 4001")
        self.assert_one(self.texts(page=("| 1001 |", "| 4001 | A. | B. |\n| 1001 |")),
                        f"{wire_errors.PAGE}:18", "has no close code 4001")
        found = self.texts(files={"protocol/session.h": "constexpr int kCloseA = 1001;\n"
                                                        "constexpr int kCloseB = 4008;\n"})
        self.assert_one(found, "protocol/session.h:2", "no close code 4008")
        self.assert_one(self.texts(page=("Come again.", "")), f"{wire_errors.PAGE}:18", "no remedy")

    def test_a_missing_page_is_many_breaches(self):
        files = {path: text for path, text in TREE.items() if path != wire_errors.PAGE}
        with tree(files) as root:
            self.assertEqual(5, len(wire_errors.breaches(root)))


if __name__ == "__main__":
    unittest.main()
