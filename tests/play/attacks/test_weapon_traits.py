"""Weapon traits that depend on the attacks made earlier in the turn, or on the distance."""

from __future__ import annotations

import pytest

from tests.table import Table, creature, pf2e
from turnwright.encounter.prepared import Feature
from turnwright.importers.pf2e.stat_block import SourceStrike
from turnwright.importers.pf2e.strikes import feature_of
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import DamageTaken
from turnwright.play.state.position_changes import SetRelation
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport

TRAITS = {"why.sweep", "why.backswing", "why.volley"}


def strike(*traits: str, damage: str = "2d6+3 slashing") -> Feature:
    return feature_of(SourceStrike("Axe", 9, traits, damage), IdAllocator(), (), ConversionReport("Axe"))


def fight(*weapons: Feature) -> Table:
    ogre = creature("ogre", hp=90, features=weapons)
    people = (creature(who, hp=90, ac=15) for who in ("ann", "bob"))
    table = Table(ogre, *people, foes=("ogre",), rules=pf2e())
    table.start(ogre=20, ann=10, bob=5)
    return table


def strikes(table: Table, target: str, face: int = 12, weapon: str = "axe") -> int:
    """Strike, and return what traits add to the attack roll."""
    table.dice(face, 1, 1)
    table.does(Attack("ogre", target, weapon))
    assert not any(prompt.blocks for prompt in table.prompts)
    roll = table.happened(Attacked)[-1].roll
    assert roll is not None
    return sum(part.value for part in roll.modifiers if part.reason in TRAITS)


def test_sweep_helps_against_another_target_than_before() -> None:
    table = fight(strike("sweep"))
    assert [strikes(table, who) for who in ("ann", "ann", "bob")] == [0, 0, 1]
    table.ends_turn(3)
    assert strikes(table, "ann") == 0


def test_backswing_helps_after_a_miss_with_the_same_weapon() -> None:
    other = Feature("fist", "Fist", "action", attack=9, reach=5, damage="1d4 bludgeoning")
    table = fight(strike("backswing"), other)
    assert [strikes(table, "ann", 2, "fist"), strikes(table, "ann", 2), strikes(table, "ann")] == [0, 0, 1]


def test_forceful_attacks_deal_more_damage_from_the_second_on() -> None:
    table = fight(strike("forceful"))
    for _ in range(3):
        strikes(table, "ann", 19)
    assert [hit.taken for hit in table.happened(DamageTaken)] == [5 * 2, 5 + 2, 5 + 4]


@pytest.mark.parametrize(("condition", "taken"), [("off-guard", 6), ("frightened", 5)])
def test_backstabbers_deal_more_damage_to_the_off_guard(condition: str, taken: int) -> None:
    table = fight(strike("backstabber"))
    table.does(ApplyCondition(("ann",), condition))
    strikes(table, "ann", 6)
    assert table.happened(DamageTaken)[-1].taken == taken


@pytest.mark.parametrize(
    ("trait", "feet", "penalty"), [("volley 30 ft.", 30, -2), ("volley-20", 25, 0), ("volley", 40, 0)]
)
def test_volley_hampers_shots_at_near_targets(trait: str, feet: int, penalty: int) -> None:
    table = fight(strike(trait, "range-100"))
    table.does(SetRelation("ogre", "ann", distance=feet))
    assert strikes(table, "ann") == penalty


def test_versatile_and_two_hand_strikes_have_other_damage() -> None:
    found = strike("versatile P", "two-hand d12", damage="1d8+3 slashing plus 1d6 fire")
    assert [(one.name, one.damage) for one in found.other_damage] == [
        ("piercing", "1d8+3 piercing + 1d6 fire"),
        ("with two hands", "1d12+3 slashing + 1d6 fire"),
    ]
