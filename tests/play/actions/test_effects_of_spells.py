"""What a spell or another feature leaves on its targets: its numbers, for its time, until its caster loses it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import msgspec
import pytest

from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, Map
from turnwright.encounter.running import Effect
from turnwright.play.actions.contest import BreakFree
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.checks import CallForSaves
from turnwright.play.attacks.attack_request import Attack, FeatureUsed
from turnwright.play.attacks.save_effect import SpellTold
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.effects.conditions import ApplyCondition, EffectUpdated, EndEffect
from turnwright.play.movement.forced_movement import ForceMove, Pushed
from turnwright.play.queries.queries import open_prompts
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.position_changes import SetPosition, SetRelation
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.rules.parts.checks.ability_checks import armor_class
from turnwright.rules.parts.economy.limited_uses import remaining_uses
from turnwright.rules.parts.positions.sight import is_hidden_from, sees
from turnwright.rules.system import RuleSystem, creature_of

SLOTS = (("1", 4), ("2", 3), ("3", 2), ("4", 1))
CLUB = Feature("club", "Club", "action", attack=3, damage="1d6+1 bludgeoning", properties=("weapon",))


def cleric(**changes: object) -> Creature:
    numbers = {"level": 5, "proficiency": 3, "spellcasting": "wis", "abilities": (("wis", 18),), "slots": SLOTS}
    return creature("mira", **(numbers | {"hp": 30} | changes))


def table_of(rules: RuleSystem | None = None, **changes: object) -> Table:
    ann = creature("ann", hp=30, ac=13, level=3, features=(CLUB,))
    ogre = creature("ogre", hp=100, ac=11, features=(CLUB,))
    table = Table(cleric(**changes), ann, creature("bob", hp=30), ogre, foes=("ogre",), rules=rules or dnd5e())
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


def test_a_spell_without_targets_asks_for_them_and_suggests_its_caster() -> None:
    table = table_of(ac=14)
    table.does(UseFeature("mira", spell="shield-of-faith"))
    assert table.prompt.asks[0].suggested == ("mira",)
    table.answers(who=("mira",))
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


def test_sleep_takes_the_weakest_first_until_its_hit_points_are_spent() -> None:
    rats = [creature(id, hp=hp) for id, hp in (("big", 12), ("small", 5), ("mid", 9))]
    table = Table(cleric(), *rats, foes=("big", "small", "mid"), rules=dnd5e())
    table.start(mira=20, big=15, small=12, mid=10)
    table.dice(4, 4, 4, 5, 5)  # 22 hit points: 5 and 9, but not 12
    table.does(UseFeature("mira", spell="sleep", targets=("big", "small", "mid")))
    asleep = [id for id in ("small", "mid", "big") if "unconscious" in table.effects(id)]
    assert asleep == ["small", "mid"]
    table.does(ApplyDamage(("small",), "1"))
    assert "unconscious" not in table.effects("small")


def test_sleep_leaves_out_those_that_it_cannot_affect() -> None:
    ghoul = creature("ghoul", hp=5, type="undead")
    elf = creature("elf", hp=6, condition_immunities=("charmed",))
    table = Table(cleric(), ghoul, elf, creature("bandit", hp=11), foes=("ghoul", "elf", "bandit"), rules=dnd5e())
    table.start(mira=20, ghoul=15, elf=12, bandit=10)
    table.dice(1, 1, 1, 4, 4)  # 11, none of it for the ghoul and the elf
    table.does(UseFeature("mira", spell="sleep", targets=("ghoul", "elf", "bandit")))
    assert [id for id in ("ghoul", "elf", "bandit") if "unconscious" in table.effects(id)] == ["bandit"]


def test_death_ward_keeps_one_hit_point_once() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="death-ward", targets=("ann",)))
    table.does(ApplyDamage(("ann",), "40"))
    assert (table.one("ann").hp, "Death Ward" in table.effects("ann")) == (1, False)
    table.does(ApplyDamage(("ann",), "4"))
    assert table.one("ann").hp == 0


def test_barkskin_raises_the_armor_class_only_to_sixteen() -> None:
    table = table_of(ac=18)
    table.does(UseFeature("mira", spell="barkskin", targets=("ann",)))
    assert armor_class(table.encounter, table.rules, "ann").total == 16
    table.does(UseFeature("mira", spell="barkskin"), anyway=True)
    assert armor_class(table.encounter, table.rules, "mira").total == 18


def test_haste_gives_an_action_speed_and_armor() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="haste", targets=("ann",)))
    table.ends_turn()
    assert table.track("ann", "action") == 2
    assert armor_class(table.encounter, table.rules, "ann").total == 15
    allowance = table.rules.allowance(table.encounter, table.rules, "ann", "walk")
    assert allowance is not None
    assert allowance.total == 60
    table.does(UseFeature("mira", spell="guidance", targets=("bob",)), anyway=True)  # which needs concentration too
    assert {"lethargic"} == table.effects("ann")
    table.ends_turn()
    assert "lethargic" in table.effects("ann")
    table.ends_turn(4)
    assert "lethargic" not in table.effects("ann")


def test_fly_gives_a_speed_and_spider_climb_that_of_walking() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="fly", targets=("ann",)))
    fly = table.rules.allowance(table.encounter, table.rules, "ann", "fly")
    table.does(UseFeature("mira", spell="spider-climb", targets=("ann",)), anyway=True)
    climb = table.rules.allowance(table.encounter, table.rules, "ann", "climb")
    assert [one.total for one in (fly, climb) if one is not None] == [60, 30]
    assert table.rules.allowance(table.encounter, table.rules, "ann", "fly") is None


def test_a_marked_target_takes_more_from_its_hunter_alone() -> None:
    table = table_of(features=(CLUB,))
    table.does(UseFeature("mira", spell="hunters-mark", targets=("ogre",)))
    table.dice(15, 2, 6)
    table.does(Attack("mira", "ogre", "club"))
    assert table.one("ogre").hp == 100 - (2 + 1) - 6
    table.ends_turn()
    table.dice(15, 2)
    table.does(Attack("ann", "ogre", "club"))
    assert table.one("ogre").hp == 100 - 9 - 3


def test_a_spiritual_weapon_attacks_again_for_a_bonus_action_without_a_slot() -> None:
    table = table_of()
    table.refuses(UseFeature("mira", spell="spiritual-weapon", targets=("ogre",), purpose="again"))
    table.dice(15, 3, 4)
    table.does(UseFeature("mira", spell="spiritual-weapon", targets=("ogre",), level=4))
    assert table.one("ogre").hp == 100 - (3 + 4 + 4)  # 2d8 in the fourth slot, and Wisdom
    assert left(table, "mira", "Spiritual Weapon").rounds_left == 10
    table.refuses(UseFeature("mira", spell="spiritual-weapon", targets=("ogre",), purpose="again"))
    table.ends_turn(4)
    table.dice(15, 1, 1)
    table.does(UseFeature("mira", spell="spiritual-weapon", targets=("ogre",), purpose="again"))
    assert table.one("ogre").hp == 100 - 11 - 6
    assert (table.track("mira", "bonus"), table.track("mira", "slots.4")) == (0, 0)
    assert left(table, "mira", "Spiritual Weapon").rounds_left == 9


def test_lesser_restoration_ends_one_of_its_conditions() -> None:
    table = table_of()
    for name in ("poisoned", "blinded", "prone"):
        table.does(ApplyCondition(("ann",), name))
    table.does(UseFeature("mira", spell="lesser-restoration", targets=("ann",)))
    table.chooses("poisoned")
    assert {"blinded", "prone"} <= table.effects("ann")
    assert "poisoned" not in table.effects("ann")
    table.does(UseFeature("mira", spell="lesser-restoration", targets=("ann",)), anyway=True)
    assert "blinded" not in table.effects("ann")


def test_greater_restoration_lifts_one_level_of_exhaustion() -> None:
    table = table_of(slots=(("5", 2),))
    table.does(ApplyCondition(("ann",), "exhaustion", value=3))
    table.does(UseFeature("mira", spell="greater-restoration", targets=("ann",)))
    assert left(table, "ann", "exhaustion").value == 2
    assert [(one.name, one.value) for one in table.happened(EffectUpdated)] == [("exhaustion", 2)]


@pytest.mark.parametrize(("spell", "condition"), [("thaumaturgy", "wonders"), ("prestidigitation", "tricks")])
def test_three_small_effects_of_a_cantrip_last_at_once(spell: str, condition: str) -> None:
    table = table_of()
    for count in (1, 2, 3, 3):
        table.does(UseFeature("mira", spell=spell), anyway=True)
        assert [one.value for one in table.encounter.of(Effect, "mira") if one.name == condition] == [count]


@pytest.mark.parametrize("spell", ["fly", "stoneskin", "gaseous-form-2024", "plane-shift-2024", "dimension-door"])
def test_an_enemy_is_no_willing_target(spell: str) -> None:
    table = table_of(slots=tuple((str(level), 1) for level in range(1, 8)))
    assert table.refuses(UseFeature("mira", spell=spell, targets=("ogre",))).key == "refused.target_not_meant"


def test_greater_restoration_lifts_all_of_a_lower_maximum() -> None:
    table = table_of(slots=(("5", 2),))
    table.does(ApplyCondition(("ann",), "life-drained", value=3))
    table.does(UseFeature("mira", spell="greater-restoration", targets=("ann",)))
    assert table.effects("ann") == set()


def test_a_curse_that_costs_actions_asks_for_a_save_each_turn() -> None:
    table = table_of(slots=(("3", 1),))
    table.dice(1, 1)
    table.does(UseFeature("mira", spell="bestow-curse", targets=("ogre",)))
    table.chooses("lost actions")
    while table.active != "ogre":
        table.ends_turn()
    while table.prompts:
        table.chooses("failed")
    assert [rule.what for one in table.encounter.of(Effect, "ogre") for rule in one.rules] == ["action"]
    assert any(one.leaves is not None for one in table.encounter.of(Effect, "ogre"))


def test_the_variant_of_a_spell_is_asked() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="protection-from-energy", targets=("ann",)))
    table.chooses("fire")
    assert table.happened(FeatureUsed)[-1].feature == "Protection from Energy (fire)"
    table.does(ApplyDamage(("ann",), "10 fire + 4 cold"))
    assert table.one("ann").hp == 30 - 5 - 4
    table.does(UseFeature("mira", spell="enhance-ability", targets=("ann",)), anyway=True)
    table.dice(2, 3)
    table.chooses("bear's endurance")
    assert table.one("ann").temp_hp == 5
    assert not any(one.name == "Protection from Energy" for one in table.encounter.all(Effect))


def test_invisibility_ends_with_an_attack_or_a_spell() -> None:
    table = table_of(features=(CLUB,))
    table.does(UseFeature("mira", spell="invisibility", targets=("ann", "mira"), level=3))
    table.ends_turn()
    table.dice(5, 6)
    table.does(Attack("ann", "ogre", "club"))
    assert "invisible" not in table.effects("ann")
    assert "invisible" in table.effects("mira")
    table.does(UseFeature("mira", spell="guidance", targets=("bob",)), anyway=True)
    assert "invisible" not in table.effects("mira")


def test_faerie_fire_helps_every_attack_against_those_that_fail() -> None:
    table = table_of()
    table.dice(5)
    table.does(UseFeature("mira", spell="faerie-fire", targets=("ogre",)))
    table.ends_turn()
    table.dice(2, 15, 3)  # the better of the two
    table.does(Attack("ann", "ogre", "club"))
    assert table.one("ogre").hp == 96
    table.does(ApplyCondition(("ogre",), "invisible"))
    assert "invisible" not in table.effects("ogre")


def test_a_later_save_ends_what_a_spell_attack_left() -> None:
    table = table_of()
    table.dice(15)
    table.does(UseFeature("mira", spell="ray-of-enfeeblement", targets=("ogre",)))
    assert (left(table, "ogre", "Ray of Enfeeblement").save, table.prompts) == ("con", [])
    table.ends_turn(3)
    table.dice(15)
    table.ends_turn()
    assert "Ray of Enfeeblement" not in table.effects("ogre")


def test_shield_lasts_until_the_next_turn_of_its_caster() -> None:
    shield = spell_feature(next(one for one in dnd5e().data.spells if one.id == "shield"), Caster(15, 7, 5, 4))
    table = table_of(ac=12, features=(shield,))
    table.ends_turn(3)
    table.dice(11)  # 11 + 3 hits AC 12, but not 17
    table.does(Attack("ogre", "mira", "club"))
    table.chooses("shield")
    assert table.one("mira").hp == 30
    assert armor_class(table.encounter, table.rules, "mira").total == 17
    table.ends_turn()
    assert armor_class(table.encounter, table.rules, "mira").total == 12


def test_the_dying_are_stabilised_and_others_left_alone() -> None:
    table = table_of()
    table.does(ApplyDamage(("ann",), "35"))
    table.does(UseFeature("mira", spell="spare-the-dying", targets=("ann",)))
    assert {"stable", "unconscious"} <= table.effects("ann")
    table.does(UseFeature("mira", spell="spare-the-dying", targets=("bob",)), anyway=True)
    assert "stable" not in table.effects("bob")


def test_a_spell_of_a_stat_block_without_figures_uses_those_of_the_game() -> None:
    own = Feature("bless", "Bless", "action", uses=2, properties=("spell",), concentration=True)
    table = table_of(features=(own,), slots=())
    table.does(UseFeature("mira", "bless", targets=("ann",)))
    assert (left(table, "ann", "Bless").level, len(left(table, "ann", "Bless").rules)) == (1, 2)
    assert table.track("mira", "uses.bless") == 1


def test_all_damage_can_be_resisted() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="warding-bond", targets=("ann",)))
    table.does(ApplyDamage(("ann",), "10 force"))
    assert table.one("ann").hp == 25


@pytest.mark.parametrize(("mundane", "hp"), [(True, 25), (False, 20)])
def test_stoneskin_halves_only_what_is_not_magical(mundane: bool, hp: int) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="stoneskin", targets=("ann",)))
    table.does(ApplyDamage(("ann",), "10 slashing", mundane=mundane))
    assert table.one("ann").hp == hp


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_who_hits_a_fire_shield_in_melee_is_burnt(rules: Callable[[], RuleSystem]) -> None:
    table = table_of(rules(), features=(CLUB,), ac=10)
    table.does(UseFeature("mira", spell="fire-shield"))
    table.chooses("warm")
    table.ends_turn(3)
    table.dice(15, 2, 3, 4)
    table.does(Attack("ogre", "mira", "club"))
    assert (table.one("mira").hp, table.one("ogre").hp) == (30 - 3, 100 - 7)
    table.does(ApplyDamage(("mira",), "10 cold"))
    assert table.one("mira").hp == 27 - 5


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_heroism_gives_temporary_hit_points_at_each_start_of_a_turn(rules: Callable[[], RuleSystem]) -> None:
    table = table_of(rules())
    table.does(UseFeature("mira", spell="heroism", targets=("ann",)))
    table.ends_turn()
    assert table.one("ann").temp_hp == 4
    table.does(ApplyDamage(("ann",), "3"))
    table.does(ApplyCondition(("ann",), "frightened"))
    assert "frightened" not in table.effects("ann")
    table.ends_turn(4)
    assert table.one("ann").temp_hp == 4
    assert table.prompts == []
    table.ends_turn(3)
    table.does(UseFeature("mira", spell="bless"))
    assert table.one("ann").temp_hp == 0


def test_a_sphere_rolls_again_and_ends_with_the_concentration() -> None:
    table = table_of()
    table.dice(5, 3, 3)
    table.does(UseFeature("mira", spell="flaming-sphere", targets=("ogre",)))
    table.ends_turn(4)
    table.skips()  # the sphere at the end of the ogre's turn
    table.dice(20, 3, 4)
    table.does(UseFeature("mira", spell="flaming-sphere", targets=("ogre",), purpose="again"))
    assert table.one("ogre").hp == 100 - 6 - 3
    assert table.track("mira", "action") == 1
    table.does(UseFeature("mira", spell="bless"))
    assert "Flaming Sphere" not in table.effects("mira")
    refused = table.refuses(UseFeature("mira", spell="flaming-sphere", targets=("ogre",), purpose="again"))
    assert "refused.not_lasting" in str(refused)


def test_what_a_spell_leaves_when_it_is_used_again_needs_the_same_concentration() -> None:
    table = table_of(slots=(("1", 2), ("6", 1)))
    table.dice(20)
    table.does(UseFeature("mira", spell="eyebite", targets=("ogre",)))
    table.chooses("sickened")
    assert "Eyebite" not in table.effects("ogre")
    table.ends_turn(4)
    table.dice(2)
    table.does(UseFeature("mira", spell="eyebite", targets=("bob",), purpose="again"))
    table.chooses("panicked")
    assert "frightened" in table.effects("bob")
    table.does(UseFeature("mira", spell="bless"), anyway=True)
    assert "frightened" not in table.effects("bob")


@pytest.mark.parametrize("rules", [dnd5e, a5e, pf2e])
def test_a_spell_lets_its_bearer_see_what_is_invisible(rules: Callable[[], RuleSystem]) -> None:
    table = table_of(rules())
    table.does(ApplyCondition(("ogre",), "invisible"))
    assert sees(table.encounter, table.rules, "mira", "ogre") is False
    eyes = Feature("eyes", "Eyes", "free", effect=(DataRule("senses", "invisible"),), lasts="1 minute", range="self")
    table.does(UseFeature("mira", given=eyes))
    assert sees(table.encounter, table.rules, "mira", "ogre") is True


def test_see_invisibility_acts() -> None:
    table = table_of()
    table.does(ApplyCondition(("ogre",), "invisible"))
    table.does(UseFeature("mira", spell="see-invisibility"))
    assert sees(table.encounter, table.rules, "mira", "ogre") is True


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_a_spell_of_an_area_counts_its_time_at_its_caster(rules: Callable[[], RuleSystem]) -> None:
    table = table_of(rules())
    table.does(UseFeature("mira", spell="fog-cloud"))
    cloud = left(table, "mira", "Fog Cloud")
    assert (cloud.rounds_left, cloud.concentrator, cloud.note[:17]) == (600, "mira", "Heavily obscured,")
    table.ends_turn(4)
    table.does(UseFeature("mira", spell="detect-thoughts"))
    names = {one.name for one in table.encounter.all(Effect) if one.shown}
    assert names == {"Detect Thoughts", "concentrating"}


def starts_inside(table: Table, who: str, *dice: int) -> None:
    """Start the turn of the caster's enemy in the area of its spell."""
    while table.active != who:
        table.dice(*dice)
        table.ends_turn()
    table.chooses(table.prompt.asks[0].options[0].id)


def test_a_spell_that_goes_on_dealing_damage_does_not_mark_its_targets() -> None:
    table = table_of(slots=(*SLOTS, ("5", 1)))
    table.does(UseFeature("mira", spell="cloudkill", targets=("ogre",)))
    assert (table.one("ogre").hp, table.effects("ogre")) == (100, set())
    starts_inside(table, "ogre", 1, *[4] * 5)
    assert (table.one("ogre").hp, table.effects("ogre")) == (80, set())
    assert left(table, "mira", "Cloudkill").rounds_left == 100


@pytest.mark.parametrize("rules", [dnd5e, a5e])
@pytest.mark.parametrize(("hp", "is_stunned"), [(150, True), (151, False)])
def test_a_word_of_power_stuns_only_who_has_few_hit_points(
    rules: Callable[[], RuleSystem], hp: int, *, is_stunned: bool
) -> None:
    table = Table(cleric(slots=(("8", 1),)), creature("ogre", hp=hp), foes=("ogre",), rules=rules())
    table.start(mira=20, ogre=10)
    table.does(UseFeature("mira", spell="power-word-stun", targets=("ogre",)))
    assert ("stunned" in table.effects("ogre")) == is_stunned


def test_a_note_of_the_game_stands_for_a_spell_of_a_stat_block_without_text() -> None:
    images = Feature("mirror-image", "Mirror Image", "action", range="self", lasts="1 minute", properties=("spell",))
    table = table_of(features=(images,))
    table.does(UseFeature("mira", "mirror-image"))
    assert left(table, "mira", "Mirror Image").note.startswith("Three duplicates")


def test_the_journal_tells_what_no_rule_counts() -> None:
    table = table_of(slots=(("9", 1),))
    table.does(UseFeature("mira", spell="wish"))
    (told,) = table.happened(SpellTold)
    assert told.text.startswith("Any spell of level 8 or lower")


@pytest.mark.parametrize(
    ("spell", "dice", "hp"),
    [("moonbeam", (20, 2, 2), 100 - 4 // 2), ("wall-of-fire", (6,) * 5, 100 - 30), ("web", (1,), 100)],
)
def test_an_area_acts_again_on_the_turns_of_the_casters_enemies(spell: str, dice: tuple[int, ...], hp: int) -> None:
    table = table_of(slots=(("2", 1), ("4", 1)))
    table.does(UseFeature("mira", spell=spell))
    ends = spell == "wall-of-fire"
    if ends:
        table.chooses("ring, hot inside")
    table.ends_turn(4 if ends else 3)
    (question,) = table.prompt.asks
    table.dice(*dice)
    table.chooses(question.options[0].id)
    assert table.one("ogre").hp == hp
    assert ("restrained" in table.effects("ogre")) == (spell == "web")


def test_a_second_failed_save_against_the_newer_sleep_puts_to_sleep() -> None:
    table = table_of()
    table.dice(1, 1)
    table.does(UseFeature("mira", spell="sleep-2024", targets=("ogre",)))
    assert "incapacitated" in table.effects("ogre")
    table.ends_turn(4)
    assert "unconscious" in table.effects("ogre")
    table.ends_turn(4)
    assert "unconscious" in table.effects("ogre")
    table.does(EndEffect(left(table, "mira", "concentrating").id))
    assert "unconscious" not in table.effects("ogre")


@pytest.mark.parametrize(("kind", "dealt"), [("plant", 64), ("beast", 8)])
def test_blight_deals_the_most_damage_to_plants(kind: str, dealt: int) -> None:
    table = Table(cleric(), creature("shrub", hp=100, type=kind), foes=("shrub",), rules=dnd5e())
    table.start(mira=20, shrub=10)
    table.dice(*([1, 1] if kind == "plant" else [1]), *[1] * 8)
    table.does(UseFeature("mira", spell="blight", targets=("shrub",)))
    assert table.one("shrub").hp == 100 - dealt


def test_a_web_is_escaped_with_a_check_against_the_save_dc() -> None:
    table = table_of(slots=(("2", 1),))
    table.does(UseFeature("mira", spell="web", targets=("ogre",)))
    starts_inside(table, "ogre", 1)
    held = left(table, "ogre", "restrained")
    assert (held.value, held.escape, held.break_free) == (15, "str", "action")


def test_telekinesis_is_a_contest() -> None:
    table = table_of(slots=(("5", 1),))
    table.dice(10, 9)
    table.does(UseFeature("mira", spell="telekinesis", targets=("ogre",)))
    assert "restrained" in table.effects("ogre")
    assert [(one.who, one.feet, one.how) for one in table.happened(Pushed)] == [("ogre", 30, "shifted")]
    table.ends_turn(4)
    table.dice(2, 20)
    table.does(UseFeature("mira", spell="telekinesis", targets=("ogre",), purpose="again"))
    table.ends_turn()
    assert "restrained" not in table.effects("ogre")


def test_an_enfeebled_creature_deals_half_damage_with_its_weapon() -> None:
    table = table_of(slots=(("2", 1),))
    table.dice(19)
    table.does(UseFeature("mira", spell="ray-of-enfeeblement", targets=("ogre",)))
    table.ends_turn(3)
    table.dice(19, 5)
    table.does(Attack("ogre", "ann", "club"))
    assert table.one("ann").hp == 30 - 6 // 2


def test_the_caster_of_a_bond_takes_the_same_damage() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="warding-bond", targets=("ann",)))
    hp = table.one("mira").hp
    table.does(ApplyDamage(("ann",), "10 fire"))
    assert table.one("mira").hp == hp - 5


def test_stopped_time_gives_its_caster_turns_in_a_row() -> None:
    table = table_of(slots=(("9", 1),))
    table.dice(1)
    table.does(UseFeature("mira", spell="time-stop"))
    whose = []
    for _ in range(3):
        table.ends_turn()
        whose.append(table.active)
    assert whose == ["mira", "mira", "ann"]


@pytest.mark.parametrize(("hp", "is_dead"), [(100, True), (101, False)])
def test_a_word_of_power_kills_only_who_has_few_hit_points(hp: int, *, is_dead: bool) -> None:
    table = Table(cleric(slots=(("9", 1),)), creature("ogre", hp=hp), foes=("ogre",), rules=dnd5e())
    table.start(mira=20, ogre=10)
    table.does(UseFeature("mira", spell="power-word-kill", targets=("ogre",)))
    assert table.one("ogre").dead == is_dead


def test_an_enemy_saves_with_advantage_against_a_charm() -> None:
    table = table_of()
    table.dice(3, 19)
    table.does(UseFeature("mira", spell="dominate-monster", targets=("ogre",), level=8))
    assert "charmed" not in table.effects("ogre")


@pytest.mark.parametrize("name", ["Mirror Image", "Detect Thoughts", "Detect Magic"])
def test_the_text_of_a_spell_is_told_when_it_is_cast(name: str) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell=name.lower().replace(" ", "-")))
    if table.prompts:
        table.chooses("surface thoughts")
    assert [event.spell for event in table.happened(SpellTold)] == [name]


def test_a_web_holds_until_a_check_against_its_casters_dc_and_as_long_as_its_own_text_says() -> None:
    web = spell_feature(next(one for one in a5e().data.spells if one.id == "web"), Caster(14))
    web = msgspec.structs.replace(web, lasts="1 minute")
    table = table_of(a5e(), features=(web,))
    table.does(UseFeature("mira", "web", targets=("ogre",)))
    assert left(table, "mira", "Web").rounds_left == 10
    starts_inside(table, "ogre", 2)
    held = left(table, "ogre", "restrained")
    assert (held.escape, held.value) == ("str", 14)


@pytest.mark.parametrize(
    ("rules", "dice", "hp", "left"),
    [(a5e, (), 45, {"deafened"}), (a5e, (), 29, {"stunned", "blinded", "deafened"}), (dnd5e, (2,), 51, set())],
)
def test_a_divine_word_harms_by_hit_points(
    rules: Callable[[], RuleSystem], dice: tuple[int, ...], hp: int, left: set[str]
) -> None:
    word = spell_feature(next(one for one in rules().data.spells if one.id == "divine-word"), Caster(20))
    table = table_of(rules(), features=(word,))
    table.does(ApplyDamage(("ogre",), str(100 - hp)))
    table.dice(*dice)
    table.does(UseFeature("mira", "divine-word", targets=("ogre",)))
    if rules is a5e:
        table.chooses()  # it isn't at home
    assert table.effects("ogre") & {"stunned", "blinded", "deafened"} == left


def test_telekinesis_of_a5e_is_a_check_against_the_casters_dc() -> None:
    table = table_of(a5e(), slots=(("5", 2),))
    table.dice(12)  # DC 8 + 3 + 4
    table.does(UseFeature("mira", spell="telekinesis", targets=("ogre",)))
    assert "restrained" in table.effects("ogre")


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_protection_keeps_out_charms_and_fear_of_its_types_only(rules: Callable[[], RuleSystem]) -> None:
    fiend = creature("ogre", hp=100, type="fiend")
    table = Table(cleric(), creature("ann", hp=30), fiend, creature("bob", hp=30), foes=("ogre",), rules=rules())
    table.start(mira=20, ann=15, bob=12, ogre=10)
    table.does(UseFeature("mira", spell="protection-from-evil-and-good", targets=("ann",)))
    table.does(ApplyCondition(("ann",), "charmed", by="ogre"))
    assert "charmed" not in table.effects("ann")
    table.does(ApplyCondition(("ann",), "frightened", by="bob"))
    assert "frightened" in table.effects("ann")


@pytest.mark.parametrize("uses", [True, False])
def test_a_spell_that_is_used_up_ends_its_concentration(*, uses: bool) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="resistance", targets=("ann",)))
    assert "concentrating" in table.effects("mira")
    table.dice(8, 3)
    table.does(CallForSaves(("ann",), "dex", 10))
    table.chooses("succeeds" if uses else "fails")  # its bearer decides after the roll
    assert ("concentrating" in table.effects("mira")) is not uses


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_a_spell_gives_an_action_at_once_and_again_on_later_turns(rules: Callable[[], RuleSystem]) -> None:
    table = table_of(rules())
    for purpose in ("", "again"):
        table.does(UseFeature("mira", spell="expeditious-retreat", purpose=purpose))
        assert "dashing" in table.effects("mira")
        assert (table.track("mira", "action"), table.track("mira", "bonus"), table.track("mira", "slots.1")) == (
            1,
            0,
            3,
        )
        table.ends_turn(4)


@pytest.mark.parametrize("spell", ["remove-curse", "greater-restoration"])
def test_a_spell_against_curses_ends_that_of_another_spell(spell: str) -> None:
    table = table_of()
    table.does(ApplyCondition(("ann",), "Bestow Curse", rules="disadvantage on checks"))
    table.does(UseFeature("mira", spell=spell, targets=("ann",)), anyway=True)
    assert (table.effects("ann"), table.prompts) == (set(), [])


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_a_cloud_obscures_its_place_on_the_map_or_the_creatures_named(rules: Callable[[], RuleSystem]) -> None:
    table = table_of(rules())
    table.does(UseFeature("mira", spell="fog-cloud", targets=("ann",)))
    assert not sees(table.encounter, table.rules, "ann", "ogre")
    assert not sees(table.encounter, table.rules, "ogre", "ann")
    table = table_of(rules())
    table.does(Add((Map(columns=20, rows=20),)))
    for who, place in (("mira", (0, 0)), ("ann", (10, 10)), ("bob", (0, 1)), ("ogre", (19, 19))):
        table.does(ForceMove(who, place, "teleport"))
    table.does(UseFeature("mira", spell="fog-cloud", targets=("ann",), origin=(10, 10)))
    assert table.effects("ann") == set()
    seen = [sees(table.encounter, table.rules, "mira", other) for other in ("bob", "ann", "ogre")]
    assert seen == [True, None, None]  # the fog is between her and the ogre
    table.does(Concentrate("mira"))  # on something else
    assert sees(table.encounter, table.rules, "mira", "ann")


@pytest.mark.parametrize(("spell", "often"), [("insect-plague", 2), ("moonbeam-2024", 1), ("spike-growth", 0)])
def test_a_spell_affects_whoever_enters_its_area(spell: str, often: int) -> None:
    table = table_of()
    table.does(Add((Map(columns=40, rows=40),)))
    for who, place in (("mira", (0, 0)), ("ann", (30, 30)), ("bob", (0, 1)), ("ogre", (39, 39))):
        table.does(ForceMove(who, place, "teleport"))
    table.dice(*[3] * 99)
    table.does(UseFeature("mira", spell=spell, origin=(10, 10), level=5), anyway=True)
    table.ends_turn()
    hurt = [table.one("ann").hp]
    for place in ((10, 10), (30, 30), (10, 10)):  # only the first time on a turn
        table.does(ForceMove("ann", place, "teleport"))
        hurt.append(table.one("ann").hp)
    table.ends_turn()
    hurt.append(table.one("ann").hp)
    assert hurt == sorted(hurt, reverse=True)
    assert (len(set(hurt)) - 1, table.one("bob").hp) == (often, 30)
    assert (hurt[0] - hurt[1] > 0, hurt[1:4]) == (often > 0, [hurt[1]] * 3)


@pytest.mark.parametrize(("spell", "carried"), [("spirit-guardians", False), ("conjure-woodland-beings-2024", True)])
def test_an_area_carried_over_enemies_spares_friends(spell: str, carried: bool) -> None:
    table = table_of()
    table.does(Add((Map(columns=40, rows=40),)))
    for who, place in (("mira", (0, 0)), ("ann", (2, 0)), ("bob", (0, 1)), ("ogre", (20, 0))):
        table.does(ForceMove(who, place, "teleport"))
    table.dice(*[3] * 99)
    table.does(UseFeature("mira", spell=spell), anyway=True)
    if table.prompts:
        table.chooses("radiant")
    hurt = [table.one("ogre").hp]
    for who, place in (("mira", (18, 0)), ("ogre", (30, 0)), ("ogre", (20, 0)), ("mira", (0, 0))):
        table.does(ForceMove(who, place, "teleport"))
        hurt.append(table.one("ogre").hp)
    assert [table.one(friend).hp for friend in ("ann", "bob", "mira")] == [30, 30, 30]
    assert [now < before for before, now in pairwise(hurt)] == [carried, False, not carried, False]


def test_a_target_of_mind_spike_cant_hide_from_its_caster() -> None:
    table = table_of()
    table.dice(*[3] * 9)
    table.does(UseFeature("mira", spell="mind-spike", targets=("ogre",)), anyway=True)
    table.does(ApplyCondition(("ogre",), "hidden"), anyway=True)
    assert [is_hidden_from(table.encounter, table.rules, "ogre", who) for who in ("mira", "ann")] == [False, True]


@pytest.mark.parametrize("rules", [dnd5e, a5e])
@pytest.mark.parametrize(("spell", "height"), [("reverse-gravity", 100), ("levitate", 20), ("fly", 0)])
def test_a_spell_holds_its_target_in_the_air_until_it_ends(
    rules: Callable[[], RuleSystem], spell: str, height: int
) -> None:
    table = table_of(rules())
    table.dice(2)
    table.does(UseFeature("mira", spell=spell, targets=("ann",), level=7 if height == 100 else 3), anyway=True)
    if spell == "levitate" and rules is dnd5e:
        table.chooses()  # it isn't too heavy
    if spell == "levitate":
        table.chooses("ann")  # who is willing
    assert table.one("ann").elevation == height
    if not height:
        table.does(SetPosition("ann", elevation=60))
    table.does(Concentrate("mira"))
    assert bool(table.prompts) == (spell != "levitate")  # one that levitates comes down gently
    if table.prompts:
        table.chooses("nothing")
    assert table.one("ann").elevation == 0


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_feather_fall_is_offered_in_a_fall_and_ends_on_the_ground(rules: Callable[[], RuleSystem]) -> None:
    feather = Feature("feather", "Feather Fall", "reaction", level=1, properties=("spell",))
    table = table_of(rules(), features=(feather,))
    for who, chosen in (("ogre", "usual"), ("ann", "mira feather"), ("bob", "usual")):
        table.does(ApplyCondition((who,), "falling"), anyway=True)
        options = [option.id for option in table.prompt.asks[0].options]
        assert ("mira feather" in options) == (who == "ann")  # not for an enemy, and she has one reaction
        table.chooses("nothing" if chosen == "usual" else chosen)
    assert (table.one("ann").hp, table.track("mira", "slots.1"), table.track("mira", "reaction")) == (30, 3, 0)
    table.does(UseFeature("mira", "feather", targets=("ann",)), anyway=True)
    table.does(ApplyCondition(("ann",), "falling"), anyway=True)
    assert table.prompt.asks[0].suggested == ("nothing",)
    table.chooses("nothing")
    assert table.effects("ann") == set()


@pytest.mark.parametrize(
    ("rules", "spell", "in_shape", "after"),
    [
        (a5e, "polymorph", (12, 0), (27, 0)),
        (dnd5e, "polymorph", (12, 0), (27, 0)),
        (dnd5e, "polymorph-2024", (30, 12), (27, 0)),
        (dnd5e, "shapechange-2024", (30, 12), (27, 0)),
    ],
)
def test_a_new_shape_is_asked_and_ends_as_its_spell_says(
    rules: Callable[[], RuleSystem], spell: str, in_shape: tuple[int, int], after: tuple[int, int]
) -> None:
    table = table_of(rules())
    table.does(Add((creature("wolf", hp=12, type="beast", features=(CLUB,)),)))
    table.dice(2)
    table.does(UseFeature("mira", spell=spell, targets=("mira",), level=9), anyway=True)
    table.chooses("wolf")
    mira = table.one("mira")
    assert ((mira.hp, mira.temp_hp), creature_of(table.encounter, mira).name) == (in_shape, "Wolf")
    table.dice(20)  # for the concentration
    table.does(ApplyDamage(("mira",), "15"))
    mira = table.one("mira")
    assert (mira.hp, mira.temp_hp) == after
    assert (mira.creature == "mira") == (spell != "shapechange-2024")  # which lasts without temporary hit points
    table.does(Concentrate("mira"))
    assert (table.one("mira").creature, table.one("mira").hp) == ("mira", 27)


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_laughter_is_saved_against_with_advantage_when_hurt(rules: Callable[[], RuleSystem]) -> None:
    table = table_of(rules())
    table.dice(2)
    table.does(UseFeature("mira", spell="hideous-laughter", targets=("ann",)))
    if rules is dnd5e:
        table.chooses()  # its Intelligence is higher
    table.dice(2)
    table.ends_turn(2)
    assert "incapacitated" in table.effects("ann")
    table.dice(2, 18)
    table.does(ApplyDamage(("ann",), "1"))
    assert "incapacitated" not in table.effects("ann")


def test_fear_is_saved_against_only_out_of_sight() -> None:
    table = table_of(slots=(("3", 2),))
    table.dice(2)
    table.does(UseFeature("mira", spell="fear", targets=("ann",)))
    table.ends_turn()
    table.chooses("pass")  # its Dash
    table.ends_turn()
    assert "frightened" in table.effects("ann")
    table.does(SetRelation("ann", "mira", seen=False))
    table.dice(18)
    table.ends_turn(3)
    table.chooses("pass")
    table.ends_turn()
    assert "frightened" not in table.effects("ann")


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_stopped_time_goes_on_when_its_caster_affects_another(rules: Callable[[], RuleSystem]) -> None:
    table = table_of(rules(), slots=(("9", 1), ("1", 2)))
    table.dice(4)
    table.does(UseFeature("mira", spell="time-stop"))
    table.ends_turn()
    table.does(UseFeature("mira", spell="longstrider", targets=("mira",)))
    assert "extra-turns" in table.effects("mira")
    table.ends_turn()
    table.does(UseFeature("mira", spell="heroism", targets=("ann",)))
    assert "extra-turns" not in table.effects("mira")
    table.ends_turn()
    assert table.active == "ann"


@pytest.mark.parametrize("rules", [dnd5e, a5e])
@pytest.mark.parametrize(("spell", "hp"), [("sacred-flame", 30 - 2), ("burning-hands", 30 - 1)])
def test_cover_does_not_help_against_a_sacred_flame(rules: Callable[[], RuleSystem], spell: str, hp: int) -> None:
    table = table_of(rules())
    table.does(SetRelation("mira", "ann", cover="half"))
    table.dice(13, 1, 1, 1)
    table.does(UseFeature("mira", spell=spell, targets=("ann",)))
    assert table.one("ann").hp == hp


def test_a_phantom_is_seen_through_with_an_action() -> None:
    table = table_of(a5e())
    table.dice(2)
    table.does(UseFeature("mira", spell="phantasmal-force", targets=("ann",)))
    table.chooses("harmless")
    table.ends_turn()
    table.dice(20)
    table.does(BreakFree(left(table, "ann", "Phantasmal Force").id))
    assert table.prompt.asks[0].suggested == ("int:investigation",)
    table.chooses("int:investigation")
    assert table.effects("ann") == set()


@pytest.mark.parametrize("rules", [dnd5e, a5e])
@pytest.mark.parametrize(("variant", "hp"), [("flood", 30), ("whirlpool", 30 - 3)])
def test_only_the_whirlpool_of_controlled_water_hurts(rules: Callable[[], RuleSystem], variant: str, hp: int) -> None:
    table = table_of(rules())
    table.dice(2, 1, 2)
    table.does(UseFeature("mira", spell="control-water", targets=("ann",)))
    table.chooses(variant)
    assert table.one("ann").hp == hp


def test_the_damage_of_a_cantrips_variant_grows_with_its_caster() -> None:
    table = table_of()
    table.dice(19, 4, 4)
    table.does(UseFeature("mira", spell="sorcerous-burst", targets=("ann",)))
    table.chooses("cold")
    assert table.one("ann").hp == 30 - 8


@pytest.mark.parametrize(
    ("rules", "spell", "variant", "faces", "left_over"),
    [
        (dnd5e, "flesh-to-stone", "", (20, 2, 20, 20), set()),
        (dnd5e, "flesh-to-stone", "", (2, 20, 2, 2), {"petrified"}),
        (dnd5e, "contagion", "blinding sickness", (2, 20, 2, 2), {"Contagion", "blinded"}),
        (a5e, "contagion", "filth fever", (20, 20, 2, 20), set()),
        (dnd5e, "contagion-2024", "Wisdom", (2, 2, 2), {"Contagion (2024)", "poisoned"}),
    ],
)
def test_three_saves_of_a_kind_decide(
    rules: Callable[[], RuleSystem], spell: str, variant: str, faces: tuple[int, ...], left_over: set[str]
) -> None:
    table = table_of(rules())
    table.does(SetHitPoints("ann", hp=200, hp_max=200))
    table.dice(*((18,) if spell == "contagion" else (2, *[1] * 11 * (spell == "contagion-2024"))))
    table.does(UseFeature("mira", spell=spell, targets=("ann",), level=6), anyway=True)
    if variant:
        table.chooses(variant)
    for face in faces:
        assert table.effects("ann")
        while table.active != "ann":
            table.ends_turn()
        table.dice(face)
        table.ends_turn()
    assert table.effects("ann") == left_over
    table.ends_turn(5)
    assert table.effects("ann") == left_over


def test_each_failed_save_against_a_nightmare_hurts() -> None:
    table = table_of()
    table.dice(2)
    table.does(UseFeature("mira", spell="phantasmal-killer", targets=("ann",)))
    assert (table.one("ann").hp, "frightened" in table.effects("ann")) == (30, True)
    table.ends_turn()
    table.dice(2, 1, 2, 3, 4)
    table.ends_turn()
    assert table.one("ann").hp == 20
    table.ends_turn(3)
    table.dice(20)
    table.ends_turn()
    assert (table.one("ann").hp, table.effects("ann")) == (20, set())


@pytest.mark.parametrize("choice", ["flood", "whirlpool"])
def test_the_chosen_effect_of_an_area_acts_on_later_turns(choice: str) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="control-water"), anyway=True)
    table.chooses(choice)
    table.ends_turn(3)  # without a map, enemies are asked about
    asked = [each for prompt in open_prompts(table.encounter) for each in prompt.asks]
    assert [each.detail for each in asked] == ["Control Water"] * (choice == "whirlpool")


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_freedom_of_movement_ends_a_grapple_at_the_start_of_a_turn_without_a_check(
    rules: Callable[[], RuleSystem],
) -> None:
    table = table_of(rules())
    table.does(UseFeature("mira", spell="freedom-of-movement", targets=("ann",)))
    table.ends_turn()
    assert table.prompts == []
    table.does(ApplyCondition(("ann",), "grappled", source="ogre"))
    table.ends_turn(4)
    table.chooses(table.prompt.asks[0].options[0].id)
    assert "grappled" not in table.effects("ann")
    assert table.track("ann", "moved") == 5


@pytest.mark.parametrize(("spell", "hp"), [("rage-of-the-meek", 88), ("dispel-evil-and-good", 79)])
def test_a_spell_on_its_caster_strikes_on_later_turns_and_leaves_its_effect_there(spell: str, hp: int) -> None:
    ghoul = creature("ghoul", hp=100, ac=11, type="undead")
    many = tuple((str(level), 1) for level in range(1, 7))
    table = Table(cleric(slots=many), ghoul, foes=("ghoul",), rules=a5e())
    table.start(mira=20, ghoul=10)
    table.does(UseFeature("mira", spell=spell))
    table.ends_turn()
    if table.prompts:
        table.chooses("waived")  # a rage would end, because she hasn't attacked
    table.ends_turn()
    table.dice(15, *[3] * 9)
    table.does(UseFeature("mira", spell=spell, targets=("ghoul",), purpose="again"))
    name = next(one.name for one in table.rules.data.spells if one.id == spell)
    assert (table.one("ghoul").hp, name in table.effects("mira"), name in table.effects("ghoul")) == (hp, True, False)


def test_a_weapon_attack_is_part_of_casting_some_spells() -> None:
    table = table_of(rules=a5e())
    table.ends_turn()
    table.dice(15, 4)
    table.does(UseFeature("ann", spell="altered-strike"))
    table.answers(who=("ogre",))
    assert table.one("ogre").hp == 100 - 5


@pytest.mark.parametrize(("level", "holds"), [(4, True), (5, False), (7, False)])
def test_a_higher_slot_can_spare_concentration(level: int, holds: bool) -> None:
    for game in (a5e(), dnd5e()):
        curse = next(one for one in game.data.spells if one.id == "bestow-curse")
        assert spell_feature(curse, Caster(15, 7, 9, 3), level=level).concentration is holds


@pytest.mark.parametrize(("rules", "spell"), [(dnd5e, "magic-weapon"), (a5e, "magic-weapon"), (pf2e, "runic-weapon")])
@pytest.mark.parametrize(
    ("weapons", "asked"), [((CLUB,), False), ((CLUB, msgspec.structs.replace(CLUB, id="bow")), True)]
)
def test_a_spell_on_a_weapon_asks_for_the_weapon_if_its_bearer_has_several(
    rules: Callable[[], RuleSystem], spell: str, weapons: tuple[Feature, ...], *, asked: bool
) -> None:
    weapons = tuple(msgspec.structs.replace(one, name=one.id.title()) for one in weapons)
    table = Table(cleric(features=weapons), creature("ogre", hp=100, ac=11), foes=("ogre",), rules=rules())
    table.start(mira=20, ogre=10)
    table.does(UseFeature("mira", spell=spell, targets=("mira",)))
    assert bool(table.prompts) is asked
    if asked:
        table.chooses("Club")
    table.ends_turn(2)
    name = next(one.name for one in table.rules.data.spells if one.id == spell)
    assert all("with:club" in one.when for one in left(table, "mira", name).rules)
    table.dice(7, *[3] * 3)  # 7 + 3 + 1 hits AC 11
    table.does(Attack("mira", "ogre", "club"))
    while table.prompts:
        table.answers(damage="5")
    assert table.one("ogre").hp < 100


@pytest.mark.parametrize(("foe", "charmed"), [("ogre", False), ("bob", True)])
def test_an_enemy_has_a_bonus_to_its_save_against_some_spells(foe: str, *, charmed: bool) -> None:
    table = table_of(pf2e(), features=(Feature("spells", "Spellcasting", dc=18),))
    table.dice(15)  # and 4 for an enemy
    table.does(UseFeature("mira", spell="charm", targets=(foe,)))
    assert ("friendly" in table.effects(foe)) is charmed


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_harm_lowers_the_maximum_of_hit_points_only_after_a_failed_save(rules: Callable[[], RuleSystem]) -> None:
    for face, most in ((2, 100 - 14), (20, 100)):
        table = table_of(rules(), slots=(("6", 1),))
        table.dice(face, *[1] * 14)
        table.does(UseFeature("mira", spell="harm", targets=("ogre",)))
        assert (table.one("ogre").hp_max, table.one("ogre").hp) == (most, 86 if face == 2 else 93)


@pytest.mark.parametrize(("level", "damage"), [(1, "1d6 piercing"), (3, "3d6 piercing")])
def test_the_only_damage_of_a_spell_rises_with_its_slot_also_if_it_comes_later(level: int, damage: str) -> None:
    strike = next(one for one in dnd5e().data.spells if one.id == "ensnaring-strike")
    made = spell_feature(strike, Caster(15, 7, 9, 3), level=level)
    assert made.leaves is not None
    assert made.leaves.damage == damage


@pytest.mark.parametrize(("hp", "state"), [(150, "stunned"), (151, "rattled")])
def test_a_word_of_power_rattles_those_with_more_hit_points(hp: int, state: str) -> None:
    table = Table(cleric(slots=(("8", 1),)), creature("ogre", hp=hp), foes=("ogre",), rules=a5e())
    table.start(mira=20, ogre=10)
    table.does(UseFeature("mira", spell="power-word-stun", targets=("ogre",)))
    assert {"stunned", "rattled"} & table.effects("ogre") == {state}


@pytest.mark.parametrize(("answer", "hp", "slots"), [("hellish-rebuke", 90 - 10, 1), ("pass", 90, 2)])
def test_a_spell_that_answers_harm_is_offered_when_its_caster_is_hurt(answer: str, hp: int, slots: int) -> None:
    spell = next(one for one in dnd5e().data.spells if one.id == "hellish-rebuke")
    rebuke = msgspec.structs.replace(spell_feature(spell, Caster(15, 7, 5, 3)), level=1)
    claw = Feature("claw", "Claw", "action", attack=12, reach=5, damage="8 slashing")
    imp, ogre = creature("imp", hp=60, features=(rebuke,), slots=(("1", 2),)), creature("ogre", hp=90, features=(claw,))
    table = Table(imp, ogre, foes=("ogre",), rules=dnd5e())
    table.start(ogre=20, imp=10)
    table.dice(15, 3, 5, 5)
    table.does(Attack("ogre", "imp", "claw"))
    table.chooses(answer)
    assert (table.one("ogre").hp, remaining_uses(table.encounter, "imp", "slots.1")) == (hp, slots)


@pytest.mark.parametrize(("spell", "faces"), [("earthquake", (20, 5)), ("earthquake-2024", (2,))])
def test_an_earthquake_shakes_concentration(spell: str, faces: tuple[int, ...]) -> None:
    table = table_of(slots=(("8", 1),))
    table.does(Concentrate("ann", "bless"))
    table.dice(*faces)
    table.does(UseFeature("mira", spell=spell, targets=("ann",)))
    assert "concentrating" not in table.effects("ann")


@pytest.mark.parametrize("rules", [dnd5e, a5e])
@pytest.mark.parametrize(("ac", "gear", "worn"), [(12, (), 15), (14, ("shield",), 17), (16, (), 16)])
def test_mage_armor_replaces_a_lower_armor_class(
    rules: Callable[[], RuleSystem], ac: int, gear: tuple[str, ...], worn: int
) -> None:
    ann = creature("ann", ac=ac, gear=gear, abilities=(("dex", 14),))
    table = Table(cleric(), ann, creature("goblin"), foes=("goblin",), rules=rules())
    table.start(mira=20, ann=15, goblin=10)
    table.does(UseFeature("mira", spell="mage-armor", targets=("ann",)))
    table.chooses()  # nobody wears armor
    assert armor_class(table.encounter, table.rules, "ann").total == worn
