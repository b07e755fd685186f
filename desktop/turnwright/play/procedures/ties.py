"""Ties in the order: the ways a game parts those who are level, one after another, and who rolls as one.

Each way adds a figure to a slot's `ties`, the highest first; the next way parts those whom the last has left level.
"""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.encounter.pending import Answered, Ask, Option
from turnwright.encounter.running import Combatant, Slot
from turnwright.encounter.state import Lookup
from turnwright.play.events import Rolled
from turnwright.play.procedures.loop import Answers
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.parts.dying import is_character
from turnwright.rules.system import RuleSystem

TIE, TIE_ORDER = "ask.tie", "ask.tie_order"
ROLL, ASK, DUE = "roll", "ask", "due"


def level_groups(lookup: Lookup) -> list[list[Slot]]:
    """Return the slots that nothing has parted yet, by the groups in which they are level; the dead don't count."""
    groups: dict[tuple[int, tuple[bool, bool], tuple[int, ...]], list[Slot]] = {}
    for slot in lookup.all(Slot):
        if not all(is_out(lookup, who) for who in slot.members):
            groups.setdefault((slot.count, (slot.fixed, slot.opener), slot.ties), []).append(slot)
    found = []
    for (count, fixed, ties), slots in groups.items():
        deeper = any(  # one who has rolled already, where they came level later
            other.ties[: len(ties)] == ties and len(other.ties) > len(ties)
            for key, others in groups.items()
            if key[:2] == (count, fixed)
            for other in others
        )
        if len(slots) > 1 or deeper:
            found.append(slots)
    return found


def way_for(rules: RuleSystem, slots: list[Slot]) -> str:
    """Return how the game parts these: the way after those that have been tried."""
    ways = rules.catalogue.initiative.ties
    return ways[min(len(slots[0].ties), len(ways) - 1)]


def part(tx: Transaction, rules: RuleSystem) -> list[Ask]:
    """Part all who are level as far as that goes by itself, and return what has to be rolled or said for the rest."""
    while True:
        waiting = []
        settled = True
        for slots in level_groups(tx):
            way = way_for(rules, slots)
            if way == ROLL or (way == ASK and len(slots) > 1):
                waiting.append((way, slots))
            elif way != DUE and not _is_exhausted(rules, slots):
                settled = False
                for slot, rank in zip(slots, _ranks(tx, rules, way, slots), strict=True):
                    tx.update(slot, ties=(*slot.ties, rank))
        if settled:
            asks = [ask for way, slots in waiting for ask in _asks(tx, rules, way, slots)]
            places = {slot.id: place for place, slot in enumerate(tx.all(Slot))}
            return sorted(asks, key=lambda ask: places.get(ask.id, len(places)))


def _is_exhausted(rules: RuleSystem, slots: list[Slot]) -> bool:
    """Return whether every way has been tried on some who are level still: by rank they would only be so again."""
    return len(slots[0].ties) >= len(rules.catalogue.initiative.ties)


def _ranks(lookup: Lookup, rules: RuleSystem, way: str, slots: list[Slot]) -> list[int]:
    """Return a figure for each, the highest for who goes first."""
    if way == "characters-first":
        return [int(any(is_character(lookup, rules, who) for who in slot.members)) for slot in slots]
    if way == "foes-first":
        return [int(any(_is_foe(lookup, rules, who) for who in slot.members)) for slot in slots]
    alike = len({likeness(lookup, rules, slot.members[0]) for slot in slots}) == 1
    return list(range(len(slots), 0, -1)) if alike else [0] * len(slots)


def _asks(tx: Transaction, rules: RuleSystem, way: str, slots: list[Slot]) -> Iterable[Ask]:
    rule = rules.cite("initiative.tie")
    if way == ROLL:
        for slot in slots:
            who = roller(tx, slot.members)
            yield Ask(slot.id, "roll", TIE, who, spec=rules.initiative.tie(tx, rules, who), rule=rule)
        return
    options = tuple(Option(slot.id, names(tx, slot)) for slot in slots)
    yield Ask(f"order.{slots[0].id}", "order", TIE_ORDER, options=options, rule=_order_rule(tx, rules, slots))


def _order_rule(lookup: Lookup, rules: RuleSystem, slots: list[Slot]) -> str:
    """Return the rule by which a person says who is first: that of the players, or that of the game master."""
    players = all(is_character(lookup, rules, who) for slot in slots for who in slot.members)
    return rules.cite("initiative.tie-players" if players else "initiative.tie-others")


def level_with(lookup: Lookup, rules: RuleSystem, slot: Slot) -> list[Slot]:
    """Return all who share a place that has come up, where a person has yet to say who of them goes first; else none."""
    ways = rules.catalogue.initiative.ties
    if DUE not in ways:
        return []
    settled = ways.index(DUE)  # so many ways have parted them before
    mine = (slot.count, slot.fixed, slot.ties[:settled])
    slots = [
        one
        for one in lookup.all(Slot)
        if (one.count, one.fixed, one.ties[:settled]) == mine and not all(is_out(lookup, who) for who in one.members)
    ]
    undecided = any(len(one.ties) <= settled for one in slots)
    return sorted(slots, key=rules.initiative.place) if undecided and len(slots) > 1 else []


def due_ask(lookup: Lookup, rules: RuleSystem, slots: list[Slot]) -> Ask:
    """Return the question who goes first of those who share a place."""
    options = tuple(Option(slot.id, names(lookup, slot)) for slot in slots)
    return Ask(f"order.{slots[0].id}", "order", TIE_ORDER, options=options, rule=_order_rule(lookup, rules, slots))


def take_order(tx: Transaction, rules: RuleSystem, slots: list[Slot], chosen: tuple[str, ...]) -> None:
    """Give those who share a place the order chosen, for good; those not named come after, as they stood."""
    settled = rules.catalogue.initiative.ties.index(DUE)
    listed = list(dict.fromkeys((*chosen, *(slot.id for slot in slots))))
    for rank, id in enumerate(reversed(listed), 1):
        slot = tx.need(Slot, id)
        tx.update(slot, ties=(*slot.ties[:settled], rank))


def names(lookup: Lookup, slot: Slot) -> str:
    """Return who acts in a slot, by name."""
    found = (lookup.get(Combatant, who) for who in slot.members)
    return ", ".join(one.label for one in found if one is not None)


def take_answers(tx: Transaction, rules: RuleSystem, answers: Answers) -> None:
    """Give those who were level what they rolled, or the places that a person said."""
    for id, answer in answers.items():
        slot = tx.get(Slot, id)
        if slot is not None:
            _take_roll(tx, rules, slot, answer)
        for place, chosen in enumerate(reversed(answer.chosen), 1):
            ordered = tx.get(Slot, chosen)
            if ordered is not None:
                tx.update(ordered, ties=(*ordered.ties, place))


def _take_roll(tx: Transaction, rules: RuleSystem, slot: Slot, answer: Answered) -> None:
    if answer.roll is not None:
        rule = rules.cite("initiative.tie")
        tx.emit(Rolled(who=roller(tx, slot.members), purpose=TIE, roll=answer.roll, rule=rule))
    total = answer.roll.total if answer.roll is not None else answer.number
    tx.update(slot, ties=(*slot.ties, total or 0))


def roller(lookup: Lookup, members: tuple[str, ...]) -> str:
    """Return who rolls for some who share a place: the first who is alive."""
    return next((who for who in members if not is_out(lookup, who)), members[0])


def rolled_together(lookup: Lookup, rules: RuleSystem, who: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return those for whom initiative is rolled, each with all who take that roll: at some tables foes who are alike."""
    found: dict[str, tuple[str, ...]] = {}
    first: dict[object, str] = {}
    for one in who:
        roller = first.setdefault(likeness(lookup, rules, one), one)
        found[roller] = (*found.get(roller, ()), one)
    return found


def likeness(lookup: Lookup, rules: RuleSystem, who: str) -> object:
    """Return what those have in common who roll as one; themselves alone, where nobody rolls with them."""
    one = lookup.need(Combatant, who)
    option = rules.catalogue.initiative.together
    if not option or not rules.option(lookup, option) or one.bystander or not _is_foe(lookup, rules, who):
        return who
    return (one.creature, one.side, one.initiative_bonus, one.check, one.edge)


def _is_foe(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether somebody who is no character stands against one who is."""
    side = lookup.need(Combatant, who).side
    others = (one for one in lookup.all(Combatant) if one.side != side)
    return not is_character(lookup, rules, who) and any(is_character(lookup, rules, one.id) for one in others)


def _likeness(one: Combatant) -> tuple[object, ...]:
    return (one.creature, one.side, one.initiative_bonus, one.check, one.edge)
