"""Labels of a roster's members: a name borne by several is numbered, in the time that reading the roster takes."""

from __future__ import annotations

from itertools import islice

from tests.effort import steps
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.state import Encounter, member_labels, name_counts


def roster(*counts: int) -> Encounter:
    return Encounter(
        [Creature("owl", "Owl"), *(RosterEntry(f"r{n}", "owl", count=one) for n, one in enumerate(counts))]
    )


def labels(encounter: Encounter) -> list[str]:
    counts = name_counts(encounter)
    rows = encounter.all(RosterEntry)
    return [label for one in rows for label in islice(member_labels(encounter, one, counts=counts), one.count)]


def test_a_name_of_several_is_numbered_through_all_entries():
    assert labels(roster(1)) == ["Owl"]
    assert labels(roster(2, 1)) == ["Owl 1", "Owl 2", "Owl 3"]


def test_what_is_taken_or_not_in_the_roster_yet_gets_a_free_number():
    encounter = roster(2)
    assert next(member_labels(encounter, RosterEntry("new", "owl"))) == "Owl 3"
    assert next(member_labels(roster(1), RosterEntry("r0", "owl"), frozenset({"Owl"}))) == "Owl 1"


def test_labels_of_a_large_roster_are_counted_once():
    few, many = roster(*[1] * 200), roster(*[1] * 400)
    assert steps(lambda: labels(many)) < 1.5 * 2 * steps(lambda: labels(few))
