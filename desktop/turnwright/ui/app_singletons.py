"""Objects that live as long as the application: one per class, owned by the application, with a fast lookup."""

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

    The object is destroyed with the application; another application gets its own. Raise RuntimeError, with `name`
    in its message, if there is no application yet.
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
