"""Composes the players' screen from the encounter and the game master's choices."""

from __future__ import annotations

from collections import Counter
from functools import partial

import msgspec

from turnwright.encounter.lookups import clock_of, scene_of, slot_sort_key
from turnwright.encounter.prepared import Countdown
from turnwright.encounter.running import Combatant, CountdownPool, Effect, Slot
from turnwright.encounter.state import Encounter
from turnwright.players.map_view import map_view
from turnwright.players.secrets import health_word, is_countdown_shown, is_visible, shown_name
from turnwright.players.showing import PARTY, GivenNumber, Showing
from turnwright.players.view import CombatantRow, CountdownView, PlayersView, ShownHitPoints, SideShape
from turnwright.rules.system import RuleSystem

_SHAPES: dict[str, SideShape] = {PARTY: "party", "foes": "foes"}


def players_view(encounter: Encounter, rules: RuleSystem, showing: Showing, *, is_shaded: bool = True) -> PlayersView:
    """Return the players' view, containing only what its mode requires: a black screen contains nothing.

    `is_shaded`: a map includes its dim and dark squares, which are slow to calculate.
    """
    if showing.mode == "black":
        return PlayersView("black")
    if showing.mode == "text":
        return PlayersView("text", text=showing.text)
    if showing.mode == "picture":
        return PlayersView("picture", handout=showing.handout)
    scene, clock = scene_of(encounter), clock_of(encounter)
    countdowns = _countdowns(encounter, rules)
    if showing.mode == "map":
        members, actor = _visible_members(encounter)
        acting = members[actor].id if actor is not None and clock.phase == "rounds" else ""
        rows_of = partial(_rows, encounter, rules, showing)
        return PlayersView("map", map=map_view(encounter, rules, showing, rows_of, acting, is_shaded=is_shaded))
    if showing.mode != "order" or clock.phase not in ("set-up", "rounds"):
        return PlayersView(showing.mode, countdowns=countdowns if showing.mode == "dice" else ())
    members, actor = _visible_members(encounter)
    order = _rows(encounter, rules, showing, members)
    return PlayersView(
        mode="order",
        title=scene.title if showing.has_title else "",
        round=clock.round,
        elapsed_seconds=clock.elapsed_seconds,
        light=scene.light,
        actor=actor,
        next=_next_of(order, actor) if clock.phase == "rounds" else None,
        order=order,
        countdowns=countdowns if showing.has_countdowns else (),
        handout=showing.handout,
    )


def with_numbers(encounter: Encounter, showing: Showing) -> Showing:
    """Add a new number to the choices for each combatant that players see under its name for the first time."""
    numbered = {(number.combatant, number.name) for number in showing.numbers}
    highest = Counter[str]()
    for given in showing.numbers:
        highest[given.name] = max(highest[given.name], given.number)
    new_numbers = []
    for combatant in encounter.all(Combatant):
        name = shown_name(combatant, showing)
        if not combatant.hidden and (combatant.id, name) not in numbered:
            highest[name] += 1
            new_numbers.append(GivenNumber(combatant.id, name, highest[name]))
    return msgspec.structs.replace(showing, numbers=(*showing.numbers, *new_numbers)) if new_numbers else showing


def _visible_members(encounter: Encounter) -> tuple[list[Combatant], int | None]:
    """Return the visible combatants in turn order, and the index of the active one.

    During a hidden combatant's turn, it is the last visible combatant before it: showing no active combatant
    would give the hidden one away.
    """
    active = clock_of(encounter).active
    members: list[Combatant] = []
    acting: int | None = None
    for slot in sorted(encounter.all(Slot), key=slot_sort_key):
        seen = [encounter.need(Combatant, who) for who in slot.members if is_visible(encounter, who)]
        if slot.id == active:
            acting = len(members) if seen else (_first_of_last_slot(encounter, members) if members else None)
        members += seen
    return members, acting


def _first_of_last_slot(encounter: Encounter, members: list[Combatant]) -> int:
    last = encounter.of(Slot, members[-1].id)[0].members
    return next(place for place, member in enumerate(members) if member.id in last)


def _next_of(order: tuple[CombatantRow, ...], actor: int | None) -> int | None:
    """Return the index of the row that acts next as far as players know, skipping enemies and others shown as down."""
    start = -1 if actor is None else actor
    places = [(start + step) % len(order) for step in range(1, len(order) + (actor is None))]
    return next((place for place in places if order[place].side == "party" or order[place].health != "down"), None)


def _rows(
    encounter: Encounter, rules: RuleSystem, showing: Showing, members: list[Combatant]
) -> tuple[CombatantRow, ...]:
    numbers = with_numbers(encounter, showing).numbers
    highest = Counter(number.name for number in numbers)
    number_of = {(number.combatant, number.name): number.number for number in numbers}
    rows = []
    for member in members:
        name, mode = shown_name(member, showing), showing.health_mode(member.side)
        rows.append(
            CombatantRow(
                name=name,
                number=number_of[member.id, name] if highest[name] > 1 or not name else 0,
                side=_SHAPES.get(member.side, "others"),
                health=health_word(member) if mode == "words" else "",
                hit_points=ShownHitPoints(member.hp, member.hp_max) if mode == "numbers" else None,
                conditions=_conditions(encounter, rules, member.id),
            )
        )
    return tuple(rows)


def _conditions(encounter: Encounter, rules: RuleSystem, who: str) -> tuple[str, ...]:
    """Return the distinct names of a combatant's visible conditions, in the order of the game's list."""
    names = {effect.name for effect in encounter.of(Effect, who) if effect.shown}
    return tuple(rules.conditions[id].name for id in rules.data.presentation.evident if id in names)


def _countdowns(encounter: Encounter, rules: RuleSystem) -> tuple[CountdownView, ...]:
    views = []
    for pool in encounter.all(CountdownPool):
        if is_countdown_shown(encounter, pool):
            countdown = encounter.need(Countdown, pool.countdown)
            lowest = rules.countdown_faces.get(countdown.speed, 0)
            views.append(CountdownView(countdown.name, pool.dice, pool.last_faces, lowest))
    return tuple(views)
