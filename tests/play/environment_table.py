"""Tables set in one of the shipped environments, past the set-up and what the world offers at once."""

from __future__ import annotations

from typing import Any

from tests.table import Table, environment
from turnwright.encounter.prepared import Creature, Environment
from turnwright.encounter.running import Dice
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.turns.turns import EndTurn


class Place(Table):
    """A table in one environment in round 1: everybody acts in the order named, and the world has passed."""

    def __init__(self, place: str | Environment, *people: str | Creature, **more: Any) -> None:
        self.place = environment(place) if isinstance(place, str) else place
        super().__init__(*people, surroundings=[self.place], **more)
        ids = [one if isinstance(one, str) else one.id for one in people]
        self.start(**{id: 15 - turn for turn, id in enumerate(ids)})
        self.passes()

    def passes(self) -> None:
        """Pass over everything that is asked, whether the dice could answer it or not."""
        while self.prompts:
            self.skips()

    def uses(self, entry: str, *faces: int, **how: Any) -> None:
        """Set off a row with these faces to fall."""
        self.dice(*faces)
        self.does(UseEntry(self.place.id, entry, **how))

    def comes_to_round(self, number: int) -> None:
        """End turns until a round begins, without dice, and stop at the first thing that it asks."""
        self.dice()
        while self.clock.round < number:
            self.passes()
            self.does(EndTurn())

    def hp(self, *who: str) -> list[int]:
        """The hit points of some."""
        return [self.one(each).hp for each in who]

    def dice_left(self) -> int:
        """How many scripted faces have not fallen."""
        return len(self.encounter.need(Dice, "dice").script)
