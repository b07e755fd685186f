"""The window after a start: its docks, the size of text, and focus by keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from tests.ui.conftest import active, furnished, remove
from tests.ui.shell.test_window import fight, seen
from turnwright.encounter.running import Clock
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.ui.docks.arrangements import DOCKS
from turnwright.ui.forms.fields import MultiLineTextField
from turnwright.ui.look.style import base_font

LOW_SCREEN = 760  # of 800 pixels, less what the system keeps for itself


# Size and theme, first: a change is worked out for every widget that there was so far ------------------------------


def test_the_size_of_everything_can_be_set(window, application):
    actions = window.content.window_actions
    actions.run("larger")
    assert base_font().scale == pytest.approx(1.1)
    assert application.settings_store.settings.font_scale == 110
    actions.run("default-size")
    assert not actions.action("smaller").isEnabled()


def test_a_theme_is_kept(window, application):
    window.content.window_actions.run("theme-dark")
    assert application.theme.theme.dark
    assert application.settings_store.settings.theme == "dark"
    assert window.content.window_actions.action("theme-dark").isChecked()
    window.content.window_actions.run("theme-light")


def test_arrangement_and_geometry_come_back_with_the_next_start(qtbot, window, application, sample):
    window.content.services.layout.arrange("run")
    window.content.docks.set_open("stat-block", is_open=False)
    window.resize(895, 640)
    window.close()
    from turnwright.ui.services.settings_store import SettingsStore

    settings = SettingsStore(application.workspace.folders.config).settings
    assert settings.arrangement == "run"
    application.settings_store.replace(settings)
    again = application.show(application.workspace.open(sample))
    qtbot.addWidget(again)
    again.build_content()
    assert again.height() == 640  # the width is limited by the screen of the tests
    qtbot.waitUntil(lambda: seen(again) == {"order", "turn", "journal"})
    again.document.source.close(discard=True)


def test_a_message_stays_above_docks_that_are_shown_later(qtbot, window):
    bar = window.messages()
    bar.notify("Nothing was changed.", "warn", persistent=True)
    for id in ("environment", "creature"):
        dock = window.content.docks.show(id)
        qtbot.waitUntil(lambda dock=dock: window.children().index(bar) > window.children().index(dock))
    assert bar.isVisible()


def test_a_message_moves_above_the_foot_of_the_turn_after_a_switch_to_run(qtbot, window):
    bar = window.messages()
    bar.notify("Nothing was changed.", "warn", persistent=True)
    window.document.execute(StartEncounter())
    window.content.services.layout.arrange("run")
    stage = window.content.docks.dock("turn").stage

    def bottom():
        return stage.mapTo(window, stage.rect().bottomLeft()).y()

    qtbot.waitUntil(lambda: bar.isVisible() and bottom() - 60 < bar.geometry().bottom() <= bottom())


def test_a_dock_floats_closes_and_comes_back(qtbot, window):
    docks = window.content.docks
    library = docks.dock("library")
    library.setFloating(True)
    qtbot.waitUntil(library.isWindow)
    library.setFloating(False)
    window.content.window_actions.run("dock-library")
    assert not docks.is_open("library")
    assert not window.content.window_actions.action("dock-library").isChecked()
    window.content.window_actions.run("dock-library")
    qtbot.waitUntil(lambda: "library" in seen(window))


def test_every_dock_of_the_table_is_built_and_named(window):
    for id in DOCKS:
        dock = window.content.docks.built(id)
        assert dock is not None
        assert dock.objectName() == id
        assert dock.windowTitle()


def test_docks_are_built_middle_first_then_in_sight_then_behind_tabs(qtbot, fresh_application, sample):
    window = fresh_application.show(fresh_application.workspace.open(sample))
    docks, stages = window.content.docks, []

    def built():
        return {id for id in DOCKS if docks.built(id)}

    assert built() == {"roster"}
    docks.docksChanged.connect(lambda: stages.append(built()))
    with qtbot.waitSignal(window.content.docksBuilt):
        pass
    assert [stage for n, stage in enumerate(stages) if stage not in stages[:n]][-2:] == [
        {"roster", "library", "creature"},
        set(DOCKS),
    ]
    assert seen(window) == {"roster", "library", "creature"}
    assert docks.dock("roster").findChildren(MultiLineTextField)
    window.source.close(discard=True)
    window.hide()
    window.deleteLater()


class FirstPaints(QObject):
    """What `state` was when each of the watched docks was first painted, by their ids."""

    def __init__(self, state):
        super().__init__()
        self._state, self.found = state, {}

    def eventFilter(self, dock, event):
        if event.type() == QEvent.Type.Paint:
            self.found.setdefault(dock.objectName(), self._state())
        return False


def test_the_roster_is_painted_alone_and_the_creature_with_its_form(qtbot, fresh_application, sample):
    window = fresh_application.show(fresh_application.workspace.open(sample))
    docks = window.content.docks

    def state():
        creature = docks.built("creature")
        return docks.built("library") is not None, creature is not None and len(creature.parts) > 0

    paints = FirstPaints(state)

    def watch():
        for id in ("roster", "creature"):
            if dock := docks.built(id):
                dock.installEventFilter(paints)

    watch()
    docks.docksChanged.connect(watch)
    with qtbot.waitSignal(window.content.docksBuilt):
        pass
    assert paints.found == {"roster": (False, False), "creature": (True, True)}
    assert window.updatesEnabled()
    window.source.close(discard=True)
    window.hide()
    window.deleteLater()


def test_enter_on_a_row_goes_to_its_editor(qtbot, window):
    view = window.content.docks.dock("roster").roster_view
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert window.document.selection == ("roster", "raiders")
    qtbot.keyClick(view, Qt.Key.Key_Return)
    editor = window.content.docks.dock("creature")
    qtbot.waitUntil(lambda: editor.isAncestorOf(QApplication.focusWidget()))
    assert QApplication.focusWidget().text() == "River raider"


def test_going_past_a_list_selects_nothing(qtbot, window):
    dock = window.content.docks.dock("roster")
    window.document.select(("roster", "captain"))
    dock.details.button.setFocus()
    while not dock.world_view.hasFocus():
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    qtbot.keyClick(dock.world_view, Qt.Key.Key_Tab)
    assert not dock.world_view.hasFocus()
    assert window.document.selection == ("roster", "captain")


def test_rows_that_are_headings_are_stepped_over(qtbot, window):
    view = window.content.docks.dock("roster").roster_view
    window.document.select(("roster", "second-hounds"))
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert window.document.selection == ("roster", "mira")
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert window.document.selection == ("roster", "second-hounds")
    qtbot.keyClick(view, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert window.document.selection == ("roster", "raiders")


def test_tab_reads_from_left_to_right_and_comes_to_everything(qtbot, window):
    window.document.select(("environments", "frigid"))
    editor = window.content.docks.dock("environment")
    qtbot.waitUntil(lambda: hasattr(editor, "feature_rows"))
    window.setFocus()
    come = []
    while QApplication.focusWidget() not in come:
        come.append(QApplication.focusWidget())
        qtbot.keyClick(come[-1], Qt.Key.Key_Tab)
    docks = [next((id for id, dock in window.content.docks.all.items() if dock.isAncestorOf(one)), "") for one in come]
    order = [id for id in dict.fromkeys(docks) if id]
    assert order == ["library", "roster", "environment"]
    spared = editor.feature_rows.form.fields["unaffected"]
    assert any(spared.isAncestorOf(one) for one in come)  # a group that is made only when it is used


def test_one_key_goes_from_dock_to_dock_and_back_to_where_one_was(qtbot, window):
    title = window.content.docks.dock("roster").title
    line = title.findChild(QLineEdit)
    line.setFocus()
    control, both = (
        Qt.KeyboardModifier.ControlModifier,
        (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier),
    )
    for id in ("suggest", "map", "creature", "environment", "countdown", "forecast", "library"):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab, control)
        dock = window.content.docks.dock(id)
        qtbot.waitUntil(lambda dock=dock: dock.isAncestorOf(QApplication.focusWidget()))
        assert id in seen(window)
    for _ in range(7):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab, both)
    qtbot.waitUntil(line.hasFocus)


def test_a_dock_behind_another_is_shown_before_it_is_closed(window):
    toggle = window.content.window_actions.action("dock-countdown")
    toggle.trigger()
    assert "countdown" in seen(window)
    toggle.trigger()
    assert not window.content.docks.is_open("countdown")


def test_letters_typed_into_a_field_are_no_shortcuts(qtbot, window):
    fight(window)
    window.content.services.layout.arrange("run")
    active = window.document.encounter.need(Clock, "clock").active
    field = next(
        each
        for each in window.content.docks.dock("turn").findChildren(QLineEdit)
        if each.isVisible() and each.isEnabled() and not each.isReadOnly()
    )
    field.setFocus()
    qtbot.keyClicks(field, "n?dg")
    assert field.text().endswith("n?dg")
    assert window.document.encounter.need(Clock, "clock").active == active
    notes = QPlainTextEdit(window)
    notes.show()
    notes.setFocus()
    qtbot.keyClicks(notes, "nh")
    assert notes.toPlainText() == "nh"


def test_menus_fit_on_a_low_screen_in_the_type_of_the_table(qtbot, window):
    window.content.services.layout.arrange("run")
    qtbot.wait(0)
    heights = {id: menu.sizeHint().height() for id, menu in window.content.window_actions.menus.items()}
    assert {id: height for id, height in heights.items() if height > LOW_SCREEN} == {}


def test_a_window_that_opens_in_run_begins_in_the_turn_order(qtbot, fresh_application, sample):
    fresh_application.settings_store.update(arrangement="run")
    document = fresh_application.workspace.open(sample)
    document.do(StartEncounter())
    window = furnished(fresh_application, document, qtbot)
    active(window, qtbot)
    assert window.content.docks.dock("order").view.hasFocus()
    fresh_application.theme.set_at_table(False)
    document.close(discard=True)
    remove(window)
