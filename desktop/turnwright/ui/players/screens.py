"""The computer's screens. They are identified by their properties, not by their position in a list."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QScreen


def screen_id(screen: QScreen) -> str:
    """Return the id of a screen: maker, model, serial number and size."""
    size = screen.size()
    model = " ".join(filter(None, (screen.manufacturer(), screen.model(), screen.serialNumber())))
    return f"{model or screen.name()} {size.width()}x{size.height()}"


def screen_name(screen: QScreen) -> str:
    """Return the display name of a screen: its model and size."""
    size = screen.size()
    name = screen.model() or screen.name()
    return f"{name}, {size.width()} × {size.height()}"


def other_screens(own: QScreen | None) -> list[QScreen]:
    """Return all screens except the one that shows the game master's window."""
    return [screen for screen in QGuiApplication.screens() if screen is not own]


def chosen_screen(id: str, own: QScreen | None) -> QScreen | None:
    """Return the previously chosen screen, or else the first other screen, or None if there is no other."""
    others = other_screens(own)
    return next((screen for screen in others if screen_id(screen) == id), others[0] if others else None)
