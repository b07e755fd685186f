"""Held off the ground: under water, in the open sky, adrift in the void."""

from __future__ import annotations

import tomllib

import pytest

from tests.play.map_table import Field, edges
from tests.table import Table, creature
from turnwright.encounter.prepared import Creature, Feature, Map, Scene
from turnwright.encounter.running import Duration
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.move import Moved
from turnwright.play.queries import queries
from turnwright.play.state.events import DamageTaken, Rolled
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.attacks.attack_rolls import attack_roll
from turnwright.storage.findings import FindingCollector
from turnwright.storage.resources import read_text
from turnwright.storage.toml.reader import read_struct

SPEAR = Feature("spear", "Spear", cost="action", attack=5, reach=5, range="20/60", damage="1d6 piercing",
                properties=("weapon", "thrown"))  # fmt: skip
LONGBOW = Feature("bow", "Bow", cost="action", attack=5, range="80/320", damage="1d8 piercing", properties=("weapon",))
BLADE = Feature("sword", "Sword", cost="action", attack=5, reach=5, damage="1d8 slashing", properties=("weapon",))


def scene(*suspended: str) -> Scene:
    """A strict scene in which everybody floats."""
    return Scene(strictness="enforce", suspended=tuple(filter(None, suspended)))


def afloat(suspended: str, *people: object, field: Map | None = None) -> Field:
    """Ada's turn, Bo a foe."""
    blocks = people or (creature("ada"), "bo")
    return Field(*blocks, foes=("bo",), field=field, scene=scene(suspended))  # type: ignore[arg-type]


def left(table: Table, who: str, mode: str) -> int | None:
    """The feet left by a mode."""
    found = queries.movement_of(table.encounter, table.rules, who)
    return next((one.left for one in found if one.mode == mode), None)


def taken(table: Table) -> list[int]:
    """What each damage came to."""
    return [event.taken for event in table.happened(DamageTaken)]


@pytest.mark.rule("a5e.suspended.three-dimensions")
def test_all_directions_are_open_and_nobody_touches_the_ground() -> None:
    table = afloat("water", creature("ada", speeds=(("walk", 10), ("swim", 30))), "bo")
    table.does(MoveFeet("ada", 10, "swim", up=10))
    table.does(MoveFeet("ada", 20))
    assert (table.one("ada").elevation, left(table, "ada", "swim")) == (10, 0)
    assert [moved.mode for moved in table.happened(Moved)] == ["swim", "swim"]
    dry = afloat("", creature("ada", speeds=(("walk", 30), ("swim", 30))), "bo")
    dry.does(MoveFeet("ada", 10))
    assert dry.happened(Moved)[0].mode == "walk"


@pytest.mark.rule("a5e.suspended.water.bludgeoning", "a5e.suspended.water.fire")
@pytest.mark.parametrize(
    ("suspended", "damage", "taken_is", "rule"),
    [
        ("water", "10 bludgeoning", 5, "a5e.suspended.water.bludgeoning"),
        ("water", "28 fire", 14, "a5e.suspended.water.fire"),
        ("water", "10 piercing", 10, ""),
        ("sky", "10 bludgeoning", 10, ""),
        ("", "28 fire", 28, ""),
    ],
)
def test_water_softens_blows_and_quenches_fire(suspended: str, damage: str, taken_is: int, rule: str) -> None:
    table = afloat(suspended, creature("ada", hp=90), "bo")
    table.does(ApplyDamage(("ada",), damage))
    (event,) = table.happened(DamageTaken)
    assert event.taken == taken_is
    assert [why.rule for why in event.why] == ([rule] if rule else [])


def test_water_and_resistance_halve_once() -> None:
    table = afloat("water", creature("ada", hp=90, resistances=("fire",)), "bo")
    table.does(ApplyDamage(("ada",), "28 fire"))
    assert taken(table) == [14]
    assert [why.rule for why in table.happened(DamageTaken)[0].why] == ["a5e.resistance.no-stack"]


@pytest.mark.rule("a5e.suspended.water.long-range")
def test_shots_do_not_carry_in_water() -> None:
    archer = creature("ada", features=(LONGBOW,))
    table = afloat("water", archer, "bo", field=Map(columns=40, rows=4))
    table.puts(ada=(0, 0), bo=(17, 0))
    table.does(Attack("ada", "bo", "bow"))
    while table.prompts:
        table.skips()
    (attacked,) = table.happened(Attacked)
    assert (attacked.outcome, attacked.rule) == ("miss", "a5e.suspended.water.long-range")
    assert [one for one in table.happened(Rolled) if one.purpose == "ask.attack"] == []
    dry = afloat("", archer, "bo", field=Map(columns=40, rows=4)).puts(ada=(0, 0), bo=(17, 0))
    assert edges(dry.attack_roll("ada", "bo", LONGBOW)) == ["disadvantage"]


@pytest.mark.rule("a5e.suspended.water.ranged-disadvantage")
def test_water_hinders_shots_but_not_throws() -> None:
    table = afloat("water", "ada", "bo", field=Map(columns=40, rows=4)).puts(ada=(0, 0), bo=(8, 0))
    roll = table.attack_roll("ada", "bo", LONGBOW)
    assert [(edge.kind, edge.rule) for edge in roll.edges] == [
        ("disadvantage", "a5e.suspended.water.ranged-disadvantage")
    ]
    table.puts(bo=(3, 0))
    from turnwright.encounter.procedure_state.attacks import AttackInProgress

    thrown = AttackInProgress("ada", SPEAR, "bo", tags=("thrown",))
    assert attack_roll(table.encounter, table.rules, thrown).spec.edges == ()
    dry = afloat("", "ada", "bo", field=Map(columns=40, rows=4)).puts(ada=(0, 0), bo=(8, 0))
    assert edges(dry.attack_roll("ada", "bo", LONGBOW)) == []


@pytest.mark.rule("a5e.suspended.water.dexterity")
def test_those_who_do_not_swim_are_clumsy_in_water() -> None:
    table = afloat("water", "ada", creature("bo", speeds=(("walk", 30), ("swim", 30))))
    clumsy = table.trial("ada", "check.dex:stealth")
    assert [(edge.kind, edge.rule) for edge in clumsy.edges] == [("disadvantage", "a5e.suspended.water.dexterity")]
    assert edges(table.trial("bo", "check.dex:stealth")) == []
    assert edges(table.trial("ada", "check.wis:perception")) == []


@pytest.mark.rule("a5e.suspended.water.melee")
def test_those_who_do_not_swim_fight_badly_in_water() -> None:
    table = afloat("water", "ada", creature("bo", speeds=(("walk", 5), ("swim", 40))), field=Map(columns=9, rows=9))
    table.puts(ada=(0, 0), bo=(1, 0))
    roll = table.attack_roll("ada", "bo", BLADE)
    assert [(edge.kind, edge.rule) for edge in roll.edges] == [("disadvantage", "a5e.suspended.water.melee")]
    assert edges(table.attack_roll("bo", "ada", BLADE)) == []


def shipped(id: str) -> Creature:
    """A creature of the library, as it stands there."""
    notes = FindingCollector()
    table = tomllib.loads(read_text(f"library/a5e/{id}.toml"))
    found = read_struct(Creature, table, (), notes, foreign_keys=frozenset({"format", "kind", "system"}))
    assert found is not None, notes.notes
    return found


@pytest.mark.rule("a5e.suspended.water.melee", "a5e.suspended.water.ranged-disadvantage")
def test_water_hinders_the_creatures_of_the_library() -> None:
    archer = shipped("river-archer")
    (bow,) = [one for one in archer.features if one.range and one.attack is not None]
    (blade,) = [one for one in archer.features if not one.range and one.attack is not None]
    table = afloat("water", archer, "bo", field=Map(columns=40, rows=4)).puts(**{archer.id: (0, 0)}, bo=(1, 0))
    in_melee = table.attack_roll(archer.id, "bo", blade)
    assert [edge.rule for edge in in_melee.edges] == ["a5e.suspended.water.melee"]
    table.puts(bo=(8, 0))
    shot = table.attack_roll(archer.id, "bo", bow)
    assert [edge.rule for edge in shot.edges] == ["a5e.suspended.water.ranged-disadvantage"]


@pytest.mark.rule("a5e.suspended.water.melee")
@pytest.mark.parametrize(
    "means",
    [
        Feature("bolt", "Bolt", cost="action", attack=5, reach=5, damage="1d8 fire", properties=("spell",)),
        Feature("unarmed-strike", "Unarmed Strike", cost="action", attack=5, reach=5, damage="1 bludgeoning"),
        Feature("fist", "Fist", cost="action", attack=5, reach=5, damage="1 bludgeoning", properties=("unarmed",)),
    ],
    ids=lambda one: one.id,
)
def test_neither_a_spell_nor_bare_hands_are_a_weapon(means: Feature) -> None:
    table = afloat("water", "ada", "bo", field=Map(columns=9, rows=9)).puts(ada=(0, 0), bo=(1, 0))
    assert edges(table.attack_roll("ada", "bo", means)) == []


@pytest.mark.rule("a5e.suspended.sky.descend")
def test_sinking_straight_down_costs_half() -> None:
    table = afloat("sky", creature("ada", speeds=(("walk", 30), ("fly", 60))), "bo")
    table.does(SetPosition("ada", elevation=60))
    table.does(MoveFeet("ada", 10, "fly", up=-10))
    table.does(MoveFeet("ada", 10, "fly", up=10))
    table.does(MoveFeet("ada", 10, "fly", up=-5))
    assert [moved.cost for moved in table.happened(Moved)] == [5, 10, 10]
    assert table.happened(Moved)[0].rule == "a5e.suspended.sky.descend"
    assert table.one("ada").elevation == 55
    low = afloat("", creature("ada", speeds=(("fly", 60),)), "bo")
    low.does(MoveFeet("ada", 10, "fly", up=-10))
    assert low.happened(Moved)[0].cost == 10


@pytest.mark.rule("a5e.suspended.astral.psychic")
@pytest.mark.parametrize(
    ("saves", "suspended", "damage"),
    [((), "astral", 18), ((("wis", 4),), "astral", 9), ((("int", 4),), "astral", 9), ((("dex", 4),), "astral", 18),
     ((), "", 9)],
)  # fmt: skip
def test_the_void_lays_minds_bare(saves: tuple[tuple[str, int], ...], suspended: str, damage: int) -> None:
    table = afloat(suspended, creature("ada", hp=90, saves=saves), "bo")
    table.does(ApplyDamage(("ada",), "9 psychic"))
    assert taken(table) == [damage]


@pytest.mark.rule("a5e.suspended.astral.speed")
@pytest.mark.parametrize(("score", "feet"), [(16, 45), (10, 30), (6, 20)])
def test_thought_moves_everybody_in_the_void(score: int, feet: int) -> None:
    table = afloat("astral", creature("ada", abilities=(("int", score),)), "bo")
    assert left(table, "ada", "fly") == feet
    table.does(MoveFeet("ada", feet, "fly", up=5))
    assert left(table, "ada", "fly") == 0
    (rule,) = {part.rule for part in queries.speed(table.encounter, table.rules, "ada", "fly").parts}  # type: ignore[union-attr]
    assert rule == "a5e.suspended.astral.speed"


@pytest.mark.rule("a5e.scenario.not-only-combat")
def test_scenarios_can_be_switched_on_together() -> None:
    for suspended in ("water", "sky", "astral"):
        both = Scene(strictness="enforce", suspended=(suspended,), rolling=True)
        table = Field(creature("ada", speeds=(("walk", 30), ("fly", 30), ("swim", 30))), field=None, scene=both)
        assert table.refuses(MoveFeet("ada", 5, heading="forward")).rule == "a5e.rolling.no-forward"
        table.does(MoveFeet("ada", 5, heading="sideways"))
        assert table.happened(Moved)[-1].mode == {"water": "swim"}.get(suspended, "fly")


def test_only_what_was_chosen_is_in_force() -> None:
    table = afloat("water", creature("ada", hp=90), "bo")
    table.does(ApplyDamage(("ada",), "9 psychic"))
    assert taken(table) == [9]
    assert left(table, "ada", "fly") is None


def test_a_lent_swim_speed_counts() -> None:
    table = afloat("water", "ada", "bo")
    table.does(ApplyCondition(("ada",), "speed:swim", value=30, ends=Duration("encounter")))
    assert edges(table.trial("ada", "check.dex")) == []
