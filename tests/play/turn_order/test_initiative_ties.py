"""Ways to part those who are level come to an end, whichever of them is the last."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from tests.systems.pf2e.encounters import Encounter
from tests.table import creature, pf2e


@pytest.mark.parametrize(
    "ways", [("as-listed",), ("enemies-first", "as-listed"), ("enemies-first",), ("characters-first",)]
)
def test_who_stays_level_stands_as_listed(ways: tuple[str, ...]) -> None:
    found = pf2e().data
    initiative = msgspec.structs.replace(found.initiative, ties=ways)
    rules = replace(pf2e(), data=msgspec.structs.replace(found, initiative=initiative))
    table = Encounter(
        creature("mira", initiative=1), creature("tor", initiative=2), "ogre", foes=("ogre",), rules=rules
    )
    table.start(mira=15, tor=15, ogre=10)
    assert (table.order, table.active, table.prompts) == (["mira", "tor", "ogre"], "mira", [])
