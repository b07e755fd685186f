"""From what happened to what the journal says: each event becomes a word key with names and figures in it.

The words themselves stand in the catalogue of words; nothing here is a sentence. A parameter in angle brackets
(`<condition.prone>`) is a key of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.encounter.running import Clock
from turnwright.play import events as happened
from turnwright.play.events import AnyEvent, Line
from turnwright.play.narrate import course, deeds, hurts, world
from turnwright.play.narrate.told import Names, Teller
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem

UNSAID = frozenset({happened.TurnEnded, happened.RoundEnded})  # the next turn or round says it
TELLERS: Mapping[type[happened.Event], Teller] = MappingProxyType(
    {
        **course.TELLERS,
        **deeds.TELLERS,
        **hurts.TELLERS,
        **world.TELLERS,
    }
)


def tell(tx: Transaction, events: tuple[AnyEvent, ...], serial: int, rules: RuleSystem) -> tuple[Line, ...]:
    """Return the journal lines of a step's events, with the round and turn they fell in."""
    names = Names(tx)
    before = tx.base.get(Clock, "clock") or Clock()
    round_number, turn = before.round, before.active
    lines: list[Line] = []
    for event in events:
        if isinstance(event, happened.RoundStarted):
            round_number, turn = event.round, ""
        elif isinstance(event, happened.TurnStarted):
            turn = event.who[0] if event.who else ""
        if type(event) in UNSAID:
            continue
        said, kind, subject = TELLERS[type(event)](event, names)
        lines.append(
            Line(
                serial=serial,
                index=len(lines),
                round=round_number,
                phrase=said,
                kind=kind,
                turn=turn,
                subject=subject,
                rule=event.rule,
                roll=getattr(event, "roll", None),
                why=event.why if isinstance(event, happened.DamageTaken) else (),
            )
        )
    return tuple(lines)
