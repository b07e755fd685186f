"""What a prompt wants put in order: who is first among equals, or which step of a turn. Enter takes it as it stands."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListWidget, QListWidgetItem, QWidget

from turnwright.play.commands import Reply
from turnwright.ui.fonts import GAP, px
from turnwright.ui.say import say
from turnwright.ui.widgets.ask_view import AskBody, AskView
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.text import literal_tip, plain_label, push_button, tool_button

ID = Qt.ItemDataRole.UserRole


class OrderList(QListWidget):
    """Some things in an order that can be changed by dragging, or with Alt and the arrow keys."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleDescription(say("ui.prompt.order-tip"))

    def show_choices(self, ask: AskView) -> None:
        """Show all of an ask in the order suggested."""
        self.clear()
        for choice in ask.choices:
            item = QListWidgetItem(choice.label)
            item.setData(ID, choice.id)
            item.setToolTip(literal_tip(choice.why))
            self.addItem(item)
        self.setCurrentRow(0)
        rows = sum(self.sizeHintForRow(row) for row in range(self.count()))
        self.setFixedHeight(rows + 2 * self.frameWidth())

    def ids(self) -> tuple[str, ...]:
        """Return all in the order in which they stand."""
        return tuple(str(self.item(row).data(ID)) for row in range(self.count()))

    def shift(self, by: int) -> None:
        """Move what is current up or down."""
        row = self.currentRow()
        to = row + by
        if 0 <= row < self.count() and 0 <= to < self.count():
            self.insertItem(to, self.takeItem(row))
            self.setCurrentRow(to)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and event.key() in steps:
            self.shift(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


class Orders(AskBody):
    """One or more things to put in order, each a list that can be rearranged; one button takes them all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asks: tuple[AskView, ...] = ()
        self._lists: dict[str, OrderList] = {}
        self._inside: list[QWidget] = []
        row = FlowRow()
        self.take = push_button(say("ui.prompt.take-order"), self._hand_in, "primary", "check")
        row.add(self.take)
        row.add(push_button(say("ui.roll.skip"), self._pass_over, "quiet"))
        self.foot.addWidget(row)

    def show_asks(self, asks: Sequence[AskView]) -> None:
        if tuple(asks) == self._asks:
            return
        self._asks = tuple(asks)
        for widget in self._inside:
            widget.hide()
            widget.deleteLater()
        self._inside, self._lists = [], {}
        for ask in asks:
            said = plain_label(" ".join(part for part in (ask.who, ask.text) if part), wraps=True)
            part = self._part(ask)
            for widget in (said, part):
                self.asking.addWidget(widget)
                self._inside.append(widget)

    def order(self, id: str) -> OrderList:
        """Return the list of one ask."""
        return self._lists[id]

    def first_field(self) -> QWidget:
        return self.take

    def confirm(self) -> None:
        self.take.click()

    def _part(self, ask: AskView) -> QWidget:
        """Return an ask's list with the two buttons that move what is current in it."""
        part = QWidget()
        row = QHBoxLayout(part)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(GAP))
        listed = OrderList()
        listed.setAccessibleName(ask.text)
        listed.show_choices(ask)
        self._lists[ask.id] = listed
        row.addWidget(listed, 1)
        row.addWidget(tool_button("arrow-up", say("ui.prompt.earlier"), lambda: listed.shift(-1)))
        row.addWidget(tool_button("arrow-down", say("ui.prompt.later"), lambda: listed.shift(1)))
        return part

    def _hand_in(self) -> None:
        self.answered.emit(tuple(Reply(id, chosen=listed.ids()) for id, listed in self._lists.items()))

    def _pass_over(self) -> None:
        self.answered.emit(tuple(Reply(ask.id, skip=True) for ask in self._asks))
