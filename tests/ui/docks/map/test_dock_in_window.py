import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar

from turnwright.encounter.prepared import RosterEntry
from turnwright.ui.docks.arrangements import tab_bars

CONTROL = Qt.KeyboardModifier.ControlModifier


def tabs(window):
    """Return the names on all visible tabs of docks."""
    return [bar.tabText(at) for bar in tab_bars(window) for at in range(bar.count())]


@pytest.mark.soak
def test_no_tabs_of_the_other_arrangement_stay_behind(qtbot, window):
    qtbot.waitUntil(lambda: "Map" in tabs(window))
    for name in ("run", "prepare", "run", "prepare"):
        window.content.services.layout.arrange(name)
        qtbot.waitUntil(lambda name=name: tabs(window).count("Map") == (name == "prepare"))
        names = tabs(window)
        assert len(names) == len(set(names))
        assert ("Stat block" in names) == (name == "run")
        assert ("Encounter" in names) == (name == "prepare")
    window.content.services.layout.reset()
    qtbot.waitUntil(lambda: tabs(window).count("Map") == 1)
    assert all(isinstance(bar, QTabBar) for bar in tab_bars(window))


def test_one_key_goes_to_the_map_and_undo_works_there(qtbot, window):
    qtbot.keyClick(window, Qt.Key.Key_M, CONTROL)
    dock = window.content.docks.dock("map")
    qtbot.waitUntil(lambda: dock.is_built and dock.view.hasFocus())
    window.document.select(("roster", "mira"))
    qtbot.keyClick(dock.view, Qt.Key.Key_M)
    qtbot.keyClick(dock.view, Qt.Key.Key_Right)
    qtbot.keyClick(dock.view, Qt.Key.Key_Return)
    assert window.document.encounter.need(RosterEntry, "mira").positions == ((11, 9),)
    qtbot.keyClick(dock.view, Qt.Key.Key_Z, CONTROL)
    assert window.document.encounter.need(RosterEntry, "mira").positions == ((10, 9),)


def test_the_keys_of_the_map_work_once_its_tab_is_clicked(qtbot, window):
    qtbot.waitUntil(lambda: "Map" in tabs(window))
    bar, at = next((bar, at) for bar in tab_bars(window) for at in range(bar.count()) if bar.tabText(at) == "Map")
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(at).center())
    dock = window.content.docks.dock("map")
    qtbot.waitUntil(lambda: dock.is_built and dock.view.hasFocus())


def test_a_letter_that_ends_the_turn_does_not_while_somebody_moves(qtbot, window):
    from turnwright.encounter.running import Clock, Combatant
    from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
    from turnwright.play.table.game_master import SetDice
    from turnwright.play.turn_order.surprise import SetInitiative

    document = window.document
    for command in (SetDice("roll"), StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        document.execute(command)
    ids = document.encounter.ids(Combatant)
    document.execute(SetInitiative(tuple((who, 30 - place) for place, who in enumerate(ids))))
    document.execute(AdvanceSetup())
    window.content.services.layout.arrange("run")
    window.content.docks.focus_dock("map")
    dock = window.content.docks.dock("map")
    qtbot.waitUntil(dock.view.hasFocus)
    before = document.encounter.need(Clock, "clock")
    document.select(("combatants", "mira"))
    qtbot.keyClick(dock.view, Qt.Key.Key_V)
    qtbot.keyClick(dock.view, Qt.Key.Key_N)
    assert document.encounter.need(Clock, "clock") == before
    qtbot.keyClick(dock.view, Qt.Key.Key_Escape)
