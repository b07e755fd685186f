"""A window holds no more after many encounters than after a few: all that belonged to those before is gone."""

from __future__ import annotations

import gc
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from tests.ui.conftest import delete_now, unseen
from tests.ui.docks.running_fight import settle
from turnwright.encounter.state import Encounter
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.ui.application.app import Application
from turnwright.ui.shell.window import MainWindow
from turnwright.workspace.document import Document

GAMES = ("a5e", "dnd5e", "pf2e", "action_points")
MOST_ROUNDS = 6  # until all that is built on first use is there
TEXT = """format = 3
system = "{}"
title = "One of many"
[creatures.raider]
name = "River raider"
ac = 13
hp = 11
[roster.raiders]
creature = "raider"
count = 2
[roster.mira]
creature = "raider"
side = "party"
player = "Ann"
[map]
columns = 8
rows = 8
"""


def living(window: MainWindow) -> Counter[str]:
    """Count what is there: objects of Qt, and records of encounters that something still holds."""
    delete_now()
    gc.collect()
    found = Counter(type(one).__name__ for one in gc.get_objects() if isinstance(one, Document | Session | Encounter))
    return found + Counter(objects=len(window.findChildren(QObject)), widgets=len(QApplication.allWidgets()))


@pytest.mark.parametrize("rounds", [2, pytest.param(50, marks=pytest.mark.soak)])
def test_encounters_leave_nothing_in_the_window(
    window: MainWindow, application: Application, tmp_path: Path, rounds: int
) -> None:
    def play_one_of_each_game() -> None:
        for game in GAMES:
            path = tmp_path / f"{game}.toml"
            path.write_text(TEXT.format(game), encoding="utf-8")
            before = window.document.source
            window.content.file_controller.show(application.workspace.open(path))
            before.close(discard=True)
            with unseen(window.document):
                for command in (SetDice("roll", seed=7), StartEncounter(), AdvanceSetup(), AdvanceSetup()):
                    window.document.execute(command)
                settle(window.document)
            QApplication.processEvents()

    before, now = None, living(window)
    for _ in range(MOST_ROUNDS):
        if now == before:
            break
        play_one_of_each_game()
        before, now = now, living(window)
    for _ in range(rounds):
        play_one_of_each_game()
    assert living(window) == now
