"""Secrets of the environment that a search finds; the game master chooses which."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.encounter.prepared import Environment, EnvironmentEntry
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ACTION, ActionInProgress
from turnwright.encounter.procedure_state.asks import FAILED, Ask, Option
from turnwright.encounter.running import entry_state_id
from turnwright.encounter.state import Lookup
from turnwright.play.asking.events import EnvironmentCheckPassed
from turnwright.play.kernel.scheduler import Answers, ask, choices_of, data_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.environment.entries import entry_state, is_active
from turnwright.rules.system import RuleSystem, label_of
from turnwright.rules.system_data.actions import ActionOption

ROLL, FINDS = "roll", "finds"


def undiscovered_entries(lookup: Lookup) -> Iterator[tuple[Environment, EnvironmentEntry]]:
    """Yield each undiscovered secret together with its environment."""
    for place in lookup.all(Environment):
        for row in (*place.features, *place.actions):
            if row.secret and is_active(lookup, place, row) and not entry_state(lookup, place.id, row.id).revealed:
                yield place, row


def ask_discovered(
    tx: Transaction,
    rules: RuleSystem,
    procedure: Procedure,
    data: ActionInProgress,
    option: ActionOption,
    answers: Answers,
) -> Procedure | None:
    """Ask which secrets a successful search reveals, or return None if there are none."""
    answer = answers.get(ROLL)
    if option.trial is None or not option.trial.reveals or answer is None:
        return None
    secrets = [] if answer.skipped or FAILED in answer.chosen else list(undiscovered_entries(tx))
    if not secrets:
        return None
    options = tuple(Option(entry_state_id(place.id, row.id), row.name or row.id, place.name) for place, row in secrets)
    who, rule = label_of(tx, data.who), _rule(option)
    question = Ask(FINDS, "targets", "ask.finds", detail=who, options=options, rule=rule)
    return ask(tx, goto(procedure, ACTION.reveal_found, data), "prompt.finds", [question], subject=who)


def reveal(tx: Transaction, procedure: Procedure, option: ActionOption, answers: Answers) -> None:
    """Reveal the secrets that the game master chose."""
    data = data_of(procedure, ActionInProgress)
    entry_ids = choices_of(answers, FINDS)
    for place, row in list(undiscovered_entries(tx)):
        id = entry_state_id(place.id, row.id)
        if id in entry_ids:
            tx.update(entry_state(tx, place.id, row.id), revealed=True)
            who, rule = data.who, _rule(option)
            tx.emit(EnvironmentCheckPassed(environment=place.id, entry=row.id, who=who, secret=True, rule=rule))


def _rule(option: ActionOption) -> str:
    ledgers = dict(option.trial.ledgers) if option.trial is not None else {}
    return ledgers.get("reveals") or option.rule()
