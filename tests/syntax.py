"""The modules of the package: their texts, and their syntax trees, one at a time."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

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


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Yield the path from the package and the tree of every module: all trees at once take half a gigabyte."""
    yield from ((path, ast.parse(text)) for path, text in sources())


@lru_cache(maxsize=1)
def nodes(tree: ast.Module) -> list[ast.AST]:
    """Return all nodes of a tree, those higher up first; kept until the next tree, for several checks look through them."""
    found: list[ast.AST] = [tree]
    for node in found:  # which grows meanwhile
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += [one for one in value if isinstance(one, ast.AST)]
    return found


def name_of(node: ast.expr) -> str:
    """Return what `ast.unparse` returns, faster for names."""
    if isinstance(node, ast.Attribute):
        return f"{name_of(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ast.unparse(node)
