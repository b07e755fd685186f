"""Scenes of Foundry VTT: padding and shift, walls by what they stop, doors, lights, and the picture beside the file."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.importers.test_universal_vtt import PNG
from turnwright.encounter.prepared import Door, MapBarrier, MapLight
from turnwright.importers.universal_vtt import MAP_PARTS, merged_map, read_map
from turnwright.storage.fights import UnreadableError

# 1,000 × 800 pixels in squares of 100: the padding of 250 and 200 pixels is 3 and 2 squares
NEW = {
    "background": {"src": "worlds/w/the%20cave.webp", "offsetX": 0, "offsetY": 0},
    "grid": {"type": 1, "size": 100, "distance": 5},
}
OLD = {"img": "worlds/w/the%20cave.webp", "shiftX": 0, "shiftY": 0, "grid": 100, "gridType": 1, "gridDistance": 5}


def wall(*ends: float, **more: Any) -> dict[str, Any]:
    return {"c": [100 * (ends[0] + 3), 100 * (ends[1] + 2), 100 * (ends[2] + 3), 100 * (ends[3] + 2)], **more}


def scene(form: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"name": "Cave", "width": 1000, "height": 800, "padding": 0.25, **form, **more}).encode()


LEVELS = {"levels": [{"name": "Base", "background": NEW["background"]}], "grid": NEW["grid"]}


@pytest.mark.parametrize("form", [NEW, OLD, LEVELS])
def test_walls_doors_and_lights_come_from_old_and_new_scenes(form: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "the cave.webp").write_bytes(PNG)
    full, none, limited, near = (20, 0, 10, 30) if form is not OLD else (1, 0, 2, 0)
    sight = "sight" if form is not OLD else "sense"
    walls = [
        wall(1, 1, 5, 1, move=full, **{sight: full}),
        wall(5, 1, 5.5, 3, move=full, **{sight: limited}),
        wall(2, 3, 4, 3, move=full, **{sight: none}),
        wall(4, 3, 5, 3, move=full, **{sight: near}),
        wall(4, 4, 5, 4.5, move=full, **{sight: near}),
        wall(6, 3, 6, 5, move=none, **{sight: full}),
        wall(7, 3, 7, 5, move=none, **{sight: none}),
        wall(1, 6, 2, 6, door=1, ds=1),
        wall(2, 6, 3, 6, door=2, ds=2),
        wall(3, 6, 4, 6, door=1, ds=0, move=full, **{sight: none}),
        wall(20, 1, 21, 1),
        {"c": None},
        "wall",
    ]
    radii = {"dim": 40, "bright": "10", "color": "#FFAA00", "tintColor": "#ffaa00"}
    lights = [{"x": 700, "y": 600} | (radii if form is OLD else {"config": radii}), {"x": 700, "y": 600}]
    lights.append({"x": 800, "y": 600, "hidden": True, "dim": 20, "bright": 20, "config": None})
    found = read_map(scene(form, walls=walls, lights=lights), tmp_path)
    field = merged_map(None, found, MAP_PARTS, "x.webp")
    assert (field.columns, field.rows, field.walls) == (10, 8, ((1, 1, 5, 1),))
    assert (field.windows, field.curtains) == (((2, 3, 5, 3),), ((6, 3, 6, 5),))
    assert field.barriers == (
        MapBarrier("wall", ((5.0, 1.0), (5.5, 3.0))),
        MapBarrier("window", ((4.0, 4.0), (5.0, 4.5))),
    )
    assert field.doors == (
        Door("door-1", (1.0, 6.0, 2.0, 6.0), open=True),
        Door("door-2", (2.0, 6.0, 3.0, 6.0), "secret"),
        Door("door-3", (3.0, 6.0, 4.0, 6.0), "window"),
    )
    assert field.lights == (MapLight((4.0, 4.0), 10, 30, "#ffaa00"), MapLight((5.0, 4.0), 20, 1, lit=False))
    assert (found.counts.walls_outside, found.counts.unusable, found.picture) == (1, 4, PNG)
    assert merged_map(field, found, MAP_PARTS, "x.webp") == field


@pytest.mark.parametrize(("form", "keys"), [(NEW, ("offsetX", "offsetY")), (OLD, ("shiftX", "shiftY"))])
def test_a_shifted_picture_lies_off_the_grid(form: dict[str, Any], keys: tuple[str, str]) -> None:
    shifts = dict(zip(keys, (25, -25), strict=True))
    form = form | ({"background": NEW["background"] | shifts} if form is NEW else shifts)
    found = read_map(scene(form, walls=[wall(1, 1, 5, 1)]))
    field = merged_map(None, found, MAP_PARTS, "x.webp")
    assert field.picture is not None
    assert (field.picture.at, field.picture.size) == ((-0.25, -0.75), (10.0, 8.0))
    assert (field.columns, field.rows, field.walls) == (10, 8, ((1, 0, 5, 0),))
    assert (found.missing, found.picture) == ("the cave.webp", b"")


@pytest.mark.parametrize("kind", [2, 3, 4, 5])
def test_hexes_are_refused_with_a_clear_word(kind: int) -> None:
    for form in ({**OLD, "gridType": kind}, {**NEW, "grid": {"type": str(kind), "size": 100}}):
        with pytest.raises(UnreadableError, match="hex grid"):
            read_map(scene(form))
    assert read_map(scene({**NEW, "grid": {"type": 0, "size": 50}})).battle_map.columns == 20


def test_odd_values_are_read_or_refused_and_nothing_else() -> None:
    odd: tuple[Any, ...] = (None, "", "x", -1, 0, 1e-300, 1e308, "1e400", float("nan"), 10**400, [], {}, [None], "a\0b")
    parts = {"walls": [wall(1, 1, 5, 2)], "lights": [{"x": 1, "y": 1, "dim": 5}]}
    for value in odd:
        forms = [
            {**form, key: value} for form in (NEW, OLD) for key in ("grid", "width", "padding", "img", "background")
        ]
        forms += [{**OLD, key: value} for key in ("gridDistance", "shiftX", "gridType", "walls", "lights")]
        forms += [
            {**NEW, "walls": [{"c": [value] * 4, "move": value, "door": value}], "lights": [{"x": value, "dim": value}]}
        ]
        for form in forms:
            with suppress(UnreadableError):
                read_map(scene(form, **{key: one for key, one in parts.items() if key not in form}))
