"""The bounds of an imported creature: what the encounter refuses is not imported."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.for_each import for_each
from turnwright.encounter.field_specs import problem_in
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition, SourceNote
from turnwright.importers.common import check_bounds
from turnwright.storage.fights import UnreadableError

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
def test_what_is_within_its_bounds_is_imported(sound: Creature) -> None:
    assert problem_in(sound) == ("", "")
    assert check_bounds(sound) is sound


@for_each("wrong", [
    creature(hp=-1), creature(xp=10**9), creature(abilities=(("str", 2**70),)), creature(description="x" * 300_000), creature(attacks=0),
    creature(Feature("x", "X", recharge=1)), creature(Feature("x", "X", damage="many dice")), creature(BITE, Feature("x", "X", save_damage="0d6")),
    creature(Feature("x", "X", level=-1)), creature(Feature("x", "X", afflictions=(InflictedCondition("prone", escape_dc=2**70),))),
    creature(tags=("x",) * 11_000), creature(BITE, hp=-1, notes="word " * 3_000), creature(Feature("x", "X", reach=-5), notes="word " * 3_000),
    creature(remarks=(SourceNote("speeds", "x" * 300_000),)),
])  # fmt: skip
def test_what_is_not_is_not(wrong: Creature) -> None:
    field, problem = problem_in(wrong)
    with pytest.raises(UnreadableError, match=re.escape(f"{field}: {problem}")):
        check_bounds(wrong)
