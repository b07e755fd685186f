"""Fixtures of documents: a small encounter file with a person's comments in it, and the rule systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.workspace.document import Document, open_document

TEXT = """\
# Two against one, at a gate.
format = 3
system = "a5e"
title = "The gate"

[scene]
notes = "Nobody knows who shut it."   # and nobody will say

[creatures.guard]
name = "Guard"
hp = 30
ac = 15
their_own = "kept"

[creatures.mira]
name = "Mira"
hp = 40

[roster.mira]
creature = "mira"
side = "players"
player = "Ann"

[roster.guards]
creature = "guard"
count = 2

[countdowns.gate]
name = "The gate falls"
dice = 3
"""


@pytest.fixture(scope="session")
def systems() -> RuleSystems:
    return RuleSystems()


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "gate.toml"
    path.write_text(TEXT, encoding="utf-8", newline="")
    return path


@pytest.fixture
def opened(systems: RuleSystems, state: Path, file: Path) -> Iterator[Callable[..., Document]]:
    """Open documents, and close them at the end."""
    documents: list[Document] = []

    def open_one(path: Path = file, **options: object) -> Document:
        documents.append(open_document(path, systems, state, **{"seed": 7, "dice": "roll", **options}))
        return documents[-1]

    yield open_one
    for document in documents:
        document.close(discard=True)
