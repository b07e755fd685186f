"""Singletons owned by the application, one per class, with a fast lookup."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

T = TypeVar("T", bound=QObject)
_SINGLETONS: dict[type[QObject], QObject] = {}


def app_singleton(kind: type[T], make: Callable[[QApplication], T], name: str) -> T:
    """Return the application's only object of a class, created on first use.

    The object is destroyed together with the application. Raise RuntimeError if there is no application yet; `name`
    appears in the message.
    """
    existing = _SINGLETONS.get(kind)
    if existing is not None and isValid(existing):
        return cast("T", existing)
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError(f"{name} requires a QApplication; create it first")
    singleton = app.findChild(kind) or make(app)
    _SINGLETONS[kind] = singleton
    return singleton
