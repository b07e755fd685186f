"""Conditions that stand at a value, and bonuses and penalties of one type, of which only the greatest counts."""

from __future__ import annotations

import msgspec
import pytest

from tests.for_each import for_each
from tests.play.attack_table import total
from tests.systems.pf2e.frays import BREATH, SWORD, Bout, duel
from tests.table import creature, pf2e
from turnwright.dice.expression import RollSpec
from turnwright.encounter.prepared import Feature, RosterEntry
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import EffectGained, Rolled, Unaffected
from turnwright.rules.parts.checks.ability_checks import check_roll, initiative_roll, save_roll

RAY = Feature("ray", "Ray", "action", attack=7, range="60", damage="2d4 cold", properties=("spell",))


def save(table: Bout, who: str, ability: str) -> RollSpec:
    """What is rolled for a saving throw."""
    return save_roll(table.encounter, table.rules, who, ability)


def check(table: Bout, who: str, name: str) -> RollSpec:
    """What is rolled for a check."""
    return check_roll(table.encounter, table.rules, who, name)


# Values -----------------------------------------------------------------------------------------------------------


def test_a_condition_stands_at_1_unless_somebody_says_more() -> None:
    table = duel()
    table.puts_on("orc", "frightened")
    assert table.value("orc", "frightened") == 1
    table.puts_on("orc", "prone")
    assert table.value("orc", "prone") == 0


def test_the_journal_says_what_a_condition_stands_at() -> None:
    table = duel()
    step = table.does(ApplyCondition(("orc",), "frightened", 2))
    assert step is not None
    (line,) = [one.phrase for one in step.lines]
    assert (line.key, dict(line.params)["value"]) == ("journal.effect_gained_at", 2)


def test_of_two_values_the_greater_holds() -> None:
    table = duel()
    table.puts_on("orc", "frightened", 2)
    table.puts_on("orc", "frightened", 1)
    assert table.value("orc", "frightened") == 2
    assert [one.reason for one in table.happened(Unaffected)] == ["why.greater_value"]
    table.puts_on("orc", "frightened", 3)
    assert table.value("orc", "frightened") == 3
    assert [one.value for one in table.happened(EffectGained)] == [2, 3]


def test_wounds_add_up() -> None:
    table = duel()
    for named, value in ((0, 1), (0, 2), (1, 1), (3, 3)):  # without a number it is one more
        table.puts_on("orc", "wounded", named)
        assert table.value("orc", "wounded") == value


def test_an_action_leaves_no_lesser_value() -> None:
    table = duel(skills=(("intimidation", 20),))
    table.puts_on("orc", "frightened", 3)
    table.dice(10)
    table.does(TakeAction("ann", "demoralize", targets=("orc",)))
    assert table.value("orc", "frightened") == 3


# What they do -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["frightened", "sickened"])
def test_fear_and_sickness_lower_every_check_and_dc(name: str) -> None:
    table = duel(saves=(("dex", 6),), skills=(("athletics", 4),))
    table.puts_on("ann", name, 2)
    assert total(table.preview("ann", "orc", "longsword").roll) == 5
    assert total(save(table, "ann", "dex")) == 4
    assert total(check(table, "ann", "str:athletics")) == 2
    assert table.ac("ann") == 8


@for_each(
    ("name", "sword", "ray", "reflex", "fortitude", "will", "armor"),
    [
        ("clumsy", 7, 7, 4, 6, 6, 8),
        ("enfeebled", 5, 7, 6, 6, 6, 10),
        ("drained", 7, 7, 6, 4, 6, 10),
        ("stupefied", 7, 5, 6, 6, 4, 10),
        ("fatigued", 7, 7, 5, 5, 5, 9),
        ("unconscious", 5, 5, 2, 6, 6, 4),  # and prone
        ("prone", 5, 5, 6, 6, 6, 8),
        ("grabbed", 7, 7, 6, 6, 6, 8),
        ("encumbered", 7, 7, 5, 6, 6, 9),
    ],
)
def test_what_a_condition_weakens(
    name: str, sword: int, ray: int, reflex: int, fortitude: int, will: int, armor: int
) -> None:
    table = duel(SWORD, RAY, saves=(("dex", 6), ("con", 6), ("wis", 6)))
    table.puts_on("ann", name, 2)
    rolls = [total(table.preview("ann", "orc", means).roll) for means in ("longsword", "ray")]
    assert rolls == [sword, ray]
    assert [total(save(table, "ann", one)) for one in ("dex", "con", "wis")] == [reflex, fortitude, will]
    assert table.ac("ann") == armor


def test_clumsiness_spoils_a_shot_and_no_spell() -> None:
    table = duel()
    table.puts(orc=(3, 1))
    table.puts_on("ann", "clumsy", 2)
    assert total(table.preview("ann", "orc", "bow").roll) == 5


def test_what_is_looked_for_blindly_is_hard_to_find() -> None:
    table = duel(skills=(("perception", 9),))
    table.puts_on("ann", "blinded")
    assert total(check(table, "ann", "wis:perception")) == 5


@for_each(
    ("name", "roll", "by"),
    [
        ("clumsy", "dex:stealth", -2),
        ("drained", "con", -2),
        ("encumbered", "dex:stealth", -1),
        ("enfeebled", "str:athletics", -2),
        ("fascinated", "wis:perception", -2),
        ("stupefied", "int:arcana", -2),
        ("stupefied", "wis:perception", -2),
        ("stupefied", "cha:diplomacy", -2),
        ("stupefied", "str:athletics", 0),
        ("unconscious", "wis:perception", -4),
        ("clumsy", "str:athletics", 0),
    ],
)
def test_which_checks_a_condition_weakens(name: str, roll: str, by: int) -> None:
    table = duel()
    table.puts_on("ann", name, 2)
    assert total(check(table, "ann", roll)) == by


def test_strength_alone_is_saved_with_worse_by_the_enfeebled() -> None:
    table = duel()
    table.puts_on("ann", "enfeebled", 2)
    assert [total(save(table, "ann", one)) for one in ("str", "dex")] == [-2, 0]


def test_a_burden_slows_and_spoils_a_shot() -> None:
    table = duel()
    table.puts(orc=(3, 1))
    table.puts_on("ann", "encumbered")
    assert total(table.preview("ann", "orc", "bow").roll) == 6
    allowance = table.rules.allowance(table.encounter, table.rules, "ann", "walk")
    assert allowance is not None
    assert allowance.total == 20


@pytest.mark.parametrize(
    ("name", "dc", "of_a_spell"),
    [("frightened", 18, 18), ("sickened", 18, 18), ("stupefied", 20, 18), ("elite", 22, 22), ("weak", 18, 18)],
)
def test_which_dcs_a_condition_moves(name: str, dc: int, of_a_spell: int) -> None:
    spell = msgspec.structs.replace(BREATH, id="blast", properties=("spell",))
    for means, against in ((BREATH, dc), (spell, of_a_spell)):
        table = duel(means)
        table.puts_on("ann", name, 2)
        table.dice(10, 3, 3, 3, 3)
        table.does(UseFeature("ann", means.id, targets=("orc",)))
        assert [one.dc for one in table.happened(Rolled) if one.purpose == "ask.save"] == [against]


def test_the_weak_strike_more_softly() -> None:
    table = duel()
    table.puts_on("ann", "weak")
    table.strikes("ann", "orc", "longsword", 12, 5)
    assert table.lost("orc") == 7


# Types --------------------------------------------------------------------------------------------------------


def test_of_penalties_of_one_type_the_worst_counts() -> None:
    table = duel()
    table.puts_on("ann", "frightened", 1)
    table.puts_on("ann", "sickened", 2)
    assert total(table.preview("ann", "orc", "longsword").roll) == 5
    assert table.ac("ann") == 8


def test_penalties_of_different_types_add_up() -> None:
    table = duel()
    table.puts_on("ann", "frightened", 1)
    table.puts_on("ann", "prone")
    assert total(table.preview("ann", "orc", "longsword").roll) == 4
    assert table.ac("ann") == 7


def test_a_bonus_and_a_penalty_of_one_type_both_count() -> None:
    table = duel(gear=("shield",))
    table.puts_on("ann", "off-guard")
    table.does(TakeAction("ann", "raise-shield"))
    assert table.ac("ann") == 10


def test_the_sources_name_conditions_without_saying_what_they_do() -> None:
    named = [one for one in pf2e().conditions.values() if one.rules and not one.id.startswith("hearing")]
    assert [one.id for one in named if not one.external] == []
    assert [one.id for one in named if not one.ledger and one.id not in ("elite", "weak")] == []


# Stronger and weaker than the stat block ------------------------------------------------------------------------


@for_each(
    ("way", "level", "hp", "bonus", "armor"),
    [
        ("elite", 1, 60, 9, 17),
        ("elite", 2, 65, 9, 17),
        ("elite", 5, 70, 9, 17),
        ("elite", 20, 80, 9, 17),
        ("weak", 1, 40, 5, 13),
        ("weak", 3, 35, 5, 13),
        ("weak", 6, 30, 5, 13),
        ("weak", 21, 20, 5, 13),
        ("", 5, 50, 7, 15),
    ],
)
def test_elites_and_weaklings_differ_by_2_and_by_hit_points(
    way: str, level: int, hp: int, bonus: int, armor: int
) -> None:
    orc = creature("orc", ac=15, hp=50, level=level, features=(SWORD,), saves=(("dex", 7),))
    table = Bout("ann", orc, foes=("orc",), roster=(RosterEntry("orc", "orc", side="enemies", adjustment=way),))
    assert (table.one("orc").hp, table.one("orc").hp_max, table.ac("orc")) == (hp, hp, armor)
    assert total(table.preview("orc", "ann", "longsword").roll) == bonus
    assert total(save(table, "orc", "dex")) == bonus
    initiative = initiative_roll(table.encounter, table.rules, "orc")
    assert total(initiative) == bonus - 7


def test_an_elite_hits_harder() -> None:
    orc = creature("orc", ac=15, hp=50, level=1, features=(SWORD, BREATH))
    table = Bout(orc, creature("ann", hp=60), foes=("orc",), roster=(RosterEntry("orc", "orc", adjustment="elite"),))
    table.strikes("orc", "ann", "longsword", 5, 3)
    assert table.lost("ann") == 9
    table.dice(10, 3, 3, 3, 3)
    table.does(UseFeature("orc", "breath", targets=("ann",)))
    (rolled,) = [one for one in table.happened(Rolled) if one.purpose == "ask.save"]
    assert (rolled.dc, table.lost("ann")) == (22, 9 + 28)


@for_each(
    ("way", "limits", "dealt"),
    [
        ("elite", {"uses": 1}, 16),
        ("elite", {"recharge": 5}, 16),
        ("elite", {"level": 3, "properties": ("spell",)}, 16),
        ("elite", {"level": 0, "properties": ("spell",)}, 14),
        ("elite", {}, 14),
        ("weak", {"uses": 1}, 8),
        ("weak", {}, 10),
        ("", {"uses": 1}, 12),
    ],
)
def test_damage_of_limited_features_changes_twice_as_much(way: str, limits: dict[str, object], dealt: int) -> None:
    breath = msgspec.structs.replace(BREATH, **limits)
    orc = creature("orc", ac=15, hp=50, level=1, slots=(("3", 2),), features=(breath,))
    table = Bout(orc, creature("ann", hp=60), foes=("orc",), roster=(RosterEntry("orc", "orc", adjustment=way),))
    table.dice(15, 3, 3, 3, 3)
    table.does(UseFeature("orc", "breath", targets=("ann",)))
    assert table.lost("ann") == dealt


def test_an_elite_strike_with_limited_uses_hits_harder_still() -> None:
    bolt = msgspec.structs.replace(SWORD, id="bolt", uses=1)
    orc = creature("orc", ac=15, hp=50, level=1, features=(SWORD, bolt))
    table = Bout(orc, creature("ann", hp=60), foes=("orc",), roster=(RosterEntry("orc", "orc", adjustment="elite"),))
    for means, face, lost in (("longsword", 5, 9), ("bolt", 12, 20)):
        table.strikes("orc", "ann", means, face, 3)
        assert table.lost("ann") == lost


def test_elite_and_weak_change_hit_points_in_a_fight_too() -> None:
    table = duel(hp=45, level=5)
    table.puts_on("ann", "elite")
    assert (table.one("ann").hp, table.one("ann").hp_max) == (65, 65)
    entered = RosterEntry("ann", "ann", hp=30, adjustment="elite")
    table = Bout(creature("ann", hp=45, level=5), "orc", foes=("orc",), roster=(entered,))
    assert (table.one("ann").hp, table.one("ann").hp_max, table.one("ann").hp_base) == (30, 30, 10)


@pytest.mark.parametrize("hold", ["grabbed", "restrained"])
def test_whoever_falls_unconscious_lets_go(hold: str) -> None:
    table = duel()
    table.marks("orc", hold, by="ann")
    table.puts_on("ann", "prone")
    assert hold in table.effects("orc")
    table.puts_on("ann", "unconscious")
    assert hold not in table.effects("orc")
