"""What the end of an encounter of Pathfinder 2e brings: experience, as much as a person says, and nothing by itself."""

from __future__ import annotations

import pytest

from tests.systems.pf2e.encounters import Encounter, pair
from turnwright.encounter.prepared import Scene, Treasure
from turnwright.play.setup.prepared_records import Add
from turnwright.play.turns.turns import EndEncounter, ExperienceAwarded, TreasureFound


def ended() -> Encounter:
    """An encounter that has just ended."""
    table = pair()
    table.does(EndEncounter())
    return table


@pytest.mark.rule("pf2e.encounter.xp")
def test_experience_is_what_a_person_says() -> None:
    table = ended()
    assert table.asked() == [("prompt.awards", "ask.award_xp")]
    table.answers(xp=80)
    (awarded,) = table.happened(ExperienceAwarded)
    assert (awarded.xp, awarded.rule, table.prompts) == (80, "pf2e.encounter.xp", [])


@pytest.mark.rule("pf2e.encounter.xp", "pf2e.external.xp_and_treasure")
def test_nothing_is_awarded_where_nobody_says_anything() -> None:
    table = ended()
    assert (table.ask().suggested, table.ask().options) == ((), ())
    table.skips()
    assert [one.xp for one in table.happened(ExperienceAwarded)] == [0]


@pytest.mark.rule("pf2e.encounter.treasure")
def test_treasure_that_is_revealed_is_given_to_characters() -> None:
    table = pair(scene=Scene(system="pf2e", treasure=("a silver ring", "a purse", "a map")))
    table.does(EndEncounter())
    asked = table.prompt.asks[1]
    assert (asked.kind, asked.rule, asked.suggested) == ("targets", "pf2e.encounter.treasure", ())
    assert [one.label for one in asked.options] == ["a silver ring", "a purse", "a map"]
    table.answers(xp=0, treasure=("0", "1"))
    assert [(one.detail, [each.id for each in one.options]) for one in table.prompt.asks] == [
        ("a silver ring", ["mira", "nobody-yet"]),
        ("a purse", ["mira", "nobody-yet"]),
    ]
    table.answers(**{"0": ("mira",), "1": ("nobody-yet",)})
    found = [(one.what, one.who, one.rule) for one in table.happened(TreasureFound)]
    assert found == [("a silver ring", "mira", "pf2e.encounter.treasure"), ("a purse", "", "pf2e.encounter.treasure")]
    lines = [line.phrase.key for line in table.session.journal()]
    assert lines[-2:] == ["journal.treasure_taken", "journal.treasure_found"]


@pytest.mark.rule("pf2e.encounter.treasure")
def test_an_item_that_is_not_known_at_once_is_found_by_its_looks() -> None:
    table = pair(scene=Scene(system="pf2e", treasure=("a purse",)))
    table.does(Add((Treasure("ring", "Ring of the tide", secret=True, looks="a dull ring"), Treasure("key", "Key"))))
    table.does(EndEncounter())
    assert [one.label for one in table.prompt.asks[1].options] == ["a purse", "Ring of the tide", "Key"]
    table.answers(xp=0, treasure=("1", "2"))
    assert [one.detail for one in table.prompt.asks] == ["Ring of the tide", "Key"]
    table.answers(**{"0": ("mira",), "1": ("mira",)})
    assert [one.what for one in table.happened(TreasureFound)] == ["a dull ring", "Key"]


@pytest.mark.rule("pf2e.encounter.treasure")
def test_of_two_items_with_one_name_only_the_one_that_is_known_is_named() -> None:
    known, unknown = Treasure("a", "Tide draught"), Treasure("b", "Tide draught", secret=True, looks="a murky phial")
    for items in ((unknown, known), (known, unknown)):
        table = pair(scene=Scene(system="pf2e"))
        table.does(Add(items))
        table.does(EndEncounter())
        table.answers(xp=0, treasure=("0", "1"))
        assert [one.detail for one in table.prompt.asks] == ["Tide draught", "Tide draught"]
        table.answers(**{"0": ("mira",), "1": ("mira",)})
        finds = table.encounter.all(Treasure)
        assert [one.what for one in table.happened(TreasureFound)] == [one.known_name for one in finds]


@pytest.mark.rule("pf2e.encounter.treasure")
def test_an_item_without_a_name_is_found_by_its_id() -> None:
    table = pair(scene=Scene(system="pf2e"))
    table.does(Add((Treasure("old-key"),)))
    table.does(EndEncounter())
    table.answers(xp=0, treasure=("0",))
    table.answers(**{"0": ("mira",)})
    assert [one.what for one in table.happened(TreasureFound)] == ["old-key"]


@pytest.mark.rule("pf2e.encounter.treasure")
def test_what_is_not_revealed_is_not_found() -> None:
    table = pair(scene=Scene(system="pf2e", treasure=("a silver ring",)))
    table.does(EndEncounter())
    table.skips()
    assert (table.prompts, table.happened(TreasureFound)) == ([], [])


@pytest.mark.rule("pf2e.external.exploration_mode")
def test_no_rule_of_exploration_runs_after_the_end() -> None:
    table = ended()
    table.skips()
    assert (table.prompts, table.clock.phase, table.active) == ([], "ended", "")
    assert dict(table.rules.data.terms)["phase.ended"] == "Exploration mode"


@pytest.mark.rule("pf2e.encounter.treasure")
def test_blanks_name_no_item_and_are_no_looks() -> None:
    table = pair(scene=Scene(system="pf2e"))
    table.does(Add((Treasure("old-key", " "), Treasure("ring", " ", secret=True, looks=" "))))
    table.does(EndEncounter())
    assert [one.label for one in table.prompt.asks[1].options] == ["old-key", "ring"]
    table.answers(xp=0, treasure=("0", "1"))
    table.answers(**{"0": ("mira",), "1": ("mira",)})
    assert [one.what for one in table.happened(TreasureFound)] == ["old-key", "?"]
