"""One typesetter for the tests of all pages: making one takes longer than most pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.handouts.samples import typesetter
from turnwright.handouts.typesetter import Typesetter

HERE = "tests/handouts/"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Print first, forecasts last of it: a page takes up to 300 MB, too much for a worker that has loaded numba."""
    items.sort(key=lambda item: "forecast" in item.name if item.nodeid.startswith(HERE) else 2)


@pytest.fixture(scope="session", autouse=True)
def press() -> Iterator[Typesetter]:
    with typesetter() as press:
        yield press
    typesetter.cache_clear()
