"""What can go wrong with dice: text that is no roll, and prepared faces that do not fit or have run out."""

from __future__ import annotations


class DiceError(ValueError):
    """Text that is not understood as dice. `position` counts characters of `text_line` from 0."""

    def __init__(self, message: str, text: str = "", position: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.position = position


class OutOfDice(Exception):
    """Every prepared face has been used."""
