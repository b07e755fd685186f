"""A form: fields with captions in rows; it shows the struct of a binding and writes each edit to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLayout, QSizePolicy, QVBoxLayout, QWidget

from turnwright.ui.docks.editing.bindings import Binding
from turnwright.ui.docks.editing.fields import CheckBoxField, Field
from turnwright.ui.fonts import GAP, SPACE, scaled
from turnwright.ui.translations import tr
from turnwright.ui.widgets.cards import SectionHeader
from turnwright.ui.widgets.text import plain_label

FormSlot = tuple[str, str, Field]
LINE_HEIGHT = 28


class Form(QWidget):
    """Fields bound by name to the attributes of a binding's struct."""

    def __init__(self, binding: Binding, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.binding = binding
        self.fields: dict[str, Field] = {}
        self._needs: list[tuple[QWidget, Callable[[Any], bool]]] = []
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(scaled(GAP))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def add_heading(self, key: str, icon_name: str = "") -> SectionHeader:
        """Add a heading."""
        header = SectionHeader(tr(key), icon_name)
        self.column.addWidget(header)
        return header

    def add_row(
        self,
        *slots: FormSlot,
        stretch: tuple[int, ...] = (),
        visible_when: Callable[[Any], bool] | None = None,
        target: QVBoxLayout | None = None,
        wraps: tuple[int, int] | None = None,
    ) -> QWidget:
        """Add fields side by side: attribute, word key of the caption (may be empty), field.

        `visible_when` decides from the struct whether the row is shown. `target`: another column than the form's own.
        `wraps`: at most so many side by side, each at least so wide (px at 100 %).
        """
        column = target or self.column
        holder: QWidget
        if wraps is not None:
            holder = WrappingRow(*wraps, column.parentWidget() or self)
            row: QLayout = holder.grid
        else:
            holder = QWidget(column.parentWidget() or self)
            row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(scaled(GAP))
        shares = stretch or (1,) * len(slots)
        level = any(caption for _, caption, _ in slots)
        for (name, caption, field), share in zip(slots, shares, strict=True):
            place = with_caption(caption, field, holder, level=level)
            if isinstance(row, QHBoxLayout):
                row.addWidget(place, share)
            elif isinstance(holder, WrappingRow):
                holder.add(place)
            self.bind(name, field)
        column.addWidget(holder)
        if visible_when is not None:
            self._needs.append((holder, visible_when))
        return holder

    def bind(self, name: str, field: Field) -> None:
        """Bind a field, wherever it stands, to an attribute of the struct."""
        self.fields[name] = field
        field.edited.connect(lambda value, name=name: self._edit(name, value))
        field.editingFinished.connect(self.binding.commit)

    def refresh(self) -> None:
        """Show the struct as it now stands."""
        value = self.binding.value()
        self.setEnabled(value is not None)
        if value is None:
            return
        identity = self.binding.identity
        for name, field in self.fields.items():
            field.set_identity(f"{identity}.{name}")
            field.show_value(getattr(value, name))
        for holder, when in self._needs:
            holder.setVisible(when(value))

    def focus_first(self) -> None:
        """Put the cursor into the first field."""
        for field in self.fields.values():
            field.setFocus()
            return

    def _edit(self, name: str, value: Any) -> None:
        current = self.binding.value()
        if current is not None and getattr(current, name) != value:
            self.binding.write(msgspec.structs.replace(current, **{name: value}), name)


class WrappingRow(QWidget):
    """Widgets of equal width, wrapped into as many lines as their least width needs."""

    def __init__(self, max_per_line: int, min_width: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most = max_per_line
        self._least = min_width
        self._columns = max_per_line
        self._widgets: list[QWidget] = []
        self.grid = QGridLayout(self)

    def add(self, widget: QWidget) -> None:
        """Append a widget."""
        self._widgets.append(widget)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        columns = max(1, min(self._most, self.width() // scaled(self._least)))
        lines = -(-len(self._widgets) // columns)
        columns = -(-len(self._widgets) // lines) if lines else columns  # two and two instead of three and one
        if columns != self._columns:
            self._columns = columns
            self._lay_out()

    def _lay_out(self) -> None:
        for place, widget in enumerate(self._widgets):
            self.grid.addWidget(widget, place // self._columns, place % self._columns)
        for column in range(self._most):
            self.grid.setColumnStretch(column, int(column < self._columns))


def with_caption(key: str, field: Field, parent: QWidget, *, level: bool = False) -> QWidget:
    """Return a field under its caption; `level` aligns a check box without caption with captioned neighbours."""
    holder = QWidget(parent)
    column = QGridLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setVerticalSpacing(scaled(SPACE) // 2)
    text = tr(key) if key else ""
    if text:
        label = plain_label(text, "caption", "muted")
        label.setBuddy(field)
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        column.addWidget(label, 0, 0)
        field.set_name(text)
    elif isinstance(field, CheckBoxField):
        field.set_name(field.box.text())
        if level:
            column.addWidget(plain_label(" ", "caption"), 0, 0)
            field.setMinimumHeight(scaled(LINE_HEIGHT))
    column.addWidget(field, 1, 0)
    column.setRowStretch(2, 1)
    holder.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return holder
