"""An input for questions about an order: initiative ties or the steps of a turn. Enter accepts the order shown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from turnwright.play.asking.answer import Reply
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.key_button import KeyButton
from turnwright.ui.widgets.layout import FlowRow, horizontal
from turnwright.ui.widgets.prompts.prompt_input import AskView, PromptInput
from turnwright.ui.widgets.text import plain_label, tool_button

ID_ROLE = Qt.ItemDataRole.UserRole


class ReorderableList(QListWidget):
    """A list that the user reorders by dragging, or with Alt and the arrow keys."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleDescription(tr("ui.prompt.order-tip"))

    def show_choices(self, ask: AskView) -> None:
        """Show the options of a question in the suggested order."""
        self.clear()
        for choice in ask.choices:
            item = QListWidgetItem(choice.label)
            item.setData(ID_ROLE, choice.id)
            item.setToolTip(escaped_tooltip(choice.why))
            self.addItem(item)
        self.setCurrentRow(0)
        rows = sum(self.sizeHintForRow(row) for row in range(self.count()))
        self.setFixedHeight(rows + 2 * self.frameWidth())

    def ids(self) -> tuple[str, ...]:
        """Return the ids in the order shown."""
        return tuple(str(self.item(row).data(ID_ROLE)) for row in range(self.count()))

    def move_current(self, by: int) -> None:
        """Move the current line up or down."""
        row = self.currentRow()
        to = row + by
        if 0 <= row < self.count() and 0 <= to < self.count():
            self.insertItem(to, self.takeItem(row))
            self.setCurrentRow(to)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and event.key() in steps:
            self.move_current(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


class OrderInput(PromptInput):
    """One or more reorderable lists, with one button that accepts all of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asks: tuple[AskView, ...] = ()
        self._lists: dict[str, ReorderableList] = {}
        self._inside: list[QWidget] = []
        row = FlowRow()
        self.accept_button = KeyButton(tr("ui.prompt.take-order"), self._hand_in, "Enter", "primary", "check")
        row.add(self.accept_button)
        row.add(KeyButton(tr("ui.roll.skip"), self._pass_over, "S", "quiet"))
        self.button_column.addWidget(row)

    def show_asks(self, asks: Sequence[AskView]) -> None:
        if tuple(asks) == self._asks:
            return
        self._asks = tuple(asks)
        for widget in self._inside:
            widget.hide()
            widget.deleteLater()
        self._inside, self._lists = [], {}
        for ask in asks:
            question = plain_label(" ".join(part for part in (ask.who, ask.text) if part), wraps=True)
            part = self._part(ask)
            for widget in (question, part):
                self.question_column.addWidget(widget)
                self._inside.append(widget)

    def order(self, id: str) -> ReorderableList:
        """Return the list for a question."""
        return self._lists[id]

    def first_field(self) -> QWidget:
        return self.accept_button

    def confirm(self) -> None:
        self.accept_button.click()

    def _part(self, ask: AskView) -> QWidget:
        """Return the list for a question, with two buttons that move the current line."""
        part = QWidget()
        row = horizontal(part)
        order = ReorderableList()
        order.setAccessibleName(ask.text)
        order.show_choices(ask)
        self._lists[ask.id] = order
        row.addWidget(order, 1)
        row.addWidget(tool_button("arrow-up", tr("ui.prompt.earlier"), lambda: order.move_current(-1)))
        row.addWidget(tool_button("arrow-down", tr("ui.prompt.later"), lambda: order.move_current(1)))
        return part

    def _hand_in(self) -> None:
        self.answered.emit(tuple(Reply(id, chosen=order.ids()) for id, order in self._lists.items()))

    def _pass_over(self) -> None:
        self.answered.emit(tuple(Reply(ask.id, skip=True) for ask in self._asks))
