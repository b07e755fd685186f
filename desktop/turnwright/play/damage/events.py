"""Events of damage and recovery: temporary hit points, death and return to life."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.play.kernel.events import Event, journal


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


@journal("journal.died", kind="harm", joins=("who",))
class Died(Event, frozen=True):
    """A combatant died."""

    who: CombatantId


@journal("journal.restored", kind="heal", when={"hp": "journal.restored_with"})
class RestoredToLife(Event, frozen=True):
    """A combatant was restored to life, with some hit points."""

    who: CombatantId
    hp: int = 0


@journal("journal.phase_began", kind="warn")
class PhaseBegan(Event, frozen=True):
    """A phase of a combatant's stat block has begun; `note` is what a person is to know about it."""

    who: CombatantId
    phase: str
    note: str = ""

    @property
    def journal_key(self) -> str:
        """Return the key by whether there is a note."""
        return "journal.phase_began_with" if self.note else "journal.phase_began"


@journal("journal.stat_block_changed", kind="warn", what="creature", before="earlier")
class StatBlockChanged(Event, frozen=True):
    """A combatant has another stat block, by name, and the hit points that go with it."""

    who: CombatantId
    creature: str
    earlier: str
    hp: int
    hp_max: int
