"""The dialog of a manual command: fields, the reason why it is refused, and one button that executes it.

The dialog knows kinds of fields and not their purpose; a `ManualCommandForm` gives fields and command.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QGridLayout, QLineEdit, QWidget

from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.refusals import Refused
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import GAP, GROUP_GAP, scaled
from turnwright.ui.translations import tr
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.layout import horizontal, vertical
from turnwright.ui.widgets.pick_row import PickOption, PickRow
from turnwright.ui.widgets.text import plain_label, push_button, restyle

Value = str | int | bool | tuple[str, ...] | None
Values = Mapping[str, Value]
Options = tuple[tuple[str, str], ...]
Kind = Literal["combatants", "choice", "number", "text", "tick"]
BLANK = "–"
WIDTH = 520


@dataclass(frozen=True)
class ManualField:
    """One field. `value` is its default: ids, an id, a number or None, text, a tick.

    `of` is the subject of the value: when it changes, the entered value is dropped.
    """

    id: str
    kind: Kind
    value: Value = ""
    options: Options = ()
    minimum: int = 0
    maximum: int = 999
    unit: str = ""
    hint: str = ""
    of: str = ""


class ManualCommandForm(Protocol):
    """A manual command's fields: `ui.manual.<id>` is the dialog's title, `ui.manual.<id>-do` the button's text."""

    id: ClassVar[str]

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        """Return the fields of the form, given the values entered."""

    def command(self, values: Values) -> Command | None:
        """Return the command for the values, None while something is missing."""


class ManualCommandDialog(QDialog):
    """The dialog of one manual command. Enter executes it, Esc closes; a refusal stands beside the button."""

    def __init__(self, bridge: DocumentModel, form: ManualCommandForm, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._act = form
        self._entered: dict[tuple[str, str], Value] = {}
        self._values: dict[str, Value] = {}
        self._widgets: dict[str, QWidget] = {}
        self._may_insist = False
        self.setWindowTitle(tr(f"ui.manual.{form.id}"))
        column = vertical(self, spacing=GROUP_GAP, margins=GROUP_GAP)
        column.addWidget(plain_label(tr(f"ui.manual.{form.id}-lead"), tone="muted", wraps=True))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(scaled(GROUP_GAP))
        self._grid.setVerticalSpacing(scaled(GAP))
        self._grid.setColumnStretch(1, 1)
        column.addLayout(self._grid)
        self.refusal = plain_label("", "caption", "muted", wraps=True)
        column.addWidget(self.refusal)
        column.addStretch(1)
        row = horizontal()
        row.addStretch(1)
        row.addWidget(push_button(tr("ui.general.cancel"), self.reject))
        self.button = push_button("", self.submit, "primary", "check-bold")
        self.button.setDefault(True)
        row.addWidget(self.button)
        column.addLayout(row)
        self.setFixedWidth(scaled(WIDTH))
        self.refresh()
        self._bridge.changed.connect(self.refresh)
        self._bridge.documentChanged.connect(self.reject)
        first = next(iter(self._widgets.values()), self.button)
        first.take_focus() if isinstance(first, PickRow) else first.setFocus()

    @property
    def values(self) -> Values:
        """The contents of the fields."""
        return self._values

    def field(self, id: str) -> QWidget:
        """Return the widget of a field; KeyError where there is none."""
        return self._widgets[id]

    def set_value(self, id: str, value: Value) -> None:
        """Enter a value in a field."""
        self._entered[id, self._of[id]] = value
        self.refresh()

    def submit(self) -> None:
        """Execute the command, against the rules where a person insists, and close."""
        command = self._act.command(self._values)
        if command is not None and self._bridge.execute(command, override=self._may_insist):
            self.accept()

    def refresh(self, *_: object) -> None:
        """Update the fields, and whether the command is refused."""
        items = self._settled_items()
        self._of = {item.id: item.of for item in items}
        if list(self._widgets) != [item.id for item in items]:
            self._lay_out(items)
        for item in items:
            self._show(item)
        self._judge()
        self._fit()

    def _fit(self) -> None:
        """Set the height that the fields need at this width."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.setMinimumHeight(0)
            self.resize(self.width(), layout.totalHeightForWidth(scaled(WIDTH)))

    def _settled_items(self) -> tuple[ManualField, ...]:
        """Return the fields once those that depend on others have followed them."""
        items: tuple[ManualField, ...] = ()
        for _ in range(3):
            items = self._act.fields(self._values)
            self._values = {item.id: self._value_of(item) for item in items}
        return items

    def _value_of(self, item: ManualField) -> Value:
        value = self._entered.get((item.id, item.of), item.value)
        known = {id for id, _ in item.options}
        if isinstance(value, tuple):
            return tuple(id for id in value if id in known)
        return value if item.kind != "choice" or value in known else item.value

    def _judge(self) -> None:
        command = self._act.command(self._values)
        text, self._may_insist = self._refused(command) if command is not None else (tr("ui.manual.missing"), False)
        self.refusal.setText(text)
        tone = "harm" if text and command is not None else "muted"
        if self.refusal.property("tone") != tone:
            self.refusal.setProperty("tone", tone)
            restyle(self.refusal)
        self.button.setText(tr("ui.refused.anyway") if self._may_insist else tr(f"ui.manual.{self._act.id}-do"))
        self.button.setEnabled(not text or self._may_insist)

    def _refused(self, command: Command) -> tuple[str, bool]:
        try:
            self._bridge.document.session.preview(command)
        except Refused as no:
            return self._bridge.phrasebook.refusal_text(no), no.can_be_overridden
        return "", False

    # Fields --------------------------------------------------------------------------------------------------------

    def _lay_out(self, items: tuple[ManualField, ...]) -> None:
        while self._grid.count():
            place = self._grid.takeAt(0)
            widget = place.widget() if place is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._widgets = {}
        for row, item in enumerate(items):
            label = tr(f"ui.manual.field-{item.id}")
            self._widgets[item.id] = widget = self._widget(item, label)
            widget.setAccessibleName(label)
            if item.kind != "tick":
                caption = plain_label(label, "caption", "muted")
                caption.setContentsMargins(0, scaled(6), 0, 0)
                self._grid.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            left = item.kind == "number"
            self._grid.addWidget(widget, row, 1, Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag(0))

    def _widget(self, item: ManualField, label: str) -> QWidget:
        if item.kind == "combatants":
            row = PickRow(label, many=True)
            row.picked.connect(lambda: self.set_value(item.id, row.chosen()))
            return row
        if item.kind == "choice":
            box = QComboBox()
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.activated.connect(lambda at: self.set_value(item.id, box.itemData(at)))
            return box
        if item.kind == "number":
            number = NumberField(item.minimum, item.maximum, item.unit, "" if isinstance(item.value, int) else BLANK)
            number.setMinimumWidth(scaled(96))
            number.valueEdited.connect(lambda value: self.set_value(item.id, value))
            return number
        if item.kind == "tick":
            tick = QCheckBox(label)
            tick.clicked.connect(lambda on: self.set_value(item.id, on))
            return tick
        line = QLineEdit()
        line.setPlaceholderText(item.hint)
        line.textEdited.connect(lambda text: self.set_value(item.id, text))
        return line

    def _show(self, item: ManualField) -> None:
        widget, value = self._widgets[item.id], self._values[item.id]
        if isinstance(widget, PickRow):
            widget.set_picks(
                [PickOption(id, name) for id, name in item.options], value if isinstance(value, tuple) else ()
            )
        elif isinstance(widget, QComboBox):
            now = tuple((widget.itemData(at), widget.itemText(at)) for at in range(widget.count()))
            if now != item.options:
                widget.clear()
                for id, name in item.options:
                    widget.addItem(name, id)
            widget.setCurrentIndex(widget.findData(value))
        elif isinstance(widget, NumberField):
            widget.set_number(value if isinstance(value, int) else None)
        elif isinstance(widget, QCheckBox):
            widget.setChecked(bool(value))
        elif isinstance(widget, QLineEdit) and widget.text() != value:
            widget.setText(str(value or ""))
