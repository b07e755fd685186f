"""Keys of a fight in the real window: what each opens or does, and that the turn order has the focus afterwards."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDialog, QLineEdit

from tests.ui.test_keys_at_table import active, docks_of, home
from tests.ui.test_turn_by_keyboard import dock_of, running
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import slots_in_order
from turnwright.play.asking.checks import CallForSaves
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.queries.queries import open_prompts
from turnwright.ui.dialogs.palette import CommandPalette
from turnwright.ui.shell.window_actions import action_table

ARRANGEMENT = "run"

__all__ = ["home", "running"]


def strike(qtbot, keys):
    combined = QKeySequence(keys)[0]
    qtbot.keyClick(QApplication.focusWidget(), combined.key(), combined.keyboardModifiers())


def line_of(dock):
    return dock.damage.amount.line


def is_edited(window):
    view = docks_of(window).dock("order").view
    return view.state() == QAbstractItemView.State.EditingState and isinstance(QApplication.focusWidget(), QLineEdit)


def is_in_a_window_of_its_own(window):
    return QApplication.focusWidget() is not None and QApplication.focusWidget().window() is not window


OPENING = {
    "A": lambda window: dock_of(window).form_host.attack_card.isVisible(),
    "1": lambda window: dock_of(window).form_host.attack_card.isVisible(),
    ".": lambda window: dock_of(window).action_bar.filter.hasFocus(),
    "T": lambda window: bool(docks_of(window).dock("order").view.letters),
    "D": lambda window: line_of(dock_of(window)).hasFocus() and dock_of(window).damage.modes[False].isChecked(),
    "H": lambda window: line_of(dock_of(window)).hasFocus() and dock_of(window).damage.modes[True].isChecked(),
    "C": lambda window: dock_of(window).isAncestorOf(QApplication.focusWidget()),
    "S": lambda window: dock_of(window).form_host.form_card.field("name").line.hasFocus(),
    "K": lambda window: dock_of(window).checks.line.hasFocus(),
    "Ctrl+Shift+K": is_in_a_window_of_its_own,
    "V": lambda window: dock_of(window).form_host.move_card.field("feet").box.hasFocus(),
    "M": lambda window: docks_of(window).dock("map").view.hasFocus(),
    "/": lambda window: docks_of(window).dock("journal").note.hasFocus(),
    "R": lambda window: dock_of(window).dice.line.hasFocus(),
    "I": is_edited,
    "F2": is_edited,
    "Shift+E": lambda window: dock_of(window).form_host.is_open,
    "Ctrl+K": lambda _window: any(
        isinstance(one, CommandPalette) and one.isVisible() for one in QApplication.allWidgets()
    ),
    "Ctrl+I": lambda _window: any(
        isinstance(one, QDialog) and one.isVisible() for one in QApplication.topLevelWidgets()
    ),
    "Ctrl+Shift+A": lambda window: not docks_of(window).dock("order").view.hasFocus(),
}


def test_each_key_opens_its_place_and_escape_goes_home_without_a_step(running, home, qtbot):
    depth = running.document.source.session.history.depth
    for keys, is_open in OPENING.items():
        print(keys)  # the last one is shown if the test fails
        if is_open is is_edited:
            home.setCurrentIndex(home.model().index(1, 0))
        strike(qtbot, keys)
        qtbot.waitUntil(lambda is_open=is_open: is_open(running))
        for _ in range(3):  # one step back each
            if home.hasFocus() and running.isActiveWindow() and not home.letters:
                break
            strike(qtbot, "Esc")
            running.activateWindow()  # as the window manager does when a dialog is closed
            qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
        qtbot.waitUntil(home.hasFocus)
        assert running.document.source.session.history.depth == depth


def order_of(window):
    return [slot.id for slot in slots_in_order(window.document.encounter)]


def state_of(window):
    """What keys change: the turn, the order, who is selected or hidden, hit points, and the docks on top."""
    document = window.document
    people = [(one.id, one.hp, one.hidden) for one in document.encounter.all(Combatant)]
    raised = [id for id in ("stat-block", "journal") if docks_of(window).is_raised(id)]
    pinned = docks_of(window).dock("stat-block").strip.pin_button.accessibleName()
    return active(window), order_of(window), document.selected_combatants, people, raised, pinned


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("keys", "changed"),
    [
        ("N", {0, 5}),
        ("Ctrl+Z", {3}),
        ("Alt+Down", {1}),
        ("Ctrl+H", {3}),
        ("Space", {2, 5}),
        ("Ctrl+A", {2, 5}),
        ("J", {4}),
        ("P", {5}),
    ],
)
def test_a_key_acts_at_once_and_the_focus_stays_at_home(running, home, qtbot, keys, changed):
    running.document.execute(ApplyDamage(("osk",), "3"))
    home.setCurrentIndex(home.model().index(1, 0))
    running.document.select_combatants(())
    home.setFocus(Qt.FocusReason.OtherFocusReason)
    before = state_of(running)
    strike(qtbot, keys)
    qtbot.wait(1)
    after = state_of(running)
    assert {place for place in range(len(before)) if before[place] != after[place]} == changed
    assert home.hasFocus()


def test_redo_goes_on_where_undo_went_back(running, home, qtbot):
    running.document.execute(ApplyDamage(("osk",), "3"))
    hurt = running.document.encounter.need(Combatant, "osk").hp
    for keys, points in (("Ctrl+Z", hurt + 3), ("Ctrl+Y", hurt)):
        strike(qtbot, keys)
        assert running.document.encounter.need(Combatant, "osk").hp == points
        assert home.hasFocus()


@pytest.mark.parametrize("keys", ["Return", "Ctrl+Return", "Shift+Return"])
def test_enter_applies_an_amount_in_full_halved_or_doubled(running, home, qtbot, keys):
    running.document.select_combatants(("osk",))
    before = running.document.encounter.need(Combatant, "osk")
    home.setFocus()
    strike(qtbot, "D")
    qtbot.keyClicks(QApplication.focusWidget(), "4")
    strike(qtbot, keys)
    lost = {"Return": 4, "Ctrl+Return": 2, "Shift+Return": 8}[keys]
    after = running.document.encounter.need(Combatant, "osk")
    assert (before.hp + before.temp_hp) - (after.hp + after.temp_hp) == lost
    qtbot.waitUntil(home.hasFocus)


def test_the_keys_of_the_window_stand_in_the_list_of_actions():
    keys = {shortcut for spec in action_table().specs for shortcut in spec.look.shortcuts}
    of_rows = {"1", "F2"}  # these belong to what is in sight, or to the list that has the focus
    assert set(OPENING) - of_rows <= keys


@pytest.mark.parametrize("arrangement", ["run", "prepare"])
def test_s_casts_a_spell_in_each_arrangement(running, qtbot, arrangement):
    running.content.services.layout.arrange(arrangement)
    running.setFocus()
    docks_of(running).dock("order" if arrangement == "run" else "map").view.setFocus()
    strike(qtbot, "S")
    qtbot.waitUntil(lambda: OPENING["S"](running))
    strike(qtbot, "S")
    assert dock_of(running).form_host.form_card.field("name").line.text() == "s"


def test_s_skips_a_prompt_that_has_the_focus(running, home, qtbot):
    running.document.execute(CallForSaves(("mira",), "wis", 12))
    strike(qtbot, "A")
    qtbot.waitUntil(dock_of(running).prompts.has_focus)
    strike(qtbot, "S")
    assert not open_prompts(running.document.encounter)
    assert not dock_of(running).form_host.is_open


def test_s_skips_the_roll_of_an_attack(running, home, qtbot):
    strike(qtbot, "A")
    qtbot.keyClicks(QApplication.focusWidget(), "25")
    strike(qtbot, "Return")
    strike(qtbot, "A")
    card = dock_of(running).form_host.attack_card
    qtbot.waitUntil(lambda: bool(card.claimed_prompt) and card.damage.line.hasFocus())
    strike(qtbot, "S")
    assert not card.claimed_prompt
    assert not dock_of(running).form_host.form_card.is_open
