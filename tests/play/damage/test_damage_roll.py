"""Damage that is rolled once for all targets, and temporary hit points."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import Table, creature, environment
from turnwright.dice.expression import Modifier
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Dice
from turnwright.play.asking.answer import Answer
from turnwright.play.damage.damage_roll import ApplyDamage, GrantTempHp, TempHpGained
from turnwright.play.damage.manual_hit_points import Heal, Rest, SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.state.effect_records import TempHpLost
from turnwright.play.state.events import DamageTaken, Rolled, Skipped
from turnwright.play.table.game_master import SetDice


def table_of(*names: str, **fields: Any) -> Table:
    """A table of people with 100 hit points, each with the given fields of a stat block."""
    table = Table(*(creature(name, hp=100, **fields) for name in names or ("ada",)))
    table.does(StartEncounter())
    return table


def deals(table: Table, damage: str, *faces: int, **how: Any) -> DamageTaken:
    """Deal damage to Ada with these faces and return what came of it."""
    table.dice(*faces)
    table.does(ApplyDamage(("ada",), damage, **how))
    return table.happened(DamageTaken)[-1]


@pytest.mark.rule("a5e.damage.form")
def test_damage_is_a_number_or_dice_with_modifiers() -> None:
    table = table_of()
    assert deals(table, "5").taken == 5
    assert deals(table, "2d6+3", 4, 1).taken == 8
    assert table.one("ada").hp == 87
    assert [rolled.rule for rolled in table.happened(Rolled)] == ["a5e.damage.form"]  # a number is nobody's to roll


@pytest.mark.rule("a5e.damage.bonus-penalty")
def test_bonuses_and_penalties_add_up() -> None:
    table = table_of()
    modifiers = (Modifier(1, "magic"), Modifier(-2, "a bent blade"))
    assert deals(table, "1d8+3 slashing", 5, modifiers=modifiers).taken == 7
    (rolled,) = table.happened(Rolled)
    assert [(part.value, part.reason) for part in rolled.roll.modifiers][-2:] == [(1, "magic"), (-2, "a bent blade")]


@pytest.mark.rule("a5e.damage.bonus-penalty")
@pytest.mark.parametrize(("penalty", "left"), [(-3, 11), (-10, 4), (-20, 0)])
def test_a_penalty_greater_than_its_part_comes_off_the_others(penalty: int, left: int) -> None:
    table = table_of()
    assert deals(table, "6 slashing + 8 fire", modifiers=(Modifier(penalty, "a curse"),)).taken == left


@pytest.mark.rule("a5e.damage.minimum-zero")
def test_damage_is_never_below_zero() -> None:
    table = table_of()
    taken = deals(table, "1d4", 1, modifiers=(Modifier(-3, "a curse"),))
    assert (taken.taken, table.one("ada").hp) == (0, 100)
    assert [(why.before, why.after, why.rule) for why in taken.why] == [(-2, 0, "a5e.damage.minimum-zero")]


@pytest.mark.rule("a5e.damage.spell")
def test_a_spell_adds_no_ability_modifier() -> None:
    table = table_of("ada", "witch", abilities=(("int", 20), ("wis", 20), ("cha", 20)))
    assert deals(table, "3d6 fire", 2, 4, 5, source="Witch: Scorch").taken == 11
    (rolled,) = table.happened(Rolled)
    assert rolled.roll.modifiers == ()


@pytest.mark.rule("a5e.damage.multi-target")
def test_several_targets_share_one_roll() -> None:
    table = table_of("ada", "brand", "cole")
    table.does(ApplyDamage(("ada", "brand", "cole"), "2d6 fire"))
    assert len(table.prompt.asks) == 1
    assert table.prompt.asks[0].rule == "a5e.damage.multi-target"
    table.dice(4, 5)
    assert len(table.happened(Rolled)) == 1
    assert [taken.dealt for taken in table.happened(DamageTaken)] == [(("fire", 9),)] * 3
    assert {table.one(who).hp for who in ("ada", "brand", "cole")} == {91}
    assert not table.encounter.need(Dice, "dice").script


@pytest.mark.rule("a5e.damage.types-used")
def test_each_part_of_damage_carries_its_type() -> None:
    table = table_of(resistances=("fire",))
    taken = deals(table, "6 slashing + 8 fire")
    assert (taken.taken, taken.rule) == (10, "a5e.damage.types-used")
    assert taken.dealt == (("slashing", 6), ("fire", 8))
    assert table.one("ada").hp == 90


@pytest.mark.rule("a5e.damage.types-used")
def test_damage_without_a_type_is_nobodys_to_resist() -> None:
    table = table_of(resistances=("fire", "slashing"), immunities=("cold",))
    assert deals(table, "8").taken == 8


@pytest.mark.rule("a5e.resistance.half")
@pytest.mark.parametrize(("dealt", "taken"), [("10 cold", 5), ("11 cold", 5), ("1 cold", 0), ("10 fire", 10)])
def test_resistance_halves(dealt: str, taken: int) -> None:
    came = deals(table_of(resistances=("cold",)), dealt)
    assert came.taken == taken
    assert [why.rule for why in came.why] == (["a5e.resistance.half"] if "cold" in dealt else [])


@pytest.mark.rule("a5e.vulnerability.double")
@pytest.mark.parametrize(("dealt", "taken"), [("10 cold", 20), ("10 fire", 10)])
def test_vulnerability_doubles(dealt: str, taken: int) -> None:
    came = deals(table_of(vulnerabilities=("cold",)), dealt)
    assert came.taken == taken
    assert [why.rule for why in came.why] == (["a5e.vulnerability.double"] if "cold" in dealt else [])


@pytest.mark.rule("a5e.resistance.after-modifiers")
def test_resistance_comes_after_every_other_modifier() -> None:
    table = table_of(resistances=("fire",))
    assert deals(table, "8 fire", modifiers=(Modifier(4, "oil"),)).taken == 6


@pytest.mark.rule("a5e.resistance.after-modifiers")
def test_resistance_comes_after_what_the_place_adds_and_after_half_for_a_save() -> None:
    deep = Table(creature("ada", hp=100, resistances=("thunder",)), surroundings=[environment("cavernous")])
    deep.does(StartEncounter())
    came = deals(deep, "3d8 thunder", 3, 3, 3, share="half")
    assert came.taken == 3
    assert [(why.before, why.after) for why in came.why] == [(9, 12), (12, 6), (6, 3)]


@pytest.mark.rule("a5e.resistance.order")
def test_resistance_comes_before_vulnerability() -> None:
    came = deals(table_of(resistances=("fire",), vulnerabilities=("fire",)), "11 fire")
    assert came.taken == 10
    assert [(why.before, why.after) for why in came.why] == [(11, 5), (5, 10)]


@pytest.mark.rule("a5e.resistance.no-stack")
def test_two_resistances_are_one() -> None:
    table = table_of(resistances=("fire",))
    table.does(ApplyCondition(("ada",), "resistant:fire", source="a ring"))
    came = deals(table, "20 fire")
    assert came.taken == 10
    assert [why.rule for why in came.why] == ["a5e.resistance.no-stack"]


@pytest.mark.rule("a5e.vulnerability.no-stack")
def test_two_vulnerabilities_are_one() -> None:
    table = table_of(vulnerabilities=("fire",))
    table.does(ApplyCondition(("ada",), "vulnerable:fire", source="a hex"))
    came = deals(table, "20 fire")
    assert came.taken == 40
    assert [why.rule for why in came.why] == ["a5e.vulnerability.no-stack"]


def test_one_source_that_comes_and_goes_is_a_source() -> None:
    table = table_of()
    assert deals(table, "10 fire").taken == 10
    table.does(ApplyCondition(("ada",), "resistant:fire", source="a potion"))
    assert deals(table, "10 fire").taken == 5


@pytest.mark.rule("a5e.immunity.type")
def test_immunity_spares_the_immune_and_nobody_else() -> None:
    table = Table(creature("ada", hp=30, immunities=("poison",)), creature("brand", hp=30))
    table.does(StartEncounter())
    table.dice(6, 6)
    table.does(ApplyDamage(("ada", "brand"), "2d6 poison"))
    first, second = table.happened(DamageTaken)
    assert (first.taken, second.taken) == (0, 12)
    assert (table.one("ada").hp, table.one("brand").hp) == (30, 18)
    assert table.happened(Rolled)[0].roll.total == 12
    assert first.dealt == (("poison", 12),)
    assert first.why[0].rule == "a5e.immunity.type"


@pytest.mark.rule("a5e.immunity.mundane")
def test_immunity_to_mundane_weapons() -> None:
    table = table_of(mundane_immunity=True)
    came = deals(table, "9 slashing", mundane=True, source="Sword")
    assert (came.taken, [why.rule for why in came.why]) == (0, ["a5e.immunity.mundane"])
    assert deals(table, "9 slashing", source="Magic sword").taken == 9
    assert deals(table_of(), "9 slashing", mundane=True).taken == 9


@pytest.mark.parametrize(("share", "taken"), [("full", 9), ("half", 4), ("double", 18)])
def test_a_share_of_the_damage(share: str, taken: int) -> None:
    assert deals(table_of(), "9 cold", share=share).taken == taken


# The table's own dice ----------------------------------------------------------------------------------------


def asking(*names: str, **fields: Any) -> Table:
    table = table_of(*names, **fields)
    table.does(SetDice("ask"))
    return table


@pytest.mark.rule("a5e.damage.multi-target")
def test_a_typed_total_stands_for_the_dice() -> None:
    table = asking("ada", "brand", resistances=("fire",))
    table.does(ApplyDamage(("ada", "brand"), "2d6+3 fire"))
    assert table.one("ada").hp == 100
    table.answers(damage="11")
    assert [table.one(who).hp for who in ("ada", "brand")] == [95, 95]
    assert table.happened(Rolled)[0].roll.origin == "typed"


@pytest.mark.rule("a5e.damage.types-used")
def test_typed_totals_keep_their_types() -> None:
    table = asking(resistances=("fire",))
    table.does(ApplyDamage(("ada",), "1d8 slashing + 3d6 fire"))
    prompt = table.prompt
    refused = table.refuses(Answer(prompt.id, (Reply("damage", typed="14"),), prompt.revision))
    assert refused.key == "refused.dice_expression"
    table.answers(damage="6 slashing + 8 fire")
    assert table.one("ada").hp == 90


def test_a_typed_total_below_zero_costs_nothing() -> None:
    table = asking()
    table.does(ApplyDamage(("ada",), "1d4", modifiers=(Modifier(-3, "a curse"),)))
    table.answers(damage="-2")
    assert table.one("ada").hp == 100
    assert table.happened(DamageTaken)[0].taken == 0


def test_skipped_damage_costs_nothing_and_is_said() -> None:
    table = asking()
    table.does(ApplyDamage(("ada",), "2d6"))
    table.answers(damage=None)
    assert table.one("ada").hp == 100
    assert table.happened(Skipped)[0].purpose == "ask.damage"
    assert not table.happened(DamageTaken)
    assert not table.prompts


def test_the_machine_rolls_one_ask_when_told_to() -> None:
    table = asking()
    table.does(SetDice("ask", seed=7))
    table.does(ApplyDamage(("ada",), "2d6"))
    table.answers(damage="roll")
    (rolled,) = table.happened(Rolled)
    assert rolled.roll.origin == "random"
    assert table.one("ada").hp == 100 - sum(die.face for die in rolled.roll.dice)


def test_what_is_no_damage_is_refused_with_a_reason() -> None:
    table = table_of()
    refused = table.refuses(ApplyDamage(("ada",), "2d+"))
    assert refused.key == "refused.dice_expression"
    assert refused.params["what"] == "2d+"


def ada(hp: int = 20, temporary: int = 0) -> Table:
    """A table with Ada at so many of 20 hit points."""
    table = Table(creature("ada", hp=20))
    table.does(StartEncounter())
    table.does(SetHitPoints("ada", hp=hp, temp_hp=temporary))
    return table


def grants(table: Table, amount: int) -> None:
    table.does(GrantTempHp(("ada",), amount))


def points(table: Table) -> tuple[int, int, int]:
    one = table.one("ada")
    return one.hp, one.hp_max, one.temp_hp


@pytest.mark.rule("a5e.temp.separate")
def test_temporary_hit_points_stand_apart() -> None:
    table = ada(12)
    grants(table, 5)
    assert points(table) == (12, 20, 5)
    assert table.happened(TempHpGained)[0].rule == "a5e.temp.separate"
    assert not table.prompts


@pytest.mark.rule("a5e.temp.first")
def test_damage_takes_temporary_hit_points_first() -> None:
    table = ada(12, 5)
    table.does(ApplyDamage(("ada",), "8"))
    assert points(table) == (9, 20, 0)
    (taken,) = table.happened(DamageTaken)
    assert [(why.before, why.after) for why in taken.why if why.rule == "a5e.temp.first"] == [(8, 3)]


def test_damage_that_they_absorb_whole_goes_no_further() -> None:
    table = ada(12, 5)
    table.does(ApplyDamage(("ada",), "4"))
    assert points(table) == (12, 20, 1)


@pytest.mark.rule("a5e.temp.not-healed")
def test_healing_does_not_bring_them_back() -> None:
    table = ada(20, 5)
    table.does(ApplyDamage(("ada",), "3"))
    assert points(table) == (20, 20, 2)
    table.does(Heal(("ada",), 10))
    assert points(table) == (20, 20, 2)


@pytest.mark.rule("a5e.temp.exceed")
def test_they_go_above_the_maximum() -> None:
    table = ada(20)
    grants(table, 7)
    assert points(table) == (20, 20, 7)
    table.does(ApplyDamage(("ada",), "26"))
    assert points(table) == (1, 20, 0)


@pytest.mark.rule("a5e.temp.no-stack")
@pytest.mark.parametrize(("chosen", "left"), [("new", 8), ("old", 5)])
def test_the_receiver_chooses_a_set(chosen: str, left: int) -> None:
    table = ada(12, 5)
    grants(table, 8)
    assert table.prompt.asks[0].rule == "a5e.temp.no-stack"
    assert table.prompt.asks[0].suggested == ("new",)
    assert points(table) == (12, 20, 5)
    table.answers(keep=chosen)
    assert points(table) == (12, 20, left)
    assert table.happened(TempHpGained)[0].rule == "a5e.temp.no-stack"


@pytest.mark.rule("a5e.temp.no-stack")
def test_the_lower_set_may_be_chosen() -> None:
    table = ada(12, 5)
    grants(table, 3)
    assert table.prompt.asks[0].suggested == ("old",)
    table.answers(keep="new")
    assert points(table) == (12, 20, 3)


def test_who_does_not_choose_keeps_the_old_ones() -> None:
    table = ada(12, 5)
    grants(table, 8)
    table.skips()
    assert points(table) == (12, 20, 5)


@pytest.mark.rule("a5e.temp.expire")
def test_a_long_rest_ends_them_and_a_short_one_does_not() -> None:
    table = ada(12, 5)
    table.does(Rest("short"))
    assert points(table) == (12, 20, 5)
    table.does(Rest("long"))
    assert points(table) == (20, 20, 0)
    (lost,) = table.happened(TempHpLost)
    assert (lost.before, lost.rule) == (5, "a5e.temp.expire")


def test_a_negative_gift_is_refused() -> None:
    assert ada().refuses(GrantTempHp(("ada",), -1)).key == "refused.negative"
