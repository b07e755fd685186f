"""Other stat blocks by hand, temporary shapes, and phases."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from tests.for_each import for_each
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import CreaturePhase, Feature, FeatureStep, RosterEntry, Scene
from turnwright.encounter.running import Combatant, ShapeChange
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import (
    ChangeStatBlock,
    Heal,
    PhaseBegan,
    RevertShape,
    SetDead,
    SetHitPoints,
    SetTrack,
)
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.spawning.spawning import character_state
from turnwright.play.state.events import DroppedToZero, StatBlockChanged
from turnwright.play.turns.turns import RemoveCombatant
from turnwright.rules.parts.combatants.facts import legendary_actions
from turnwright.rules.system import RuleSystem, creature_of

BREATH = Feature("breath", "Breath", "action", save="dex", dc=10, damage="1d6 fire", half=True, recharge=6)
RAGE = Feature("rage", "Rage", trigger="hits", only="phase:mythic", damage="2 fire")
RAM = Feature("ram", "Ram", "action", attack=5, reach=5, damage="1d6 bludgeoning")
MYTHIC = CreaturePhase(
    "mythic", "Mythic", at=0, hp=40, legendary=5, ends=("*",), recharges=("*",), note="It rises, burning."
)
BLOODIED = CreaturePhase("bloodied", "Bloodied", recharges=("breath",))


def fight(
    *phases: CreaturePhase,
    rules: RuleSystem | None = None,
    options: tuple[str, ...] = (),
    more: tuple[Feature, ...] = (),
) -> Table:
    """Ann, who goes first, against a dragon of 60 hit points with some phases."""
    dragon = creature("dragon", features=(BREATH, RAGE, RAM, *more), hp=60, legendary=3)
    table = Table(
        creature("ann", hp=60, features=(RAM,)),
        msgspec.structs.replace(dragon, phases=phases),
        creature("wraith", hp=90, ac=18),
        roster=(RosterEntry("wraith", "wraith", count=1, bystander=True),),
        foes=("dragon",),
        rules=rules or dnd5e(),
        scene=Scene(system=(rules or dnd5e()).id, strictness="warn", options=options),
    )
    table.start(ann=20, dragon=10)
    return table


def undone_and_redone(table: Table, before: object) -> None:
    after = table.encounter
    table.session.undo()
    assert table.encounter == before
    table.session.redo()
    assert table.encounter == after


GAMES = (dnd5e, a5e, pf2e)


@pytest.mark.parametrize("game", GAMES)
def test_what_begins_at_0_gives_hit_points_in_place_of_death(game: Callable[[], RuleSystem]) -> None:
    table = fight(MYTHIC, rules=game())
    table.does(SetTrack("dragon", "recharge.breath", 0))
    table.does(ApplyCondition(("dragon",), "frightened", by="ann", value=1))
    before = table.encounter
    table.does(ApplyDamage(("dragon",), "200"))
    dragon = table.one("dragon")
    assert (dragon.hp, dragon.hp_max, dragon.dead, dragon.phases) == (40, 60, False, ("mythic",))
    assert table.track("dragon", "recharge.breath") == 1
    assert table.effects("dragon") == set()
    assert legendary_actions(table.encounter, "dragon") == 5
    assert [(one.phase, one.note) for one in table.happened(PhaseBegan)] == [("Mythic", "It rises, burning.")]
    undone_and_redone(table, before)
    table.does(ApplyDamage(("dragon",), "40"))
    assert table.one("dragon").hp == 0


def test_a_phase_brings_its_own_features() -> None:
    table = fight(MYTHIC)
    table.ends_turn()
    table.dice(15, 4)
    table.does(Attack("dragon", "ann", "ram"))
    assert table.one("ann").hp == 56
    table.does(ApplyDamage(("dragon",), "60"))
    table.ends_turn(2)
    table.dice(15, 4)
    table.does(Attack("dragon", "ann", "ram"))
    assert table.one("ann").hp == 56 - 4 - 2


def test_without_figures_a_phase_at_0_gives_all_hit_points_again_and_more_raise_the_maximum() -> None:
    table = fight(CreaturePhase("again", "Again", at=0), CreaturePhase("greater", "Greater", at=0, hp=100))
    table.does(ApplyDamage(("dragon",), "60"))
    assert (table.one("dragon").hp, table.one("dragon").hp_max) == (60, 60)
    table.does(ApplyDamage(("dragon",), "60"))
    assert (table.one("dragon").hp, table.one("dragon").hp_max) == (100, 100)


def test_a_phase_at_half_begins_once_as_damage_crosses_it() -> None:
    table = fight(BLOODIED)
    table.does(SetTrack("dragon", "recharge.breath", 0))
    table.does(ApplyDamage(("dragon",), "29"))
    assert not table.happened(PhaseBegan)
    before = table.encounter
    table.does(ApplyDamage(("dragon",), "1"))
    assert (table.one("dragon").hp, table.one("dragon").phases) == (30, ("bloodied",))
    assert table.track("dragon", "recharge.breath") == 1
    undone_and_redone(table, before)
    table.does(Heal(("dragon",), 20))
    table.does(ApplyDamage(("dragon",), "30"))
    assert len(table.happened(PhaseBegan)) == 1


def test_one_blow_begins_each_phase_that_it_reaches_but_none_for_the_dead() -> None:
    table = fight(BLOODIED, CreaturePhase("desperate", "Desperate", at=25))
    table.does(ApplyDamage(("dragon",), "50"))
    assert table.one("dragon").phases == ("bloodied", "desperate")
    table = fight(BLOODIED)
    table.does(ApplyDamage(("dragon",), "60"))
    assert table.one("dragon").dead
    assert not table.happened(PhaseBegan)


def test_a_phase_that_reverts_lasts_while_the_hit_points_are_few() -> None:
    table = fight(CreaturePhase("frenzy", "Frenzy", legendary=6, reverts=True))
    table.does(ApplyDamage(("dragon",), "30"))
    assert legendary_actions(table.encounter, "dragon") == 6
    table.does(Heal(("dragon",), 1))
    assert legendary_actions(table.encounter, "dragon") == 3
    table.does(ApplyDamage(("dragon",), "1"))
    assert legendary_actions(table.encounter, "dragon") == 6
    assert len(table.happened(PhaseBegan)) == 2


def test_another_stat_block_takes_its_place_with_its_own_phases() -> None:
    rise = CreaturePhase("rise", "Risen", at=0, creature="wraith")
    table = fight(rise)
    before = table.encounter
    table.does(ApplyDamage(("dragon",), "60"))
    risen = table.one("dragon")
    assert (risen.creature, risen.hp, risen.hp_max, risen.phases, risen.label) == ("wraith", 90, 90, (), "Dragon")
    table.refuses(UseFeature(("dragon",), "breath", ("ann",)))
    undone_and_redone(table, before)


def test_hit_points_set_by_hand_begin_phases_too() -> None:
    table = fight(BLOODIED, MYTHIC)
    table.does(SetHitPoints("dragon", 20))
    assert table.one("dragon").phases == ("bloodied",)
    table.does(SetHitPoints("dragon", 0))
    assert (table.one("dragon").hp, table.one("dragon").dead) == (40, False)


def test_a_declared_death_is_one() -> None:
    table = fight(MYTHIC)
    table.does(SetDead("dragon", True))
    assert table.one("dragon").dead


@pytest.mark.parametrize("begins", [True, False])
def test_a_table_that_wants_to_be_asked_is_asked(begins: bool) -> None:
    table = fight(MYTHIC, options=("features-ask",))
    table.does(ApplyDamage(("dragon",), "60"))
    table.chooses("begins" if begins else "pass")
    assert table.one("dragon").dead is not begins


def test_what_keeps_on_its_feet_comes_after_the_last_phase() -> None:
    ferocity = Feature("ferocity", "Ferocity", trigger="dropping", heals="1", uses=1)
    table = fight(MYTHIC, more=(ferocity,))
    table.does(ApplyDamage(("dragon",), "60"))
    assert table.one("dragon").hp == 40
    table.does(ApplyDamage(("dragon",), "60"))
    assert table.one("dragon").hp == 1


def begun(hp: int) -> Table:
    table = Table(creature("ann", hp=20), creature("bear", hp=34, ac=11), creature("owl", hp=1), foes=("bear", "owl"))
    table.start(ann=20, bear=10, owl=5)
    table.does(SetHitPoints("ann", hp))
    return table


@for_each(
    ("hp", "block", "health", "left"),
    [
        (15, "bear", "", (29, 34)),
        (15, "bear", "fresh", (34, 34)),
        (15, "owl", "", (1, 1)),
        (20, "owl", "", (1, 1)),
        (0, "bear", "", (14, 34)),
        (0, "owl", "", (0, 1)),
        (15, "bear", "apart", (34, 34)),
        (15, "bear", "kept", (15, 20)),
        (0, "bear", "kept", (0, 20)),
    ],
)
def test_damage_stays_and_no_one_falls_by_changing(hp, block, health, left):
    table = begun(hp)
    table.does(SetDead("ann", False))
    table.does(ChangeStatBlock("ann", block, health))
    ann = table.encounter.need(Combatant, "ann")
    assert (ann.hp, ann.hp_max) == left
    assert creature_of(table.encounter, ann).id == block


def test_another_stat_block_gives_the_dead_no_hit_points():
    table = begun(0)
    table.does(ChangeStatBlock("ann", "bear", "apart"))
    ann = table.encounter.need(Combatant, "ann")
    assert (ann.hp, ann.hp_max, ann.dead) == (0, 34, True)


def test_it_is_undone_and_an_unknown_block_is_refused():
    table = begun(15)
    before = table.encounter
    table.does(ChangeStatBlock("ann", "bear"))
    table.session.undo()
    assert table.encounter == before
    assert table.refuses(ChangeStatBlock("ann", "dragon")).key == "refused.unknown"


def test_a_shape_with_hit_points_of_its_own_ends_at_0_and_the_rest_of_the_damage_goes_on():
    table = begun(15)
    table.does(ChangeStatBlock("ann", "bear", "apart"))
    table.does(ApplyDamage(("ann",), "30"))
    assert (table.one("ann").hp, table.one("ann").creature) == (4, "bear")
    assert character_state(table.encounter, table.rules, "ann").hp == 15  # how Ann goes on after the fight
    table.does(ApplyDamage(("ann",), "10"))  # 4 end the shape, 6 of 15 are left over
    assert (table.one("ann").hp, table.one("ann").hp_max, table.one("ann").creature) == (9, 20, "ann")
    assert (table.prompts, table.effects("ann"), list(table.encounter.all(ShapeChange))) == ([], set(), [])
    assert [one.hp for one in table.happened(StatBlockChanged)] == [34, 9]


def test_a_dragon_takes_a_beast_of_its_rating_and_keeps_its_mind_and_its_legends_only() -> None:
    forms = (FeatureStep(gains="new-shape", form="Humanoid"), FeatureStep(gains="new-shape", form="Beast"))
    change = Feature("change", "Change", "action", does=(forms[0], msgspec.structs.replace(forms[1], alternative=True)))
    lair, will = Feature("lair", "Lair", "lair"), Feature("will", "Will", uses=3, properties=("legendary-resistance",))
    swipe, sight = Feature("swipe", "Swipe", "legendary", does=(FeatureStep(use="ram"),)), Feature("sight", "Sight")
    drake = creature("drake", rating="5", legendary=3, features=(RAM, change, lair, will, swipe, sight))
    blocks = (
        ("wolf", "beast", "1", 0),
        ("ape", "beast", "7", 0),
        ("owl", "beast", "2", 3),
        ("guard", "humanoid", "1", 0),
    )
    others = [creature(id, type=type, rating=rating, legendary=legends) for id, type, rating, legends in blocks]
    table = Table(drake, *others, rules=dnd5e())
    table.start(drake=20, wolf=5, ape=4, owl=3, guard=2)
    table.does(UseFeature("drake", "change"))
    table.chooses(next(option.id for option in table.prompt.asks[0].options if "Beast" in option.id))
    assert {option.id for option in table.prompt.asks[0].options} == {"wolf", "owl", "pass"}
    table.chooses("owl")
    owl = creature_of(table.encounter, table.one("drake"))
    assert ({"change", "lair", "will"} & {one.id for one in owl.features}, owl.legendary) == (
        {"change", "lair", "will"},
        0,
    )
    assert not {"ram", "swipe", "sight"} & {one.id for one in owl.features}


def test_damage_beyond_both_brings_the_former_shape_to_0():
    table = begun(5)
    table.does(ChangeStatBlock("ann", "bear", "apart"))
    table.does(ApplyDamage(("ann",), "40"))  # 34 of the bear, 5 of Ann, 1 beyond
    assert (table.one("ann").hp, table.one("ann").creature) == (0, "ann")
    assert len(table.happened(DroppedToZero)) == 1


def test_one_shape_after_another_goes_back_to_the_first_and_by_hand_at_any_time():
    table = begun(15)
    table.does(ChangeStatBlock("ann", "bear", "apart"))
    table.does(ApplyDamage(("ann",), "3"))
    table.does(ChangeStatBlock("ann", "owl", "apart"))
    assert (table.one("ann").hp, table.one("ann").hp_max) == (1, 1)
    table.does(RevertShape("ann"))
    assert (table.one("ann").hp, table.one("ann").hp_max, table.one("ann").creature) == (15, 20, "ann")
    assert table.refuses(RevertShape("ann")).key == "refused.no_shape"
    table.session.undo()
    assert table.one("ann").creature == "owl"


def test_whoever_leaves_takes_the_former_shape_along():
    table = begun(15)
    table.does(ChangeStatBlock("ann", "bear", "apart"))
    table.does(RemoveCombatant("ann"))
    assert list(table.encounter.all(ShapeChange)) == []
