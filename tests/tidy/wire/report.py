"""How the checks of the wire say what they found."""
import os
from collections import namedtuple

Breach = namedtuple("Breach", "file line text")


def root_of(arguments):
    """The tree that is meant: the first argument that is no option, else the one we are in."""
    named = [argument for argument in arguments if not argument.startswith("--")]
    tidy = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return named[0] if named else os.path.dirname(os.path.dirname(tidy))


def report(breaches):
    """Prints one line for each; gives the exit status."""
    for breach in breaches:
        print(f"{breach.file}:{breach.line}: {breach.text}")
    return 1 if breaches else 0


def read_lines(root, path):
    """The lines of a file of the tree; none when there is no such file."""
    try:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []
