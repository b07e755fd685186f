"""The dialog for earlier versions of the open file or snapshots of a fight, with the changes each would restore."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QSplitter, QTreeWidgetItem, QWidget

from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.theme import Theme
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.dialog import StandardDialog, TableTree
from turnwright.ui.widgets.text import push_button

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
        parent: QWidget | None = None,
        words: str = "ui.versions",
    ) -> None:
        super().__init__(tr(f"{words}.title"), parent, tr(f"{words}.lead"))
        self._words = words
        self._differences = differences
        self._theme = theme
        self.list = TableTree(tr(f"{words}.title"), [tr(f"{words}.saved-over")], stretched=0)
        self.list.addTopLevelItems([QTreeWidgetItem([version]) for version in versions])
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(tr(f"{words}.changes"))
        split = QSplitter()
        split.addWidget(self.list)
        split.addWidget(self.text)
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
