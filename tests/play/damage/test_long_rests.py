"""A long rest in the rule systems: hit points, levels, drained, doomed, wounded, and effects that end with a rest."""

from __future__ import annotations

import pytest

from tests.play.dying_table import hero
from tests.systems.dnd5e.fights import Fight
from tests.systems.pf2e.frays import Bout
from tests.table import Table, creature
from turnwright.encounter.running import Duration, Effect
from turnwright.play.damage.manual_hit_points import PassTime, Rest, SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.transaction import Command


def points(table: Table) -> tuple[int, int]:
    """Ada's current hit points and maximum."""
    return table.one("ada").hp, table.one("ada").hp_max


def values(table: Table) -> dict[str, int]:
    """The values of Ada's conditions."""
    return {effect.name: effect.value for effect in table.encounter.all(Effect) if effect.target == "ada"}


def ada(**fields: object) -> Fight:
    """Ada, a character with 20 hit points, and an orc, by the rules of D&D 5e."""
    return Fight(hero("ada", **fields), "orc", foes=("orc",), field=None)  # type: ignore[arg-type]


def ada_in_pathfinder(**fields: object) -> Bout:
    """Ada, level 3 with 45 hit points, and an orc, by the rules of Pathfinder 2e."""
    told = {"hp": 45, "level": 3, "abilities": (("con", 2),)} | fields
    return Bout(hero("ada", **told), creature("orc"), foes=("orc",), field=None)


def test_exhaustion_falls_and_the_maximum_is_back() -> None:
    table = ada()
    table.does(ApplyCondition(("ada",), "exhaustion", 4))
    assert points(table) == (10, 10)
    table.does(Rest("long"))
    assert (points(table), values(table)) == ((20, 20), {"exhaustion": 3})
    for _ in range(3):
        table.does(Rest("long"))
    assert values(table) == {}


def test_life_drained_until_a_long_rest() -> None:
    table = ada()
    table.does(ApplyCondition(("ada",), "life-drained", 7, ends=Duration("long-rest")))
    table.does(ApplyCondition(("ada",), "poisoned", ends=Duration("rest")))
    table.does(Rest("short"))
    assert (points(table), set(values(table))) == ((13, 13), {"life-drained"})
    table.does(Rest("long"))
    assert (points(table), values(table)) == ((20, 20), {})


@pytest.mark.parametrize(
    ("pause", "left"), [(Rest("short"), 200), (PassTime(1), 200), (Rest("long"), 0), (PassTime(2), 0)]
)
def test_hours_shorten_effects(pause: Command, left: int) -> None:
    table = ada()
    table.does(ApplyCondition(("ada",), "poisoned", rounds=800))
    table.does(ApplyCondition(("ada",), "blinded"))
    table.does(pause)
    rounds = {effect.name: effect.rounds_left for effect in table.encounter.of(Effect, "ada")}
    assert rounds == ({"poisoned": left} if left else {}) | {"blinded": 0}


def test_nobody_at_nothing_regains_everything() -> None:
    table = ada()
    table.does(SetHitPoints("ada", hp=0))
    table.does(Rest("long"))
    assert points(table)[0] == 0


@pytest.mark.parametrize(("con", "regained"), [(2, 6), (0, 3), (-1, 3), (30, 25)])
def test_a_night_restores_constitution_times_level(con: int, regained: int) -> None:
    table = ada_in_pathfinder(abilities=(("con", con),))
    table.does(SetHitPoints("ada", hp=20))
    table.does(Rest("long"))
    assert points(table) == (20 + regained, 45)


def test_a_night_lowers_drained_and_doomed_and_ends_fatigued() -> None:
    table = ada_in_pathfinder()
    for name, value in (("drained", 2), ("doomed", 1), ("fatigued", 0)):
        table.does(ApplyCondition(("ada",), name, value))
    assert points(table) == (39, 39)
    table.does(Rest("short"))
    assert values(table) == {"drained": 2, "doomed": 1, "fatigued": 0}
    table.does(Rest("long"))
    assert (points(table), values(table)) == ((42, 42), {"drained": 1})


def test_wounded_ends_with_any_rest_at_full_hit_points() -> None:
    table = ada_in_pathfinder()
    table.does(ApplyCondition(("ada",), "wounded", 2))
    table.does(SetHitPoints("ada", hp=30))
    table.does(Rest("short"))
    assert values(table) == {"wounded": 2}
    table.does(SetHitPoints("ada", hp=45))
    table.does(Rest("short"))
    assert values(table) == {}
