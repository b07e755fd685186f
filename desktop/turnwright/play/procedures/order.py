"""Initiative: totals asked of those who have none, ties rolled until nobody is level, and places in the order."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Ask, Initiative, Procedure, Prompt, RoundStart
from turnwright.encounter.running import Clock, Combatant, Slot
from turnwright.encounter.state import Lookup
from turnwright.play.company import company_of
from turnwright.play.events import InitiativeSet, OrderSettled, Rolled, Skipped
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.parts.control import is_follower
from turnwright.rules.system import RuleSystem

TIE = "ask.tie"


def turn_order(lookup: Lookup, rules: RuleSystem) -> list[Slot]:
    """Return the slots in the order in which they act."""
    return sorted(lookup.all(Slot), key=rules.initiative.place)


def slot_of(lookup: Lookup, who: str) -> Slot | None:
    """Return the slot in which somebody acts, perhaps with others, or None."""
    return next((slot for slot in lookup.all(Slot) if who in slot.members), None)


def is_anybody_there(lookup: Lookup, slot: Slot) -> bool:
    """Return whether any member of a slot is alive and in the fight."""
    return not all(is_out(lookup, who) for who in slot.members)


def still_to_act(lookup: Lookup, rules: RuleSystem) -> list[Slot]:
    """Return the slots that have had no turn in this round, in order, the active one left out."""
    clock = lookup.get(Clock, "clock")
    active = clock.active if clock else ""
    return [slot for slot in turn_order(lookup, rules) if not slot.acted and slot.id != active]


def seek_places(tx: Transaction, who: tuple[str, ...], *, begin_rounds: bool = False, parent: str = "") -> Procedure:
    """Begin to find places for those named."""
    return begin(tx, "initiative", "rolls", Initiative(who=who, begin=begin_rounds), parent)


def rolls(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask a roll of each who has no total yet; the dead are asked nothing."""
    data = _data(procedure)
    lacking = [who for who in data.who if not is_out(tx, who) and _lacks_place(tx, tx.need(Combatant, who))]
    rule = rules.cite("setup.initiative-step")
    asks = (
        Ask(id=who, kind="roll", label="ask.initiative", who=who, spec=rules.initiative.roll(tx, rules, who), rule=rule)
        for who in lacking
    )
    ask(tx, procedure, "prompt.initiative", asks, rule=rule)
    return at(procedure, "totals")


def _lacks_place(tx: Transaction, combatant: Combatant) -> bool:
    if combatant.bystander or is_follower(tx, combatant.id):
        return False
    slot = slot_of(tx, combatant.id)
    return combatant.initiative is None and (slot is None or slot.members == (combatant.id,))


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
    """Give somebody a total: their slot moves to it, with all who share it, and who has none gets one of their own."""
    slot = slot_of(tx, combatant.id) or _new_slot(tx, rules, combatant, total, fixed=fixed)
    for who in slot.members:
        sharer = tx.get(Combatant, who)
        if sharer is not None:
            tx.update(sharer, initiative=total)
    tx.update(slot, count=total, ties=(), fixed=fixed)
    tx.emit(InitiativeSet(who=combatant.id, total=total, how=how, rule=rule or rules.cite("initiative.order")))


def _new_slot(tx: Transaction, rules: RuleSystem, combatant: Combatant, total: int, *, fixed: bool) -> Slot:
    """Return a slot for a newcomer. Where its count has passed in this round, its first turn comes in the next."""
    slot = Slot(tx.mint(Slot, combatant.id), total, company_of(tx, combatant.id), fixed=fixed)
    clock = tx.get(Clock, "clock")
    active = tx.get(Slot, clock.active) if clock and clock.active else None
    if active is None:
        return slot
    counts = [msgspec.structs.replace(each, ties=()) for each in (active, *still_to_act(tx, rules))]
    place = rules.initiative.place
    return msgspec.structs.replace(slot, acted=all(place(slot) < place(each) for each in counts))


def leave_slot(tx: Transaction, slot: Slot, who: str) -> Slot:
    """Take one of several members out of a slot; a tie roll that was theirs to make is asked of another."""
    others = tuple(member for member in slot.members if member != who)
    for prompt in list(tx.all(Prompt)):
        asks = tuple(_handed_on(each, slot, who, _roller(tx, others)) for each in prompt.asks)
        if asks != prompt.asks:
            tx.update(prompt, asks=asks)
    return tx.update(slot, members=others)


def _handed_on(asked: Ask, slot: Slot, who: str, other: str) -> Ask:
    is_theirs = asked.label == TIE and asked.id == slot.id and asked.who == who
    return msgspec.structs.replace(asked, who=other) if is_theirs else asked


def _roller(lookup: Lookup, members: tuple[str, ...]) -> str:
    """Return who rolls for some who share a place: the first who is alive."""
    return next((who for who in members if not is_out(lookup, who)), members[0])


def places(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask a plain d20 of those who are level and have not rolled for it; when nobody is, the order stands."""
    for who, answer in answers.items():
        slot = tx.get(Slot, who)
        if slot is not None and answer.roll is not None:
            rule = rules.cite("initiative.tie")
            tx.emit(Rolled(who=_roller(tx, slot.members), purpose=TIE, roll=answer.roll, rule=rule))
            tx.update(slot, ties=(*slot.ties, answer.roll.total or 0))
        elif slot is not None:
            tx.update(slot, ties=(*slot.ties, 0))
    level = level_slots(tx)
    if level and not any(answer.skipped for answer in answers.values()):
        rule = rules.cite("initiative.tie")
        spec = rules.initiative.tie
        asks = (
            Ask(id=slot.id, kind="roll", label=TIE, who=_roller(tx, slot.members), spec=spec, rule=rule)
            for slot in level
        )
        ask(tx, procedure, "prompt.tie", asks, rule=rule)
        return at(procedure, "places")
    data = _data(procedure)
    lacking = tuple(one.id for one in tx.all(Combatant) if not one.dead and _lacks_place(tx, one))
    late = lacking if data.begin else ()
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
    slots = [slot for slot in lookup.all(Slot) if is_anybody_there(lookup, slot)]
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
