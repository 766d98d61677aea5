"""C++ sources as text to be searched: their comments blanked out, so that offsets and lines stay."""
import os
import re

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.S)


def without_comments(text):
    def blank(match):
        token = match.group()
        return token if token.startswith('"') else re.sub(r"[^\n]", " ", token)
    return TOKEN.sub(blank, text)


def read_sources(root, folders, suffixes):
    """{path: text} of every such file below the folders."""
    found = {}
    for top in folders:
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                if name.endswith(suffixes):
                    full = os.path.join(folder, name)
                    path = os.path.relpath(full, root).replace(os.sep, "/")
                    with open(full, encoding="utf-8") as file:
                        found[path] = without_comments(file.read())
    return found


def line_at(text, offset):
    return text.count("\n", 0, offset) + 1


def arguments_at(text, offset):
    """The arguments of the call whose opening bracket is at the offset, as they are written."""
    arguments, depth, begin = [], 0, offset + 1
    position = offset
    while position < len(text):
        string = TOKEN.match(text, position)
        if string:
            position = string.end()
            continue
        char = text[position]
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        if depth == 0 or (depth == 1 and char == ","):
            arguments.append(text[begin:position].strip())
            begin = position + 1
        if depth == 0:
            return arguments
        position += 1
    return []
