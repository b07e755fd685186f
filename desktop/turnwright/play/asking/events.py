"""Events of declared actions, group checks and checks against the environment."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class ActionDeclared(Event, frozen=True, tag="ActionAnnounced"):
    """A combatant declared an action, perhaps as a reaction to the one that another (`of`) declared."""

    who: str
    action: str
    answers: str = ""
    of: str = ""


class ActionCancelled(Event, frozen=True, tag="Undone"):
    """A declared action was cancelled and its cost spent. `reason` is a word key."""

    who: str
    action: str
    reason: str
    params: tuple[tuple[str, str | int], ...] = ()


class ActionKept(Event, frozen=True, tag="Kept"):
    """A combatant whose declared action was disrupted by a feature kept it."""

    who: str
    action: str
    source: str


class GroupChecked(Event, frozen=True):
    """One roll counted for a whole group."""

    who: tuple[str, ...]
    check: str
    total: int
    numbers: int = 0
    passed: bool | None = None


class EntryFailed(Event, frozen=True):
    """A feature or action of an environment was tried and failed (`reason` is a word key)."""

    environment: str
    entry: str
    reason: str
    actor: str = ""


class EnvironmentCheckPassed(Event, frozen=True, tag="Found"):
    """A check on an environment entry succeeded: a find or a feat. `secret`: the entry itself was hidden."""

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
