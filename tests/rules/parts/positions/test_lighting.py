"""Light on the map: lights raise that of the scene, walls hold it up, and rules read it."""

from __future__ import annotations

import pytest

from tests.play.map_table import Field
from turnwright.encounter.prepared import Map, MapBarrier, MapLight, Scene
from turnwright.rules.parts import positions
from turnwright.rules.parts.positions.lighting import light_at

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


def test_lights_never_make_anything_darker() -> None:
    table = cave("bright", orc=(15, 2))
    assert light_at(table.encounter, table.rules, "orc") == "bright"


def test_whoever_stands_in_the_light_is_seen_in_the_dark() -> None:
    table = cave()
    assert "dark" not in positions.sight_hindrances(table.encounter, table.rules, "ada", "orc")
    away = cave(orc=(15, 5))
    assert "dark" in positions.sight_hindrances(away.encounter, away.rules, "ada", "orc")


def test_without_lights_the_scene_says_it_all() -> None:
    table = cave(field=Map(columns=20, rows=6))
    assert light_at(table.encounter, table.rules, "orc") == "dark"
