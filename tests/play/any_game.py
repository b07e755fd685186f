"""Tables of any shipped game: nothing that a set-up asks is answered."""

from __future__ import annotations

from tests.table import Table, a5e, action_points, dnd5e, pf2e
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.turn_order.surprise import SetInitiative

GAMES = {"a5e": a5e, "dnd5e": dnd5e, "pf2e": pf2e, "action_points": action_points}
MOST_STEPS = 9


class AnyGame(Table):
    """A table that starts in every game, with the initiative totals given."""

    def start(self, **initiative: int) -> None:
        """Set up, skipping what is asked, and stand in round 1."""
        self.does(StartEncounter())
        for _ in range(MOST_STEPS):
            while self.prompts:
                self.skips()
            if self.clock.setup_step == "initiative":
                self.does(SetInitiative(tuple(initiative.items())))
            if self.clock.round:
                break
            self.does(AdvanceSetup())

    def waits_for(self, who: str) -> None:
        """End turns until it is this one's."""
        for _ in range(MOST_STEPS):
            while self.prompts:
                self.skips()
            if self.active == who:
                return
            self.ends_turn()
