"""Events of readied actions and lasting effects."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, ConditionId, WordKey
from turnwright.play.kernel.events import Event, journal


@journal("journal.readied_untold", when={"trigger": "journal.readied"})
class ActionReadied(Event, frozen=True, tag="Readied"):
    """A combatant readied a response to a trigger."""

    who: CombatantId
    response: str
    trigger: str


@journal("journal.readied_wasted")
class ReadiedActionLost(Event, frozen=True, tag="ReadiedWasted"):
    """A readied action was lost; `why` is a word key."""

    who: CombatantId
    response: str
    why: WordKey


@journal("journal.effect_stands", when={"left": "journal.effect_lasts"}, who="target", what="name", n="left")
class EffectUpdated(Event, frozen=True, tag="EffectCounted"):
    """An effect has `left` more rounds or, if `left` is 0, another value."""

    target: CombatantId
    name: ConditionId
    left: int = 0
    value: int = 0

    @property
    def is_bookkeeping(self) -> bool:
        """Whether this event only counts a duration down."""
        return self.bookkeeping or bool(self.left)
