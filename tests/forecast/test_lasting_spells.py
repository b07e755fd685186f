"""Spells that attack again on later turns, or hurt who is near their caster each round, until their caster loses them."""

from __future__ import annotations

import pytest
from msgspec import structs

from tests.forecast.small_fights import SYSTEMS, fighter, played_alike, sheet_of_fight, small_fight
from tests.forecast.test_effects import sword
from tests.forecast.test_exact_cases_in_games import (
    CERTAIN,
    Damage,
    at_each_count,
    attack,
    failure,
    is_chance,
    mixed,
    play,
    rolled,
    spell,
    turn,
    won_in,
)
from turnwright.encounter.prepared import Creature, Feature
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.workspace.kernel_library import await_kernels

FIFTH = ["dnd5e", "a5e"]


@pytest.fixture(scope="module", autouse=True)
def loop() -> None:
    assert await_kernels()


def listed(game: str, name: str) -> Feature:
    """Return a spell of the game's list, cast by a character of 5th level with a modifier of 4."""
    found = next(each for each in SYSTEMS.get(game).data.spells if each.id == name)
    return structs.replace(spell_feature(found, Caster(15, 7, 5, 4), level=found.level or 0), level=found.level)


def caster(game: str, *features: Feature, **fields: object) -> Creature:
    """Return a caster with one slot for the first feature."""
    usual = {"hp": 60, "ac": 12, "slots": ((str(features[0].level), 1),), "spellcasting": "wis"}
    return fighter("ann", *features, **(usual | fields))


def won_by_round(hp: int, each: Damage, rounds: int) -> list[float]:
    """Return the chance to deal `hp` damage just in each round."""
    left, found = {float(hp): 1.0}, []
    for _ in range(rounds):
        after: Damage = {}
        for now, chance in left.items():
            for then, share in turn(int(now), [each]).items():
                after[then] = after.get(then, 0) + chance * share
        found.append(after.pop(0, 0.0))
        left = after
    return found


@at_each_count
@pytest.mark.parametrize("game", FIFTH)
def test_a_spell_that_attacks_again_needs_one_slot(game, count):
    ann = caster(game, listed(game, "spiritual-weapon"))
    built, _ = sheet_of_fight(small_fight(game, [ann], [fighter("orc", hp=20, ac=16)]), game)
    fights = play(built, 7100, count)
    for number, chance in enumerate(won_by_round(20, attack(game, 7, 16, (8,), 4), 6), 1):
        is_chance(won_in(fights, number), chance)


@at_each_count
@pytest.mark.parametrize(("game", "dice"), [("dnd5e", (8, 8, 8)), ("a5e", (6, 6, 6))])
def test_an_area_around_its_caster_hurts_once_each_round(game, dice, count):
    ann = caster(game, listed(game, "spirit-guardians"))
    built, legend = sheet_of_fight(small_fight(game, [ann], [fighter("orc", hp=25)]), game)
    fights, fails = play(built, 7200, count), failure(game, 15)
    halved: Damage = {}
    for amount, chance in rolled(dice).items():
        halved[amount // 2] = halved.get(amount // 2, 0) + chance
    for number, chance in enumerate(won_by_round(25, mixed((fails, rolled(dice)), (1 - fails, halved)), 5), 1):
        is_chance(won_in(fights, number), chance)
    assert next(note.list for note in legend.notes if note.item == "spirit-guardians") == "assumed"


@at_each_count
@pytest.mark.parametrize("name", ["spirit-guardians", "call-lightning"])
def test_damage_can_end_it_in_mid_fight(name, count):
    """10 a round against 20 hit points; between the two rounds, the orc's 4 damage call for a save against 10."""
    again = structs.replace(listed("dnd5e", name), damage="10 radiant", save="dex", dc=CERTAIN)
    ann, orc = caster("dnd5e", again), fighter("orc", spell("dnd5e", "4 fire", dc=CERTAIN), hp=20)
    fights = play(sheet_of_fight(small_fight("dnd5e", [ann], [orc]), "dnd5e")[0], 7300, count)
    is_chance(won_in(fights, 2), 11 / 20)
    is_chance(won_in(fights, 3), 0)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("game", "name"), [(game, each) for game in FIFTH for each in ("spiritual-weapon", "spirit-guardians")]
)
def test_the_engine_plays_lasting_spells_alike(game, name):
    ann = caster(game, listed(game, name), sword(game), level=5, abilities=(("wis", 18), ("con", 14)), proficiency=3)
    axe = Feature("axe", "Axe", "action", attack=6, reach=5, damage="1d12+4 slashing")
    foes = [fighter(id, axe, hp=40, ac=13) for id in ("ogre", "troll")]
    outlook = played_alike(small_fight(game, [ann], foes), game, count=30, seed=7)
    assert next(each.uses for each in outlook.actions if each.item == name) > 2
