"""The keys of the map and of the players' screen in the real window in a fight, through Qt's shortcut map."""

from __future__ import annotations

import string
from typing import get_args

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.ui.test_turn_by_keyboard import running
from turnwright.encounter.floors import stacked
from turnwright.encounter.prepared import Map, MapFloor
from turnwright.encounter.running import Clock, LastingArea
from turnwright.play.environment.map_changes import ArrangeFloors
from turnwright.ui.docks.arrangements import ArrangementName
from turnwright.ui.docks.map import dock as map_dock
from turnwright.ui.docks.map.tools.draw_tool import ALL_TOOLS
from turnwright.ui.docks.map.tools.select_tool import PointerMode
from turnwright.ui.look.window_data import window_data
from turnwright.ui.shell.window_actions import action_table
from turnwright.ui.widgets.text import DIGIT_ROW

ARRANGEMENT = "run"
ALL_KEYS = window_data("keys.list", tuple[tuple[str, str, str], ...])
MAP_KEYS = {(place, word): keys for place, keys, word in ALL_KEYS if place.startswith("map")}
PLAYER_KEYS = [
    (spec.id, key) for spec in action_table().specs if spec.look.menu == "players" for key in spec.look.shortcuts
]
AZERTY = "&é\"'(-è_çà"

__all__ = ["running"]


class ShortcutWatcher(QObject):
    """Records who gets a shortcut, and whether it has several owners. With `stops`, nothing is executed."""

    def __init__(self, *, stops: bool) -> None:
        super().__init__()
        self.stops = stops
        self.owners: list[tuple[QObject, bool]] = []
        QApplication.instance().installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() != QEvent.Type.Shortcut:
            return False
        self.owners.append((watched, event.isAmbiguous()))
        return self.stops


@pytest.fixture
def watcher(request):
    watching = ShortcutWatcher(stops=getattr(request, "param", True))
    yield watching
    QApplication.instance().removeEventFilter(watching)


def strike(keys: str) -> None:
    combined = QKeySequence(keys.removeprefix("Num+"))[0]
    keypad = Qt.KeyboardModifier.KeypadModifier if keys.startswith("Num+") else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(QApplication.focusWidget(), combined.key(), combined.keyboardModifiers() | keypad)


def owned_keys(window) -> set[str]:
    """Every key sequence of the window: of its actions and widgets, and the letters that menus and buttons may have."""
    keys = {sequence.toString() for action in window.findChildren(QAction) for sequence in action.shortcuts()}
    keys |= {
        sequence.toString() for shortcut in window.findChildren(QShortcut) for sequence in QShortcut.keys(shortcut)
    }
    return (keys | {f"Alt+{letter}" for letter in string.ascii_uppercase + string.digits}) - {""}


@pytest.mark.parametrize("arrangement", get_args(ArrangementName))
def test_no_key_has_two_owners(running, qtbot, watcher, arrangement):
    running.content.services.layout.arrange(arrangement)
    places = [name for name in ("order", "map", "turn") if running.content.docks.built(name) is not None]
    for name in places:
        running.content.docks.focus_dock(name)
        qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
        for keys in sorted(owned_keys(running)):
            strike(keys)
            assert not any(is_ambiguous for _, is_ambiguous in watcher.owners), (name, keys)
    assert len({id(owner) for owner, _ in watcher.owners}) > 30


@pytest.fixture
def on_map(running, qtbot):
    """The map with the focus in the fight, Mira selected."""
    running.content.docks.focus_dock("map")
    dock = running.content.docks.dock("map")
    qtbot.waitUntil(lambda: dock.is_built and dock.view.hasFocus())
    running.document.select(("combatants", "mira"))
    dock.tools.show_drawing(shown=False)
    return dock


def state_of(dock):
    document, tool = dock.canvas.document, dock.template_tool
    return {
        "mode": dock.select_tool.mode,
        "tool": dock.view.tool,
        "line": dock.line_tool.tool.id,
        "drawn": (dock.draw_tool.shape,),
        "cursor": dock.canvas.cursor,
        "torches": len(list(document.encounter.all(LastingArea))),
        "selected": dock.canvas.selected,
        "group": dock.canvas.group,
        "fog": (dock.fog_tool.shape, dock.fog_tool.state),
        "shape": tool.shape and (tool.shape.kind, tool.shape.feet),
        "squares": tool.info.squares,
        "origin": tool.origin,
        "count": tool.count,
        "cell": dock.view.map.cell,
        "floor": document.floor.id,
        "depth": document.source.session.history.depth,
        "height": token.elevation if (token := dock.canvas.selected_token()) is not None else 0,
    }


MAP_EFFECTS = {  # what is pressed before, what changes, and what it is afterwards
    ("map", "move"): ("", "mode", PointerMode.MOVING),
    ("map", "move-in-fight"): ("", "mode", PointerMode.MOVING),
    ("map", "aim"): ("", "mode", PointerMode.AIMING),
    ("map", "mode"): ("V", "mode", PointerMode.MOVING),
    ("map", "menu"): ("", "menus", 1),
    ("map", "diagonal"): ("", "cursor", None),
    ("map", "raise"): ("", "height", 5),
    ("map", "floor"): ("", "floor", "cellar"),
    ("map", "to-floor"): ("", "floor", "cellar"),
    ("map", "previous"): ("", "selected", None),
    ("map", "next"): ("", "selected", None),
    ("map", "add"): ("", "selected", None),
    ("map", "alike"): ("", "group", None),
    ("map", "place"): ("Del", "mode", PointerMode.MOVING),
    ("map", "take-off"): ("", "depth", None),
    ("map", "torch"): ("", "torches", 1),
    ("map", "show"): ("", "selected", None),
    ("map", "fit"): ("+ +", "cell", None),
    ("map", "fog"): ("", "tool", "fog_tool"),
    ("map", "line"): ("pencil", "tool", "line_tool"),
    ("map", "rectangle"): ("pencil", "drawn", ("rectangle",)),
    ("map", "fill"): ("pencil", "drawn", ("room",)),
    ("map", "ruler"): ("", "tool", "ruler_tool"),
    ("map", "pointer"): ("", "tool", "ruler_tool"),
    ("map", "frame"): ("", "tool", "frame_tool"),
    ("map", "portrait"): ("", "pastes", 1),
    ("map", "fog-room"): ("G B", "fog", ("room", "shown")),
    ("map", "fog-rectangle"): ("G", "fog", ("rectangle", "shown")),
    ("map", "fog-circle"): ("G", "fog", ("circle", "shown")),
    ("map", "fog-polygon"): ("G", "fog", ("polygon", "shown")),
    ("map", "fog-brush"): ("G", "fog", ("brush", "shown")),
    ("map", "fog-shown"): ("G 3", "fog", ("room", "shown")),
    ("map", "fog-explored"): ("G", "fog", ("room", "explored")),
    ("map", "fog-hidden"): ("G", "fog", ("room", "hidden")),
    ("map", "fog-look"): ("G", "looks", 1),
    ("map-area", "shape"): ("Shift+A 2", "shape", ("burst", 20)),
    ("map-area", "larger"): ("Shift+A", "shape", None),
    ("map-area", "smaller"): ("Shift+A", "shape", None),
    ("map-area", "turn"): ("Shift+A 2", "squares", None),
    ("map-area", "origin"): ("Shift+A", "origin", None),
    ("map-area", "count"): ("Shift+A", "count", None),
    ("map-area", "lasts"): ("Shift+A", "menus", 1),
    ("map-area", "take"): ("Shift+A", "tool", "select_tool"),
}


def test_every_key_of_the_map_in_the_list_is_pressed_here():
    assert set(MAP_EFFECTS) == set(MAP_KEYS)


@pytest.mark.parametrize("watcher", [False], indirect=True)
def test_each_key_of_the_map_does_what_the_list_says_in_a_fight(running, on_map, qtbot, watcher, monkeypatch):
    counted = {"menus": 0, "pastes": 0, "looks": 0}

    def count(what):
        counted[what] += 1

    monkeypatch.setattr(map_dock, "pop_up", lambda *_: count("menus"))
    on_map.view.pasteRequested.disconnect()
    on_map.view.pasteRequested.connect(lambda: count("pastes"))
    on_map.fog_bar.buttons["look"].clicked.connect(lambda: count("looks"))
    clock = running.document.encounter.need(Clock, "clock")
    whole = running.document.encounter.need(Map, "map")
    floors = stacked(((MapFloor("hall", "Hall"), whole), (MapFloor("cellar", "Cellar"), Map(columns=9, rows=7))))
    running.document.execute(ArrangeFloors(floors))
    for line, (before, what, expected) in MAP_EFFECTS.items():
        depth = running.document.source.session.history.depth
        counted.update(dict.fromkeys(counted, 0))
        on_map.template_tool.cancel()
        on_map.show_fog(shown=False)
        on_map.fog_bar.buttons["room"].click()
        on_map.fog_bar.buttons["shown"].click()
        on_map.tools.choose(ALL_TOOLS[0])
        on_map.tools.show_drawing(shown=before == "pencil")
        running.content.services.layout.arrange("prepare" if line == ("map", "move") else "run")
        running.content.docks.focus_dock("map")
        qtbot.waitUntil(on_map.view.hasFocus)
        running.document.select(None if line == ("map", "show") else ("combatants", "mira"))
        for keys in before.replace("pencil", "").split():
            strike(keys)
        watcher.owners.clear()
        state = state_of(on_map) | counted
        strike(MAP_KEYS[line])
        after = state_of(on_map) | counted
        assert watcher.owners == [], line
        if what == "floor":
            assert after[what] == expected, line
        elif isinstance(expected, str):
            assert after[what] is getattr(on_map, expected), line
        elif expected is None:
            assert after[what] != state[what], line
        else:
            assert after[what] == expected, line
        while running.document.source.session.history.depth > depth:
            running.document.undo()
    assert running.document.encounter.need(Clock, "clock") == clock


def test_each_drawing_tool_has_its_key_on_the_map_in_a_fight(on_map, qtbot):
    on_map.tools.show_drawing(shown=True)
    for tool in ALL_TOOLS[1:]:
        strike(tool.key)
        assert on_map.tools.buttons[tool.id].isChecked(), tool.id
        assert on_map.view.tool is not on_map.select_tool
    strike("R")
    assert (on_map.tools.buttons["room"].isChecked(), on_map.draw_tool.shape) == (False, "brush")
    strike("Esc")
    assert on_map.view.tool is on_map.select_tool
    strike("V")
    assert on_map.select_tool.mode is PointerMode.MOVING


def test_shift_and_a_letter_keeps_its_meaning_in_the_window_while_tools_are_shown(on_map, watcher):
    on_map.tools.show_drawing(shown=True)
    strike("Shift+N")
    assert [owner.objectName() for owner, _ in watcher.owners] == ["undo-turn"]


@pytest.mark.parametrize("place", ["order", "map"])
def test_each_key_of_the_players_screen_has_one_owner_in_a_fight(running, on_map, watcher, place):
    running.content.docks.focus_dock(place)
    for id, keys in PLAYER_KEYS:
        strike(keys)
        assert [(owner.objectName(), ambiguous) for owner, ambiguous in watcher.owners] == [(id, False)], keys
        watcher.owners.clear()


def strike_at(code: int, text: str) -> None:
    """Press the key with a scan code, which types a text in the layout."""
    for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
        event = QKeyEvent(kind, ord(text.upper()), Qt.KeyboardModifier.NoModifier, code, code, 0, text)
        event.ignore()
        QApplication.sendEvent(QApplication.focusWidget(), event)
        assert event.isAccepted(), text


@pytest.mark.parametrize("layout", [AZERTY, "+ěščřžýáíé"])
def test_digits_count_by_their_place_on_the_keyboard(on_map, layout):
    strike("G")
    for place, state in ((2, "hidden"), (1, "explored"), (0, "shown")):
        strike_at(DIGIT_ROW[place], layout[place])
        assert on_map.fog_tool.state == state
    strike("G")
    on_map.tools.show_drawing(shown=True)
    for tool in ALL_TOOLS:
        if tool.key.isdecimal():
            place = "1234567890".index(tool.key)
            strike_at(DIGIT_ROW[place], layout[place])
            assert on_map.tools.buttons[tool.id].isChecked()
    on_map.tools.show_drawing(shown=False)
    strike("Shift+A")
    strike_at(DIGIT_ROW[1], layout[1])
    assert on_map.template_tool.shape.kind == "cone"


@pytest.mark.parametrize("layout", [AZERTY, "+ěščřžýáíé"])
def test_digits_by_their_place_choose_actions(running, qtbot, layout):
    running.content.docks.focus_dock("order")
    turn = running.content.docks.dock("turn")
    place = running.content.docks.dock("order").view
    qtbot.waitUntil(place.hasFocus)
    for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
        modifiers = Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(place, QKeyEvent(kind, ord(layout[0]), modifiers, DIGIT_ROW[0], 0, 0, layout[0]))
    qtbot.waitUntil(turn.form_host.attack_card.isVisible)
