"""Tab order by position: row by row from the top left, regardless of the order in which widgets were created."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget


def tab_through(first: QWidget, containers: Iterable[QWidget]) -> None:
    """Set the tab order from `first` through all focusable widgets in the containers, in creation order."""
    before = first
    for container in containers:
        inside = [container, *container.findChildren(QWidget)]
        for widget in inside:
            if widget.window() is not first.window():  # skip the drop-down list of a combo box
                continue
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
                QWidget.setTabOrder(before, widget)
                before = widget


def focus_order(root: QWidget, focused: QWidget | None = None) -> Iterator[QWidget]:
    """Yield all focusable widgets inside a widget, in reading order.

    `focused` is included even if it can no longer have the focus, because Qt moves on from it when it is hidden.
    """
    for widget in _as_read(root, focused):
        takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
        if takes or widget is focused:
            yield widget
        yield from focus_order(widget, focused)


def focus_neighbour(root: QWidget, focused: QWidget | None, *, forward: bool, first: Sequence[QWidget] = ()) -> bool:
    """Focus the next or previous widget in reading order, cyclically. Return False if no widget can have the focus.

    Widgets inside the containers in `first` come before all others.
    """

    def rank(widget: QWidget) -> int:
        return next((at for at, place in enumerate(first) if place.isAncestorOf(widget)), len(first))

    order = sorted(focus_order(root, focused), key=rank)
    places = [place for place, widget in enumerate(order) if widget is not focused]
    if not places:
        return False
    if focused in order:
        index = order.index(focused)
        after = [place for place in places if place > index] or places
        before = [place for place in places if place < index] or places
        goal = order[after[0] if forward else before[-1]]
    else:
        goal = order[0 if forward else -1]
    goal.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    _bring_into_sight(goal)
    return True


def _as_read(parent: QWidget, focused: QWidget | None) -> list[QWidget]:
    """Return the visible and enabled children of a widget, row by row. The focused child is always included."""
    children = [
        child
        for child in parent.children()
        if isinstance(child, QWidget)
        and not child.isWindow()
        and (
            (child.isVisible() and child.isEnabled() and _stands_in(child))
            or (focused is not None and (child is focused or child.isAncestorOf(focused)))
        )
    ]
    children.sort(key=lambda child: child.y())
    rows: list[list[QWidget]] = []
    for child in children:
        if rows and child.geometry().center().y() <= rows[-1][0].geometry().bottom():
            rows[-1].append(child)
        else:
            rows.append([child])
    return [child for row in rows for child in sorted(row, key=lambda widget: (widget.x(), widget.y()))]


def _stands_in(child: QWidget) -> bool:
    """Whether a child is within its parent. Qt places widgets of other tabs beyond the top left corner."""
    return child.geometry().right() >= 0 or child.geometry().bottom() >= 0


def _bring_into_sight(widget: QWidget) -> None:
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget)
        above = above.parentWidget()
