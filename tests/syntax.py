"""The modules of the package as syntax trees, parsed once for the tests of a file that look through them."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from functools import cache

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "desktop" / "turnwright"


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """Return the path from the package and the tree of every module."""
    collecting = gc.isenabled()
    gc.disable()  # nothing of a tree is garbage, and there are half a million nodes to look through
    try:
        return tuple(
            (path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
            for path in sorted(PACKAGE.rglob("*.py"))
        )
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
