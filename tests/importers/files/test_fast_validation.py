"""The fast bounds check of a creature: it proves nothing that the full check would refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from turnwright.encounter.field_specs import problem_in
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition, SourceNote
from turnwright.importers.documents import ParsedDocument, read_document
from turnwright.importers.files.fast_validation import is_within_bounds
from turnwright.importers.open5e.v1 import read
from turnwright.importers.results import ImportedRecord

BITE = Feature("bite", "Bite", "action", attack=5, reach=5, damage="1d8+3 piercing", recharge=5)


def creature(*features: Feature, **figures: Any) -> Creature:
    return Creature("stalker", "Stalker", features=features, **figures)


@pytest.mark.parametrize(
    "sound",
    [
        creature(),
        creature(BITE),
        creature(BITE, initiative=-2, level=-1),
        creature(Feature("x", "X", text="word " * 3_000), BITE),
    ],
)
def test_what_is_within_its_bounds_is_proven_to_be(sound: Creature) -> None:
    assert problem_in(sound) == ("", "")
    assert is_within_bounds(sound) == (len(sound.features) != 2)


@pytest.mark.parametrize("wrong", [
    creature(hp=-1), creature(xp=10**9), creature(abilities=(("str", 2**70),)), creature(description="x" * 300_000), creature(attacks=0),
    creature(Feature("x", "X", recharge=1)), creature(Feature("x", "X", damage="many dice")), creature(BITE, Feature("x", "X", save_damage="0d6")),
    creature(Feature("x", "X", level=-1)), creature(Feature("x", "X", afflictions=(InflictedCondition("prone", escape_dc=2**70),))),
    creature(tags=("x",) * 11_000), creature(BITE, hp=-1, notes="word " * 3_000), creature(Feature("x", "X", reach=-5), notes="word " * 3_000),
    creature(remarks=(SourceNote("speeds", "x" * 300_000),)),
])  # fmt: skip
def test_what_is_not_is_not(wrong: Creature) -> None:
    assert problem_in(wrong)[1]
    assert not is_within_bounds(wrong)


def test_nearly_every_real_creature_is_proven(real_data: Path) -> None:
    document = read_document(real_data / "open5e" / "v1-menagerie" / "Monster.json")
    assert isinstance(document, ParsedDocument)
    found = [
        each.record
        for each in read([document], "")
        if isinstance(each, ImportedRecord) and isinstance(each.record, Creature)
    ]
    proven = [each for each in found if is_within_bounds(each)]
    assert all(problem_in(each) == ("", "") for each in found)
    assert len(proven) > 0.95 * len(found) > 350
