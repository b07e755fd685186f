"""Counts by the number of characters: in words or as a table, kept up to date while the encounter is prepared."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tests.for_each import for_each
from tests.table import Table, creature
from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import count_for
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import Add, Edit, Remove
from turnwright.rules.parts.preparation.encounter_budgets import encounter_budget
from turnwright.storage.encounters import EncounterFile, parse_encounter


@for_each(
    ("counts", "by_size"),
    [
        ("1 per character", {1: 1, 4: 4, 6: 6}),
        ("2 per character", {3: 6}),
        ("1 per 2 characters", {1: 1, 3: 2, 4: 2, 5: 3}),
        ("3 per 4 characters", {4: 3, 5: 4}),
        ("3: 2, 4:3,6: 5", {1: 2, 3: 2, 4: 3, 5: 3, 6: 5, 9: 5}),
        ("some", {4: None}),
        ("0 per character", {4: None}),
        ("3: 2, four: 3", {4: None}),
        ("3: 0", {4: None}),
    ],
)
def test_counts_are_read_in_words_or_as_a_table(counts: str, by_size: dict[int, int | None]) -> None:
    assert {size: count_for(counts, size) for size in by_size} == by_size


def table(*players: str) -> Table:
    roster = [RosterEntry(name, "ann", name, side="party", player=name, level=3) for name in players]
    return Table(
        creature("ann", hp=20), creature("orc", rating="1"), roster=[*roster, RosterEntry("orc", "orc", count=9)]
    )


def orcs(found: Table) -> int:
    return found.encounter.need(RosterEntry, "orc").count


def follow(found: Table, counts: str) -> None:
    found.does(Edit(msgspec.structs.replace(found.encounter.need(RosterEntry, "orc"), counts=counts)))


def test_the_count_follows_the_party_until_the_fight_begins_and_is_undone_with_it() -> None:
    found = table("kim", "lou", "max")
    follow(found, "1 per character")
    assert orcs(found) == 3
    budget = encounter_budget(found.encounter, found.rules)
    assert [part.count for part in budget.entries] == [3]
    found.does(Add((RosterEntry("new", "ann", "New", side="party", player="new", level=3),)))
    assert orcs(found) == 4
    found.session.undo()
    assert orcs(found) == 3
    found.does(Remove((("roster", "kim"),)))
    assert orcs(found) == 2
    found.does(StartEncounter())
    found.does(Remove((("roster", "lou"),)))
    assert orcs(found) == 2
    assert sum(one.roster == "orc" for one in found.encounter.all(Combatant)) == 2


def test_a_number_by_hand_no_longer_follows_and_without_players_four_are_meant() -> None:
    found = table()
    follow(found, "1 per 2 characters")
    assert orcs(found) == 2
    found.does(Edit(msgspec.structs.replace(found.encounter.need(RosterEntry, "orc"), count=7)))
    assert (orcs(found), found.encounter.need(RosterEntry, "orc").counts) == (7, "")


FILE = """system = "a5e"

[creatures.orc]
name = "Orc"

[roster.kim]
creature = "orc"
player = "Kim"
count = 5

[roster.orc]
creature = "orc"
counts = "1 per 2 characters"  # more for more
"""


def test_a_file_holds_the_rule_and_not_the_number() -> None:
    loaded = parse_encounter(FILE.encode(), Path("x.toml"), ["a5e"])
    assert loaded.encounter.need(RosterEntry, "orc").count == 3
    assert "count = 3" not in EncounterFile(FILE).render(loaded.encounter)
    written = EncounterFile().render(loaded.encounter)
    assert 'counts = "1 per 2 characters"' in written
    assert "count = 3" not in written


def test_what_can_t_be_read_is_told_with_its_place() -> None:
    text = FILE.replace("1 per 2 characters", "a few")
    loaded = parse_encounter(text.encode(), Path("x.toml"), ["a5e"])
    (finding,) = [one for one in loaded.findings if one.key == "roster.orc.counts"]
    assert (finding.line, finding.severity) == (13, "warning")
    assert '"a few" is not a count per character' in finding.message
    assert loaded.encounter.need(RosterEntry, "orc").count == 1
