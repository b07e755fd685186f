"""Pathfinder's spells at the table: what they leave, by rank, by degree of success and by the number of actions."""

from __future__ import annotations

import msgspec
import pytest

from tests.for_each import for_each
from tests.table import Table, creature, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import AfflictionStage, Creature, Feature, InflictedCondition, Map, RosterEntry
from turnwright.encounter.running import Combatant, Dice, Effect, LastingArea
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.cast_spell import CastSpell
from turnwright.play.actions.contest import BreakFree
from turnwright.play.actions.feature_steps import Teleports
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.attacks.save_effect import SpellTold
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.forced_movement import ForceMove, Pushed
from turnwright.play.queries.queries import open_prompts
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.events import Rolled, Skipped, Unaffected
from turnwright.play.state.position_changes import SetPosition, SetRelation
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature, with_choice
from turnwright.rules.parts.checks.ability_checks import armor_class, save_roll
from turnwright.rules.parts.combatants.facts import speeds_of
from turnwright.rules.parts.economy.limited_uses import remaining, remaining_uses
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.movement.move_legs import base_speed
from turnwright.rules.parts.positions.sight import cover_of, sees

SPELLS = Feature("spells", "Spellcasting", "trait", dc=20, attack=10)
CLUB = Feature("club", "Club", "action", attack=6, damage="4 bludgeoning", properties=("weapon",), reach=5)
SAVES = (("con", 5), ("wis", 5))
SLOTS = tuple((str(rank), 3) for rank in range(1, 10))


def priest(*own: Feature) -> Creature:
    mind = {"abilities": (("wis", 0),), "spellcasting": "wis"}
    return creature("mira", hp=60, level=9, ac=18, features=(SPELLS, CLUB, *own), slots=SLOTS, **mind)


def table_of(*own: Feature) -> Table:
    ann, bob = (creature(id, hp=60, ac=17, level=3, saves=SAVES, features=(CLUB,)) for id in ("ann", "bob"))
    ogre = creature("ogre", hp=90, ac=17, level=3, saves=SAVES, features=(CLUB,))
    table = Table(priest(*own), ann, bob, ogre, foes=("ogre",), rules=pf2e())
    table.start(mira=20, ann=15, bob=12, ogre=10)
    return table


def left(table: Table, who: str, name: str) -> Effect:
    return next(one for one in table.encounter.of(Effect, who) if one.name == name)


def test_bless_adds_a_status_bonus_that_does_not_add_up_with_another() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="bless", targets=("mira", "ann")))
    assert (left(table, "ann", "Bless").rounds_left, remaining(table.encounter, "mira", "action")) == (10, 1)
    table.ends_turn()
    table.does(ApplyCondition(("ann",), "Luck", rules="+1 attack"))
    table.dice(9)  # 9 + 6 + 1 + 1 for an untyped bonus hits AC 17; without either it misses
    table.does(Attack("ann", "ogre", "club"))
    assert table.one("ogre").hp == 86


def on_a_map(*own: Feature, **at: tuple[int, int]) -> Table:
    table = table_of(*own)
    table.does(Add((Map(columns=30, rows=30),)))
    for who, position in at.items():
        table.does(SetPosition(who, position=position))
    return table


def test_bless_on_the_map_is_for_its_caster_and_grows_with_an_action() -> None:
    table = on_a_map(mira=(9, 9), ann=(11, 9), bob=(14, 9), ogre=(10, 9))
    table.does(UseFeature("mira", spell="bless"))
    assert [bool(left_rules(table, who)) for who in ("mira", "ann", "bob", "ogre")] == [True, True, False, False]
    for _ in range(4):
        table.ends_turn()
    table.does(UseFeature("mira", spell="bless", purpose="again"))
    (area,) = table.encounter.all(LastingArea)
    assert (area.radius, remaining(table.encounter, "mira", "action")) == (25, 2)
    assert [bool(left_rules(table, who)) for who in ("mira", "ann", "bob", "ogre")] == [True, True, True, False]


@for_each(
    ("spell", "cover", "seen", "left_of_it"),
    [
        ("wall-of-force", "total", True, 60), ("wall-of-ice", "total", False, 30), ("wall-of-stone", "total", False, 44),
        ("wall-of-thorns", "three-quarters", True, 10),
    ],
)  # fmt: skip
def test_a_wall_stands_on_the_map_and_its_hardness_reduces_damage(
    spell: str, cover: str, seen: bool, left_of_it: int
) -> None:
    club = Feature("maul", "Maul", "action", attack=14, damage="20 bludgeoning", properties=("weapon",), reach=5)
    table = on_a_map(club, mira=(9, 9), ann=(14, 9), ogre=(11, 9), bob=(2, 2))
    table.does(UseFeature("mira", spell=spell, origin=(10, 9)))
    if spell == "wall-of-ice":
        table.chooses("wall")
    assert cover_of(table.encounter, table.rules, "mira", "ogre") == cover
    assert sees(table.encounter, table.rules, "mira", "ogre") is seen
    for _ in range(4):
        table.ends_turn()
    near = next(one for one in current_map(table.encounter).obstacles if one.at[1] <= 9 < one.at[1] + one.size[1])
    table.dice(15)  # a critical hit, which doesn't count
    table.does(Attack("mira", near.id, "maul"))
    (struck,) = (one for one in current_map(table.encounter).obstacles if one.id == near.id)
    assert struck.hp == left_of_it


def test_a_toxic_cloud_drifts_away_from_its_caster() -> None:
    table = on_a_map(mira=(2, 15), ann=(1, 1), bob=(1, 2), ogre=(1, 3))
    table.does(UseFeature("mira", spell="toxic-cloud", origin=(15, 15)))
    before = next(iter(table.encounter.all(LastingArea))).squares[0]
    for _ in range(4):
        table.ends_turn()
    after = next(iter(table.encounter.all(LastingArea))).squares[0]
    assert (after[0] - before[0], after[1] - before[1]) == (2, 0)


def left_rules(table: Table, who: str) -> list[DataRule]:
    return [rule for one in table.encounter.of(Effect, who) for rule in one.rules]


def test_an_antimagic_field_stays_around_its_caster() -> None:
    table = on_a_map(mira=(9, 9), ann=(10, 9), bob=(20, 9))
    table.does(UseFeature("mira", spell="antimagic-field"))
    assert [bool(left_rules(table, who)) for who in ("mira", "ann", "bob")] == [True, True, False]


@pytest.mark.parametrize(("rank", "bonus"), [(3, 1), (5, 1), (6, 2), (8, 2), (9, 3)])
def test_heroism_rises_at_its_ranks(rank: int, bonus: int) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="heroism", targets=("ann",), level=rank))
    table.does(UseFeature("mira", spell="bless", targets=("ann",), purpose="free"), anyway=True)
    assert [rule.add for rule in left(table, "ann", "Heroism").rules] == [bonus]
    table.ends_turn()
    table.dice(11 - bonus)  # the better status bonus counts
    table.does(Attack("ann", "ogre", "club"))
    assert table.one("ogre").hp == 86


def test_haste_gives_an_action_and_more_targets_at_rank_7() -> None:
    table = table_of()
    assert "too_many_targets" in str(table.refuses(UseFeature("mira", spell="haste", targets=("ann", "bob"))))
    table.does(UseFeature("mira", spell="haste", targets=("ann", "bob"), level=7))
    assert left(table, "bob", "quickened").rounds_left == 10
    table.ends_turn()
    assert remaining(table.encounter, "ann", "action") == 4
    table.ends_turn(40)
    assert "quickened" not in table.effects("ann")


@pytest.mark.parametrize(("face", "value", "rounds"), [(20, 0, 0), (15, 1, 0), (11, 1, 10), (1, 2, 10)])
def test_slow_depends_on_the_degree(face: int, value: int, rounds: int) -> None:
    table = table_of()
    table.dice(face)
    table.does(UseFeature("mira", spell="slow", targets=("ogre",)))
    while table.prompts and table.prompts[0].blocks:
        table.skips()
    found = [one for one in table.encounter.of(Effect, "ogre") if one.name == "slowed"]
    assert [one.value for one in found] == ([value] if value else [])
    if value:
        assert found[0].rounds_left == rounds
        table.ends_turn(3)
        assert remaining(table.encounter, "ogre", "action") == 3 - value
        table.ends_turn()
        assert ("slowed" in table.effects("ogre")) == bool(rounds)


@pytest.mark.parametrize(("face", "value"), [(15, 1), (11, 2), (1, 3)])
def test_fear_frightens_by_degree_and_drives_away_after_a_critical_failure(face: int, value: int) -> None:
    table = table_of()
    table.dice(face, face)
    table.does(UseFeature("mira", spell="fear", targets=("ogre", "bob"), level=3))
    assert left(table, "bob", "frightened").value == value
    assert ("fleeing" in table.effects("ogre")) == (face == 1)


@pytest.mark.parametrize(
    ("actions", "healed", "reaches"), [(1, 9, ("ann",)), (2, 33, ("ann",)), (3, 9, ("ann", "bob"))]
)
@pytest.mark.parametrize("own", [False, True])
def test_heal_depends_on_the_number_of_actions(
    actions: int, healed: int, reaches: tuple[str, ...], *, own: bool
) -> None:
    heal = next(one for one in pf2e().data.spells if one.id == "heal")
    listed = spell_feature(heal, Caster(20, 10), level=3)
    assert (listed.heals, listed.range) == ("3d8+24", "30")
    table = table_of(*([listed] if own else []))
    for who in reaches:
        table.does(ApplyDamage((who,), "40"))
    table.dice(3, 3, 3)
    name = {"feature": "heal"} if own else {"spell": "heal", "level": 3}
    table.does(CastSpell("mira", targets=reaches, points=actions, **name))
    assert [table.one(who).hp for who in reaches] == [20 + healed for _ in reaches]
    assert remaining(table.encounter, "mira", "action") == 3 - actions


def test_a_missile_for_each_action() -> None:
    table = table_of()
    table.dice(2)
    table.does(CastSpell("mira", spell="force-barrage", targets=("ogre",), points=1))
    table.dice(2, 2)
    table.does(CastSpell("mira", spell="magic-missile", targets=("ogre",), points=2))
    assert table.one("ogre").hp == 90 - 3 - 6


def test_true_strike_is_for_the_next_attack_of_this_turn() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="true-strike"))
    table.dice(2, 12)
    table.does(Attack("mira", "ogre", "club"))
    assert (table.one("ogre").hp, table.effects("mira") & {"True Strike"}) == (86, set())
    table.does(UseFeature("mira", spell="sure-strike"))
    table.ends_turn()
    assert "Sure Strike" not in table.effects("mira")


def test_shield_lasts_until_the_casters_next_turn() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="shield"))
    table.ends_turn(3)
    assert armor_class(table.encounter, table.rules, "mira").total == 19
    table.ends_turn()
    assert armor_class(table.encounter, table.rules, "mira").total == 18


def test_invisibility_ends_with_an_attack_unless_its_rank_is_4() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="invisibility", targets=("ann",)))
    table.ends_turn()
    table.dice(15)
    table.does(Attack("ann", "ogre", "club"))
    assert "invisible" not in table.effects("ann")
    table.ends_turn(3)
    table.does(UseFeature("mira", spell="invisibility", targets=("ann",), level=4))
    table.ends_turn()
    table.dice(15)
    table.does(Attack("ann", "ogre", "club"))
    assert left(table, "ann", "invisible").rounds_left


@pytest.mark.parametrize(("rank", "taken"), [(2, 7), (4, 2), (7, 0)])
def test_resist_energy_is_chosen_and_rises_with_its_rank(rank: int, taken: int) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="resist-energy", targets=("ann",), level=rank))
    table.answers(variant=("fire",))
    table.does(ApplyDamage(("ann",), "12 fire"))
    assert table.one("ann").hp == 60 - taken


@for_each(
    ("spell", "rank", "variant", "faces", "taken"),
    [
        ("searing-light", 5, "undead or fiend target", (20, *[1] * 18), 2 * 18),
        ("searing-light", 5, "other target", (20, *[1] * 9), 2 * 9),
        ("shadow-blast", 6, "line, Will", (1, *[1] * 6), 12),
        ("falling-stars", 10, "comets (cold)", (12, *[1] * 16), 16),
        ("prismatic-spray", 7, "4 green", (3,), 30),
        ("storm-of-vengeance", 9, "hail", (18, *[1] * 4), 2),
        ("crisis-of-faith", 4, "casts no divine spells", (12, *[1] * 8), 8),
        ("crisis-of-faith", 4, "casts divine spells", (12, *[8] * 8), 64),
    ],
)
def test_a_variant_has_its_own_damage_by_its_rank(
    spell: str, rank: int, variant: str, faces: tuple[int, ...], taken: int
) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell=spell, targets=("ogre",), level=rank))
    table.dice(*faces)
    table.answers(variant=(variant,))
    assert table.one("ogre").hp == max(0, 90 - taken)


def test_magic_weapons_have_one_more_die_and_mist_hides() -> None:
    axe = Feature("axe", "Axe", "action", attack=6, damage="1d8+2 slashing", properties=("weapon",), reach=5)
    pick = msgspec.structs.replace(axe, id="pick", name="Pick")
    table = table_of(axe, pick)
    table.does(UseFeature("mira", spell="magic-weapon", targets=("mira",)))
    table.chooses("Axe")
    table.dice(12, 3, 4)
    table.does(Attack("mira", "ogre", "axe"))
    assert table.one("ogre").hp == 90 - 3 - 4 - 2
    table.dice(19, 3)
    table.does(Attack("mira", "ogre", "pick"), anyway=True)
    assert table.one("ogre").hp == 90 - 9 - 5
    table.ends_turn()
    table.does(UseFeature("mira", spell="mist", targets=("ann", "bob"), purpose="free"), anyway=True)
    table.dice(4)
    table.does(Attack("ann", "ogre", "club"))
    assert table.one("ogre").hp == 76  # concealed from each other: the flat check failed


def test_touch_reaches_as_far_as_the_caster_and_immunity_follows_a_save() -> None:
    table = table_of()
    table.does(SetRelation("mira", "ogre", distance=30))
    assert table.refuses(UseFeature("mira", spell="vampiric-touch", targets=("ogre",))).key == "refused.out_of_reach"
    table.dice(12)
    table.does(UseFeature("mira", spell="blindness", targets=("ogre",)))
    assert "blinded" in table.effects("ogre")
    table.ends_turn(4)
    table.does(UseFeature("mira", spell="blindness", targets=("ogre",)), anyway=True)
    assert table.prompts == []


def test_the_touch_that_chills_does_not_hurt_the_undead() -> None:
    bones = creature("bones", hp=90, ac=17, type="undead", saves=SAVES)
    table = Table(priest(), bones, foes=("bones",), rules=pf2e())
    table.start(mira=20, bones=10)
    table.dice(10)
    table.does(UseFeature("mira", spell="chill-touch", targets=("bones",)))
    assert (table.one("bones").hp, table.effects("bones")) == (90, {"off-guard"})


@pytest.mark.parametrize(("ward", "again"), [("dispelling-globe", True), ("spell-turning", False)])
@pytest.mark.parametrize("protects", [True, False])
def test_a_ward_may_counteract_a_spell(ward: str, again: bool, protects: bool) -> None:
    table, curse = table_of(), Feature("hex", "Hex", "action", damage="4 mental", properties=("spell",))
    table.does(UseFeature("mira", spell=ward, targets=("mira",)))
    table.ends_turn(3)
    table.does(UseFeature("ogre", given=curse, targets=("mira",)))
    table.chooses(*(["mira"] if protects else []))
    assert (table.one("mira").hp, table.prompts) == (60 if protects else 56, [])
    table.does(UseFeature("ogre", given=curse, targets=("mira",)))
    assert bool(table.prompts) is again


def test_who_escapes_a_vine_has_its_speed_again() -> None:
    table = table_of()
    table.dice(8)
    table.does(UseFeature("mira", spell="tanglefoot", targets=("ogre",)))
    table.ends_turn(3)
    table.does(BreakFree(left(table, "ogre", "Tanglefoot").id))
    table.chooses("str:athletics")
    table.dice(20)
    assert "Tanglefoot" not in table.effects("ogre")


@pytest.mark.parametrize("again", [True, False])
def test_the_action_of_a_sustained_spell_sustains_it(again: bool) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="flaming-sphere"))
    table.ends_turn(4)
    if again:
        table.dice(10, 1, 1, 1)
        table.does(UseFeature("mira", spell="flaming-sphere", targets=("ogre",), purpose="again"))
    table.ends_turn()
    assert ("Flaming Sphere" in table.effects("mira")) is again


def test_an_image_turns_a_critical_hit_into_a_hit() -> None:
    lost = []
    for image in (4, 1):
        table = table_of()
        table.does(UseFeature("mira", spell="mirror-image"))
        table.ends_turn(3)
        hp = table.one("mira").hp
        table.dice(20, image, 5)
        table.does(Attack("ogre", "mira", "club"))
        lost.append((hp - table.one("mira").hp, left(table, "mira", "Mirror Image").uses_left))
    (once, two), (twice, three) = lost
    assert (twice, two, three) == (2 * once, 2, 3)
    assert once


def test_images_are_hit_until_none_is_left() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="mirror-image"))
    table.ends_turn(3)
    for image in (4, 6, 6):
        table.dice(19, image)
        table.does(Attack("ogre", "mira", "club", purpose="free"), anyway=True)
    assert (table.one("mira").hp, "Mirror Image" in table.effects("mira")) == (60, False)


@pytest.mark.parametrize(
    ("face", "second", "third", "lasts"),
    [(20, (2,), (2,), False), (18, (2,), (18, 2), True), (9, (), (18, 2), True), (2, (), (), True)],
)
def test_attackers_of_a_warded_creature_save_first(
    face: int, second: tuple[int, ...], third: tuple[int, ...], *, lasts: bool
) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="sanctuary", targets=("mira",)))
    table.ends_turn(3)
    hits = face >= 18
    for faces in ((face, *[15] * hits), second, third):
        table.dice(*faces)
        table.does(Attack("ogre", "mira", "club", purpose="free"), anyway=True)
        assert not open_prompts(table.encounter)
        assert not table.encounter.need(Dice, "dice").script
        if faces == second:
            table.ends_turn(4)
    assert (table.one("mira").hp < 60, "Sanctuary" in table.effects("mira")) == (hits, lasts)


def test_the_silenced_cast_nothing() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="silence", targets=("mira",)))
    table.ends_turn(4)
    assert table.refuses(UseFeature("mira", spell="bless")).key == "refused.no_casting"


@pytest.mark.parametrize(("rank", "taken"), [(4, 15), (6, 10), (8, 5), (10, 0)])
def test_stone_skin_rises_every_other_rank(rank: int, taken: int) -> None:
    stone = next(one for one in pf2e().data.spells if one.id == "stoneskin")
    table = table_of(spell_feature(stone, Caster(20, 10), level=rank))
    table.does(UseFeature("mira", "stoneskin", targets=("ann",)))
    table.does(ApplyDamage(("ann",), "20 slashing"))
    assert table.one("ann").hp == 60 - taken


def test_a_vine_slows_what_it_hits_and_holds_it_after_a_critical_hit() -> None:
    table = table_of()
    before = base_speed(table.encounter, table.rules, "ogre")
    for face, held in ((8, False), (20, True)):
        table.dice(face)
        table.does(UseFeature("mira", spell="tangle-vine", targets=("ogre",), level=2, purpose="free"), anyway=True)
        assert left(table, "ogre", "Tangle Vine").rounds_left == 2
        assert ("immobilized" in table.effects("ogre")) == held
    assert before


def test_a_mind_is_cleared_of_the_spells_that_trouble_it() -> None:
    table = table_of()
    table.dice(11, 11)
    table.does(UseFeature("mira", spell="fear", targets=("ann",)))
    table.does(UseFeature("mira", spell="slow", targets=("ann",), purpose="free"), anyway=True)
    table.dice(10)
    table.does(UseFeature("mira", spell="clear-mind", targets=("ann",), purpose="free"), anyway=True)
    assert {"slowed", "frightened"} & table.effects("ann") == {"slowed"}
    table.dice(20)
    table.does(UseFeature("mira", spell="clear-mind", targets=("ann",), level=4, purpose="free"), anyway=True)
    assert "slowed" not in table.effects("ann")


def test_who_sees_the_unseen_needs_only_the_flat_check_for_the_concealed() -> None:
    table = table_of()
    table.does(ApplyCondition(("ogre",), "invisible"))
    table.does(UseFeature("mira", spell="see-the-unseen"))
    table.does(Attack("mira", "ogre", "club"))
    assert table.prompt.asks[0].dc == 5


def persistent(table: Table, who: str) -> str:
    return " + ".join(one.damage for one in table.encounter.of(Effect, who) if one.damage)


@for_each(
    ("spell", "dice", "rank", "hp", "damage"),
    [
        ("grim-tendrils", (20,), 1, 90, ""),
        ("grim-tendrils", (15, 2, 2), 1, 88, ""),
        ("grim-tendrils", (10, 2, 2, 2, 2), 2, 82, "2 bleed"),
        ("grim-tendrils", (2, 2, 2), 1, 82, "2 bleed"),
        ("acid-arrow", (8, 1, 1, 1), 2, 87, "1d6 acid"),
        ("acid-arrow", (20, 1, 1, 1), 2, 84, "1d6 acid"),  # only the initial damage is doubled
        ("ignition", (8, 1, 1), 1, 88, ""),
        ("ignition", (20, 1, 1), 1, 86, "1d4 fire"),
        ("enervation", (15,), 4, 90, "2d8 void"),
        ("enervation", (2,), 6, 84, "6d8 void"),  # drained 2 at level 3
        ("phantom-pain", (15, 2, 2), 1, 86, ""),
        ("phantom-pain", (10, 2, 2), 1, 86, "1d4 mental"),
        ("divine-wrath", (2, 1, 1, 1, 1), 4, 86, ""),  # not doubled
        ("flaming-sphere", (15,), 2, 90, ""),  # not half
        ("gust-of-wind", (10,), 1, 90, ""),
        ("gust-of-wind", (2, 3, 3), 1, 84, ""),
    ],
)
def test_damage_and_persistent_damage_depend_on_the_degree(
    spell: str, dice: tuple[int, ...], rank: int, hp: int, damage: str
) -> None:
    table = table_of()
    table.dice(*dice)
    table.does(UseFeature("mira", spell=spell, targets=("ogre",), level=rank), anyway=True)
    if table.prompts and table.prompt.asks[0].kind == "targets":
        table.skips()
    elif table.prompts and table.prompt.asks[0].options:
        table.chooses(table.prompt.asks[0].options[0].id)
    assert (table.one("ogre").hp, persistent(table, "ogre")) == (hp, damage)


def test_void_healing_protects_from_the_damage_of_chill_touch() -> None:
    healed_by_void = Feature("void-healing", "Void Healing", "trait", rules=(DataRule("damage", "void", times=0),))
    ghoul = creature("ghoul", type="undead", hp=20, level=1, saves=SAVES, features=(CLUB, healed_by_void))
    table = Table(priest(), ghoul, foes=("ghoul",), rules=pf2e())
    table.start(mira=20, ghoul=10)
    table.dice(1, 4, 4)
    table.does(UseFeature("mira", spell="chill-touch", targets=("ghoul",), level=1), anyway=True)
    assert (table.one("ghoul").hp, table.effects("ghoul")) == (20, {"off-guard", "fleeing"})


@for_each(
    ("spell", "dice", "names"),
    [
        ("chill-touch", (10, 1, 1), set()),
        ("chill-touch", (2, 1, 1), {"enfeebled"}),
        ("ray-of-frost", (20, 1, 1), {"Ray of Frost"}),
        ("ray-of-frost", (8, 1, 1), set()),
        ("ray-of-enfeeblement", (2,), set()),
        ("ray-of-enfeeblement", (8, 15), {"enfeebled"}),
        ("hideous-laughter", (15,), {"Hideous Laughter"}),
        ("hideous-laughter", (10,), {"Hideous Laughter", "slowed"}),
        ("dazzling-flash", (15,), {"dazzled"}),
        ("dazzling-flash", (10,), {"blinded", "dazzled"}),
        ("daze", (1, 1), {"stunned"}),
        ("suggestion", (10,), {"Suggestion"}),
        ("suggestion", (15,), set()),
        ("zone-of-truth", (15,), {"Zone of Truth"}),
    ],
)
def test_what_a_spell_leaves_depends_on_the_degree(spell: str, dice: tuple[int, ...], names: set[str]) -> None:
    table = table_of()
    table.dice(*dice)
    rank = 1 if spell in pf2e().data.presets.cantrips else None
    table.does(UseFeature("mira", spell=spell, targets=("ogre",), level=rank), anyway=True)
    assert set(table.effects("ogre")) == names


@pytest.mark.parametrize(("dice", "value"), [((8, 10), 2), ((20, 10), 3), ((20, 15), 2), ((20, 20), 1)])
def test_a_critical_hit_makes_the_save_against_the_ray_one_degree_worse(dice: tuple[int, ...], value: int) -> None:
    table = table_of()
    table.dice(*dice)
    table.does(UseFeature("mira", spell="ray-of-enfeeblement", targets=("ogre",)))
    assert left(table, "ogre", "enfeebled").value == value


@pytest.mark.parametrize(
    ("spell", "dice", "hp"),
    [("heal", (10, 1, 1, 1), 47), ("heal", (15, 2, 2, 2), 47), ("harm", (1, 1, 1), 77), ("harm", (1, 1, 2), 78)],
)
def test_the_undead_are_harmed_by_what_heals_and_healed_by_what_harms(
    spell: str, dice: tuple[int, ...], hp: int
) -> None:
    zombie = creature("zombie", hp=90, ac=17, level=3, saves=SAVES, type="undead")
    table = Table(priest(), zombie, foes=("zombie",), rules=pf2e())
    table.start(mira=20, zombie=10)
    table.does(ApplyDamage(("zombie",), "40"))
    table.dice(*dice)
    table.does(CastSpell("mira", spell=spell, targets=("zombie",), level=3, points=2))
    assert table.one("zombie").hp == hp


def test_a_door_to_elsewhere_teleports_its_caster() -> None:
    door = next(one for one in pf2e().data.spells if one.id == "dimension-door")
    table = table_of(spell_feature(door, Caster(20, 10), level=4))
    table.does(UseFeature("mira", "dimension-door"))
    assert [event.feet for event in table.happened(Teleports)] == [120]


def test_petrify_moves_from_slowed_to_stone() -> None:
    table = table_of()
    table.dice(10, 12, 3)  # failure, failure, critical failure
    table.does(UseFeature("mira", spell="petrify", targets=("ogre",)), anyway=True)
    table.answers(inorganic=())
    assert left(table, "ogre", "slowed").value == 1
    table.ends_turn(4)
    assert left(table, "ogre", "slowed").value == 2
    table.ends_turn(4)
    assert table.effects("ogre") == {"petrified"}


def test_an_area_leaves_its_penalty_on_those_in_it() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="entangle"), anyway=True)
    table.ends_turn(3)
    table.dice(15)
    table.chooses(table.prompt.asks[0].options[0].id)
    assert [rule.add for rule in left(table, "ogre", "Entangle").rules] == [-10]


def test_half_of_the_damage_becomes_temporary_hit_points_of_the_caster() -> None:
    table = table_of()
    table.dice(10, *[3] * 6)
    table.does(UseFeature("mira", spell="vampiric-touch", targets=("ogre",)), anyway=True)
    assert (table.one("ogre").hp, table.one("mira").temp_hp) == (72, 9)


def test_a_fear_put_by_hand_can_be_countered() -> None:
    table = table_of()
    table.does(ApplyCondition(("ann",), "frightened", value=2))
    table.does(ApplyCondition(("ann",), "prone"))
    table.does(UseFeature("mira", spell="remove-fear", targets=("ann",)), anyway=True)
    table.chooses("critical-success")
    assert table.effects("ann") == {"prone"}


def test_nobody_who_is_fascinated_saves_again_in_the_pattern() -> None:
    table = table_of()
    table.dice(10)
    table.does(UseFeature("mira", spell="hypnotize", targets=("ogre",)), anyway=True)
    assert table.effects("ogre") == {"Hypnotize", "fascinated"}
    table.ends_turn(4)
    assert not table.prompts


def test_the_hold_of_a_spell_is_escaped_against_its_casters_dc() -> None:
    table = table_of()
    table.dice(12, *[1] * 9)
    table.does(UseFeature("mira", spell="impaling-spike", targets=("ogre",)), anyway=True)
    table.ends_turn(3)
    table.does(TakeAction("ogre", "escape"), anyway=True)
    assert table.prompt.asks[0].dc == 20


def test_an_earthquake_shakes_those_in_it_and_drops_them_as_their_turns_start() -> None:
    table = table_of()
    table.does(Add((Map(columns=60, rows=60),)))
    for who, place in (("mira", (0, 0)), ("ann", (30, 30)), ("bob", (0, 1)), ("ogre", (59, 59))):
        table.does(ForceMove(who, place, "teleport"))
    before = armor_class(table.encounter, table.rules, "ann").total
    table.does(UseFeature("mira", spell="earthquake", targets=("ann",), origin=(30, 30)), anyway=True)
    assert armor_class(table.encounter, table.rules, "ann").total == before - 2
    table.dice(1)
    table.ends_turn()
    assert (table.one("ann").hp, "prone" in table.effects("ann")) == (40, True)


@pytest.mark.parametrize(
    ("kind", "type", "hp"),
    [("vitality", "humanoid", 90), ("vitality", "undead", 80), ("void", "humanoid", 80), ("void", "undead", 90)],
)
def test_vitality_only_harms_the_undead_and_void_only_the_living(kind: str, type: str, hp: int) -> None:
    table = Table(priest(), creature("ogre", hp=90, type=type), foes=("ogre",), rules=pf2e())
    table.start(mira=20, ogre=10)
    table.does(ApplyDamage(("ogre",), f"10 {kind}", by="mira"))
    assert table.one("ogre").hp == hp


@pytest.mark.parametrize(("kind", "hp"), [("cold", 45), ("fire", 30)])
def test_fire_stops_a_regeneration_that_a_spell_gave(kind: str, hp: int) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="regenerate", targets=("ann",)))
    table.does(ApplyDamage(("ann",), f"30 {kind}", by="ogre"))
    table.ends_turn()
    assert table.one("ann").hp == hp


def test_temporary_hit_points_drained_from_a_target_last_a_minute() -> None:
    table = table_of()
    table.dice(10, *[4] * 6)
    table.does(UseFeature("mira", spell="vampiric-touch", targets=("ogre",)))
    assert (table.one("mira").temp_hp, table.effects("ogre")) == (12, set())
    table.ends_turn(40)
    assert table.one("mira").temp_hp == 0


@pytest.mark.parametrize(("type", "degree_worse"), [("plant", True), ("humanoid", False)])
def test_some_targets_save_one_degree_worse(type: str, degree_worse: bool) -> None:
    shrub = creature("shrub", hp=300, type=type, level=3, saves=SAVES)
    table = Table(priest(), shrub, foes=("shrub",), rules=pf2e())
    table.start(mira=20, shrub=10)
    table.dice(15, *[5] * 10)  # 20 against DC 20
    table.does(UseFeature("mira", spell="desiccate", targets=("shrub",)))
    table.skips()  # it has moisture
    assert table.one("shrub").hp == 300 - (50 if degree_worse else 25)


@pytest.mark.parametrize(("tags", "damage"), [(("holy",), 20), ((), 10)])
def test_some_targets_of_a_feature_save_one_degree_worse(tags: tuple[str, ...], damage: int) -> None:
    sting = Feature("sting", "Sting", "action", save="wis", dc=20, damage="20 mental", half=True, worse_for="type:holy")
    table = Table(priest(sting), creature("elf", hp=50, tags=tags, saves=SAVES), foes=("elf",), rules=pf2e())
    table.start(mira=20, elf=10)
    table.dice(15)  # 20 against DC 20
    table.does(UseFeature("mira", "sting", targets=("elf",)))
    assert table.one("elf").hp == 50 - damage


@pytest.mark.parametrize(("level", "values"), [(9, [1]), (10, [])])
def test_creatures_of_a_higher_level_save_one_degree_better_against_incapacitation(
    level: int, values: list[int]
) -> None:
    stupor = Feature("stupor", "Stupor", "action", save="wis", dc=20, properties=("incapacitation",))
    stupor = msgspec.structs.replace(stupor, afflictions=(InflictedCondition("slowed", value=1, degree="failure"),))
    table = Table(priest(stupor), creature("ogre", level=level, saves=SAVES), foes=("ogre",), rules=pf2e())
    table.start(mira=20, ogre=10)
    table.dice(12)
    table.does(UseFeature("mira", "stupor", targets=("ogre",)))
    assert [one.value for one in table.encounter.of(Effect, "ogre") if one.name == "slowed"] == values


@pytest.mark.parametrize(
    ("spell", "level", "condition"),
    [
        ("paralyze", 6, "paralyzed"), ("paralyze", 7, "stunned"), ("warp-mind", 9, "confused"),
        ("charming-touch", 9, "friendly"), ("charming-touch", 10, ""),
    ],
)  # fmt: skip
def test_the_rank_of_a_listed_spell_decides_about_incapacitation(spell: str, level: int, condition: str) -> None:
    (listed,) = [one for one in pf2e().data.spells if one.id == spell]
    own = spell_feature(listed, Caster(20, 10, 9, 0))
    ogre = creature("ogre", hp=90, level=level, saves=SAVES)
    table = Table(priest(own), ogre, foes=("ogre",), rules=pf2e())
    table.start(mira=20, ogre=10)
    table.dice(8)
    table.does(UseFeature("mira", spell, targets=("ogre",)))
    assert (condition in table.effects("ogre")) is bool(condition), table.effects("ogre")
    assert table.effects("ogre") or not condition


@pytest.mark.parametrize(("type", "flees"), [("undead", True), ("humanoid", False)])
def test_a_second_save_can_be_for_some_targets_only(type: str, flees: bool) -> None:
    table = Table(priest(), creature("ghoul", hp=90, type=type, level=3, saves=SAVES), foes=("ghoul",), rules=pf2e())
    table.start(mira=20, ghoul=10)
    table.dice(1, 4, 4) if type == "humanoid" else table.dice(1, 2)
    table.does(UseFeature("mira", spell="chill-touch", targets=("ghoul",), level=1))
    assert ("fleeing" in table.effects("ghoul")) is flees
    assert not table.prompts


def test_a_shield_of_force_blocks_once_with_its_hardness() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="shield", level=3))
    table.ends_turn(3)
    table.dice(15)
    table.does(Attack("ogre", "mira", "club"))
    table.chooses(table.prompt.asks[0].options[0].id)
    assert (table.one("mira").hp, "Shield" in table.effects("mira")) == (60, False)


@pytest.mark.parametrize(("kind", "hp"), [("fire", 55), ("force", 50)])
def test_a_resistance_to_all_damage_has_an_exception(kind: str, hp: int) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="blink"))
    table.does(ApplyDamage(("mira",), f"10 {kind}", by="ogre"))
    assert table.one("mira").hp == hp


@pytest.mark.parametrize(("rank", "damage"), [(4, 24), (6, 36)])
def test_damage_after_a_second_save_rises_with_the_rank(rank: int, damage: int) -> None:
    table = table_of()
    table.dice(1, 16, *[2] * 20)
    table.does(UseFeature("mira", spell="phantasmal-killer", targets=("ogre",), level=rank))
    assert table.one("ogre").hp == 90 - damage


@pytest.mark.parametrize(("way", "burning"), [("at range", "1d4 fire"), ("in melee", "1d6 fire")])
def test_a_variant_of_a_spell_has_its_own_persistent_damage(way: str, burning: str) -> None:
    spell = next(one for one in pf2e().data.spells if one.id == "ignition")
    caster = Caster(20, 10)
    choice = next(one for one in spell.choices if one.name == way)
    assert with_choice(spell_feature(spell, caster), spell, choice, caster, 1).ongoing == burning


@pytest.mark.parametrize(("rank", "weakness"), [(1, 1), (4, 4)])
def test_a_weakness_after_a_critical_failure_rises_with_the_rank(rank: int, weakness: int) -> None:
    table = table_of()
    table.dice(1, *[1] * 9)
    table.does(UseFeature("mira", spell="frostbite", targets=("ogre",), level=rank))
    before = table.one("ogre").hp
    table.does(ApplyDamage(("ogre",), "10 bludgeoning", by="mira"))
    assert before - table.one("ogre").hp == 10 + weakness


@pytest.mark.parametrize(("face", "frightened"), [(14, True), (15, False)])
def test_an_attacker_of_a_masked_creature_saves_first(face: int, frightened: bool) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="mask-of-terror", targets=("mira",)))
    table.ends_turn(3)
    table.dice(face, 15)
    table.does(Attack("ogre", "mira", "club"))
    assert ("frightened" in table.effects("ogre")) is frightened


def test_whoever_leaves_entangling_plants_is_as_fast_as_before() -> None:
    table = table_of()
    table.does(Add((Map(columns=30, rows=30),)))
    for who, place in (("mira", (1, 1)), ("ann", (1, 28)), ("bob", (28, 1)), ("ogre", (15, 15))):
        table.does(ForceMove(who, place, "teleport"))
    table.does(UseFeature("mira", spell="entangling-flora", origin=(15, 15)))
    table.dice(12)
    table.ends_turn(3)
    assert "Entangling Flora" in table.effects("ogre")
    table.does(ForceMove("ogre", (28, 28), "teleport"))
    assert "Entangling Flora" not in table.effects("ogre")


def test_one_escape_ends_all_that_a_spell_holds_with() -> None:
    table = table_of()
    table.dice(20)
    table.does(UseFeature("mira", spell="tangle-vine", targets=("ogre",)))
    assert {"immobilized", "Tangle Vine"} <= table.effects("ogre")
    table.ends_turn(3)
    table.dice(20)
    table.does(BreakFree(next(one.id for one in table.encounter.of(Effect, "ogre") if one.name == "immobilized")))
    table.chooses(table.prompt.asks[0].options[0].id)
    assert not {"immobilized", "Tangle Vine"} & table.effects("ogre")


FISTS = Feature("fist", "Fist", "action", attack=12, reach=5, damage="4 bludgeoning", properties=("unarmed",))


def test_a_strike_with_inner_power_has_a_bonus_and_more_damage() -> None:
    table = table_of(FISTS)
    table.dice(4, 3)  # 4 + 12 + 1 hits AC 17
    table.does(UseFeature("mira", spell="inner-upheaval"))
    table.chooses("force")
    table.chooses("ogre")
    assert table.one("ogre").hp == 90 - 4 - 3


@pytest.mark.parametrize(("face", "hp", "burns"), [(7, 90 - 8, False), (19, 90 - 16, True)])
def test_only_a_critical_fire_ray_leaves_its_target_burning(face: int, hp: int, burns: bool) -> None:
    table = table_of()
    table.dice(face, 4, 4, 4)
    table.does(UseFeature("mira", spell="fire-ray", targets=("ogre",), level=1))
    assert (table.one("ogre").hp, pf2e().role("ongoing") in table.effects("ogre")) == (hp, burns)


def test_a_hymn_heals_at_each_start_of_a_turn() -> None:
    table = table_of()
    table.does(ApplyDamage(("ann",), "20"))
    table.does(UseFeature("mira", spell="hymn-of-healing", targets=("ann",), level=3))
    assert table.one("ann").temp_hp == 6
    table.ends_turn()
    assert table.one("ann").hp == 46


@pytest.mark.parametrize(("rank", "temporary"), [(2, 6 + 4), (3, 9 + 4)])
def test_false_life_adds_the_modifier_of_its_caster(rank: int, temporary: int) -> None:
    caster = msgspec.structs.replace(priest(), spellcasting="int", abilities=(("int", 4),))
    table = Table(caster, "ogre", foes=("ogre",), rules=pf2e())
    table.start(mira=20, ogre=10)
    table.does(UseFeature("mira", spell="false-life", level=rank))
    assert table.one("mira").temp_hp == temporary


def test_a_cantrip_uses_no_slot_and_rises_with_its_caster() -> None:
    """At 9th level it has rank 5: 6d4, and the ogre's save fails."""
    table = table_of()
    table.dice(12, 4, 4, 4, 4, 4, 4)
    table.does(UseFeature("mira", spell="electric-arc", targets=("ogre",)))
    assert table.one("ogre").hp == 90 - 24
    assert remaining_uses(table.encounter, "mira", "slots.1") == 3


@pytest.mark.parametrize(("spell", "left"), [("sleep", "unconscious"), ("paralyze", "paralyzed"), ("slow", "slowed")])
@pytest.mark.parametrize("rank", [4, 5])
def test_spells_that_incapacitate_spare_creatures_of_more_than_twice_their_rank(
    spell: str, left: str, rank: int
) -> None:
    table = Table(priest(), creature("ogre", level=9, saves=SAVES), foes=("ogre",), rules=pf2e())
    table.start(mira=20, ogre=10)
    table.dice(12)  # a failure
    table.does(UseFeature("mira", spell=spell, targets=("ogre",), level=rank))
    assert (left in table.effects("ogre")) is (rank == 5 or spell == "slow")


@pytest.mark.parametrize(
    ("immunity", "spell", "affected"),
    [
        ("mental", "fear", False),
        ("fear-effects", "fear", False),
        ("mental", "slow", True),
        ("death-effects", "phantasmal-killer", False),
        ("death-effects", "fear", True),
        ("poison", "stinking-cloud", False),
        ("visual", "color-spray", False),
        ("mental", "color-spray", True),
    ],
)
def test_creatures_are_immune_to_spells_with_a_trait(immunity: str, spell: str, *, affected: bool) -> None:
    table = Table(priest(), creature("ogre", hp=90, saves=SAVES, immunities=(immunity,)), foes=("ogre",), rules=pf2e())
    table.start(mira=20, ogre=10)
    table.dice(2, 2)
    table.does(UseFeature("mira", spell=spell, targets=("ogre",), level=4))
    assert bool(table.effects("ogre")) is affected


def test_creatures_are_immune_to_features_with_a_trait() -> None:
    stare = Feature("stare", "Stare", "action", save="wis", dc=20, properties=("emotion", "mental"))
    stare = msgspec.structs.replace(stare, afflictions=(InflictedCondition("frightened", value=1),))
    people = [creature(id, saves=SAVES, immunities=(id,)) for id in ("emotion", "visual")]
    table = Table(priest(stare), *people, foes=("emotion", "visual"), rules=pf2e())
    table.start(mira=20, emotion=10, visual=5)
    table.dice(2, 2)
    table.does(UseFeature("mira", "stare", targets=("emotion", "visual")))
    assert (table.effects("emotion"), table.effects("visual")) == (set(), {"frightened"})


INCAPACITATE = """
    baleful-polymorph banishment blindness calm calm-emotions charm charming-push charming-touch
    charming-words color-spray cursed-metamorphosis dizzying-colors dominate dreamers-call feeblemind
    hallucination never-mind overwhelming-presence paralyze quivering-palm scintillating-pattern sleep
    subconscious-suggestion suggestion synaptic-pulse telepathic-demand uncontrollable-dance unfathomable-song
    vibrant-pattern warp-mind
"""


def test_the_spells_that_incapacitate_are_those_of_the_books() -> None:
    found = [spell.id for spell in pf2e().data.spells if "incapacitation" in spell.properties]
    assert sorted(found) == INCAPACITATE.split()


@pytest.mark.parametrize(
    ("spell", "walk", "mode", "feet"),
    [("fly", 15, "fly", 20), ("fly", 40, "fly", 40), ("spider-climb", 40, "climb", 40)],
)
def test_a_new_way_to_move_is_as_fast_as_the_old_one(spell: str, walk: int, mode: str, feet: int) -> None:
    ann = creature("ann", speeds=(("walk", walk),))
    table = Table(priest(), ann, rules=pf2e())
    table.start(mira=20, ann=10)
    table.does(UseFeature("mira", spell=spell, targets=("ann",)))
    assert speeds_of(table.encounter, table.rules, "ann")[mode].value == feet


@pytest.mark.parametrize(("rank", "falls"), [(1, False), (3, False), (4, True)])
def test_sleepers_stay_on_their_feet_below_rank_4(rank: int, *, falls: bool) -> None:
    table = table_of()
    table.dice(5)
    table.does(UseFeature("mira", spell="sleep", targets=("ogre",), level=max(rank, 2)))
    assert ("unconscious" in table.effects("ogre"), "prone" in table.effects("ogre")) == (True, falls)
    table.does(ApplyDamage(("ogre",), "1"))
    assert table.effects("ogre") == ({"prone"} if falls else set())


@pytest.mark.parametrize("spell", ["charm", "charming-touch", "charming-words", "charming-push"])
@pytest.mark.parametrize(("face", "spared"), [(2, True), (19, False)])
def test_the_charmed_do_not_attack_their_charmer(spell: str, face: int, *, spared: bool) -> None:
    table = table_of()
    table.dice(face)
    table.does(UseFeature("mira", spell=spell, targets=("ogre",), level=4))
    table.ends_turn(3)
    if spared:
        assert table.refuses(Attack("ogre", "mira", "club")).key in ("refused.condition", "refused.condition_until")
    table.dice(1)
    table.does(Attack("ogre", "ann" if spared else "mira", "club"))


@pytest.mark.parametrize("spell", ["cloudkill", "toxic-cloud", "stinking-cloud"])
def test_clouds_spare_creatures_until_their_turn_in_them(spell: str) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell=spell, targets=("ogre",)))
    assert (table.one("ogre").hp, "sickened" in table.effects("ogre")) == (90, False)


@pytest.mark.parametrize(("rank", "moves", "hurt"), [(1, False, 8), (3, False, 24), (1, True, 0)])
def test_the_agitated_are_hurt_unless_they_move(rank: int, hurt: int, *, moves: bool) -> None:
    table = table_of()
    table.dice(12)
    table.does(UseFeature("mira", spell="agitate", targets=("ogre",), level=rank))
    table.ends_turn(3)
    if moves:
        table.does(MoveFeet("ogre", 10))
    table.dice(*[4] * 2 * rank)
    table.ends_turn()
    assert table.one("ogre").hp == 90 - hurt


def test_who_is_no_longer_sickened_by_the_grave_is_no_longer_slowed() -> None:
    table = table_of()
    table.dice(20)
    table.does(UseFeature("mira", spell="call-of-the-grave", targets=("ogre",)))
    assert {"sickened", "slowed"} <= table.effects("ogre")
    table.does(EndEffect(left(table, "ogre", "sickened").id))
    assert not {"sickened", "slowed"} & table.effects("ogre")


@pytest.mark.parametrize(
    ("spell", "rank", "variant", "temporary", "size"),
    [
        ("animal-form", 2, "frog", 5, None),
        ("animal-form", 4, "frog", 15, 3),
        ("elemental-form", 7, "earth", 30, 4),
        ("dragon-form", 8, "acid line", 15, 4),
    ],
)
def test_battle_forms_grow_with_their_rank(
    spell: str, rank: int, variant: str, temporary: int, size: int | None
) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell=spell, level=rank))
    table.answers(variant=(variant,))
    found = [rule.set for one in table.encounter.of(Effect, "mira") for rule in one.rules if rule.what == "size"]
    assert (table.one("mira").temp_hp, found) == (temporary, [size] if size else [])


@pytest.mark.parametrize(("rank", "temporary"), [(6, 12), (8, 12), (9, 18)])
def test_conviction_gives_more_hit_points_and_guards_against_all_mental_spells(rank: int, temporary: int) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="zealous-conviction", targets=("ogre",), level=rank), anyway=True)
    table.ends_turn(4)
    table.dice(12)
    table.does(UseFeature("mira", spell="command", targets=("ogre",)))
    table.skips()
    modifiers = table.happened(Rolled)[-1].roll.modifiers
    assert table.one("ogre").temp_hp == temporary
    assert [each.value for each in modifiers if each.reason == "Zealous Conviction"] == [2 if rank < 9 else 3]


@pytest.mark.parametrize(("face", "damage"), [(15, 3 + 4 + 2), (2, 0)])
def test_a_surge_strengthens_the_next_strike_only(face: int, damage: int) -> None:
    axe = Feature("axe", "Axe", "action", attack=6, damage="1d8+2 slashing", properties=("weapon",), reach=5)
    table = table_of(axe)
    table.does(UseFeature("mira", spell="weapon-surge", targets=("mira",)))
    table.dice(face, 3, 4)
    table.does(Attack("mira", "ogre", "axe"))
    assert (90 - table.one("ogre").hp, "Weapon Surge" in table.effects("mira")) == (damage, False)


def listed(spell: str, **fields: object) -> Feature:
    """A spell of a stat block with one use."""
    found = next(one for one in pf2e().data.spells if one.id == spell)
    return msgspec.structs.replace(spell_feature(found, Caster(20, 10), level=found.level or 0), uses=1, **fields)


@pytest.mark.parametrize(
    ("spell", "condition", "face"),
    [("lucky-break", "prone", 18), ("perfected-form", "petrified", 18), ("lucky-break", "prone", 5)],
)
def test_a_failed_save_can_be_rolled_again(spell: str, condition: str, face: int) -> None:
    ray = Feature("ray", "Ray", "action", save="con", dc=20, afflictions=(InflictedCondition(condition),))
    ann = creature("ann", hp=60, level=9, saves=SAVES, features=(listed(spell),))
    table = Table(ann, creature("ogre", features=(ray,)), foes=("ogre",), rules=pf2e())
    table.start(ann=20, ogre=10)
    table.ends_turn()
    table.dice(5)
    table.does(UseFeature("ogre", "ray", targets=("ann",)))
    table.dice(face)
    table.chooses("succeeds")
    assert (condition in table.effects("ann"), table.track("ann", "reaction")) == (face == 5, 0)


def test_a_miss_lets_the_caster_shift() -> None:
    ann = creature("ann", hp=60, level=9, ac=18, features=(listed("sudden-shift"),))
    table = Table(ann, creature("ogre", features=(CLUB,)), foes=("ogre",), rules=pf2e())
    table.start(ann=20, ogre=10)
    table.ends_turn()
    table.dice(5)
    table.does(Attack("ogre", "ann", "club"))
    table.chooses("sudden-shift")
    assert ("concealed" in table.effects("ann"), table.prompt.asks[0].label) == (True, "ask.feature_move")


@pytest.mark.parametrize(("target", "face", "hit"), [("ann", 11, False), ("ann", 12, True), ("bob", 11, True)])
def test_a_forbidding_ward_protects_one_ally_from_one_enemy(target: str, face: int, *, hit: bool) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="forbidding-ward", targets=("ann", "ogre")))
    saves = [save_roll(table.encounter, table.rules, "ann", "wis", by) for by in ("ogre", "bob")]
    assert [sum(each.value for each in spec.modifiers) for spec in saves] == [6, 5]
    table.ends_turn(3)
    table.dice(face)  # 17 or 18 against AC 17, or 18 with the ward
    table.does(Attack("ogre", target, "club"))
    assert (table.one(target).hp < 60) is hit


@pytest.mark.parametrize(("kind", "bonus"), [("undead", 1), ("dragon", 0)])
def test_a_blood_ward_protects_from_one_kind_of_creature(kind: str, bonus: int) -> None:
    table = Table(priest(), creature("ogre", type=kind), foes=("ogre",), rules=pf2e())
    table.start(mira=20, ogre=10)
    table.does(UseFeature("mira", spell="blood-ward", targets=("mira",)))
    table.answers(variant=("undead",))
    assert save_roll(table.encounter, table.rules, "mira", "wis", "ogre").modifiers[-1].value == bonus


@pytest.mark.parametrize(("face", "falls"), [(3, False), (4, True)])
def test_a_telekinetic_trip_meets_the_reflex_dc(face: int, *, falls: bool) -> None:
    ogre = creature("ogre", hp=90, ac=30, saves=(("dex", 4),))
    table = Table(priest(), ogre, foes=("ogre",), rules=pf2e())
    table.start(mira=20, ogre=10)
    table.dice(face)  # 13 or 14 against 10 + 4
    table.does(UseFeature("mira", spell="telekinetic-maneuver", targets=("ogre",)))
    table.answers(variant=("Trip",))
    assert ("prone" in table.effects("ogre")) is falls


@pytest.mark.parametrize(("dice", "dies"), [(10, True), (1, False)])
def test_disintegration_kills_whoever_it_fells(dice: int, *, dies: bool) -> None:
    table = table_of()
    table.dice(10, *[dice] * 12, 12)
    table.does(UseFeature("mira", spell="disintegrate", targets=("ann",)))
    assert (table.one("ann").dead, table.one("ann").hp) == (dies, 0 if dies else 48)


@pytest.mark.parametrize(("spell", "variant"), [("meteor-swarm", ""), ("falling-stars", "comets (cold), ")])
@pytest.mark.parametrize(("rank", "dice"), [(9, 14 + 6), (10, 16 + 7)])
def test_falling_rocks_also_crush_near_their_centers(spell: str, variant: str, rank: int, dice: int) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell=spell, targets=("ogre",), level=rank))
    table.dice(12, *[1] * dice)
    table.answers(variant=(f"{variant}10 feet or less from a center",))
    assert table.one("ogre").hp == 90 - dice


@pytest.mark.parametrize("spell", ["blink", "flicker"])
def test_the_blinking_appear_elsewhere_at_the_end_of_their_turns(spell: str) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell=spell))
    table.ends_turn()
    assert [ask.label for ask in table.prompt.asks] == ["ask.feature_moment"]
    table.chooses(table.prompt.asks[0].options[0].id)
    assert table.happened(Teleports) or "teleport" in table.prompt.asks[0].label


def test_an_illusory_creature_strikes_for_each_action_that_sustains_it() -> None:
    table = Table(priest(), creature("ogre", hp=90, ac=17), foes=("ogre",), rules=pf2e())
    table.start(mira=20, ogre=10)
    table.does(UseFeature("mira", spell="illusory-creature", level=3))
    table.ends_turn(2)
    for _ in range(2):
        table.dice(12, 2, 2, 3, 3)
        table.does(UseFeature("mira", spell="illusory-creature", targets=("ogre",), purpose="again"))
    assert (table.one("ogre").hp, remaining(table.encounter, "mira", "action")) == (90 - 2 * 10, 1)


@pytest.mark.parametrize(("face", "falls"), [(2, True), (12, True), (20, False)])
@pytest.mark.parametrize("variant", ["all around", "as a cone"])
def test_a_variant_keeps_the_conditions_of_its_spell(variant: str, face: int, *, falls: bool) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="localized-quake", targets=("ogre",)))
    table.dice(face, *[1] * 8)
    table.answers(variant=(variant,))
    assert ("prone" in table.effects("ogre")) is falls


@pytest.mark.parametrize("spell", ["animal-form", "dragon-form"])
def test_every_battle_form_changes_the_shape(spell: str) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell=spell))
    table.answers(variant=(table.prompt.asks[0].options[0].id,))
    assert "changed-shape" in table.effects("mira")


@pytest.mark.parametrize(("spell", "name"), [("invisibility", "invisible"), ("sanctuary", "Sanctuary")])
def test_helping_an_ally_is_not_hostile(spell: str, name: str) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell=spell, targets=("mira",)))
    table.ends_turn(4)
    table.does(UseFeature("mira", spell="guidance", targets=("ann",)))
    assert name in table.effects("mira")
    table.dice(5)
    table.does(UseFeature("mira", spell="fear", targets=("ogre",)))
    assert name not in table.effects("mira")


@pytest.mark.parametrize("spell", ["bane", "malediction", "divine-wrath", "divine-decree", "synaptic-pulse"])
def test_spells_against_enemies_spare_allies_in_their_area(spell: str) -> None:
    table = table_of()
    table.dice(2, *[3] * 12)
    table.does(UseFeature("mira", spell=spell, targets=("ogre", "ann")))
    if table.prompts:
        table.skips()  # about alignments
    assert table.effects("ogre")
    assert (table.effects("ann"), table.one("ann").hp) == (set(), 60)


@pytest.mark.parametrize(("degree", "cured"), [("success", True), ("critical-failure", False)])
def test_poison_and_its_stage_can_be_counteracted(degree: str, *, cured: bool) -> None:
    stage = AfflictionStage("4 poison", (InflictedCondition("enfeebled", value=1, ends="turn-end"),))
    venom = Feature("venom", "Venom", "action", save="con", dc=20, stage_rounds=6, stages=(stage,))
    people = (creature("ann", hp=60, saves=SAVES), creature("ogre", level=3, features=(venom,)))
    table = Table(priest(), *people, foes=("ogre",), rules=pf2e())
    table.start(ogre=20, mira=15, ann=10)
    table.dice(8)
    table.does(UseFeature("ogre", "venom", targets=("ann",)))
    table.ends_turn()
    table.does(UseFeature("mira", spell="neutralize-poison", targets=("ann",)))
    table.chooses(degree)
    assert bool({"affliction", "enfeebled"} & table.effects("ann")) is not cured


@pytest.mark.parametrize(("spell", "hurt", "dice"), [("heal", "bones", (10, 3, 3)), ("harm", "ann", (3, 10, 3))])
def test_each_creature_in_a_burst_of_healing_or_harm_has_its_own_part(
    spell: str, hurt: str, dice: tuple[int, ...]
) -> None:
    ann = creature("ann", hp=60, ac=17, level=3, saves=SAVES)
    bones = creature("bones", hp=60, ac=17, level=3, type="undead", saves=SAVES)
    table = Table(priest(), ann, bones, foes=("bones",), rules=pf2e())
    table.start(mira=20, ann=15, bones=10)
    table.does(ApplyDamage(("ann", "bones"), "20"))
    table.dice(*dice)
    table.does(CastSpell("mira", spell=spell, targets=("ann", "bones"), level=1, points=3))
    assert {who: table.one(who).hp for who in ("ann", "bones")} == {"ann": 43, "bones": 43} | {hurt: 37}


def test_tentacles_attack_every_creature_in_their_area_once() -> None:
    table = table_of()
    table.dice(10, 1, 1, 1, 2)  # against DC 15 of Fortitude, the other of them misses
    table.does(UseFeature("mira", spell="black-tentacles", targets=("ogre", "bob")), anyway=True)
    assert (table.one("ogre").hp, table.one("bob").hp, "grabbed" in table.effects("ogre")) == (87, 60, True)
    assert "grabbed" not in table.effects("bob")


def test_bane_ends_for_an_enemy_that_leaves_its_area() -> None:
    table = table_of()
    table.does(Add((Map(columns=20, rows=20),)))
    for who, place in (("mira", (0, 0)), ("ann", (19, 19)), ("bob", (19, 18)), ("ogre", (1, 0))):
        table.does(ForceMove(who, place, "teleport"))
    table.dice(10)
    table.does(UseFeature("mira", spell="bane", targets=("ogre",)))
    assert "Bane" in table.effects("ogre")
    table.does(ForceMove("ogre", (9, 9), "teleport"))
    assert "Bane" not in table.effects("ogre")


@pytest.mark.parametrize("spell", ["true-strike", "sure-strike"])
@pytest.mark.parametrize("hindrance", ["concealed", "hidden"])
def test_a_true_strike_needs_no_flat_check(spell: str, hindrance: str) -> None:
    table = table_of()
    table.does(ApplyCondition(("ogre",), hindrance))
    table.does(UseFeature("mira", spell=spell))
    table.dice(2, 12)
    table.does(Attack("mira", "ogre", "club"))
    assert table.one("ogre").hp == 86
    table.does(Attack("mira", "ogre", "club"), anyway=True)
    assert table.prompt.asks[0].id == "flat"


@pytest.mark.parametrize("face", [15, 10])
def test_the_text_of_a_spell_is_told_once_before_its_saves(face: int) -> None:
    table = table_of()
    table.dice(face)
    table.does(UseFeature("mira", spell="suggestion", targets=("ogre",)))
    assert len(table.happened(SpellTold)) == 1


@pytest.mark.parametrize("wears_metal", [True, False])
def test_a_thunderstrike_is_worse_for_metal(wears_metal: bool) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="thunderstrike", targets=("ogre",)))
    table.dice(11, 4, 4)  # a failure, or a critical failure with metal
    table.answers(metal_clad=("ogre",) if wears_metal else ())
    assert (table.one("ogre").hp, table.effects("ogre")) == ((74, {"clumsy"}) if wears_metal else (82, set()))


@pytest.mark.parametrize("points", [0, 1])
def test_a_focus_spell_costs_a_point_of_a_known_pool_and_no_slot(points: int) -> None:
    mira = msgspec.structs.replace(priest(), pools=(("focus", points),) if points else ())
    table = Table(mira, creature("ogre", hp=90, saves=SAVES), foes=("ogre",), rules=pf2e())
    table.start(mira=20, ogre=10)
    surge = UseFeature("mira", spell="savor-the-sting", targets=("ogre",))
    table.dice(15, *[1] * 5)  # rank 5 at level 9: half of 5d4
    table.does(surge)
    assert (table.one("ogre").hp, table.track("mira", "slots.1")) == (90 - 2, 0)
    if points:
        assert table.refuses(surge).key == "refused.none_left"


@for_each(("face", "condition"), [(12, "grabbed"), (2, "restrained")])
def test_serpents_poison_and_hold_those_that_end_a_turn_among_them(face: int, condition: str) -> None:
    table = on_a_map(mira=(1, 1), ann=(2, 2), bob=(3, 3), ogre=(28, 28))
    table.does(UseFeature("mira", spell="slither", origin=(20, 20)))
    table.does(ForceMove("ogre", (20, 20), "teleport"))
    table.ends_turn(3)
    table.dice(face, 1, 1, 1, 1, 1, 1)
    table.ends_turn()
    assert condition in table.effects("ogre")
    (poison,) = (one for one in table.encounter.of(Effect, "ogre") if one.damage)
    assert poison.damage == {"grabbed": "1d6 poison", "restrained": "2d6 poison"}[condition]
    table.does(EndEffect(left(table, "mira", "Slither").id))
    assert table.effects("ogre") & {"grabbed", "restrained"} == set()
    assert any(one.damage for one in table.encounter.of(Effect, "ogre"))


def test_tentacles_let_go_when_their_spell_ends() -> None:
    table = on_a_map(mira=(1, 1), ann=(2, 2), bob=(3, 3), ogre=(20, 20))
    table.dice(19, 1, 1, 1)
    table.does(UseFeature("mira", spell="black-tentacles", targets=("ogre",), origin=(20, 20)), anyway=True)
    table.does(ApplyCondition(("bob",), "grabbed"))
    assert "grabbed" in table.effects("ogre")
    table.does(EndEffect(left(table, "mira", "Black Tentacles").id))
    assert ("grabbed" in table.effects("ogre"), "grabbed" in table.effects("bob")) == (False, True)


@for_each(
    ("spell", "ogre", "bob", "key"),
    [
        ("burning-hands", (9, 3), (3, 1), "refused.out_of_range"),
        ("lightning-bolt", (29, 3), (3, 1), "refused.out_of_range"),
        ("fireball", (20, 1), (3, 1), "refused.targets_apart"),
        ("burning-hands", (6, 3), (0, 3), "refused.targets_apart"),
        ("fireball", (9, 1), (3, 1), ""),
        ("burning-hands", (5, 3), (5, 4), ""),
    ],
)
def test_an_area_catches_only_creatures_that_it_can_reach(
    spell: str, ogre: tuple[int, int], bob: tuple[int, int], key: str
) -> None:
    table = on_a_map(mira=(3, 3), ann=(1, 2), bob=bob, ogre=ogre)
    use = UseFeature("mira", spell=spell, targets=("ogre", "bob"))
    if key:
        assert table.refuses(use).key == key
    else:
        table.does(use)


def test_an_instant_area_without_targets_asks_for_them_on_the_map() -> None:
    table = on_a_map(mira=(1, 1), ann=(1, 2), bob=(2, 1), ogre=(9, 1))
    table.does(UseFeature("mira", spell="fireball"))
    table.dice(10, *[3] * 6)  # a critical failure
    table.chooses("ogre")
    assert (table.one("ogre").hp, table.one("ann").hp) == (90 - 36, 60)


def test_guidance_makes_its_target_immune_to_it() -> None:
    table = table_of()
    for again in (False, True):
        table.does(UseFeature("mira", spell="guidance", targets=("ann",)), anyway=again)
    assert len([one for one in table.encounter.of(Effect, "ann") if one.name == "Guidance"]) == 1
    assert [event.reason for event in table.happened(Unaffected)] == ["why.immune"]


@for_each(("face", "feet"), [(12, 5), (1, 10)])
def test_a_surge_moves_in_any_direction_and_farther_after_a_critical_failure(face: int, feet: int) -> None:
    table = on_a_map(mira=(1, 1), ann=(1, 2), bob=(2, 1), ogre=(9, 9))
    table.dice(face)
    table.does(UseFeature("mira", spell="tidal-surge", targets=("ogre",)))
    side = 9 - feet // 5
    table.answers(square=f"{side},9")
    assert table.one("ogre").position == (side, 9)


@for_each(("faces", "held"), [((19,), True), ((20,), False), ((19, 19), False)])
def test_a_quandary_takes_two_successes_or_a_critical_one(faces: tuple[int, ...], held: bool) -> None:
    table = table_of()
    table.does(ApplyCondition(("ogre",), "Wits", rules="+9 perception"))
    table.does(UseFeature("mira", spell="quandary", targets=("ogre",)))
    puzzle = left(table, "ogre", "Quandary")
    table.ends_turn(3)
    for face in faces:
        table.dice(face)
        table.does(BreakFree(puzzle.id))
        table.chooses("wis:perception")
    assert ("Quandary" in table.effects("ogre")) is held


@for_each(("spell", "condition"), [("wave-of-despair", "slowed"), ("crushing-despair", "slowed")])
def test_despair_asks_for_one_more_save_after_a_success(spell: str, condition: str) -> None:
    table = table_of()
    table.dice(15)
    table.does(UseFeature("mira", spell=spell, targets=("ogre",)))
    table.dice(2)
    table.ends_turn(3)
    assert condition in table.effects("ogre")


@for_each(("face", "lasting"), [(10, False), (1, True)])
def test_an_ill_omen_is_for_one_roll_or_for_all(face: int, lasting: bool) -> None:
    table = table_of()
    table.dice(face)
    table.does(UseFeature("mira", spell="ill-omen", targets=("ogre",)))
    table.ends_turn(3)
    table.dice(2, 3)
    table.does(Attack("ogre", "ann", "club"))
    assert ("Ill Omen" in table.effects("ogre")) is lasting


def test_bane_asks_for_enemies_in_it_when_it_is_cast_and_when_it_grows() -> None:
    table = on_a_map(mira=(9, 9), ann=(9, 10), bob=(9, 8), ogre=(10, 9))
    table.does(UseFeature("mira", spell="bane"))
    table.dice(20)
    table.chooses("ogre")
    assert "Bane" not in table.effects("ogre")
    table.ends_turn(4)
    table.does(UseFeature("mira", spell="bane", purpose="again"))
    table.dice(2)
    table.chooses("ogre")
    assert "Bane" in table.effects("ogre")
    table.ends_turn(4)
    table.does(UseFeature("mira", spell="bane", purpose="again"))
    assert table.prompts == []  # the only enemy is affected already


@for_each(("spell", "name"), [("repulsion", "Repulsion"), ("zone-of-truth", "Zone of Truth")])
def test_a_creature_that_returns_to_an_area_keeps_the_result_of_its_first_save(spell: str, name: str) -> None:
    table = on_a_map(mira=(1, 1), ann=(2, 2), bob=(3, 3), ogre=(4, 4))
    table.dice(2)
    table.does(UseFeature("mira", spell=spell, targets=("ogre",), origin=(4, 4)))
    table.does(ForceMove("ogre", (29, 29), "teleport"))
    table.ends_turn(3)
    table.does(ForceMove("ogre", (4, 4), "teleport"))
    assert name in table.effects("ogre")
    assert len(table.happened(Rolled)) == 1


def test_spell_turning_offers_a_check_against_a_spell_that_hits() -> None:
    ray = Feature("ray", "Ray", "action", attack=20, range="60", damage="9 cold", level=1, properties=("spell",))
    ogre = creature("ogre", hp=90, ac=17, level=3, saves=SAVES, features=(ray,))
    table = Table(priest(), ogre, foes=("ogre",), rules=pf2e())
    table.start(mira=20, ogre=10)
    table.does(UseFeature("mira", spell="spell-turning"))
    table.ends_turn()
    table.dice(15)
    table.does(UseFeature("ogre", "ray", targets=("mira",)))
    assert "reaction" in str(table.prompt)
    assert table.one("mira").hp == 60


def test_a_harmful_spell_without_a_target_asks_for_one_on_the_map() -> None:
    table = on_a_map(mira=(1, 1), ann=(1, 2), bob=(2, 1), ogre=(4, 1))
    table.does(UseFeature("mira", spell="fear"))
    table.dice(12)
    table.chooses("ogre")
    assert "frightened" in table.effects("ogre")


@for_each(("face", "stunned"), [(20, True), (15, False)])
def test_a_critical_success_against_banishment_stuns_its_caster(face: int, stunned: bool) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="banishment", targets=("ogre",)))
    table.dice(face)
    table.answers(at_home=(), hates_item=())
    assert ("stunned" in table.effects("mira")) is stunned


@for_each(("at", "hp"), [((10, 9), 90), ((11, 10), 90 - 4)])
def test_a_ring_of_fire_burns_only_on_its_circle(at: tuple[int, int], hp: int) -> None:
    table = on_a_map(mira=(1, 1), ann=(2, 2), bob=(3, 3), ogre=(20, 20))
    table.does(UseFeature("mira", spell="wall-of-fire", origin=(10, 10)))
    table.chooses("ring")
    table.does(ForceMove("ogre", at, "teleport"))
    table.dice(1, 1, 1, 1)
    table.ends_turn(3)
    assert table.one("ogre").hp == hp


@for_each(("variant", "left_over"), [("green", {"enfeebled"}), ("red", set())])
def test_each_color_of_a_prismatic_wall_has_its_own_save(variant: str, left_over: set[str]) -> None:
    table = on_a_map(mira=(1, 1), ann=(2, 2), bob=(3, 3), ogre=(20, 20))
    table.does(UseFeature("mira", spell="prismatic-wall", origin=(10, 10)))
    table.chooses("light within 20 feet")
    table.does(UseFeature("mira", spell="prismatic-wall", targets=("ogre",), purpose="again"))
    table.dice(12)
    table.chooses(variant)
    assert table.effects("ogre") == left_over
    assert table.one("ogre").hp == 90 - (10 if left_over else 20)


@for_each(
    ("face", "frightened", "hp"),
    [(2, True, 60), (12, True, 60 - 4), (20, False, 60 - 4)],
)
def test_a_mask_of_terror_scares_attackers_and_stops_those_that_fail_critically(
    face: int, frightened: bool, hp: int
) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="mask-of-terror", targets=("ann",)))
    table.ends_turn(3)
    table.dice(face, 19)
    table.does(Attack("ogre", "ann", "club"))
    assert ("frightened" in table.effects("ogre"), table.one("ann").hp) == (frightened, hp)
    assert "Mask of Terror" in table.effects("ann")


def test_paralyze_lasts_a_round_less_after_each_success() -> None:
    table = table_of()
    table.dice(2)
    table.does(UseFeature("mira", spell="paralyze", targets=("ogre",)))
    table.ends_turn(3)
    table.dice(16)
    table.ends_turn()
    assert left(table, "ogre", "paralyzed").rounds_left == 2  # a round has passed, too


def test_a_summoning_brings_one_creature() -> None:
    fiend = creature("imp", hp=9, type="fiend", level=1)
    table = Table(priest(), creature("ogre", hp=90), fiend, foes=("ogre", "imp"), rules=pf2e())
    table.start(mira=20, ogre=10, imp=5)
    table.does(UseFeature("mira", spell="summon-fiend"))
    assert [ask.id for ask in table.prompt.asks] == ["summons"]


@for_each(("level", "offered"), [(None, ["imp", ""]), (6, ["imp", "gate-fiend", ""])])
def test_a_summoning_brings_a_minion_of_at_most_the_level_of_its_rank(level: int | None, offered: list[str]) -> None:
    fiends = [creature("imp", hp=9, type="fiend", rating="1"), creature("gate-fiend", hp=70, type="fiend", rating="7")]
    table = Table(priest(), creature("ogre", hp=90), *fiends, foes=("ogre", "imp", "gate-fiend"), rules=pf2e())
    table.start(mira=20, ogre=10, imp=5, **{"gate-fiend": 3})
    table.does(UseFeature("mira", spell="summon-fiend", level=level))
    assert [option.id for option in table.prompt.asks[0].options] == offered
    table.answers(summons="imp")
    (came,) = {*table.encounter.ids(Combatant)} - {"mira", "ogre", "imp", "gate-fiend"}
    actions = [remaining(table.encounter, came, "action")]
    table.ends_turn(4)
    assert "summoned-creature" in table.effects(came)
    assert [*actions, *(remaining(table.encounter, came, what) for what in ("action", "reaction"))] == [2, 0, 0]


def test_a_summoned_creature_acts_if_its_spell_is_sustained_and_is_banished_at_0_hit_points() -> None:
    imp = creature("imp", hp=9, type="fiend", rating="1")
    table = Table(priest(), creature("ogre", hp=90), imp, foes=("ogre", "imp"), rules=pf2e())
    table.start(mira=20, ogre=10, imp=5)
    table.does(UseFeature("mira", spell="summon-fiend"))
    table.answers(summons="imp")
    (came,) = {*table.encounter.ids(Combatant)} - {"mira", "ogre", "imp"}
    table.ends_turn(3)
    table.refuses(TakeAction(came, "drop-prone"))
    table.does(TakeAction("mira", "sustain"))
    table.does(TakeAction(came, "drop-prone"))
    table.does(ApplyDamage((came,), "9 fire"))
    assert table.encounter.get(Combatant, came) is None


@for_each(("face", "images"), [(10, 2), (2, 3)])
def test_a_miss_destroys_an_image_unless_it_is_critical(face: int, images: int) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="mirror-image"))
    table.ends_turn(3)
    table.dice(face)
    table.does(Attack("ogre", "mira", "club"))
    assert left(table, "mira", "Mirror Image").uses_left == images


@for_each(("face", "refused"), [(12, True), (15, False)])
def test_repulsion_keeps_creatures_that_fail_from_moving_closer(face: int, refused: bool) -> None:
    table = on_a_map(mira=(1, 1), ann=(1, 2), bob=(2, 20), ogre=(5, 1))
    table.dice(face)
    table.does(UseFeature("mira", spell="repulsion", targets=("ogre",)))
    table.ends_turn(3)
    if refused:
        assert table.refuses(MovePath("ogre", ((4, 1),))).key == "refused.approaches"
    else:
        table.does(MovePath("ogre", ((4, 1),)))


def test_a_fleeing_creature_does_not_move_closer_to_what_it_fears() -> None:
    table = on_a_map(mira=(1, 1), ann=(1, 2), bob=(2, 20), ogre=(5, 1))
    table.dice(2)
    table.does(UseFeature("mira", spell="fear", targets=("ogre",)))
    table.ends_turn(3)
    assert table.refuses(MovePath("ogre", ((4, 1),))).key == "refused.approaches"
    table.does(MovePath("ogre", ((6, 1),)))


@for_each(
    ("spell", "origin", "caught"),
    [
        ("fireball", (10, 10), ["bob", "ogre"]), ("slither", (10, 10), ["bob", "ogre"]), ("burning-hands", (6, 5), ["ann"]),
        ("lightning-bolt", (13, 5), ["ann"]), ("blessed-boundary", (22, 10), ["ogre"]), ("fireball", (24, 24), []),
        ("mist", (10, 10), []), ("wall-of-fire", (10, 10), []), ("faerie-fire", (10, 10), ["ogre"]),
        ("divine-wrath", (10, 10), ["ogre"]), ("control-water", (10, 10), []), ("earthquake", (10, 10), []),
    ],
)  # fmt: skip
def test_an_area_placed_on_the_map_suggests_the_creatures_in_it(
    spell: str, origin: tuple[int, int], caught: list[str]
) -> None:
    table = on_a_map(mira=(5, 5), ann=(6, 5), bob=(13, 10), ogre=(10, 10))
    table.does(UseFeature("mira", spell=spell, origin=origin))
    asks = [one for prompt in table.prompts for one in prompt.asks if one.id == "who"]
    assert sorted(each for one in asks for each in one.suggested) == caught


@for_each(
    ("face", "armor", "left_over"), [(4, 15, {"frightened"}), (12, 17, {"frightened", "Clear Mind"}), (20, 17, set())]
)
def test_clear_mind_suppresses_what_it_just_fails_to_end(face: int, armor: int, left_over: set[str]) -> None:
    people = (creature("ann", hp=60, ac=17, saves=SAVES), creature("ogre", level=9, features=(SPELLS,), slots=SLOTS))
    table = Table(priest(), *people, foes=("ogre",), rules=pf2e())
    table.start(ogre=20, mira=15, ann=10)
    table.dice(8, face)
    table.does(UseFeature("ogre", spell="fear", targets=("ann",), level=5))
    table.ends_turn()
    table.does(UseFeature("mira", spell="clear-mind", targets=("ann",)))
    assert (table.effects("ann"), armor_class(table.encounter, table.rules, "ann").total) == (left_over, armor)


@for_each(("blocks", "shielded"), [(True, False), (False, True)])
def test_a_shield_that_has_blocked_can_not_be_cast_again(blocks: bool, shielded: bool) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="shield"))
    table.ends_turn(3)
    table.dice(15)
    table.does(Attack("ogre", "mira", "club"))
    table.chooses("left-" + left(table, "mira", "Shield").id if blocks else "pass")
    table.ends_turn()
    table.does(UseFeature("mira", spell="shield"), anyway=blocks)
    assert (table.effects("mira") == {"Shield"}, table.one("mira").hp) == (shielded, 60 if blocks else 56)


def test_a_fire_shield_burns_each_attacker_that_it_blocks() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="fire-shield"))
    table.ends_turn(3)
    table.dice(15, 3, 3)
    table.does(Attack("ogre", "mira", "club"))
    table.chooses("left-" + left(table, "mira", "Fire Shield").id)
    assert (table.one("mira").hp, table.one("ogre").hp, "Fire Shield" in table.effects("mira")) == (60, 84, True)


@for_each(("variant", "face", "pushed"), [("Shove", 4, 0), ("Shove", 12, 5), ("Shove", 20, 10), ("Trip", 20, 0)])
def test_a_telekinetic_shove_meets_fortitude_and_pushes(variant: str, face: int, pushed: int) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="telekinetic-maneuver", targets=("ogre",)))
    table.dice(face)
    table.chooses(variant)
    assert [each.feet for each in table.happened(Pushed)] == [pushed] * bool(pushed)


@for_each(("spell", "armor"), [("pest-form", 24), ("tree-shape", 20)])
def test_penalties_still_lower_the_armor_class_of_a_shape(spell: str, armor: int) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell=spell))
    assert armor_class(table.encounter, table.rules, "mira").total == armor
    table.does(ApplyCondition(("mira",), "frightened", value=1))
    assert armor_class(table.encounter, table.rules, "mira").total == armor - 1


@for_each(("rating", "rounds", "value"), [("13", 5, 18), ("15", 1, 3), ("16", 0, 1)])
def test_a_word_of_power_stuns_by_level(rating: str, rounds: int, value: int) -> None:
    people = (creature("ann", hp=60), creature("ogre", hp=90, rating=rating))
    table = Table(priest(), *people, foes=("ogre",), rules=pf2e())
    table.start(mira=20, ann=15, ogre=10)
    table.dice(5)
    table.does(UseFeature("mira", spell="power-word-stun", targets=("ogre",)))
    stunned = left(table, "ogre", "stunned")
    assert (stunned.rounds_left, stunned.value) == (rounds, value)


@for_each(("spell", "repeats"), [("invoke-spirits", False), ("flaming-sphere", True)])
def test_some_spells_act_only_when_first_sustained_in_a_turn(spell: str, repeats: bool) -> None:
    table = table_of()
    again = UseFeature("mira", spell=spell, targets=("ogre",), purpose="again")
    table.does(UseFeature("mira", spell=spell, targets=("ogre",)))
    table.skips()
    table.ends_turn(4)
    table.does(again)
    table.skips()
    if repeats:
        table.does(again)
    else:
        assert table.refuses(again).key == "refused.once_a_turn"


@for_each(
    ("spell", "square", "feet", "steep"),
    [
        ("air-walk", (6, 5), 5, False), ("air-walk", (6, 6), 5, False), ("air-walk", (6, 5), 10, True),
        ("air-walk", (5, 5), 5, True), ("fly", (5, 5), 5, False),
    ],
)  # fmt: skip
def test_walking_on_air_climbs_at_45_degrees(spell: str, square: tuple[int, int], feet: int, steep: bool) -> None:
    table = on_a_map(mira=(4, 5), ann=(5, 5), bob=(20, 20), ogre=(25, 25))
    table.does(UseFeature("mira", spell=spell, targets=("ann",)))
    table.ends_turn()
    move = MovePath("ann", (square,), heights=(feet,))
    if steep:
        assert table.refuses(move).key == "refused.steep"
    else:
        table.does(move)
        assert table.one("ann").elevation == feet


@for_each(("face", "held"), [(2, True), (16, False)])
def test_a_later_save_decides_about_a_spell_without_a_question(face: int, held: bool) -> None:
    table = table_of()
    table.dice(10, face)
    table.does(UseFeature("mira", spell="dominate", targets=("ogre",)))
    table.ends_turn(4)
    assert ("controlled" in table.effects("ogre"), table.prompts) == (held, [])


@for_each(("area", "reach", "origin"), [("30-foot cone", "", (10, 5)), ("10-foot burst", "60", (10, 6))])
def test_a_breath_towards_a_square_suggests_the_creatures_in_its_way(
    area: str, reach: str, origin: tuple[int, int]
) -> None:
    breath = Feature("breath", "Breath", "action", save="dex", dc=20, damage="6 fire", area=area, range=reach)
    table = on_a_map(breath, mira=(5, 5), ann=(10, 5), bob=(1, 1), ogre=(3, 20))
    table.does(UseFeature("mira", "breath", origin=origin))
    assert table.prompt.asks[0].suggested == ("ann",)


@for_each(("faces", "hurt"), [((10, 1, 1), ["ogre", "bob", "ann"]), ((10, 20, 1), ["ogre"])])
def test_a_chain_of_lightning_ends_with_a_critical_success(faces: tuple[int, ...], hurt: list[str]) -> None:
    table = on_a_map(mira=(1, 1), ogre=(5, 5), bob=(10, 5), ann=(15, 5))
    table.dice(*faces, *[1] * 8)
    table.does(UseFeature("mira", spell="chain-lightning", targets=("ogre", "bob", "ann")))
    assert [who for who in ("ogre", "bob", "ann") if table.one(who).hp < table.one(who).hp_max] == hurt
    near = UseFeature("mira", spell="chain-lightning", targets=("ogre", "ann"))
    table.ends_turn(4)
    assert table.refuses(near).key == "refused.targets_apart"


@for_each(("face", "dead"), [(9, False), (1, True)])
def test_a_second_critical_failure_against_a_decree_kills(face: int, dead: bool) -> None:
    foe = creature("ogre", hp=90, level=3, rating="3", saves=SAVES)
    table = Table(priest(), creature("ann", hp=60), foe, foes=("ogre",), rules=pf2e())
    table.start(mira=20, ann=15, ogre=10)
    table.dice(2, *[1] * 7, face)
    table.does(UseFeature("mira", spell="divine-decree", targets=("ogre",)))
    table.skips()
    assert table.one("ogre").dead is dead


def against_a_flier(height: int, spell: str, *faces: int) -> Table:
    flier = creature("ogre", hp=90, level=3, saves=SAVES, speeds=(("walk", 25), ("fly", 40)))
    table = Table(priest(), flier, foes=("ogre",), rules=pf2e())
    table.start(mira=20, ogre=10)
    for command in (Add((Map(columns=30, rows=30),)), SetPosition("mira", position=(5, 5))):
        table.does(command)
    table.does(SetPosition("ogre", position=(8, 5), elevation=height))
    table.dice(*faces)
    table.does(UseFeature("mira", spell=spell, targets=("ogre",)))
    return table


@for_each("face", [12, 16])
def test_a_flier_bound_to_the_earth_lands_unharmed(face: int) -> None:
    table = against_a_flier(60, "earthbind", face)
    table.chooses(*table.prompt.asks[0].suggested)
    assert (table.one("ogre").elevation, table.one("ogre").hp, "Earthbind" in table.effects("ogre")) == (0, 90, True)
    table.ends_turn()
    assert ("Earthbind" in table.effects("ogre")) is (face == 12)


@for_each(("height", "hp"), [(0, 90), (10, 84)])
def test_a_gust_hurts_fliers_that_only_fail(height: int, hp: int) -> None:
    table = against_a_flier(height, "gust-of-wind", 12, 3, 3)
    table.chooses("ogre")
    assert (table.one("ogre").hp, "prone" in table.effects("ogre")) == (hp, True)
    assert any(isinstance(one, Pushed) for one in table.events) is (height > 0)


@for_each("spell", ["illusory-creature", "impaling-briars"])
def test_a_spell_that_attacks_later_asks_for_no_target_yet(spell: str) -> None:
    table = on_a_map(mira=(1, 1), ann=(1, 2), bob=(2, 1), ogre=(4, 1))
    table.does(UseFeature("mira", spell=spell))
    table.skips() if table.prompts and table.prompt.title == "prompt.turn_over" else None
    assert (table.prompts, table.one("ogre").hp) == ([], 90)
    table.ends_turn(4)
    table.does(UseFeature("mira", spell=spell, purpose="again"))
    assert "ogre" in {option.id for option in table.prompt.asks[0].options}


def test_a_summoning_without_a_stat_block_leaves_the_creature_to_the_game_master() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="summon-fiend"))
    (skipped,) = [one for one in table.events if isinstance(one, Skipped)]
    assert (skipped.journal_key, skipped.detail) == ("journal.skipped_summons", "fiend")


@for_each("spell", ["clear-mind", "sound-body", "neutralize-poison"])
def test_a_spell_that_counteracts_asks_for_its_target(spell: str) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell=spell))
    assert table.prompt.asks[0].id == "who"


@for_each(
    ("spell", "condition"),
    [("hypnotic-pattern", "fascinated"), ("hypnotize", "fascinated"), ("vibrant-pattern", "blinded")],
)
def test_creatures_that_enter_a_pattern_are_dazzled_until_they_leave_it(spell: str, condition: str) -> None:
    table = on_a_map(mira=(1, 1), ann=(1, 2), bob=(2, 1), ogre=(12, 10))
    table.does(UseFeature("mira", spell=spell, origin=(10, 10)))
    table.ends_turn(3)
    table.dice(10)
    table.does(MovePath("ogre", ((11, 10), (10, 10))))
    assert {condition, left(table, "mira", "concentrating").source} <= {*table.effects("ogre")}
    table.does(MovePath("ogre", ((11, 10), (12, 10), (13, 10))))
    assert table.effects("ogre") == {condition}


@for_each(("spell", "spared"), [("color-spray", "blinded"), ("dazzling-flash", "blinded"), ("command", "deafened")])
def test_effects_for_a_lost_sense_are_wasted(spell: str, spared: str) -> None:
    for condition in ("blinded", "deafened"):
        table = table_of()
        table.does(ApplyCondition(("ogre",), condition))
        table.dice(10)
        table.does(UseFeature("mira", spell=spell, targets=("ogre",)))
        table.skips() if table.prompts else None
        immune = [one.reason for one in table.events if isinstance(one, Unaffected)] == ["why.immune"]
        assert immune is (condition == spared)


def test_a_true_target_helps_with_the_first_attack_of_each_ally() -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="true-target", targets=("ogre",)))
    for who in ("ann", "bob"):
        table.ends_turn()
        table.dice(5, 15)
        table.does(Attack(who, "ogre", "club"))
        table.dice(5)
        table.does(Attack(who, "ogre", "club"))
        assert table.prompts == []
    assert table.one("ogre").hp == 82


@for_each(("kind", "uses"), [("slashing", 19), ("fire", 20)])
def test_the_skin_of_stone_lasts_for_twenty_hits(kind: str, uses: int) -> None:
    blow = Feature("blow", "Blow", "action", attack=20, damage=f"9 {kind}", properties=("weapon",), reach=5)
    ogre = creature("ogre", hp=90, level=3, features=(blow,))
    table = Table(priest(), creature("ann", hp=60, ac=17, level=3), ogre, foes=("ogre",), rules=pf2e())
    table.start(mira=20, ann=15, ogre=10)
    table.does(UseFeature("mira", spell="stoneskin", targets=("ann",)))
    table.ends_turn(2)
    table.dice(5)
    table.does(Attack("ogre", "ann", "blow"))
    assert (table.one("ann").hp, left(table, "ann", "Stoneskin").uses_left) == (56 if uses == 19 else 51, uses)


@for_each(
    ("choice", "clumsy", "drained"),
    [("clumsy 2 lower", 1, 1), ("clumsy and drained 1 lower each", 2, 0), ("enfeebled 2 lower", 3, 1)],
)
def test_a_restoration_lowers_the_value_of_conditions(choice: str, clumsy: int, drained: int) -> None:
    table = table_of()
    table.does(ApplyCondition(("ann",), "clumsy", value=3))
    table.does(ApplyCondition(("ann",), "drained", value=1))
    table.does(UseFeature("mira", spell="restoration", targets=("ann",), level=4), anyway=True)
    table.chooses(choice)
    values = {one.name: one.value for one in table.encounter.of(Effect, "ann")}
    assert (values.get("clumsy", 0), values.get("drained", 0), "enfeebled" in values) == (clumsy, drained, False)


def test_a_moment_of_renewal_is_a_day_of_rest() -> None:
    table = table_of()
    table.does(ApplyDamage(("ann", "bob"), "30"))
    table.does(ApplyCondition(("ann",), "doomed", value=2))
    table.does(ApplyCondition(("ann",), "fatigued"))
    table.does(UseFeature("mira", spell="moment-of-renewal", targets=("ann", "bob")))
    assert (table.one("ann").hp, table.one("bob").hp) == (36, 36)  # 1 for each of 3 levels, twice
    assert (left(table, "ann", "doomed").value, "fatigued" in table.effects("ann")) == (1, False)


@for_each(("choice", "ac", "rounds"), [("as a stone", 23, 4800), ("inside a stone", 18, 100)])
def test_a_stone_lasts_longer_than_a_stay_in_one(choice: str, ac: int, rounds: int) -> None:
    table = table_of()
    table.does(UseFeature("mira", spell="one-with-stone"))
    table.chooses(choice)
    (one,) = table.encounter.of(Effect, "mira")
    assert (armor_class(table.encounter, table.rules, "mira").total, one.rounds_left) == (ac, rounds)


@for_each(("spell", "foe"), [("seize-soul", "ogre"), ("stabilize", "ann"), ("talking-corpse", "ogre")])
def test_a_spell_for_the_dead_or_dying_is_refused_for_others(spell: str, foe: str) -> None:
    table = table_of()
    assert table.refuses(UseFeature("mira", spell=spell, targets=(foe,))).key


@for_each(
    ("spell", "dies"),
    [("vampiric-touch", True), ("wails-of-the-damned", True), ("phantasmagoria", True), ("spirit-blast", False)],
)
def test_death_effects_kill_creatures_that_they_reduce_to_0_hit_points(spell: str, dies: bool) -> None:
    ann, ogre = creature("ann", hp=5, level=3, saves=SAVES), creature("ogre", hp=90, features=(SPELLS,), slots=SLOTS)
    table = Table(
        ann, ogre, foes=("ogre",), roster=(RosterEntry("ann", "ann", side="party", player="Ann"),), rules=pf2e()
    )
    table.start(ogre=20, ann=10)
    table.dice(5, *[1] * 20)
    table.does(UseFeature("ogre", spell=spell, targets=("ann",)))
    assert (table.one("ann").hp, table.one("ann").dead, "dying" in table.effects("ann")) == (0, dies, not dies)


@for_each(("face", "lasts"), [(14, True), (15, False)])
def test_a_flat_check_ends_phantom_pain_but_not_the_sickness(face: int, lasts: bool) -> None:
    table = table_of()
    table.dice(10, 1, 1)
    table.does(UseFeature("mira", spell="phantom-pain", targets=("ogre",)))
    table.ends_turn(4)
    table.dice(1, face)
    assert ("ongoing" in table.effects("ogre"), "sickened" in table.effects("ogre")) == (lasts, True)


@for_each(("spell", "level", "free"), [("tangle-vine", 1, True), ("slither", 5, False), ("", 0, True)])
def test_unfettered_movement_escapes_from_magic_of_its_rank_without_a_check(spell: str, level: int, free: bool) -> None:
    hag = creature("hag", hp=60, level=9, features=(SPELLS,), slots=SLOTS)
    table = Table(priest(), creature("ann", hp=60, ac=17, level=3, saves=SAVES), hag, foes=("hag",), rules=pf2e())
    table.start(mira=20, hag=15, ann=10)
    table.does(UseFeature("mira", spell="unfettered-movement", targets=("ann",)))
    table.ends_turn()
    if spell:
        table.dice(20 if spell == "tangle-vine" else 10, 1, 1, 1)
        table.does(UseFeature("hag", spell=spell, targets=("ann",), level=level))
    else:
        table.does(ApplyCondition(("ann",), "grabbed", by="hag"))
    table.ends_turn()
    table.does(TakeAction("ann", "escape"))
    assert bool(table.prompts) is not free
    assert bool({"immobilized", "grabbed", "restrained", "Tangle Vine"} & table.effects("ann")) is not free


@for_each(
    ("choice", "level", "healed"), [("first creature", 4, 8), ("third creature", 4, 8), ("third creature", 6, 12)]
)
def test_a_beacon_heals_with_the_dice_of_each_draw(choice: str, level: int, healed: int) -> None:
    table = table_of()
    table.does(ApplyDamage(("ann",), "30"))
    table.does(UseFeature("mira", spell="vital-beacon", targets=("ann",), level=level), anyway=True)
    table.chooses("the beacon itself")
    table.ends_turn()
    table.dice(*[2] * (healed // 2))
    table.does(UseFeature("mira", spell="vital-beacon", targets=("ann",), purpose="again"))
    table.chooses(choice)
    assert table.one("ann").hp == 30 + healed


@for_each(
    ("curse", "cure", "ends"),
    [
        ("outcasts-curse", "remove-curse", "Outcast's Curse"), ("mariners-curse", "remove-curse", "sickened"),
        ("stupefy", "remove-curse", ""), ("outcasts-curse", "remove-disease", ""),
    ],
)  # fmt: skip
def test_remove_curse_counteracts_the_spells_that_are_curses(curse: str, cure: str, ends: str) -> None:
    hag = creature("hag", hp=60, level=9, features=(SPELLS,), slots=SLOTS)
    table = Table(hag, creature("ann", hp=60, level=3, saves=SAVES), priest(), foes=("hag",), rules=pf2e())
    table.start(hag=20, mira=15, ann=10)
    table.dice(10)
    table.does(UseFeature("hag", spell=curse, targets=("ann",)))
    before = table.effects("ann")
    table.ends_turn()
    table.does(UseFeature("mira", spell=cure, targets=("ann",), level=6), anyway=True)
    if ends:
        table.dice(15)
    assert (table.effects("ann"), table.prompts) == (before - {ends}, [])
    assert before
