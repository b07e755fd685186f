"""How well creatures fit each other and a theme: the candidates of suggestions, and their company."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

import msgspec

from turnwright.encounter.prepared import ELITE
from turnwright.encounter.state import grouped
from turnwright.rules.parts.preparation.creature_roles import Sketch
from turnwright.rules.system_data.preparation import Company

_WORD: Final = re.compile(r"[a-z]{3,}")
_LONG: Final = 4  # a shorter word has to be a whole word of a name
_MOST_KEPT: Final = 300_000
Pair = tuple[str, str]
GOOD: Final = "good"  # an alignment


class CountdownModel(msgspec.Struct, frozen=True):
    """A countdown that can be added to a suggestion: its name, its dice, and the effect when it ends.

    `words` are the habitats, types and tags that it fits. Without any, it fits every fight.
    """

    name: str
    dice: int
    text: str
    words: tuple[str, ...] = ()


class SuggestTaste(msgspec.Struct, frozen=True):
    """The weights by which kinds of creatures are combined, for all games, in hundredths.

    `weights` are those of single properties, and `shapes` those of the shapes of an encounter. `roles` are those of two
    roles. `friends` are the types of creatures that are met together. `dull_tags` and `dull_words` (in names) say nothing
    about kinship, and `harmless` ones name creatures that rarely fight.
    `gentle` are the types of creatures without an alignment that are good, all or those with these words. `clash` are
    words of creatures that never fight side by side. `families` are words of themes, each with the words in names that belong to it. `places` are the ids of environments by habitat, and
    `countdowns` are models by id.
    """

    weights: dict[str, int]
    shapes: dict[str, int]
    roles: tuple[tuple[str, str, int], ...]
    friends: tuple[Pair, ...]
    dull_tags: frozenset[str]
    dull_words: frozenset[str]
    harmless: frozenset[str]
    gentle: dict[str, frozenset[str]]
    clash: tuple[Pair, ...]
    families: dict[str, frozenset[str]]
    places: dict[str, tuple[str, ...]]
    countdowns: dict[str, CountdownModel]

    def of(self, name: str) -> float:
        """Return a weight."""
        return self.weights[name] / 100

    def shape(self, name: str) -> float:
        """Return the weight of a shape."""
        return self.shapes.get(name, 0) / 100


class Candidate(msgspec.Struct, frozen=True):
    """A creature that may be suggested, as in the library's list. It is known by its `path`."""

    path: str
    id: str
    name: str
    rating: str = ""
    type: str = ""
    tags: tuple[str, ...] = ()
    role: str = ""
    """Its role, or the one derived from its numbers."""
    environments: tuple[str, ...] = ()
    alignment: str = ""
    xp: int = 0
    """The experience points that its source states, or 0."""
    legendary: int = 0
    swims_only: bool = False
    """Whether it can hardly leave the water."""
    sketch: Sketch = Sketch()
    """The numbers that suggestions compare."""

    @property
    def leads(self) -> bool:
        """Whether it can fight a party alone, because it acts several times a round or counts as two."""
        return self.legendary > 0 or ELITE in self.tags

    @property
    def words(self) -> frozenset[str]:
        """The words by which a theme finds it: those of its name, its type, its role and its tags, in lower case."""
        return frozenset(
            (*re.findall(r"[a-z]+", self.name.casefold()), self.type, self.role, *map(str.casefold, self.tags))
        )


class SuggestionTheme(msgspec.Struct, frozen=True):
    """A theme: words (a type, a tag or a word of a name), habitats, and words and habitats that don't fit."""

    words: tuple[str, ...] = ()
    habitats: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    def says(self, words: Collection[str], habitats: Collection[str]) -> bool:
        """Return whether words and habitats fit the theme."""
        if self.words and not self.names(words):
            return False
        return not self.habitats or not set(self.habitats).isdisjoint(habitats)

    def names(self, words: Collection[str]) -> bool:
        """Return whether one of the theme's words is among these."""
        return any(_named(word, words) for word in self.words)

    def excludes(self, words: Collection[str], habitats: Collection[str]) -> bool:
        """Return whether something doesn't fit the theme."""
        return any(_named(word, words) or word in habitats for word in self.excluded)


def _bare(name: str) -> str:
    """Return a name without the form or the variant behind it."""
    return name.partition(",")[0].partition(" (")[0]


def _sides(each: Candidate, taste: SuggestTaste) -> Iterator[str]:
    """Yield the last word of a creature's alignment, such as "evil". Without an alignment, yield "good" for good ones."""
    gentle = taste.gentle.get(each.type)
    if each.alignment:
        yield each.alignment.rpartition(" ")[2]
    elif (gentle is not None and not (gentle and gentle.isdisjoint(each.words))) or "holy" in each.words:
        yield GOOD


def _named(word: str, words: Collection[str]) -> bool:
    return word in words or (len(word) >= _LONG and any(each.startswith(word) for each in words))


class CreaturePool:
    """The candidates of a game with their companies. Keep it for several suggestions: it remembers how kinds fit."""

    def __init__(self, candidates: Iterable[Candidate], companies: Sequence[Company], taste: SuggestTaste) -> None:
        self.candidates = tuple(sorted(candidates, key=lambda each: (each.name.casefold(), each.id)))
        self.companies, self.taste = tuple(companies), taste
        unsaid = taste.dull_words & {each.type for each in self.candidates}  # a giant toad is not a giant
        self.words = tuple(
            each.words - unsaid
            | {each.type, *_sides(each, taste)}
            | {family for family, names in taste.families.items() if names & each.words}
            for each in self.candidates
        )
        self.harmless = frozenset(
            each.path for each, words in zip(self.candidates, self.words, strict=True) if words & taste.harmless
        )
        self._roles = {frozenset(pair[:2]): pair[2] for pair in taste.roles}
        self._friends = {frozenset(pair) for pair in taste.friends}
        self._kept: dict[int, float] = {}
        self._kinds: dict[tuple[str, str, str, str], int] = {}

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each candidate by its path."""
        return {each.path: number for number, each in enumerate(self.candidates)}

    @cached_property
    def guests(self) -> tuple[tuple[Company, ...], ...]:
        """The companies of each candidate."""
        member = grouped((kind, company) for company in self.companies for kind in company.kinds)
        return tuple(tuple(member.get(each.id, ())) for each in self.candidates)

    @cached_property
    def _marks(self) -> tuple[tuple[frozenset[str], ...], ...]:
        """The habitats, the tags, the words of the name, the companies, and the words of opponents of each candidate."""
        dull_tags, dull_words = self.taste.dull_tags, self.taste.dull_words
        return tuple(
            (
                frozenset(each.environments),
                frozenset(map(str.casefold, each.tags)) - dull_tags,
                frozenset(_WORD.findall(each.name.casefold())) - dull_words,
                frozenset(company.id for company in guest),
                frozenset(pair[1 - at] for pair in self.taste.clash for at in (0, 1) if pair[at] in words),
            )
            for each, guest, words in zip(self.candidates, self.guests, self.words, strict=True)
        )

    @cached_property
    def _promised(self) -> Mapping[str, frozenset[str]]:
        """The words of kinds in each company's name."""
        by_id = {each.id: words for each, words in zip(self.candidates, self.words, strict=True)}
        return {
            company.id: frozenset(
                word
                for said in _WORD.findall(company.name.casefold())
                for word in (said, said.removesuffix("s"))
                if len(word) >= _LONG and any(word in by_id.get(kind, ()) for kind in company.kinds)
            )
            for company in self.companies
        }

    def fit(self, one: int, other: int) -> float:
        """Return the affinity of two candidates: the higher, the better they fit."""
        key = one * 65_536 + other if one < other else other * 65_536 + one
        known = self._kept.get(key)
        if known is None:
            if len(self._kept) > _MOST_KEPT:
                self._kept.clear()
            known = self._kept[key] = self._fit(one, other)
        return known

    def _fit(self, one: int, other: int) -> float:
        a, b, weights = self.candidates[one], self.candidates[other], self.taste.weights
        mine, yours = self._marks[one], self._marks[other]
        key = (a.role, b.role, a.type, b.type)
        if key not in self._kinds:
            self._kinds[key] = self._fit_of_kinds(*key)
        fit: float = self._kinds[key]
        is_kin, is_company = not mine[2].isdisjoint(yours[2]), not mine[3].isdisjoint(yours[3])
        kin = weights.get(f"kin-{a.type}", weights["kin"]) if a.type == b.type else weights["kin"]
        fit += weights["company"] * is_company + kin * is_kin
        fit += 0 if mine[4].isdisjoint(self.words[other]) else weights["clash"]
        fit += weights["same"] * (_bare(a.name) == _bare(b.name))
        fit += 0 if mine[1].isdisjoint(yours[1]) else weights["tag"]
        if a.type == b.type and not (is_kin or is_company):
            fit += weights.get(f"strange-{a.type}", 0)
        if mine[0] and yours[0]:
            shared = 2 * len(mine[0] & yours[0]) / max(len(mine[0]), len(yours[0]))
            fit += min(1.0, shared) * weights["habitat"] if shared else weights["no-habitat"]
        return (fit + weights["swims"] * (a.swims_only != b.swims_only)) / 100

    def _fit_of_kinds(self, role: str, other_role: str, type: str, other_type: str) -> int:
        weights = self.taste.weights
        fit = self._roles.get(
            frozenset((role, other_role)), weights["same-role" if role == other_role else "other-role"]
        )
        if type == other_type:
            return fit + weights.get(f"both-{type}", weights["both"])
        return fit + weights["friends" if frozenset((type, other_type)) in self._friends else "strangers"]

    def company(self, kinds: Sequence[int], habitats: Collection[str] = ()) -> Company | None:
        """Return the company that has all these kinds, preferably one of these habitats and with few kinds, or None.

        A company whose name speaks of a creature that isn't among them doesn't count.
        """
        shared = set.intersection(*({company.id for company in self.guests[kind]} for kind in kinds)) if kinds else ()
        there = frozenset[str]().union(*(self.words[kind] for kind in kinds))
        found = [each for each in self.companies if each.id in shared and self._promised[each.id] <= there]
        return min(
            found,
            key=lambda each: (set(habitats).isdisjoint(each.environments), len(each.kinds), each.id),
            default=None,
        )
