"""Initiative: totals asked of those who have none, ties rolled until nobody is level, and places in the order."""

from __future__ import annotations

import msgspec

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Prompt
from turnwright.encounter.procedure_state.kinds import Stage
from turnwright.encounter.procedure_state.turn_order import INITIATIVE, Initiative
from turnwright.encounter.procedure_state.turns import RoundStart
from turnwright.encounter.running import Clock, Combatant, Slot
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import Answers, StageFunction, ask, begin, data_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Rolled, Skipped
from turnwright.play.turn_order.controlled_creatures import with_unplaced_followers
from turnwright.play.turn_order.events import InitiativeOrderSet, InitiativeSet
from turnwright.play.turn_order.initiative_ties import TIE, apply_tie_answers, break_ties, rolling_member, shared_rolls
from turnwright.rules.parts.combatants.controlled_creatures import is_follower
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.parts.movement.riding import will_be_controlled
from turnwright.rules.system import RuleSystem, creature_of


def slots_in_order(lookup: Lookup, rules: RuleSystem) -> list[Slot]:
    """Return the slots in the order in which they act."""
    return sorted(lookup.all(Slot), key=rules.initiative.sort_key)


def slot_of(lookup: Lookup, who: str) -> Slot | None:
    """Return the slot in which somebody acts, perhaps with others, or None."""
    return next((slot for slot in lookup.all(Slot) if who in slot.members), None)


def has_member_present(lookup: Lookup, slot: Slot) -> bool:
    """Return whether any member of a slot is alive and in the fight."""
    return not all(is_out_of_play(lookup, who) for who in slot.members)


def remaining_this_round(lookup: Lookup, rules: RuleSystem) -> list[Slot]:
    """Return the slots that have had no turn in this round, in order, the active one left out."""
    clock = lookup.get(Clock, "clock")
    active = clock.active if clock else ""
    return [slot for slot in slots_in_order(lookup, rules) if not slot.acted and slot.id != active]


def ask_initiative(
    tx: Transaction, who: tuple[str, ...], *, starts_rounds: bool = False, parent: str = ""
) -> Procedure:
    """Begin to find places for those named."""
    return begin(tx, INITIATIVE.ask_rolls, Initiative(who=who, begin_rounds=starts_rounds), parent)


def ask_rolls(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask a roll of each who has no total yet, and before that what they add where it is theirs alone to say.

    The dead are asked nothing.
    """
    data = data_of(procedure, Initiative)
    if _ask_values(tx, rules, procedure, answers):
        return goto(procedure, INITIATIVE.ask_rolls)
    rule = rules.rule_id("setup.initiative-step")
    asks = (
        Ask(
            id=who,
            kind="roll",
            label="ask.initiative" if len(alike) == 1 else "ask.initiative_together",
            who=who,
            detail="" if len(alike) == 1 else str(len(alike)),
            spec=rules.initiative.roll(tx, rules, who),
            rule=rule if len(alike) == 1 else rules.rule_id("initiative.together"),
        )
        for who, alike in shared_rolls(tx, rules, _lacking(tx, rules, data.who)).items()
    )
    ask(tx, procedure, "prompt.initiative", asks, rule=rule)
    return goto(procedure, INITIATIVE.apply_totals)


def _ask_values(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> bool:
    """Take the values of their own that were given, and ask those of whom nobody knows one; return whether any is."""
    figures = rules.data.initiative
    data = data_of(procedure, Initiative)
    alike = _alike(tx, rules, data.who) if figures.own_skill else {}
    for who, answer in answers.items():
        if tx.get(Combatant, who) is not None and (figures.own or answer.number is not None):
            for one in alike.get(who, [who]):
                tx.update(tx.need(Combatant, one), initiative_bonus=answer.number or 0)
    if answers or not (figures.own or figures.own_skill):
        return False
    rule, skill = rules.rule_id("initiative.own-value"), figures.check.partition(":")[2]
    if figures.own_skill:
        name = f"<skill.{skill}>"
        asks = [Ask(who, "number", "ask.skill_value", who, name, rule=rule) for who in alike]
    else:
        lacking = [one for one in _lacking(tx, rules, data.who) if _has_no_value(tx, one)]
        asks = [Ask(who, "number", "ask.initiative_value", who, rule=rule) for who in lacking]
    ask(tx, procedure, "prompt.initiative", asks, rule=rule)
    return bool(asks)


def _alike(lookup: Lookup, rules: RuleSystem, who: tuple[str, ...]) -> dict[str, list[str]]:
    """Return those of whom nobody knows what they add to the usual check, the first of each stat block with its like."""
    figures = rules.data.initiative
    skill = figures.check.partition(":")[2]
    found: dict[str, list[str]] = {}
    first: dict[str, str] = {}
    for one in _lacking(lookup, rules, who):
        combatant = lookup.need(Combatant, one)
        known = skill in dict(creature_of(lookup, combatant).skills) or not _has_no_value(lookup, one)
        if not known and combatant.check in ("", figures.check):
            found.setdefault(first.setdefault(combatant.creature, one), []).append(one)
    return found


def _has_no_value(lookup: Lookup, who: str) -> bool:
    combatant = lookup.need(Combatant, who)
    return combatant.initiative_bonus is None and creature_of(lookup, combatant).initiative is None


def _lacking(lookup: Lookup, rules: RuleSystem, who: tuple[str, ...]) -> list[str]:
    found = [
        one for one in who if not is_out_of_play(lookup, one) and _lacks_place(lookup, lookup.need(Combatant, one))
    ]
    return [one for one in found if not will_be_controlled(lookup, rules, one)]


def _lacks_place(lookup: Lookup, combatant: Combatant) -> bool:
    if combatant.bystander or is_follower(lookup, combatant.id):
        return False
    slot = slot_of(lookup, combatant.id)
    return combatant.initiative is None and (slot is None or slot.members == (combatant.id,))


def apply_totals(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Take the totals; who was skipped has 0 until somebody says otherwise."""
    alike = shared_rolls(tx, rules, _lacking(tx, rules, data_of(procedure, Initiative).who))
    for who, answer in answers.items():
        if tx.get(Combatant, who) is None:
            continue
        total = answer.number
        if answer.roll is not None:
            rule = next((part.rule for part in answer.roll.modifiers if part.rule), "")
            tx.emit(Rolled(who=who, purpose="ask.initiative", roll=answer.roll, rule=rule))
            total = answer.roll.total
        if answer.skipped or total is None:
            tx.emit(Skipped(who=who, purpose="ask.initiative"))
        for each in alike.get(who, (who,)):
            set_initiative(tx, rules, tx.need(Combatant, each), total or 0, "rolled" if answer.roll else "entered")
    return goto(procedure, INITIATIVE.assign_slots)


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
    tx.update(slot, count=total, tie_rolls=(), fixed=fixed)
    tx.emit(InitiativeSet(who=combatant.id, total=total, how=how, rule=rule or rules.rule_id("initiative.order")))


def _new_slot(tx: Transaction, rules: RuleSystem, combatant: Combatant, total: int, *, fixed: bool) -> Slot:
    """Return a slot for a newcomer. Where its count has passed in this round, its first turn comes in the next."""
    company = with_unplaced_followers(tx, combatant.id)
    opener = any(one.first_actor for one in tx.all(Combatant) if one.id in company)
    slot = Slot(tx.create_id(Slot, combatant.id), total, company, fixed=fixed, first_actor=opener)
    clock = tx.get(Clock, "clock")
    active = tx.get(Slot, clock.active) if clock and clock.active else None
    if active is None:
        return slot
    counts = [msgspec.structs.replace(each, tie_rolls=()) for each in (active, *remaining_this_round(tx, rules))]
    place = rules.initiative.sort_key
    return msgspec.structs.replace(slot, acted=all(place(slot) < place(each) for each in counts))


def remove_from_slot(tx: Transaction, slot: Slot, who: str) -> Slot:
    """Take one of several members out of a slot; a tie roll that was theirs to make is asked of another."""
    others = tuple(member for member in slot.members if member != who)
    for prompt in list(tx.all(Prompt)):
        asks = tuple(_handed_on(each, slot, who, rolling_member(tx, others)) for each in prompt.asks)
        if asks != prompt.asks:
            tx.update(prompt, asks=asks)
    return tx.update(slot, members=others)


def _handed_on(asked: Ask, slot: Slot, who: str, other: str) -> Ask:
    is_theirs = asked.label == TIE and asked.id == slot.id and asked.who == who
    return msgspec.structs.replace(asked, who=other) if is_theirs else asked


def assign_slots(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Part those who are level, asking what the game wants asked for it; when nobody is, the order stands."""
    apply_tie_answers(tx, rules, answers)
    asks = break_ties(tx, rules)
    if asks and not any(answer.skipped for answer in answers.values()):
        ask(tx, procedure, "prompt.tie", asks, rule=rules.rule_id("initiative.tie"))
        return goto(procedure, INITIATIVE.assign_slots)
    return next_stage(rules, procedure)


def next_stage(rules: RuleSystem, procedure: Procedure) -> Procedure:
    """Return the procedure at the stage that this system puts after its own, `assign_slots` or a later one."""
    stages = (INITIATIVE.assign_slots, *rules.initiative.after_places)
    return goto(procedure, stages[stages.index(procedure.at) + 1])


def finish(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Announce the order and begin the rounds; those who have come meanwhile are asked first."""
    data = data_of(procedure, Initiative)
    lacking = tuple(one.id for one in tx.all(Combatant) if not one.dead and _lacks_place(tx, one))
    late = lacking if data.begin_rounds else ()
    if late:  # they came while the others were asked
        return goto(procedure, INITIATIVE.ask_rolls, msgspec.structs.replace(data, who=late))
    clock = tx.need(Clock, "clock")
    if data.begin_rounds or clock.phase == "rounds":  # in set-up it may still change, and is told when the rounds begin
        members = (member for slot in slots_in_order(tx, rules) for member in slot.members)
        order = tuple(member for member in members if not is_out_of_play(tx, member))
        tx.emit(InitiativeOrderSet(who=order, rule=rules.rule_id("initiative.order")))
    if data.begin_rounds:
        tx.update(clock, phase="rounds", setup_step="", round=0, active="")
        begin(tx, rules.rounds.round_start[0], RoundStart())
    return None


STAGES: dict[Stage, StageFunction] = {
    INITIATIVE.ask_rolls: ask_rolls,
    INITIATIVE.apply_totals: apply_totals,
    INITIATIVE.assign_slots: assign_slots,
    INITIATIVE.finish: finish,
}
