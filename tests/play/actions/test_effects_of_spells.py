"""What a spell or another feature leaves on its targets: its numbers, for its time, until its caster loses it."""

from __future__ import annotations

from tests.table import Table, creature, dnd5e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.running import Effect
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.rules.parts.checks.ability_checks import armor_class

SLOTS = (("1", 4), ("2", 3), ("3", 2), ("4", 1))
CLUB = Feature("club", "Club", "action", attack=3, damage="1d6+1 bludgeoning", properties=("weapon",))


def cleric(**changes: object) -> Creature:
    numbers = {"level": 5, "proficiency": 3, "spellcasting": "wis", "abilities": (("wis", 18),), "slots": SLOTS}
    return creature("mira", **(numbers | {"hp": 30} | changes))


def table_of(**changes: object) -> Table:
    ann = creature("ann", hp=30, ac=13, features=(CLUB,))
    ogre = creature("ogre", hp=100, ac=11, features=(CLUB,))
    table = Table(cleric(**changes), ann, creature("bob", hp=30), ogre, foes=("ogre",), rules=dnd5e())
    table.start(mira=20, ann=15, bob=12, ogre=10)
    return table


def left(table: Table, who: str, name: str) -> Effect:
    return next(one for one in table.encounter.all(Effect) if (one.target, one.name) == (who, name))


def test_bless_costs_a_slot_and_adds_a_die_for_ten_rounds_while_its_caster_concentrates() -> None:
    table = table_of()
    before = table.encounter
    table.does(UseFeature("mira", spell="bless", targets=("mira", "ann", "bob")))
    effect = left(table, "ann", "Bless")
    assert (effect.rounds_left, effect.concentrator, effect.by, effect.level) == (10, "mira", "mira", 1)
    assert table.track("mira", "slots.1") == 3
    after = table.encounter
    assert table.session.undo() is not None
    assert table.encounter == before
    assert table.session.redo() is not None
    assert table.encounter == after
    table.ends_turn()
    table.dice(7, 1, 4)  # 7 + 3 + 1 hits AC 11
    table.does(Attack("ann", "ogre", "club"))
    assert table.one("ogre").hp == 100 - 5
    table.dice(2, 1)  # 2 + 1, and a concentration save of 10
    table.does(ApplyDamage(("mira",), "5"))
    assert not any(one.name == "Bless" for one in table.encounter.all(Effect))


def test_a_spell_has_no_more_targets_than_its_slot_gives() -> None:
    table = table_of()
    everyone = ("mira", "ann", "bob", "ogre")
    assert "too_many_targets" in str(table.refuses(UseFeature("mira", spell="bless", targets=everyone)))
    table.does(UseFeature("mira", spell="bless", targets=everyone, level=2))
    assert left(table, "ogre", "Bless").level == 2


def test_only_those_that_fail_their_save_keep_the_effect() -> None:
    table = table_of()
    table.dice(14, 15)
    table.does(UseFeature("mira", spell="bane", targets=("ann", "ogre")))
    assert left(table, "ann", "Bane").rules[0].dice == "-1d4"
    assert "Bane" not in table.effects("ogre")


def test_a_spell_without_targets_is_for_its_caster() -> None:
    table = table_of(ac=14)
    table.does(UseFeature("mira", spell="shield-of-faith"))
    assert armor_class(table.encounter, table.rules, "mira").total == 16
    table.does(UseFeature("mira", spell="shield-of-faith", targets=("ann",)), anyway=True)
    assert armor_class(table.encounter, table.rules, "mira").total == 14  # the first one ended
    assert armor_class(table.encounter, table.rules, "ann").total == 15


def test_aid_raises_the_maximum_by_its_level() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="aid", targets=("ann", "bob"), level=3))
    assert (table.one("ann").hp, table.one("ann").hp_max) == (40, 40)


def test_temporary_hit_points_of_a_spell_rise_with_its_slot() -> None:
    table = table_of()
    table.dice(3)
    table.does(UseFeature("mira", spell="false-life", targets=("ann",), level=2))
    assert (table.one("mira").temp_hp, table.one("ann").temp_hp) == (3 + 9, 0)


def test_a_feature_of_a_stat_block_leaves_an_effect_too() -> None:
    guard = (DataRule("modifier", "ac", add=3),)
    stance = Feature("stance", "Stance", "bonus", effect=guard, lasts="1 round", range="self")
    grit = Feature("grit", "Grit", "action", temp="5")
    table = table_of(ac=10, features=(stance, grit))
    table.does(UseFeature("mira", "stance"))
    table.does(UseFeature("mira", "grit"))
    assert armor_class(table.encounter, table.rules, "mira").total == 13
    assert table.one("mira").temp_hp == 5
    table.ends_turn(4)
    assert armor_class(table.encounter, table.rules, "mira").total == 10
