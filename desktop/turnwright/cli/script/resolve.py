"""Resolves the names in a script: ids, names, or the beginning of one, as long as it fits only one."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.cli.script.lexer import ScriptError, unknown_name
from turnwright.encounter.prepared import Countdown, Creature, Environment, EnvironmentEntry, Feature, Map, RosterEntry
from turnwright.encounter.running import Combatant, CountdownPool, Effect, Slot, Snapshot
from turnwright.encounter.state import Encounter
from turnwright.encounter.wave_names import wave_name
from turnwright.rules.system import RuleSystem, creature_of


def resolve_name(text: str, candidates: Iterable[tuple[str, str]], kind: str) -> str:
    """Return the id that a text denotes among (id, name) pairs. ScriptError for none, or for more than one."""
    pairs = list(candidates)
    wanted = text.casefold()
    for fits in (
        [id for id, _ in pairs if id == text],
        [id for id, name in pairs if wanted in (id.casefold(), name.casefold())],
        [
            id
            for id, name in pairs
            if wanted and (id.casefold().startswith(wanted) or name.casefold().startswith(wanted))
        ],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise ScriptError(f"{text} may be any of {', '.join(fits)}")
    raise unknown_name(kind, text, pairs)


class NameResolver:
    """Resolves names to the records of one encounter."""

    def __init__(self, encounter: Encounter, rules: RuleSystem) -> None:
        self.encounter = encounter
        self.rules = rules

    def combatant(self, text: str) -> str:
        """Return the id of one combatant."""
        if text.startswith("-") and text[1:].isdecimal():
            raise ScriptError(f"{text}: a number can't be below 0 here")
        if not any(True for _ in self.encounter.all(Combatant)):
            raise ScriptError(f"there is no combatant {text}: the encounter has not been started")
        return resolve_name(text, ((one.id, one.label) for one in self.encounter.all(Combatant)), "combatant")

    def combatants(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return the ids of several: `all` for every combatant, a roster entry for all its members."""
        found: list[str] = []
        for text in texts:
            group = [one.id for one in self.encounter.all(Combatant) if text in ("all", one.roster)]
            found += group or [self.combatant(text)]
        return tuple(dict.fromkeys(found))

    def slot(self, text: str) -> str:
        """Return the id of a combatant's place in the initiative order."""
        if self.encounter.get(Slot, text) is not None:
            return text
        who = self.combatant(text)
        found = next((slot.id for slot in self.encounter.of(Slot, who)), "")
        if not found:
            raise ScriptError(f"{who} has no place in the order")
        return found

    def creature(self, text: str) -> str:
        """Return the id of a stat block of the encounter."""
        return resolve_name(text, ((one.id, one.name) for one in self.encounter.all(Creature)), "stat block")

    def roster(self, text: str) -> str:
        """Return the id of a roster entry."""
        return resolve_name(text, ((entry.id, entry.name) for entry in self.encounter.all(RosterEntry)), "roster entry")

    def wave(self, text: str) -> str:
        """Return a wave of the roster by its id or name."""
        waves = dict.fromkeys(entry.wave for entry in self.encounter.all(RosterEntry) if entry.wave)
        return resolve_name(text, ((wave, wave_name(wave)) for wave in waves), "wave")

    def environment(self, text: str) -> str:
        """Return the id of an environment."""
        return resolve_name(text, ((place.id, place.name) for place in self.encounter.all(Environment)), "environment")

    def entry(self, text: str) -> tuple[str, str]:
        """Return the ids of an environment and its entry, from `frigid.cold-chill`, or the entry's name alone."""
        rows = [(place, row) for place in self.encounter.all(Environment) for row in (*place.features, *place.actions)]
        place, dot, rest = text.partition(".")
        if dot and rest:
            there = self.environment(place)
            named = ((row.id, row.name) for where, row in rows if where.id == there)
            return there, resolve_name(rest, named, f"row of {there}")
        found = resolve_name(text, (_named(where, row) for where, row in rows), "environment row")
        environment, _, entry = found.partition(".")
        return environment, entry

    def countdown(self, text: str) -> str:
        """Return the id of a prepared countdown."""
        return resolve_name(text, ((one.id, one.name) for one in self.encounter.all(Countdown)), "countdown")

    def pool(self, text: str) -> str:
        """Return the id of a running countdown pool, by its own or its countdown's name."""
        names = {one.id: one.name for one in self.encounter.all(Countdown)}
        pools = ((pool.id, names.get(pool.countdown, pool.countdown)) for pool in self.encounter.all(CountdownPool))
        return resolve_name(text, pools, "countdown pool")

    def effect(self, text: str, who: str = "") -> str:
        """Return the id of an effect, by its id, or by its condition and its target."""
        effects = [one for one in self.encounter.all(Effect) if not who or one.target == who]
        if any(one.id == text for one in effects):
            return text
        return resolve_name(text, ((one.id, self.condition_name(one.name)) for one in effects), "effect")

    def condition_name(self, id: str) -> str:
        """Return a condition's name, the id where the system has none."""
        found = self.rules.conditions.get(id)
        return found.name if found else id

    def condition(self, text: str) -> str:
        """Return the id of a condition, or of a granted speed (`speed:fly`)."""
        lent, colon, mode = text.partition(":")
        if lent == "speed" and colon:
            return f"speed:{self.speed(mode)}"
        return resolve_name(text, ((one.id, one.name) for one in self.rules.data.conditions), "condition")

    def action(self, text: str, who: str) -> str:
        """Return the id of a system's action, or of a feature of a combatant."""
        known = {one.id: one.name for one in self.features(who)}
        return resolve_name(text, (known | {one.id: one.name for one in self.rules.data.actions}).items(), "action")

    def feature(self, text: str, who: str) -> str:
        """Return the id of a feature of a combatant."""
        return resolve_name(text, ((one.id, one.name) for one in self.features(who)), "feature")

    def features(self, who: str) -> tuple[Feature, ...]:
        """Return the features of a combatant's stat block."""
        return creature_of(self.encounter, self.encounter.need(Combatant, who)).features

    def obstacles(self) -> list[tuple[str, str]]:
        """Return the ids and names of the objects on the map."""
        field = self.encounter.get(Map, "map")
        return [(one.id, one.name) for one in (field.obstacles if field else ())]

    def door(self, text: str) -> str:
        """Return the id of a door of the map."""
        field = self.encounter.get(Map, "map")
        return resolve_name(text, [(one.id, one.name) for one in (field.doors if field else ())], "door")

    def snapshot(self, text: str) -> str:
        """Return the id of a snapshot."""
        return resolve_name(text, [(one.id, one.name) for one in self.encounter.all(Snapshot)], "snapshot")

    def resource(self, text: str) -> str:
        """Return the id of a resource."""
        return resolve_name(text, ((one.id, one.name) for one in self.rules.data.resources), "resource")

    def speed(self, text: str) -> str:
        """Return the id of a mode of movement."""
        return resolve_name(text, ((one.id, one.name) for one in self.rules.data.speeds), "mode of movement")

    def size(self, text: str) -> str:
        """Return the id of a size."""
        return resolve_name(text, ((one.id, one.name) for one in self.rules.data.sizes), "size")

    def check(self, text: str) -> str:
        """Return a check such as `dex:stealth`, from that or from a skill alone."""
        ability, colon, skill = text.partition(":")
        skills = [(one.id, one.name) for one in self.rules.data.skills]
        abilities = [(one.id, one.name) for one in self.rules.data.abilities]
        if colon:
            return f"{resolve_name(ability, abilities, 'ability')}:{resolve_name(skill, skills, 'skill')}"
        found = resolve_name(text, [*abilities, *skills], "ability or skill")
        return next((f"{one.ability}:{found}" for one in self.rules.data.skills if one.id == found), found)


def _named(place: Environment, row: EnvironmentEntry) -> tuple[str, str]:
    return f"{place.id}.{row.id}", row.name
