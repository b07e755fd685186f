"""A line for rolling dice: `2d20kh+5`, or `d20a+3` with advantage."""

from __future__ import annotations

import re

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.typed.typed_line import TypedLine

EDGES = {"a": "adv", "d": "dis"}
_EDGE = re.compile(r"(?<=\d)\s*(?P<edge>[ad])(?![\w%])", re.IGNORECASE)


def dice_of(text: str) -> str:
    """Return the dice expression in a text. Raise DiceError if it is malformed.

    `d20a` rolls with advantage, `d20d` with disadvantage.
    """
    return str(parse(_EDGE.sub(lambda match: f" {EDGES[match['edge'].lower()]} ", text.strip())))


class DiceLine(TypedLine):
    """A line for rolling dice. Emits `submitted(dice)` on Enter."""

    submitted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            tr("ui.dice-line.roll"),
            tr("ui.roll.roll"),
            tr("ui.dice-line.name"),
            tr("ui.dice-line.placeholder"),
            parent,
        )
        self.line.setToolTip(tr("ui.dice-line.tip"))

    def hand_in(self, text: str) -> str:
        """Roll the entered dice. Return the error message, or an empty string if the text is valid."""
        try:
            dice = dice_of(text)
        except DiceError as error:
            return error.message
        self.submitted.emit(dice)
        return ""
