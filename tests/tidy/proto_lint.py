#!/usr/bin/env python3
"""How the .proto files are written: names as buf's STANDARD rules want them, a comment on every
field and enum value, and what keeps messages able to grow. Prints one line per breach as
`file:line: text`; the exit status is 1 if there was one. docs/testing.md lists the rules.
Usage: proto_lint.py [ROOT]
"""
import posixpath
import re
import sys

sys.dont_write_bytecode = True
from wire.report import Breach, report, root_of  # noqa: E402
from wire.schema import BadProto, enums_of, messages_of, read_schema  # noqa: E402

# Packages that are somebody else's text and keep its names; their fields have comments all the same.
EXEMPT = {"gtp"}

PASCAL = re.compile(r"^(?:[A-Z][a-z0-9]*)+$")
SNAKE = re.compile(r"^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$")
UPPER_SNAKE = re.compile(r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$")
PACKAGE = re.compile(r"^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*\.v[1-9][0-9]*$")
AFTER_UNDERSCORE = re.compile(r"_([a-z0-9])")
# What comments name: `Message.field`, and constants.
MEMBER = re.compile(r"\b([A-Z]\w*)\.([a-z]\w*)\b")
CONSTANT = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")


def short(name):
    return name.rsplit(".", 1)[-1]


def upper_snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


def json_name(name):
    return AFTER_UNDERSCORE.sub(lambda match: match.group(1).upper(), name)


def check_file(file):
    if file.syntax != "proto3":
        yield Breach(file.path, 1, f'syntax = "proto3", not {file.syntax}')
    if not PACKAGE.match(file.package):
        yield Breach(file.path, 1, f'package "{file.package}" is no lower-case name ending in .v1')
    folder = posixpath.dirname(file.path)[len("protocol/"):]
    if folder != file.package.replace(".", "/"):
        yield Breach(file.path, 1, f"package {file.package} belongs into "
                                   f"protocol/{file.package.replace('.', '/')}/")
    if not SNAKE.match(posixpath.basename(file.path)[:-len(".proto")]):
        yield Breach(file.path, 1, "file names are lower_snake_case.proto")
    for service in file.services:
        yield Breach(file.path, 1, f"service {service}: requests are members of ClientFrame")
    if file.odd_imports:
        yield Breach(file.path, 1, "no public and no weak imports")
    for warning in file.warnings:
        match = re.match(r"[^:]*:(\d+):\d+: (?:warning: )?(.*)", warning)
        line, text = match.groups() if match else (1, warning)
        yield Breach(file.path, int(line), f"protoc: {text}")


def check_message(message):
    def breach(line, text):
        return Breach(message.file, line, f"{short(message.name)}: {text}")
    if not PASCAL.match(short(message.name)):
        yield breach(message.line, "message names are PascalCase")
    for oneof in message.oneofs:
        if not SNAKE.match(oneof.name):
            yield breach(oneof.line, f"oneof {oneof.name}: names are lower_snake_case")
    for field in message.fields:
        if not SNAKE.match(field.name):
            yield breach(field.line, f"{field.name}: field names are lower_snake_case")
        elif field.json_name != json_name(field.name):
            yield breach(field.line, f"{field.name}: no json_name, names are the same in JSON")
        if field.label == "required":
            yield breach(field.line, f"{field.name}: nothing is required for ever")
        if field.oneof and "." not in field.type:
            yield breach(field.line, f"{field.name}: a member of a oneof is a message, so that it "
                                     f"can grow")


def check_enum(enum):
    def breach(line, text):
        return Breach(enum.file, line, f"{short(enum.name)}: {text}")
    prefix = upper_snake(short(enum.name)) + "_"
    if not PASCAL.match(short(enum.name)):
        yield breach(enum.line, "enum names are PascalCase")
    if enum.has_aliases:
        yield breach(enum.line, "one name for each number")
    first = enum.values[0]
    if first.number != 0 or first.name != prefix + "UNSPECIFIED":
        yield breach(first.line, f"the first value is {prefix}UNSPECIFIED = 0")
    for value in enum.values:
        if not UPPER_SNAKE.match(value.name):
            yield breach(value.line, f"{value.name}: values are UPPER_SNAKE_CASE")
        elif not value.name.startswith(prefix):
            yield breach(value.line, f"{value.name}: values begin with {prefix}")


def check_comments(file):
    for message in file.messages:
        for field in message.fields:
            if not field.comment:
                text = f"{short(message.name)}.{field.name} has no comment, on its line or above"
                yield Breach(file.path, field.line, text)
    for enum in file.enums:
        for value in enum.values:
            if not value.comment:
                yield Breach(file.path, value.line, f"{value.name} has no comment, on its line or "
                                                    f"above")


def comments_of(file):
    """(line, comment) of everything in a file that has one."""
    yield 1, file.comment
    for thing in file.messages + file.enums:
        yield thing.line, thing.comment
    for message in file.messages:
        yield from ((each.line, each.comment) for each in message.fields + message.oneofs)
    for enum in file.enums:
        yield from ((value.line, value.comment) for value in enum.values)


def check_names(schema):
    """What a comment names has to be there."""
    members = {short(name): {field.name for field in message.fields}
               for name, message in messages_of(schema).items()}
    values = {value.name for enum in enums_of(schema).values() for value in enum.values}

    def unknown(comment):
        for owner, name in MEMBER.findall(comment):
            if owner in members and name not in members[owner]:
                yield f"{owner}.{name}"
        for word in CONSTANT.findall(comment):
            # Error codes are written without their prefix.
            if word not in values and "ERROR_CODE_" + word not in values:
                yield word

    for file in schema:
        if file.package not in EXEMPT:
            for line, comment in comments_of(file):
                for name in unknown(comment):
                    yield Breach(file.path, line, f"the comment names {name}, which is not there")


def breaches(root):
    try:
        schema = read_schema(root)
    except BadProto as error:
        return [Breach("protocol", 1, str(error))]
    found = list(check_names(schema))
    for file in schema:
        found += check_comments(file)
        if file.package in EXEMPT:
            continue
        found += check_file(file)
        for message in file.messages:
            found += check_message(message)
        for enum in file.enums:
            found += check_enum(enum)
    return sorted(found)


if __name__ == "__main__":
    sys.exit(report(breaches(root_of(sys.argv[1:]))))
