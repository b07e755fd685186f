"""What the end of an encounter of Pathfinder 2e brings: experience, as much as a person says, and nothing by itself."""

from __future__ import annotations

import pytest

from tests.systems.pf2e.encounters import Encounter, pair
from turnwright.play.commands import EndEncounter
from turnwright.play.events import Awarded


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
    (awarded,) = table.happened(Awarded)
    assert (awarded.xp, awarded.rule, table.prompts) == (80, "pf2e.encounter.xp", [])


@pytest.mark.rule("pf2e.encounter.xp", "pf2e.external.xp_and_treasure")
def test_nothing_is_awarded_where_nobody_says_anything() -> None:
    table = ended()
    assert (table.ask().suggested, table.ask().options) == ((), ())
    table.skips()
    assert [one.xp for one in table.happened(Awarded)] == [0]


@pytest.mark.rule("pf2e.external.exploration_mode")
def test_no_rule_of_exploration_runs_after_the_end() -> None:
    table = ended()
    table.skips()
    assert (table.prompts, table.clock.phase, table.active) == ([], "ended", "")
    assert dict(table.rules.catalogue.terms)["phase.ended"] == "Exploration mode"
