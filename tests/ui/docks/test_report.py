"""The report dock: what it says before and during a fight, its table and charts, and what it saves and copies."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication

from turnwright.encounter.running import Combatant, InitialForecast
from turnwright.encounter.state import PREPARED_TABLES, Encounter
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.ui.docks.report import dock as report_dock
from turnwright.ui.docks.report.dock import ReportDock
from turnwright.workspace.fight_forecast import run_forecast


@pytest.fixture
def dock(show):
    return show(ReportDock)


@pytest.fixture
def fought(dock, document):
    """The dock in round 1, after some damage."""
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        document.execute(command)
    ids = document.encounter.ids(Combatant)
    document.execute(SetInitiative(tuple((who, 30 - place) for place, who in enumerate(ids))))
    document.execute(AdvanceSetup())
    document.execute(ApplyDamage(("mira",), "5", "Captain"))
    document.execute(ApplyDamage(("raiders-1",), "99", "Mira"))
    return dock


def row(dock, name):
    """The texts of a row of the table."""
    table = dock.table
    at = next(line for line in range(table.rowCount()) if table.item(line, 0).text() == name)
    return [table.item(at, column).text() for column in range(1, table.columnCount())]


def test_before_a_fight_it_says_that_there_is_none(dock):
    assert dock.empty.isVisible()
    assert not dock.table.isVisible()


def test_it_shows_who_dealt_took_and_fell_as_the_fight_goes_on(fought, document):
    assert row(fought, "Mira") == ["26", "5", "", ""]
    assert row(fought, "Raider 1")[3] in ("dead", "round 1")
    assert "The fight took 1 round." in fought.summary.text()
    assert [bar.name for bar in fought.damage.bars][:2] == ["Mira dealt 26", "Mira took 5"]
    document.undo()
    assert row(fought, "Mira") == ["", "5", "", ""]


def test_for_the_players_it_has_no_figures_of_their_enemies(fought):
    assert row(fought, "Captain")[0] == "5"
    fought.for_players.setChecked(True)
    names = [fought.table.item(at, 0).text() for at in range(fought.table.rowCount())]
    assert "Mira" in names
    assert "Captain" not in names  # whom nobody has named to them
    assert row(fought, "Creature 1")[:3] == ["", "", ""]
    assert "others" not in fought.course.rows()[0]


def test_it_is_saved_with_its_charts_beside_it(fought, tmp_path, qtbot, monkeypatch):
    monkeypatch.setattr(report_dock, "ask_save_path", lambda *_: tmp_path / "evening.md")
    with qtbot.waitSignal(fought.saved):
        fought.save_button.click()
    assert sorted(file.name for file in tmp_path.glob("evening*")) == [
        "evening-damage.svg",
        "evening-rounds.svg",
        "evening.md",
    ]
    text = (tmp_path / "evening.md").read_text(encoding="utf-8")
    assert text.startswith("# Fight report: ")
    assert "<svg" in (tmp_path / "evening-rounds.svg").read_text(encoding="utf-8")
    fought.copy_button.click()
    assert QGuiApplication.clipboard().text() == text


def test_it_is_printed_in_the_edition_that_is_shown(fought, qtbot):
    with qtbot.waitSignal(fought.printRequested) as asked:
        fought.print_button.click()
    assert asked.args == ["game-master"]
    fought.for_players.setChecked(True)
    with qtbot.waitSignal(fought.printRequested) as asked:
        fought.print_button.click()
    assert asked.args == ["players"]


def test_charts_have_the_figures_of_the_table(fought):
    heading, start, first = fought.course.rows()
    assert heading == ("round", "party", "others")
    assert (start[1] - first[1], first[2] < start[2]) == (5, True)


def test_the_forecast_of_the_start_is_made_beside_the_window_and_kept_with_the_fight(
    fought, document, qtbot, tmp_path, monkeypatch
):
    assert not fought.falls.isVisibleTo(fought)
    before = fought.summary.text()
    fought.foresee_button.click()
    assert not fought.foresee_button.isEnabled()
    qtbot.waitUntil(fought.foresee_button.isEnabled, timeout=180_000)  # the first time the loop is compiled
    kept = document.encounter.need(InitialForecast, "initial")
    expected = run_forecast(
        Encounter(one for one in document.encounter if one.table in PREPARED_TABLES), document.rules, 2000, seed=1
    ).outlook
    assert kept.won == round(100 * expected.won.value)
    assert kept.rounds == round(10 * expected.mean_rounds)
    assert dict(kept.falls) == {one.who: round(100 * one.down.value) for one in expected.combatants if one.party}
    assert "At the start, the forecast" in fought.summary.text()
    labels = {one.id: one.label for one in document.encounter.all(Combatant)}
    shown = {name: chance for name, chance, *_ in fought.falls.rows()[1:]}
    assert shown == {labels[who]: chance for who, chance in kept.falls}
    assert fought.falls.isVisibleTo(fought)
    monkeypatch.setattr(report_dock, "ask_save_path", lambda *_: tmp_path / "evening.md")
    fought.save_button.click()
    assert "<svg" in (tmp_path / "evening-forecast.svg").read_text(encoding="utf-8")
    document.undo()
    fought.refresh()
    assert fought.summary.text() == before
