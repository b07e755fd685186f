"""Portraits in the window: files, the clipboard and folders of pictures, cropped, written and undone."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QRectF, Qt, QUrl
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from turnwright.encounter.prepared import Creature
from turnwright.encounter.running import Combatant
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.ui.controllers.portrait_controller import PortraitController
from turnwright.ui.dialogs.portrait_dialog import CropView, PortraitDialog
from turnwright.ui.services import portraits
from turnwright.ui.services.portraits import middle_square, read_picture


def picture(path: Path, width: int = 60, height: int = 90, colour: str = "#b02020") -> Path:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    assert image.save(str(path))
    return path


@pytest.fixture
def saved(window, tmp_path: Path):
    """Return a window with a saved encounter, and its controller."""
    window.source.save_as(tmp_path / "ford.toml")
    return window.content.services.controller(PortraitController)


def test_a_file_is_cropped_once_and_lies_beside_the_encounter(window, saved, tmp_path, qtbot) -> None:
    document = window.document
    creature = next(iter(document.encounter.all(Creature)))
    saved.read(picture(tmp_path / "face.jpg"), (Creature.table, creature.id))
    qtbot.waitUntil(lambda: saved.dialog is not None)
    saved.dialog.accept()
    qtbot.waitUntil(lambda: bool(document.encounter.need(Creature, creature.id).portrait))
    name = document.encounter.need(Creature, creature.id).portrait
    assert name == f"ford.{creature.id}.png"
    assert QImage(str(tmp_path / name)).size().toTuple() == (60, 60)
    qtbot.waitUntil(lambda: document.portraits.image(name) is not None)
    shown = document.portraits.image(name)
    assert shown is not None
    assert shown.pixelColor(5, 5).red() > 150
    document.undo()
    assert document.encounter.need(Creature, creature.id).portrait == ""


def test_the_picture_of_the_clipboard_is_taken_for_a_combatant(window, saved, tmp_path, qtbot) -> None:
    document = window.document
    document.execute(StartEncounter())
    who = next(iter(document.encounter.all(Combatant)))
    document.select((Combatant.table, who.id))
    image = QImage(40, 40, QImage.Format.Format_RGB32)
    image.fill(QColor("#2040b0"))
    QApplication.clipboard().setImage(image)
    assert saved.paste()
    qtbot.waitUntil(lambda: saved.dialog is not None)
    saved.dialog.accept()
    qtbot.waitUntil(lambda: bool(document.encounter.need(Combatant, who.id).portrait))
    saved.remove()
    assert document.encounter.need(Combatant, who.id).portrait == ""
    text = QMimeData()
    text.setText("no picture")
    QApplication.clipboard().setMimeData(text)
    assert not saved.paste()
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(picture(tmp_path / "b.png")))])
    QApplication.clipboard().setMimeData(dropped)
    assert saved.paste()
    qtbot.waitUntil(lambda: saved.dialog is not None)
    saved.dialog.reject()


def test_a_folder_gives_portraits_by_name_in_one_step(window, saved, tmp_path, qtbot) -> None:
    document = window.document
    names = [one.name for one in document.encounter.all(Creature)]
    folder = tmp_path / "faces" / "party"
    folder.mkdir(parents=True)
    for name in names[:2]:
        picture(folder / f"{name.upper()} 2.png")
    (folder / f"{names[2]}.png").write_bytes(b"\x89PNG\r\n\x1a\n broken")
    depth = document.source.session.history.depth
    saved.read_folder(tmp_path / "faces")
    qtbot.waitUntil(lambda: sum(bool(one.portrait) for one in document.encounter.all(Creature)) == 2)
    assert document.source.session.history.depth == depth + 1
    document.undo()
    assert not any(one.portrait for one in document.encounter.all(Creature))


def test_nothing_of_a_hostile_file_is_decoded(qtbot, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(portraits, "MOST_READ", 4_000)
    with pytest.raises(ValueError, match="megapixels"):
        read_picture(picture(tmp_path / "large.png"), 100)
    (tmp_path / "drawing.png").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    with pytest.raises(ValueError, match="not a PNG, JPEG, GIF or WebP picture"):
        read_picture(tmp_path / "drawing.png", 100)
    (tmp_path / "torn.png").write_bytes(picture(tmp_path / "whole.png", 20, 20).read_bytes()[:60])
    with pytest.raises(ValueError, match=r"[a-z]"):
        read_picture(tmp_path / "torn.png", 100)


def test_portraits_are_read_off_the_gui_thread(window, saved, tmp_path, qtbot, monkeypatch) -> None:
    threads = []

    def read(path, longest):
        threads.append(threading.get_ident())
        return read_picture(path, longest)

    monkeypatch.setattr(portraits, "read_picture", read)
    picture(tmp_path / "a.png")
    document = window.document
    with qtbot.waitSignal(document.portraits.loaded):
        assert document.portraits.image("a.png") is None
    assert threads
    assert threading.get_ident() not in threads
    assert document.portraits.image("../a.png") is None


def test_the_square_moves_by_keys_and_stays_in_the_picture(qtbot) -> None:
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(QColor("#808080"))
    view = CropView(image)
    qtbot.addWidget(view)
    assert view.square == middle_square(image.size()) == QRectF(50, 0, 100, 100)
    for _ in range(30):
        QTest.keyClick(view, Qt.Key.Key_Left)
    assert view.square.left() == 0
    for _ in range(100):
        QTest.keyClick(view, Qt.Key.Key_Minus)
    assert view.square.width() == 16
    for _ in range(100):
        QTest.keyClick(view, Qt.Key.Key_Plus)
    assert view.square == QRectF(0, 0, 100, 100)


def test_the_square_is_dragged(qtbot) -> None:
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(QColor("#808080"))
    dialog = PortraitDialog("Mira", image)
    qtbot.addWidget(dialog)
    dialog.show()
    view = dialog.view
    middle = view.rect().center()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
    QTest.mouseMove(view, middle + middle)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle + middle)
    assert view.square.right() == 200
    with qtbot.waitSignal(dialog.chosen) as chosen:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert chosen.args == [view.square]
