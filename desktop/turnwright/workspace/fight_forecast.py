"""Forecasts encounters in batches of fights, outside the document's session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Change, Encounter
from turnwright.forecast.building.known_answers import known_answers
from turnwright.forecast.changes import ChangeOutlook, change_outlooks
from turnwright.forecast.compiled import fight_loop
from turnwright.forecast.estimate import Tally, outlook, packed_sheet, run_fights
from turnwright.forecast.outlook import Outlook
from turnwright.forecast.policy_figures import Policy
from turnwright.forecast.sentences import ENOUGH
from turnwright.forecast.sheet import Sheet
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.spawning.waves import BringWave, waiting_waves
from turnwright.play.table.dice import SetDice
from turnwright.rules.system import RuleSystem
from turnwright.workspace.loop_compilation import warm_beside

MOST_FIGHTS: Final = 20_000
BATCHES: Final = (250, 750, 1000, 2000, 4000)  # the last size is repeated
ROUGH: Final = 100  # number of fights that the uncompiled loop plays almost immediately
NARROW: Final = 0.02  # the target width of the confidence interval for victory
Obstacle = Literal["", "no-party", "no-foes"]


class FightForecast(msgspec.Struct, frozen=True):
    """A forecast, the started copy of the encounter with its records' names, and the effects of possible changes."""

    outlook: Outlook
    encounter: Encounter
    changes: tuple[ChangeOutlook, ...] = ()


class BegunCopy(msgspec.Struct, frozen=True):
    """A started encounter with all its combatants, including those of waves.

    `waiting` maps the id of each wave to its combatants.
    """

    encounter: Encounter
    waiting: Mapping[str, tuple[str, ...]]


def begun_copy(encounter: Encounter, rules: RuleSystem) -> BegunCopy:
    """Return a started copy of an encounter with the combatants of all waves, even if it has started already.

    Open prompts are removed, because the copy is only read.
    """
    session = Session(encounter, rules)
    session.do(SetDice("roll", seed=0))
    if clock_of(encounter).phase == "preparing":
        session.do(StartEncounter())
    waiting: dict[str, tuple[str, ...]] = {}
    for wave in waiting_waves(session.encounter):
        before = {combatant.id for combatant in session.encounter.all(Combatant)}
        session.do(BringWave(wave))
        waiting[wave] = tuple(
            combatant.id for combatant in session.encounter.all(Combatant) if combatant.id not in before
        )
    begun = session.encounter
    open_work = [(kind.table, record) for kind in (Prompt, Procedure) for record in begun.all(kind)]
    left_out = [Change((table, record.id), record, None) for table, record in open_work]
    return BegunCopy(begun.with_changes(left_out), MappingProxyType(waiting))


def obstacle_to_forecast(encounter: Encounter) -> Obstacle:
    """Return the reason why an encounter can't be forecast, or an empty string if it can."""
    if clock_of(encounter).phase == "preparing":
        fighting = [
            (bool(roster_entry.player), roster_entry.side)
            for roster_entry in encounter.all(RosterEntry)
            if not roster_entry.bystander
        ]
    else:
        fighting = [
            (bool(combatant.player), combatant.side)
            for combatant in encounter.all(Combatant)
            if not combatant.bystander
        ]
    party = {side for is_character, side in fighting if is_character}
    if not party:
        return "no-party"
    return "" if any(side not in party for _, side in fighting) else "no-foes"


def forecasts(
    encounter: Encounter, rules: RuleSystem, *, seed: int, most: int = MOST_FIGHTS, policies: Sequence[Policy] = ()
) -> Iterator[FightForecast]:
    """Yield the cumulative forecast after each batch until it is precise enough, then the effects of changes.

    `policies` are those of the party and of all others. The same seed always gives the same fights. The first batch is
    played immediately, with the uncompiled loop if necessary. The others wait until the loop is compiled, which takes
    some seconds after an update.
    """
    copy = begun_copy(encounter, rules)
    sheet, legend = build_sheet(copy.encounter, rules, copy.waiting, known_answers(rules))
    packed, tally, loop = packed_sheet(sheet, policies), None, fight_loop()
    done = number = 0
    while done < most:
        count = min(BATCHES[min(number, len(BATCHES) - 1)] if loop.is_compiled else ROUGH, most - done)
        fights = run_fights(packed, sheet, seed=seed, first=done, count=count)
        tally = fights if tally is None else tally + fights
        done, number = done + count, number + 1
        forecast = outlook(tally, sheet, legend, seed)
        yield FightForecast(forecast, copy.encounter)
        warm_beside()
        if done >= ENOUGH and forecast.won.high - forecast.won.low <= NARROW:
            break
    for changes in change_outlooks(sheet, legend, seed=seed, count=ENOUGH, policies=policies):
        yield FightForecast(forecast, copy.encounter, changes)


def run_forecast(
    encounter: Encounter,
    rules: RuleSystem,
    fights: int,
    *,
    seed: int,
    processes: int = 1,
    policies: Sequence[Policy] = (),
) -> FightForecast:
    """Forecast an encounter with a number of fights, compiled and in several processes.

    The number of processes doesn't affect the results.
    """
    copy = begun_copy(encounter, rules)
    sheet, legend = build_sheet(copy.encounter, rules, copy.waiting)
    share = -(-fights // max(processes, 1))
    parts = [(sheet, policies, seed, first, min(share, fights - first)) for first in range(0, fights, share)]
    if len(parts) > 1:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        fight_loop().warm()  # so that the other processes find it in the cache
        with ProcessPoolExecutor(len(parts), get_context("spawn")) as pool:
            tallies = list(pool.map(_played, parts))
    else:
        tallies = [_played(parts[0])]
    whole = tallies[0]
    for tally in tallies[1:]:
        whole += tally
    return FightForecast(outlook(whole, sheet, legend, seed), copy.encounter)


def forecast_changes(
    encounter: Encounter, rules: RuleSystem, fights: int, *, seed: int, policies: Sequence[Policy] = ()
) -> tuple[ChangeOutlook, ...]:
    """Return the effects of possible changes on a forecast, greatest first.

    Each change is tested with `fights` fights.
    """
    copy = begun_copy(encounter, rules)
    fight_loop().warm()
    sheet, legend = build_sheet(copy.encounter, rules, copy.waiting)
    outlooks = [*change_outlooks(sheet, legend, seed=seed, count=fights, policies=policies)]
    return outlooks[-1] if outlooks else ()


def _played(part: tuple[Sheet, Sequence[Policy], int, int, int]) -> Tally:
    """Play a part of the fights and return the results. The loop is compiled if possible."""
    sheet, policies, seed, first, count = part
    fight_loop().warm()
    packed, most = packed_sheet(sheet, policies), BATCHES[-1]  # so that more fights take no more memory
    tally = run_fights(packed, sheet, seed=seed, first=first, count=min(most, count))
    for at in range(first + most, first + count, most):
        tally += run_fights(packed, sheet, seed=seed, first=at, count=min(most, first + count - at))
    return tally
