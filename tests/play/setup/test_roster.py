"""Objects and parties that are added to an encounter."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from tests.table import Table, a5e, action_points, creature, dnd5e, environment, pf2e
from turnwright.encounter.prepared import OBJECT, Creature, Map, Party, RosterEntry
from turnwright.encounter.running import Combatant, GuestCreature
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.setup.roster import AddObject, BringParty
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.turn_order.surprise import SetInitiative
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
    found.does(AddObject(" Mangonel ", 30, 16, "enemies"))
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


ANN = RosterEntry("ann", "ann", side="party", player="Kim", level=3)
OX = RosterEntry("ox", "ox", side="party", controller="ann")
PARTY = Party("four", "The four", (creature("ann", ac=15), creature("ox")), (ANN, OX))


def roster(table: Table) -> list[RosterEntry]:
    return list(table.encounter.all(RosterEntry))


def test_a_party_comes_in_with_stat_blocks_and_roster_in_one_step() -> None:
    table = Table("orc", foes=["orc"])
    before = table.encounter
    table.does(BringParty(PARTY))
    assert roster(table)[1:] == [ANN, OX]
    assert table.encounter.need(Creature, "ann").ac == 15
    table.session.undo()
    assert table.encounter == before


def test_coming_again_brings_nobody_twice_and_takes_over_new_figures() -> None:
    table = Table("orc", foes=["orc"])
    table.does(BringParty(PARTY))
    table.does(Edit(replace(ANN, positions=((3, 4),), side="heroes", wave="late")))
    older = table.encounter
    table.does(BringParty(PARTY))
    assert table.encounter == older
    grown = Party("four", "The four", (creature("ann", ac=17), creature("ox")), (replace(ANN, level=4), OX))
    table.does(BringParty(grown))
    assert roster(table)[1] == replace(ANN, level=4, positions=((3, 4),), side="heroes", wave="late")
    assert table.encounter.need(Creature, "ann").ac == 17
    assert len(roster(table)) == 3
    assert len(list(table.encounter.all(Creature))) == 3


def test_the_same_player_and_name_are_the_same_whatever_the_id() -> None:
    table = Table("orc", foes=["orc"])
    table.does(BringParty(PARTY))
    other = Party("x", "X", (creature("ann-2", name="Ann", ac=18),), (replace(ANN, id="hero", creature="ann-2"),))
    table.does(BringParty(other))
    assert [entry.id for entry in roster(table)] == ["orc", "ann", "ox"]
    assert table.encounter.need(Creature, "ann").ac == 18


def test_somebody_else_with_the_same_id_stays_who_they_are() -> None:
    table = Table(creature("ann", name="Anton"), "orc", foes=["orc", "ann"])
    table.does(BringParty(PARTY))
    assert [(entry.id, entry.creature) for entry in roster(table)] == [
        ("ann", "ann"),
        ("orc", "orc"),
        ("ann-2", "ann-2"),
        ("ox", "ox"),
    ]
    assert table.encounter.need(Creature, "ann").name == "Anton"
    assert roster(table)[3].controller == "ann-2"


def test_a_stat_block_that_others_use_is_left_to_them() -> None:
    table = Table(creature("ann"), "orc", foes=["orc"], roster=[replace(ANN, id="ann"), RosterEntry("twin", "ann")])
    table.does(BringParty(PARTY))
    assert table.encounter.need(Creature, "ann").ac == 10
    assert table.encounter.need(RosterEntry, "ann").creature == "ann-2"
    assert table.encounter.need(Creature, "ann-2").ac == 15


def test_while_a_fight_runs_newcomers_join_it() -> None:
    table = Table("orc", "bo", foes=["orc"])
    table.start(orc=10, bo=5)
    table.dice(12, 7)
    table.does(BringParty(PARTY))
    assert {one.id for one in table.encounter.all(Combatant)} == {"orc", "bo", "ann", "ox"}
    assert table.order[0] == "ann"
    table.does(BringParty(PARTY))
    assert len(list(table.encounter.all(Combatant))) == 4


def test_in_set_up_they_roll_with_the_others() -> None:
    table = Table("orc", foes=["orc"])
    table.does(StartEncounter())
    table.does(BringParty(PARTY))
    assert table.prompts == []
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    table.does(AdvanceSetup())
    assert "ann" in {ask.who for ask in table.prompt.asks}
