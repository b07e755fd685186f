"""The forecast dock: words before charts, why there is none, what goes out of date, and charts that say what they show."""

from __future__ import annotations

import csv
import gc
from threading import get_ident

import msgspec
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QGraphicsView, QLabel

from tests.ui.docks.running_fight import settle as answer_all
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.state import clock_of
from turnwright.forecast.compiled import FightLoop
from turnwright.forecast.sheet import DEFAULT_POLICY
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndTurn
from turnwright.ui.docks.forecast import played_fight
from turnwright.ui.docks.forecast.charts import commands_for_change
from turnwright.ui.docks.forecast.dock import ForecastDock
from turnwright.ui.docks.forecast.played_fight import PlayedFightDialog
from turnwright.ui.docks.shared.chart_section import write_chart
from turnwright.ui.look.style import scaled
from turnwright.workspace import fight_forecast, fight_tuning
from turnwright.workspace.document import open_document
from turnwright.workspace.kernel_library import await_kernels


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Compiled beforehand: on a busy machine that takes longer than a test waits."""
    assert await_kernels()


@pytest.fixture
def few_fights(monkeypatch):
    """Have a fourth of the fights played: their statistics are tested elsewhere."""
    monkeypatch.setattr(fight_forecast, "BATCHES", (250,))
    monkeypatch.setattr(fight_forecast, "ENOUGH", 500)
    monkeypatch.setattr(fight_forecast, "NARROW", 1)


@pytest.fixture
def dock(show):
    made = show(ForecastDock)
    made.model.watch(watched=True)
    return made


def settle(qtbot, dock):
    qtbot.waitUntil(lambda: not dock.model.is_stale and not dock.model.is_running and not dock.is_drawing)


@pytest.mark.usefixtures("few_fights")
def test_the_dock_says_who_wins_and_who_falls_before_any_chart(dock, qtbot, document):
    settle(qtbot, dock)
    outlook = dock.model.outlook
    assert outlook.fights >= fight_forecast.ENOUGH
    assert dock.headline.title.text().startswith(("Won ", "Never won"))
    assert f"from {outlook.fights:,} fights" in dock.headline.band.text()
    texts = [label.text() for label in dock.summary.labels if label.isVisibleTo(dock)]
    assert texts[0].startswith("The party wins ")
    assert [bar.name for bar in dock.falls.bars] == [
        one.label
        for one in sorted((each for each in outlook.combatants if each.party), key=lambda one: -one.down.value)
    ]
    left_out = sum(note.list == "left-out" for note in outlook.notes)
    assert dock.notes.button.text().startswith(f"{left_out} left out, ")
    assert dock.notes.button.minimumSizeHint().width() <= scaled(200)  # the panel of a running fight is narrow


@pytest.mark.usefixtures("few_fights")
def test_a_change_makes_it_out_of_date_and_then_new(dock, qtbot, document):
    settle(qtbot, dock)
    before = dock.model.outlook
    captain = document.encounter.need(RosterEntry, "captain")
    assert document.execute(Edit(msgspec.structs.replace(captain, count=3)))
    assert dock.model.is_stale
    assert dock.headline.band.text() == "Out of date: the encounter has changed"
    assert {label.property("tone") for label in dock.summary.labels} == {"muted"}
    dock.show_all()
    chips = [chip for chip in dock.headline.chips.findChildren(QLabel) if chip.isVisibleTo(dock)]
    assert {one.property("tone") for one in (*chips, *dock.courses.labels, *dock.change_rows.labels)} == {"muted"}
    settle(qtbot, dock)
    assert {label.property("tone") for label in (*dock.summary.labels, *dock.courses.labels)} == {""}
    assert dock.model.outlook.won.value < before.won.value


@pytest.mark.soak
def test_charts_are_pale_while_their_figures_are_out_of_date(dock, qtbot, document):
    settle(qtbot, dock)
    plots = (dock.falls, dock.rounds, dock.sources)
    qtbot.waitUntil(lambda: all(plot.item is not None for plot in plots))
    assert [plot.item.opacity() for plot in plots] == [1, 1, 1]
    captain = document.encounter.need(RosterEntry, "captain")
    assert document.execute(Edit(msgspec.structs.replace(captain, count=3)))
    dock.show_all()
    assert all(plot.item.opacity() < 0.5 for plot in plots)
    assert {plot.readout.property("tone") for plot in plots} == {"muted"}
    settle(qtbot, dock)
    assert [plot.item.opacity() for plot in plots] == [1, 1, 1]
    assert {plot.readout.property("tone") for plot in plots} == {""}


@pytest.mark.usefixtures("few_fights")
def test_the_dock_tells_how_far_the_simulation_is_compiled(dock, qtbot, document, monkeypatch):
    monkeypatch.setattr(fight_forecast, "compiled_kernels", lambda: iter((0, 40)))
    seen = []
    dock.model.changed.connect(lambda: seen.append(dock.headline.band.text()))
    settle(qtbot, dock)
    told = [text.partition(". ")[2] for text in seen if "Compiling" in text]
    assert told[:2] == [f"Compiling the simulation, once: {percent} %" for percent in (0, 40)]
    assert "Compiling" not in dock.headline.band.text()


@pytest.mark.soak
def test_the_first_figure_is_painted_before_the_charts_are_drawn(dock, qtbot, document):
    settle(qtbot, dock)
    before = dock.falls.bars
    captain = document.encounter.need(RosterEntry, "captain")
    assert document.execute(Edit(msgspec.structs.replace(captain, count=3)))
    seen = []

    def note():
        """Note what is shown as soon as the dock has heard of a change: nothing is painted in between."""
        if not dock.model.is_stale:
            seen.append((dock.headline.band.text(), dock.is_drawing, dock.falls.bars))

    dock.model.changed.connect(note)
    settle(qtbot, dock)
    words, is_drawing, bars = seen[0]
    assert words != "Out of date: the encounter has changed"
    assert is_drawing
    assert bars == before
    assert dock.falls.bars != before


@pytest.mark.soak
def test_one_change_is_forecast_at_once_and_a_row_of_them_once_it_pauses(dock, qtbot, document):
    settle(qtbot, dock)
    captain = document.encounter.need(RosterEntry, "captain")
    waits = []
    for count in (3, 4, 5):
        assert document.execute(Edit(msgspec.structs.replace(captain, count=count)))
        waits.append(dock.model.wait)
    assert waits[0] == 0
    assert waits[1] == waits[2] > 0
    settle(qtbot, dock)
    assert sum(not one.party for one in dock.model.outlook.combatants) >= 5


@pytest.mark.soak
def test_without_a_party_it_says_what_to_add_and_lends_one(dock, qtbot, document, depth):
    settle(qtbot, dock)
    for one in [one for one in document.encounter.all(RosterEntry) if one.player]:
        assert document.execute(Edit(msgspec.structs.replace(one, player="", role="guest")))
    qtbot.waitUntil(lambda: dock.model.obstacle == "no-party" and not dock.model.is_running)
    with qtbot.waitSignal(dock.empty.otherClicked):
        dock.empty.other.click()
    assert dock.empty.accessibleName() == "Add player characters to get a forecast."
    assert dock.empty.button.text() == "Use 4 level 5 characters for now"
    before = depth()
    dock.empty.button.click()
    assert depth() == before + 1
    assert [one.level for one in document.encounter.all(RosterEntry) if one.player] == [5] * 4
    settle(qtbot, dock)
    assert sum(one.party for one in dock.model.outlook.combatants) == 4


@pytest.mark.soak
def test_no_forecast_is_made_while_the_dock_is_not_looked_at(dock, qtbot, document):
    settle(qtbot, dock)
    dock.model.watch(watched=False)
    before = dock.model.outlook
    captain = document.encounter.need(RosterEntry, "captain")
    assert document.execute(Edit(msgspec.structs.replace(captain, count=2)))
    qtbot.wait(200)
    assert dock.model.is_stale
    assert dock.model.outlook is before
    dock.model.watch(watched=True)
    settle(qtbot, dock)
    assert dock.model.outlook is not before


@pytest.mark.soak
def test_a_bar_is_read_by_keys_and_chosen_by_enter(dock, qtbot, document):
    settle(qtbot, dock)
    qtbot.waitUntil(lambda: dock.falls.item is not None)
    dock.falls.setFocus()
    qtbot.keyClick(dock.falls, Qt.Key.Key_Down)
    first = dock.falls.bars[0]
    assert dock.falls.readout.text() == first.text
    qtbot.keyClick(dock.falls, Qt.Key.Key_Return)
    selected = document.selected_record()
    assert isinstance(selected, RosterEntry)
    assert (selected.name or document.encounter.need(Creature, selected.creature).name) == first.name


@pytest.mark.soak
def test_charts_are_written_as_figures_and_as_pictures(dock, qtbot, tmp_path):
    settle(qtbot, dock)
    write_chart(dock.falls, tmp_path / "falls.csv")
    rows = list(csv.reader((tmp_path / "falls.csv").read_text(encoding="utf-8").splitlines()))
    assert rows[0] == ["name", "value", "low", "high", "dark"]
    assert [row[0] for row in rows[1:]] == [bar.name for bar in dock.falls.bars]
    for plot in (dock.falls, dock.rounds, dock.sources):
        write_chart(plot, tmp_path / "chart.svg")
        assert (tmp_path / "chart.svg").read_bytes().lstrip().startswith(b"<?xml")


@pytest.mark.soak
def test_an_entry_of_the_lists_opens_its_record(dock, qtbot, document):
    settle(qtbot, dock)
    opened = []
    dock.openRequested.connect(opened.append)
    dock.notes.button.click()
    entry = next(one for one in dock.notes.entries if one.isEnabled())
    entry.click()
    assert document.encounter.record(opened[0]) is not None
    assert all(": " in one.text() or one.text().endswith(".") for one in dock.notes.entries)


def test_a_change_is_made_by_its_button_as_one_step(dock, qtbot, document, depth):
    settle(qtbot, dock)
    rows = [place for place, button in enumerate(dock.change_rows.buttons) if button.isVisibleTo(dock)]
    assert rows
    assert [bar.text for bar in dock.changes.bars] == [
        label.text() for label in dock.change_rows.labels if label.isVisibleTo(dock)
    ]
    before, state = depth(), document.encounter
    won = dock.model.outlook.won.value
    better = next(row for row in rows if dock.changes.bars[row].value > 0)
    dock.change_rows.buttons[better].click()
    assert depth() == before + 1
    settle(qtbot, dock)
    assert dock.model.outlook.won.value > won
    document.undo()
    assert document.encounter == state


@pytest.mark.soak
def test_other_policies_make_it_anew_and_are_kept_as_text(dock, qtbot):
    settle(qtbot, dock)
    before = dock.model.outlook
    dock.policies.set_open(is_open=True)
    party, foes = dock.policies.forms
    assert not dock.policies.usual.isEnabled()
    foes.flees_at.setFocus()
    foes.flees_at.setValue(50)
    assert dock.model.is_stale
    assert dock.policies.texts() == ("", "flees-at=50")
    assert "changed" in dock.policies.button.text()
    settle(qtbot, dock)
    assert dock.model.outlook.mean_rounds < before.mean_rounds
    qtbot.mouseClick(dock.policies.usual, Qt.MouseButton.LeftButton)
    assert (party.policy(), foes.policy()) == (DEFAULT_POLICY, DEFAULT_POLICY)
    settle(qtbot, dock)
    assert dock.model.outlook == before


def test_policies_are_read_back_and_what_is_wrong_is_the_usual_one(dock):
    texts = ("target=nearest,finishes=yes,heals-at=0", "spends=for-two,moves-up=no")
    dock.policies.set_texts(*texts)
    assert dock.policies.texts() == texts
    dock.policies.set_texts("nonsense", "flees-at=40")
    assert dock.policies.texts() == ("", "flees-at=40")


@pytest.mark.soak
def test_tuning_offers_plans_and_one_is_made_as_one_step(dock, qtbot, document, depth):
    settle(qtbot, dock)
    tuning = dock.tuning
    tuning.button.click()
    for variable, row in tuning.rows.items():
        row.check.setChecked(variable.id in ("count:raiders", "hp:captain", "damage:frigid:cold-chill"))
    tuning.won.field.setValue(80)
    tuning.search.click()
    assert tuning.stop.isVisibleTo(dock)
    qtbot.waitUntil(lambda: dock.tuning_model.tried > 2, timeout=30_000)
    assert str(dock.tuning_model.tried) in tuning.state.text()
    qtbot.waitUntil(lambda: dock.tuning_model.plans is not None, timeout=60_000)
    plans = dock.tuning_model.plans
    assert plans
    assert next(label.text() for label in tuning.plan_rows.labels if label.isVisibleTo(dock)).endswith(
        f"someone falls in {round(100 * plans[0].falls.value)}."
    )
    before, state = depth(), document.encounter
    tuning.plan_rows.buttons[0].click()
    assert depth() == before + 1
    assert dock.tuning_model.plans is None
    settle(qtbot, dock)
    assert dock.model.outlook.won.value == pytest.approx(plans[0].won.value, abs=0.03)
    document.undo()
    assert document.encounter == state


@pytest.mark.soak
def test_a_search_is_stopped_by_its_button_and_by_a_change(dock, qtbot, document):
    settle(qtbot, dock)
    dock.tuning.set_open(is_open=True)
    for again in range(2):
        dock.tuning.search.click()
        qtbot.waitUntil(lambda: dock.tuning_model.tried > 0, timeout=30_000)
        if again:
            captain = document.encounter.need(RosterEntry, "captain")
            assert document.execute(Edit(msgspec.structs.replace(captain, count=2)))
        else:
            dock.tuning.stop.click()
        assert not dock.tuning_model.is_running
        assert (dock.tuning_model.tried, dock.tuning_model.plans) == (0, None)
    assert dock.tuning.search.isVisibleTo(dock)


def test_nothing_is_searched_without_a_wish_or_anything_that_may_change(dock, qtbot):
    settle(qtbot, dock)
    assert dock.tuning.search.isEnabled()
    dock.tuning.won.check.click()
    assert not dock.tuning.search.isEnabled()
    dock.tuning.falls.check.click()
    assert dock.tuning.search.isEnabled()
    for row in dock.tuning.rows.values():
        row.check.setChecked(False)
    assert not dock.tuning.search.isEnabled()


@pytest.mark.soak
def test_a_wave_is_left_out_by_its_button(dock, qtbot, document, depth):
    settle(qtbot, dock)
    wave = next(one for one in dock.model.changes if one.kind == "wave")
    before, state = depth(), document.encounter
    for command in commands_for_change(dock.model.encounter, state, wave, "x"):
        assert document.execute(command)
    assert depth() == before + 1
    assert all(one.wave != wave.subject for one in document.encounter.all(RosterEntry))


def telling(seen, name, real):
    """A function that notes its name and its thread before it does what the real one does."""

    def told(*args, **options):
        seen.append((name, get_ident()))
        return real(*args, **options)

    return told


@pytest.mark.soak
def test_the_fights_are_played_off_the_gui_thread(dock, qtbot, document, monkeypatch):
    """Neither the sheet nor a batch of fights, nor the loop's compilation, holds the window up."""
    settle(qtbot, dock)
    seen = []
    for module, name in (
        (fight_forecast, "begun_copy"), (fight_forecast, "build_sheet"), (fight_forecast, "run_fights"),
        (fight_tuning, "build_sheet"), (fight_tuning, "run_fights"), (FightLoop, "warm"),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, telling(seen, name, getattr(module, name)))
    captain = document.encounter.need(RosterEntry, "captain")
    assert document.execute(Edit(msgspec.structs.replace(captain, count=3)))
    settle(qtbot, dock)
    dock.tuning.search.click()
    qtbot.waitUntil(lambda: dock.tuning_model.tried > 1, timeout=30_000)
    dock.tuning.stop.click()
    assert {name for name, _ in seen} == {"begun_copy", "build_sheet", "run_fights", "warm"}
    assert get_ident() not in {thread for _, thread in seen}


@pytest.mark.soak
def test_the_chance_of_a_running_fight_is_drawn_from_turn_to_turn(dock, qtbot, document):
    settle(qtbot, dock)
    assert not dock.live.isVisibleTo(dock)
    document.execute(SetDice("roll", seed=2))
    document.execute(StartEncounter())
    while clock_of(document.encounter).phase != "rounds":
        answer_all(document)
        assert document.execute(AdvanceSetup())
    turns = []
    for _ in range(3):
        answer_all(document)
        settle(qtbot, dock)
        turns.append(clock_of(document.encounter).active)
        assert document.execute(EndTurn())
        answer_all(document)
    settle(qtbot, dock)
    assert [one.active for one in dock.model.live][:3] == turns
    assert dock.live.isVisibleTo(dock)
    assert dock.live.rows()[1][1:] == (
        dock.model.live[0].won.value,
        dock.model.live[0].won.low,
        dock.model.live[0].won.high,
    )
    assert "'s turn" in dock.live.read_out(1)
    while clock_of(document.encounter).active != turns[1]:
        document.undo()
    settle(qtbot, dock)
    assert [one.active for one in dock.model.live] == turns[:2]


@pytest.mark.usefixtures("few_fights")
@pytest.mark.sampled(1)
@pytest.mark.parametrize("chosen", [0, 1])
def test_a_game_without_a_die_is_asked_for_one_once(dock, qtbot, document, repository, systems, tmp_path, chosen):
    settle(qtbot, dock)
    assert dock.question.isHidden()
    barge = open_document(
        repository / "encounters" / "bell-barge.toml", systems, tmp_path / "barge", seed=7, locked=False
    )
    document.open(barge)
    settle(qtbot, dock)
    assert [one.text() for one in dock.question.buttons] == ["d10", "d20"]
    before = dock.model.outlook
    dock.question.buttons[chosen].click()
    assert document.rules.check_die(document.encounter) == ("1d10", "1d20")[chosen]
    settle(qtbot, dock)
    assert dock.question.isHidden()
    assert (dock.model.outlook.won == before.won) == (chosen == 0)
    document.undo()
    settle(qtbot, dock)
    assert not dock.question.isHidden()
    barge.close(discard=True)


@pytest.mark.usefixtures("few_fights")
def test_charts_stay_when_the_window_is_arranged_and_garbage_is_collected(window, qtbot):
    window.content.docks.show("forecast")
    dock, layout = window.content.docks.dock("forecast"), window.content.services.layout
    settle(qtbot, dock)
    qtbot.waitUntil(lambda: dock.falls.item is not None)
    for arrangement in ("run", "prepare"):
        layout.arrange(arrangement)
        qtbot.wait(100)
        gc.collect()
    assert dock.falls.item.getAxis("left").label.toPlainText() == ""


@pytest.mark.usefixtures("few_fights")
def test_the_dock_plays_one_fight_after_another_and_shows_each_journal(dock, qtbot, document):
    settle(qtbot, dock)
    before, source = document.encounter, list(document.source.session.journal())
    dock.headline.play_button.click()
    dialog = dock.findChild(PlayedFightDialog)
    assert (dialog.headline.text(), dialog.another.isEnabled()) == ("Playing fight 1…", False)
    assert dialog.model.rowCount() == 0
    heads = []
    for number in (1, 2):
        qtbot.waitUntil(dialog.another.isEnabled, timeout=20_000)
        assert dialog.headline.text().startswith(f"Fight {number}: ")
        rows = [dialog.model.index(row).data() for row in range(dialog.model.rowCount())]
        heads.append(rows)
        assert rows[0] == "The fight begins"
        assert dialog.view.verticalScrollBar().value() == 0
        assert dialog.view.verticalScrollBar().maximum() > 0
        assert not dialog.model.flags(dialog.model.index(0)) & Qt.ItemFlag.ItemIsEditable
        dialog.another.click()
    assert heads[0] != heads[1]
    assert (document.encounter, list(document.source.session.journal())) == (before, source)
    dialog.accept()


@pytest.mark.usefixtures("few_fights")
def test_a_fight_that_cannot_be_played_is_reported_and_another_one_can_be_tried(dock, qtbot, monkeypatch):
    settle(qtbot, dock)

    def fail(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr(played_fight, "play_fight", fail)
    dock.headline.play_button.click()
    dialog = dock.findChild(PlayedFightDialog)
    qtbot.waitUntil(dialog.another.isEnabled)
    assert dialog.headline.text() == "The forecast failed. The encounter has not changed."
    dialog.reject()


@pytest.mark.usefixtures("few_fights")
def test_a_chart_leaves_the_wheel_to_its_panel(dock, qtbot):
    settle(qtbot, dock)
    dock.show()
    qtbot.waitUntil(lambda: dock.falls.graph is not None)
    view = dock.falls.findChild(QGraphicsView).viewport()
    turned = QWheelEvent(
        QPointF(20, 20), view.mapToGlobal(QPointF(20, 20)), QPoint(0, 0), QPoint(0, -240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, turned)
    assert not turned.isAccepted()  # so that the panel around it gets it
