"""A list of the parts inside a record, with buttons over it, and below it the form of the part that is chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QToolButton, QVBoxLayout, QWidget

from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.editing.subjects import PartSubject, Subject, parts_of
from turnwright.ui.docks.row_delegate import RowDelegate
from turnwright.ui.docks.row_view import RowView
from turnwright.ui.fonts import GAP, px
from turnwright.ui.models.naming import free_id
from turnwright.ui.models.parts import PartsModel
from turnwright.ui.say import say
from turnwright.ui.widgets.cards import Card, SectionHeader
from turnwright.ui.widgets.text import plain_label


class PartsEditor(QWidget):
    """Edits one collection of a subject. `make(id)` gives a new part; `form(subject, parent)` builds the form of one.

    `chosen(id)` when a person goes to another part. Delete removes it, Ctrl+Up and Ctrl+Down move it.
    """

    chosen = Signal(str)

    def __init__(
        self,
        whole: Subject,
        collection: str,
        title: str,
        icon_name: str,
        make: Callable[[str], Any],
        form: Callable[[Subject, QWidget], Form],
        describe: Callable[[Any], str],
        parent: QWidget,
        *,
        switches: bool = False,
        empty: str = "",
    ) -> None:
        super().__init__(parent)
        self._whole = whole
        self._collection = collection
        self._make = make
        self.part = PartSubject(whole, collection)
        self.model = PartsModel(collection, describe, self._switch if switches else None, self)
        self.header = SectionHeader(say(title), icon_name)
        self.add_button = self.header.add_button("plus", say("ui.editing.add", what=say(f"{title}-one")), self.add)
        self.remove_button = self.header.add_button("trash-can-outline", say("ui.editing.remove-row"), self.remove)
        self.copy_button: QToolButton | None = None
        self.view = RowView(self, fitted=True)
        self.view.setAccessibleName(say(title))
        self.view.setModel(self.model)
        self.view.setItemDelegate(RowDelegate(self.view, detail_right=True))
        self._empty = plain_label(empty, tone="muted", wraps=True)
        self.card = Card(parent=self)
        self.form = form(self.part, self.card)
        self.card.body.addWidget(self.form)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(GAP))
        for widget in (self.header, self._empty, self.view, self.card):
            column.addWidget(widget)
        self.view.selectionModel().currentRowChanged.connect(lambda current, _before: self._go(current.row()))
        self.view.removing.connect(self.remove)
        self.view.moving.connect(self.move_part)
        self.view.opened.connect(lambda _index: self.form.focus_first())

    def refresh(self) -> None:
        """Show the parts as they now stand; the one that was chosen stays chosen while it is there."""
        parts = parts_of(self._whole, self._collection)
        row = self.model.row_of_id(self.part.id)
        self.model.set_parts(parts)
        if self.model.row_of_id(self.part.id) < 0:
            self._go(min(max(row, 0), len(parts) - 1))
        self.view.go_to(self.model.row_of_id(self.part.id))
        self.card.setVisible(bool(parts))
        self.view.setVisible(bool(parts))
        self.remove_button.setEnabled(bool(parts))
        self._empty.setVisible(not parts and bool(self._empty.text()))
        self.form.refresh()

    def choose(self, id: str) -> None:
        """Go to a part."""
        row = self.model.row_of_id(id)
        if row >= 0:
            self.view.go_to(row)
            self._go(row)

    def add(self) -> None:
        """Put a new part at the end and go to its name."""
        self.insert(self._make(self._free_id(say("ui.editing.new-id"))))
        self.form.focus_first()

    def insert(self, part: Any) -> None:
        """Put a part at the end, under an id that is free, and choose it."""
        part = msgspec.structs.replace(part, id=self._free_id(part.id))
        self._set([*parts_of(self._whole, self._collection), part])
        self.choose(part.id)

    def remove(self) -> None:
        """Take the chosen part out."""
        parts = parts_of(self._whole, self._collection)
        if any(part.id == self.part.id for part in parts):
            self._set([part for part in parts if part.id != self.part.id])

    def move_part(self, by: int) -> None:
        """Move the chosen part up or down."""
        parts = list(parts_of(self._whole, self._collection))
        place = next((place for place, part in enumerate(parts) if part.id == self.part.id), -1)
        if place >= 0 and 0 <= place + by < len(parts):
            parts.insert(place + by, parts.pop(place))
            self._set(parts)

    def offer(self, icon_name: str, name: str, fill: Callable[[QMenu], object]) -> QToolButton:
        """Put a button with a menu beside the others; `fill` writes the menu when it opens."""
        button = self.header.add_button(icon_name, name, lambda: None)
        menu = QMenu(button)
        menu.aboutToShow.connect(menu.clear)
        menu.aboutToShow.connect(lambda: fill(menu))
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button

    def _set(self, parts: list[Any]) -> None:
        whole = self._whole.value()
        if whole is not None:
            self._whole.put(msgspec.structs.replace(whole, **{self._collection: tuple(parts)}), "")

    def _go(self, row: int) -> None:
        id = self.model.id_at(row)
        if id != self.part.id:
            self.part.settle()
            self.part.id = id
            self.form.refresh()
            self.chosen.emit(id)

    def _switch(self, id: str, on: bool) -> None:
        part = PartSubject(self._whole, self._collection, id)
        value = part.value()
        if value is not None:
            part.put(msgspec.structs.replace(value, enabled=on), "")

    def _free_id(self, text: str) -> str:
        taken = {part.id for part in parts_of(self._whole, self._collection)}
        return free_id(text, taken, "row")
