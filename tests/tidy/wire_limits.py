#!/usr/bin/env python3
"""docs/protocol-limits.md lists every named limit of protocol/ and daemon/, and those below that a
client can meet, each with the value that the sources give it. A limit that is published beside a
field stands in that field's comment, and the codes that answer at a limit are there. Prints one line
per breach as `file:line: text`; the exit status is 1 if there was one. Usage: wire_limits.py [ROOT]
"""
import ast
import operator
import re
import sys
from collections import namedtuple

sys.dont_write_bytecode = True
from wire.report import Breach, read_lines, report, root_of  # noqa: E402
from wire.schema import BadProto, messages_of, read_schema  # noqa: E402
from wire.sources import line_at, read_sources  # noqa: E402
from wire.tables import code_of, codes_of, rows_of  # noqa: E402

PAGE = "docs/protocol-limits.md"
TITLE = "Limits of the wire"
ERRORS = "docs/protocol-errors.md"
# Every limit in the headers of these folders has a row.
COMPLETE = ("protocol/", "daemon/")
# The wire's own copies of limits.
COPIES = {"PublishedLimits", "PublishedQuotas"}
# Messages that carry limits as values, so that comments need not.
CARRIERS = {"Limits", "Quotas", "Welcome"}

# `values` is one number, of milliseconds for a time; or the numbers of what is no plain number, such
# as the two of Rate::per_second(1, 16).
Limit = namedtuple("Limit", "name file line values")

STRUCT = re.compile(r"struct (\w*(?:Limits|Quotas))\b[^;{]*\{(.*?)\n\};", re.S)
MEMBER = re.compile(r"([\w:<>]+)\s+(\w+)\s*(?:=(?!=)\s*([^;]+)|\{([^;]*)\})\s*;")
CONSTANT = re.compile(r"constexpr\s+([\w:<>]+)\s+(k\w+)\s*(?:=\s*([^;]+)|\{([^;]*)\})\s*;")
LIMIT_NAME = re.compile(r"^k(?:\w*(?:Max|Min)|Max\w+)$")
NUMBER = re.compile(r"\b\d[\d,']*")
ERROR_CODE = re.compile(r"^[A-Z]+(?:_[A-Z]+)*$")
CODE_AND_REASON = re.compile(r"`([A-Z_]+)`,? `([\w-]+)`")
CLOSES = re.compile(r"\b(?:closes?|closed) with (\d{4})\b")
UNITS = {"nanoseconds": 1e-6, "milliseconds": 1, "seconds": 1000, "minutes": 60_000,
         "hours": 3_600_000}
OPERATORS = {ast.Mult: operator.mul, ast.Add: operator.add, ast.Sub: operator.sub,
             ast.Div: operator.floordiv}


def value_of(text, known):
    """What an expression of numbers and known constants comes to; nothing for any other."""
    text = re.sub(r"(?:\w+::)*(\w+)\{([^{}]*)\}", lambda match: unit_value(match, known), text)
    text = re.sub(r"(?<=\d)'(?=\d)|(?<=\d)[uUlL]+\b|\b\w+::", "", text)
    try:
        return evaluate(ast.parse(text.strip(), mode="eval").body, known)
    except (SyntaxError, ValueError):
        return None


def unit_value(match, known):
    number = value_of(match.group(2), known)
    if match.group(1) not in UNITS or number is None:
        return match.group(0)
    return str(round(number * UNITS[match.group(1)]))


def evaluate(node, known):
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name) and node.id in known:
        return known[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -evaluate(node.operand, known)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](evaluate(node.left, known), evaluate(node.right, known))
    raise ValueError(ast.dump(node))


def declared_value(kind, assigned, braced, known):
    if assigned is not None:
        return value_of(assigned, known)
    unit = kind.rsplit("::", 1)[-1]
    return value_of(f"{unit}{{{braced}}}" if unit in UNITS else braced, known)


def numbers_in(text):
    return [int(re.sub("[,']", "", number)) for number in NUMBER.findall(text)]


def constants_of(sources):
    """The numbers of all constants that can be told, also those made of others."""
    found = [match.groups() for text in sources.values() for match in CONSTANT.finditer(text)]
    known = {}
    for _ in range(3):
        for kind, name, assigned, braced in found:
            value = declared_value(kind, assigned, braced, known)
            if value is not None:
                known[name] = value
    return known


def limits_of(sources):
    """{(file, name): Limit} of every constant, and of every member of a struct of limits or quotas."""
    known = constants_of(sources)
    limits = {}

    def add(path, text, begin, declared):
        kind, name, assigned, braced = declared.groups()
        if kind.endswith("Limits"):
            return  # its members have rows of their own
        value = declared_value(kind, assigned, braced, known)
        values = [abs(value)] if value is not None else numbers_in(assigned or braced)
        line = line_at(text, begin + declared.start(2))
        limits[path, name] = Limit(name, path, line, values)

    for path, text in sources.items():
        for match in CONSTANT.finditer(text):
            add(path, text, 0, match)
        for struct in STRUCT.finditer(text):
            if struct.group(1) not in COPIES:
                for match in MEMBER.finditer(struct.group(2)):
                    add(path, text, struct.start(2), match)
    return limits


def check_rows(rows, limits):
    for row in rows:
        source, name = code_of(row.cells.get("source", "")), code_of(row.cells["limit"])
        limit = limits.get((source, name))
        if limit is None:
            yield Breach(PAGE, row.line, f"{source} has no limit {name}")
            continue
        told = numbers_in(row.cells.get("value", ""))[:len(limit.values)]
        if not limit.values:
            yield Breach(limit.file, limit.line, f"tests/tidy/wire_limits.py cannot tell the value "
                                                 f"of {name}")
        elif told != limit.values:
            wanted = " and ".join(f"{value:,}" for value in limit.values)
            yield Breach(PAGE, row.line, f"{name} is {wanted} in {source}")
        if not list(row.cells.values())[-1]:
            yield Breach(PAGE, row.line, f"what happens at {name}?")


def check_all_there(rows, limits):
    listed = {(code_of(row.cells.get("source", "")), code_of(row.cells["limit"])) for row in rows}
    for (path, name), limit in limits.items():
        is_limit = LIMIT_NAME.match(name) or not name.startswith("k")
        if path.startswith(COMPLETE) and is_limit and (path, name) not in listed:
            yield Breach(path, limit.line, f"{PAGE} has no limit {name}")


def check_fields(rows, limits, schema):
    """A limit that a field's comment tells is told there as it is."""
    comments = {f"{name.rsplit('.', 1)[-1]}.{field.name}": field.comment
                for name, message in messages_of(schema).items() for field in message.fields}
    for row in rows:
        limit = limits.get((code_of(row.cells.get("source", "")), code_of(row.cells["limit"])))
        for field in codes_of(row.cells.get("field", "")):
            if field not in comments:
                yield Breach(PAGE, row.line, f"there is no field {field}")
            elif limit and field.split(".")[0] not in CARRIERS:
                for value in set(limit.values) - set(numbers_in(comments[field])):
                    yield Breach(PAGE, row.line, f"the comment of {field} does not say {value:,}")


def check_answers(rows, errors):
    codes = {code_of(row.cells.get("code", "")) for row in rows_of(errors, "Codes")}
    reasons = {(code_of(row.cells.get("code", "")), code_of(row.cells.get("reason", "")))
               for row in rows_of(errors, "Reasons")}
    closes = {row.cells.get("close code") for row in rows_of(errors, "Close codes")}
    for row in rows:
        answer = list(row.cells.values())[-1]
        for code in filter(ERROR_CODE.match, codes_of(answer)):
            if code not in codes:
                yield Breach(PAGE, row.line, f"{ERRORS} has no code {code}")
        for code, reason in CODE_AND_REASON.findall(answer):
            if code != "INVALID_ARGUMENT" and (code, reason) not in reasons:
                yield Breach(PAGE, row.line, f"{ERRORS} has no reason {reason} of {code}")
        for code in CLOSES.findall(answer):
            if code not in closes:
                yield Breach(PAGE, row.line, f"{ERRORS} has no close code {code}")


def breaches(root):
    try:
        schema = read_schema(root)
    except BadProto as error:
        return [Breach("protocol", 1, str(error))]
    limits = limits_of(read_sources(root, ("rules", "pool", "protocol", "daemon"), ".h"))
    rows = [row for row in rows_of(read_lines(root, PAGE), TITLE) if "limit" in row.cells]
    return sorted(set(check_rows(rows, limits)) | set(check_all_there(rows, limits)) |
                  set(check_fields(rows, limits, schema)) |
                  set(check_answers(rows, read_lines(root, ERRORS))))


if __name__ == "__main__":
    sys.exit(report(breaches(root_of(sys.argv[1:]))))
