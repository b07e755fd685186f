"""The item models of prepared records under random edits, with undo and redo, under Qt's own checks."""

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from tests.effort import examples
from tests.ui.conftest import model_of
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import (
    AddWave,
    Countdown,
    Creature,
    Environment,
    EnvironmentEntry,
    RosterEntry,
    StartCountdown,
    TriggerEntry,
)
from turnwright.play.setup.prepared_records import Add, Edit, Remove, Reorder
from turnwright.play.setup.roster import AddToEncounter
from turnwright.ui.models.problems import ProblemsModel
from turnwright.ui.models.roster import RosterColumn, RosterModel
from turnwright.ui.models.row_list_model import HEADING, QUIET_ROLE, ChildRowsModel
from turnwright.ui.models.world import DICE_ROLE, WorldModel
from turnwright.workspace.document import untitled_document

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
NAMES = ("raider", "captain", "hound")
SIDES = ("enemies", "party", "wolves")
KINDS = (Creature, RosterEntry, Environment, Countdown)
ACTS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 5), st.integers(0, 5)),
    min_size=1,
    max_size=14,
)


def act(document, what, first, second):
    """Do one of the things people do, chosen by three numbers."""
    encounter = document.encounter
    name, side = NAMES[first % 3], SIDES[second % 3]
    if what == 0:
        creature = Creature(name, name.title(), ac=10 + second)
        document.execute(AddToEncounter(creature, RosterEntry(name, name, side=side, count=1 + first)))
    elif what == 1:
        rows = tuple(EnvironmentEntry(f"row-{n}", f"Row {n}") for n in range(second))
        document.execute(Add((Environment(f"place-{first}", f"Place {first}", features=rows),)))
    elif what == 2:
        outcomes = (AddWave("reserve"), StartCountdown("none"), TriggerEntry("place-1", "row-0"))[: 1 + second % 3]
        document.execute(Add((Countdown(f"pool-{first}", f"Pool {first}", dice=1 + second, outcomes=outcomes),)))
    elif what in (3, 4, 5):
        kind = KINDS[first % 4]
        ids = encounter.ids(kind)
        if not ids:
            return
        id = ids[second % len(ids)]
        if what == 3:
            document.execute(Remove(((kind.table, id),)))
        elif what == 4:
            document.execute(Reorder((kind.table, id), first))
        else:
            document.execute(Edit(msgspec.structs.replace(encounter.need(kind, id), name=f"New {second}")))
    elif what == 6:
        for entry in list(encounter.all(RosterEntry))[:1]:
            document.execute(Edit(msgspec.structs.replace(entry, side=side, wave="reserve" if first % 2 else "")))
    elif what == 7:
        document.redo()
    else:
        document.undo()


def roster_rows(encounter):
    """Return the rows that the roster should have, worked out afresh."""
    entries = list(encounter.all(RosterEntry))
    sides = sorted(
        {e.side for e in entries}, key=lambda s: (("enemies", "party", s).index(s), [e.side for e in entries].index(s))
    )
    return [row for side in sides for row in ((HEADING, side), *(("roster", e.id) for e in entries if e.side == side))]


@given(acts=ACTS)
@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_models_follow_whatever_is_done_and_undone(qapp, tmp_path_factory, acts):
    source = untitled_document(RuleSystems(), tmp_path_factory.mktemp("state"), seed=1)
    document = model_of(source)
    roster, world, problems = RosterModel(document), WorldModel(document), ProblemsModel(document)
    testers = [QAbstractItemModelTester(model, FATAL) for model in (roster, world, problems)]
    for what, first, second in acts:
        act(document, what, first, second)
        encounter = document.encounter
        assert list(roster.keys) == roster_rows(encounter)
        expected = [("environments", id) for id in encounter.ids(Environment)]
        assert list(world.keys) == expected + [("countdowns", id) for id in encounter.ids(Countdown)]
        for entry in encounter.all(RosterEntry):
            assert roster.index_of(entry.id, RosterColumn.COUNT).data() == f"{entry.count} ×"
        for row, countdown in enumerate(encounter.all(Countdown), len(expected)):
            assert world.index(row, 0).data(DICE_ROLE) == countdown.dice
        missing = [e for e in encounter.all(RosterEntry) if encounter.get(Creature, e.creature) is None]
        said = [p for p in problems.problems if "there is no creature" in p.message]
        assert len(said) == len(missing)
    assert len(testers) == 3
    source.close(discard=True)


def one_raider(document, **changes):
    entry = msgspec.structs.replace(RosterEntry("raider", "raider"), **changes)
    document.execute(AddToEncounter(Creature("raider", "Raider", ac=14, hp=26, rating="1/2"), entry))


def test_what_the_creature_has_is_quiet_and_what_the_entry_has_is_not(document):
    one_raider(document, hp=30)
    model = RosterModel(document)
    assert model.index_of("raider", RosterColumn.AC).data() == "14"
    assert model.index_of("raider", RosterColumn.AC).data(QUIET_ROLE) is True
    assert model.index_of("raider", RosterColumn.HP).data() == "30"
    assert model.index_of("raider", RosterColumn.HP).data(QUIET_ROLE) is False
    assert model.index_of("raider", RosterColumn.RATING).data() == "½"


def test_editing_a_cell_sends_one_step_that_undo_takes_back(document):
    one_raider(document)
    model = RosterModel(document)
    assert model.setData(model.index_of("raider", RosterColumn.COUNT), 4)
    assert model.setData(model.index_of("raider", RosterColumn.AC), 17)
    assert model.setData(
        model.index_of("raider", RosterColumn.HIDDEN), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole
    )
    assert document.encounter.need(RosterEntry, "raider") == RosterEntry(
        "raider", "raider", count=4, ac=17, hidden=True
    )
    for _ in range(3):
        document.undo()
    assert document.encounter.need(RosterEntry, "raider") == RosterEntry("raider", "raider")


def test_a_count_that_makes_no_sense_is_refused_and_nothing_changes(document, qtbot):
    one_raider(document)
    model = RosterModel(document)
    with qtbot.waitSignal(document.refused):
        assert not model.setData(model.index_of("raider", RosterColumn.COUNT), 501)
    assert document.encounter.need(RosterEntry, "raider").count == 1


def test_another_side_moves_the_row_under_its_heading(document):
    one_raider(document)
    model = RosterModel(document)
    QAbstractItemModelTester(model, FATAL)
    assert model.setData(model.index_of("raider", RosterColumn.SIDE), "wolves")
    assert list(model.keys) == [(HEADING, "wolves"), ("roster", "raider")]
    assert model.index(0, RosterColumn.NAME).data() == "Wolves"


def test_a_creature_that_is_edited_shows_at_once(document):
    one_raider(document)
    model = RosterModel(document)
    told = []
    model.dataChanged.connect(lambda first, last: told.append((first.row(), last.row())))
    creature = document.encounter.need(Creature, "raider")
    document.execute(Edit(msgspec.structs.replace(creature, ac=18)))
    assert model.index_of("raider", RosterColumn.AC).data() == "18"
    assert told == [(1, 1)]


def test_problems_go_when_they_are_mended_and_come_back_with_undo(document):
    model = ProblemsModel(document)
    QAbstractItemModelTester(model, FATAL)
    counts = []
    model.countChanged.connect(counts.append)
    one_raider(document)
    document.execute(Remove((("creatures", "raider"),)))
    assert [problem.target for problem in model.problems] == [("roster", "raider")]
    document.undo()
    assert not model.problems
    document.redo()
    assert counts == [1, 0, 1]


@given(lists=st.lists(st.lists(st.sampled_from("abcdef"), unique=True), max_size=6))
def test_parts_follow_their_record(qapp, lists):
    switched = []
    model = ChildRowsModel("features", lambda part: part.damage, lambda id, on: switched.append((id, on)))
    tester = QAbstractItemModelTester(model, FATAL)
    for ids in lists:
        model.set_children([EnvironmentEntry(id, id.upper(), enabled=id != "a", damage="1d6") for id in ids])
        assert [model.index(row, 0).data() for row in range(model.rowCount())] == [id.upper() for id in ids]
    assert tester.model() is model


def test_switching_a_part_asks_for_it(qapp):
    switched = []
    model = ChildRowsModel("features", lambda part: "", lambda id, on: switched.append((id, on)))
    model.set_children([EnvironmentEntry("snow", "Snow")])
    assert model.setData(model.index(0, 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert switched == [("snow", False)]
