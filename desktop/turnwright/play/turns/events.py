"""Events at the start of turns and rounds, which the journal, the report and the window also read."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.journal import game_time


@journal("journal.round_started", kind="header", time="time")
class RoundStarted(Event, frozen=True):
    """A round began; `elapsed` is the game time so far in seconds."""

    round: int
    elapsed: int

    @property
    def time(self) -> str:
        """The game time so far, as text."""
        return game_time(self.elapsed)


@journal("journal.world_turn", kind="world", bookkeeping=True)
class WorldTurnStarted(Event, frozen=True):
    """The environment took its turn. `offers` pairs environments with their entries that were ready."""

    offers: tuple[tuple[str, str], ...] = ()


@journal("journal.turn_started", kind="turn")
class TurnStarted(Event, frozen=True):
    """A turn began."""

    who: CombatantIds
