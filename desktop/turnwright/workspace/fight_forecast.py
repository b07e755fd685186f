"""Forecasts of an encounter: its begun copy, its sheet, and its fights in batches, off the document's own session."""

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
from turnwright.play.setup.commands.start_encounter import StartEncounter
from turnwright.play.spawning.commands.bring_wave import BringWave
from turnwright.play.spawning.waves import waiting_waves
from turnwright.play.table.commands.set_dice import SetDice
from turnwright.rules.system import RuleSystem
from turnwright.workspace.loop_compilation import warm_beside

MOST_FIGHTS: Final = 20_000
BATCHES: Final = (250, 750, 1000, 2000, 4000)  # the last one again and again
ROUGH: Final = 100  # fights that the plain loop plays within a blink
NARROW: Final = 0.02  # an interval of the chance of victory as wide as this is enough
Obstacle = Literal["", "no-party", "no-foes"]


class FightForecast(msgspec.Struct, frozen=True):
    """A forecast with the begun copy that it is of, which has the names of all its records, and what would change it."""

    outlook: Outlook
    encounter: Encounter
    changes: tuple[ChangeOutlook, ...] = ()


class BegunCopy(msgspec.Struct, frozen=True):
    """An encounter with all its combatants, those of waves too. `waiting` are those that each wave will bring, by its id."""

    encounter: Encounter
    waiting: Mapping[str, tuple[str, ...]]


def begun_copy(encounter: Encounter, rules: RuleSystem) -> BegunCopy:
    """Return a copy of an encounter that has begun, whether it has or not, with the combatants of all waves.

    What waits for an answer is left out of it: the copy is only looked at.
    """
    session = Session(encounter, rules)
    session.do(SetDice("roll", seed=0))
    if clock_of(encounter).phase == "preparing":
        session.do(StartEncounter())
    waiting: dict[str, tuple[str, ...]] = {}
    for wave in waiting_waves(session.encounter):
        before = {one.id for one in session.encounter.all(Combatant)}
        session.do(BringWave(wave))
        waiting[wave] = tuple(one.id for one in session.encounter.all(Combatant) if one.id not in before)
    begun = session.encounter
    open_work = [(kind.table, one) for kind in (Prompt, Procedure) for one in begun.all(kind)]
    left_out = [Change((table, one.id), one, None) for table, one in open_work]
    return BegunCopy(begun.with_changes(left_out), MappingProxyType(waiting))


def obstacle_to_forecast(encounter: Encounter) -> Obstacle:
    """Return why an encounter has nothing to forecast, empty where it has."""
    if clock_of(encounter).phase == "preparing":
        fighting = [(bool(one.player), one.side) for one in encounter.all(RosterEntry) if not one.bystander]
    else:
        fighting = [(bool(one.player), one.side) for one in encounter.all(Combatant) if not one.bystander]
    party = {side for is_character, side in fighting if is_character}
    if not party:
        return "no-party"
    return "" if any(side not in party for _, side in fighting) else "no-foes"


def forecasts(
    encounter: Encounter, rules: RuleSystem, *, seed: int, most: int = MOST_FIGHTS, policies: Sequence[Policy] = ()
) -> Iterator[FightForecast]:
    """Yield a forecast after each batch of fights, each of all fights so far, until it is narrow enough; then the changes.

    `policies` are those of the party and of all others. The same seed gives the same fights, however far it comes. The first batch is played at once, if need be by the plain
    loop; what follows waits until the loop has been compiled, which takes seconds once after an update.
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
        found = outlook(tally, sheet, legend, seed)
        yield FightForecast(found, copy.encounter)
        warm_beside()
        if done >= ENOUGH and found.won.high - found.won.low <= NARROW:
            break
    for changes in change_outlooks(sheet, legend, seed=seed, count=ENOUGH, policies=policies):
        yield FightForecast(found, copy.encounter, changes)


def run_forecast(
    encounter: Encounter,
    rules: RuleSystem,
    fights: int,
    *,
    seed: int,
    processes: int = 1,
    policies: Sequence[Policy] = (),
) -> FightForecast:
    """Return the forecast of so many fights, compiled and by so many processes: the figures don't depend on how many."""
    copy = begun_copy(encounter, rules)
    sheet, legend = build_sheet(copy.encounter, rules, copy.waiting)
    share = -(-fights // max(processes, 1))
    parts = [(sheet, policies, seed, first, min(share, fights - first)) for first in range(0, fights, share)]
    if len(parts) > 1:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        fight_loop().warm()  # the others find it in the cache
        with ProcessPoolExecutor(len(parts), get_context("spawn")) as pool:
            tallies = list(pool.map(_played, parts))
    else:
        tallies = [_played(parts[0])]
    whole = tallies[0]
    for one in tallies[1:]:
        whole += one
    return FightForecast(outlook(whole, sheet, legend, seed), copy.encounter)


def forecast_changes(
    encounter: Encounter, rules: RuleSystem, fights: int, *, seed: int, policies: Sequence[Policy] = ()
) -> tuple[ChangeOutlook, ...]:
    """Return what would change a forecast, by so many fights of each change, the greatest effect first."""
    copy = begun_copy(encounter, rules)
    fight_loop().warm()
    sheet, legend = build_sheet(copy.encounter, rules, copy.waiting)
    found = [*change_outlooks(sheet, legend, seed=seed, count=fights, policies=policies)]
    return found[-1] if found else ()


def _played(part: tuple[Sheet, Sequence[Policy], int, int, int]) -> Tally:
    """Return the results of a part of the fights, compiled where that is possible."""
    sheet, policies, seed, first, count = part
    fight_loop().warm()
    packed, most = packed_sheet(sheet, policies), BATCHES[-1]  # so that no more memory is taken for more fights
    tally = run_fights(packed, sheet, seed=seed, first=first, count=min(most, count))
    for at in range(first + most, first + count, most):
        tally += run_fights(packed, sheet, seed=seed, first=at, count=min(most, first + count - at))
    return tally
