"""Conversion of creatures to another game's terms, and detection of ids in an encounter that a game doesn't have.

Switching an encounter to another game keeps all of them. Unknown ids have no effect, or the game master is asked.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, Literal

import msgspec

from turnwright.encounter import prepared, state
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data import SystemData, references, statements
from turnwright.rules.system_data.known_ids import KnownIds, known_ids

TermKind = Literal["saves", "checks", "skills", "damage", "conditions", "costs"]
_NUMBER = re.compile(r"[0-9]+")
_UNPAID = frozenset({"trait", "free", "legendary", "lair"})
_FEET = re.compile(r"([0-9]+)[- ]?(?:foot|feet|ft)\b")
_KNOWN_AS: Mapping[TermKind, str] = {
    "saves": "ability",
    "checks": "ability",
    "skills": "skill",
    "damage": "listed damage type",
    "conditions": "condition",
    "costs": "resource",
}  # fmt: skip


class CreatureTranslation(msgspec.Struct, frozen=True):
    """A creature converted to this game. `renamed` pairs the terms of its own game with this game's.

    `unknown` lists terms that this game doesn't have. Those in features stay for the game master to judge; all others
    are removed.
    """

    creature: prepared.Creature
    renamed: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()


def translate_creature(creature: prepared.Creature, origin: SystemData, own: SystemData) -> CreatureTranslation:
    """Convert a creature from another game to this game."""
    return _Journey(origin, own).creature(creature)


class _Journey:
    """Converts one creature from another game's terms, and collects the renamed and unknown ones."""

    def __init__(self, origin: SystemData, own: SystemData) -> None:
        self._origin = origin
        self._own = own
        self._known = known_ids(own)
        self._theirs = known_ids(origin)
        theirs, ours = origin.elsewhere, own.elsewhere
        self._feet = Fraction(ours.units * theirs.feet, ours.feet * theirs.units)
        self._save, self._skill = partial(self._term, "saves"), partial(self._term, "skills")
        self._condition, self._cost = partial(self._term, "conditions"), partial(self._term, "costs")
        self._damage_type = partial(self._term, "damage")
        self._renamed: dict[str, str] = {}
        self._unknown: dict[str, None] = {}

    def creature(self, creature: prepared.Creature) -> CreatureTranslation:
        rates_alike = dict(self._origin.terms).get("rating") == dict(self._own.terms).get("rating")
        if creature.rating and not rates_alike:
            self._unknown[f"{dict(self._origin.terms).get('rating', 'rating')} {creature.rating}"] = None
        origin, scale = dict(self._origin.terms).get("system.short", self._origin.name), self._origin.ability_scale
        usual, scores = self._own.ability_scale, self._numbers(creature.abilities, self._ability)
        if scale != usual:
            plain = ((ability, scale.modifier(score) * usual.over + usual.less) for ability, score in scores)
            scores = tuple((ability, min(max(score, usual.least), usual.most)) for ability, score in plain)
        names = dict(renamed_creatures(self._origin, self._own))
        if creature.name in names:
            self._renamed[creature.name] = names[creature.name]
        converted = msgspec.structs.replace(
            creature,
            name=names.get(creature.name, creature.name),
            size=creature.size if creature.size in self._known["size"] else self._own.sizes[-1].id,
            rating=creature.rating if rates_alike else "",
            level=creature.level if rates_alike else 0,
            xp=creature.xp if rates_alike else 0,
            abilities=scores,
            saves=self._numbers(creature.saves, self._save),
            **_each(creature, lambda pairs: self._numbers(pairs, self._skill), "skills", "disable", "passives"),
            senses=self._distances(creature.senses, "sense"),
            speeds=self._distances(creature.speeds, "speed"),
            **_each(creature, self._defences, "resistances", "vulnerabilities", "immunities", "absorptions"),
            condition_immunities=self._conditions(creature.condition_immunities),
            pools=self._numbers(creature.pools, self._cost),
            **_each(creature, self._distance, "reach", "space"),
            spellcasting=self._ability(creature.spellcasting) if creature.spellcasting else "",
            features=tuple(self._feature(feature) for feature in creature.features),
            phases=tuple(self._phase(phase) for phase in creature.phases),
            source=": ".join(filter(None, (origin, creature.source))),
        )
        for name in self._unknown_in_features(converted):
            self._unknown[name] = None
        return CreatureTranslation(converted, tuple(self._renamed.items()), tuple(self._unknown))

    def _unknown_in_features(self, creature: prepared.Creature) -> Iterator[str]:
        """Yield the terms in the features' rules, statements and steps that this game doesn't have."""
        features = {feature.id for feature in creature.features}
        words = {word for id in features for word in (id, *id.split("-"))}
        bare = self._known[statements.BARE] | {*creature.gear, *creature.specialties}
        known_here = {**self._known, "feature": frozenset(features), statements.BARE: bare}
        known_here["property"] = self._known["property"] | words
        for feature in creature.features:
            for _, kind, text in references.ids_in(feature):
                yield from (_name_in(self._origin, id) for _, id, _ in references.problems(kind, text, known_here))

    # Terms ------------------------------------------------------------------------------------------------------

    def _term(self, kind: TermKind, id: str) -> str:
        """Return this game's id for the other game's id, or an empty string if there is none.

        Both cases are recorded.
        """
        return self._noted(id, self._match(kind, id))

    def _match(self, kind: TermKind, id: str) -> str:
        forward: dict[str, str] = dict(getattr(self._own.elsewhere, kind))
        first = (forward.get(id, id), id) if kind == "saves" else (id, forward.get(id, id))
        others = [foreign for foreign, there in self._renamings(kind) if there == id]
        tries = (*first, *others, *(forward.get(other, other) for other in others))
        return next((candidate for candidate in tries if candidate in self._known[_KNOWN_AS[kind]]), "")

    def _noted(self, id: str, match: str) -> str:
        if not match:
            self._unknown[_name_in(self._origin, id)] = None
        elif match != id:
            self._renamed[_name_in(self._origin, id)] = _name_in(self._own, match)
        return match

    def _renamings(self, kind: TermKind) -> tuple[tuple[str, str], ...]:
        """Return the pairs of the other game's conversion table whose first id doesn't exist in that game itself."""
        pairs: tuple[tuple[str, str], ...] = getattr(self._origin.elsewhere, kind)
        return tuple(pair for pair in pairs if pair[0] not in self._theirs[_KNOWN_AS[kind]])

    def _ability(self, ability: str) -> str:
        return self._noted(ability, self._match("checks", ability) or self._match("saves", ability))

    def _conditions(self, conditions: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, map(self._condition, conditions))))

    def _defences(self, kinds: Iterable[str]) -> tuple[str, ...]:
        """Convert damage types, keeping their amounts if this game uses amounts."""
        defences: dict[str, None] = {}
        for text in kinds:
            name, _, amount = text.rpartition(" ")
            damage_type = self._damage_type(name if name and amount.isdigit() else text)
            if not damage_type:
                continue
            if name and amount.isdigit() and self._own.presentation.figured:
                damage_type = f"{damage_type} {amount}"
            elif name and amount.isdigit():
                self._renamed[text] = _name_in(self._own, damage_type)
            defences[damage_type] = None
        return tuple(defences)

    def _numbers(self, pairs: prepared.NamedNumbers, term: Callable[[str], str]) -> prepared.NamedNumbers:
        """Convert the ids of numbers to this game's ids.

        If several ids become the same, an unchanged id takes precedence, or else the highest number.
        """
        numbers: dict[str, int] = {}
        own = dict(pairs)
        for id, number in pairs:
            own_id = term(id)
            if own_id and not (own_id != id and own_id in own):
                numbers[own_id] = max(numbers.get(own_id, number), number)
        return tuple(numbers.items())

    # Distances --------------------------------------------------------------------------------------------------

    def _distance(self, value: int) -> int:
        return (1 if value > 0 else -1) * max(1, round(abs(value) * self._feet)) if value else 0

    def _distances(self, pairs: prepared.NamedNumbers, kind: str) -> prepared.NamedNumbers:
        for id, _ in pairs:
            if id not in self._known[kind]:
                self._unknown[_name_in(self._origin, id)] = None
        return tuple((id, self._distance(value)) for id, value in pairs if id in self._known[kind])

    def _distances_in(self, text: str) -> str:
        if self._feet == 1:
            return text
        text = _FEET.sub(rf"\1 {dict(self._own.terms).get('unit', '')}", text)
        return _NUMBER.sub(lambda match: str(self._distance(int(match[0]))), text)

    # Features ---------------------------------------------------------------------------------------------------

    def _dice(self, dice: str) -> str:
        terms: Mapping[str, str] = {id: self._damage_type(id) or id for id in references.damage_types_in(dice)}
        return " ".join(terms.get(piece, piece) for piece in dice.split())

    def _feature(self, feature: prepared.Feature) -> prepared.Feature:
        cost: str = feature.cost
        if cost not in _UNPAID:
            cost = self._cost(cost) or "action"
        return msgspec.structs.replace(
            feature,
            cost=cost,
            save=(self._save(feature.save) or feature.save) if feature.save else "",
            ability=(self._ability(feature.ability) or feature.ability) if feature.ability else "",
            **_each(feature, self._dice, "damage", "save_damage", "ongoing"),
            other_damage=tuple(
                msgspec.structs.replace(other, damage=self._dice(other.damage)) for other in feature.other_damage
            ),
            afflictions=tuple(self._affliction(affliction) for affliction in feature.afflictions),
            stages=tuple(
                msgspec.structs.replace(
                    stage,
                    damage=self._dice(stage.damage),
                    afflictions=tuple(self._affliction(each) for each in stage.afflictions),
                )
                for stage in feature.stages
            ),
            **_each(feature, self._distance, "reach", "push", "within"),
            **_each(feature, self._distances_in, "range", "area"),
        )

    def _phase(self, phase: prepared.CreaturePhase) -> prepared.CreaturePhase:
        every = tuple(end for end in phase.ends if end == prepared.ALL_CONDITIONS)
        return msgspec.structs.replace(phase, ends=every or self._conditions(phase.ends))

    def _affliction(self, affliction: prepared.InflictedCondition) -> prepared.InflictedCondition:
        condition = self._condition(affliction.condition) or affliction.condition
        bound_to = affliction.bound_to and (self._condition(affliction.bound_to) or affliction.bound_to)
        return msgspec.structs.replace(affliction, condition=condition, bound_to=bound_to)


def _each(record: msgspec.Struct, convert: Callable[[Any], Any], *names: str) -> dict[str, Any]:
    """Return the converted fields of a record with these names."""
    return {name: convert(getattr(record, name)) for name in names}


def renamed_creatures(origin: SystemData, own: SystemData) -> Iterator[tuple[str, str]]:
    """Yield the names of creatures in another edition of this game, each with its name in this one."""
    if own.based_on == origin.id:
        yield from own.elsewhere.creatures
    elif origin.based_on == own.id:
        yield from ((ours, theirs) for theirs, ours in origin.elsewhere.creatures)


def _name_in(data: SystemData, id: str) -> str:
    """Return a game's name for an ability, skill, damage type, condition or sense in lower case, or else its id."""
    groups = (data.abilities, data.skills, data.damage_types, data.conditions, data.senses, data.speeds, data.resources)
    return next((entry.name.lower() for group in groups for entry in group if entry.id == id), id)


MAX_UNKNOWN, MAX_LOOKED_AT = 500, 10_000  # limits on different texts, because each is compared with all names
_TOO_MANY = "checking stopped here: too many unknown or different ids"
KINDS = ("ability", "skill", "damage type", "condition", "speed", "sense", "size", "resource", "table rule")


class UnknownId(msgspec.Struct, frozen=True):
    """An id or statement that a game doesn't have: its place in the encounter, its kind, its text, and the message."""

    path: tuple[str | int, ...]
    kind: str
    id: str
    message: str = ""


def find_unknown_ids(lookup: state.Lookup, rules: RuleSystem) -> tuple[UnknownId, ...]:
    """Return every id of a prepared encounter that this game doesn't have, in table order."""
    known, unknown_ids = _known(lookup, rules), list[UnknownId]()
    looked_at: dict[tuple[str, str], tuple[tuple[str, str, str], ...]] = {}
    unlike = 0
    for path, kind, text in _named(lookup, rules):
        wrong = looked_at.get((kind, text))
        if wrong is None:
            if len(looked_at) >= MAX_LOOKED_AT or unlike >= MAX_UNKNOWN:
                unknown_ids.append(UnknownId(path, kind, text, _TOO_MANY))
                break
            wrong = looked_at[kind, text] = tuple(references.problems(kind, text, known))
            unlike += bool(wrong)
        unknown_ids += [UnknownId(path, unknown, id, message) for unknown, id, message in wrong]
    return tuple(unknown_ids)


def _known(lookup: state.Lookup, rules: RuleSystem) -> KnownIds:
    """Return the ids that the game and the encounter itself define."""
    known = known_ids(rules.data)
    general = tuple(f"{skill.id}-" for skill in rules.data.skills if skill.of_subjects)
    creatures = tuple(lookup.all(prepared.Creature))
    known["spawned creature"] |= {creature.id for creature in creatures}
    known["skill"] |= {id for creature in creatures for id, _ in creature.skills if id.startswith(general)}
    known[statements.BARE] |= {id for creature in creatures for id in (*creature.gear, *creature.specialties)}
    own = {feature.id for creature in creatures for feature in creature.features}
    known["feature"] |= own
    known["property"] |= {word for id in own for word in (id, *id.split("-"))}
    known[statements.BARE] |= {id for entry in lookup.all(prepared.RosterEntry) for id in entry.gear}
    rows = [row for place in lookup.all(prepared.Environment) for row in (*place.features, *place.actions)]
    facts = (fact for row in rows for text in (*row.unaffected, row.reduced) for fact in statements.facts_in(text))
    known["gear"] |= {fact.argument for fact in facts}
    known["surrounding"] |= {*state.scene_of(lookup).suspended}
    fatigue = rules.role("fatigue")
    if fatigue in dict(rules.data.elsewhere.conditions):  # play offers its replacement
        known["condition"] |= {fatigue}
    return known


def _named(lookup: state.Lookup, rules: RuleSystem) -> Iterator[references.Named]:
    yield from ((("scene", *path), kind, text) for path, kind, text in references.ids_in(state.scene_of(lookup)))
    for table in (prepared.Creature, prepared.RosterEntry, prepared.Environment, prepared.Countdown):
        for record in lookup.all(table):
            yield from (((table.table, record.id, *path), kind, text) for path, kind, text in references.ids_in(record))
    for place in lookup.all(prepared.Environment):
        for collection in ("features", "actions"):
            for row in getattr(place, collection):
                if row.fatigue:
                    path = (prepared.Environment.table, place.id, collection, row.id, "fatigue")
                    yield path, "condition", rules.role("fatigue")
