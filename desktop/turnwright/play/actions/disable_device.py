"""Disabling a device that acts in the turn order: the device stops after enough successes."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.running import Combatant, Track, track_id
from turnwright.play.actions.events import DeviceProgress
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import put_condition
from turnwright.rules.parts.checks.degrees import LADDER
from turnwright.rules.parts.combatants.disable_device import PROGRESS, disable_progress, is_working_device
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.actions import ActionOption


def disable(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> None:
    """Count a success against a device, and stop the device after enough of them. A critical success may count more."""
    target = next((candidate for candidate in data.targets if tx.get(Combatant, candidate) is not None), "")
    if not target or not is_working_device(tx, rules, target):
        return
    numbers = rules.data.dying.things
    before, need = disable_progress(tx, target)
    successes = before + (numbers.critical if data.degree == LADDER[-1] else 1)
    tx.emit(DeviceProgress(who=data.who, target=target, done=min(successes, need), need=need, rule=option.rule()))
    tx.put(Track(track_id(target, PROGRESS), target, PROGRESS, successes, need))
    if successes >= need:
        put_condition(tx, rules, target, numbers.condition, rule=rules.rule_id("thing.stopped"))
