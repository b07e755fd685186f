"""The start page: at the start without a file, whatever was on before, by keys alone, and gone with the first edit."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton

from tests.ui.conftest import active, furnished, remove
from tests.ui.docks.test_all import nameless, texts
from tests.ui.shell.test_window import seen
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.adventure import AdventureRun, StepDone, with_done
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import Add
from turnwright.storage.adventures import read_adventure, write_adventure
from turnwright.storage.resources import sample_adventures, sample_encounters
from turnwright.ui.dialogs.party_table import PartyTableDialog
from turnwright.ui.dialogs.quick_add import QuickAddLine
from turnwright.ui.docks.start import EntryButton
from turnwright.ui.look.style import theme_source
from turnwright.ui.widgets.text import DIGIT_ROW
from turnwright.workspace.files import title_in


@pytest.fixture
def start(qtbot, fresh_application):
    """Start a window without a file, after the settings were changed. The settings and files are those of the test."""
    windows = []

    def start(**settings):
        fresh_application.settings_store.update(**settings)
        window = furnished(fresh_application, fresh_application.workspace.untitled(), qtbot)
        active(window, qtbot)
        windows.append(window)
        qtbot.waitUntil(lambda: "start" in seen(window))
        return window

    yield start
    for window in windows:
        fresh_application.theme.set_at_table(False)
        window.document.source.close(discard=True)
        remove(window)


def page_of(window):
    return window.content.docks.all["start"]


def rows_of(window) -> list[str]:
    return [button.accessibleName() for button in page_of(window).findChildren(EntryButton) if button.isVisible()]


def press(qtbot, key):
    qtbot.keyClick(QApplication.focusWidget(), key)


def settled(qtbot, window, sample: str):
    """Wait until the files have been read."""
    qtbot.waitUntil(lambda: any(name.startswith(sample) for name in rows_of(window)))


def test_the_first_start_asks_for_the_game_once(qtbot, start, fresh_application):
    window = start()
    assert seen(window) == {"start"}
    assert [name.partition(",")[0] for name in rows_of(window)][:4] == [
        "A5E",
        "Action points",
        "D&D 5e",
        "Pathfinder 2e",
    ]
    assert "A" in page_of(window).buttons
    assert not window.content.tool_bar.button.isVisible()  # the page has the only filled button
    plain = Qt.KeyboardModifier.NoModifier  # the third key above the letters, in a French layout
    QApplication.sendEvent(
        QApplication.focusWidget(), QKeyEvent(QEvent.Type.KeyPress, 34, plain, DIGIT_ROW[2], 20, 0, '"')
    )
    settings = fresh_application.settings_store.settings
    assert (window.document.rules.id, settings.last_game, settings.game_chosen) == ("dnd5e", "dnd5e", True)
    assert seen(window) == {"start"}
    assert not window.document.source.is_modified
    press(qtbot, Qt.Key.Key_Return)  # the sample
    qtbot.waitUntil(lambda: seen(window) == {"library", "roster", "creature"})
    assert (window.document.source.path, window.document.rules.id) == (None, "dnd5e")
    window.content.file_controller.new()
    window.content.services.layout.show_start()
    assert not any(name.startswith("Pathfinder") for name in rows_of(window))


def test_new_encounter_puts_the_cursor_where_the_first_creature_is_typed(qtbot, start):
    window = start(game_chosen=True)
    press(qtbot, Qt.Key.Key_N)
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    assert isinstance(line.window(), QuickAddLine)
    qtbot.keyClicks(line, "2 bandit hp 9")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert [entry.count for entry in window.document.encounter.all(RosterEntry)] == [2]
    qtbot.waitUntil(lambda: seen(window) == {"library", "roster", "creature"})


def test_a_party_is_added_from_the_page_which_goes_with_it(qtbot, start):
    window = start(game_chosen=True)
    press(qtbot, Qt.Key.Key_P)
    dialog = next(each for each in window.findChildren(PartyTableDialog) if each.isVisible())
    assert seen(window) >= {"start"}
    dialog.reject()
    window.document.execute(Add((Creature("rat", "Rat"),)))
    qtbot.waitUntil(lambda: seen(window) == {"library", "roster", "creature"})


@pytest.mark.sampled(1)
@pytest.mark.parametrize("running", [True, False])
def test_continue_opens_the_last_file_in_its_fight(qtbot, start, sample, fresh_application, running):
    if running:
        document = fresh_application.workspace.open(sample)
        document.do(StartEncounter())
        document.save()
        document.close()
    window = start(recent=(str(sample), str(sample.parent / "gone.toml")), arrangement="prepare")
    qtbot.waitUntil(lambda: not any("gone" in name for name in rows_of(window)))
    assert "The bridge at Cold Ford" in [text.text() for text in page_of(window).findChildren(QLabel)]
    press(qtbot, Qt.Key.Key_Return)
    assert window.document.source.path == sample
    assert window.content.services.layout.arrangement == ("run" if running else "prepare")
    assert not window.content.docks.is_open("start")
    window.content.services.layout.show_start()
    press(qtbot, Qt.Key.Key_Return)  # it is open already
    assert not window.content.docks.is_open("start")


@pytest.mark.soak
def test_whatever_was_on_at_quitting_a_start_without_a_file_shows_the_page(qtbot, start, fresh_application):
    window = start(game_chosen=True)
    window.content.docks.focus_dock("map")
    assert seen(window) >= {"map"}
    assert not window.content.docks.is_open("start")
    window.content.services.layout.save()
    again = start()
    assert seen(again) == {"start"}
    press(qtbot, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: "map" in seen(again))  # as it was left


def test_the_page_comes_back_from_the_menu_and_goes_with_every_dock(qtbot, window):
    layout, docks = window.content.services.layout, window.content.docks
    layout.arrange("run")
    window.content.window_actions.run("start-page")
    qtbot.waitUntil(lambda: seen(window) == {"start"})
    assert not window.statusBar().isVisible()
    window.content.window_actions.run("prepare")
    qtbot.waitUntil(lambda: seen(window) == {"library", "roster", "creature"})
    window.content.window_actions.run("start-page")
    docks.focus_dock("journal")
    qtbot.waitUntil(lambda: "journal" in seen(window) and "start" not in seen(window))
    layout.reset()


def test_the_edition_of_a_game_is_a_small_choice(start, fresh_application):
    window = start()
    shown = [each for each in page_of(window).findChildren(QPushButton) if each.isVisible()]  # not of a page before
    (choice,) = [each for each in shown if each.text() == "2024"]
    assert (choice.accessibleName(), choice.isChecked()) == ("D&D 5e (2024)", False)
    assert sum("D&D" in name for name in rows_of(window)) == 1
    choice.click()
    assert window.document.rules.id == "dnd5e-2024"
    assert fresh_application.settings_store.settings.last_game == "dnd5e-2024"


def test_samples_of_the_game_come_first_and_unsaved_work_is_marked(qtbot, start, fresh_application, tmp_path, sample):
    workspace = fresh_application.workspace
    other = Path(shutil.copy(sample_encounters()[0], tmp_path / "barge.toml"))
    for document in (workspace.open(other), workspace.untitled()):
        document.do(Add((Creature("rat", "Rat"),)))
        document.close()  # without discarding, as after a crash
    window = start(game_chosen=True, last_game="pf2e", recent=(str(sample), str(other)))
    title = title_in(other)
    qtbot.waitUntil(lambda: any(each.startswith(title) and each.endswith("Unsaved") for each in rows_of(window)))
    qtbot.waitUntil(lambda: any("Never saved" in text for text in texts(page_of(window))))
    names = rows_of(window)
    samples = [name.rpartition(", ")[2] for name in names if not any(sign in name for sign in "·~/")]
    assert samples[:2] == ["PF2e", "PF2e"]
    assert "PF2e" not in samples[2:]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("elsewhere", [False, True])
def test_adventures_are_listed_and_open_their_next_encounter(
    qtbot, start, fresh_application, tmp_path, sample, elsewhere
):
    root = tmp_path / "games" if elsewhere else fresh_application.workspace.folders.adventures
    folder = Path(shutil.copytree(sample_adventures()[0].parent, root / "mill"))
    adventure = read_adventure(folder / "adventure.toml", RuleSystems().ids).adventure
    keys = [key for key, step in zip(adventure.keys, adventure.steps, strict=True) if step.encounter]
    write_adventure(folder / "adventure.run.toml", with_done(AdventureRun(), StepDone(keys[0])))
    second = folder / keys[1].partition(":")[2]
    window = start(game_chosen=True, recent=(*([str(second)] if elsewhere else []), str(sample)))
    settled(qtbot, window, adventure.title)
    if elsewhere:  # the last file belongs to the adventure, so the card has its title, as the list and the sample do
        labels = [label.text() for label in page_of(window).findChildren(QLabel) if label.isVisible()]
        assert labels.count(adventure.title) == 3
    row = next(each for each in page_of(window).findChildren(EntryButton) if adventure.title in each.accessibleName())
    assert f"1 of {len(keys)} encounters done · {title_in(second)}" in row.accessibleName()
    row.click()
    assert window.document.source.path == second


def test_an_adventure_opens_at_the_rest_it_reached(qtbot, start, fresh_application, sample):
    folder = fresh_application.workspace.folders.adventures / "mill"
    shutil.copytree(sample_adventures()[0].parent, folder)
    adventure = read_adventure(folder / "adventure.toml", RuleSystems().ids).adventure
    place = next(place for place, step in enumerate(adventure.steps) if step.rest)
    before = next(step for step in adventure.steps[place::-1] if step.encounter)
    write_adventure(folder / "adventure.run.toml", AdventureRun(at=adventure.keys[place]))
    window = start(game_chosen=True, recent=(str(sample),))
    settled(qtbot, window, adventure.title)
    next(row for row in page_of(window).findChildren(EntryButton) if adventure.title in row.accessibleName()).click()
    assert window.document.source.path == folder / before.encounter


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("recent", "theme"), [(True, "dark"), (False, "light")])
def test_everything_has_a_name_and_fits(qtbot, start, sample, recent, theme):
    window = start(**({"recent": (str(sample),)} if recent else {}))
    window.resize(1280, 800)
    page = page_of(window)
    theme_source().choose(theme)
    assert not nameless(page)
    assert not [text for text in texts(page) if text.startswith("ui.")]
    assert page.minimumSizeHint().width() <= 1280
