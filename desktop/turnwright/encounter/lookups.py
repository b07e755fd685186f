"""What many modules look up in an encounter: the clock, whose turn it is, a track's value, effects by name."""

from __future__ import annotations

from turnwright.encounter.prepared import Door, Environment, EnvironmentEntry, Map, Scene
from turnwright.encounter.running import Clock, Effect, Slot, Track, track_id
from turnwright.encounter.state import PREPARED, Encounter, Lookup


def clock_of(lookup: Lookup) -> Clock:
    """Return the clock; a new one, before the start, where no encounter runs."""
    return lookup.get(Clock, "clock") or Clock()


def scene_of(lookup: Lookup) -> Scene:
    """Return the scene; a plain one where none is prepared."""
    return lookup.get(Scene, "scene") or Scene()


def is_encounter_running(lookup: Lookup) -> bool:
    """Return whether the encounter is running: it is set up or in rounds."""
    return clock_of(lookup).phase in ("set-up", "rounds")


def is_encounter_empty(encounter: Encounter) -> bool:
    """Return whether an encounter has nothing but a scene without table rules."""
    scene = scene_of(encounter)
    return not scene.options and not any(encounter.ids(kind) for kind in PREPARED if kind is not Scene)


def active_slot(lookup: Lookup) -> Slot | None:
    """Return the slot whose turn it is."""
    return lookup.get(Slot, clock_of(lookup).active)


def track_value(lookup: Lookup, who: str, name: str) -> int:
    """Return the value of a combatant's track, 0 where it has none of this name."""
    track = lookup.get(Track, track_id(who, name))
    return track.value if track is not None else 0


def find_entry(environment: Environment, entry: str) -> EnvironmentEntry | None:
    """Return an entry of an environment by its id."""
    return next((row for row in (*environment.features, *environment.actions) if row.id == entry), None)


def door_of(lookup: Lookup, id: str) -> Door | None:
    """Return a door of the map as it was prepared, by its id."""
    battle_map = lookup.get(Map, Map.table)
    return next((door for door in battle_map.doors if door.id == id), None) if battle_map else None


def effects_named(lookup: Lookup, who: str, name: str) -> list[Effect]:
    """Return the effects of this name on a combatant."""
    return [one for one in lookup.of(Effect, who) if one.name == name]


def find_effect(lookup: Lookup, who: str, name: str) -> Effect | None:
    """Return the first effect of this name on a combatant."""
    return next(iter(effects_named(lookup, who, name)), None)


def slot_sort_key(slot: Slot) -> tuple[int, ...]:
    """Return the sort key of a slot: first actor, highest count, given before rolled, then tie rolls."""
    return (0 if slot.first_actor else 1, -slot.count, 0 if slot.fixed else 1, *(-roll for roll in slot.tie_rolls))
