"""Journal lines of a step: each event becomes a word key with names and numbers, as its class declares it."""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.encounter.running import Clock
from turnwright.play.kernel.events import Event, JournalLine, line_of
from turnwright.play.kernel.journal import LabelLookup
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import DamageTaken, Skipped
from turnwright.play.turns.events import RoundStarted, TurnStarted


def lines_of(tx: Transaction, events: Sequence[Event], serial: int) -> tuple[JournalLine, ...]:
    """Return the journal lines of a step's events, with the round and turn they fell in."""
    names = LabelLookup(tx, tx.base)
    before = tx.base.get(Clock, "clock") or Clock()
    round_number, turn = before.round, before.active
    lines: list[JournalLine] = []
    for event in events:
        if isinstance(event, RoundStarted):
            round_number, turn = event.round, ""
        elif isinstance(event, TurnStarted):
            turn = event.who[0] if event.who else ""
        template = type(event).__journal__
        if template is None or (isinstance(event, Skipped) and not names.knows(event.who)):
            continue  # nothing is told of asks of combatants who are gone
        line_phrase, subject = line_of(event, template, names)
        lines.append(
            JournalLine(
                serial=serial,
                index=len(lines),
                round=round_number,
                phrase=line_phrase,
                kind=event.journal_kind,
                turn=turn,
                subject=subject,
                rule=event.rule,
                roll=getattr(event, "roll", None),
                why=event.why if isinstance(event, DamageTaken) else (),
                bookkeeping=event.is_bookkeeping,
            )
        )
    return tuple(lines)
