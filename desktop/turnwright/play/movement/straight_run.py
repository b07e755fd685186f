"""Tracks how far a combatant has just moved in a straight line, for features that depend on it."""

from __future__ import annotations

from turnwright.encounter.lookups import find_effect
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Duration, Effect
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import put_effect
from turnwright.rules.parts.conditions.feature_rules import feature_rules_of
from turnwright.rules.parts.movement.straight_line_moves import is_straight
from turnwright.rules.parts.positions.straight_runs import STRAIGHT_RUN, run_start
from turnwright.rules.system import RuleSystem


def count_straight_run(tx: Transaction, rules: RuleSystem, who: str, here: Point | None, to: Point, feet: int) -> None:
    """Add a step to a combatant's straight run, or start a new run with it."""
    if here is None or here == to or "moved-straight" not in feature_rules_of(tx, who).words:
        return
    run = find_effect(tx, who, STRAIGHT_RUN)
    if run is not None and _is_continued(run, here, to):
        tx.update(run, value=run.value + feet)
        return
    start = f"{here[0]},{here[1]}"
    if run is not None:
        tx.update(run, value=feet, end_condition=start)
        return
    ends = Duration("turn")
    put_effect(
        tx,
        rules,
        Effect(tx.next_id("effect"), who, STRAIGHT_RUN, value=feet, ends=ends, shown=False, end_condition=start),
    )


def _is_continued(run: Effect, here: Point, to: Point) -> bool:
    """Return whether a step continues a straight run in the same direction."""
    start = run_start(run)
    return is_straight([(0, 0), *((at[0] - start[0], at[1] - start[1]) for at in (here, to))])
