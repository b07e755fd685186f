"""Events of what combatants do: actions, attacks, movement, features, and what they spend on them."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class ActionReadied(Event, frozen=True, tag="Readied"):
    """Somebody waits for a trigger, with a response to it."""

    who: str
    response: str
    trigger: str


class ReadiedActionLost(Event, frozen=True, tag="ReadiedWasted"):
    """What somebody had readied came to nothing (`why`, a word key)."""

    who: str
    response: str
    why: str


class EffectUpdated(Event, frozen=True, tag="EffectCounted"):
    """An effect lasts so many rounds more (`left`) or, where that is 0, stands at another value."""

    target: str
    name: str
    left: int = 0
    value: int = 0
