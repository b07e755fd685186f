"""Portraits and rings by the menu of a token, by dropping a picture and by the clipboard."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QMimeData, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage, QKeySequence, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton

from turnwright.encounter.prepared import Map, MapPicture, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.play.setup.prepared_records import Edit


class Taken:
    """Portraits that are asked for, instead of the window's."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def follow(self, dock):
        """Keep what the panel asks for."""
        dock.portraitRequested.connect(self.ask_file)
        dock.portraitDropped.connect(self.read)
        dock.portraitPasted.connect(self.paste)
        dock.portraitRemoved.connect(self.remove)

    def ask_file(self, key):
        self.calls.append(("file", key))

    def read(self, path, key):
        self.calls.append((path.name, key))

    def paste(self, key):
        self.calls.append(("paste", key))

    def remove(self, key):
        self.calls.append(("remove", key))


@pytest.fixture
def taken() -> Taken:
    return Taken()


def entry_of(menu: QMenu, *path: str):
    for text in path[:-1]:
        menu = next(one.menu() for one in menu.actions() if one.menu() and one.text() == text)
    return next(one for one in menu.actions() if one.text().startswith(path[-1]))


def opened(dock, token) -> QMenu:
    dock.view.menuRequested.emit(dock.view.position_at(QPointF(dock.view.point_of(token.square))))
    return dock.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)[-1]


def test_the_menu_of_a_token_gives_portraits_and_rings(document, show, taken) -> None:
    dock = show(document)
    taken.follow(dock)
    token = next(one for one in dock.canvas.tokens.placed() if one.key[0] == "roster" and one.member == 1)
    menu = opened(dock, token)
    entry_of(menu, "Portrait", "From a file").trigger()
    entry_of(menu, "Portrait", "Paste").trigger()
    assert taken.calls == [("file", token.key), ("paste", token.key)]
    assert not entry_of(menu, "Portrait", "Remove").isEnabled()
    entry_of(menu, "Miniature ring", "green").trigger()
    entry = document.encounter.need(RosterEntry, token.key[1])
    assert entry.rings == tuple("green" if at == 1 else "" for at in range(entry.count))
    assert dock.canvas.tokens.with_id(token.id).look.ring == "green"
    document.undo()
    assert document.encounter.need(RosterEntry, token.key[1]).rings == ()


def test_in_a_fight_a_ring_is_the_combatants(fight, show) -> None:
    dock = show(fight)
    token = next(one for one in dock.canvas.tokens.placed() if one.key[0] == "combatants")
    entry_of(opened(dock, token), "Miniature ring", "blue").trigger()
    who = fight.encounter.need(Combatant, token.key[1])
    assert (who.ring, who.label.endswith(", blue")) == ("blue", True)
    entry_of(opened(dock, dock.canvas.tokens.with_id(token.id)), "Miniature ring", "none").trigger()
    assert fight.encounter.need(Combatant, token.key[1]).ring == ""


def test_a_picture_is_dropped_on_a_token_and_pasted_to_the_selected_one(document, show, taken, tmp_path) -> None:
    dock = show(document)
    taken.follow(dock)
    token = next(dock.canvas.tokens.placed())
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "face.png"))])
    for square in (token.square, (token.square[0], token.square[1] + 30)):
        drop = QDropEvent(
            QPointF(dock.view.point_of(square)),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        dock.view.dropEvent(drop)
    dock.canvas.select(token)
    dock.view.setFocus()
    QTest.keySequence(dock.view, QKeySequence(QKeySequence.StandardKey.Paste))
    assert taken.calls == [("face.png", token.key), ("paste", token.key)]
    assert dock.view.acceptDrops()


def dropped(widget, path, point=None) -> bool:
    """Drop a file on a widget, and return whether it was taken."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    at = point or QPointF(5, 5)
    enter = QDragEnterEvent(at.toPoint(), Qt.DropAction.CopyAction, data, buttons, keys)
    widget.dragEnterEvent(enter)
    if enter.isAccepted():
        widget.dropEvent(QDropEvent(at, Qt.DropAction.CopyAction, data, buttons, keys))
    return enter.isAccepted()


def test_the_empty_page_offers_every_way_to_a_map_and_takes_its_files(empty, show, tmp_path) -> None:
    dock, asked = show(empty), []
    dock.importRequested.connect(lambda: asked.append("import"))
    dock.pictureRequested.connect(lambda: asked.append("picture"))
    dock.fileDropped.connect(lambda path: asked.append(path.name))
    buttons = {button.text(): button for button in dock.empty.findChildren(QPushButton)}
    assert [*buttons] == ["Draw a map: 20 × 15 squares", "Import a map…", "Place a picture…"]
    for button in [*buttons.values()][1:]:
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Space)
    assert dropped(dock.stack, tmp_path / "tomb.dd2vtt")
    assert not dropped(dock.stack, tmp_path / "encounter.toml")  # so that the window opens it
    assert asked == ["import", "picture", "tomb.dd2vtt"]


def test_a_file_dropped_beside_the_tokens_is_a_map_or_its_picture(document, show, taken, tmp_path) -> None:
    dock, files = show(document), []
    taken.follow(dock)
    dock.fileDropped.connect(lambda path: files.append(path.name))
    token = next(iter(dock.canvas.tokens.placed()))
    on, off = (QPointF(dock.view.point_of(square)) for square in (token.square, (0, 7)))
    for name, point in (("face.png", on), ("yard.png", off), ("tomb.uvtt", on)):
        assert dropped(dock.view, tmp_path / name, point)
    assert (taken.calls, files) == ([("face.png", token.key)], ["yard.png", "tomb.uvtt"])


@pytest.mark.parametrize("has_picture", [False, True])
def test_the_lines_between_squares_have_their_own_look(document, show, tmp_path, has_picture) -> None:
    dock = show(document)

    def line_of(**look) -> tuple[QColor, QColor]:
        """Return the colours of a line between squares and of the square beside it."""
        battle_map = document.encounter.need(Map, "map")
        document.execute(Edit(msgspec.structs.replace(battle_map, **look)))
        cell, image = dock.view.map.cell, QImage(200, 200, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            painter.translate(-9 * cell, -5 * cell)
            dock.view.backdrop.paint(painter, QRect(9, 5, 3, 3))
        return image.pixelColor(cell // 2, cell), image.pixelColor(cell // 2, cell // 2)

    if has_picture:
        levels = (QImage(12, 8, QImage.Format.Format_RGB32),)
        levels[0].fill(QColor(120, 120, 120))
        dock.canvas.picture.levels = levels
        line_of(picture=MapPicture("yard.png"))
        dock.canvas.picture.levels = levels
    usual, ground = line_of()
    assert usual != ground
    assert line_of(grid_shown=False)[0] == ground
    assert line_of(grid_shown=True, grid_colour="#ff0000", grid_strength=100)[0] == QColor("#ff0000")
    assert line_of(grid_strength=20)[0].green() == pytest.approx(0.8 * ground.green(), abs=2)
    assert line_of(grid_colour="no colour", grid_strength=0)[0] == usual
    document.undo()
    assert document.encounter.need(Map, "map").grid_strength == 20
