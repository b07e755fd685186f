"""Gives memory back to the system: Typst keeps its last documents, glibc what is freed; a worker would hold two gigabytes."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

GROWTH = 5_000  # pages of 4 KB
MUCH = 50_000  # pages within a test
COMPILATIONS = 10  # after these, Typst has forgotten a layout
_held = 0


def held_pages() -> int:
    """Return how much memory this process holds, in pages; 0 on systems other than Linux."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) if sys.platform == "linux" else 0


def forget_layouts() -> None:
    """Have Typst forget the layouts of the documents before."""
    typst = sys.modules.get("typst")
    if typst:
        nothing = typst.Compiler(b"", ignore_system_fonts=True)
        for _ in range(COMPILATIONS):
            nothing.compile(b"")


@pytest.fixture(scope="session", autouse=True)
def few_layouts() -> Iterator[None]:
    """Have Typst forget layouts within a test that prints several large documents."""
    from turnwright.handouts.typesetter import Typesetter

    typeset = vars(Typesetter)["_typeset"]

    def typeset_with_less(*arguments: Any) -> Any:
        if _held and held_pages() > _held + MUCH:
            forget_layouts()
        return typeset(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Typesetter, "_typeset", typeset_with_less)
        yield


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Trim the heap after a test that took much memory."""
    global _held  # noqa: PLW0603
    now = held_pages()
    if now > _held + GROWTH:
        forget_layouts()
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # other C libraries than glibc have none
        if trim:
            trim(0)
        now = _held = held_pages()
    _held = min(_held, now)
