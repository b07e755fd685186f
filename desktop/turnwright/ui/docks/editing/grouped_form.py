"""A form whose rarer fields stand in groups that show when they are used.

A group is added from the menu below the form, or by itself where the struct uses it; removing it empties its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QMenu, QScrollArea, QVBoxLayout, QWidget

from turnwright.ui.docks.editing.bindings import Binding
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.fonts import GAP, scaled
from turnwright.ui.translations import tr
from turnwright.ui.widgets.cards import HorizontalLine
from turnwright.ui.widgets.text import plain_label, push_button, tool_button

GroupBuilder = Callable[[QVBoxLayout], object]


class GroupedForm(Form):
    """A form with groups of fields: a group is used where one of its fields differs from the `default` struct.

    Subclasses add their common fields, then call `add_groups`, and give `group_title`.
    """

    def __init__(self, binding: Binding, default: msgspec.Struct, parent: QWidget) -> None:
        super().__init__(binding, parent)
        self._bare = default
        self._names: dict[str, tuple[str, ...]] = {}
        self._builders: dict[str, GroupBuilder] = {}
        self._open: set[str] = set()
        self._identity = ""
        self._holders: dict[str, QWidget] = {}

    def group_title(self, id: str) -> str:
        """Return a group's title."""
        raise NotImplementedError

    def add_groups(self, names: Mapping[str, tuple[str, ...]], builders: Mapping[str, GroupBuilder]) -> None:
        """Add the groups by id: the struct's fields in each, and the function that builds its fields on first use."""
        self._names, self._builders = dict(names), dict(builders)
        for id in self._names:
            self._holders[id] = QWidget(self)
            self._holders[id].hide()
            self.column.addWidget(self._holders[id])
        self.more = push_button(tr("ui.editing.more"), lambda: None, "quiet", "plus")
        self.menu = QMenu(self.more)
        self.menu.aboutToShow.connect(self._fill)
        self.more.setMenu(self.menu)
        foot = QHBoxLayout()
        foot.addWidget(self.more)
        foot.addStretch(1)
        self.column.addLayout(foot)

    def refresh(self) -> None:
        """Show the struct as it now stands; an opened group stays open until the form shows another struct."""
        value = self.binding.value()
        if self.binding.identity != self._identity:
            self._identity = self.binding.identity
            self._open.clear()
        if value is not None:
            self._open |= {id for id in self._names if self._is_used(id, value)}
        for id, holder in self._holders.items():
            if id in self._open and holder.layout() is None:
                self._build(id, holder)
            holder.setVisible(id in self._open)
        self.more.setVisible(len(self._open) < len(self._names))
        super().refresh()

    def groups(self) -> tuple[str, ...]:
        """Return the ids of the groups that are shown."""
        return tuple(id for id in self._names if id in self._open)

    def open_group(self, id: str) -> None:
        """Show a group and put the cursor into it."""
        self._open.add(id)
        self.refresh()
        self.fields[self._names[id][0]].setFocus()
        QTimer.singleShot(0, self, partial(self._bring_into_sight, self._holders[id]))

    def remove_group(self, id: str) -> None:
        """Empty all fields of a group and hide it."""
        value = self.binding.value()
        self.binding.commit()
        self._open.discard(id)
        if value is not None:
            empty = {name: getattr(self._bare, name) for name in self._names[id]}
            self.binding.write(msgspec.structs.replace(value, **empty), "")
        self.refresh()
        self.more.setFocus()

    def _build(self, id: str, holder: QWidget) -> None:
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(scaled(GAP))
        column.addWidget(HorizontalLine(holder))
        head = QHBoxLayout()
        title = self.group_title(id)
        head.addWidget(plain_label(title, "strong"), 1)
        head.addWidget(tool_button("close", tr("ui.editing.leave-out", what=title), lambda: self.remove_group(id)))
        column.addLayout(head)
        self._builders[id](column)

    def _is_used(self, id: str, value: Any) -> bool:
        return any(getattr(value, name) != getattr(self._bare, name) for name in self._names[id])

    def _fill(self) -> None:
        self.menu.clear()
        for id in self._names:
            if id not in self._open:
                self.menu.addAction(self.group_title(id), partial(self.open_group, id))

    def _bring_into_sight(self, holder: QWidget) -> None:
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None:
            area.ensureWidgetVisible(holder, 0, scaled(GAP))
