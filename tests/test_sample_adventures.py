"""The sample adventures: each opens without a finding, and its party can come through from start to end."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.cli.check import checked_file
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.roster import BringParty
from turnwright.play.turns.awards import AwardExperience
from turnwright.play.turns.turns import EndEncounter
from turnwright.rules.parts.preparation.encounter_budgets import encounter_budget
from turnwright.storage.adventure_folders import copy_adventure
from turnwright.storage.encounters import read_encounter
from turnwright.storage.library.entries import Library
from turnwright.storage.resources import sample_adventures
from turnwright.workspace.adventure import (
    OpenAdventure,
    bringing,
    carry_party,
    party_of_adventure,
    party_to_bring,
    run_after,
    take_rest,
    tally,
)
from turnwright.workspace.document import with_dice

SYSTEMS = RuleSystems()
PLANS = {plan.parent.name: plan for plan in sample_adventures()}
NOW = datetime(2026, 1, 3, 20, tzinfo=UTC)


def test_the_larger_games_have_one_each():
    assert {checked.partition('"')[2].partition('"')[0] for plan in PLANS.values() for checked in _systems(plan)} == {
        "a5e",
        "dnd5e",
    }


def _systems(plan):
    return [line for line in plan.read_text(encoding="utf-8").splitlines() if line.startswith("system")]


@pytest.mark.parametrize("name", PLANS)
def test_a_sample_has_no_findings(name):
    assert checked_file(PLANS[name], SYSTEMS).findings == ()
    assert checked_file(PLANS[name].with_name("adventure.party.toml"), SYSTEMS).findings == ()


@pytest.mark.parametrize("name", PLANS)
def test_a_party_plays_a_sample_from_start_to_end(name, tmp_path):
    library = Library(tmp_path / "library", index=tmp_path / "state" / "index")
    plan = copy_adventure(PLANS[name], tmp_path / "adventures", SYSTEMS.ids, library)
    opened = OpenAdventure(plan, SYSTEMS.ids, tmp_path / "state")
    adventure = opened.adventure
    rules, key, fights = SYSTEMS.get(adventure.system), adventure.beside("", 1), 0
    while key:
        step = opened.step(key)
        if step.kind == "encounter":
            party = party_to_bring(
                adventure, opened.run, read_encounter(opened.path_of(step), SYSTEMS.ids).encounter, library
            )
            session = Session(
                with_dice(read_encounter(opened.path_of(step), SYSTEMS.ids).encounter, fights + 1, "roll"), rules
            )
            assert bringing(session.encounter, party) == "update"
            session.do(BringParty(party, sets_absent=True))
            assert encounter_budget(session.encounter, rules).size == 4
            session.do(StartEncounter())
            session.do(EndEncounter())
            session.do(AwardExperience(10))
            carry_party(adventure, session.encounter, rules, library)
            opened.change_run(lambda run, now=session.encounter, key=key: run_after(run, now, key, "", NOW))
            fights += 1
        elif step.kind == "rest":
            take_rest(opened, key, library, rules, {}, NOW)
        key = adventure.beside(key, 1)
    party = party_of_adventure(adventure, library)
    assert fights == 3
    assert [member.xp_earned for member in party.roster] == [30] * 4
    assert tally(adventure, opened.run).fights == 1  # since the long rest
