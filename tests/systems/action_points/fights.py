"""Fights by the action point rules: a table past its set-up, and what is left to whom."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.play.attack_table import Fray
from tests.table import Table, action_points
from turnwright.encounter.prepared import Creature, Feature, Map, Scene
from turnwright.play.queries import queries
from turnwright.play.queries.queries import ActionOffer
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.turn_order.surprise import SetInitiative

FLOOR = Map(columns=16, rows=16, cell=2)
SWORD = Feature("sword", "Sword", "action", damage="1d6 sharp", properties=("weapon",), price=2)
BOW = Feature("bow", "Bow", "action", range="40", damage="1d6 sharp", properties=("weapon",), price=2)
ON_A_D10 = Scene(strictness="enforce", options=("check-d10",))


def person(id: str, ap: int = 6, rp: int = 6, wp: int | None = None, **fields: Any) -> Creature:
    """Somebody of 20 health who moves 4 m, with so many points at most."""
    pools = (("action", ap), ("reaction", rp), *((("willpower", wp),) if wp is not None else ()))
    usual = {"id": id, "name": id.capitalize(), "hp": 20, "speeds": (("walk", 4),), "reach": 2, "initiative": 0}
    return Creature(**(usual | {"pools": pools} | fields))


class Fight(Fray):
    """Everybody acts in the order named; without squares said they stand nowhere on the map.

    Unless it `asks`, nobody is asked who reacts.
    """

    def __init__(self, *people: str | Creature, field: Map | None = FLOOR, asks: bool = False, **given: Any) -> None:
        blocks = [person(one) if isinstance(one, str) else one for one in people]
        scene = given.pop("scene", None) or Scene(strictness="enforce")
        if not asks:
            scene = msgspec.structs.replace(scene, options=(*scene.options, "reactions-on-call"))
        super().__init__(*blocks, field=field, rules=action_points(), scene=scene, **given)

    def start(self, **initiative: int) -> None:
        """Set up without an ambush, enter initiative totals, and stand in round 1 with the first one's turn."""
        self.does(StartEncounter())
        self.does(AdvanceSetup())
        if self.prompts:
            self.answers(ambush="none")
        self.does(AdvanceSetup())
        self.does(SetInitiative(tuple(initiative.items())))
        self.does(AdvanceSetup())

    def points(self, who: str) -> tuple[int, int]:
        """Somebody's Action Points and Reaction Points."""
        return self.track(who, "action"), self.track(who, "reaction")

    def offers(self, who: str) -> dict[str, ActionOffer]:
        """What is offered to somebody, by id."""
        return {offer.action.id: offer for offer in queries.actions_for(self.encounter, self.rules, who)}


def duel(*features: Feature, scene: Scene | None = None, orc: dict[str, Any] | None = None, **fields: Any) -> Fight:
    """Bob and an orc in melee, Bob's turn."""
    bob = person("bob", features=features or (SWORD, BOW), **fields)
    return Fight(bob, person("orc", **(orc or {})), foes=("orc",), scene=scene).puts(bob=(1, 1), orc=(2, 1))


def before_rounds(*people: str | Creature, **more: Any) -> Table:
    """A table that has not begun."""
    blocks = [person(one) if isinstance(one, str) else one for one in people]
    return Table(*blocks, rules=action_points(), **more)


__all__ = ["BOW", "FLOOR", "ON_A_D10", "SWORD", "Fight", "before_rounds", "duel", "person"]
