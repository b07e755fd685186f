"""Damage by the rules of Pathfinder 2e: immunity, then weakness, then resistance, each by its figure."""

from __future__ import annotations

from typing import Any

from tests.for_each import for_each
from tests.systems.pf2e.frays import duel
from turnwright.encounter.prepared import Feature
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage, GrantTempHp
from turnwright.play.state.events import DamageTaken


def taken(damage: str, **orc: Any) -> DamageTaken:
    """What an orc takes of some damage."""
    table = duel(orc=orc)
    table.does(ApplyDamage(("orc",), damage))
    (found,) = table.happened(DamageTaken)
    return found


@for_each(
    ("fields", "left"),
    [
        ({}, 12),
        ({"resistances": ("fire 5",)}, 7),
        ({"resistances": ("fire 15",)}, 0),
        ({"vulnerabilities": ("fire 5",)}, 17),
        ({"immunities": ("fire",)}, 0),
        ({"immunities": ("fire",), "vulnerabilities": ("fire 5",)}, 0),
        ({"vulnerabilities": ("fire 5",), "resistances": ("fire 3",)}, 14),
        ({"resistances": ("fire 3", "all 5")}, 7),
        ({"resistances": ("cold 5",)}, 12),
        ({"resistances": ("physical 5",)}, 12),
    ],
)
def test_figures_are_added_and_taken_off(fields: dict[str, Any], left: int) -> None:
    assert taken("12 fire", **fields).taken == left


def test_several_types_are_each_lessened() -> None:
    assert taken("6 slashing + 4 fire", resistances=("all 5",)).taken == 1
    assert taken("6 slashing + 4 fire", vulnerabilities=("fire 5",)).taken == 15


def test_physical_damage_goes_together() -> None:
    for kind in ("bludgeoning", "piercing", "slashing"):
        assert taken(f"8 {kind}", resistances=("physical 3",)).taken == 5


def test_weakness_comes_before_resistance() -> None:
    why = taken("2 fire", vulnerabilities=("fire 5",), resistances=("fire 10",)).why
    assert [(one.reason, one.before, one.after) for one in why] == [("why.weak_to", 2, 7), ("why.resists", 7, 0)]


def test_temporary_hit_points_go_last() -> None:
    table = duel(orc={"resistances": ("fire 5",)})
    table.does(GrantTempHp(("orc",), 4))
    table.does(ApplyDamage(("orc",), "12 fire"))
    assert (table.one("orc").temp_hp, table.lost("orc")) == (0, 3)


def test_a_critical_hit_is_doubled_before_it_is_resisted() -> None:
    table = duel(orc={"resistances": ("slashing 5",)})
    table.strikes("ann", "orc", "longsword", 18, 5)
    assert table.lost("orc") == 13


@for_each(
    ("properties", "vulnerabilities", "left"),
    [
        (("holy",), ("holy 3",), 9 + 3),  # once, although the Strike deals two types
        (("holy",), ("unholy 3",), 9),
        (("silver", "holy"), ("silver 5", "holy 3"), 9 + 5),
        ((), ("holy 3",), 9),
        (("divine",), ("divine 3",), 9),  # no trait of damage
    ],
)
def test_a_weakness_to_a_trait_of_the_attack_counts_once(
    properties: tuple[str, ...], vulnerabilities: tuple[str, ...], left: int
) -> None:
    blow = Feature("blow", "Blow", "action", attack=30, damage="5 slashing + 4 fire", reach=5, properties=properties)
    burst = Feature("burst", "Burst", "action", save="dex", dc=30, damage="5 slashing + 4 fire", properties=properties)
    for feature, command in (
        (blow, Attack("ann", "orc", "blow")),
        (burst, UseFeature("ann", "burst", targets=("orc",))),
    ):
        table = duel(feature, orc={"vulnerabilities": vulnerabilities, "ac": 40})
        table.dice(10)
        table.does(command, anyway=True)
        assert table.happened(DamageTaken)[0].taken == left
