"""Confirmation of actions that can't be undone, in a message box that never parses names as markup."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget

from turnwright.ui.look.translations import tr

AGREES = QMessageBox.ButtonRole.AcceptRole
DESTROYS = QMessageBox.ButtonRole.DestructiveRole


def question_box(parent: QWidget, question: str, detail: str) -> QMessageBox:
    """Return a message box without buttons whose texts are never parsed as markup."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, tr("ui.window.name"), "", parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(question)
    box.setInformativeText(" ")
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(detail)
    return box


def confirm(parent: QWidget, question: str, detail: str, answer: str, role: QMessageBox.ButtonRole = DESTROYS) -> bool:
    """Ask a question. Return whether the user chooses `answer`. Enter and Esc cancel."""
    box = question_box(parent, question, detail)
    agree = box.addButton(answer, role)
    cancel = box.addButton(tr("ui.general.cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(cancel)
    box.setEscapeButton(cancel)
    box.exec()
    return box.clickedButton() is agree
