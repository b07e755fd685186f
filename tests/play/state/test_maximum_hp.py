"""The hit point maximum as effects change it, with current hit points, death, undo and other stat blocks."""

from __future__ import annotations

import msgspec
import pytest

from tests.play.dying_table import Wounded, hero
from tests.systems.dnd5e.fights import Fight
from tests.systems.pf2e.frays import duel
from tests.table import Table, creature, dnd5e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Encounter
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import ChangeStatBlock, Heal, RevertShape, SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.session import Session
from turnwright.play.state.maximum_hp import MaximumChanged


def points(table: Table, who: str = "ada") -> tuple[int, int]:
    """Current hit points and maximum."""
    combatant = table.one(who)
    return combatant.hp, combatant.hp_max


def ends(table: Table, name: str) -> None:
    """End the only condition with this name."""
    table.does(EndEffect(next(one.id for one in table.encounter.all(Effect) if one.name == name)))


def drain(**fields: object) -> Feature:
    """A wraith's touch that lowers the maximum by its damage."""
    afflictions = (InflictedCondition("life-drained", value_of="damage", ends="long-rest"),)
    told = {"damage": "4d8+3 necrotic", "save": "con", "dc": 14, "attack": 6, "reach": 5, "afflictions": afflictions}
    return Feature("life-drain", "Life Drain", "action", **(told | fields))  # type: ignore[arg-type]


def haunted(feature: Feature, **ada: object) -> Fight:
    """Ada, a character with 40 hit points and AC 12, next to a wraith whose turn it is."""
    wraith = creature("wraith", features=(feature,))
    table = Fight(wraith, hero("ada", **({"hp": 40, "ac": 12} | ada)), foes=("wraith",))  # type: ignore[arg-type]
    table.puts(wraith=(1, 1), ada=(2, 1))
    return table


def test_exhaustion_halves_the_maximum_and_kills_at_its_last_level() -> None:
    table = Fight(hero("ada"), "orc", foes=("orc",), field=None)
    table.does(ApplyCondition(("ada",), "exhaustion", 3))
    assert points(table) == (20, 20)
    table.does(ApplyCondition(("ada",), "exhaustion"))
    assert points(table) == (10, 10)
    (change,) = table.happened(MaximumChanged)
    assert (change.condition, change.before, change.after, change.hp) == ("exhaustion", 20, 10, 10)
    table.does(ApplyCondition(("ada",), "exhaustion", 2))
    assert points(table) == (10, 20)
    table.does(ApplyCondition(("ada",), "exhaustion", 6))
    assert (table.one("ada").dead, table.one("ada").hp_max) == (True, 1)


def test_fatigue_of_five_halves_the_maximum() -> None:
    table = Wounded()
    table.has_levels("fatigue", 5)
    assert points(table) == (10, 10)
    table.has_levels("fatigue", 4)
    assert points(table) == (10, 20)


def test_drained_life_lowers_the_maximum_by_the_damage_and_can_be_undone() -> None:
    table = haunted(drain())
    for left in (21, 2):
        table.strikes("wraith", "ada", "life-drain", 15, 4, 4, 4, 4)
        table.answers(save="3")
        assert points(table) == (left, left)
        table.ends_turn(2)
    table.does(Heal(("ada",), 10))
    assert points(table) == (2, 2)
    while points(table) != (40, 40):
        assert table.session.undo()
    while table.session.redo():
        pass
    assert points(table) == (2, 2)


def test_drained_life_kills_at_nothing() -> None:
    table = haunted(drain(damage="45 necrotic", save="", dc=0), hp=90)
    table.strikes("wraith", "ada", "life-drain", 15)
    assert points(table) == (45, 45)
    table.ends_turn(2)
    table.does(SetHitPoints("ada", temp_hp=20))
    table.strikes("wraith", "ada", "life-drain", 15)
    assert table.one("ada").dead


@pytest.mark.parametrize(("value_of", "most"), [("damage", 30), ("necrotic", 34), ("fire", 40)])
def test_the_value_comes_from_all_damage_or_one_type(value_of: str, most: int) -> None:
    lowers = (InflictedCondition("life-drained", value_of=value_of),)
    table = haunted(drain(damage="4 piercing + 6 necrotic", save="", dc=0, afflictions=lowers))
    table.strikes("wraith", "ada", "life-drain", 15)
    assert points(table) == (30, most)


@pytest.mark.parametrize(("face", "left"), [("2", 20), ("19", 30)])
def test_a_save_for_half_lowers_the_maximum_by_what_was_taken(face: str, left: int) -> None:
    lowers = InflictedCondition("life-drained", value_of="damage")
    also = msgspec.structs.replace(lowers, degree="success")
    kiss = Feature(
        "kiss", "Kiss", "action", save="con", dc=15, half=True, damage="20 psychic", afflictions=(lowers, also)
    )
    table = haunted(kiss)
    table.does(UseFeature("wraith", "kiss", targets=("ada",)))
    table.answers(ada=face)
    assert points(table) == (left, left)


def test_drained_takes_hit_points_with_the_maximum_and_gives_none_back() -> None:
    table = duel(hp=45, level=3)
    table.does(SetHitPoints("ann", hp=35))
    for value, expected in ((1, (32, 42)), (3, (26, 36))):
        table.puts_on("ann", "drained", value)
        assert points(table, "ann") == expected
    ends(table, "drained")
    assert points(table, "ann") == (26, 45)


def test_drained_to_nothing_leaves_dying() -> None:
    table = duel(hp=45, level=10, tags=("player character",))
    table.does(SetHitPoints("ann", hp=8))
    table.puts_on("ann", "drained", 1)
    assert points(table, "ann") == (0, 35)
    assert table.prompts or "dying" in table.effects("ann")


def aided() -> Table:
    """Ada, a character with 30 hit points, and an orc."""
    table = Table(hero("ada", hp=30), "orc", foes=("orc",), rules=dnd5e())
    table.start(ada=20, orc=10)
    return table


def test_aid_adds_hit_points_and_its_end_takes_only_the_excess() -> None:
    table = aided()
    table.does(ApplyCondition(("ada",), "aided", 5))
    assert points(table) == (35, 35)
    table.does(ApplyDamage(("ada",), "15"))
    ends(table, "aided")
    assert points(table) == (20, 30)


def test_aid_wakes_a_character_at_nothing() -> None:
    table = aided()
    table.does(ApplyDamage(("ada",), "30"))
    assert "unconscious" in table.effects("ada")
    table.does(ApplyCondition(("ada",), "aided", 5))
    assert (points(table), "unconscious" in table.effects("ada")) == ((5, 35), False)


def test_a_typed_maximum_is_the_one_without_effects() -> None:
    table = haunted(drain())
    table.does(ApplyCondition(("ada",), "life-drained", 10))
    table.does(SetHitPoints("ada", hp_max=50))
    assert (points(table), table.one("ada").hp_base) == ((30, 40), 50)
    table.does(SetHitPoints("ada", hp=99))
    assert points(table) == (40, 40)


def test_another_shape_keeps_the_effect_and_comes_back_with_it() -> None:
    table = Table(hero("ada"), creature("bear", hp=34), rules=dnd5e())
    table.start(ada=20, bear=1)
    table.does(ApplyCondition(("ada",), "life-drained", 5))
    table.does(ChangeStatBlock("ada", "bear", "apart"))
    assert points(table) == (29, 29)
    table.does(RevertShape("ada"))
    assert (points(table), table.one("ada").hp_base) == ((15, 15), 20)


def test_an_object_without_hit_points_has_no_maximum_to_change() -> None:
    table = Table(hero("ada"), Creature("door", "Door", hp=0), rules=dnd5e())
    table.start(ada=20, door=1)
    table.does(ApplyCondition(("door",), "life-drained", 5))
    assert table.encounter.need(Combatant, "door").hp_max == 0


def test_a_trait_changes_the_maximum_from_the_start() -> None:
    tough = Feature("tough", "Tough", rules=(DataRule("modifier", "hp-max", add=6),))
    table = Table(hero("ada", features=(tough,)), "orc", rules=dnd5e())
    table.start(ada=20, orc=1)
    assert (points(table), table.one("ada").hp_base) == ((26, 26), 20)


@pytest.mark.parametrize("adjustment", ["elite", "weak"])
def test_an_old_fight_does_not_count_an_adjustment_of_the_maximum_again(adjustment: str) -> None:
    table = duel()
    table.does(ApplyCondition(("orc",), adjustment))
    combatant = table.one("orc")
    raised = combatant.hp_max
    assert raised != combatant.hp_base > 0
    old = [msgspec.structs.replace(one, hp_base=0) if one == combatant else one for one in table.encounter]
    table.session = Session(Encounter(old), table.rules)
    table.does(SetHitPoints("orc", hp=20))
    assert (table.one("orc").hp_max, table.one("orc").hp_base) == (raised, combatant.hp_base)
    table.session = Session(Encounter(old), table.rules)
    table.does(ApplyCondition(("orc",), "drained", 1))
    assert (table.one("orc").hp_max, table.one("orc").hp_base) == (raised - 1, combatant.hp_base)
    ends(table, "drained")
    ends(table, adjustment)
    assert (table.one("orc").hp_max, table.one("orc").hp_base) == (combatant.hp_base, 0)
