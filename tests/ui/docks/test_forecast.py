"""The forecast dock: words before charts, why there is none, what goes out of date, and charts that say what they show."""

from __future__ import annotations

import csv

import msgspec
import pytest
from PySide6.QtCore import Qt

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.forecast.compiled import fight_loop
from turnwright.play.setup.commands.edit import Edit
from turnwright.ui.docks.forecast.dock import ForecastDock
from turnwright.ui.docks.shared.chart_section import write_chart


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Compiled beforehand: on a busy machine that takes longer than a test waits."""
    assert fight_loop().warm()


@pytest.fixture
def dock(show):
    made = show(ForecastDock)
    made.model.watch(watched=True)
    return made


def settle(qtbot, dock):
    qtbot.waitUntil(lambda: not dock.model.is_stale and not dock.model.is_running)


def test_the_dock_says_who_wins_and_who_falls_before_any_chart(dock, qtbot, bridge):
    settle(qtbot, dock)
    outlook = dock.model.outlook
    assert outlook.fights >= 2000
    assert dock.headline.title.text().startswith(("Won ", "Never won"))
    assert f"from {outlook.fights:,} fights" in dock.headline.band.text()
    texts = [label.text() for label in dock.summary.labels if label.isVisibleTo(dock)]
    assert texts[0].startswith("The party wins ")
    assert [bar.name for bar in dock.falls.bars] == [
        one.label
        for one in sorted((each for each in outlook.combatants if each.party), key=lambda one: -one.down.value)
    ]
    left_out = sum(note.list == "left-out" for note in outlook.notes)
    assert dock.notes.button.text().startswith(f"Leaves out {left_out}, ")


def test_a_change_makes_it_out_of_date_and_then_new(dock, qtbot, bridge):
    settle(qtbot, dock)
    before = dock.model.outlook
    captain = bridge.encounter.need(RosterEntry, "captain")
    assert bridge.execute(Edit(msgspec.structs.replace(captain, count=3)))
    assert dock.model.is_stale
    assert dock.headline.band.text() == "Out of date: the encounter has changed"
    settle(qtbot, dock)
    assert dock.model.outlook.won.value < before.won.value


def test_without_a_party_it_says_what_to_add(dock, qtbot, bridge):
    settle(qtbot, dock)
    for one in [one for one in bridge.encounter.all(RosterEntry) if one.player]:
        assert bridge.execute(Edit(msgspec.structs.replace(one, player="")))
    qtbot.waitUntil(lambda: dock.model.obstacle == "no-party" and not dock.model.is_running)
    assert dock.empty.accessibleName() == "Add player characters, and the forecast says how they will probably fare."


def test_no_forecast_is_made_while_the_dock_is_not_looked_at(dock, qtbot, bridge):
    settle(qtbot, dock)
    dock.model.watch(watched=False)
    before = dock.model.outlook
    captain = bridge.encounter.need(RosterEntry, "captain")
    assert bridge.execute(Edit(msgspec.structs.replace(captain, count=2)))
    qtbot.wait(200)
    assert dock.model.is_stale
    assert dock.model.outlook is before
    dock.model.watch(watched=True)
    settle(qtbot, dock)
    assert dock.model.outlook is not before


def test_a_bar_is_read_by_keys_and_chosen_by_enter(dock, qtbot, bridge):
    settle(qtbot, dock)
    qtbot.waitUntil(lambda: dock.falls.item is not None)
    dock.falls.setFocus()
    qtbot.keyClick(dock.falls, Qt.Key.Key_Down)
    first = dock.falls.bars[0]
    assert dock.falls.readout.text() == first.text
    qtbot.keyClick(dock.falls, Qt.Key.Key_Return)
    selected = bridge.selected_record()
    assert isinstance(selected, RosterEntry)
    assert (selected.name or bridge.encounter.need(Creature, selected.creature).name) == first.name


def test_charts_are_written_as_figures_and_as_pictures(dock, qtbot, tmp_path):
    settle(qtbot, dock)
    write_chart(dock.falls, tmp_path / "falls.csv")
    rows = list(csv.reader((tmp_path / "falls.csv").read_text(encoding="utf-8").splitlines()))
    assert rows[0] == ["name", "value", "low", "high", "dark"]
    assert [row[0] for row in rows[1:]] == [bar.name for bar in dock.falls.bars]
    for plot in (dock.falls, dock.rounds, dock.sources):
        write_chart(plot, tmp_path / "chart.svg")
        assert (tmp_path / "chart.svg").read_bytes().lstrip().startswith(b"<?xml")


def test_an_entry_of_the_lists_opens_its_record(dock, qtbot, bridge):
    settle(qtbot, dock)
    opened = []
    dock.openRequested.connect(opened.append)
    dock.notes.button.click()
    entry = next(one for one in dock.notes.entries if one.isEnabled())
    entry.click()
    assert bridge.encounter.record(opened[0]) is not None
    assert all(": " in one.text() or one.text().endswith(".") for one in dock.notes.entries)


def test_a_change_is_made_by_its_button_as_one_step(dock, qtbot, bridge, depth):
    settle(qtbot, dock)
    rows = [place for place, button in enumerate(dock.change_rows.buttons) if button.isVisibleTo(dock)]
    assert rows
    assert [bar.text for bar in dock.changes.bars] == [
        label.text() for label in dock.change_rows.labels if label.isVisibleTo(dock)
    ]
    before, state = depth(), bridge.encounter
    won = dock.model.outlook.won.value
    better = next(row for row in rows if dock.changes.bars[row].value > 0)
    dock.change_rows.buttons[better].click()
    assert depth() == before + 1
    settle(qtbot, dock)
    assert dock.model.outlook.won.value > won
    bridge.undo()
    assert bridge.encounter == state
