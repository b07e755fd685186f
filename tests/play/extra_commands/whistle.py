"""A command that no module of play names: its record, its event and its handler."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import CombatantId, Natural
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Command, Transaction, command


@command(script="whistle {who} {tune} [{times}]", manual="whistle")
class Whistle(Command, frozen=True):
    """Whistle a tune, once or more often."""

    who: CombatantId
    tune: Literal["low", "high"]
    times: Natural = 1

    def handle(self, tx: Transaction) -> None:
        """Whistle."""
        tx.need(Combatant, self.who)
        tx.emit(Whistled(who=self.who, tune=self.tune, times=self.times))


@journal("journal.whistled_{tune}", n="times")
class Whistled(Event, frozen=True):
    """A combatant whistled."""

    who: CombatantId
    tune: str
    times: int
