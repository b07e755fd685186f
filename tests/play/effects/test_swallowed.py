"""Swallowed creatures: only they and the creature that swallowed them can affect each other."""

from collections.abc import Callable

import pytest

from tests.play.map_table import Field
from tests.table import a5e, creature, dnd5e
from turnwright.encounter.prepared import Creature, Feature, Scene
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.rules.system import RuleSystem
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path

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


SWALLOWERS = [
    ("dnd5e", "behir", "swallow"),
    ("dnd5e", "giant-toad", "swallow"),
    ("dnd5e", "kraken", "bite"),
    ("dnd5e", "remorhaz", "swallow"),
    ("dnd5e", "tarrasque", "swallow"),
    ("dnd5e-2024", "behir", "swallow"),
    ("dnd5e-2024", "giant-toad", "swallow"),
    ("dnd5e-2024", "kraken", "swallow"),
    ("dnd5e-2024", "purple-worm", "swallow"),
    ("dnd5e-2024", "remorhaz", "swallow"),
    ("dnd5e-2024", "tarrasque", "swallow"),
    ("a5e", "giant-toad", "swallow"),
    ("a5e", "hezrou", "swallow"),
    ("a5e", "tarrasque", "swallow"),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("folder", "name", "feature"), SWALLOWERS)
def test_a_shipped_creature_lets_go_of_those_that_it_swallows(folder: str, name: str, feature: str) -> None:
    rules = a5e() if folder == "a5e" else dnd5e()
    swallower, _ = read_library_file(resource_path(f"library/{folder}/srd/{name}.toml"))
    assert isinstance(swallower, Creature)
    ann = creature("ann", hp=300, ac=10)
    table = Field(swallower, ann, foes=(name,), rules=rules, scene=Scene(system=rules.id))
    table.puts(ann=(3, 3), **{name: (4, 3)})
    table.does(ApplyCondition(("ann",), "grappled", by=name))
    uses = next(one for one in swallower.features if one.id == feature)
    table.dice(19 if uses.attack else 1, *[1] * 40)
    table.does(Attack(name, "ann", feature) if uses.attack else UseFeature(name, feature, targets=("ann",)))
    assert {"swallowed", "grappled"} & set(table.effects("ann")) == {"swallowed"}
