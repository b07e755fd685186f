"""Journal lines of the events in `play.environment.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.encounter.prepared import Environment
from turnwright.play.environment.events import (
    Announced,
    EntryReadySet,
    EntryUsed,
    PoolAdjusted,
    PoolExpired,
    PoolRolled,
    PoolStopped,
    PoolUnstoppableSet,
    RechargeRolled,
    Teleported,
    TrapDisturbed,
)
from turnwright.play.kernel.events import Event, phrase
from turnwright.play.kernel.journal import (
    Formatter,
    LabelLookup,
    LineParts,
    by_flag,
    countdown_line,
    entry_line,
    feet_line,
    select_line,
    text_line,
)


def _used(event: EntryUsed, names: LabelLookup) -> LineParts:
    key = "journal.used_on" if event.targets else "journal.used"
    if event.actor:
        key = "journal.used_by"
    values = {"what": names.entry(event.environment, event.entry), "targets": names.labels(event.targets)}
    return phrase(key, actor=names.label(event.actor), **values), "world", (Environment.table, event.environment)


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        EntryUsed: _used,
        TrapDisturbed: entry_line("disturbed"),
        Teleported: feet_line("teleported"),
        RechargeRolled: select_line(
            by_flag("ready", "yes", "no"), ("yes", entry_line("recharged")), ("no", entry_line("not_recharged"))
        ),
        EntryReadySet: select_line(
            by_flag("ready", "yes", "no"), ("yes", entry_line("set_ready")), ("no", entry_line("set_spent"))
        ),
        PoolAdjusted: select_line(
            by_flag("reason", "yes", "no"),
            ("yes", countdown_line("pool_adjusted_for")),
            ("no", countdown_line("pool_adjusted")),
        ),
        PoolStopped: countdown_line("pool_stopped"),
        PoolUnstoppableSet: select_line(
            by_flag("unstoppable", "yes", "no"),
            ("yes", countdown_line("pool_unstoppable")),
            ("no", countdown_line("pool_stoppable")),
        ),
        PoolExpired: countdown_line("pool_expired"),
        Announced: text_line("announced", "world"),
        PoolRolled: countdown_line("pool_rolled"),
    }
)
