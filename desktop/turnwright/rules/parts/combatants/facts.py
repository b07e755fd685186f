"""Statements: short facts that data may ask about, such as `resistant:cold` or `prone`.

One module answers all of them, so that an entry in a file can use any.
"""

from __future__ import annotations

from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.system import RuleSystem, creature_of


def effects_on(lookup: Lookup, who: str) -> list[Effect]:
    """Return the effects on a combatant."""
    return [effect for effect in lookup.all(Effect) if effect.target == who]


def conditions_with_effects(lookup: Lookup, rules: RuleSystem, who: str) -> list[tuple[str, Effect]]:
    """Return a combatant's conditions, each with the effect it comes from, implied ones included; by name."""
    found: dict[str, Effect] = {}
    listed: list[tuple[str, Effect]] = []
    for effect in effects_on(lookup, who):
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
    waiting = [effect.name for effect in lookup.all(Effect) if effect.target == who]
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
        1 for each in effects_on(lookup, who) if each.name == wanted
    )


def split_value(listed: str) -> tuple[str, int]:
    """Return a damage type and the number behind it (`fire 5`), 0 where there is none."""
    name, _, figure = listed.rpartition(" ")
    return (name, int(figure)) if name and figure.isdigit() else (listed, 0)


def is_true_of(lookup: Lookup, rules: RuleSystem, who: str, statement: str) -> bool:
    """Return whether a statement (`word:kind`, gear or a condition; `not …` negates it) is true of a combatant.

    What is unknown, such as a statement about a position, is not true, negated or not.
    """
    if statement.startswith("not "):
        inner = statement.removeprefix("not ")
        return inner in rules.conditions and not is_true_of(lookup, rules, who, inner)
    word, _, kind = statement.partition(":")
    if kind and word in ("resistant", "vulnerable", "immune"):
        return count_sources(lookup, who, word, kind) > 0
    combatant = lookup.get(Combatant, who)
    if combatant is None:
        return False
    creature = creature_of(lookup, combatant)
    gear = (*combatant.gear, *creature.gear, *creature.specialties)
    return statement in gear or statement in condition_names(lookup, rules, who)
