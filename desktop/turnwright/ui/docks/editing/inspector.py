"""The base class of the inspectors: a combo box of records, buttons, a placeholder, and a scrolling form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QScrollArea,
    QWidget,
)

from turnwright.encounter.state import Key, Record
from turnwright.play.kernel.steps import Changed
from turnwright.play.setup.prepared_records import Remove
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.editing.child_list_editor import ChildListEditor
from turnwright.ui.docks.shared.library_transfer import add_new
from turnwright.ui.forms.bindings import RecordBinding
from turnwright.ui.forms.form import Form, FormLayout
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.look.fonts import GAP, SPACE
from turnwright.ui.look.theme import ThemeSource
from turnwright.ui.look.translations import tr
from turnwright.ui.models.display_names import id_as_words
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.timers import single_shot_timer
from turnwright.ui.widgets.cards import EmptyState
from turnwright.ui.widgets.combo_box import ComboBox
from turnwright.ui.widgets.layout import form_scroll_area, horizontal, vertical
from turnwright.ui.widgets.text import tool_button


class InspectorDock(Dock):
    """Shows one record of a certain type: the selected one, else the last shown, else the first.

    Subclasses define `kind`, `name` (the panel's id, also part of its word keys), `icon_name`, and either `form_layout`
    or `build`, which is called once, after the first paint. The visible parts of the form are built first, then the
    others one at a time.
    """

    kind: type[Record]
    icon_name: str
    form_layout: FormLayout

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.binding = RecordBinding(document, self.kind)
        self._body: QWidget | None = None
        self.parts: list[Form | ChildListEditor] = []
        self._coming: Iterator[Form | ChildListEditor] = iter(())
        self._building = single_shot_timer(self, self._build_next)
        self._built_for = ""
        self.empty = EmptyState(self.icon_name, tr(f"ui.{self.name}.empty"), tr(f"ui.{self.name}.empty-step"))
        self.empty.clicked.connect(self.add)
        self.set_pages(QWidget(), self.empty)  # the first page is shown until the form is built
        self._names: list[tuple[str, str]] = []
        self.choice = ComboBox()
        self.choice.setAccessibleName(tr(f"ui.{self.name}.which"))
        self.choice.activated.connect(lambda row: document.select((self.kind.table, self._names[row][0])))
        document.changed.connect(self._on_changed)
        document.selected.connect(self._on_selected)
        document.documentChanged.connect(self._reset)

    # Implemented by subclasses -----------------------------------------------------------------------------------

    def build(self, context: FormContext, parent: QWidget) -> Iterable[Form | ChildListEditor]:
        """Return or yield the parts of the form. Create widgets with their parent: reparenting them later is slow."""
        self.form = Form(self.form_layout, self.binding, context, parent)
        return (self.form,)

    def framed(self, area: QScrollArea) -> QWidget:
        """Return the widget below the combo box: the scrolling form, or a widget that contains it."""
        return area

    def add_buttons(self, row: QHBoxLayout) -> None:
        """Add the buttons next to the combo box."""
        self.add_button = tool_button("plus", tr(f"ui.{self.name}.add"), self.add)
        row.addWidget(self.add_button)
        row.addWidget(tool_button("trash-can-outline", tr(f"ui.{self.name}.remove"), self.remove))

    def refresh_body(self) -> None:
        """Update the form."""
        for part in self.parts:
            part.refresh()

    def record_id_for(self, key: Key) -> str:
        """Return the id of the record to show for a selected key, or an empty string for other types of records."""
        return key[1] if key[0] == self.kind.table else ""

    def is_affected_by(self, changed: Changed) -> bool:
        """Whether a change affects this panel."""
        return changed.touches(self.kind.table)

    # Shared by all subclasses ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._body is None:
            QTimer.singleShot(0, self, self.prepare_in_sight)

    def prepare(self) -> None:
        """Build the rest of the form now instead of waiting for the panel's first paint."""
        if self._body is None:
            self._start_form()
        while self._build_part() is not None:
            pass
        self.refresh()

    def prepare_in_sight(self) -> None:
        """Build the visible parts of the form and schedule the others, unless building has already begun."""
        if self._body is None:
            self._start_form()
            while self._column.sizeHint().height() < self._stack.height() and self._build_part() is not None:
                pass
            self.refresh()
            self._building.start()

    def _start_form(self) -> None:
        """Create the scroll area that will contain the parts of the form."""
        self._built_for = self._document.rules.id
        self._body = QWidget(self._stack)
        self._stack.addWidget(self._body)
        area, contents, self._column = form_scroll_area(self._body, tr(f"ui.{self.name}.title"))
        outer = vertical(self._body, spacing=0)
        outer.addLayout(self._head())
        outer.addWidget(self.framed(area), 1)
        self.parts = []
        self._coming = iter(self.build(FormContext.of(self._document), contents))
        if self._document.selection is not None:
            self.binding.id = self.record_id_for(self._document.selection) or self.binding.id

    def _build_part(self) -> Form | ChildListEditor | None:
        """Build the next part of the form and return it, or None if the form is complete."""
        part = next(self._coming, None)
        if part is not None:
            self.parts.append(part)
            self._column.addWidget(part)
        return part

    def _build_next(self) -> None:
        part = self._build_part()
        if part is not None:
            part.refresh()
            self._building.start()

    def edit_record(self, key: Key) -> None:
        """Show a record and focus its first field."""
        self._document.select(key)
        if self.record_id_for(key):
            self.show()
            self.raise_()
            self.prepare()
            QTimer.singleShot(0, self, self._focus_first)

    def refresh(self) -> None:
        """Update the combo box and the form."""
        if self._body is None:
            return
        records = list(self._document.encounter.all(self.kind))
        if self.binding.value() is None and records:
            self.binding.id = records[0].id
        names = [
            (
                record.id,
                getattr(record, "name", "") or getattr(record, "title", "") or id_as_words(record.id).capitalize(),
            )
            for record in records
        ]
        if names != self._names:
            self._names = names
            self.choice.clear()
            self.choice.addItems([name for _, name in names])
        self.choice.setCurrentIndex(next((row for row, (id, _) in enumerate(names) if id == self.binding.id), -1))
        has_record = self.binding.value() is not None
        self._stack.setCurrentWidget(self._body if has_record else self.empty)
        if has_record:
            self.refresh_body()

    def add(self) -> None:
        """Add a new record to the encounter and edit it."""
        self.show_new(add_new(self._document, self.name))

    def show_new(self, key: Key | None) -> None:
        """Edit a new record. Do nothing if `key` is None, because the record wasn't created."""
        if key is not None:
            self.edit_record(key)

    def remove(self) -> None:
        """Remove the shown record from the encounter."""
        if self.binding.value() is not None:
            self._document.execute(Remove(((self.kind.table, self.binding.id),)))

    def _focus_first(self) -> None:
        form = self.parts[0]
        if isinstance(form, Form):
            form.focus_first()

    def _head(self) -> QHBoxLayout:
        row = horizontal(spacing=SPACE, margins=(12, GAP, 12, GAP))
        row.addWidget(self.choice, 1)
        self.add_buttons(row)
        return row

    def _reset(self) -> None:
        self.binding.id = ""
        if self._body is not None and self._built_for != self._document.rules.id:
            self._clear(self._body)
        self.refresh()

    def _clear(self, body: QWidget) -> None:
        """Remove the form, which belongs to another rule system. It is rebuilt after the next paint."""
        self.choice.setParent(self)
        self._stack.setCurrentIndex(0)
        self._stack.removeWidget(body)
        body.deleteLater()
        self._body = None
        self._coming = iter(())
        self._names = []
        self.update()

    def _on_selected(self, key: Key | None) -> None:
        id = self.record_id_for(key) if key is not None else ""
        if not id:
            return
        if id != self.binding.id:
            self.binding.commit()
            self.binding.id = id
        self.refresh()
        if not self.isHidden():
            self.raise_()

    def _on_changed(self, changed: Changed) -> None:
        if self.is_affected_by(changed):
            self.refresh()
