"""Facts about a single combatant: its effects, conditions, gear, resistances and immunities."""

from __future__ import annotations

from functools import lru_cache

from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.system import RuleSystem, creature_of


def conditions_with_effects(lookup: Lookup, rules: RuleSystem, who: str) -> list[tuple[str, Effect]]:
    """Return a combatant's conditions, including implied ones, each with the effect that causes it."""
    causes: dict[str, Effect] = {}
    pairs: list[tuple[str, Effect]] = []
    for effect in lookup.of(Effect, who):
        waiting = [effect.name]
        while waiting:
            name = waiting.pop()
            if name == effect.name or name not in causes:
                pairs.append((name, effect))
                condition = rules.conditions.get(name)
                waiting += [implied for implied in condition.implies if implied not in causes] if condition else ()
                causes[name] = effect
    return sorted(pairs, key=lambda pair: pair[0])


def condition_names(lookup: Lookup, rules: RuleSystem, who: str) -> set[str]:
    """Return the ids of a combatant's conditions, including implied ones."""
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
    """Return the number of sources of a combatant's resistance, vulnerability or immunity to a type or condition.

    `word` is `resistant`, `vulnerable` or `immune`.
    """
    combatant = lookup.get(Combatant, who)
    if combatant is None:
        return 0
    creature = creature_of(lookup, combatant)
    entries = {
        "resistant": creature.resistances,
        "vulnerable": creature.vulnerabilities,
        "immune": (*creature.immunities, *creature.condition_immunities),
    }[word]
    effect_name = f"{word}:{kind}"
    return sum(1 for entry in entries if kind in (entry, split_value(entry)[0])) + sum(
        1 for effect in lookup.of(Effect, who) if effect.name == effect_name
    )


@lru_cache(4096)
def split_value(text: str) -> tuple[str, int]:
    """Split a text such as `fire 5` into a damage type and its number, which is 0 if missing."""
    name, _, number = text.rpartition(" ")
    return (name, int(number)) if name and number.isdigit() else (text, 0)


def gear_of(lookup: Lookup, who: str) -> tuple[str, ...]:
    """Return a combatant's gear, including the gear and specialties of its stat block."""
    combatant = lookup.get(Combatant, who)
    if combatant is None:
        return ()
    creature = creature_of(lookup, combatant)
    return (*combatant.gear, *creature.gear, *creature.specialties)
