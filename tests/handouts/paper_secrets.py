"""Pairs of prepared encounters that differ only in what players may not learn from paper: all else is replaced by rubbish."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from tests.handouts.samples import source
from tests.players.replacing import rubbish_record, word
from turnwright.encounter.prepared import (
    Countdown,
    Creature,
    Door,
    Environment,
    EnvironmentEntry,
    Handout,
    Map,
    MapBarrier,
    Reminder,
    RosterEntry,
    Scene,
    Wave,
)
from turnwright.encounter.state import Encounter, Record
from turnwright.handouts.roster_members import RosterMembers

# Of what players see on paper, the fields that they see; each other field of the same records is a secret.
PRINTED: Mapping[type[Record], str] = {
    Scene: "id system read_aloud options",
    Countdown: "id name dice starts secret",
    Handout: "id title style text signed picture headline place date reward hand",
    Map: "id columns rows cell ground walls windows curtains obstacles picture barriers doors heights light areas grid_shown grid_colour grid_strength floors",
}
PRINTED_OF_OBSTACLE = "id at size"
PRINTED_OF_ENTRY = "id name terrain redirect secret enabled check"


def with_open_fields(record: Any, names: str, random: Random) -> Any:
    """Return a record with rubbish in all but some of its fields."""
    kept = {name: getattr(record, name) for name in names.split()}
    return rubbish_record(type(record), random, **kept)


def is_noticed(row: EnvironmentEntry) -> bool:
    """Return whether players see an entry on the map without a check."""
    return not row.secret and (row.check is None or row.check.skill != "perception")


def is_open_countdown(countdown: Countdown) -> bool:
    """Return whether players see a countdown on paper: one that runs from the start and isn't secret."""
    return countdown.starts == 1 and not countdown.secret


def with_secrets(encounter: Encounter, random: Random) -> Encounter:
    """Return an encounter with secrets of every sort besides those of its own."""
    made: list[Record] = []
    for record in encounter:
        if isinstance(record, Environment):
            rows = {name: tuple(_perhaps_secret(one, random) for one in getattr(record, name)) for name in _ROWS}
            made.append(msgspec.structs.replace(record, **rows))
        elif isinstance(record, Countdown) and random.random() < 0.4:
            made.append(msgspec.structs.replace(record, secret=True))
        elif isinstance(record, Map):
            secret = Door("behind", (2.0, 1.0, 2.0, 2.0), "secret", "The way behind the shelf")
            made.append(msgspec.structs.replace(record, doors=(*record.doors, secret)))
        else:
            made.append(record)
    return Encounter(made)


_ROWS = ("features", "actions")


def _perhaps_secret(row: EnvironmentEntry, random: Random) -> EnvironmentEntry:
    return msgspec.structs.replace(row, secret=row.secret or random.random() < 0.4)


def another_encounter(encounter: Encounter, random: Random) -> Encounter:
    """Return an encounter of which players get the same pages: each secret replaced, some removed, some added."""
    company = RosterMembers(source(encounter))
    known = {one.entry.id for one in company.members if company.is_player_character(one)}
    party = {entry.creature for entry in encounter.all(RosterEntry) if entry.id in known}
    changed = [_another(record, encounter, known, party, random) for record in encounter]
    made: list[tuple[float, Record]] = [(0.5, record) for record in changed if record is not None]
    for kind in (Creature, RosterEntry, Environment, Countdown, Wave, Reminder):
        made += [(random.random(), _unknown(kind, random)) for _ in range(random.randrange(3))]
    return Encounter(record for _place, record in sorted(made, key=lambda one: one[0]))


def _another(record: Record, encounter: Encounter, known: set[str], party: set[str], random: Random) -> Record | None:
    """Return a record with other secrets, None where all of it is one and it is gone."""
    if isinstance(record, Creature):
        return record if record.id in party else None
    if isinstance(record, RosterEntry):
        return record if record.id in known else None
    if isinstance(record, Countdown) and not is_open_countdown(record):
        return None
    if isinstance(record, Environment):
        return _another_environment(record, encounter, random)
    if isinstance(record, Map):
        return _another_map(record, encounter, random)
    if names := PRINTED.get(type(record)):
        return with_open_fields(record, names, random)
    return None


def _another_environment(place: Environment, encounter: Encounter, random: Random) -> Environment:
    """Return an environment of which nothing is kept but what lies on the map for players to see."""
    marked = {area.feature for one in encounter.all(Map) for area in one.areas if area.environment == place.id}
    seen = (one for one in place.features if one.id in marked and one.enabled and is_noticed(one))
    features = tuple(with_open_fields(one, PRINTED_OF_ENTRY, random) for one in seen)
    hidden = rubbish_record(EnvironmentEntry, random, secret=True, id=word(random))
    return rubbish_record(Environment, random, id=place.id, features=(*features, hidden))


def _another_map(field: Map, encounter: Encounter, random: Random) -> Map:
    """Return a map without the areas that players don't see, with a wall for each secret door."""
    places = {one.id: one for one in encounter.all(Environment)}

    def is_open(area: Any) -> bool:
        if not area.environment:
            return True
        place = places.get(area.environment)
        row = next((one for one in place.features if one.id == area.feature), None) if place is not None else None
        return row is not None and row.enabled and is_noticed(row)

    shown = with_open_fields(field, PRINTED[Map], random)
    obstacles = tuple(with_open_fields(one, PRINTED_OF_OBSTACLE, random) for one in field.obstacles)
    picture = field.picture
    if picture is not None and picture.shown == "game-master":
        picture = msgspec.structs.replace(picture, file=word(random))
    areas = tuple(one for one in field.areas if is_open(one))
    walls = tuple(MapBarrier("wall", (one.at[:2], one.at[2:])) for one in field.doors if one.kind == "secret")
    doors = tuple(with_open_fields(one, "at", random) for one in field.doors if one.kind != "secret")
    return msgspec.structs.replace(
        shown, areas=areas, obstacles=obstacles, picture=picture, doors=doors, barriers=(*field.barriers, *walls)
    )


def _unknown(kind: type[Record], random: Random) -> Record:
    """Return a record of which players see nothing."""
    fixed: dict[str, Any] = {"id": word(random)}
    if kind is Countdown:
        fixed |= {"secret": True} if random.random() < 0.5 else {"starts": random.choice((0, 2, 5))}
    if kind is RosterEntry:
        fixed |= random.choice(({"side": "enemies"}, {"side": "party", "hidden": True}))
        fixed |= {"player": "", "positions": ((1, 1),), "count": random.randrange(1, 4)}
    return rubbish_record(kind, random, **fixed)
