"""Events of damage and recovery: temporary hit points, death and revival."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.play.kernel.events import Event, journal


@journal("journal.temporary", kind="heal", who="target")
class TempHpGained(Event, frozen=True, tag="TemporaryGained"):
    """Temporary hit points were offered; `after` is the resulting number."""

    target: CombatantId
    offered: int
    before: int
    after: int
    source: str = ""

    @property
    def journal_key(self) -> str:
        """Return the word key, which depends on whether the old number is kept."""
        return "journal.temporary_kept" if self.before == self.after and self.before else "journal.temporary"


@journal("journal.died", kind="harm", joins=("who",))
class Died(Event, frozen=True):
    """A combatant died."""

    who: CombatantId


@journal("journal.restored", kind="heal", when={"hp": "journal.restored_with"})
class RestoredToLife(Event, frozen=True):
    """A combatant was revived with some hit points."""

    who: CombatantId
    hp: int = 0


@journal("journal.phase_began", kind="warn")
class PhaseBegan(Event, frozen=True):
    """A phase of a combatant's stat block began; `note` is the phase's note for the game master."""

    who: CombatantId
    phase: str
    note: str = ""

    @property
    def journal_key(self) -> str:
        """Return the word key, which depends on whether there is a note."""
        return "journal.phase_began_with" if self.note else "journal.phase_began"


@journal("journal.stat_block_changed", kind="warn", what="creature", before="earlier")
class StatBlockChanged(Event, frozen=True):
    """A combatant changed to another stat block (by name) and its hit points."""

    who: CombatantId
    creature: str
    earlier: str
    hp: int
    hp_max: int
