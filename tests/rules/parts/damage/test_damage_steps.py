"""Damage steps on one typed part, taken alone and in the order that A5E lists them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.table import a5e, creature, dnd5e
from turnwright.dice.expression import Modifier, RollPart
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.damage import damage_steps
from turnwright.rules.parts.damage.damage_steps import (
    absorption,
    immunity,
    mundane_immunity,
    negated,
    resistance,
    vulnerability,
)

Step = Callable[..., Modifier | None]
TOUGH = creature("tough", resistances=("fire",), vulnerabilities=("fire", "cold"), immunities=("poison",))


def after(step: Step, total: int, kind: str, block: Creature = TOUGH, *marks: str, mundane: bool = False) -> int:
    """Return what a step leaves of some damage to a creature with these effects."""
    effects = [Effect(f"effect-{number}", block.id, mark) for number, mark in enumerate(marks)]
    lookup = Encounter([block, Combatant(block.id, block.id, block.name, "enemies"), *effects])
    adjusted = step(lookup, a5e(), block.id, RollPart(total, kind), mundane)
    return total if adjusted is None else total + adjusted.value


@pytest.mark.parametrize(("total", "left"), [(10, 5), (11, 5), (1, 0)])
def test_resistance_halves_and_rounds_down(total: int, left: int) -> None:
    assert after(resistance, total, "fire") == left


@pytest.mark.parametrize("step", [resistance, vulnerability, immunity])
def test_a_step_leaves_other_types_and_typeless_damage_alone(step: Step) -> None:
    assert after(step, 10, "acid") == 10
    assert after(step, 10, "") == 10


def test_vulnerability_doubles_once_however_many_sources() -> None:
    assert after(vulnerability, 10, "cold") == 20
    assert after(vulnerability, 10, "cold", TOUGH, "vulnerable:cold", "vulnerable:cold") == 20


def test_resistance_halves_once_however_many_sources() -> None:
    assert after(resistance, 20, "fire", TOUGH, "resistant:fire") == 10
    assert after(resistance, 20, "acid", TOUGH, "resistant:acid", "resistant:acid") == 10


def test_immunity_leaves_nothing_from_the_stat_block_or_an_effect() -> None:
    assert after(immunity, 12, "poison") == 0
    assert after(immunity, 12, "acid", TOUGH, "immune:acid") == 0


def test_an_effect_lowers_immunity_to_resistance_or_takes_resistance_away() -> None:
    lowered = {
        least: Effect("sear", "tough", "Sear", rules=(DataRule("damage", "all", set=least),)) for least in (0, 1)
    }
    for least, kind, step, left in (
        (1, "poison", immunity, 6), (0, "poison", immunity, 6), (1, "poison", resistance, 12), (1, "fire", resistance, 6),
        (0, "fire", resistance, 12), (0, "acid", immunity, 12),
    ):  # fmt: skip
        lookup = Encounter([TOUGH, Combatant("tough", "tough", "Tough", "enemies"), lowered[least]])
        adjusted = step(lookup, a5e(), "tough", RollPart(12, kind), False)
        assert 12 + (adjusted.value if adjusted else 0) == left


def test_only_mundane_weapons_meet_mundane_immunity() -> None:
    golem = creature("golem", mundane_immunity=True)
    assert after(mundane_immunity, 9, "slashing", golem, mundane=True) == 0
    assert after(mundane_immunity, 9, "slashing", golem) == 9
    assert after(mundane_immunity, 9, "slashing", mundane=True) == 9


def test_a_trait_can_keep_off_all_damage_of_mundane_weapons() -> None:
    mist = Feature("mist", "Mist", rules=(DataRule("damage", "all", times=0, when="mundane"),))
    cloud = creature("cloud", features=(mist,))
    assert [after(immunity, 9, "fire", cloud, mundane=mundane) for mundane in (True, False)] == [0, 9]


def test_mundane_immunity_is_about_the_types_of_weapons_that_a_game_names() -> None:
    golem = creature("golem", mundane_immunity=True, mundane_resistance=True)
    lookup = Encounter([golem, Combatant("golem", "golem", "Golem", "enemies")])
    for rules, kept in ((dnd5e(), 9), (a5e(), 0)):  # A5E has all damage of mundane weapons in mind
        for kind, left in (("slashing", 0), ("fire", kept), ("", 0)):
            adjusted = mundane_immunity(lookup, rules, "golem", RollPart(9, kind), True)
            assert 9 + (adjusted.value if adjusted else 0) == left
        halved = resistance(lookup, rules, "golem", RollPart(9, "fire"), True)
        assert (halved is None) == bool(kept)


def test_what_resists_mundane_weapons_halves_them_once() -> None:
    shade = creature("shade", mundane_resistance=True)
    assert after(resistance, 9, "slashing", shade, mundane=True) == 4
    assert after(resistance, 9, "slashing", shade) == 9
    both = creature("shade", mundane_resistance=True, resistances=("slashing",))
    assert after(resistance, 9, "slashing", both, mundane=True) == 4


def test_a5e_applies_immunity_then_resistance_then_vulnerability() -> None:
    assert a5e().data.health.steps == ("absorption", "mundane-immunity", "immunity", "resistance", "vulnerability")
    assert [damage_steps.DAMAGE_STEPS[name] for name in a5e().data.health.steps] == [
        absorption,
        mundane_immunity,
        immunity,
        resistance,
        vulnerability,
    ]


@pytest.mark.parametrize("statement", ["weapon", "mundane, weapon", "mundane"])
def test_rules_about_weapon_damage_apply_to_nonmagical_weapons(statement: str) -> None:
    mist = Feature("mist", "Mist", "trait", rules=(DataRule("damage", "all", times=0, when=statement),))
    cloud = creature("cloud", features=(mist,))
    assert after(negated, 10, "slashing", cloud, mundane=True) == 0
    assert after(negated, 10, "slashing", cloud) == 10
