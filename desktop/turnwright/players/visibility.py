"""The conditions named in `secrets`, under which fields of a record are public."""

from __future__ import annotations

import re

from turnwright.encounter.prepared import Countdown
from turnwright.encounter.running import Combatant, CountdownPool, kind_id
from turnwright.encounter.state import Lookup
from turnwright.players.showing import PARTY, Showing
from turnwright.players.view import HealthWord

_NUMBER = re.compile(r" \d+(?=$|, \w+$)")


def is_visible(lookup: Lookup, who: str) -> bool:
    """Return whether players see a combatant at all."""
    combatant = lookup.get(Combatant, who)
    return combatant is not None and not combatant.hidden


def is_named(combatant: Combatant, showing: Showing) -> bool:
    """Return whether players see a combatant's own name (without its number)."""
    if _false_name(combatant, showing) is not None:
        return False
    return combatant.side == PARTY or not showing.met.isdisjoint((combatant.id, kind_id(combatant.creature)))


def shown_name(combatant: Combatant, showing: Showing) -> str:
    """Return the name by which players know a combatant, without a number: a false one, its own, or an empty string."""
    false = _false_name(combatant, showing)
    if false is not None:
        return false
    return _NUMBER.sub("", combatant.label) if is_named(combatant, showing) else ""


def _false_name(combatant: Combatant, showing: Showing) -> str | None:
    names = dict(showing.shown_as)
    return names.get(combatant.id, names.get(kind_id(combatant.creature)))


def health_word(combatant: Combatant) -> HealthWord:
    """Describe a combatant's health in a word. Return an empty string if its hit points are unknown."""
    if combatant.dead:
        return "down"
    if combatant.hp_max <= 0:
        return ""
    if combatant.hp <= 0:
        return "down"
    if combatant.hp * 2 <= combatant.hp_max:
        return "bloodied"
    return "hurt" if combatant.hp < combatant.hp_max else "unhurt"


def is_countdown_shown(lookup: Lookup, pool: CountdownPool) -> bool:
    """Return whether players see a countdown: it is running and not secret."""
    countdown = lookup.get(Countdown, pool.countdown)
    return countdown is not None and not countdown.secret and pool.status == "running"
