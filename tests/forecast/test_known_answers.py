"""Answers kept from sheet to sheet: a sheet made with them is the one made afresh, and only what an edit is about is asked."""

from __future__ import annotations

from dataclasses import fields

import msgspec
import numpy as np
import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Environment, RosterEntry
from turnwright.encounter.state import Change, Encounter, Record, key_of, scene_of
from turnwright.forecast.building import questions
from turnwright.forecast.building.questions import KnownAnswers
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.fight_forecast import begun_copy

SYSTEMS = RuleSystems()
SAMPLES = {file.stem: file for file in sample_encounters()}
replaced = msgspec.structs.replace


def loaded(name: str) -> Encounter:
    found = read_encounter(SAMPLES[name], SYSTEMS.ids).encounter
    assert found is not None
    return found


def edits(encounter: Encounter) -> list[tuple[Record, Record]]:
    """Records as they are and as an edit leaves them: of each stat block, roster entry and environment."""
    found: list[tuple[Record, Record]] = []
    for one in encounter.all(Creature):
        found += [(one, replaced(one, hp=one.hp + 3)), (one, replaced(one, ac=(one.ac or 10) + 1))]
        found.append((one, replaced(one, saves=(), senses=(("blindsight", 60),), resistances=("fire",))))
        found.append((one, replaced(one, features=one.features[1:])))
    found += [(one, replaced(one, count=one.count + 1)) for one in encounter.all(RosterEntry) if not one.player]
    for place in encounter.all(Environment):
        found.append((place, replaced(place, features=place.features[1:], actions=place.actions[:-1])))
    return found


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["cold-ford-bridge", "last-light", "unquenched-works", "bell-barge"])
def test_a_sheet_with_known_answers_is_the_one_made_afresh(name: str):
    encounter = loaded(name)
    rules, known = SYSTEMS.get(scene_of(encounter).system), KnownAnswers()
    for before, after in edits(encounter)[::7]:
        copy = begun_copy(encounter.with_changes([Change(key_of(before), before, after)]), rules)
        kept, kept_legend = build_sheet(copy.encounter, rules, copy.waiting, known)
        fresh, fresh_legend = build_sheet(copy.encounter, rules, copy.waiting)
        assert kept_legend == fresh_legend
        for field in fields(kept):
            assert np.array_equal(getattr(kept, field.name), getattr(fresh, field.name)), (after, field.name)


def test_an_edit_has_only_what_it_is_about_asked_anew(monkeypatch):
    encounter = loaded("cold-ford-bridge")
    rules, known, asked = SYSTEMS.get(scene_of(encounter).system), KnownAnswers(), []
    real = questions.attack_roll

    def counted(lookup, system, attack):
        asked.append({lookup.need(questions.Combatant, who).creature for who in (attack.attacker, attack.target)})
        return real(lookup, system, attack)

    monkeypatch.setattr(questions, "attack_roll", counted)
    first = begun_copy(encounter, rules)
    build_sheet(first.encounter, rules, first.waiting, known)
    whole = len(asked)
    asked.clear()
    build_sheet(first.encounter, rules, first.waiting, known)
    assert not asked
    captain = encounter.need(Creature, encounter.need(RosterEntry, "captain").creature)
    harder = replaced(captain, ac=(captain.ac or 10) + 1)
    copy = begun_copy(encounter.with_changes([Change(key_of(captain), captain, harder)]), rules)
    build_sheet(copy.encounter, rules, copy.waiting, known)
    assert asked
    assert all(captain.id in pair for pair in asked)
    assert len(asked) < whole / 2
