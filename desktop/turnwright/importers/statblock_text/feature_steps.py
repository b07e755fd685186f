"""Reads the steps of a feature from its prose: attacks, other features, moves, actions and checks.

A text is read completely or not at all. If a clause isn't understood, the whole text is left to the game master.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from turnwright.encounter.prepared import ANY_ATTACK, ANY_MELEE, Feature, FeatureStep
from turnwright.importers.statblock_text.damage import NUMBERS
from turnwright.importers.vocabulary import Patterns, terms

_MAX_LENGTH: Final = 1_200  # texts that only list steps are short
_COSTS: Final = frozenset({"action", "bonus", "reaction", "legendary", "lair", "free"})
_LATER: Final = frozenset({"legendary", "lair"})
_NOT_ITSELF: Final[frozenset[str]] = frozenset(terms("prose_steps", "not_itself"))
_ABILITIES: Final[Mapping[str, str]] = terms("prose_steps", "abilities")
_TIMES: Final = {"": 1, "once": 1, "twice": 2, "three times": 3}
_RE: Final = Patterns("prose_steps", abilities="|".join(_ABILITIES))
_CLAUSES: Final = (
    _RE.attacks,
    _RE.with_,
    _RE.uses,
    _RE.moves,
    _RE.takes,
    _RE.plain_action,
    _RE.checks,
    _RE.casts,
    _RE.recharges,
)
_MOMENTS: Final = {"hits": "hit", "hit": "hit", "damaged": "hit", "misses": "missed", "missed": "missed", "": "hurt"}
_MELEE: Final = frozenset({"", "melee", "melee weapon", "weapon", "single"})


class GameTerms(NamedTuple):
    """The terms of a rule system in steps, keyed by lower-case name: ids of actions and spells, and checks."""

    actions: Mapping[str, str] = {}
    skills: Mapping[str, str] = {}
    strikes: bool = False
    spells: Mapping[str, str] = {}


class _Unread(Exception):
    """Raised if a clause isn't understood."""


def with_steps(features: tuple[Feature, ...], terms: GameTerms) -> tuple[Feature, ...]:
    """Return a stat block's features with the steps described in their prose."""
    return tuple(_with_steps(feature, features, terms) for feature in features)


def _with_steps(feature: Feature, features: Sequence[Feature], terms: GameTerms) -> Feature:
    is_complete = feature.does or feature.multiattack or feature.attack is not None or feature.level is not None
    if feature.cost not in _COSTS or is_complete or feature.name.startswith("Multiattack"):
        return feature
    figures = feature.save or feature.damage or feature.afflictions or feature.ongoing or feature.push
    if not feature.text or len(feature.text) > _MAX_LENGTH or (figures and " can " not in feature.text):
        return feature
    reader = _Reader(feature, features, terms)
    try:
        steps = reader.further() if figures else reader.whole()
    except _Unread:
        return feature
    changes = {"does": steps} | reader.limits
    read = tuple(dict.fromkeys((*feature.read, *changes)))
    return msgspec.structs.replace(feature, **changes, read=read) if steps else feature


@lru_cache(maxsize=4096)
def _names_of(name: str) -> tuple[str, ...]:
    """Return the forms of a feature's name that may appear in prose."""
    own = _RE.bracket.sub("", _plain(name)).strip()
    return tuple(dict.fromkeys((own, own.removesuffix(" attack"))))


def _plain(text: str) -> str:
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("\N{NO-BREAK SPACE}", " ").lower()
    return " ".join(text.split())


class _Reader:
    """The state while reading one feature of a stat block."""

    def __init__(self, feature: Feature, features: Sequence[Feature], terms: GameTerms) -> None:
        self.feature, self.terms = feature, terms
        self.limits: dict[str, Any] = {}
        self.text = _plain(feature.text)
        self.features = features
        self.attacks = [one for one in features if one.attack is not None and one.cost == "action"]

    @cached_property
    def named(self) -> dict[str, Feature]:
        """The other features, keyed by lower-case name. Ordinary features take precedence over legendary ones."""
        names: dict[str, Feature] = {}
        for feature in self.features:
            if feature.id != self.feature.id and (feature.cost != "trait" or feature.attack is not None):
                for name in _names_of(feature.name):
                    before = names.get(name)
                    if before is None or (before.cost in _LATER and feature.cost not in _LATER):
                        names[name] = feature
        return names

    def whole(self) -> tuple[FeatureStep, ...]:
        """Return the steps if the feature's whole text describes them."""
        text = self.text
        if self.feature.cost in ("reaction", "free"):
            begin = _RE.trigger.match(text) or _RE.when.match(text)
            text = text[begin.end() :] if begin else text
            if begin and begin.re is _RE.when and not self.feature.trigger:
                self._read_moment(begin["moment"])
        return self._sentences(text)

    def _read_moment(self, moment: str) -> None:
        """Read when a reaction can be taken, if the engine has a matching trigger."""
        match = _RE.hits.fullmatch(moment) or _RE.is_hit.fullmatch(moment) or _RE.hurt.fullmatch(moment)
        if match is None:
            return
        facts = ["melee"] if match["melee"] else []
        facts += [f"attacker.within:{match['feet']}"] if match["feet"] else []
        self.limits["trigger"] = _MOMENTS[match["how"]]
        if facts:
            self.limits["when"] = ", ".join(facts)

    def further(self) -> tuple[FeatureStep, ...]:
        """Return the steps that the last sentence describes in addition to the feature's own numbers."""
        head, _, last = self.text.rstrip(".").rpartition(". ")
        match = _RE.more.match(last)
        if not head or not match:
            return ()
        return tuple(self._clauses(last[match.end() :]))

    def _sentences(self, text: str) -> tuple[FeatureStep, ...]:
        steps: list[FeatureStep] = []
        for sentence in re.split(r"(?<=[a-z)])\.(?:\s+|$)", text.strip()):
            if not sentence or self._says_little(sentence):
                continue
            steps += self._clauses(sentence[self._subject(sentence) :])
        return tuple(steps)

    def _says_little(self, sentence: str) -> bool:
        """Whether a sentence adds no steps. It may limit the uses, which is stored."""
        if _RE.once.fullmatch(sentence):
            if not self.feature.uses and not self.feature.recharge:
                self.limits |= {"uses": 1, "per": "round"}
            return True
        if _RE.stays_hidden.fullmatch(sentence) or _RE.at_will.fullmatch(sentence):
            return True
        aside = _RE.no_penalty.fullmatch(sentence) or _RE.disrupts.fullmatch(sentence)
        return aside is not None and self.feature.cost == "reaction"

    def _subject(self, sentence: str) -> int:
        """Return the start of the first clause. Its subject must be the feature's owner."""
        for end in range(1, 6):
            words = sentence.split(" ")[:end]
            if _NOT_ITSELF & set(words) - ({"they"} if end == 1 else set()):
                break
            at = len(" ".join(words)) + 1
            begin = _RE.start.match(sentence, at)
            at = begin.end() if begin else at
            if any(clause.match(sentence, at) for clause in _CLAUSES):
                return at
        raise _Unread

    def _clauses(self, text: str) -> Iterator[FeatureStep]:
        at = 0
        while at < len(text):
            joined = _RE.join.match(text, at) if at else None
            if at and joined is None:
                raise _Unread
            steps, at = self._clause(text, joined.end() if joined else at)
            yield from steps
            after = _RE.after.match(text, at)
            at = after.end() if after else at

    def _clause(self, text: str, at: int) -> tuple[list[FeatureStep], int]:
        """Return the steps of a clause, and its end."""
        for clause, read in (
            (_RE.takes, self._actions),
            (_RE.plain_action, self._plain_action),
            (_RE.checks, self._check),
            (_RE.moves, self._move),
            (_RE.recharges, self._recharge),
            (_RE.casts, self._cast),
            (_RE.with_, self._attack_with),
            (_RE.uses, self._use),
        ):
            match = clause.match(text, at)
            if match and (steps := read(match)):
                return self._or_use(text, match.end(), steps)
        if _RE.attacks.match(text, at):
            return self._attack_list(text, at)
        raise _Unread

    def _or_use(self, text: str, at: int, steps: list[FeatureStep]) -> tuple[list[FeatureStep], int]:
        """Add the feature that can be used instead of the steps, if the text offers one."""
        other = _RE.or_use.match(text, at)
        if other is None:
            return steps, at
        match = _RE.uses.match(text, other.end())
        if match is None or not (more := self._use(match)):
            raise _Unread
        return [*steps, msgspec.structs.replace(more[0], alternative=True)], match.end()

    # Clauses -------------------------------------------------------------------------------------------------------

    def _attack_list(self, text: str, at: int) -> tuple[list[FeatureStep], int]:
        """Return the attacks in a list: all of them if joined by `and`, one of them if joined by `or`."""
        verb = _RE.attack_verb.match(text, at)
        assert verb is not None
        item, alternative, steps = _RE.item.match(text, verb.end()), False, list[FeatureStep]()
        if item is None:
            raise _Unread
        while item is not None:
            step = self._attack("unarmed strike" if item["bare"] and not item["name"] else (item["name"] or "").strip())
            count = NUMBERS.get(item["count"] or "", 1)
            if step is None or (alternative and count != 1):
                raise _Unread
            steps += [msgspec.structs.replace(step, alternative=alternative)] * count
            on = _RE.on.match(text, item.end())
            at = on.end() if on else item.end()
            other, more = _RE.between.match(text, at), _RE.and_.match(text, at)
            item = _RE.item.match(text, other.end()) if other and " or " in other[0] else None
            alternative = item is not None
            if item is None and more and (following := _RE.item.match(text, more.end())) and following["count"]:
                item = following
        return self._or_use(text, at, steps)

    def _attack(self, name: str) -> FeatureStep | None:
        """Return the step for an attack by name, or None if the stat block has no such attack."""
        if name in _MELEE and self.attacks:
            if name == "weapon" or (not name and not self.terms.strikes):
                return FeatureStep(use=ANY_ATTACK)
            return FeatureStep(use=ANY_MELEE)
        if name == "ranged" and (far := [attack for attack in self.attacks if attack.range]):
            return FeatureStep(use=far[0].id) if len(far) == 1 else None
        name = name.removesuffix(" melee").removesuffix(" weapon").removesuffix(" unarmed")
        for form in dict.fromkeys((name, name.removesuffix("s"), f"{name}s", name.removesuffix("es"))):
            feature = self.named.get(form)
            if feature is not None and (feature.attack is not None or feature.save):
                return FeatureStep(use=feature.id)
        return None

    def _attack_with(self, match: re.Match[str]) -> list[FeatureStep]:
        steps = [self._attack(match["name"])] + ([self._attack(match["other"])] if match["other"] else [])
        if None in steps:
            return []
        return [msgspec.structs.replace(step, alternative=at > 0) for at, step in enumerate(steps) if step is not None]

    def _use(self, match: re.Match[str]) -> list[FeatureStep]:
        own = self.named.get(match["name"]) or self.named.get(match["name"].removesuffix(" action"))
        again = [FeatureStep(recharges=own.id)] if own and match["again"] else []
        return [*again, FeatureStep(use=own.id)] if own else []

    def _move(self, match: re.Match[str]) -> list[FeatureStep]:
        verb = {"flies": "fly"}.get(match["verb"], match["verb"].removesuffix("s"))
        mode = terms("prose_steps", "modes").get((match["mode"] or "").strip() or verb)
        is_action = self.terms.strikes and verb in ("stride", "fly", "swim", "burrow", "climb")
        if mode is None or not (is_action or " speed" in match[0]):
            return []
        step = FeatureStep(move="half" if match["half"] else "full", mode=mode)
        steps = [step] * _TIMES[match["times"] or ""]
        if match["free"]:
            quiet = self.terms.actions.get("disengage")
            return [FeatureStep(action=quiet), *steps] if quiet else []
        return steps

    def _actions(self, match: re.Match[str]) -> list[FeatureStep]:
        ids = [self.terms.actions.get(part.strip(), "") for part in re.split(r",? or |, ", match["list"])]
        return [FeatureStep(action=id, alternative=at > 0) for at, id in enumerate(ids)] if all(ids) else []

    def _plain_action(self, match: re.Match[str]) -> list[FeatureStep]:
        name = {"dashes": "dash"}.get(match["verb"], match["verb"].removesuffix("s"))
        id = self.terms.actions.get(name)
        return [FeatureStep(action=id)] if id else []

    def _check(self, match: re.Match[str]) -> list[FeatureStep]:
        check = self.terms.skills.get(match["skill"].strip(), "")
        ability = _ABILITIES.get(match["ability"] or "")
        return [FeatureStep(roll=f"{ability}:{check.partition(':')[2]}" if ability else check)] if check else []

    def _cast(self, match: re.Match[str]) -> list[FeatureStep]:
        steps: list[FeatureStep] = []
        for name in map(str.strip, re.split(r",? or |, ", match["list"])):
            own, level = self.named.get(name), int(match["level"] or 0)
            if own is not None and "spell" in own.properties and not (level and own.damage):
                step = FeatureStep(use=own.id)
            elif id := self.terms.spells.get(name):
                step = FeatureStep(spell=id, value=level)
            else:
                return []
            steps.append(msgspec.structs.replace(step, alternative=bool(steps)))
        return steps

    def _recharge(self, match: re.Match[str]) -> list[FeatureStep]:
        name = match["name"]
        own = self.named.get(name)
        if own is None and name == "breath weapon":
            breaths = [feature for called, feature in self.named.items() if "breath" in called and feature.recharge]
            own = breaths[0] if len({breath.shares or breath.id for breath in breaths}) == 1 else None
        return [FeatureStep(recharges=own.id)] if own is not None and (own.recharge or own.uses) else []
