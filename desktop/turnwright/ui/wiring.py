"""What docks ask of the window by their signals, led to where it is done. Docks know nothing of each other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from PySide6.QtWidgets import QDockWidget

from turnwright.encounter.state import Key
from turnwright.ui.desk import Desk
from turnwright.ui.say import say

PLACES: Mapping[str, str] = MappingProxyType(
    {
        "creatures": "creature",
        "roster": "creature",
        "environments": "environment",
        "countdowns": "countdown",
        "combatants": "stat-block",
    }
)


def wire(dock: QDockWidget, desk: Desk) -> None:
    """Listen to what a dock asks: to open something it names, a file, or to use a roll that was clicked."""
    if hasattr(dock, "opened"):
        dock.opened.connect(lambda key: open_record(desk, key))
    if hasattr(dock, "openRequested"):
        dock.openRequested.connect(lambda path: desk.filing.open(Path(path)))
    if hasattr(dock, "goneBack"):
        dock.goneBack.connect(desk.rules_way.back)
    if hasattr(dock, "byHand"):
        dock.byHand.connect(desk.by_hand)
    if hasattr(dock, "rollClicked"):
        dock.rollClicked.connect(lambda expression, *_label: use_roll(desk, expression))


def open_record(desk: Desk, key: Key | None) -> None:
    """Select something, show the dock that edits it, and put the cursor there."""
    if key is None:
        return
    desk.bridge.select(key)
    if key[0] in PLACES:
        dock = desk.docks.show(PLACES[key[0]])
        if hasattr(dock, "open_key"):
            dock.open_key(key)


def use_roll(desk: Desk, expression: str) -> None:
    """Put a roll into the damage box of a running fight; while preparing, say what it comes to."""
    if desk.is_running:
        desk.write_amount(expression)
        return
    from turnwright.dice.errors import DiceError
    from turnwright.dice.expression import parse

    try:
        dice = parse(expression)
    except DiceError:
        return
    desk.tell(say("ui.window.roll-is", roll=expression, mean=f"{dice.mean:g}", least=dice.minimum, most=dice.maximum))
