"""The card above an empty encounter: recent files, a new encounter, and the samples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.layout import horizontal, vertical
from turnwright.ui.widgets.text import plain_label, push_button, text_button

MOST_FILES = 5


class StartCard(Card):
    """A button for each recent file, which emits `recentRequested(path)`.

    Emits `newRequested` and `samplesRequested` from the buttons below them.
    """

    recentRequested = Signal(object)
    newRequested = Signal()
    samplesRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("accent", parent)
        self.body.addWidget(plain_label(tr("ui.start.title"), "strong"))
        self.files = vertical(spacing=4)
        self.body.addLayout(self.files)
        row = horizontal()
        row.addWidget(push_button(tr("ui.start.new"), self.newRequested.emit, icon_name="file-plus-outline"))
        row.addWidget(push_button(tr("ui.start.samples"), self.samplesRequested.emit, icon_name="book-open-variant"))
        row.addStretch(1)
        self.body.addLayout(row)

    def show_files(self, paths: Sequence[Path]) -> None:
        """List the recent files, with their folders as tool tips."""
        while (item := self.files.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for path in paths[:MOST_FILES]:
            button = text_button("file-outline", path.stem.replace("&", "&&"))
            button.setToolTip(escaped_tooltip(str(path.parent)))
            button.clicked.connect(lambda _checked=False, path=path: self.recentRequested.emit(path))
            self.files.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
