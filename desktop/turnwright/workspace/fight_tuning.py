"""Searches for plans that bring an encounter's forecast closer to the game master's target, within limits.

Each plan is tried by applying its commands to the prepared encounter and creating a new sheet. All plans use the same
random numbers. The plans offered are played again with other random numbers, so that no plan is chosen by luck.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from turnwright.encounter.prepared import AddWave, Countdown, Environment, EnvironmentEntry, RosterEntry, Wave
from turnwright.encounter.roles import party_sides, present
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter, Key, Record, clock_of, key_of
from turnwright.forecast.building.questions import known_answers
from turnwright.forecast.estimate import Chance, Tally, packed_sheet, run_fights, shares_left, wilson
from turnwright.forecast.layout import WON
from turnwright.forecast.sentences import Sentence, pool_name, roster_name, source_name, wave_name
from turnwright.forecast.sheet import HUNDRED, Policy, Sheet
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.play.session import Session
from turnwright.play.setup.prepared_records import Edit, Remove
from turnwright.rules.system import RuleSystem
from turnwright.workspace.fight_forecast import begun_copy, obstacle_to_forecast
from turnwright.workspace.kernel_library import compiled_kernels

VariableKind = Literal["count", "hp", "dice", "damage", "world", "wave"]
SWITCHES: Final = ("world", "wave")
LEAST_HP, MOST_HP, HP_STEP = 70, 130, 10  # percent
MORE: Final = 3  # maximum number of dice added to or removed from a countdown
_DICE = re.compile(r"(\d+)d")


class Variable(msgspec.Struct, frozen=True):
    """A value that tuning can change, from `low` to `high` in increments of `step`. `now` is its current value.

    `kind` is one of these: the count of a roster entry (0 removes it), its hit points in percent, the dice of a
    countdown, the damage dice of a world action (0 switches it off), whether a world action without damage is on (1 or
    0), or whether a wave arrives (1 or 0). `subject` is the id of the record, and `item` that of the world action.
    """

    kind: VariableKind
    subject: str
    item: str
    now: int
    low: int
    high: int
    step: int = 1

    @property
    def id(self) -> str:
        """The variable's name on the command line."""
        return ":".join(filter(None, (self.kind, self.subject, self.item)))

    @property
    def least(self) -> int:
        """The lowest possible value, regardless of the limits."""
        return int(self.kind in ("dice", "hp"))


Values = Mapping[Variable, int]


def variables_of(encounter: Encounter) -> tuple[Variable, ...]:
    """Return an encounter's variables with wide limits. A started fight has no variables."""
    return tuple(_variables(encounter)) if clock_of(encounter).phase == "preparing" else ()


def _variables(encounter: Encounter) -> Iterator[Variable]:
    party = party_sides(encounter)
    foes = [each for each in present(encounter) if each.side not in party and not each.bystander]
    for entry in foes:
        yield Variable("count", entry.id, "", entry.count, 0, max(2 * entry.count, entry.count + 2))
    for entry in foes:
        yield Variable("hp", entry.id, "", HUNDRED, LEAST_HP, MOST_HP, HP_STEP)
    for pool in encounter.all(Countdown):
        yield Variable("dice", pool.id, "", pool.dice, max(1, pool.dice - MORE), pool.dice + MORE)
    actions = [
        (place.id, world_action)
        for place in encounter.all(Environment)
        for world_action in place.actions
        if world_action.enabled
    ]
    for place, action in actions:
        if dice := _damage_dice(action.damage):
            yield Variable("damage", place, action.id, dice, 0, dice + MORE)
    for place, action in actions:
        if not _damage_dice(action.damage):
            yield Variable("world", place, action.id, 1, 0, 1)
    for wave in dict.fromkeys(foe.wave for foe in foes if foe.wave):
        yield Variable("wave", wave, "", 1, 0, 1)


def hit_points(begun: Encounter) -> dict[str, int]:
    """Return the maximum hit points of one member of each roster entry. `begun` is a started copy of the encounter."""
    return {combatant.roster: combatant.hp_max for combatant in begun.all(Combatant)}


def commands_for(encounter: Encounter, values: Values, hp: Mapping[str, int], merge: str = "") -> list[Command]:
    """Return the commands that set variables to values. With `merge` they form one undo step.

    `hp` are hit points, keyed by roster entry id.
    """
    records: dict[Key, Record | None] = {}
    for variable, value in values.items():
        if value != variable.now:
            _set(encounter, records, variable, value, hp)
    edits: list[Command] = [Edit(record, merge) for record in records.values() if record is not None]
    gone = tuple(key for key, record in records.items() if record is None)
    return [*edits, Remove(gone, merge)] if gone else edits


def damage_with(text: str, dice: int) -> str:
    """Return a damage expression with a different number of dice in its first dice term."""
    return _DICE.sub(f"{dice}d", text, count=1)


def _damage_dice(text: str) -> int:
    """Return the number of dice in the first dice term of a damage expression, or 0."""
    match = _DICE.search(text)
    return int(match[1]) if match else 0


def _set(
    encounter: Encounter, records: dict[Key, Record | None], variable: Variable, value: int, hp: Mapping[str, int]
) -> None:
    """Add the records that change for a variable's new value to `records`. A removed record is None."""
    if variable.kind in ("count", "hp"):
        entry = _present(encounter, records, (RosterEntry.table, variable.subject))
        if isinstance(entry, RosterEntry):
            records[key_of(entry)] = _entry_with(entry, variable.kind, value, hp)
    elif variable.kind == "dice":
        pool = _present(encounter, records, (Countdown.table, variable.subject))
        if isinstance(pool, Countdown):
            records[key_of(pool)] = msgspec.structs.replace(pool, dice=value)
    elif variable.kind in ("damage", "world"):
        place = _present(encounter, records, (Environment.table, variable.subject))
        if isinstance(place, Environment):
            actions = tuple(_action_with(each, value) if each.id == variable.item else each for each in place.actions)
            records[key_of(place)] = msgspec.structs.replace(place, actions=actions)
    elif not value:
        _leave_out_wave(encounter, records, variable.subject)


def _present(encounter: Encounter, records: Mapping[Key, Record | None], key: Key) -> Record | None:
    """Return a record including the changes so far."""
    return records[key] if key in records else encounter.record(key)


def _entry_with(entry: RosterEntry, kind: str, value: int, hp: Mapping[str, int]) -> RosterEntry | None:
    if kind == "hp":
        return msgspec.structs.replace(entry, hp=max(1, round(hp[entry.id] * value / HUNDRED)))
    return msgspec.structs.replace(entry, count=value, positions=entry.positions[:value]) if value else None


def _action_with(entry: EnvironmentEntry, dice: int) -> EnvironmentEntry:
    """Return a world action with this number of damage dice. With 0 dice, it is switched off.

    Reduced damage is changed in proportion.
    """
    if not dice:
        return msgspec.structs.replace(entry, enabled=False)
    lesser, whole = _damage_dice(entry.reduced_damage), _damage_dice(entry.damage)
    reduced = (
        damage_with(entry.reduced_damage, max(1, round(lesser * dice / whole))) if lesser else entry.reduced_damage
    )
    return msgspec.structs.replace(entry, damage=damage_with(entry.damage, dice), reduced_damage=reduced)


def _leave_out_wave(encounter: Encounter, records: dict[Key, Record | None], wave: str) -> None:
    """Remove a wave, its roster entries, and countdown outcomes that trigger it."""
    for entry in encounter.all(RosterEntry):
        if entry.wave == wave:
            records[key_of(entry)] = None
    if encounter.get(Wave, wave) is not None:
        records[Wave.table, wave] = None
    for pool in encounter.all(Countdown):
        if any(isinstance(outcome, AddWave) and outcome.wave == wave for outcome in pool.outcomes):
            now = _present(encounter, records, key_of(pool))
            assert isinstance(now, Countdown)
            outcomes = tuple(each for each in now.outcomes if not (isinstance(each, AddWave) and each.wave == wave))
            records[key_of(pool)] = msgspec.structs.replace(now, outcomes=outcomes)


MOST_TRIED: Final = 60
FIGHTS: Final = 1000  # number of fights for each encounter tried
FIGHTS_AGAIN: Final = 10_000  # number of fights for each plan offered
OFFERED: Final = 3
SINGLE: Final = 5  # the number of useful variables for which more steps are tried alone
NEAR: Final = 0.015  # a probability this close to the target counts as reaching it
WORTH_SAYING: Final = 0.95  # limit for the best plan, as a fraction of the initial squared distance from the target
WORTH_OFFERING: Final = 0.25  # limit for other plans: half of the distance, squared
COST: Final = 0.0004  # cost of each change: the square of a difference of 2 percent
STEP_COST: Final = 0.00005

Point = tuple[int, ...]


class Aim(msgspec.Struct, frozen=True):
    """The target probabilities of victory and of a character falling, or None if there is no target."""

    won: float | None = None
    falls: float | None = None


class TunedPlan(msgspec.Struct, frozen=True):
    """Variables with new values, and the resulting probabilities."""

    values: tuple[tuple[Variable, int], ...]
    won: Chance
    falls: Chance


class Tuning(msgspec.Struct, frozen=True):
    """The progress of the search: the number of encounters tried, and at the end the plans, best first."""

    tried: int
    plans: tuple[TunedPlan, ...] = ()
    is_done: bool = False


def bounded(variables: Sequence[Variable], bounds: Sequence[str]) -> tuple[Variable, ...]:
    """Return the variables selected by limits such as `hp` or `count:captain=0..2`. Without limits, return all.

    Raise ValueError if a limit is invalid.
    """
    if not variables:
        raise ValueError("nothing in this encounter can be varied, or its fight has already started")
    selected: dict[str, Variable] = {}
    for bound in bounds:
        name, _, range_ = bound.partition("=")
        named = [variable for variable in variables if name in (variable.id, variable.kind)]
        if not named:
            raise ValueError(f"expected one of {', '.join(variable.id for variable in variables)}; found {name!r}")
        low, dots, high = range_.partition("..")
        if range_ and not (dots and low.isdecimal() and high.isdecimal() and int(low) <= int(high)):
            raise ValueError(f"expected a range such as 0..2; found {range_!r}")
        for match in named:
            least, most = (int(low), int(high)) if range_ else (match.low, match.high)
            selected[match.id] = msgspec.structs.replace(match, low=max(least, match.least), high=most)
    return tuple(selected.values()) if bounds else tuple(variables)


def aim_of_text(text: str) -> Aim:
    """Parse a target such as `won=65,falls=40`, in percent. Raise ValueError if it is invalid."""
    fields: dict[str, float] = {}
    for part in text.split(","):
        name, _, percent = (piece.strip() for piece in part.partition("="))
        if name not in Aim.__struct_fields__ or not percent.isdecimal() or int(percent) > HUNDRED:
            raise ValueError(f"expected won=65, falls=40 or both (percentages up to {HUNDRED}); found {text}")
        fields[name] = int(percent) / HUNDRED
    return Aim(**fields)


def value_sentence(encounter: Encounter, variable: Variable, value: int, hp: Mapping[str, int]) -> Sentence:
    """Return a sentence that describes a variable's new value. `hp` are hit points, keyed by roster entry id."""
    params: dict[str, str | int] = {"name": variable_name(encounter, variable), "n": value, "now": variable.now}
    if variable.kind == "hp":
        usual = hp[variable.subject]
        params |= {"n": max(1, round(usual * value / HUNDRED)), "now": usual}
    return Sentence(f"forecast.tune.{variable.kind}{'' if value else '-none'}", tuple(params.items()))


def variable_name(encounter: Encounter, variable: Variable) -> str:
    """Return the name of a variable's record."""
    if variable.kind in ("damage", "world"):
        return source_name(encounter, variable.subject, variable.item)
    if variable.kind == "dice":
        return pool_name(encounter, variable.subject)
    if variable.kind == "wave":
        return wave_name(encounter, variable.subject)
    return roster_name(encounter, variable.subject)


class TuningRequest(msgspec.Struct, frozen=True):
    """A search for plans: the aim, and the variables that may change. `policies` are those of the party and the foes."""

    encounter: Encounter
    rules: RuleSystem
    aim: Aim
    variables: tuple[Variable, ...]
    seed: int
    policies: tuple[Policy, ...] = ()


def tunings(request: TuningRequest) -> Iterator[Tuning]:
    """Yield the progress of the search after each encounter tried, and finally the plans."""
    for _ in compiled_kernels():
        yield Tuning(0)
    search = _Search(request)
    for _ in search.tries():
        yield Tuning(len(search.found))
    plans = []
    for point in search.best():
        plans.append(search.plan(point))
        yield Tuning(len(search.found))
    here = search.again(search.start)
    ranked = sorted(plans, key=lambda plan: search.distance(plan.won.value, plan.falls.value))
    limits = [share * search.distance(*here) for share in (WORTH_SAYING, *[WORTH_OFFERING] * OFFERED)]
    ranked = [
        plan
        for plan, limit in zip(ranked, limits, strict=False)
        if search.distance(plan.won.value, plan.falls.value) < limit
    ]
    yield Tuning(len(search.found), tuple(ranked), is_done=True)


def chances_of(tally: Tally) -> tuple[float, float]:
    """Return the probabilities of victory and of a character falling."""
    return tally.outcomes(WON) / tally.fights, tally.down / tally.fights


def leanings(tally: Tally, sheet: Sheet) -> tuple[float, float]:
    """Return the probabilities of victory and of a character falling, extended beyond 0 and 1 if all fights end alike.

    In that case, the remaining hit points show whether a change leads in the right direction.
    """
    won, falls = chances_of(tally)
    party, others = shares_left(tally, sheet)
    return _leaning(won, below=others, beyond=party), _leaning(falls, below=party, beyond=1 - party)


def _leaning(chance: float, *, below: float, beyond: float) -> float:
    return -below if chance == 0 else 1 + beyond if chance == 1 else chance


class _Search:
    """The search for plans. A point has a value for each variable. `found` contains the results of the points tried."""

    def __init__(self, request: TuningRequest) -> None:
        self.found: dict[Point, tuple[float, float]] = {}
        self.start: Point = tuple(variable.now for variable in request.variables)
        self._request, self._variables = request, request.variables
        self._hp = hit_points(begun_copy(request.encounter, request.rules).encounter)

    # Points to try ---------------------------------------------------------------------------------------------------

    def tries(self) -> Iterator[Point]:
        """Yield the points tried: first one step of each variable, then more steps of useful ones, then several."""
        yield from self._try([self.start])
        if self.is_near(self.start):
            return
        yield from self._try(self._neighbours(self.start, range(len(self._variables))))
        useful = sorted(self._singles(), key=lambda place: self.score(self._best_of(place)))[:SINGLE]
        for _ in range(2):
            for place in useful:
                yield from self._try(self._aimed(self._best_of(place), place))
        for _ in range(MOST_TRIED):
            here = min(self.found, key=self.score)
            yield from self._try([at for place in useful for at in self._aimed(here, place)])
            yield from self._try(self._neighbours(here, useful))
            if min(self.found, key=self.score) == here or len(self.found) >= MOST_TRIED:
                return

    def _try(self, points: Sequence[Point]) -> Iterator[Point]:
        for point in points:
            if len(self.found) < MOST_TRIED and point not in self.found:
                played = self._played(point, self._request.seed, FIGHTS)
                # An encounter that can't be played is no better than no change.
                self.found[point] = leanings(*played) if played else self.found[self.start]
                yield point

    def _neighbours(self, point: Point, places: Sequence[int] | range) -> list[Point]:
        """Return the points that are one step away in one of these variables."""
        steps = [(place, sign * self._variables[place].step) for place in places for sign in (-1, 1)]
        return [self._moved(point, place, step) for place, step in steps if self._moved(point, place, step) != point]

    def _moved(self, point: Point, place: int, step: int) -> Point:
        variable = self._variables[place]
        return (*point[:place], min(max(point[place] + step, variable.low), variable.high), *point[place + 1 :])

    def _aimed(self, point: Point, place: int) -> list[Point]:
        """Return the point at which a variable would reach the target, assuming a linear effect."""
        variable = self._variables[place]
        effects = [
            ((wish - self.found[point][which]), self._slope(place, which))
            for which, wish in enumerate((self._request.aim.won, self._request.aim.falls))
            if wish is not None
        ]
        weight = sum(slope * slope for _, slope in effects)
        if not weight:
            return []
        change = sum(gap * slope for gap, slope in effects) / weight
        return [self._moved(point, place, round(change / variable.step) * variable.step)]

    def _slope(self, place: int, which: int) -> float:
        """Return the change of a probability per unit of a variable.

        It is measured at the farthest point where only this variable is changed.
        """
        alone = [at for at in self.found if at[place] != self.start[place] and self._changed(at) == [place]]
        far = max(alone, key=lambda at: abs(at[place] - self.start[place]), default=None)
        if far is None:
            return 0.0
        return (self.found[far][which] - self.found[self.start][which]) / (far[place] - self.start[place])

    def _changed(self, point: Point) -> list[int]:
        return [place for place, value in enumerate(point) if value != self.start[place]]

    def _singles(self) -> list[int]:
        """Return the indexes of the variables that were changed alone."""
        return list(dict.fromkeys(at[0] for point in self.found if len(at := self._changed(point)) == 1))

    def _best_of(self, place: int) -> Point:
        return min((point for point in self.found if self._changed(point) == [place]), key=self.score)

    # Scores ----------------------------------------------------------------------------------------------------------

    def distance(self, won: float, falls: float) -> float:
        """Return the squared distance of probabilities from the target."""
        wishes = ((self._request.aim.won, won), (self._request.aim.falls, falls))
        return sum((chance - wish) ** 2 for wish, chance in wishes if wish is not None)

    def is_near(self, point: Point) -> bool:
        """Whether a point reaches the target."""
        chances = (min(max(chance, 0.0), 1.0) for chance in self.found[point])
        wishes = zip((self._request.aim.won, self._request.aim.falls), chances, strict=True)
        return all(wish is None or abs(chance - wish) <= NEAR for wish, chance in wishes)

    def score(self, point: Point) -> float:
        """Return a point's squared distance from the target, plus the cost of its changes."""
        changed = self._changed(point)
        steps = sum(abs(point[at] - self.start[at]) / self._variables[at].step for at in changed)
        return self.distance(*self.found[point]) + COST * len(changed) + STEP_COST * steps

    def best(self) -> list[Point]:
        """Return the best points. All are better than no change.

        A point is left out if a better one changes only the same variables, or fewer.
        """
        points: list[Point] = []
        for point in sorted(self.found, key=self.score):
            changed = set(self._changed(point))
            if self.score(point) < self.score(self.start) and not any(
                changed >= set(self._changed(better)) for better in points
            ):
                points.append(point)
        return points[:OFFERED]

    # Playing ----------------------------------------------------------------------------------------------------------

    def plan(self, point: Point) -> TunedPlan:
        """Return the plan for a point, played again with other random numbers."""
        won, falls = self.again(point)
        changed = [(self._variables[at], point[at]) for at in self._changed(point)]
        return TunedPlan(
            tuple(changed),
            wilson(round(won * FIGHTS_AGAIN), FIGHTS_AGAIN),
            wilson(round(falls * FIGHTS_AGAIN), FIGHTS_AGAIN),
        )

    def again(self, point: Point) -> tuple[float, float]:
        """Return a point's probabilities from many fights with other random numbers."""
        played = self._played(point, self._request.seed + 1, FIGHTS_AGAIN)
        return chances_of(played[0]) if played else (0.0, 0.0)

    def _played(self, point: Point, seed: int, count: int) -> tuple[Tally, Sheet] | None:
        """Return the results of a point's fights and their sheet, or None if the encounter can't be forecast."""
        values: Mapping[Variable, int] = dict(zip(self._variables, point, strict=True))
        session = Session(self._request.encounter, self._request.rules)
        try:
            for command in commands_for(self._request.encounter, values, self._hp):
                session.do(command)
        except Refused:
            return None
        if obstacle_to_forecast(session.encounter):
            return None
        copy = begun_copy(session.encounter, self._request.rules)
        sheet, _ = build_sheet(copy.encounter, self._request.rules, copy.waiting, known_answers(self._request.rules))
        return run_fights(packed_sheet(sheet, self._request.policies), sheet, seed=seed, first=0, count=count), sheet
