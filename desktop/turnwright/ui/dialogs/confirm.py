"""The question before something that can't be undone."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget

from turnwright.ui.translations import tr

AGREES = QMessageBox.ButtonRole.AcceptRole
DESTROYS = QMessageBox.ButtonRole.DestructiveRole


def confirm(parent: QWidget, question: str, detail: str, answer: str, role: QMessageBox.ButtonRole = DESTROYS) -> bool:
    """Return whether a person gives the answer to a question; Enter and Esc cancel."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, tr("ui.window.name"), question, parent=parent)
    box.setInformativeText(detail)
    agree = box.addButton(answer, role)
    cancel = box.addButton(tr("ui.general.cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(cancel)
    box.setEscapeButton(cancel)
    box.exec()
    return box.clickedButton() is agree
