"""The window itself: a themed frame that is painted first and furnished right after. It holds no rules and no state.

What stands in it is `furnishing`'s: loading and building that takes longer than anybody should wait for a window.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QRect, QSize, QTimer, Signal
from PySide6.QtWidgets import QMainWindow

from turnwright.ui.fonts import px
from turnwright.ui.keeping import Keeper
from turnwright.ui.theme import ThemeSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent, QPaintEvent

    from turnwright.ui.bridge import Bridge
    from turnwright.ui.dialogs.messages import MessageBar
    from turnwright.ui.furnishing import Furnishing
    from turnwright.workspace.document import Document
    from turnwright.workspace.opening import Workspace

FIRST_SIZE = (1280, 800)


class MainWindow(QMainWindow):
    """One window over one bridge. `painted` after its first paint, `furnished` once it shows the document."""

    painted = Signal()
    furnished = Signal()

    def __init__(
        self,
        open_document: Callable[[], Document],
        workspace: Callable[[], Workspace],
        keeper: Keeper,
        theme: ThemeSource,
    ) -> None:
        super().__init__()
        self.keeper = keeper
        self._open = open_document
        self._opened: Document | None = None
        self._bridge: Bridge | None = None
        self._workspace = workspace
        self._theme = theme
        self._furnishing: Furnishing | None = None
        self._is_painted = False
        self._place()

    @property
    def bridge(self) -> Bridge:
        """The way to the open document, made when it is first needed."""
        if self._bridge is None:
            from turnwright.ui.bridge import Bridge
            from turnwright.ui.say import spoken_words

            self._bridge = Bridge(self.document, spoken_words(), self)
        return self._bridge

    @property
    def document(self) -> Document:
        """The open document, opened now if it has not been."""
        return self._bridge.document if self._bridge is not None else self.open_document()

    def open_document(self) -> Document:
        """Open what the window begins with, and say its title."""
        if self._opened is None:
            self._opened = self._open()
            self.setWindowTitle(self._opened.title)
        return self._opened

    @property
    def inside(self) -> Furnishing:
        """What stands in the window, put there now if it has not been."""
        if self._furnishing is None:
            from turnwright.ui.furnishing import Furnishing

            self._furnishing = Furnishing(self, self.bridge, self._workspace(), self.keeper, self._theme)
            self.furnished.emit()
        return self._furnishing

    def furnish(self) -> None:
        """Put into the window what stands in it."""
        assert self.inside is not None

    def messages(self) -> MessageBar:
        """Return the bar that says things."""
        return self.inside.messages()

    def focusNextPrevChild(self, forward: bool) -> bool:
        from turnwright.ui.widgets.tab_order import focus_beside

        return focus_beside(self, self.focusWidget(), forward=forward)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            QTimer.singleShot(0, self, self.painted.emit)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._furnishing is not None:
            if not self._furnishing.filing.may_leave():
                event.ignore()
                return
            self._furnishing.keep_layout()
        self.keeper.change(geometry=b64encode(self.saveGeometry().data()).decode("ascii"))
        self.keeper.write()
        if self._opened is not None:
            self.document.close(discard=True)
        event.accept()

    def _place(self) -> None:
        kept = self.keeper.settings.geometry
        if not (kept and self.restoreGeometry(_bytes(kept))):
            self.setGeometry(first_geometry(self.screen().availableGeometry()))


def first_geometry(screen: QRect) -> QRect:
    """Return where a window stands the first time: the usual size at this scale, within its screen, in its middle."""
    wanted = QSize(px(FIRST_SIZE[0]), px(FIRST_SIZE[1])).boundedTo(screen.size() * 0.96)
    place = QRect(screen.topLeft(), wanted)
    place.moveCenter(screen.center())
    return place


def _bytes(text: str) -> QByteArray:
    try:
        return QByteArray(b64decode(text, validate=True))
    except ValueError:
        return QByteArray()
