"""Going back to an earlier version: all that is prepared is as it was there, and undo takes it back."""

from tests.table import Table, creature
from turnwright.encounter.prepared import Countdown, Creature, RosterEntry, Scene
from turnwright.encounter.state import PREPARED
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import GoBackToVersion

THEN = (
    Scene(title="The ford", system="a5e"),
    creature("owl"),
    Countdown("ice", "Ice"),
    RosterEntry("owl", "owl", count=3),
)


def prepared(table):
    return [record for kind in PREPARED for record in table.encounter.all(kind)]


def test_all_that_is_prepared_is_as_it_was() -> None:
    table = Table("ann", "bob", foes=["bob"])
    before = prepared(table)
    table.does(GoBackToVersion(THEN))
    assert sorted(map(str, prepared(table))) == sorted(map(str, THEN))
    assert table.encounter.get(Creature, "ann") is None
    assert table.session.undo()
    assert prepared(table) == before


def test_a_fight_is_not_taken_from_under_those_who_fight() -> None:
    table = Table("ann", "bob", foes=["bob"])
    table.does(StartEncounter())
    assert table.refuses(GoBackToVersion(THEN)).key == "refused.version_while_running"


def test_a_version_for_another_game_is_refused() -> None:
    table = Table("ann")
    assert table.refuses(GoBackToVersion((Scene(system="pf2e"),))).key == "refused.version_of_other_game"
