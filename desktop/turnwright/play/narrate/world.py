"""Lines about the surroundings: rows of environments, countdown pools, and whom they bring or move about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from turnwright.encounter.naming import wave_name
from turnwright.encounter.prepared import Countdown, Environment
from turnwright.play import events as happened
from turnwright.play.events import phrase
from turnwright.play.narrate.told import (
    NO_SUBJECT,
    Names,
    Teller,
    Told,
    about,
    either,
    shifted,
    text,
    whether,
)


def _row(key: str, kind: str = "world") -> Teller:
    """A line about a row of an environment."""

    def told(event: Any, names: Names) -> Told:
        values: dict[str, str | int] = {"what": names.row(event.environment, event.entry)}
        for field in ("face", "needed", "due"):
            if hasattr(event, field):
                values[field] = getattr(event, field) or "?"
        for field in ("who", "actor", "caster"):
            if getattr(event, field, ""):
                values[field] = names.who(getattr(event, field))
        if getattr(event, "reason", ""):
            values["reason"] = f"<{event.reason}>"
        return phrase(f"journal.{key}", **values), kind, (Environment.table, event.environment)

    return told


def _pool(key: str) -> Teller:
    def told(event: Any, names: Names) -> Told:
        values: dict[str, str | int] = {"what": names.countdown(event.countdown)}
        for field in ("dice", "face", "left", "reason"):
            if hasattr(event, field):
                values[field] = getattr(event, field)
        if isinstance(event, happened.PoolRolled):
            values["faces"] = " ".join(map(str, event.faces)) or "?"
        if isinstance(event, happened.PoolAdjusted):
            values["by"] = f"{event.by:+d}"
        return phrase(f"journal.{key}", **values), "world", (Countdown.table, event.countdown)

    return told


def _used(event: happened.EntryUsed, names: Names) -> Told:
    key = "journal.used_on" if event.targets else "journal.used"
    if event.actor:
        key = "journal.used_by"
    values = {"what": names.row(event.environment, event.entry), "targets": names.all(event.targets)}
    return phrase(key, actor=names.who(event.actor), **values), "world", (Environment.table, event.environment)


def _wave(event: happened.WaveCame, names: Names) -> Told:
    return phrase(f"journal.wave_{event.why}", wave=wave_name(event.wave)), "world", NO_SUBJECT


def _likeness(event: happened.LikenessDrawn, names: Names) -> Told:
    said = phrase("journal.likeness", who=names.who(event.who), like=names.who(event.like))
    return said, "world", about(event.who)


TELLERS: Mapping[type[happened.Event], Teller] = MappingProxyType(
    {
        happened.CaughtFire: lambda event, _: (phrase("journal.caught_fire", what=event.thing), "world", NO_SUBJECT),
        happened.EntryUsed: _used,
        happened.EntryFailed: _row("entry_failed"),
        happened.Found: lambda event, names: _row("found_secret" if event.secret else "found")(event, names),
        happened.Reflected: either(
            whether("back", "yes", "no"), ("yes", _row("reflected")), ("no", _row("reflected_astray"))
        ),
        happened.Disturbed: _row("disturbed"),
        happened.Pushed: shifted("pushed"),
        happened.Teleported: shifted("teleported"),
        happened.RechargeRolled: either(
            whether("ready", "yes", "no"), ("yes", _row("recharged")), ("no", _row("not_recharged"))
        ),
        happened.ReadinessSet: either(
            whether("ready", "yes", "no"), ("yes", _row("set_ready")), ("no", _row("set_spent"))
        ),
        happened.PoolStarted: _pool("pool_started"),
        happened.PoolRolled: _pool("pool_rolled"),
        happened.PoolAdjusted: either(
            whether("reason", "yes", "no"), ("yes", _pool("pool_adjusted_for")), ("no", _pool("pool_adjusted"))
        ),
        happened.PoolStopped: _pool("pool_stopped"),
        happened.PoolUnstoppable: either(
            whether("unstoppable", "yes", "no"), ("yes", _pool("pool_unstoppable")), ("no", _pool("pool_stoppable"))
        ),
        happened.PoolExpired: _pool("pool_expired"),
        happened.WaveCame: _wave,
        happened.Announced: text("announced", "world"),
        happened.LikenessDrawn: _likeness,
    }
)
