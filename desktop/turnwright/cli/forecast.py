"""The verbs for probabilities, as text or JSON: `forecast` simulates an encounter, and `odds` computes exact odds."""

import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.cli import files, terminal
from turnwright.cli.play import journal_lines
from turnwright.dice.distributions import countdown_odds, of_expression
from turnwright.dice.expression import DiceError, parse
from turnwright.encounter.state import Encounter
from turnwright.forecast import estimate, layout, sheet, sheet_builder
from turnwright.forecast.sentences import (
    Sentence,
    budget_sentences,
    change_sentence,
    main_actions,
    note_parts,
    percent,
    sentences,
)
from turnwright.rules.system import RuleSystem
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace import fight_forecast, fight_tuning
from turnwright.workspace.engine_fights import EngineFight, engine_fights, play_fight, playable_by_sheet
from turnwright.workspace.kernel_library import compiled_kernels
from turnwright.workspace.text import Phrasebook

LISTS = ("left-out", "never-chosen", "assumed")
MOST_ACTIONS = 20
Found = TypeVar("Found")


class ForecastOptions(NamedTuple):
    """The options of `turnwright forecast`. `party` and `enemies` are the policies of the two sides.

    `in_engine` is the number of fights that are also played by the full rules, without the map and everything else that
    the forecast ignores. `tune` is the aim of a search for plans, as typed, and `may` the changes that it may make
    (none: all). `play` is the number of the only fight to play and print, or 0. None is the first fight.
    """

    fights: int
    seed: int
    processes: int
    in_engine: int
    party: sheet.Policy
    enemies: sheet.Policy
    play: int | None
    with_changes: bool
    tune: str | None
    may: Sequence[str]
    as_json: bool


def forecast(file: Path, systems: RuleSystems, **arguments: Any) -> int:
    """Print the forecast of an encounter. Return 1 if the file can't be opened, or if there aren't two sides."""
    options = ForecastOptions(**arguments)
    seed, policies = options.seed, (options.party, options.enemies)
    document = files.opened(file, systems, seed=seed, dice="roll")
    encounter, rules = document.encounter, document.session.rules
    document.close(discard=True)
    words = Phrasebook(WordCatalogue.load(), rules)
    obstacle = fight_forecast.obstacle_to_forecast(encounter)
    if obstacle:
        raise terminal.Failed(f"{file}: {words.text(f'ui.forecast.{obstacle}')}")
    if options.play != 0:
        headline, session = play_fight(encounter, rules, options.play or 1, seed=seed, policies=policies)
        lines = [_sentence_text(words, sentence) for sentence in headline]
        lines += journal_lines(session, words, with_bookkeeping=False)
        print(msgspec.json.encode(lines).decode() if options.as_json else "\n".join(map(files.one_line, lines)))
        return 0
    try:
        wanted_aim = fight_tuning.aim_of_text(options.tune) if options.tune is not None else None
        variables = (
            fight_tuning.bounded(fight_tuning.variables_of(encounter), options.may) if options.tune is not None else ()
        )
    except ValueError as error:
        raise terminal.Failed(f"{file}: {error}", terminal.USAGE) from error
    started, pause = monotonic(), 2 if sys.stderr.isatty() else 1000  # in seconds; someone watches a terminal
    waits = ((compiled // 20 * 20, (monotonic() - started) // pause) for compiled in compiled_kernels())
    for (done, pauses), _ in groupby(waits):
        after = f" · {pauses * pause:.0f} s" if pauses else ""
        print(f"{words.text('ui.forecast.compiling', percent=done)}{after}", file=sys.stderr)
    if options.in_engine:
        encounter = playable_by_sheet(encounter, rules)
    if options.with_changes or wanted_aim is not None:
        print(words.text("ui.forecast.tried", n=0), file=sys.stderr)
    forecast_run = fight_forecast.run_forecast(
        encounter, rules, options.fights, seed=seed, processes=options.processes, policies=policies, with_tactics=True
    )
    if not options.as_json:
        _show(_lines(forecast_run.encounter, rules, forecast_run.outlook, words))
    changes: Sequence[sheet_builder.ChangeOutlook] = ()
    if options.with_changes:
        tried = fight_forecast.forecast_changes(encounter, rules, options.fights, seed=seed, policies=policies)
        changes = _last_of(tried, words) or ()
    plans: Sequence[fight_tuning.TunedPlan] = ()
    if wanted_aim is not None:
        wanted = fight_tuning.TuningRequest(encounter, rules, wanted_aim, variables, seed, policies)
        last = _last_of(fight_tuning.tunings(wanted), words)
        plans = last.plans if last is not None else ()
    if options.as_json:
        result = msgspec.to_builtins(forecast_run.outlook)
        result |= {"changes": msgspec.to_builtins(changes)} if options.with_changes else {}
        result |= {"plans": [_plan_as_json(plan) for plan in plans]} if wanted_aim is not None else {}
        print(msgspec.json.encode(result).decode())
        return 0
    lines = [words.text("ui.forecast.changes")] if options.with_changes else []
    lines += [f"  {_sentence_text(words, change_sentence(forecast_run.encounter, change))}" for change in changes]
    if wanted_aim is not None:
        lines += _plan_lines(forecast_run.encounter, plans, words)
    _show(lines)
    if options.in_engine:
        fights = engine_fights(encounter, rules, seed=seed, count=options.in_engine, policies=policies)
        _show(_engine_lines(*fights, forecast_run.outlook))
    return 0


def _show(lines: Iterable[str]) -> None:
    """Print lines at once, before the next part is computed."""
    for line in lines:
        print(files.one_line(line))
    sys.stdout.flush()


def _last_of(results: Iterable[Found], words: Phrasebook) -> Found | None:
    """Return the last result of a search. Print the number of results at the first, and then each second."""
    last, shown = None, -1.0
    for number, result in enumerate(results, 1):
        last = result
        if monotonic() - shown >= 1:
            print(words.text("ui.forecast.tried", n=number), file=sys.stderr)
            shown = monotonic()
    return last


def _plan_as_json(plan: fight_tuning.TunedPlan) -> dict[str, object]:
    values = [{"what": variable.id, "now": variable.now, "value": value} for variable, value in plan.values]
    return {"values": values, "won": msgspec.to_builtins(plan.won), "falls": msgspec.to_builtins(plan.falls)}


def _plan_lines(encounter: Encounter, plans: Sequence[fight_tuning.TunedPlan], words: Phrasebook) -> Sequence[str]:
    """Return lines that describe the plans of a search."""
    hp = fight_tuning.hit_points(encounter)
    lines = [words.text("ui.forecast.plans" if plans else "ui.forecast.no-plans")]
    for plan in plans:
        values = [
            _sentence_text(words, fight_tuning.value_sentence(encounter, variable, value, hp))
            for variable, value in plan.values
        ]
        chances = f"won {_chance(plan.won)}, someone falls {_chance(plan.falls)}"
        lines.append(f"  {'; '.join(values)}: {chances}")
    return lines


def _sentence_text(words: Phrasebook, sentence: Sentence) -> str:
    return words.text(sentence.key, **dict(sentence.params))


def _engine_lines(fights: Sequence[EngineFight], refused: int, outlook: estimate.Outlook) -> Sequence[str]:
    """Return lines that compare fights played by the full rules with the forecast."""
    count = len(fights)
    won = estimate.wilson(sum(fight.outcome == layout.WON for fight in fights), count)
    rounds = sum(fight.rounds for fight in fights) / count
    engine = f"{count} fights by the full rules ({refused} choices refused): won {_chance(won)}, {rounds:.2f} rounds"
    lines = [f"{engine}; forecast {_chance(outlook.won)}, {outlook.mean_rounds:.2f}"]
    for combatant in outlook.combatants:
        down = estimate.wilson(sum(combatant.who in fight.fell for fight in fights), count)
        dead = estimate.wilson(sum(combatant.who in fight.died for fight in fights), count)
        lines.append(f"  {combatant.label}: down {_chance(down)}, dead {_chance(dead)}")
    return lines


def _lines(encounter: Encounter, rules: RuleSystem, outlook: estimate.Outlook, words: Phrasebook) -> Sequence[str]:
    """Return the lines of a forecast: sentences, combatants, omissions and assumptions."""
    lines = [_sentence_text(words, sentence) for sentence in sentences(encounter, outlook)]
    lines += [_sentence_text(words, sentence) for sentence in budget_sentences(encounter, rules, outlook)]
    width = max((len(combatant.label) for combatant in outlook.combatants), default=0)
    for combatant in outlook.combatants:
        chances = f"down {_chance(combatant.down)}, dead {_chance(combatant.dead)}"
        lines.append(
            f"  {combatant.label:{width}}  {chances}, {combatant.left[1]} left, deals {combatant.dealt:.1f}, takes {combatant.taken:.1f}"
        )
    for party in (True, False):
        shares = main_actions(encounter, outlook, MOST_ACTIONS, party=party)
        lines += [words.text("ui.forecast.actions-title" if party else "ui.forecast.actions-others")] if shares else []
        for share in shares:
            done = f"damage {share.damage:.1f}, healing {share.healing:.1f}, uses {share.uses:.1f}"
            lines.append(f"  {share.name}: {done}")
    for list_ in LISTS:
        notes = [note for note in outlook.notes if note.list == list_]
        lines += [f"{words.text(f'ui.forecast.{list_}')} ({len(notes)})"] if notes else []
        for note in notes:
            parts, reason = note_parts(encounter, note)
            text = _sentence_text(words, reason)
            lines.append(f"  {', '.join(parts)}: {text}" if parts else f"  {text}")
    return lines


def _chance(chance: estimate.Chance) -> str:
    return f"{percent(chance.value):3} % ({percent(chance.low)} to {percent(chance.high)})"


_BAR = 40


def countdown(dice: int, speed: str, face: int | None, system: str, *, as_json: bool, systems: RuleSystems) -> int:
    """Print the probability that a pool runs out, by round.

    The lists start with round 1, and end when the remaining probability is below 1e-12.
    """
    if system not in systems.ids:
        raise _usage(f"unknown rule system '{system}'; expected one of {', '.join(systems.ids)}")
    faces = systems.get(system).countdown_faces
    if face is None and speed not in faces:
        raise _usage(f"unknown speed '{speed}'; expected one of {', '.join(faces)}")
    lowest = faces[speed] if face is None else face
    try:
        odds = countdown_odds(dice, lowest)
    except DiceError as error:
        raise _usage(error.message) from error
    if as_json:
        values = {
            "dice": dice,
            "face": lowest,
            "mean": odds.mean,
            "quantiles": {str(percent): number for percent, number in odds.quantiles.items()},
            "pmf": odds.pmf,
            "cdf": odds.cdf,
        }
        print(msgspec.json.encode(values).decode())
        return 0
    print(f"{dice}d6, dice showing {lowest} or more are removed: {odds.mean:.2f} rolls on average")
    print(", ".join(f"{percent} % by round {number}" for percent, number in odds.quantiles.items()))
    for number, (chance, by) in enumerate(zip(odds.pmf, odds.cdf, strict=True), 1):
        print(f"{number:4} {100 * chance:7.3f} % {100 * by:8.3f} %  {'#' * round(_BAR * by)}".rstrip())
        if by > 0.9995:
            break
    return 0


def roll(expression: str, *, as_json: bool, systems: RuleSystems) -> int:
    """Print the statistics of a roll: mean, minimum, maximum, and the probability of each total."""
    try:
        parsed = parse(expression)
        odds = of_expression(parsed)
    except DiceError as error:
        raise _usage(error.message) from error
    if as_json:
        values = {
            "expression": str(parsed),
            "mean": odds.mean,
            "min": odds.low,
            "max": odds.high,
            "distribution": {str(total): chance for total, chance in enumerate(odds.chances, odds.low)},
        }
        print(msgspec.json.encode(values).decode())
        return 0
    print(f"{parsed}: {odds.mean:.2f} on average, from {odds.low} to {odds.high}")
    most = max(odds.chances)
    for total, chance in enumerate(odds.chances, odds.low):
        print(f"{total:5} {100 * chance:8.4f} %  {'#' * round(_BAR * chance / most)}".rstrip())
    return 0


def _usage(message: str) -> terminal.Failed:
    return terminal.Failed(f"turnwright odds: {message}", terminal.USAGE)
