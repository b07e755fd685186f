"""Procedure kinds, their stages, and the functions bound to them."""

from __future__ import annotations

import ast
from importlib import import_module
from typing import get_args

import pytest

from tests.syntax import modules_with, nodes
from tests.table import a5e
from turnwright.encounter.procedure_state import KINDS, Procedure, ProcedureData
from turnwright.encounter.procedure_state.kinds import ProcedureKind, Stage
from turnwright.encounter.procedure_state.movement import FALL, MOVE, STAY_SEATED, THROWN_RIDER, Fall
from turnwright.encounter.procedure_state.turns import LAIR_ACTION, LEGENDARY_ACTION
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.scheduler import (
    Answers,
    SubjectGone,
    advance,
    begin,
    bind_stages,
    data_of,
    goto,
    stages_in,
)
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.registry import stages

KNOCK = ProcedureKind("knock", "ask_door open_door")


def function(tx: Transaction, procedure: Procedure, data: Fall, answers: Answers) -> None:
    """A stage that does nothing."""


def ask_door(tx: Transaction, procedure: Procedure, data: Fall, answers: Answers) -> Procedure:
    """A stage about what isn't there."""
    raise SubjectGone


def test_a_stage_has_the_name_of_its_function() -> None:
    assert KNOCK.stages == (Stage("knock", "ask-door"), Stage("knock", "open-door"))
    assert KNOCK.first == KNOCK.ask_door == Stage("knock", "ask-door")
    assert (LEGENDARY_ACTION.resolve, LAIR_ACTION.resolve) == (Stage("legendary", "resolve"), Stage("lair", "resolve"))


def test_the_program_names_only_declared_stages() -> None:
    for path, tree in modules_with(("import ProcedureKind", "encounter.procedure_state.")):
        module = import_module(f"turnwright.{path.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}")
        kinds = {name: value for name, value in vars(module).items() if isinstance(value, ProcedureKind)}
        for node in nodes(tree) if kinds else ():
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in kinds:
                assert hasattr(kinds[node.value.id], node.attr), (path, node.lineno)


def test_each_declared_stage_has_one_function() -> None:
    table = bind_stages((KNOCK,), {KNOCK.ask_door: function}, {KNOCK.open_door: function})
    assert list(table) == list(KNOCK.stages)
    assert set(stages()) == {stage for kind in KINDS for stage in kind.stages}


def test_the_stages_of_a_kind_take_the_same_data() -> None:
    taken: dict[str, set[str]] = {}
    for stage, run in stages().items():
        data = list(run.__annotations__.values())[2]
        taken.setdefault(stage.kind, set()).add(data if isinstance(data, str) else data.__name__)
    records = {record.__name__ for record in get_args(ProcedureData)}
    assert all(data <= records | {"object"} and len(data - {"object"}) <= 1 for data in taken.values())


def test_the_function_of_a_stage_has_its_name_and_stands_in_the_module() -> None:
    here = {"__name__": __name__, "KNOCK": KNOCK, "FALL": FALL, "ask_door": ask_door}
    assert stages_in(here) == {KNOCK.ask_door: ask_door}
    assert stages_in({**here, "__name__": "elsewhere"}) == {}
    assert stages_in({"__name__": __name__, "ask_door": ask_door}) == {}


def test_a_procedure_ends_when_its_subject_is_gone() -> None:
    tx = Transaction(Encounter(), a5e(), 1)
    first = begin(tx, KNOCK.ask_door, Fall("ann"))
    advance(tx, {KNOCK.ask_door: ask_door})
    assert tx.get(Procedure, first.id) is None


@pytest.mark.parametrize(
    ("kinds", "tables", "said"),
    [
        ((KNOCK,), ({KNOCK.ask_door: function},), "without a function: .*open-door"),
        ((KNOCK,), (dict.fromkeys(KNOCK.stages, function), {FALL.start: function}), "undeclared stages.*kind='fall'"),
        (
            (KNOCK,),
            (dict.fromkeys(KNOCK.stages, function), {KNOCK.ask_door: function}),
            "duplicate functions.*ask-door",
        ),
        ((KNOCK, KNOCK), (dict.fromkeys(KNOCK.stages, function),), "duplicate procedure kinds.*knock"),
    ],
)
def test_else_the_table_isn_t_made(kinds, tables, said) -> None:
    with pytest.raises(ValueError, match=said):
        bind_stages(kinds, *tables)


def test_a_procedure_goes_to_stages_of_its_own_kind() -> None:
    falling = Procedure("fall-1", *FALL.start, Fall("ann"))
    assert (goto(falling, FALL.land).at, goto(falling, FALL.land).data) == (FALL.land, Fall("ann"))
    assert data_of(falling, Fall).who == "ann"
    with pytest.raises(AssertionError, match="not a stage of fall"):
        goto(falling, MOVE.step)
    assert STAY_SEATED.land_beside != THROWN_RIDER.land_beside


def test_a_procedure_goes_on_with_changed_data() -> None:
    falling = Procedure("fall-1", *FALL.start, Fall("ann"))
    assert goto(falling, FALL.land, feet=30).data == Fall("ann", feet=30)
    assert goto(falling, FALL.land, Fall("bob"), feet=30).data == Fall("bob", feet=30)
