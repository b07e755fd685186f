"""What refusals say: who, what, by how much, until when."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.systems.action_points.fights import Fight
from tests.systems.dnd5e import fights
from tests.systems.pf2e.encounters import pair
from tests.table import Table, creature
from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Duration
from turnwright.play.actions.action import TakeAction
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.transaction import Refused
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.position_changes import SetRelation
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.text import Phrasebook


def follower() -> tuple[Table, Refused]:
    entries = (RosterEntry("ann", "ann"), RosterEntry("wolf", "wolf", controller="ann"))
    table = Table(creature("ann"), creature("wolf"), roster=entries)
    table.start(ann=20)
    return table, table.refuses(TakeAction("wolf", "dash"))


def incapacitated() -> tuple[Table, Refused]:
    table = Table("ann", "bob")
    table.start(ann=20, bob=10)
    table.does(ApplyCondition(("ann",), "incapacitated", ends=Duration("turn-end", "ann")))
    return table, table.refuses(TakeAction("ann", "dash"))


def far_mount() -> tuple[Table, Refused]:
    table = Table("ann", creature("horse", size="large"))
    table.start(ann=20, horse=10)
    table.does(SetRelation("ann", "horse", distance=25))
    return table, table.refuses(MountOrDismount("ann", "horse"))


def early_reaction() -> tuple[Table, Refused]:
    table = pair()
    return table, table.refuses(SpendResource("ogre", "reaction"))


def full_pool() -> tuple[Table, Refused]:
    table = Fight("bob", "orc", foes=("orc",))
    return table, table.refuses(TakeAction("bob", "convert", points=6))


def too_large() -> tuple[Table, Refused]:
    table = fights.pair(orc={"size": "gargantuan"})
    return table, table.refuses(TakeAction("ann", "grapple", targets=("orc",)))


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (follower, "Wolf acts only when Ann commands it."),
        (incapacitated, "Ann can't do that while Incapacitated (until the end of their turn)."),
        (far_mount, "Horse is 25 ft away. Ann can mount only within 5 ft."),
        (full_pool, "Bob has 3 of 6 Reaction Points and can't gain 6 more."),
        (too_large, "Orc is 2 or more sizes larger than Ann."),
        (early_reaction, "Ogre has no Reaction before the first turn."),
    ],
)
def test_a_refusal_names_who_what_and_the_limit(told: Callable[[], tuple[Table, Refused]], text: str) -> None:
    table, refused = told()
    assert Phrasebook(WordCatalogue.load(), table.rules).refusal_text(refused) == text
    assert refused.rule
