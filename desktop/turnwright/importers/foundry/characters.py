"""Player characters of Foundry's D&D 5e system: totals that Foundry computes and its files therefore lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.encounter.prepared import LastingCondition, NamedNumbers
from turnwright.importers.characters import Assumptions, Character
from turnwright.importers.common import as_list, as_text
from turnwright.importers.foundry.reading import (
    ActorReading,
    Record,
    item_name,
    mapping_at,
    system_of,
    text_at,
    value_at,
    values_of,
)
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.vocabulary import terms

_SLOTS: Final[tuple[str, ...]] = terms("characters_5e", "slots")
_CASTERS: Final[Mapping[str, int]] = terms("characters_5e", "casters")
_FATAL: Final = 3  # failed death saves


def character_of(reading: ActorReading, hp: Record, assumed: Sequence[str] = ()) -> Character | None:
    """Return what an actor states about a player character, or None if it is a creature."""
    if not reading.level:
        return None
    attributes, actual = mapping_at(reading.system, "attributes"), as_int(hp.get("value"))
    tired = as_int(attributes.get("exhaustion")) or 0
    conditions = [LastingCondition("exhaustion", tired)] if 0 < tired < 10 else []
    for effect in reading.effects:
        conditions += [
            LastingCondition(name)
            for name in map(as_text, as_list(effect.get("statuses")))
            if name and not effect.get("disabled")
        ]
    return Character(
        classes=" / ".join(f"{name.lower()} {levels}" for name, levels, _ in _classes(reading))
        or f"level {reading.level}",
        hp=actual,
        temp_hp=max(0, as_int(hp.get("temp")) or 0),
        dead=(as_int(value_at(attributes, "death.failure")) or 0) >= _FATAL,
        used=_used(reading),
        conditions=tuple({condition.name: condition for condition in conditions}.values()),
        assumed=frozenset(assumed),
    )


def _classes(reading: ActorReading) -> Iterator[tuple[str, int, Record]]:
    """Yield the name, levels and data of each class."""
    for item in reading.items:
        if item.get("type") == "class":
            system = system_of(item)
            yield item_name(item) or "class", as_int(system.get("levels") or system.get("classLevels")) or 1, system


def maximum_hit_points(reading: ActorReading, hp: Record, assumed: Assumptions) -> int:
    """Work out the maximum hit points of a character from its class levels."""
    original, con = text_at(reading.system, "details.originalClass"), reading.modifiers["con"]
    total, parts = 0, list[str]()
    classes = [item for item in reading.items if item.get("type") == "class"]
    for item, (name, levels, system) in zip(classes, _classes(reading), strict=True):
        die = as_int((text_at(system, "hd.denomination") or text_at(system, "hitDice")).removeprefix("d")) or 8
        rolls: dict[str, Any] = {}
        for advancement in values_of(system.get("advancement")):
            rolls |= mapping_at(advancement, "value") if advancement.get("type") == "HitPoints" else {}
        is_first = text_at(item, "_id") == original if original else item is classes[0]
        for level in range(1, min(levels, 20) + 1):
            roll = rolls.get(str(level), "max" if level == 1 and is_first else "avg")
            number = as_int(roll)
            total += die if roll == "max" else die // 2 + 1 if number is None else number
        parts.append(f"{name} {levels} (d{die})")
    per_level = reading.bonus(value_at(hp, "bonuses.level"), "hp")
    more = reading.bonus(value_at(hp, "bonuses.overall"), "hp")
    total = max(total + reading.level * (con + per_level) + more, as_int(hp.get("value")) or 0, 1)
    assumed.add(
        "hp", total, f"{', '.join(parts) or 'no classes'}, Constitution {con:+d} a level; at least the current ones"
    )
    return total


def race_movement(reading: ActorReading, movement: Record) -> Record:
    """Return the speeds of an actor, with those of its race where it has none of its own."""
    race = next((system_of(item) for item in reading.items if item.get("type") == "race"), {})
    own = {key: value for key, value in movement.items() if value not in (None, "")}
    return {**mapping_at(race, "movement"), **own} if reading.level else movement


def slots_by_class(reading: ActorReading) -> NamedNumbers:
    """Return the spell slots of a character by level, from its classes or the numbers that override them."""
    progressions = dict[str, tuple[str, int]]()
    for _, levels, system in _classes(reading):
        progressions[text_at(system, "identifier")] = (text_at(system, "spellcasting.progression"), levels)
    for item in reading.items:
        if item.get("type") == "subclass":
            key, way = text_at(system_of(item), "classIdentifier"), text_at(system_of(item), "spellcasting.progression")
            if way not in ("", "none") and key in progressions:
                progressions[key] = (way, progressions[key][1])
    casting = [(way, levels) for way, levels in progressions.values() if way in _CASTERS]
    slots = dict.fromkeys(map(str, range(1, 10)), 0)
    level = sum(levels // _CASTERS[way] for way, levels in casting)
    if len(casting) == 1 and (casting[0][1] >= _CASTERS[casting[0][0]] or casting[0][0] == "artificer"):
        level = -(-casting[0][1] // _CASTERS[casting[0][0]])
    for number, count in enumerate(_SLOTS[min(level, 20)].split(), 1):
        slots[str(number)] = int(count)
    for pact in (levels for way, levels in progressions.values() if way == "pact"):
        slots[str(min(5, (pact + 1) // 2))] += 1 + (pact > 1) + (pact > 10) + (pact > 16)
    for rank in slots:
        override = as_int(value_at(reading.system, f"spells.spell{rank}.override"))
        slots[rank] = slots[rank] if override is None else max(0, override)
    return tuple((rank, count) for rank, count in slots.items() if count)


def _used(reading: ActorReading) -> NamedNumbers:
    """Return the spent spell slots by level."""
    slots, used = dict(slots_by_class(reading)), []
    for rank, most in slots.items():
        left = as_int(value_at(reading.system, f"spells.spell{rank}.value"))
        used.append((rank, max(0, most - left) if left is not None else 0))
    return tuple((rank, count) for rank, count in used if count)
