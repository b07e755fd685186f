"""`turnwright map`: maps of other programs and plain pictures brought into an encounter, and written out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.importers.test_universal_vtt import PNG, line, portal, written
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Map
from turnwright.encounter.state import Encounter, scene_of
from turnwright.storage.encounters import read_encounter
from turnwright.workspace.settings import HOME


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv(HOME, str(tmp_path / "home"))


@pytest.fixture
def vtt(tmp_path) -> Path:
    from base64 import b64encode

    path = tmp_path / "cave.dd2vtt"
    path.write_bytes(
        written(
            line_of_sight=[line((1, 1), (5, 1)), line((2, 2), (3.5, 4))],
            portals=[portal((3, 1.5), (3, 2.5))],
            lights=[{"position": {"x": 4, "y": 4}, "range": 6}],
            image=b64encode(PNG).decode(),
        )
    )
    return path


def held(path: Path) -> Encounter:
    loaded = read_encounter(path, RuleSystems().ids)
    assert loaded.encounter is not None, loaded.findings
    assert not loaded.findings
    return loaded.encounter


def test_a_map_comes_into_an_encounter_with_what_is_wanted(run, file, vtt):
    ran = run("map", "import", vtt, "--into", file, "--dark")
    assert ran.code == 0, ran.err
    assert "1 wall segments along the grid\n1 wall segments off the grid\n1 doors\n1 lights" in ran.out
    battle_map = held(file).need(Map, "map")
    assert (battle_map.columns, battle_map.rows, len(battle_map.doors)) == (10, 8, 1)
    assert battle_map.picture is not None
    assert (file.parent / battle_map.picture.file).read_bytes() == PNG
    assert scene_of(held(file)).light == "dark"


def test_parts_may_stay_as_they_are(run, file, vtt):
    ran = run("map", "import", vtt, "--into", file, "--without", "doors", "--without", "picture", "--json")
    assert json.loads(ran.out)["parts"] == ["lights", "objects", "walls"]
    battle_map = held(file).need(Map, "map")
    assert (battle_map.doors, battle_map.picture, battle_map.walls) == ((), None, ((1, 1, 5, 1),))


def test_a_map_goes_out_and_comes_back(run, file, vtt, tmp_path):
    assert run("map", "export", file, "-o", tmp_path / "out.dd2vtt").code == 1
    run("map", "import", vtt, "--into", file)
    before = held(file)
    assert run("map", "export", file, "-o", tmp_path / "out.dd2vtt").code == 0
    assert run("map", "import", tmp_path / "out.dd2vtt", "--into", file).code == 0
    assert list(held(file)) == list(before)


def test_a_plain_picture_is_fitted(run, file, tmp_path):
    (tmp_path / "yard.png").write_bytes(PNG)
    ran = run("map", "picture", tmp_path / "yard.png", "--into", file, "--squares", "20")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("20 columns, 16 rows")
    assert run("map", "picture", tmp_path / "yard.png", "--into", file, "--pixels", "64", "--offset", "16,0").code == 0
    picture = held(file).need(Map, "map").picture
    assert picture is not None
    assert picture.at == (-0.25, 0.0)


def test_old_walls_move_with_a_picture_or_go(run, file, vtt, tmp_path):
    (tmp_path / "yard.png").write_bytes(PNG)
    run("map", "import", vtt, "--into", file)
    for walls, expected in (("keep", ((1, 1, 5, 1),)), ("move", ((2, 2, 10, 2),)), ("remove", ())):
        place = run("map", "picture", tmp_path / "yard.png", "--into", file, "--squares", "20", "--walls", walls)
        assert place.code == 0, place.err
        assert held(file).need(Map, "map").walls == expected
        run("map", "picture", tmp_path / "yard.png", "--into", file, "--squares", "10")


def test_a_scene_comes_with_its_picture_and_says_what_is_missing(run, file, tmp_path):
    scene = {"grid": 64, "gridType": 1, "width": 640, "height": 512, "padding": 0, "img": "maps/cave.png"}
    scene["walls"] = [{"c": [64, 64, 320, 64]}, {"c": 5}]
    (tmp_path / "scene.json").write_text(json.dumps(scene))
    ran = run("map", "import", tmp_path / "scene.json", "--into", file)
    assert "1 parts that can't be read or have no counterpart, skipped\nmissing picture: cave.png" in ran.out
    (tmp_path / "cave.png").write_bytes(PNG)
    ran = run("map", "import", tmp_path / "scene.json", "--into", file, "--json")
    assert json.loads(ran.out)["picture"] == f"{file.stem}.map.png"
    assert held(file).need(Map, "map").walls == ((1, 1, 5, 1),)
    (tmp_path / "scene.json").write_text(json.dumps(scene | {"gridType": 3}))
    ran = run("map", "import", tmp_path / "scene.json", "--into", file)
    assert (ran.code, "hex grid" in ran.err) == (1, True)


def test_what_cannot_be_read_is_told(run, file, tmp_path):
    (tmp_path / "no.dd2vtt").write_text("{}")
    ran = run("map", "import", tmp_path / "no.dd2vtt", "--into", file)
    assert ran.code == 1
    assert "not a Universal VTT map" in ran.err
    assert run("map", "import", tmp_path / "gone.dd2vtt", "--into", file).code == 1
    ran = run("map", "picture", tmp_path / "no.dd2vtt", "--into", file, "--pixels", "70")
    assert "not a PNG" in ran.err
