"""Journal lines of a step: each event becomes a word key with names and numbers, by the formatters of all packages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from turnwright.encounter.running import Clock
from turnwright.play.actions import journal_lines as actions_lines
from turnwright.play.asking import journal_lines as asking_lines
from turnwright.play.attacks import journal_lines as attacks_lines
from turnwright.play.damage import journal_lines as damage_lines
from turnwright.play.effects import journal_lines as effects_lines
from turnwright.play.environment import journal_lines as environment_lines
from turnwright.play.kernel import journal_lines as kernel_lines
from turnwright.play.kernel.events import Event, JournalLine
from turnwright.play.kernel.journal import Formatter, LabelLookup
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement import journal_lines as movement_lines
from turnwright.play.setup import journal_lines as setup_lines
from turnwright.play.spawning import journal_lines as spawning_lines
from turnwright.play.state import journal_lines as state_lines
from turnwright.play.state.events import DamageTaken
from turnwright.play.table import journal_lines as table_lines
from turnwright.play.turn_order import journal_lines as turn_order_lines
from turnwright.play.turns import journal_lines as turns_lines
from turnwright.play.turns.events import RoundEnded, RoundStarted, TurnEnded, TurnStarted
from turnwright.rules.system import RuleSystem

UNREPORTED = frozenset({TurnEnded, RoundEnded})  # the next turn or round reports it


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        **actions_lines.FORMATTERS,
        **asking_lines.FORMATTERS,
        **attacks_lines.FORMATTERS,
        **damage_lines.FORMATTERS,
        **effects_lines.FORMATTERS,
        **environment_lines.FORMATTERS,
        **kernel_lines.FORMATTERS,
        **movement_lines.FORMATTERS,
        **setup_lines.FORMATTERS,
        **spawning_lines.FORMATTERS,
        **state_lines.FORMATTERS,
        **table_lines.FORMATTERS,
        **turn_order_lines.FORMATTERS,
        **turns_lines.FORMATTERS,
    }
)


def lines_of(tx: Transaction, events: Sequence[Event], serial: int, rules: RuleSystem) -> tuple[JournalLine, ...]:
    """Return the journal lines of a step's events, with the round and turn they fell in."""
    names = LabelLookup(tx)
    before = tx.base.get(Clock, "clock") or Clock()
    round_number, turn = before.round, before.active
    lines: list[JournalLine] = []
    for event in events:
        if isinstance(event, RoundStarted):
            round_number, turn = event.round, ""
        elif isinstance(event, TurnStarted):
            turn = event.who[0] if event.who else ""
        if type(event) in UNREPORTED:
            continue
        line_phrase, kind, subject = FORMATTERS[type(event)](event, names)
        lines.append(
            JournalLine(
                serial=serial,
                index=len(lines),
                round=round_number,
                phrase=line_phrase,
                kind=kind,
                turn=turn,
                subject=subject,
                rule=event.rule,
                roll=getattr(event, "roll", None),
                why=event.why if isinstance(event, DamageTaken) else (),
            )
        )
    return tuple(lines)
