"""What a search brings to light of the place: rows that were kept from the players, as many of them as the game master says."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from turnwright.encounter.pending import FAILED, Ask, Deed, Option, Procedure
from turnwright.encounter.prepared import Entry, Environment
from turnwright.encounter.running import EntryState, entry_state_id
from turnwright.encounter.state import Lookup
from turnwright.play.events import Found
from turnwright.play.procedures.loop import Answers, ask, at
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.actions import ActionOption
from turnwright.rules.parts.surroundings import is_there, state_of
from turnwright.rules.system import RuleSystem, label_of

ROLL, FINDS, UNCOVER = "roll", "finds", "uncover"


def secrets(lookup: Lookup) -> Iterator[tuple[Environment, Entry]]:
    """Yield each row that is kept from the players and that nobody has found."""
    for place in lookup.all(Environment):
        for row in (*place.features, *place.actions):
            if row.secret and is_there(lookup, place, row) and not state_of(lookup, place.id, row.id).revealed:
                yield place, row


def may_find(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Deed, option: ActionOption, answers: Answers
) -> Procedure | None:
    """Ask which secrets somebody finds by a roll that has not failed; None where the action finds none or there is none."""
    answer = answers.get(ROLL)
    if option.trial is None or not option.trial.reveals or answer is None:
        return None
    found = [] if answer.skipped or FAILED in answer.chosen else list(secrets(tx))
    if not found:
        return None
    options = tuple(Option(entry_state_id(place.id, row.id), row.name or row.id, place.name) for place, row in found)
    who, rule = label_of(tx, data.who), _rule(option)
    asked = Ask(FINDS, "targets", "ask.finds", detail=who, options=options, rule=rule)
    ask(tx, procedure, "prompt.finds", [asked], subject=who, rule=rule)
    return at(procedure, UNCOVER, data)


def uncover(tx: Transaction, procedure: Procedure, option: ActionOption, answers: Answers) -> None:
    """Show what the game master said is found."""
    data = procedure.data
    assert isinstance(data, Deed)
    chosen = answers[FINDS].chosen if FINDS in answers else ()
    for place, row in list(secrets(tx)):
        id = entry_state_id(place.id, row.id)
        if id in chosen:
            state = tx.get(EntryState, id) or EntryState(id, place.id, row.id)
            tx.put(msgspec.structs.replace(state, revealed=True))
            tx.emit(Found(environment=place.id, entry=row.id, who=data.who, secret=True, rule=_rule(option)))


def _rule(option: ActionOption) -> str:
    ledgers = dict(option.trial.ledgers) if option.trial is not None else {}
    return ledgers.get("reveals") or option.rule()
