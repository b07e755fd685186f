"""What lives as long as the application: one object of a kind, a child of it, found quickly by whoever paints."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

T = TypeVar("T", bound=QObject)


def app_singleton(kind: type[T], make: Callable[[QApplication], T], wanted: str) -> T:
    """Return the application's one object of a kind, made when it is first asked for.

    RuntimeError, saying what was `wanted`, before the application stands. Kept by name on the application too: Qt's own
    search goes through all its children, ten thousand times a window.
    """
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError(f"{wanted} before the application stands")
    name = f"resident_{kind.__name__}"
    found = app.__dict__.get(name)
    if not isinstance(found, kind):
        found = app.findChild(kind) or make(app)
        setattr(app, name, found)
    return found
