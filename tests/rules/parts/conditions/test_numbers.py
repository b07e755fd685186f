"""Numbers as data rules change them: additions, then shares, then lower limits, and rules that set the number."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.for_each import for_each
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.dice.expression import Modifier
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Change, key_of
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.rules.parts.checks.ability_checks import armor_class, fixed_dc, passive_score, save_roll
from turnwright.rules.parts.conditions.numbers import changed_number
from turnwright.rules.system import RuleSystem


def with_rules(*rules: DataRule) -> Table:
    """Return a table at which Ada, AC 13, has a trait with some rules."""
    table = Table(creature("ada", ac=13, features=(Feature("bark", "Bark", rules=rules),)), "brand")
    table.start(ada=12, brand=5)
    return table


@pytest.mark.parametrize(
    ("rules", "total", "changes"),
    [
        ((DataRule("modifier", "ac", add=2), DataRule("modifier", "ac", add=-3)), 12, [2, -3]),
        ((DataRule("modifier", "ac", over=2), DataRule("modifier", "ac", add=2)), 7, [2, -8]),
        ((DataRule("modifier", "ac", least=16),), 16, [3]),
        ((DataRule("modifier", "ac", least=16), DataRule("modifier", "ac", add=5)), 18, [5]),
        ((DataRule("modifier", "ac", least=10),), 13, []),
        ((DataRule("modifier", "ac", set=11), DataRule("modifier", "ac", add=5)), 11, [11]),
    ],
)
def test_a_number_changes_in_this_order_with_reasons(
    rules: tuple[DataRule, ...], total: int, changes: list[int]
) -> None:
    table = with_rules(*rules)
    found = armor_class(table.encounter, table.rules, "ada")
    assert (found.total, [part.value for part in found.parts[1:]]) == (total, changes)
    assert {part.reason for part in found.parts[1:]} <= {"Bark"}
    assert found.parts[0].value == 13


def test_speed_parts_are_named_by_their_condition() -> None:
    table = Table(creature("ada"), "brand")
    table.start(ada=12, brand=5)
    table.does(ApplyCondition(("ada",), "dashing"))
    own = Modifier(25, "own")
    found = changed_number(table.encounter, table.rules, "ada", "speed", own)
    assert [(part.value, part.reason) for part in found.parts[1:]] == [(25, "<condition.dashing>")]
    bare = changed_number(table.encounter, table.rules, "ada", "speed", own, multiplied=False)
    assert bare.total == 25


@pytest.mark.parametrize(("what", "add", "passive", "dc"), [("ability.wis", 4, 15, 16), ("proficiency", 1, 14, 15)])
def test_passive_scores_and_dcs_of_spells_follow_abilities_and_proficiency(
    what: str, add: int, passive: int, dc: int
) -> None:
    better = Feature("better", "Better", rules=(DataRule("modifier", what, add=add),))
    ada = creature(
        "ada", abilities=(("wis", 14),), passives=(("perception", 13),), skills=(("perception", 3),), proficiency=2,
        spellcasting="wis", features=(better,),
    )  # fmt: skip
    table = Table(ada, "brand")
    table.start(ada=12, brand=5)
    score = passive_score(table.encounter, table.rules, "ada", "perception")
    assert score is not None
    assert (score.total, [part.value for part in score.parts]) == (passive, [13, passive - 13])
    assert fixed_dc(table.encounter, table.rules, "ada", 14, ("spell",)) == dc
    assert fixed_dc(table.encounter, table.rules, "ada", 14) == 14


@pytest.mark.parametrize(("rules", "ability", "bonus"), [(pf2e, ("dex", -2), 5), (a5e, ("dex", 6), -2)])
def test_a_rule_for_another_number_leaves_a_low_ability_as_it_is(
    rules: Callable[[], RuleSystem], ability: tuple[str, int], bonus: int
) -> None:
    bark = Feature("bark", "Bark", rules=(DataRule("modifier", "ac", add=2),))
    table = Table(
        creature("ada", abilities=(ability,), saves=(("dex", bonus),), features=(bark,)), "brand", rules=rules()
    )
    table.start(ada=12, brand=5)
    roll = save_roll(table.encounter, table.rules, "ada", "dex")
    assert sum(part.value for part in roll.modifiers) == bonus


SLOW, SET = DataRule("modifier", "speed", over=2), DataRule("modifier", "speed", set=0)
LESS = DataRule("modifier", "speed", add=-10, type="circumstance")


@for_each(
    ("rules", "spell", "source", "rule", "speed"),
    [
        (dnd5e, "freedom-of-movement", "Slow", SLOW, 30),
        (dnd5e, "freedom-of-movement", "Web", SET, 30),
        (dnd5e, "freedom-of-movement", "Mud", SLOW, 15),
        (dnd5e, "freedom-of-movement", "Longstrider", DataRule("modifier", "speed", add=10), 40),
        (dnd5e, "bless", "Slow", SLOW, 15),
        (a5e, "freedom-of-movement", "Slow", SLOW, 30),
        (pf2e, "unfettered-movement", "Mud", LESS, 30),
        (pf2e, "unfettered-movement", "Mud", SLOW, 15),
    ],
)
def test_magic_does_not_slow_those_who_move_freely(
    rules: Callable[[], RuleSystem], spell: str, source: str, rule: DataRule, speed: int
) -> None:
    table = Table(creature("ada"), "brand", rules=rules())
    table.start(ada=12, brand=5)
    listed = next(each for each in rules().data.spells if each.id == spell)
    left = spell_feature(listed, Caster()).effect
    effects = (
        Effect("free", "ada", listed.name, rules=left),
        Effect("slow", "ada", source, source=source, rules=(rule,)),
    )
    lookup = table.encounter.with_changes([Change(key_of(each), None, each) for each in effects])
    assert changed_number(lookup, table.rules, "ada", "speed", Modifier(30, "own")).total == speed
