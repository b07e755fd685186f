"""Ids that a game doesn't know: what creatures of other programs name is known, or at least no false alarm."""

import pytest

from tests.for_each import for_each
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Feature, Scene
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.preparation.creature_translation import find_unknown_ids


def unknown(system: str, **fields: object) -> list[str]:
    creature = Creature("moth", "Moth", **fields)  # type: ignore[arg-type]
    return [one.id for one in find_unknown_ids(Encounter([Scene(system=system), creature]), RuleSystems().get(system))]


@pytest.mark.parametrize(
    "fields",
    [
        {"senses": (("low-light-vision", 0), ("scent", 30), ("truesight", 0), ("lifesense", 60))},
        {"vulnerabilities": ("cold-iron 5", "holy 10", "silver 3"), "resistances": ("precision 5", "physical 5")},
        {"immunities": ("precision",)},
        {"features": (Feature("sneak", "Sneak Attack", damage="1d6 precision", properties=("two-hand-d8",)),)},
        {"skills": (("lore-boneyard", 9), ("athletics", 4))},
    ],
)
def test_the_words_of_pathfinder_s_bestiaries_are_known(fields: dict[str, object]) -> None:
    assert unknown("pf2e", **fields) == []


@pytest.mark.parametrize(
    ("fields", "id"),
    [
        ({"senses": (("darkvison", 0),)}, "darkvison"),
        ({"vulnerabilities": ("fier 5",)}, "fier"),
        ({"skills": (("athletcs", 4),)}, "athletcs"),
    ],
)
def test_what_is_mistyped_is_told(fields: dict[str, object], id: str) -> None:
    assert unknown("pf2e", **fields) == [id]


@for_each(
    "condition",
    [
        "bloodied", "charmed", "confused", "deafened", "encumbered", "frightened", "paralyzed", "petrified", "rattled", "slowed",
        "stunned",
    ],
)  # fmt: skip
def test_a5e_has_every_condition_of_its_books(condition: str) -> None:
    assert condition in RuleSystems().get("a5e").conditions
    assert unknown("a5e", condition_immunities=(condition,)) == []
