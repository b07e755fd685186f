"""Player characters of Foundry's D&D 5e system: totals that Foundry computes and its files therefore lack."""

from typing import Any, Final

from turnwright.encounter.prepared import LastingCondition, NamedNumbers
from turnwright.importers.characters import Assumptions, Character
from turnwright.importers.common import as_list, as_text
from turnwright.importers.foundry import reading as read
from turnwright.importers.foundry.reading import ActorReading, Record, mapping_at, system_of, text_at, value_at
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.vocabulary import terms

_FATAL: Final = 3  # failed death saves


def character_of(reading: ActorReading, hp: Record, assumed: Assumptions | None = None) -> Character | None:
    """Return the state and classes of a player character, or None if the actor is a creature."""
    if not reading.level:
        return None
    tired, slots = as_int(value_at(reading.system, "attributes.exhaustion")) or 0, slots_by_class(reading)
    marks = [name for one in reading.effects if not one.get("disabled") for name in as_list(one.get("statuses"))]
    conditions = {name: LastingCondition(name) for name in map(as_text, marks) if name}
    conditions |= {"exhaustion": LastingCondition("exhaustion", tired)} if 0 < tired < 10 else {}
    left = ((rank, most, as_int(value_at(reading.system, f"spells.spell{rank}.value"))) for rank, most in slots)
    return Character(
        classes=" ".join(f"{read.item_name(item).lower()} {levels}" for item, _, levels in _classes(reading)),
        hp=as_int(hp.get("value")), temp_hp=max(0, as_int(hp.get("temp")) or 0), conditions=tuple(conditions.values()),
        dead=(as_int(value_at(reading.system, "attributes.death.failure")) or 0) >= _FATAL,
        used=tuple((rank, most - now) for rank, most, now in left if now is not None and now < most),
        assumed=frozenset(assumed.fields if assumed is not None else ()),
    )  # fmt: skip


def _classes(reading: ActorReading) -> list[tuple[Record, Record, int]]:
    """Return the items of the classes, with their data and levels."""
    items = [(item, system_of(item)) for item in reading.items if item.get("type") == "class"]
    return [(item, one, as_int(one.get("levels") or one.get("classLevels")) or 1) for item, one in items]


def maximum_hit_points(reading: ActorReading, hp: Record, assumed: Assumptions) -> int:
    """Work out the maximum hit points of a character from its class levels."""
    first, parts, total = text_at(reading.system, "details.originalClass"), list[str](), 0
    con = reading.modifiers["con"]
    for number, (item, system, levels) in enumerate(_classes(reading)):
        die = as_int((text_at(system, "hd.denomination") or text_at(system, "hitDice")).removeprefix("d")) or 8
        rolls: dict[str, Any] = {}
        for advancement in read.values_of(system.get("advancement")):
            rolls |= mapping_at(advancement, "value") if advancement.get("type") == "HitPoints" else {}
        is_first = text_at(item, "_id") == first if first else not number
        for level in map(str, range(1, min(levels, 20) + 1)):
            roll = rolls.get(level, "max" if level == "1" and is_first else "avg")
            rolled = as_int(roll)
            total += die if roll == "max" else die // 2 + 1 if rolled is None else rolled
        parts.append(f"{read.item_name(item)} {levels} (d{die})")
    total += reading.level * (con + reading.bonus(value_at(hp, "bonuses.level"), "hp"))
    total = max(total + reading.bonus(value_at(hp, "bonuses.overall"), "hp"), as_int(hp.get("value")) or 0, 1)
    how = f"{', '.join(parts) or 'no classes'}, Constitution {con:+d} a level; at least the current ones"
    assumed.add("hp", total, how)
    return total


def movement_of(reading: ActorReading) -> Record:
    """Return the speeds of an actor. A character has the speeds of its race, unless it states others."""
    movement = mapping_at(reading.system, "attributes.movement")
    race = next((system_of(item) for item in reading.items if item.get("type") == "race"), {})
    own = {key: value for key, value in movement.items() if value not in (None, "")}
    return {**mapping_at(race, "movement"), **own} if reading.level else movement


def _progression(system: Record) -> str:
    return text_at(system, "spellcasting.progression")


def slots_by_class(reading: ActorReading) -> NamedNumbers:
    """Return the spell slots of a character by level, from its classes or the numbers that override them."""
    ways = {text_at(one, "identifier"): (_progression(one), levels) for _, one, levels in _classes(reading)}
    for body in (system_of(item) for item in reading.items if item.get("type") == "subclass"):
        key, way = text_at(body, "classIdentifier"), _progression(body)
        ways |= {key: (way, ways[key][1])} if key in ways and way not in ("", "none") else {}
    steps = terms("characters_5e", "casters")
    casting = [(way, levels) for way, levels in ways.values() if way in steps]
    level = sum(levels // steps[way] for way, levels in casting)
    if len(casting) == 1 and (level or casting[0][0] == "artificer"):
        level = -(-casting[0][1] // steps[casting[0][0]])
    row = [int(count) for count in terms("characters_5e", "slots")[min(level, 20)].split()]
    slots = {str(rank): (*row, *[0] * 9)[rank - 1] for rank in range(1, 10)}
    for pact in (levels for way, levels in ways.values() if way == "pact"):
        slots[str(min(5, (pact + 1) // 2))] += 1 + (pact > 1) + (pact > 10) + (pact > 16)
    typed = {rank: as_int(value_at(reading.system, f"spells.spell{rank}.override")) for rank in slots}
    slots |= {rank: max(0, count) for rank, count in typed.items() if count is not None}
    return tuple((rank, count) for rank, count in slots.items() if count)
