"""The experience that a fight is worth: a line for each group of enemies, and each character's share.

The amounts are those of the encounter budget, before the factor for the number of enemies. Nothing is awarded here.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Literal

import msgspec

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.roles import characters, is_ours, party_sides, present
from turnwright.encounter.running import ArrivedWave, Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.preparation import encounter_budgets as budgets
from turnwright.rules.system import RuleSystem, creature_of

Fate = Literal["down", "left", "standing", "waiting", "place"]
COUNTED: frozenset[Fate] = frozenset({"down", "left", "place"})


class ExperienceLine(msgspec.Struct, frozen=True):
    """Enemies with the same fate, or a place. `worth` is the experience for all of them."""

    names: tuple[str, ...]
    name: str
    count: int
    worth: Fraction
    fate: Fate

    @property
    def counts(self) -> bool:
        """Whether it is proposed for an award: everything except standing enemies and late waves."""
        return self.fate in COUNTED


def shares(rules: RuleSystem, total: Fraction, size: int) -> tuple[int, int]:
    """Return the experience of each of `size` characters, and the points that can't be shared."""
    if rules.data.awards.xp == "shared":
        return divmod(int(total), size) if size else (0, int(total))
    return int(total), 0


def prepared_experience(lookup: Lookup, rules: RuleSystem) -> tuple[Fraction, Fraction]:
    """Return the experience of the whole prepared encounter, and the exact share of each character."""
    sides = party_sides(lookup)
    foes = (entry for entry in present(lookup) if not (entry.bystander or entry.side in sides))
    total = sum((line.worth for line in _lines(lookup, rules, ((foe, ()) for foe in foes))), Fraction(0))
    size = sum(entry.count for entry in characters(lookup))
    return total, total / size if rules.data.awards.xp == "shared" and size else total


def fight_experience(lookup: Lookup, rules: RuleSystem) -> tuple[ExperienceLine, ...]:
    """Return the lines for a fight: by enemy and fate, then the rated places. Empty if the game has no experience."""
    enemies = [one for one in lookup.all(Combatant) if not (one.bystander or is_ours(lookup, one))]
    groups: dict[str, list[Combatant]] = {entry.id: [] for entry in present(lookup) if not is_ours(lookup, entry)}
    for enemy in (one for one in enemies if one.roster or not one.controller):  # the rest were summoned
        groups.setdefault(enemy.roster or f"*{enemy.creature}", []).append(enemy)
    entries = ((lookup.get(RosterEntry, id) or _entry_of(group), tuple(group)) for id, group in groups.items())
    return tuple(_lines(lookup, rules, ((entry, group) for entry, group in entries if not entry.bystander)))


def _entry_of(group: list[Combatant]) -> RosterEntry:
    """Return a roster entry for enemies who joined the fight without one."""
    return RosterEntry("", group[0].creature, side=group[0].side, count=len(group))


def _lines(
    lookup: Lookup, rules: RuleSystem, foes: Iterable[tuple[RosterEntry, tuple[Combatant, ...]]]
) -> Iterator[ExperienceLine]:
    figures = budgets.budget_figures(lookup, rules)
    if figures is None or not rules.data.awards.xp:
        return
    if figures.worth == "challenge":  # the budget adds up ratings; experience has a table
        figures = msgspec.structs.replace(figures, worth="rating", strongest=0)
    levels = budgets.party_levels(lookup, figures)
    if figures.worth == "gap" and not levels:
        return
    lists: dict[str, list[str]] = {"off_table": [], "unknown": [], "too_strong": [], "places": [], "phases": []}
    for entry, group in foes:
        each = sum(
            (part.worth_each for part in budgets.foe_entries(lookup, figures, entry, levels, lists)), Fraction(0)
        )
        for fate, count, members in _fates(lookup, entry, group) if each else ():
            names = tuple(member.label for member in members)
            name = names[0] if len(names) == 1 else _name(lookup, entry, group)
            yield ExperienceLine(names or (name,), name, count, each * count, fate)
    for place in budgets.place_entries(lookup, figures, levels, lists):
        yield ExperienceLine((place.name,), place.name, 1, place.worth, "place")


def _fates(
    lookup: Lookup, entry: RosterEntry, group: tuple[Combatant, ...]
) -> Iterator[tuple[Fate, int, tuple[Combatant, ...]]]:
    """Yield each fate with the number of enemies and those that are still in the fight."""
    down = tuple(one for one in group if one.dead or one.hp <= 0)
    standing = tuple(one for one in group if one not in down)
    missing = entry.count - len(group)
    never_came = bool(entry.wave) and not group and lookup.get(ArrivedWave, entry.wave) is None
    absent: Fate = "waiting" if never_came else "left"
    fates: tuple[tuple[Fate, int, tuple[Combatant, ...]], ...] = (
        ("down", len(down), down),
        (absent, missing, ()),
        ("standing", len(standing), standing),
    )
    yield from (fate for fate in fates if fate[1] > 0)


def _name(lookup: Lookup, entry: RosterEntry, group: tuple[Combatant, ...]) -> str:
    creature = creature_of(lookup, group[0]) if group else lookup.get(Creature, entry.creature)
    return entry.name or (creature.name if creature is not None else entry.creature)
