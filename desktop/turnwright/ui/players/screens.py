"""The screens of the computer, each known again by what it is and not by its place in a list."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QScreen


def screen_id(screen: QScreen) -> str:
    """Return the text by which a screen is found again: maker, model, serial number and size."""
    size = screen.size()
    known = " ".join(filter(None, (screen.manufacturer(), screen.model(), screen.serialNumber())))
    return f"{known or screen.name()} {size.width()}x{size.height()}"


def screen_name(screen: QScreen) -> str:
    """Return the name of a screen for a person: what it is called and its size."""
    size = screen.size()
    name = screen.model() or screen.name()
    return f"{name}, {size.width()} × {size.height()}"


def other_screens(own: QScreen | None) -> list[QScreen]:
    """Return the screens on which the game master's window does not stand."""
    return [screen for screen in QGuiApplication.screens() if screen is not own]


def chosen_screen(id: str, own: QScreen | None) -> QScreen | None:
    """Return the screen that was chosen before, else the first other one; None where there is none."""
    others = other_screens(own)
    return next((screen for screen in others if screen_id(screen) == id), others[0] if others else None)
