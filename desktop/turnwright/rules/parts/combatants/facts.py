"""Facts about one combatant: its effects, conditions and gear, and what makes it resist something."""

from __future__ import annotations

from functools import lru_cache

from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.system import RuleSystem, creature_of


def conditions_with_effects(lookup: Lookup, rules: RuleSystem, who: str) -> list[tuple[str, Effect]]:
    """Return a combatant's conditions, each with the effect it comes from, implied ones included; by name."""
    found: dict[str, Effect] = {}
    listed: list[tuple[str, Effect]] = []
    for effect in lookup.of(Effect, who):
        waiting = [effect.name]
        while waiting:
            name = waiting.pop()
            if name == effect.name or name not in found:
                listed.append((name, effect))
                condition = rules.conditions.get(name)
                waiting += [one for one in condition.implies if one not in found] if condition else ()
                found[name] = effect
    return sorted(listed, key=lambda pair: pair[0])


def condition_names(lookup: Lookup, rules: RuleSystem, who: str) -> set[str]:
    """Return the ids of a combatant's conditions, with those that they imply."""
    names: set[str] = set()
    waiting = [effect.name for effect in lookup.of(Effect, who)]
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            condition = rules.conditions.get(name)
            waiting += condition.implies if condition else ()
    return names


def count_sources(lookup: Lookup, who: str, word: str, kind: str) -> int:
    """Return how many sources make a combatant `resistant`, `vulnerable` or `immune` to a damage type or condition."""
    combatant = lookup.get(Combatant, who)
    if combatant is None:
        return 0
    creature = creature_of(lookup, combatant)
    listed = {
        "resistant": creature.resistances,
        "vulnerable": creature.vulnerabilities,
        "immune": (*creature.immunities, *creature.condition_immunities),
    }[word]
    wanted = f"{word}:{kind}"
    return sum(1 for one in listed if kind in (one, split_value(one)[0])) + sum(
        1 for each in lookup.of(Effect, who) if each.name == wanted
    )


@lru_cache(4096)
def split_value(listed: str) -> tuple[str, int]:
    """Return a damage type and the number behind it (`fire 5`), 0 where there is none."""
    name, _, figure = listed.rpartition(" ")
    return (name, int(figure)) if name and figure.isdigit() else (listed, 0)


def gear_of(lookup: Lookup, who: str) -> tuple[str, ...]:
    """Return the gear of a combatant, with the gear and the specialties of its stat block."""
    combatant = lookup.get(Combatant, who)
    if combatant is None:
        return ()
    creature = creature_of(lookup, combatant)
    return (*combatant.gear, *creature.gear, *creature.specialties)
