"""What docks ask of the window by their signals, led to where it is done. Docks know nothing of each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDockWidget

from turnwright.encounter.state import Key
from turnwright.ui.desk import Desk
from turnwright.ui.say import say

if TYPE_CHECKING:
    from turnwright.encounter.prepared import Creature
    from turnwright.rules.catalogue import Catalogue
    from turnwright.ui.docks.library_deeds import Side

PLACES: Mapping[str, str] = MappingProxyType(
    {
        "creatures": "creature",
        "roster": "creature",
        "environments": "environment",
        "countdowns": "countdown",
        "handouts": "handout",
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
    if hasattr(dock, "librarySaved"):
        dock.librarySaved.connect(lambda text: tell_saved(desk, text))
    if hasattr(dock, "compareAsked"):
        dock.compareAsked.connect(lambda one, other: compare(desk, one, other))
    if hasattr(dock, "variantAsked") and hasattr(dock, "save_variant"):
        dock.variantAsked.connect(lambda side: vary(desk, side, dock.save_variant))


def open_record(desk: Desk, key: Key | None) -> None:
    """Select something, show the dock that edits it, and put the cursor there."""
    if key is None:
        return
    desk.bridge.select(key)
    if key[0] in PLACES:
        dock = desk.docks.show(PLACES[key[0]])
        if hasattr(dock, "open_key"):
            dock.open_key(key)


def tell_saved(desk: Desk, text: str) -> None:
    """Say what was written into the library, and let its list show it."""
    desk.tell(text)
    library = desk.docks.built("library")
    if library is not None and hasattr(library, "reload"):
        library.reload()


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


def compare(desk: Desk, one: Side, other: Side) -> None:
    """Show two stat blocks of the library side by side."""
    from turnwright.ui.dialogs.compare import CompareDialog

    left, right = ((side.creature, catalogue_of(desk, side.system), side.place) for side in (one, other))
    CompareDialog(left, right, desk.window).open()


def vary(desk: Desk, side: Side, save: Callable[[Creature, str], object]) -> None:
    """Show what a creature is stronger or weaker, and save what comes of it."""
    from turnwright.ui.dialogs.scaling import ScalingDialog

    dialog = ScalingDialog(side.creature, catalogue_of(desk, side.system), desk.window)
    dialog.made.connect(lambda creature: save(creature, side.system))
    dialog.open()


def catalogue_of(desk: Desk, system: str) -> Catalogue:
    """Return a game's data, those of the encounter's game for one that isn't known."""
    systems = desk.bridge.document.systems
    return (systems.get(system) if system in systems.ids else desk.bridge.rules).catalogue
