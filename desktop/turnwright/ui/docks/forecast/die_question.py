"""Asks which die to roll if the rules don't define one. The answer becomes a house rule of the encounter."""

from __future__ import annotations

from functools import partial

import msgspec
from PySide6.QtWidgets import QPushButton, QWidget

from turnwright.encounter.lookups import scene_of
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.layout import FlowRow, vertical
from turnwright.ui.widgets.text import plain_label, push_button


class DieQuestion(QWidget):
    """Asks which die to roll for checks and attacks, with a button for each. Hidden once the encounter defines one."""

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._options: tuple[tuple[str, str], ...] = ()
        self.label = plain_label("", "body", wraps=True)
        self.buttons: list[QPushButton] = []
        self._answers = FlowRow()
        column = vertical(self, spacing=4)
        column.addWidget(self.label)
        column.addWidget(self._answers)

    def refresh(self) -> None:
        """Show the question if no die is defined yet, or hide it."""
        rules = self._document.rules
        options = rules.data.checks.die_options if not rules.check_die(self._document.encounter) else ()
        self.setVisible(bool(options))
        if not options or options == self._options:
            return
        self._options = options
        self.label.setText(tr("ui.forecast.which-die", die=_die(options[0][1])))
        self._answers.clear()
        self.buttons = [push_button(_die(die), partial(self._answer, option)) for option, die in options]
        for button in self.buttons:
            self._answers.add(button)

    def _answer(self, option: str) -> None:
        scene = scene_of(self._document.encounter)
        self._document.execute(Edit(msgspec.structs.replace(scene, options=(*scene.options, option))))


def _die(dice: str) -> str:
    return dice.removeprefix("1")
