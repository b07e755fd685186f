"""`turnwright forecast`: how an encounter will probably go, for people and for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.cli.exit_codes import USAGE
from turnwright.cli.import_files import one_line
from turnwright.cli.play import print_findings
from turnwright.encounter.state import Encounter
from turnwright.forecast.changes import ChangeOutlook
from turnwright.forecast.estimate import wilson
from turnwright.forecast.layout import WON
from turnwright.forecast.outlook import Chance, Outlook
from turnwright.forecast.policy_figures import Policy
from turnwright.forecast.sentences import (
    Sentence,
    budget_sentences,
    change_sentence,
    note_parts,
    percent,
    sentences,
)
from turnwright.rules.system import RuleSystem
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.document import open_document
from turnwright.workspace.encounter_variables import Variable, hit_points, variables_of
from turnwright.workspace.engine_fights import EngineFight, engine_fights, playable_by_sheet
from turnwright.workspace.fight_forecast import forecast_changes, obstacle_to_forecast, run_forecast
from turnwright.workspace.fight_tuning import Aim, TunedPlan, aim_of_text, bounded, tunings, value_sentence
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
    policies: Sequence[Policy] = (),
    with_changes: bool,
    aim: str | None = None,
    bounds: Sequence[str] = (),
    as_json: bool,
    systems: RuleSystems | None = None,
) -> int:
    """Print the forecast of an encounter; 1 where it can't be opened, or has no two sides.

    `policies` are those of the party and of all others. `aim` and `bounds` are those of a search for plans, as text.
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
    try:
        wish = aim_of_text(aim) if aim is not None else None
        variables = bounded(variables_of(encounter), bounds) if wish is not None else ()
    except ValueError as error:
        print(f"{path}: {error}", file=sys.stderr)
        return USAGE
    set_kernel_cache()
    if in_engine:
        encounter = playable_by_sheet(encounter, rules)
    found = run_forecast(encounter, rules, fights, seed=seed, processes=processes, policies=policies)
    changes: Sequence[ChangeOutlook] = ()
    if with_changes:
        changes = forecast_changes(encounter, rules, fights, seed=seed, policies=policies)
    plans = _plans(encounter, rules, wish, variables, seed, policies) if wish is not None else ()
    if as_json:
        told = msgspec.to_builtins(found.outlook)
        told |= {"changes": msgspec.to_builtins(changes)} if with_changes else {}
        told |= {"plans": [_plan_as_json(one) for one in plans]} if wish is not None else {}
        print(msgspec.json.encode(told).decode())
        return 0
    lines = [*_lines(found.encounter, rules, found.outlook, words)]
    lines += [words.text("ui.forecast.changes")] if with_changes else []
    lines += [f"  {_sentence_text(words, change_sentence(found.encounter, change))}" for change in changes]
    if wish is not None:
        lines += _plan_lines(found.encounter, plans, words)
    if in_engine:
        played = engine_fights(encounter, rules, seed=seed, count=in_engine, policies=policies)
        lines += _engine_lines(*played, found.outlook)
    for line in lines:
        print(one_line(line))
    return 0


def _plans(
    encounter: Encounter,
    rules: RuleSystem,
    wish: Aim,
    variables: Sequence[Variable],
    seed: int,
    policies: Sequence[Policy],
) -> Sequence[TunedPlan]:
    """Return the plans of a search that is let come to its end."""
    *_, last = tunings(encounter, rules, wish, variables, seed=seed, policies=policies)
    return last.plans


def _plan_as_json(plan: TunedPlan) -> dict[str, object]:
    values = [{"what": variable.id, "now": variable.now, "value": value} for variable, value in plan.values]
    return {"values": values, "won": msgspec.to_builtins(plan.won), "falls": msgspec.to_builtins(plan.falls)}


def _plan_lines(begun: Encounter, plans: Sequence[TunedPlan], words: Phrasebook) -> Sequence[str]:
    """Return the plans of a search as text."""
    hp = hit_points(begun)
    lines = [words.text("ui.forecast.plans" if plans else "ui.forecast.no-plans")]
    for plan in plans:
        values = [_sentence_text(words, value_sentence(begun, variable, value, hp)) for variable, value in plan.values]
        chances = f"won {_chance(plan.won)}, someone falls {_chance(plan.falls)}"
        lines.append(f"  {'; '.join(values)}: {chances}")
    return lines


def _sentence_text(words: Phrasebook, sentence: Sentence) -> str:
    return words.text(sentence.key, **dict(sentence.params))


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
    lines = [_sentence_text(words, one) for one in sentences(encounter, found)]
    lines += [_sentence_text(words, one) for one in budget_sentences(encounter, rules, found)]
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
            text = _sentence_text(words, reason)
            lines.append(f"  {', '.join(parts)}: {text}" if parts else f"  {text}")
    return lines


def _chance(chance: Chance) -> str:
    return f"{percent(chance.value):3} % ({percent(chance.low)} to {percent(chance.high)})"
