"""Light on the map: lights raise that of the scene, walls hold it up, and rules read it."""

from __future__ import annotations

import random

import msgspec
import pytest

from tests.play.map_table import Field
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Map, MapBarrier, MapLight, Scene
from turnwright.rules.parts.positions import sight
from turnwright.rules.parts.positions.sight import LEVELS, levels_now, light_at

CAVE = Map(
    columns=20,
    rows=6,
    lights=(MapLight((2.5, 2.5), bright=20),),
    barriers=(MapBarrier("wall", ((5.7, 0.0), (5.3, 3.9))),),
)


def cave(light: str = "dark", field: Map = CAVE, **squares: tuple[int, int]) -> Field:
    places = {"ada": (1, 2), "orc": (4, 2)} | squares
    table = Field("ada", "orc", foes=("orc",), field=field)
    table.has(Scene(light=light))  # type: ignore[arg-type]
    return table.puts(**places)


@pytest.mark.parametrize(
    ("square", "light"),
    [((3, 2), "bright"), ((4, 5), "bright"), ((7, 2), "dark"), ((5, 5), "dim"), ((7, 5), "dim"), ((15, 2), "dark")],
)
def test_a_light_reaches_as_far_as_it_shines_and_no_wall_stands_before_it(square, light) -> None:
    table = cave(orc=square)
    assert light_at(table.encounter, table.rules, "orc") == light


@pytest.mark.parametrize(
    ("lamp", "light"),
    [({"lit": False}, "dark"), ({"bright": 0, "dim": 10}, "dim"), ({"bright": 5, "dim": 10}, "dim"), ({}, "bright")],
)
def test_a_light_that_is_out_gives_no_light_and_a_candle_may_give_only_dim_light(lamp, light) -> None:
    table = cave(field=msgspec.structs.replace(CAVE, lights=(MapLight((2.5, 2.5), **lamp),)))
    assert light_at(table.encounter, table.rules, "orc") == light


@pytest.mark.parametrize("game", ["a5e", "dnd5e", "dnd5e-2024", "pf2e", "action_points"])
def test_each_game_has_light_sources_with_its_radii(game) -> None:
    lights = {source.id: source for source in RuleSystems().get(game).data.lights}
    assert {"candle", "torch", "lantern", "bullseye", "spell"} <= set(lights)
    assert lights["candle"].radius < lights["torch"].radius < lights["lantern"].radius < lights["bullseye"].radius
    assert lights["bullseye"].cone


def test_lights_never_make_anything_darker() -> None:
    table = cave("bright", orc=(15, 2))
    assert light_at(table.encounter, table.rules, "orc") == "bright"


def test_whoever_stands_in_the_light_is_seen_in_the_dark() -> None:
    table = cave()
    assert "dark" not in sight.sight_hindrances(table.encounter, table.rules, "ada", "orc")
    away = cave(orc=(15, 5))
    assert "dark" in sight.sight_hindrances(away.encounter, away.rules, "ada", "orc")


def test_without_lights_the_scene_says_it_all() -> None:
    table = cave(field=Map(columns=20, rows=6))
    assert light_at(table.encounter, table.rules, "orc") == "dark"


def large_cave(seed: int) -> Map:
    """Return a map of 100 × 100 squares with 1,000 short walls and 60 lights."""
    chance = random.Random(seed)
    walls = []
    for _ in range(1000):
        x, y = chance.uniform(2, 98), chance.uniform(2, 98)
        walls.append(MapBarrier("wall", ((x, y), (x + chance.uniform(-2, 2), y + chance.uniform(-2, 2)))))
    lights = (MapLight((chance.randrange(100) + 0.5, chance.randrange(100) + 0.5), bright=15) for _ in range(59))
    return Map(columns=100, rows=100, barriers=tuple(walls), lights=(MapLight((50.5, 50.5), 10, 40), *lights))


def test_the_light_of_one_square_is_that_of_the_whole_map() -> None:
    table = cave("dark", large_cave(1), ada=(1, 1), orc=(50, 50))
    levels = levels_now(table.encounter, table.rules)
    assert levels is not None
    found = set()
    for square in [(column, 49) for column in range(30, 70)]:
        table.puts(orc=square)
        found.add(light := light_at(table.encounter, table.rules, "orc"))
        assert light == LEVELS[levels[square[1], square[0]]]
    assert found == {"dark", "dim", "bright"}


def test_who_stands_in_what_light_takes_a_line_or_two_a_light_and_never_the_whole_map(monkeypatch) -> None:
    """Rolls ask for it in the window's thread, also when a door has just changed the map."""
    table = cave("dark", large_cave(2), ada=(1, 1), orc=(50, 49))
    asked = []
    one_square = sight.reaches

    def told(*given):
        asked.append(given)
        return one_square(*given)

    def whole(*_given):
        raise AssertionError("the light of the whole map was worked out")

    monkeypatch.setattr(sight, "reaches", told)
    monkeypatch.setattr(sight, "squares_in_sight", whole)
    sight.sees(table.encounter, table.rules, "ada", "orc")
    assert 0 < len(asked) <= 2 * 60
