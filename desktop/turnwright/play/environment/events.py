"""Events of environments: entries used, recharge rolls, countdown pools, teleports, announcements."""

from __future__ import annotations

from turnwright.encounter.field_specs import (
    CombatantId,
    CombatantIds,
    CountdownId,
    EntryId,
    EnvironmentId,
    PositiveOrNone,
)
from turnwright.play.kernel.events import Event, journal


@journal("journal.used", kind="world", when={"actor": "journal.used_by", "targets": "journal.used_on"}, what="entry")
class EntryUsed(Event, frozen=True):
    """An entry of an environment was triggered."""

    environment: EnvironmentId
    entry: EntryId
    targets: CombatantIds = ()
    actor: CombatantId = ""


@journal("journal.disturbed", kind="world", what="entry")
class TrapDisturbed(Event, frozen=True, tag="Disturbed"):
    """An object was disturbed and may come down by round `due`."""

    environment: EnvironmentId
    entry: EntryId
    due: PositiveOrNone


@journal("journal.teleported", joins=("who",))
class Teleported(Event, frozen=True):
    """A combatant was teleported to a random free space within `feet`."""

    who: CombatantId
    feet: int


@journal("journal.not_recharged", kind="world", what="entry")
class RechargeRolled(Event, frozen=True):
    """A spent world action rolled its recharge. `ready`: it has recharged; `face` is 0 if unknown."""

    environment: EnvironmentId
    entry: EntryId
    face: PositiveOrNone
    needed: PositiveOrNone
    ready: bool

    @property
    def journal_key(self) -> str:
        """Return the word key, which depends on the result and on whether the numbers are known."""
        key = "journal.recharged" if self.ready else "journal.not_recharged"
        return key if self.face and self.needed else f"{key}_unsaid"


@journal("journal.pool_expired", kind="world", what="countdown")
class PoolExpired(Event, frozen=True):
    """A countdown lost its last die."""

    countdown: CountdownId


@journal("journal.pool_running", kind="world", what="countdown")
class PoolRunning(Event, frozen=True):
    """A running countdown was started again."""

    countdown: CountdownId


@journal("journal.announced", kind="world")
class Announced(Event, frozen=True):
    """A text was announced to the group."""

    text: str


@journal("journal.pool_rolled", kind="world", what="countdown", faces="face_list")
class PoolRolled(Event, frozen=True):
    """A countdown's dice were rolled. Dice showing `face` or higher were removed."""

    countdown: CountdownId
    faces: tuple[int, ...]
    face: int
    left: int

    @property
    def face_list(self) -> str:
        """The faces separated by commas, or `?` if they are unknown."""
        return ", ".join(map(str, self.faces)) or "?"
