"""Reads the options of multiattacks. Each option lists features of the creature and the number of uses.

The prose is searched for names of the creature's features, the numbers before them, and the conjunctions between them.
`two claw or tail attacks` and `in any combination` allow every combination. `it can replace one attack with …` adds an
option for each replacement. A sentence that is conditional, or mentions something that the creature doesn't have, is
reported and kept as text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain, combinations_with_replacement, islice
from typing import Final, NamedTuple

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.encounter.state import grouped
from turnwright.importers.statblock_text.damage import NUMBERS
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.storage.fights import ConversionReport

MAX_OPTIONS: Final = 24
_LONGEST: Final = 2_000
_RE: Final = Patterns("prose_multiattacks")
MultiattackOption = dict[int, int]
_USES: Final = frozenset({"use", "uses", "cast", "casts"})
_VERB: Final = ("attack",)  # a name that is the verb of these sentences, and so is never meant by the word
_JOINTS: Final = frozenset({",", ";"})
_GENERIC: Final = frozenset({"melee", "ranged", "weapon", "spell"})
_LATER: Final = frozenset({"legendary", "lair"})  # these features only match if no other has the name
_WHOSE: Final = frozenset({"its", "their", "his", "her"})
_NO_FEATURES: Final[frozenset[str]] = frozenset(terms("prose_multiattacks", "no_features"))
Names = dict[str, list[tuple[tuple[str, ...], int]]]


def read_multiattack(feature: Feature, features: tuple[Feature, ...], report: ConversionReport) -> Feature:
    """Return a multiattack with its options, or the unchanged feature if its prose mentions none."""
    others = tuple([
        MentionableFeature(
            other.name, "" if other is feature else other.cost, other.attack is not None and other.level is None, other.reach > 0,
            other.range != "", "spell" in other.properties,
        )
        for other in features
    ])  # fmt: skip
    ways, attacks, whole = _ways(feature.text, others) if len(feature.text) <= _LONGEST else ((), 0, False)
    if not whole:
        why = "multiattack only partly understood; see the text"
        report.add_note(f"{feature.name}: multiattack", feature.text, why)
    if not attacks:
        return feature
    tables = tuple(tuple((features[at].id, n) for at, n in way) for way in ways)
    read_too = ("multiattack", "attacks") if tables else ("attacks",)
    return msgspec.structs.replace(feature, multiattack=tables, attacks=attacks, read=(*feature.read, *read_too))


@lru_cache(maxsize=1024)
def _ways(
    text: str, features: tuple[MentionableFeature, ...]
) -> tuple[tuple[tuple[tuple[int, int], ...], ...], int, bool]:
    """Return the options by feature index, the most attacks in one option, and whether all was understood."""
    reading = _Reading(features)
    whole = True
    for sentence in _RE.sentence.split(text.lower()):
        whole = reading.take(sentence) and whole
        if reading.wrong:
            return (), reading.wrong, False
        if len(reading.ways) > MAX_OPTIONS:
            return (), reading.most(), False
    tables = tuple(dict.fromkeys(tuple((at, n) for at, n in way.items() if n) for way in reading.ways if way))
    most = reading.most()
    if not most and (several := _RE.several.search(text.lower())):
        most = NUMBERS[several[1]]
    return tables, most, whole


class _Reading:
    """The options found in a multiattack so far. Methods return whether everything was understood."""

    __slots__ = ("features", "names", "total", "ways", "wrong")

    def __init__(self, features: tuple[MentionableFeature, ...]) -> None:
        self.features = features
        self.names = names_by_first_word(features)
        self.ways: list[MultiattackOption] = []
        self.total = 0  # of the sentence before, if it has no parts
        self.wrong = 0  # the total of a sentence that lists another number of attacks

    def _attacks(self, way: MultiattackOption, items: Sequence[Mention]) -> int:
        """Return the attacks of an option. Features used in addition to attacks are not counted."""
        used = {at for item in items for at in item.candidates if item.is_used and not self.features[at].has_attack}
        return sum(n for at, n in way.items() if at not in used)

    def most(self) -> int:
        """Return the most attacks in one option."""
        attacks = (sum(n for at, n in way.items() if self.features[at].has_attack) for way in self.ways)
        counts = [n or sum(way.values()) for n, way in zip(attacks, self.ways, strict=True)]
        return min(max(counts, default=0), 100)

    def _mentions(self, words: str) -> list[Mention]:
        return mentions_in(words, self.names, self.features)

    def take(self, sentence: str) -> bool:
        """Add the options of a sentence."""
        sentence = _RE.available.sub("", _RE.subject.sub("", sentence))
        if (others := _RE.others.search(sentence)) and not self.ways:
            return self._add_others(sentence[: others.start()], f"makes {others['count']} attacks{others['which']}")
        if rolled := _RE.rolled.search(sentence):
            each_roll = [_Reading(self.features) for _ in range(int(rolled["most"]))]
            whole = all(one.take(_RE.rolled.sub(str(n), sentence)) for n, one in enumerate(each_roll, 1))
            self.ways += [way for one in each_roll for way in one.ways]
            return whole
        if each := _RE.each.search(sentence):
            return self._replace_each(sentence, each)
        if _RE.instead.search(sentence):
            return self._replace(sentence)
        if limited := _RE.limited.search(sentence):
            return self._limit(sentence, limited)
        sentence, differs = _RE.different.subn("", sentence)
        sentence, apart = _RE.targets.subn("", sentence)
        if _RE.odd.search(sentence):
            return False
        items = self._mentions(sentence)
        if _RE.if_.search(sentence):
            return not items
        if not items:
            return not re.search(r"\battacks?\b(?! like)|\buses?\b", sentence) or "any combination" in sentence
        if apart and len(items) < 2:
            return False
        own = items[0].has_own_count and all(item.has_own_count for item in items)
        if own and self.total and NUMBERS.get(sentence.split(" ", 1)[0]) and sum(n.count for n in items) == self.total:
            self.ways = []  # `attacks twice. Once with its bite and once with its spear`
        said = _said(sentence, items)
        self.total = said if len(items) == 1 and items[0].is_any else 0
        options = [way for way in _ways_of(items) if not differs or max(way.values()) == 1]
        first = _ways_of(_first_of(items)) if said else []
        if any(self._attacks(way, items) != said for way in first):
            self.ways = []
            self.wrong = said
            return False
        if _RE.else_.search(sentence) or not self.ways:
            self.ways += options
        else:
            self.ways = [_sum(way, more) for way in self.ways for more in options[:MAX_OPTIONS]]
        return not names_others(sentence, self.names)

    def _add_others(self, first: str, others: str) -> bool:
        """Add the options of `one bite attack and three other attacks, using claw or tail in any combination`."""
        rest = _Reading(self.features)
        whole = self.take(first) and rest.take(others)
        self.ways = [_sum(way, more) for way in self.ways for more in rest.ways][: MAX_OPTIONS + 1] if whole else []
        return whole and bool(self.ways)

    def _limit(self, sentence: str, limited: re.Match[str]) -> bool:
        """Add the options of a sentence in which certain features can be used at most once."""
        least = 0 if limited["none"] in ("neither", "none") else 1
        rare = {at for item in self._mentions(sentence[limited.end() :]) for at in item.candidates}
        if not rare or self.ways:
            return False
        ways = self.ways if self.take(sentence[: limited.start()]) else []
        if least and not any(at in way for way in ways for at in rare):
            return self._replace(f"replace one with {sentence[limited.end() :]}")
        self.ways = [way for way in ways if all(way.get(at, 0) <= least for at in rare)]
        return bool(self.ways)

    def _replace_each(self, sentence: str, each: re.Match[str]) -> bool:
        """Add the options of `three claw attacks, each of which it can replace with …`."""
        head = sentence[: each.start()]
        if head.strip() and not self.take(head):
            return False
        known = len(self.ways)
        for _ in range(1 if each["any"] == "one" else max((sum(way.values()) for way in self.ways), default=0)):
            if len(self.ways) > MAX_OPTIONS or not self._replace(f"replace one with {sentence[each.end() :]}"):
                break
        return len(self.ways) > known

    def _replace(self, sentence: str) -> bool:
        """Add the options in which another feature replaces one of the attacks."""
        place = _RE.place.search(sentence)
        if place:
            head, tail = sentence[: place.start()], sentence[place.end() :]
            cut = re.search(r"[,]|\s\s|\bit (?:can|may)\b", tail)
            old, new = (tail[: cut.start()], tail[cut.end() :]) if cut and not head.strip() else (tail, head)
        else:
            old, _, new = sentence.partition(" with ")
        fresh = dict.fromkeys(at for item in self._mentions(new) for at in item.candidates)
        if not fresh or not self.ways:
            return False
        replaced = self._mentions(old)
        if not place and not re.search(r"\bits\b|\btheir\b|\bhis\b|\bher\b|\bthe\b", old):
            every = candidates_for("", self.features)
            replaced = [item for item in replaced if len(item.candidates) == 1 and item.candidates != every]
        several = re.search(r"\b(two|three|four)\b(?: of (?:its|these|the))? attacks?\b", old)
        number = NUMBERS[several[1]] if several else 1
        added: list[MultiattackOption] = []
        counts = {at: item.count if item.has_own_count else 1 for item in replaced for at in item.candidates}
        for way in self.ways:
            for at, n in (counts if replaced else dict.fromkeys(way, number)).items():
                for other in fresh if way.get(at, 0) >= n else ():
                    option = _sum(_sum(way, {at: -n}), {other: 1})
                    added.append({index: count for index, count in option.items() if count})
        further = [way for way in added if way not in self.ways][: MAX_OPTIONS + 1]
        self.ways += further
        if further and _RE.any.search(old) and len(self.ways) <= MAX_OPTIONS:
            self._replace(sentence)
        return bool(added) and not _RE.if_.search(sentence)


def _sum(first: MultiattackOption, other: MultiattackOption) -> MultiattackOption:
    return first | {at: first.get(at, 0) + n for at, n in other.items()}


def _said(sentence: str, items: Sequence[Mention]) -> int:
    """Return the total that a sentence says before `attacks`, or 0 if it says none or adds others to it."""
    found = _RE.said.search(sentence)
    adds = found and found["with"] and sum(item.has_own_count for item in _first_of(items) if not item.is_used) > 1
    return NUMBERS.get(found["total"] or found["times"], 0) if found and not adds else 0


def _first_of(items: Sequence[Mention]) -> list[Mention]:
    return _groups_of(items)[0]


def _groups_of(items: Sequence[Mention]) -> list[list[Mention]]:
    """Return the mentions of each option. A mention with its own number after `or` begins another option."""
    groups: list[list[Mention]] = [[]]
    any_or = any(item.joiner == "or" and item.has_own_count for item in items)
    for item in items:
        apart = item.has_own_count and groups[-1] and (item.joiner == "or" or (any_or and item.joiner == ","))
        if apart:
            groups.append([])
        groups[-1].append(item)
    return groups


def _ways_of(items: Sequence[Mention]) -> list[MultiattackOption]:
    """Return the options of mentions joined by `and` or `or`."""
    options: list[MultiattackOption] = []
    for group in _groups_of(items):
        ways: list[MultiattackOption] = [{}]
        for item in group:
            mixtures = _mixtures(item)
            ways = [_sum(way, mixture) for way in ways for mixture in mixtures][: MAX_OPTIONS + 1]
        options += ways
    return options


def _mixtures(item: Mention) -> list[MultiattackOption]:
    if len(item.candidates) == 1:
        return [{item.candidates[0]: item.count}]
    combinations = combinations_with_replacement(item.candidates, min(item.count, 12))
    return [dict(Counter(combination)) for combination in islice(combinations, MAX_OPTIONS + 1)]


class MentionableFeature(NamedTuple):
    """The properties of a feature that matter when a multiattack mentions it."""

    name: str
    cost: str
    has_attack: bool
    is_melee: bool
    is_ranged: bool
    is_spell: bool


class Mention(msgspec.Struct):
    """A mention of features, of which `count` are used in total.

    `has_own_count`: the count belongs to this mention only. `shares_count`: the count is the total in `two attacks
    with …`. `is_any`: it names no feature. `is_used`: it is used in addition to attacks.
    """

    count: int
    candidates: list[int]
    joiner: str
    has_own_count: bool
    shares_count: bool = False
    is_any: bool = False
    is_used: bool = False


def names_by_first_word(features: Sequence[MentionableFeature]) -> Names:
    """Group the features that can be mentioned by the first word of their names, longest names first."""
    names: Names = {}
    later: list[tuple[tuple[str, ...], int]] = []
    for at, feature in enumerate(features):
        if not feature.cost or (feature.cost == "trait" and not feature.has_attack and "pell" not in feature.name):
            continue
        words = _called(feature.name)
        if feature.cost in _LATER:
            later.append((words, at))
        elif words and not any(words == other for other, _ in names.get(words[0], ())):
            names.setdefault(words[0], []).append((words, at))
            noun = _called(feature.name.partition(",")[0])
            if len(noun) < len(words) and not any(noun == other for other, _ in names.get(noun[0], ())):
                names[noun[0]].append((noun, at))
    for words, at in later:
        if words:
            names.setdefault(words[0], [(words, at)])
    every = chain.from_iterable(names.values())
    last = ((words[-1], at) for words, at in every if len(words) > 1 and features[at].has_attack)
    for word, places in grouped(last).items():
        if len(places) == 1 and word not in _NO_FEATURES:
            names.setdefault(word, [((word,), places[0])])
    for entries in names.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return names


@lru_cache(maxsize=2048)
def _called(name: str) -> tuple[str, ...]:
    """Return the words of a name, without text in brackets."""
    return tuple(_stem(word) for word in _RE.word.findall(name[:200].partition("(")[0].lower()) if word[0].isalpha())


def _stem(word: str) -> str:
    plain = word.replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")
    return plain[:-1] if len(plain) > 3 and plain[-1] == "s" and plain[-2] != "s" else plain


def mentions_in(sentence: str, names: Names, features: Sequence[MentionableFeature]) -> list[Mention]:
    """Return the mentions in a lower-case sentence, in order."""
    words = _RE.word.findall(sentence)
    items: list[Mention] = []
    number, joint, total, loose, shared, used = 0, "", 0, False, False, False
    at = 0
    while at < len(words):
        word = words[at]
        here = _named(words, at, names)
        if here is not None:
            length, who = here
            after = _times(words, at + length)
            count = after or number or int(used)
            if not count and joint == "or" and items:
                while len(items) > 1 and items[-1].joiner == "," and not items[-1].has_own_count:
                    items[-2].candidates += items.pop().candidates
                items[-1].candidates.append(who)
            else:
                items.append(
                    Mention(count or 1, [who], joint, has_own_count=bool(count), shares_count=loose, is_used=used)
                )
                shared = shared or not count
            number, joint, loose, used = 0, "", False, False
            at += length
            continue
        if word in _GENERIC or word in ("attack", "attacks"):
            kind = word if word in _GENERIC else ""
            loose = number > 0
            step = at + 1 if kind else at
            ends = _ends(words[step + 1 : step + 3])
            is_counted = number and words[step : step + 1] in (["attacks"], ["attack"]) and words[at - 1] in NUMBERS
            if is_counted and ends and (candidates := candidates_for(kind, features)):
                items.append(Mention(number, candidates, joint, has_own_count=True, is_any=True))
                number, joint = 0, ""
                at = step + 1
                continue
        if word in NUMBERS or word.isdecimal():
            number = NUMBERS.get(word) or min(int(word[:4]), 100)
            total = total or number
        elif word in _USES:
            used = True
        elif word == "or":
            joint = "or"
        elif word in ("and", "then", "plus"):
            joint = "and" if joint != "or" else joint
        elif word in _JOINTS or word.isspace():
            joint = joint or ","
        at += 1
    items = _without_totals(items)
    if ("combination" in words or "or both" in sentence) and items and total:
        candidates = list(dict.fromkeys(at for item in items for at in item.candidates))
        return [Mention(total, candidates, "", has_own_count=True)]
    if not items and total > 0 and words[-1] not in _JOINTS and "attacks" in words:
        candidates = candidates_for("melee" if "melee" in words and "ranged" not in words else "", features)
        return [Mention(total, candidates, "", has_own_count=True, is_any=True)] if candidates else []
    return _shared(items, total) if shared else items


def _without_totals(items: list[Mention]) -> list[Mention]:
    """Leave out a total before what it consists of: `three attacks; two with its claws and one with its bite`."""
    for at, item in enumerate(items):
        rest = items[at + 1 :]
        first = _first_of(rest) if item.is_any and rest and rest[0].joiner != "or" else []
        parts = [part for part in first if not part.is_used]
        if parts and all(part.has_own_count for part in parts) and sum(part.count for part in parts) == item.count:
            return [*items[:at], *items[at + 1 :]]
    return items


def names_others(sentence: str, names: Names) -> bool:
    """Whether a lower-case sentence mentions something that belongs to the creature but isn't one of its features."""
    words = _RE.word.findall(sentence)
    return any(
        word in _WHOSE and words[at + 1] not in _NO_FEATURES and _named(words, at + 1, names) is None
        for at, word in enumerate(words[:-1])
    )


def _ends(words: Sequence[str]) -> bool:
    """Whether `two attacks` isn't followed by a feature, but by nothing, `or one …` or `, and …`."""
    first, second = (*words, "or", "or")[:2]
    joins = first in _JOINTS or first.isspace()
    return first in ("or", "and", "then") or (joins and (second in NUMBERS or second in ("or", "and", "then", "uses")))


def _shared(items: list[Mention], total: int) -> list[Mention]:
    """Share a total between mentions: `two attacks with its bite and claws` means one of each."""
    first, *others = items
    is_alone = not any(item.has_own_count or len(item.candidates) > 1 for item in others)
    if first.has_own_count and first.shares_count and first.count == total == len(items) and is_alone:
        for item in items:
            item.count = 1
    return items


def _named(words: Sequence[str], at: int, names: Names) -> tuple[int, int] | None:
    """Return the length in words of the feature name at a position, and the feature's index, or None."""
    for phrase, who in names.get(_stem(words[at]), ()):
        if phrase == _VERB:
            continue
        if len(phrase) == 1 or tuple(_stem(word) for word in words[at : at + len(phrase)]) == phrase:
            return len(phrase), who
    return None


def _times(words: Sequence[str], at: int) -> int:
    """Return the number after a name, such as `twice` or `three times`, or 0."""
    word, *following = words[at : at + 2] or [""]
    return NUMBERS.get(word, 0) if word in ("once", "twice", "thrice") or following == ["times"] else 0


def candidates_for(kind: str, features: Sequence[MentionableFeature]) -> list[int]:
    """Return the indexes of the attacks that match `melee`, `ranged`, `spell` or another word."""
    attacks = [at for at, one in enumerate(features) if one.has_attack and one.cost == "action"]
    fits: dict[str, Callable[[MentionableFeature], bool]] = {
        "melee": lambda one: one.is_melee, "ranged": lambda one: one.is_ranged, "spell": lambda one: one.is_spell,
        "weapon": lambda one: not one.is_spell,
    }  # fmt: skip
    is_kind = fits.get(kind, bool)
    return [at for at in attacks if "pellcasting" not in features[at].name and is_kind(features[at])]
