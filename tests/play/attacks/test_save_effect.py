"""The spells that the rules give figures for, and what they leave out."""

import msgspec
import pytest

from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature, InflictedCondition, Map, Obstacle, RosterEntry
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.running import ObstacleState
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.save_effect import CaughtFire
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.movement.forced_movement import DropProne
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.events import DamageTaken, Unaffected
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.system import RuleSystem

ROW = tuple((step, 0, 0) for step in range(10))
SEVENS = (6, 6, 6, 6, 6, 5, 5)


def spell(id):
    return next(one for one in a5e().data.spells if one.id == id)


def storm(*more):
    table = Table("ann", creature("shrub", type="plant", hp=60), creature("goblin", hp=60), foes=["shrub", "goblin"])
    table.start(ann=20, shrub=10, goblin=5)
    for record in more:
        table.does(Add((record,)))
    return table


@pytest.mark.rule("a5e.spell.fire-storm")
def test_fire_storm_is_seven_tens_of_fire_in_ten_cubes_of_ten_feet():
    one = spell("fire-storm")
    assert (one.damage, one.cubes, one.cube) == ("7d10 fire", 10, 10)
    assert "save" in one.missing


@pytest.mark.rule("a5e.spell.fire-storm", "a5e.external.spell-stubs")
def test_what_a_source_leaves_out_is_asked():
    table = storm()
    table.does(UseFeature("ann", spell="fire-storm", targets=("goblin",)))
    assert [ask.id for ask in table.prompt.asks] == ["save", "dc", "half"]
    table.answers(save="dex", dc=15, half="half")
    table.answers(goblin="15")
    table.answers(damage="40")
    assert table.one("goblin").hp == 40
    assert table.track("ann", "action") == 0


@pytest.mark.rule("a5e.knockout.melee")
@pytest.mark.parametrize("save", ["dex", "none"])
def test_whom_a_spell_without_an_attack_fells_nobody_may_spare(save):
    table = storm()
    table.does(UseFeature("ann", spell="fire-storm", targets=("goblin",)))
    table.answers(save=save, dc=15, half="half")
    if save == "dex":
        table.answers(goblin="3")
    table.answers(damage="60")
    assert (table.one("goblin").dead, table.prompts) == (True, [])


@pytest.mark.rule("a5e.knockout.melee")
def test_whom_a_feature_without_an_attack_fells_nobody_may_spare():
    table = storm()
    table.does(UseFeature("ann", given=Feature("pulse", "Pulse", "action", damage="60"), targets=("goblin",)))
    assert (table.one("goblin").dead, table.prompts) == (True, [])


@pytest.mark.rule("a5e.spell.fire-storm.area")
def test_its_cubes_are_ten_and_hang_together():
    table = storm()
    apart = (*((step, 0, 0) for step in range(5)), *((step, 5, 0) for step in range(5)))
    refused = table.refuses(UseFeature("ann", spell="fire-storm", cubes=apart))
    assert (refused.key, refused.rule) == ("refused.cubes_apart", "a5e.spell.fire-storm.area")
    refused = table.refuses(UseFeature("ann", spell="fire-storm", cubes=(*ROW, (10, 0, 0))))
    assert (refused.key, dict(refused.params)) == ("refused.cubes", {"count": 10})
    table.does(UseFeature("ann", spell="fire-storm", cubes=ROW))
    assert spell("fire-storm").cube == 10


@pytest.mark.rule("a5e.spell.fire-storm.plants")
def test_its_caster_may_spare_plants():
    assert (spell("fire-storm").excludes_plants, spell("acid-arrow").excludes_plants) == (True, False)
    table = storm()
    table.does(UseFeature("ann", spell="fire-storm", targets=("shrub", "goblin"), exempt=("plant",)))
    table.answers(save="none", dc=0, half="none")
    table.answers(damage="40")
    assert [(event.target, event.taken) for event in table.happened(DamageTaken)] == [("goblin", 40)]
    assert [event.who for event in table.happened(Unaffected)] == ["shrub"]


@pytest.mark.rule("a5e.spell.fire-storm.plants")
def test_plants_burn_where_nobody_spares_them():
    table = storm()
    table.does(UseFeature("ann", spell="fire-storm", targets=("shrub", "goblin")))
    table.answers(save="none", dc=0, half="none")
    table.answers(damage="40")
    assert {event.target for event in table.happened(DamageTaken)} == {"shrub", "goblin"}


@pytest.mark.rule("a5e.spell.fire-storm.ignite")
def test_what_may_burn_and_nobody_holds_catches_fire():
    things = (
        Obstacle("crate", "Crate", (1, 1), flammable=True),
        Obstacle("bundle", "Bundle", (2, 1), flammable=True, attended=True),
        Obstacle("stone", "Stone", (3, 1)),
        Obstacle("cart", "Cart", (9, 9), flammable=True),
    )
    table = storm(Map(columns=12, rows=12, obstacles=things))
    table.does(UseFeature("ann", spell="fire-storm", targets=("goblin",), objects=("crate", "bundle", "stone")))
    table.answers(save="none", dc=0, half="none")
    table.answers(damage="40")
    assert [state.id for state in table.encounter.all(ObstacleState) if state.burning] == ["crate"]
    assert [event.object_name for event in table.happened(CaughtFire)] == ["Crate"]


@pytest.mark.rule("a5e.spell.accelerando", "a5e.external.spell-stubs")
def test_accelerando_does_nothing_by_itself():
    one = spell("accelerando")
    assert (one.damage, one.kind, one.cubes) == ("", "", 0)
    assert "speed" in one.text
    table = storm()
    before = {who: table.effects(who) for who in ("ann", "shrub", "goblin")}
    table.does(UseFeature("ann", spell="accelerando", targets=("goblin",)))
    table.answers(save="none", dc=0, half="none")
    assert {who: table.effects(who) for who in before} == before
    assert not table.happened(DamageTaken)
    assert not [*table.encounter.all(Procedure)]


@pytest.mark.rule("a5e.spell.acid-arrow", "a5e.external.spell-stubs")
def test_acid_arrow_is_acid_and_no_more_is_known():
    one = spell("acid-arrow")
    assert (one.kind, one.damage) == ("acid", "")
    assert {"attack", "damage"} <= set(one.missing)


def test_a_breath_strikes_all_for_one_roll_and_halves_for_those_who_save():
    breath = Feature("breath", "Breath", "action", save="dex", dc=13, damage="2d6 fire", half=True)
    table = Table(creature("drake", features=(breath,)), "tam", "osk", roster=[RosterEntry("drake", "drake")])
    table.start(drake=20, tam=10, osk=5)
    table.dice(12, 13, 4, 5)
    table.does(UseFeature("drake", "breath", targets=("tam", "osk")))
    assert [(event.target, event.taken) for event in table.happened(DamageTaken)] == [("tam", 9), ("osk", 4)]


def test_an_area_leaves_out_those_whom_it_does_not_mean():
    screech = Feature(
        "screech", "Screech", "action", area="20-foot radius", when="not other.type:demon", damage="5 thunder"
    )
    imp = creature("imp", type="fiend", tags=("demon",), hp=20)
    table = Table(creature("vrock", features=(screech,)), imp, "osk", foes=["vrock", "imp"])
    table.start(vrock=20, imp=10, osk=5)
    table.does(UseFeature("vrock", "screech", targets=("imp", "osk")))
    assert [event.target for event in table.happened(DamageTaken)] == ["osk"]
    assert [event.who for event in table.happened(Unaffected)] == ["imp"]


@pytest.mark.parametrize("targets", [("bob",), ("bob", "cat"), ()])
def test_a_feature_heals_nobody_who_is_dead(targets):
    mending = Feature("mending", "Mending", "action", range="60", heals="8", properties=("spell",))
    breath = Feature("breath", "Second breath", "bonus", heals="1d10")
    table = Table(
        creature("ann", features=(mending, breath)), creature("bob"), creature("cat", hp=30), "orc", foes=["orc"]
    )
    table.start(ann=20, bob=15, cat=12, orc=10)
    table.does(ApplyDamage(("cat",), "9"))
    dead = "bob" if targets else "ann"
    table.does(SetDead(dead))
    table.dice(5)
    table.does(UseFeature("ann", "mending" if targets else "breath", targets=targets), anyway=True)
    assert (table.one(dead).dead, table.one(dead).hp) == (True, 0)
    assert table.one("cat").hp == (29 if "cat" in targets else 21)


def test_a_feature_that_heals_gives_its_targets_what_was_rolled_and_wakes_them():
    mending = Feature("mending", "Mending", "action", reach=5, heals="1d8+3")
    breath = Feature("breath", "Second breath", "bonus", heals="1d10")
    table = Table(
        creature("ann", hp=30, features=(mending, breath)),
        creature("bob", hp=12, tags=("player character",)),
        creature("orc"),
        foes=["orc"],
    )
    table.start(ann=20, bob=15, orc=10)
    table.does(ApplyDamage(("ann",), "9"))
    table.does(ApplyDamage(("bob",), "12"))
    table.dice(5)
    table.does(UseFeature("ann", "mending", targets=("bob",)))
    assert table.one("bob").hp == 8
    assert "unconscious" not in table.effects("bob")
    table.dice(4)
    table.does(UseFeature("ann", "breath"))
    assert table.one("ann").hp == 25


# Missiles that targets share ---------------------------------------------------------------------------------------


MISSILE = Feature("missile", "Magic Missile", "action", damage="3d4+3 force", range="120", properties=("spell",))


def volley(means: Feature = MISSILE, rules: RuleSystem | None = None) -> Table:
    foes = [creature(id, hp=30) for id in ("orc", "wolf", "bat", "rat")]
    mage = creature("mage", features=(means,), slots=(("1", 2), ("2", 2)))
    table = Table(mage, *foes, foes=tuple(foe.id for foe in foes), rules=rules or dnd5e())
    table.start(mage=20, orc=9, wolf=8, bat=7, rat=6)
    return table


def test_targets_share_the_missiles_of_a_spell() -> None:
    table = volley()
    table.dice(1, 2, 4)
    table.does(UseFeature("mage", "missile", targets=("orc", "wolf")))
    table.answers(ray_2=("wolf",))
    assert (table.one("orc").hp, table.one("wolf").hp) == (28, 22)  # 1 + 1, and 2 + 1 + 4 + 1
    table = volley()
    table.dice(1, 2, 4)
    table.does(UseFeature("mage", "missile", targets=("orc",)))
    assert table.one("orc").hp == 20
    assert volley().refuses(UseFeature("mage", "missile", targets=("orc", "wolf", "bat", "rat"))).key == (
        "refused.too_many_targets"
    )


def test_a_higher_slot_adds_a_missile() -> None:
    table = volley()
    table.dice(1, 1, 1, 1)
    table.does(UseFeature("mage", spell="magic-missile", targets=("orc", "wolf", "bat", "rat"), level=2))
    assert {table.one(who).hp for who in ("orc", "wolf", "bat", "rat")} == {28}


def test_each_action_adds_a_shard_for_a_target() -> None:
    table = volley(msgspec.structs.replace(MISSILE, id="barrage", name="Force Barrage", price=3), pf2e())
    table.dice(1, 2, 4)
    table.does(UseFeature("mage", "barrage", targets=("orc", "wolf", "bat")))
    assert [table.one(who).hp for who in ("orc", "wolf", "bat")] == [28, 27, 25]


# Effects on single targets ----------------------------------------------------------------------------------------

MIND = Feature("swarm-mind", "Swarm Mind", automation="off")
DAZZLE = Feature("dazzle", "Dazzle", "action", range="60", save="wis", dc=30, damage="10", properties=("spell",))


@pytest.mark.parametrize(
    ("means", "touched"),
    [
        (msgspec.structs.replace(DAZZLE, damage="10 mental", targets=1), False),
        (msgspec.structs.replace(DAZZLE, properties=("spell", "mental")), False),
        (msgspec.structs.replace(DAZZLE, damage="10 mental", area="20-foot radius"), True),
        (msgspec.structs.replace(DAZZLE, damage="10 fire", targets=1), True),
    ],
)
def test_a_mental_effect_on_single_targets_leaves_a_swarm_alone(means: Feature, touched: bool) -> None:
    swarms = (creature("rats", condition_immunities=("swarm-mind",)), creature("bats", features=(MIND,)))
    table = Table(
        creature("mage", features=(means,)), *swarms, creature("orc"), foes=("rats", "bats", "orc"), rules=pf2e()
    )
    table.start(mage=20, rats=9, bats=8, orc=7)
    for who, hurt in (("rats", touched), ("bats", touched), ("orc", True)):
        table.dice(2, 2)
        table.does(UseFeature("mage", "dazzle", targets=(who,)))
        assert (table.one(who).hp < 20) is hurt
    left = [event.who for event in table.happened(Unaffected) if event.reason == "why.immune"]
    assert left == ([] if touched else ["rats", "bats"])


@pytest.mark.parametrize(("face", "hp"), [(2, 0), (19, 20)])
def test_a_glare_drops_its_target_to_nothing_unless_it_saves(face, hp):
    glare = Feature("glare", "Glare", "action", save="wis", dc=15, properties=("drops",))
    table = Table(creature("hag", features=(glare,)), creature("ann", level=5), foes=["hag"], rules=dnd5e())
    table.start(hag=20, ann=10)
    table.dice(face)
    table.does(UseFeature("hag", "glare", targets=("ann",)))
    assert (table.one("ann").hp, "dying" in table.effects("ann")) == (hp, not hp)


@pytest.mark.parametrize(
    ("properties", "face", "hp"),
    [
        (("drops", "hurts-saved"), 19, 16),
        (("drops", "hurts-saved"), 2, 0),
        (("hurts-saved",), 2, 20),
        (("hurts-all",), 19, 16),
        (("hurts-all",), 2, 16),
    ],
)
def test_damage_can_spare_those_who_fail_or_nobody(properties, face, hp):
    glare = Feature("glare", "Glare", "action", save="wis", dc=15, damage="4 psychic", properties=properties)
    table = Table(creature("hag", features=(glare,)), creature("ann", level=5), foes=["hag"], rules=dnd5e())
    table.start(hag=20, ann=10)
    table.dice(face)
    table.does(UseFeature("hag", "glare", targets=("ann",)))
    assert table.one("ann").hp == hp


@pytest.mark.parametrize(("face", "hp"), [(2, 15), (19, 10)])
def test_a_feature_that_kills_heals_its_owner_only_by_a_death(face, hp):
    drink = Feature("drink", "Drink", "action", save="con", dc=15, heals="5", properties=("kills",))
    table = Table(creature("wisp", features=(drink,)), "ann", foes=["wisp"], rules=dnd5e())
    table.start(wisp=20, ann=10)
    table.does(ApplyDamage(("wisp",), "10"))
    table.dice(face)
    table.does(UseFeature("wisp", "drink", targets=("ann",)))
    assert (table.one("wisp").hp, table.one("ann").dead) == (hp, hp == 15)


def divine_table():
    mage = creature("mage", features=(Feature("spells", "Spellcasting", "trait", dc=20),), slots=(("4", 2), ("9", 1)))
    foes = [
        creature(name, hp=90, rating=rating, saves=(("con", 8),)) for name, rating in (("imp", "1"), ("ogre", "20"))
    ]
    table = Table(mage, *foes, foes=("imp", "ogre"), rules=pf2e())
    table.start(mage=20, imp=10, ogre=5)
    return table


def test_a_spell_asks_once_about_each_target_that_its_rules_concern():
    table = divine_table()
    wrath = UseFeature("mage", spell="divine-wrath", targets=("imp", "ogre"))
    table.does(wrath)
    assert [ask.id for ask in table.prompt.asks] == ["same-alignment", "other-alignment"]
    table.dice(10, 1, 1, 1, 1)
    table.answers(same_alignment=("ogre",), other_alignment=("imp",))
    assert [(each.who, each.reason) for each in table.happened(Unaffected)] == [("ogre", "why.left_out")]
    assert (table.one("imp").hp, table.effects("imp")) == (90 - 4 // 2, set())  # a failure counts as a success
    table.ends_turn(3)
    table.dice(2, 1, 1, 1, 1)
    table.does(wrath)
    assert (table.one("imp").hp, table.effects("imp")) == (88 - 4, {"sickened"})


@pytest.mark.parametrize(("target", "is_met"), [("imp", True), ("ogre", False)])
def test_a_spell_that_only_harms_up_to_a_level_refuses_targets_above_it(target, is_met):
    table = divine_table()
    cast = UseFeature("mage", spell="duplicate-foe", targets=(target,), level=9)
    if is_met:
        table.does(cast)
    else:
        assert table.refuses(cast).key == "refused.target_not_meant"


@pytest.mark.parametrize("shape", ["emanation", "radius"])
def test_an_area_around_its_user_without_chosen_targets_suggests_those_in_it(shape):
    burst = Feature("burst", "Burst", "action", save="dex", dc=15, damage="2d6 fire", area=f"10-foot {shape}")
    table = Table(creature("ann", features=(burst,)), "near", "far", foes=("near", "far"), rules=pf2e())
    table.does(Add((Map(columns=20, rows=20),)))
    table.start(ann=20, near=10, far=5)
    for who, square in {"ann": (5, 5), "near": (6, 6), "far": (12, 5)}.items():
        table.does(SetPosition(who, position=square))
    table.does(UseFeature("ann", "burst"))
    assert [ask.suggested for ask in table.prompt.asks] == [("near",)]
    table.dice(2, 3, 3)
    table.chooses("near")
    assert (table.one("near").hp, table.one("far").hp) == (20 - 6, 20)


@pytest.mark.parametrize("when", ["", "target.prone"])
def test_a_feature_with_a_save_but_without_an_area_asks_for_its_targets(when):
    stare = Feature(
        "stare", "Stare", "action", save="wis", dc=15, when=when, afflictions=(InflictedCondition("dazzled"),)
    )
    table = Table(creature("ann", features=(stare,)), "near", "far", foes=("near", "far"), rules=pf2e())
    table.start(ann=20, near=10, far=5)
    table.does(DropProne("near"), anyway=True)
    table.does(UseFeature("ann", "stare"))
    assert [[option.id for option in ask.options] for ask in table.prompt.asks] == [
        ["near"] if when else ["near", "far"]
    ]
    table.dice(2)
    table.chooses("near")
    assert "dazzled" in table.effects("near")
