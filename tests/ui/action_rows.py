"""A small table of actions, installed in a window of its own."""

from dataclasses import dataclass, field

from PySide6.QtWidgets import QLineEdit, QMainWindow
from pytestqt.qtbot import QtBot

from turnwright.ui.actions import ActionSpec, ActionTable, InstalledActions


@dataclass
class Table:
    can_undo: bool = False
    running: bool = False
    done: list[str] = field(default_factory=list)


def rows() -> list[ActionSpec[Table]]:
    return [
        ActionSpec("save", lambda c: c.done.append("save"), shortcuts=("Ctrl+S",), menu="file", in_toolbar=True),
        ActionSpec(
            "undo",
            lambda c: c.done.append("undo"),
            shortcuts=("Ctrl+Z",),
            menu="edit",
            enabled_when=lambda c: c.can_undo,
        ),
        ActionSpec("next", make_command=lambda c: "end the turn", shortcuts=("Ctrl+E", "F8"), menu="edit"),
        ActionSpec("nothing", make_command=lambda c: None, menu="edit"),
        ActionSpec("run", lambda c: setattr(c, "running", True), checked_when=lambda c: c.running, group="mode"),
        ActionSpec(
            "prepare", lambda c: setattr(c, "running", False), checked_when=lambda c: not c.running, group="mode"
        ),
    ]


def install(qtbot: QtBot) -> InstalledActions[Table]:
    """Return the actions of the table in a window that is active."""
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QLineEdit())
    table = Table()
    installed = ActionTable(rows(), ["file", "edit"]).install(window, lambda: table, table.done.append)
    window.resize(800, 600)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return installed
