"""One typesetter for the tests of all pages: making one takes longer than most pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.handouts.samples import typesetter
from turnwright.handouts.typesetter import Typesetter


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Print first, forecasts last of it: a page takes up to 300 MB, too much for a worker that has loaded numba."""
    here = Path(__file__).parent
    items.sort(key=lambda item: (here not in item.path.parents, here in item.path.parents and "forecast" in item.name))


@pytest.fixture(scope="session", autouse=True)
def press() -> Iterator[Typesetter]:
    with typesetter() as press:
        yield press
    typesetter.cache_clear()
