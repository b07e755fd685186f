"""Common lookups in an encounter: the clock, the active turn, a track's value, effects by name."""

from __future__ import annotations

from turnwright.encounter.prepared import Door, Environment, EnvironmentEntry, Map, Scene
from turnwright.encounter.running import Clock, Effect, Slot, Track, track_id
from turnwright.encounter.state import PREPARED, Encounter, Lookup


def clock_of(lookup: Lookup) -> Clock:
    """Return the clock, or a new one if the encounter hasn't started."""
    return lookup.get(Clock, "clock") or Clock()


def scene_of(lookup: Lookup) -> Scene:
    """Return the scene, or a default one if none is prepared."""
    return lookup.get(Scene, "scene") or Scene()


def is_encounter_running(lookup: Lookup) -> bool:
    """Whether the encounter has started and isn't over."""
    return clock_of(lookup).phase in ("set-up", "rounds")


def is_encounter_empty(encounter: Encounter) -> bool:
    """Whether an encounter contains nothing except a scene without house rules."""
    scene = scene_of(encounter)
    return not scene.options and not any(encounter.ids(kind) for kind in PREPARED if kind is not Scene)


def active_slot(lookup: Lookup) -> Slot | None:
    """Return the active slot, or None."""
    return lookup.get(Slot, clock_of(lookup).active)


def track_value(lookup: Lookup, who: str, name: str) -> int:
    """Return the value of a combatant's track, or 0 if it has no such track."""
    track = lookup.get(Track, track_id(who, name))
    return track.value if track is not None else 0


def find_entry(environment: Environment, entry: str) -> EnvironmentEntry | None:
    """Return an environment's feature or world action by id, or None."""
    return next((row for row in (*environment.features, *environment.actions) if row.id == entry), None)


def door_of(lookup: Lookup, id: str) -> Door | None:
    """Return a prepared door by id, or None."""
    battle_map = lookup.get(Map, Map.table)
    return next((door for door in battle_map.doors if door.id == id), None) if battle_map else None


def effects_named(lookup: Lookup, who: str, name: str) -> list[Effect]:
    """Return a combatant's effects with this name."""
    return [effect for effect in lookup.of(Effect, who) if effect.name == name]


def find_effect(lookup: Lookup, who: str, name: str) -> Effect | None:
    """Return a combatant's first effect with this name, or None."""
    return next(iter(effects_named(lookup, who, name)), None)


def slot_sort_key(slot: Slot) -> tuple[int, ...]:
    """Return the sort key of a slot: first actors, then higher counts, fixed counts and tie rolls."""
    return (0 if slot.first_actor else 1, -slot.count, 0 if slot.fixed else 1, *(-roll for roll in slot.tie_rolls))
