"""A list of a record's children, with buttons above it and the form of the selected child below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from turnwright.ui.docks.shared.row_delegate import RowDelegate
from turnwright.ui.docks.shared.row_view import RowView
from turnwright.ui.forms.bindings import Binding, ChildBinding, children_of
from turnwright.ui.forms.form import Form
from turnwright.ui.look.translations import tr
from turnwright.ui.models.child_rows import ChildRowsModel
from turnwright.ui.models.display_names import unique_id
from turnwright.ui.widgets.cards import Card, SectionHeader
from turnwright.ui.widgets.layout import vertical
from turnwright.ui.widgets.text import plain_label


class ChildListEditor(QWidget):
    """Edits one collection of a struct.

    `create_child(id)` returns a new child, and `create_form(binding, parent)` the form for the selected child.
    Emits `currentChanged(id)` when another child is selected. Delete removes the selected child, and Ctrl+Up and
    Ctrl+Down move it.
    """

    currentChanged = Signal(str)

    def __init__(
        self,
        parent_binding: Binding,
        collection: str,
        title: str,
        icon_name: str,
        create_child: Callable[[str], Any],
        create_form: Callable[[Binding, QWidget], Form],
        describe: Callable[[Any], str],
        parent: QWidget,
        *,
        can_be_disabled: bool = False,
        empty_text: str = "",
    ) -> None:
        super().__init__(parent)
        self._whole = parent_binding
        self._collection = collection
        self._make = create_child
        self.child_binding = ChildBinding(parent_binding, collection)
        self.model = ChildRowsModel(collection, describe, self._switch if can_be_disabled else None, self)
        self.header = SectionHeader(tr(title), icon_name)
        self.add_button = self.header.add_button("plus", tr("ui.editing.add", what=tr(f"{title}-singular")), self.add)
        self.remove_button = self.header.add_button("trash-can-outline", tr("ui.editing.remove-row"), self.remove)
        self.copy_button: QToolButton | None = None
        self.view = RowView(self, fits_rows=True)
        self.view.setAccessibleName(tr(title))
        self.view.setModel(self.model)
        self.view.setItemDelegate(RowDelegate(self.view, detail_right=True))
        self._empty = plain_label(empty_text, tone="muted", wraps=True)
        self.card = Card(parent=self)
        self.form = create_form(self.child_binding, self.card)
        self.card.body.addWidget(self.form)
        column = vertical(self)
        for widget in (self.header, self._empty, self.view, self.card):
            column.addWidget(widget)
        self.view.selectionModel().currentRowChanged.connect(lambda current, _before: self._go(current.row()))
        self.view.removeRequested.connect(self.remove)
        self.view.moveRequested.connect(self.move_child)
        self.view.rowActivated.connect(lambda _index: self.form.focus_first())

    def refresh(self) -> None:
        """Update the list. The selected child stays selected if it still exists."""
        parts = children_of(self._whole, self._collection)
        row = self.model.row_of_id(self.child_binding.id)
        self.model.set_children(parts)
        if self.model.row_of_id(self.child_binding.id) < 0:
            self._go(min(max(row, 0), len(parts) - 1))
        self.view.go_to(self.model.row_of_id(self.child_binding.id))
        self.card.setVisible(bool(parts))
        self.view.setVisible(bool(parts))
        self.remove_button.setEnabled(bool(parts))
        self._empty.setVisible(not parts and bool(self._empty.text()))
        self.form.refresh()

    def choose(self, id: str) -> None:
        """Select a child."""
        row = self.model.row_of_id(id)
        if row >= 0:
            self.view.go_to(row)
            self._go(row)

    def add(self) -> None:
        """Append a new child and focus its name field."""
        self.insert(self._make(self._free_id(tr("ui.editing.new-id"))))
        self.form.focus_first()

    def insert(self, child: Any) -> None:
        """Append a child with an unused id and select it."""
        child = msgspec.structs.replace(child, id=self._free_id(child.id))
        self._set([*children_of(self._whole, self._collection), child])
        self.choose(child.id)

    def remove(self) -> None:
        """Remove the selected child."""
        parts = children_of(self._whole, self._collection)
        if any(part.id == self.child_binding.id for part in parts):
            self._set([part for part in parts if part.id != self.child_binding.id])

    def move_child(self, by: int) -> None:
        """Move the selected child up or down."""
        parts = list(children_of(self._whole, self._collection))
        index = next((index for index, part in enumerate(parts) if part.id == self.child_binding.id), -1)
        if index >= 0 and 0 <= index + by < len(parts):
            parts.insert(index + by, parts.pop(index))
            self._set(parts)

    def _set(self, parts: list[Any]) -> None:
        record = self._whole.value()
        if record is not None:
            self._whole.write(msgspec.structs.replace(record, **{self._collection: tuple(parts)}), "")

    def _go(self, row: int) -> None:
        id = self.model.id_at(row)
        if id != self.child_binding.id:
            self.child_binding.commit()
            self.child_binding.id = id
            self.form.refresh()
            self.currentChanged.emit(id)

    def _switch(self, id: str, on: bool) -> None:
        part = ChildBinding(self._whole, self._collection, id)
        value = part.value()
        if value is not None:
            part.write(msgspec.structs.replace(value, enabled=on), "")

    def _free_id(self, text: str) -> str:
        taken = {part.id for part in children_of(self._whole, self._collection)}
        return unique_id(text, taken, "row")
