"""A poison with stages: contracted by a failed save, up and down by further ones, and over at last."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.table import Table, creature
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import AfflictionStage, Feature, InflictedCondition, Scene
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.attacks.attack_request import Attack

BITE = Feature("bite", "Bite", "action", attack=5, reach=5, damage="1 piercing")
VENOM = Feature(
    "venom",
    "Venom",
    save="con",
    dc=20,
    trigger="hits",
    when="with:bite",
    stages=(
        AfflictionStage("1d6 poison", (InflictedCondition("clumsy", "turn-end", value=1),)),
        AfflictionStage("2d6 poison", (InflictedCondition("clumsy", "turn-end", value=2),)),
    ),
    stage_rounds=6,
)


def bitten(*faces: int) -> Table:
    """Ann, bitten by a snake, with these faces of the dice for her save and what it brings."""
    table = Table(
        creature("snake", features=(BITE, VENOM)),
        creature("ann", hp=100, saves=(("con", 10),)),
        rules=RuleSystems().get("pf2e"),
        scene=Scene(system="pf2e", strictness="warn"),
    )
    table.start(snake=20, ann=10)
    table.dice(10, *faces)
    table.does(Attack("snake", "ann", "bite"))
    return table


def stage(table: Table) -> int:
    return next((one.value for one in table.encounter.of(Effect, "ann") if one.name == "affliction"), 0)


def clumsy(table: Table) -> int:
    return next((one.value for one in table.encounter.of(Effect, "ann") if one.name == "clumsy"), 0)


def lost(table: Table) -> int:
    return 100 - table.encounter.need(Combatant, "ann").hp


@pytest.mark.parametrize(
    ("faces", "reached", "points"),
    [((5, 4), 1, 1 + 4), ((2, 4, 3), 1, 1 + 4), ((1, 4, 3), 2, 1 + 7), ((12,), 0, 1)],
    ids=["failure", "failure by less than ten", "critical failure", "success"],
)
def test_a_failed_save_brings_the_first_stage_and_a_critical_failure_the_second(
    faces: Sequence[int], reached: int, points: int
) -> None:
    table = bitten(*faces)
    assert (stage(table), clumsy(table), lost(table)) == (reached, reached, points)


@pytest.mark.parametrize(
    ("faces", "reached", "points"),
    [((5, 4, 3), 2, 7), ((12,), 0, 0), ((20,), 0, 0)],
    ids=["failure", "success", "critical success"],
)
def test_a_save_as_a_turn_ends_moves_it_by_its_degree(faces: Sequence[int], reached: int, points: int) -> None:
    table = bitten(5, 4)
    before = table.encounter
    table.ends_turn(1)
    table.dice(*faces)
    table.ends_turn(1)
    assert (stage(table), clumsy(table), lost(table)) == (reached, reached, 5 + points)
    while table.encounter != before:
        table.session.undo()
    assert stage(table) == 1


def test_the_last_stage_stays_the_last() -> None:
    table = bitten(1, 4, 3)
    table.ends_turn(1)
    table.dice(5, 1, 1)
    table.ends_turn(1)
    assert (stage(table), lost(table)) == (2, 8 + 2)


def test_another_bite_brings_it_a_stage_further() -> None:
    table = bitten(5, 4)
    table.ends_turn(1)
    table.dice(5, 1, 1)
    table.ends_turn(1)
    table.dice(10, 5, 1, 1)
    table.does(Attack("snake", "ann", "bite"))
    assert stage(table) == 2


def test_it_is_over_after_as_many_rounds_as_it_lasts_at_most() -> None:
    table = bitten(1, 1, 1)
    for _ in range(6):
        table.ends_turn(1)
        table.dice(5, 1, 1)
        table.ends_turn(1)
    assert stage(table) == 0
