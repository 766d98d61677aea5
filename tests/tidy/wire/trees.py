"""Small trees for the tests of the checks."""
import contextlib
import os
import tempfile

# A file of a package as the checks want it, and what may follow in it.
HEAD = 'syntax = "proto3";\npackage tengen.v1;\n'
PATH = "protocol/tengen/v1/a.proto"


@contextlib.contextmanager
def tree(files):
    """The root of a tree given as {path: text}."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        yield root
