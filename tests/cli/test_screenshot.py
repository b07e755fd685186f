"""`turnwright screenshot`: pictures without a display, and the dock in front."""

from __future__ import annotations

from pathlib import Path

import pytest

SMALL = ("--size", "900x700")


def changed(one: Path, other: Path) -> float:
    """The share of pixels in which two pictures of one size differ."""
    from PySide6.QtGui import QImage

    pictures = [QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32) for path in (one, other)]
    here, there = (memoryview(picture.constBits()).cast("I") for picture in pictures)
    assert len(here) == len(there)
    return sum(left != right for left, right in zip(here, there, strict=True)) / len(here)


@pytest.fixture
def picture(shell, repository, tmp_path):
    """Takes pictures of the sample at the ford without a display, each in a file of its own."""

    def taken(name, *more):
        out = tmp_path / f"{name}.png"
        ran = shell("screenshot", repository / "encounters" / "cold-ford-bridge.toml", "-o", out, *SMALL, *more)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
        return out

    return taken


def test_a_picture_needs_no_display(picture):
    from PySide6.QtGui import QImage

    image = QImage(str(picture("map", "--panel", "map")))
    assert image.size().toTuple() == (900, 700)
    assert len({image.pixel(x, y) for x in range(0, 900, 30) for y in range(0, 700, 30)}) > 20


@pytest.mark.soak
def test_a_picture_has_the_dock_that_is_named_in_front(picture):
    assert changed(picture("roster", "--panel", "roster"), picture("map", "--panel", "map")) > 0.05


@pytest.mark.soak
def test_a_picture_has_the_roster_in_front_where_no_dock_is_named(picture):
    # all but a chart that may have been drawn meanwhile
    assert changed(picture("front"), picture("roster", "--panel", "roster")) < 0.02
