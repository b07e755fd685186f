"""Class features whose rules of 2024 differ from those of 2014."""

from __future__ import annotations

import pytest

from tests.systems.dnd5e_2024.newer import NewFight
from tests.table import creature, dnd5e_2024
from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.traits.powers import shipped_powers
from turnwright.play.actions.cast_spell import CastSpell
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.checks import CallForSaves
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Rest, SetHitPoints, SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import Rolled
from turnwright.rules.parts.economy.limited_uses import remaining_uses

SCORES = (("str", 16), ("dex", 14), ("con", 14), ("wis", 16), ("cha", 18))
SWORD = Feature("sword", "Sword", "action", attack=5, reach=5, damage="1d8+3 slashing", properties=("weapon",))
WOLF = Creature("wolf", "Wolf", type="beast", rating="1/4", hp=11, features=(SWORD,))


def character(**levels: int) -> Creature:
    """Ann, with the class features of these levels."""
    ann = creature("ann", hp=60, abilities=SCORES, features=(SWORD,))
    return shipped_powers("dnd5e-2024").applied(dnd5e_2024().data, ann, levels)


def fight(**levels: int) -> NewFight:
    """Ann next to an ogre, with a wolf far away."""
    ogre = creature("ogre", ac=13, hp=60, type="undead", features=(SWORD,))
    table = NewFight(character(**levels), ogre, WOLF, foes=("ogre",))
    return table.puts(ann=(1, 1), ogre=(2, 1), wolf=(9, 9))


def left(table: NewFight, feature: str) -> int:
    """The uses that Ann has left."""
    return remaining_uses(table.encounter, "ann", f"uses.{feature}")


@pytest.mark.parametrize(
    ("levels", "feature", "uses"),
    [
        ({"fighter": 4}, "second-wind", 3),
        ({"barbarian": 3}, "rage", 3),
        ({"druid": 2}, "wild-shape", 2),
        ({"cleric": 6}, "channel-divinity", 3),
        ({"paladin": 3}, "channel-divinity-of-paladins", 2),
    ],
)
def test_a_short_rest_restores_one_use(levels: dict[str, int], feature: str, uses: int) -> None:
    table = fight(**levels)
    assert left(table, feature) == uses
    table.does(SetTrack("ann", f"uses.{feature}", 0))
    table.does(Rest("short"))
    assert left(table, feature) == 1
    for _ in range(uses):
        table.does(Rest("short"))
    assert left(table, feature) == uses
    table.does(SetTrack("ann", f"uses.{feature}", 0))
    table.does(Rest("long"))
    assert left(table, feature) == uses


def test_indomitable_adds_the_level_to_the_second_save() -> None:
    table = fight(fighter=9)
    table.dice(2, 3)
    table.does(CallForSaves(("ann",), "wis", dc=15))
    table.chooses("succeeds")
    (save,) = (event.roll for event in table.events if isinstance(event, Rolled))
    assert save.total == 3 + 3 + 9


def test_rage_ends_unless_it_is_kept_up_but_not_for_damage() -> None:
    table = fight(barbarian=3)
    table.does(UseFeature("ann", "rage"))
    table.ends_turn(3)
    assert "raging" in table.effects("ann")
    table.does(UseFeature("ann", "extend-rage"))
    table.ends_turn(3)
    table.does(ApplyDamage(("ann",), "5 fire"))
    table.ends_turn()
    table.chooses("applied")
    assert "raging" not in table.effects("ann")


def test_a_beast_keeps_its_hit_points_and_features_but_casts_nothing() -> None:
    table = fight(druid=4)
    table.does(SetHitPoints("ann", hp=30))
    table.does(ApplyCondition(("ann",), "concentrating"))
    table.does(UseFeature("ann", "wild-shape"))
    table.chooses("wolf")
    ann = table.one("ann")
    assert (ann.hp, ann.temp_hp, "concentrating" in table.effects("ann")) == (30, 4, True)
    assert table.refuses(CastSpell("ann", spell="cure-wounds", targets=("ann",))).key == "refused.no_casting"
    table.ends_turn(3)
    table.does(UseFeature("ann", "own-shape"))
    assert "beast-shape" not in table.effects("ann")


def test_whoever_withstands_a_stunning_strike_is_slower_and_exposed_once() -> None:
    table = fight(monk=5)
    table.dice(15, 4, 19)
    table.does(Attack("ann", "ogre", "unarmed-strike"))
    table.chooses("stunning-strike")
    assert {"staggered", "exposed"} <= {*table.effects("ogre")}
    assert table.feet("ogre") == 15
    table.dice(2, 3)
    table.does(Attack("ann", "ogre", "unarmed-strike"))
    assert "exposed" not in table.effects("ogre")


def test_some_class_features_are_gone() -> None:
    offered = {each.id for each in character(barbarian=9, monk=10).features}
    assert offered.isdisjoint({"brutal-critical", "feral-rage", "end-rage", "stillness-of-mind", "purity-of-body"})
    assert {"extend-rage", "self-restoration"} <= offered


def test_a_dragonborn_breathes_instead_of_one_attack() -> None:
    table = fight(fighter=5, dragonborn=1)
    table.does(UseFeature("ann", "fire-cone", targets=("ogre",)))
    assert (table.left("ann")["action"], left(table, "acid-line")) == (0, 2)
    table.strikes("ann", "ogre", "sword", 15, 4)
    assert table.refuses(Attack("ann", "ogre", "sword"))


def test_stunning_strike_is_used_once_a_turn() -> None:
    table = fight(monk=5)
    table.dice(15, 4, 2)
    table.does(Attack("ann", "ogre", "unarmed-strike"))
    table.chooses("stunning-strike")
    table.dice(15, 4, 4)
    table.does(Attack("ann", "ogre", "unarmed-strike"))
    assert (table.prompts, left(table, "ki")) == ([], 4)


@pytest.mark.parametrize(("level", "hp"), [(17, 0), (18, 1)])
def test_an_18_on_a_death_save_brings_a_survivor_back(level: int, hp: int) -> None:
    table = fight(champion=level)
    table.does(SetHitPoints("ann", hp=0))
    table.dice(*[18] * (1 + (level > 17)))
    table.ends_turn(3)
    assert table.one("ann").hp == hp


@pytest.mark.parametrize(("level", "dice"), [(2, 1), (7, 2), (13, 3), (18, 4)])
def test_a_divine_spark_heals_or_harms_another_creature_near(level: int, dice: int) -> None:
    table = fight(cleric=level)
    assert table.refuses(UseFeature("ann", "divine-spark", targets=("ann",)))
    table.does(SetHitPoints("ogre", hp=1))
    table.dice(*[3] * dice)
    table.does(UseFeature("ann", "divine-spark", targets=("ogre",)))
    assert table.one("ogre").hp == 1 + 3 * dice + 3
    for spark, face, share in (("radiant-spark", 19, 2), ("necrotic-spark", 1, 1)):
        table.does(SetTrack("ann", "action", 1))
        table.does(SetTrack("ann", "uses.channel-divinity", 1))
        table.does(SetHitPoints("ogre", hp=60))
        table.dice(face, *[3] * dice)
        table.does(UseFeature("ann", spark, targets=("ogre",)))
        assert (table.one("ogre").hp, left(table, "channel-divinity")) == (60 - (3 * dice + 3) // share, 0)


@pytest.mark.parametrize(("at", "targets"), [((2, 1), {"ogre"}), ((6, 1), {"ogre", "wolf"})])
def test_a_redirected_attack_keeps_its_type_and_reaches_as_far_as_it_came(
    at: tuple[int, int], targets: set[str]
) -> None:
    way = {"reach": 5} if at == (2, 1) else {"range": "60"}
    spear = Feature("spear", "Spear", "action", attack=9, damage="1d6 piercing", **way)  # type: ignore[arg-type]
    table = NewFight(character(monk=5), creature("ogre", ac=13, hp=60, features=(spear,)), WOLF, foes=("ogre",))
    table.puts(ann=(1, 1), ogre=at, wolf=(9, 9))
    table.ends_turn()
    table.dice(15, 4, 10)
    table.does(Attack("ogre", "ann", "spear"))
    table.chooses("deflect-missiles")
    assert [each.id for each in table.prompt.asks[0].options] == ["use redirected-piercing", "ends missile-caught"]
    table.chooses("use redirected-piercing")
    assert {each.id for each in table.prompt.asks[0].options} == targets


def test_monks_of_level_13_redirect_the_energy_of_a_spell() -> None:
    bolt = Feature("bolt", "Bolt", "action", attack=9, range="60", damage="1d6 fire", properties=("spell",))
    table = NewFight(character(monk=13), creature("ogre", ac=13, hp=60, features=(bolt,)), WOLF, foes=("ogre",))
    table.puts(ann=(1, 1), ogre=(6, 1), wolf=(9, 9))
    table.ends_turn()
    table.dice(15, 4, 10)
    table.does(Attack("ogre", "ann", "bolt"))
    table.chooses("deflect-missiles")
    assert [each.id for each in table.prompt.asks[0].options] == ["use redirected-energy", "ends missile-caught"]
    table.chooses("use redirected-energy")
    table.dice(1, 5, 5)
    table.chooses("ogre")
    assert table.one("ogre").hp < 60
