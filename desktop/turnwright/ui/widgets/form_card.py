"""A form on a card for the options of an action (targets, variant, cost), made from plain data.

One widget serves every action: it knows kinds of fields and not their purpose. Enter submits, Esc closes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QWidget

from turnwright.ui.fonts import GAP, SPACE, scaled
from turnwright.ui.translations import tr
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.explanation import Explanation
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.icon_label import IconLabel
from turnwright.ui.widgets.layout import ElidedLabel, horizontal
from turnwright.ui.widgets.pick_row import PickOption, PickRow
from turnwright.ui.widgets.tab_order import tab_through
from turnwright.ui.widgets.text import plain_label, push_button, restyle, tool_button
from turnwright.ui.widgets.why import WhyLabel

Value = str | int | bool | tuple[str, ...] | None
FieldKind = Literal["pick", "picks", "text", "number", "tick"]


@dataclass(frozen=True)
class FormField:
    """One field. `value` is its contents: ids of picks, a text, a number (None: blank), or a tick.

    `same_row`: on the line of the previous field. `optional`: the focus skips it, and a pick may be cleared.
    """

    id: str
    label: str
    kind: FieldKind
    value: Value = ""
    picks: tuple[PickOption, ...] = ()
    hint: str = ""
    minimum: int = 0
    maximum: int = 999
    unit: str = ""
    same_row: bool = False
    optional: bool = False


@dataclass(frozen=True)
class FormView:
    """An action with its fields. `refused` is the reason why the rules are against it as it is filled in.

    `missing` names the field to fill in first; `button_text` stands on the button.
    """

    title: str
    icon: str
    button_text: str
    fields: tuple[FormField, ...] = ()
    text: str = ""
    refused: str = ""
    can_override: bool = False
    missing: str = ""
    why: Callable[[], Explanation] | None = field(default=None, compare=False)


class FormCard(Card):
    """`changed(values)` while a person fills it in, `submitted(values, anyway)`, `closed` by Esc or its cross."""

    changed = Signal(object)
    submitted = Signal(object, bool)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("accent", parent)
        self._view = FormView("", "", "")
        self._values: dict[str, Value] = {}
        self._widgets: dict[str, QWidget] = {}
        self._labels: dict[str, QLabel] = {}
        self._lines: list[QHBoxLayout] = []
        self.body.setContentsMargins(scaled(16), scaled(8), scaled(8), scaled(10))
        head = horizontal()
        self._glyph = IconLabel("help-circle-outline", "accent")
        self._title = ElidedLabel(role="strong")
        self.rule = WhyLabel(tr("ui.prompt.rule"), "caption", "muted")
        head.addWidget(self._glyph)
        head.addWidget(self._title, 1)
        head.addWidget(self.rule)
        head.addWidget(tool_button("close", tr("ui.turn.close-form"), self.closed.emit))
        self.body.addLayout(head)
        self._text = ElidedLabel(role="caption")
        self._text.setProperty("tone", "muted")
        self.body.addWidget(self._text)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(scaled(GAP))
        self._grid.setVerticalSpacing(scaled(SPACE + 1))
        self._grid.setColumnStretch(1, 1)
        self.body.addLayout(self._grid)
        foot = horizontal()
        self.button = push_button("", self.submit, "primary", "check")
        self._refused = plain_label("", "caption", "harm", wraps=True)
        foot.addWidget(self.button)
        foot.addWidget(self._refused, 1)
        self.body.addLayout(foot)

    @property
    def view(self) -> FormView:
        """The form shown."""
        return self._view

    def values(self) -> Mapping[str, Value]:
        """Return the contents of the fields."""
        return self._values

    def set_view(self, view: FormView) -> None:
        """Set a form or an update of it: fields that stay keep their widgets, and with them the focus."""
        view = _lettered(view)
        fresh = [(one.id, one.kind) for one in view.fields] != [(one.id, one.kind) for one in self._view.fields]
        self._view = view
        self._glyph.set_icon(view.icon, "accent")
        self._title.setText(view.title)
        self._text.setText(view.text)
        self._text.setVisible(bool(view.text))
        self.rule.set_why(view.why)
        self.rule.setVisible(view.why is not None)
        self.setAccessibleName(view.title)
        if fresh:
            self._lay_out(view)
        self._values = {one.id: one.value for one in view.fields}
        for one in view.fields:
            self._labels[one.id].setText(one.label)
            self._show(one)
        self.button.setText(tr("ui.turn.anyway") if view.refused and view.can_override else view.button_text)
        self.button.setEnabled(not view.missing and (not view.refused or view.can_override))
        self._refused.setText(view.refused or view.missing)
        tone = "harm" if view.refused else "muted"
        if self._refused.property("tone") != tone:
            self._refused.setProperty("tone", tone)
            restyle(self._refused)

    def field(self, id: str) -> QWidget:
        """Return the widget of a field; KeyError where there is none."""
        return self._widgets[id]

    def picks(self, id: str) -> PickRow:
        """Return the row of choices of a field."""
        row = self._widgets[id]
        assert isinstance(row, PickRow)
        return row

    def explain(self) -> bool:
        """Show the rules of the action; return False where there are none."""
        return self.rule.explain()

    def take_focus(self) -> None:
        """Set the focus on the first empty field, else on the button."""
        for one in self._view.fields:
            if not one.value and one.kind != "tick" and not one.optional:
                self._focus(one.id)
                return
        first = next(iter(self._widgets), None)
        if first is not None:
            self._focus(first)
        else:
            self.button.setFocus(Qt.FocusReason.OtherFocusReason)

    def submit(self) -> None:
        """Submit the form, if nothing is missing."""
        if self.button.isEnabled():
            self.submitted.emit(dict(self._values), bool(self._view.refused))
        elif self._view.missing:
            self.take_focus()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._row_for(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self._row_for(event)
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.submit()
        elif event.key() == Qt.Key.Key_Question and self._view.why is not None:
            self.explain()
        elif row is not None:
            row.choose_by_key(event.text())
        else:
            super().keyPressEvent(event)

    # Pieces --------------------------------------------------------------------------------------------------------

    def _row_for(self, event: QKeyEvent) -> PickRow | None:
        """Return the row of choices that has a letter: the focused row before the others."""
        rows = [row for row in self._widgets.values() if isinstance(row, PickRow)]
        rows.sort(key=lambda row: not any(each.hasFocus() for each in row.buttons()))
        if not any(each.hasFocus() for row in rows for each in row.buttons()):
            return None
        letter = event.text()
        return next((row for row in rows if any(letter and each.pick.key == letter for each in row.buttons())), None)

    def _focus(self, id: str) -> None:
        widget = self._widgets[id]
        if isinstance(widget, PickRow):
            widget.take_focus()
        else:
            widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out(self, view: FormView) -> None:
        wanted = {one.id: one.kind for one in view.fields}
        kinds = {"pick": PickRow, "picks": PickRow, "text": QLineEdit, "number": NumberField, "tick": QCheckBox}
        for id in list(self._widgets):
            if id not in wanted or not isinstance(self._widgets[id], kinds[wanted[id]]):
                for widget in (self._widgets.pop(id), self._labels.pop(id)):
                    widget.hide()
                    widget.deleteLater()
        for line in self._lines:
            self._grid.removeItem(line)
        self._lines = []
        widgets: dict[str, QWidget] = {}
        for one in view.fields:
            if one.id not in self._widgets:
                self._labels[one.id] = plain_label(one.label, "caption", "muted")
                self._labels[one.id].setContentsMargins(0, scaled(3), 0, 0)
                self._widgets[one.id] = self._widget(one)
            widgets[one.id] = self._widgets[one.id]
            self._place(one)
        self._widgets = widgets
        tab_through(self.rule, [*widgets.values(), self.button])

    def _place(self, one: FormField) -> None:
        """Place a field on a line of its own, its label before it, or at the end of the last line."""
        label, widget = self._labels[one.id], self._widgets[one.id]
        if not one.same_row or not self._lines:
            line = horizontal()
            self._lines.append(line)
            place = len(self._lines) - 1
            self._grid.addWidget(label, place, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
            self._grid.addLayout(line, place, 1)
        elif one.label:
            self._lines[-1].addWidget(label)
        self._lines[-1].addWidget(widget, 0 if one.kind in ("tick", "number") else 1)
        for each in (label, widget):  # shown now, so that it can take the focus
            each.show()

    def _widget(self, one: FormField) -> QWidget:
        if one.kind in ("pick", "picks"):
            row = PickRow(one.label, many=one.kind == "picks")
            row.optional = one.optional
            row.picked.connect(lambda id=one.id, row=row: self._say(id, row.chosen()))
            return row
        if one.kind == "number":
            number = NumberField(one.minimum, one.maximum, one.unit, tr("ui.turn.blank"))
            number.setMaximumWidth(scaled(120))
            number.setAccessibleName(one.label)
            number.valueEdited.connect(lambda value, id=one.id: self._say(id, value))
            return number
        if one.kind == "tick":
            tick = QCheckBox(one.hint)
            tick.setAccessibleName(one.label or one.hint)
            tick.clicked.connect(lambda on, id=one.id: self._say(id, on))
            return tick
        line = QLineEdit()
        line.setPlaceholderText(one.hint)
        line.setAccessibleName(one.label)
        line.textEdited.connect(lambda text, id=one.id: self._say(id, text))
        return line

    def _show(self, one: FormField) -> None:
        widget = self._widgets[one.id]
        if isinstance(widget, PickRow):
            widget.set_picks(one.picks, one.value if isinstance(one.value, tuple) else ())
        elif isinstance(widget, NumberField):
            widget.set_number(one.value if isinstance(one.value, int) else None)
        elif isinstance(widget, QCheckBox):
            widget.setChecked(bool(one.value))
        elif isinstance(widget, QLineEdit) and widget.text() != one.value:
            widget.setText(str(one.value or ""))

    def _say(self, id: str, value: Value) -> None:
        self._values[id] = value
        self.changed.emit(dict(self._values))


def _lettered(view: FormView) -> FormView:
    """Return a form whose lettered picks have unique letters over all its rows."""
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    fields = tuple(
        replace(one, picks=tuple(replace(pick, key=next(letters, "") if pick.key else "") for pick in one.picks))
        for one in view.fields
    )
    return replace(view, fields=fields)
