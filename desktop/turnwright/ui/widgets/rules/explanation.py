"""The explanation of a total as plain data: dice, parts with their reasons and rules, and discarded parts."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Die
from turnwright.ui.look.translations import tr


class ExplanationLine(msgspec.Struct, frozen=True):
    """A part of a total: its value as displayed (`+3`, `advantage`), its reason, and the id and text of its rule."""

    value: str
    reason: str
    rule: str = ""
    words: str = ""


class Explanation(msgspec.Struct, frozen=True):
    """The explanation of a total.

    `notes` list the discarded parts with the reasons. `dice` are displayed, with dropped dice crossed out.
    """

    title: str
    total: str
    lines: tuple[ExplanationLine, ...] = ()
    dice: tuple[Die, ...] = ()
    notes: tuple[str, ...] = ()


def accessible_text(why: Explanation) -> str:
    """Return an explanation as one line of text for screen readers."""
    dice = [f"d{die.sides} {die.face}" + ("" if die.kept else f" ({tr('ui.why.dropped')})") for die in why.dice]
    lines = [f"{line.value} {line.reason}" for line in why.lines]
    return ", ".join([f"{why.title} {why.total}", *dice, *lines, *why.notes])
