"""Memory of printing: each kind of page of two hundred creatures, and a large picture under a map, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import tomlkit
from PySide6.QtGui import QImage

from turnwright.storage.resources import resource_path

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="how much a child held is asked of Linux"),
]

MOST_KILOBYTES = 1_000_000
OF_THE_LIBRARY = ("format", "kind", "system", "id", "licence")


def most_memory(*arguments: object) -> int:
    """Run `turnwright handout` and return the most memory that it held, in kilobytes."""
    child = subprocess.Popen(
        [sys.executable, "-m", "turnwright", "handout", *map(str, arguments)], stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return used.ru_maxrss


@pytest.fixture(scope="module")
def two_hundred(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = sorted(resource_path("library").glob("dnd5e/srd/*.toml"))[:200]
    entries = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in files}
    creatures = {
        id: {key: value for key, value in entry.items() if key not in OF_THE_LIBRARY} for id, entry in entries.items()
    }
    made = {
        "format": 1, "system": "dnd5e", "creatures": creatures,
        "roster": {id: {"creature": id, "side": "foes"} for id in creatures},
    }  # fmt: skip
    path = tmp_path_factory.mktemp("many") / "many.toml"
    path.write_text(tomlkit.dumps(made), "utf-8")
    return path


@pytest.mark.parametrize(
    "kind",
    [
        "stat-blocks",
        "creature-cards",
        "running-sheet",
        "tracking-sheets",
        "encounter-sheet",
        "initiative-tents",
        "paper-minis",
    ],
)
def test_two_hundred_creatures_take_less_than_a_gigabyte(kind: str, two_hundred: Path, tmp_path: Path):
    assert most_memory(two_hundred, "-o", tmp_path / "out.pdf", "--kind", kind) < MOST_KILOBYTES


@pytest.mark.parametrize("way", ["one-page", "tiled"])
def test_a_picture_of_forty_megapixels_takes_less_than_a_gigabyte(way: str, tmp_path: Path):
    picture = QImage(8000, 5000, QImage.Format.Format_RGB32)
    picture.fill(0x406030)
    assert picture.save(str(tmp_path / "ground.jpg"))
    file = tmp_path / "large.toml"
    file.write_text(
        'format = 1\nsystem = "pf2e"\n[map]\ncolumns = 60\nrows = 40\npicture = { file = "ground.jpg" }\n', "utf-8"
    )
    assert most_memory(file, "-o", tmp_path / "out.pdf", "--kind", "map-sheets", "--map", way) < MOST_KILOBYTES
