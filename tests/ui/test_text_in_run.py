"""Text in Run: none under 14 px, none cut off without a tooltip, in the sizes of common screens and at 150 %."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton, QToolButton, QWidget

from tests.ui.docks.running_fight import settle
from tests.ui.player import CONTROL, ENTER, ESCAPE, Key, Player
from turnwright.play.setup.commands.advance_setup import AdvanceSetup
from turnwright.play.table.commands.set_dice import SetDice
from turnwright.ui.widgets.layout import ElidedLabel

LEAST = 14
LOOKS = (((1280, 800), 100), ((1366, 768), 100), ((1920, 1080), 100), ((1920, 1080), 150), ((1280, 800), 150))
Flaw = tuple[str, str]


def flaws(window: QWidget) -> Iterator[Flaw]:
    """Yield the flaws of the labels and buttons in sight: what is wrong, and the text."""
    for kind in (QLabel, QAbstractButton):
        for widget in window.findChildren(kind):
            text = widget.text()
            if not widget.isVisible() or not text or widget.visibleRegion().isEmpty():
                continue
            if QFontInfo(widget.font()).pixelSize() < LEAST:
                yield "small", text
            if is_cut(widget):
                yield "cut", text


def is_cut(widget: QLabel | QAbstractButton) -> bool:
    """Return whether a label or a button has less room than its text needs, and no tooltip that says all of it."""
    if isinstance(widget, ElidedLabel):
        return widget.is_elided() and not widget.toolTip()
    if isinstance(widget, QLabel) and widget.wordWrap():
        return widget.heightForWidth(widget.width()) > widget.height()
    if isinstance(widget, QLabel):
        return widget.fontMetrics().horizontalAdvance(widget.text()) > widget.contentsRect().width()
    return widget.sizeHint().width() > widget.width() and isinstance(widget, QPushButton | QToolButton)


@pytest.mark.parametrize(("size", "percent"), LOOKS)
def test_text_can_be_read(window, application, qtbot, size: tuple[int, int], percent: int) -> None:
    application.theme.set_scale(percent / 100)
    window.resize(*size)
    bridge, player = window.bridge, Player(window)
    bridge.execute(SetDice("roll", 7))
    player.press(Key.Key_F9)
    found: list[str] = []

    def look(state: str) -> None:
        qtbot.wait(1)  # for what is laid out afterwards
        found.extend(f"{state}: {flaw} {text!r}" for flaw, text in sorted(set(flaws(window))))

    look("set-up")
    bridge.execute(AdvanceSetup(begins=True))
    settle(bridge)
    bridge.execute(SetDice("ask"))
    look("actions")
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
    settle(bridge)
    player.press("j")
    look("journal")
    assert "\n".join(found) == ""
