"""Reads what actors of the 5e games share: the bases of their totals, skills, hit points, uses, gear and spells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature, NamedNumbers
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator, slug
from turnwright.storage.importers.common import as_list, as_mapping, as_text
from turnwright.storage.importers.foundry.actors import Actor, items_of, mapping_at, system_of, value_at
from turnwright.storage.importers.foundry.formulas import FormulaEvaluator
from turnwright.storage.importers.foundry.links import names_by_link
from turnwright.storage.importers.foundry.units import (
    ABILITIES,
    SKILLS,
    proficiency_bonus,
    proficiency_multiplier,
    rating_number,
    refill_period,
    title_from_key,
)
from turnwright.storage.statblock_text.numbers import as_int

Found = Mapping[str, Any]
_MOST: Final = 100
_WORD = re.compile(r"\w{3,}")
_PARAPHRASE: Final = 0.75  # of the words of a condition: a text that has so many says the same
_LANGUAGES: Final = {"deep": "Deep Speech", "cant": "Thieves' Cant", "sign": "Common Sign Language"}


class ActorReading(msgspec.Struct):
    """An actor that is read: its data, the bases of its totals, and the parts of its stat block so far."""

    name: str
    system: Found
    items: list[Found]
    report: ConversionReport
    level: int
    scores: dict[str, int]
    modifiers: dict[str, int]
    proficiency: int
    casting: str
    bonuses: Found
    formulas: FormulaEvaluator
    ids: IdAllocator = msgspec.field(default_factory=IdAllocator)
    features: list[Feature] = []
    spells: list[tuple[str, str, int]] = []
    gear: list[str] = []
    names_by_link: Mapping[str, str] = {}
    effects: list[Found] = []

    def is_caster(self) -> bool:
        """Return whether the actor has spells, or a feature about them."""
        return bool(self.spells) or any("spellcasting" in one.name.lower() for one in self.features)

    def bonus(self, formula: Any, field: str) -> int:
        """Return a bonus as a number, 0 for none; a formula that can't be worked out is reported."""
        return self.formulas.bonus(formula, field, self.report)


def actor_reading(actor: Actor, name: str, casting: Any, report: ConversionReport) -> ActorReading:
    """Return the reading of an actor before any part is read; `casting` is its spellcasting ability as it is stated."""
    system, items = system_of(actor), items_of(actor)
    scores: dict[str, int] = {}
    for ability in ABILITIES:
        given = value_at(system, f"abilities.{ability}.value")
        score = as_int(given)
        if score is None:
            report.add_note(f"abilities: {ability}", as_text(given), "is no score; 10 is taken")
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
        effects=[one for one in as_list(actor.get("effects")) if isinstance(one, dict)],
    )  # fmt: skip


def effects_on(reading: ActorReading, path: str) -> Iterator[tuple[Found, Found]]:
    """Yield the effects of an actor and of what it wears that change a value below a path, with each change."""
    effects = list(reading.effects)
    for item in reading.items:
        if system_of(item).get("equipped") is not False and item.get("type") != "spell":
            held = (one for one in as_list(item.get("effects")) if isinstance(one, dict))
            effects += [one for one in held if one.get("transfer") is not False and one.get("type") != "enchantment"]
    for effect in effects:
        for change in (*as_list(effect.get("changes")), *as_list(value_at(effect, "system.changes"))):
            key = as_text(as_mapping(change).get("key"))
            if key.removeprefix("system.").removeprefix("data.").startswith(path):
                yield effect, change


def _level(own: Any, items: Iterable[Found]) -> int:
    """Return a character's level: its own number, or the sum of its classes."""
    classes = [system_of(item) for item in items if item.get("type") == "class"]
    levels = (as_int(one.get("classLevels") or one.get("levels")) or 0 for one in classes)
    return min(max(as_int(own) or sum(levels), 1), _MOST)


def first_number(found: Found, *keys: str) -> int:
    """Return the first number other than 0 under one of the keys; 0 where there is none."""
    return next((number for key in keys if (number := as_int(found.get(key)))), 0)


def hit_points(hp: Found, keys: Sequence[str], report: ConversionReport) -> int:
    """Return the maximum hit points, under the first of the keys that has any; UnreadableError where none has."""
    most, value = first_number(hp, *keys), as_int(hp.get("value"))
    if not most:
        raise UnreadableError(f"has no hit points (they are {hp.get(keys[0], hp.get('value'))!r})")
    if value is not None and value != most:
        report.add_note("hp", str(value), f"is what is left of {most}; it isn't kept")
    return most


def skills_in(reading: ActorReading, trained: str) -> Iterator[tuple[str, Found, int, float, int]]:
    """Yield the id, the data, the ability modifier, the times of proficiency (under `trained`) and the bonus of each skill."""
    for code, given in mapping_at(reading.system, "skills").items():
        skill = as_mapping(given)
        id, usual = SKILLS.get(code, (slug(code), "int"))
        ability = skill["ability"] if skill.get("ability") in ABILITIES else usual
        bonus = reading.bonus(value_at(skill, "bonuses.check"), f"skills: {id}")
        yield id, skill, reading.modifiers[ability], proficiency_multiplier(skill.get(trained)), bonus


def initiative_of(given: Found, reading: ActorReading) -> int | None:
    """Return the initiative bonus where it isn't that of Dexterity alone."""
    ability = given["ability"] if given.get("ability") in ABILITIES else "dex"
    bonus = reading.bonus(given.get("bonus"), "initiative")
    return reading.modifiers[ability] + bonus if bonus or ability != "dex" else None


def slots_of(slots: Iterable[Any], *keys: str) -> NamedNumbers:
    """Return spell slots by level from the data of each level in order."""
    counts = ((str(level), first_number(as_mapping(slot), *keys)) for level, slot in enumerate(slots, 1))
    return tuple((level, count) for level, count in counts if 0 < count <= _MOST)


def language_names(languages: Iterable[str]) -> list[str]:
    """Return languages, given by their keys or their names, by their names."""
    return [
        _LANGUAGES.get(one, title_from_key(one) if one.islower() and " " not in one else one)
        for one in languages
        if one
    ]


def item_name(item: Found) -> str:
    """Return the name of an item or an action."""
    return " ".join(as_text(item.get("name")).split())


def limited_uses(number: int | None, said: str, period: str, name: str, report: ConversionReport) -> dict[str, Any]:
    """Return the fields for a number of uses a period; a period that is unknown is reported."""
    stretch = refill_period(period)
    if number and number > 0 and stretch:
        return {"uses": number, "per": stretch}
    report.add_note(f"{name}: uses", f"{said} per {period or '?'}", "is no limit that is known; it isn't kept")
    return {}


def spell_entry(spell: Found, uses: str, per: str) -> tuple[str, str, int]:
    """Return a spell's name, its limit of uses in brackets, and its level."""
    limit = f" ({uses}/{per})" if uses and per else ""
    return item_name(spell), limit, as_int(system_of(spell).get("level")) or 0


def add_worn(kind: str, reading: ActorReading) -> None:
    """Add a shield or heavy armour to the gear that an actor is known to wear."""
    word = {"shield": "shield", "heavy": "heavy-armor"}.get(kind, "")
    if word and word not in reading.gear:
        reading.gear.append(word)


def add_carried(item: Found, name: str, text: str, reading: ActorReading) -> None:
    """Add a remark with the name of an item that is no feature; its own text is reported, for no stat block has it."""
    count = as_int(system_of(item).get("quantity")) or 1
    said = f"{name} ({count})" if count > 1 else name
    reading.report.add_remark("gear", said)
    if text:
        reading.report.add_note(f"gear: {name}", text, "is the text of something carried; only its name is kept")


def with_preface(preface: str, text: str) -> str:
    """Return a feature's text, with its trigger or its condition before it where it doesn't say that."""
    preface = preface.strip().rstrip(".")
    words, said = (set(_WORD.findall(one.lower())) for one in (preface, text))
    if not preface or len(words & said) >= _PARAPHRASE * len(words):
        return text
    return f"{preface[:1].upper()}{preface[1:]}. {text}".strip()


def with_long_activation(text: str, number: int | None, unit: str, name: str, report: ConversionReport) -> str:
    """Return a feature's text, with the time that it takes where that is longer than an action."""
    if unit not in ("minute", "hour", "day"):
        return text
    said = f"{number or 1} {unit}{'s' if (number or 1) > 1 else ''}"
    report.add_note(f"{name}: activation", said, "is longer than an action; it stays as text only")
    return f"{text}\nTakes {said}.".strip()
