"""Events of damage and recovery: temporary hit points, death and return, rests, time passed."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.play.kernel.events import Event, journal


@journal("journal.rested_{length}", kind="header")
class Rested(Event, frozen=True):
    """A rest was finished."""

    length: str


@journal("journal.time_passed")
class TimePassed(Event, frozen=True):
    """Hours went by."""

    hours: int


@journal("journal.temporary", kind="heal", who="target")
class TempHpGained(Event, frozen=True, tag="TemporaryGained"):
    """Temporary hit points were offered, and the number after that."""

    target: CombatantId
    offered: int
    before: int
    after: int
    source: str = ""

    @property
    def journal_key(self) -> str:
        """Return the key by whether what was there already is kept."""
        return "journal.temporary_kept" if self.before == self.after and self.before else "journal.temporary"


@journal("journal.temporary_lost", who="target")
class TempHpLost(Event, frozen=True, tag="TemporaryLost"):
    """Temporary hit points ran out with a rest."""

    target: CombatantId
    before: int


@journal("journal.died", kind="harm")
class Died(Event, frozen=True):
    """A combatant died."""

    who: CombatantId


@journal("journal.restored", kind="heal")
class RestoredToLife(Event, frozen=True):
    """A combatant was restored to life."""

    who: CombatantId
