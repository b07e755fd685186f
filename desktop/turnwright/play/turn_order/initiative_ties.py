"""Initiative ties: a rule system's tie breakers, applied in order, and combatants who share an initiative roll.

Each tie breaker adds a number to a slot's `tie_rolls`. The highest goes first, and the next tie breaker breaks the
remaining ties.
"""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.encounter.lookups import slot_sort_key
from turnwright.encounter.procedure_state.asks import Ask, AskResult, Option
from turnwright.encounter.running import Combatant, Slot
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import Answers
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import Rolled
from turnwright.rules.parts.checks.ability_checks import initiative_tie_roll
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.parts.damage.damage_steps import is_character
from turnwright.rules.system import RuleSystem

TIE, TIE_ORDER = "ask.tie", "ask.tie_order"
ROLL, ASK, DUE = "roll", "ask", "due"


def tied_groups(lookup: Lookup) -> list[list[Slot]]:
    """Return groups of slots that are still tied. Slots whose members are all out of play don't count."""
    groups: dict[tuple[int, tuple[bool, bool], tuple[int, ...]], list[Slot]] = {}
    for slot in lookup.all(Slot):
        if not all(is_out_of_play(lookup, who) for who in slot.members):
            groups.setdefault((slot.count, (slot.fixed, slot.first_actor), slot.tie_rolls), []).append(slot)
    tied = []
    for (count, fixed, ties), slots in groups.items():
        deeper = any(  # the slot rolled before another joined the tie
            other.tie_rolls[: len(ties)] == ties and len(other.tie_rolls) > len(ties)
            for key, same_total in groups.items()
            if key[:2] == (count, fixed)
            for other in same_total
        )
        if len(slots) > 1 or deeper:
            tied.append(slots)
    return tied


def tie_breaker_for(rules: RuleSystem, slots: list[Slot]) -> str:
    """Return the next tie breaker for tied slots, after those already applied."""
    breakers = rules.data.initiative.ties
    return breakers[min(len(slots[0].tie_rolls), len(breakers) - 1)]


def break_ties(tx: Transaction) -> list[Ask]:
    """Apply the automatic tie breakers, and return the asks for the remaining ties."""
    while True:
        waiting = []
        settled = True
        for slots in tied_groups(tx):
            breaker = tie_breaker_for(tx.rules, slots)
            if breaker == ROLL or (breaker == ASK and len(slots) > 1):
                waiting.append((breaker, slots))
            elif breaker != DUE and not _is_exhausted(tx.rules, slots):
                settled = False
                for slot, rank in zip(slots, _ranks(tx, breaker, slots), strict=True):
                    tx.update(slot, tie_rolls=(*slot.tie_rolls, rank))
        if settled:
            asks = [ask for breaker, slots in waiting for ask in _asks(tx, breaker, slots)]
            places = {slot.id: place for place, slot in enumerate(tx.all(Slot))}
            return sorted(asks, key=lambda ask: places.get(ask.id, len(places)))


def keep_order_of_tied(tx: Transaction) -> None:
    """Settle ties whose asks were skipped. Their slots keep their current order."""
    for slots in tied_groups(tx):
        if tie_breaker_for(tx.rules, slots) in (ROLL, ASK):
            for rank, slot in enumerate(reversed(slots), 1):
                tx.update(slot, tie_rolls=(*slot.tie_rolls, rank))


def _is_exhausted(rules: RuleSystem, slots: list[Slot]) -> bool:
    """Return whether slots are still tied after all tie breakers."""
    return len(slots[0].tie_rolls) >= len(rules.data.initiative.ties)


def _ranks(tx: Transaction, breaker: str, slots: list[Slot]) -> list[int]:
    """Return a tie-break rank for each slot. The highest rank goes first."""
    if breaker == "characters-first":
        return [int(any(is_character(tx, tx.rules, who) for who in slot.members)) for slot in slots]
    if breaker == "foes-first":
        return [int(any(_is_foe(tx, who) for who in slot.members)) for slot in slots]
    alike = len({roll_group_key(tx, slot.members[0]) for slot in slots}) == 1
    return list(range(len(slots), 0, -1)) if alike else [0] * len(slots)


def _asks(tx: Transaction, breaker: str, slots: list[Slot]) -> Iterable[Ask]:
    rule = tx.rule_id("initiative.tie")
    if breaker == ROLL:
        for slot in slots:
            who = rolling_member(tx, slot.members)
            yield Ask(slot.id, "roll", TIE, who, spec=initiative_tie_roll(tx, tx.rules, who), rule=rule)
        return
    yield order_ask(tx, slots)


def _order_rule(tx: Transaction, slots: list[Slot]) -> str:
    """Return the rule that determines who orders tied slots: the players or the game master."""
    players = all(is_character(tx, tx.rules, who) for slot in slots for who in slot.members)
    return tx.rule_id("initiative.tie-players" if players else "initiative.tie-others")


def tied_with(tx: Transaction, slot: Slot) -> list[Slot]:
    """Return the slots tied with the next slot if the user still has to choose their order, or else []."""
    breakers = tx.rules.data.initiative.ties
    if DUE not in breakers:
        return []
    settled = breakers.index(DUE)  # the number of tie breakers applied before it
    place = (slot.count, slot.fixed, slot.tie_rolls[:settled])
    slots = [
        other
        for other in tx.all(Slot)
        if (other.count, other.fixed, other.tie_rolls[:settled]) == place
        and not all(is_out_of_play(tx, who) for who in other.members)
    ]
    undecided = any(len(other.tie_rolls) <= settled for other in slots)
    return sorted(slots, key=slot_sort_key) if undecided and len(slots) > 1 else []


def order_ask(tx: Transaction, slots: list[Slot]) -> Ask:
    """Return the ask for the order of tied slots."""
    options = tuple(Option(slot.id, member_names(tx, slot)) for slot in slots)
    return Ask(f"order.{slots[0].id}", "order", TIE_ORDER, options=options, rule=_order_rule(tx, slots))


def apply_order(tx: Transaction, slots: list[Slot], chosen: tuple[str, ...]) -> None:
    """Set the chosen order of tied slots permanently. Slots that weren't chosen follow in their previous order."""
    settled = tx.rules.data.initiative.ties.index(DUE)
    order = list(dict.fromkeys((*chosen, *(slot.id for slot in slots))))
    for rank, id in enumerate(reversed(order), 1):
        slot = tx.need(Slot, id)
        tx.update(slot, tie_rolls=(*slot.tie_rolls[:settled], rank))


def member_names(lookup: Lookup, slot: Slot) -> str:
    """Return the labels of a slot's members."""
    members = (lookup.get(Combatant, who) for who in slot.members)
    return ", ".join(combatant.label for combatant in members if combatant is not None)


def apply_tie_answers(tx: Transaction, answers: Answers) -> None:
    """Store the tie rolls or the order from the answers for tied slots."""
    for id, answer in answers.items():
        slot = tx.get(Slot, id)
        if slot is not None:
            _take_roll(tx, slot, answer)
        for place, slot_id in enumerate(reversed(answer.chosen), 1):
            ordered = tx.get(Slot, slot_id)
            if ordered is not None:
                tx.update(ordered, tie_rolls=(*ordered.tie_rolls, place))


def _take_roll(tx: Transaction, slot: Slot, answer: AskResult) -> None:
    if answer.roll is not None:
        rule = tx.rule_id("initiative.tie")
        tx.emit(Rolled(who=rolling_member(tx, slot.members), purpose=TIE, roll=answer.roll, rule=rule))
    total = answer.roll.total if answer.roll is not None else answer.number
    tx.update(slot, tie_rolls=(*slot.tie_rolls, total or 0))


def rolling_member(lookup: Lookup, members: tuple[str, ...]) -> str:
    """Return the member who rolls for a slot: the first one in play."""
    return next((who for who in members if not is_out_of_play(lookup, who)), members[0])


def shared_rolls(tx: Transaction, who: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the combatants who roll initiative, each with all combatants who share the roll.

    These are the members of a group or, under a house rule, all enemies of a kind.
    """
    groups: dict[str, tuple[str, ...]] = {}
    first: dict[object, str] = {}
    for member in who:
        roller = first.setdefault(roll_group_key(tx, member), member)
        groups[roller] = (*groups.get(roller, ()), member)
    return groups


def roll_group_key(tx: Transaction, who: str) -> object:
    """Return a key shared by combatants who roll together, or the id of a combatant who rolls alone."""
    combatant = tx.need(Combatant, who)
    if combatant.group:
        return ("group", combatant.group)
    option = tx.rules.data.initiative.together
    if not option or not tx.rules.has_option(tx, option) or combatant.bystander or not _is_foe(tx, who):
        return who
    return (combatant.creature, combatant.side, combatant.initiative_bonus, combatant.check, combatant.edge)


def _is_foe(tx: Transaction, who: str) -> bool:
    """Return whether a combatant opposes a player character without being one."""
    side = tx.need(Combatant, who).side
    opponents = (combatant for combatant in tx.all(Combatant) if combatant.side != side)
    return not is_character(tx, tx.rules, who) and any(is_character(tx, tx.rules, other.id) for other in opponents)
