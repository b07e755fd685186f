"""Effects with rules of their own that are in force when a forecast begins."""

from __future__ import annotations

import pytest

from tests.forecast.small_fights import SYSTEMS, fighter, small_fight
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Encounter
from turnwright.forecast.building.questions import Questions
from turnwright.workspace.fight_forecast import begun_copy

SWORD = Feature("sword", "Sword", "action", attack=4, reach=5, damage="1d6")


@pytest.mark.parametrize(
    ("rules", "margin", "die"),
    [
        ((), -8, 0),
        ((DataRule("extra", "attack", dice="1d4"),), -8, 4),
        ((DataRule("extra", "attack", dice="-1d4"),), -8, -4),
        ((DataRule("extra", "attack", dice="1d4"), DataRule("extra", "attack", dice="1d8")), -8 + 4, 4),
        ((DataRule("modifier", "attack", add=2),), -6, 0),
    ],
)
def test_dice_and_numbers_of_effects_count(rules, margin, die):
    copy = begun_copy(small_fight("dnd5e", [fighter("ada", SWORD)], [fighter("orc", SWORD)]), SYSTEMS.get("dnd5e"))
    encounter = Encounter((*copy.encounter, Effect("effect-1", "ada", "Bless", rules=rules)))
    assert Questions(encounter, SYSTEMS.get("dnd5e")).attack_cell("ada", SWORD, "orc")[:3] == (margin, 0, die)
