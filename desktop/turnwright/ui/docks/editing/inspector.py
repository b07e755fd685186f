"""The base class of the inspectors: a combo box of records, buttons, a placeholder, and a scrolling form.

Children of a record have a list, with the form of the selected child below it. A heading shows or hides a card, with a
summary while the card is hidden. The widgets are built after the first paint, to keep startup fast.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec
from PySide6 import QtWidgets
from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QPaintEvent

from turnwright.encounter.prepared import Creature, Scene
from turnwright.encounter.state import Key, Record, is_encounter_empty, unique_id
from turnwright.play.setup.prepared_records import Edit, Remove
from turnwright.rules.parts.preparation import creature_translation
from turnwright.rules.system import RuleSystem
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.shared import library_transfer, row_view
from turnwright.ui.forms.form import Form, FormLayout
from turnwright.ui.forms.kinds import Binding, ChildBinding, FormContext, RecordBinding, children_of
from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import GAP, SPACE, ThemeSource, scaled, tr
from turnwright.ui.models.row_list_model import ChildRowsModel, id_as_words
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.workers import single_shot_timer
from turnwright.ui.widgets import fields, layout
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.text import name_and_tip, named, plain_label, text_button, tool_button
from turnwright.workspace.files import system_title


class ChildListEditor(QtWidgets.QWidget):
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
        create_form: Callable[[Binding, QtWidgets.QWidget], Form],
        describe: Callable[[Any], str],
        parent: QtWidgets.QWidget,
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
        self.header = layout.SectionHeader(tr(title), icon_name)
        self.add_button = self.header.add_button("plus", tr("ui.editing.add", what=tr(f"{title}-singular")), self.add)
        self.remove_button = self.header.add_button("trash-can-outline", tr("ui.editing.remove-row"), self.remove)
        self.copy_button: QtWidgets.QToolButton | None = None
        self.view = named(row_view.RowView(self, fits_rows=True), tr(title))
        self.view.setModel(self.model)
        self.view.setItemDelegate(row_view.RowDelegate(self.view, detail_right=True))
        self._empty = plain_label(empty_text, tone="muted", wraps=True)
        self.card = layout.Card(parent=self)
        self.form = create_form(self.child_binding, self.card)
        self.card.body.addWidget(self.form)
        layout.fill(layout.vertical(self), self.header, self._empty, self.view, self.card)
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
        if (row := self.model.row_of_id(id)) >= 0:
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
        if (record := self._whole.value()) is not None:
            self._whole.write(msgspec.structs.replace(record, **{self._collection: tuple(parts)}), "")

    def _go(self, row: int) -> None:
        if (id := self.model.id_at(row)) != self.child_binding.id:
            self.child_binding.commit()
            self.child_binding.id = id
            self.form.refresh()
            self.currentChanged.emit(id)

    def _switch(self, id: str, on: bool) -> None:
        part = ChildBinding(self._whole, self._collection, id)
        if (value := part.value()) is not None:
            part.write(msgspec.structs.replace(value, enabled=on), "")

    def _free_id(self, text: str) -> str:
        return unique_id(text, {part.id for part in children_of(self._whole, self._collection)}, "row")


class InspectorDock(Dock):
    """Shows one record of a certain type: the selected one, else the last shown, else the first.

    Subclasses define `kind`, `name` (the panel's id, also part of its word keys), `icon_name`, and either `form_layout`
    or `build`, which is called once, after the first paint. The visible parts of the form are built first, then the
    others one at a time. The panel also shows records of the `other_tables`.
    """

    kind: type[Record]
    icon_name: str
    form_layout: FormLayout
    other_tables: tuple[str, ...] = ()

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.binding = RecordBinding(document, self.kind)
        self._body: QtWidgets.QWidget | None = None
        self.parts: list[Form | ChildListEditor] = []
        self._coming: Iterator[Form | ChildListEditor] = iter(())
        self._building = single_shot_timer(self, self._build_next)
        self._built_for = ""
        self.empty = layout.EmptyState(self.icon_name, tr(f"ui.{self.name}.empty"), tr(f"ui.{self.name}.empty-step"))
        self.empty.clicked.connect(self.add)
        self.set_pages(QtWidgets.QWidget(), self.empty)  # the first page is shown until the form is built
        self._names: list[tuple[str, str]] = []
        self.choice = named(fields.ComboBox(), tr(f"ui.{self.name}.which"))
        self.choice.activated.connect(lambda row: document.select((self.kind.table, self._names[row][0])))
        document.follow(self.refresh, self.kind.table, *self.other_tables, replaced=self._reset)
        document.selected.connect(self._on_selected)

    # Implemented by subclasses -----------------------------------------------------------------------------------

    def build(self, context: FormContext, parent: QtWidgets.QWidget) -> Iterable[Form | ChildListEditor]:
        """Return or yield the parts of the form. Create widgets with their parent: reparenting them later is slow."""
        self.form = Form(self.form_layout, self.binding, context, parent)
        return (self.form,)

    def framed(self, area: QtWidgets.QScrollArea) -> QtWidgets.QWidget:
        """Return the widget below the combo box: the scrolling form, or a widget that contains it."""
        return area

    def add_buttons(self, row: QtWidgets.QHBoxLayout) -> None:
        """Add the buttons next to the combo box."""
        self.add_button = tool_button("plus", tr(f"ui.{self.name}.add"), self.add)
        layout.fill(row, self.add_button, tool_button("trash-can-outline", tr(f"ui.{self.name}.remove"), self.remove))

    def refresh_body(self) -> None:
        """Update the form."""
        for part in self.parts:
            part.refresh()

    def record_id_for(self, key: Key) -> str:
        """Return the id of the record to show for a selected key, or an empty string for other types of records."""
        return key[1] if key[0] == self.kind.table else ""

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
        self._body = QtWidgets.QWidget(self._stack)
        self._stack.addWidget(self._body)
        area, contents, self._column = layout.form_scroll_area(self._body, tr(f"ui.{self.name}.title"))
        head = layout.fill(layout.horizontal(spacing=SPACE, margins=(12, GAP, 12, GAP)), (self.choice, 1))
        self.add_buttons(head)
        outer = layout.fill(layout.vertical(self._body, spacing=0), head)
        # last, because it shows or hides buttons of the head, which need a parent
        layout.fill(outer, (self.framed(area), 1))
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
        if (part := self._build_part()) is not None:
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
        names = [(record.id, _name_of(record)) for record in records]
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
        self.show_new(library_transfer.add_new(self._document, self.name))

    def show_new(self, key: Key | None) -> None:
        """Edit a new record. Do nothing if `key` is None, because the record wasn't created."""
        if key is not None:
            self.edit_record(key)

    def remove(self) -> None:
        """Remove the shown record from the encounter."""
        if self.binding.value() is not None:
            self._document.execute(Remove(((self.kind.table, self.binding.id),)))

    def _focus_first(self) -> None:
        if isinstance(form := self.parts[0], Form):
            form.focus_first()

    def _reset(self) -> None:
        self.binding.id = ""
        if self._body is not None and self._built_for != self._document.rules.id:
            self._clear(self._body)
        self.refresh()

    def _clear(self, body: QtWidgets.QWidget) -> None:
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


def _name_of(record: Record) -> str:
    return getattr(record, "name", "") or getattr(record, "title", "") or id_as_words(record.id).capitalize()


HEADER_HEIGHT = 28


class CollapsibleSection(QtWidgets.QWidget):
    """A form in a collapsible card. Subclasses implement `build_form` (called once), `summary` and `toggle_text`."""

    def __init__(self, title: str, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self._card: layout.Card | None = None
        self.form: Form | None = None
        self.button: QtWidgets.QToolButton | None = None
        self.setMinimumHeight(scaled(HEADER_HEIGHT))
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Preferred, QtWidgets.QSizePolicy.Policy.Maximum)

    # Implemented by subclasses -----------------------------------------------------------------------------------

    def build_form(self, parent: QtWidgets.QWidget) -> Form:
        """Return the form."""
        raise NotImplementedError

    def refresh_content(self, form: Form) -> None:
        """Update the form."""
        form.refresh()

    def summary(self) -> str:
        """Return the text next to the title while the card is hidden."""
        return ""

    def toggle_text(self) -> str:
        """Return the accessible name of the heading's current action, "open" or "close"."""
        raise NotImplementedError

    # Shared by all subclasses ------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), scaled(HEADER_HEIGHT)))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.button is None:
            QTimer.singleShot(0, self, self.prepare)

    def prepare(self) -> None:
        """Build the heading unless it already exists."""
        if self.button is not None:
            return
        self.setMinimumHeight(0)
        self._column = layout.vertical(self, spacing=SPACE)
        self.button = text_button("chevron-right", self._title)
        self.button.setMinimumHeight(scaled(HEADER_HEIGHT))
        self.button.clicked.connect(lambda _on=False: self.set_open(not self.is_open()))
        self._summary = layout.ElidedLabel("", "caption", "muted")
        self._column.addLayout(layout.fill(layout.horizontal(), self.button, (self._summary, 1)))
        self.refresh()

    def is_open(self) -> bool:
        """Whether the card is shown."""
        return self._card is not None and not self._card.isHidden()

    def set_open(self, on: bool) -> None:
        """Show or hide the card. The form is built when the card is first shown."""
        self.prepare()
        if on and self._card is None:
            self._card = layout.Card(parent=self)
            self.form = self.build_form(self._card)
            self._card.body.addWidget(self.form)
            self._column.addWidget(self._card)
        if self._card is not None:
            self._card.setVisible(on)
        self.refresh()

    def refresh(self) -> None:
        """Update the heading, the summary and the form."""
        if self.button is None:
            return
        self.button.setIcon(icon("chevron-down" if self.is_open() else "chevron-right"))
        name_and_tip(self.button, self.toggle_text())
        self._summary.setText(self.summary())
        if self.form is not None and self.is_open():
            self.refresh_content(self.form)


class UnsupportedContentDialog(StandardDialog):
    """Lists the encounter's content that another rule system doesn't support, by kind, and asks for confirmation."""

    def __init__(self, name: str, lines: Sequence[str], parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(tr("ui.change-system.title", name=name), parent)
        lead = "ui.change-system.lead" if lines else "ui.change-system.all-carries-over"
        self.column.addWidget(plain_label(tr(lead, name=name), wraps=True))
        self.list = QtWidgets.QPlainTextEdit("\n".join(lines), readOnly=True, tabChangesFocus=True)
        self.list.setAccessibleName(tr("ui.change-system.list"))
        self.list.setVisible(bool(lines))
        self.column.addWidget(self.list, 1)
        yes = tr("ui.change-system.yes", name=name).replace("&", "&&")
        self.accept_button = self.add_answer(yes, self.accept, default=False)
        self.resize(scaled(520), scaled(320 if lines else 120))


def fill_systems(menu: QtWidgets.QMenu, document: DocumentModel, parent: QtWidgets.QWidget) -> None:
    """Fill a menu with the rule systems and tick the current one. Choosing another one changes the encounter."""
    for id in document.source.systems.ids:
        name = system_title(document.source.systems, id)
        fields.add_check(menu, name, partial(change_system, document, id, parent), checked=id == document.rules.id)


def change_system(document: DocumentModel, id: str, parent: QtWidgets.QWidget, _on: bool = False) -> None:
    """Show the content that another rule system doesn't support and, if the user accepts, change to that system.

    The change is one undo step. An empty encounter changes without a dialog.
    """
    game = document.source.systems.get(id)
    if game.id == document.rules.id:
        return
    scene = document.encounter.get(Scene, "scene") or Scene()
    if is_encounter_empty(document.encounter):
        seconds = game.default_round_seconds(scene.purpose)
        document.execute(Edit(msgspec.structs.replace(scene, system=game.id, round_seconds=seconds)))
        return
    dialog = UnsupportedContentDialog(
        system_title(document.source.systems, id), unsupported_content(document, game), parent
    )
    if dialog.exec() == QtWidgets.QDialog.DialogCode.Accepted:
        document.execute(Edit(msgspec.structs.replace(scene, system=game.id)))


def unsupported_content(document: DocumentModel, system: RuleSystem) -> list[str]:
    """Return a line for each type of content that only the current system supports, and one for a change of units."""
    already_unknown = set(creature_translation.find_unknown_ids(document.encounter, document.rules))
    unknown_ids = [
        id for id in creature_translation.find_unknown_ids(document.encounter, system) if id not in already_unknown
    ]
    lines = [
        _line(kind, [unknown for unknown in unknown_ids if unknown.kind == kind]) for kind in creature_translation.KINDS
    ]
    names = dict(creature_translation.renamed_creatures(document.rules.data, system.data))
    renamed = [f"{each.name} → {names[each.name]}" for each in document.encounter.all(Creature) if each.name in names]
    lines += [tr("ui.change-system.renamed", names=", ".join(renamed))] if renamed else []
    before, after = (dict(rules.data.terms).get("unit_long", "") for rules in (document.rules, system))
    units = [tr("ui.change-system.units", before=before, after=after)] if before and after and before != after else []
    return [line for line in (*lines, *units) if line]


def _line(kind: str, unknown_ids: Sequence[creature_translation.UnknownId]) -> str:
    if not unknown_ids:
        return ""
    ids = ", ".join(dict.fromkeys(unknown.id for unknown in unknown_ids))
    records = len({unknown.path[:2] for unknown in unknown_ids})
    return tr(f"ui.change-system.{kind.replace(' ', '-')}", ids=ids, n=records)
