"""Awards are records of the fight: given by a command, changed by the next, undone, and new in the next fight."""

from __future__ import annotations

import pytest

from tests.table import Table, action_points, creature
from turnwright.encounter.prepared import RosterEntry, Scene
from turnwright.encounter.running import Award, Dice
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.transaction import Refused
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import ResetToPrepared, StartEncounter
from turnwright.play.turns.awards import (
    AwardExperience,
    AwardMilestone,
    AwardTreasure,
    award_of,
    characters_present,
    finds,
    open_award,
)
from turnwright.play.turns.turns import EndEncounter


def ended() -> Table:
    """A fight of a character and a goblin that has just ended."""
    hero = creature("ann", tags=("player character",))
    table = Table(hero, creature("gob", hp=7, rating="1/4"), foes=("gob",))
    table.start(ann=20, gob=10)
    table.does(EndEncounter())
    return table


def awards(table: Table) -> list[tuple[str, str, int, tuple[str, ...]]]:
    return [(one.kind, one.what, one.xp, one.who) for one in table.session.encounter.all(Award)]


def test_experience_goes_to_the_characters_unless_others_are_named():
    table = ended()
    assert characters_present(table.session.encounter) == ("ann",)
    table.does(AwardExperience(50, note="the door"))
    table.does(AwardExperience(20, ("gob",)))
    assert awards(table) == [("xp", "the door", 50, ("ann",)), ("xp", "", 20, ("gob",))]


def test_a_later_press_changes_the_same_award_and_undo_takes_it_back():
    table = ended()
    table.does(AwardExperience(50, at="2026-11-28 20:31"))
    first = award_of(table.session.encounter, "xp")
    table.does(AwardExperience(60, award=first.id, at="2026-11-28 21:00"))
    assert [(one.xp, one.at) for one in table.session.encounter.all(Award)] == [(60, "2026-11-28 20:31")]
    table.session.undo()
    assert awards(table) == [("xp", "", 50, ("ann",))]
    table.session.undo()
    assert awards(table) == []
    table.session.redo()
    assert award_of(table.session.encounter, "xp") == first


def test_treasure_and_milestones_are_recorded():
    table = ended()
    table.does(AwardTreasure("grey cloak", ("ann",)))
    table.does(AwardMilestone("over the bridge"))
    assert awards(table) == [
        ("treasure", "grey cloak", 0, ("ann",)),
        ("milestone", "over the bridge", 0, ("ann",)),
    ]


def test_what_is_left_to_award_is_experience_and_then_treasure():
    table = ended()
    encounter, rules = table.session.encounter, table.session.rules
    assert open_award(encounter, rules) == ""  # the goblin stands
    down = Encounter(
        [
            *(one for one in encounter if one.id not in ("gob", "scene")),
            Scene(treasure=("a purse",)),
            creature("gob", rating="1"),
        ]
    )
    assert (open_award(down, rules), [find.known for find in finds(down)]) == ("treasure", ["a purse"])


def test_nothing_is_awarded_before_the_fight_or_without_anybody():
    hero = creature("ann", tags=("player character",))
    session = Session(Encounter([Scene(), hero, RosterEntry("ann", "ann", side="party")]), ended().session.rules)
    with pytest.raises(Refused):
        session.do(AwardTreasure("a purse"))
    foes_only = Table("gob", foes=("gob",))
    foes_only.start(gob=10)
    with pytest.raises(Refused):
        foes_only.does(AwardExperience(10))
    with pytest.raises(Refused):
        Session(ended().session.encounter, action_points()).do(AwardExperience(10))


@pytest.mark.parametrize("command", [ResetToPrepared(), StartEncounter()])
def test_the_awards_of_the_next_fight_have_other_ids(command):
    table = ended()
    before = table.session.encounter.need(Dice, "dice")
    table.does(AwardMilestone())
    table.does(command)
    after = table.session.encounter.need(Dice, "dice")
    assert (after.seed, after.counter, list(table.session.encounter.all(Award))) == (
        before.seed + 1,
        before.counter,
        [],
    )
