"""Forecasts of encounters, and their text for the printed sheet.

Forecasts encounters in batches of fights, outside the document's session.

The forecast of an encounter as text, for its printed sheet.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.roles import is_character, present
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Change, Encounter, Lookup, clock_of, grouped
from turnwright.forecast.building.questions import known_answers
from turnwright.forecast.compiled import fight_loop
from turnwright.forecast.estimate import (
    Chance,
    CombatantOutlook,
    Outlook,
    TacticOutlook,
    Tally,
    compare_tactics,
    outlook,
    packed_sheet,
    run_fights,
)
from turnwright.forecast.sentences import (
    ENOUGH,
    Sentence,
    budget_sentences,
    course_sentences,
    falls_of_party,
    headline,
    main_sources,
    note_parts,
    percent,
    pool_name,
    pool_sentences,
    summary,
)
from turnwright.forecast.sheet import Legend, Policy, Sheet
from turnwright.forecast.sheet_builder import ChangeOutlook, Variant, build_sheet, change_outlooks, variants
from turnwright.handouts.page_input import PrintedFall, PrintedFanRow, PrintedForecast, PrintedSource
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.spawning.spawning import BringWave, waiting_waves
from turnwright.play.table.game_master import SetDice
from turnwright.rules.parts.stat_block.prose import Translate
from turnwright.rules.system import RuleSystem
from turnwright.workspace.kernel_library import await_kernels, compiled_kernels, load_kernels
from turnwright.workspace.party_variants import party_variants

MOST_FIGHTS: Final = 20_000
BATCHES: Final = (250, 750, 1000, 2000, 4000)  # the last size is repeated
ROUGH: Final = 100  # number of fights that the plain loop plays almost immediately
NARROW: Final = 0.02  # the target width of the confidence interval for victory
Obstacle = Literal["", "no-party", "no-enemies"]


class FightForecast(msgspec.Struct, frozen=True):
    """A forecast, the started copy of the encounter with its records' names, and the effects of possible changes.

    `compiled` is the percentage of the loop that is compiled, which more fights wait for.
    """

    outlook: Outlook
    encounter: Encounter
    changes: tuple[ChangeOutlook, ...] = ()
    compiled: int = 100


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
        waiting[wave] = tuple(each.id for each in session.encounter.all(Combatant) if each.id not in before)
    begun = session.encounter
    open_work = [(kind.table, record) for kind in (Prompt, Procedure) for record in begun.all(kind)]
    left_out = [Change((table, record.id), record, None) for table, record in open_work]
    return BegunCopy(begun.with_changes(left_out), waiting)


def obstacle_to_forecast(encounter: Encounter) -> Obstacle:
    """Return the reason why an encounter can't be forecast, or an empty string if it can."""
    if clock_of(encounter).phase == "preparing":
        fighting: list[RosterEntry | Combatant] = [entry for entry in present(encounter) if not entry.bystander]
    else:
        fighting = [combatant for combatant in encounter.all(Combatant) if not combatant.bystander]
    party = {person.side for person in fighting if is_character(encounter, person)}
    if not party:
        return "no-party"
    return "" if any(person.side not in party for person in fighting) else "no-enemies"


def forecasts(
    encounter: Encounter, rules: RuleSystem, *, seed: int, most: int = MOST_FIGHTS, policies: Sequence[Policy] = ()
) -> Iterator[FightForecast]:
    """Yield the cumulative forecast after each batch until it is precise enough, then the effects of changes.

    `policies` are those of the party and of all others. The same seed always gives the same fights. The first batch is
    played immediately, with the plain loop if necessary. In a checkout, the others wait until the loop is compiled, and
    the first forecast is repeated with the percentage.
    """
    load_kernels()
    copy = begun_copy(encounter, rules)
    sheet, legend = build_sheet(copy.encounter, rules, copy.waiting, known_answers(rules))
    packed, tally, loop = packed_sheet(sheet, policies), None, fight_loop()
    done = number = 0
    tactics: tuple[TacticOutlook, ...] = ()
    while done < most:
        count = min(BATCHES[min(number, len(BATCHES) - 1)] if loop.is_compiled else ROUGH, most - done)
        fights = run_fights(packed, sheet, seed=seed, first=done, count=count)
        tally = fights if tally is None else tally + fights
        done, number = done + count, number + 1
        if loop.is_compiled and number > 1:  # the first forecast doesn't wait for them
            tactics = tactics or compare_tactics(sheet, policies, seed=seed, count=ENOUGH)
        forecast = outlook(tally, sheet, legend, seed, tactics)
        yield FightForecast(forecast, copy.encounter)
        for compiled in compiled_kernels():
            yield FightForecast(forecast, copy.encounter, compiled=compiled)
        if done >= ENOUGH and forecast.won.high - forecast.won.low <= NARROW:
            break
    changed = changed_sheets(encounter, rules, sheet, legend)
    for changes in change_outlooks(sheet, changed, seed=seed, count=ENOUGH, policies=policies):
        yield FightForecast(forecast, copy.encounter, changes)


def run_forecast(
    encounter: Encounter,
    rules: RuleSystem,
    fights: int,
    *,
    seed: int,
    processes: int = 1,
    policies: Sequence[Policy] = (),
    with_tactics: bool = False,
) -> FightForecast:
    """Forecast an encounter with a number of fights, compiled and in several processes.

    The number of processes doesn't affect the results. `with_tactics`: also compare other choices of targets.
    """
    copy = begun_copy(encounter, rules)
    sheet, legend = build_sheet(copy.encounter, rules, copy.waiting)
    await_kernels()
    share = -(-fights // max(processes, 1))
    parts = [(sheet, policies, seed, first, min(share, fights - first)) for first in range(0, fights, share)]
    if len(parts) > 1:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        with ProcessPoolExecutor(len(parts), get_context("spawn")) as pool:
            tallies = list(pool.map(_played, parts))
    else:
        tallies = [_played(parts[0])]
    whole = tallies[0]
    for tally in tallies[1:]:
        whole += tally
    tactics = compare_tactics(sheet, policies, seed=seed, count=min(fights, ENOUGH)) if with_tactics else ()
    return FightForecast(outlook(whole, sheet, legend, seed, tactics), copy.encounter)


def chance_to_win(encounter: Encounter, rules: RuleSystem) -> Chance | None:
    """Return the party's chance to win an encounter, from a quick forecast, or None without two sides."""
    return None if obstacle_to_forecast(encounter) else run_forecast(encounter, rules, ENOUGH, seed=0).outlook.won


def forecast_changes(
    encounter: Encounter, rules: RuleSystem, fights: int, *, seed: int, policies: Sequence[Policy] = ()
) -> Iterator[tuple[ChangeOutlook, ...]]:
    """Yield the effects of possible changes on a forecast so far, greatest first, after testing each with `fights` fights."""
    copy = begun_copy(encounter, rules)
    await_kernels()
    sheet, legend = build_sheet(copy.encounter, rules, copy.waiting)
    changed = changed_sheets(encounter, rules, sheet, legend)
    yield from change_outlooks(sheet, changed, seed=seed, count=fights, policies=policies)


def changed_sheets(encounter: Encounter, rules: RuleSystem, sheet: Sheet, legend: Legend) -> Iterator[Variant]:
    """Yield the sheets of an encounter with one change each, first those of what it has, then those of its party."""
    yield from variants(sheet, legend)
    for kind, subject, changed in party_variants(encounter, rules):
        copy = begun_copy(changed, rules)
        yield kind, subject, "", build_sheet(copy.encounter, rules, copy.waiting, known_answers(rules))[0]


def _played(part: tuple[Sheet, Sequence[Policy], int, int, int]) -> Tally:
    """Play a part of the fights and return the results. The loop is compiled if possible."""
    sheet, policies, seed, first, count = part
    load_kernels()
    packed, most = packed_sheet(sheet, policies), BATCHES[-1]  # so that more fights take no more memory
    tally = run_fights(packed, sheet, seed=seed, first=first, count=min(most, count))
    for at in range(first + most, first + count, most):
        tally += run_fights(packed, sheet, seed=seed, first=at, count=min(most, first + count - at))
    return tally


WORDS: Final = {
    "falls": "ui.forecast.falls-title",
    "falls-summary": "ui.forecast.falls-summary",
    "rounds": "ui.forecast.rounds-title",
    "rounds-summary": "ui.forecast.round-summary",
    "round": "ui.chart.axis-round",
    "sources": "ui.forecast.sources-title",
    "sources-summary": "ui.forecast.source-summary",
    "courses": "ui.forecast.courses-title",
}
MOST_SOURCES: Final = 6
FIGHTS: Final = 4000
SEED: Final = 1


def printed_forecast(encounter: Encounter, rules: RuleSystem, say: Translate) -> PrintedForecast | None:
    """Return the forecast of an encounter as text, or None if it doesn't have two sides."""
    if obstacle_to_forecast(encounter):
        return None
    forecast = run_forecast(encounter, rules, FIGHTS, seed=SEED, with_tactics=True)
    begun, outlook = forecast.encounter, forecast.outlook

    def sentence_text(sentence: Sentence) -> str:
        return say(sentence.key, **dict(sentence.params))

    assumed = [note_parts(begun, note) for note in outlook.notes if note.list == "assumed"]
    left_out, never = (sum(note.list == list_ for note in outlook.notes) for list_ in ("left-out", "never-chosen"))
    sentences = (*summary(begun, outlook), *pool_sentences(begun, outlook), *budget_sentences(begun, rules, outlook))
    return PrintedForecast(
        say("handout.encounter-sheet.of-fights", headline=sentence_text(headline(outlook)), n=outlook.fights),
        tuple(sentence_text(item) for item in sentences),
        tuple((name, say(key)) for name, key in WORDS.items()),
        tuple(_fall(combatant) for combatant, _ in falls_of_party(outlook)),
        tuple(PrintedFanRow(each.round, tuple(map(percent, each.share))) for each in outlook.by_round),
        tuple(_marks(begun, outlook)),
        tuple(
            PrintedSource(source.name, round(10 * source.damage), source.world)
            for source in main_sources(begun, outlook, MOST_SOURCES)
        ),
        tuple(sentence_text(course_sentence) for course_sentence in course_sentences(begun, outlook)),
        say("ui.forecast.notes", out=left_out, never=never, assumed=len(assumed)),
        tuple(
            f"{', '.join(parts)}: {sentence_text(reason)}" if parts else sentence_text(reason)
            for parts, reason in assumed
        ),
    )


def _fall(combatant: CombatantOutlook) -> PrintedFall:
    down, dead = combatant.down, combatant.dead
    return PrintedFall(combatant.label, percent(down.value), percent(down.low), percent(down.high), percent(dead.value))


def _marks(lookup: Lookup, outlook: Outlook) -> Iterator[tuple[int, str]]:
    """Yield the rounds in which countdowns will probably end, with their names."""
    ended = grouped((pool.round[1], pool_name(lookup, pool.pool)) for pool in outlook.pools if pool.ends.value > 0)
    yield from ((number, ", ".join(names)) for number, names in sorted(ended.items()))
