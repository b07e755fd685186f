"""The environment's rows of a fight sheet: world actions, countdown pools and their outcomes, and waves.

The moves that a combatant needs to come within reach of another, counted on the current map.
"""

from collections.abc import Mapping
from functools import partial
from typing import Final

from turnwright.encounter.prepared import (
    AddWave,
    Announce,
    Countdown,
    DealDamage,
    Environment,
    EnvironmentEntry,
    Map,
    Outcome,
    RosterEntry,
    TriggerEntry,
    Wave,
)
from turnwright.encounter.roles import party_sides
from turnwright.encounter.running import Combatant, CountdownPool, Relation
from turnwright.encounter.state import clock_of, find_entry
from turnwright.forecast import sheet
from turnwright.forecast.building.questions import Questions
from turnwright.forecast.building.sources import ALL_OF_IT, CANNOT_BE_READ, SURE_CELL, Notes, SourceFacts, Sources
from turnwright.rules.parts.attacks.attack_targeting import entry_save_tags
from turnwright.rules.parts.conditions.predicates import is_true_of
from turnwright.rules.parts.environment import entries
from turnwright.rules.parts.positions import geometry

SAVED = (2, 2, 0, 0)
TRIGGERS = {"half": sheet.HALF, "first-down": sheet.FIRST_DOWN, "all-down": sheet.ALL_DOWN}
EACH_ROUND = 1


class Surroundings:
    """Collects world actions, pools and waves."""

    def __init__(
        self, questions: Questions, sources: Sources, notes: Notes, waiting: Mapping[str, tuple[str, ...]]
    ) -> None:
        self.questions, self.sources, self.notes, self.waiting = questions, sources, notes, waiting
        self.world: list[sheet.World] = []
        self.world_names: list[tuple[str, str]] = []
        self._actions: list[tuple[str, str]] = []
        self.reach: list[list[int]] = []
        self.pools: list[sheet.Pool] = []
        self.pool_names: list[str] = []
        self.waves: list[sheet.WaveRow] = []
        self.wave_names: list[str] = []
        self.watched: list[int] = []

    def add_all(self) -> None:
        """Add everything in the environment that affects a fight."""
        self._add_waves()
        for environment in self.questions.begun.all(Environment):
            for entry in environment.actions:
                self._add_world_action(environment, entry)
        self._actions = list(self.world_names)
        self._add_pools()

    # World actions ----------------------------------------------------------------------------------------------------

    def _add_world_action(self, environment: Environment, entry: EnvironmentEntry) -> None:
        if not entries.is_active(self.questions.begun, environment, entry):
            self.notes.left_out("environments", environment.id, entry.id, "switched_off")
            return
        row = self._effect(environment, entry)
        if row is None:
            self.notes.left_out("environments", environment.id, entry.id, "no_effect_on_hit_points")
            return
        row.ready = int(entries.entry_state(self.questions.begun, environment.id, entry.id).ready)
        row.recharge = entry.recharge or EACH_ROUND
        self._add_world(row, environment, entry)

    def _effect(self, environment: Environment, entry: EnvironmentEntry) -> sheet.World | None:
        """Return the row of an entry (not ready, without recharge), or None if it does no harm."""
        harms = entry.damage or any(self._has_rules(affliction.condition) for affliction in entry.afflictions)
        if not harms or entries.unknown_damage_types(self.questions.rules, entry):
            return None
        save = None if entry.save is None or entries.is_unknown_save(self.questions.rules, entry.save) else entry.save
        if entry.save is not None and save is None:
            return None
        tags = entry_save_tags(entry, self.questions.rules.role("fatigue"))
        cells = [
            self.questions.save_cell(combatant.id, save.ability, save.dc, tags) if save else SURE_CELL
            for combatant in self.questions.combatants
        ]
        shares, place = (SAVED if save else ALL_OF_IT), (environment.id, entry.id)
        facts = SourceFacts(None, save.ability if save else "", tags, entry.afflictions)
        try:
            source = self.sources.of_entry(place, entry.damage, cells, shares, facts)
            lesser = -1
            if entry.reduced:
                lesser = self.sources.of_entry(place, entry.reduced_damage, cells, shares, facts)
        except CANNOT_BE_READ:
            return None
        row = sheet.World()
        row.source, row.lesser = source, lesser
        row.reaches_each = int(self._reaches_each(environment, entry))
        return row

    def _has_rules(self, condition: str) -> bool:
        definition = self.questions.rules.conditions.get(condition)
        return definition is not None and bool(definition.rules or definition.implies)

    def _reaches_each(self, environment: Environment, entry: EnvironmentEntry) -> bool:
        """Return whether an entry affects everyone in its area by default."""
        if entry.affects == "one":
            return False
        encounter, rules = self.questions.begun, self.questions.rules
        is_set = any(environment.id in combatant.outside for combatant in encounter.all(Combatant))
        ours = self.questions.combatants
        is_drawn = any(entries.is_on_any_area(encounter, combatant.id, environment.id, rules) for combatant in ours)
        if entry.affects == "each" and (not entry.within or is_set or is_drawn):
            return True
        self.notes.assumed("environments", environment.id, entry.id, "strikes_one")
        return False

    def _add_world(self, row: sheet.World, environment: Environment, entry: EnvironmentEntry) -> int:
        encounter, rules, placeless = self.questions.begun, self.questions.rules, self.questions.placeless
        able = {each.id for each in entries.eligible_targets(encounter, environment, entry, rules)}
        reach = []
        for combatant in self.questions.combatants:
            spared = any(is_true_of(placeless, rules, combatant.id, each) for each in entry.unaffected)
            lesser = bool(entry.reduced) and is_true_of(placeless, rules, combatant.id, entry.reduced)
            struck = combatant.id in able and not spared
            reach.append((sheet.LESSER if lesser else sheet.WHOLE) if struck else sheet.SPARED)
        self.notes.used("environments", environment.id, entry.id)
        if entry.once == "encounter":
            self.notes.assumed("environments", environment.id, entry.id, "again")
        self.world.append(row)
        self.world_names.append((environment.id, entry.id))
        self.reach.append(reach)
        return len(self.world) - 1

    # Pools ------------------------------------------------------------------------------------------------------------

    def _add_pools(self) -> None:
        countdowns = [*self.questions.begun.all(Countdown)]
        self.pool_names = [countdown.id for countdown in countdowns]
        self.pools = [self._pool(countdown) for countdown in countdowns]

    def _pool(self, countdown: Countdown) -> sheet.Pool:
        encounter, rules = self.questions.begun, self.questions.rules
        pool, row = encounter.get(CountdownPool, countdown.id), sheet.Pool()
        round_now, running = clock_of(encounter).round, pool is not None and pool.status == "running"
        row.dice = pool.dice if pool is not None else countdown.dice
        row.lowest = rules.countdown_faces.get(countdown.speed, 7)
        ended = pool is not None and pool.status in ("stopped", "expired")
        row.starts = 0 if ended or running else max(countdown.starts, round_now + 1) if countdown.starts else 0
        row.running = int(running)
        row.starts_pool = row.calls_wave = -1
        row.sets_off = len(self.world)
        for number, outcome in enumerate(countdown.outcomes):
            item = f"outcome-{number}"
            if self._sets_off(countdown, outcome, item, row):
                self.notes.used("countdowns", countdown.id, item)
            else:
                self.notes.left_out("countdowns", countdown.id, item, "no_effect_on_hit_points")
        row.sets_count = len(self.world) - row.sets_off
        return row

    def _sets_off(self, countdown: Countdown, outcome: Outcome, item: str, row: sheet.Pool) -> bool:
        """Add an outcome of a pool's end; return whether simulated fights support it."""
        if isinstance(outcome, TriggerEntry):
            return self._trigger(outcome)
        if isinstance(outcome, DealDamage):
            return self._damage(countdown, outcome, item)
        if isinstance(outcome, AddWave):
            called = _set_first(row, "calls_wave", self.wave_names, outcome.wave)
            if called:
                row.called_after = len(self.world) - row.sets_off
            return called
        return isinstance(outcome, Announce) or _set_first(row, "starts_pool", self.pool_names, outcome.countdown)

    def _trigger(self, outcome: TriggerEntry) -> bool:
        """Add an entry triggered by the end of a pool; return whether it has any effect here."""
        environment = self.questions.begun.get(Environment, outcome.environment)
        entry = find_entry(environment, outcome.entry) if environment is not None else None
        if environment is None or entry is None or not entry.enabled:
            return False
        row = self._effect(environment, entry)
        if row is not None:
            if entry.recharge and (environment.id, entry.id) in self._actions:
                row.spends = self._actions.index((environment.id, entry.id)) + 1
            self._add_world(row, environment, entry)
        return row is not None

    def _damage(self, countdown: Countdown, outcome: DealDamage, item: str) -> bool:
        """Add the damage that a pool's end deals to everyone or to one side; return whether it is valid."""
        cells = [SURE_CELL] * len(self.questions.combatants)
        try:
            source = self.sources.of_entry((countdown.id, item), outcome.damage, cells, ALL_OF_IT, SourceFacts())
        except CANNOT_BE_READ:
            return False
        row = sheet.World()
        row.source, row.lesser, row.reaches_each = source, -1, 1
        self.world.append(row)
        self.world_names.append((countdown.id, item))
        struck = (outcome.side in ("", combatant.side) for combatant in self.questions.combatants)
        self.reach.append([sheet.WHOLE if each else sheet.SPARED for each in struck])
        return True

    # Waves ------------------------------------------------------------------------------------------------------------

    def _add_waves(self) -> None:
        prepared = {wave.id: wave for wave in self.questions.begun.all(Wave)}
        party = party_sides(self.questions.begun)
        for wave in self.waiting:
            record, row = prepared.get(wave), sheet.WaveRow()
            row.first = len(self.watched)
            if record is not None:
                row.round = record.round
                row.when = TRIGGERS.get(record.when, sheet.NO_TRIGGER)
                self.watched += [
                    number
                    for number, combatant in enumerate(self.questions.combatants)
                    if record.when
                    and combatant.id not in self.waiting[wave]
                    and self._is_watched(record, combatant, party)
                ]
                self.notes.used("waves", wave, "")
            row.last = len(self.watched)
            self.waves.append(row)
            self.wave_names.append(wave)

    def _is_watched(self, wave: Wave, combatant: Combatant, party: frozenset[str]) -> bool:
        if combatant.hp_max <= 0:
            return False
        if self.questions.begun.get(RosterEntry, wave.who) is not None:
            return combatant.roster == wave.who
        return combatant.side == wave.who if wave.who else combatant.side not in party


def _set_first(row: sheet.Pool, column: str, names: list[str], name: str) -> bool:
    """Set a column to the index of a name unless it already has one; return whether it changed."""
    if getattr(row, column) >= 0 or name not in names:
        return False
    setattr(row, column, names.index(name))
    return True


MOST_MOVES: Final = 40  # the limit; also used if the distance can't be covered
FROM_AFAR: Final = 1  # move of reinforcements, which arrive from off the map


def moves_away(questions: Questions) -> list[list[int]]:
    """Return the number of moves that each combatant needs to reach each other; 0 if no positions are known."""
    encounter, rules, answers = questions.begun, questions.rules, questions.known
    relations = tuple(encounter.all(Relation))  # relations name two combatants by their ids
    map_number = answers.number_of((*encounter.all(Map), *relations))
    at = {
        who: answers.number_of(
            (questions.class_of[who], combatant.position, combatant.elevation, who if relations else "")
        )
        for who, combatant in _placed(questions)
    }
    on_map = any(geometry.space(encounter, rules, who) is not None for who in at)

    def moves(who: str, other: str) -> int | None:
        feet = geometry.distance(encounter, rules, who, other)
        if feet is None:
            return None
        speeds = (rules.allowance(encounter, rules, who, mode) for mode in ("walk", "fly"))
        speed = max((each.total for each in speeds if each is not None), default=0)
        beyond = max(0, feet - geometry.melee_reach(encounter, rules, who))
        return min(MOST_MOVES, -(-beyond // speed)) if speed > 0 else MOST_MOVES if beyond else 0

    table = []
    for combatant in questions.combatants:
        row = []
        for other in questions.combatants:
            away: int | None = 0
            if other.side != combatant.side:
                key = ("moves", map_number, at[combatant.id], at[other.id])
                away = questions.remembered(key, partial(moves, combatant.id, other.id))
            row.append(away if away is not None else FROM_AFAR if on_map else 0)
        table.append(row)
    return table


def _placed(questions: Questions) -> list[tuple[str, Combatant]]:
    """Return the combatants, each paired with its record in the original encounter, which includes its position."""
    return [(combatant.id, questions.begun.need(Combatant, combatant.id)) for combatant in questions.combatants]
