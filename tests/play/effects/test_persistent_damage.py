"""Ongoing damage: at the end of each own turn, by its type or by none, until it is over."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.play.dying_table import Wounded, hero
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature, InflictedCondition
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.damage.manual_hit_points import Heal, SetDead
from turnwright.play.effects.conditions import ApplyPersistentDamage, EndEffect
from turnwright.play.state.events import DamageTaken, EffectEnded, EffectGained, Unaffected
from turnwright.rules.system import RuleSystem

SOURCES = {"resistances": ("fire", "cold", "slashing"), "vulnerabilities": ("acid",), "immunities": ("poison",)}


def burning(damage: str, until: str = "", **fields: object) -> Wounded:
    """A table where Ada, whose turn it is, suffers ongoing damage."""
    table = Wounded(ada=hero("ada", **fields))
    table.does(ApplyPersistentDamage(("ada",), damage, until, "a curse"))
    return table


@pytest.mark.rule("a5e.ongoing.timing")
def test_it_comes_at_the_end_of_each_own_turn() -> None:
    table = burning("5")
    standing = []
    for _ in range(6):
        assert table.prompts == []
        table.ends_turn()
        standing.append(table.one("ada").hp)
    assert standing == [15, 15, 15, 10, 10, 10]
    assert [event.source for event in table.happened(DamageTaken)] == ["a curse", "a curse"]


def test_dice_are_rolled_anew_each_time() -> None:
    table = burning("1d6 fire")
    table.dice(2, 6)
    table.ends_turn(4)
    assert [event.taken for event in table.happened(DamageTaken)] == [2, 6]


def test_the_turn_ends_only_when_the_damage_is_rolled() -> None:
    table = burning("1d6")
    table.ends_turn()
    assert (table.active, [ask.rule for ask in table.asked()]) == ("ada", ["a5e.ongoing.timing"])
    table.answers(**{table.asked()[0].id.replace("-", "_"): "4"})
    assert (table.active, table.one("ada").hp) == ("brand", 16)


@pytest.mark.rule("a5e.ongoing.untyped")
def test_without_a_type_nothing_resists_it() -> None:
    table = burning("6", **SOURCES)
    table.ends_turn()
    (taken,) = table.happened(DamageTaken)
    assert (taken.taken, taken.rule) == (6, "a5e.ongoing.untyped")


@pytest.mark.rule("a5e.ongoing.typed")
@pytest.mark.parametrize(("damage", "taken"), [("6 fire", 3), ("6 acid", 12), ("6 poison", 0), ("6 thunder", 6)])
def test_with_a_type_resistance_and_vulnerability_count(damage: str, taken: int) -> None:
    table = burning(damage, **SOURCES)
    table.ends_turn()
    assert [(event.taken, event.rule) for event in table.happened(DamageTaken)] == [(taken, "a5e.ongoing.typed")]


@pytest.mark.rule("a5e.ongoing.end")
def test_what_ends_it_is_shown_at_each_end_of_turn_and_ends_it() -> None:
    table = burning("5", "an action is used to put it out")
    assert [event.rule for event in table.happened(EffectGained)] == ["a5e.ongoing.end"]
    table.ends_turn()
    (ask,) = table.asked()
    assert ask.detail.endswith("an action is used to put it out")
    assert (ask.rule, ask.suggested) == ("a5e.ongoing.end", ("suffered",))
    table.chooses("suffered")
    assert table.one("ada").hp == 15
    table.comes_to_turn_of("ada")
    table.ends_turn()
    table.chooses("ended")
    assert (table.one("ada").hp, table.effects("ada")) == (15, set())
    assert [event.rule for event in table.happened(EffectEnded)] == ["a5e.ongoing.end"]
    table.comes_to_turn_of("ada")
    table.ends_turn()
    assert (table.one("ada").hp, table.prompts) == (15, [])


def test_it_can_be_ended_by_hand() -> None:
    table = burning("5")
    table.does(EndEffect(table.effect("ongoing").id))
    table.ends_turn()
    assert table.one("ada").hp == 20


def test_each_source_hurts_by_itself() -> None:
    table = burning("5")
    table.does(ApplyPersistentDamage(("ada",), "2 fire"))
    table.ends_turn()
    assert [event.taken for event in table.happened(DamageTaken)] == [5, 2]
    assert table.one("ada").hp == 13


def test_at_zero_it_is_other_damage() -> None:
    table = burning("5")
    table.fells()
    table.ends_turn()
    assert table.counts() == (0, 1)
    table.saves(12)
    table.ends_turn()
    assert table.counts() == (1, 2)
    table.does(Heal(("ada",), 1))
    assert table.counts() == (0, 0)


def test_it_can_fell_and_a_killed_slot_goes_on() -> None:
    table = burning("50")
    table.ends_turn()
    assert [ask.label for ask in table.asked()] == ["ask.massive_save"]
    assert table.active == "ada"
    table.answers(save="3")
    assert (table.one("ada").dead, table.active) == (True, "brand")


def test_the_dead_suffer_no_more() -> None:
    table = burning("5")
    table.does(SetDead("ada"))
    table.ends_turn()
    assert table.happened(DamageTaken) == []


def test_what_is_no_damage_is_refused() -> None:
    table = Wounded()
    assert table.refuses(ApplyPersistentDamage(("ada",), "a lot")).key == "refused.dice_expression"
    assert table.refuses(ApplyPersistentDamage((), "5")).key == "refused.no_target"


@pytest.mark.parametrize(("game", "put"), [(pf2e, False), (a5e, True), (dnd5e, True)])
def test_only_pathfinder_spares_the_immune(game: Callable[[], RuleSystem], put: bool) -> None:
    table = Table(creature("ooze", immunities=("acid",)), "ben", foes=("ooze",), rules=game())
    table.start(ooze=20, ben=10)
    table.does(ApplyPersistentDamage(("ooze",), "2d6 acid"))
    assert (table.rules.role("ongoing") in table.effects("ooze")) is put
    assert [one.reason for one in table.happened(Unaffected)] == ([] if put else ["why.immune"])


def test_what_it_is_not_immune_to_is_put_on() -> None:
    table = Table(creature("ooze", immunities=("acid",)), "ben", foes=("ooze",), rules=pf2e())
    table.start(ooze=20, ben=10)
    table.does(ApplyPersistentDamage(("ooze",), "1d6 acid + 1d6 fire"))
    assert table.rules.role("ongoing") in table.effects("ooze")


@pytest.mark.parametrize(("properties", "lost"), [((), 4), (("adds-up",), 8)])
def test_poison_given_twice_hurts_once_unless_its_harm_adds_up(properties: tuple[str, ...], lost: int) -> None:
    sting = Feature(
        "sting", "Sting", "action", reach=5, ongoing="4 poison", ongoing_at="turn-start", ongoing_while="poisoned",
        afflictions=(InflictedCondition("poisoned"),), properties=properties,
    )  # fmt: skip
    table = Table(creature("wasp", features=(sting,)), "ann", foes=["wasp"], rules=dnd5e())
    table.start(wasp=20, ann=10)
    table.does(UseFeature("wasp", "sting", targets=("ann",)))
    table.does(UseFeature("wasp", "sting", targets=("ann",), purpose="free"))
    table.ends_turn()
    assert table.one("ann").hp == 20 - lost


def test_a_swallower_s_juices_burn_as_its_own_turn_ends() -> None:
    gulp = Feature(
        "gulp", "Gulp", "action", reach=5, ongoing="4 acid", ongoing_at="owner-end", ongoing_while="blinded",
        afflictions=(InflictedCondition("blinded", "owner-gone"),),
    )  # fmt: skip
    table = Table(creature("toad", features=(gulp,)), "ann", foes=["toad"], rules=dnd5e())
    table.start(toad=20, ann=10)
    table.does(UseFeature("toad", "gulp", targets=("ann",)))
    assert table.one("ann").hp == 20
    for turns, hp in ((1, 16), (1, 16), (1, 12)):
        table.ends_turn(turns)
        assert table.one("ann").hp == hp
