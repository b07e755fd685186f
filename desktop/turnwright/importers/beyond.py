"""Reads player characters of D&D Beyond: the data of its character service, or of a character's page with `/json`.

Files contain inputs, not totals: base values and the modifiers of races, classes, feats and items. Modifiers of items
count only while the item is worn (and attuned, if it needs that).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.encounter.prepared import LastingCondition, NamedNumbers
from turnwright.importers.characters import Assumptions, Character
from turnwright.importers.common import as_list, as_mapping, int_at, list_at, nested_value, text_at
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.importers.stat_block import ABILITIES, PrintedFeature, StatBlock, read_blocks
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.vocabulary import terms
from turnwright.storage.fights import ConversionReport, UnreadableError

Record = Mapping[str, Any]
_TERMS: Final[Mapping[str, Any]] = terms("beyond", "words")
_BY_ID: Final[Mapping[int | None, str]] = {number: ability for number, (ability, _) in enumerate(ABILITIES, 1)}
_LEAST: Final = frozenset({"stats", "classes", "baseHitPoints"})
_SHIELD, _RANGED = 4, 2


def claims(document: ParsedDocument) -> bool:
    """Whether a document contains a character of D&D Beyond."""
    return document.kind == "json" and any(map(_is_character, _characters(document.data)))


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield each character as a party of one."""
    odd = f"not a D&D Beyond character; expected the keys {', '.join(sorted(_LEAST))}"
    return read_blocks(documents, system, _characters, _block, entry="character", is_record=_is_character, odd=odd)


def _characters(data: Any) -> Iterator[Record]:
    """Yield the characters of a document, without the wrappers around them."""
    for record in map(as_mapping, data if isinstance(data, list) else [data]):
        yield next(filter(_is_character, (as_mapping(record.get(key)) for key in ("data", "character"))), record)


def _is_character(record: Any) -> bool:
    return isinstance(record, dict) and record.keys() >= _LEAST


def _block(record: Record, name: str, report: ConversionReport) -> StatBlock:
    return _Sheet(record, report).block(name)


class _Sheet:
    """A character's base values, and the modifiers in effect."""

    def __init__(self, record: Record, report: ConversionReport) -> None:
        self._record, self._assumed = record, Assumptions(report)
        self._classes = [as_mapping(entry) for entry in list_at(record, "classes")]
        self._level = sum(int_at(entry, "level") or 0 for entry in self._classes)
        if not 1 <= self._level <= 30:
            raise UnreadableError(f"classes: expected levels from 1 to 30 in all, found {self._level}")
        self._proficiency = 2 + (self._level - 1) // 4
        items = [item for item in list_at(record, "inventory") if nested_value(item, "equipped") is True]
        self._worn = [(item, as_mapping(nested_value(item, "definition"))) for item in items]
        active = {
            int_at(found, "id") for item, found in self._worn if item.get("isAttuned") or not found.get("canAttune")
        }
        self._modifiers = [
            modifier
            for source, several in as_mapping(record.get("modifiers")).items()
            for modifier in map(as_mapping, as_list(several))
            if not text_at(modifier, "restriction") and (source != "item" or int_at(modifier, "componentId") in active)
        ]
        self._mods: dict[str, int] = {}
        self._scores = {ability: self._score(number, name) for number, (ability, name) in enumerate(ABILITIES, 1)}
        self._mods = {ability: (score - 10) // 2 for ability, score in self._scores.items()}

    def _of(self, kind: str, *names: str) -> list[Record]:
        """Return the modifiers of a type (`bonus`, `set`, `proficiency`) on any of some subtypes, or on anything."""
        return [
            one for one in self._modifiers if one.get("type") == kind and (not names or one.get("subType") in names)
        ]

    def _value(self, modifier: Record) -> int:
        """Return the number of a modifier, which may be that of an ability."""
        value = next((number for key in ("value", "fixedValue") if (number := int_at(modifier, key)) is not None), None)
        return self._mods.get(_BY_ID.get(int_at(modifier, "statId"), ""), 0) if value is None else value

    def _bonus(self, *names: str) -> int:
        return sum(map(self._value, self._of("bonus", *names)))

    def _most(self, *names: str) -> int:
        return max(map(self._value, (*self._of("set", *names), *self._of("set-base", *names))), default=0)

    def _score(self, number: int, name: str) -> int:
        rows = {
            key: {int_at(one, "id"): int_at(one, "value") for one in list_at(self._record, key)}
            for key in _TERMS["scores"]
        }
        stated, bonus, override = (rows[key].get(number) for key in _TERMS["scores"])
        total = (10 if stated is None else stated) + (bonus or 0) + self._bonus(f"{name}-score")
        return override or max(total, self._most(f"{name}-score"))

    def _times(self, *names: str) -> float:
        """Return the multiple of the proficiency bonus that a roll gets."""
        found = (times for kind, times in (("expertise", 2), ("proficiency", 1)) if self._of(kind, *names))
        return next(found, 0.5 if self._of("half-proficiency", *names, "ability-checks") else 0)

    def block(self, name: str) -> StatBlock:
        """Return the stat block of the character. Raise UnreadableError if it has no hit points."""
        record, level = self._record, self._level
        base, con = int_at(record, "baseHitPoints"), self._mods["con"]
        more = (int_at(record, "bonusHitPoints") or 0) + self._bonus("hit-points")
        hp = (base or 0) + (con + self._bonus("hit-points-per-level")) * level + more
        hp = int_at(record, "overrideHitPoints") or hp
        if base is None or hp < 1:
            raise UnreadableError(
                f"baseHitPoints: expected a number of hit points, found {record.get('baseHitPoints')!r}"
            )
        ac, armour = self._armor_class()
        slots, used = self._slots()
        classes = [f"{text_at(entry, 'definition', 'name')} {int_at(entry, 'level') or 0}" for entry in self._classes]
        casting, spells = self._spells()
        alert = self._bonus("initiative") + int(self._times("initiative") * self._proficiency)
        saves = ((id, self._total(id, f"{name}-saving-throws", "saving-throws")) for id, name in ABILITIES)
        skills = ((id.replace(" ", "-"), ability) for id, ability in terms("abilities", "of_skills").items())
        known_skills = ((id, self._total(ability, id, "ability-checks")) for id, ability in skills)
        states = (
            (_named("conditions", int_at(one, "id")), int_at(one, "level") or 0)
            for one in list_at(record, "conditions")
        )
        words = {
            field: [", ".join(text_at(one, "subType").replace("-", " ") for one in self._of(kind))]
            for field, kind in _TERMS["defences"].items()
        }
        character = Character(
            classes=" ".join(classes).lower(), hp=hp - (int_at(record, "removedHitPoints") or 0), used=used,
            temp_hp=max(0, int_at(record, "temporaryHitPoints") or 0), dead=(int_at(record, "deathSaves", "failCount") or 0) > 2,
            conditions=tuple(LastingCondition(id, value) for id, value in states if id), assumed=frozenset(self._assumed.fields),
        )  # fmt: skip
        return StatBlock(
            name, size=_named("sizes", int_at(record, "race", "sizeId") or 4) or "medium", type="humanoid",
            alignment=_named("alignments", int_at(record, "alignmentId")), ac=ac, ac_note=armour, hp=hp,
            abilities=tuple(self._scores.items()), level=level, proficiency=self._proficiency, character=character,
            saves=tuple((id, number) for id, number in saves if number is not None), speeds=tuple(self._speeds()),
            skills=tuple((id, number) for id, number in known_skills if number is not None),
            senses=tuple((sense, feet) for sense in _TERMS["senses"] if (feet := self._most(sense))),
            initiative=self._mods["dex"] + alert if alert else None, spellcasting=casting, slots=slots,
            languages=", ".join(dict.fromkeys(text_at(one, "friendlySubtypeName") for one in self._of("language"))),
            features=(*self._attacks(), *spells, *self._actions()), source="D&D Beyond",
            description=", ".join(filter(None, (text_at(record, "race", "fullName"), *classes))),
            immunities=words["immunities"], resistances=words["resistances"], vulnerabilities=words["vulnerabilities"],
        )  # fmt: skip

    def _total(self, ability: str, name: str, every: str) -> int | None:
        """Return the total bonus of a save or skill, or None if it is only that of the ability."""
        times, bonus = self._times(name), self._bonus(name, every)
        return self._mods[ability] + int(times * self._proficiency) + bonus if times or bonus else None

    def _armor_class(self) -> tuple[int, str]:
        """Return the Armor Class and the worn armour. Files contain the total only if a player typed it."""
        dex, typed = (
            self._mods["dex"],
            {int_at(row, "typeId"): int_at(row, "value") or 0 for row in list_at(self._record, "characterValues")},
        )
        if override := typed.get(1):
            return override, ""
        worn = [found for _, found in self._worn if int_at(found, "armorTypeId")]
        armours = [found for found in worn if int_at(found, "armorTypeId") != _SHIELD]
        shield = max((int_at(found, "armorClass") or 0 for found in worn if found not in armours), default=0)
        totals = [
            (int_at(one, "armorClass") or 0) + min(dex, _TERMS["dexterity"].get(text_at(one, "armorTypeId"), 0))
            for one in armours
        ]
        names = ", ".join(text_at(found, "name").lower() for found in worn)
        added = (
            self._bonus("armor-class", f"{'' if armours else 'un'}armored-armor-class")
            + typed.get(2, 0)
            + typed.get(3, 0)
        )
        ac = max(totals, default=10 + dex + self._most("unarmored-armor-class")) + shield + added
        self._assumed.add("ac", ac, f"{names or 'no armour'}, Dexterity {dex:+d}, bonuses {added:+d}")
        return ac, names

    def _speeds(self) -> Iterator[tuple[str, int]]:
        usual = as_mapping(nested_value(self._record, "race", "weightSpeeds", "normal"))
        walk, armours = (
            int_at(usual, "walk") or 30,
            [one for _, one in self._worn if int_at(one, "armorTypeId") in (1, 2, 3)],
        )
        extra = self._bonus("speed") + (0 if armours else self._bonus("unarmored-movement"))
        for move, word in _TERMS["moves"].items():
            innate = [int_at(one, "value") or walk for one in self._of("set", f"innate-speed-{word}")]
            if feet := max((int_at(usual, move) or 0, walk if move == "walk" else 0, *innate)):
                yield move, feet + extra + self._bonus(f"speed-{word}")

    def _attacks(self) -> Iterator[PrintedFeature]:
        if more := self._most("extra-attacks"):
            text = f"It makes {1 + more} attacks with the Attack action."
            yield PrintedFeature("Extra Attack", text, "trait", known={"attacks": 1 + more})
        for item, found in self._worn:
            if found.get("filterType") == "Weapon":
                yield self._attack(text_at(item, "customName") or text_at(found, "name"), found)

    def _attack(self, name: str, weapon: Record) -> PrintedFeature:
        words = [text_at(one, "name").lower() for one in list_at(weapon, "properties")]
        is_ranged, group = (
            int_at(weapon, "attackType") == _RANGED,
            ["simple", "martial"][int_at(weapon, "categoryId") == 2],
        )
        ability = "dex" if is_ranged else max(("str", "dex")[: 1 + ("finesse" in words)], key=self._mods.__getitem__)
        granted = (one for one in list_at(weapon, "grantedModifiers") if text_at(one, "subType") == "magic")
        magic = sum(int_at(one, "value") or 0 for one in granted)
        kind = text_at(weapon, "type").lower().replace(", ", "-").replace(" ", "-")
        trained = self._proficiency if self._of("proficiency", f"{group}-weapons", kind) else 0
        way = "ranged" if is_ranged else "melee"
        more = magic + self._bonus("weapon-attacks", f"{way}-weapon-attacks")
        attack = self._mods[ability] + trained + more
        how = f"{ability.title()} {self._mods[ability]:+d}, proficiency {trained:+d}, bonuses {more:+d}"
        self._assumed.add("attack", attack, how, called=f"{name}: attack")
        harm = self._mods[ability] + magic + self._bonus("damage", f"{way}-weapon-damage")
        dice = text_at(weapon, "damage", "diceString") or text_at(weapon, "fixedDamage") or "1"
        near, far = int_at(weapon, "range") or 5, int_at(weapon, "longRange") or 0
        known: dict[str, Any] = {"attack": attack, "reach": 0 if is_ranged else 10 if "reach" in words else 5}
        known["damage"] = f"{dice}{f'{harm:+d}' if harm else ''} {text_at(weapon, 'damageType').lower()}".strip()
        known["properties"] = ("weapon", *(word for word in words if word not in ("range", "ammunition")))
        known |= {"range": f"{near}/{far}" if far > near else str(near)} if is_ranged or "thrown" in words else {}
        return PrintedFeature(name, "", "action", known=known)

    def _spells(self) -> tuple[str, list[PrintedFeature]]:
        """Return the spellcasting ability, and a list of spells of each class and of all other sources."""
        by_id = {int_at(entry, "id"): entry for entry in self._classes}
        groups = [
            (by_id.get(int_at(one, "characterClassId"), {}), list_at(one, "spells"))
            for one in list_at(self._record, "classSpells")
        ]
        groups.append(({}, [spell for key in _TERMS["spells"] for spell in list_at(self._record, "spells", key)]))
        casting, features = "", list[PrintedFeature]()
        for entry, spells in groups:
            definitions = [as_mapping(entry.get(key)) for key in ("definition", "subclassDefinition")]
            ids = [int_at(one, "spellCastingAbilityId") for one in (*definitions, *spells)]
            ability = next((_BY_ID[id] for id in ids if id in _BY_ID), casting or "cha")
            lines: dict[str, dict[str, None]] = {}
            for spell in sorted(filter(_is_ready, spells), key=lambda one: int_at(one, "definition", "level") or 0):
                level, uses = int_at(spell, "definition", "level") or 0, int_at(spell, "limitedUse", "maxUses")
                ordinal = f"{level}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(level, 'th') } level" if entry else "At will"
                head = f"{uses}/day each" if uses else ordinal if level else "Cantrips"
                lines.setdefault(head, {})[text_at(spell, "definition", "name")] = None
            if lines:
                casting, title = (
                    casting or ability,
                    f"Spellcasting ({text_at(entry, 'definition', 'name')})" if entry else "Innate Spellcasting",
                )
                attack = self._proficiency + self._mods[ability]
                figures = {
                    "dc": 8 + attack + self._bonus("spell-save-dc"),
                    "attack": attack + self._bonus("spell-attacks"),
                }
                self._assumed.add(
                    "spellcasting", f"DC {figures['dc']}", f"8, proficiency, {ability.title()}", called=title
                )
                text = "\n".join(f"{head}: {', '.join(names)}" for head, names in lines.items())
                features.append(PrintedFeature(title, text, "trait", known=figures))
        return casting, features

    def _slots(self) -> tuple[NamedNumbers, NamedNumbers]:
        """Return the spell slots and the spent ones, by level."""
        pact, casters, slots = list[Any](), list[tuple[int, int, list[Any]]](), dict[str, int]()
        for entry in self._classes:
            for found in (as_mapping(entry.get(key)) for key in ("definition", "subclassDefinition")):
                table, level = list_at(found, "spellRules", "levelSpellSlots"), int_at(entry, "level") or 0
                if found.get("canCastSpells") is False or level >= len(table):
                    continue
                if text_at(found, "name") in _TERMS["pact"]:
                    pact += [table[level]]
                else:
                    casters.append(
                        (max(1, int_at(found, "spellRules", "multiClassSpellSlotDivisor") or 1), level, table)
                    )
                break
        if casters:
            divisor, level, table = min(casters, key=lambda caster: caster[0])
            shared = divisor * sum(own // each for each, own, _ in casters)
            pact.append(table[level if len(casters) == 1 else min(shared, len(table) - 1)])
        for row in pact:
            for number, count in enumerate(map(as_int, as_list(row)), 1):
                slots[str(number)] = slots.get(str(number), 0) + (count or 0)
        spent = [
            row for key in ("spellSlots", "pactMagic") for row in list_at(self._record, key) if int_at(row, "used")
        ]
        return tuple((id, n) for id, n in slots.items() if n), tuple(
            (text_at(row, "level"), int_at(row, "used") or 0) for row in spent
        )

    def _actions(self) -> Iterator[PrintedFeature]:
        """Yield the active and limited features of the race, classes and feats, with their texts."""
        for action in (
            as_mapping(one) for key in ("race", "class", "feat") for one in list_at(self._record, "actions", key)
        ):
            uses = int_at(action, "limitedUse", "maxUses") or 0
            ability = _BY_ID.get(int_at(action, "limitedUse", "statModifierUsesId"))
            uses = max(1, uses + self._mods[ability]) if ability else uses
            per = _TERMS["periods"].get(text_at(action, "limitedUse", "resetType"), "day")
            cost = _TERMS["activations"].get(text_at(action, "activation", "activationType"), "trait")
            text = re.sub(
                r"\{\{[^{}]*\}\}", "…", plain_text(text_at(action, "snippet") or text_at(action, "description"))
            )
            if text_at(action, "name") and (uses > 0 or cost != "trait"):
                yield PrintedFeature(
                    text_at(action, "name"), text, cost, known={"uses": uses, "per": per} if uses > 0 else {}
                )


def _is_ready(spell: Any) -> bool:
    is_known = any(nested_value(spell, key) is True for key in ("prepared", "alwaysPrepared", "countsAsKnownSpell"))
    return bool(text_at(spell, "definition", "name")) and (is_known or not int_at(spell, "definition", "level"))


def _named(terms: str, number: int | None) -> str:
    """Return the name with a number from 1 in a list, or an empty string."""
    names = _TERMS[terms]
    return str(names[number - 1]) if number is not None and 1 <= number <= len(names) else ""


FORMAT: Final = ImportFormat("beyond", "D&D Beyond characters", claims, read)
