"""Ways to part those who are level come to an end, whichever of them is the last."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from tests.play.any_game import AnyGame
from tests.systems.pf2e.encounters import Encounter
from tests.table import creature, dnd5e, pf2e
from turnwright.encounter.prepared import RosterEntry, Scene
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.spawning.spawning import AddCombatants
from turnwright.play.turn_order.surprise import SetInitiative


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


def goblins(count: int = 3) -> AnyGame:
    """Ann, and some copies of a goblin who all have the same total, in a game that asks about ties."""
    roster = [RosterEntry("goblin", "goblin", count=count, side="enemies"), RosterEntry("ann", "ann")]
    table = AnyGame(creature("ann"), creature("goblin"), roster=roster, rules=dnd5e(), scene=Scene(system="dnd5e"))
    copies = {f"goblin-{number}": 10 for number in range(1, count + 1)}
    table.does(StartEncounter())
    while table.clock.setup_step != "initiative":
        table.does(AdvanceSetup())
    table.does(SetInitiative((("ann", 15), *copies.items())))
    table.does(AdvanceSetup())
    return table


@pytest.mark.rule("dnd5e.initiative.tie_npcs")
def test_copies_of_one_creature_stay_in_their_order_unasked() -> None:
    table = goblins()
    assert table.prompts == []
    assert table.order == ["ann", "goblin-1", "goblin-2", "goblin-3"]


@pytest.mark.rule("dnd5e.initiative.tie_npcs")
def test_a_late_copy_comes_after_its_like() -> None:
    table = goblins()
    table.does(AddCombatants("goblin", initiative=10))
    assert table.prompts == []
    assert table.order[:4] == ["ann", "goblin-1", "goblin-2", "goblin-3"]
