"""Errors about dice: invalid roll expressions, and prepared faces that don't fit or are used up."""

from __future__ import annotations


class DiceError(ValueError):
    """Raised if a text can't be parsed as dice. `position` is an index in `text`."""

    def __init__(self, message: str, text: str = "", position: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.position = position


class OutOfDice(Exception):
    """Raised if all prepared faces have been used."""
