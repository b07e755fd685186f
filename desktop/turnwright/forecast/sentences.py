"""A forecast as sentences, most important first. Each is a key of the message catalogue with its parameters."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from turnwright.encounter import prepared, roles, running
from turnwright.encounter.state import Encounter, Lookup, entry_name, scene_of
from turnwright.forecast import sheet, sheet_builder
from turnwright.forecast.estimate import Chance, CombatantOutlook, Course, Outlook
from turnwright.rules.parts.preparation.encounter_budgets import encounter_budget
from turnwright.rules.system import RuleSystem, creature_of

ENOUGH: Final = 2000  # with fewer fights, a chance is given in tenths
MOST_COURSES: Final = 3
EASILY_WON, RARELY, OFTEN_LOST = 0.95, 0.1, 0.75  # beyond these the forecast contradicts the encounter budget
WORTH_SAYING: Final = 0.15  # share of the damage to the party
WIDE: Final = 0.1  # if the chance of winning varies more than this with the tactics, the headline is a range


class Sentence(msgspec.Struct, frozen=True):
    """A sentence: its key in the message catalogue, and its parameters."""

    key: str
    params: tuple[tuple[str, str | int], ...] = ()


def band(outlook: Outlook) -> tuple[float, float]:
    """Return the party's lowest and highest chance of winning over all tactics."""
    chances = [outlook.won.value, *(tactic.won.value for tactic in outlook.tactics)]
    return min(chances), max(chances)


def headline(outlook: Outlook) -> Sentence:
    """Summarise the party's chance of winning in a short sentence, as a range if it depends on the tactics."""
    low, high = band(outlook)
    if high - low > WIDE:
        return Sentence("forecast.headline-range", (("low", percent(low)), ("high", percent(high))))
    return _chance_sentence("forecast.headline", outlook.won, outlook.fights)


def sentences(lookup: Lookup, outlook: Outlook) -> tuple[Sentence, ...]:
    """Return a forecast as sentences: the summary, countdowns that may run out, likely courses."""
    return (*summary(lookup, outlook), *pool_sentences(lookup, outlook), *course_sentences(lookup, outlook))


def summary(lookup: Lookup, outlook: Outlook) -> tuple[Sentence, ...]:
    """Return the first sentences of a forecast: the party's chance of winning, the rounds, and who may fall."""
    first, _, last = outlook.rounds
    result = [_chance_sentence("forecast.won", outlook.won, outlook.fights, first=first, last=last)]
    if outlook.undecided.value > 0:
        result.append(_chance_sentence("forecast.undecided", outlook.undecided, outlook.fights))
    goal = (Sentence("forecast.goal"),) if scene_of(lookup).goal else ()
    return (*idle_characters(lookup, outlook), *result, *tactics(outlook), _falls(lookup, outlook), *goal)


def tactics(outlook: Outlook) -> tuple[Sentence, ...]:
    """Return a sentence about how much the chance of winning depends on the choice of targets, if that was compared."""
    if not outlook.tactics:
        return ()
    low, high = band(outlook)
    bounds = (("low", percent(low)), ("high", percent(high)))
    if high - low <= WIDE:
        return (Sentence(f"forecast.tactics-{'same' if percent(high) > percent(low) else 'none'}", bounds),)
    worst, best = outlook.tactics[0], outlook.tactics[-1]
    keys = [f"forecast.fewest.{worst.enemies}", f"forecast.most.{best.enemies}"]
    keys += [f"forecast.better.{best.party}"] if best.party != worst.party else []
    return (Sentence("forecast.tactics", bounds), *map(Sentence, keys))


def idle_characters(lookup: Lookup, outlook: Outlook) -> tuple[Sentence, ...]:
    """Return a sentence about the idle characters, or nothing if all are useful."""
    idle = [note.subject for note in outlook.notes if note.reason == "forecast.note.idle"]
    count = sum(combatant.party for combatant in outlook.combatants)
    params = (("who", ", ".join(owner_name(lookup, who) for who in idle)), ("missing", len(idle)))
    return (Sentence("forecast.idle", (*params, ("n", count - len(idle)), ("all", count))),) if idle else ()


def falls_of_party(outlook: Outlook) -> tuple[tuple[CombatantOutlook, Sentence], ...]:
    """Return the party's members with their chances of falling and dying, those most likely to fall first."""
    members = (combatant for combatant in outlook.combatants if combatant.party)
    party = sorted(members, key=lambda combatant: -combatant.down.value)
    return tuple((combatant, _fall_sentence(combatant)) for combatant in party)


class Share(NamedTuple):
    """The damage, the healing and the uses per fight of a feature, by all combatants of the same kind.

    `owner` is one of them, or an environment.
    """

    name: str
    owner: str
    damage: float
    healing: float = 0.0
    uses: float = 0.0
    world: bool = False


def main_sources(lookup: Lookup, outlook: Outlook, most: int) -> Sequence[Share]:
    """Return the sources that deal the most damage to the party, at most `most`. Copies of a creature count together."""
    shares = [Share("", source.owner, source.damage, world=source.world) for source in outlook.sources]
    return _greatest(lookup, zip((source.item for source in outlook.sources), shares, strict=True))[:most]


def main_actions(lookup: Lookup, outlook: Outlook, most: int, *, party: bool) -> Sequence[Share]:
    """Return the actions of the party, or of all others, that deal or heal the most damage, at most `most`."""
    ours = {combatant.who for combatant in outlook.combatants if combatant.party}
    actions = [action for action in outlook.actions if (action.owner in ours) == party]
    shares = [Share("", action.owner, action.damage, action.healing, action.uses) for action in actions]
    return _greatest(lookup, zip((action.item for action in actions), shares, strict=True))[:most]


def _greatest(lookup: Lookup, shares: Iterable[tuple[str, Share]]) -> Sequence[Share]:
    """Return shares with names, added up for combatants of the same kind, the greatest first."""
    kinds = Counter(combatant.creature for combatant in lookup.all(running.Combatant))
    found: dict[tuple[str, str], Share] = {}
    for item, share in shares:
        combatant = lookup.get(running.Combatant, share.owner)
        is_copy = combatant is not None and kinds[combatant.creature] > 1
        kind = combatant.creature if combatant is not None and is_copy else share.owner
        owner = creature_of(lookup, combatant).name if combatant is not None and is_copy else owner_name(lookup, kind)
        name = f"{source_name(lookup, share.owner, item)} ({owner})"
        sofar = found.get((kind, item), Share(name, share.owner, 0.0, world=share.world))
        found[kind, item] = sofar._replace(
            damage=sofar.damage + share.damage, healing=sofar.healing + share.healing, uses=sofar.uses + share.uses
        )
    done = (share for share in found.values() if share.damage + share.healing > 0)
    return sorted(done, key=lambda share: -share.damage - share.healing)


def _fall_sentence(combatant: CombatantOutlook) -> Sentence:
    down, dead = combatant.down, combatant.dead.value
    chances = (("down", down.value), ("low", down.low), ("high", down.high), ("dead", dead))
    params = tuple((name, percent(value)) for name, value in chances)
    return Sentence("ui.forecast.falls-row", (("name", combatant.label), *params, ("left", combatant.left[1])))


def pool_sentences(lookup: Lookup, outlook: Outlook) -> tuple[Sentence, ...]:
    """Return a sentence for each countdown that may run out during the fight."""
    return tuple(
        _chance_sentence(
            "forecast.pool", pool.ends, outlook.fights, name=pool_name(lookup, pool.pool), round=pool.round[1]
        )
        for pool in outlook.pools
        if pool.ends.value > 0
    )


def course_sentences(lookup: Lookup, outlook: Outlook) -> tuple[Sentence, ...]:
    """Return a sentence for each of the likeliest courses of the fight."""
    return tuple(_course(lookup, course) for course in outlook.courses[:MOST_COURSES])


def budget_sentences(lookup: Lookup, rules: RuleSystem, outlook: Outlook) -> tuple[Sentence, ...]:
    """Return the encounter budget's verdict, and why the forecast may differ."""
    budget = encounter_budget(lookup, rules)
    if budget is None:
        return ()
    verdicts = [Sentence("forecast.budget", (("threat", budget.threat),))]
    names = [name for name, _ in budget.steps]
    is_grave = budget.threat not in names or 2 * names.index(budget.threat) >= len(names)
    if is_grave and outlook.won.low > EASILY_WON and outlook.one_dead.high < RARELY:
        verdicts.append(Sentence("forecast.budget_too_grave"))
    elif not is_grave and outlook.won.high < OFTEN_LOST:
        verdicts.append(Sentence("forecast.budget_too_mild"))
    all_damage = sum(source.damage for source in outlook.sources)
    by_world = sum(source.damage for source in outlook.sources if source.world)
    if by_world > WORTH_SAYING * all_damage:
        verdicts.append(Sentence("forecast.budget_world", (("n", percent(by_world / all_damage)),)))
    return tuple(verdicts)


def change_sentence(lookup: Lookup, change: sheet_builder.ChangeOutlook) -> Sentence:
    """Describe a change's effect in wins per 100 fights."""
    name = _change_name(lookup, change)
    if not change.difference.seen:
        return Sentence(f"forecast.change.{change.kind}-unseen", (("name", name),))
    wins = change.difference
    low, value, high = (f"{100 * share:+.1f}" for share in (wins.low, wins.value, wins.high))
    params: dict[str, str | int] = {"name": name, "n": value, "low": low, "high": high}
    return Sentence(f"forecast.change.{change.kind}", tuple(params.items()))


def change_label(lookup: Lookup, change: sheet_builder.ChangeOutlook) -> Sentence:
    """Describe a change in a few words."""
    return Sentence(f"forecast.change-label.{change.kind}", (("name", _change_name(lookup, change)),))


def _change_name(lookup: Lookup, change: sheet_builder.ChangeOutlook) -> str:
    """Return the name of the subject of a change."""
    names = {"world": source_name(lookup, change.subject, change.item), "pool": pool_name(lookup, change.subject)}
    names["character"] = change.subject
    if change.kind == "wave":
        names["wave"] = wave_name(lookup, change.subject)
    return names.get(change.kind) or owner_name(lookup, change.subject)


def wave_name(lookup: Lookup, wave: str) -> str:
    """Return the names of a wave's members, or its id if it has no members."""
    return ", ".join([roster_name(lookup, entry.id) for entry in roles.present(lookup) if entry.wave == wave]) or wave


def roster_name(lookup: Lookup, entry: str) -> str:
    """Return a roster entry's name, or its creature's name if it is unnamed."""
    roster_entry = lookup.get(prepared.RosterEntry, entry)
    return entry_name(lookup, roster_entry) if roster_entry is not None else entry


def percent(chance: float) -> int:
    """Return a chance in whole percent. Only impossible and certain events are 0 and 100."""
    return min(max(round(100 * chance), int(chance > 0)), 100 - int(chance < 1))


def source_name(lookup: Lookup, owner: str, item: str) -> str:
    """Return the name of a combatant's feature or an environment's entry, or its id if it isn't found."""
    combatant = lookup.get(running.Combatant, owner)
    if combatant is not None:
        return next((feature.name for feature in creature_of(lookup, combatant).features if feature.id == item), item)
    environment = lookup.get(prepared.Environment, owner)
    entries = (*environment.features, *environment.actions) if environment is not None else ()
    return next((entry.name for entry in entries if entry.id == item), item)


def owner_name(lookup: Lookup, owner: str) -> str:
    """Return the name of a combatant, a creature or an environment, or its id if it isn't found."""
    combatant = lookup.get(running.Combatant, owner)
    if combatant is not None:
        return combatant.label
    record = lookup.get(prepared.Environment, owner) or lookup.get(running.GuestCreature, owner)
    return record.name if record is not None else owner


def pool_name(lookup: Lookup, pool: str) -> str:
    """Return the name of a countdown."""
    countdown = lookup.get(prepared.Countdown, pool)
    return countdown.name if countdown is not None else pool


def note_parts(encounter: Encounter, note: sheet.SheetNote) -> tuple[tuple[str, ...], Sentence]:
    """Return the names of a note's subject (none if it is about the whole fight), and its reason as a sentence."""
    record = encounter.record((note.table, note.subject))
    subject = getattr(record, "name", "") or getattr(record, "label", "") or note.subject
    groups = [getattr(record, name, ()) for name in ("features", "actions")]
    item = next((part.name for group in groups for part in group if part.id == note.item), note.item)
    return tuple(name for name in (subject, item) if name), Sentence(note.reason, note.params)


def _falls(lookup: Lookup, outlook: Outlook) -> Sentence:
    party = [combatant for combatant in outlook.combatants if combatant.party]
    likeliest = max(party, key=lambda combatant: combatant.down.value, default=None)
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
    """Describe a likely course of the fight."""
    key = f"forecast.course.{course.ending}{'-down' if course.first_down else ''}{'-pool' if course.pool else ''}"
    params: dict[str, str | int] = {"n": percent(course.share)}
    if course.first_down:
        params["name"] = owner_name(lookup, course.first_down)
    if course.pool:
        params["pool"] = pool_name(lookup, course.pool)
    return Sentence(key, tuple(params.items()))


def _chance_sentence(key: str, chance: Chance, fights: int, **params: str | int) -> Sentence:
    """Describe a chance: always, never, or in percent. With few fights: in tenths, rarely or mostly."""
    more = tuple(params.items())
    if chance.value in (0, 1):
        return Sentence(f"{key}-{'always' if chance.value else 'never'}", (("fights", fights), *more))
    if fights < ENOUGH:
        tenths = round(10 * chance.value)
        degree = {0: "rarely", 10: "mostly"}.get(tenths, "about")
        return Sentence(f"{key}-{degree}", (("n", tenths), ("fights", fights), *more))
    bounds = (("n", percent(chance.value)), ("low", percent(chance.low)), ("high", percent(chance.high)))
    return Sentence(key, (*bounds, ("fights", fights), *more))
