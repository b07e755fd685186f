"""Find the test module of each module: at the mirrored path, or the one that `covered_by.toml` names.

`desktop/turnwright/play/turns/turns.py` is tested by `tests/play/turns/test_turns.py`. A module without a test module there is
listed in `covered_by.toml` with a test module that uses it: by an import of its own, or through at most three more modules.
`python -m tests.covered_by --write` removes entries that are no longer needed and adds missing ones, each with the nearest
test module that uses the module. Look at what it adds: where none tests the module, write a test instead.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE, TESTS = ROOT / "desktop" / "turnwright", ROOT / "tests"
LIST = Path(__file__).with_name("covered_by.toml")
HEAD = """\
# Modules without a test module at the mirrored path, and the test module that covers each; see covered_by.py.
"""
FARTHEST = 4  # imports from a test module to a module that it covers
_IMPORT = re.compile(r"^\s*(?:from ([\w.]+) import (\([^)]*\)|.+)|import ([\w.]+))", re.MULTILINE)


@cache
def files() -> dict[str, Path]:
    """Return the file of each module of the program and the tests, by the module's name."""
    found = {}
    for folder, name in ((PACKAGE, "turnwright"), (TESTS, "tests")):
        for file in folder.rglob("*.py"):
            parts = file.relative_to(folder).with_suffix("").parts
            found[".".join((name, *(part for part in parts if part != "__init__")))] = file
    return found


@cache
def imports_of(module: str) -> frozenset[str]:
    """Return the modules that a module imports, in functions and for types as well."""
    found = set()
    for package, names, plain in _IMPORT.findall(files()[module].read_text(encoding="utf-8")):
        found.add(package or plain)
        found |= {f"{package}.{name}" for name in re.findall(r"(\w+)(?: as \w+)?", names)}
    return frozenset(found & files().keys() - {module})


@cache
def distances(module: str) -> dict[str, int]:
    """Return how many imports lie between a test module and each module of the program; helpers of tests don't count."""
    found, reached = {module: 0}, [module]
    for one in reached:  # which grows meanwhile
        for other in imports_of(one):
            far = found[one] + other.startswith("turnwright")
            if far <= FARTHEST and far < found.get(other, FARTHEST + 1):
                found[other] = far
                reached.append(other)
    return found


def name_of(path: str) -> str:
    """Return the name of the module of the tests with this path below `tests`."""
    return "tests." + path.removesuffix(".py").replace("/", ".")


def covers(test: str, path: str) -> bool:
    """Whether the test module with this path uses the module of the program with that one.

    Of a module that the program loads without an import, such as the stages of a command, the test uses what it imports.
    """
    test_module, module = name_of(test), "turnwright." + path.removesuffix(".py").replace("/", ".")
    if test_module not in files() or module not in files():
        return False
    reached = distances(test_module)
    return module in reached or (module in loaded_by_name() and not imports_of(module).isdisjoint(reached))


@cache
def loaded_by_name() -> frozenset[str]:
    """Return the modules of the program that no other one imports, and those that only such modules import."""
    importers: dict[str, set[str]] = {name: set() for name in files() if name.startswith("turnwright")}
    for name in importers:
        for other in imports_of(name):
            importers[other].add(name)
    found: set[str] = set()
    while more := {name for name, by in importers.items() if by <= found} - found:
        found |= more
    return frozenset(found)


def mirror(path: str) -> str:
    """Return the path at which the test module of a module is expected."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}test_{name}"


def without_mirror() -> list[str]:
    """Return the paths of modules that have no test module at the mirrored path."""
    paths = (file.relative_to(PACKAGE).as_posix() for file in sorted(PACKAGE.rglob("*.py")) if file.name[:2] != "__")
    return [path for path in paths if not (TESTS / mirror(path)).exists()]


def listed() -> dict[str, str]:
    """Return the entries of `covered_by.toml`."""
    return tomllib.loads(LIST.read_text(encoding="utf-8")) if LIST.exists() else {}


def nearest(path: str) -> Iterator[str]:
    """Yield the best test module for a module, or nothing: in the nearest folder, then the fewest imports away."""
    module = "turnwright." + path.removesuffix(".py").replace("/", ".")
    tests = {files()[name].relative_to(TESTS).as_posix(): name for name in files() if ".test_" in name}
    found = []
    for test, name in tests.items():
        if covers(test, path):
            shared = sum(one == other for one, other in zip(test.split("/"), path.split("/"), strict=False))
            common = len(imports_of(name) & imports_of(module))
            found.append((-shared, distances(name).get(module, FARTHEST), -common, len(imports_of(name)), test))
    if found:
        yield min(found)[-1]


def write() -> None:
    """Bring `covered_by.toml` up to date."""
    held = listed()
    entries = {}
    for path in without_mirror():
        kept = [held[path]] if path in held and covers(held[path], path) else [*nearest(path)]
        entries.update((path, test) for test in kept)
    lines = (f'"{path}" = "{test}"\n' for path, test in entries.items())
    LIST.write_text(HEAD + "".join(lines), encoding="utf-8")


if __name__ == "__main__" and "--write" in sys.argv:
    write()
