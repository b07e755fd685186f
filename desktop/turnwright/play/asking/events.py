"""Events of what combatants do: actions, attacks, movement, features, and what they spend on them."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class ActionDeclared(Event, frozen=True, tag="ActionAnnounced"):
    """Somebody announced an action, perhaps in answer to what another (`of`) has announced."""

    who: str
    action: str
    answers: str = ""
    of: str = ""


class ActionCancelled(Event, frozen=True, tag="Undone"):
    """What somebody had announced is not done; what it was to cost is gone. `reason` is a word key."""

    who: str
    action: str
    reason: str
    params: tuple[tuple[str, str | int], ...] = ()


class ActionKept(Event, frozen=True, tag="Kept"):
    """Somebody was interrupted by a feature of another's and kept what they had announced."""

    who: str
    action: str
    source: str


class GroupChecked(Event, frozen=True):
    """One roll stood for a whole group."""

    who: tuple[str, ...]
    check: str
    total: int
    numbers: int = 0
    passed: bool | None = None


class EntryFailed(Event, frozen=True):
    """A row was tried and did not work (a word key says why)."""

    environment: str
    entry: str
    reason: str
    actor: str = ""


class EnvironmentCheckPassed(Event, frozen=True, tag="Found"):
    """A check on a row came out: what it hides is found, or a feat on it works. `secret`: the row itself was."""

    environment: str
    entry: str
    who: str
    secret: bool = False


class SpellReflected(Event, frozen=True, tag="Reflected", rename={"to_caster": "back"}):
    """A mirror sent a spell back at its caster, or (not `to_caster`) into an empty square; it broke."""

    environment: str
    entry: str
    who: str
    caster: str
    to_caster: bool
