"""The picture under the map: read in a worker within limits, painted in its place, doors that a click opens."""

from __future__ import annotations

import threading
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from turnwright.encounter.prepared import Door, Map, MapPicture
from turnwright.encounter.running import DoorState
from turnwright.ui.docks.map.drawing import map_picture
from turnwright.ui.docks.map.drawing.drawing import doors_at
from turnwright.ui.docks.map.drawing.map_picture import MapPictureLoader, read_picture, scaled_part

RED, BLUE = QColor(200, 0, 0), QColor(0, 0, 200)
YARD = Map(columns=4, rows=2, picture=MapPicture("yard.png", size=(4.0, 2.0)))


@pytest.fixture
def yard(qapp, tmp_path: Path) -> Path:
    """Return the folder of a picture, red on the left and blue on the right."""
    image = QImage(400, 200, QImage.Format.Format_RGB32)
    image.fill(RED)
    painter = QPainter(image)
    painter.fillRect(QRect(200, 0, 200, 200), BLUE)
    painter.end()
    assert image.save(str(tmp_path / "yard.png"))
    return tmp_path


def painted(loader: MapPictureLoader, field: Map, cell: int = 20) -> QImage:
    image = QImage(field.columns * cell, field.rows * cell, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    loader.paint(painter, field, QRect(0, 0, field.columns, field.rows), cell, 1.0)
    painter.end()
    return image


def test_a_picture_is_read_off_the_gui_thread(qtbot, yard, monkeypatch) -> None:
    threads = []

    def read(path):
        threads.append(threading.get_ident())
        return read_picture(path)

    monkeypatch.setattr(map_picture, "read_picture", read)
    owner = QObject()
    loader = MapPictureLoader(owner)
    with qtbot.waitSignal(loader.loaded, check_params_cb=None):
        loader.show_map(yard, YARD)
    qtbot.waitUntil(lambda: bool(loader.levels))
    assert threads
    assert threading.get_ident() not in threads
    assert [level.width() for level in loader.levels] == [400, 200, 100, 50]


def test_it_lies_where_the_map_says(qtbot, yard) -> None:
    owner = QObject()
    loader = MapPictureLoader(owner)
    loader.show_map(yard, YARD)
    qtbot.waitUntil(lambda: bool(loader.levels))
    whole = painted(loader, YARD)
    assert (whole.pixelColor(5, 5), whole.pixelColor(75, 35)) == (RED, BLUE)
    assert YARD.picture is not None
    moved = msgspec.structs.replace(YARD, picture=msgspec.structs.replace(YARD.picture, at=(1.0, 0.0), size=(2.0, 2.0)))
    there = painted(loader, moved)
    colours = [there.pixelColor(x, 20) for x in (5, 25, 55, 75)]
    assert colours == [QColor(Qt.GlobalColor.white), RED, BLUE, QColor(Qt.GlobalColor.white)]
    dimmed = msgspec.structs.replace(YARD, picture=msgspec.structs.replace(YARD.picture, dim=0.5))
    assert painted(loader, dimmed).pixelColor(5, 5).red() in range(95, 106)


def test_a_picture_that_is_missing_or_no_picture_is_told(qtbot, yard) -> None:
    owner = QObject()
    loader = MapPictureLoader(owner)
    loader.show_map(yard, msgspec.structs.replace(YARD, picture=MapPicture("gone.png")))
    assert "no file" in loader.problem
    (yard / "torn.png").write_bytes((yard / "yard.png").read_bytes()[:40])
    loader.show_map(yard, msgspec.structs.replace(YARD, picture=MapPicture("torn.png")))
    qtbot.waitUntil(lambda: bool(loader.problem))
    assert not loader.levels
    loader.show_map(yard, YARD)
    qtbot.waitUntil(lambda: bool(loader.levels))
    assert not loader.problem


def test_a_picture_that_cannot_be_read_is_not_read_again(qtbot, yard, monkeypatch) -> None:
    folder, field, owner = yard, YARD, QObject()
    (folder / "yard.png").write_bytes(b"\x89PNG\r\n\x1a\n and nothing")
    reads = []
    monkeypatch.setattr(map_picture, "read_picture", lambda path: (reads.append(path), read_picture(path))[1])
    loader = MapPictureLoader(owner)
    loader.loaded.connect(lambda: loader.show_map(folder, field))
    loader.show_map(folder, field)
    qtbot.waitUntil(lambda: bool(loader.problem))
    qtbot.wait(50)
    assert len(reads) == 1


def test_a_large_picture_is_held_smaller_and_a_huge_one_refused(qapp, tmp_path, monkeypatch) -> None:
    image = QImage(600, 400, QImage.Format.Format_RGB32)
    image.fill(RED)
    for ending in ("png", "jpg"):
        assert image.save(str(tmp_path / f"large.{ending}"))
        monkeypatch.setattr(map_picture, "MOST_HELD", 60_000)
        first = read_picture(tmp_path / f"large.{ending}")[0]
        assert (first.width(), first.height()) == (300, 200)
    monkeypatch.setattr(map_picture, "MOST_READ", 200_000)
    with pytest.raises(ValueError, match="export the picture"):
        read_picture(tmp_path / "large.png")


def test_doors_are_found_by_square_and_opened(fight, show) -> None:
    door = Door("gate", (6.0, 2.5, 6.0, 3.5), name="Gate")
    dock = show(fight)
    dock.canvas.replace_map(msgspec.structs.replace(dock.canvas.field, doors=(door,)))
    assert doors_at(dock.canvas.field, (5, 2)) == [door]
    assert doors_at(dock.canvas.field, (6, 3)) == [door]
    assert not doors_at(dock.canvas.field, (3, 3))
    dock.canvas.set_door(door, is_open=True)
    assert fight.encounter.get(DoorState, "gate") == DoorState("gate", open=True)
    assert dock.canvas.is_door_open(door)


def test_before_the_fight_a_door_is_opened_on_the_map_itself(document, show) -> None:
    dock = show(document)
    door = Door("gate", (6.0, 2.5, 6.0, 3.5))
    dock.canvas.replace_map(msgspec.structs.replace(dock.canvas.field, doors=(door,)))
    dock.canvas.set_door(door, is_open=True)
    assert dock.canvas.field.doors[0].open


def test_the_status_line_tells_that_a_picture_is_missing(document, show) -> None:
    dock = show(document)
    dock.canvas.select(None)
    dock.canvas.replace_map(msgspec.structs.replace(dock.canvas.field, picture=MapPicture("gone.png")))
    assert 'The picture is not shown: no file "gone.png"' in dock.status.text()
    asked = []
    dock.findRequested.connect(lambda: asked.append(1))
    dock.find_button.click()
    assert asked
    assert dock.find_button.isVisible()
    document.undo()
    assert not dock.find_button.isVisible()
    assert "picture" not in dock.status.text()


def test_a_large_picture_is_scaled_off_the_gui_thread_and_stands_coarsely_until_then(
    qtbot, tmp_path, monkeypatch
) -> None:
    large = QImage(4000, 2000, QImage.Format.Format_RGB32)
    large.fill(RED)
    painter = QPainter(large)
    painter.fillRect(QRect(2000, 0, 2000, 2000), BLUE)
    painter.end()
    assert large.save(str(tmp_path / "yard.png"))
    threads, widths = [], []

    def scale(image, part):
        threads.append(threading.get_ident())
        widths.append(image.width())
        return scaled_part(image, part)

    monkeypatch.setattr(map_picture, "scaled_part", scale)
    owner = QObject()
    loader = MapPictureLoader(owner)
    loader.show_map(tmp_path, YARD)
    qtbot.waitUntil(lambda: bool(loader.levels))
    with qtbot.waitSignal(loader.scaled) as scaled:
        first = painted(loader, YARD, 400)
    assert (first.pixelColor(100, 100), first.pixelColor(1500, 700)) == (RED, BLUE)
    assert scaled.args == [[QRect(0, 0, 4, 2)]]
    assert widths == [2000]
    again = painted(loader, YARD, 400)
    assert [again.pixelColor(x, 300) for x in (700, 798, 802, 900)] == [RED, RED, BLUE, BLUE]
    assert len(threads) == 1
    assert threading.get_ident() not in threads
    painted(loader, YARD, 800)
    with qtbot.waitSignal(loader.scaled):
        painted(loader, YARD, 900)  # what an earlier zoom wanted may be dropped, what this one wants comes
    qtbot.waitUntil(lambda: widths[-1] == 4000)
    assert threading.get_ident() not in threads
