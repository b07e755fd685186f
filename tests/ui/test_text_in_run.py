"""The window in Run: its size, that no text is small, cut or pale, on common screens and at 150 %, light and dark."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QLabel, QPushButton, QToolButton

from tests.ui.contrast import painted_contrast
from tests.ui.docks.running_fight import settle
from tests.ui.elided import elided_texts
from tests.ui.player import CONTROL, ENTER, ESCAPE, Key, Player
from turnwright.play.setup.roster import AdvanceSetup
from turnwright.play.table.game_master import SetDice
from turnwright.ui.look.style import ThemeChoice
from turnwright.ui.shell.window import MainWindow
from turnwright.ui.widgets.layout import ElidedLabel, PartsLabel
from turnwright.ui.widgets.typed.typed_lines import TargetPicker

LEAST = 14
CLEAR, LARGE, CLEAR_IF_LARGE = 4.5, 24, 3.0  # contrasts; pixels from which the lower one counts
LOOKS = (
    ((1280, 800), 100, "light"),
    ((1366, 768), 100, "dark"),
    ((1920, 1080), 100, "light"),
    ((1920, 1080), 150, "dark"),
    ((1280, 800), 150, "light"),
)
LAYOUTS_LATER = 20  # what is laid out afterwards may take several passes of the event loop
Flaw = tuple[str, str]


def flaws(window: MainWindow, size: tuple[int, int]) -> Iterator[Flaw]:
    """Yield what is wrong with the window and with the labels, buttons and rows in sight: what, and the text."""
    if window.size().toTuple() != size:
        yield "grown", str(window.size().toTuple())
    button = window.content.tool_bar.button
    if button.visibleRegion().boundingRect() != button.rect():
        yield "out of sight", button.text()
    picture, ratio = window.grab().toImage(), window.devicePixelRatio()
    for field in window.findChildren(QAbstractSpinBox):
        if field.isVisible() and QFontInfo(field.lineEdit().font()).pixelSize() < LEAST:
            yield "small", field.text()
    for kind in (QLabel, QAbstractButton):
        for widget in window.findChildren(kind):
            text = widget.text()
            if not widget.isVisible() or not text or widget.visibleRegion().isEmpty():
                continue
            if isinstance(widget, PartsLabel) and not widget.elided():
                continue  # what matters least, where there is no room
            if QFontInfo(widget.font()).pixelSize() < LEAST:
                yield "small", text
            if is_cut(widget):
                yield "cut", text
            seen = widget.visibleRegion().boundingRect()
            if seen.height() < widget.height() or seen.width() < widget.width():  # scrolled out or covered in part
                continue
            place = QRectF(seen.translated(widget.mapTo(window, QPoint())))
            is_large = QFontInfo(widget.font()).pixelSize() >= LARGE or not widget.isEnabled()
            drawn = painted_contrast(picture, QRectF(place.topLeft() * ratio, place.size() * ratio).toRect())
            if drawn < (CLEAR_IF_LARGE if is_large else CLEAR):
                yield "pale", f"{text} {drawn:.1f}"


def is_cut(widget: QLabel | QAbstractButton) -> bool:
    """Return whether a label or a button has less room than its text needs, and no tooltip that says all of it."""
    if isinstance(widget, ElidedLabel):
        return widget.is_elided() and not widget.toolTip()
    if isinstance(widget, QLabel) and widget.wordWrap():
        return widget.heightForWidth(widget.width()) > widget.height()
    if isinstance(widget, QLabel):
        return widget.fontMetrics().horizontalAdvance(widget.text()) > widget.contentsRect().width()
    if isinstance(widget, TargetPicker):
        return not widget.toolTip()  # it elides its text itself
    return widget.sizeHint().width() > widget.width() and isinstance(widget, QPushButton | QToolButton)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("size", "percent", "theme"), LOOKS)
def test_text_can_be_read(window, application, qtbot, size: tuple[int, int], percent: int, theme: ThemeChoice) -> None:
    application.theme.choose(theme)
    application.theme.set_scale(percent / 100)
    window.resize(*size)
    document, player = window.document, Player(window)
    document.execute(SetDice("roll", 7))
    player.press(Key.Key_F9)
    found: list[str] = []

    def look(state: str) -> None:
        for _ in range(LAYOUTS_LATER):
            qtbot.wait(1)
            flawed = sorted(set(flaws(window, size)))
            if percent == 100:
                flawed += [("elided", text) for text in elided_texts(player.order.view)]
            if not flawed:
                return
        found.extend(f"{state}: {flaw} {text!r}" for flaw, text in flawed)

    look("set-up")
    document.execute(AdvanceSetup(begins=True))
    settle(document)
    document.execute(SetDice("ask"))
    look("actions")
    block = window.content.docks.dock("stat-block").view.document().defaultFont()
    assert QFontInfo(block).pixelSize() >= LEAST
    player.press(Key.Key_1)
    look("attack card")
    player.press(ESCAPE)
    player.press("c")
    look("condition card")
    player.press(ESCAPE, ESCAPE, ".")
    look("more actions")
    player.press(ESCAPE)
    player.press("a", modifier=CONTROL)
    look("several selected")
    player.press("d", "2d6 fire, dex 15 half", ENTER)
    look("prompt")
    settle(document)
    player.press("j")
    look("journal")
    assert "\n".join(found) == ""
