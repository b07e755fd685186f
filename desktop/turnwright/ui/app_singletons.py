"""Objects that live as long as the application: one of each class, a child of the application, found quickly."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

T = TypeVar("T", bound=QObject)


def app_singleton(kind: type[T], make: Callable[[QApplication], T], wanted: str) -> T:
    """Return the application's one object of a class, made on first use.

    RuntimeError, with `wanted` in its text, before the application exists. The object is kept by name on the
    application too: Qt's own search goes through all its children, ten thousand times a window.
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
