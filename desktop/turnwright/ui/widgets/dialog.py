"""The base class of dialogs, tables in them, the progress dialog, and cards that float over the window."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QHeaderView, QLineEdit, QProgressBar, QPushButton, QTreeWidget, QWidget

from turnwright.ui.look.style import GROUP_GAP, scaled, tr
from turnwright.ui.widgets.layout import STRETCH, ElidedLabel, Margins, fill, focus_neighbour, horizontal, vertical
from turnwright.ui.widgets.text import named, plain_label, push_button


class StandardDialog(QDialog):
    """A dialog with an introduction at the top and its contents in `column`. Tab follows the visual order."""

    def __init__(self, title: str, parent: QWidget | None = None, lead: str = "", spacing: int = GROUP_GAP) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.column = vertical(self, spacing=spacing, margins=GROUP_GAP)
        self.lead = plain_label(lead, tone="muted", wraps=True)
        if lead:
            self.column.addWidget(self.lead)

    def open_once(self) -> None:
        """Open the dialog without blocking, and delete it after it is closed."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.open()

    def add_buttons(self, *buttons: QPushButton, left: Sequence[QPushButton] = ()) -> None:
        """Add a row of buttons at the end of the column."""
        self.column.addLayout(fill(horizontal(), *left, STRETCH, *buttons))

    def add_answer(
        self, text: str, slot: Callable[[], object], icon_name: str = "", *others: QPushButton, default: bool = True
    ) -> QPushButton:
        """Add a row of buttons: `others`, *Cancel*, and a button with `text` that accepts. Return the last one."""
        button = push_button(text, slot, "primary", icon_name)
        button.setDefault(default)
        self.add_buttons(*others, push_button(tr("ui.general.cancel"), self.reject), button)
        return button

    def focusNextPrevChild(self, forward: bool) -> bool:
        return focus_neighbour(self, self.focusWidget(), forward=forward)


class FloatingLine(QDialog):
    """A text line that floats over the window, with results in `column`. `read` is called whenever the text changes."""

    def __init__(
        self, parent: QWidget, name: str, placeholder: str, read: Callable[[str], object], margins: Margins
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAccessibleName(name)
        frame = QFrame()
        frame.setProperty("floating", True)
        vertical(self, spacing=0).addWidget(frame)
        self.column = vertical(frame, margins=margins)
        self.line = named(QLineEdit(placeholderText=placeholder), name)
        self.line.textChanged.connect(read)

    def show_over(self, widget: QWidget, width: int, height: int, top: int) -> None:
        """Show the line in the upper centre of a widget and focus it."""
        self.resize(min(scaled(width), widget.width() - scaled(32)), height)
        self.move(widget.mapToGlobal(QPoint((widget.width() - self.width()) // 2, scaled(top))))
        self.show()
        self.line.setFocus()


class TableTree(QTreeWidget):
    """A table with headings. The column `stretched` takes the remaining width."""

    def __init__(self, name: str, headings: Sequence[str], stretched: int = 0) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setHeaderLabels(headings)
        self.setRootIsDecorated(False)
        head = self.header()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)
        head.setStretchLastSection(False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.scheduleDelayedItemsLayout()  # rows measured before the style sheet was applied are too low


WIDTH = 280


class Popover(QFrame):
    """A floating card with a title. Its contents go into `column`."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("floating", True)
        self.setAccessibleName(title)
        self.column = fill(vertical(self, margins=(12, 10, 12, 12)), plain_label(title, "strong"))
        self.setFixedWidth(scaled(WIDTH))

    def open_at(self, place: QPoint) -> None:
        """Open the card below a point of the screen, and move it if necessary to keep it on the screen."""
        self.adjustSize()
        screen = QGuiApplication.screenAt(place) or self.screen()
        room, size = screen.availableGeometry(), self.sizeHint().expandedTo(QSize(scaled(WIDTH), 0))
        x = max(room.left(), min(place.x() + scaled(8), room.right() - size.width()))
        self.move(x, max(room.top(), min(place.y() + scaled(8), room.bottom() - size.height())))
        self.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
        else:
            super().keyPressEvent(event)


class ProgressDialog(StandardDialog):
    """Shows the progress of a job. Emits `cancelled` when the user cancels. The owner of the job hides the dialog."""

    cancelled = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.label = ElidedLabel(tr("ui.import.reading", file=""))
        self.column.addWidget(self.label)
        self.bar = named(QProgressBar(minimum=0, maximum=0, textVisible=False), title)  # unknown number of records
        self.column.addWidget(self.bar)
        self.cancel = push_button(tr("ui.general.cancel"), self.reject)
        self.add_buttons(self.cancel)
        self.resize(scaled(420), self.sizeHint().height())

    def show_progress(self, text: str) -> None:
        """Set the description of the current step."""
        if self.cancel.isEnabled():
            self.label.setText(text)

    def reject(self) -> None:
        if self.cancel.isEnabled():
            self.cancel.setEnabled(False)
            self.label.setText(tr("ui.import.cancelling"))
            self.cancelled.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()
        self.reject()
