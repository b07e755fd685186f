"""Reads the vehicles of 5etools as objects: the hull is the object, and its other parts are features with their numbers."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from turnwright.importers.common import as_list, as_mapping, as_text, int_at, text_at
from turnwright.importers.five_e_tools.tags import plain, plain_entry
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.vocabulary import terms

_PARTS: Final[Mapping[str, str]] = terms("five_e_tools", "vehicle_parts")
_CAPACITIES: Final[Mapping[str, str]] = terms("five_e_tools", "vehicle_capacities")
_LIMITS: Final = (("dt", "damage"), ("mt", "mishap"))
_WAR_MACHINE_AC: Final = 19  # without its Dexterity


def is_vehicle(record: Any) -> bool:
    """Whether a record is a vehicle, with or without hit points."""
    data = as_mapping(record)
    return isinstance(data.get("name"), str) and isinstance(data.get("vehicleType"), str)


def as_creature(record: dict[str, Any]) -> dict[str, Any]:
    """Return a vehicle with the keys of a creature. Any other record is unchanged."""
    if not is_vehicle(record):
        return record
    hull = as_mapping(record.get("hull")) or as_mapping(record.get("hp"))
    dexterity = ((int_at(record, "dex") or 10) - 10) // 2
    armour = as_int(record.get("ac")) or _WAR_MACHINE_AC + (int_at(record, "dexMod") or dexterity)
    points = text_at(hull, "hp") or as_text(record.get("hp"))
    limits = [f"{word} threshold {text}" for key, word in _LIMITS if (text := text_at(hull, key))]
    listed = isinstance(record.get("ac"), list)  # a vehicle that has the numbers of a creature
    parts = {title: list(_parts(record, key, title)) for key, title in _PARTS.items()}
    weapons = [part for key in ("weapon", "actionStation") for part in parts.pop(_PARTS[key])]
    named = [entry for entry in _entries_in(record.get("action")) if entry.get("name")]
    plain_texts = [entry for entry in as_list(record.get("action")) if isinstance(entry, str)]
    actions = [{"name": "Actions", "entries": plain_texts}] if plain_texts else []
    return {
        **{key: value for key, value in record.items() if key not in _PARTS and key not in _CAPACITIES},
        "size": record.get("size", "G"),
        "type": {"type": "object", "tags": ["vehicle"]},
        "ac": record["ac"] if listed else [{"ac": int_at(hull, "ac") or armour, "from": as_list(hull.get("acFrom"))}],
        "hp": record["hp"]
        if listed and "hp" in record
        else {"special": f"{points} ({', '.join(limits)})" if limits else points},
        "speed": record.get("speed", {"walk": 0}),
        "fluff": {"entries": record.get("entries", [])},
        "trait": [*_capacities(record), *as_list(record.get("trait")), *chain.from_iterable(parts.values()), *actions],
        "action": [*named, *weapons],
    }


def _entries_in(value: Any) -> Iterator[Mapping[str, Any]]:
    for entry in map(as_mapping, as_list(value)):
        yield from map(as_mapping, as_list(entry.get("items"))) if entry.get("type") == "list" else (entry,)


def _capacities(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    held = {**record, **{f"pace {mode}": value for mode, value in as_mapping(record.get("pace")).items()}}
    held["speed note"] = text_at(record, "speed", "note").strip("()")
    is_in_pounds = record.get("vehicleType") == "INFWAR" and "capCargo" in record
    held |= {"capPounds": held.pop("capCargo")} if is_in_pounds else {}
    texts = [f"{text} {words}".strip() for key, words in _CAPACITIES.items() if (text := plain(text_at(held, key)))]
    measures = " by ".join(map(as_text, as_list(record.get("dimensions"))))
    if measures or texts:
        yield {"name": "Capacity", "entries": [", ".join(filter(None, (measures, *texts)))]}


def _parts(record: Mapping[str, Any], key: str, title: str) -> Iterator[dict[str, Any]]:
    for part in map(as_mapping, as_list(record.get(key))):
        numbers = [f"{words} {text}" for name, words in (("ac", "AC"), ("hp", "HP")) if (text := text_at(part, name))]
        moves = [*as_list(part.get("locomotion")), *as_list(part.get("speed"))]
        ways = [f"{text_at(move, 'mode')}: {plain_entry(as_mapping(move).get('entries', []))}" for move in moves]
        count = f" ({part['count']})" if as_text(part.get("count")) else ""
        texts = [", ".join([*numbers, *filter(None, [text_at(part, "hpNote")])]), *ways]
        entries = [*filter(None, texts), *as_list(part.get("entries")), *as_list(part.get("action"))]
        name = plain(text_at(part, "name")) or title
        yield {"name": f"{title}: {name}{count}" if title else name, "entries": entries}
