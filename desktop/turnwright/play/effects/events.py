"""Events of readied actions and lasting effects."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class ActionReadied(Event, frozen=True, tag="Readied"):
    """A combatant readied a response to a trigger."""

    who: str
    response: str
    trigger: str


class ReadiedActionLost(Event, frozen=True, tag="ReadiedWasted"):
    """A readied action was lost (`why`, a word key)."""

    who: str
    response: str
    why: str


class EffectUpdated(Event, frozen=True, tag="EffectCounted"):
    """An effect has `left` more rounds or, where that is 0, another value."""

    target: str
    name: str
    left: int = 0
    value: int = 0
