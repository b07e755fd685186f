"""The damage box, with targets and an amount such as `12`, `t5` or `6d6 fire, Dex 15 half`, and lines that replace it.

Enter applies the full amount, Ctrl+Enter half of it, and Shift+Enter double. The other lines roll dice, or call for a
check or a save.
"""

import re
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.dice.expression import DiceError, parse
from turnwright.rules.parts.actions.condition_words import LineWords
from turnwright.ui.look.style import escaped_tooltip, scaled, tr
from turnwright.ui.widgets.fields import AmountField, CheckMenu, KeyButton, LineField
from turnwright.ui.widgets.layout import fill, horizontal, switch_of, vertical
from turnwright.ui.widgets.text import PushButton, plain_label
from turnwright.ui.widgets.typed import line_text

MOST = 10  # maximum number of earlier texts that are kept


class TypedLine(LineField):
    """The base class of text lines. Subclasses process the text in `hand_in`.

    Emits `left` on Esc, or on Enter if the line is empty.
    """

    left = Signal()

    def __init__(self, caption: str, button: str, name: str, placeholder: str) -> None:
        super().__init__(placeholder, name)
        self._before: list[str] = []
        self._place = -1
        self.caption = plain_label(caption, "strong")
        self.roll_button = KeyButton(button, self._enter, "Enter", "primary", "dice-d20")
        self.roll_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        fill(self.row, self.caption, (self.line, 1), self.roll_button)

    def hand_in(self, text: str) -> str:
        """Process a text. Return the error message, or an empty string if the text is valid."""
        raise NotImplementedError

    def open(self, text: str = "") -> None:
        """Show the line and focus it. Set its text, or select the current text if `text` is empty."""
        self._place = -1
        self.show()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)
        if text:
            self.line.setText(text)
        else:
            self.line.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._look_back(1 if event.key() == Qt.Key.Key_Up else -1)
        else:
            super().keyPressEvent(event)

    def _look_back(self, steps: int) -> None:
        """Recall an earlier text, or a later one if `steps` is negative."""
        self._place = max(-1, min(self._place + steps, len(self._before) - 1))
        self.line.setText(self._before[self._place] if self._place >= 0 else "")
        self.show_error("")

    def _enter(self) -> None:
        text = self.text()
        if not text:
            self.left.emit()
            return
        if problem := self.hand_in(text):
            self.show_error(problem)
            return
        self._before = [text, *(earlier for earlier in self._before if earlier != text)][:MOST]
        self.line.clear()


DICE_EDGES = {"a": "adv", "d": "dis"}
_EDGE = re.compile(r"(?<=\d)\s*(?P<edge>[ad])(?![\w%])", re.IGNORECASE)


def dice_of(text: str) -> str:
    """Return the dice expression in a text. Raise DiceError if it is malformed.

    `d20a` rolls with advantage, `d20d` with disadvantage.
    """
    return str(parse(_EDGE.sub(lambda match: f" {DICE_EDGES[match['edge'].lower()]} ", text.strip())))


class DiceLine(TypedLine):
    """A line for rolling dice. Emits `submitted(dice)` on Enter."""

    submitted = Signal(str)

    def __init__(self) -> None:
        super().__init__(
            tr("ui.dice-line.roll"), tr("ui.roll.roll"), tr("ui.dice-line.name"), tr("ui.dice-line.placeholder")
        )
        self.line.setToolTip(tr("ui.dice-line.tip"))

    def hand_in(self, text: str) -> str:
        """Roll the entered dice. Return the error message, or an empty string if the text is valid."""
        try:
            dice = dice_of(text)
        except DiceError as error:
            return error.message
        self.submitted.emit(dice)
        return ""


SEVERAL = "save "  # the initial text if there are several combatants


class CheckLine(TypedLine):
    """A line for a check or a save. Emits `submitted(entered)` on Enter if the `EnteredCheck` is complete."""

    submitted = Signal(object)

    def __init__(self, words: LineWords) -> None:
        super().__init__("", tr("ui.roll.roll"), tr("ui.check-line.name"), tr("ui.check-line.placeholder"))
        self._words = words
        self.chips = line_text.LineChips()
        self.column.insertWidget(0, self.chips)
        self.line.setToolTip(tr("ui.check-line.tip"))
        self.line.textChanged.connect(self._show_chips)
        self._show_chips("")

    def start_over(self, words: LineWords) -> None:
        """Clear the line for another encounter and use the words of its rule system."""
        self._words = words
        self.line.clear()

    def open_for(self, who: str, count: int) -> None:
        """Open the line for one or more combatants. If there are several, the text starts with `save`."""
        self.caption.setText(tr("ui.bulk.selected", n=count) if count > 1 else who)
        self.caption.setToolTip(escaped_tooltip(who) if count > 1 else "")
        self.open(SEVERAL if count > 1 and not self.line.text() else "")

    def hand_in(self, text: str) -> str:
        """Call for the entered check. Return the error message, or an empty string if the text is valid."""
        entered = line_text.read_check(text, self._words)
        if entered.unknown:
            near = self._words.nearest_check(entered.unknown)
            key = "ui.condition.unknown-near" if near else "ui.condition.unknown"
            return tr(key, what=entered.unknown, near=near)
        if not entered.is_complete:
            return tr("ui.check-line.missing")
        self.submitted.emit(entered)
        return ""

    def _show_chips(self, text: str) -> None:
        chips = check_chips(line_text.read_check(text, self._words), self._words)
        self.chips.show_chips(chips)
        self.chips.setVisible(bool(chips))


def check_name(id: str, words: LineWords) -> str:
    """Return the name of a check, with the ability if it isn't the skill's usual one."""
    names = dict(words.checks)
    ability, _, skill = id.partition(":")
    usual = next((name for name in names if name.partition(":")[2] == skill), id)
    if not skill or usual == id:
        return tr("ui.check-line.check", what=names[id][0])
    return tr("ui.check-line.check", what=f"{names[ability][0]} ({names[usual][0]})")


def check_chips(entered: line_text.EnteredCheck, words: LineWords) -> list[line_text.ChipView]:
    """Return the chips that show how a check was read. A chip for an unknown word comes last."""
    chips = []
    if entered.save:
        text = tr("ui.check-line.save", ability=words.save_name(entered.save))
        chips.append(line_text.ChipView(text, "accent", "shield-outline"))
    elif entered.check:
        chips.append(line_text.ChipView(check_name(entered.check, words), "accent", "dice-d20"))
    if entered.dc:
        chips.append(line_text.ChipView(tr("ui.check-line.dc", n=entered.dc)))
    if entered.edge:
        chips.append(line_text.ChipView(tr(f"ui.check-line.{entered.edge}")))
    if entered.unknown:
        chips.append(line_text.unknown_chip(entered.unknown, words.nearest_check(entered.unknown)))
    return chips


LEAST_NAME = 72  # px; the minimum width of the target button
ROUNDING = 2  # px; extra width, because Qt elides a text that fits exactly
COMMON_KINDS = "fire"  # the damage type in the placeholder, if the game has it


class TargetPicker(PushButton):
    """A button that shows the chosen targets and opens the list of combatants.

    Emits `picked` when the user changes the targets, and `editingFinished` when the list closes.
    """

    picked = Signal()
    editingFinished = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAutoDefault(False)
        self._labels: dict[str, str] = {}
        self._chosen: tuple[str, ...] = ()
        self._menu = CheckMenu(self)
        self._menu.aboutToHide.connect(lambda: QTimer.singleShot(0, self, self.editingFinished.emit))
        self.setMenu(self._menu)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(scaled(220))
        self._tell()

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(LEAST_NAME), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell()

    def sizeHint(self) -> QSize:
        elided_width, full_width = (self.fontMetrics().horizontalAdvance(text) for text in (self.text(), self._text()))
        return super().sizeHint() + QSize(full_width - elided_width + ROUNDING, 0)

    def set_combatants(self, combatants: Sequence[tuple[str, str]]) -> None:
        """Set the combatants as pairs of id and label, in order. Chosen targets that no longer exist are deselected."""
        labels = dict(combatants)
        if list(labels.items()) == list(self._labels.items()):
            return
        self._labels = labels
        self._menu.clear()
        for id, label in combatants:
            action = QAction(label.replace("&", "&&"), self._menu, checkable=True)
            action.setData(id)
            action.triggered.connect(lambda on, id=id: self._tick(id, on))
            self._menu.addAction(action)
        self.choose(tuple(id for id in self._chosen if id in labels))

    def choose(self, ids: Sequence[str]) -> None:
        """Choose exactly these targets."""
        self._chosen = tuple(id for id in self._labels if id in ids)
        for action in self._menu.actions():
            action.setChecked(action.data() in self._chosen)
        self._tell()

    def chosen(self) -> tuple[str, ...]:
        """Return the ids of the chosen targets, in list order."""
        return self._chosen

    def _tick(self, id: str, on: bool) -> None:
        others = [other for other in self._chosen if other != id]
        self.choose([*others, id] if on else others)
        self.picked.emit()

    def _text(self) -> str:
        names = [self._labels[id] for id in self._chosen]
        if len(names) > 1:
            return tr("ui.bulk.selected", n=len(names))
        return names[0] if names else tr("ui.turn.choose-targets")

    def _tell(self) -> None:
        names, text = [self._labels[id] for id in self._chosen], self._text()
        room = self.width() - super().sizeHint().width() + self.fontMetrics().horizontalAdvance(self.text())
        self.setText(self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room).replace("&", "&&"))
        self.setToolTip(escaped_tooltip(", ".join(names) or text))
        self.setAccessibleName(tr("ui.turn.targets-of", who=", ".join(names) or text))


class DamageBox(QWidget):
    """Applies damage or healing to targets. Emits `submitted(targets, amount, share)`.

    `targets` are ids, `amount` is an `EnteredAmount`, and `share` is `full`, `half` or `double`.
    """

    submitted = Signal(object, object, str)

    def __init__(self, words: LineWords) -> None:
        super().__init__()
        self._words = words
        self.chips = line_text.LineChips()
        self.chips.hide()
        self.modes = {False: KeyButton(tr("ui.turn.damage"), lambda: self._switch(heals=False), "D", "mode")}
        self.modes[True] = KeyButton(tr("ui.turn.heal"), lambda: self._switch(heals=True), "H", "mode")
        for mode in self.modes.values():
            mode.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.targets = TargetPicker()
        self.amount = AmountField(name=tr("ui.turn.amount"))
        row = fill(horizontal(), switch_of(*self.modes.values()), self.targets, (self.amount, 1))
        row.setAlignment(Qt.AlignmentFlag.AlignTop)
        fill(vertical(self), self.chips, row)
        self.amount.submitted.connect(self._hand_in)
        self.amount.line.textChanged.connect(self._show_chips)
        self.targets.editingFinished.connect(self._go_on)
        self.setFocusProxy(self.amount)
        self.set_healing(heals=False)
        self.start_over(words)

    def start_over(self, words: LineWords) -> None:
        """Clear the box for another encounter and use the words of its rule system."""
        self._words = words
        self.targets.choose(())
        self.amount.clear()
        if words.kinds:
            kind = COMMON_KINDS if COMMON_KINDS in words.kinds else words.kinds[0]
            self.amount.line.setPlaceholderText(tr("ui.amount.placeholder-of", kind=kind))

    def set_healing(self, *, heals: bool) -> None:
        """Choose whether a number without a sign means healing or damage."""
        for mode, button in self.modes.items():
            button.setChecked(mode is heals)

    def _switch(self, *, heals: bool) -> None:
        self.set_healing(heals=heals)
        self.amount.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def fill(self, text: str) -> None:
        """Insert an amount and focus the box. A sign isn't selected, so that the number can be typed after it."""
        self.amount.set_text(text)
        self.amount.line.setFocus(Qt.FocusReason.OtherFocusReason)
        if len(text) > 1:
            self.amount.line.selectAll()

    def _go_on(self) -> None:
        """Move the focus from the target list to the amount, and clear the error about missing targets."""
        if self.targets.chosen():
            self.amount.show_error("")
            self.amount.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_chips(self, text: str) -> None:
        """Show chips above the line that explain how its text is read."""
        chips = line_text.amount_chips(text, self._words)
        self.chips.show_chips(chips)
        self.chips.setVisible(bool(chips))

    def choose_targets(self, ids: Sequence[str]) -> None:
        """Choose exactly these targets, and clear the error about missing ones."""
        self.targets.choose(ids)
        if ids and self.amount.error() == tr("ui.turn.no-target"):
            self.amount.show_error("")

    def _hand_in(self, text: str, share: str) -> None:
        if self.modes[True].isChecked() and text[:1].isdigit():
            text = f"+{text}"
        try:
            amount = line_text.read_line(text, self._words)
        except line_text.AmountError as error:
            self.amount.show_error(tr(error.key, **error.params))
            return
        if not self.targets.chosen():
            self.amount.show_error(tr("ui.turn.no-target"))
            self.targets.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.amount.clear()
        self.submitted.emit(self.targets.chosen(), amount, share)
