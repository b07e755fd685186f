"""Portraits and rings by the menu of a token, by dropping a picture and by the clipboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Combatant


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
