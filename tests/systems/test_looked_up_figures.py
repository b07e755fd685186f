"""Figures that no rule of a document works with: spells by level and price, sizes, and creatures that places bring in.

`spells.toml` lists the spells of each game by level, and those that cost more or less than one action. They were looked
up in the games' books, so a figure that differs is wrong in one of the two files.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.table import Table, a5e, action_points, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Scene
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.rules.system import RuleSystem

LOOKED_UP = tomllib.loads(Path(__file__).with_name("spells.toml").read_text(encoding="utf-8"))
Game = Callable[[], RuleSystem]


@pytest.mark.parametrize("game", [a5e, dnd5e, pf2e, action_points])
def test_the_levels_of_spells(game: Game) -> None:
    rules = game()
    levels: dict[str, list[str]] = {}
    for spell in rules.data.spells:
        levels.setdefault(str(spell.level), []).append(spell.id)
    assert {level: sorted(ids) for level, ids in levels.items()} == LOOKED_UP.get(rules.id, {}).get("levels", {})


@pytest.mark.parametrize("game", [a5e, dnd5e, pf2e])
def test_the_prices_of_spells(game: Game) -> None:
    rules = game()
    prices: dict[str, list[str]] = {}
    for spell in rules.data.spells:
        if (spell.cost, spell.price) != ("action", 1):
            price = spell.cost if spell.price == 1 else f"{spell.cost} {spell.price}"
            prices.setdefault(price, []).append(spell.id)
    assert {price: sorted(ids) for price, ids in prices.items()} == LOOKED_UP.get(rules.id, {}).get("prices", {})


FEET = {
    "tiny": (2.5, 8),
    "small": (5, 8),
    "medium": (5, 8),
    "large": (10, 12),
    "huge": (15, 16),
    "gargantuan": (20, 20),
}
METRES = {"tiny": (0.5, 8), "small": (1, 8), "medium": (2, 8), "large": (4, 12), "huge": (6, 16), "gargantuan": (8, 20)}


@pytest.mark.parametrize(
    ("game", "sizes"),
    [(a5e, {**FEET, "titanic": (25, 24)}), (dnd5e, FEET), (pf2e, FEET), (action_points, METRES)],
)
def test_the_spaces_of_sizes_and_the_creatures_around_them(game: Game, sizes: dict[str, tuple[float, int]]) -> None:
    assert {size.id: (size.space, size.around) for size in game().data.sizes} == sizes


LIGHTS = {"torch": 20, "lantern": 30, "bullseye": 60, "spell": 20}


@pytest.mark.parametrize(
    ("game", "difficult", "lights"),
    [
        (a5e, 1, {"candle": 5, **LIGHTS}),
        (dnd5e, 1, {"candle": 5, **LIGHTS}),
        (pf2e, 1, {"candle": 10, **LIGHTS}),
        (action_points, 0, {"candle": 2, "torch": 6, "lantern": 10, "bullseye": 18, "spell": 6}),
    ],
)
def test_the_further_cost_of_difficult_terrain_and_the_radii_of_lights(
    game: Game, difficult: int, lights: dict[str, int]
) -> None:
    data = game().data
    assert {terrain.extra for terrain in data.terrains} == {difficult}
    assert {light.id: light.radius for light in data.lights} == lights


@pytest.mark.parametrize("game", [a5e, dnd5e])
def test_all_damage_to_the_petrified_is_halved(game: Game) -> None:
    rules = game()
    for kind in rules.data.damage_types:
        table = Table(creature("ada", hp=20), rules=rules, scene=Scene(system=rules.id))
        table.start(ada=10)
        table.does(ApplyCondition(("ada",), "petrified"))
        table.does(ApplyDamage(("ada",), f"10 {kind.id}"))
        lost = 20 - table.one("ada").hp
        assert (kind.id, lost) == (kind.id, 5)


def test_the_creatures_that_places_bring_in() -> None:
    spawns = {spawn.id: spawn for spawn in a5e().data.spawns}
    shadow, swarm = spawns["shadow"], spawns["swarm-of-insects"]
    assert list(spawns) == ["shadow", "swarm-of-insects"]
    assert dict(shadow.abilities) == {"str": 6, "dex": 14, "con": 13, "int": 6, "wis": 10, "cha": 8}
    assert (shadow.ac, shadow.hp, dict(shadow.speeds), dict(shadow.skills)) == (12, 16, {"walk": 40}, {"stealth": 4})
    assert [(each.attack, each.reach, each.damage) for each in shadow.features if each.attack is not None] == [
        (4, 5, "2d6+2 necrotic")
    ]
    assert dict(swarm.abilities) == {"str": 3, "dex": 13, "con": 10, "int": 1, "wis": 7, "cha": 1}
    assert (swarm.ac, swarm.hp, dict(swarm.speeds)) == (12, 22, {"walk": 20, "swim": 20})
