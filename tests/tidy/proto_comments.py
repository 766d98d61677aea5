#!/usr/bin/env python3
"""Every field and enum value of the .proto files has a comment, on its line or just above it, and
every enum starts at ..._UNSPECIFIED = 0, but for those of package gtp, whose zeros are not ours to
choose. Usage: proto_comments.py PROTO_ROOT; prints what is missing and exits with 1."""
import pathlib
import re
import sys

FIELD = re.compile(r"^\s*(?:(?:repeated|optional)\s+)?(?:[\w.]+\s+)?(\w+)\s*=\s*(\d+)\s*;(.*)$")
ENUM = re.compile(r"^\s*enum\s+(\w+)\s*\{")


def is_comment(line):
    return line.strip().startswith("//") and len(line.strip()) > 3


def problems_in(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    fields = 0
    is_ours = "package gtp;" not in lines
    for number, line in enumerate(lines):
        where = f"{path}:{number + 1}"
        code = line.split("//")[0]
        if is_ours and ENUM.match(code) and not re.search(r"_UNSPECIFIED = 0;", lines[number + 1]):
            yield f"{where}: {code.strip()} does not start at ..._UNSPECIFIED = 0"
        field = FIELD.match(line)
        if field:
            fields += 1
            if not is_comment(field[3]) and not is_comment(lines[number - 1]):
                yield f"{where}: {field[1]} has no comment"
        elif re.search(r"=\s*\d+", code):
            yield f"{where}: one field on one line, please"
    if fields == 0:
        yield f"{path}: no fields found"


def main():
    files = sorted(pathlib.Path(sys.argv[1]).rglob("*.proto"))
    problems = [problem for path in files for problem in problems_in(path)]
    if not files:
        problems = [f"{sys.argv[1]}: no .proto files"]
    print("\n".join(problems) if problems else "every field has a comment")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
