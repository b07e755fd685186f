"""Vehicles of 5etools: an object with the numbers of its hull, whose other parts are features."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwright.encounter.prepared import Creature
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.five_e_tools.format import FORMAT
from turnwright.importers.results import ImportedRecord, UnreadRecord

SHIP: dict[str, Any] = {
    "name": "Marsh Cog", "source": "Own", "page": 9, "vehicleType": "SHIP", "size": "G", "dimensions": ["90 ft.", "20 ft."], "terrain": ["sea"], "capCrew": 20, "capCargo": 80, "pace": 4,
    "str": 20, "dex": 5, "con": 18, "int": 0, "wis": 0, "cha": 0, "immune": ["poison", "psychic"], "conditionImmune": ["blinded", "prone"], "hull": {"ac": 15, "hp": 240, "dt": 15},
    "control": [{"name": "Helm", "ac": 17, "hp": 45, "entries": ["Move up to its speed."]}],
    "movement": [{"name": "Sails", "ac": 12, "hp": 90, "hpNote": "-10 ft. speed per 30 damage taken", "speed": [{"mode": "water", "entries": ["40 ft."]}]}],
    "weapon": [{"name": "Ballista", "count": 2, "ac": 15, "hp": 50, "entries": ["{@atk rw} {@hit 6} to hit, range 120/480 ft., one target. {@h}16 ({@damage 3d10}) piercing damage."]}],
    "action": ["On its turn, the cog can take 2 actions.", {"type": "list", "items": [{"type": "item", "name": "Fire Ballistas", "entry": "The cog fires its ballistas."}]}],
}  # fmt: skip
WAGON: dict[str, Any] = {
    "name": "Bone Wagon", "source": "Own", "vehicleType": "INFWAR", "size": "H", "hp": {"hp": 180, "dt": 10, "mt": 20}, "speed": 90, "capCreature": 8, "capCargo": 2000,
    "str": 18, "dex": 14, "con": 20, "int": 0, "wis": 0, "cha": 0, "actionStation": [{"name": "Chomper", "entries": ["{@atk mw} {@hit 9} to hit, reach 5 ft., one target. {@h}25 ({@damage 6d6 + 4}) piercing damage."]}],
}  # fmt: skip
BARREL: dict[str, Any] = {
    "name": "Crab Barrel", "source": "Own", "vehicleType": "OBJECT", "size": "L", "capCrew": 1, "ac": 20, "hp": 200, "speed": {"walk": 30, "swim": 30, "note": "(or 0 ft. while shut)"},
    "entries": ["A barrel with levers."],
}  # fmt: skip
MOTH: dict[str, Any] = {
    "name": "Star Moth", "source": "Own", "vehicleType": "SPELLJAMMER", "dimensions": ["100 ft.", "20 ft."], "capCrew": 9, "capCrewNote": "(plus a pilot)", "pace": {"fly": "4\u00bd"}, "speed": {"fly": 70},
    "hull": {"ac": 19, "acFrom": ["metal"], "hp": 200, "dt": 15},
    "weapon": [{"name": "Ballista", "crew": 3, "ac": 15, "hp": 50, "entries": ["It takes 1 action to load."], "action": [{"name": "Bolt", "entries": ["{@atk rw} {@hit 6} to hit, range 120/480 ft., one target. {@h}16 ({@damage 3d10}) piercing damage."]}]}],
}  # fmt: skip
STEED: dict[str, Any] = {
    "name": "Brass Steed", "source": "Own", "vehicleType": "CREATURE", "size": ["L"], "ac": [16], "hp": {"average": 67, "formula": "9d10 + 18"}, "speed": {"walk": 40},
    "str": 18, "dex": 10, "con": 14, "int": 4, "wis": 10, "cha": 3,
}  # fmt: skip


def read(*vehicles: dict[str, Any]) -> list[Any]:
    document = parse_document(json.dumps({"vehicle": vehicles}).encode(), Path("vehicles.json"))
    assert isinstance(document, ParsedDocument)
    assert FORMAT.claims(document)
    return [one for one in FORMAT.read([document], "") if isinstance(one, ImportedRecord | UnreadRecord)]


def test_a_ship_has_the_numbers_of_its_hull() -> None:
    (found,) = read(SHIP)
    ship = found.record
    assert (ship.type, ship.tags, ship.size, ship.ac, ship.hp) == ("object", ("vehicle",), "gargantuan", 15, 240)
    assert (ship.speeds, ship.immunities, ship.condition_immunities) == (
        (("walk", 0),),
        ("poison", "psychic"),
        ("blinded", "prone"),
    )
    assert [note.text for note in ship.remarks] == ["damage threshold 15"]
    parts = {feature.name: feature for feature in ship.features}
    assert parts["Capacity"].text == "90 ft. by 20 ft., 20 crew, 80 tons of cargo, 4 miles per hour"
    assert parts["Movement: Sails"].text == "AC 12, HP 90, -10 ft. speed per 30 damage taken\nwater: 40 ft."
    ballista = parts["Weapon: Ballista (2)"]
    assert (ballista.cost, ballista.attack, ballista.range, ballista.damage) == (
        "action",
        6,
        "120/480",
        "3d10 piercing",
    )
    assert (parts["Fire Ballistas"].cost, parts["Actions"].cost) == ("action", "trait")
    assert {note.field for note in found.reports} == {"hp", "cr"}


@pytest.mark.parametrize(
    ("vehicle", "ac", "hp", "speeds", "capacity"),
    [
        (WAGON, 21, 180, (("walk", 90),), "8 creatures, 2000 pounds of cargo"),
        (BARREL, 20, 200, (("walk", 30), ("swim", 30)), "1 crew, or 0 ft. while shut"),
        (MOTH, 19, 200, (("fly", 70),), "100 ft. by 20 ft., 9 crew, (plus a pilot), 4\u00bd miles per hour in the air"),
        (STEED, 16, 67, (("walk", 40),), ""),
    ],
)
def test_other_vehicles_have_their_own_numbers(
    vehicle: dict[str, Any], ac: int, hp: int, speeds: Any, capacity: str
) -> None:
    (found,) = read(vehicle)
    assert isinstance(found.record, Creature)
    assert (found.record.type, found.record.ac, found.record.hp, found.record.speeds) == ("object", ac, hp, speeds)
    texts = {feature.name: feature.text for feature in found.record.features}
    assert texts.get("Capacity", "") == capacity
    attacks = [(feature.cost, feature.attack) for feature in found.record.features if feature.attack is not None]
    assert attacks == ([("action", 9)] if vehicle is WAGON else [("action", 6)] if vehicle is MOTH else [])


def test_the_text_and_the_thresholds_of_a_vehicle_are_kept() -> None:
    (barrel,), (wagon,) = read(BARREL), read(WAGON)
    assert barrel.record.description == "A barrel with levers."
    assert [note.text for note in wagon.record.remarks] == ["damage threshold 10, mishap threshold 20"]


def test_a_vehicle_without_hit_points_is_reported() -> None:
    (found,) = read({"name": "Raft", "source": "Own", "vehicleType": "SHIP", "entries": ["It floats."]})
    assert isinstance(found, UnreadRecord)
    assert "hit points" in found.why
