"""A small table of actions, installed in a window of its own."""

from dataclasses import dataclass, field

from PySide6.QtWidgets import QLineEdit, QMainWindow
from pytestqt.qtbot import QtBot

from turnwright.ui.services.actions import ActionLook, ActionSpec, ActionTable, InstalledActions


@dataclass
class Table:
    can_undo: bool = False
    running: bool = False
    done: list[str] = field(default_factory=list)


def rows() -> list[ActionSpec[Table]]:
    mode = ActionLook(group="mode")
    return [
        ActionSpec("save", ActionLook("file", ("Ctrl+S",)), lambda c: c.done.append("save")),
        ActionSpec(
            "undo",
            ActionLook("edit", ("Ctrl+Z",)),
            lambda c: c.done.append("undo"),
            enabled_when=lambda c: c.can_undo,
        ),
        ActionSpec("next", ActionLook("edit", ("Ctrl+E", "F8")), lambda c: c.done.append("end the turn")),
        ActionSpec("nothing", ActionLook("edit"), lambda c: None),
        ActionSpec("run", mode, lambda c: setattr(c, "running", True), checked_when=lambda c: c.running),
        ActionSpec("prepare", mode, lambda c: setattr(c, "running", False), checked_when=lambda c: not c.running),
    ]


def install(qtbot: QtBot) -> InstalledActions[Table]:
    """Return the actions of the table in a window that is active."""
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QLineEdit())
    table = Table()
    installed = ActionTable(rows(), ["file", "edit"]).install(window, table)
    window.resize(800, 600)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return installed
