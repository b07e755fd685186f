"""Suggestions by keys in the real window: found, changed slot by slot, taken back, and added as one step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from tests.ui.conftest import active
from tests.ui.player import CONTROL, Key, Player
from turnwright.encounter.prepared import Countdown, Creature, Environment, RosterEntry
from turnwright.encounter.state import scene_of
from turnwright.forecast.sentences import percent
from turnwright.ui.docks.suggest.dock import NARROW, SuggestDock
from turnwright.ui.look.style import scaled
from turnwright.ui.widgets.text import DIGIT_ROW, PushButton
from turnwright.workspace.kernel_library import await_kernels

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Compile beforehand: on a busy machine that takes longer than a test waits."""
    assert await_kernels()


@pytest.fixture
def player(window, qtbot, tmp_path) -> Player:
    file = tmp_path / "new.toml"
    file.write_text('format = 3\nsystem = "dnd5e"\n', encoding="utf-8")
    assert window.content.file_controller.open(file)
    active(window, qtbot)
    return Player(window)


@pytest.fixture
def dock(player, qtbot) -> SuggestDock:
    player.press("g", modifier=CONTROL)
    dock = player.window.content.docks.dock("suggest")
    wait(qtbot, dock)
    dock.focus_prompt()
    return dock


def wait(qtbot, dock: SuggestDock) -> None:
    """Wait until suggestions are found and forecast."""
    model = dock.model
    qtbot.waitUntil(lambda: bool(model.cards) and model.present.run is None, timeout=20_000)
    assert all(card.forecast is not None for card in model.cards)
    QApplication.processEvents()


def kinds(dock: SuggestDock, card: int = 0) -> list[tuple[str, int]]:
    return [(slot.creature.name, slot.count) for slot in dock.model.cards[card].proposal.slots]


def test_three_suggestions_differ_and_say_their_sum_and_forecast(dock):
    assert len(dock.model.cards) == 3
    assert len({card.proposal.kinds for card in dock.model.cards}) == 3
    first = dock.model.cards[0]
    said = dock.cards[0].accessibleName()
    assert all(f"{count} × {name}" in said for name, count in kinds(dock))
    assert "= " in said
    assert f"Won {percent(first.forecast.won.value)} %" in said
    assert {card.proposal.difficulty for card in dock.model.cards} == {"hard"}


def test_keys_choose_change_and_take_back(player, dock, qtbot):
    before = [kinds(dock, card) for card in range(3)]
    azerty = QKeyEvent(QEvent.Type.KeyPress, ord('"'), Qt.KeyboardModifier.NoModifier, DIGIT_ROW[2], 20, 0, '"')
    QApplication.sendEvent(player.focused, azerty)
    assert dock.current == 2
    player.press("2")
    assert dock.current == 1
    player.press("+")
    assert kinds(dock, 1)[0] == (before[1][0][0], before[1][0][1] + 1)
    assert dock.model.cards[1].is_touched
    player.press("-")
    assert kinds(dock, 1) == before[1]
    player.press("x")
    assert kinds(dock, 1)[0][0] != before[1][0][0]
    for _ in range(3):
        player.press("z", modifier=CONTROL)
    assert kinds(dock, 1) == before[1]
    assert not dock.model.can_go_back
    assert not list(player.window.document.encounter.all(RosterEntry))


def test_a_locked_kind_stays_in_three_others(player, dock, qtbot):
    name, count = kinds(dock)[0]
    player.press("l")
    shown = dock.model.cards
    player.press("r", modifier=SHIFT)
    qtbot.waitUntil(lambda: dock.model.cards != shown and not dock.model.is_searching, timeout=20_000)
    assert all((name, count) in kinds(dock, card) for card in range(len(dock.model.cards)))
    player.press("1")
    player.press("r")
    assert (name, count) in kinds(dock), "a locked kind isn't replaced"


def test_a_kind_is_chosen_by_its_name(player, dock, qtbot):
    player.press("s")
    line = dock.cards[0].line
    assert line is not None
    line.setText("ghoul")
    player.press(Key.Key_Return)
    assert kinds(dock)[0][0] == "Ghoul"
    assert dock.cards[0].line is None
    player.press("s")
    dock.cards[0].line.setText("no such creature")
    player.press(Key.Key_Return)
    assert dock.cards[0].line is not None
    player.press(Key.Key_Escape)
    assert dock.cards[0].line is None


def test_enter_adds_all_kinds_as_one_step(player, dock):
    document, wanted = player.window.document, kinds(dock)
    company = dock.model.cards[0].proposal.company
    player.press(Key.Key_Return)
    encounter = document.encounter
    added = [(encounter.get(Creature, entry.creature).name, entry.count) for entry in encounter.all(RosterEntry)]
    assert added == wanted
    assert scene_of(encounter).title == company
    player.press("z", modifier=CONTROL)
    assert not list(document.encounter.all(RosterEntry))


def test_enemies_that_are_there_count(player, dock, qtbot):
    player.press(Key.Key_Return)
    there = kinds(dock)
    qtbot.waitUntil(lambda: bool(dock.model.there), timeout=20_000)
    wait(qtbot, dock)
    for card in range(len(dock.model.cards)):
        assert set(there) <= set(kinds(dock, card))
        assert len(dock.cards[card].rows) == len(kinds(dock, card)) - len(there)


def test_wishes_search_again_and_say_when_nothing_fits(dock, qtbot):
    words = dock.form.fields["words"]
    words.edited.emit("undead, -zombie")
    qtbot.waitUntil(lambda: dock.model.answer.kinds < 80 and not dock.model.is_searching, timeout=20_000)
    wait(qtbot, dock)
    for card in dock.model.cards:
        assert any(slot.creature.type == "undead" for slot in card.proposal.slots)
        assert not any("Zombie" in slot.creature.name for slot in card.proposal.slots)
    words.edited.emit("xylophone")
    qtbot.waitUntil(lambda: not dock.model.cards and not dock.model.is_searching, timeout=20_000)
    assert dock.note.text() == "Nothing fits. Without the types, tags and habitats, something would."
    assert not any(card.isVisible() for card in dock.cards)


def test_a_party_of_the_wanted_size_and_level_is_forecast(dock, qtbot):
    assert dock.model.levels() == (1, 1, 1, 1)
    dock.form.fields["level"].edited.emit(5)
    qtbot.waitUntil(lambda: dock.model.challenge.levels == (5, 5, 5, 5), timeout=20_000)
    wait(qtbot, dock)
    assert "usual numbers of their level" in dock.note.text()


def test_a_place_and_a_countdown_are_added(player, dock):
    model = dock.model
    buttons = [button for button in dock.places.findChildren(PushButton) if button.isVisibleTo(dock)]
    for button in buttons:
        button.click()
    encounter = player.window.document.encounter
    assert list(encounter.all(Countdown))
    for countdown in encounter.all(Countdown):
        assert countdown.outcomes[0].text
    assert len(list(encounter.all(Environment))) + len(list(encounter.all(Countdown))) == len(buttons)
    assert model.cards


def test_a_narrow_panel_shows_one_card_whole(player, dock):
    dock.setFloating(True)
    dock.resize(scaled(NARROW) - 40, 600)
    QApplication.processEvents()
    assert [card.body.isVisibleTo(dock) for card in dock.cards] == [True, False, False]
    player.window.activateWindow()
    dock.cards[1].setFocus()
    QApplication.processEvents()
    dock.resize(scaled(NARROW) + 300, 600)
    QApplication.processEvents()
    assert all(card.body.isVisibleTo(dock) for card in dock.cards)
