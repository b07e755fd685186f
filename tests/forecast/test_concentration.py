"""One concentration for each combatant: what it holds ends with it, and damage, a fall or the lack of an action ends it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.forecast.small_fights import fighter, played_alike, sheet_of_fight, small_fight
from tests.forecast.test_choosing import begun, choice
from tests.forecast.test_exact_cases_in_games import at_each_count, failure, is_chance, play, spell, won_in
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.forecast.kernel import perform, take_damage
from turnwright.forecast.layout import LOST, WON, FightResult
from turnwright.workspace.kernel_library import await_kernels

CERTAIN = 60  # a DC that nobody reaches


@pytest.fixture(scope="module", autouse=True)
def loop() -> None:
    assert await_kernels()


def hold(game: str, **fields: Any) -> Feature:
    """Return a spell that takes all of its target's turns away for as long as its caster concentrates."""
    condition = InflictedCondition("paralyzed" if game == "pf2e" else "stunned", lasts="1 minute")
    usual = {"save": "wis", "price": 2 if game == "pf2e" else 1, "dc": CERTAIN, "range": "60", "concentration": True}
    return Feature("hold", "Hold", "action", afflictions=(condition,), **(usual | fields))


def held_and_harmed(game: str, damage: int, **fields: Any) -> tuple[list[Creature], list[Creature]]:
    """Ann holds an ogre that would kill her at once; a goblin, which can't be held, hurts her each turn before it."""
    ann = fighter("ann", hold(game, uses=1), **({"hp": 200} | fields))
    immune = ("stunned", "paralyzed")
    goblin = fighter("goblin", spell(game, f"{damage} fire", dc=CERTAIN), hp=99, condition_immunities=immune)
    return [ann], [goblin, fighter("ogre", spell(game, "200 cold", dc=CERTAIN), hp=50)]


@at_each_count
@pytest.mark.parametrize(
    ("game", "damage", "con", "dc"),
    [
        ("a5e", 4, 0, 10),
        ("a5e", 31, 2, 15),
        ("a5e", 66, 20, 33),
        ("dnd5e", 4, 0, 10),
        ("dnd5e", 31, 2, 15),
        ("dnd5e", 66, 20, 33),
        ("dnd5e-2024", 66, 20, 30),
    ],
)
def test_damage_breaks_concentration_as_often_as_its_save_fails(game, damage, con, dc, count):
    party, foes = held_and_harmed(game, damage, saves=(("con", con),))
    fights = play(sheet_of_fight(small_fight(game, party, foes), game)[0], 3000 + damage + dc, count)
    fails = (dc - con - 1) / 20
    lost = fights[:, FightResult.outcome] == LOST
    for number in (1, 2, 3):
        is_chance(lost & (fights[:, FightResult.rounds] == number), fails * (1 - fails) ** (number - 1))


def test_no_damage_breaks_a_spell_that_an_action_sustains():
    """The goblin needs four rounds for Ann."""
    party, foes = held_and_harmed("pf2e", 4, hp=16)
    fights = play(sheet_of_fight(small_fight("pf2e", party, foes), "pf2e")[0], 3100, 1000)
    assert np.all((fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == 4))


@at_each_count
def test_sustaining_takes_an_action_each_turn(count):
    """Two actions cast, and one is left for a dart; from then on, one sustains, and two throw."""
    dart = Feature("dart", "Dart", "action", save="dex", dc=11, damage="1 fire", range="60")
    ann, ogre = fighter("ann", hold("pf2e"), dart), fighter("ogre", spell("pf2e", "200 cold", dc=CERTAIN), hp=2)
    fights = play(sheet_of_fight(small_fight("pf2e", [ann], [ogre]), "pf2e")[0], 3200, count)
    hits = failure("pf2e", 11)
    is_chance(won_in(fights, 2), hits * (1 - (1 - hits) ** 2) + (1 - hits) * hits**2)
    is_chance(fights[:, FightResult.outcome] == WON, 1)


@pytest.mark.parametrize("game", ["a5e", "dnd5e", "pf2e"])
def test_a_second_concentration_waits_while_the_first_holds_someone(game):
    """Nothing else is left to do while the ogre is held; once it is down, the next is."""
    foes = [fighter(id, spell(game, "30 cold", dc=CERTAIN), hp=hp) for id, hp in (("ogre", 40), ("troll", 50))]
    fight, legend = begun(game, [fighter("ann", hold(game))], foes)
    assert choice(fight, legend) == ("hold", "ogre")
    perform(fight, 0, 0)
    fight.purse[0] = 9
    assert choice(fight, legend) == ("", "")
    take_damage(fight, 1, 0, 0, 99, 0)
    assert choice(fight, legend) == ("hold", "troll")
    perform(fight, 0, 0)
    assert fight.now[0].holds == 1


@pytest.mark.parametrize("game", ["a5e", "dnd5e"])
def test_a_fall_ends_concentration(game):
    ogre = fighter("ogre", spell(game, "9 cold", dc=CERTAIN))
    fight, legend = begun(game, [fighter("ann", hold(game)), fighter("bo")], [ogre])
    perform(fight, 0, 0)
    stunned = 1 << legend.conditions.index("stunned")
    assert fight.now[2].conditions == stunned
    take_damage(fight, 0, 2, 0, 10, 0)
    assert (fight.now[2].conditions, fight.now[0].holds) == (0, 0)


@pytest.mark.soak
@pytest.mark.parametrize("game", ["a5e", "dnd5e", "pf2e"])
def test_the_engine_breaks_concentration_alike(game):
    """She throws darts as well, for whose second one she lacks the action while she sustains."""
    dart = Feature("dart", "Dart", "action", save="dex", dc=13, damage="2d6 fire", range="60")
    ann = fighter("ann", hold(game, dc=14), dart, hp=50)
    foes = [
        fighter("goblin", spell(game, "2d6 fire", dc=13), hp=30),
        fighter("ogre", spell(game, "4d8 cold", dc=16), hp=25),
    ]
    encounter = small_fight(game, [ann], foes)
    played_alike(encounter, game, count=80, seed=5)
