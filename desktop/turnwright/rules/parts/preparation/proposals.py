"""Proposals for encounters: for a party, a difficulty and a theme, several that differ, with their arithmetic and pitfalls.

First come all plans of worths, then the creatures that fit each plan and each other best, then the best proposals that
differ. If too few fit, the request is relaxed step by step, and each proposal names the steps. The same seed gives the
same answer.
"""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Final

import msgspec

from turnwright.rules.parts.preparation.affinity import Bestiary, Candidate, Theme
from turnwright.rules.parts.preparation.encounter_budgets import (
    group_factor,
    kind_worth,
    rating_number,
    strongest_rating,
    threat_name,
    threat_steps,
)
from turnwright.rules.parts.preparation.worth_plans import MOST_KINDS, Window, WorthPlan, worth_plans
from turnwright.rules.system_data.preparation import BudgetFigures
from turnwright.rules.system_data.presets import reached
from turnwright.rules.system_data.suggest import SuggestFigures

RANKED: Final = 12  # proposals worth a forecast
MOST_PLANS: Final = 60
PLANS_EACH: Final = 6  # of one shape and one leading worth
LEADERS: Final = 8
FOLLOWERS: Final = 16
_WATER: Final = frozenset({"water", "coast", "water plane"})
_LEADS: Final = 1.8  # times the worth of the next kind
_BEYOND: Final = 1.35  # times the amount of the highest difficulty
UNIQUE: Final = "unique"
ANY_THEME: Final = Theme()
Kept = tuple[tuple[str, int], ...]


class SuggestionRequest(msgspec.Struct, frozen=True):
    """A request for proposals. `foes` are the fewest and the most enemies.

    `kept` are creatures that each proposal has, with their numbers, and `banned` those that none has, all by key.
    """

    difficulty: str
    foes: tuple[int, int] = (2, 8)
    theme: Theme = ANY_THEME
    kept: Kept = ()
    banned: frozenset[str] = frozenset()
    count: int = 3
    seed: int = 1


class Pitfall(msgspec.Struct, frozen=True):
    """A weakness of a proposal, as a word key below `suggest.pitfall` with its parameters. `cost` lowers its score."""

    key: str
    params: tuple[tuple[str, str | int], ...] = ()
    cost: float = 0


class ProposalSlot(msgspec.Struct, frozen=True):
    """One kind of creature in a proposal: its candidate, how many, and the worth of each."""

    creature: Candidate
    count: int
    worth: float


class Proposal(msgspec.Struct, frozen=True):
    """A proposed encounter.

    `total` is the sum of the slots times `factor`. `shape` and `difficulty` are words, and `company` is the name of who
    is met together, if it is known. `habitats` are those of all kinds. `relaxed` are the steps by which the request was
    relaxed: `habitats`, `foes` and `difficulty`.
    """

    slots: tuple[ProposalSlot, ...]
    total: float
    factor: float
    difficulty: str
    shape: str
    company: str = ""
    habitats: tuple[str, ...] = ()
    pitfalls: tuple[Pitfall, ...] = ()
    score: float = 0
    relaxed: tuple[str, ...] = ()

    @property
    def kinds(self) -> frozenset[str]:
        """The keys of its creatures."""
        return frozenset(slot.creature.key for slot in self.slots)

    @property
    def foes(self) -> int:
        """The number of enemies."""
        return sum(slot.count for slot in self.slots)


class Suggestions(msgspec.Struct, frozen=True):
    """The answer to a request: the proposals, and `ranked`, the best of all, to choose from by their forecasts.

    `kinds` is the number of creatures that fit, and `plans` that of plans. Without any proposal, `hint` is the step that
    would help: `words`, `kept`, or nothing.
    """

    proposals: tuple[Proposal, ...]
    ranked: tuple[Proposal, ...]
    kinds: int
    plans: int
    hint: str = ""


class Challenge(msgspec.Struct, frozen=True, dict=True):
    """A party and the rules by which enemies are measured against it.

    Without `figures`, the game has no budget: the worth of an enemy is its level. `hp` are the hit points of the frailest
    character, or 0 if they aren't known.
    """

    suggest: SuggestFigures
    figures: BudgetFigures | None
    levels: tuple[int, ...]
    hp: int = 0

    @cached_property
    def level(self) -> float:
        """The party's average level."""
        return sum(self.levels) / len(self.levels)

    @property
    def size(self) -> int:
        """The number of characters."""
        return len(self.levels)

    @cached_property
    def frailest(self) -> float:
        """The hit points of the frailest character."""
        base, each = self.suggest.frailest
        return float(self.hp or base + each * self.level / 10)

    @cached_property
    def steps(self) -> tuple[tuple[str, float], ...]:
        """The words of difficulty, mildest first, with their amounts."""
        if self.figures is None:
            return tuple((band.id, band.levels[1] * sum(self.levels) / 100) for band in self.suggest.bands)
        return tuple((name, float(at)) for name, at in threat_steps(self.figures, self.levels, self.size))

    @cached_property
    def strongest(self) -> float:
        """The highest rating of a single enemy."""
        if self.figures is not None and self.figures.strongest:
            return float(strongest_rating(self.figures, self.levels))
        return self.level + float(reached(self.suggest.above, int(self.level)))

    def worth(self, creature: Candidate) -> float:
        """Return the worth of a creature, or 0 if it has none for this party."""
        figures = self.figures
        if figures is None:
            return float(rating_number(creature.rating) or 0)
        if figures.hazard and (creature.type == figures.hazard or figures.hazard in creature.tags):
            return 0
        twice = tuple(tag for tag in map(str.casefold, creature.tags) if tag in figures.twice)
        key = (creature.rating, creature.xp, twice)
        known: dict[object, float] = self.__dict__.setdefault("_worths", {})
        if key not in known:
            known[key] = float(kind_worth(figures, creature.rating, creature.xp, "", twice, self.levels) or 0)
        return known[key]

    def factor(self, foes: int) -> float:
        """Return the factor for a number of enemies."""
        return 1.0 if self.figures is None else float(group_factor(self.figures, foes, self.size))

    def window(self, difficulty: str) -> Window:
        """Return the sums of a difficulty. Raise LookupError if the game doesn't have it."""
        names = [name for name, _ in self.steps]
        if difficulty not in names:
            raise LookupError(difficulty)
        at = names.index(difficulty)
        if self.figures is None:
            low = self.suggest.bands[at].levels[0] * sum(self.levels) / 100
            high = self.steps[at][1]
        elif self.figures.bound == "least":
            low = self.steps[at][1]
            high = self.steps[at + 1][1] * 0.999 if at + 1 < len(names) else low * _BEYOND
        else:
            high = self.steps[at][1]
            low = max(self.steps[at - 1][1] * 1.001 if at else 0.0, high * self.suggest.lowest / 100)
        return Window(low, high, low + (high - low) * self.suggest.best / 100)

    def difficulty(self, total: float) -> str:
        """Return the word for a sum."""
        if self.figures is not None:
            steps = tuple((name, Fraction(at)) for name, at in self.steps)
            return threat_name(self.figures, steps, Fraction(total))
        return next((name for name, at in self.steps if total <= at), self.steps[-1][0] if self.steps else "")


class _Pool(msgspec.Struct):
    """The candidates for a theme, by number: those that fit it (`core`), and all with their worths."""

    core: frozenset[int]
    by_worth: Mapping[float, Sequence[int]]
    size: int


class _Try(msgspec.Struct):
    """Candidates for one plan, by number, with how many of each."""

    kinds: tuple[int, ...]
    counts: tuple[int, ...]
    plan: WorthPlan


class Suggester:
    """Makes proposals for one party from a bestiary. Keep it: it remembers the pool of the last theme."""

    def __init__(self, bestiary: Bestiary, challenge: Challenge) -> None:
        self.bestiary, self.challenge = bestiary, challenge
        self._worths = [challenge.worth(each) for each in bestiary.candidates]
        self._last: tuple[tuple[Theme, frozenset[str]], _Pool] | None = None

    # Requests --------------------------------------------------------------------------------------------------------

    def suggest(self, request: SuggestionRequest) -> Suggestions:
        """Return proposals for a request, relaxed step by step if too few fit.

        Raise LookupError for an unknown difficulty or an unknown kept creature.
        """
        first = answer = self._answer(request)
        found, chosen = list(first.ranked), differing(first.ranked, request.count)
        for relaxed, eased in self._eased(request):
            if len(chosen) >= request.count:
                break
            answer = self._answer(eased)
            new = [msgspec.structs.replace(each, relaxed=relaxed) for each in answer.ranked]
            found += [each for each in new if all(each.kinds != other.kinds for other in found)]
            chosen = differing(new, request.count, chosen)
        hint = "" if found else self._hint(request)
        return Suggestions(tuple(chosen), tuple(found[:RANKED]), first.kinds, first.plans, hint)

    def another(self, request: SuggestionRequest, proposal: Proposal, at: int) -> Proposal | None:
        """Return a proposal with another kind in one slot, or None if none fits. The other slots stay."""
        others = (*proposal.slots[:at], *proposal.slots[at + 1 :])
        present = frozenset(slot.creature.key for slot in proposal.slots)
        kept = tuple((slot.creature.key, slot.count) for slot in others)
        eased = msgspec.structs.replace(request, kept=kept, banned=request.banned | present, count=1)
        bare = msgspec.structs.replace(eased, theme=msgspec.structs.replace(request.theme, habitats=()))
        for relaxed, each in (((), eased), (("habitats",), bare)):
            if ranked := self._answer(each, kinds=1, least=1).ranked:
                (new,) = (slot for slot in ranked[0].slots if slot.creature.key not in present)
                changed = self.proposal((*others[:at], new, *others[at:]), request.theme)
                return msgspec.structs.replace(changed, relaxed=proposal.relaxed or relaxed)
        return None

    def swapped(self, request: SuggestionRequest, proposal: Proposal, at: int, key: str) -> Proposal:
        """Return a proposal with a named kind in one slot, in the number that comes nearest to the difficulty.

        With the number of slots as `at`, it is added. Raise LookupError if the creature has no worth for this party.
        """
        number = self._number(key)
        creature, worth = self.bestiary.candidates[number], self._worths[number]
        before = proposal.slots[at].count if at < len(proposal.slots) else 1
        window = self.challenge.window(request.difficulty)
        slots = {
            count: (*proposal.slots[:at], ProposalSlot(creature, count, worth), *proposal.slots[at + 1 :])
            for count in range(1, max(request.foes[1], before) + 1)
        }

        def off(count: int) -> tuple[bool, float, int]:
            foes = sum(slot.count for slot in slots[count])
            total = sum(slot.count * slot.worth for slot in slots[count]) * self.challenge.factor(foes)
            return not window.holds(total), window.distance(total), abs(count - before)

        return self.proposal(slots[min(slots, key=off)], request.theme)

    def proposal(self, slots: Sequence[ProposalSlot], theme: Theme = ANY_THEME) -> Proposal:
        """Return a proposal with these slots, such as one whose numbers were changed by hand."""
        foes = sum(slot.count for slot in slots)
        factor = self.challenge.factor(foes)
        total = sum(slot.count * slot.worth for slot in slots) * factor
        kinds = [self.bestiary.numbers[slot.creature.key] for slot in slots]
        company = self.bestiary.company(kinds, theme.habitats)
        shared = [set(slot.creature.environments) for slot in slots if slot.creature.environments]
        habitats = tuple(sorted(set.intersection(*shared))) if shared else ()
        return Proposal(
            tuple(slots),
            total,
            factor,
            self.challenge.difficulty(total),
            shape_of([(slot.worth, slot.count) for slot in slots]),
            company.name if company is not None else "",
            habitats,
            tuple(self._pitfalls(slots)),
        )

    def slots(self, kept: Kept) -> tuple[ProposalSlot, ...]:
        """Return slots of creatures by key. Raise LookupError if one is unknown."""
        return tuple(
            ProposalSlot(self.bestiary.candidates[number], count, self._worths[number])
            for number, count in ((self._number(key), count) for key, count in kept)
        )

    # Relaxing --------------------------------------------------------------------------------------------------------

    def _eased(self, request: SuggestionRequest) -> Iterator[tuple[tuple[str, ...], SuggestionRequest]]:
        """Yield requests that are relaxed more and more, each with the names of its steps."""
        replace = msgspec.structs.replace
        relaxed: tuple[str, ...] = ()
        if request.theme.habitats:
            relaxed = ("habitats",)
            request = replace(request, theme=replace(request.theme, habitats=()))
            yield relaxed, request
        relaxed = (*relaxed, "foes")
        request = replace(request, foes=(1, max(2 * request.foes[1], 2 * self.challenge.size)))
        yield relaxed, request
        names = [name for name, _ in self.challenge.steps]
        at = names.index(request.difficulty)
        for near in (at - 1, at + 1):
            if 0 <= near < len(names):
                yield (*relaxed, "difficulty"), replace(request, difficulty=names[near])

    def _hint(self, request: SuggestionRequest) -> str:
        """Return the part of a request that leaves nothing, if the rest would do."""
        replace = msgspec.structs.replace
        bare = {"words": replace(request, theme=ANY_THEME), "kept": replace(request, kept=())}
        return next((name for name, each in bare.items() if each != request and self._answer(each).ranked), "")

    # Search ----------------------------------------------------------------------------------------------------------

    def _answer(self, request: SuggestionRequest, kinds: int = MOST_KINDS, least: int = 0) -> Suggestions:
        """Return the best proposals for a request as it is. At least so many kinds are added to those that are kept."""
        taste, rng = self.bestiary.taste, random.Random(request.seed)
        window, pool = self.challenge.window(request.difficulty), self._pool(request.theme, request.banned)
        kept = [(self._number(key), count) for key, count in request.kept]
        there = sum(count for _, count in kept), sum(self._worths[kind] * count for kind, count in kept)
        factors = [self.challenge.factor(foes) for foes in range(max(request.foes[1], there[0]) + 1)]
        most = min(kinds, max(1, MOST_KINDS - len(kept)))
        plans = worth_plans(pool.by_worth, window, factors, request.foes, there, most)
        groups: dict[tuple[str, float], list[WorthPlan]] = {}
        for plan in plans:
            if len(plan.slots) >= least:
                leading = plan.slots[0][0] if plan.slots else 0.0
                groups.setdefault((shape_of(plan.slots), leading), []).append(plan)
        rated = []
        for (shape, _), group in groups.items():
            group.sort(key=lambda plan: (window.distance(plan.total), len(plan.slots)))
            for place, plan in enumerate(group[:PLANS_EACH]):
                worth = taste.shape(shape) - taste.of("near") * window.distance(plan.total)
                rated.append((0.15 * place - worth - 0.3 * rng.random(), plan))
        rated.sort(key=lambda each: each[0])
        tries = [each for _, plan in rated[:MOST_PLANS] for each in self._tries(plan, pool, kept, rng)]
        scores = (self._scored(each, pool, window, request.theme, rng) for each in tries)
        scored = sorted((each for each in scores if each is not None), key=lambda each: -each[0])
        best: dict[frozenset[int], Proposal] = {}
        for score, each in scored:
            if frozenset(each.kinds) not in best and len(best) < 4 * RANKED:
                slots = self._slots(each)
                best[frozenset(each.kinds)] = msgspec.structs.replace(
                    self.proposal(slots, request.theme), score=round(score, 6)
                )
        ranked = list(best.values())
        chosen = differing(ranked, request.count)
        rest = [each for each in ranked if each not in chosen]
        return Suggestions(tuple(chosen), (*chosen, *rest)[:RANKED], pool.size, len(plans))

    def _pool(self, theme: Theme, banned: frozenset[str]) -> _Pool:
        """Return the candidates for a theme. Those that only keep company with it aren't its core."""
        if self._last is not None and self._last[0] == (theme, banned):
            return self._last[1]
        core, by_worth, strongest = set(), dict[float, list[int]](), self.challenge.strongest
        is_wet = not _WATER.isdisjoint(theme.habitats)
        bestiary = self.bestiary
        size = 0
        for number, (each, worth) in enumerate(zip(bestiary.candidates, self._worths, strict=True)):
            if worth <= 0 or each.key in banned or (rating_number(each.rating) or 0) > strongest:
                continue
            words = bestiary.words[number]
            if theme.excluded and theme.excludes(words, each.environments):
                continue
            fits = theme.says(words, each.environments)
            is_named = bool(theme.words) and fits
            if (each.good or UNIQUE in each.tags) and not is_named:
                continue
            if each.swims and not (is_wet or (is_named and not theme.habitats)):
                continue
            if not fits and not any(theme.says(co.words, co.environments) for co in bestiary.guests[number]):
                continue
            if fits:
                core.add(number)
            by_worth.setdefault(worth, []).append(number)
            size += 1
        pool = _Pool(frozenset(core), by_worth, size)
        self._last = (theme, banned), pool
        return pool

    def _tries(
        self, plan: WorthPlan, pool: _Pool, kept: Sequence[tuple[int, int]], rng: random.Random
    ) -> Iterator[_Try]:
        """Yield candidates for a plan: several leaders, each with the followers that fit it best."""
        there = tuple(kind for kind, _ in kept)
        counts = (*(count for _, count in kept), *(count for _, count in plan.slots))
        if not plan.slots:
            yield _Try(there, counts, plan)
            return
        fit = self.bestiary.fit
        for leader in _some(pool.by_worth[plan.slots[0][0]], LEADERS, rng):
            if leader in there:
                continue
            kinds = [*there, leader]
            for worth, _ in plan.slots[1:]:
                others = [kind for kind in _some(pool.by_worth[worth], FOLLOWERS, rng) if kind not in kinds]
                if not others:
                    break
                best = max(others, key=lambda kind: sum(fit(kind, other) for other in kinds))
                kinds.append(best)
            if len(kinds) == len(counts):
                yield _Try(tuple(kinds), counts, plan)

    def _scored(
        self, each: _Try, pool: _Pool, window: Window, theme: Theme, rng: random.Random
    ) -> tuple[float, _Try] | None:
        """Return candidates for a plan with their score, or None if they don't fit the theme."""
        taste, is_themed = self.bestiary.taste, bool(theme.words or theme.habitats)
        luck = taste.of("luck") * rng.gauss(0, 1)
        core = sum(count for kind, count in zip(each.kinds, each.counts, strict=True) if kind in pool.core)
        if is_themed and not core and each.plan.slots:
            return None
        fits = [self.bestiary.fit(one, other) for one, other in combinations(each.kinds, 2)]
        slots = self._slots(each)
        shape = shape_of([(slot.worth, slot.count) for slot in slots])
        score = taste.shape(shape) - taste.of("near") * window.distance(each.plan.total) + luck
        score += sum(fits) / len(fits) if fits else taste.of("alone")
        score += taste.of("misfit") if fits and min(fits) < 0.3 else 0
        score += taste.of("theme") * core / each.plan.foes if is_themed else 0
        score += taste.of("each-role") * (len({slot.creature.role for slot in slots}) - 1)
        score += taste.of("many-kinds") * max(0, len(slots) - 2)
        return score + sum(pitfall.cost for pitfall in self._pitfalls(slots)), each

    def _slots(self, each: _Try) -> tuple[ProposalSlot, ...]:
        return tuple(
            ProposalSlot(self.bestiary.candidates[kind], count, self._worths[kind])
            for kind, count in zip(each.kinds, each.counts, strict=True)
        )

    def _number(self, key: str) -> int:
        number = self.bestiary.numbers[key]
        if not self._worths[number]:
            raise LookupError(key)
        return number

    def _pitfalls(self, slots: Sequence[ProposalSlot]) -> Iterator[Pitfall]:
        """Yield the weaknesses of a proposal. Those without a text only lower the score."""
        taste, level, size = self.bestiary.taste, self.challenge.level, self.challenge.size
        by_rating = self.challenge.figures is not None and self.challenge.figures.worth != "gap"
        foes = sum(slot.count for slot in slots)
        for slot in slots:
            each, rating = slot.creature, float(rating_number(slot.creature.rating) or 0)
            name = ("name", each.name)
            if each.largest > self.challenge.frailest:
                params = (name, ("damage", round(each.largest)), ("hp", round(self.challenge.frailest)))
                yield Pitfall("dangerous", params, taste.of("dangerous"))
            if by_rating and rating > level + 2:
                yield Pitfall("above", (name, ("rating", each.rating)), taste.of("above"))
            if by_rating and not rating and each.role != "swarm":
                yield Pitfall("nobody" if slot.count > 2 else "", (name,), taste.of("nobody"))
            if slot.count > 1 and (each.leads or each.role == "boss"):
                yield Pitfall("leaders" if each.leads else "", (name,), taste.of("leaders" if each.leads else "bosses"))
        if foes == 1 and not slots[0].creature.leads:
            yield Pitfall("acts-once", (("n", size),), taste.of("acts-once"))
        if foes > 2 * size:
            is_sturdy = any(slot.count > 3 and slot.creature.hp > 6 * level + 6 for slot in slots)
            cost = taste.of("crowd") + (taste.of("sturdy-crowd") if is_sturdy else 0)
            yield Pitfall("crowd" if is_sturdy else "", (("n", foes),), cost)
        if len(slots) > MOST_KINDS:
            yield Pitfall("many-kinds", (("n", len(slots)),))


def shape_of(slots: Iterable[tuple[float, int]]) -> str:
    """Return the shape of an encounter from the worth and the number of each kind."""
    ranked = sorted(slots, reverse=True)
    if len(ranked) == 1:
        count = ranked[0][1]
        return "solo" if count == 1 else "pair" if count == 2 else "pack" if count <= 5 else "horde"
    if len(ranked) > 1 and ranked[0][1] == 1 and ranked[0][0] >= _LEADS * ranked[1][0]:
        return "leader"
    return "two-kinds" if len(ranked) == 2 else "mixed"


def differing(proposals: Sequence[Proposal], count: int, before: Sequence[Proposal] = ()) -> list[Proposal]:
    """Return the first proposals that differ, after those `before`: in shape, kinds and type, or else in kinds."""
    chosen = list(before)
    for least in (3, 2, 1):
        for each in proposals:
            if len(chosen) < count and all(_difference(each, other) >= least for other in chosen):
                chosen.append(each)
    return chosen


def _difference(one: Proposal, other: Proposal) -> int:
    """Return how much two proposals differ: from 0 for the same kinds to 3."""
    if one.kinds == other.kinds or (one.shape == other.shape and len(one.kinds & other.kinds) > 1):
        return 0
    if not one.kinds.isdisjoint(other.kinds):
        return 1
    same_type = one.slots[0].creature.type == other.slots[0].creature.type
    return 2 if one.shape == other.shape or same_type else 3


def _some(values: Sequence[int], most: int, rng: random.Random) -> Collection[int]:
    return rng.sample(values, most) if len(values) > most else values
