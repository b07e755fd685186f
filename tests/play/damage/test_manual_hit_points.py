"""Hit points set by hand are told with what stands before them, and only where there is any."""

from __future__ import annotations

import pytest

from tests.table import Table
from turnwright.play.damage.manual_hit_points import SetHitPoints


@pytest.mark.parametrize(("temp", "key"), [(None, "hit_points_set"), (0, "hit_points_set"), (5, "hit_points_set_with")])
def test_temporary_ones_are_named_where_there_are_any(temp: int | None, key: str) -> None:
    table = Table("ann")
    table.start(ann=10)
    table.does(SetHitPoints("ann", 7, temp))
    last = [line.phrase for line in table.session.journal()][-1]
    assert last.key == f"journal.{key}"
    assert dict(last.params)["temp"] == (temp or 0)
