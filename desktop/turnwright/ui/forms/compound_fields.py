"""Fields for values with several parts: ability scores, named numbers, and several options from a list."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QWidgetAction

from turnwright.encounter.prepared import NamedNumbers
from turnwright.rules.parts.combatants.facts import split_value
from turnwright.rules.system_data.numbers import AbilityScale
from turnwright.rules.word_keys import signed_text
from turnwright.ui.forms.fields import Field, NumberInput, Options
from turnwright.ui.look.style import GAP, SPACE, escaped_tooltip, scaled, tr
from turnwright.ui.widgets.fields import CheckMenu, ComboBox, add_check, with_options
from turnwright.ui.widgets.layout import grid_layout
from turnwright.ui.widgets.text import PushButton, discard, named, plain_label, tool_button

DEFAULT_AMOUNT = 5
MOST = 999


class NumbersField(Field):
    """The base class of fields for named numbers, each in its own box."""

    def __init__(self) -> None:
        super().__init__()
        self._boxes: dict[str, NumberInput] = {}
        self._value: NamedNumbers = ()

    def box(self, id: str) -> NumberInput:
        """Return the box of a number. Raise KeyError if it doesn't exist."""
        return self._boxes[id]

    def set_name(self, name: str) -> None:
        """Do nothing, because each box has its own name."""

    def add_box(self, id: str, name: str, box: NumberInput) -> None:
        """Add a box for a number."""
        box.set_name(name)
        box.edited.connect(lambda number: self.set_number(id, number))
        box.editingFinished.connect(self.editingFinished)
        self._boxes[id] = box
        if self.focusProxy() is None:
            self.setFocusProxy(box)

    def set_number(self, id: str, number: int | None) -> None:
        """Change one number, or remove it if it is None, and emit all numbers."""
        numbers = {name: value for name, value in (dict(self._value) | {id: number}).items() if value is not None}
        order = [*self._boxes, *numbers]
        self.emit_numbers(tuple(sorted(numbers.items(), key=lambda pair: order.index(pair[0]))))

    def emit_numbers(self, numbers: NamedNumbers) -> None:
        """Emit the edited numbers as the field's value."""
        self.edited.emit(numbers)


class AbilitiesField(NumbersField):
    """Ability scores in a row, with abbreviations above and, if modifiers differ from scores, modifiers below."""

    def __init__(self, names: Options, scale: AbilityScale) -> None:
        super().__init__()
        grid = grid_layout(across=SPACE, down=2)
        self._scale = scale
        self._modifiers: dict[str, QLabel] = {}
        for place, (id, short) in enumerate(names):
            self.add_box(id, short, NumberInput(scale.least, scale.most, arrows=False))
            self._modifiers[id] = _centred("", "body")
            grid.addWidget(_centred(short, "caption"), 0, place)
            grid.addWidget(self._boxes[id], 1, place)
            if not scale.is_modifier:
                grid.addWidget(self._modifiers[id], 2, place)
            grid.setColumnStretch(place, 1)
        self.column.addLayout(grid)

    def show_value(self, value: NamedNumbers) -> None:
        """Show the scores. Missing scores have the default value."""
        self._value = value
        scores = dict(value)
        for id, box in self._boxes.items():
            score = scores.get(id, self._scale.default)
            box.show_value(score)
            self._modifiers[id].setText(signed_text(self._scale.modifier(score)))


class NumberGrid(NumbersField):
    """A fixed set of optional named numbers in `columns` columns, with captions above.

    Names in `rare` come last and are shown only if they have a number.
    """

    def __init__(
        self, names: Options, columns: int, least: int, unit: str = "", *, arrows: bool = True, rare: Sequence[str] = ()
    ) -> None:
        super().__init__()
        self._seldom: dict[str, QLabel] = {}
        grid = grid_layout(across=SPACE if columns > 4 else GAP, down=2)
        for place, (id, name) in enumerate(sorted(names, key=lambda pair: pair[0] in rare)):
            self.add_box(id, name, NumberInput(least, MOST, unit, "–", arrows=arrows))
            row, column = divmod(place, columns)
            caption = plain_label(name, "caption", "muted") if arrows else _centred(name, "caption")
            caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            grid.addWidget(caption, row * 2, column)
            grid.addWidget(self._boxes[id], row * 2 + 1, column)
            grid.setColumnStretch(column, 1)
            if id in rare:
                self._seldom[id] = caption
        self.column.addLayout(grid)

    def show_value(self, value: Any) -> None:
        """Show the numbers. Numbers with unknown names are kept but not shown."""
        self._value = tuple(value)
        numbers = dict(value)
        for id, box in self._boxes.items():
            box.show_value(numbers.get(id))
        for id, caption in self._seldom.items():
            is_there = id in numbers or self._boxes[id].box.hasFocus()  # don't hide it while it is edited
            caption.setVisible(is_there)
            self._boxes[id].setVisible(is_there)


class NumberList(NumbersField):
    """A list of named numbers, such as skills, one per row. A combo box adds more."""

    def __init__(
        self, options: Options, least: int, usual: Callable[[str], int], add: str, unit: str = "", *, free: bool = False
    ) -> None:
        super().__init__()
        self._options = list(options)
        self._minimum = least
        self._usual = usual
        self._unit = unit
        self._rows = grid_layout(down=SPACE)
        self._rows.setColumnStretch(0, 1)
        self.column.addLayout(self._rows)
        self._add = named(ComboBox(), add)
        self._add.setEditable(free)
        self._prompt = add
        if free:
            self._add.text_line().setPlaceholderText(add)
            self._add.setInsertPolicy(ComboBox.InsertPolicy.NoInsert)
            self._add.text_line().returnPressed.connect(self._add_typed)
        self._add.activated.connect(self._choose)
        self.add_control(self._add)

    def show_value(self, value: Any) -> None:
        """Show the numbers. Rows are rebuilt only if the names differ."""
        names = tuple(name for name, _ in value)
        if names != tuple(self._boxes) or not self._add.count():
            self._build(names)
        self._value = tuple(value)
        for name, number in value:
            self._boxes[name].show_value(number)

    def _build(self, names: Sequence[str]) -> None:
        while (item := self._rows.takeAt(0)) is not None:
            discard(item.widget())
        self._boxes = {}
        names_by_id = dict(self._options)
        for row, id in enumerate(names):
            name = names_by_id.get(id, id.replace("-", " ").capitalize())
            box = NumberInput(self._minimum, MOST, self._unit)
            box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            box.setFixedWidth(scaled(88))
            self.add_box(id, name, box)
            remove = tool_button("close", tr("ui.editing.remove", what=name), partial(self.set_number, id, None))
            for column, widget in enumerate((plain_label(name), box, remove)):
                self._rows.addWidget(widget, row, column)
        self._add.clear()
        prompt = [] if self._add.isEditable() else [("", self._prompt)]
        with_options(self._add, [*prompt, *(option for option in self._options if option[0] not in self._boxes)])
        self._add.setCurrentIndex(-1 if self._add.isEditable() else 0)

    def _choose(self, index: int) -> None:
        self._append(self._add.itemData(index))
        self._add.setCurrentIndex(-1 if self._add.isEditable() else 0)

    def _add_typed(self) -> None:
        text = self._add.currentText().strip()
        self._append(next((id for id, name in self._options if name == text), text.casefold()))
        self._add.clearEditText()

    def _append(self, id: str) -> None:
        if id:
            self.set_number(id, dict(self._value).get(id, self._usual(id)))
            self.editingFinished.emit()


class DamageAmountsField(NumberList):
    """Damage types with amounts. The value is a tuple of texts such as `fire 5`, or `fire` without an amount."""

    def __init__(self, options: Options, add: str) -> None:
        super().__init__(options, 0, lambda _id: DEFAULT_AMOUNT, add)

    def show_value(self, value: Any) -> None:
        """Show each type with its amount."""
        super().show_value(tuple(split_value(entry) for entry in value))

    def emit_numbers(self, numbers: NamedNumbers) -> None:
        """Emit the types with their amounts."""
        self.edited.emit(tuple(f"{kind} {amount}" if amount else kind for kind, amount in numbers))


class MultiChoiceField(Field):
    """Several options from a list, checked in a menu that stays open. The button shows their names.

    The value is a tuple. If `own_caption` is given, the menu ends with a text line for other options, which has it as
    its prompt. `none` is the text of the button if nothing is chosen.
    """

    def __init__(
        self, options: Options, further: Callable[[], Options] | None = None, *, own_caption: str = "", none: str = "–"
    ) -> None:
        super().__init__()
        self._own = own_caption
        self._options = list(options)
        self._more = further
        self._value: tuple[str, ...] = ()
        self.button = MultiChoiceButton(none)
        self.menu = CheckMenu(self.button)
        self.menu.aboutToShow.connect(self._fill)
        self.menu.aboutToHide.connect(self.editingFinished)
        self.button.setMenu(self.menu)
        self.add_control(self.button)

    def show_value(self, value: Any) -> None:
        """Show the names of the chosen options."""
        self._value = tuple(value)
        names = dict(self._known())
        self.button.set_summary(", ".join(names.get(id, id) for id in self._value))

    def _known(self) -> Options:
        return self._more() if self._more is not None else self._options

    def _fill(self) -> None:
        self.menu.clear()
        options = [*self._known()]
        options += [(id, id) for id in self._value if id not in dict(options)]
        for id, name in options:
            add_check(self.menu, name, lambda on, id=id: self._pick(id, on=on), checked=id in self._value)
        if self._own:
            self.menu.addAction(self._line_for_own())

    def _line_for_own(self) -> QWidgetAction:
        line = named(QLineEdit(placeholderText=self._own), self._own)
        line.returnPressed.connect(lambda: self._add_own(line.text()))
        action = QWidgetAction(self.menu)
        action.setDefaultWidget(line)
        return action

    def _add_own(self, text: str) -> None:
        if (id := "-".join(text.casefold().split())) and id not in self._value:
            self._pick(id, on=True)
        self.menu.close()

    def _pick(self, id: str, *, on: bool) -> None:
        picks = [*self._value, id] if on else [pick for pick in self._value if pick != id]
        order = [option for option, _ in self._known()]
        picks.sort(key=lambda pick: order.index(pick) if pick in order else len(order))
        self.edited.emit(tuple(picks))


class MultiChoiceButton(PushButton):
    """A button that shows the names of the chosen options, elided to fit."""

    def __init__(self, none: str) -> None:
        super().__init__()
        self._words = ""
        self._none = none
        self.setProperty("kind", "picks")
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_summary(self, text: str) -> None:
        """Show the names of the chosen options."""
        self._words = text
        self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._write()

    def _write(self) -> None:
        room = max(scaled(20), self.width() - scaled(40))
        text = self.fontMetrics().elidedText(self._words or self._none, Qt.TextElideMode.ElideRight, room)
        indent = "\u2002"  # the style sheet's padding doesn't apply to the text of a button with a menu
        self.setText(f"{indent}{text.replace('&', '&&')}")
        self.setToolTip(escaped_tooltip(self._words) if text != self._words and self._words else "")
        self.setAccessibleDescription(self._words or tr("ui.general.none"))


def _centred(text: str, role: str) -> QLabel:
    label = plain_label(text, role, "muted")
    label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    return label
