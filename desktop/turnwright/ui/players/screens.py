"""The screens of the computer, identified by their properties instead of their positions in a list."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QScreen


def screen_id(screen: QScreen) -> str:
    """Return the text that identifies a screen: maker, model, serial number and size."""
    size = screen.size()
    model = " ".join(filter(None, (screen.manufacturer(), screen.model(), screen.serialNumber())))
    return f"{model or screen.name()} {size.width()}x{size.height()}"


def screen_name(screen: QScreen) -> str:
    """Return a readable name of a screen: its model and size."""
    size = screen.size()
    name = screen.model() or screen.name()
    return f"{name}, {size.width()} × {size.height()}"


def other_screens(own: QScreen | None) -> list[QScreen]:
    """Return the screens other than the one with the game master's window."""
    return [screen for screen in QGuiApplication.screens() if screen is not own]


def chosen_screen(id: str, own: QScreen | None) -> QScreen | None:
    """Return the screen chosen before, or else the first other screen, or None if no other exists."""
    others = other_screens(own)
    return next((screen for screen in others if screen_id(screen) == id), others[0] if others else None)
