"""The arrangements of the docks: switched, kept, in a wide and a narrow window, in large type."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.ui.shell.test_window import fight, seen
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.turns.turns import EndEncounter
from turnwright.ui.docks.arrangements import LAYOUTS
from turnwright.ui.docks.turn.dock import LEAST_WIDTH
from turnwright.ui.look.style import base_font, role_font, scaled, table_style_sheet

LOW_SCREEN = 760  # of 800 pixels, less what the system keeps for itself


def test_prepare_shows_library_encounter_and_inspector(fresh_window):
    assert seen(fresh_window) == {"library", "roster", "creature"}
    assert fresh_window.windowTitle().startswith("The bridge at Cold Ford")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("key", [Qt.Key.Key_2, Qt.Key.Key_F6])
def test_one_keystroke_takes_on_the_run_arrangement(qtbot, window, key):
    control = Qt.KeyboardModifier.ControlModifier if key == Qt.Key.Key_2 else Qt.KeyboardModifier.NoModifier
    qtbot.keyClick(window, key, control)
    qtbot.waitUntil(lambda: seen(window) == {"order", "turn", "stat-block"})
    qtbot.waitUntil(lambda: not window.content.tool_bar.files["save"].isVisible())
    qtbot.keyClick(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: seen(window) == {"library", "roster", "creature"})


@pytest.mark.parametrize("name", ["prepare", "run"])
def test_only_the_middle_grows_with_the_window(qtbot, window, name):
    window.resize(1280, 800)
    window.content.services.layout.arrange(name)
    window.content.services.layout.reset()
    docks, plan = window.content.docks.all, LAYOUTS[name]
    left, middle, right = (docks[column[0]] for column in (plan.left, plan.middle, plan.right))
    qtbot.waitUntil(lambda: left.width() == plan.left_width and right.width() == plan.right_width)
    before = middle.width()
    window.resize(1580, 900)
    qtbot.waitUntil(lambda: middle.width() == before + 300)
    assert (left.width(), right.width()) == (plan.left_width, plan.right_width)


def test_a_wide_window_has_a_column_for_the_map_while_running(qtbot, window):
    window.resize(1280, 800)
    window.content.services.layout.arrange("run")
    qtbot.waitUntil(lambda: seen(window) == {"order", "turn", "stat-block"})
    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: seen(window) == {"order", "turn", "map", "stat-block", "journal"})
    docks, plan = window.content.docks.all, LAYOUTS["run-wide"]
    widths = {"order": plan.left_width, "turn": plan.middle_width, "stat-block": plan.right_width}
    qtbot.waitUntil(lambda: {id: docks[id].width() for id in widths} == widths)
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: seen(window) == {"order", "turn", "stat-block"})


def test_the_page_after_a_fight_has_the_room_of_the_map(qtbot, window):
    window.content.services.layout.arrange("run")
    window.resize(1920, 1080)
    window.document.execute(StartEncounter())
    qtbot.waitUntil(lambda: seen(window) == {"order", "turn", "map", "stat-block", "journal"})
    window.document.execute(EndEncounter())
    qtbot.waitUntil(lambda: seen(window) == {"order", "turn", "stat-block", "journal"})
    end = window.content.docks.all["turn"].end
    qtbot.waitUntil(end.course.isVisible)
    window.document.undo()
    qtbot.waitUntil(lambda: "map" in seen(window))
    window.resize(1280, 800)


def test_type_is_large_while_running(qtbot, window):
    window.content.services.layout.arrange("run")
    sizes = {role: role_font(role).pointSizeF() for role in ("caption", "body", "strong", "number", "banner")}
    pixel = sizes["body"] / 16
    assert {role: round(size / pixel) for role, size in sizes.items()} == {
        "caption": 14,
        "body": 16,
        "strong": 18,
        "number": 24,
        "banner": 32,
    }
    window.content.services.layout.arrange("prepare")
    assert role_font("body").pointSizeF() < sizes["body"]


def test_the_style_sheet_of_the_application_stays_in_both_arrangements(window, monkeypatch):
    sheet, font = QApplication.instance().styleSheet(), role_font("body").pointSizeF()
    monkeypatch.setattr(QApplication, "setStyleSheet", lambda *_: pytest.fail("polished every widget"))
    window.content.services.layout.arrange("run")
    assert role_font("body").pointSizeF() > font
    dock = window.content.docks.dock("turn")
    assert dock.styleSheet() == table_style_sheet(1.0)
    window.content.services.layout.arrange("prepare")
    assert QApplication.instance().styleSheet() == sheet


def test_fields_and_menus_take_the_type_of_the_arrangement(qtbot, window):
    line, menus = window.content.docks.dock("turn").damage.amount.line, window.menuBar()
    for arrangement in ("run", "prepare"):
        window.content.services.layout.arrange(arrangement)
        qtbot.wait(0)
        sizes = {widget.font().pointSizeF() for widget in (line, menus)}
        assert sizes == {role_font("body").pointSizeF()}


def test_an_arrangement_comes_back_as_it_was_left(qtbot, window):
    docks = window.content.docks
    docks.set_open("library", is_open=False)
    docks.show("problems")
    qtbot.waitUntil(lambda: seen(window) == {"roster", "creature", "problems"})
    window.content.services.layout.arrange("run")
    qtbot.waitUntil(lambda: "turn" in seen(window))
    window.content.services.layout.arrange("prepare")
    qtbot.waitUntil(lambda: seen(window) == {"roster", "creature", "problems"})
    window.content.services.layout.reset()
    qtbot.waitUntil(lambda: seen(window) == {"library", "roster", "creature"})


@pytest.mark.soak
def test_big_type_leaves_the_map_and_folds_the_right_column_in_a_narrow_window(qtbot, window, application):
    window.resize(1280, 800)
    window.content.services.layout.arrange("run")
    qtbot.waitUntil(lambda: seen(window) == {"order", "turn", "stat-block"})
    window.content.window_actions.run("big-type")
    assert base_font().scale == pytest.approx(1.25)
    assert application.settings_store.settings.big_type
    assert window.content.window_actions.action("big-type").isChecked()
    qtbot.waitUntil(lambda: seen(window) == {"order", "turn"})
    shift = Qt.KeyboardModifier.ShiftModifier
    for docks in ({"order", "turn", "stat-block"}, {"order", "turn"}):
        qtbot.keyClick(window, Qt.Key.Key_P, shift)
        qtbot.waitUntil(lambda docks=docks: seen(window) == docks)
    assert window.width() == 1280
    window.content.window_actions.run("big-type")


@pytest.mark.soak
def test_big_type_grows_with_the_window_and_ends_with_the_fight(qtbot, window, application):
    window.resize(1920, 1080)
    window.content.services.layout.arrange("run")
    window.content.window_actions.run("big-type")
    qtbot.waitUntil(lambda: seen(window) == {"order", "turn", "stat-block"})
    assert base_font().scale == pytest.approx(1.36)
    window.content.services.layout.arrange("prepare")
    assert base_font().scale == pytest.approx(1.0)
    window.content.services.layout.arrange("run")
    assert base_font().scale == pytest.approx(1.36)
    window.content.window_actions.run("big-type")
    assert base_font().scale == pytest.approx(1.0)
    qtbot.waitUntil(lambda: "map" in seen(window))


def test_a_folded_column_covers_the_middle_and_goes_once_a_person_goes_on_there(qtbot, window):
    window.resize(1000, 760)
    window.content.services.layout.arrange("run")
    fight(window)
    window.content.window_actions.run("big-type")
    turn, order = (window.content.docks.dock(id) for id in ("turn", "order"))
    qtbot.waitUntil(lambda: seen(window) == {"order", "turn"})
    qtbot.wait(50)
    wide = order.width()
    shift = Qt.KeyboardModifier.ShiftModifier
    for key, modifiers, dock in (
        (Qt.Key.Key_P, shift, "stat-block"),
        (Qt.Key.Key_J, Qt.KeyboardModifier.NoModifier, "journal"),
    ):
        qtbot.keyClick(window, key, modifiers)
        qtbot.waitUntil(lambda dock=dock: dock in seen(window))
        qtbot.waitUntil(lambda: turn.width() < scaled(LEAST_WIDTH))
        assert order.width() > wide - 40
        assert turn.header.width() >= scaled(LEAST_WIDTH) > turn.width()
        qtbot.keyClick(window, key, modifiers)
        qtbot.waitUntil(lambda: seen(window) == {"order", "turn"})
    qtbot.keyClick(window, Qt.Key.Key_J)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_D)
    qtbot.waitUntil(lambda: seen(window) == {"order", "turn"})
    assert turn.damage.amount.line.hasFocus()
    window.content.window_actions.run("big-type")


def test_docks_follow_the_scale_and_the_window_keeps_its_size_in_the_other_arrangement(qtbot, window):
    window.content.services.theme.set_scale(1.5)
    assert window.content.docks.dock("turn").styleSheet() == table_style_sheet(1.5)
    window.resize(1280, 800)
    for arrangement in ("run", "prepare", "run"):
        window.content.services.layout.arrange(arrangement)
        qtbot.wait(20)
        qtbot.waitUntil(lambda: window.size().toTuple() == (1280, 800))


def test_columns_are_as_wide_again_after_the_window_was_narrow(qtbot, window):
    def widths():
        return [window.content.docks.dock(id).width() for id in ("order", "stat-block")]

    window.resize(1280, 800)
    window.content.services.layout.arrange("run")
    window.content.services.layout.reset()
    qtbot.waitUntil(lambda: widths() == [320, 336])
    window.resize(940, 700)
    qtbot.waitUntil(lambda: widths()[0] < 300)
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: widths() == [320, 336])
    window.resize(1300, 800)
    qtbot.wait(50)
    assert widths() == [320, 336]
