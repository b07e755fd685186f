"""A form: a struct's fields in the rows and groups of a layout. It shows the struct of a binding and writes edits.

Groups of less common fields are shown if the struct uses them. The menu below the form adds groups. Removing a group
empties its fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any

import msgspec
import rtoml
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QHelpEvent, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from turnwright.encounter.field_specs import specs_by_name, specs_of
from turnwright.storage.field_texts import field_text
from turnwright.storage.resources import read_text
from turnwright.ui.forms.fields import CheckBoxField, ChoiceField, Field, NumberInput, PickField
from turnwright.ui.forms.kinds import Binding, FieldMaker, FieldRequest, FormContext, lines, make_field
from turnwright.ui.look.style import GAP, SPACE, current_words, escaped_tooltip, scaled, tr
from turnwright.ui.widgets.layout import STRETCH, FlowRow, HorizontalLine, SectionHeader, fill, horizontal, vertical
from turnwright.ui.widgets.text import plain_label, push_button, tool_button

LINE_HEIGHT = 28
NUMBER_WIDTH = 104
NARROW = 360  # px; width of a row in a 400 px panel
FIRST_CAPTION = "first-caption"


class Row(msgspec.Struct, frozen=True):
    """The names of fields that are side by side. `heading` is a word key and an icon.

    `shown_when` is called with the struct and the context, and decides whether the row is shown. `wraps` are the
    maximum number of fields per line and the minimum width of each field (px at 100 %).
    """

    names: tuple[str, ...]
    stretch: tuple[int, ...] = ()
    wraps: tuple[int, int] | None = None
    shown_when: Callable[[Any, FormContext], object] | None = None
    heading: tuple[str, str] | None = None
    captions: bool = True

    def stretch_of(self, name: str) -> int:
        """Return the share of the row's width that a field takes."""
        return self.stretch[self.names.index(name)] if self.stretch else 1


Rows = tuple[Row, ...]
Groups = Mapping[str, Rows]


class FormLayout(msgspec.Struct, frozen=True):
    """A form as data: the struct, its rows, and groups of rows.

    `words` is the key prefix for the texts of fields, and `captions` overrides the keys of captions. `fields` are
    functions that create special fields. `has` tests whether the game uses a field. `bare` returns the struct without
    content, if that differs from its defaults. `beside`: captions are next to the fields, not above. `flows`: rows also
    wrap, and each field is as wide as its contents.

    `settle(context, before, after, name)` returns the struct after the edit of a field, or None if the edit removes it.
    `enabled(value, name)` tests whether a field can be edited. `on_refresh(form, value)` updates widgets that depend on
    other fields.
    """

    struct: type[msgspec.Struct]
    rows: Rows = ()
    groups: Groups = msgspec.field(default_factory=dict)
    words: str = ""
    captions: Mapping[str, str] = msgspec.field(default_factory=dict)
    fields: Mapping[str, FieldMaker] = msgspec.field(default_factory=dict)
    has: Callable[[FormContext, str], bool] = lambda _context, _name: True
    settle: Callable[[FormContext, Any, Any, str], Any] = lambda _context, _before, after, _name: after
    enabled: Callable[[Any, str], bool] | None = None
    on_refresh: Callable[[Form, Any], object] | None = None
    bare: Callable[[FormContext], msgspec.Struct] | None = None
    beside: bool = False
    flows: bool = False


RowTests = Mapping[str, Callable[[Any, FormContext], object]]


@cache
def _form_tables() -> Mapping[str, Mapping[str, Any]]:
    return rtoml.loads(read_text("forms.toml"))


def form_layout(
    form: str, struct: type[msgspec.Struct], tests: RowTests = MappingProxyType({}), **more: Any
) -> FormLayout:
    """Return the layout of a form in `resources/forms.toml`, with its struct and functions.

    `tests` are the functions that the table names. `more` are further fields of the layout.
    """
    tall = {name: lines(*sizes) for name, sizes in _form_tables()[form].get("lines", {}).items()}
    more["fields"] = tall | more.get("fields", {})
    return FormLayout(struct, **{"rows": form_rows(form, tests=tests), "groups": form_groups(form, tests), **more})


def form_rows(form: str, part: str = "rows", tests: RowTests = MappingProxyType({})) -> Rows:
    """Return the rows of a form, or of a `part` of it."""
    return tuple(_row(row, tests) for row in _form_tables()[form].get(part, ()))


def form_words(form: str, part: str) -> tuple[str, ...]:
    """Return a list of words of a form, such as the names of fields."""
    return tuple(_form_tables()[form][part])


def form_groups(form: str, tests: RowTests = MappingProxyType({})) -> Groups:
    """Return the groups of rows of a form by id."""
    groups = _form_tables()[form].get("groups", {})
    return {id: tuple(_row(row, tests) for row in rows) for id, rows in groups.items()}


def _row(data: str | Mapping[str, Any], tests: RowTests) -> Row:
    row = {"fields": data} if isinstance(data, str) else dict(data)
    names, shown = row.pop("fields").split(), row.pop("shown", "")
    return Row(tuple(names), shown_when=tests.get(shown, shown_if(shown)) if shown else None, **row)


def shown_if(text: str) -> Callable[[Any, FormContext], bool]:
    """Return a function that tests a struct, in the notation of `resources/forms.toml`: `save half`, `at=wave,round`."""
    tests = [re.fullmatch(r"([\w-]+)(?:(!?=)(\S+))?", test) for test in text.split()]

    def holds(struct: Any, field: str, sign: str | None, values: str) -> bool:
        value = getattr(struct, field)
        return (value in values.split(",")) == (sign == "=") if sign else bool(value)

    return lambda struct, _context: any(holds(struct, *test.groups()) for test in tests if test)


class Form(QWidget):
    """A form for a layout, bound to a struct."""

    def __init__(self, layout: FormLayout, binding: Binding, context: FormContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.layout_data = layout
        self.binding = binding
        self.context = context
        self.fields: dict[str, Field] = {}
        self._specs = specs_by_name(layout.struct)
        self._words = layout.words or f"ui.{next(iter(self._specs.values())).label.partition('.')[0]}"
        self._rows_of: dict[str, QWidget] = {}
        self._places: dict[str, QWidget] = {}
        self._shown_when: list[tuple[QWidget, Callable[[Any, FormContext], object]]] = []
        self._bare = layout.bare(context) if layout.bare else bare_struct(layout.struct)
        self.column = vertical(self, spacing=SPACE + 2 if layout.beside else GAP)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        for row in layout.rows:
            self.add_row(row)
        beside = self.findChildren(QLabel, FIRST_CAPTION)
        for label in beside:
            label.setMinimumWidth(max(caption.sizeHint().width() for caption in beside))
        self._groups = {id: names for id, rows in layout.groups.items() if (names := self._names(rows))}
        self._open: set[str] = set()
        self._identity = ""
        self._holders: dict[str, QWidget] = {}
        if self._groups:
            self._add_groups()

    def event(self, event: QEvent) -> bool:
        """Show the description of the field below the pointer, unless the field has its own tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), escaped_tooltip(self.tip_at(event.pos())), self)
            return True
        return super().event(event)

    def tip_at(self, position: QPoint) -> str:
        """Return the description of the field at a position, or an empty string."""
        child = self.childAt(position)
        over = (name for name, place in self._places.items() if child and (place is child or place.isAncestorOf(child)))
        return field_text(self.layout_data.struct, next(over, ""))

    def add_row(self, row: Row, column: QVBoxLayout | None = None) -> QWidget | None:
        """Add a row with the fields that the game uses. Return its widget, or None if the game uses none of them."""
        column = column or self.column
        names = self._names((row,))
        if not names:
            return None
        if row.heading is not None:
            column.addWidget(SectionHeader(tr(row.heading[0]), row.heading[1]))
        captions = {name: self._caption(name) if row.captions else "" for name in names}
        controls = {name: self._field(name) for name in names}
        holder: QWidget
        if self.layout_data.flows and len(names) > 1:
            holder = self._flow_row(captions, controls)
        elif row.wraps:
            holder = WrappingRow(*row.wraps, self)
        elif self._stacks(captions, controls):
            holder = WrappingRow(len(names), 0, self, stretch=[*map(row.stretch_of, names)])
        else:
            holder = QWidget(self)
        if not isinstance(holder, FlowRow):
            self._fill_row(row, holder, captions, controls)
        column.addWidget(holder)
        self._rows_of |= dict.fromkeys(names, holder)
        if row.shown_when is not None:
            self._shown_when.append((holder, row.shown_when))
        return holder

    def _flow_row(self, captions: Mapping[str, str], controls: Mapping[str, Field]) -> FlowRow:
        """Return a row that wraps, with each caption next to its field."""
        row = FlowRow(self, roomy=True)
        for name, control in controls.items():
            self._places[name] = _beside_caption(captions[name], control, row, first=False, centred=True)
            control.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            if isinstance(control, ChoiceField):
                control.box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
                control.box.setSizeAdjustPolicy(control.box.SizeAdjustPolicy.AdjustToContents)
            row.add(self._places[name])
        return row

    def _fill_row(self, row: Row, holder: QWidget, captions: Mapping[str, str], controls: Mapping[str, Field]) -> None:
        names = tuple(controls)
        grid = holder.grid if isinstance(holder, WrappingRow) else QHBoxLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(scaled(GAP))
        for name, control in controls.items():
            if self.layout_data.beside:
                first = name == names[0] and row.captions
                place = _beside_caption(captions[name], control, holder, first=first, centred=self.layout_data.flows)
            else:
                place = with_caption(captions[name], control, holder, level=any(captions.values()))
            self._places[name] = place
            if not captions[name] and not isinstance(control, CheckBoxField):
                control.set_name(self._caption(name))
            if isinstance(holder, WrappingRow):
                holder.add(place)
            elif isinstance(grid, QHBoxLayout):
                narrow = self.layout_data.beside and isinstance(control, NumberInput | CheckBoxField)
                grid.addWidget(place, 0 if narrow else row.stretch_of(name))
        if isinstance(grid, QHBoxLayout) and not any(grid.stretch(place) for place in range(grid.count())):
            grid.addStretch(1)

    def _stacks(self, captions: Mapping[str, str], controls: Mapping[str, Field]) -> bool:
        """Whether a row's fields are stacked if the form is narrow. Rows of numbers and check boxes aren't."""
        wide = (control for control in controls.values() if not isinstance(control, NumberInput | CheckBoxField))
        return len(controls) > 1 and any(captions.values()) and any(wide) and not self.layout_data.beside

    def refresh(self) -> None:
        """Show the current struct. Groups opened by the user stay open until the form shows another struct."""
        value = self.binding.value()
        self.setEnabled(value is not None)
        if self._groups:
            self._refresh_groups(value)
        if value is None:
            return
        for holder, when in self._shown_when:
            holder.setVisible(bool(when(value, self.context)))
        identity, enabled, letters = self.binding.identity, self.layout_data.enabled, iter(ascii_lowercase)
        for name, control in self.fields.items():
            control.set_identity(f"{identity}.{name}")
            if isinstance(control, PickField) and not control.isHidden():
                control.letters = letters
            control.show_value(getattr(value, name))
            if enabled is not None:
                control.setEnabled(enabled(value, name))
        if self.layout_data.on_refresh is not None:
            self.layout_data.on_refresh(self, value)

    def is_shown(self, name: str) -> bool:
        """Whether a field's row is shown for the current struct."""
        holder = self._rows_of.get(name)
        return holder is None or not holder.isHidden()

    def show_in_row(self, name: str, *, shown: bool) -> None:
        """Show or hide one field of a row with its caption, or the row if it has only this field."""
        is_alone = list(self._rows_of.values()).count(self._rows_of[name]) == 1
        (self._rows_of if is_alone else self._places)[name].setVisible(shown)

    def entered(self) -> Any:
        """Return the entered struct. Hidden fields are emptied."""
        unused = {name: getattr(self._bare, name) for name in self.fields if not self.is_shown(name)}
        return msgspec.structs.replace(self.binding.value(), **unused)

    def focus_first(self) -> None:
        """Focus the first field. Its text is selected, as by Tab."""
        next(iter(self.fields.values())).setFocus(Qt.FocusReason.TabFocusReason)

    def _names(self, rows: Rows) -> tuple[str, ...]:
        """Return the fields in these rows that the game uses and that aren't in an earlier row."""
        names = (name for row in rows for name in row.names if name not in self.fields)
        return tuple(name for name in names if self.layout_data.has(self.context, name))

    def _caption(self, name: str) -> str:
        """Return a field's caption. It is empty if the field has none or is a check box, which shows its own."""
        key = self.layout_data.captions.get(name, self._key(name))
        return tr(key) if self._specs[name].kind != "flag" and key in current_words() else ""

    def _key(self, name: str) -> str:
        return f"{self._words}.{self._specs[name].label.partition('.')[2]}"

    def _field(self, name: str) -> Field:
        request = FieldRequest(self._specs[name], self._key(name), self.context, self.binding)
        control = self.layout_data.fields.get(name, make_field)(request)
        self.fields[name] = control
        control.edited.connect(lambda value: self._edit(name, value))
        control.editingFinished.connect(self.binding.commit)
        return control

    def _edit(self, name: str, value: Any) -> None:
        if (before := self.binding.value()) is not None and getattr(before, name) != value:
            after = msgspec.structs.replace(before, **{name: value})
            self.binding.write(self.layout_data.settle(self.context, before, after, name), name)

    # Groups ----------------------------------------------------------------------------------------------------------

    def groups(self) -> tuple[str, ...]:
        """Return the ids of the visible groups."""
        return tuple(id for id in self._groups if id in self._open)

    def group_title(self, id: str) -> str:
        """Return the title of a group. It can differ if the game doesn't use all of the fields."""
        field_names = [name for row in self.layout_data.groups[id] for name in row.names]
        missing = (name.replace("_", "-") for name in field_names if name not in self._groups[id])
        keys = [f"{self._words}.group-{id}-without-{name}" for name in missing]
        return tr(next((key for key in keys if key in current_words()), f"{self._words}.group-{id}"))

    def open_group(self, id: str) -> None:
        """Show a group and focus its first field."""
        self._open.add(id)
        self.refresh()
        self.fields[self._groups[id][0]].setFocus()
        QTimer.singleShot(0, self, partial(self._bring_into_sight, self._holders[id]))

    def show_field(self, name: str) -> None:
        """Focus a field. If it is in a group, open the group."""
        if group := next((id for id, names in self._groups.items() if name in names), ""):
            self.open_group(group)
        if name in self.fields and self.is_shown(name):
            self.fields[name].setFocus()
            QTimer.singleShot(0, self, partial(self._bring_into_sight, self.fields[name]))

    def remove_group(self, id: str) -> None:
        """Empty all fields of a group and hide it."""
        value = self.binding.value()
        self.binding.commit()
        self._open.discard(id)
        if value is not None:
            empty = {name: getattr(self._bare, name) for name in self._groups[id]}
            self.binding.write(msgspec.structs.replace(value, **empty), "")
        self.refresh()
        self.more.setFocus()

    def _add_groups(self) -> None:
        for id in self._groups:
            self._holders[id] = QWidget(self)
            self._holders[id].hide()
            self.column.addWidget(self._holders[id])
        self.more = push_button(tr("ui.editing.more"), lambda: None, "quiet", "plus")
        self.menu = QMenu(self.more)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.more.setMenu(self.menu)
        self.column.addLayout(fill(QHBoxLayout(), self.more, STRETCH))

    def _refresh_groups(self, value: Any) -> None:
        if self.binding.identity != self._identity:
            self._identity = self.binding.identity
            self._open.clear()
        if value is not None:
            self._open |= {id for id in self._groups if self._is_used(id, value)}
        for id, holder in self._holders.items():
            if id in self._open and holder.layout() is None:
                self._build_group(id, holder)
            holder.setVisible(id in self._open)
        self.more.setVisible(len(self._open) < len(self._groups))

    def _build_group(self, id: str, holder: QWidget) -> None:
        title = self.group_title(id)
        remove = tool_button("close", tr("ui.editing.leave-out", what=title), lambda: self.remove_group(id))
        head = fill(QHBoxLayout(), (plain_label(title, "strong"), 1), remove)
        column = fill(vertical(holder), HorizontalLine(holder), head)
        for row in self.layout_data.groups[id]:
            self.add_row(row, column)

    def _is_used(self, id: str, value: Any) -> bool:
        return any(getattr(value, name) != getattr(self._bare, name) for name in self._groups[id])

    def _fill_menu(self) -> None:
        self.menu.clear()
        for id in self._groups:
            if id not in self._open:
                self.menu.addAction(self.group_title(id), partial(self.open_group, id))

    def _bring_into_sight(self, holder: QWidget) -> None:
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None:
            area.ensureWidgetVisible(holder, 0, scaled(GAP))


class WrappingRow(QWidget):
    """A row of widgets that wraps to fit their minimum width. Without `stretch`, all widgets have the same width.

    With `stretch`, each widget of a narrow row has its own line.
    """

    def __init__(
        self, max_per_line: int, min_width: int, parent: QWidget | None = None, *, stretch: Sequence[int] = ()
    ) -> None:
        super().__init__(parent)
        self._most = max_per_line
        self._least = min_width
        self._stretch = stretch
        self._columns = max_per_line
        self._widgets: list[QWidget] = []
        self.grid = QGridLayout(self)

    def add(self, widget: QWidget) -> None:
        """Append a widget."""
        self._widgets.append(widget)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._stretch:
            columns = 1 if self.width() < scaled(NARROW) else self._most
        else:
            columns = max(1, min(self._most, self.width() // scaled(self._least)))
        lines = -(-len(self._widgets) // columns)
        columns = -(-len(self._widgets) // lines) if lines else columns  # balance the lines: 2 + 2 instead of 3 + 1
        if columns != self._columns:
            self._columns = columns
            self._lay_out()

    def _lay_out(self) -> None:
        for place, widget in enumerate(self._widgets):
            self.grid.addWidget(widget, place // self._columns, place % self._columns)
        for column in range(self._most):
            stretch = self._stretch[column] if self._stretch else 1
            self.grid.setColumnStretch(column, stretch if column < self._columns else 0)


def with_caption(text: str, control: Field, parent: QWidget, *, level: bool = False) -> QWidget:
    """Put a caption above a field. `level` aligns a check box with neighbours that have captions."""
    holder = QWidget(parent)
    column = QGridLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setVerticalSpacing(scaled(SPACE) // 2)
    if text:
        label = plain_label(text, "caption", "muted")
        label.setBuddy(control)
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        column.addWidget(label, 0, 0)
        control.set_name(text)
    elif isinstance(control, CheckBoxField):
        control.set_name(control.box.text())
        if level:
            column.addWidget(plain_label(" ", "caption"), 0, 0)
            control.setMinimumHeight(scaled(LINE_HEIGHT))
    column.addWidget(control, 1, 0)
    column.setRowStretch(2, 1)
    holder.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return holder


def _beside_caption(text: str, control: Field, parent: QWidget, *, first: bool, centred: bool = False) -> QWidget:
    """Put a caption next to a field, at its top or `centred`. The first fields of all rows are aligned."""
    holder = QWidget(parent)
    row = horizontal(holder)
    if text or first:
        label = plain_label(text, "caption", "muted")
        label.setContentsMargins(0, 0 if centred else scaled(6), 0, 0)
        label.setObjectName(FIRST_CAPTION if first else "")
        row.addWidget(label, 0, Qt.AlignmentFlag.AlignVCenter if centred else Qt.AlignmentFlag.AlignTop)
    row.addWidget(control, 1)
    if text:
        control.set_name(text)
    elif isinstance(control, CheckBoxField):
        control.set_name(control.box.text())
    if isinstance(control, NumberInput):
        control.setFixedWidth(scaled(NUMBER_WIDTH))
    return holder


def bare_struct(struct: type[msgspec.Struct]) -> msgspec.Struct:
    """Return a struct without content: required choices have their first option, and required numbers are 0."""
    required = [spec for spec in specs_of(struct) if spec.required]
    return struct(**{spec.name: 0 if spec.kind == "number" else next(iter(spec.options), "") for spec in required})
