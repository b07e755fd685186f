"""Rings on miniatures: their colour stands in the label, and goes with it."""

from __future__ import annotations

import pytest

from tests.table import a5e
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.running import Combatant, kind_id
from turnwright.encounter.state import Encounter
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.table.combatants import SetPortrait, SetRing
from turnwright.players.showing import Showing
from turnwright.players.visibility import shown_name


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
