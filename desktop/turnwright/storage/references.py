"""Ids in an encounter that refer to nothing, in it or in its game. Such an encounter opens with warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from turnwright.encounter.countdown_outcomes import AddWave, Outcome, StartCountdown, TriggerEntry
from turnwright.encounter.prepared import Countdown, Creature, Environment, Map, RosterEntry, Wave
from turnwright.encounter.running import Combatant, CountdownPool, EntryState
from turnwright.encounter.state import PREPARED, Encounter
from turnwright.encounter.suggestions import CLOSE
from turnwright.rules.parts.preparation.unknown_ids import find_unknown_ids
from turnwright.rules.system import RuleSystem
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.keys import KeyPath


def check_references(encounter: Encounter, notes: FindingCollector) -> None:
    """Warn of every prepared id that refers to nothing, and of ids that differ by capitals only."""
    creatures = set(encounter.ids(Creature))
    environments = set(encounter.ids(Environment))
    roster = tuple(encounter.all(RosterEntry))
    entries = {"", *encounter.ids(RosterEntry)}
    for entry in roster:
        path: KeyPath = (RosterEntry.table, entry.id)
        _check_known(notes, (*path, "creature"), "creature", entry.creature, creatures)
        for index, id in enumerate(entry.outside):
            _check_known(notes, (*path, "outside", index), "environment", id, environments)
        for field, other in (("controller", entry.controller), ("rides", entry.rides)):
            _check_known(notes, (*path, field), "roster entry", other, entries)
    _check_shared(roster, "side", {"party", "foes"}, notes)
    _check_shared(roster, "wave", _waves(encounter), notes)
    for creature in encounter.all(Creature):
        for inner, message in _multiattacks(creature, notes):
            notes.warn((Creature.table, creature.id, *inner), message)
    for grid in encounter.all(Map):
        for where, message in _map(encounter, grid, notes):
            notes.warn((Map.table, *where), message)
    for countdown in encounter.all(Countdown):
        for index, outcome in enumerate(countdown.outcomes):
            for field, message in _outcome(encounter, outcome, notes):
                notes.warn((Countdown.table, countdown.id, "outcomes", index, field), message)
    for wave in encounter.all(Wave):
        for lacking, message in _wave(encounter, wave, notes):
            notes.warn((Wave.table, wave.id, *lacking), message)
    _check_capitals(encounter, notes)


def check_running_references(encounter: Encounter, notes: FindingCollector) -> None:
    """Warn of every id in a running fight that refers to nothing prepared."""
    creatures, countdowns = set(encounter.ids(Creature)), set(encounter.ids(Countdown))
    environments = set(encounter.ids(Environment))
    for combatant in encounter.all(Combatant):
        place = (Combatant.table, combatant.id, "creature")
        _check_known(notes, place, "creature", combatant.creature, creatures)
    for pool in encounter.all(CountdownPool):
        place = (CountdownPool.table, pool.id, "countdown")
        _check_known(notes, place, "countdown", pool.countdown, countdowns)
    for state in encounter.all(EntryState):
        place = (EntryState.table, state.id, "environment")
        _check_known(notes, place, "environment", state.environment, environments)


def unknown_id_findings(encounter: Encounter, rules: RuleSystem, file: str, text: str) -> tuple[Finding, ...]:
    """Return a warning for every id in an encounter that its game doesn't know."""
    notes = FindingCollector()
    check_known_ids(encounter, rules, notes)
    return located_findings(notes, file, text)


def check_known_ids(encounter: Encounter, rules: RuleSystem, notes: FindingCollector) -> None:
    """Warn of every id that the encounter's game doesn't know; of immunities and senses only if very like a known one."""
    senses = {one.id for one in rules.data.senses}
    for one in find_unknown_ids(encounter, rules):
        named = rules.conditions if "condition_immunities" in one.path else senses if "senses" in one.path else None
        if named is None or notes.hint(one.id, named, CLOSE):
            notes.warn(one.path, f"{rules.data.name}: {one.message}; it is kept as it stands")


def _check_shared(
    roster: Sequence[RosterEntry], field: Literal["side", "wave"], known: set[str], notes: FindingCollector
) -> None:
    """Warn of a side or wave of one roster entry alone that is very like another."""
    counted = Counter(getattr(entry, field) for entry in roster)
    known |= {name for name, count in counted.items() if count > 1}
    for entry in roster:
        name = getattr(entry, field)
        if name and name not in known and (hint := notes.hint(name, known - {""}, CLOSE)):
            notes.warn((RosterEntry.table, entry.id, field), f"no other entry has the {field} {name!r}{hint}")


def _waves(encounter: Encounter) -> set[str]:
    outcomes = (one for countdown in encounter.all(Countdown) for one in countdown.outcomes)
    return {*encounter.ids(Wave), *(one.wave for one in outcomes if isinstance(one, AddWave))}


def _multiattacks(creature: Creature, notes: FindingCollector) -> Iterator[tuple[KeyPath, str]]:
    """Yield the attacks of multiattacks that the creature doesn't have."""
    ids = {feature.id for feature in creature.features}
    for feature in creature.features:
        for index, variant in enumerate(feature.multiattack):
            for name, _ in variant:
                if name not in ids:
                    place = ("features", feature.id, "multiattack", index, name)
                    yield place, f"{creature.name} has no feature {name!r}{notes.hint(name, ids)}"


def _outcome(encounter: Encounter, outcome: Outcome, notes: FindingCollector) -> Iterator[tuple[str, str]]:
    if isinstance(outcome, AddWave):
        if all(entry.wave != outcome.wave for entry in encounter.all(RosterEntry)):
            waves = {entry.wave for entry in encounter.all(RosterEntry)} - {""}
            yield "wave", f'no roster entry belongs to the wave "{outcome.wave}"{notes.hint(outcome.wave, waves)}'
    elif isinstance(outcome, StartCountdown):
        if encounter.get(Countdown, outcome.countdown) is None:
            yield "countdown", _no(notes, "countdown", outcome.countdown, encounter.ids(Countdown))
    elif isinstance(outcome, TriggerEntry):
        environment = encounter.get(Environment, outcome.environment)
        if environment is None:
            yield "environment", _no(notes, "environment", outcome.environment, encounter.ids(Environment))
        elif all(entry.id != outcome.entry for entry in (*environment.features, *environment.actions)):
            ids = [entry.id for entry in (*environment.features, *environment.actions)]
            yield "entry", f'{environment.name} has no row "{outcome.entry}"{notes.hint(outcome.entry, ids)}'


def _wave(encounter: Encounter, wave: Wave, notes: FindingCollector) -> Iterator[tuple[KeyPath, str]]:
    """Yield the missing references of a wave."""
    roster = list(encounter.all(RosterEntry))
    if all(entry.wave != wave.id for entry in roster):
        waves = {entry.wave for entry in roster} - {""}
        yield (), f'no roster entry belongs to the wave "{wave.id}"{notes.hint(wave.id, waves)}'
    if wave.who and all(wave.who not in (entry.id, entry.side) for entry in roster):
        watched = {name for entry in roster for name in (entry.id, entry.side)}
        yield ("who",), _no(notes, "roster entry and no side", wave.who, watched)


def _map(encounter: Encounter, grid: Map, notes: FindingCollector) -> Iterator[tuple[KeyPath, str]]:
    """Yield the parts of the map that refer to nothing, lie outside it, or run askew."""
    for area in grid.areas:
        environment = encounter.get(Environment, area.environment) if area.environment else None
        if area.environment and environment is None:
            missing = _no(notes, "environment", area.environment, encounter.ids(Environment))
            yield ("areas", area.id, "environment"), missing
        elif environment is not None and area.feature and all(row.id != area.feature for row in environment.features):
            hint = notes.hint(area.feature, [row.id for row in environment.features])
            yield ("areas", area.id, "feature"), f'{environment.name} has no feature "{area.feature}"{hint}'
        elif not area.environment and not area.feature:
            yield ("areas", area.id), "names neither an environment nor a sort of ground"
    for obstacle in grid.obstacles:
        if not (0 <= obstacle.at[0] < grid.columns and 0 <= obstacle.at[1] < grid.rows):
            outside = f"lies outside the map of {grid.columns} columns and {grid.rows} rows"
            yield ("obstacles", obstacle.id, "at"), outside
    for name in ("walls", "windows", "curtains"):
        for index, (column, row, to_column, to_row) in enumerate(getattr(grid, name)):
            if (column == to_column) == (row == to_row):
                yield (name, index), "must run straight from corner to corner, along one line of the grid"


def _check_capitals(encounter: Encounter, notes: FindingCollector) -> None:
    for kind in PREPARED:
        seen: dict[str, str] = {}
        for id in encounter.ids(kind):
            other = seen.setdefault(id.casefold(), id)
            if other != id:
                notes.warn((kind.table, id), f'only capitals tell it apart from "{other}"')


def _check_known(notes: FindingCollector, path: KeyPath, kind: str, id: str, known: set[str]) -> None:
    if id not in known:
        notes.warn(path, _no(notes, kind, id, known - {""}))


def _no(notes: FindingCollector, kind: str, id: str, known: Collection[str]) -> str:
    return f'there is no {kind} "{id}" in this encounter{notes.hint(id, known)}'
