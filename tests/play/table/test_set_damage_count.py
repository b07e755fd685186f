"""Damage counted up: chosen by character when it is prepared, or in the fight."""

from tests.table import Table, creature
from turnwright.encounter.prepared import RosterEntry
from turnwright.play.table.combatants import SetDamageCount


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
