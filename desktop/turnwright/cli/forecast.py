"""`turnwright forecast`: how an encounter will probably go, for people and for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.cli.import_files import one_line
from turnwright.cli.play import print_findings
from turnwright.encounter.state import Encounter
from turnwright.forecast.estimate import wilson
from turnwright.forecast.layout import WON
from turnwright.forecast.outlook import Chance, Outlook
from turnwright.forecast.sentences import budget_sentences, change_sentence, note_parts, percent, sentences
from turnwright.rules.system import RuleSystem
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.document import open_document
from turnwright.workspace.engine_fights import EngineFight, engine_fights, playable_by_sheet
from turnwright.workspace.fight_forecast import forecast_changes, obstacle_to_forecast, run_forecast
from turnwright.workspace.files import OpenError
from turnwright.workspace.folders import folders, set_kernel_cache
from turnwright.workspace.text import Phrasebook

LISTS = ("left-out", "assumed")


def forecast(
    path: Path,
    fights: int,
    *,
    seed: int,
    processes: int,
    in_engine: int,
    with_changes: bool,
    as_json: bool,
    systems: RuleSystems | None = None,
) -> int:
    """Print the forecast of an encounter; 1 where it can't be opened, or has no two sides.

    `in_engine` is how many fights are played out in the engine, too, both without the map and what the forecast leaves out.
    """
    systems = systems or RuleSystems()
    try:
        document = open_document(path, systems, folders().state, seed=seed, dice="roll", locked=False)
    except OpenError as error:
        print_findings(error.findings)
        return 1
    encounter, rules = document.encounter, document.session.rules
    document.close(discard=True)
    words = Phrasebook(WordCatalogue.load(), rules)
    obstacle = obstacle_to_forecast(encounter)
    if obstacle:
        print(f"{path}: {words.text(f'ui.forecast.{obstacle}')}", file=sys.stderr)
        return 1
    set_kernel_cache()
    if in_engine:
        encounter = playable_by_sheet(encounter, rules)
    found = run_forecast(encounter, rules, fights, seed=seed, processes=processes)
    if as_json:
        print(msgspec.json.encode(found.outlook).decode())
        return 0
    for line in _lines(found.encounter, rules, found.outlook, words):
        print(one_line(line))
    if with_changes:
        print(words.text("ui.forecast.changes"))
        for change in forecast_changes(encounter, rules, fights, seed=seed):
            said = change_sentence(found.encounter, change)
            print(one_line(f"  {words.text(said.key, **dict(said.params))}"))
    if in_engine:
        for line in _engine_lines(*engine_fights(encounter, rules, seed=seed, count=in_engine), found.outlook):
            print(one_line(line))
    return 0


def _engine_lines(fights: Sequence[EngineFight], refused: int, found: Outlook) -> Sequence[str]:
    """Return the same fights played out in the engine, as text beside the forecast's figures."""
    count = len(fights)
    won = wilson(sum(one.outcome == WON for one in fights), count)
    rounds = sum(one.rounds for one in fights) / count
    engine = f"{count} fights in the engine ({refused} choices refused): won {_chance(won)}, {rounds:.2f} rounds"
    lines = [f"{engine}; forecast {_chance(found.won)}, {found.mean_rounds:.2f}"]
    for one in found.combatants:
        down = wilson(sum(one.who in fight.fell for fight in fights), count)
        dead = wilson(sum(one.who in fight.died for fight in fights), count)
        lines.append(f"  {one.label}: down {_chance(down)}, dead {_chance(dead)}")
    return lines


def _lines(encounter: Encounter, rules: RuleSystem, found: Outlook, words: Phrasebook) -> Sequence[str]:
    """Return a forecast as text: sentences, the party, and what the forecast leaves out and assumes."""
    lines = [words.text(one.key, **dict(one.params)) for one in sentences(encounter, found)]
    lines += [words.text(one.key, **dict(one.params)) for one in budget_sentences(encounter, rules, found)]
    width = max((len(one.label) for one in found.combatants), default=0)
    for one in found.combatants:
        chances = f"down {_chance(one.down)}, dead {_chance(one.dead)}"
        lines.append(
            f"  {one.label:{width}}  {chances}, {one.left[1]} left, deals {one.dealt:.1f}, takes {one.taken:.1f}"
        )
    for list_ in LISTS:
        notes = [one for one in found.notes if one.list == list_]
        lines += [f"{words.text(f'ui.forecast.{list_}')} ({len(notes)})"] if notes else []
        for note in notes:
            parts, reason = note_parts(encounter, note)
            said = words.text(reason.key, **dict(reason.params))
            lines.append(f"  {', '.join(parts)}: {said}" if parts else f"  {said}")
    return lines


def _chance(chance: Chance) -> str:
    return f"{percent(chance.value):3} % ({percent(chance.low)} to {percent(chance.high)})"
