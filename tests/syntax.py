"""The modules of the package: their texts, and their syntax trees, parsed once for the tests of a file that look through them."""

from __future__ import annotations

import ast
import gc
import re
from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "desktop" / "turnwright"
# Strings and comments, found many times faster than by `tokenize`; right up to Python 3.11, whose f-strings don't nest.
_LEXEME = re.compile(
    r'''(?:"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(\#[^\n]*)''',
    re.DOTALL,
)


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each comment, with its mark."""
    line, before = 1, 0
    for found in _LEXEME.finditer(source):
        if found[1]:
            line, before = line + source.count("\n", before, found.start()), found.start()
            yield line, found[1]


def without_comments(source: str) -> str:
    """Return a source with a letter in place of each line of a string, and nothing in place of comments."""
    return _LEXEME.sub(lambda found: "" if found[1] else "\n".join("x" * (found[0].count("\n") + 1)), source)


@cache
def sources() -> tuple[tuple[str, str], ...]:
    """Return the path from the package and the text of every module."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return tuple((path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")) for path in paths)


def modules_with(words: Iterable[str]) -> Iterator[tuple[str, ast.Module]]:
    """Yield the path and the tree of each module whose text has one of some words: parsing all takes a second."""
    sought = re.compile("|".join(map(re.escape, words)))
    yield from ((path, ast.parse(text)) for path, text in sources() if sought.search(text))


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """Return the path from the package and the tree of every module."""
    collecting = gc.isenabled()
    gc.disable()  # nothing of a tree is garbage, and there are half a million nodes to look through
    try:
        return tuple((path, ast.parse(text)) for path, text in sources())
    finally:
        if collecting:
            gc.enable()


@cache
def nodes(tree: ast.Module) -> list[ast.AST]:
    """Return all nodes of a tree, those higher up first; kept, for several tests look through them."""
    found: list[ast.AST] = [tree]
    for node in found:  # which grows meanwhile
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += [one for one in value if isinstance(one, ast.AST)]
    return found


@pytest.fixture(scope="module", autouse=True)
def no_trees_kept() -> Iterator[None]:
    """Forget the trees afterwards: the collector would look through them in every test that follows."""
    yield
    modules.cache_clear()
    nodes.cache_clear()
