"""Reads the parts that actors of all 5e systems share: skills, hit points, uses, gear, spells, and basic values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature, NamedNumbers
from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.foundry.actors import Actor, items_of, mapping_at, system_of, value_at
from turnwright.importers.foundry.formulas import FormulaEvaluator
from turnwright.importers.foundry.links import names_by_link
from turnwright.importers.foundry.units import (
    ABILITIES,
    SKILLS,
    proficiency_bonus,
    proficiency_multiplier,
    rating_number,
    refill_period,
    title_from_key,
)
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator, slug

Record = Mapping[str, Any]
_MOST: Final = 100
_WORD = re.compile(r"\w{3,}")
_PARAPHRASE: Final = 0.75  # a text with this share of a condition's words already states it
_LANGUAGES: Final = {"deep": "Deep Speech", "cant": "Thieves' Cant", "sign": "Common Sign Language"}


class ActorReading(msgspec.Struct):
    """An actor while it is being read: its data, the values for its totals, and the parts of its stat block so far."""

    name: str
    system: Record
    items: list[Record]
    report: ConversionReport
    level: int
    scores: dict[str, int]
    modifiers: dict[str, int]
    proficiency: int
    casting: str
    bonuses: Record
    formulas: FormulaEvaluator
    ids: IdAllocator = msgspec.field(default_factory=IdAllocator)
    features: list[Feature] = []
    spells: list[tuple[str, str, int]] = []
    gear: list[str] = []
    names_by_link: Mapping[str, str] = {}
    effects: list[Record] = []

    def is_caster(self) -> bool:
        """Return whether the actor has spells or a spellcasting feature."""
        return bool(self.spells) or any("spellcasting" in feature.name.lower() for feature in self.features)

    def bonus(self, formula: Any, field: str) -> int:
        """Return a bonus as a number, or 0 if it is empty or its formula can't be evaluated, which is reported."""
        return self.formulas.bonus(formula, field, self.report)


def actor_reading(actor: Actor, name: str, casting: Any, report: ConversionReport) -> ActorReading:
    """Start the reading of an actor. `casting` is the spellcasting ability that the actor states."""
    system, items = system_of(actor), items_of(actor)
    scores: dict[str, int] = {}
    for ability in ABILITIES:
        stated = value_at(system, f"abilities.{ability}.value")
        score = as_int(stated)
        if score is None:
            report.add_note(f"abilities: {ability}", as_text(stated), "not an ability score; default used")
        scores[ability] = 10 if score is None else score
    modifiers = {ability: (score - 10) // 2 for ability, score in scores.items()}
    level = _level(value_at(system, "details.level"), items) if actor.get("type") == "character" else 0
    rating = rating_number(value_at(system, "details.cr"))
    proficiency = 2 + (level - 1) // 4 if level else proficiency_bonus(rating)
    values = {f"{ability}.mod": number for ability, number in modifiers.items()}
    values |= {f"{ability}.value": score for ability, score in scores.items()} | scores
    values |= {"prof": proficiency, "cr": int(rating), "level": level}
    return ActorReading(
        name, system, items, report, level, scores, modifiers, proficiency, casting if casting in ABILITIES else "int",
        mapping_at(system, "bonuses"), FormulaEvaluator(values), names_by_link=names_by_link(items),
        effects=[effect for effect in as_list(actor.get("effects")) if isinstance(effect, dict)],
    )  # fmt: skip


def effects_on(reading: ActorReading, path: str) -> Iterator[tuple[Record, Record]]:
    """Yield the changes to values under `path`, with their effects, which come from the actor and equipped items."""
    effects = list(reading.effects)
    for item in reading.items:
        if system_of(item).get("equipped") is not False and item.get("type") != "spell":
            item_effects = (entry for entry in as_list(item.get("effects")) if isinstance(entry, dict))
            effects += [
                item_effect
                for item_effect in item_effects
                if item_effect.get("transfer") is not False and item_effect.get("type") != "enchantment"
            ]
    for effect in effects:
        for change in (*as_list(effect.get("changes")), *as_list(value_at(effect, "system.changes"))):
            key = as_text(as_mapping(change).get("key"))
            if key.removeprefix("system.").removeprefix("data.").startswith(path):
                yield effect, change


def _level(own_level: Any, items: Iterable[Record]) -> int:
    """Return a character's level, as stated or as the sum of its class levels."""
    classes = [system_of(item) for item in items if item.get("type") == "class"]
    levels = (as_int(class_.get("classLevels") or class_.get("levels")) or 0 for class_ in classes)
    return min(max(as_int(own_level) or sum(levels), 1), _MOST)


def first_number(record: Record, *keys: str) -> int:
    """Return the first nonzero number under one of the keys, or 0 if there is none."""
    return next((number for key in keys if (number := as_int(record.get(key)))), 0)


def hit_points(hp: Record, keys: Sequence[str], report: ConversionReport) -> int:
    """Return the maximum hit points, from the first key that has a number. Raise UnreadableError if none has."""
    most, value = first_number(hp, *keys), as_int(hp.get("value"))
    if not most:
        raise UnreadableError(f"no hit points (found {hp.get(keys[0], hp.get('value'))!r})")
    if value is not None and value != most:
        report.add_note("hp", str(value), f"current hit points ignored; the maximum is {most}")
    return most


def skills_in(reading: ActorReading, trained: str) -> Iterator[tuple[str, Record, int, float, int]]:
    """Yield the id, data, ability modifier, proficiency multiplier (under `trained`) and bonus of each skill."""
    for code, data in mapping_at(reading.system, "skills").items():
        skill = as_mapping(data)
        id, usual = SKILLS.get(code, (slug(code), "int"))
        ability = skill["ability"] if skill.get("ability") in ABILITIES else usual
        bonus = reading.bonus(value_at(skill, "bonuses.check"), f"skills: {id}")
        yield id, skill, reading.modifiers[ability], proficiency_multiplier(skill.get(trained)), bonus


def initiative_of(data: Record, reading: ActorReading) -> int | None:
    """Return the initiative bonus, or None if it is only the Dexterity modifier."""
    ability = data["ability"] if data.get("ability") in ABILITIES else "dex"
    bonus = reading.bonus(data.get("bonus"), "initiative")
    return reading.modifiers[ability] + bonus if bonus or ability != "dex" else None


def slots_of(slots: Iterable[Any], *keys: str) -> NamedNumbers:
    """Return spell slots keyed by level, from the data of each level in order."""
    counts = ((str(level), first_number(as_mapping(slot), *keys)) for level, slot in enumerate(slots, 1))
    return tuple((level, count) for level, count in counts if 0 < count <= _MOST)


def language_names(languages: Iterable[str]) -> list[str]:
    """Return the names of languages, which may be given as keys or as names."""
    return [
        _LANGUAGES.get(language, title_from_key(language) if language.islower() and " " not in language else language)
        for language in languages
        if language
    ]


def item_name(item: Record) -> str:
    """Return the name of an item or an action."""
    return " ".join(as_text(item.get("name")).split())


def limited_uses(number: int | None, count: str, period: str, name: str, report: ConversionReport) -> dict[str, Any]:
    """Return the fields for a number of uses per period. An unknown period is reported."""
    stretch = refill_period(period)
    if number and number > 0 and stretch:
        return {"uses": number, "per": stretch}
    report.add_note(f"{name}: uses", f"{count} per {period or '?'}", "unknown usage limit; ignored")
    return {}


def spell_entry(spell: Record, uses: str, per: str) -> tuple[str, str, int]:
    """Return a spell's name, its use limit in brackets, and its level."""
    limit = f" ({uses}/{per})" if uses and per else ""
    return item_name(spell), limit, as_int(system_of(spell).get("level")) or 0


def add_worn(kind: str, reading: ActorReading) -> None:
    """Add a shield or heavy armour to the gear of an actor."""
    word = {"shield": "shield", "heavy": "heavy-armor"}.get(kind, "")
    if word and word not in reading.gear:
        reading.gear.append(word)


def add_carried(item: Record, name: str, text: str, reading: ActorReading) -> None:
    """Add a remark with the name of a carried item. The item's text is reported: stat blocks have no place for it."""
    count = as_int(system_of(item).get("quantity")) or 1
    label = f"{name} ({count})" if count > 1 else name
    reading.report.add_remark("gear", label)
    if text:
        reading.report.add_note(f"gear: {name}", text, "text of a carried item; only the name is kept")


def with_preface(preface: str, text: str) -> str:
    """Return a feature's text, preceded by its trigger or condition unless the text already states it."""
    preface = preface.strip().rstrip(".")
    words, text_words = (set(_WORD.findall(part.lower())) for part in (preface, text))
    if not preface or len(words & text_words) >= _PARAPHRASE * len(words):
        return text
    return f"{preface[:1].upper()}{preface[1:]}. {text}".strip()


def with_long_activation(text: str, number: int | None, unit: str, name: str, report: ConversionReport) -> str:
    """Return a feature's text, with its activation time appended if that is longer than an action."""
    if unit not in ("minute", "hour", "day"):
        return text
    duration = f"{number or 1} {unit}{'s' if (number or 1) > 1 else ''}"
    report.add_note(f"{name}: activation", duration, "takes longer than an action; kept as text only")
    return f"{text}\nTakes {duration}.".strip()
