"""Stopping a thing that acts in the order: success by success, until it does nothing any more."""

from __future__ import annotations

from turnwright.encounter.pending import Deed, Procedure
from turnwright.encounter.running import Combatant, Track, track_id
from turnwright.play.events import WorkedAt
from turnwright.play.harm import put_condition
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.actions import ActionOption
from turnwright.rules.parts.degrees import LADDER
from turnwright.rules.parts.devices import DONE_SO_FAR, successes, works
from turnwright.rules.system import RuleSystem


def disable(tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Deed, option: ActionOption) -> None:
    """Count a success against a thing, a critical one as often as the game has it; with enough of them it stops."""
    target = next((one for one in data.targets if tx.get(Combatant, one) is not None), "")
    if not target or not works(tx, rules, target):
        return
    figures = rules.catalogue.dying.things
    before, need = successes(tx, target)
    done = before + (figures.critical if data.degree == LADDER[-1] else 1)
    tx.emit(WorkedAt(who=data.who, target=target, done=min(done, need), need=need, rule=option.rule()))
    tx.put(Track(track_id(target, DONE_SO_FAR), target, DONE_SO_FAR, done, need))
    if done >= need:
        put_condition(tx, rules, target, figures.condition, rule=rules.cite("thing.stopped"))
