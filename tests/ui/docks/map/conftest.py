"""A map of twelve by eight with a few tokens, over a real document, shown in a window of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from tests.ui.conftest import model_of
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Feature, Map, Obstacle, Point, RosterEntry
from turnwright.encounter.running import Clock, Combatant
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.ui.docks.map.dock import MapDock
from turnwright.ui.docks.map.drawing.drawing import Overlay
from turnwright.ui.look.style import theme_source
from turnwright.ui.services.document_model import DocumentModel
from turnwright.workspace.document import open_document

AXE = Feature("axe", "Axe", "action", attack=5, reach=5, damage="1d8+3 slashing", properties=("weapon",))
BOW = Feature("bow", "Bow", "action", attack=5, range="30/120", damage="1d8 piercing", properties=("weapon",))
GROUND = "............\n............\n....,,......\n"
FIELD = Map(
    columns=12,
    rows=8,
    ground=GROUND,
    walls=((6, 4, 6, 8),),
    obstacles=(Obstacle("cart", "Cart", at=(8, 1), cover="half", height=5),),
)
NO_KEY = Qt.KeyboardModifier.NoModifier


def label_texts(overlay: Overlay) -> list[str]:
    """Return the texts of the labels that an overlay shows."""
    return [label.text() for label in overlay.labels]


@pytest.fixture(scope="session")
def systems() -> RuleSystems:
    return RuleSystems()


@pytest.fixture
def empty(qapp: QApplication, tmp_path: Path, systems: RuleSystems) -> Iterator[DocumentModel]:
    """Return an empty encounter."""
    path = tmp_path / "map.toml"
    path.write_text('format = 3\nsystem = "a5e"\ntitle = "Map"\n', encoding="utf-8")
    document = open_document(path, systems, tmp_path / "state", seed=7)
    yield model_of(document)
    document.close(discard=True)


@pytest.fixture
def document(empty: DocumentModel) -> DocumentModel:
    """Return an encounter with Mira and Tam of the party, two raiders and an ogre; one archer has no place yet."""
    for creature in (
        Creature("hero", "Hero", hp=20, features=(AXE, BOW)),
        Creature("raider", "Raider", hp=11, features=(AXE,)),
        Creature("ogre", "Ogre", size="large", hp=40, features=(AXE,)),
    ):
        empty.execute(Add((creature,)))
    for entry in (
        RosterEntry("mira", "hero", "Mira", side="party", positions=((2, 2),)),
        RosterEntry("tam", "hero", "Tam", side="party", positions=((10, 6),)),
        RosterEntry("raiders", "raider", "Raider", count=3, positions=((3, 2), (10, 1))),
        RosterEntry("ogre", "ogre", "Ogre", positions=((4, 5),)),
    ):
        empty.execute(Add((entry,)))
    empty.execute(Add((FIELD,)))
    return empty


@pytest.fixture
def fight(document: DocumentModel) -> DocumentModel:
    """Return the fight in round 1, with Mira acting first."""
    document.execute(SetDice("roll"))
    document.execute(StartEncounter())
    document.execute(AdvanceSetup())
    document.execute(AdvanceSetup())
    ids = document.encounter.ids(Combatant)
    document.execute(SetInitiative(tuple((who, 30 - place) for place, who in enumerate(ids))))
    document.execute(AdvanceSetup())
    assert document.encounter.need(Clock, "clock").active == "mira"
    return document


@pytest.fixture
def show(qtbot: QtBot) -> Callable[[DocumentModel], MapDock]:
    windows: list[QMainWindow] = []  # keeps the windows alive

    def shown(document: DocumentModel) -> MapDock:
        window = QMainWindow()
        window.resize(900, 700)
        dock = MapDock(document, theme_source())
        window.setCentralWidget(dock)
        windows.append(window)
        qtbot.addWidget(window)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        if dock.is_built and dock.canvas.has_map:
            dock.view.setFocus()
            qtbot.waitUntil(dock.view.hasFocus)
        return dock

    return shown


def place(dock: MapDock, square: Point, aside: tuple[float, float] = (0.5, 0.5)) -> QPoint:
    """Return a point of the viewport inside a square."""
    corner = dock.view.point_of(square) - QPoint(dock.view.map.cell // 2, dock.view.map.cell // 2)
    return corner + QPoint(round(aside[0] * dock.view.map.cell), round(aside[1] * dock.view.map.cell))


def press(dock: MapDock, square: Point, aside: tuple[float, float] = (0.5, 0.5)) -> None:
    """Press the left button on a square."""
    QTest.mousePress(dock.view.viewport(), Qt.MouseButton.LeftButton, NO_KEY, place(dock, square, aside))


def point(dock: MapDock, square: Point, aside: tuple[float, float] = (0.5, 0.5)) -> None:
    """Move the pointer to a square."""
    point_at(dock, place(dock, square, aside))


def point_at(dock: MapDock, spot: QPoint) -> None:
    """Move the pointer to a point of the viewport."""
    # Sent by hand: QTest moves no pointer to where it was in the test before
    there = QPointF(dock.view.viewport().mapToGlobal(spot))
    no_button = Qt.MouseButton.NoButton
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(spot), there, no_button, no_button, NO_KEY)
    QApplication.sendEvent(dock.view.viewport(), event)


def release(dock: MapDock, square: Point, held: Qt.KeyboardModifier = NO_KEY) -> None:
    """Release the left button on a square."""
    QTest.mouseRelease(dock.view.viewport(), Qt.MouseButton.LeftButton, held, place(dock, square))


def drag(dock: MapDock, *squares: Point, held: Qt.KeyboardModifier = NO_KEY) -> None:
    """Drag from the first square over the others to the last."""
    press(dock, squares[0])
    for square in squares[1:]:
        point(dock, square)
    release(dock, squares[-1], held)


def keys(dock: MapDock, *pressed: Qt.Key, held: Qt.KeyboardModifier = NO_KEY) -> None:
    """Press keys in the view, one after another."""
    for key in pressed:
        QTest.keyClick(dock.view, key, held)
