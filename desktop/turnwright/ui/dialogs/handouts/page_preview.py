"""A preview of pages as images, one below the other, or several in a row if whole pages are shown."""

import struct
from collections.abc import Sequence
from functools import lru_cache
from math import floor
from typing import Final, Literal

import msgspec
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from turnwright.ui.look.style import GAP, GROUP_GAP, current_theme, role_font, scaled, tr
from turnwright.ui.services.portraits import page_image
from turnwright.ui.services.workers import single_shot_timer

Fit = Literal["width", "page", "own"]
MAX_CACHED: Final = 12  # decoded pictures
DEBOUNCE_MS: Final = 150
SCREEN: Final = 96.0  # logical dots per inch at 100 %
MIN_SCALE, MAX_SCALE, SCALE_STEP = 0.25, 4.0, 1.25
MIN_PPI, MAX_PPI = 24, 288
_HEAD: Final = 24


class Page(msgspec.Struct, frozen=True):
    """A page: its kind, its PNG image, and the image's resolution in dots per inch."""

    kind: str
    content: bytes
    ppi: float

    @property
    def inches(self) -> tuple[float, float]:
        """Width and height in inches, calculated from the image's header."""
        width, height = struct.unpack(">II", self.content[16:_HEAD])
        return width / self.ppi, height / self.ppi


class PagePreview(QAbstractScrollArea):
    """Shows pages. Emits `currentPageChanged` when the view scrolls, `resolutionChanged` when `ppi()` may change."""

    currentPageChanged = Signal()
    resolutionChanged = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("ui.handouts.preview"))
        self.setMinimumSize(scaled(280), scaled(240))
        # Without a permanent scroll bar, fitting the width could oscillate.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.pages: tuple[Page, ...] = ()
        self.fit: Fit = "width"
        self.empty = ""
        self._factor = 1.0
        self._sizes: list[tuple[float, float]] = []
        self.places: list[QRect] = []
        self.current_page = 0
        self._settling = single_shot_timer(self, self.resolutionChanged, DEBOUNCE_MS)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._look())
        self.horizontalScrollBar().valueChanged.connect(lambda _value: self.viewport().update())

    # Pages -------------------------------------------------------------------------------------------------------------

    def show_pages(self, pages: Sequence[Page], empty: str = "") -> None:
        """Set the pages and keep the scroll position. `empty` is the text shown if there are no pages."""
        had_pages = bool(self.pages)
        self.pages, self.empty = tuple(pages), empty
        self._sizes = [page.inches for page in self.pages]
        self._lay_out()
        if bool(self.pages) != had_pages:
            self._settling.start()  # pages of a different size may need a different scale
        self._look()

    def scale(self) -> float:
        """Return the scale of the pages. 1.0 is actual size."""
        dots = SCREEN * self.devicePixelRatioF()
        whole = round if self.fit == "own" else floor  # a page that fits is never wider than the view
        return max(1, whole(self._wanted_factor() * dots)) / dots  # whole pixels, so that pictures stay sharp

    def _wanted_factor(self) -> float:
        if self.fit == "own":
            return self._factor
        wide, high = self._largest()
        room = self.viewport().size()
        across = (room.width() - 2 * scaled(GROUP_GAP)) / (wide * SCREEN)
        if self.fit == "page":
            across = min(across, (room.height() - 2 * scaled(GROUP_GAP) - self._caption()) / (high * SCREEN))
        return min(MAX_SCALE, max(0.1, across))

    def ppi(self) -> float:
        """Return the resolution, in dots per inch, at which images are sharp on this screen."""
        return float(min(MAX_PPI, max(MIN_PPI, round(self.scale() * SCREEN * self.devicePixelRatioF()))))

    # Moving ------------------------------------------------------------------------------------------------------------

    def set_fit(self, fit: Fit) -> None:
        """Fit pages to the width of the view, or fit whole pages into it."""
        self.fit = fit
        self._rescale()

    def zoom(self, steps: int) -> None:
        """Zoom in by a number of steps (negative: out)."""
        self._factor = min(MAX_SCALE, max(MIN_SCALE, self.scale() * SCALE_STEP**steps))
        self.fit = "own"
        self._rescale()

    def go_to(self, number: int) -> None:
        """Scroll to the top of a page, counted from 0. If the number is too high, scroll to the last page."""
        if self.places:
            place = self.places[max(0, min(number, len(self.places) - 1))]
            self.verticalScrollBar().setValue(place.top() - scaled(GROUP_GAP))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        with_ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Home:
            bar.setValue(0)
        elif event.key() == Qt.Key.Key_End:
            bar.setValue(bar.maximum())
        elif event.key() == Qt.Key.Key_Space:
            bar.triggerAction(bar.SliderAction.SliderPageStepAdd)
        elif event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp) and with_ctrl:
            self.go_to(self.current_page + (1 if event.key() == Qt.Key.Key_PageDown else -1))
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._rescale()

    def sizeHint(self) -> QSize:
        return QSize(scaled(640), scaled(640))

    # Laying out --------------------------------------------------------------------------------------------------------

    def _rescale(self) -> None:
        front = self.current_page
        into = 0.0
        if front < len(self.places) and self.places[front].height():
            into = (self.verticalScrollBar().value() - self.places[front].top()) / self.places[front].height()
        self._lay_out()
        if front < len(self.places):
            place = self.places[front]
            self.verticalScrollBar().setValue(round(place.top() + into * place.height()))
        self._settling.start()
        self._look()

    def _largest(self) -> tuple[float, float]:
        wide = max((width for width, _ in self._sizes), default=8.27)
        return wide, max((height for _, height in self._sizes), default=11.69)

    def _caption(self) -> int:
        return scaled(22)

    def _lay_out(self) -> None:
        """Place the pages: as many as fit in each row if whole pages are shown, otherwise one per row."""
        scale = self.scale() * SCREEN
        gap, room = scaled(GROUP_GAP), self.viewport().size()
        sizes = [QSize(round(width * scale), round(height * scale)) for width, height in self._sizes]
        whole = max([room.width(), *(size.width() + 2 * gap for size in sizes)])
        self.places = []
        top = gap
        for row in _rows(sizes, whole - gap if self.fit == "page" else 0, gap):
            left = (whole - sum(size.width() for size in row) - gap * (len(row) - 1)) // 2
            for size in row:
                self.places.append(QRect(QPoint(left, top), size))
                left += size.width() + gap
            top += max(size.height() for size in row) + self._caption()
        self._set_bars(QSize(whole, top + gap - scaled(GAP)))

    def _set_bars(self, whole: QSize) -> None:
        room = self.viewport().size()
        for bar, length, seen in (
            (self.verticalScrollBar(), whole.height(), room.height()),
            (self.horizontalScrollBar(), whole.width(), room.width()),
        ):
            bar.setRange(0, max(0, length - seen))
            bar.setPageStep(max(1, seen - scaled(GROUP_GAP)))
            bar.setSingleStep(scaled(40))

    def _look(self) -> None:
        """Update the current page and repaint."""
        middle = self.verticalScrollBar().value() + self.viewport().height() // 2
        current = next((n for n, place in enumerate(self.places) if place.bottom() >= middle), len(self.places) - 1)
        current = max(0, current)
        self.viewport().update()
        self.current_page = current
        self.currentPageChanged.emit()

    # Painting ----------------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), theme.colour("sunken"))
        if not self.pages:
            painter.setPen(theme.colour("muted"))
            room = self.viewport().rect().adjusted(scaled(GROUP_GAP), 0, -scaled(GROUP_GAP), 0)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self.empty)
            return
        painter.setFont(role_font("caption"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        origin = QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        for number, place in enumerate(self.places):
            box = place.translated(-origin)
            if box.bottom() + self._caption() >= 0 and box.top() <= self.viewport().height():
                self._paint_page(painter, number, box)

    def _paint_page(self, painter: QPainter, number: int, box: QRect) -> None:
        theme = current_theme()
        painter.fillRect(box, QColor("white"))
        picture = _picture(self.pages[number].content)
        painter.drawImage(QRectF(box), picture, QRectF(picture.rect()))
        painter.setPen(QPen(theme.colour("edge"), 1))
        painter.drawRect(box.adjusted(-1, -1, 0, 0))
        painter.setPen(theme.colour("muted"))
        below = QRect(box.left(), box.bottom() + 1, box.width(), self._caption())
        painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), str(number + 1))


@lru_cache(MAX_CACHED)
def _picture(content: bytes) -> QImage:
    return page_image(content)


def _rows(sizes: Sequence[QSize], room: int, gap: int) -> list[list[QSize]]:
    """Group pages into rows that fit into `room` including gaps, with at least one page per row."""
    rows: list[list[QSize]] = []
    used = 0
    for size in sizes:
        used += size.width() + gap
        if not rows or used > room:
            rows.append([])
            used = size.width() + gap
        rows[-1].append(size)
    return rows
