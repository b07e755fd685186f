"""The players' view of an encounter: a pure function of what is not secret in it, and of what the game master shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from turnwright.encounter.lookups import clock_of, scene_of, slot_sort_key
from turnwright.encounter.prepared import Countdown, Creature
from turnwright.encounter.running import Combatant, CountdownPool, Effect, GuestCreature, Slot
from turnwright.encounter.state import Lookup
from turnwright.players.showing import Health, Showing
from turnwright.players.view import HealthWord, PlayersCountdown, PlayersRow, PlayersView
from turnwright.rules.system import RuleSystem

DEFAULT_SIDE = "party"


def players_view(lookup: Lookup, rules: RuleSystem, showing: Showing) -> PlayersView:
    """Return what the players see. Hidden combatants have no part in it, not even by a gap."""
    if showing.mode == "black":
        return PlayersView("black")
    if showing.mode in ("picture", "text"):
        return PlayersView(showing.mode, sheet=showing.sheet)
    if showing.mode == "dice":
        return PlayersView("dice", dice=showing.dice)
    clock = clock_of(lookup)
    if clock.phase not in ("set-up", "rounds"):
        return PlayersView("order")
    order = _order(lookup)
    active, round_number = _marked(lookup, order)
    return PlayersView(
        "order",
        round=round_number,
        seconds=(round_number - 1) * scene_of(lookup).round_seconds if round_number else 0,
        light=scene_of(lookup).light,
        order=_rows(lookup, rules, showing, order, active),
        countdowns=_countdowns(lookup, showing),
        turn_seconds=showing.turn_seconds,
    )


def party_sides(lookup: Lookup) -> frozenset[str]:
    """Return the sides of the players' characters."""
    return frozenset(one.side for one in lookup.all(Combatant) if one.player and not one.hidden) or frozenset(
        {DEFAULT_SIDE}
    )


def _order(lookup: Lookup) -> list[tuple[Slot, tuple[Combatant, ...]]]:
    """Return the slots in turn order with the members that are seen; a slot without any is left out."""
    found = []
    for slot in sorted(lookup.all(Slot), key=slot_sort_key):
        members = (lookup.get(Combatant, id) for id in slot.members)
        seen = tuple(one for one in members if one is not None and not one.hidden)
        if seen:
            found.append((slot, seen))
    return found


def _marked(lookup: Lookup, order: Sequence[tuple[Slot, tuple[Combatant, ...]]]) -> tuple[str, int]:
    """Return the slot that is marked as acting, and the round.

    While a hidden combatant acts, the mark rests on the last one seen before it, if need be in the round before.
    """
    clock = clock_of(lookup)
    seen = {slot.id for slot, _ in order}
    if not clock.active or clock.active in seen or not order:
        return clock.active, clock.round
    slots = [slot.id for slot in sorted(lookup.all(Slot), key=slot_sort_key)]
    if clock.active not in slots:
        return "", clock.round
    before = [id for id in slots[: slots.index(clock.active)] if id in seen]  # by place, since counts may be equal
    if before:
        return before[-1], clock.round
    return (order[-1][0].id, clock.round - 1) if clock.round > 1 else ("", clock.round)


def _rows(
    lookup: Lookup,
    rules: RuleSystem,
    showing: Showing,
    order: Sequence[tuple[Slot, tuple[Combatant, ...]]],
    active: str,
) -> tuple[PlayersRow, ...]:
    """Return a row for each combatant that is seen, in turn order."""
    sides = party_sides(lookup)
    people = [(slot, one) for slot, members in order for one in members]
    at = next((number for number, (slot, _) in enumerate(order) if slot.id == active), -1)
    following = order[(at + 1) % len(order)][0].id if at >= 0 and len(order) > 1 else ""
    labels = _labels(lookup, showing, [one for _, one in people], sides)
    rows = []
    for slot, one in people:
        party = one.side in sides
        told = showing.health_of_party if party else showing.health_of_others
        name, number = labels[one.id]
        rows.append(
            PlayersRow(
                name=name,
                number=number,
                party=party,
                active=slot.id == active,
                next=slot.id == following,
                health=health_word(one) if told != "nothing" else "",
                hit_points=_numbers(one, told),
                initiative=slot.count if showing.initiative and party else None,
                conditions=_conditions(lookup, rules, one),
            )
        )
    return tuple(rows)


def _labels(
    lookup: Lookup, showing: Showing, people: Sequence[Combatant], sides: frozenset[str]
) -> dict[str, tuple[str, int]]:
    """Return each combatant's name as the players know it and its number, counted among those that are seen alone."""
    false_names = dict(showing.names)
    names = {}
    for one in people:
        known = one.side in sides or one.id in showing.known
        names[one.id] = false_names.get(one.id) or (_name(lookup, one) if known else "")
    counts = Counter(names.values())
    seen: Counter[str] = Counter()
    found = {}
    for one in lookup.all(Combatant):
        if one.id in names:
            name = names[one.id]
            seen[name] += 1
            found[one.id] = (name, seen[name] if counts[name] > 1 or not name else 0)
    return found


def _name(lookup: Lookup, one: Combatant) -> str:
    """Return a combatant's name without its number: its label, where that is not its creature's name with one."""
    creature = lookup.get(Creature, one.creature) or lookup.get(GuestCreature, one.creature)
    stem, _, number = one.label.rpartition(" ")
    return stem if stem and number.isdecimal() and creature is not None else one.label


def health_word(one: Combatant) -> HealthWord:
    """Return the health of a combatant as a word, empty where its maximum of hit points is not known."""
    if one.dead:
        return "dead"
    if one.hp_max <= 0:
        return ""
    if one.hp <= 0:
        return "down"
    if one.hp * 2 <= one.hp_max:
        return "bloodied"
    return "unhurt" if one.hp >= one.hp_max else "hurt"


def _numbers(one: Combatant, told: Health) -> tuple[int, int] | None:
    return (max(0, one.hp), one.hp_max) if told == "numbers" and one.hp_max > 0 else None


def _conditions(lookup: Lookup, rules: RuleSystem, one: Combatant) -> tuple[tuple[str, int], ...]:
    """Return the conditions that can be seen, each once with its highest level, in alphabetical order."""
    seen: dict[str, int] = {}
    for effect in lookup.of(Effect, one.id):
        condition = rules.conditions.get(effect.name)
        if effect.shown and condition is not None and effect.name in rules.data.presentation.players_see:
            seen[condition.name] = max(seen.get(condition.name, 0), effect.value)
    return tuple(sorted(seen.items()))


def _countdowns(lookup: Lookup, showing: Showing) -> tuple[PlayersCountdown, ...]:
    """Return the countdowns that run and are shown."""
    found = []
    for pool in lookup.all(CountdownPool):
        prepared = lookup.get(Countdown, pool.countdown)
        if prepared is not None and pool.countdown in showing.countdowns and pool.status in ("running", "expired"):
            found.append(PlayersCountdown(prepared.name, pool.dice, pool.last_faces))
    return tuple(found)
