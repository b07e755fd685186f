"""Swallowed creatures: only they and the creature that swallowed them can affect each other."""

from collections.abc import Callable

import pytest

from tests.play.map_table import Field
from tests.table import a5e, creature, dnd5e
from turnwright.encounter.prepared import Feature
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.rules.system import RuleSystem

BITE = Feature("bite", "Bite", "action", attack=5, reach=10, damage="1 piercing")


def den(rules: RuleSystem) -> Field:
    """A worm has swallowed Ann and Cat, and Bob stands outside."""
    people = [creature(name, features=(BITE,), hp=30) for name in ("ann", "bob", "cat", "worm")]
    table = Field(*people, foes=("worm",), rules=rules)
    table.puts(ann=(3, 3), bob=(4, 3), cat=(3, 4), worm=(4, 4))
    table.does(ApplyCondition(("ann", "cat"), "swallowed", by="worm"))
    return table


@pytest.mark.parametrize("rules", [a5e, dnd5e])
@pytest.mark.parametrize(
    ("turns", "who", "target", "can"),
    [
        (0, "ann", "bob", False),
        (0, "ann", "cat", True),
        (0, "ann", "worm", True),
        (1, "bob", "ann", False),
        (1, "bob", "worm", True),
        (3, "worm", "ann", True),
        (3, "worm", "bob", True),
    ],
)
def test_only_those_inside_and_their_swallower_reach_each_other(
    rules: Callable[[], RuleSystem], turns: int, who: str, target: str, *, can: bool
) -> None:
    table = den(rules())
    table.ends_turn(turns)
    if not can:
        table.refuses(Attack(who, target, "bite"))
        return
    table.dice(15, 15, 15)
    table.does(Attack(who, target, "bite"))
    assert [event.target for event in table.happened(Attacked)] == [target]
