"""Errors of dice: text that is not a roll, and prepared faces that don't fit or have run out."""

from __future__ import annotations


class DiceError(ValueError):
    """Text that can't be parsed as dice. `position` counts characters of `text` from 0."""

    def __init__(self, message: str, text: str = "", position: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.position = position


class OutOfDice(Exception):
    """Every prepared face has been used."""
