"""Warns of ids in an encounter that don't exist in the encounter or its rule system."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from turnwright.encounter import field_specs, floors, roles, running
from turnwright.encounter.prepared import (
    ALL_FEATURES,
    ANY_ATTACKS,
    OFF_MAP,
    STEP_KINDS,
    AddWave,
    Countdown,
    Creature,
    Environment,
    FeatureStep,
    Map,
    Outcome,
    Place,
    Reminder,
    RosterEntry,
    StartCountdown,
    TriggerEntry,
    Wave,
)
from turnwright.encounter.state import PREPARED, Encounter, count_for
from turnwright.rules.parts.actions import condition_words, effect_words
from turnwright.rules.parts.preparation.creature_translation import find_unknown_ids
from turnwright.rules.system import RuleSystem
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.resources import habitats
from turnwright.storage.toml.reader import type_name
from turnwright.storage.toml.values import KeyPath

COUNTS_HINT = "write, for example, '1 per character', '1 per 2 characters' or '3: 2, 4: 3, 6: 5'"
_SIDES = frozenset(
    {"party", "enemies", "allies", "beasts", "bystanders", "heroes", "hostile to all", "neutral", "players", "rivals"}
)
_RANGE = re.compile(r"\d+(?:/\d+)?|self")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_SIGNS = {"ground": re.compile("[.,#~^ ]"), "heights": re.compile("[.0-9a-zA-Z ]"), "light": re.compile("[.:% ]")}


def check_references(encounter: Encounter, notes: FindingCollector) -> None:
    """Warn of ids in prepared records that don't exist, and of ids that differ only in case."""
    creatures = set(encounter.ids(Creature))
    environments = set(encounter.ids(Environment))
    roster = tuple(encounter.all(RosterEntry))
    entries = {"", *encounter.ids(RosterEntry)}
    for entry in roster:
        path: KeyPath = (RosterEntry.table, entry.id)
        _check_known(notes, (*path, "creature"), "creature", entry.creature, creatures)
        for index, id in enumerate(entry.outside):
            _check_known(notes, (*path, "outside", index), "environment", id, environments)
        if entry.counts and count_for(entry.counts, 1) is None:
            notes.warn((*path, "counts"), f'"{entry.counts}" is not a count per character; {COUNTS_HINT}')
        for field, other in (("controller", entry.controller), ("rides", entry.rides)):
            _check_known(notes, (*path, field), "roster entry", other, entries)
    _check_shared(roster, "side", _SIDES, notes)
    _check_shared(roster, "wave", _waves(encounter), notes)
    members = sum(entry.count for entry in roles.present(encounter))
    if members > field_specs.MAX_COMBATANTS:
        notes.warn((RosterEntry.table,), f"{members:,} combatants in all; the limit is {field_specs.MAX_COMBATANTS:,}")
    for creature in encounter.all(Creature):
        for inner, message in _features(creature, notes):
            notes.warn((Creature.table, creature.id, "features", *inner), message)
        for inner, message in _phases(creature, creatures, notes):
            notes.warn((Creature.table, creature.id, "phases", *inner), message)
    for grid in encounter.all(Map):
        for where, message in (*_map(encounter, grid, notes), *_floors(grid), *_walls(grid)):
            notes.warn((Map.table, *where), message)
        for id, index in _positions_outside(roster, grid):
            notes.warn((RosterEntry.table, id, "positions", index), _outside(grid))
    for countdown in encounter.all(Countdown):
        for index, outcome in enumerate(countdown.outcomes):
            for field, message in _outcome(encounter, outcome, notes):
                notes.warn((Countdown.table, countdown.id, "outcomes", index, field), message)
    for wave in encounter.all(Wave):
        for field_path, message in _wave(encounter, wave, notes):
            notes.warn((Wave.table, wave.id, *field_path), message)
    _check_reminders(encounter, notes)
    _check_capitals(encounter, notes)


def check_running_references(encounter: Encounter, notes: FindingCollector) -> None:
    """Warn of ids in a running fight that don't exist in the prepared encounter."""
    referring = ((running.Combatant, "creature", Creature), (running.CountdownPool, "countdown", Countdown))
    for kind, field, prepared in (*referring, (running.EntryState, "environment", Environment)):
        known = set(encounter.ids(prepared))
        for record in encounter.all(kind):
            _check_known(notes, (kind.table, record.id, field), field, getattr(record, field), known)


def unknown_id_findings(encounter: Encounter, rules: RuleSystem, file: str, text: str) -> tuple[Finding, ...]:
    """Return a warning for each id in an encounter that its rule system doesn't define."""
    notes = FindingCollector()
    check_known_ids(encounter, rules, notes)
    return located_findings(notes, file, text)


def check_known_ids(encounter: Encounter, rules: RuleSystem, notes: FindingCollector) -> None:
    """Warn of ids that the encounter's rule system doesn't define.

    Unknown immunities and senses are only reported if they are very similar to a known one.
    """
    if any(entry.effects for entry in encounter.all(RosterEntry)):
        _check_effects(encounter, rules, notes)
    senses = {sense.id for sense in rules.data.senses}
    for unknown in find_unknown_ids(encounter, rules):
        named = (
            rules.conditions if "condition_immunities" in unknown.path else senses if "senses" in unknown.path else None
        )
        if named is None or notes.hint(unknown.id, named, field_specs.CLOSE):
            notes.warn(unknown.path, f"{rules.data.name}: {unknown.message.removesuffix('.')}; kept")
    for creature in encounter.all(Creature):
        for index, place in enumerate(creature.environments):
            if place not in habitats():
                hint = notes.hint(place, habitats())
                notes.warn(
                    (Creature.table, creature.id, "environments", index), f"unknown habitat {place!r}{hint}; kept"
                )


def _check_effects(encounter: Encounter, rules: RuleSystem, notes: FindingCollector) -> None:
    """Warn of words in effects from the start that aren't understood."""
    words = condition_words.line_words(rules, encounter)
    for entry in encounter.all(RosterEntry):
        for index, text in enumerate(entry.effects):
            if word := effect_words.unread_word(text, words, rules):
                notes.warn(
                    (RosterEntry.table, entry.id, "effects", index),
                    f'"{word}" isn\'t a condition, a rule or an end; kept',
                )


def _check_shared(
    roster: Sequence[RosterEntry], field: Literal["side", "wave"], known: Collection[str], notes: FindingCollector
) -> None:
    """Warn of sides or waves that are probably misspelled.

    Only one roster entry uses such a name, and it has a single combatant or the name is similar to another one.
    """
    counted: Counter[str] = Counter()
    entries = Counter(getattr(entry, field) for entry in roster)
    for entry in roster:
        counted[getattr(entry, field)] += entry.count
    shared = {*known, *(name for name, count in entries.items() if count > 1)} - {""}
    for entry in roster:
        name = getattr(entry, field)
        if not name or name in shared:
            continue
        hint = notes.hint(name, shared, field_specs.CLOSE)
        if hint or (shared and counted[name] == 1):
            notes.warn((RosterEntry.table, entry.id, field), f"no other roster entry has the {field} {name!r}{hint}")


def _waves(encounter: Encounter) -> set[str]:
    outcomes = (outcome for countdown in encounter.all(Countdown) for outcome in countdown.outcomes)
    return {*encounter.ids(Wave), *(outcome.wave for outcome in outcomes if isinstance(outcome, AddWave))}


def _features(creature: Creature, notes: FindingCollector) -> Iterator[tuple[KeyPath, str]]:
    """Yield the problems of a creature's features: invalid ranges and steps, and unknown features."""
    ids = {feature.id for feature in creature.features}
    for feature in creature.features:
        if feature.range and not _RANGE.fullmatch(feature.range):
            yield (
                (feature.id, "range"),
                f"expected a range in feet such as 60 or 80/320, found {type_name(feature.range)}",
            )
        for index, variant in enumerate(feature.multiattack):
            for name, _ in variant:
                if name not in ids:
                    yield (feature.id, "multiattack", index, name), _no_feature(notes, creature, name, ids)
        for index, step in enumerate(feature.does):
            for field, message in _step(creature, feature.id, step, ids, notes):
                yield (feature.id, "does", index, *field), message


def _step(
    creature: Creature, own: str, step: FeatureStep, ids: Collection[str], notes: FindingCollector
) -> Iterator[tuple[KeyPath, str]]:
    """Yield the problems of a step: it must do exactly one thing, and the features it refers to must exist."""
    if len(step.kinds) != 1:
        kinds = " and ".join(step.kinds) or "nothing"
        yield (), f"expected exactly one of {', '.join(STEP_KINDS)}, found {kinds}"
    for field, named, others in (("use", step.use, ANY_ATTACKS), ("recharges", step.recharges, (ALL_FEATURES,))):
        known = {*ids, *others}
        if named and named not in known and not (field == "recharges" and step.value):
            yield (field,), _no_feature(notes, creature, named, known)
    if step.use == own:
        yield ("use",), f"a step can't use its own feature ({own!r})"


def _phases(creature: Creature, creatures: Collection[str], notes: FindingCollector) -> Iterator[tuple[KeyPath, str]]:
    """Yield the unknown stat blocks and features in a creature's phases."""
    features = {ALL_FEATURES, *(feature.id for feature in creature.features)}
    for phase in creature.phases:
        if phase.creature and phase.creature not in creatures:
            yield (phase.id, "creature"), _no(notes, "creature", phase.creature, creatures)
        for place, name in enumerate(phase.recharges):
            if name not in features:
                yield (phase.id, "recharges", place), _no_feature(notes, creature, name, features)


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
            yield (
                "entry",
                f'{environment.name} has no feature or world action "{outcome.entry}"{notes.hint(outcome.entry, ids)}',
            )


def _wave(encounter: Encounter, wave: Wave, notes: FindingCollector) -> Iterator[tuple[KeyPath, str]]:
    """Yield a wave's unknown references."""
    roster = list(encounter.all(RosterEntry))
    if all(entry.wave != wave.id for entry in roster):
        waves = {entry.wave for entry in roster} - {""}
        yield (), f'no roster entry belongs to the wave "{wave.id}"{notes.hint(wave.id, waves)}'
    if wave.who and all(wave.who not in (entry.id, entry.side) for entry in roster):
        watched = {name for entry in roster for name in (entry.id, entry.side)}
        yield ("who",), _no(notes, "roster entry or side", wave.who, watched)


def _check_reminders(encounter: Encounter, notes: FindingCollector) -> None:
    """Warn of unknown references in reminders."""
    roster = list(encounter.all(RosterEntry))
    members = {f"{entry.id}-{number}" for entry in roster for number in range(1, entry.count + 1)}
    watched = {name for entry in roster for name in (entry.id, entry.side)}
    waves = {entry.wave for entry in roster} - {""}
    for reminder in encounter.all(Reminder):
        path: KeyPath = (Reminder.table, reminder.id)
        if reminder.who and reminder.who not in watched | members:
            notes.warn((*path, "who"), _no(notes, "roster entry or side", reminder.who, watched))
        if reminder.at == "countdown":
            _check_known(notes, (*path, "countdown"), "countdown", reminder.countdown, set(encounter.ids(Countdown)))
        if reminder.at == "wave":
            _check_known(notes, (*path, "wave"), "wave", reminder.wave, waves)


def _map(encounter: Encounter, grid: Map, notes: FindingCollector) -> Iterator[tuple[KeyPath, str]]:
    """Yield the problems of the map's drawings, areas, obstacles and grid walls."""
    for name, meant in _SIGNS.items():
        for row, line in enumerate(getattr(grid, name).splitlines()):
            wrong = {sign for sign in line if not meant.fullmatch(sign)}
            if wrong or line[grid.columns :].strip(". ") or (row >= grid.rows and line.strip(". ")):
                problem = f"unknown characters {' '.join(sorted(wrong))!r}" if wrong else _outside(grid)
                yield (name,), f"row {row + 1}: {problem}"
                break
    for area in grid.areas:
        environment = encounter.get(Environment, area.environment) if area.environment else None
        if area.environment and environment is None:
            missing = _no(notes, "environment", area.environment, encounter.ids(Environment))
            yield ("areas", area.id, "environment"), missing
        elif environment is not None and area.feature and all(row.id != area.feature for row in environment.features):
            hint = notes.hint(area.feature, [row.id for row in environment.features])
            yield ("areas", area.id, "feature"), f'{environment.name} has no feature "{area.feature}"{hint}'
        elif not area.environment and not area.feature:
            yield ("areas", area.id), "needs an environment or a type of terrain (`feature`)"
        for index, (column, row, width, height) in enumerate(area.squares):
            if min(column, row, width - 1, height - 1) < 0 or column + width > grid.columns or row + height > grid.rows:
                yield ("areas", area.id, "squares", index), _outside(grid)
    for obstacle in grid.obstacles:
        if not (0 <= obstacle.at[0] < grid.columns and 0 <= obstacle.at[1] < grid.rows):
            yield ("obstacles", obstacle.id, "at"), _outside(grid)
        if min(obstacle.size) < 1:
            yield ("obstacles", obstacle.id, "size"), "must be at least 1 × 1 square"
    for name in ("walls", "windows", "curtains"):
        for index, (column, row, to_column, to_row) in enumerate(getattr(grid, name)):
            if (column == to_column) == (row == to_row):
                yield (name, index), "must run straight from corner to corner, along one line of the grid"
            elif (
                min(column, row, to_column, to_row) < 0
                or max(column, to_column) > grid.columns
                or max(row, to_row) > grid.rows
            ):
                yield (name, index), _outside(grid)


def _floors(grid: Map) -> Iterator[tuple[KeyPath, str]]:
    """Yield the problems of the map's floors."""
    free = 0
    for floor in grid.floors:
        if floor.row < free:
            yield ("floors", floor.id, "row"), f"expected a row from {free} on, after a free row, found {floor.row}"
        free = floor.row + floor.rows + floors.GAP
        if free - floors.GAP > grid.rows or floor.columns > grid.columns:
            yield ("floors", floor.id, "columns" if floor.columns > grid.columns else "rows"), _outside(grid)
        if not floor.name:
            yield ("floors", floor.id), "needs a name"


def _walls(grid: Map) -> Iterator[tuple[KeyPath, str]]:
    """Yield the problems of the map's barriers, doors, lights and picture."""
    for index, barrier in enumerate(grid.barriers):
        if len(barrier.points) < 2:
            yield ("barriers", index, "points"), "a line needs at least two points"
        for at, point in enumerate(barrier.points):
            if not _is_on_map(grid, point):
                yield ("barriers", index, "points", at), _outside(grid)
    for door in grid.doors:
        if door.at[:2] == door.at[2:]:
            yield ("doors", door.id, "at"), "must have two different ends"
        elif not (_is_on_map(grid, door.at[:2]) and _is_on_map(grid, door.at[2:])):
            yield ("doors", door.id, "at"), _outside(grid)
    for index, light in enumerate(grid.lights):
        if not _is_on_map(grid, light.at):
            yield ("lights", index, "at"), _outside(grid)
        if light.colour and not _COLOUR.fullmatch(light.colour):
            yield ("lights", index, "colour"), f"expected a colour such as #eccd8b, found {type_name(light.colour)}"
    if grid.picture is not None:
        if min(grid.picture.size) < 0:
            yield ("picture", "size"), "must not be below 0"
        if not 0 <= grid.picture.dim <= 1:
            yield ("picture", "dim"), "must be from 0 to 1"


def _is_on_map(grid: Map, point: Place) -> bool:
    return 0 <= point[0] <= grid.columns and 0 <= point[1] <= grid.rows


def _positions_outside(roster: Sequence[RosterEntry], grid: Map) -> Iterator[tuple[str, int]]:
    """Yield the roster entry and the index of each position outside the map or its floors."""
    for entry in roster if grid.columns and grid.rows else ():
        for index, (column, row) in enumerate(entry.positions):
            if (column, row) != OFF_MAP and not floors.is_on_floor(grid, (column, row)):
                yield entry.id, index


def _outside(grid: Map) -> str:
    between = " or between its floors" if grid.floors else ""
    return f"outside the map ({grid.columns} columns, {grid.rows} rows){between}"


def _check_capitals(encounter: Encounter, notes: FindingCollector) -> None:
    for kind in PREPARED:
        seen: dict[str, str] = {}
        for id in encounter.ids(kind):
            other = seen.setdefault(id.casefold(), id)
            if other != id:
                notes.warn((kind.table, id), f'differs from "{other}" only in upper and lower case')


def _check_known(notes: FindingCollector, path: KeyPath, kind: str, id: str, known: set[str]) -> None:
    if id not in known:
        notes.warn(path, _no(notes, kind, id, known - {""}))


def _no(notes: FindingCollector, kind: str, id: str, known: Collection[str]) -> str:
    return f'there is no {kind} "{id}" in this encounter{notes.hint(id, known)}'


def _no_feature(notes: FindingCollector, creature: Creature, id: str, known: Collection[str]) -> str:
    return f"{creature.name} has no feature {id!r}{notes.hint(id, known)}"
