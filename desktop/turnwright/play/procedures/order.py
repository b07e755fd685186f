"""Initiative: totals asked of those who have none, ties rolled until nobody is level, and places in the order."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Ask, Initiative, Procedure, RoundStart
from turnwright.encounter.running import Clock, Combatant, Slot
from turnwright.encounter.state import Lookup
from turnwright.play.events import InitiativeSet, OrderSettled, Rolled, Skipped
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.system import RuleSystem


def turn_order(lookup: Lookup, rules: RuleSystem) -> list[Slot]:
    """Return the slots in the order in which they act."""
    return sorted(lookup.all(Slot), key=rules.initiative.place)


def seek_places(tx: Transaction, who: tuple[str, ...], *, begin_rounds: bool = False, parent: str = "") -> Procedure:
    """Begin to find places for those named."""
    return begin(tx, "initiative", "rolls", Initiative(who=who, begin=begin_rounds), parent)


def rolls(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask a roll of each who has no total yet; the dead are asked nothing."""
    data = _data(procedure)
    lacking = [who for who in data.who if not is_out(tx, who) and tx.need(Combatant, who).initiative is None]
    rule = rules.cite("setup.initiative-step")
    asks = (
        Ask(id=who, kind="roll", label="ask.initiative", who=who, spec=rules.initiative.roll(tx, rules, who), rule=rule)
        for who in lacking
    )
    ask(tx, procedure, "prompt.initiative", asks, rule=rule)
    return at(procedure, "totals")


def totals(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Take the totals; who was skipped has 0 until somebody says otherwise."""
    for who, answer in answers.items():
        combatant = tx.get(Combatant, who)
        if combatant is None:
            continue
        total = answer.number
        if answer.roll is not None:
            rule = next((part.rule for part in answer.roll.modifiers if part.rule), "")
            tx.emit(Rolled(who=who, purpose="ask.initiative", roll=answer.roll, rule=rule))
            total = answer.roll.total
        if answer.skipped or total is None:
            tx.emit(Skipped(who=who, purpose="ask.initiative"))
        set_initiative(tx, rules, combatant, total or 0, "rolled" if answer.roll else "entered")
    return at(procedure, "places")


def set_initiative(
    tx: Transaction,
    rules: RuleSystem,
    combatant: Combatant,
    total: int,
    how: str,
    *,
    fixed: bool = False,
    rule: str = "",
) -> None:
    """Give somebody a total and a slot of their own at it."""
    tx.update(combatant, initiative=total)
    slot = tx.get(Slot, combatant.id) or Slot(combatant.id, total, (combatant.id,))
    tx.update(slot, count=total, ties=(), fixed=fixed)
    tx.emit(InitiativeSet(who=combatant.id, total=total, how=how, rule=rule or rules.cite("initiative.order")))


def places(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask a plain d20 of those who are level and have not rolled for it; when nobody is, the order stands."""
    for who, answer in answers.items():
        slot = tx.get(Slot, who)
        if slot is not None and answer.roll is not None:
            rule = rules.cite("initiative.tie")
            tx.emit(Rolled(who=who, purpose="ask.tie", roll=answer.roll, rule=rule))
            tx.update(slot, ties=(*slot.ties, answer.roll.total or 0))
        elif slot is not None:
            tx.update(slot, ties=(*slot.ties, 0))
    level = level_slots(tx)
    if level and not any(answer.skipped for answer in answers.values()):
        rule = rules.cite("initiative.tie")
        spec = rules.initiative.tie
        asks = (
            Ask(id=slot.id, kind="roll", label="ask.tie", who=slot.members[0], spec=spec, rule=rule) for slot in level
        )
        ask(tx, procedure, "prompt.tie", asks, rule=rule)
        return at(procedure, "places")
    data = _data(procedure)
    late = tuple(one.id for one in tx.all(Combatant) if one.initiative is None and not one.dead) if data.begin else ()
    if late:  # they came while the others were asked
        return at(procedure, "rolls", msgspec.structs.replace(data, who=late))
    order = tuple(member for slot in turn_order(tx, rules) for member in slot.members)
    tx.emit(OrderSettled(who=order, rule=rules.cite("initiative.order")))
    if data.begin:
        clock = tx.need(Clock, "clock")
        tx.update(clock, phase="rounds", step="", round=0, active="")
        begin(tx, "round", rules.rounds.top[0], RoundStart())
    return None


def level_slots(lookup: Lookup) -> list[Slot]:
    """Return the slots that are level with another and still lack the roll that parts them; the dead don't count."""
    slots = [slot for slot in lookup.all(Slot) if not all(is_out(lookup, who) for who in slot.members)]
    lacking: list[Slot] = []
    for slot in slots:
        depth = len(slot.ties)
        rivals = [
            other
            for other in slots
            if other is not slot
            and (other.count, other.fixed) == (slot.count, slot.fixed)
            and other.ties[:depth] == slot.ties
        ]
        if rivals:
            lacking.append(slot)
    return lacking


def _data(procedure: Procedure) -> Initiative:
    assert isinstance(procedure.data, Initiative)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("initiative", "rolls"): rolls,
    ("initiative", "totals"): totals,
    ("initiative", "places"): places,
}
