"""Whom an attack may be aimed at, in the order of the turns: foes on their feet first, then everybody and everything else."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.encounter.prepared import Environment, Map
from turnwright.encounter.running import Combatant
from turnwright.play.inquiries import armor_class
from turnwright.play.procedures.order import turn_order
from turnwright.rules.parts import positions
from turnwright.ui.bridge import Bridge
from turnwright.ui.say import say
from turnwright.ui.widgets.pick_row import Pick

LETTERS = "abcdefghijklmnopqrstuvwxyz"
FAR = 10**6


def combatants_in_order(bridge: Bridge) -> list[Combatant]:
    """Return everybody as the turn order has them, those without a place last."""
    encounter = bridge.encounter
    order = [who for slot in turn_order(encounter, bridge.rules) for who in slot.members]
    rest = [one.id for one in encounter.all(Combatant) if one.id not in set(order)]
    return [one for who in (*order, *rest) if (one := encounter.get(Combatant, who)) is not None]


def likely_targets(bridge: Bridge, who: str) -> list[Combatant]:
    """Return the foes on their feet, in the order of the turns."""
    return [
        one
        for one in combatants_in_order(bridge)
        if one.id != who and not one.dead and one.hp > 0 and positions.hostile(bridge.encounter, who, one.id)
    ]


def suggested_target(bridge: Bridge, who: str, before: str = "") -> str:
    """Return whom to aim at first: the last one while on their feet, else the nearest foe, as far as that is known."""
    likely = likely_targets(bridge, who)
    if any(one.id == before for one in likely):
        return before

    def apart(one: Combatant) -> int:
        feet = positions.distance(bridge.encounter, bridge.rules, who, one.id)
        return FAR if feet is None else feet

    nearest = min(likely, key=apart, default=None)
    return nearest.id if nearest is not None else ""


def target_picks(bridge: Bridge, who: str, *, everyone: bool) -> list[Pick]:
    """Return the targets with a letter each; `everyone`: those down, one's own side and things too."""
    likely = likely_targets(bridge, who)
    found = [_pick(bridge, who, one) for one in likely]
    if everyone:
        near = {one.id for one in likely}
        rest = (one for one in combatants_in_order(bridge) if one.id != who and one.id not in near and not one.dead)
        found += [_pick(bridge, who, one) for one in rest]
        found += _things(bridge)
    return [_lettered(pick, place) for place, pick in enumerate(found)]


def people_picks(people: list[Combatant], refused: dict[str, str] | None = None) -> list[Pick]:
    """Return somebody to choose from a list, with a letter each and why not, where that is known."""
    why = refused or {}
    return [_lettered(Pick(one.id, one.label, refused=why.get(one.id, "")), place) for place, one in enumerate(people)]


def _lettered(pick: Pick, place: int) -> Pick:
    letter = LETTERS[place] if place < len(LETTERS) else ""
    return Pick(pick.id, pick.label, pick.tip, pick.refused, letter, pick.icon)


def _pick(bridge: Bridge, who: str, one: Combatant) -> Pick:
    feet = positions.distance(bridge.encounter, bridge.rules, who, one.id)
    armor = armor_class(bridge.encounter, bridge.rules, one.id)
    parts = [
        bridge.words("ui.turn.ac", n=armor.total or "?"),
        bridge.words("ui.hp.points", now=one.hp, maximum=one.hp_max),
    ]
    if feet is not None:
        parts.append(f"{feet} {say('ui.general.feet')}")
    sign = "eye-off" if positions.is_hidden_from(bridge.encounter, one.id, who) else ""
    return Pick(one.id, one.label, ", ".join(parts), icon=sign if one.hp > 0 else "heart-broken")


def _things(bridge: Bridge) -> Iterator[Pick]:
    field = bridge.encounter.get(Map, "map")
    for thing in field.obstacles if field is not None else ():
        if thing.ac or thing.hp:
            yield Pick(thing.id, thing.name or thing.id, icon="cube-outline")
    for place in bridge.encounter.all(Environment):
        for row in (*place.actions, *place.features):
            if row.enabled and row.ac:
                yield Pick(f"{place.id}.{row.id}", row.name, icon="earth")
