"""The end of an encounter of Pathfinder 2e brings experience and treasure, and nothing by itself."""

from __future__ import annotations

import pytest

from tests.systems.pf2e.encounters import Encounter, pair
from turnwright.encounter.prepared import Scene, Treasure
from turnwright.encounter.running import Award
from turnwright.play.setup.prepared_records import Add
from turnwright.play.turns.awards import AwardExperience, AwardTreasure, ExperienceAwarded, TreasureFound, finds
from turnwright.play.turns.turns import EndEncounter


def ended(**records: object) -> Encounter:
    """An encounter that has just ended."""
    table = pair(**records)
    table.does(EndEncounter())
    return table


@pytest.mark.rule("pf2e.encounter.xp")
def test_experience_is_what_a_person_awards() -> None:
    table = ended()
    table.does(AwardExperience(80))
    (awarded,) = table.happened(ExperienceAwarded)
    assert (awarded.xp, awarded.who, awarded.rule) == (80, ("mira",), "pf2e.encounter.xp")
    assert table.prompts == []


@pytest.mark.rule("pf2e.encounter.xp", "pf2e.external.xp_and_treasure")
def test_nothing_is_awarded_where_nobody_says_anything() -> None:
    table = ended()
    assert (table.prompts, table.happened(ExperienceAwarded)) == ([], [])
    assert list(table.encounter.all(Award)) == []


@pytest.mark.rule("pf2e.encounter.treasure")
def test_treasure_that_is_revealed_is_given_to_characters() -> None:
    table = ended(scene=Scene(system="pf2e", treasure=("a silver ring", "a purse")))
    table.does(AwardTreasure("a silver ring", ("mira",)))
    table.does(AwardTreasure("a purse"))
    found = [(one.what, one.owners, one.rule) for one in table.happened(TreasureFound)]
    rule = "pf2e.encounter.treasure"
    assert found == [("a silver ring", ("mira",), rule), ("a purse", (), rule)]
    lines = [line.phrase.key for line in table.session.journal()]
    assert lines[-2:] == ["journal.treasure_shared", "journal.treasure_found"]


@pytest.mark.rule("pf2e.encounter.treasure")
def test_an_item_that_is_not_known_at_once_is_found_by_its_looks() -> None:
    table = pair(scene=Scene(system="pf2e", treasure=("a purse",)))
    table.does(Add((Treasure("ring", "Ring of the tide", secret=True, looks="a dull ring"), Treasure("old-key"))))
    table.does(EndEncounter())
    known = [(one.name, one.known) for one in finds(table.encounter)]
    assert known == [("a purse", "a purse"), ("Ring of the tide", "a dull ring"), ("old-key", "old-key")]


@pytest.mark.rule("pf2e.encounter.treasure")
def test_of_two_items_with_one_name_each_is_given_once() -> None:
    table = pair(scene=Scene(system="pf2e", treasure=("a purse", "a purse")))
    table.does(EndEncounter())
    table.does(AwardTreasure("a purse", ("mira",)))
    assert [one.award is not None for one in finds(table.encounter)] == [True, False]


@pytest.mark.rule("pf2e.encounter.treasure")
def test_blanks_name_no_item_and_are_no_looks() -> None:
    table = pair(scene=Scene(system="pf2e"))
    table.does(Add((Treasure("old-key", " "), Treasure("ring", " ", secret=True, looks=" "))))
    assert [(one.name, one.known) for one in finds(table.encounter)] == [("old-key", "old-key"), ("ring", "?")]


@pytest.mark.rule("pf2e.external.exploration_mode")
def test_no_rule_of_exploration_runs_after_the_end() -> None:
    table = ended()
    assert (table.prompts, table.clock.phase, table.active) == ([], "ended", "")
    assert dict(table.rules.data.terms)["phase.ended"] == "Exploration mode"
