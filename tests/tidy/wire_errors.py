#!/usr/bin/env python3
"""docs/protocol-errors.md lists every error code with cause, remedy and whether a retry can help,
every reason word that the sources can send with it, and every close code; and nothing else. A reason
of INVALID_ARGUMENT needs no row when it is the name of a field or a oneof. Prints one line per breach
as `file:line: text`; the exit status is 1 if there was one. Usage: wire_errors.py [ROOT]
"""
import re
import sys
from collections import namedtuple

sys.dont_write_bytecode = True
from wire.report import Breach, read_lines, report, root_of  # noqa: E402
from wire.schema import BadProto, enums_of, messages_of, read_schema  # noqa: E402
from wire.sources import arguments_at, line_at, read_sources  # noqa: E402
from wire.tables import code_of, rows_of  # noqa: E402

PAGE = "docs/protocol-errors.md"
PREFIX = "ERROR_CODE_"
BY_FIELD = "INVALID_ARGUMENT"

# What the sources send: a code, a reason word, and where it stands.
Sent = namedtuple("Sent", "code word file line")

# Functions and types that are given a reason word, and the code that they refuse with when no other is
# named.
SPEAKERS = {
    "protocol/": {"refuse": "InvalidArgument", "invalid": "InvalidArgument",
                  "choice": "InvalidArgument", "text": "InvalidArgument",
                  "token": "InvalidArgument", "number": "InvalidArgument",
                  "duration": "InvalidArgument", "side": "InvalidArgument",
                  "count": "InvalidArgument", "component": "UnsupportedRules",
                  "bad_gtp": "InvalidArgument"},
    "daemon/": {"cannot_play": "EngineCannotPlay", "bad_gtp": "InvalidArgument",
                "at_limit": "LimitReached", "limit_reached": "LimitReached",
                "invalid": "InvalidArgument", "Count": "LimitReached", "TooFast": "LimitReached"},
}
# Where a code stands beside a word that somebody else gives: the speakers themselves.
FORWARDS = {
    ("protocol/field_reader.h", "InvalidArgument"), ("protocol/session.cc", "InvalidArgument"),
    ("protocol/convert_game.cc", "UnsupportedRules"), ("protocol/gtp_convert.cc", "InvalidArgument"),
    ("daemon/engine_seats.cc", "EngineCannotPlay"), ("daemon/virtual_engines.cc", "LimitReached"),
    ("daemon/hub_access.cc", "LimitReached"), ("daemon/analyses.cc", "LimitReached"),
    ("daemon/analysis_line.cc", "InvalidArgument"),
}
# The agents' calls have a contract of their own; convert_server.cc reads what the daemon sends.
OTHERS = ("protocol/agent_", "protocol/messages.", "protocol/convert_server.cc")
# Where the rules' refusals get their words and their codes, and the pool's failures their words.
REFUSAL_WORDS = "rules/record.cc"
REFUSAL_CODES = "daemon/match_acts.cc"
FAILURE_WORDS = "pool/job.cc"

CODE = re.compile(r"ErrorCode::([A-Z]\w*)")
COMPARED = re.compile(r"(?:case|==|!=)\s*(?:protocol::)?$")
WORD_BEHIND = re.compile(r'\s*,\s*(?:\.reason\s*=\s*)?"([^"]*)"')
WORD_ELSEWHERE = re.compile(r"\s*(?:;|,\s*(?:reason\b|std::string\(name_of\(refusal\)\)|"
                            r"std::string\(\w+(?:\.|->)limit\)))")
ONE_WORD = re.compile(r"^[\w-]+$")
LITERAL = re.compile(r'^"([\w-]+)"$')
RETRYABLE = re.compile(r"bool is_retryable\(ErrorCode \w+\)\s*\{(.*?)\n\}", re.S)
REFUSAL_WORD = re.compile(r'case Refusal::(\w+):\s*return "([\w-]+)"')
REFUSAL_CODE = re.compile(r"(?:case Refusal::(\w+)|default):\s*return \{ErrorCode::(\w+), reason")
FAILURE_WORD = re.compile(r'case JobError::(\w+):\s*return "([^"]+)"')
FAILURE_CODES = re.compile(r"ErrorCode code_of\(pool::JobError \w+\) \{(.*?)\n\}", re.S)
FAILURE_CASE = re.compile(r"JobError::(\w+):|return ErrorCode::(\w+);|break;")
CLOSE = re.compile(r"kClose\w+ = (\d+)")
CLOSE_ROW = re.compile(r"^\| (\d{4}) ", re.M)


def wire_name(code):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", code).upper()


def sent_beside_codes(sources):
    """Every code that is named with its word, and a breach where the word cannot be told. A code that
    is returned alone, or goes with a refusal or a limit's name, has its words from one of the
    functions below."""
    sent, unclear = [], []
    for path, text in sources.items():
        if path.startswith(OTHERS):
            continue
        for match in CODE.finditer(text):
            line, code = line_at(text, match.start()), match.group(1)
            word = WORD_BEHIND.match(text, match.end())
            if word:
                sent.append(Sent(wire_name(code), word.group(1), path, line))
            elif not (COMPARED.search(text[:match.start()]) or (path, code) in FORWARDS or
                      WORD_ELSEWHERE.match(text, match.end())):
                unclear.append(Breach(path, line, f"which reason goes with {code} here? Write it "
                                                  f"behind the code, or name the function in "
                                                  f"tests/tidy/wire_errors.py"))
    return sent, unclear


def sent_by_speakers(sources):
    """Every word that is given to a function which refuses with it."""
    for path, text in sources.items():
        speakers = SPEAKERS.get(path[:path.index("/") + 1], {})
        if path.startswith(OTHERS) or not speakers:
            continue
        for call in re.finditer(r"\b(" + "|".join(speakers) + r")[({]", text):
            arguments = arguments_at(text, call.end() - 1)
            named = CODE.search(" ".join(arguments))
            code = named.group(1) if named else speakers[call.group(1)]
            words = [LITERAL.match(argument) for argument in arguments]
            word = next((match.group(1) for match in words if match), None)
            if word:
                yield Sent(wire_name(code), word, path, line_at(text, call.start()))


def sent_by_rules(sources):
    """Every refusal of the rules that answers a request."""
    words = {name: word for name, word in REFUSAL_WORD.findall(sources.get(REFUSAL_WORDS, ""))}
    text = sources.get(REFUSAL_CODES, "")
    codes, rest = {}, None
    for match in REFUSAL_CODE.finditer(text):
        if match.group(1):
            codes[match.group(1)] = (match.group(2), line_at(text, match.start()))
        else:
            rest = (match.group(2), line_at(text, match.start()))
    for name, word in words.items():
        code = codes.get(name, rest)
        if name != "None" and code:
            yield Sent(wire_name(code[0]), word, REFUSAL_CODES, code[1])


def sent_by_pool(sources):
    """Every failure of a job that answers a request, where a function gives it a code: cases that
    return one, and those that break for the one behind the switch."""
    words = dict(FAILURE_WORD.findall(sources.get(FAILURE_WORDS, "")))
    for path, text in sources.items():
        for function in FAILURE_CODES.finditer(text):
            line = line_at(text, function.start())
            waiting, broken = [], []
            for case, code in FAILURE_CASE.findall(function.group(1)):
                if case:
                    waiting.append(case)
                elif code:
                    yield from (Sent(wire_name(code), words.get(name, name).replace(" ", "-"), path, line)
                                for name in waiting or broken)
                    waiting = []
                else:
                    broken += waiting
                    waiting = []


def check_codes(schema, sources, lines):
    enum = next((enum for name, enum in enums_of(schema).items() if name.endswith(".ErrorCode")),
                None)
    values = enum.values if enum else []
    codes = {value.name[len(PREFIX):]: value for value in values if value.number != 0}
    body = RETRYABLE.search(sources.get("protocol/messages.cc", ""))
    if not body:
        yield Breach("protocol/messages.cc", 1, "is_retryable is not to be found")
    retryable = {wire_name(code) for code in CODE.findall(body.group(1))} if body else set()
    rows = {code_of(row.cells.get("code", "")): row for row in rows_of(lines, "Codes")}
    for name, value in codes.items():
        if name not in rows:
            yield Breach(enum.file, value.line, f"{PAGE} has no code {name}: what causes it, what "
                                                f"remedies it?")
            continue
        row = rows[name]
        if row.cells.get("no.") != str(value.number):
            yield Breach(PAGE, row.line, f"{name} has the number {value.number}")
        for column in ("cause", "remedy"):
            if not row.cells.get(column):
                yield Breach(PAGE, row.line, f"{name} has no {column}")
        wanted = "yes" if name in retryable else "no"
        if row.cells.get("retryable") != wanted:
            yield Breach(PAGE, row.line, f"{name}: is_retryable says {wanted}")
    for name in set(rows) - set(codes):
        yield Breach(PAGE, rows[name].line, f"there is no code {name}")


def check_reasons(schema, sources, lines):
    sent, unclear = sent_beside_codes(sources)
    yield from unclear
    sent += [*sent_by_speakers(sources), *sent_by_rules(sources), *sent_by_pool(sources)]
    rows = {(code_of(row.cells.get("code", "")), code_of(row.cells.get("reason", ""))): row
            for row in rows_of(lines, "Reasons")}
    fields = {thing.name for message in messages_of(schema).values()
              for thing in message.fields + message.oneofs}
    missing = {}
    for what in sent:
        if not ONE_WORD.match(what.word):
            yield Breach(what.file, what.line, f'the reason "{what.word}" of {what.code} is not one '
                                               f'word')
        elif (what.code, what.word) not in rows and (what.code != BY_FIELD or
                                                   what.word not in fields):
            missing.setdefault((what.code, what.word), what)
    for code, word in missing:
        what = missing[code, word]
        yield Breach(what.file, what.line, f"{PAGE} has no reason {word} of {code}")
    known = {(what.code, what.word) for what in sent}
    for code, word in set(rows) - known:
        yield Breach(PAGE, rows[code, word].line, f"nothing sends the reason {word} with {code}")
    for row in rows.values():
        if not row.cells.get("when"):
            yield Breach(PAGE, row.line, "when?")


def check_closes(schema, sources, lines):
    """The page and the comment of frame.proto have the same close codes, with all that we send."""
    rows = {row.cells.get("close code"): row for row in rows_of(lines, "Close codes")}
    for file in schema:
        told = set(CLOSE_ROW.findall(file.comment))
        if not told:
            continue
        for code in told - set(rows):
            yield Breach(file.path, 1, f"{PAGE} has no close code {code}")
        for code in set(rows) - told:
            yield Breach(PAGE, rows[code].line, f"{file.path} has no close code {code}")
    path = "protocol/session.h"
    text = sources.get(path, "")
    for match in CLOSE.finditer(text):
        if match.group(1) not in rows:
            line = line_at(text, match.start())
            yield Breach(path, line, f"{PAGE} has no close code {match.group(1)}")
    for row in rows.values():
        for column in ("cause", "remedy"):
            if not row.cells.get(column):
                yield Breach(PAGE, row.line, f"no {column}")


def breaches(root):
    try:
        schema = read_schema(root)
    except BadProto as error:
        return [Breach("protocol", 1, str(error))]
    sources = read_sources(root, ("rules", "pool", "protocol", "daemon"), (".h", ".cc"))
    lines = read_lines(root, PAGE)
    return sorted(set(check_codes(schema, sources, lines)) |
                  set(check_reasons(schema, sources, lines)) |
                  set(check_closes(schema, sources, lines)))


if __name__ == "__main__":
    sys.exit(report(breaches(root_of(sys.argv[1:]))))
