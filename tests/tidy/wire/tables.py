"""The tables of a page in Markdown."""
import re
from collections import namedtuple

# A row's cells by the name of their column, as they are written.
Row = namedtuple("Row", "line cells")

CELL = re.compile(r"(?<!\\)\|")
CODE = re.compile(r"`([^`]*)`")


def cells_of(line):
    return [cell.strip() for cell in CELL.split(line.strip())[1:-1]]


def rows_of(lines, heading):
    """The rows of all tables between a heading and the next one of its level or above."""
    level, rows, names, inside = 0, [], None, False
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            depth = len(line) - len(line.lstrip("#"))
            if line.lstrip("#").strip() == heading:
                inside, level = True, depth
            elif depth <= level:
                inside = False
        elif not inside or not line.startswith("|"):
            names = None
        elif names is None:
            names = cells_of(line)
        elif set(line) - set("|-: "):
            rows.append(Row(number, dict(zip(names, cells_of(line)))))
    return rows


def code_of(cell):
    """The first text in backticks, or the whole cell."""
    match = CODE.search(cell)
    return match.group(1) if match else cell


def codes_of(cell):
    return CODE.findall(cell)
