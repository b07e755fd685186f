"""Attacks by the rules of D&D 5e: what is rolled, what hits, who sees whom, cover, and water."""

from __future__ import annotations

import pytest

from tests.play.attack_table import edges, parts, total
from tests.systems.dnd5e.fights import BOW, STRONG, SWORD, Fight, pair
from tests.table import creature
from turnwright.encounter.prepared import Feature, Map, Obstacle, Scene
from turnwright.encounter.running import Dice
from turnwright.play.actions.action import TakeAction
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import DamageTaken, Rolled
from turnwright.play.state.position_changes import SetPosition, SetRelation
from turnwright.play.table.game_master import SetDice, SetStat
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.text import Phrasebook

CLUB = Feature("club", "Club", "action", damage="1d4 bludgeoning", properties=("weapon",), proficient=False)
SPELL = Feature("bolt", "Fire Bolt", "action", range="120", damage="1d10 fire", level=0, properties=("spell",))
RAPIER = Feature("rapier", "Rapier", "action", ability="dex", damage="1d8 piercing", properties=("weapon",))


def archery(**given: object) -> Fight:
    """Ann with a bow, 40 ft from an orc of AC 15."""
    ann = creature("ann", features=(SWORD, BOW), abilities=STRONG, proficiency=2)
    orc = creature("orc", ac=15, hp=40)
    return Fight(ann, orc, "bob", foes=("orc",), **given).puts(ann=(0, 5), orc=(8, 5), bob=(0, 9))


# The roll -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.attack.procedure")
def test_an_attack_goes_target_modifiers_roll() -> None:
    orc = {"ac": 14}
    table = pair(Feature("axe", "Axe", "action", attack=5, damage="1d8 slashing"), orc=orc)
    table.does(SetRelation("ann", "orc", cover="half"))
    went = table.strikes("ann", "orc", "axe", 10)
    assert went is not None
    assert (went.target, went.ac, went.roll.total if went.roll else None, went.outcome) == ("orc", 16, 15, "miss")
    assert went.rule == "dnd5e.attack.procedure"
    assert table.happened(DamageTaken) == []


@pytest.mark.rule("dnd5e.attack.target_in_range")
def test_the_target_is_in_reach_or_range() -> None:
    table = pair().puts(orc=(3, 1))
    refused = table.refuses(Attack("ann", "orc", "longsword"))
    assert (refused.key, refused.rule) == ("refused.out_of_reach", "dnd5e.attack.target_in_range")
    sling = Feature("sling", "Sling", "action", attack=5, range="30", damage="1d4 bludgeoning")
    far = pair(sling).puts(orc=(12, 1))
    refused = far.refuses(Attack("ann", "orc", "sling"))
    assert (refused.key, refused.rule) == ("refused.out_of_range", "dnd5e.attack.target_in_range")


@pytest.mark.rule("dnd5e.attack.roll")
def test_an_attack_roll_is_a_d20_with_modifiers() -> None:
    table = pair()
    went = table.strikes("ann", "orc", "longsword", 9, 4)
    assert went is not None
    assert went.roll is not None
    assert (went.roll.total, table.prompts) == (14, [])
    spec = table.preview("ann", "orc", "longsword").roll
    assert (spec.dice, total(spec)) == ("1d20", 5)
    assert [one.rule for one in table.happened(Rolled) if one.purpose == "ask.attack"] in ([], ["dnd5e.attack.roll"])
    given = Feature("claw", "Claw", "action", attack=5, damage="1d4 slashing")
    assert parts(table.preview("ann", "orc", given).roll) == [(5, "dnd5e.attack.roll")]


@pytest.mark.parametrize(
    ("means", "ability", "rule"),
    [
        pytest.param(
            Feature("maul", "Maul", "action", damage="2d6 bludgeoning", proficient=False),
            4,
            "melee_strength",
            marks=pytest.mark.rule("dnd5e.attack.melee_strength"),
        ),
        pytest.param(
            Feature("bow", "Bow", "action", range="80/320", damage="1d6 piercing", proficient=False),
            1,
            "ranged_dexterity",
            marks=pytest.mark.rule("dnd5e.attack.ranged_dexterity"),
        ),
        pytest.param(SPELL, 5, "spell_modifier", marks=pytest.mark.rule("dnd5e.attack.spell_modifier")),
    ],
)
def test_which_ability_an_attack_goes_by(means: Feature, ability: int, rule: str) -> None:
    table = pair(abilities=(("str", 18), ("dex", 12), ("cha", 20)), spellcasting="cha", proficiency=0)
    assert parts(table.preview("ann", "orc", means).roll)[0] == (ability, f"dnd5e.attack.{rule}")


@pytest.mark.rule("dnd5e.attack.melee_strength")
def test_a_weapon_that_names_another_ability_goes_by_that() -> None:
    table = pair(abilities=(("str", 18), ("dex", 12)), proficiency=0)
    assert parts(table.preview("ann", "orc", RAPIER).roll)[0][0] == 1


@pytest.mark.rule("dnd5e.attack.proficiency")
def test_proficiency_counts_with_weapons_one_is_proficient_with() -> None:
    table = pair(abilities=(("str", 14),), proficiency=3)
    assert parts(table.preview("ann", "orc", SWORD).roll) == [
        (2, "dnd5e.attack.melee_strength"),
        (3, "dnd5e.attack.proficiency"),
    ]
    assert parts(table.preview("ann", "orc", CLUB).roll) == [
        (2, "dnd5e.attack.melee_strength"),
        (0, "dnd5e.attack.proficiency"),
    ]


@pytest.mark.rule("dnd5e.external.proficiency_bonus")
def test_a_proficiency_bonus_may_be_given_at_the_table() -> None:
    table = pair(abilities=(("str", 14),), proficiency=0)
    assert total(table.preview("ann", "orc", SWORD).roll) == 2
    table.does(SetStat("ann", "proficiency", 3))
    assert 10 + total(table.preview("ann", "orc", SWORD).roll) == 15


@pytest.mark.rule("dnd5e.attack.natural_20_hits")
def test_a_natural_20_hits_and_is_critical() -> None:
    weak = Feature("twig", "Twig", "action", attack=-2, damage="1d4 bludgeoning")
    table = pair(weak, orc={"ac": 30})
    went = table.strikes("ann", "orc", "twig", 20, 3, 3)
    assert went is not None
    assert (went.outcome, went.rule) == ("critical", "dnd5e.attack.natural_20_hits")


@pytest.mark.rule("dnd5e.attack.natural_1_misses")
def test_a_natural_1_misses() -> None:
    table = pair(Feature("axe", "Axe", "action", attack=15, damage="1d8 slashing"), orc={"ac": 10})
    went = table.strikes("ann", "orc", "axe", 1)
    assert went is not None
    assert (went.outcome, went.rule) == ("fumble", "dnd5e.attack.natural_1_misses")


@pytest.mark.rule("dnd5e.attack.hit_meets_ac")
def test_a_total_that_meets_the_armor_class_hits() -> None:
    for face, outcome in ((9, "miss"), (10, "hit")):
        table = pair()
        went = table.strikes("ann", "orc", "longsword", face, 4)
        assert went is not None
        assert went.outcome == outcome
    assert went is not None
    assert went.rule == "dnd5e.attack.hit_meets_ac"


@pytest.mark.rule("dnd5e.attack.damage_roll")
def test_damage_is_the_weapons_dice_and_the_ability() -> None:
    table = pair(abilities=(("str", 16),))
    table.strikes("ann", "orc", "longsword", 15, 6)
    assert table.lost("orc") == 9
    damage = table.preview("ann", "orc", "longsword").damage
    assert damage is not None
    assert parts(damage) == [(3, "dnd5e.attack.damage_roll")]


@pytest.mark.rule("dnd5e.attack.unarmed_strike")
def test_bare_hands_deal_one_and_the_strength() -> None:
    table = pair(BOW, abilities=(("str", 16),))
    table.strikes("ann", "orc", "unarmed", 15)
    assert (table.lost("orc"), table.prompts) == (4, [])
    phrasebook = Phrasebook(WordCatalogue.load(), table.rules)
    told = [phrasebook.phrase_text(line.phrase) for line in table.session.history.last.lines]
    assert any("with Unarmed:" in line for line in told), told
    assert not any("with :" in line or "()" in line or "  " in line for line in told), told
    assert table.happened(DamageTaken)[0].dealt == (("bludgeoning", 4),)
    damage = table.preview("ann", "orc", "unarmed").damage
    assert damage is not None
    assert damage.dice == "1 bludgeoning"


@pytest.mark.rule("dnd5e.attack.one_damage_roll_for_many")
def test_damage_to_several_is_rolled_once() -> None:
    table = Fight("ann", *(creature(who, hp=60) for who in "abc"), foes=tuple("abc"))
    table.does(SetDice("ask"))
    table.does(ApplyDamage(("a", "b", "c"), "8d6 fire"))
    (asked,) = table.prompt.asks
    assert asked.rule == "dnd5e.attack.one_damage_roll_for_many"
    table.dice(4, 4, 4, 4, 3, 3, 3, 3)
    assert [table.lost(who) for who in "abc"] == [28] * 3
    assert table.encounter.need(Dice, "dice").script == ()


@pytest.mark.rule("dnd5e.external.advantage")
def test_advantage_and_disadvantage_cancel_whatever_the_counts() -> None:
    table = archery()
    table.does(ApplyCondition(("ann",), "poisoned"))
    table.does(ApplyCondition(("orc",), "restrained"))
    table.does(ApplyCondition(("ann",), "prone"))
    kinds = table.edges("ann", "orc", "longbow")
    assert sorted(kind for kind, _ in kinds) == ["advantage", "disadvantage", "disadvantage"]
    went = table.strikes("ann", "orc", "longbow", 12, 3)
    assert went is not None
    assert went.roll is not None
    assert (went.roll.natural, went.roll.total) == (12, 16)


# Unseen ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.attack.unseen_target")
def test_the_unseen_are_harder_to_hit() -> None:
    table = pair()
    table.does(ApplyCondition(("orc",), "invisible"))
    assert table.edges("ann", "orc", "longsword") == [("disadvantage", "dnd5e.attack.unseen_target")]
    went = table.strikes("ann", "orc", "longsword", 16, 7)
    assert went is not None
    assert went.roll is not None
    assert went.roll.natural == 7


@pytest.mark.rule("dnd5e.attack.unseen_attacker")
def test_those_who_cannot_see_the_attacker_are_easier_to_hit() -> None:
    table = archery()
    table.marks("ann", "hidden", value=17)
    assert table.edges("ann", "orc", "longbow") == [("advantage", "dnd5e.attack.unseen_attacker")]
    went = table.strikes("ann", "orc", "longbow", 5, 14, 3)
    assert went is not None
    assert went.roll is not None
    assert went.roll.natural == 14
    unseen = pair()
    unseen.does(ApplyCondition(("ann",), "invisible"))
    assert unseen.edges("ann", "orc", "longsword") == [("advantage", "dnd5e.attack.unseen_attacker")]


@pytest.mark.rule("dnd5e.attack.unseen_target", "dnd5e.attack.unseen_attacker")
def test_two_who_cannot_see_each_other_roll_one_die() -> None:
    table = pair()
    table.does(ApplyCondition(("orc", "ann"), "invisible"))
    assert sorted(table.edges("ann", "orc", "longsword")) == [
        ("advantage", "dnd5e.attack.unseen_attacker"),
        ("disadvantage", "dnd5e.attack.unseen_target"),
    ]
    went = table.strikes("ann", "orc", "longsword", 9)
    assert went is not None
    assert went.roll is not None
    assert went.roll.natural == 9


@pytest.mark.rule("dnd5e.attack.reveals_location")
def test_an_attack_from_hiding_gives_its_maker_away() -> None:
    from turnwright.play.state.events import EffectEnded

    table = archery()
    table.marks("ann", "hidden", value=17)
    went = table.strikes("ann", "orc", "longbow", 2, 3)
    assert went is not None
    assert went.outcome == "miss"
    assert "hidden" not in table.effects("ann")
    assert [one.rule for one in table.happened(EffectEnded)] == ["dnd5e.attack.reveals_location"]


# Cover ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.cover.bonus_applied")
@pytest.mark.parametrize(("grade", "armor", "saved"), [("half", 15, 13), ("three-quarters", 18, 16)])
def test_cover_helps_armor_class_and_dexterity_saves(grade: str, armor: int, saved: int) -> None:
    orc = {"ac": 13, "abilities": (("dex", 12),)}
    table = pair(orc=orc)
    table.does(SetRelation("ann", "orc", cover=grade))
    assert table.armor_class("ann", "orc", SWORD) == armor
    assert 10 + total(table.save("orc", "dex", "ann")) == saved
    assert total(table.save("orc", "wis", "ann")) == 0


@pytest.mark.rule("dnd5e.cover.best_only")
def test_only_the_best_cover_counts() -> None:
    field = Map(
        columns=12,
        rows=12,
        obstacles=(
            Obstacle("wall", at=(4, 4), size=(1, 3), cover="half"),
            Obstacle("slit", at=(6, 4), size=(1, 3), cover="three-quarters"),
        ),
    )
    orc = creature("orc", ac=14)
    table = Fight(creature("ann", features=(BOW,)), orc, foes=("orc",), field=field).puts(ann=(1, 5), orc=(9, 5))
    assert table.armor_class("ann", "orc", BOW) == 19


@pytest.mark.rule("dnd5e.cover.total_blocks_targeting")
def test_nobody_behind_total_cover_is_a_target() -> None:
    table = archery()
    table.does(SetRelation("ann", "orc", cover="total"))
    refused = table.refuses(Attack("ann", "orc", "longbow"))
    assert (refused.key, refused.rule) == ("refused.total_cover", "dnd5e.cover.total_blocks_targeting")


@pytest.mark.rule("dnd5e.cover.sources")
def test_an_ally_in_the_way_gives_cover_until_the_dungeon_master_says_otherwise() -> None:
    table = archery()
    table.does(SetPosition("bob", position=(4, 5)))
    assert table.armor_class("ann", "orc", BOW) == 17
    for grade, armor in (("none", 15), ("half", 17), ("three-quarters", 20)):
        preview = table.preview("ann", "orc", "longbow", facts=(f"cover:{grade}",))
        assert preview.defence is not None
        assert preview.defence.total == armor
    told = table.preview("ann", "orc", "longbow", facts=("cover:total",))
    assert [one.reason for one in told.vetoes] == ["refused.total_cover"]
    plain = archery(scene=Scene(strictness="enforce", options=("not creature-cover",)))
    plain.does(SetPosition("bob", position=(4, 5)))
    assert plain.armor_class("ann", "orc", BOW) == 15


# Under water ----------------------------------------------------------------------------------------------------

WATER = Scene(strictness="enforce", suspended=("water",))


def wet(*features: Feature, **fields: object) -> Fight:
    """Ann and an orc right beside each other under water."""
    return pair(*features, scene=WATER, **fields)  # type: ignore[arg-type]


@pytest.mark.rule("dnd5e.underwater.melee")
def test_those_who_swim_strike_freely_under_water_and_others_with_the_right_weapon() -> None:
    table = wet()
    assert table.edges("ann", "orc", "longsword") == [("disadvantage", "dnd5e.underwater.melee")]
    went = table.strikes("ann", "orc", "longsword", 15, 6)
    assert went is not None
    assert went.roll is not None
    assert went.roll.natural == 6
    for name in ("trident", "dagger", "javelin", "shortsword", "spear"):
        handy = Feature(name, name.capitalize(), "action", damage="1d6 piercing", properties=("weapon",))
        assert wet(handy).edges("ann", "orc", name) == []
    fork = Feature("gift", "The King's Gift", "action", damage="1d6 piercing", properties=("weapon", "trident"))
    assert wet(fork).edges("ann", "orc", "gift") == []
    swimmer = wet(speeds=(("walk", 30), ("swim", 30)))
    assert swimmer.edges("ann", "orc", "longsword") == []


@pytest.mark.rule("dnd5e.underwater.ranged_beyond_normal")
def test_shots_beyond_normal_range_miss_under_water() -> None:
    bow = Feature("crossbow", "Crossbow", "action", attack=5, range="80/320", damage="1d8 piercing")
    yard = Map(columns=30, rows=10)
    ann, orc = creature("ann", features=(bow,)), creature("orc", ac=10)
    table = Fight(ann, orc, foes=("orc",), field=yard, scene=WATER).puts(ann=(0, 0), orc=(17, 0))
    went = table.strikes("ann", "orc", "crossbow", 20)
    assert went is not None
    assert (went.outcome, went.rule, went.roll) == ("miss", "dnd5e.underwater.ranged_beyond_normal", None)


@pytest.mark.rule("dnd5e.underwater.ranged_normal")
def test_shots_within_normal_range_have_disadvantage_under_water() -> None:
    table = wet().puts(orc=(9, 1))
    assert table.edges("ann", "orc", "longbow") == [("disadvantage", "dnd5e.underwater.ranged_normal")]
    went = table.strikes("ann", "orc", "longbow", 17, 5)
    assert went is not None
    assert went.roll is not None
    assert went.roll.natural == 5
    crossbow = Feature("light-crossbow", "Light Crossbow", "action", range="80/320", damage="1d8 piercing")
    net = Feature("net", "Net", "action", range="15", damage="1 bludgeoning")
    javelin = Feature("javelin", "Javelin", "action", range="30/120", damage="1d6 piercing", properties=("thrown",))
    assert wet(crossbow).puts(orc=(9, 1)).edges("ann", "orc", "light-crossbow") == []
    assert wet(net).puts(orc=(3, 1)).edges("ann", "orc", "net") == []
    assert wet(javelin).puts(orc=(5, 1)).edges("ann", "orc", "javelin", thrown=True) == []


@pytest.mark.rule("dnd5e.underwater.fire_resistance")
def test_fire_does_half_under_water() -> None:
    table = wet()
    table.does(ApplyDamage(("orc",), "18 fire"))
    assert table.lost("orc") == 9
    assert [one.rule for one in table.happened(DamageTaken)[0].why] == ["dnd5e.underwater.fire_resistance"]
    dry = pair()
    dry.does(ApplyDamage(("orc",), "18 fire"))
    assert dry.lost("orc") == 18
    dry.does(ApplyCondition(("orc",), "submerged"))
    dry.does(ApplyDamage(("orc",), "18 fire"))
    assert dry.lost("orc") == 27


# Conditions on rolls --------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.squeeze.attack_disadvantage")
def test_who_squeezes_attacks_badly() -> None:
    table = pair()
    table.does(ApplyCondition(("ann",), "squeezing"))
    assert table.edges("ann", "orc", "longsword") == [("disadvantage", "dnd5e.squeeze.attack_disadvantage")]
    went = table.strikes("ann", "orc", "longsword", 15, 4)
    assert went is not None
    assert went.roll is not None
    assert went.roll.natural == 4


@pytest.mark.rule("dnd5e.squeeze.attackers_advantage")
def test_who_squeezes_is_easy_to_hit() -> None:
    table = pair()
    table.does(ApplyCondition(("orc",), "squeezing"))
    assert table.edges("ann", "orc", "longsword") == [("advantage", "dnd5e.squeeze.attackers_advantage")]
    went = table.strikes("ann", "orc", "longsword", 3, 17, 4)
    assert went is not None
    assert went.roll is not None
    assert went.roll.natural == 17


@pytest.mark.rule("dnd5e.squeeze.dex_save_disadvantage")
def test_who_squeezes_saves_badly_with_dexterity_alone() -> None:
    table = pair()
    table.does(ApplyCondition(("ann",), "squeezing"))
    assert edges(table.save("ann", "dex")) == [("disadvantage", "dnd5e.squeeze.dex_save_disadvantage")]
    assert edges(table.save("ann", "wis")) == []


@pytest.mark.rule("dnd5e.external.conditions")
def test_what_the_rules_only_name_is_offered_and_may_be_declined() -> None:
    table = pair(scene=Scene(strictness="warn"))
    table.does(ApplyCondition(("ann",), "poisoned"))
    assert [one.rule for one in table.preview("ann", "orc", "longsword").suggested] == ["dnd5e.external.conditions"]
    table.does(Attack("ann", "orc", "longsword"))
    (asked,) = [one for one in table.prompt.asks if one.rule == "dnd5e.external.conditions"]
    assert asked.kind == "choice"


# What the game has not ------------------------------------------------------------------------------------------


def test_shots_from_close_by_are_hampered_only_where_the_table_plays_it_so() -> None:
    assert pair().edges("ann", "orc", "longbow") == []
    strict = pair(scene=Scene(strictness="enforce", options=("ranged-in-melee",)))
    assert strict.edges("ann", "orc", "longbow") == [("disadvantage", "dnd5e.external.weapons")]


def test_no_expertise_for_flankers_and_none_from_above() -> None:
    table = Fight(creature("ann", features=(SWORD,), abilities=STRONG), "bob", "orc", foes=("orc",))
    table.puts(ann=(1, 1, 10), bob=(3, 1), orc=(2, 1))
    spec = table.preview("ann", "orc", "longsword").roll
    assert (spec.extra, spec.edges) == ((), ())


@pytest.mark.rule("dnd5e.action.dodge.attack_disadvantage")
def test_dodging_hampers_attackers_in_view() -> None:
    table = pair(orc={"features": (SWORD,)})
    table.does(TakeAction("ann", "dodge"))
    table.ends_turn()
    assert table.edges("orc", "ann", "longsword") == [("disadvantage", "dnd5e.action.dodge.attack_disadvantage")]
    went = table.strikes("orc", "ann", "longsword", 18, 6)
    assert went is not None
    assert went.roll is not None
    assert went.roll.natural == 6
    table.does(ApplyCondition(("orc",), "invisible"))
    assert ("disadvantage", "dnd5e.action.dodge.attack_disadvantage") not in table.edges("orc", "ann", "longsword")


@pytest.mark.rule("dnd5e.action.dodge.dex_save_advantage")
def test_dodging_helps_dexterity_saves() -> None:
    table = pair()
    table.does(TakeAction("ann", "dodge"))
    assert edges(table.save("ann", "dex")) == [("advantage", "dnd5e.action.dodge.dex_save_advantage")]
    assert edges(table.save("ann", "con")) == []
    table.ends_turn(2)
    assert edges(table.save("ann", "dex")) == []


@pytest.mark.rule("dnd5e.action.dodge.lost")
@pytest.mark.parametrize("condition", ["grappled", "incapacitated"])
def test_dodging_ends_with_speed_or_wits(condition: str) -> None:
    table = pair(orc={"features": (SWORD,)})
    table.does(TakeAction("ann", "dodge"))
    table.does(ApplyCondition(("ann",), condition))
    assert table.edges("orc", "ann", "longsword") == []
    assert edges(table.save("ann", "dex")) == []


def test_who_was_attacked_is_told() -> None:
    table = pair()
    table.strikes("ann", "orc", "longsword", 10, 4)
    assert [one.target for one in table.happened(Attacked)] == ["orc"]
