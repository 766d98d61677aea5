#!/usr/bin/env python3
"""docs/protocol-messages.md, made from the .proto files and their comments: every message, field,
enum and value. Says where the page differs from what would be made now; the exit status is 1 if it
does. Usage: proto_page.py [--write] [ROOT]
"""
import difflib
import os
import re
import sys

sys.dont_write_bytecode = True
from wire.report import Breach, read_lines, report, root_of  # noqa: E402
from wire.schema import BadProto, enums_of, messages_of, read_schema  # noqa: E402

PAGE = "docs/protocol-messages.md"
COMMAND = "tests/tidy/proto_page.py --write"
# These packages' names go without their package; these files come first, the others by path, and
# these last.
HOME = "tengen.v1."
FIRST = ("protocol/tengen/v1/frame.proto", "protocol/tengen/v1/game.proto",
         "protocol/tengen/v1/engine.proto")
LAST = ("protocol/tengen/v1/log.proto",)
HEADER = f"""\
# The messages of the wire

Every message, field and enum of the `.proto` files, with their comments. How a client goes about it
is in [protocol.md](protocol.md), what can go wrong in [protocol-errors.md](protocol-errors.md), how
much of everything there may be in [protocol-limits.md](protocol-limits.md). A field that is absent
is 0, empty or false unless it says otherwise.

<!-- Made by {COMMAND} from the .proto files: change those. -->
"""
# In a comment: `Message.field`, a name of two capitals and more, the message that answers a request.
# A name of one capital is too often an ordinary word.
NAMED = re.compile(r"\b([A-Z]\w*)\.[a-z]\w*|\b((?:[A-Z][a-z0-9]+){2,})\b|"
                   r"(?<=Answered by )([A-Z]\w*)")
DIFFERENCE_LINES_MAX = 40


def title_of(name):
    return name[len(HOME):] if name.startswith(HOME) else name


def anchor_of(title):
    """The anchor that a heading gets: lower case, without dots and slashes."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def in_order(schema):
    def place(file):
        if file.path in FIRST:
            return 0, FIRST.index(file.path), ""
        return 2 if file.path in LAST else 1, 0, file.path
    return sorted(schema, key=place)


def things_of(file):
    """A file's messages and enums as they stand in it."""
    return sorted(file.messages + file.enums, key=lambda thing: thing.line)


class Page:
    """The page's text."""

    def __init__(self, schema):
        self.files = in_order(schema)
        self.messages = messages_of(schema)
        self.names = set(self.messages) | set(enums_of(schema))
        self.users = {name: [] for name in self.names}
        for message in self.messages.values():
            for field in message.fields:
                for name in self.names_in(field.type):
                    if message.name not in self.users[name]:
                        self.users[name].append(message.name)

    def text(self):
        text = HEADER
        for file in self.files:
            links = " · ".join(self.link(thing.name) for thing in things_of(file))
            text += f"\n**[{self.file_title(file)}](#{anchor_of(self.file_title(file))})**: {links}\n"
        for file in self.files:
            text += f"\n## {self.file_title(file)}\n"
            if file.comment:
                text += f"\n{self.prose(file.comment)}\n"
            for thing in things_of(file):
                text += self.section(thing)
        return text

    @staticmethod
    def file_title(file):
        return file.path[len("protocol/"):]

    def section(self, thing):
        text = f"\n### {title_of(thing.name)}\n"
        if thing.comment:
            text += f"\n{self.prose(thing.comment)}\n"
        users = ", ".join(self.link(name) for name in self.users[thing.name])
        if users:
            text += f"\nUsed in {users}.\n"
        if thing.name not in self.messages:
            return text + self.values(thing)
        if not thing.fields:
            text += "\nIt has no fields.\n"
        text += self.fields([field for field in thing.fields if not field.oneof])
        for oneof in thing.oneofs:
            about = f": {self.prose(oneof.comment)}" if oneof.comment else ":"
            text += f"\nOne of `{oneof.name}`{about}\n"
            text += self.fields([field for field in thing.fields if field.oneof == oneof.name])
        return text + self.reserved(thing)

    def fields(self, fields):
        if not fields:
            return ""
        text = "\n| no. | field | type | meaning |\n|---|---|---|---|\n"
        for field in fields:
            label = field.label + " " if field.label else ""
            text += (f"| {field.number} | `{field.name}` | {label}{self.type(field.type)} | "
                     f"{self.cell(field.comment)} |\n")
        return text

    def values(self, enum):
        text = "\n| no. | value | meaning |\n|---|---|---|\n"
        for value in enum.values:
            text += f"| {value.number} | `{value.name}` | {self.cell(value.comment)} |\n"
        return text + self.reserved(enum)

    @staticmethod
    def reserved(thing):
        spans = [str(first) if first == last else f"{first} to {last}"
                 for first, last in thing.reserved]
        names = [f"`{name}`" for name in thing.reserved_names]
        return f"\nNot used any more: {', '.join(spans + names)}.\n" if spans or names else ""

    def names_in(self, kind):
        return [name for name in re.findall(r"[\w.]+", kind) if name in self.names]

    def type(self, kind):
        return re.sub(r"[\w.]+", lambda match: self.link(match.group()), kind).replace("<", "&lt;")

    def link(self, name):
        if name not in self.names:
            return name
        return f"[{title_of(name)}](#{anchor_of(title_of(name))})"

    def prose(self, comment):
        return NAMED.sub(self.link_to, comment)

    def cell(self, comment):
        return self.prose(" ".join(comment.split())).replace("|", "\\|")

    def link_to(self, match):
        owner = next(group for group in match.groups() if group)
        text = match.group()
        return f"[{text}](#{anchor_of(owner)})" if HOME + owner in self.names else text


def clashes(schema):
    """Headings that would have the same anchor."""
    seen = {}
    for file in in_order(schema):
        titles = [(Page.file_title(file), 1)]
        titles += [(title_of(thing.name), thing.line) for thing in things_of(file)]
        for title, line in titles:
            other = seen.setdefault(anchor_of(title), title)
            if other != title:
                yield Breach(file.path, line, f"{title} and {other} have the same anchor in {PAGE}")


def differences(lines, text):
    """The lines of the page that are not those of the text, as a patch."""
    wanted = text.splitlines()
    if lines == wanted:
        return []
    patch = list(difflib.unified_diff(lines, wanted, PAGE, "the .proto files", lineterm="", n=1))
    return patch[:DIFFERENCE_LINES_MAX] + (["..."] if len(patch) > DIFFERENCE_LINES_MAX else [])


def main(arguments):
    root = root_of(arguments)
    try:
        schema = read_schema(root)
    except BadProto as error:
        return report([Breach("protocol", 1, str(error))])
    found = list(clashes(schema))
    if found:
        return report(found)
    text = Page(schema).text()
    if "--write" in arguments:
        with open(os.path.join(root, PAGE), "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    patch = differences(read_lines(root, PAGE), text)
    if patch:
        print("\n".join(patch))
        return report([Breach(PAGE, 1, f"is not of these .proto files: run {COMMAND}")])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
