"""One typesetter for the tests of all pages: making one takes longer than most pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.handouts.samples import typesetter
from turnwright.handouts.typesetter import Typesetter


@pytest.fixture(scope="session", autouse=True)
def press() -> Iterator[Typesetter]:
    with typesetter() as press:
        yield press
    typesetter.cache_clear()
