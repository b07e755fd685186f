"""The spells of a turn: a bonus action heals along with an action, as far as the game allows a second spell."""

from __future__ import annotations

import pytest

from tests.forecast.small_fights import SYSTEMS, fighter, played_alike, small_fight
from tests.forecast.test_choosing import begun
from turnwright.encounter.prepared import Feature
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.kernel import perform, set_up, start_turn
from turnwright.forecast.policy import action_for
from turnwright.forecast.random_stream import begin_stream
from turnwright.forecast.sheet import Policy
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.workspace.fight_forecast import begun_copy
from turnwright.workspace.kernel_library import await_kernels

WORD = Feature("word", "Word", "bonus", level=1, heals="1d4+3", range="60", properties=("spell",))
CURE = Feature("cure", "Cure", "action", level=1, heals="2d8+3", range="touch", properties=("spell",))
BOLT = Feature(
    "bolt", "Bolt", "action", level=1, save="dex", dc=60, damage="20 fire", range="60", properties=("spell",)
)
SPARK = Feature(
    "spark", "Spark", "action", level=0, save="dex", dc=60, damage="5 fire", range="60", properties=("spell",)
)
MACE = Feature("mace", "Mace", "action", attack=5, reach=5, damage="1d6+3 bludgeoning")
SECOND = Feature(
    "second", "Second", "bonus", level=1, save="dex", dc=60, damage="9 fire", range="60", properties=("spell",)
)


def turn_of(game: str, features: tuple[Feature, ...], hurt: int) -> list[str]:
    """Return what Ann does in a turn, with slots for all her spells and a friend who has some hit points left."""
    ann = fighter("ann", *features, slots=(("1", 9),))
    fight, legend = begun(game, [ann, fighter("bo", hp=100)], [fighter("orc", hp=999)])
    fight.now[1].hp = hurt
    done = []
    while (action := action_for(fight, 0, 0)) >= 0:
        perform(fight, 0, action)
        done.append(legend.actions[action][1])
    return done


@pytest.mark.parametrize(
    ("game", "features", "hurt", "expected"),
    [
        ("dnd5e", (WORD, BOLT, SPARK), 10, ["word", "spark"]),
        ("dnd5e", (WORD, BOLT, SPARK), 100, ["bolt"]),
        ("dnd5e", (CURE, WORD, MACE), 10, ["word", "mace"]),
        ("dnd5e", (WORD, BOLT), 10, ["word"]),
        ("dnd5e", (SECOND, BOLT), 100, ["bolt"]),
        ("dnd5e", (SECOND, SPARK), 100, ["second", "spark"]),
        ("a5e", (WORD, BOLT, SPARK), 10, ["word", "spark"]),
        ("dnd5e-2024", (WORD, BOLT, SPARK), 10, ["word", "spark"]),
        ("dnd5e-2024", (SECOND, BOLT), 100, ["bolt"]),
    ],
)
def test_a_second_spell_is_one_that_the_game_allows(game, features, hurt, expected):
    assert turn_of(game, features, hurt) == expected


@pytest.mark.parametrize(("hurt", "expected"), [(99, "cure"), (100, "")])
def test_nobody_at_full_hit_points_is_healed(hurt, expected):
    encounter = small_fight("dnd5e", [fighter("ann", CURE), fighter("bo", hp=100)], [fighter("orc")])
    built, legend = build_sheet(begun_copy(encounter, SYSTEMS.get("dnd5e")).encounter, SYSTEMS.get("dnd5e"))
    fight = packed_sheet(built, [Policy(heals_at=100)]).plain(1)
    begin_stream(fight, 1, 0)
    set_up(fight)
    start_turn(fight, 0)
    fight.now[1].hp = hurt
    action = action_for(fight, 0, 0)
    assert (legend.actions[action][1] if action >= 0 else "") == expected


@pytest.mark.soak
@pytest.mark.parametrize("game", ["dnd5e", "a5e", "dnd5e-2024"])
def test_the_engine_lets_a_healer_strike_as_well(game):
    await_kernels()
    axe = Feature("axe", "Axe", "action", attack=6, reach=5, damage="1d12+4 slashing")
    party = [fighter("ann", WORD, BOLT, SPARK, MACE, hp=25, ac=15, slots=(("1", 4),))]
    party += [fighter("bo", MACE, hp=25, ac=15)]
    foes = [fighter("orc", axe, hp=80), fighter("ogre", axe, hp=40)]
    played_alike(small_fight(game, party, foes), game, count=60, seed=5)
