"""Proposals for encounters: for a party, a difficulty and a theme, several that differ, with their arithmetic and pitfalls.

First come all plans of worths, then the creatures that fit each plan and each other best, then the best proposals that
differ. If too few fit, the request is relaxed step by step, and each proposal names the steps. The same seed gives the
same answer.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Final

import msgspec

from turnwright.encounter.state import grouped
from turnwright.rules.parts.preparation import encounter_budgets
from turnwright.rules.parts.preparation.affinity import GOOD, Candidate, CreaturePool, SuggestionTheme
from turnwright.rules.parts.preparation.worth_plans import MOST_KINDS, WorthPlan, WorthWindow, worth_plans
from turnwright.rules.system_data.preparation import BudgetFigures
from turnwright.rules.system_data.presets import reached
from turnwright.rules.system_data.suggest import DifficultyBand, SuggestFigures
from turnwright.rules.word_keys import rating_number

RANKED: Final = 24  # proposals worth a forecast
NEARBY: Final = 6  # proposals of another difficulty
MOST_PLANS: Final = 60
PLANS_EACH: Final = 6  # of one shape and one leading worth
LEADERS: Final = 8
FOLLOWERS: Final = 14
_WATER: Final = frozenset({"water", "coast", "water plane"})
NEAR_BAND, FAR = 5, 30  # percent
DULL, ODD = 4, 7  # points below the best score
SOUND: Final = 2.0  # the score of kinds that are met together
_FITS: Final = 1.0  # the least affinity of two kinds
_MOSTLY: Final = 0.5  # of the enemies, or of their worth
_ALL_DOWN: Final = 1.3  # times the frailest character's hit points are about the average character's
_LEADS: Final = 1.8  # times the worth of the next kind
_HOPELESS: Final = -100.0  # the score of a team outside the theme
_BEYOND: Final = 1.35  # times the amount of the highest difficulty
MOST_CASTERS, CASTERS = 4, frozenset({"caster", "controller"})
UNIQUE: Final = "unique"  # a tag
ANY_THEME: Final = SuggestionTheme()
Kept = tuple[tuple[str, int], ...]


class SuggestionRequest(msgspec.Struct, frozen=True):
    """A request for proposals. `foes` are the fewest and the most enemies.

    `kept` are creatures that each proposal has, with their numbers, and `banned` those that none has, all by path.
    """

    difficulty: str
    foes: tuple[int, int] = (2, 8)
    theme: SuggestionTheme = ANY_THEME
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

    `total` is the sum of the slots times `factor`. `shape` and `difficulty` are words, and `company` is the name of the
    company of all kinds, or empty. `habitats` are those of the request, and those of all kinds. `relaxed` are the steps
    that relaxed the request: `habitats`, `foes` and `difficulty`. `kept` are the kept creatures. `is_themed`: the request
    has words, so that proposals needn't differ in type.
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
    kept: frozenset[str] = frozenset()
    is_themed: bool = False

    @property
    def kinds(self) -> frozenset[str]:
        """The paths of its creatures."""
        return frozenset(slot.creature.path for slot in self.slots)

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
    """A party, and the budget that measures enemies.

    `hp` are the hit points of the frailest character, or 0 if they aren't known.
    """

    suggest: SuggestFigures
    figures: BudgetFigures
    levels: tuple[int, ...]
    hp: int = 0

    @property
    def has_budget(self) -> bool:
        """Whether the game has a budget. Without one, sums are only a start, and forecasts choose among more."""
        return self.figures != self.suggest.instead

    @cached_property
    def level(self) -> float:
        """The party's average level."""
        return sum(self.levels) / len(self.levels)

    @cached_property
    def frailest(self) -> float:
        """The hit points of the frailest character."""
        base, each = self.suggest.frailest
        return self.hp or base + each * self.level / 10

    @cached_property
    def steps(self) -> tuple[tuple[str, Fraction], ...]:
        """The words of difficulty, mildest first, with their amounts."""
        return encounter_budgets.threat_steps(self.figures, self.levels, len(self.levels))

    @cached_property
    def strongest(self) -> float:
        """The highest rating of a single enemy."""
        if self.figures.strongest:
            return float(encounter_budgets.strongest_rating(self.figures, self.levels))
        return self.level + int(reached(self.suggest.above, int(self.level)))

    @cached_property
    def _worths(self) -> dict[object, float]:
        return {}

    def worth(self, creature: Candidate) -> float:
        """Return the worth of a creature, or 0 if it has none for this party. Hazards have none."""
        figures = self.figures
        if figures.hazard and (creature.type == figures.hazard or figures.hazard in creature.tags):
            return 0
        twice = tuple(tag for tag in map(str.casefold, creature.tags) if tag in figures.twice)
        key = (creature.rating, creature.xp, twice)
        if key not in self._worths:
            worth = encounter_budgets.kind_worth(figures, creature.rating, creature.xp, "", twice, self.levels)
            self._worths[key] = float(worth or 0)
        return self._worths[key]

    def factor(self, foes: int) -> float:
        """Return the factor for a number of enemies."""
        return float(encounter_budgets.group_factor(self.figures, foes, len(self.levels)))

    def window(self, difficulty: str) -> WorthWindow:
        """Return the sums of a difficulty. Raise ValueError if the game doesn't have it."""
        at = [name for name, _ in self.steps].index(difficulty)
        amounts = [0.0, *(float(amount) for _, amount in self.steps)]
        if self.figures.bound == "least":
            low = amounts[at + 1]
            high = amounts[at + 2] * 0.999 if at + 2 < len(amounts) else low * _BEYOND
            return WorthWindow(low, high, high - (high - low) * self.suggest.best / 100)
        high = amounts[at + 1]
        low = max(amounts[at] * 1.001, high * self.suggest.lowest / 100)
        best = low + (high - low) * self.suggest.best / 100
        return WorthWindow(low, high, best) if self.has_budget else WorthWindow(low * 0.85, high * 1.5, best)

    def band(self, difficulty: str) -> DifficultyBand:
        """Return the chances that a word of difficulty promises."""
        return next((band for band in self.suggest.bands if band.id == difficulty), DifficultyBand(difficulty, 0))


class _Pool(msgspec.Struct):
    """The candidates for a theme, by number: those that fit it (`core`), and all with their worths."""

    core: set[int]
    by_worth: dict[float, list[int]]


class Suggester:
    """Makes proposals for one party from a bestiary. Keep it: it remembers the pool of the last theme."""

    def __init__(self, bestiary: CreaturePool, challenge: Challenge) -> None:
        self.bestiary, self.challenge = bestiary, challenge
        self._worths = [challenge.worth(each) for each in bestiary.candidates]
        self._ratings = [float(rating_number(each.rating) or 0) for each in bestiary.candidates]
        self._last: tuple[object, _Pool] | None = None

    @property
    def usable(self) -> tuple[Candidate, ...]:
        """The creatures that have a worth for this party."""
        pairs = zip(self.bestiary.candidates, self._worths, strict=True)
        return tuple(each for each, worth in pairs if worth)

    # Requests --------------------------------------------------------------------------------------------------------

    def suggest(self, request: SuggestionRequest) -> Suggestions:
        """Return proposals for a request, relaxed step by step if too few fit.

        Raise LookupError if a kept creature is unknown, and ValueError if the difficulty is.
        """
        first = self._answer(request)
        found, chosen = list(first.ranked), differing(good_ones(first.ranked, ODD), request.count)
        for relaxed, eased in self._eased(request):
            if len(chosen) >= request.count:
                break
            if "difficulty" in relaxed:
                chosen = differing(found, request.count, chosen)
            new = [self._marked(each, request, relaxed) for each in self._answer(eased).ranked]
            found += [each for each in new if all(each.kinds != other.kinds for other in found)]
            chosen = differing(good_ones(new, ODD), request.count, chosen)
        chosen = differing(found, request.count, chosen)
        hint = "" if found else self._hint(request)
        return Suggestions(tuple(chosen), tuple(found[:RANKED]), first.kinds, first.plans, hint)

    def nearby(self, request: SuggestionRequest, *, harder: bool) -> Iterator[Proposal]:
        """Yield proposals of the milder difficulties, or of the `harder` ones, the nearest difficulty first."""
        names = [name for name, _ in self.challenge.steps]
        at = names.index(request.difficulty)
        for name in names[at + 1 :] if harder else reversed(names[:at]):
            for each in self._answer(msgspec.structs.replace(request, difficulty=name)).ranked[:NEARBY]:
                yield msgspec.structs.replace(each, relaxed=("sum",))

    def another(self, request: SuggestionRequest, proposal: Proposal, at: int, key: str = "") -> Proposal | None:
        """Return a proposal with another kind in one slot, or None if none fits. The other slots stay.

        With a `key`, it is that kind, in the number that comes nearest to the difficulty. With the number of slots as
        `at`, a slot is added. Raise LookupError if the creature has no worth for this party.
        """
        before, after = proposal.slots[:at], proposal.slots[at + 1 :]
        if key:
            window = self.challenge.window(request.difficulty)
            tries = [
                self.proposal((*before, *self.slots(((key, count),)), *after), request)
                for count in range(1, request.foes[1] + 1)
            ]
            return min(tries, key=lambda each: (not window.holds(each.total), window.distance(each.total)))
        kept = tuple((slot.creature.path, slot.count) for slot in (*before, *after))
        eased = msgspec.structs.replace(request, kept=kept, banned=request.banned | proposal.kinds, count=1)
        bare = msgspec.structs.replace(eased, theme=msgspec.structs.replace(request.theme, habitats=()))
        for each in (eased, bare):
            if ranked := self._answer(each, kinds=1, least=1).ranked:
                return self.proposal((*before, ranked[0].slots[-1], *after), request)
        return None

    def proposal(self, slots: Sequence[ProposalSlot], request: SuggestionRequest | None = None) -> Proposal:
        """Return a proposal with these slots, for a request.

        Without a budget, its difficulty is that of the request.
        """
        theme = request.theme if request is not None else ANY_THEME
        foes = sum(slot.count for slot in slots)
        factor = self.challenge.factor(foes)
        total = sum(map(_total, slots)) * factor
        kinds = [self.bestiary.numbers[slot.creature.path] for slot in slots]
        word = encounter_budgets.threat_name(self.challenge.figures, self.challenge.steps, Fraction(total))
        if request is not None and not self.challenge.has_budget:
            word = request.difficulty
        company = self.bestiary.company(kinds, theme.habitats)
        homes = [set(slot.creature.environments) for slot in slots if slot.creature.environments]
        shared = set.intersection(*homes) if homes else set()
        asked = [place for place in theme.habitats if any(place in home for home in homes)]
        habitats = (*asked, *sorted(shared.difference(asked)))
        asks = set(theme.habitats)
        is_there = not asks or (company is not None and not asks.isdisjoint(company.environments))
        homeless = [slot.creature for slot in slots if slot.creature.environments and not is_there]
        names = ", ".join(each.name for each in homeless if asks.isdisjoint(each.environments))
        return Proposal(
            tuple(slots),
            total,
            factor,
            word,
            shape_of([(slot.worth, slot.count) for slot in slots]),
            company.name if company is not None else "",
            habitats,
            (*self._pitfalls(slots), *([Pitfall("elsewhere", (("names", names),))] if names else [])),
        )

    def slots(self, kept: Kept) -> tuple[ProposalSlot, ...]:
        """Return slots of creatures by path. Raise LookupError if one is unknown."""
        numbers = [self._number(key) for key, _ in kept]
        return tuple(self._slot(at, (self._worths[at], count)) for at, (_, count) in zip(numbers, kept, strict=True))

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
        request = replace(request, foes=(1, max(2 * request.foes[1], 2 * len(self.challenge.levels))))
        yield relaxed, request
        names = [name for name, _ in self.challenge.steps]
        at = names.index(request.difficulty)
        for near in (at - 1, at + 1):
            if 0 <= near < len(names):
                yield (*relaxed, "difficulty"), replace(request, difficulty=names[near])

    @staticmethod
    def _marked(proposal: Proposal, request: SuggestionRequest, relaxed: Iterable[str]) -> Proposal:
        """Return a proposal with those steps of relaxing that it needed."""
        asked, (least, most) = set(request.theme.habitats), request.foes
        needed = {
            "habitats": any(asked.isdisjoint(slot.creature.environments) for slot in proposal.slots),
            "foes": not least <= proposal.foes <= most,
            "difficulty": proposal.difficulty != request.difficulty,
        }
        return msgspec.structs.replace(proposal, relaxed=tuple(step for step in relaxed if needed[step]))

    def _hint(self, request: SuggestionRequest) -> str:
        """Return the part of a request that leaves nothing, if the rest would do."""
        replace = msgspec.structs.replace
        bare = {"words": replace(request, theme=ANY_THEME), "kept": replace(request, kept=())}
        return next((name for name, each in bare.items() if each != request and self._answer(each).ranked), "")

    # Search ----------------------------------------------------------------------------------------------------------

    def _answer(self, request: SuggestionRequest, kinds: int = MOST_KINDS, least: int = 0) -> Suggestions:
        """Return the best proposals for a request as it is. At least `least` kinds are added to the kept ones."""
        rng, window = random.Random(request.seed), self.challenge.window(request.difficulty)
        pool, kept = self._pool(request), self.slots(request.kept)
        there = sum(slot.count for slot in kept), sum(slot.worth * slot.count for slot in kept)
        factors = [self.challenge.factor(foes) for foes in range(max(request.foes[1], there[0]) + 1)]
        most = min(kinds, max(1, MOST_KINDS - len(kept)))
        plans = worth_plans(pool.by_worth, window, factors, request.foes, there, most)
        scored: list[tuple[float, tuple[int, ...], tuple[ProposalSlot, ...]]] = []
        for plan in self._likely(plans, window, least, rng):
            for team in self._teams(plan, pool, tuple(self._number(slot.creature.path) for slot in kept), rng):
                slots = (*kept, *(self._slot(*pair) for pair in zip(team[len(kept) :], plan.slots, strict=True)))
                score = self._score(team, slots, pool, request.theme) - self._off(plan, window)
                scored.append((score + self.bestiary.taste.of("luck") * rng.gauss(0, 1), team, slots))
        best: dict[frozenset[int], Proposal] = {}
        for score, team, slots in sorted(scored, key=lambda each: -each[0]):
            if score > _HOPELESS and frozenset(team) not in best and len(best) < 2 * RANKED:
                made = self.proposal(slots, request)
                marks = {"kept": frozenset(dict(request.kept)), "is_themed": bool(request.theme.words)}
                best[frozenset(team)] = msgspec.structs.replace(made, score=round(score, 6), **marks)
        ranked = list(best.values())
        chosen = differing(ranked, request.count)
        whole = (*chosen, *(each for each in ranked if each not in chosen))[:RANKED]
        return Suggestions(tuple(chosen), whole, sum(map(len, pool.by_worth.values())), len(plans))

    def _off(self, plan: WorthPlan, window: WorthWindow) -> float:
        return self.bestiary.taste.of("near" if self.challenge.has_budget else "near-guess") * window.distance(
            plan.total
        )

    def _likely(
        self, plans: Iterable[WorthPlan], window: WorthWindow, least: int, rng: random.Random
    ) -> list[WorthPlan]:
        """Return the best plans: a few of each shape and leading worth."""
        long = [plan for plan in plans if len(plan.slots) >= least]
        groups = grouped(((shape_of(plan.slots), plan.slots[0][0] if plan.slots else 0.0), plan) for plan in long)
        rated = []
        for (shape, _), group in groups.items():
            group.sort(key=lambda plan: (window.distance(plan.total), len(plan.slots)))
            for place, plan in enumerate(group[:PLANS_EACH]):
                worth = self.bestiary.taste.shape(shape) - self._off(plan, window)
                rated.append((0.15 * place - worth - 0.3 * rng.random(), plan))
        return [plan for _, plan in sorted(rated, key=lambda each: each[0])[:MOST_PLANS]]

    def _pool(self, request: SuggestionRequest) -> _Pool:
        """Return the candidates for a request. Those that only keep company with its theme aren't its core.

        Companions of the kept creatures may come from elsewhere.
        """
        theme, banned, kept = request.theme, request.banned, frozenset(dict(request.kept))
        if self._last is None or self._last[0] != (theme, banned, kept):
            pool, bestiary, strongest = _Pool(set(), {}), self.bestiary, self.challenge.strongest
            friends = {company.id for path in kept for company in bestiary.guests[bestiary.numbers[path]]}
            for number, (each, worth) in enumerate(zip(bestiary.candidates, self._worths, strict=True)):
                if worth <= 0 or each.path in banned or self._ratings[number] > strongest:
                    continue
                words, guest = bestiary.words[number], bestiary.guests[number]
                is_friend = each.path in kept or any(company.id in friends for company in guest)
                fits = theme.says(words, theme.habitats if is_friend else each.environments)
                if not (fits or any(theme.says(company.words, company.environments) for company in guest)):
                    continue
                if theme.excludes(words, each.environments) or not self._may_come(each, words, theme, fits=fits):
                    continue
                pool.by_worth.setdefault(worth, []).append(number)
                if fits:
                    pool.core.add(number)
            self._last = (theme, banned, kept), pool
        return self._last[1]

    def _may_come(self, each: Candidate, words: frozenset[str], theme: SuggestionTheme, *, fits: bool) -> bool:
        """Return whether a creature may be offered: good and unique ones only by name, fish only in water."""
        gentle = self.bestiary.taste.gentle.get(each.type)
        is_named = fits and (theme.names(words - {each.type}) or gentle == frozenset()) and bool(theme.words)
        if each.swims_only and _WATER.isdisjoint(theme.habitats) and not (is_named and not theme.habitats):
            return False
        return is_named or not (GOOD in words or UNIQUE in each.tags)

    def _teams(
        self, plan: WorthPlan, pool: _Pool, kept: tuple[int, ...], rng: random.Random
    ) -> Iterator[tuple[int, ...]]:
        """Yield candidates for a plan: several leaders, each with the followers that fit it best."""
        for leader in _some(pool.by_worth[plan.slots[0][0]], LEADERS, rng) if plan.slots else ():
            team = [*kept, leader]
            for worth, _ in plan.slots[1:]:
                others = [kind for kind in _some(pool.by_worth[worth], FOLLOWERS, rng) if kind not in team]
                fits = [sum(self.bestiary.fit(kind, other) for other in team) for kind in others]
                team += [others[fits.index(max(fits))]] if others else []
            if len(team) == len(kept) + len(plan.slots) and leader not in kept:
                yield tuple(team)
        if not plan.slots:
            yield kept

    def _score(self, team: Sequence[int], slots: Sequence[ProposalSlot], pool: _Pool, theme: SuggestionTheme) -> float:
        """Return the score of a team, without its sum."""
        taste, count, total = self.bestiary.taste, sum(slot.count for slot in slots), sum(map(_total, slots))
        core = [slot for kind, slot in zip(team, slots, strict=True) if kind in pool.core]
        share = sum(slot.count for slot in core) / count
        fits = [self.bestiary.fit(one, other) for one, other in combinations(team, 2)]
        score = taste.shape(shape_of([(slot.worth, slot.count) for slot in slots]))
        score += sum(fits) / len(fits) if fits else taste.of("alone")
        score += taste.of("misfit") if fits and min(fits) < _FITS else 0
        if theme.words or theme.habitats:
            score += taste.of("theme") * share if core else 2 * _HOPELESS
            score += taste.of("off-theme") if max(share, sum(map(_total, core)) / total) < _MOSTLY else 0
        score += taste.of("each-role") * (len({slot.creature.role for slot in slots}) - 1)
        score += taste.of("many-kinds") * max(0, len(slots) - 2)
        return score + sum(pitfall.cost for pitfall in self._pitfalls(slots))

    def _slot(self, number: int, planned: tuple[float, int]) -> ProposalSlot:
        return ProposalSlot(self.bestiary.candidates[number], planned[1], planned[0])

    def _number(self, key: str) -> int:
        number = self.bestiary.numbers[key]
        if not self._worths[number]:
            raise LookupError(key)
        return number

    def _pitfalls(self, slots: Sequence[ProposalSlot]) -> Iterator[Pitfall]:
        """Yield the weaknesses of a proposal. Those without a text only lower the score."""
        taste, level, size = self.bestiary.taste, self.challenge.level, len(self.challenge.levels)
        by_rating = self.challenge.figures.worth != "gap"
        foes = sum(slot.count for slot in slots)
        for slot in slots:
            each, rating = slot.creature, float(rating_number(slot.creature.rating) or 0)
            name = ("name", each.name)
            if each.sketch.largest > self.challenge.frailest:
                params = (name, ("damage", round(each.sketch.largest)), ("hp", round(self.challenge.frailest)))
                yield Pitfall("dangerous", params, taste.of("dangerous"))
            if by_rating and rating > level + 2:
                yield Pitfall("above", (name, ("rating", each.rating)), taste.of("above"))
            if by_rating and not rating and each.role != "swarm":
                yield Pitfall("nobody" if slot.count > 2 else "", (name,), taste.of("nobody"))
            if slot.count > MOST_CASTERS and each.role in CASTERS:
                yield Pitfall("casters", (("n", slot.count), name), taste.of("casters"))
            if each.swims_only:
                yield Pitfall("swims", (name,), taste.of("swims-only"))
            if each.path in self.bestiary.harmless:
                yield Pitfall("", (), taste.of("harmless"))
            if slot.count > 1 and (each.leads or each.role == "boss"):
                yield Pitfall("leaders" if each.leads else "", (name,), taste.of("leaders" if each.leads else "bosses"))
        damage = sum(slot.count * slot.creature.sketch.damage for slot in slots)
        if damage > _ALL_DOWN * size * self.challenge.frailest:
            yield Pitfall("burst", (("damage", round(damage)),), taste.of("burst"))
        if foes == 1 and not slots[0].creature.leads:
            yield Pitfall("acts-once", (("n", size),), taste.of("acts-once"))
        if foes > 2 * size:
            is_sturdy = any(slot.count > 3 and slot.creature.sketch.hp > 6 * level + 6 for slot in slots)
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


def good_ones(proposals: Sequence[Proposal], points: float = DULL) -> list[Proposal]:
    """Return the proposals whose scores are close to the best one: at most `points` lower."""
    least = max((each.score for each in proposals), default=0) - points
    return [each for each in proposals if each.score >= least]


def differing(proposals: Sequence[Proposal], count: int, before: Sequence[Proposal] = ()) -> list[Proposal]:
    """Return the first proposals that differ, after those `before`: in shape, kinds and type, or else in kinds.

    Proposals that are much worse than the best one come last.
    """
    chosen = list(before)
    for some in (good_ones(proposals), proposals):
        for grade in (3, 2, 1):
            for each in some:
                if len(chosen) < count and all(_difference(each, other) >= grade for other in chosen):
                    chosen.append(each)
    return chosen


def off_band(band: DifficultyBand, chance: float) -> int:
    """Return the distance of a chance to win from the promise of a difficulty, in percent. Below 0, the fight is harder."""
    percent = round(100 * chance)
    return min(0, percent - band.least) or max(0, percent - band.most)


def by_chance(judged: Sequence[tuple[Proposal, float]], band: DifficultyBand, count: int) -> list[Proposal]:
    """Return the best proposals by their chances to win: those that keep the promise, then those that nearly do.

    Proposals that are much worse than the best one come last. If a chance is far from the promise, it doesn't matter how far.
    """
    whole = [each for each, _ in judged]
    good = good_ones(whole)
    fair = [each for each in whole if each.score >= SOUND or each in good_ones(whole, ODD)]
    off = {id(each): min(FAR, abs(off_band(band, chance))) for each, chance in judged}
    ranked = sorted(whole, key=lambda each: (each not in good, len(each.relaxed), off[id(each)], -each.score))
    chosen: list[Proposal] = []
    for most in (0, NEAR_BAND):
        chosen = differing([each for each in ranked if off[id(each)] <= most and each in fair], count, chosen)
    return differing([each for each in ranked if each not in chosen], count, chosen)


def _difference(one: Proposal, other: Proposal) -> int:
    """Return a grade from 0 for proposals with nearly the same kinds to 3 for very different ones."""
    shared = (one.kinds & other.kinds) - one.kept
    if len(shared) > 1 or one.kinds == other.kinds:
        return 0
    same_type = not one.is_themed and one.slots[0].creature.type == other.slots[0].creature.type
    is_alike = one.shape == other.shape or same_type or bool(one.company and one.company == other.company)
    return 1 if shared else 2 if is_alike else 3


def _total(slot: ProposalSlot) -> float:
    return slot.count * slot.worth


def _some(values: Sequence[int], most: int, rng: random.Random) -> Sequence[int]:
    return rng.sample(values, most) if len(values) > most else values
