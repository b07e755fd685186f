"""What the action point game ships as data hangs together: whatever it cites stands in its ledger."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from turnwright.rules.system_data import SystemData
from turnwright.storage.system_data import read_ledger, read_system_data


def cited(value: Any) -> Iterator[str]:
    """Every ledger id that stands anywhere in some data."""
    if isinstance(value, str):
        if value.startswith("ap."):
            yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from cited(getattr(value, name))
    elif isinstance(value, tuple):
        for one in value:
            yield from cited(one)


def test_whatever_is_cited_stands_in_the_ledger() -> None:
    catalogue: SystemData = read_system_data("action_points")
    known = {rule.id for rule in read_ledger("action_points")}
    assert len(known) == 159
    assert set(cited(catalogue)) <= known


def test_what_the_game_does_not_have_is_not_there() -> None:
    catalogue = read_system_data("action_points")
    assert "prone" not in {one.id for one in catalogue.conditions}
    assert not catalogue.movement.opportunity
    assert (catalogue.attack.off_hand, catalogue.attack.natural_hit, catalogue.dying.stable_hours) == (0, 0, "")
