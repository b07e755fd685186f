"""Memory of printing two hundred creatures, by kind and all at once, and a large picture under a map; in processes of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
import tomlkit
from PySide6.QtGui import QImage

from turnwright.storage.resources import resource_path

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="how much a child held is asked of Linux"),
]

MOST_BYTES = 1_000_000_000
TICK = 0.02
OF_THE_LIBRARY = ("format", "kind", "system", "id", "licence")


def held_bytes(process: int) -> int:
    """Return how much memory a process and those that it started hold."""
    held = 0
    with suppress(OSError, ValueError, IndexError):  # it may have ended
        held += int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
        for tasks in Path(f"/proc/{process}/task").glob("*/children"):
            held += sum(held_bytes(int(child)) for child in tasks.read_text("ascii").split())
    return held


def most_memory(*arguments: object) -> int:
    """Run `turnwright handout` and return the most memory that it and its processes held together."""
    child = subprocess.Popen(
        [sys.executable, "-m", "turnwright", "handout", *map(str, arguments)], stdout=subprocess.DEVNULL
    )
    most = 0
    while child.poll() is None:
        most = max(most, held_bytes(child.pid))
        time.sleep(TICK)
    assert child.returncode == 0
    return most


@pytest.fixture(scope="module")
def two_hundred(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = sorted(resource_path("library").glob("dnd5e/srd/*.toml"))[:200]
    entries = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in files}
    creatures = {
        id: {key: value for key, value in entry.items() if key not in OF_THE_LIBRARY} for id, entry in entries.items()
    }
    made = {
        "format": 1, "system": "dnd5e", "creatures": creatures,
        "roster": {id: {"creature": id, "side": "enemies"} for id in creatures},
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
    assert most_memory(two_hundred, "-o", tmp_path / "out.pdf", "--kind", kind) < MOST_BYTES


@pytest.mark.parametrize("form", ["pdf", "png"])
def test_all_pages_of_two_hundred_creatures_take_less_than_a_gigabyte(form: str, two_hundred: Path, tmp_path: Path):
    assert most_memory(two_hundred, "-o", tmp_path / f"out.{form}") < MOST_BYTES


@pytest.mark.parametrize("way", ["one-page", "tiled"])
def test_a_picture_of_forty_megapixels_takes_less_than_a_gigabyte(way: str, tmp_path: Path):
    picture = QImage(8000, 5000, QImage.Format.Format_RGB32)
    picture.fill(0x406030)
    assert picture.save(str(tmp_path / "ground.jpg"))
    file = tmp_path / "large.toml"
    file.write_text(
        'format = 3\nsystem = "pf2e"\n[map]\ncolumns = 60\nrows = 40\npicture = { file = "ground.jpg" }\n', "utf-8"
    )
    assert most_memory(file, "-o", tmp_path / "out.pdf", "--kind", "map-sheets", "--map", way) < MOST_BYTES
