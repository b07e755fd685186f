"""Dialogs that restore unsaved encounters, earlier versions and snapshots.

The dialog that recovers unsaved encounters after a crash.

The dialog for earlier versions of the open file or snapshots of a fight, with the changes each would restore.
"""

from collections.abc import Callable, Sequence

from PySide6 import QtWidgets
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor

from turnwright.ui.look.style import GAP, Theme, scaled, time_text, tr
from turnwright.ui.widgets.dialog import StandardDialog, TableTree
from turnwright.ui.widgets.layout import STRETCH, ElidedLabel, fill, vertical
from turnwright.ui.widgets.text import named, plain_label, push_button
from turnwright.workspace.files import Recoverable


class RecoverDialog(StandardDialog):
    """Lists unsaved encounters. Emits `restoreRequested` and `discardRequested` with an index in the list.

    If the dialog is closed, all encounters are kept for later.
    """

    restoreRequested = Signal(int)
    discardRequested = Signal(int)

    def __init__(self, rows: Sequence[Recoverable], parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(tr("ui.recover.title"), parent)
        self._left = list(range(len(rows)))
        self.column.addWidget(plain_label(tr("ui.recover.lead"), wraps=True))
        self.list = named(QtWidgets.QListWidget(), tr("ui.recover.title"))
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

    def _add(self, row: Recoverable) -> None:
        item = QtWidgets.QListWidgetItem()
        text = tr("ui.recover.facts", when=time_text(row.time.timestamp()), n=row.steps)
        title = row.title or tr("ui.window.untitled")
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title}, {text}")
        item.setSizeHint(QSize(0, scaled(52)))
        self.list.addItem(item)
        holder = QtWidgets.QWidget()
        holder.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        lines = vertical(holder, spacing=0, margins=(GAP, 0, GAP, 0))
        head = fill(QtWidgets.QHBoxLayout(), (ElidedLabel(title, "strong"), 1), plain_label(text, "caption", "muted"))
        fill(lines, STRETCH, head, ElidedLabel(str(row.path or tr("ui.recover.never-saved")), "caption"), STRETCH)
        self.list.setItemWidget(item, holder)


TOKENS = {"+": "heal", "-": "harm"}


class EarlierVersionsDialog(StandardDialog):
    """Lists versions next to their differences. Emits `goBackRequested` and `copyRequested` with an index in the list.

    `words` is the key of the dialog's texts. `against` is the reason why going back is impossible, if any.
    """

    goBackRequested = Signal(int)
    copyRequested = Signal(int)

    def __init__(
        self,
        versions: Sequence[str],
        differences: Callable[[int], Sequence[str]],
        theme: Theme,
        against: str = "",
        parent: QtWidgets.QWidget | None = None,
        words: str = "ui.versions",
    ) -> None:
        super().__init__(tr(f"{words}.title"), parent, tr(f"{words}.lead"))
        self._words = words
        self._differences = differences
        self._theme = theme
        self.list = TableTree(tr(f"{words}.title"), [tr(f"{words}.saved-over")], stretched=0)
        self.list.addTopLevelItems([QtWidgets.QTreeWidgetItem([version]) for version in versions])
        self.text = QtWidgets.QPlainTextEdit(
            readOnly=True, tabChangesFocus=True, lineWrapMode=QtWidgets.QPlainTextEdit.LineWrapMode.NoWrap
        )
        self.text.setAccessibleName(tr(f"{words}.changes"))
        split = fill(QtWidgets.QSplitter(), self.list, self.text)
        split.setStretchFactor(1, 1)
        split.setChildrenCollapsible(False)
        split.setSizes([scaled(220), scaled(600)])
        self.column.addWidget(split, 1)
        self.lead.setText(against or tr(f"{words}.lead"))
        self.back_button = push_button(tr(f"{words}.go-back"), self._go_back, "primary", "restore")
        self.back_button.setEnabled(not against)
        self.add_buttons(
            push_button(tr("ui.general.cancel"), self.reject),
            self.back_button,
            left=[push_button(tr(f"{words}.copy"), self._copy)],
        )
        self.list.currentItemChanged.connect(self._show)
        self.list.itemActivated.connect(lambda *_: self.back_button.click())
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        self.resize(scaled(860), scaled(520))

    @property
    def chosen(self) -> int:
        """The index of the selected version in the list."""
        return self.list.currentIndex().row()

    def _show(self) -> None:
        lines = self._differences(self.chosen)
        self.text.clear()
        cursor = QTextCursor(self.text.document())
        for line in lines or [tr(f"{self._words}.same")]:
            form = QTextCharFormat()
            form.setForeground(self._theme.colour(TOKENS.get(line[:1], "text")))
            cursor.insertText(f"{line}\n", form)
        self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def _go_back(self) -> None:
        self.accept()
        self.goBackRequested.emit(self.chosen)

    def _copy(self) -> None:
        self.accept()
        self.copyRequested.emit(self.chosen)
