"""Universal VTT maps: what becomes of their walls, doors, objects and lights, and what comes out again."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.for_each import for_each
from turnwright.encounter.picture_formats import picture_size
from turnwright.encounter.prepared import Door, Handout, Map, MapBarrier, MapLight, MapPicture, Obstacle
from turnwright.encounter.state import Encounter
from turnwright.importers.universal_vtt import (
    MAP_PARTS,
    NEAR,
    MapCounts,
    MapImport,
    merged_map,
    read_map,
    write_map,
)
from turnwright.storage.fights import UnreadableError
from turnwright.storage.picture_files import copy_pictures, fitted_map, place_picture

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4, "big") + (512).to_bytes(4, "big") + b"\x08\x02\0\0\0"


def line(*points: tuple[float, float]) -> list[dict[str, float]]:
    return [{"x": x, "y": y} for x, y in points]


def portal(*bounds: tuple[float, float], **more: Any) -> dict[str, Any]:
    middle = {"x": 0, "y": 0}
    return {"position": middle, "bounds": line(*bounds), "rotation": 0, "closed": True, "freestanding": False, **more}


def written(origin: tuple[float, float] = (0, 0), size: tuple[float, float] = (10, 8), **more: Any) -> bytes:
    resolution = {
        "map_origin": {"x": origin[0], "y": origin[1]},
        "map_size": {"x": size[0], "y": size[1]},
        "pixels_per_grid": 64,
    }
    return json.dumps({"format": 0.3, "resolution": resolution, **more}).encode()


def read(**more: Any) -> MapImport:
    return read_map(written(**more))


def test_walls_on_whole_squares_are_walls_of_the_grid_and_others_barriers() -> None:
    found = read(line_of_sight=[line((1, 1), (5, 1), (5, 4.5), (6.25, 6)), line((2, 1.01), (8, 0.99))])
    assert found.battle_map.walls == ((1, 1, 8, 1),)
    assert found.battle_map.barriers == (MapBarrier("wall", ((5.0, 1.0), (5.0, 4.5), (6.25, 6.0))),)
    assert (found.counts.exact, found.counts.free) == (2, 2)


def test_nothing_moves_by_more_than_a_64th_of_a_square() -> None:
    found = read(line_of_sight=[line((1, 1 + 2 * NEAR), (5, 1 + 2 * NEAR))])
    assert found.battle_map.walls == ()
    assert found.battle_map.barriers[0].points == ((1.0, 1.0312), (5.0, 1.0312))


def test_a_part_of_a_larger_map_is_cut_at_its_edge() -> None:
    found = read(
        origin=(46, 41),
        line_of_sight=[line((40, 43), (50.5, 43)), line((0, 0), (9, 9)), line((47, 42), (47, 42))],
        portals=[portal((48, 42), (49, 42)), portal((8, 8), (9, 8))],
        lights=[
            {"position": {"x": 48, "y": 44}, "range": 8, "color": "ffECCD8B"},
            {"position": {"x": 1, "y": 1}, "range": 3},
        ],
    )
    assert found.battle_map.barriers == (MapBarrier("wall", ((0.0, 2.0), (4.5, 2.0))),)
    assert found.battle_map.doors == (Door("door-1", (2.0, 1.0, 3.0, 1.0)),)
    assert found.battle_map.lights == (MapLight((2.0, 3.0), 20, colour="#eccd8b"),)
    assert found.counts == MapCounts(
        free=1, doors=1, lights=1, walls_outside=1, doors_outside=1, lights_outside=1, empty=1
    )


def test_objects_are_closed_without_points_that_are_hardly_apart() -> None:
    ring = [(2, 2), (2.004, 2), (4, 2), (4, 4), (2, 4), (2, 2.006)]
    found = read(objects_line_of_sight=[line(*ring), line((9, 7), (12, 7), (12, 10), (9, 10))])
    first, second = found.battle_map.barriers
    assert first == MapBarrier("object", ((2.0, 2.0), (4.0, 2.0), (4.0, 4.0), (2.0, 4.0), (2.0, 2.0)))
    assert set(second.points) == {(9.0, 7.0), (10.0, 7.0), (10.0, 8.0), (9.0, 8.0)}
    assert found.counts.objects == 2


def test_doors_keep_half_squares_and_whether_they_stand_open() -> None:
    found = read(portals=[portal((3, 1.5), (3, 2.5)), portal((5, 5), (6, 5), closed=False), portal((1, 1), (1, 1))])
    assert found.battle_map.doors == (
        Door("door-1", (3.0, 1.5, 3.0, 2.5)),
        Door("door-2", (5.0, 5.0, 6.0, 5.0), open=True),
    )
    assert found.counts.empty == 1


@pytest.mark.parametrize("form", ["{}", "data:image/png;base64,{}", "{}\n"])
def test_the_picture_is_read_byte_for_byte(form: str) -> None:
    found = read(image=form.format(b64encode(PNG).decode()))
    assert (found.picture, found.ending) == (PNG, "png")


@for_each(
    ("data", "reason"),
    [
        (b"{}", "not a Universal VTT map"),
        (b"\xff\xfe", "not a Universal VTT map"),
        (b"[1]", "not a Universal VTT map"),
        (written(size=(900, 8)), "the limit is 500"),
        (written(size=(0, 8)), "the map has 0"),
        (written(size=("wide", 8)), "the map has nan"),
        (written(line_of_sight=[[]] * 100_000), "more than 100,000 points"),
        (written()[:-1] + b', "more": ' + b"[" * 50_000 + b"]" * 50_000 + b"}", "not a Universal VTT map"),
    ],
)
def test_what_is_no_map_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableError, match=reason):
        read_map(data)


def as_text(value: Any) -> Any:
    """Write all numbers and switches of a file as texts."""
    if isinstance(value, dict):
        return {key: as_text(each) for key, each in value.items()}
    return [as_text(each) for each in value] if isinstance(value, list) else str(value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_numbers_may_be_texts_in_any_kind_of_unicode(encoding: str) -> None:
    file = written(
        format="1.0",
        line_of_sight=[line((1, 1), (5, 1)), line((2, 2), (3.5, 4))],
        portals=[portal((3, 1.5), (3, 2.5), closed=False)],
        lights=[{"position": {"x": 4, "y": 4}, "range": 6, "color": "#ffECCD8B"}],
    )
    found = read_map(json.dumps(as_text(json.loads(file)), indent=1).encode(encoding))
    assert found == read_map(file)
    assert found.battle_map.doors[0].open
    assert found.battle_map.lights[0].colour == "#eccd8b"


def test_one_bad_part_is_told_and_the_others_come() -> None:
    found = read(
        line_of_sight=[
            line((1, 1), (5, 1)),
            [{"x": 1}, *line((2, 2), (3.5, 4))],
            "wall",
            [[1, 3], ["x", 3], [4, 3], [6, 3]],
            None,
        ],
        objects_line_of_sight=[7, [*line((2, 2), (4, 2)), {"x": "far"}]],
        portals=[
            portal((3, 1.5), (3, 2.5)),
            5,
            {"bounds": line((3, 1), (3, 2)), "closed": None},
            portal((1, 1), (2, "?")),
        ],
        lights=[None, {"position": {"x": 4, "y": 4}}, {"position": [4, 4], "range": "2", "color": 7, "intensity": []}],
        environment="dark",
    )
    assert found.battle_map.walls == ((1, 1, 5, 1), (4, 3, 6, 3))
    assert found.battle_map.barriers == (MapBarrier("wall", ((2.0, 2.0), (3.5, 4.0))),)
    assert [door.at for door in found.battle_map.doors] == [(3.0, 1.5, 3.0, 2.5), (3.0, 1.0, 3.0, 2.0)]
    assert found.battle_map.lights == (MapLight((4.0, 4.0), 5),)
    assert found.counts == MapCounts(exact=2, free=1, doors=2, lights=1, empty=0, unusable=11)
    assert read(lights=None, portals={}, line_of_sight=3).battle_map == Map(columns=10, rows=8)


@pytest.mark.parametrize(
    ("image", "missing"),
    [
        ("cave.png", ""),
        ("maps\\cave.png", ""),
        ("https://forge/maps/the%20cave.png?", "the cave.png?"),
        ("/home/me/the%20cave.png", ""),
        ("../secret.png", "secret.png"),
        ("notes.png", "notes.png"),
        (b64encode(b"GIF89a").decode(), "R0lGODlh"),
        ("%%%", "%%%"),
        ({}, ""),
    ],
)
def test_the_picture_may_lie_beside_the_map(tmp_path: Path, image: object, missing: str) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    for name in ("cave.png", "the cave.png", "../secret.png"):
        (folder / name).write_bytes(PNG)
    (folder / "notes.png").write_text("no picture")
    found = read_map(written(image=image, line_of_sight=[line((1, 1), (5, 1))]), folder)
    assert (bool(found.picture), found.missing) == (not missing and image != {}, missing)
    assert found.battle_map.walls == ((1, 1, 5, 1),)


def test_another_import_keeps_what_is_not_ticked_and_the_doors_names() -> None:
    first = read(
        line_of_sight=[line((1, 1), (5, 1)), line((1, 1), (2.5, 3))],
        portals=[portal((3, 1.5), (3, 2.5)), portal((7, 1), (8, 1))],
    )
    own = merged_map(Map(cell=10, obstacles=(Obstacle("cart"),)), first, MAP_PARTS)
    named = msgspec.structs.replace(own.doors[1], name="Gate", kind="secret", open=True, id="gate")
    drawn = MapBarrier("curtain", ((1.0, 5.0), (3.5, 5.0)))
    own = msgspec.structs.replace(own, doors=(own.doors[0], named), barriers=(*own.barriers, drawn))
    second = read(line_of_sight=[line((1, 2), (5, 2))], portals=[portal((8.05, 1), (7.02, 1)), portal((1, 6), (2, 6))])
    assert merged_map(own, second, ()) == own
    again = merged_map(own, second, MAP_PARTS)
    assert (again.cell, again.obstacles, again.walls) == (10, (Obstacle("cart"),), ((1, 2, 5, 2),))
    assert again.barriers == (drawn,)
    assert [(door.id, door.name, door.kind, door.open) for door in again.doors] == [
        ("gate", "Gate", "secret", True),
        ("door-2", "", "door", False),
    ]
    only_doors = merged_map(own, second, ("doors",))
    assert (only_doors.walls, only_doors.barriers) == (own.walls, own.barriers)


def test_a_picture_is_never_written_over_another(tmp_path: Path) -> None:
    encounter = tmp_path / "the-tomb.toml"
    assert place_picture(encounter, PNG) == "the-tomb.map.png"
    assert place_picture(encounter, PNG) == "the-tomb.map.png"
    assert place_picture(encounter, PNG + b"more") == "the-tomb.map-2.png"
    assert (tmp_path / "the-tomb.map.png").read_bytes() == PNG


def test_what_is_exported_is_read_again() -> None:
    found = read(
        image=b64encode(PNG).decode(),
        line_of_sight=[line((1, 1), (5, 1)), line((1, 1), (2.5, 3), (4, 3.5))],
        objects_line_of_sight=[line((2, 2), (4, 2), (4, 4))],
        portals=[portal((3, 1.5), (3, 2.5), closed=False)],
        lights=[{"position": {"x": 8, "y": 4}, "range": 8, "color": "ffeccd8b"}],
    )
    own = merged_map(None, found, MAP_PARTS, "tomb.map.png")
    data, left_out = write_map(own, PNG)
    again = read_map(data)
    assert (again.battle_map, again.picture, again.extent, left_out) == (found.battle_map, PNG, (10.0, 8.0), ())
    assert json.loads(data)["resolution"]["pixels_per_grid"] == 64
    rock = msgspec.structs.replace(own, ground="##\n", windows=((4, 4, 6, 4),))
    data, left_out = write_map(rock)
    assert set(read_map(data).battle_map.walls) >= {(0, 1, 5, 1), (2, 0, 2, 1)}
    assert left_out == ("1 windows along the grid",)


def test_a_plain_picture_is_fitted_to_the_grid() -> None:
    fitted = fitted_map(Map(cell=10), (640, 512), 64, file="yard.png")
    assert (fitted.columns, fitted.rows, fitted.cell) == (10, 8, 10)
    assert fitted.picture is not None
    assert (fitted.picture.at, fitted.picture.size) == ((0.0, 0.0), (10.0, 8.0))
    shifted = fitted_map(None, (640, 512), 64, (16, 32))
    assert shifted.picture is not None
    assert (shifted.columns, shifted.rows, shifted.picture.at) == (10, 8, (-0.25, -0.5))
    with pytest.raises(UnreadableError):
        fitted_map(None, (640, 512), 1)
    with pytest.raises(UnreadableError):
        fitted_map(None, (640, 512), 64, (64, 0))


def test_every_real_map_is_read_whole_and_comes_out_again(real_data: Path) -> None:
    files = [path for path in sorted((real_data / "uvtt").rglob("*.*")) if path.suffix in (".dd2vtt", ".uvtt", ".json")]
    assert files
    for path in files:
        data = path.read_bytes()
        found, held = read_map(data), json.loads(data)
        segments = sum(len(one) - 1 for one in held["line_of_sight"])
        counts = found.counts
        assert counts.exact + counts.free + counts.walls_outside + counts.empty >= segments, path
        assert (
            counts.doors + counts.doors_outside
            <= len(held["portals"])
            <= counts.doors + counts.doors_outside + counts.empty
        )
        per_square = held["resolution"]["pixels_per_grid"]
        assert picture_size(found.picture) == tuple(round(side * per_square) for side in found.extent), path
        again = read_map(write_map(merged_map(None, found, MAP_PARTS, "x.png"), found.picture)[0])
        assert (again.battle_map, again.picture) == (found.battle_map, found.picture), path


def test_pictures_go_with_an_encounter_to_another_folder(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    encounter = Encounter(
        [
            Map(columns=4, rows=4, picture=MapPicture("tomb.map.png")),
            Handout("letter", picture="art/letter.png"),
            Handout("gone", picture="gone.png"),
            Handout("out", picture="../secret.png"),
        ]
    )
    (here / "art").mkdir()
    for name in ("tomb.map.png", "art/letter.png", "../secret.png"):
        (here / name).write_bytes(PNG + name.encode())
    (there / "tomb.map.png").write_bytes(b"another")
    copy_pictures(encounter, here, there)
    assert (there / "art" / "letter.png").read_bytes() == PNG + b"art/letter.png"
    assert (there / "tomb.map.png").read_bytes() == b"another"
    assert sorted(path.name for path in there.iterdir()) == ["art", "tomb.map.png"]
