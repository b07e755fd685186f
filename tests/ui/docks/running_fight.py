"""The docks of a running fight, over a real document: a copy of the sample encounter at the ford."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.conftest import model_of
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Clock, Combatant, Effect
from turnwright.play.asking.answer import Answer
from turnwright.play.queries.queries import open_prompts, waiting_asks
from turnwright.play.setup.roster import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.play.turns.turns import EndTurn
from turnwright.ui.look.style import theme_source
from turnwright.ui.services.document_model import DocumentModel
from turnwright.workspace.document import open_document

Show = Callable[[type[QDockWidget]], QDockWidget]


@pytest.fixture(scope="session")
def systems() -> RuleSystems:
    return RuleSystems()


@pytest.fixture
def document(qapp: QApplication, tmp_path: Path, repository: Path, systems: RuleSystems) -> Iterator[DocumentModel]:
    path = tmp_path / "ford.toml"
    shutil.copy(repository / "encounters" / "cold-ford-bridge.toml", path)
    document = open_document(path, systems, tmp_path / "state", seed=7)
    yield model_of(document)
    document.close()


@pytest.fixture
def show(qtbot: QtBot, document: DocumentModel) -> Show:
    """Show a dock in a window of its own."""
    theme = theme_source()
    theme.set_reduced_motion(True)
    windows: list[QMainWindow] = []  # keeps the windows alive

    def shown(kind: type[QDockWidget]) -> QDockWidget:
        window = QMainWindow()
        window.resize(640, 700)
        dock = kind(document, theme)
        window.setCentralWidget(dock)
        windows.append(window)
        qtbot.addWidget(window)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return dock

    return shown


@pytest.fixture
def fight(document: DocumentModel) -> DocumentModel:
    """Return the fight in round 1 with a fixed order and no prompt pending. Mira acts first; dice are asked for."""
    document.execute(SetDice("roll"))
    document.execute(StartEncounter())
    document.execute(AdvanceSetup())
    document.execute(AdvanceSetup())
    ids = document.encounter.ids(Combatant)
    document.execute(SetInitiative(tuple((who, 30 - place) for place, who in enumerate(ids))))
    document.execute(AdvanceSetup())
    settle(document)
    document.execute(SetDice("ask"))
    assert document.encounter.need(Clock, "clock").active == "mira"
    return document


def settle(document: DocumentModel) -> None:
    """Answer all pending prompts: rolls by the machine, other questions skipped."""
    for _ in range(100):
        prompt = next(iter(open_prompts(document.encounter)), None)
        if prompt is None:
            return
        asks = waiting_asks(prompt)
        replies = tuple(Reply(ask.id, roll=True) if ask.kind == "roll" else Reply(ask.id, skip=True) for ask in asks)
        assert document.execute(Answer(prompt.id, replies, prompt.revision))
    raise AssertionError("prompts without end")


def end_turns(document: DocumentModel, count: int) -> None:
    """End a number of turns, answering the prompts that come up."""
    for _ in range(count):
        document.execute(EndTurn())
        settle(document)


def opened_menu(button: QPushButton) -> list[QAction]:
    """Return the actions of a button's menu as a person who opens it finds them."""
    button.menu().aboutToShow.emit()
    return button.menu().actions()


def shown_effects(document: DocumentModel) -> list[Effect]:
    """Return the effects of a fight that a person sees, without the marks that play keeps."""
    return [one for one in document.encounter.all(Effect) if one.shown]
