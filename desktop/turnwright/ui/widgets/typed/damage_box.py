"""The damage box: targets and an amount such as `12`, `+5`, `t5` or `6d6 fire, Dex 15 half`.

Enter applies the full amount, Ctrl+Enter half of it, and Shift+Enter double.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.theme import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.fields import AmountField
from turnwright.ui.widgets.layout import fill, horizontal, switch_of, vertical
from turnwright.ui.widgets.pick_row import CheckMenu, KeyButton
from turnwright.ui.widgets.text import PushButton
from turnwright.ui.widgets.typed.line_text import AmountError, LineChips, LineWords, amount_chips, read_line

LEAST_NAME = 72  # px; the minimum width of the target button
ROUNDING = 2  # px; extra width, because Qt elides a text that fits exactly
COMMON_KINDS = "fire"  # the damage type in the placeholder, if the game has it


class TargetPicker(PushButton):
    """A button that shows the chosen targets and opens the list of combatants.

    Emits `picked` when the user changes the targets, and `editingFinished` when the list closes.
    """

    picked = Signal()
    editingFinished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
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

    def __init__(self, words: LineWords, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.chips = LineChips()
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
        chips = amount_chips(text, self._words)
        self.chips.show_chips(chips)
        self.chips.setVisible(bool(chips))

    def _hand_in(self, text: str, share: str) -> None:
        if self.modes[True].isChecked() and text[:1].isdigit():
            text = f"+{text}"
        try:
            amount = read_line(text, self._words)
        except AmountError as error:
            self.amount.show_error(tr(error.key, **error.params))
            return
        if not self.targets.chosen():
            self.amount.show_error(tr("ui.turn.no-target"))
            self.targets.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.amount.clear()
        self.submitted.emit(self.targets.chosen(), amount, share)
