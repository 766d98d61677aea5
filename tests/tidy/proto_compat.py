#!/usr/bin/env python3
"""What the .proto files have promised stays so: nothing that is in the baseline, a text made by this
script, may change in the binary or in the JSON form, and what goes has to be reserved. Something new
has to be added to the baseline: run with --write. A break that is meant: run with --write --break.
Prints one line per breach as `file:line: text`; the exit status is 1 if there was one.
Usage: proto_compat.py [--write [--break]] [ROOT]
"""
import os
import re
import sys
from collections import namedtuple

sys.dont_write_bytecode = True
from wire.report import Breach, read_lines, report, root_of  # noqa: E402
from wire.schema import BadProto, enums_of, messages_of, read_schema  # noqa: E402

BASELINE = "tests/protocol/wire_baseline.txt"
COMMAND = "tests/tidy/proto_compat.py --write"
# Packages to which not even a field may be added once they are in the baseline.
FROZEN = {"gtp"}
HEADER = f"""\
# What the .proto files promise, message by message: number, name and type of each field, then the
# oneof it is in. Nothing here may change, and what goes has to be reserved (docs/testing.md).
# Made by {COMMAND}.
"""

THING = re.compile(r"^(message|enum) (\S+)$")
FIELD = re.compile(r"^  (\d+) (\w+): (?:(optional|repeated|required) )?(\S.*?)(?: in (\w+))?$")
VALUE = re.compile(r"^  (-?\d+) (\w+)$")
RESERVED = re.compile(r"^  reserved (-?\d+)(?:\.\.(-?\d+))?$")
RESERVED_NAME = re.compile(r"^  reserved (\w+)$")

# A message or an enum as the baseline knows it: its members by number, and the line that names it.
Thing = namedtuple("Thing", "kind name line members reserved reserved_names")
# `line` is the baseline's. A value of an enum has a number and a name only.
Member = namedtuple("Member", "number name label type oneof line")


def things_of(schema):
    """The tree's own messages and enums in the baseline's terms, with the tree's lines."""
    for message in messages_of(schema).values():
        members = [Member(field.number, field.name, field.label, field.type, field.oneof,
                          field.line) for field in message.fields]
        yield Thing("message", message.name, message.line, members, message.reserved,
                    message.reserved_names)
    for enum in enums_of(schema).values():
        members = [Member(value.number, value.name, "", "", "", value.line)
                   for value in enum.values]
        yield Thing("enum", enum.name, enum.line, members, enum.reserved, enum.reserved_names)


def is_frozen(name):
    return any(name.startswith(package + ".") for package in FROZEN)


def type_text(member):
    return f"{member.label} {member.type}".strip()


def member_text(member):
    oneof = f" in {member.oneof}" if member.oneof else ""
    kind = f": {type_text(member)}{oneof}" if member.type else ""
    return f"  {member.number} {member.name}{kind}\n"


def baseline_text(schema):
    text = HEADER
    for thing in sorted(things_of(schema), key=lambda thing: (thing.name, thing.kind)):
        text += f"\n{thing.kind} {thing.name}\n"
        text += "".join(member_text(member)
                        for member in sorted(thing.members, key=lambda member: member.number))
        for first, last in sorted(thing.reserved):
            text += f"  reserved {first}\n" if first == last else f"  reserved {first}..{last}\n"
        text += "".join(f"  reserved {name}\n" for name in sorted(thing.reserved_names))
    return text


def read_baseline(lines):
    """What baseline_text wrote, and a breach for each line that it did not."""
    things, problems = [], []
    for number, line in enumerate(lines, 1):
        thing = THING.match(line)
        if thing:
            things.append(Thing(thing[1], thing[2], number, [], [], []))
            continue
        if not line or line.startswith("#"):
            continue
        field, value = FIELD.match(line), VALUE.match(line)
        span, name = RESERVED.match(line), RESERVED_NAME.match(line)
        if not things or not (field or value or span or name):
            problems.append(Breach(BASELINE, number, f"not a line of {COMMAND}: {line}"))
        elif field:
            things[-1].members.append(Member(int(field[1]), field[2], field[3] or "", field[4],
                                             field[5] or "", number))
        elif value:
            things[-1].members.append(Member(int(value[1]), value[2], "", "", "", number))
        elif span:
            things[-1].reserved.append((int(span[1]), int(span[2] or span[1])))
        else:
            things[-1].reserved_names.append(name[1])
    return things, problems


def is_reserved(number, spans):
    return any(first <= number <= last for first, last in spans)


def covers(spans, span):
    """Whether the spans hold every number of one."""
    first, last = span
    for begin, end in sorted(spans):
        if begin <= first <= end:
            first = end + 1
    return first > last


class Comparison:
    """The breaks between one thing of the baseline and what it is now."""

    def __init__(self, old, new, file):
        self.old = old
        self.new = new
        self.file = file
        self.found = []

    def say(self, line, text):
        self.found.append(Breach(self.file, line, f"{self.old.name}: {text}"))

    def breaks(self):
        now = {member.number: member for member in self.new.members}
        for member in self.old.members:
            if member.number in now:
                self.compare_member(member, now[member.number])
            else:
                self.judge_removal(member)
        for span in self.old.reserved:
            if not covers(self.new.reserved, span):
                self.say(self.new.line, f"reserved {span[0]}..{span[1]} is gone: reserve it again")
        for name in set(self.old.reserved_names) - set(self.new.reserved_names):
            self.say(self.new.line, f'reserved "{name}" is gone: reserve it again')
        if is_frozen(self.old.name):
            self.judge_additions()
        return self.found

    def compare_member(self, old, new):
        what = f"{old.number} {old.name}"
        if old.name != new.name:
            self.say(new.line, f"{what} is called {new.name} now, and JSON sends names: call it "
                               f"{old.name}")
        if type_text(old) != type_text(new):
            self.say(new.line, f"{what} was {type_text(old)} and is {type_text(new)}: leave it and "
                               f"add a field with a new number")
        if old.oneof != new.oneof:
            self.say(new.line, f"{what} was in {old.oneof or 'no oneof'} and is in "
                               f"{new.oneof or 'none'}: put it back")

    def judge_removal(self, member):
        moved = [other for other in self.new.members if other.name == member.name]
        if moved:
            self.say(moved[0].line, f"{member.name} was number {member.number} and is "
                                    f"{moved[0].number}: numbers stay")
            return
        missing = []
        if not is_reserved(member.number, self.new.reserved):
            missing.append(f"reserved {member.number};")
        if member.name not in self.new.reserved_names:
            missing.append(f'reserved "{member.name}";')
        if missing:
            self.say(self.new.line, f"{member.number} {member.name} is gone: bring it back, or "
                                    f"write {' '.join(missing)}")

    def judge_additions(self):
        known = {member.number for member in self.old.members}
        for member in self.new.members:
            if member.number not in known:
                self.say(member.line, f"{member.number} {member.name} is new, and nothing may be "
                                      f"added to this package")


def breaks_between(baseline, schema):
    now = {(thing.kind, thing.name): thing for thing in things_of(schema)}
    files = {thing.name: thing.file for file in schema for thing in file.messages + file.enums}
    for old in baseline:
        new = now.get((old.kind, old.name))
        if new is None:
            yield Breach(BASELINE, old.line, f"{old.kind} {old.name} is gone: bring it back, empty "
                                             f"if need be")
        else:
            yield from Comparison(old, new, files[old.name]).breaks()
    known = {old.name for old in baseline}
    if any(is_frozen(name) for name in known):
        for thing in now.values():
            if is_frozen(thing.name) and thing.name not in known:
                yield Breach(files[thing.name], thing.line, f"{thing.name} is new, and nothing may "
                                                            f"be added to this package")


def judge(schema, lines):
    """The breaks, and whether the baseline is what this tree would write."""
    baseline, problems = read_baseline(lines)
    found = sorted(problems + list(breaks_between(baseline, schema)))
    return found, "\n".join(lines) + "\n" == baseline_text(schema)


def main(arguments):
    root = root_of(arguments)
    try:
        schema = read_schema(root)
    except BadProto as error:
        return report([Breach("protocol", 1, str(error))])
    lines = read_lines(root, BASELINE)
    found, is_current = judge(schema, lines)
    if "--write" in arguments and ("--break" in arguments or not found):
        with open(os.path.join(root, BASELINE), "w", encoding="utf-8") as file:
            file.write(baseline_text(schema))
        return 0
    if not found and not is_current:
        found = [Breach(BASELINE, 1, f"there is something new: run {COMMAND} and commit the file")]
    return report(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
