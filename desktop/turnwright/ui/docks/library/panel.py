"""The widgets of the Library panel: search, filter bar, list or placeholder, banner, buttons."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QStackedWidget, QToolButton, QWidget

from turnwright.ui.docks.library.filter_card import FilterBar, LibraryView
from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import GAP, SPACE, tr
from turnwright.ui.models.library import LibraryModel
from turnwright.ui.widgets.layout import Banner, EmptyState, FlowRow, fill, vertical
from turnwright.ui.widgets.text import push_button


class LibraryMessage(QWidget):
    """A message with buttons below it, because the panel is too narrow to place them side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._banner = Banner()
        self._banner.dismissed.connect(self.hide)
        self._steps = FlowRow(gap=SPACE, roomy=True)
        fill(vertical(self, spacing=SPACE), self._banner, self._steps)
        self.hide()

    def show_message(self, text: str, tone: str = "", actions: Sequence[tuple[str, Callable[[], object]]] = ()) -> None:
        """Show a message. Pressing one of its buttons also hides the message."""
        self._steps.clear()
        for label, slot in actions:
            self._steps.add(push_button(label, partial(self._follow, slot)))
        self._steps.setVisible(bool(actions))
        self.show()
        self._banner.show_message(text, tone)

    def text(self) -> str:
        """Return the text of the message, or an empty string if none is shown."""
        return self._banner.text()

    def dismiss(self) -> None:
        """Hide the message."""
        self._banner.dismiss()

    def _follow(self, slot: Callable[[], object]) -> None:
        self.dismiss()
        slot()


class LibraryPanel(QWidget):
    """The panel's widgets in a column. Arrow keys in the search field move through the list."""

    def __init__(self, model: LibraryModel, bar: FilterBar, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.bar = bar
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("ui.library.search"))
        self.search.setAccessibleName(tr("ui.library.search"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(icon("magnify", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.installEventFilter(self)
        self.view = LibraryView()
        self.view.setAccessibleName(tr("ui.library.title"))
        self.view.setModel(model)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.empty = EmptyState("magnify", "", tr("ui.library.bring-over", name=""))
        self.stack = fill(QStackedWidget(), self.view, self.empty)
        self.banner = LibraryMessage()
        self._buttons = FlowRow(gap=SPACE, roomy=True)
        fill(vertical(self, margins=GAP), self.search, self.bar, (self.stack, 1), self.banner, self._buttons)

    def add_buttons(self, *buttons: QPushButton, last: QToolButton) -> None:
        """Add buttons at the bottom, side by side if there is room. `last` is a small button at the end."""
        fill(self._buttons, *buttons, last)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move through the list with the arrow keys in the search field."""
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            by = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if by is not None:
                self._step(by)
                return True
        return super().eventFilter(watched, event)

    def _step(self, by: int) -> None:
        current = self.view.currentIndex()
        row = current.row() + by if current.isValid() else self.model.first_row()
        while 0 <= row < self.model.rowCount() and self.model.entry_at(row) is None:
            row += by
        if 0 <= row < self.model.rowCount():
            self.view.go_to(row)
