import msgspec
from PySide6.QtCore import Qt

from turnwright.encounter.prepared import AddWave, Countdown, Creature
from turnwright.play.setup.prepared_records import Add, Edit, Remove
from turnwright.ui.docks.inspectors import ProblemsDock


def test_a_creature_that_goes_leaves_its_roster_entries_as_problems(show, document, qtbot):
    dock = show(ProblemsDock, width=900, height=160)
    assert dock.windowTitle() == "Problems (0)"
    assert dock.empty.isVisible()
    low = dock.widget().sizeHint().height()
    document.execute(Remove((("creatures", "river-raider"),)))
    assert dock.windowTitle() == "Problems (1)"
    assert dock.widget().sizeHint().height() > 2 * low
    index = dock.model.index(0, 0)
    assert "river-raider" in index.data()
    qtbot.mouseClick(dock.view.viewport(), Qt.MouseButton.LeftButton, pos=dock.view.visualRect(index).center())
    assert document.selection == ("roster", "raiders")
    with qtbot.waitSignal(dock.editRequested) as opened:
        qtbot.keyClick(dock.view, Qt.Key.Key_Return)
    assert opened.args == [("roster", "raiders")]


def test_a_wave_that_nobody_belongs_to_is_a_problem(show, document):
    dock = show(ProblemsDock, width=900, height=160)
    document.execute(Add((Countdown("late", "Late", outcomes=(AddWave("cavalry"),)),)))
    (problem,) = dock.model.problems
    assert problem.target == ("countdowns", "late")
    assert "cavalry" in problem.message


def test_an_id_that_the_game_does_not_know_is_a_problem_until_it_is_mended(show, document):
    dock = show(ProblemsDock, width=900, height=160)
    imp = Creature("imp", "Imp", resistances=("clod",))
    document.execute(Add((imp,)))
    (problem,) = dock.model.problems
    assert problem.target == ("creatures", "imp")
    assert "unknown damage type 'clod' (did you mean 'cold'?)" in problem.message
    document.execute(Edit(msgspec.structs.replace(imp, resistances=("cold",))))
    assert not dock.model.problems
