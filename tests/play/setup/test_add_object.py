"""Objects have AC and hit points, stand on the map and can be struck, but nobody waits for a turn of theirs."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from tests.table import Table, a5e, action_points, creature, dnd5e, environment, pf2e
from turnwright.encounter.prepared import OBJECT, Creature, Map, RosterEntry
from turnwright.encounter.running import Combatant, GuestCreature
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.setup.roster import AddObject
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.turn_order.initiative_commands import SetInitiative
from turnwright.rules.parts.environment.entries import eligible_targets
from turnwright.rules.system import RuleSystem, creature_of

SYSTEMS = (a5e, dnd5e, pf2e, action_points)


def table(rules: RuleSystem | None = None) -> Table:
    return Table(creature("ann", hp=50), creature("orc", hp=20), foes=("orc",), rules=rules)


def begin(found: Table) -> None:
    """Stand in round 1 with Ann's turn, what a game asks before it passed over."""
    found.does(StartEncounter())
    while found.clock.phase != "rounds":
        while found.prompts:
            found.skips()
        if found.clock.setup_step == "initiative":
            found.does(SetInitiative((("ann", 15), ("orc", 10))))
        found.does(AdvanceSetup())
    while found.prompts:
        found.skips()


@pytest.mark.parametrize("rules", SYSTEMS)
def test_one_is_prepared_and_has_no_initiative(rules: Callable[[], RuleSystem]) -> None:
    found = table(rules())
    found.does(AddObject("Gate", 27, 15))
    assert found.encounter.need(Creature, "gate").type == OBJECT
    assert found.encounter.need(RosterEntry, "gate").bystander
    begin(found)
    gate = found.one("gate")
    assert (gate.hp, gate.hp_max, gate.side, creature_of(found.encounter, gate).ac) == (27, 27, "neutral", 15)
    assert found.order == ["ann", "orc"]


@pytest.mark.parametrize("rules", SYSTEMS)
def test_one_joins_the_fight_without_a_question_and_is_destroyed(rules: Callable[[], RuleSystem]) -> None:
    found = table(rules())
    begin(found)
    found.does(AddObject(" Mangonel ", 30, 16, "foes"))
    assert found.encounter.need(GuestCreature, "mangonel").type == OBJECT
    assert (found.prompts, found.order) == ([], ["ann", "orc"])
    found.does(ApplyDamage(("mangonel",), "29 fire"))
    assert (found.one("mangonel").hp, found.one("mangonel").dead) == (1, False)
    found.does(ApplyDamage(("mangonel",), "5 fire"))
    gone = found.one("mangonel")
    below = rules is action_points  # its hit points go below 0, and death comes farther down
    assert (gone.hp, gone.dead, found.prompts) == ((-4, False, []) if below else (0, True, []))
    found.session.undo()
    assert (found.one("mangonel").hp, found.one("mangonel").dead) == (1, False)


def test_one_stands_on_the_map_and_the_surroundings_leave_it_alone() -> None:
    found = Table(creature("ann", hp=50), creature("orc"), foes=("orc",), surroundings=[environment("frigid")])
    found.does(Add((Map(columns=8, rows=8),)))
    found.does(AddObject("Gate", 27))
    found.start(ann=15, orc=10)
    found.does(SetPosition("gate", position=(3, 4)))
    assert found.one("gate").position == (3, 4)
    place = environment("frigid")
    assert [one.id for one in eligible_targets(found.encounter, place, place.actions[0], found.rules)] == ["ann", "orc"]


def test_a_boat_that_is_put_elsewhere_takes_along_who_stands_in_it() -> None:
    found = Table(creature("ann", hp=50), creature("orc"), foes=("orc",))
    found.does(Add((Map(columns=12, rows=8),)))
    found.does(AddObject("Boat", 50, 11, size="large"))
    found.start(ann=15, orc=10)
    found.does(SetPosition("boat", position=(2, 2)))
    found.does(SetPosition("ann", position=(3, 3)))
    found.does(SetPosition("orc", position=(4, 3)))
    found.does(SetPosition("boat", position=(7, 4), elevation=10))
    assert [found.one(who).position for who in ("boat", "ann", "orc")] == [(7, 4), (8, 5), (4, 3)]
    assert [found.one(who).elevation for who in ("boat", "ann", "orc")] == [10, 10, 0]
    found.session.undo()
    assert [found.one(who).position for who in ("boat", "ann")] == [(2, 2), (3, 3)]
    found.does(SetPosition("ann", elevation=60))  # high above it, or off on her own: she isn't aboard
    found.does(SetPosition("boat", position=(7, 4)))
    assert found.one("ann").position == (3, 3)


def test_a_creature_takes_along_its_riders_and_nobody_who_shares_its_squares() -> None:
    found = Table(creature("ann"), creature("mule", size="large"), creature("orc"), foes=("orc",))
    found.does(Add((Map(columns=12, rows=8),)))
    ann = found.encounter.need(RosterEntry, "ann")
    found.does(Edit(msgspec.structs.replace(ann, rides="mule")))
    found.start(ann=15, mule=12, orc=10)
    for who, square in (("mule", (2, 2)), ("orc", (2, 3)), ("ann", (2, 2))):
        found.does(SetPosition(who, position=square))
    found.does(SetPosition("mule", position=(5, 2)))
    assert [found.one(who).position for who in ("mule", "ann", "orc")] == [(5, 2), (5, 2), (2, 3)]


def test_without_a_map_a_position_is_set_for_one_alone() -> None:
    found = Table(creature("ann"), creature("orc"), foes=("orc",))
    found.start(ann=15, orc=10)
    for square in ((2, 2), (5, 2)):
        found.does(SetPosition("ann", position=square))
    assert (found.one("ann").position, found.one("ann").elevation) == ((5, 2), 0)


@pytest.mark.parametrize("rules", SYSTEMS)
def test_one_is_of_a_size_that_the_game_has_medium_unless_told_otherwise(rules: Callable[[], RuleSystem]) -> None:
    found = table(rules())
    for size in found.rules.data.sizes:
        found.does(AddObject(f"Crate {size.id}", 5, size=size.id))
        assert found.encounter.need(Creature, f"crate-{size.id}").size == size.id
    found.does(AddObject("Gate", 27))
    assert found.encounter.need(Creature, "gate").size == "medium"
    assert found.refuses(AddObject("Ark", 500, size="vast")).key == "refused.unknown"
    begin(found)
    found.does(AddObject("Wagon", 40, size="large"))
    assert found.encounter.need(GuestCreature, "wagon").size == "large"


def test_one_without_a_name_is_refused() -> None:
    found = table()
    assert found.refuses(AddObject("  ", 5)).key == "refused.empty"
    assert not any(one.creature for one in found.encounter.all(Combatant))
