"""Creatures of another game as this game's: its terms, scores and distances, with what it has no term for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

import msgspec

from turnwright.encounter.prepared import (
    ALL_CONDITIONS,
    Creature,
    CreaturePhase,
    Feature,
    InflictedCondition,
    NamedNumbers,
)
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.rules.system_data.references import damage_types_in, ids_in, problems
from turnwright.rules.system_data.statements import BARE

TermKind = Literal["saves", "checks", "skills", "damage", "conditions", "costs"]
_NUMBER = re.compile(r"[0-9]+")
_UNPAID = frozenset({"trait", "free", "legendary", "lair"})
_FEET = re.compile(r"([0-9]+)[- ]?(?:foot|feet|ft)\b")
_KNOWN_AS: Mapping[TermKind, str] = MappingProxyType({
    "saves": "ability",
    "checks": "ability",
    "skills": "skill",
    "damage": "listed damage type",
    "conditions": "condition",
    "costs": "resource",
})  # fmt: skip


class CreatureTranslation(msgspec.Struct, frozen=True):
    """A creature as this game's. `renamed` pairs the terms of its own game with this game's.

    `unknown` are terms that this game doesn't have: those of features stay for a person to judge, all others are left
    out.
    """

    creature: Creature
    renamed: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()


def translate_creature(creature: Creature, origin: SystemData, own: SystemData) -> CreatureTranslation:
    """Return a creature of another game as this game's."""
    return _Journey(origin, own).creature(creature)


class _Journey:
    """The terms of two games, and what became of those that one creature has."""

    def __init__(self, origin: SystemData, own: SystemData) -> None:
        self._origin = origin
        self._own = own
        self._known = known_ids(own)
        self._theirs = known_ids(origin)
        self._feet = Fraction(own.elsewhere.units, own.elsewhere.feet) / Fraction(
            origin.elsewhere.units, origin.elsewhere.feet
        )
        self._renamed: dict[str, str] = {}
        self._unknown: dict[str, None] = {}

    def creature(self, creature: Creature) -> CreatureTranslation:
        rates_alike = dict(self._origin.terms).get("rating") == dict(self._own.terms).get("rating")
        if creature.rating and not rates_alike:
            self._unknown[f"{dict(self._origin.terms).get('rating', 'rating')} {creature.rating}"] = None
        scale = self._origin.ability_scale
        usual, fixed = self._own.ability_scale, scale != self._own.ability_scale
        scores = [
            (ability, min(max(scale.modifier(score) * usual.over + usual.less, usual.least), usual.most))
            if fixed
            else (ability, score)
            for ability, score in self._numbers(creature.abilities, self._ability)
        ]
        made = msgspec.structs.replace(
            creature,
            size=creature.size if creature.size in self._known["size"] else self._own.sizes[-1].id,
            rating=creature.rating if rates_alike else "",
            level=creature.level if rates_alike else 0,
            xp=creature.xp if rates_alike else 0,
            abilities=tuple(scores),
            saves=self._numbers(creature.saves, self._save),
            skills=self._numbers(creature.skills, self._skill),
            passives=self._numbers(creature.passives, self._skill),
            senses=self._distances(creature.senses, "sense"),
            speeds=self._distances(creature.speeds, "speed"),
            resistances=self._defences(creature.resistances),
            vulnerabilities=self._defences(creature.vulnerabilities),
            immunities=self._defences(creature.immunities),
            absorptions=self._defences(creature.absorptions),
            condition_immunities=self._conditions(creature.condition_immunities),
            pools=self._numbers(creature.pools, self._cost),
            reach=self._distance(creature.reach),
            space=self._distance(creature.space),
            spellcasting=self._ability(creature.spellcasting) if creature.spellcasting else "",
            features=tuple(self._feature(one) for one in creature.features),
            phases=tuple(self._phase(one) for one in creature.phases),
            source=": ".join(filter(None, (self._short_name(), creature.source))),
        )
        for name in self._unknown_in_features(made):
            self._unknown[name] = None
        return CreatureTranslation(made, tuple(self._renamed.items()), tuple(self._unknown))

    def _unknown_in_features(self, creature: Creature) -> Iterator[str]:
        """Yield what the features ask for by rules, statements and steps that this game doesn't know."""
        features = {feature.id for feature in creature.features}
        words = {word for id in features for word in (id, *id.split("-"))}
        bare = self._known[BARE] | {*creature.gear, *creature.specialties}
        known = {**self._known, "feature": frozenset(features), "property": self._known["property"] | words, BARE: bare}
        for feature in creature.features:
            for _, kind, text in ids_in(feature):
                yield from (_name_in(self._origin, id) for _, id, _ in problems(kind, text, known))

    def _short_name(self) -> str:
        return dict(self._origin.terms).get("system.short", self._origin.name)

    # Terms ------------------------------------------------------------------------------------------------------

    def _term(self, kind: TermKind, id: str) -> str:
        """Return this game's id for one of the other game's, empty where it has none; both are noted."""
        return self._noted(id, self._match(kind, id))

    def _match(self, kind: TermKind, id: str) -> str:
        forward: dict[str, str] = dict(getattr(self._own.elsewhere, kind))
        first = (forward.get(id, id), id) if kind == "saves" else (id, forward.get(id, id))
        others = [foreign for foreign, there in self._renamings(kind) if there == id]
        tries = (*first, *others, *(forward.get(one, one) for one in others))
        return next((one for one in tries if one in self._known[_KNOWN_AS[kind]]), "")

    def _noted(self, id: str, found: str) -> str:
        if not found:
            self._unknown[_name_in(self._origin, id)] = None
        elif found != id:
            self._renamed[_name_in(self._origin, id)] = _name_in(self._own, found)
        return found

    def _renamings(self, kind: TermKind) -> tuple[tuple[str, str], ...]:
        """Return the pairs of the other game's own table whose first side that game itself doesn't have."""
        pairs: tuple[tuple[str, str], ...] = getattr(self._origin.elsewhere, kind)
        return tuple(pair for pair in pairs if pair[0] not in self._theirs[_KNOWN_AS[kind]])

    def _save(self, ability: str) -> str:
        return self._term("saves", ability)

    def _ability(self, ability: str) -> str:
        return self._noted(ability, self._match("checks", ability) or self._match("saves", ability))

    def _skill(self, skill: str) -> str:
        return self._term("skills", skill)

    def _condition(self, condition: str) -> str:
        return self._term("conditions", condition)

    def _cost(self, resource: str) -> str:
        return self._term("costs", resource)

    def _conditions(self, conditions: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, map(self._condition, conditions))))

    def _damage_type(self, id: str) -> str:
        return self._term("damage", id)

    def _defences(self, kinds: Iterable[str]) -> tuple[str, ...]:
        """Return damage types, each with its amount where this game has amounts."""
        found: dict[str, None] = {}
        for each in kinds:
            name, _, amount = each.rpartition(" ")
            known = self._damage_type(name if name and amount.isdigit() else each)
            if not known:
                continue
            if name and amount.isdigit() and self._own.presentation.figured:
                known = f"{known} {amount}"
            elif name and amount.isdigit():
                self._renamed[each] = _name_in(self._own, known)
            found[known] = None
        return tuple(found)

    def _numbers(self, pairs: NamedNumbers, term: Callable[[str], str]) -> NamedNumbers:
        """Return numbers by this game's terms: of two that become one, that of its own name, else the greater."""
        found: dict[str, int] = {}
        own = dict(pairs)
        for id, number in pairs:
            known = term(id)
            if known and not (known != id and known in own):
                found[known] = max(found.get(known, number), number)
        return tuple(found.items())

    # Distances --------------------------------------------------------------------------------------------------

    def _distance(self, value: int) -> int:
        return max(1, round(value * self._feet)) if value else 0

    def _distances(self, pairs: NamedNumbers, kind: str) -> NamedNumbers:
        for id, _ in pairs:
            if id not in self._known[kind]:
                self._unknown[_name_in(self._origin, id)] = None
        return tuple((id, self._distance(value)) for id, value in pairs if id in self._known[kind])

    def _distances_in(self, text: str) -> str:
        if self._feet == 1:
            return text
        text = _FEET.sub(rf"\1 {dict(self._own.terms).get('unit', '')}", text)
        return _NUMBER.sub(lambda found: str(self._distance(int(found[0]))), text)

    # Features ---------------------------------------------------------------------------------------------------

    def _dice(self, dice: str) -> str:
        terms: Mapping[str, str] = {id: self._damage_type(id) or id for id in damage_types_in(dice)}
        return " ".join(terms.get(piece, piece) for piece in dice.split())

    def _feature(self, feature: Feature) -> Feature:
        cost: str = feature.cost
        if cost not in _UNPAID:
            cost = self._cost(cost) or "action"
        return msgspec.structs.replace(
            feature,
            cost=cost,
            save=(self._save(feature.save) or feature.save) if feature.save else "",
            ability=(self._ability(feature.ability) or feature.ability) if feature.ability else "",
            damage=self._dice(feature.damage),
            save_damage=self._dice(feature.save_damage),
            ongoing=self._dice(feature.ongoing),
            other_damage=tuple(
                msgspec.structs.replace(one, damage=self._dice(one.damage)) for one in feature.other_damage
            ),
            afflictions=tuple(self._affliction(one) for one in feature.afflictions),
            stages=tuple(
                msgspec.structs.replace(
                    one,
                    damage=self._dice(one.damage),
                    afflictions=tuple(self._affliction(each) for each in one.afflictions),
                )
                for one in feature.stages
            ),
            reach=self._distance(feature.reach),
            push=self._distance(feature.push),
            within=self._distance(feature.within),
            range=self._distances_in(feature.range),
            area=self._distances_in(feature.area),
        )

    def _phase(self, phase: CreaturePhase) -> CreaturePhase:
        every = tuple(one for one in phase.ends if one == ALL_CONDITIONS)
        return msgspec.structs.replace(phase, ends=every or self._conditions(phase.ends))

    def _affliction(self, affliction: InflictedCondition) -> InflictedCondition:
        return msgspec.structs.replace(
            affliction, condition=self._condition(affliction.condition) or affliction.condition
        )


def _name_in(data: SystemData, id: str) -> str:
    """Return the name of an ability, skill, damage type, condition or sense of a game in small letters, else its id."""
    named = (data.abilities, data.skills, data.damage_types, data.conditions, data.senses, data.speeds, data.resources)
    return next((one.name.lower() for group in named for one in group if one.id == id), id)
