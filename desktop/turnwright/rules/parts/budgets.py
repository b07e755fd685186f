"""What the foes of a prepared encounter are worth to its party, and how much of a threat that makes them."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue.budgets import BudgetFigures
from turnwright.rules.system import RuleSystem


class Budget(msgspec.Struct, frozen=True):
    """An encounter's worth: `xp` of all foes that the game's table reaches, and the name of the `threat`.

    `level` and `size` are the party's. `outside` are foes so many levels off that the table has no figure for them,
    `unknown` those of whom nobody has given a level: neither counts.
    """

    xp: int
    threat: str
    level: int
    size: int
    outside: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def budget_of(lookup: Lookup, rules: RuleSystem) -> Budget | None:
    """Return what an encounter is worth; None where the game has no figures, or the party no level."""
    figures = rules.catalogue.budget
    party = [one for one in lookup.all(RosterEntry) if one.player]
    levels = [level for one in party for level in [_level(lookup, figures, one)] * one.count if level is not None]
    if not figures.xp or not levels:
        return None
    average, size = round(sum(levels) / len(levels)), sum(one.count for one in party)
    sides = {one.side for one in party}
    total, outside, unknown = 0, [], []
    for foe in lookup.all(RosterEntry):
        if foe.side in sides or foe.player:
            continue
        level = _level(lookup, figures, foe)
        each = None if level is None else worth(figures, level - average)
        if level is None:
            unknown.append(_name(lookup, foe))
        elif each is None:
            outside.append(_name(lookup, foe))
        total += (each or 0) * foe.count
    return Budget(total, threat_of(figures, total, size), average, size, tuple(outside), tuple(unknown))


def worth(figures: BudgetFigures, above: int) -> int | None:
    """Return what a creature so many levels above the party is worth, None where the table doesn't reach."""
    place = above - figures.lowest
    return figures.xp[place] if 0 <= place < len(figures.xp) else None


def threat_of(figures: BudgetFigures, xp: int, size: int) -> str:
    """Return the mildest threat whose budget holds so much for a party of a size; the gravest where none does."""
    each = dict(figures.each)
    more = size - figures.party
    names = [name for name, budget in figures.threats if xp <= budget + more * each.get(name, 0)]
    return names[0] if names else figures.threats[-1][0]


def _level(lookup: Lookup, figures: BudgetFigures, entry: RosterEntry) -> int | None:
    """Return somebody's level: the roster's, what stands as their rating, or the stat block's; None where there is none."""
    creature = lookup.get(Creature, entry.creature)
    said = creature.rating.strip() if creature is not None else ""
    level = entry.level or (int(said) if said.lstrip("+-").isdigit() else 0) or (creature.level if creature else 0)
    known = bool(level) or said == "0"
    return level + dict(figures.adjusted).get(entry.adjustment, 0) if known else None


def _name(lookup: Lookup, entry: RosterEntry) -> str:
    creature = lookup.get(Creature, entry.creature)
    return entry.name or (creature.name if creature is not None else entry.creature)
