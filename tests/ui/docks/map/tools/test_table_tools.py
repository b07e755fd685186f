"""The ruler, the pointer and the frame of the players' view, by mouse and keyboard, and the words on tool buttons."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from tests.ui.docks.map.conftest import drag, keys, label_texts
from turnwright.ui.docks.map.tools.draw_tool import FRAME, POINTER, RULER, SELECT

Key = Qt.Key
WITH_WORD = Qt.ToolButtonStyle.ToolButtonTextBesideIcon


@pytest.mark.parametrize("tool", [RULER, POINTER])
@pytest.mark.parametrize("way", ["mouse", "keys"])
def test_a_distance_is_measured_and_players_see_it_only_with_the_pointer(show, document, tool, way):
    dock, shown = show(document), []
    dock.rulerShown.connect(shown.append)
    keys(dock, Key(ord(tool.key)))
    if way == "mouse":
        drag(dock, (1, 1), (3, 2), (4, 3))
    else:
        dock.canvas.set_cursor((1, 1))
        keys(dock, Key.Key_Return, *[Key.Key_Right] * 3, *[Key.Key_Down] * 2, Key.Key_Return)
    assert label_texts(dock.canvas.scene.overlay) == [dock.status.text()] == ["15 ft"]
    assert [*shown[:1], *shown[-1:]] == ([((1, 1), (1, 1)), ((1, 1), (4, 3))] if tool is POINTER else [])
    dock.view.zoom_by(1)
    assert label_texts(dock.canvas.scene.overlay) == ["15 ft"]
    keys(dock, Key.Key_Escape)
    assert dock.view.tool is dock.select_tool
    assert label_texts(dock.canvas.scene.overlay) == []
    assert shown[-1:] == ([None] if tool is POINTER else [])


def test_a_square_pointed_at_is_so_for_some_seconds(show, document):
    dock, shown = show(document), []
    dock.rulerShown.connect(shown.append)
    dock.tools.choose(POINTER)
    drag(dock, (2, 2))
    assert set(shown) == {((2, 2), (2, 2))}
    dock.ruler_tool.pointing.timeout.emit()
    assert (shown[-1], dock.ruler_tool.ends) == (None, None)


def test_the_frame_of_the_players_view_is_moved_and_zoomed(show, document):
    dock, moves, zooms = show(document), [], []
    dock.show_frame(QRectF(-3, -3, 9, 6))
    dock.framePanned.connect(lambda *by: moves.append(by))
    dock.frameZoomed.connect(zooms.append)
    assert label_texts(dock.canvas.scene.frame) == ["Players see this"]
    dock.view.zoom_by(1)
    assert label_texts(dock.canvas.scene.frame) == ["Players see this"]
    dock.tools.choose(FRAME)
    drag(dock, (1, 1), (3, 2))
    assert tuple(map(sum, zip(*moves, strict=True))) == pytest.approx((2, 1), abs=0.1)
    keys(dock, Key.Key_Left, Key.Key_Plus, Key.Key_Minus)
    assert moves[-1] == (-1, 0)
    spot, up = QPointF(dock.view.viewport().rect().center()), QPoint(0, 120)
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False
    QApplication.sendEvent(dock.view.viewport(), QWheelEvent(spot, spot, QPoint(), up, *none))
    assert zooms == [1.25, 0.8, 1.25]
    dock.show_frame(None)
    assert label_texts(dock.canvas.scene.frame) == []


@pytest.mark.parametrize("draws", [True, False])
def test_as_many_buttons_have_words_as_there_is_room_for_and_none_is_cut_off(show, document, qtbot, draws):
    dock = show(document)
    dock.tools.show_drawing(shown=draws)
    worded = {}
    for width in (1900, 1270, 630, 336):
        dock.window().resize(width, 700)
        qtbot.waitUntil(lambda width=width: abs(dock.tools.width() - width) < 40)
        QApplication.processEvents()
        seen = {id: button for id, button in dock.tools.buttons.items() if button.isVisible()}
        assert all(button.width() >= button.sizeHint().width() for button in seen.values())
        assert all(button.text() and button.toolTip() for button in seen.values())
        worded[width] = {id for id, button in seen.items() if button.toolButtonStyle() == WITH_WORD}
        assert dock.tools.height() < 5 * 36
    assert {"ruler", "pointer", "frame", "fog"} <= worded[630]
    assert worded[1900] == set(seen)
    assert not (draws and worded[336])
    dock.tools.choose(SELECT)
