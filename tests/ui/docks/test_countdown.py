import pytest
from PySide6.QtCore import Qt

from turnwright.dice.distributions import countdown_odds
from turnwright.encounter.prepared import AddWave, Announce, Countdown, StartCountdown
from turnwright.ui.docks.inspectors import CountdownDock


@pytest.fixture
def dock(show, document):
    document.select(("countdowns", "ice-gives-way"))
    return show(CountdownDock)


@pytest.fixture
def pool(document):
    return lambda: document.encounter.need(Countdown, "ice-gives-way")


def test_keys_and_buttons_change_the_pool_in_one_step(dock, pool, qtbot, document, depth):
    before = depth()
    dock.form.fields["dice"].dice.setFocus()
    qtbot.keyClick(dock.form.fields["dice"].dice, Qt.Key.Key_Plus)
    qtbot.keyClick(dock.form.fields["dice"].dice, Qt.Key.Key_Plus)
    qtbot.keyClick(dock.form.fields["dice"].dice, Qt.Key.Key_Minus)
    assert pool().dice == len(dock.form.fields["dice"].dice.faces()) == 6
    assert depth() == before + 1
    qtbot.mouseClick(dock.form.fields["dice"].fewer_button, Qt.MouseButton.LeftButton)
    assert pool().dice == 5


def test_a_pool_never_falls_below_one_die(dock, pool, qtbot):
    dock.form.fields["dice"].dice.setFocus()
    for _ in range(7):
        qtbot.keyClick(dock.form.fields["dice"].dice, Qt.Key.Key_Minus)
    assert pool().dice == 1
    assert not dock.form.fields["dice"].fewer_button.isEnabled()


def test_the_tables_figure_stands_beside_the_exact_mean(dock, pool, document):
    assert (pool().dice, pool().speed) == (5, "medium")
    mean = countdown_odds(5, 5).mean
    assert dock.estimate_label.text() == f"About 6 rolls; {mean:.2f} on average."


def test_the_chart_reads_the_exact_chance_by_round(dock, pool, qtbot):
    qtbot.waitUntil(lambda: dock.plot.item is not None)
    odds = countdown_odds(5, 5)
    assert [dock.plot.chance(roll) for roll in range(1, 7)] == list(odds.cdf[:6])
    dock.plot.show_place(3)
    assert dock.plot.readout.text() == f"By round 3: {round(odds.cdf[2] * 100)} %"
    dock.plot.show_place(None)
    assert dock.plot.readout.text() == f"50 % by round {odds.quantiles[50]}"


def test_arrow_keys_go_through_the_rounds(dock, qtbot):
    dock.plot.setFocus()
    qtbot.keyClick(dock.plot, Qt.Key.Key_Right)
    qtbot.keyClick(dock.plot, Qt.Key.Key_Right)
    even = countdown_odds(5, 5).quantiles[50]
    assert dock.plot.readout.text().startswith(f"By round {even + 1}:")


def test_a_pool_that_starts_later_counts_rounds_from_there(dock, document):
    document.select(("countdowns", "second-boat"))
    odds = countdown_odds(3, 5)
    assert dock.plot.readout.text() == f"50 % by round {odds.quantiles[50] + 1}"


def test_outcomes_are_added_changed_and_removed(dock, pool, qtbot):
    field = dock.form.fields["outcomes"]
    before = pool().outcomes
    qtbot.mouseClick(field.add_button, Qt.MouseButton.LeftButton)
    assert pool().outcomes == (*before, Announce(""))
    field.items[-1].parts["text"].text.setPlainText("Run!")
    assert pool().outcomes[-1] == Announce("Run!")
    field.items[-1].kind_field.edited.emit(AddWave)
    assert pool().outcomes[-1] == AddWave("second-boat")
    assert field.items[-1].parts["wave"].box.currentText() == "Second boat"
    field.items[-1].kind_field.edited.emit(StartCountdown)
    assert isinstance(pool().outcomes[-1], StartCountdown)
    qtbot.mouseClick(field.items[-1].remove_button, Qt.MouseButton.LeftButton)
    assert pool().outcomes == before
    assert len(field.items) == len(before)
