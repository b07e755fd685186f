"""Events of movement: moves, forced movement, mounting, dragging, falling."""

from __future__ import annotations

from turnwright.dice.roll import Modifier
from turnwright.encounter.field_specs import CombatantId, SpeedId
from turnwright.play.kernel.events import Event, journal
from turnwright.rules.parts.combatants.speeds import WALK


@journal("journal.moved_at_cost")
class Moved(Event, frozen=True):
    """A combatant moved `feet`, which cost `cost` feet of movement for the reasons given."""

    who: CombatantId
    feet: int
    cost: int
    mode: SpeedId
    why: tuple[Modifier, ...] = ()

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on the mode and on whether the cost differs from the distance."""
        key = "journal.moved_walking" if self.mode == WALK else "journal.moved"
        return key if self.cost == self.feet else f"{key}_at_cost"


@journal("journal.shifted_{how}")
class ForceMoved(Event, frozen=True, tag="Shifted"):
    """A combatant was moved without walking: `forced`, `teleport` or `provoking`. `elevation` is in feet."""

    who: CombatantId
    to: tuple[int, int]
    how: str
    elevation: int = 0


@journal("journal.stood_up_by_action", when={"cost": "journal.stood_up"})
class StoodUp(Event, frozen=True):
    """A combatant stood up for `cost` feet of movement."""

    who: CombatantId
    cost: int


@journal("journal.mounted_free", when={"cost": "journal.mounted"})
class Mounted(Event, frozen=True):
    """A combatant mounted another for `cost` feet of movement. `controlled`: the mount obeys its rider."""

    who: CombatantId
    mount: CombatantId
    cost: int
    controlled: bool = True


@journal("journal.dismounted_free", when={"cost": "journal.dismounted"})
class Dismounted(Event, frozen=True):
    """A combatant dismounted for `cost` feet of movement, or involuntarily if `cost` is 0."""

    who: CombatantId
    mount: CombatantId
    cost: int = 0


@journal("journal.dragged")
class Dragged(Event, frozen=True):
    """A combatant grabbed an ally to drag it along."""

    who: CombatantId
    ally: CombatantId


@journal("journal.halted")
class MoveStopped(Event, frozen=True, tag="Halted"):
    """An event during a move stopped it."""

    who: CombatantId


@journal("journal.fall_began")
class FallBegan(Event, frozen=True):
    """A combatant began to fall from `feet` above the ground."""

    who: CombatantId
    feet: int


@journal("journal.pushed")
class Pushed(Event, frozen=True):
    """A combatant was pushed `feet` without spending movement or provoking opportunity attacks."""

    who: CombatantId
    feet: int
