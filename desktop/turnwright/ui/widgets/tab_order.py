"""Tab goes where the eye goes: widgets that come later take their place in the order, not the end of it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def tab_through(first: QWidget, containers: Iterable[QWidget]) -> None:
    """Let Tab go from a widget through all that takes the focus in some containers, in the order they were made."""
    before = first
    for container in containers:
        inside = [container, *container.findChildren(QWidget)]
        for widget in inside:
            if widget.window() is not first.window():  # the list that a combo box drops down
                continue
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
                QWidget.setTabOrder(before, widget)
                before = widget
