"""Damage, healing and temporary hit points by the rules of D&D 5e."""

from __future__ import annotations

import pytest

from tests.systems.dnd5e.fights import before_rounds
from tests.table import Table, creature
from turnwright.dice.expression import Modifier
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Encounter
from turnwright.play.damage.damage_roll import ApplyDamage, GrantTempHp
from turnwright.play.damage.manual_hit_points import Heal, Rest, SetHitPoints
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.state.events import DamageTaken

TYPES = [
    "acid",
    "bludgeoning",
    "cold",
    "fire",
    "force",
    "lightning",
    "necrotic",
    "piercing",
    "poison",
    "psychic",
    "radiant",
    "slashing",
    "thunder",
]


def ada(hp: int = 30, most: int = 30, temporary: int = 0, **fields: object) -> Table:
    """A table with Ada at so many of her hit points."""
    table = before_rounds(creature("ada", hp=most, **fields))
    table.does(StartEncounter())
    table.does(SetHitPoints("ada", hp=hp, temp_hp=temporary))
    return table


def hurt(table: Table, damage: str, **how: object) -> int:
    """The hit points that some damage takes."""
    before = table.one("ada").hp
    table.does(ApplyDamage(("ada",), damage, **how))  # type: ignore[arg-type]
    return before - table.one("ada").hp


def reasons(table: Table) -> list[str]:
    """The rules that changed the last damage."""
    return [one.rule for one in table.happened(DamageTaken)[-1].why]


@pytest.mark.rule("dnd5e.hp.damage_subtracts")
def test_damage_comes_off_hit_points() -> None:
    table = ada(20)
    assert hurt(table, "7 slashing") == 7
    assert table.one("ada").hp == 13
    assert table.happened(DamageTaken)[0].rule == "dnd5e.hp.damage_subtracts"


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.rule(f"dnd5e.damage.type.{kind}"), id=kind) for kind in TYPES]
)
def test_each_of_the_thirteen_types_can_be_resisted(kind: str) -> None:
    table = ada(resistances=(kind,))
    known = [one.id for one in table.rules.data.damage_types]
    assert (len(known), kind in known) == (13, True)
    assert hurt(table, f"12 {kind}") == 6


@pytest.mark.rule("dnd5e.damage.resistance")
def test_resistance_halves_its_type() -> None:
    table = ada(resistances=("fire",))
    assert hurt(table, "20 fire") == 10
    assert reasons(table) == ["dnd5e.damage.resistance"]
    assert hurt(table, "20 cold") == 20


@pytest.mark.rule("dnd5e.damage.vulnerability")
def test_vulnerability_doubles_its_type() -> None:
    table = ada(vulnerabilities=("cold",))
    assert hurt(table, "9 cold") == 18
    assert reasons(table) == ["dnd5e.damage.vulnerability"]


@pytest.mark.rule("dnd5e.damage.applied_last")
def test_halving_comes_after_everything_else() -> None:
    table = ada(resistances=("fire",))
    assert hurt(table, "14 fire", modifiers=(Modifier(-4, "Heavy armor"),)) == 5


@pytest.mark.rule("dnd5e.damage.idempotent")
@pytest.mark.parametrize(
    ("word", "listed", "taken"), [("resistant", "resistances", 10), ("vulnerable", "vulnerabilities", 40)]
)
def test_several_sources_count_as_one(word: str, listed: str, taken: int) -> None:
    table = ada(60, 60, **{listed: ("fire",)})
    table.session = Session(Encounter((*table.encounter, Effect("e", "ada", f"{word}:fire"))), table.rules)
    assert hurt(table, "20 fire") == taken
    assert reasons(table) == ["dnd5e.damage.idempotent"]


# Temporary hit points -------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.temp_hp.spent_first")
def test_temporary_hit_points_go_first() -> None:
    table = ada(20, temporary=5)
    assert hurt(table, "8") == 3
    assert (table.one("ada").hp, table.one("ada").temp_hp) == (17, 0)
    assert "dnd5e.temp_hp.spent_first" in reasons(table)


@pytest.mark.rule("dnd5e.temp_hp.exceed_max")
def test_temporary_hit_points_come_on_top_of_all() -> None:
    table = ada(30)
    table.does(GrantTempHp(("ada",), 10))
    assert (table.one("ada").hp, table.one("ada").hp_max, table.one("ada").temp_hp) == (30, 30, 10)


@pytest.mark.rule("dnd5e.temp_hp.not_healed")
def test_healing_does_not_fill_them() -> None:
    table = ada(25, temporary=2)
    table.does(Heal(("ada",), 8))
    assert (table.one("ada").hp, table.one("ada").temp_hp) == (30, 2)


@pytest.mark.rule("dnd5e.temp_hp.no_stacking")
@pytest.mark.parametrize(("kept", "points"), [("old", 5), ("new", 8)])
def test_they_do_not_add_up(kept: str, points: int) -> None:
    table = ada(temporary=5)
    table.does(GrantTempHp(("ada",), 8))
    assert (table.prompt.rule or table.prompt.asks[0].rule) == "dnd5e.temp_hp.no_stacking"
    options = [one.id for one in table.prompt.asks[0].options]
    assert len(options) == 2
    labels = dict(zip(("old", "new"), sorted(options, key=lambda one: "new" in one), strict=True))
    table.chooses(labels[kept])
    assert table.one("ada").temp_hp == points


@pytest.mark.rule("dnd5e.temp_hp.long_rest", "dnd5e.external.long_rest")
def test_a_long_rest_ends_them() -> None:
    table = ada(20, temporary=6)
    table.does(Rest("long"))
    assert table.one("ada").temp_hp == 0
    from turnwright.play.state.effect_records import TempHpLost

    assert [one.rule for one in table.happened(TempHpLost)] == ["dnd5e.temp_hp.long_rest"]
