"""Procedure kinds, their stages, and the functions bound to them."""

from __future__ import annotations

import pytest

from turnwright.encounter.procedure_state import KINDS, Procedure
from turnwright.encounter.procedure_state.kinds import ProcedureKind, Stage, StageName
from turnwright.encounter.procedure_state.movement import FALL, MOVE, STAY_SEATED, THROWN_RIDER, Fall
from turnwright.encounter.procedure_state.turns import LAIR_ACTION, LEGENDARY_ACTION
from turnwright.play.kernel.scheduler import Answers, bind_stages, data_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.registry import stages
from turnwright.rules.system import RuleSystem


class _Knock(ProcedureKind):
    ask_door = StageName()
    open_door = StageName()


KNOCK = _Knock("knock")


def function(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """A stage that does nothing."""


def test_a_stage_has_the_name_of_its_attribute() -> None:
    assert KNOCK.stages == (Stage("knock", "ask-door"), Stage("knock", "open-door"))
    assert KNOCK.first == KNOCK.ask_door == Stage("knock", "ask-door")
    assert (LEGENDARY_ACTION.resolve, LAIR_ACTION.resolve) == (Stage("legendary", "resolve"), Stage("lair", "resolve"))


def test_each_declared_stage_has_one_function() -> None:
    table = bind_stages((KNOCK,), {KNOCK.ask_door: function}, {KNOCK.open_door: function})
    assert list(table) == list(KNOCK.stages)
    assert set(stages()) == {stage for kind in KINDS for stage in kind.stages}


@pytest.mark.parametrize(
    ("kinds", "tables", "said"),
    [
        ((KNOCK,), ({KNOCK.ask_door: function},), "without a function: .*open-door"),
        ((KNOCK,), (dict.fromkeys(KNOCK.stages, function), {FALL.start: function}), "not declared.*kind='fall'"),
        ((KNOCK,), (dict.fromkeys(KNOCK.stages, function), {KNOCK.ask_door: function}), "given twice.*ask-door"),
        ((KNOCK, KNOCK), (dict.fromkeys(KNOCK.stages, function),), "same name.*knock"),
    ],
)
def test_else_the_table_isn_t_made(kinds, tables, said) -> None:
    with pytest.raises(ValueError, match=said):
        bind_stages(kinds, *tables)


def test_a_procedure_goes_to_stages_of_its_own_kind() -> None:
    falling = Procedure("fall-1", *FALL.start, Fall("ann"))
    assert (goto(falling, FALL.land).at, goto(falling, FALL.land).data) == (FALL.land, Fall("ann"))
    assert data_of(falling, Fall).who == "ann"
    with pytest.raises(AssertionError, match="no stage of fall"):
        goto(falling, MOVE.step)
    assert STAY_SEATED.land_beside != THROWN_RIDER.land_beside
