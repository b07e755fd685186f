"""Actors of the D&D 5e game of the Foundry table, as JSON or YAML, in any version of that game's records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature, Feature, Remark
from turnwright.storage.importers.documents import Document
from turnwright.storage.importers.drafting import (
    Ids,
    checked,
    listed,
    mapping,
    rating_of,
    slug,
    text_of,
    unreadable_unless_named,
    whole,
)
from turnwright.storage.importers.formats import Format
from turnwright.storage.importers.foundry.actors import Actor, any_actor, game_of, inside, items_of, records, system_of
from turnwright.storage.importers.foundry.dnd5e_damage import Making
from turnwright.storage.importers.foundry.dnd5e_figures import (
    armour_of,
    conditions_of,
    defences_of,
    hit_points_of,
    languages_of,
    saves_of,
    senses_of,
    skills_of,
    speeds_of,
    sums_of,
)
from turnwright.storage.importers.foundry.dnd5e_items import carried
from turnwright.storage.importers.foundry.units import SIZES, number_of, words_of
from turnwright.storage.importers.prose.features import with_multiattacks
from turnwright.storage.importers.prose.lines import type_line
from turnwright.storage.importers.prose.plain import plain_text
from turnwright.storage.importers.results import Account, Imported, Unread, Unreadable

_KINDS: Final = ("npc", "character")


def is_ours(actor: Actor) -> bool:
    """Return whether an actor is of D&D 5e: it says so, or its abilities and traits have the shape that only that game has."""
    said = game_of(actor)
    if said:
        return said == "dnd5e"
    figures = system_of(actor)
    if "baseFormula" in mapping(inside(figures, "attributes.ac")):
        return False
    ability, traits = mapping(inside(figures, "abilities.str")), mapping(figures.get("traits"))
    shaped = "proficient" in ability and "value" in ability and isinstance(ability.get("proficient"), int | float)
    return (
        shaped
        and "mod" not in mapping(inside(figures, "saves.fortitude"))
        and bool({"di", "dr", "ci", "size"} & traits.keys())
    )


def claims(document: Document) -> bool:
    """Return whether a document holds actors of D&D 5e."""
    return any_actor(document, is_ours)


def read(documents: Sequence[Document], system: str) -> Iterator[Imported | Unread]:
    """Yield the creatures of documents, as of `system` where a person asked for one."""
    return records(
        documents,
        is_ours,
        lambda actor, file: _imported(actor, file, system if system in ("a5e", "dnd5e") else "dnd5e"),
    )


def _imported(actor: Actor, file: str, system: str) -> Imported:
    name = unreadable_unless_named(actor.get("name"))
    if actor.get("type") not in _KINDS:
        raise Unreadable(f"is a {actor.get('type')}, which has no stat block")
    account = Account(name)
    creature = checked(_creature(actor, name, account))
    return Imported(name, creature, system, file, account.reports)


def _creature(actor: Actor, name: str, account: Account) -> Creature:
    figures = system_of(actor)
    details, items = mapping(figures.get("details")), items_of(actor)
    level = _level(details, items) if actor.get("type") == "character" else 0
    sums = sums_of(figures, number_of(details.get("cr")), level, account)
    has = carried(
        items, Ids(),
        Making(sums.formulas, sums.modifiers, sums.proficiency, sums.casting, sums.bonuses, account, name),
    )  # fmt: skip
    ac, ac_note = armour_of(figures, items, sums, account)
    hp, dice = hit_points_of(figures, account)
    kind, tags, remarks = _type(details)
    speeds, hovers, of_speeds = speeds_of(figures, account)
    senses, said_passives, of_senses = senses_of(figures)
    skills, passives = skills_of(figures, sums, account)
    resisted = defences_of(figures, "dr", "resistances", account)
    immune = defences_of(figures, "di", "immunities", account)
    vulnerable = defences_of(figures, "dv", "vulnerabilities", account)
    _tell_amounts(figures, account)
    resources = mapping(figures.get("resources"))
    features = _with_resistance(has.features, resources)
    return Creature(
        id=slug(name),
        name=name,
        size=_size(figures, account),
        type=kind,
        tags=tags,
        rating=rating_of(details.get("cr")),
        ac=ac,
        ac_note=ac_note,
        hp=hp,
        hit_dice=dice,
        speeds=speeds,
        hovers=hovers,
        abilities=tuple(sums.scores.items()),
        saves=saves_of(figures, sums, account),
        skills=skills,
        senses=senses,
        languages=languages_of(figures),
        initiative=_initiative(figures, sums.modifiers, sums.formulas.number),
        resistances=resisted.types,
        vulnerabilities=vulnerable.types,
        immunities=immune.types,
        mundane_immunity=immune.mundane,
        mundane_resistance=resisted.mundane,
        condition_immunities=conditions_of(figures, account),
        gear=tuple(has.gear),
        features=with_multiattacks(features, account),
        source=_source(figures, details),
        level=level,
        spellcasting=sums.casting if has.casts or has.spells else "",
        passives=tuple({**dict(passives), **dict(said_passives)}.items()),
        slots=_slots(figures),
        legendary=_count(inside(resources, "legact.max") or inside(resources, "legact.value")),
        alignment=text_of(details.get("alignment")).lower(),
        xp=_count(inside(details, "xp.value"), 1_000_000) if level == 0 else 0,
        environments=_habitats(details),
        description=plain_text(text_of(inside(details, "biography.value")) or text_of(details.get("biography"))),
        remarks=(*remarks, *of_speeds, *of_senses, *_lair(resources), *has.remarks),
        licence=text_of(inside(figures, "source.license")) or text_of(inside(details, "source.license")),
    )


def _level(details: Mapping[str, Any], items: list[Mapping[str, Any]]) -> int:
    """Return a character's level: its own figure, or that of its classes together."""
    own = whole(details.get("level"))
    classes = [whole(system_of(item).get("levels")) or 0 for item in items if item.get("type") == "class"]
    return min(max(own or sum(classes), 1), 100)


def _type(details: Mapping[str, Any]) -> tuple[str, tuple[str, ...], list[Remark]]:
    """Return a creature's type, what stands behind it, and a swarm's own words."""
    given = details.get("type")
    if isinstance(given, str):
        read = type_line(f"medium {given}")
        return read.type or "humanoid", read.tags, [Remark("type", read.remark)] if read.remark else []
    found = mapping(given)
    value, custom = text_of(found.get("value")).strip().lower(), text_of(found.get("custom")).strip().lower()
    kind = (custom if value in ("", "custom") else value) or "humanoid"
    tags = tuple(part.strip().lower() for part in text_of(found.get("subtype")).split(",") if part.strip())
    swarm = text_of(found.get("swarm")).strip()
    if not swarm:
        return kind, tags, []
    of = SIZES.get(swarm.lower(), swarm.lower())
    return kind, ("swarm", *tags), [Remark("type", f"swarm of {of} creatures of this type")]


def _size(figures: Mapping[str, Any], account: Account) -> str:
    said = text_of(inside(figures, "traits.size")).lower()
    if said in SIZES or said in SIZES.values():
        return SIZES.get(said, said)
    account.tell("size", said, "is no size that is known; medium is taken")
    return "medium"


def _initiative(figures: Mapping[str, Any], modifiers: Mapping[str, int], number: Any) -> int | None:
    """Return the initiative bonus where it isn't that of Dexterity alone."""
    given = mapping(inside(figures, "attributes.init"))
    ability = text_of(given.get("ability")) if text_of(given.get("ability")) in modifiers else "dex"
    bonus = number(given.get("bonus")) or 0
    return modifiers[ability] + bonus if bonus or ability != "dex" else None


def _tell_amounts(figures: Mapping[str, Any], account: Account) -> None:
    for kind, amount in mapping(inside(figures, "traits.dm.amount")).items():
        if amount:
            account.tell("damage modification", f"{kind} {amount}", "is no figure that is kept")


def _with_resistance(features: list[Feature], resources: Mapping[str, Any]) -> tuple[Feature, ...]:
    """Return features of which Legendary Resistance has the uses that stand among the creature's own figures."""
    uses = _count(inside(resources, "legres.max") or inside(resources, "legres.value"))
    return tuple(
        msgspec.structs.replace(one, uses=uses, per="day")
        if uses and not one.uses and one.name.startswith("Legendary Resistance")
        else one
        for one in features
    )


def _count(given: Any, most: int = 100) -> int:
    number = whole(given) or 0
    return number if 0 <= number <= most else 0


def _lair(resources: Mapping[str, Any]) -> list[Remark]:
    count = whole(inside(resources, "lair.initiative"))
    return [Remark("lair", f"initiative count {count}")] if inside(resources, "lair.value") and count else []


def _slots(figures: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    spells = mapping(figures.get("spells"))
    found = []
    for level in range(1, 10):
        slot = mapping(spells.get(f"spell{level}"))
        count = next(
            (n for n in (whole(slot.get("override")), whole(slot.get("max")), whole(slot.get("value"))) if n), 0
        )
        if 0 < count <= 100:
            found.append((str(level), count))
    return tuple(found)


def _habitats(details: Mapping[str, Any]) -> tuple[str, ...]:
    said = [
        text_of(one.get("subtype")) or text_of(one.get("type")) for one in _mappings(inside(details, "habitat.value"))
    ]
    said += text_of(inside(details, "habitat.custom")).split(",") + text_of(details.get("environment")).split(",")
    return tuple(dict.fromkeys(part.strip().lower() for part in said if part.strip()))


def _mappings(given: Any) -> list[Mapping[str, Any]]:
    return [one for one in listed(given) if isinstance(one, dict)]


def _source(figures: Mapping[str, Any], details: Mapping[str, Any]) -> str:
    given = figures.get("source") or details.get("source")
    if isinstance(given, str):
        return f"Foundry D&D 5e: {given.strip()}" if given.strip() else "Foundry D&D 5e"
    found = mapping(given)
    title = text_of(found.get("book")).strip() or text_of(found.get("custom")).strip()
    rules = text_of(found.get("rules")).strip()
    title = title or (f"rules of {words_of(rules)}" if rules else "")
    page = text_of(found.get("page")).strip()
    return f"Foundry D&D 5e: {title}{f', page {page}' if page else ''}" if title else "Foundry D&D 5e"


FORMAT = Format("foundry-dnd5e", "Foundry VTT actors (D&D 5e)", claims, read)
