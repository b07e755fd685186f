"""The sketch of a creature, and the role that its numbers suggest."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.for_each import for_each
from turnwright.encounter.prepared import Creature, CreatureRole, Feature, FeatureStep, InflictedCondition
from turnwright.rules.parts.preparation.creature_roles import (
    ActionFigures,
    Sketch,
    average_damage,
    derived_role,
)
from turnwright.rules.system_data.preparation import Benchmark, ScalingFigures
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path
from turnwright.storage.system_data import read_system_data

USUAL = ScalingFigures(
    rows=(Benchmark("3", hp=100, damage=20, ac=14, attack=5, dc=13, save=3, skill=3, proficiency=2),),
    controlling=("paralyzed",),
)
CLAW = Feature("claw", "Claw", cost="action", attack=5, reach=5, damage="1d6+3 slashing")
BOW = Feature("bow", "Bow", cost="action", attack=5, range="80/320", damage="1d8+3 piercing")
BREATH = Feature(
    "breath", "Breath", cost="action", save="dex", dc=13, damage="6d6 fire", area="15-foot cone", recharge=5
)
TWICE = Feature("multiattack", "Multiattack", cost="action", multiattack=((("claw", 2),),))
HOLD = Feature("hold", "Hold", cost="action", save="wis", dc=13, afflictions=(InflictedCondition("paralyzed"),))
SPELLS = tuple(Feature(f"spell-{n}", "Spell", cost="action", level=n, properties=("spell",)) for n in (1, 2))
BEAST = Creature("beast", "Beast", rating="3", ac=13, hp=60, features=(CLAW,))


@pytest.mark.parametrize(
    ("text", "average"),
    [
        ("", 0),
        ("7", 7),
        ("2d6", 7),
        ("d4-1 cold", 1.5),
        ("1d8+3 slashing + 2d6 fire", 14.5),
        ("1d10 fire or cold", 5.5),
    ],
)
def test_damage_is_its_average_of_all_types(text: str, average: float) -> None:
    assert average_damage(text) == average


@for_each(
    ("changes", "points", "damage", "largest"),
    [
        ({}, 1, 6.5, 6.5),
        ({}, 3, 13, 6.5),  # a second attack with the same turn
        ({"features": (CLAW, TWICE)}, 1, 13, 13),
        ({"features": (CLAW, BREATH)}, 1, (42 + 2 * 6.5) / 3, 21),  # once in three rounds, against two
        ({"features": (CLAW, Feature("all", "All", cost="action", attacks=3))}, 1, 19.5, 19.5),
        ({"features": (CLAW, BOW, Feature("all", "All", cost="action", attacks=3, multiattack=((("claw", 2),),)))}, 1, 13, 13),
        ({"features": (CLAW, replace(CLAW, id="tail", cost="legendary", price=2)), "legendary": 2}, 1, 13, 6.5),
        ({"features": (replace(CLAW, price=2),), "pools": (("action", 5),)}, 1, 13, 6.5),
        ({"features": (replace(CLAW, cost="reaction"),)}, 1, 0, 0),
        (
            {
                "features": (
                    replace(CLAW, cost="trait"),
                    Feature("leap", "Leap", cost="action", does=(FeatureStep(move="half"), FeatureStep(use="claw"))),
                )
            },
            1,
            6.5,
            6.5,
        ),
        (
            {
                "features": (
                    CLAW,
                    BOW,
                    Feature("or", "Or", cost="action", does=(FeatureStep(use="claw"), FeatureStep(use="bow", alternative=True))),
                )
            },
            1,
            7.5,
            7.5,
        ),
    ],
)  # fmt: skip
def test_a_sketch_adds_what_belongs_to_an_action(
    changes: dict[str, object], points: int, damage: float, largest: float
) -> None:
    found = ActionFigures(replace(BEAST, **changes), points).sketch()
    assert found == Sketch(60, 13, round(damage, 1), largest)


@for_each(
    ("changes", "role"),
    [
        ({}, "brute"),
        ({"role": "lurker"}, "lurker"),
        ({"ac": 15}, "soldier"),
        ({"ac": 18, "features": (CLAW, BOW)}, "soldier"),
        ({"features": (CLAW, BOW)}, "artillery"),
        ({"features": (CLAW, TWICE, BOW)}, "brute"),
        ({"features": (CLAW, replace(CLAW, id="axe", range="20/60"))}, "brute"),  # thrown
        ({"skills": (("stealth", 3),)}, "lurker"),
        ({"skills": (("stealth", 3),), "speeds": (("walk", 20), ("fly", 60))}, "skirmisher"),
        ({"skills": (("stealth", 7),), "speeds": (("walk", 20), ("fly", 60))}, "lurker"),
        ({"speeds": (("walk", 50),)}, "skirmisher"),
        ({"speeds": (("walk", 50),), "size": "huge"}, "brute"),
        ({"size": "tiny"}, "skirmisher"),
        ({"features": (CLAW, HOLD)}, "controller"),
        ({"features": (CLAW, *SPELLS)}, "caster"),
        ({"tags": ("swarm",)}, "swarm"),
        ({"name": "Swarm of bees"}, "swarm"),
        ({"legendary": 3}, "boss"),
        ({"tags": ("elite",)}, "boss"),
        ({"rating": ""}, "brute"),  # no usual numbers to compare with
    ],
)
def test_a_role_follows_from_the_numbers(changes: dict[str, object], role: CreatureRole) -> None:
    assert derived_role(replace(BEAST, **changes), USUAL) == role


@pytest.mark.parametrize("game", ["a5e", "dnd5e", "pf2e"])
def test_most_derived_roles_are_the_ones_that_shipped_creatures_state(game: str) -> None:
    usual = read_system_data(game).scaling
    stated = [
        record
        for file in sorted(resource_path(f"library/{game}").rglob("*.toml"))
        if isinstance(record := read_library_file(file)[0], Creature) and record.role
    ]
    same = [derived_role(replace(record, role=""), usual) == record.role for record in stated]
    assert sum(same) >= 0.5 * len(same)
