"""Reads player characters of D&D Beyond: the data of its character service, or of a character's page with `/json`.

Files contain inputs, not totals: base values and the modifiers of races, classes, feats and items. Modifiers of items
count only while the item is worn (and attuned, if it needs that).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from turnwright.encounter.prepared import LastingCondition, NamedNumbers
from turnwright.importers.characters import Assumptions, Character
from turnwright.importers.common import as_list, as_mapping, int_at, list_at, nested_value, number_at, text_at
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.importers.stat_block import ABILITIES, PrintedFeature, Record, StatBlock, read_blocks, spell_list
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.vocabulary import terms
from turnwright.storage.fights import ConversionReport, UnreadableError

_TERMS: Final[Mapping[str, Any]] = terms("beyond", "words")
_BY_ID: Final[Mapping[int | None, str]] = {number: ability for number, (ability, _) in enumerate(ABILITIES, 1)}
_TITLES: Final[Mapping[str, str]] = terms("abilities", "titles")
_LEAST: Final = frozenset({"stats", "classes", "baseHitPoints"})
_DEFINITIONS: Final = ("definition", "subclassDefinition")
_SHIELD: Final = 4


def claims(document: ParsedDocument) -> bool:
    """Whether a document contains a character of D&D Beyond."""
    return document.kind == "json" and any(map(_is_character, _characters(document.data)))


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
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
        self._classes = list_at(record, "classes")
        self._level = sum(number_at(entry, "level") for entry in self._classes)
        if not 1 <= self._level <= 30:
            raise UnreadableError(f"classes: expected levels from 1 to 30 in all, found {self._level}")
        self._proficiency = 2 + (self._level - 1) // 4
        items = [as_mapping(item) for item in list_at(record, "inventory") if nested_value(item, "equipped") is True]
        self._worn = [(item, as_mapping(item.get("definition"))) for item in items]
        used = (one for item, one in self._worn if item.get("isAttuned") or not one.get("canAttune"))
        active = {(int_at(one, "id"), int_at(one, "entityTypeId")) for one in used}
        groups = as_mapping(record.get("modifiers"))
        rows = [(source, as_mapping(one)) for source, several in groups.items() for one in as_list(several)]
        rows = [(source, one) for source, one in rows if not text_at(one, "restriction")]
        ids = [(int_at(one, "componentId"), int_at(one, "componentTypeId")) for _, one in rows]
        self._modifiers = [one for (source, one), id in zip(rows, ids, strict=True) if source != "item" or id in active]
        self._mods: dict[str, int] = {}
        self._scores = {ability: self._score(number, name) for number, (ability, name) in enumerate(ABILITIES, 1)}
        self._mods = {ability: (score - 10) // 2 for ability, score in self._scores.items()}

    def _of(self, kind: str, *names: str) -> list[Record]:
        """Return the modifiers of a type (`bonus`, `set`, `proficiency`) on any of some subtypes, or on anything."""
        found = [one for one in self._modifiers if one.get("type") == kind]
        return [one for one in found if one.get("subType") in names] if names else found

    def _value(self, modifier: Record) -> int:
        """Return the number of a modifier, which may be that of an ability."""
        values = [number for key in ("value", "fixedValue") if (number := int_at(modifier, key)) is not None]
        return values[0] if values else self._mods.get(_BY_ID.get(int_at(modifier, "statId"), ""), 0)

    def _bonus(self, *names: str) -> int:
        return sum(map(self._value, self._of("bonus", *names)))

    def _most(self, name: str) -> int:
        return max(map(self._value, (*self._of("set", name), *self._of("set-base", name))), default=0)

    def _score(self, id: int, name: str) -> int:
        rows = (list_at(self._record, key) for key in ("stats", "bonusStats", "overrideStats"))
        stated, bonus, override = ({int_at(one, "id"): int_at(one, "value") for one in row}.get(id) for row in rows)
        total = (10 if stated is None else stated) + (bonus or 0) + self._bonus(f"{name}-score")
        return override or max(total, self._most(f"{name}-score"))

    def _trained(self, name: str, every: str) -> int:
        """Return the proficiency bonus that a save, a skill or initiative gets, possibly doubled or halved."""
        if self._of("expertise", name) or self._of("proficiency", name):
            return self._proficiency * (2 if self._of("expertise", name) else 1)
        return self._proficiency // 2 if self._of("half-proficiency", name, every) else 0

    def block(self, name: str) -> StatBlock:
        """Return the stat block of the character. Raise UnreadableError if it has no hit points."""
        record, level, base = self._record, self._level, int_at(self._record, "baseHitPoints")
        each = self._mods["con"] + self._bonus("hit-points-per-level")
        hp = (base or 0) + each * level + number_at(record, "bonusHitPoints") + self._bonus("hit-points")
        hp = number_at(record, "overrideHitPoints") or hp
        if base is None or hp < 1:
            raise UnreadableError(f"baseHitPoints: expected a number, found {record.get('baseHitPoints')!r}")
        (ac, armour), (casting, spells), (slots, used) = self._armor_class(), self._spells(), self._slots()
        classes = [f"{text_at(entry, 'definition', 'name')} {number_at(entry, 'level')}" for entry in self._classes]
        alert = self._bonus("initiative") + self._trained("initiative", "ability-checks")
        saves = [(id, self._total(id, f"{name}-saving-throws", "saving-throws")) for id, name in ABILITIES]
        known = [(skill.replace(" ", "-"), ability) for skill, ability in terms("abilities", "of_skills").items()]
        skills = [(id, self._total(ability, id, "ability-checks")) for id, ability in known]
        marks = [(_named("conditions", one), number_at(one, "level")) for one in list_at(record, "conditions")]
        words = [[text_at(one, "subType") for one in self._of(kind)] for kind in _TERMS["defences"]]
        features = (*self._attacks(), *spells, *self._actions())
        character = Character(
            " ".join(classes).lower(), hp=hp - number_at(record, "removedHitPoints"), used=used,
            temp_hp=max(0, number_at(record, "temporaryHitPoints")), dead=number_at(record, "deathSaves", "failCount") > 2,
            conditions=tuple(LastingCondition(id, value) for id, value in marks if id), assumed=frozenset(self._assumed.fields),
        )  # fmt: skip
        return StatBlock(
            name, size=_named("sizes", record.get("race"), "sizeId") or "medium", type="humanoid", hp=hp, ac=ac, ac_note=armour,
            alignment=_named("alignments", record, "alignmentId"), abilities=tuple(self._scores.items()), level=level,
            saves=tuple((id, number) for id, number in saves if number is not None), speeds=tuple(self._speeds()),
            skills=tuple((id, number) for id, number in skills if number is not None), proficiency=self._proficiency,
            senses=tuple((sense, feet) for sense in _TERMS["senses"] if (feet := self._most(sense))), slots=slots,
            initiative=self._mods["dex"] + alert if alert else None, spellcasting=casting, features=features,
            languages=", ".join(dict.fromkeys(text_at(one, "friendlySubtypeName") for one in self._of("language"))),
            description=", ".join(filter(None, (text_at(record, "race", "fullName"), *classes))), source="D&D Beyond",
            immunities=words[0], resistances=words[1], vulnerabilities=words[2],
            character=character,
        )  # fmt: skip

    def _total(self, ability: str, name: str, every: str) -> int | None:
        """Return the total bonus of a save or skill, or None if it is only that of the ability."""
        trained, bonus = self._trained(name, every), self._bonus(name, every)
        return self._mods[ability] + trained + bonus if trained or bonus else None

    def _armor_class(self) -> tuple[int, str]:
        """Return the Armor Class and the worn armour. Files contain the total only if a player typed it."""
        dex, rows = self._mods["dex"], list_at(self._record, "characterValues")
        typed = {number_at(row, "typeId"): number_at(row, "value") for row in rows}
        worn = [(number_at(one, "armorTypeId"), number_at(one, "armorClass")) for _, one in self._worn]
        armours = [number + min(dex, _TERMS["dexterity"][str(kind)]) for kind, number in worn if 0 < kind < _SHIELD]
        shield = max((number for kind, number in worn if kind == _SHIELD), default=0)
        names = ", ".join(text_at(one, "name").lower() for _, one in self._worn if number_at(one, "armorTypeId"))
        added = self._bonus("armor-class", f"{'' if armours else 'un'}armored-armor-class")
        added += typed.get(2, 0) + typed.get(3, 0)
        bare = 10 + (0 if self._of("ignore", "unarmored-dex-ac-bonus") else dex) + self._most("unarmored-armor-class")
        ac = max(armours, default=bare) + shield + added
        if typed.get(1):
            return typed[1], ""
        self._assumed.add("ac", ac, f"{names or 'no armour'}, Dexterity {dex:+d}, bonuses {added:+d}")
        return ac, names

    def _speeds(self) -> Iterator[tuple[str, int]]:
        usual = as_mapping(nested_value(self._record, "race", "weightSpeeds", "normal"))
        walk, armours = number_at(usual, "walk") or 30, {number_at(one, "armorTypeId") for _, one in self._worn}
        extra = self._bonus("speed", *([] if armours & {1, 2, 3} else ["unarmored-movement"]))
        for move, word in _TERMS["moves"].items():
            innate = [number_at(one, "value") or walk for one in self._of("set", f"innate-speed-{word}")]
            if feet := max((number_at(usual, move), walk if move == "walk" else 0, *innate)):
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
        far, group = number_at(weapon, "attackType") == 2, ("simple", "martial")[number_at(weapon, "categoryId") == 2]
        ability = "dex" if far else max(("str", "dex")[: 1 + ("finesse" in words)], key=self._mods.__getitem__)
        granted = [one for one in list_at(weapon, "grantedModifiers") if text_at(one, "subType") == "magic"]
        magic, modifier = sum(number_at(one, "value") for one in granted), self._mods[ability]
        kind, way = text_at(weapon, "type").lower().replace(", ", "-").replace(" ", "-"), "ranged" if far else "melee"
        trained = self._proficiency if self._of("proficiency", f"{group}-weapons", kind) else 0
        more = magic + self._bonus("weapon-attacks", f"{way}-weapon-attacks")
        how = f"{_TITLES[ability]} {modifier:+d}, proficiency {trained:+d}, bonuses {more:+d}"
        self._assumed.add("attack", modifier + trained + more, how, called=f"{name}: attack")
        harm = modifier + magic + self._bonus("damage", f"{way}-weapon-damage")
        dice = text_at(weapon, "damage", "diceString") or text_at(weapon, "fixedDamage") or "1"
        near, long = number_at(weapon, "range") or 5, number_at(weapon, "longRange")
        reach = 0 if far else 10 if "reach" in words else 5
        known: dict[str, Any] = {"attack": modifier + trained + more, "reach": reach}
        known["damage"] = f"{dice}{f'{harm:+d}' if harm else ''} {text_at(weapon, 'damageType').lower()}".strip()
        known["properties"] = ("weapon", *(word for word in words if word not in ("range", "ammunition")))
        known |= {"range": f"{near}/{long}" if long > near else str(near)} if far or "thrown" in words else {}
        return PrintedFeature(name, "", "action", known=known)

    def _spells(self) -> tuple[str, list[PrintedFeature]]:
        """Return the spellcasting ability, and a list of spells of each class and of all other sources."""
        casting, features, lists = "", list[PrintedFeature](), list_at(self._record, "classSpells")
        by_id = {number_at(entry, "id"): entry for entry in self._classes}
        groups = [(by_id.get(number_at(one, "characterClassId"), {}), list_at(one, "spells")) for one in lists]
        groups.append(({}, [spell for key in _TERMS["spells"] for spell in list_at(self._record, "spells", key)]))
        for entry, spells in groups:
            ids = [int_at(entry, key, "spellCastingAbilityId") for key in _DEFINITIONS]
            ids += [int_at(spell, "spellCastingAbilityId") for spell in spells]
            ability = next((_BY_ID[id] for id in ids if id in _BY_ID), casting or "cha")
            prepares = nested_value(entry, "definition", "spellPrepareType") is not None
            ready = [spell for spell in spells if not entry or _is_ready(spell, prepares=prepares)]
            uses = [number_at(one, "limitedUse", "maxUses") for one in ready]
            rows = [(number_at(one, "definition", "level"), text_at(one, "definition", "name")) for one in ready]
            usual = ["At will" if level and not entry else "" for level, _ in rows]
            heads = [f"{n}/day each" if n else head for n, head in zip(uses, usual, strict=True)]
            if rows:
                casting = casting or ability
                title = f"Spellcasting ({text_at(entry, 'definition', 'name')})" if entry else "Innate Spellcasting"
                dc = 8 + self._proficiency + self._mods[ability] + self._bonus("spell-save-dc")
                self._assumed.add("dc", dc, f"8, proficiency, {_TITLES[ability]}", called=f"{title}: dc")
                features.append(spell_list(title, rows, heads, dc))
        return casting, features

    def _slots(self) -> tuple[NamedNumbers, NamedNumbers]:
        """Return the spell slots and the spent ones, by level."""
        rows, casters, slots = list[Any](), list[tuple[int, int, list[Any]]](), dict[str, int]()
        for entry in self._classes:
            both = (as_mapping(nested_value(entry, key)) for key in _DEFINITIONS)
            one = next((one for one in both if one.get("canCastSpells") is not False and one.get("spellRules")), {})
            table, level = list_at(one, "spellRules", "levelSpellSlots"), number_at(entry, "level")
            if table and text_at(one, "name") in _TERMS["pact"]:
                rows += table[level : level + 1]
            elif table:
                casters.append((max(1, number_at(one, "spellRules", "multiClassSpellSlotDivisor")), level, table))
        if casters:
            step, level, table = min(casters, key=lambda caster: caster[0])
            shared = level if len(casters) == 1 else step * sum(own // each for each, own, _ in casters)
            rows.append(table[min(shared, len(table) - 1)])
        for row in rows:
            slots |= {str(n): slots.get(str(n), 0) + (as_int(count) or 0) for n, count in enumerate(as_list(row), 1)}
        spent = [row for key in ("spellSlots", "pactMagic") for row in list_at(self._record, key)]
        used = tuple((text_at(row, "level"), number_at(row, "used")) for row in spent if number_at(row, "used"))
        return tuple((id, count) for id, count in slots.items() if count), used

    def _actions(self) -> Iterator[PrintedFeature]:
        """Yield the active and limited features of the race, classes and feats, with their texts."""
        for action in (one for key in ("race", "class", "feat") for one in list_at(self._record, "actions", key)):
            name, uses = text_at(action, "name"), number_at(action, "limitedUse", "maxUses")
            ability = _BY_ID.get(int_at(action, "limitedUse", "statModifierUsesId"))
            uses = max(1, uses + self._mods[ability]) if ability else uses
            per = _TERMS["periods"].get(text_at(action, "limitedUse", "resetType"), "day")
            cost = _TERMS["activations"].get(text_at(action, "activation", "activationType"), "trait")
            text = plain_text(text_at(action, "snippet") or text_at(action, "description"))
            if name and (uses > 0 or cost != "trait"):
                known = {"uses": uses, "per": per} if uses > 0 else {}
                yield PrintedFeature(name, re.sub(r"\{\{[^{}]*\}\}", "…", text), cost, known=known)


def _is_ready(spell: Any, *, prepares: bool) -> bool:
    """Return whether a spell can be cast: a cantrip, or one prepared or, if its class doesn't prepare, known."""
    keys = ("prepared", "alwaysPrepared", "" if prepares else "countsAsKnownSpell")
    return any(nested_value(spell, key) is True for key in keys) or not number_at(spell, "definition", "level")


def _named(words: str, record: Any, key: str = "id") -> str:
    """Return the word with a number from 1 in a list, or an empty string."""
    number = number_at(record, key)
    return str(_TERMS[words][number - 1]) if 0 < number <= len(_TERMS[words]) else ""


FORMAT: Final = ImportFormat("beyond", "D&D Beyond characters", claims, read)
