"""The menu Map: a map of another program imported part by part, a picture fitted to the grid, and the map written out."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLabel, QMainWindow

from tests.importers.test_universal_vtt import line, portal, written
from tests.ui.conftest import model_of
from tests.ui.services.test_printed_grid import drawn, textured
from tests.ui.window_services import services_for
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Door, Map, MapBarrier, MapPicture
from turnwright.encounter.state import scene_of
from turnwright.importers.universal_vtt import read_map
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.ui.controllers.map_controller import MapController
from turnwright.ui.dialogs.map_dialogs import GridPreview, MapImportDialog, MapPictureDialog, grid_in_name
from turnwright.ui.docks.map.drawing import map_picture
from turnwright.workspace.document import open_document


class StubJobs:
    """Runs jobs at once, and keeps what is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def run(self, job, on_finished, title) -> None:
        on_finished(job(lambda *_args: None))

    def notify(self, text: str, tone: str = "", actions=(), *, persistent: bool = False) -> None:
        self.told.append(text)
        for _words, act in actions:
            act()


def png(width: int = 640, height: int = 512) -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(90, 120, 80))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, "PNG")
    return bytes(buffer.data().data())


@pytest.fixture
def document(qapp, tmp_path: Path):
    path = tmp_path / "tomb.toml"
    path.write_text('format = 3\nsystem = "a5e"\ntitle = "Tomb"\n', encoding="utf-8")
    document = open_document(path, RuleSystems(), tmp_path / "state", seed=7)
    yield model_of(document)
    document.close(discard=True)


@pytest.fixture
def maps(qtbot, document):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.show()
    jobs = StubJobs()
    docks = SimpleNamespace(focus_dock=jobs.told.append, is_raised=lambda _name: False)
    controller = MapController(services_for(window, document=document, jobs=jobs, messages=jobs, docks=docks))
    controller.window, controller.told = window, jobs.told
    return controller


def vtt(tmp_path: Path) -> Path:
    path = tmp_path / "cave.json"
    data = written(
        origin=(2, 0),
        line_of_sight=[line((3, 1), (7, 1)), line((4, 2), (5.5, 4)), line((0, 0), (1, 1))],
        portals=[portal((5, 1.5), (5, 2.5))],
        lights=[{"position": {"x": 6, "y": 4}, "range": 6}],
        image=b64encode(png()).decode(),
    )
    path.write_bytes(data)
    return path


def test_the_parts_of_a_map_are_shown_and_those_ticked_imported(maps, document, tmp_path) -> None:
    maps.read(vtt(tmp_path))
    (dialog,) = maps.window.findChildren(MapImportDialog)
    texts = {part: box.text() for part, box in dialog.boxes.items()}
    assert texts["walls"] == "Walls: 1 along the grid, 1 off it"
    assert texts["doors"] == "Doors: 1"
    assert not dialog.boxes["objects"].isEnabled()
    assert "1 walls outside the picture" in dialog.findChildren(type(dialog.lead))[-2].text()
    dialog.boxes["doors"].setChecked(False)
    dialog.dark.setChecked(True)
    QTest.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    battle_map = document.encounter.need(Map, "map")
    assert (battle_map.columns, battle_map.walls, battle_map.doors) == (10, ((1, 1, 5, 1),), ())
    assert battle_map.picture is not None
    assert (tmp_path / battle_map.picture.file).read_bytes() == png()
    assert scene_of(document.encounter).light == "dark"
    document.undo()
    document.undo()
    assert document.encounter.get(Map, "map") is None


def test_a_file_that_is_no_map_is_told(maps, document, tmp_path) -> None:
    path = tmp_path / "goblin.json"
    path.write_text('{"name": "Goblin"}', encoding="utf-8")
    maps.read(path)
    assert "not a Universal VTT map" in maps.told[0]
    assert document.encounter.get(Map, "map") is None


def test_a_picture_is_fitted_by_numbers_or_by_a_square_dragged_over_it(maps, document, tmp_path) -> None:
    path = tmp_path / "yard 10x8.png"
    path.write_bytes(png())
    maps.read_picture(path)
    (dialog,) = maps.window.findChildren(MapPictureDialog)
    assert (dialog.pixels.value(), dialog.squares.value()) == (64.0, 10.0)
    dialog.squares.setValue(20)
    assert dialog.pixels.value() == 32.0
    dialog.proposals[-1].click()
    assert dialog.pixels.value() == 64.0
    start, end = (dialog.view.mapFromScene(QPointF(x, x)) for x in (80, 272))
    QTest.mousePress(dialog.view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(dialog.view.viewport(), end)
    QTest.mouseRelease(dialog.view.viewport(), Qt.MouseButton.LeftButton, pos=end)
    assert dialog.marked.value() == 3
    assert dialog.pixels.value() == pytest.approx(64, abs=1)
    assert dialog.across.value() == pytest.approx(16, abs=2)
    dialog.marked.setValue(4)
    assert dialog.pixels.value() == pytest.approx(48, abs=1)
    dialog.pixels.setValue(64)
    dialog.across.setValue(0)
    dialog.down.setValue(0)
    dialog.accept()
    battle_map = document.encounter.need(Map, "map")
    assert (battle_map.columns, battle_map.rows) == (10, 8)
    assert battle_map.picture is not None
    assert (battle_map.picture.file, battle_map.picture.size) == ("tomb.map.png", (10.0, 8.0))


def test_a_map_is_written_for_other_programs(maps, document, tmp_path) -> None:
    maps.ask_export()
    assert maps.told == ["There is no map to export."]
    found = read_map(vtt(tmp_path).read_bytes())
    maps.import_parts(found, ["picture", "walls", "doors", "lights"])
    maps.export(document.encounter.need(Map, "map"), tmp_path / "out.dd2vtt")
    again = read_map((tmp_path / "out.dd2vtt").read_bytes())
    assert (again.battle_map, again.picture) == (found.battle_map, found.picture)
    assert "out.dd2vtt" in maps.told[-1]


def test_an_encounter_without_a_file_is_saved_first(maps, document, monkeypatch) -> None:
    monkeypatch.setattr(type(document.source), "path", None)
    maps.ask_import()
    maps.ask_picture()
    assert len(maps.told) == 2
    assert "Save the encounter first" in maps.told[0]


@pytest.mark.parametrize("name", ["[24x18] night", "tomb 18x24", "24 X 18", "24_×_18 v2", "24by18", "1080 24 x 18"])
def test_squares_in_a_files_name_are_a_proposal(name: str) -> None:
    assert grid_in_name(name, QSize(2400, 1800)) == (100, (0, 0))
    assert grid_in_name(name, QSize(2400, 2400)) is None
    assert grid_in_name("tomb 2400x1800", QSize(2400, 1800)) is None


@pytest.mark.parametrize("most_held", [map_picture.MOST_HELD, 600_000])
def test_a_printed_grid_is_proposed_for_the_full_picture(maps, document, tmp_path, monkeypatch, most_held) -> None:
    monkeypatch.setattr(map_picture, "MOST_HELD", most_held)  # larger pictures are stored reduced
    lines = drawn(textured(1000, 800, 3, 6), 50.37, (12.3, 40.1), -30, 1)
    image = QImage(lines.tobytes(), 1000, 800, 1000, QImage.Format.Format_Grayscale8)
    assert image.save(str(tmp_path / "yard 12x9.png"))
    maps.read_picture(tmp_path / "yard 12x9.png")
    (dialog,) = maps.window.findChildren(MapPictureDialog)
    dialog.accept()
    picture = document.encounter.need(Map, "map").picture
    assert picture.size == pytest.approx((1000 / 50.37, 800 / 50.37), abs=0.05)
    assert [at % 1 for at in picture.at] == pytest.approx([-12.3 / 50.37 % 1, -40.1 / 50.37 % 1], abs=0.05)
    texts = [[label.text() for label in each.findChildren(QLabel)] for each in (dialog, shown(maps.window, 10))]
    assert ["No printed grid was found in the picture." in each for each in texts] == [False, True]


def shown(window: QMainWindow, side: int) -> MapPictureDialog:
    """Show a dialog for a picture of 5,000 × 4,000 pixels."""
    preview = QImage(5 * side, 4 * side, QImage.Format.Format_RGB32)
    dialog = MapPictureDialog("tomb", QSize(5000, 4000), preview, window)
    dialog.show()
    return dialog


def zoomed_at(view: GridPreview, at: tuple[float, float]) -> None:
    """Turn the wheel over a point of the picture, which stays in place."""
    point = QPointF(view.mapFromScene(QPointF(*at)))
    turn = (QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier)
    for _notch in range(12):
        event = QWheelEvent(point, point, *turn, Qt.ScrollPhase.NoScrollPhase, False)
        QApplication.sendEvent(view.viewport(), event)
    assert (QPointF(view.mapFromScene(QPointF(*at))) - point).manhattanLength() < 60


def go_by_keys(view: GridPreview, at: QPointF) -> None:
    """Move the middle of the view to a point, closer with every zoom, and mark it."""
    for _zoom in range(24):
        for axis, keys in ((0, (Qt.Key.Key_Left, Qt.Key.Key_Right)), (1, (Qt.Key.Key_Up, Qt.Key.Key_Down))):
            step = (view.horizontalScrollBar(), view.verticalScrollBar())[axis].singleStep()
            for _press in range(40):
                off = (view.mapFromScene(at) - view.viewport().rect().center()).toTuple()[axis]
                if abs(off) <= step:
                    break
                QTest.keyClick(view, keys[off > 0])
        QTest.keyClick(view, Qt.Key.Key_Plus)
    QTest.keyClick(view, Qt.Key.Key_Space)


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_two_far_corners_and_a_count_fit_to_a_twentieth_of_a_square(maps, by: str) -> None:
    dialog = shown(maps.window, 100)
    view, side, first, lines = dialog.view, 137.5, (41.3, 23.9), (36, 28)
    for at in (first, (first[0] + lines[0] * side, first[1] + lines[1] * side)):
        if by == "mouse":
            zoomed_at(view, at)
            QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.mapFromScene(QPointF(*at)))
        else:
            go_by_keys(view, QPointF(*at))
        QTest.keyClick(view, Qt.Key.Key_0)
    dialog.marked.setValue(lines[0])
    for length, start, offset in zip((5000, 4000), first, dialog.offset, strict=True):
        far = int((length - start) / side)
        assert offset + far * dialog.pixels.value() == pytest.approx(start + far * side, abs=0.05 * side)


def test_old_walls_stay_move_along_or_go_when_the_picture_changes(maps, document, tmp_path) -> None:
    (tmp_path / "yard.png").write_bytes(png())
    maps.place(tmp_path / "yard.png", png(), 64.0, (0.0, 0.0))
    maps.ask_fit()
    assert maps.window.findChildren(MapPictureDialog)[-1].walls.count() == 0
    found = read_map(vtt(tmp_path).read_bytes()).battle_map
    window = MapBarrier("window", ((1.5, 1.0), (2.5, 1.0)))
    lines = {"walls": found.walls, "windows": ((2, 6, 4, 6),), "barriers": (*found.barriers, window)}
    gone = Door("gate", (9.0, 7.0, 10.0, 7.0), "secret", "Gate", open=True)
    changes = {"doors": (gone, *found.doors), "lights": found.lights}
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Map, "map"), **lines, **changes)))
    maps.ask_fit()
    dialog = maps.window.findChildren(MapPictureDialog)[-1]
    assert [dialog.walls.itemData(row) for row in range(3)] == ["move", "keep", "remove"]
    dialog.pixels.setValue(128)
    dialog.accept()
    halved = document.encounter.need(Map, "map")
    assert (halved.columns, halved.walls, halved.windows) == (5, (), ((1, 3, 2, 3),))
    assert halved.barriers[:2] == (
        MapBarrier("wall", ((0.5, 0.5), (2.5, 0.5))),
        MapBarrier("wall", ((1.0, 1.0), (1.75, 2.0))),
    )
    assert halved.doors[0] == msgspec.structs.replace(gone, at=(4.5, 3.5, 5.0, 3.5))
    maps.place(tmp_path / "yard.png", png(), 64.0, (0.0, 0.0), "move")
    assert document.encounter.need(Map, "map").lights == found.lights
    maps.place(tmp_path / "yard.png", png(), 128.0, (0.0, 0.0), "keep")
    assert document.encounter.need(Map, "map").walls == found.walls
    maps.place(tmp_path / "yard.png", png(), 64.0, (0.0, 0.0), "remove")
    assert document.encounter.need(Map, "map") == msgspec.structs.replace(
        document.encounter.need(Map, "map"), walls=(), windows=(), barriers=(), doors=(), lights=()
    )
    assert maps.told[-2:] == ["The map has 10 × 8 squares, 0 walls, 0 doors and 0 lights now.", "map"]


def test_a_missing_picture_is_found_elsewhere_and_keeps_its_place(maps, document, tmp_path) -> None:
    placed = MapPicture("gone.png", at=(1.0, 0.5), size=(9.0, 7.0), dim=0.2)
    document.execute(Add((Map(columns=10, rows=8, picture=placed),)))
    elsewhere = tmp_path / "moved"
    elsewhere.mkdir()
    (elsewhere / "yard.png").write_bytes(png(60, 40))
    maps.replace_picture(elsewhere / "yard.png")
    assert document.encounter.need(Map, "map").picture == msgspec.structs.replace(placed, file="tomb.map.png")
    assert (tmp_path / "tomb.map.png").read_bytes() == png(60, 40)
    (tmp_path / "beside.png").write_bytes(png(30, 20))
    maps.replace_picture(tmp_path / "beside.png")
    assert document.encounter.need(Map, "map").picture.file == "beside.png"
    (elsewhere / "notes.png").write_text("no picture")
    maps.replace_picture(elsewhere / "notes.png")
    assert len(maps.told) == 1
    document.undo()
    document.undo()
    assert document.encounter.need(Map, "map").picture == placed


def test_a_picture_is_fitted_anew_by_two_clicks(maps, document, tmp_path) -> None:
    (tmp_path / "yard.png").write_bytes(png())
    maps.place(tmp_path / "yard.png", png(), 64.0, (16.0, 8.0))
    assert document.encounter.need(Map, "map").picture.file == "tomb.map.png"
    maps.ask_fit()
    (dialog,) = maps.window.findChildren(MapPictureDialog)
    assert (dialog.pixels.value(), dialog.offset) == (64.0, (16.0, 8.0))
    for x, y in ((80, 80), (112, 112)):
        point = dialog.view.mapFromScene(QPointF(x, y))
        QTest.mouseClick(dialog.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert dialog.pixels.value() == pytest.approx(32, abs=2)
    dialog.accept()
    assert document.encounter.need(Map, "map").columns in range(18, 23)
    assert document.encounter.need(Map, "map").picture.file == "tomb.map.png"
    document.undo()
    assert document.encounter.need(Map, "map").columns == 10


def test_without_a_picture_there_is_nothing_to_fit(maps, document) -> None:
    maps.ask_fit()
    assert maps.told == ["The map has no picture."]


def test_floors_are_added_named_removed_and_imported_onto(maps, document, tmp_path, monkeypatch):
    names = iter((("", True), (" Cellar ", True), ("Crypt", True)))
    monkeypatch.setattr(QInputDialog, "getText", lambda *_args, **_more: next(names))
    maps.ask_floor()
    assert len(maps.told) == 1
    document.execute(Add((Map(columns=9, rows=7, walls=((2, 0, 2, 3),)),)))
    maps.ask_floor()  # without a name
    assert not document.encounter.need(Map, "map").floors
    maps.ask_floor()
    floors = document.encounter.need(Map, "map").floors
    assert [(floor.id, floor.name, floor.row, floor.rows) for floor in floors] == [
        ("floor-1", "Floor 1", 0, 7),
        ("cellar", "Cellar", 8, 7),
    ]
    assert document.floor == floors[1]
    maps.rename_floor()
    imported = read_map(vtt(tmp_path).read_bytes())
    maps.import_parts(imported, ("picture", "walls", "doors"))
    whole = document.encounter.need(Map, "map")
    assert [floor.name for floor in whole.floors] == ["Floor 1", "Crypt"]
    assert whole.floors[1].picture is not None
    assert whole.picture is None
    assert whole.doors[0].at[1] > 8
    assert whole.walls[0] == (2, 0, 2, 3)
    assert document.own_map.doors == imported.battle_map.doors
    document.show_floor(whole.floors[0])
    maps.remove_floor()
    assert [floor.row for floor in document.encounter.need(Map, "map").floors] == [0]
    for _ in range(4):
        document.undo()
    assert not document.encounter.need(Map, "map").floors
