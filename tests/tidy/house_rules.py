#!/usr/bin/env python3
"""The rules of this tree that a machine can check: who includes whom, where Asio, Beast and
generated protobuf may be seen, no orphan files, no long files, no loose ends. Prints one line per
breach as `file:line: text`; the exit status is 1 if there was one. docs/testing.md lists the rules.
Usage: house_rules.py [ROOT]
"""
import os
import posixpath
import re
import sys
from collections import namedtuple

Breach = namedtuple("Breach", "file line text")

LINES_MAX = 600
SKIPPED_FOLDERS = {".git", ".cache", "build", "__pycache__", "node_modules"}
LAYERS = ("rules", "protocol", "pool", "daemon", "clients", "tests")
MAY_INCLUDE = {
    "rules": {"rules"},
    "protocol": {"rules", "protocol"},
    "pool": {"rules", "pool"},
    "daemon": {"rules", "protocol", "pool", "daemon"},
    "clients": {"rules", "protocol", "clients"},
    "tests": set(LAYERS),
}
# Probing an engine is the pool's business, done from the command line.
PROBE_FILES = ("clients/cli/probe/",)
# Prefixes of the files that are shells, and of the test folders that may do real I/O.
REAL_TESTS = ("tests/support/", "tests/e2e/", "tests/bench/", "tests/load/", "tests/faults/")
POOL_SHELLS = ("pool/process", "pool/keeper", "pool/spawn", "pool/group_memory")
ASIO_FILES = ("daemon/net/", "daemon/server", "daemon/admin", "clients/cli/net/") + \
    POOL_SHELLS + REAL_TESTS
BEAST_FILES = ("daemon/net/", "clients/cli/net/") + REAL_TESTS
# The agents' calls are JSON by a contract that protobuf's JSON mapping cannot keep.
JSON_FILES = ("protocol/agent_",)
PROTOBUF_FILES = ("protocol/", "tests/protocol/")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
STANDARD_HEADER = re.compile(r"^[a-z_0-9]+$")
LOOSE_END = re.compile(r"\b(?:TO" r"DO|FIX" r"ME)\b|\bX{3}\s*[:(]")
SLEEP = re.compile(r"\b(?:sleep_for|sleep_until|usleep|nanosleep|sleep)\s*\(")
OWN_PATH = re.compile(r"(?<![\w.~$}/-])/(?:home|Users|root|work)/\w")
CMAKE_TOKEN = re.compile(r'[^\s()";]+')


def is_text(path):
    name = posixpath.basename(path)
    suffixes = (".cc", ".h", ".py", ".sh", ".md", ".txt", ".proto", ".toml", ".cmake", ".json")
    return name.endswith(suffixes) or path in ("run", "check", ".ci/run")


def read_tree(root):
    """Every text file under the root, by its path from there, as a list of lines."""
    files = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS)
        for name in sorted(names):
            full = os.path.join(folder, name)
            path = os.path.relpath(full, root).replace(os.sep, "/")
            if is_text(path):
                with open(full, encoding="utf-8", errors="replace") as file:
                    files[path] = file.read().splitlines()
    return files


def is_cpp(path):
    return path.endswith((".h", ".cc"))


def layer_of(path):
    first = path.split("/")[0]
    return first if first in LAYERS else None


def includes(lines):
    """(line number, is quoted, path) of every include."""
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == '"', match.group(2)


def cpp_includes(files):
    for path, lines in files.items():
        if is_cpp(path) and layer_of(path):
            for number, quoted, target in includes(lines):
                yield path, number, quoted, target


def is_generated(target):
    return target.startswith("tengen/") or target.endswith(".pb.h")


def check_direction(files):
    for path, number, quoted, target in cpp_includes(files):
        if not quoted or is_generated(target):
            continue
        layer, other = layer_of(path), layer_of(target)
        if layer == "tests" and f"tests/{target}" in files:
            continue  # tests/ is a root for the tests themselves
        if other is None:
            yield Breach(path, number, f'"{target}" is not written from the root of the tree')
        elif other == "pool" and path.startswith(PROBE_FILES):
            continue
        elif other not in MAY_INCLUDE[layer]:
            yield Breach(path, number, f"{layer}/ must not include {other}/ ({target})")


def check_cores(files):
    """The cores see the standard library only; protocol also protobuf and for agents JSON, pool's
    shells the system."""
    for path, number, quoted, target in cpp_includes(files):
        layer = layer_of(path)
        if quoted or layer not in ("rules", "protocol", "pool") or path.startswith(POOL_SHELLS):
            continue
        if layer == "protocol" and target.startswith("google/protobuf/"):
            continue
        if path.startswith(JSON_FILES) and target.startswith("boost/json/"):
            continue
        if not STANDARD_HEADER.match(target):
            yield Breach(path, number, f"{layer}/ must not see <{target}>: standard library only")


def check_asio(files):
    for path, number, _, target in cpp_includes(files):
        if re.match(r"boost/asio\b", target) and not path.startswith(ASIO_FILES):
            yield Breach(path, number, f"Asio ({target}) belongs to the shells")
        if re.match(r"boost/beast\b", target):
            if not path.startswith(BEAST_FILES):
                yield Breach(path, number, f"Beast ({target}) belongs to the network shells")
            elif path.endswith(".h"):
                yield Breach(path, number, f"Beast ({target}) in a header: .cc files only")


def protobuf_headers(files):
    """Headers of protocol/ through which generated code is seen."""
    found = set()
    while True:
        more = {
            path for path, _, _, target in cpp_includes(files)
            if path.startswith("protocol/") and path.endswith(".h") and path not in found
            and (is_generated(target) or target.startswith("google/protobuf/") or target in found)
        }
        if not more:
            return found
        found |= more


def check_protobuf(files):
    private = protobuf_headers(files)
    for path, number, _, target in cpp_includes(files):
        if path.startswith(PROTOBUF_FILES):
            continue
        if is_generated(target) or target.startswith("google/protobuf/"):
            yield Breach(path, number, f"generated protobuf ({target}) stays inside protocol/")
        elif target in private:
            yield Breach(path, number, f"{target} shows generated protobuf: private to protocol/")


def named_sources(files):
    """The paths that the CMake files name, seen from the root."""
    named = set()
    for path, lines in files.items():
        if posixpath.basename(path) != "CMakeLists.txt":
            continue
        folder = posixpath.dirname(path)
        for line in lines:
            for token in CMAKE_TOKEN.findall(line.split("#")[0]):
                base = folder
                for variable in ("${CMAKE_SOURCE_DIR}/", "${PROJECT_SOURCE_DIR}/"):
                    if token.startswith(variable):
                        base, token = "", token[len(variable):]
                token = token.replace("${CMAKE_CURRENT_SOURCE_DIR}/", "")
                named.add(posixpath.normpath(posixpath.join(base, token)))
    return named


def check_orphans(files):
    named = named_sources(files)
    for path in files:
        # Fuzz targets need clang; `check long fuzz` builds whatever is in their folder.
        if path.startswith("tests/fuzz/") or not layer_of(path):
            continue
        if path.endswith(".cc") and path not in named:
            yield Breach(path, 1, "no CMakeLists.txt in its folder or above names this file")


def check_length(files):
    for path, lines in files.items():
        is_code = path.endswith((".cc", ".h", ".py", ".sh")) or path in ("run", "check")
        if is_code and len(lines) > LINES_MAX:
            text = f"{len(lines)} lines, {LINES_MAX} at most: look for the second idea inside"
            yield Breach(path, LINES_MAX + 1, text)


def matching_lines(files, pattern, text, concerns=lambda path: True):
    for path, lines in files.items():
        if concerns(path):
            for number, line in enumerate(lines, 1):
                match = pattern.search(line)
                if match:
                    yield Breach(path, number, text.format(match.group(0).strip()))


def check_loose_ends(files):
    return matching_lines(files, LOOSE_END, "{}: finish it or file it as an issue")


def check_sleeps(files):
    def concerns(path):
        return path.startswith("tests/") and not path.startswith(REAL_TESTS) and \
            path.endswith((".cc", ".h", ".py"))
    return matching_lines(files, SLEEP, "a test must not wait by sleeping ({})", concerns)


def check_own_paths(files):
    return matching_lines(files, OWN_PATH, "{}: a path of one machine")


def check_pragma_once(files):
    for path, lines in files.items():
        if path.endswith(".h") and layer_of(path) and "#pragma once" not in lines:
            yield Breach(path, 1, "#pragma once is missing")


CHECKS = (check_direction, check_cores, check_asio, check_protobuf, check_orphans, check_length,
          check_loose_ends, check_sleeps, check_own_paths, check_pragma_once)


def breaches(root):
    files = read_tree(root)
    return sorted({breach for check in CHECKS for breach in check(files)})


def main(arguments):
    here = os.path.dirname(os.path.abspath(__file__))
    root = arguments[0] if arguments else os.path.dirname(os.path.dirname(here))
    found = breaches(root)
    for breach in found:
        print(f"{breach.file}:{breach.line}: {breach.text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
