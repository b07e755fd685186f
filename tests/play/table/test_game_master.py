"""Snapshots keep the fight under a name: taken, replaced, gone back to, deleted, saved with the fight, and undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.table import Table, creature
from turnwright.encounter.prepared import Countdown, RosterEntry
from turnwright.encounter.running import Clock, Dice, IdCounter, Snapshot
from turnwright.encounter.state import PREPARED_TABLES, Encounter, UnreadableSnapshot, packed, unpacked
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import ChangeStatBlock
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.setup.roster import AddObject
from turnwright.play.table.game_master import Rename
from turnwright.play.table.snapshots import MOST, DeleteSnapshot, GoBackToSnapshot, TakeSnapshot
from turnwright.play.turns.turns import RemoveCombatant
from turnwright.storage.fights import fight_text, parse_fight
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.fight_lines import snapshot_changes
from turnwright.workspace.print_job import report_of
from turnwright.workspace.text import Phrasebook

APART = (Snapshot, Dice, IdCounter)


def begun() -> Table:
    found = Table(
        creature("ann", hp=50),
        creature("orc", hp=30),
        roster=[
            RosterEntry("ann", "ann", side="party"),
            RosterEntry("orc", "orc"),
            RosterEntry("rat", "orc", "Rat", count=2),
        ],
        countdowns=(Countdown("flood", "Flood", starts=0),),
    )
    found.start(**{"ann": 15, "orc": 10, "rat-1": 8, "rat-2": 5})
    return found


def running(found: Table) -> list[object]:
    """Return all that a snapshot keeps, in its order."""
    return [one for one in found.encounter if one.table not in PREPARED_TABLES and not isinstance(one, APART)]


def much_happens(found: Table) -> None:
    found.does(ApplyDamage(("orc",), "12"))
    found.does(ApplyCondition(("ann",), "blinded"))
    found.does(RemoveCombatant("rat-1"))
    found.does(AddObject("Gate", 20))
    found.does(ChangeStatBlock("rat-2", "ann", "apart"))
    found.ends_turn(2)


def test_going_back_brings_everything_in_its_order_and_undo_takes_it_back() -> None:
    found = begun()
    found.does(ApplyDamage(("orc",), "3"))
    found.does(TakeSnapshot(" Before the door "))
    kept = running(found)
    much_happens(found)
    later = found.encounter
    assert running(found) != kept
    found.does(GoBackToSnapshot("snapshot"))
    assert running(found) == kept
    assert found.encounter.need(Snapshot, "snapshot").name == "Before the door"
    found.session.undo()
    assert found.encounter == later
    found.session.redo()
    assert running(found) == kept
    much_happens(found)
    found.does(GoBackToSnapshot("snapshot"))
    assert running(found) == kept


def test_the_same_name_replaces_and_one_too_many_is_refused() -> None:
    found = begun()
    found.does(TakeSnapshot("A"))
    found.ends_turn()
    found.does(TakeSnapshot("a"))
    (one,) = found.encounter.all(Snapshot)
    assert one.name == "a"
    found.does(GoBackToSnapshot(one.id))
    assert found.active == "orc"
    for number in range(MOST - 1):
        found.does(TakeSnapshot(str(number)))
    assert found.refuses(TakeSnapshot("more")).key == "refused.too_many_snapshots"
    assert found.refuses(TakeSnapshot(" ")).key == "refused.empty"
    found.does(DeleteSnapshot(one.id))
    assert found.encounter.get(Snapshot, one.id) is None


def test_one_survives_the_file_of_the_fight() -> None:
    found = begun()
    found.does(TakeSnapshot("Door"))
    kept = running(found)
    much_happens(found)
    prepared = Encounter(one for one in found.encounter if one.table in PREPARED_TABLES)
    text = fight_text(found.encounter, [], "")
    fight = parse_fight(text.encode(), Path("x.fight.toml"), prepared)
    assert fight.records is not None
    again = Encounter([*prepared, *fight.records])
    assert again == found.encounter
    assert unpacked(again.need(Snapshot, "snapshot").state) == tuple(kept)


def test_what_going_back_changes_is_said_in_lines() -> None:
    found = begun()
    found.does(TakeSnapshot("Door"))
    found.does(ApplyDamage(("orc",), "12"))
    snapshot = found.encounter.need(Snapshot, "snapshot")
    lines = snapshot_changes(found.encounter, snapshot, Phrasebook(WordCatalogue.load(), found.rules))
    assert [one for one in lines if one[:1] in "+-"] == ["- Orc: 18 of 30 hit points", "+ Orc: 30 of 30 hit points"]
    found.does(GoBackToSnapshot("snapshot"))
    assert snapshot_changes(found.encounter, snapshot, Phrasebook(WordCatalogue.load(), found.rules)) == []


def test_the_report_counts_nothing_that_was_gone_back_on() -> None:
    found = begun()
    found.does(ApplyDamage(("orc",), "5", by="ann"))
    found.does(TakeSnapshot("Door"))
    found.does(ApplyDamage(("orc",), "12", by="ann"))
    assert {one.who: one.dealt for one in report_of(found.session).combatants}["ann"] == 17
    found.does(GoBackToSnapshot("snapshot"))
    found.does(ApplyDamage(("orc",), "2", by="ann"))
    assert {one.who: one.dealt for one in report_of(found.session).combatants}["ann"] == 7


def test_a_broken_one_is_refused_and_the_fight_stays() -> None:
    for text in ("", "no", packed([Clock()])[:-4], "~~~~~"):
        with pytest.raises(UnreadableSnapshot):
            unpacked(text)
    assert unpacked(packed([Clock()])) == (Clock(),)


def test_ids_of_what_is_gone_are_not_given_again() -> None:
    found = begun()
    found.does(TakeSnapshot("Door"))
    found.does(ApplyCondition(("ann",), "blinded"))
    before = found.encounter.need(IdCounter, "ids").next
    found.does(GoBackToSnapshot("snapshot"))
    found.does(Rename("ann", "Anne"))
    assert found.encounter.need(IdCounter, "ids").next == before
