"""Class features: what a class or an ancestry gives a character at its level, as fields of features.

They are read from `systems/<system>/powers.toml`. Texts in an entry can contain slots, which are filled with numbers of
the character: `{level}` (in the class), `{proficiency}`, an ability modifier such as `{cha}`, one that is at least 1
(`{cha1}`), the DC of an ability (`{dc-con}`), and the amounts in `grows_at`. Facts, rules and fields with an unknown
number are left out.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from turnwright.encounter.field_specs import AbilityId, FieldSpec, PositiveOrNone
from turnwright.encounter.prepared import Creature, Feature, NamedNumbers
from turnwright.importers.traits.catalogue import NOTHING, SLOT, TraitsError, feature_fields, filled, problems_of_given
from turnwright.importers.traits.understand import has_only_text
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.known_ids import KnownIds
from turnwright.storage.findings import FindingCollector, located_findings
from turnwright.storage.resources import shipped_folders
from turnwright.storage.toml.reader import read_struct
from turnwright.storage.toml.source import read_toml

POWERS_FILE: Final = "powers.toml"
MOST_LEVELS: Final = 20
_BRACKET: Final = re.compile(r"\s*\([^()]*\)")
_GROWTH: Final = "grows_at"
_GIVEN: Final = frozenset(Feature.__struct_fields__) - {"id", "name", "read"}
Levels = Mapping[str, int]


class CharacterClass(msgspec.Struct, frozen=True, omit_defaults=True):
    """A class, a subclass or an ancestry with features in the catalogue."""

    id: str
    """The id, which is also its word in the quick-add line. In a file, it is the key of its table. Example: `cleric`."""
    of: str = ""
    """The class of a subclass, whose features it also has. Example: `fighter`."""
    hit_die: PositiveOrNone = 0
    """The faces of the class's hit die. 0 for subclasses and ancestries."""
    spellcasting: AbilityId = ""
    """The ability of its spells. Example: `wis`."""
    caster: Literal["", "full", "half"] = ""
    """Whether its spell slots grow with every level, or with every second level from the second one on."""
    extra_attack: PositiveOrNone = 0
    """The level from which the character has Extra Attack for its second weapon. 0 means never."""
    reserves: tuple[tuple[int, int], ...] = ()
    """The points that the class adds to a pool of twice the proficiency bonus, by level. Example: `[[4, 1], [8, 2]]`."""


class Power(msgspec.Struct, frozen=True, omit_defaults=True):
    """A class feature. Apart from these keys, it has `grows_at` and the fields of a feature.

    `grows_at` contains amounts by level, as in `grows_at = { dice = [[1, "1d6"], [3, "2d6"]] }` for the slot `{dice}`.
    """

    id: str
    """The id. In a file, it is the key of its table, as in `[powers.second-wind]`."""
    name: str
    """The name of the feature. Example: `Second Wind`."""
    classes: Annotated[NamedNumbers, FieldSpec(least=1, most=MOST_LEVELS)]
    """The classes and ancestries with the feature, each with the level from which they have it. Example: `{ rogue = 7,
    monk = 7 }`. Without any, the feature is offered only if the stat block names it.
    """
    stays_at: Annotated[NamedNumbers, FieldSpec(least=1, most=MOST_LEVELS)] = ()
    """The levels from which it doesn't grow any more in single classes. Example: `{ paladin = 3 }`."""
    weapon: str = ""
    """The property of a weapon that a character must have to be offered the feature. Example: `vex`."""
    names: tuple[str, ...] = ()
    """Further names of the feature in stat blocks. Example: `["Channel Divinity: Turn Undead"]`."""


class PowerFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file of class features."""

    ledger: Annotated[tuple[str, ...], FieldSpec(ids=("rule",))] = ()
    """The ledger rules that name class features without describing them."""
    dc_base: PositiveOrNone = 0
    """The number to which the proficiency bonus and an ability modifier are added for the DC of a class feature."""
    proficiency: tuple[tuple[int, int], ...] = ()
    """The proficiency bonus, as pairs of a level and the bonus from that level on. Example: `[[1, 2], [5, 3]]`."""
    slots: tuple[str, ...] = ()
    """The spell slots of full casters from the first level on, each as a list of numbers by the level of the slot. Example:
    `["2", "3", "4 2"]`.
    """
    whole_dice: bool = False
    """Whether each level gives hit points for the whole hit die, instead of its average after the first."""
    classes: tuple[CharacterClass, ...] = ()
    """The classes, subclasses and ancestries, keyed by id."""
    powers: tuple[Power, ...] = ()
    """The class features, keyed by id."""
    gone: tuple[str, ...] = ()
    """The ids of class features that aren't inherited from the base. Example: `["brutal-critical"]`."""


class ClassFeatures(NamedTuple):
    """The class features of a rule system. `fields` has the other keys of each, by its id."""

    file: PowerFile = PowerFile()
    fields: Mapping[str, Mapping[str, Any]] = {}

    @property
    def classes(self) -> Mapping[str, CharacterClass]:
        """The classes, subclasses and ancestries by id."""
        return {each.id: each for each in self.file.classes}

    def all_levels(self, levels: Levels) -> dict[str, int]:
        """Return the levels with the classes of subclasses. An ancestry gets the level of the whole character."""
        known = self.classes
        found = {known[name].of: level for name, level in levels.items() if known[name].of} | dict(levels)
        total = sum(level for name, level in found.items() if known[name].hit_die)
        ancestries = {name: total for name in found if total and not (known[name].hit_die or known[name].of)}
        return found | ancestries

    def hit_points(self, data: SystemData, creature: Creature, levels: Levels) -> int:
        """Return the usual hit points: the whole die of the first level, and more than half a die for each other."""
        dice = [self.classes[name].hit_die for name, level in self.all_levels(levels).items() for _ in range(level)]
        dice = [die for die in dice if die]
        scores = dict(creature.abilities)
        more = data.modifier_of(creature, "con") * len(dice) if "con" in scores else 0
        average = sum(dice if self.file.whole_dice else dice[:1] + [die // 2 + 1 for die in dice[1:]])
        return max(1, average + more)

    def offered(self, data: SystemData, creature: Creature, levels: Levels) -> tuple[Feature, ...]:
        """Return the class features that a character with these levels and ability scores has."""
        everything = self.all_levels(levels)
        numbers = self.values(data, self._at_level(creature, levels), sum(self._total(everything)), everything)
        found = []
        weapons = {word for each in creature.features for word in each.properties}
        for power in (each for each in self.file.powers if not each.weapon or each.weapon in weapons):
            most, held = dict(power.stays_at), (each for each in power.classes if everything.get(each[0], 0) >= each[1])
            reached = [min(everything[name], most.get(name, MOST_LEVELS)) for name, _ in held]
            named = not power.classes and any(self.called(each.name) == power for each in creature.features)
            level = max(reached, default=max(everything.values(), default=1) if named else 0)
            feature = self._feature(power, level, numbers) if level else None
            found += [feature] if feature is not None else []
        return tuple(found)

    def called(self, name: str) -> Power | None:
        """Return the class feature with a name, or None. Words in brackets don't count."""
        plain = _BRACKET.sub("", name).strip().casefold()
        return next((each for each in self.file.powers if plain in map(str.casefold, (each.name, *each.names))), None)

    def applied(self, data: SystemData, creature: Creature, levels: Levels, left_out: Collection[str] = ()) -> Creature:
        """Return a character with its class features except those `left_out`, its level and its proficiency bonus.

        A feature that the stat block only names gets the numbers of the class feature, and so does one that still has
        the numbers of another level.
        """
        features = list(creature.features)
        for feature in self.offered(data, creature, levels):
            if feature.id in left_out or not self.lacks(data, creature, feature):
                continue
            held = self.held(creature, feature)
            if held is None:
                features.append(feature)
                continue
            kept = {"id": held.id, "name": held.name, "text": held.text or feature.text}
            features[features.index(held)] = msgspec.structs.replace(feature, **kept)
        return msgspec.structs.replace(self._at_level(creature, levels), features=tuple(features))

    def _at_level(self, creature: Creature, levels: Levels) -> Creature:
        """Return a character with the numbers of its level, such as its proficiency bonus and spell slots."""
        everything = self.all_levels(levels)
        total = sum(self._total(everything))
        own = [self.classes[name] for name in everything]
        rises = total > creature.level
        row = " ".join(str(count) for _, count in creature.slots)
        changes = {
            "level": max(total, creature.level),
            "spellcasting": creature.spellcasting or next((each.spellcasting for each in own if each.spellcasting), ""),
            "extra_attack": creature.extra_attack
            or any(0 < each.extra_attack <= everything[each.id] for each in own if each.extra_attack),
        }
        if rises or not creature.proficiency:
            changes["proficiency"] = _reached(self.file.proficiency, total) or creature.proficiency
        if not creature.slots or (rises and row in self.file.slots):
            changes["slots"] = self._slots(everything) or creature.slots
        return msgspec.structs.replace(creature, **changes)

    def lacks(self, data: SystemData, creature: Creature, feature: Feature) -> bool:
        """Return whether a stat block lacks a class feature, only names it, or has it with the numbers of another level."""
        held = self.held(creature, feature)
        if held is None or has_only_text(held):
            return True
        power = next(each for each in self.file.powers if each.id == feature.id)
        unlevelled = msgspec.structs.replace(creature, proficiency=0)
        others = (
            self._feature(power, one, self.values(data, unlevelled, one, {name: one}))
            for name, one in product(dict(power.classes) or self.classes, range(1, MOST_LEVELS + 1))
        )
        outgrown = any(each is not None and _figures(each) == _figures(held) for each in others)
        return outgrown and _figures(held) != _figures(feature)

    def _slots(self, levels: Levels) -> NamedNumbers:
        """Return the spell slots of a character. Half casters of several classes count less."""
        kinds = [(self.classes[name].caster, level) for name, level in levels.items() if self.classes[name].caster]
        half = sum(level if level > 1 else 0 for kind, level in kinds if kind == "half")
        total = sum(level for kind, level in kinds if kind == "full") + (half + (len(kinds) == 1)) // 2
        row = self.file.slots[min(total, len(self.file.slots)) - 1].split() if total and self.file.slots else []
        return tuple((str(at), int(count)) for at, count in enumerate(row, 1))

    def held(self, creature: Creature, feature: Feature) -> Feature | None:
        """Return the feature of a stat block that is this class feature, or None."""
        for each in creature.features:
            power = self.called(each.name)
            if each.id == feature.id or (power is not None and power.name == feature.name):
                return each
        return None

    def _total(self, levels: Levels) -> Iterable[int]:
        return (level for name, level in levels.items() if self.classes[name].hit_die)

    def values(self, data: SystemData, creature: Creature, total: int, levels: Levels) -> dict[str, str]:
        """Return the values of the slots that depend on the whole character. Those of unknown scores are missing."""
        proficiency = creature.proficiency or _reached(self.file.proficiency, total)
        more = sum(_reached(each.reserves, levels.get(each.id, 0)) or 0 for each in self.file.classes)
        values = {"proficiency": str(proficiency), "pool": str(2 * proficiency + more)} if proficiency else {}
        for ability, _ in creature.abilities:
            modifier = data.modifier_of(creature, ability)
            values |= {ability: str(modifier), f"{ability}1": str(max(1, modifier))}
            if proficiency and self.file.dc_base:
                values[f"dc_{ability}"] = str(self.file.dc_base + proficiency + modifier)
        return values

    def _feature(self, power: Power, level: int, values: Mapping[str, str]) -> Feature | None:
        gives = self.fields[power.id]
        here = {**values, "level": str(level), "half_level": str(level // 2), **_grown(gives.get(_GROWTH, {}), level)}
        given = ((field, filled(stated, here)) for field, stated in gives.items() if field != _GROWTH)
        table = feature_fields((field, value) for field, value in given if value is not NOTHING)
        return read_struct(Feature, {"id": power.id, "name": power.name, **table}, (), FindingCollector())


class CharacterRules(NamedTuple):
    """The class features of a rule system together with its data."""

    data: SystemData
    features: ClassFeatures

    @property
    def names(self) -> Collection[str]:
        """The words for classes, subclasses and ancestries."""
        return self.features.classes.keys()

    def hit_points(self, creature: Creature, levels: Levels) -> int:
        """Return the usual hit points of a character with these levels."""
        return self.features.hit_points(self.data, creature, levels)

    def offered(self, creature: Creature, levels: Levels) -> tuple[Feature, ...]:
        """Return the class features of a character with these levels."""
        return self.features.offered(self.data, creature, levels)

    def applied(self, creature: Creature, levels: Levels, left_out: Collection[str] = ()) -> Creature:
        """Return a character with its class features except those `left_out`."""
        return self.features.applied(self.data, creature, levels, left_out)


def character_rules(data: SystemData) -> CharacterRules:
    """Return the class features of a shipped rule system with its data. Raise TraitsError."""
    return CharacterRules(data, shipped_powers(data.id))


def _figures(feature: Feature) -> Feature:
    """Return a feature without its name and texts."""
    return msgspec.structs.replace(feature, id="", name="", text="", short="", read=())


def _reached(steps: Iterable[Sequence[Any]], level: int) -> Any:
    """Return the amount of the last step up to a level, or None if none is reached."""
    return next((amount for least, amount in reversed([*steps]) if least <= level), None)


def _grown(growth: Mapping[str, Any], level: int) -> dict[str, str]:
    amounts = {name.replace("-", "_"): _reached(steps, level) for name, steps in growth.items()}
    return {name: str(amount) for name, amount in amounts.items() if amount is not None}


@lru_cache(maxsize=8)
def shipped_powers(system: str, root: Path | None = None) -> ClassFeatures:
    """Return the class features of a shipped rule system and its base. Empty if it has none. Raise TraitsError."""
    files = [folder / POWERS_FILE for folder in shipped_folders(system, root)] if system else []
    found = [read_powers(file) for file in files if file.is_file()] or [ClassFeatures()]
    powers = {power.id: power for each in found for power in each.file.powers if power.id not in found[-1].file.gone}
    fields = {id: each for one in found for id, each in one.fields.items()}
    return ClassFeatures(msgspec.structs.replace(found[0].file, powers=tuple(powers.values())), fields)


def read_powers(file: Path, data: SystemData | None = None, known: KnownIds | None = None) -> ClassFeatures:
    """Read the class features in a file. Raise TraitsError.

    With the rule system's `data` and `known` ids, the fields of each class feature are checked at every level.
    """
    source = read_toml(file)
    if source.tables is None:
        raise TraitsError(source.findings)
    notes, tables = FindingCollector(), dict(source.tables)
    powers = tables.get("powers", {})
    fields: dict[str, Mapping[str, Any]] = {}
    if isinstance(powers, dict):
        keys = _GIVEN | {_GROWTH}
        pairs = [(id, table) for id, table in powers.items() if isinstance(table, dict)]
        fields = {id: {key: value for key, value in table.items() if key in keys} for id, table in pairs}
        own = {id: {key: value for key, value in table.items() if key not in keys} for id, table in pairs}
        tables["powers"] = powers | own
        known_keys = (*keys, *Power.__struct_fields__)
        for id, key in ((id, key) for id, table in own.items() for key in [*table]):
            if key not in known_keys:
                notes.error(("powers", id, key), f"unknown key{notes.hint(key, known_keys)}")
                del own[id][key]
    stated = read_struct(PowerFile, tables, (), notes, foreign_keys=frozenset({"format", "kind", "system"}))
    result = ClassFeatures(stated or PowerFile(), fields)
    _check(result, notes, data, known)
    if notes.notes:
        raise TraitsError(located_findings(notes, str(file), source.text))
    return result


def _check(found: ClassFeatures, notes: FindingCollector, data: SystemData | None, known: KnownIds | None) -> None:
    """Report unknown classes, and mistakes in the fields that a character of any level gets."""
    for each in found.file.classes:
        if each.of and each.of not in found.classes:
            notes.error(("classes", each.id, "of"), f"unknown class {each.of!r}{notes.hint(each.of, found.classes)}")
    abilities = data.abilities if data is not None else ()
    scores = Creature("a", "a", abilities=tuple((each.id, 14) for each in abilities))
    if known is not None:
        known = {**known, "feature": known["feature"] | found.fields.keys()}
    for power in found.file.powers:
        for name, _ in power.classes:
            if name not in found.classes:
                hint = notes.hint(name, found.classes)
                notes.error(("powers", power.id, "classes", name), f"unknown class {name!r}{hint}")
        gives = dict(found.fields[power.id])
        growth = gives.pop(_GROWTH, {})
        before = len(notes.notes)
        for level in range(min((least for _, least in power.classes), default=1), MOST_LEVELS + 1):
            if data is None or len(notes.notes) > before:
                break
            values = found.values(data, scores, level, {})
            values |= {"level": str(level), "half_level": str(level // 2), **_grown(growth, level)}
            for slot, _ in SLOT.findall(repr(gives)):
                if slot.replace("-", "_") not in values:
                    notes.error(("powers", power.id), f"unknown {{{slot}}}{notes.hint(slot, values)}")
            for path, message in problems_of_given(gives, values, known) if len(notes.notes) == before else ():
                notes.error(("powers", power.id, *path), message)
