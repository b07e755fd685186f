"""Objects that live as long as the application: one of each class, a child of the application, found quickly."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

T = TypeVar("T", bound=QObject)
_FOUND: dict[type[QObject], QObject] = {}


def app_singleton(kind: type[T], make: Callable[[QApplication], T], wanted: str) -> T:
    """Return the application's one object of a class, made on first use.

    RuntimeError, with `wanted` in its text, before the application exists. It dies with the application, and another
    one has its own.
    """
    known = _FOUND.get(kind)
    if known is not None and isValid(known):
        return cast("T", known)
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError(f"{wanted} before the application stands")
    found = app.findChild(kind) or make(app)
    _FOUND[kind] = found
    return found
