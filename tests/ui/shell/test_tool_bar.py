"""The button of the next action during set-up, and when no roll is left."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from tests.ui.shell.test_window import fight, settle
from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.play.queries.queries import open_prompts
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.table.game_master import SetHidden
from turnwright.play.turn_order.surprise import RollInitiative
from turnwright.ui.docks.players.screen import PlayersScreen
from turnwright.ui.look.style import role_font, scaled
from turnwright.ui.widgets.fields import KeyButton


def to_initiative(window):
    """Start, and go on to the step of initiative with one who only looks on."""
    document = window.document
    osk = document.encounter.need(RosterEntry, "osk")
    document.execute(Edit(replace(osk, bystander=True)))
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        document.execute(command)
    settle(document)


def test_what_waits_in_set_up_comes_before_the_next_step(window):
    to_initiative(window)
    button = window.content.tool_bar.button
    assert (button.text(), button.keys) == ("Roll the rest and begin", "F10")
    window.document.execute(RollInitiative())
    assert open_prompts(window.document.encounter)
    assert button.font().pointSizeF() == role_font("strong").pointSizeF()  # not that from before its look changed
    assert (button.text(), button.keys, button.property("kind")) == ("Roll initiative", "A", "waiting")


def test_who_looks_on_is_not_waited_for(window):
    to_initiative(window)
    window.document.execute(RollInitiative())
    settle(window.document)
    button = window.content.tool_bar.button
    assert (button.text(), button.keys, button.property("kind")) == ("Begin round 1", "F10", "primary")


def test_the_journal_shows_whole_lines_and_all_of_the_line_for_a_note(window, qtbot):
    window.resize(1920, 1080)
    window.content.services.layout.arrange("run")
    window.document.execute(StartEncounter())
    note = window.content.docks.dock("journal").note
    qtbot.waitUntil(lambda: note.isVisible() and note.visibleRegion().boundingRect() == note.rect())
    view = window.content.docks.dock("journal").view
    qtbot.waitUntil(lambda: view.viewport().height() > 0 and view.viewport().height() % scaled(24) == 0)


def test_preparing_has_the_same_bar_with_files_in_the_place_of_the_round(qtbot, window):
    bar = window.content.tool_bar
    places = [*bar.quiet.values(), *bar.modes.values(), bar.button]

    def lefts():
        return [button.mapTo(bar, QPoint()).x() for button in places if button.isVisible()]

    qtbot.waitUntil(lambda: all(button.isVisible() for button in bar.files.values()))
    assert bar.texts() == ("The bridge at Cold Ford", "")
    assert (bar.button.text(), bar.button.keys, bar.button.property("kind")) == ("Start fight", "F9", "primary")
    assert lefts() == sorted(lefts())
    assert bar.button.geometry().right() > bar.width() - scaled(16)
    bar.button.click()
    assert window.content.services.layout.arrangement == "run"
    qtbot.waitUntil(lambda: not any(button.isVisible() for button in bar.files.values()))
    assert not bar.quiet["redo"].isVisible()
    assert lefts() == sorted(lefts())
    assert bar.button.geometry().right() > bar.width() - scaled(16)


def test_a_running_fight_is_named_while_preparing(window):
    fight(window)
    window.content.services.layout.arrange("prepare")
    bar = window.content.tool_bar
    assert bar.texts()[1] == "Round 1  ·  0:00  ·  dim light"
    assert (bar.button.text(), bar.button.keys) == ("End turn", "N")


def test_no_button_of_the_bar_takes_the_focus(window):
    bar = window.content.tool_bar
    for button in bar.findChildren(QAbstractButton):
        assert button.focusPolicy() == Qt.FocusPolicy.NoFocus


@pytest.mark.sampled(2)
@pytest.mark.parametrize("arrangement", ["prepare", "run"])
@pytest.mark.parametrize(("key", "hidden"), [(Qt.Key.Key_8, False), (Qt.Key.Key_9, True)])
def test_what_undo_would_show_players_is_asked_about_below_the_bar(window, qtbot, arrangement, key, hidden):
    fight(window)
    players = window.content.services.controller(PlayersScreen)
    bar, document, layout = window.content.question_bar, window.document, window.content.services.layout
    window.resize(1280, 800)
    layout.arrange(arrangement)
    for command in (SetHidden(("mira",), hidden=True), None):
        assert document.execute(command) if command is not None else document.undo() is None
        players.show_changes()
    assert bar.isVisible()
    assert "Mira" in bar.question.text()
    layout.arrange("run" if arrangement == "prepare" else "prepare")
    buttons = bar.findChildren(KeyButton)
    assert [button.keys for button in buttons] == ["Alt+8", "Alt+9"]
    qtbot.waitUntil(lambda: all(button.visibleRegion().boundingRect() == button.rect() for button in buttons))
    assert bar.y() > window.content.tool_bar.y()
    QTest.keyClick(window, key, Qt.KeyboardModifier.AltModifier)
    assert not bar.isVisible()
    assert document.encounter.need(Combatant, "mira").hidden == hidden
    assert any(row.name == "Mira" for row in players.view.order) != hidden


def test_a_frozen_or_black_screen_is_marked_in_the_bar(window, qtbot):
    players, bar = window.content.services.controller(PlayersScreen), window.content.tool_bar
    window.resize(1280, 800)
    for id, end in (("players-hold", "order"), ("players-black", "order")):
        window.content.window_actions.run(id)
        state = bar.states[id]
        qtbot.waitUntil(state.isVisible)
        assert state.width() >= state.sizeHint().width()
        assert bar.button.geometry().right() <= bar.width()
        state.click()
        qtbot.waitUntil(lambda state=state: not state.isVisible())
        assert (players.state, players.view.mode) == ("", end)
