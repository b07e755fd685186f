"""Features of characters that decide hard fights: spared damage, second rolls, further actions, higher slots, flanking."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.for_each import for_each
from tests.forecast.small_fights import fighter, played_alike, sheet_of_fight, small_fight
from tests.forecast.test_exact_cases_in_games import at_each_count, failure, is_chance, play, spell, won_in
from turnwright.encounter.prepared import DataRule, Feature, FeatureStep, InflictedCondition
from turnwright.forecast.layout import LOST, FightResult
from turnwright.forecast.sheet import Source
from turnwright.workspace.kernel_library import await_kernels

FIFTH = ["a5e", "dnd5e", "dnd5e-2024"]
EVASION = Feature("evasion", "Evasion", rules=(DataRule(kind="evasion", what="save.dex", times=1, over=2),))
DODGE = Feature("dodge", "Dodge", "reaction", trigger="damage", when="sees", reduces="half")
SURGE = Feature("surge", "Surge", "free", does=(FeatureStep(restores="action"),), uses=1, per="rest")
AGAIN = Feature("again", "Again", trigger="fails", properties=("rerolls-save",), uses=1, per="long-rest")
SURE_BLOW = Feature("blow", "Blow", "action", attack=90, reach=5, damage="7 slashing")


def effect(id: str, cost: str, **more: Any) -> Feature:
    added = DataRule(kind="resource", what="action", add=1)
    return Feature(id, id.title(), cost, range="self", effect=(added,), lasts="1 minute", **more)


@pytest.fixture(scope="module", autouse=True)
def loop() -> None:
    assert await_kernels()


def noted(legend: object, item: str) -> list[str]:
    return [note.list for note in legend.notes if note.item == item]


@at_each_count
@pytest.mark.parametrize("game", FIFTH)
@pytest.mark.parametrize(("hp", "saved"), [(4, False), (5, False), (9, True)])
def test_evasion_leaves_half_after_a_failure_and_nothing_after_a_success(game, hp, saved, count):
    """9 damage: 4 with evasion and a failed save. Without evasion, 4 even with a successful save."""
    burn = Feature("burn", "Burn", "action", save="dex", dc=11, half=True, damage="9 fire", range="60")
    imp = fighter("imp", *(() if saved else (EVASION,)), hp=hp)
    built, legend = sheet_of_fight(small_fight(game, [fighter("ann", burn)], [imp]), game)
    fails = failure(game, 11)
    is_chance(won_in(play(built, 6300 + hp, count), 1), fails if hp in (4, 9) else 0)
    assert saved or noted(legend, "evasion") == ["used"]


@at_each_count
@pytest.mark.parametrize("game", ["dnd5e", "dnd5e-2024"])  # where critical hits don't double fixed damage
def test_a_reaction_halves_the_damage_of_one_hit_each_round(game, count):
    """Two hits of 7 a round, the first of which is halved: 3 and 7. Only a 1 misses."""
    claws = fighter("wolf", SURE_BLOW, attacks=2)
    for hp, number, chance in ((10, 1, 0.95**2), (11, 2, 0.95**4 + 4 * 0.95**3 * 0.05)):
        built, legend = sheet_of_fight(small_fight(game, [claws], [fighter("imp", DODGE, hp=hp, ac=1)]), game)
        is_chance(won_in(play(built, 6400, count), number), chance)
        assert noted(legend, "dodge") == ["used"]


@at_each_count
@pytest.mark.parametrize("game", FIFTH)
def test_a_restored_action_strikes_once_more(game, count):
    burn = spell(game, "9 fire", dc=11)
    built, legend = sheet_of_fight(small_fight(game, [fighter("ann", burn, SURGE)], [fighter("imp", hp=18)]), game)
    fails = failure(game, 11)
    fights = play(built, 6500, count)
    is_chance(won_in(fights, 1), fails * fails)
    is_chance(won_in(fights, 2), 2 * fails * (1 - fails) * fails)
    assert noted(legend, "surge") == ["used"]


@at_each_count
@pytest.mark.parametrize("game", FIFTH)
def test_an_action_that_an_effect_adds_is_for_one_attack(game, count):
    """From the second turn on, two attacks of 7 with the usual action and one with the added one. Only a 1 misses."""
    hasty = effect("haste", "bonus", uses=1)
    attacker = fighter("wolf", SURE_BLOW, hasty, attacks=2)
    built, legend = sheet_of_fight(small_fight(game, [attacker], [fighter("imp", hp=35, ac=1)]), game)
    fights = play(built, 6510, count)
    if game != "a5e":  # where critical hits double fixed damage
        is_chance(won_in(fights, 2), 0.95**5)
    is_chance(won_in(fights, 1), 0)
    assert noted(legend, "haste") == ["used"]
    burn = spell(game, "9 fire", dc=11)
    built, _ = sheet_of_fight(small_fight(game, [fighter("ann", burn, hasty)], [fighter("imp", hp=18)]), game)
    is_chance(won_in(play(built, 6520, count), 1), 0)  # no second spell
    is_chance(won_in(play(built, 6520, count), 2), failure(game, 11) ** 2)


@at_each_count
def test_a_quickened_creature_strikes_four_times(count):
    """From the second turn on: 9 of 20 Strikes miss, and a 20 deals twice as much."""
    blow = msgspec.structs.replace(SURE_BLOW, properties=("uncounted",))
    attacker = fighter("wolf", blow, effect("haste", "free", uses=1))
    built, _ = sheet_of_fight(small_fight("pf2e", [attacker], [fighter("imp", hp=7, ac=100)]), "pf2e")
    fights = play(built, 6530, count)
    is_chance(won_in(fights, 1), 1 - 0.45**3)
    is_chance(won_in(fights, 2), 0.45**3 * (1 - 0.45**4))


@at_each_count
@pytest.mark.parametrize("game", FIFTH)
def test_a_failed_save_against_a_condition_is_rolled_again_once(game, count):
    stun = Feature(
        "stun", "Stun", "action", save="dex", dc=11, range="60", afflictions=(InflictedCondition("stunned"),)
    )
    drip = Feature("drip", "Drip", "action", save="dex", dc=60, damage="25 cold", range="60")
    built, legend = sheet_of_fight(
        small_fight(game, [fighter("ann", stun, hp=25)], [fighter("ogre", drip, AGAIN)]), game
    )
    fights = play(built, 6600, count)
    lost = (fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == 1)
    is_chance(lost, 1 - failure(game, 11) ** 2)
    assert noted(legend, "again") == ["assumed"]


@at_each_count
@for_each("game", ["a5e", "dnd5e", "pf2e"])
def test_spells_are_cast_with_the_highest_slot_that_has_more_dice(game, count):
    """Fireball deals 6d6 or 8d6, and two dice or one more with a slot above."""
    dice, more, level = ("6d6", "8d6", 3) if game == "pf2e" else ("8d6", "9d6", 3)
    ball = Feature(
        "fireball", "Fireball", "action", price=1, save="dex", dc=60, damage=f"{dice} fire", half=True, level=level,
        properties=("spell",), range="150",
    )  # fmt: skip
    ann = fighter("ann", ball, slots=(("3", 1), ("4", 1)))
    built, _ = sheet_of_fight(small_fight(game, [ann], [fighter("imp", hp=int(more.partition("d")[0]))]), game)
    assert won_in(play(built, 6700, count), 1).all()
    least = int(dice.partition("d")[0]) + int(more.partition("d")[0])
    built, _ = sheet_of_fight(small_fight(game, [ann], [fighter("imp", hp=least)]), game)
    fights = play(built, 6701, count)
    assert won_in(fights, 1).any()
    assert (won_in(fights, 1) | won_in(fights, 2)).all()


@for_each("game", ["a5e", "pf2e", "action_points", "dnd5e"])
@for_each("others", [0, 1])
def test_more_combatants_in_melee_than_enemies_flank(game, others):
    """One needs 11 or higher to hit. What it gains from flanking needs another beside it."""
    price = {"pf2e": 3, "action_points": 6}.get(game, 1)
    bite = Feature("bite", "Bite", "action", attack=1, reach=5, price=price, damage="9 piercing")
    idle = Feature("idle", "Idle", "action", attack=-70, reach=5, price=price, damage="1 piercing")
    pack = [fighter("wolf", bite, system=game), *(fighter("pup", idle, system=game) for _ in range(others))]
    built, _ = sheet_of_fight(small_fight(game, pack, [fighter("hare", system=game, hp=9)]), game)
    gains = [int(built.sources[0, column]) for column in (Source.flank_edges, Source.flank_adds, Source.flank_die)]
    assert gains == {"a5e": [0, 0, 4], "pf2e": [0, 2, 0], "action_points": [0, 0, 0], "dnd5e": [0, 0, 0]}[game]
    chance = {"a5e": 0.5 + 2.5 / 20, "pf2e": 0.6, "action_points": 0.5, "dnd5e": 0.5}[game] if others else 0.5
    is_chance(won_in(play(built, 6800, 100_000), 1), chance)


@pytest.mark.soak
@for_each("game", ["dnd5e", "a5e"])
def test_the_engine_plays_these_features_alike(game):
    blow = Feature("blow", "Blow", "action", attack=5, reach=5, damage="1d8+3 slashing")
    burn = Feature("burn", "Burn", "action", save="dex", dc=13, half=True, damage="3d6 fire", range="60", uses=2)
    ann = fighter("ann", blow, SURGE, DODGE, EVASION, hp=40, attacks=2)
    played_alike(small_fight(game, [ann], [fighter("ogre", blow, burn, hp=55, attacks=2)]), game, count=150, seed=7)


@pytest.mark.soak
@for_each("game", ["a5e", "pf2e"])
def test_the_engine_flanks_alike(game):
    blow = Feature("blow", "Blow", "action", attack=3, reach=5, damage="1d6+1 slashing")
    pack = [fighter(f"wolf{n}", blow, system=game, hp=9) for n in range(3)]
    played_alike(small_fight(game, pack, [fighter("ogre", blow, system=game, hp=45, ac=13)]), game, count=120, seed=3)
