"""Encounter budgets: the difficulty of a prepared encounter for its party, as a sum and a threat level."""

from collections.abc import Collection, Iterator
from fractions import Fraction

import msgspec

from turnwright.encounter.prepared import Creature, Environment, RosterEntry
from turnwright.encounter.roles import characters, present
from turnwright.encounter.running import GuestCreature
from turnwright.encounter.state import Lookup, entry_name
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.preparation import BudgetFigures
from turnwright.rules.word_keys import rating_number

ThreatStep = tuple[str, Fraction]


class BudgetEntry(msgspec.Struct, frozen=True):
    """One entry of a budget: `count` enemies worth `worth_each`. `why` lists word keys of adjustments.

    `wave` is the wave they arrive with, or empty if they are there from the start.
    """

    name: str
    count: int
    worth_each: Fraction
    why: tuple[str, ...] = ()
    wave: str = ""

    @property
    def worth(self) -> Fraction:
        """Return the worth of all enemies of this entry."""
        return self.worth_each * self.count


class Budget(msgspec.Struct, frozen=True):
    """An encounter's budget.

    `entries` are the enemies with their worth, and `factor` is the multiplier for their number. `threat` is the name of
    the resulting threat. `steps` gives the amount at which each threat starts or ends. `levels` are the levels of the
    party members, and `size` is their number.

    These are listed by name and don't count: enemies outside the table (`off_table`), enemies without a level or rating
    (`unknown`), party members whose level is unknown or outside the table (`unplaced`), and combatants on the party's
    side that aren't members (`allies`). The same is true of environments (`places`) and new hit points at 0 (`phases`)
    if the game gives no number for them. `too_strong` are enemies too strong for any fight against this party, also
    those above the table, which gives the highest threat.
    """

    figures: BudgetFigures
    entries: tuple[BudgetEntry, ...]
    factor: Fraction
    threat: str
    steps: tuple[ThreatStep, ...]
    levels: tuple[int, ...]
    size: int
    off_table: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()
    too_strong: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    allies: tuple[str, ...] = ()

    @property
    def unadjusted(self) -> Fraction:
        """Return the sum of the enemies' worth, before the factor for their number."""
        return sum((part.worth for part in self.entries), Fraction(0))

    @property
    def total(self) -> Fraction:
        """Return the worth of all enemies together."""
        return self.unadjusted * self.factor

    @property
    def level(self) -> int:
        """Return the party's average level, with halves rounded up."""
        return _average(self.levels)

    @property
    def in_waves(self) -> Fraction:
        """Return the part of the unadjusted sum that arrives in waves."""
        return sum((part.worth for part in self.entries if part.wave), Fraction(0))

    @property
    def next_threat(self) -> tuple[str, Fraction] | None:
        """Return the next higher threat with the amount up to it, or None if there is none.

        The amount is the rest that still fits (`most`) or the part that is missing (`least`).
        """
        if self.too_strong:
            return None
        total = self.total
        if self.figures.bound == "least":
            return next(((name, at - total) for name, at in self.steps if at > total), None)
        reached = [(number, at) for number, (_, at) in enumerate(self.steps) if total <= at]
        if not reached:
            return None
        number, at = reached[0]
        after = self.steps[number + 1][0] if number + 1 < len(self.steps) else self.figures.above
        return (after, at - total) if after else None

    @property
    def limit(self) -> Fraction | None:
        """Return the amount at which the threat changes, or None for the highest threat."""
        return self.total + self.next_threat[1] if self.next_threat is not None else None

    @property
    def threats(self) -> tuple[str, ...]:
        """Return the names of all threats, the highest last."""
        return (*(name for name, _ in self.steps), *filter(None, (self.figures.above,)))


def budget_figures(lookup: Lookup, rules: RuleSystem) -> BudgetFigures | None:
    """Return the budget rules of the group: those of an active house rule, or else the default, or None."""
    budgets = rules.data.budgets
    active = [budget for budget in budgets if budget.option and rules.has_option(lookup, budget.option)]
    return next(iter((*active, *[budget for budget in budgets if not budget.option])), None)


def encounter_budget(lookup: Lookup, rules: RuleSystem) -> Budget | None:
    """Return an encounter's budget, or None if the game has none or no party member has a level."""
    figures = budget_figures(lookup, rules)
    party = characters(lookup)
    others = [entry for entry in present(lookup) if entry not in party]
    if figures is None:
        return None
    unplaced = tuple(member for member in party if _level_of_member(lookup, figures, member) is None)
    levels = party_levels(lookup, figures)
    if not levels:
        return None
    size = sum(member.count for member in party)
    sides = {member.side for member in party}
    lists: dict[str, list[str]] = {"off_table": [], "unknown": [], "too_strong": [], "places": [], "phases": []}
    foes = [entry for entry in others if not (entry.bystander or entry.side in sides)]
    parts = tuple(part for foe in foes for part in foe_entries(lookup, figures, foe, levels, lists))
    parts += tuple(place_entries(lookup, figures, levels, lists))
    factor = group_factor(figures, sum(part.count for part in parts if not part.why or part.why[0] != "place"), size)
    steps = threat_steps(figures, levels, size)
    total = sum((part.worth for part in parts), Fraction(0)) * factor
    return Budget(
        figures=figures,
        entries=parts,
        factor=factor,
        threat=steps[-1][0] if lists["too_strong"] else threat_name(figures, steps, total),
        steps=steps,
        levels=levels,
        size=size,
        unplaced=tuple(entry_name(lookup, member) for member in unplaced),
        allies=tuple(entry_name(lookup, entry) for entry in others if entry.side in sides),
        **{name: tuple(dict.fromkeys(names)) for name, names in lists.items()},
    )


# Worth of entries -----------------------------------------------------------------------------------------------


def foe_entries(
    lookup: Lookup, figures: BudgetFigures, foe: RosterEntry, levels: tuple[int, ...], lists: dict[str, list[str]]
) -> Iterator[BudgetEntry]:
    """Yield the entries of an enemy and of its phases. Add its name to the lists of `Budget` that it belongs to."""
    name = entry_name(lookup, foe)
    own = lookup.get(Creature, foe.creature) or lookup.get(GuestCreature, foe.creature)
    yield from _foe(figures, foe, own, name, levels, lists)
    further = _anew(lookup, own) if own is not None else []
    if further and not figures.phases:
        lists["phases"].append(name)
    for creature, phase in further if figures.phases else ():
        for entry in _foe(figures, foe, creature, name, levels, lists):
            yield msgspec.structs.replace(entry, name=f"{name}, {phase}", why=("phase", *entry.why))


def _anew(lookup: Lookup, creature: Creature) -> list[tuple[Creature, str]]:
    """Return the stat blocks that a creature continues with at 0 hit points, in order, each with its phase."""
    continued: list[tuple[Creature, str]] = []
    seen = {creature.id}
    waiting = list(creature.phases)
    while waiting:
        phase = waiting.pop(0)
        block = lookup.get(Creature, phase.creature) if phase.creature else None
        if not phase.at:
            continued.append((block or creature, phase.name or phase.id))
        if block is not None and block.id in seen:
            break
        if block is not None:
            creature, waiting = block, list(block.phases)
            seen.add(block.id)
    return continued


def _foe(
    figures: BudgetFigures,
    foe: RosterEntry,
    creature: Creature | None,
    name: str,
    levels: tuple[int, ...],
    lists: dict[str, list[str]],
) -> Iterator[BudgetEntry]:
    """Yield the entry of an enemy, or nothing if it has no number."""
    rating = rating_number(creature.rating if creature else "")
    if figures.worth == "gap":
        rating = _gap_level(figures, foe, creature, rating)
    own = creature.xp if creature is not None and figures.worth == "rating" else 0
    each = Fraction(own) if own else _worth(figures, rating, levels)
    if rating is None and not own:
        lists["unknown"].append(name)
    elif each is None:
        lists["off_table"].append(name)
        if rating is not None and _is_beyond_table(figures, rating, levels):
            lists["too_strong"].append(name)
    else:
        if figures.strongest and rating is not None and rating > strongest_rating(figures, levels):
            lists["too_strong"].append(name)
        why = [] if own or rating is None or each == _table_worth(figures, rating, levels) else ["raised"]
        times, marks = (Fraction(1), ()) if creature is None else _counts_as(figures, creature.type, _words(creature))
        yield BudgetEntry(name, foe.count, each * times, (*why, *marks), foe.wave)


def place_entries(
    lookup: Lookup, figures: BudgetFigures, levels: tuple[int, ...], lists: dict[str, list[str]]
) -> Iterator[BudgetEntry]:
    """Yield the entries of rated environments if the game has numbers for them.

    In other games, only list their names.
    """
    for place in lookup.all(Environment):
        if not place.rating:
            continue
        rating = rating_number(place.rating) if figures.places else None
        each = _worth(figures, rating, levels)
        if not figures.places:
            lists["places"].append(place.name)
        elif each is None:
            lists["unknown" if rating is None else "off_table"].append(place.name)
        else:
            simple = figures.complex and not place.complex
            yield BudgetEntry(place.name, 1, each * (_share(figures.simple) if simple else 1), ("place",))


def _worth(figures: BudgetFigures, rating: Fraction | None, levels: tuple[int, ...]) -> Fraction | None:
    """Return the worth of a creature's rating or level to a party, or None if the table doesn't include it."""
    if rating is None:
        return None
    if figures.worth == "challenge" and figures.raised and Fraction(sum(levels), len(levels)) <= figures.raised_to:
        ladder = [Fraction(step) for step in figures.raised]
        rating = ladder[ladder.index(rating) + 1] if rating in ladder[:-1] else rating
    return _table_worth(figures, rating, levels)


def _table_worth(figures: BudgetFigures, rating: Fraction, levels: tuple[int, ...]) -> Fraction | None:
    if figures.worth == "challenge":
        return rating
    if figures.worth == "rating":
        return next((Fraction(xp) for text, xp in figures.ratings if Fraction(text) == rating), None)
    if rating.denominator != 1:
        return None
    return worth_by_level_gap(figures, int(rating) - _average(levels))


def _is_beyond_table(figures: BudgetFigures, rating: Fraction, levels: tuple[int, ...]) -> bool:
    by_gap = figures.worth not in ("challenge", "rating")
    return by_gap and rating - _average(levels) >= figures.lowest + len(figures.xp)


def worth_by_level_gap(figures: BudgetFigures, above: int) -> Fraction | None:
    """Return the worth of a creature `above` levels above the party, or None if the table doesn't include it."""
    place = above - figures.lowest
    return Fraction(figures.xp[place]) if 0 <= place < len(figures.xp) else None


def kind_worth(
    figures: BudgetFigures, rating: str, xp: int, type: str, words: Collection[str], levels: tuple[int, ...]
) -> Fraction | None:
    """Return the worth of one enemy to a party, or None if it has none. `words` are its tags in lower case."""
    each = Fraction(xp) if xp and figures.worth == "rating" else _worth(figures, rating_number(rating), levels)
    return None if each is None else each * _counts_as(figures, type, words)[0]


def _words(creature: Creature) -> set[str]:
    words = {tag.casefold() for tag in creature.tags}
    return words | {remark.text.strip().casefold() for remark in creature.remarks if remark.about == "rating"}


def _counts_as(figures: BudgetFigures, type: str, words: Collection[str]) -> tuple[Fraction, tuple[str, ...]]:
    """Return the number of creatures that this one counts as, and the reasons if it isn't 1."""
    if not set(figures.twice).isdisjoint(words):
        return Fraction(2), ("twice",)
    if figures.hazard and (type == figures.hazard or figures.hazard in words):
        return (Fraction(1), ("hazard",)) if figures.complex in words else (_share(figures.simple), ("simple",))
    return Fraction(1), ()


def strongest_rating(figures: BudgetFigures, levels: tuple[int, ...]) -> Fraction:
    """Return the highest rating of a single enemy against a party, if the game has a limit."""
    return Fraction(sum(levels) * figures.strongest, len(levels) * 100)


def group_factor(figures: BudgetFigures, foes: int, size: int) -> Fraction:
    """Return the multiplier for this number of enemies against a party of this size."""
    reached = [crowd.step for crowd in figures.crowds if foes >= crowd.enemies]
    if not reached:
        return Fraction(1)
    step = reached[-1] + (1 if size < figures.small else -1 if size >= figures.large else 0)
    return Fraction(figures.factors[max(0, min(step, len(figures.factors) - 1))], 100)


# Threat ---------------------------------------------------------------------------------------------------------


def threat_name(figures: BudgetFigures, steps: tuple[ThreatStep, ...], total: Fraction) -> str:
    """Return the name of the threat for a total, or the game's substitute if it has no name for it."""
    if figures.bound == "least":
        reached = [name for name, at in steps if total >= at]
        return reached[-1] if reached else figures.below
    matching = [name for name, at in steps if total <= at]
    return matching[0] if matching else figures.above or steps[-1][0]


def threat_steps(figures: BudgetFigures, levels: tuple[int, ...], size: int) -> tuple[ThreatStep, ...]:
    """Return each threat with its limit or starting amount for a party, mildest first."""
    if figures.measure == "level":
        rows = [figures.levels[level - 1] for level in levels]
        return tuple((name, Fraction(sum(row[at] for row in rows))) for at, name in enumerate(figures.names))
    if figures.measure == "levels":
        total = sum(levels)
        return tuple((name, total * _share(share)) for name, share in zip(figures.names, figures.shares, strict=True))
    each, more = dict(figures.each), size - figures.party
    return tuple((name, Fraction(budget + more * each.get(name, 0))) for name, budget in figures.threats)


# Levels and ratings ----------------------------------------------------------------------------------------------


def party_levels(lookup: Lookup, figures: BudgetFigures) -> tuple[int, ...]:
    """Return the level of each party member, without unknown ones."""
    leveled = [(member, _level_of_member(lookup, figures, member)) for member in characters(lookup)]
    return tuple(level for member, level in leveled if level is not None for _ in range(member.count))


def _level_of_member(lookup: Lookup, figures: BudgetFigures, entry: RosterEntry) -> int | None:
    """Return the level of a party member, or None if it is unknown or outside the table."""
    creature = lookup.get(Creature, entry.creature)
    level = entry.level or (creature.level if creature is not None else 0)
    if figures.worth == "gap" and not level:
        rating = rating_number(creature.rating if creature is not None else "")
        return int(rating) if rating is not None and rating.denominator == 1 else None
    return None if figures.measure == "level" and level > len(figures.levels) else level or None


def _gap_level(
    figures: BudgetFigures, entry: RosterEntry, creature: Creature | None, rating: Fraction | None
) -> Fraction | None:
    """Return the level at which an enemy counts: the roster's, the rating, or the stat block's."""
    level = Fraction(entry.level) if entry.level else rating
    if level is None and creature is not None and creature.level:
        level = Fraction(creature.level)
    return None if level is None else level + dict(figures.adjusted).get(entry.adjustment, 0)


def _average(levels: tuple[int, ...]) -> int:
    return (2 * sum(levels) + len(levels)) // (2 * len(levels))


def _share(share: tuple[int, int]) -> Fraction:
    return Fraction(*share)
