"""Initiative: asking for totals, breaking ties, and assigning slots in the turn order."""

from __future__ import annotations

import msgspec

from turnwright.encounter.lookups import active_slot, clock_of, slot_sort_key
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Prompt, roll_ask
from turnwright.encounter.procedure_state.turn_order import INITIATIVE, Initiative
from turnwright.encounter.procedure_state.turns import ROUND, RoundStart
from turnwright.encounter.running import Clock, Combatant, Slot
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import Answers, ask, begin, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Rolled, Skipped
from turnwright.play.turn_order.controlled_creatures import slot_members
from turnwright.play.turn_order.events import InitiativeOrderSet, InitiativeSet
from turnwright.play.turn_order.initiative_ties import (
    TIE,
    apply_tie_answers,
    break_ties,
    keep_order_of_tied,
    rolling_member,
    shared_rolls,
)
from turnwright.rules.parts.checks.ability_checks import initiative_roll
from turnwright.rules.parts.combatants.controlled_creatures import is_follower
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.parts.movement.riding import will_be_controlled
from turnwright.rules.system import RuleSystem, creature_of


def slots_in_order(lookup: Lookup) -> list[Slot]:
    """Return the slots in turn order."""
    return sorted(lookup.all(Slot), key=slot_sort_key)


def slot_of(lookup: Lookup, who: str) -> Slot | None:
    """Return the slot in which a combatant acts, alone or with others, or None."""
    return next(iter(lookup.of(Slot, who)), None)


def has_member_present(lookup: Lookup, slot: Slot) -> bool:
    """Return whether any member of a slot is alive and in the fight."""
    return not all(is_out_of_play(lookup, who) for who in slot.members)


def remaining_this_round(lookup: Lookup) -> list[Slot]:
    """Return the slots that haven't had a turn this round, in turn order, except the active one."""
    active = clock_of(lookup).active
    remaining = (slot for slot in lookup.all(Slot) if not slot.acted and slot.id != active)
    return sorted(remaining, key=slot_sort_key)


def ask_initiative(
    tx: Transaction, who: tuple[str, ...], *, starts_rounds: bool = False, parent: str = ""
) -> Procedure:
    """Begin the initiative of some combatants."""
    return begin(tx, INITIATIVE.ask_rolls, Initiative(who=who, begin_rounds=starts_rounds), parent)


def ask_rolls(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask for the initiative rolls of living combatants without a total, after asking for unknown initiative values."""
    data = data_of(procedure, Initiative)
    if _ask_values(tx, rules, procedure, answers):
        return goto(procedure, INITIATIVE.ask_rolls)
    rule = rules.rule_id("setup.initiative-step")
    asks = (
        roll_ask(
            who,
            "ask.initiative" if len(alike) == 1 else "ask.initiative_together",
            "" if len(alike) == 1 else str(len(alike)),
            initiative_roll(tx, rules, who),
            rule=rule if len(alike) == 1 else rules.rule_id("initiative.together"),
        )
        for who, alike in shared_rolls(tx, rules, _without_total(tx, rules, data.who)).items()
    )
    return ask(tx, goto(procedure, INITIATIVE.apply_totals), "prompt.initiative", asks, rule=rule)


def _ask_values(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> bool:
    """Store the initiative values entered and ask for unknown ones. Return whether any are unknown."""
    settings = rules.data.initiative
    data = data_of(procedure, Initiative)
    alike = _alike(tx, rules, data.who) if settings.own_skill else {}
    for who, answer in answers.items():
        if tx.get(Combatant, who) is not None and (settings.own or answer.number is not None):
            for member in alike.get(who, [who]):
                tx.update(tx.need(Combatant, member), initiative_bonus=answer.number or 0)
    if answers or not (settings.own or settings.own_skill):
        return False
    rule, skill = rules.rule_id("initiative.own-value"), settings.check.partition(":")[2]
    if settings.own_skill:
        name = f"<skill.{skill}>"
        asks = [Ask(who, "number", "ask.skill_value", who, name, rule=rule) for who in alike]
    else:
        missing = [who for who in _without_total(tx, rules, data.who) if _has_no_value(tx, who)]
        asks = [Ask(who, "number", "ask.initiative_value", who, rule=rule) for who in missing]
    ask(tx, procedure, "prompt.initiative", asks)
    return bool(asks)


def _alike(lookup: Lookup, rules: RuleSystem, who: tuple[str, ...]) -> dict[str, list[str]]:
    """Return combatants with unknown skill values: the first of each stat block, with all that share it."""
    settings = rules.data.initiative
    skill = settings.check.partition(":")[2]
    groups: dict[str, list[str]] = {}
    first: dict[str, str] = {}
    for member in _without_total(lookup, rules, who):
        combatant = lookup.need(Combatant, member)
        is_known = skill in dict(creature_of(lookup, combatant).skills) or not _has_no_value(lookup, member)
        if not is_known and combatant.check in ("", settings.check):
            groups.setdefault(first.setdefault(combatant.creature, member), []).append(member)
    return groups


def _has_no_value(lookup: Lookup, who: str) -> bool:
    combatant = lookup.need(Combatant, who)
    return combatant.initiative_bonus is None and creature_of(lookup, combatant).initiative is None


def _without_total(lookup: Lookup, rules: RuleSystem, who: tuple[str, ...]) -> list[str]:
    missing = [
        member
        for member in who
        if not is_out_of_play(lookup, member) and _needs_total(lookup, lookup.need(Combatant, member))
    ]
    return [member for member in missing if not will_be_controlled(lookup, rules, member)]


def _needs_total(lookup: Lookup, combatant: Combatant) -> bool:
    if combatant.bystander or is_follower(lookup, combatant.id):
        return False
    slot = slot_of(lookup, combatant.id)
    return combatant.initiative is None and (slot is None or slot.members == (combatant.id,))


def apply_totals(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Set the initiative totals. Skipped totals are 0 until they are entered."""
    alike = shared_rolls(tx, rules, _without_total(tx, rules, data_of(procedure, Initiative).who))
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
        for member in alike.get(who, (who,)):
            slot = slot_of(tx, member)
            if member != who and slot is not None and who in slot.members:
                continue  # already placed with its group
            set_initiative(tx, rules, tx.need(Combatant, member), total or 0, "rolled" if answer.roll else "entered")
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
    """Set a combatant's initiative. Move its slot with all members to the total, or create the slot."""
    slot = slot_of(tx, combatant.id) or _new_slot(tx, rules, combatant, total, fixed=fixed)
    for who in slot.members:
        sharer = tx.get(Combatant, who)
        if sharer is not None:
            tx.update(sharer, initiative=total)
    tx.update(slot, count=total, tie_rolls=(), fixed=fixed)
    rule = rule or rules.rule_id("initiative.order")
    is_reported = how in ("rolled", "kept")  # the roll's line reports it
    tx.emit(InitiativeSet(who=combatant.id, total=total, how=how, rule=rule, bookkeeping=is_reported))


def _new_slot(tx: Transaction, rules: RuleSystem, combatant: Combatant, total: int, *, fixed: bool) -> Slot:
    """Return a slot for a new combatant. If its count has passed in this round, its first turn is in the next round."""
    members = slot_members(tx, combatant.id)
    opener = any(member.first_actor for member in tx.all(Combatant) if member.id in members)
    slot = Slot(tx.create_id(Slot, combatant.id), total, members, fixed=fixed, first_actor=opener)
    active = active_slot(tx)
    if active is None:
        return slot
    counts = [msgspec.structs.replace(other, tie_rolls=()) for other in (active, *remaining_this_round(tx))]
    return msgspec.structs.replace(slot, acted=all(slot_sort_key(slot) < slot_sort_key(other) for other in counts))


def remove_from_slot(tx: Transaction, slot: Slot, who: str) -> Slot:
    """Remove one of several members from a slot. Its open tie roll now concerns another member."""
    remaining = tuple(member for member in slot.members if member != who)
    for prompt in list(tx.all(Prompt)):
        asks = tuple(_reassigned(open_ask, slot, who, rolling_member(tx, remaining)) for open_ask in prompt.asks)
        if asks != prompt.asks:
            tx.update(prompt, asks=asks)
    return tx.update(slot, members=remaining)


def _reassigned(tie_ask: Ask, slot: Slot, who: str, other: str) -> Ask:
    is_theirs = tie_ask.label == TIE and tie_ask.id == slot.id and tie_ask.who == who
    return msgspec.structs.replace(tie_ask, who=other) if is_theirs else tie_ask


def assign_slots(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Break ties, with asks if the rules require them. When none are left, go to the next stage."""
    apply_tie_answers(tx, rules, answers)
    skipped = any(answer.skipped for answer in answers.values())
    if skipped:
        keep_order_of_tied(tx, rules)
    asks = break_ties(tx, rules)
    if asks and not skipped:
        ask(tx, procedure, "prompt.tie", asks, rule=rules.rule_id("initiative.tie"))
        return goto(procedure, INITIATIVE.assign_slots)
    return goto(procedure, INITIATIVE.place_prepared_mounts)


def finish(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Report the turn order and begin the rounds. Combatants added during the rolls must roll first."""
    data = data_of(procedure, Initiative)
    missing = tuple(
        combatant.id for combatant in tx.all(Combatant) if not combatant.dead and _needs_total(tx, combatant)
    )
    added = missing if data.begin_rounds else ()
    if added:  # these combatants were added during the rolls
        return goto(procedure, INITIATIVE.ask_rolls, who=added)
    clock = tx.need(Clock, "clock")
    if data.begin_rounds or clock.phase == "rounds":  # the order may still change during set-up
        members = (member for slot in slots_in_order(tx) for member in slot.members)
        order = tuple(member for member in members if not is_out_of_play(tx, member))
        later = not data.begin_rounds
        tx.emit(InitiativeOrderSet(who=order, rule=rules.rule_id("initiative.order"), bookkeeping=later))
    if data.begin_rounds:
        tx.update(clock, phase="rounds", setup_step="", round=0, active="")
        begin(tx, ROUND.begin_round, RoundStart())
    return None


STAGES = stages_in(globals(), INITIATIVE)
