"""Data about combatants that the game master enters: names, sides, rings, and how damage is counted."""

from __future__ import annotations

import pytest

from tests.table import Table, a5e, creature
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.running import Combatant, KnownName, kind_id
from turnwright.encounter.state import Encounter
from turnwright.play.queries.queries import sides_standing
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.table.game_master import SetDamageCount, SetKnownName, SetPortrait, SetRing, SetSide
from turnwright.players.secrets import Showing, shown_name, with_known_names


def name_of(table: Table, who: str) -> str:
    showing = with_known_names(table.encounter, Showing())
    return shown_name(table.encounter.need(Combatant, who), showing)


def test_players_know_a_kind_by_its_name_from_then_on_until_it_is_undone():
    table = Table("ann", "gob", foes=("gob",))
    table.start(ann=20, gob=10)
    assert (name_of(table, "ann"), name_of(table, "gob")) == ("Ann", "")
    table.does(SetKnownName(("gob",)))
    assert name_of(table, "gob") == "Gob"
    assert [one.id for one in table.encounter.all(KnownName)] == ["all.gob"]
    table.session.undo()
    assert name_of(table, "gob") == ""


def test_a_false_name_is_for_one_alone_where_it_is_said_so():
    table = Table("ann", "gob", foes=("gob",))
    table.start(ann=20, gob=10)
    table.does(SetKnownName(("gob",), " the pale lady ", alone=True))
    assert name_of(table, "gob") == "the pale lady"
    assert [one.id for one in table.encounter.all(KnownName)] == ["gob"]
    table.does(SetKnownName(("gob",)))
    assert name_of(table, "gob") == "the pale lady"
    table.does(SetKnownName(("gob",), forget=True))
    assert (name_of(table, "gob"), list(table.encounter.all(KnownName))) == ("", [])


def test_those_who_change_sides_fight_for_the_other_until_it_is_undone():
    table = Table("ann", "gob", "rat", foes=("gob", "rat"))
    table.start(ann=20, gob=10, rat=5)
    step = table.does(SetSide(("gob", "rat"), "party"))
    assert [table.encounter.need(Combatant, who).side for who in ("gob", "rat")] == ["party", "party"]
    assert len(sides_standing(table.encounter)) == 1
    assert len(step.lines) == 1
    table.session.undo()
    assert table.encounter.need(Combatant, "gob").side == "enemies"


def test_a_side_is_needed_and_the_same_side_is_no_step():
    table = Table("ann", "gob", foes=("gob",))
    table.start(ann=20, gob=10)
    assert table.refuses(SetSide(("gob",), " ")).key == "refused.no_side"
    assert table.does(SetSide(("gob",), "enemies")) is None


def begun(*rings: str) -> Session:
    """Return a fight with three goblins, whose miniatures have rings."""
    records = [Scene(system="a5e"), Creature("goblin", "Goblin"), RosterEntry("g", "goblin", count=3, rings=rings)]
    session = Session(Encounter(records), a5e())
    session.do(StartEncounter())
    return session


@pytest.fixture
def goblins() -> Session:
    return begun()


def labels(session: Session) -> dict[str, str]:
    return {one.id: one.label for one in session.encounter.all(Combatant)}


def test_a_ring_names_a_miniature_and_is_undone_with_its_name(goblins: Session):
    goblins.do(SetRing(("g-1",), "red"))
    goblins.do(SetRing(("g-2",), "blue"))
    assert labels(goblins) == {"g-1": "Goblin, red", "g-2": "Goblin, blue", "g-3": "Goblin 3"}
    goblins.do(SetRing(("g-3",), "red"))
    assert labels(goblins)["g-3"] == "Goblin 3, red"
    goblins.do(SetRing(("g-1", "g-3"), ""))
    assert labels(goblins) == {"g-1": "Goblin", "g-2": "Goblin, blue", "g-3": "Goblin 3"}
    for _ in range(4):
        goblins.undo()
    assert labels(goblins) == {"g-1": "Goblin 1", "g-2": "Goblin 2", "g-3": "Goblin 3"}


def test_several_with_one_ring_keep_different_names(goblins: Session):
    goblins.do(SetRing(("g-1", "g-2", "g-3"), "green"))
    assert len(set(labels(goblins).values())) == 3
    assert all(label.endswith(", green") for label in labels(goblins).values())


def test_a_portrait_is_its_own_until_it_has_none(goblins: Session):
    goblins.do(SetPortrait("g-1", " grub.png "))
    assert goblins.encounter.need(Combatant, "g-1").portrait == "grub.png"
    goblins.do(SetPortrait("g-1"))
    assert goblins.encounter.need(Combatant, "g-1").portrait == ""


def test_rings_of_the_roster_come_into_the_fight():
    assert labels(begun("", "red", "red")) == {"g-1": "Goblin 1", "g-2": "Goblin, red", "g-3": "Goblin 3, red"}


def test_players_know_the_ring_and_not_the_number():
    goblins = begun("red", "red", "")
    showing = Showing(met=frozenset({kind_id("goblin")}))
    names = [shown_name(one, showing) for one in goblins.encounter.all(Combatant)]
    assert names == ["Goblin, red", "Goblin, red", "Goblin"]


def test_it_is_taken_from_the_roster_and_changed_in_the_fight_and_undone() -> None:
    found = Table(
        creature("ann"),
        creature("bob"),
        roster=[RosterEntry("ann", "ann", counts_damage=True), RosterEntry("bob", "bob")],
    )
    found.start(ann=5, bob=3)
    assert (found.one("ann").counts_damage, found.one("bob").counts_damage) == (True, False)
    found.does(SetDamageCount(("bob",)))
    found.does(SetDamageCount(("ann",), counts_damage=False))
    assert (found.one("ann").counts_damage, found.one("bob").counts_damage) == (False, True)
    found.session.undo()
    assert found.one("ann").counts_damage
