"""Equal copies at one count are one row, until one of them differs, acts or is selected."""

import pytest
from PySide6.QtCore import Qt

from turnwright.encounter.running import Combatant
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.play.turns.turns import EndTurn
from turnwright.ui.docks.turn_order.dock import TurnOrderDock
from turnwright.workspace.document import open_document

from tests.ui.conftest import model_of  # isort: skip
from tests.ui.docks.running_fight import settle  # isort: skip

HORDE = """\
format = 3
system = "{system}"
title = "The horde"
[creatures.ann]
name = "Ann"
hp = 30
ac = 15
[creatures.rat]
name = "Rat"
hp = 7
ac = 10
[roster.ann]
creature = "ann"
side = "party"
player = "Eva"
[roster.rat]
creature = "rat"
side = "enemies"
count = {count}
"""


@pytest.fixture
def document(request, qapp, tmp_path, systems):
    """Ann and some rats in round 1, all rats at one count."""
    system, count = getattr(request, "param", ("dnd5e", 30))
    path = tmp_path / "horde.toml"
    path.write_text(HORDE.format(system=system, count=count), encoding="utf-8")
    source = open_document(path, systems, tmp_path / "state", seed=7)
    document = model_of(source)
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        document.execute(command)
    totals = [(who, 20 if who == "ann" else 10) for who in document.encounter.ids(Combatant)]
    document.execute(SetInitiative(tuple(totals)))
    document.execute(AdvanceSetup())
    settle(document)
    document.select_combatants(())
    yield document
    source.close()


def seen(dock):
    return [
        dock.view.look_of(place).row.label for place in range(dock.model.rowCount()) if not dock.view.isRowHidden(place)
    ]


@pytest.mark.parametrize("document", [("dnd5e", 30), ("pf2e", 30)], indirect=True)
def test_thirty_copies_are_two_rows(document, show, qtbot):
    dock = show(TurnOrderDock)
    assert seen(dock) == ["Ann", "Rat 1", "Rat 2 and 28 alike"]  # the first is next
    assert dock.fold_button.text() == "Alike (28)"
    qtbot.mouseClick(dock.fold_button, Qt.MouseButton.LeftButton)
    assert len(seen(dock)) == 31
    qtbot.mouseClick(dock.fold_button, Qt.MouseButton.LeftButton)
    assert len(seen(dock)) == 3


@pytest.mark.parametrize("document", [("dnd5e", 12)], indirect=True)
def test_a_copy_that_differs_has_its_own_row(document, show):
    dock = show(TurnOrderDock)
    document.execute(ApplyDamage(("rat-9",), "3"))
    assert seen(dock) == ["Ann", "Rat 1", "Rat 2 and 6 alike", "Rat 9", "Rat 10", "Rat 11", "Rat 12"]
    document.undo()
    document.execute(ApplyCondition(("rat-6",), "prone"))
    assert seen(dock) == ["Ann", "Rat 1", "Rat 2", "Rat 3", "Rat 4", "Rat 5", "Rat 6", "Rat 7 and 5 alike"]


def test_a_selected_copy_is_seen(document, show):
    dock = show(TurnOrderDock)
    document.select_combatants(("rat-20",))
    assert seen(dock) == ["Ann", "Rat 1", "Rat 2 and 17 alike", "Rat 20", "Rat 21 and 9 alike"]
    document.select_combatants(())
    assert len(seen(dock)) == 3


def test_whoever_acts_and_whoever_is_next_is_seen(document, show):
    dock = show(TurnOrderDock)
    for _ in range(3):
        document.execute(EndTurn())
        settle(document)
    names = seen(dock)
    assert {"Rat 3", "Rat 4"} <= set(names)
    assert any("alike" in name for name in names)


@pytest.mark.parametrize("document", [("dnd5e", 5)], indirect=True)
def test_a_few_copies_stay_apart(document, show):
    dock = show(TurnOrderDock)
    assert len(seen(dock)) == 6
    assert not dock.fold_button.isVisible()
