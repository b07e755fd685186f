"""Ids in an encounter that refer to nothing. Such an encounter opens with warnings."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.encounter.countdown_outcomes import AddWave, Outcome, StartCountdown, TriggerEntry
from turnwright.encounter.prepared import Countdown, Creature, Environment, Map, RosterEntry, Wave
from turnwright.encounter.running import Combatant, CountdownPool, EntryState
from turnwright.encounter.state import PREPARED, Encounter
from turnwright.storage.findings import FindingCollector
from turnwright.storage.keys import KeyPath


def check_references(encounter: Encounter, notes: FindingCollector) -> None:
    """Warn of every prepared id that refers to nothing, and of ids that differ by capitals only."""
    creatures = set(encounter.ids(Creature))
    environments = set(encounter.ids(Environment))
    for entry in encounter.all(RosterEntry):
        path: KeyPath = (RosterEntry.table, entry.id)
        if entry.creature not in creatures:
            notes.warn((*path, "creature"), _no("creature", entry.creature))
        for index, id in enumerate(entry.outside):
            if id not in environments:
                notes.warn((*path, "outside", index), _no("environment", id))
    for grid in encounter.all(Map):
        for where, message in _map(encounter, grid):
            notes.warn((Map.table, *where), message)
    for countdown in encounter.all(Countdown):
        for index, outcome in enumerate(countdown.outcomes):
            for field, message in _outcome(encounter, outcome):
                notes.warn((Countdown.table, countdown.id, "outcomes", index, field), message)
    for wave in encounter.all(Wave):
        for lacking, message in _wave(encounter, wave):
            notes.warn((Wave.table, wave.id, *lacking), message)
    _check_capitals(encounter, notes)


def check_running_references(encounter: Encounter, notes: FindingCollector) -> None:
    """Warn of every id in a running fight that refers to nothing prepared."""
    creatures, countdowns = set(encounter.ids(Creature)), set(encounter.ids(Countdown))
    environments = set(encounter.ids(Environment))
    for combatant in encounter.all(Combatant):
        if combatant.creature not in creatures:
            notes.warn((Combatant.table, combatant.id, "creature"), _no("creature", combatant.creature))
    for pool in encounter.all(CountdownPool):
        if pool.countdown not in countdowns:
            notes.warn((CountdownPool.table, pool.id, "countdown"), _no("countdown", pool.countdown))
    for state in encounter.all(EntryState):
        if state.environment not in environments:
            notes.warn((EntryState.table, state.id, "environment"), _no("environment", state.environment))


def _outcome(encounter: Encounter, outcome: Outcome) -> Iterator[tuple[str, str]]:
    if isinstance(outcome, AddWave):
        if all(entry.wave != outcome.wave for entry in encounter.all(RosterEntry)):
            yield "wave", f'no roster entry belongs to the wave "{outcome.wave}"'
    elif isinstance(outcome, StartCountdown):
        if encounter.get(Countdown, outcome.countdown) is None:
            yield "countdown", _no("countdown", outcome.countdown)
    elif isinstance(outcome, TriggerEntry):
        environment = encounter.get(Environment, outcome.environment)
        if environment is None:
            yield "environment", _no("environment", outcome.environment)
        elif all(entry.id != outcome.entry for entry in (*environment.features, *environment.actions)):
            yield "entry", f'{environment.name} has no row "{outcome.entry}"'


def _wave(encounter: Encounter, wave: Wave) -> Iterator[tuple[KeyPath, str]]:
    """Yield the missing references of a wave."""
    roster = list(encounter.all(RosterEntry))
    if all(entry.wave != wave.id for entry in roster):
        yield (), f'no roster entry belongs to the wave "{wave.id}"'
    if wave.who and all(wave.who not in (entry.id, entry.side) for entry in roster):
        yield ("who",), f'there is no roster entry and no side "{wave.who}" in this encounter'


def _map(encounter: Encounter, grid: Map) -> Iterator[tuple[KeyPath, str]]:
    """Yield the parts of the map that refer to nothing, lie outside it, or run askew."""
    for area in grid.areas:
        environment = encounter.get(Environment, area.environment) if area.environment else None
        if area.environment and environment is None:
            yield ("areas", area.id, "environment"), _no("environment", area.environment)
        elif environment is not None and area.feature and all(row.id != area.feature for row in environment.features):
            yield ("areas", area.id, "feature"), f'{environment.name} has no feature "{area.feature}"'
        elif not area.environment and not area.feature:
            yield ("areas", area.id), "names neither an environment nor a sort of ground"
    for obstacle in grid.obstacles:
        if not (0 <= obstacle.at[0] < grid.columns and 0 <= obstacle.at[1] < grid.rows):
            yield (
                ("obstacles", obstacle.id, "at"),
                f"lies outside the map of {grid.columns} columns and {grid.rows} rows",
            )
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


def _no(kind: str, id: str) -> str:
    return f'there is no {kind} "{id}" in this encounter'
