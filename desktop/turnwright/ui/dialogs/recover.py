"""The dialog that recovers unsaved encounters after a crash."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QWidget

from turnwright.ui.look.fonts import GAP, scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.layout import ElidedLabel, vertical
from turnwright.ui.widgets.text import plain_label, push_button


class RecoverableRow(msgspec.Struct, frozen=True):
    """A recoverable encounter: title, path (empty if never saved), time of the last change, and number of steps."""

    title: str
    path: str
    when: str
    steps: int


class RecoverDialog(StandardDialog):
    """Lists unsaved encounters. Emits `restoreRequested` and `discardRequested` with an index in the list.

    If the dialog is closed, all encounters are kept for later.
    """

    restoreRequested = Signal(int)
    discardRequested = Signal(int)

    def __init__(self, rows: Sequence[RecoverableRow], parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.recover.title"), parent)
        self._left = list(range(len(rows)))
        self.column.addWidget(plain_label(tr("ui.recover.lead"), wraps=True))
        self.list = QListWidget()
        self.list.setAccessibleName(tr("ui.recover.title"))
        self.list.itemActivated.connect(lambda _item: self.restore())
        for row in rows:
            self._add(row)
        self.list.setCurrentRow(0)
        self.column.addWidget(self.list, 1)
        self.add_buttons(
            push_button(tr("ui.recover.later"), self.reject),
            push_button(tr("ui.recover.restore"), self.restore, "primary", "restore"),
            left=[push_button(tr("ui.recover.discard"), self.discard)],
        )
        self.resize(scaled(560), scaled(320))

    def restore(self) -> None:
        """Request to restore the selected encounter, and close the dialog."""
        if self.list.currentRow() >= 0:
            index = self._left[self.list.currentRow()]
            self.accept()
            self.restoreRequested.emit(index)

    def discard(self) -> None:
        """Request to discard the selected encounter permanently. Close the dialog after the last one."""
        row = self.list.currentRow()
        if row < 0:
            return
        self.list.takeItem(row)
        self.discardRequested.emit(self._left.pop(row))
        if not self._left:
            self.reject()

    def _add(self, row: RecoverableRow) -> None:
        item = QListWidgetItem()
        text = tr("ui.recover.facts", when=row.when, n=row.steps)
        title = row.title or tr("ui.window.untitled")
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title}, {text}")
        item.setSizeHint(QSize(0, scaled(52)))
        self.list.addItem(item)
        holder = QWidget()
        holder.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        lines = vertical(holder, spacing=0, margins=(GAP, 0, GAP, 0))
        head = QHBoxLayout()
        head.addWidget(ElidedLabel(title, "strong"), 1)
        head.addWidget(plain_label(text, "caption", "muted"))
        lines.addStretch(1)
        lines.addLayout(head)
        lines.addWidget(ElidedLabel(row.path or tr("ui.recover.never-saved"), "caption"))
        lines.addStretch(1)
        self.list.setItemWidget(item, holder)
