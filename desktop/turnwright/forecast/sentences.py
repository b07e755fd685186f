"""A forecast in sentences: keys of words with their parameters, the most important first."""

from __future__ import annotations

from typing import Final

import msgspec

from turnwright.encounter.prepared import Countdown, Creature, Environment, RosterEntry
from turnwright.encounter.running import Combatant, GuestCreature
from turnwright.encounter.state import Encounter, Lookup
from turnwright.forecast.changes import ChangeOutlook
from turnwright.forecast.outlook import Chance, CombatantOutlook, Course, Outlook, SourceOutlook
from turnwright.forecast.sheet import SheetNote
from turnwright.rules.parts.preparation.encounter_budgets import encounter_budget
from turnwright.rules.system import RuleSystem, creature_of

ENOUGH: Final = 2000  # with fewer fights a chance is told in tenths
MOST_COURSES: Final = 3
EASILY_WON, RARELY, OFTEN_LOST = 0.95, 0.1, 0.75  # beyond these a forecast contradicts a grave or a mild budget
WORTH_SAYING: Final = 0.15  # of the damage to the party


class Sentence(msgspec.Struct, frozen=True):
    """A sentence: the key of its words, and their parameters."""

    key: str
    params: tuple[tuple[str, str | int], ...] = ()


def headline(outlook: Outlook) -> Sentence:
    """Return how often the party wins, as short as it can be put."""
    return _chance_sentence("forecast.headline", outlook.won, outlook.fights)


def sentences(lookup: Lookup, outlook: Outlook) -> tuple[Sentence, ...]:
    """Return a forecast in sentences: the summary, countdowns that run out, likely courses."""
    return (*summary(lookup, outlook), *pool_sentences(lookup, outlook), *course_sentences(lookup, outlook))


def summary(lookup: Lookup, outlook: Outlook) -> tuple[Sentence, ...]:
    """Return the first sentences of a forecast: how often the party wins and when, and who is likeliest to fall."""
    first, _, last = outlook.rounds
    found = [_chance_sentence("forecast.won", outlook.won, outlook.fights, first=first, last=last)]
    if outlook.undecided.value > 0:
        found.append(_chance_sentence("forecast.undecided", outlook.undecided, outlook.fights))
    return (*found, _falls(lookup, outlook))


def falls_of_party(outlook: Outlook) -> tuple[tuple[CombatantOutlook, Sentence], ...]:
    """Return each of the party with how often it falls and dies, the likeliest to fall first."""
    party = sorted((one for one in outlook.combatants if one.party), key=lambda one: -one.down.value)
    return tuple((one, _fall_sentence(one)) for one in party)


def main_sources(outlook: Outlook, most: int) -> tuple[SourceOutlook, ...]:
    """Return the sources that deal the party most damage, the first so many of them."""
    return tuple(sorted((one for one in outlook.sources if one.damage > 0), key=lambda one: -one.damage)[:most])


def _fall_sentence(one: CombatantOutlook) -> Sentence:
    chances = (("down", one.down.value), ("low", one.down.low), ("high", one.down.high), ("dead", one.dead.value))
    params = tuple((name, percent(value)) for name, value in chances)
    return Sentence("ui.forecast.falls-row", (("name", one.label), *params, ("left", one.left[1])))


def pool_sentences(lookup: Lookup, outlook: Outlook) -> tuple[Sentence, ...]:
    """Return a sentence for each countdown that may run out while the fight goes on."""
    return tuple(
        _chance_sentence(
            "forecast.pool", pool.ends, outlook.fights, name=pool_name(lookup, pool.pool), round=pool.round[1]
        )
        for pool in outlook.pools
        if pool.ends.value > 0
    )


def course_sentences(lookup: Lookup, outlook: Outlook) -> tuple[Sentence, ...]:
    """Return the likeliest courses of the fight in a sentence each."""
    return tuple(_course(lookup, course) for course in outlook.courses[:MOST_COURSES])


def budget_sentences(lookup: Lookup, rules: RuleSystem, outlook: Outlook) -> tuple[Sentence, ...]:
    """Return what the game's own budget says of the encounter, and why the forecast may say something else."""
    budget = encounter_budget(lookup, rules)
    if budget is None:
        return ()
    found = [Sentence("forecast.budget", (("threat", budget.threat),))]
    names = [name for name, _ in budget.steps]
    is_grave = budget.threat not in names or 2 * names.index(budget.threat) >= len(names)
    if is_grave and outlook.won.low > EASILY_WON and outlook.one_dead.high < RARELY:
        found.append(Sentence("forecast.budget_too_grave"))
    elif not is_grave and outlook.won.high < OFTEN_LOST:
        found.append(Sentence("forecast.budget_too_mild"))
    all_damage = sum(one.damage for one in outlook.sources)
    by_world = sum(one.damage for one in outlook.sources if one.world)
    if by_world > WORTH_SAYING * all_damage:
        found.append(Sentence("forecast.budget_world", (("n", percent(by_world / all_damage)),)))
    return tuple(found)


def change_sentence(lookup: Lookup, change: ChangeOutlook) -> Sentence:
    """Return what would change the forecast, and by how many wins in 100."""
    name = change_name(lookup, change)
    if not change.difference.seen:
        return Sentence(f"forecast.change.{change.kind}-unseen", (("name", name),))
    low, value, high = (
        f"{100 * one:+.1f}" for one in (change.difference.low, change.difference.value, change.difference.high)
    )
    params: dict[str, str | int] = {"name": name, "n": value, "low": low, "high": high}
    return Sentence(f"forecast.change.{change.kind}", tuple(params.items()))


def change_name(lookup: Lookup, change: ChangeOutlook) -> str:
    """Return the name of what a change is about."""
    named = {"world": source_name(lookup, change.subject, change.item), "pool": pool_name(lookup, change.subject)}
    if change.kind == "wave":
        named["wave"] = wave_name(lookup, change.subject)
    return named.get(change.kind) or owner_name(lookup, change.subject)


def wave_name(lookup: Lookup, wave: str) -> str:
    """Return the names of a wave's members, its id where it has none."""
    names = [roster_name(lookup, entry.id) for entry in lookup.all(RosterEntry) if entry.wave == wave]
    return ", ".join(names) or wave


def roster_name(lookup: Lookup, entry: str) -> str:
    """Return the name of a roster entry, its creature's where it has none of its own."""
    found = lookup.get(RosterEntry, entry)
    if found is None:
        return entry
    creature = lookup.get(Creature, found.creature)
    return found.name or (creature.name if creature is not None else owner_name(lookup, found.creature))


def percent(chance: float) -> int:
    """Return a chance in whole percent; 0 and 100 are for what never and always happens."""
    return min(max(round(100 * chance), int(chance > 0)), 100 - int(chance < 1))


def source_name(lookup: Lookup, owner: str, item: str) -> str:
    """Return the name of a feature of a combatant or of an environment's entry, the id where there is none."""
    combatant = lookup.get(Combatant, owner)
    if combatant is not None:
        creature = creature_of(lookup, combatant)
        return next((one.name for one in creature.features if one.id == item), item)
    environment = lookup.get(Environment, owner)
    entries = (*environment.features, *environment.actions) if environment is not None else ()
    return next((one.name for one in entries if one.id == item), item)


def owner_name(lookup: Lookup, owner: str) -> str:
    """Return the name of a combatant, a creature or an environment, the id where there is none."""
    combatant = lookup.get(Combatant, owner)
    if combatant is not None:
        return combatant.label
    found = lookup.get(Environment, owner) or lookup.get(GuestCreature, owner)
    return found.name if found is not None else owner


def pool_name(lookup: Lookup, pool: str) -> str:
    """Return the name of a countdown."""
    countdown = lookup.get(Countdown, pool)
    return countdown.name if countdown is not None else pool


def note_parts(encounter: Encounter, note: SheetNote) -> tuple[tuple[str, ...], Sentence]:
    """Return the names of what a note of the sheet is about (none: the fight as a whole), and the sentence that says why."""
    record = encounter.record((note.table, note.subject))
    subject = getattr(record, "name", "") or getattr(record, "label", "") or note.subject
    groups = [getattr(record, name, ()) for name in ("features", "actions")]
    item = next((one.name for group in groups for one in group if one.id == note.item), note.item)
    return tuple(one for one in (subject, item) if one), Sentence(note.reason, note.params)


def _falls(lookup: Lookup, outlook: Outlook) -> Sentence:
    party = [one for one in outlook.combatants if one.party]
    likeliest = max(party, key=lambda one: one.down.value, default=None)
    if likeliest is None or not likeliest.down.value:
        return Sentence("forecast.nobody_falls")
    owner, item = likeliest.felled_by
    if not item:
        return _chance_sentence("forecast.falls", likeliest.down, outlook.fights, name=likeliest.label)
    return _chance_sentence(
        "forecast.falls_to",
        likeliest.down,
        outlook.fights,
        name=likeliest.label,
        source=source_name(lookup, owner, item),
        owner=owner_name(lookup, owner),
    )


def _course(lookup: Lookup, course: Course) -> Sentence:
    """Return a likely course of the fight in a sentence."""
    key = f"forecast.course.{course.ending}{'-down' if course.first_down else ''}{'-pool' if course.pool else ''}"
    params: dict[str, str | int] = {"n": percent(course.share)}
    if course.first_down:
        params["name"] = owner_name(lookup, course.first_down)
    if course.pool:
        params["pool"] = pool_name(lookup, course.pool)
    return Sentence(key, tuple(params.items()))


def _chance_sentence(key: str, chance: Chance, fights: int, **params: str | int) -> Sentence:
    """Return a sentence about a chance: always, never, in tenths of a few fights (rarely, mostly at the ends), in percent."""
    more = tuple(params.items())
    if chance.value in (0, 1):
        return Sentence(f"{key}-{'always' if chance.value else 'never'}", (("fights", fights), *more))
    if fights < ENOUGH:
        tenths = round(10 * chance.value)
        degree = {0: "rarely", 10: "mostly"}.get(tenths, "about")
        return Sentence(f"{key}-{degree}", (("n", tenths), ("fights", fights), *more))
    bounds = (("n", percent(chance.value)), ("low", percent(chance.low)), ("high", percent(chance.high)))
    return Sentence(key, (*bounds, ("fights", fights), *more))
