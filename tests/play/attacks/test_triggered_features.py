"""Features that come about at a moment: the start of a turn, a hit, damage, dropping to 0, a death, others' turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import msgspec
import pytest

from tests.conftest import ROOT
from tests.importers.traits.test_catalogue import read
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import (
    Feature,
    FeatureStep,
    InflictedCondition,
    Map,
    RosterEntry,
    Scene,
    TriggerMoment,
)
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Change, find_effect, key_of, scene_of
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import Answer
from turnwright.play.asking.declaration import ActionDisrupted
from turnwright.play.attacks.attack_request import Attack, Attacked, FeatureReminded, FeatureUsed
from turnwright.play.attacks.group_attack import FeatureSwitchedOff, SwitchFeature
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetDead, SetHitPoints, SetTrack
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.kernel.transaction import Command
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.session import Session
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.events import DamageTaken, Healed, Rolled, Unaffected
from turnwright.play.state.position_changes import NearSaid, SetPosition, SetRelation
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.economy.limited_uses import remaining_uses
from turnwright.rules.system import RuleSystem

SYSTEMS = (dnd5e, a5e, pf2e)
REGENERATION = Feature(
    "regeneration", "Regeneration", trigger="turn-start", heals="10", when="not suffered:acid, not suffered:fire"
)
HEATED = Feature("heated", "Heated Body", trigger="hit", when="melee, attacker.within:5", damage="1d6 fire")
CHARGE = Feature(
    "charge", "Charge", trigger="hits", when="with:ram", save="str", dc=13, afflictions=(InflictedCondition("prone"),)
)
FORTITUDE = Feature(
    "fortitude",
    "Undead Fortitude",
    trigger="dropping",
    when="not kind:radiant, not critical",
    save="con",
    dc=5,
    dc_adds="damage",
    heals="1",
)
FEROCITY = Feature("ferocity", "Ferocity", "reaction", trigger="dropping", heals="1")
BURST = Feature("burst", "Death Burst", trigger="dies", within=5, save="dex", dc=10, damage="2d6 fire", half=True)
STENCH = Feature(
    "stench",
    "Stench",
    trigger="other-starts",
    within=5,
    save="con",
    dc=10,
    afflictions=(InflictedCondition("poisoned", ends="turn-start"),),
)
RAM = Feature("ram", "Ram", "action", attack=5, reach=5, damage="1d6 bludgeoning")


def fight(
    *foe: Feature,
    own: tuple[Feature, ...] = (RAM,),
    rules: RuleSystem | None = None,
    hp: int = 60,
    options: tuple[str, ...] = (),
) -> Table:
    """Ann, who goes first, and Bob against a troll with some features, without a map."""
    table = Table(
        creature("ann", features=own, hp=60),
        creature("bob", hp=60),
        creature("troll", hp=hp, features=foe),
        foes=("troll",),
        rules=rules or dnd5e(),
        scene=Scene(system=(rules or dnd5e()).id, strictness="warn", options=options),
    )
    table.start(ann=20, bob=15, troll=10)
    return table


def on_map(table: Table, **squares: tuple[int, int]) -> Table:
    """Put people on a map."""
    table.does(Add((Map(columns=20, rows=20),)))
    for who, square in squares.items():
        table.does(SetPosition(who, position=square))
    return table


def undone_and_redone(table: Table, before: object) -> None:
    """Check that the last step is undone to what was before it, and redone to what is now."""
    after = table.encounter
    table.session.undo()
    assert table.encounter == before
    table.session.redo()
    assert table.encounter == after


# The start of a turn -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_troll_regenerates_by_itself_and_says_by_what(system) -> None:  # type: ignore[no-untyped-def]
    table = fight(REGENERATION, rules=system())
    table.does(ApplyDamage(("troll",), "15 slashing"))
    table.ends_turn()
    before = table.encounter
    table.ends_turn()
    assert (table.active, table.one("troll").hp, table.prompts) == ("troll", 55, [])
    (healed,) = table.happened(Healed)
    assert (healed.target, healed.source, healed.amount) == ("troll", "Regeneration", 10)
    undone_and_redone(table, before)


def test_a_troll_that_was_burnt_does_not_until_its_next_turn_but_one() -> None:
    table = fight(REGENERATION)
    table.does(ApplyDamage(("troll",), "15 slashing + 5 fire"))
    assert table.effects("troll") == set()
    table.ends_turn(2)
    assert table.one("troll").hp == 40
    table.ends_turn(3)
    assert table.one("troll").hp == 50
    table.does(ApplyDamage(("troll",), "5 acid"))
    table.ends_turn(3)
    assert table.one("troll").hp == 45
    table.ends_turn(3)
    assert table.one("troll").hp == 55
    assert not [one for one in table.encounter.all(Effect) if one.name == "suffered"]


def test_fire_that_did_not_hurt_hinders_nothing() -> None:
    table = Table(
        "ann", creature("troll", hp=60, features=(REGENERATION,), immunities=("fire",)), foes=("troll",), rules=dnd5e()
    )
    table.start(ann=20, troll=10)
    table.does(ApplyDamage(("troll",), "15 slashing + 5 fire"))
    table.ends_turn()
    assert table.one("troll").hp == 55


def test_nothing_is_told_of_regeneration_that_has_nothing_to_do() -> None:
    table = fight(REGENERATION)
    table.ends_turn(2)
    assert table.happened(Healed) == []


# Hits --------------------------------------------------------------------------------------------------------------


def test_whoever_hits_a_heated_body_is_burnt() -> None:
    table = on_map(fight(HEATED), ann=(1, 1), troll=(2, 1))
    table.dice(15, 4, 3)
    before = table.encounter
    table.does(Attack("ann", "troll", "ram"))
    assert (table.one("troll").hp, table.one("ann").hp) == (56, 57)
    undone_and_redone(table, before)


def test_a_miss_or_a_shot_burns_nobody() -> None:
    bow = Feature("bow", "Bow", "action", attack=5, range="80", damage="1d6 piercing")
    table = on_map(fight(HEATED, own=(RAM, bow)), ann=(1, 1), troll=(2, 1))
    table.dice(2, 2, 18, 18, 4)
    table.does(Attack("ann", "troll", "ram"))
    table.does(Attack("ann", "troll", "bow", purpose="free"))
    assert table.one("ann").hp == 60


def test_without_a_map_a_melee_attack_comes_from_within_its_reach() -> None:
    table = fight(HEATED)
    table.dice(15, 4, 3)
    table.does(Attack("ann", "troll", "ram"))
    assert (table.prompts, table.one("ann").hp) == ([], 57)


def test_without_a_map_somebody_is_asked_whether_a_long_reach_is_near() -> None:
    pike = Feature("pike", "Pike", "action", attack=5, reach=10, damage="1d6 piercing")
    table = fight(HEATED, own=(pike,))
    table.dice(15, 4)
    table.does(Attack("ann", "troll", "pike"))
    assert table.prompt.title == "prompt.feature_moment"
    table.chooses("pass")
    assert (table.one("ann").hp, table.prompts) == (60, [])


def test_a_rider_of_a_hit_comes_with_its_weapon_alone() -> None:
    fist = Feature("fist", "Fist", "action", attack=5, reach=5, damage="1d6 bludgeoning")
    table = fight(own=(RAM, fist, CHARGE))
    table.dice(15, 4)
    table.does(Attack("ann", "troll", "fist"))
    assert table.effects("troll") == set()
    table.dice(15, 4, 2)
    table.does(Attack("ann", "troll", "ram", purpose="free"))
    assert (table.one("troll").hp, table.effects("troll")) == (52, {"prone"})


def test_a_reaction_strikes_back_where_somebody_wants_it() -> None:
    back = Feature("back", "Riposte", "reaction", trigger="missed", when="melee", attack=5, damage="1d8 slashing")
    table = fight(back)
    table.dice(2)
    table.does(Attack("ann", "troll", "ram"))
    table.dice(15, 6)
    before = table.encounter
    table.chooses("back")
    assert (table.one("ann").hp, table.track("troll", "reaction")) == (54, 0)
    undone_and_redone(table, before)
    table.dice(2)
    table.does(Attack("ann", "troll", "ram", purpose="free"))
    assert table.prompts == []  # its reaction is gone


def test_a_cone_of_a_reaction_asks_who_else_is_in_it() -> None:
    gore = Feature(
        "gore", "Gore", "reaction", trigger="hurt", area="30-foot cone", save="dex", dc=14, damage="4d6 acid"
    )
    table = on_map(fight(gore), ann=(1, 1), bob=(3, 1), troll=(2, 1))
    table.dice(15, 4)
    table.does(Attack("ann", "troll", "ram"))
    table.chooses("gore")
    assert [option.id for option in table.prompt.asks[0].options] == ["ann", "bob"]
    table.dice(2, 3, 1, 1, 1, 1)
    table.chooses("ann", "bob")
    assert [event.targets for event in table.happened(FeatureUsed) if event.feature == "Gore"] == [("ann", "bob")]


# Hurt, and half of the hit points ----------------------------------------------------------------------------------


def test_blood_is_answered_once_half_is_crossed() -> None:
    fury = Feature("fury", "Fury", trigger="bloodied", heals="5")
    table = fight(fury)
    table.does(ApplyDamage(("troll",), "29"))
    assert table.happened(Healed) == []
    table.does(ApplyDamage(("troll",), "1"))
    assert table.one("troll").hp == 35
    table.does(ApplyDamage(("troll",), "4"))
    assert table.one("troll").hp == 31


# Dropping to 0, and death ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "left"), [(15, 1), (14, 0)])
def test_the_dc_against_dropping_rises_with_the_damage(face: int, left: int) -> None:
    table = fight(FORTITUDE, hp=10)
    table.dice(face)
    before = table.encounter
    table.does(ApplyDamage(("troll",), "10 slashing"))
    assert (table.one("troll").hp, table.one("troll").dead) == (left, not left)
    undone_and_redone(table, before)


def test_a_last_act_is_done_at_0_hit_points_and_a_changed_shape_may_keep_it_up() -> None:
    up = DataRule("at-zero", "up", when="changed-shape")
    mist = FeatureStep(gains="changed-shape", form="Mist", until="owner-gone")
    for escape, is_dead in (
        (Feature("mist", "Mist", trigger="dropping", does=(mist,), rules=(up,)), False),
        (BURST, True),
    ):
        table = fight(escape, hp=10)
        table.does(ApplyDamage(("troll",), "10 slashing"))
        assert table.one("troll").dead is is_dead
    howl = Feature("howl", "Howl", trigger="dropping", does=(FeatureStep(use="ram"),))
    table = fight(howl, RAM, hp=10)
    table.does(ApplyDamage(("troll",), "10 slashing"))
    assert [one.feature for one in table.happened(FeatureUsed)] == ["Howl"]
    assert table.prompt.title == "prompt.feature_step"


def test_steps_follow_the_other_effects_of_a_feature_once() -> None:
    engulf = Feature("engulf", "Engulf", "action", range="5", targets=1, afflictions=(InflictedCondition("blinded"),))
    grip = Feature("grip", "Grip", trigger="hits", afflictions=(InflictedCondition("prone"),))
    table = fight(own=(RAM, engulf, msgspec.structs.replace(grip, does=(FeatureStep(use="engulf"),))))
    table.dice(15, 3)
    table.does(Attack("ann", "troll", "ram"))
    assert [one.feature for one in table.happened(FeatureUsed)] == ["Grip", "Engulf"]
    assert table.effects("troll") == {"prone", "blinded"}


def test_radiant_damage_or_a_critical_hit_leaves_no_save() -> None:
    for damage in ("10 radiant", "4 cold + 6 radiant"):
        table = fight(FORTITUDE, hp=10)
        table.does(ApplyDamage(("troll",), damage))
        assert table.one("troll").dead
    table = fight(FORTITUDE, hp=10)
    table.dice(20, 6, 6)
    table.does(Attack("ann", "troll", "ram"))
    assert table.one("troll").dead


@pytest.mark.parametrize(("answer", "dead"), [("ferocity", False), ("pass", True)])
def test_ferocity_is_asked_about(answer: str, dead: bool) -> None:
    table = fight(FEROCITY, hp=10, rules=pf2e())
    table.ends_turn(3)
    table.does(ApplyDamage(("troll",), "12"))
    table.chooses(answer)
    if dead:
        table.chooses("dies")
    assert (table.one("troll").dead, table.one("troll").hp) == (dead, int(not dead))


def test_a_death_burns_all_who_stand_near() -> None:
    table = on_map(fight(BURST, hp=10), ann=(1, 1), bob=(8, 8), troll=(2, 1))
    table.dice(3, 4, 5)
    before = table.encounter
    table.does(ApplyDamage(("troll",), "10"))
    assert (table.one("troll").dead, table.one("ann").hp, table.one("bob").hp) == (True, 51, 60)
    undone_and_redone(table, before)


def test_without_a_map_the_card_lists_whom_to_tick() -> None:
    table = fight(BURST, hp=10)
    table.does(SetDead("troll"))
    table.chooses("bob")
    table.dice(15, 4, 5)
    (used,) = table.happened(FeatureUsed)
    assert used.targets == ("bob",)


def test_a_death_heals_whom_the_game_master_chooses() -> None:
    bloom = Feature("bloom", "Bloom", trigger="dies", within=5, heals="1d8")
    table = on_map(fight(bloom, hp=10), ann=(1, 1), bob=(3, 1), troll=(2, 1))
    table.does(ApplyDamage(("ann", "bob"), "30"))
    table.dice(6)
    table.does(ApplyDamage(("troll",), "10"))
    table.chooses("bob")
    assert (table.one("ann").hp, table.one("bob").hp) == (30, 36)


def test_a_condition_rises_with_each_failed_save_up_to_its_limit() -> None:
    drain = InflictedCondition("stupefied", value=1, rises=2, most=4)
    table = fight(Feature("drain", "Drain", "action", save="con", dc=30, afflictions=(drain,)), rules=pf2e())
    table.ends_turn(2)
    for value in (1, 3, 4, 4):
        table.dice(2)
        table.does(UseFeature("troll", "drain", targets=("ann",)), anyway=True)
        effect = find_effect(table.encounter, "ann", "stupefied")
        assert effect is not None
        assert effect.value == value


def test_the_curse_of_a_slain_creature_is_on_whoever_killed_it() -> None:
    unhealing = (DataRule("deny", "healing"),)
    curse = Feature("curse", "Curse", trigger="dies", automation="asks", save="wis", dc=30, effect=unhealing)
    table = fight(curse, hp=10)
    table.does(ApplyDamage(("ann",), "5"))
    table.does(SetDead("troll"))
    table.chooses("curse")
    table.chooses("ann")
    table.dice(5)
    before = table.one("ann").hp
    table.does(Heal(("ann",), 5))
    assert (table.effects("ann"), table.one("ann").hp) == ({"Curse"}, before)


# Others' turns -----------------------------------------------------------------------------------------------------


def test_who_starts_a_turn_in_a_stench_saves() -> None:
    table = fight(STENCH)
    table.skips()  # without a map somebody has to say who is near
    on_map(table, ann=(1, 1), bob=(3, 1), troll=(4, 1))
    table.dice(3)
    table.ends_turn()
    assert (table.active, table.effects("bob"), table.effects("ann")) == ("bob", {"poisoned"}, set())
    table.ends_turn(2)
    assert (table.active, table.effects("ann")) == ("ann", set())


def test_without_a_map_it_is_asked_once_who_is_near_and_again_of_whoever_moves() -> None:
    table = fight(STENCH)
    (asked,) = table.prompt.asks
    assert (asked.label, [one.id for one in asked.options]) == ("ask.feature_targets", ["ann", "bob"])
    table.dice(3)
    before = table.encounter
    table.chooses("bob")
    assert ([one.near for one in table.happened(NearSaid)], table.effects("ann")) == ([("bob",)], set())
    undone_and_redone(table, before)
    table.ends_turn()
    assert (table.active, table.effects("bob"), table.prompts) == ("bob", {"poisoned"}, [])
    table.ends_turn(2)
    assert (table.active, table.prompts) == ("ann", [])
    table.does(MoveFeet("ann", 10))
    table.dice(3)
    table.ends_turn()
    assert (table.active, table.prompts) == ("bob", [])
    table.ends_turn(2)
    assert [one.id for one in table.prompt.asks[0].options] == ["ann"]


def test_an_aura_at_the_start_of_its_owners_turn_asks_once_who_is_near() -> None:
    heat = Feature("heat", "Heat", trigger="turn-start", within=10, damage="3 fire")
    table = fight(heat)
    table.ends_turn(2)
    table.chooses("ann")
    assert (table.one("ann").hp, table.one("bob").hp) == (57, 60)
    table.ends_turn(3)
    assert (table.active, table.prompts, table.one("ann").hp, table.one("bob").hp) == ("troll", [], 54, 60)


def test_one_that_only_reminds_asks_nobody_who_is_near() -> None:
    table = fight(msgspec.structs.replace(STENCH, automation="reminds"))
    assert (table.prompts, [one.feature for one in table.happened(FeatureReminded)]) == ([], ["Stench"])


@pytest.mark.parametrize(
    ("immune_after", "face", "saves"), [("success", 15, 1), ("success", 3, 2), ("save", 3, 1), ("", 15, 2)]
)
def test_who_has_saved_against_an_aura_may_be_spared_from_then_on(immune_after: str, face: int, saves: int) -> None:
    stench = msgspec.structs.replace(STENCH, when="other.hostile", immune_after=immune_after)
    table = fight(stench)
    table.skips()
    on_map(table, ann=(10, 10), bob=(3, 1), troll=(4, 1))
    table.dice(face, face)
    table.ends_turn()
    before = table.encounter
    table.ends_turn(3)
    assert (len([one for one in table.happened(Rolled) if one.who == "bob"]), table.active) == (saves, "bob")
    assert before != table.encounter


@pytest.mark.parametrize("name", ["Roar", "Roar (Entering)"])
def test_a_feature_that_is_used_spares_too_who_has_saved_against_a_part_of_it(name: str) -> None:
    roar = Feature("roar", "Roar", "action", save="wis", dc=10, damage="3 psychic", immune_after="success")
    table = fight(own=(roar, msgspec.structs.replace(roar, id="again", name=name)))
    table.dice(15)
    table.does(UseFeature("ann", "roar", targets=("troll",)))
    table.does(UseFeature("ann", "again", targets=("troll",), purpose="free"))
    (spared,) = table.happened(Unaffected)
    assert (spared.who, spared.reason) == ("troll", "why.saved_before")


def test_what_others_suffer_as_their_turn_ends() -> None:
    chill = Feature("chill", "Chill", trigger="other-ends", when="other.hostile", damage="3 cold")
    table = fight(chill)
    table.ends_turn(2)
    assert (table.one("ann").hp, table.one("bob").hp, table.one("troll").hp) == (57, 57, 60)


# Reactions that turn a hit, and those that lessen damage -----------------------------------------------------------

PARRY = Feature(
    "parry", "Parry", "reaction", trigger="attacked", when="melee", rules=(DataRule("modifier", "ac", add=2),)
)
BLOCK = Feature("block", "Shield Block", "reaction", trigger="damage", when="melee", reduces="5")
DODGE = Feature("dodge", "Uncanny Dodge", "reaction", trigger="damage", reduces="half")


@pytest.mark.parametrize(("face", "asked"), [(4, False), (5, True), (6, True), (7, False), (20, False)])
def test_a_parry_is_asked_about_where_it_turns_the_hit(face: int, asked: bool) -> None:
    table = fight(PARRY)  # AC 10, and the ram adds 5
    table.dice(face)
    table.does(Attack("ann", "troll", "ram"))
    titles = [prompt.title for prompt in table.prompts]
    assert titles == (["prompt.feature_attacked"] if asked else [] if face == 4 else ["prompt.damage"])


@pytest.mark.parametrize(("answer", "outcome", "left"), [("parry", "miss", 60), ("pass", "hit", 56)])
def test_a_parry_makes_a_miss_of_it_and_takes_the_reaction(answer: str, outcome: str, left: int) -> None:
    table = fight(PARRY)
    table.dice(6)
    table.does(Attack("ann", "troll", "ram"))
    table.dice(4)
    before = table.encounter
    table.chooses(answer)
    (attacked,) = table.happened(Attacked)
    assert (attacked.outcome, table.one("troll").hp) == (outcome, left)
    assert table.track("troll", "reaction") == int(answer == "pass")
    assert [part.reason for part in attacked.defence if part.value == 2] == (["Parry"] if answer == "parry" else [])
    undone_and_redone(table, before)


@pytest.mark.parametrize(("face", "effects"), [(2, {"prone"}), (20, {"restrained"})])
def test_a_feature_whose_owner_fails_its_own_save_goes_on(face: int, effects: set[str]) -> None:
    out = Feature("out", "Regurgitate", "free", when="holds", ends=("restrained",), ends_all=True)
    out = msgspec.structs.replace(out, afflictions=(InflictedCondition("prone"),))
    spits = Feature(
        "spits", "Spits Out", trigger="hurt", when="attacker.restrained", range="self", save="con", dc=15,
        does=(FeatureStep(use="out"),),
    )  # fmt: skip
    table = fight(spits, out)
    table.does(ApplyCondition(("ann",), "restrained", by="troll"))
    table.dice(face)
    table.does(ApplyDamage(("troll",), "9 slashing", by="ann"))
    if face == 2:
        table.chooses("ann")
    assert table.effects("ann") == effects


@pytest.mark.parametrize(("place", "asked"), [((2, 2), True), ((8, 8), False)])
def test_a_guard_raises_the_ac_of_an_ally_without_such_a_feature(place: tuple[int, int], asked: bool) -> None:
    guard = msgspec.structs.replace(PARRY, within=5, when="")
    block = creature("ogre", features=(guard,))
    table = Table(creature("ann", features=(RAM,)), block, creature("page"), foes=("ogre", "page"), rules=dnd5e())
    table.start(ann=20, ogre=10, page=5)
    on_map(table, ann=(1, 1), page=(2, 1), ogre=place)
    table.dice(6, 4)
    table.does(Attack("ann", "page", "ram"))
    assert [prompt.title for prompt in table.prompts] == ["prompt.feature_attacked"] * asked
    if asked:
        table.chooses("parry")
    assert table.happened(Attacked)[0].outcome == ("miss" if asked else "hit")


@pytest.mark.parametrize(("bonus", "answer", "left"), [(2, "ice", 57), (2, "pass", 60), (0, "ice", 60)])
def test_a_guard_deals_its_damage_to_an_attacker_who_then_misses(bonus: int, answer: str, left: int) -> None:
    guard = (DataRule("modifier", "ac", add=bonus),) if bonus else (DataRule("disadvantage", "attack-against"),)
    ice = Feature("ice", "Ice Shield", "reaction", trigger="attacked", when="melee", rules=guard, damage="1d6 cold")
    table = fight(ice)  # AC 10, and the ram adds 5
    table.dice(6)
    table.does(Attack("ann", "troll", "ram"))
    table.dice(*((3,) if bonus and answer == "ice" else (6, 4) if answer == "ice" else (4,)))
    before = table.encounter
    table.chooses(answer)
    assert table.one("ann").hp == left
    assert (table.one("troll").hp == 60) is (left == 57)
    undone_and_redone(table, before)


def test_a_shot_is_not_parried_nor_by_somebody_who_can_not_react() -> None:
    bow = Feature("bow", "Bow", "action", attack=5, range="80", damage="1d6 piercing")
    table = on_map(fight(PARRY, own=(RAM, bow)), ann=(1, 1), troll=(6, 1))
    table.dice(6, 3)
    table.does(Attack("ann", "troll", "bow"))
    assert (table.prompts, table.one("troll").hp) == ([], 57)
    table.does(SetTrack("troll", "reaction", 0))
    table.dice(6, 3)
    table.does(Attack("ann", "troll", "bow", purpose="free"))
    assert table.prompts == []


@pytest.mark.parametrize(("second", "left"), [(2, 60), (18, 56)])
def test_what_hinders_an_attack_has_it_rolled_once_more(second: int, left: int) -> None:
    ward = Feature("ward", "Ward", "reaction", trigger="attacked", rules=(DataRule("disadvantage", "attack-against"),))
    table = fight(ward)
    table.dice(12)
    table.does(Attack("ann", "troll", "ram"))
    table.dice(second, 4)
    table.chooses("ward")
    assert table.one("troll").hp == left


@pytest.mark.parametrize(("feature", "left"), [(BLOCK, 59), (DODGE, 57)])
def test_a_reaction_takes_damage_off_and_says_so(feature: Feature, left: int) -> None:
    table = fight(feature)
    table.dice(15, 6)
    table.does(Attack("ann", "troll", "ram"))
    before = table.encounter
    table.chooses(feature.id)
    assert table.one("troll").hp == left
    (taken,) = table.happened(DamageTaken)
    assert [why.reason for why in taken.why] == [feature.name]
    assert table.track("troll", "reaction") == 0
    undone_and_redone(table, before)


def test_dice_that_lessen_damage_are_rolled() -> None:
    table = fight(Feature("deflect", "Deflect", "reaction", trigger="damage", reduces="1d4+1"))
    table.dice(15, 6)
    table.does(Attack("ann", "troll", "ram"))
    table.dice(3)
    table.chooses("deflect")
    assert table.one("troll").hp == 58


def test_what_is_declined_lessens_nothing() -> None:
    table = fight(BLOCK)
    table.dice(15, 6)
    table.does(Attack("ann", "troll", "ram"))
    table.chooses("pass")
    assert (table.one("troll").hp, table.track("troll", "reaction")) == (54, 1)


# Saves -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("save", "offered"), [("dex", True), ("con", False)])
def test_a_failed_save_may_succeed_where_the_statement_holds(save: str, offered: bool) -> None:
    lucky = Feature("lucky", "Lucky", "reaction", trigger="fails", when="not condition:prone")
    breath = Feature("breath", "Breath", "action", save=save, dc=15, damage="1d6 cold")
    table = fight(lucky, own=(breath,))
    if not offered:
        table.does(ApplyCondition(("troll",), "prone"))
    table.dice(3, 4)
    table.does(UseFeature("ann", "breath", targets=("troll",)))
    assert bool(table.prompts) is offered
    if offered:
        table.chooses("succeeds")
        assert (table.one("troll").hp, table.track("troll", "reaction")) == (60, 0)


# What foes do in reach, and who comes near --------------------------------------------------------------------------

STRIKE = Feature("reactive", "Reactive Strike", "reaction", trigger="enemy-acts")
JAWS = Feature("jaws", "Jaws", "action", attack=5, reach=5, damage="1d6 piercing")


def stalked(*foe: Feature, own: tuple[Feature, ...] = (RAM,)) -> Table:
    """Ann beside a troll that may strike at what she does, on a map, in her turn."""
    table = on_map(fight(*foe, own=own, rules=pf2e()), ann=(1, 1), bob=(10, 10), troll=(2, 1))
    table.does(SetTrack("troll", "reaction", 1))
    return table


def test_a_reactive_strike_answers_movement_in_reach_once_a_move() -> None:
    table = stalked(STRIKE, JAWS)
    table.does(MovePath("ann", ((1, 2), (1, 3), (1, 4))))
    table.dice(9, 4)
    before = table.encounter
    table.chooses("jaws")
    assert (table.one("ann").hp, table.one("ann").position, table.prompts) == (56, (1, 4), [])
    assert table.track("troll", "reaction") == 0
    undone_and_redone(table, before)


@pytest.mark.parametrize("known", ["leaves", "stated", "unknown"])
def test_without_a_map_a_reactive_strike_answers_a_move_that_leaves_its_reach(known: str) -> None:
    table = fight(STRIKE, JAWS, rules=pf2e())
    table.does(SetTrack("troll", "reaction", 1))
    if known == "stated":
        table.does(SetRelation("troll", "ann", reached=True))
    table.does(MoveFeet("ann", 10, leaves=("troll",) if known == "leaves" else ()))
    assert [prompt.title for prompt in table.prompts] == ["prompt.feature_enemy_acts"] * (known != "unknown")
    if table.prompts:
        table.dice(9, 4)
        table.chooses("jaws")
        assert (table.one("ann").hp, table.track("troll", "reaction"), table.prompts) == (56, 0, [])


def test_movement_that_triggers_no_reactions_is_not_answered() -> None:
    swift = Feature("swiftness", "Swiftness", rules=(DataRule("unprovoking", "move"),))
    table = stalked(STRIKE, JAWS, own=(RAM, swift))
    table.does(MovePath("ann", ((1, 2), (1, 3), (1, 4))))
    assert (table.one("ann").position, table.prompts) == ((1, 4), [])


def test_who_lets_the_first_square_go_by_is_not_asked_about_the_next() -> None:
    table = stalked(STRIKE, JAWS)
    table.does(MovePath("ann", ((1, 2), (2, 2), (3, 2))))
    table.chooses("pass")
    assert (table.one("ann").position, table.prompts, table.one("ann").hp) == ((3, 2), [], 60)


def test_no_other_order_overtakes_a_move_that_waits_for_a_reactive_strike() -> None:
    table = stalked(STRIKE, JAWS)
    scene = scene_of(table.encounter)
    strict = Change(key_of(scene), scene, msgspec.structs.replace(scene, strictness="enforce"))
    table.session = Session(table.encounter.with_changes([strict]), table.rules)
    table.does(MovePath("ann", ((1, 2), (1, 3))))
    for order in (MovePath("ann", ((1, 2),)), TakeAction("ann", "interact")):
        assert table.refuses(order).key in ("refused.still_moving", "refused.unfinished", "refused.prompt_open")
    table.chooses("pass")
    assert (table.one("ann").position, table.prompts) == ((1, 3), [])


def test_a_step_and_movement_out_of_reach_provoke_nothing() -> None:
    table = stalked(STRIKE, JAWS)
    table.does(TakeAction("ann", "step"))
    table.does(MovePath("ann", ((1, 2),)))
    assert table.prompts == []
    table = stalked(JAWS)
    table.does(MovePath("ann", ((1, 2), (1, 3))))
    assert table.prompts == []


@pytest.mark.parametrize(("action", "asked"), [("interact", True), ("sense-motive", False)])
def test_an_action_that_provokes_is_answered(action: str, asked: bool) -> None:
    table = stalked(STRIKE, JAWS)
    table.does(TakeAction("ann", action))
    assert [prompt.title for prompt in table.prompts] == (["prompt.feature_enemy_acts"] if asked else [])


def test_a_shot_is_answered_before_it_flies_and_not_made_by_who_falls() -> None:
    bow = Feature("bow", "Bow", "action", attack=5, range="80", damage="1d6 piercing")
    table = stalked(STRIKE, JAWS, own=(bow,))
    table.does(SetHitPoints("ann", hp=2))
    table.dice(15, 4, 18)
    table.does(Attack("ann", "troll", "bow"))
    table.chooses("jaws")
    assert [one.who for one in table.happened(Attacked)] == ["troll"]


@pytest.mark.parametrize("answer", ["jaws", "pass"])
def test_a_second_strike_at_who_was_felled_by_the_first_is_asked_about_anew(answer: str) -> None:
    foes = [creature(id, features=(STRIKE, JAWS), hp=60) for id in ("troll", "ogre")]
    ann = creature("ann", hp=4, tags=("player character",), level=1)
    table = Table(ann, *foes, foes=("troll", "ogre"), rules=pf2e(), scene=Scene(system="pf2e", strictness="warn"))
    table.start(ann=20, troll=10, ogre=5)
    on_map(table, ann=(1, 1), troll=(2, 1), ogre=(2, 2))
    for foe in ("troll", "ogre"):
        table.does(SetTrack(foe, "reaction", 1))
    table.does(MovePath("ann", ((1, 0),)))
    table.dice(9, 4)
    table.answers(**{"troll reactive": "jaws", "ogre reactive": "jaws"})
    table.chooses("dying")
    assert (table.one("ann").hp, [one.who for one in table.happened(Attacked)]) == (0, ["troll"])
    assert [ask.who for ask in table.prompt.asks] == ["ogre"]
    table.dice(9, 4)
    table.chooses(answer)
    while table.prompts:
        table.skips()
    assert table.track("ogre", "reaction") == int(answer == "pass")
    assert len(table.happened(Attacked)) == (2 if answer == "jaws" else 1)


def test_who_is_dead_is_struck_by_nobody_else() -> None:
    foes = [creature(id, features=(STRIKE, JAWS), hp=60) for id in ("troll", "ogre")]
    table = Table(creature("ann", hp=4), *foes, foes=("troll", "ogre"), rules=pf2e())
    table.start(ann=20, troll=10, ogre=5)
    on_map(table, ann=(1, 1), troll=(2, 1), ogre=(2, 2))
    for foe in ("troll", "ogre"):
        table.does(SetTrack(foe, "reaction", 1))
    table.does(MovePath("ann", ((1, 0),)))
    table.dice(9, 4)
    table.answers(**{"troll reactive": "jaws", "ogre reactive": "jaws"})
    assert (table.one("ann").dead, table.track("ogre", "reaction"), table.prompts) == (True, 1, [])


@pytest.mark.parametrize("second", [PARRY, FEROCITY])
def test_a_reaction_to_what_another_has_already_prevented_is_kept(second: Feature) -> None:
    twin = msgspec.structs.replace(second, id="twin", name="Twin", cost="trait", uses=1)
    first = msgspec.structs.replace(second, cost="trait")
    table = fight(first, twin, hp=4)
    table.dice(6, 6)
    table.does(Attack("ann", "troll", "ram"))
    while table.prompts:
        asks = table.prompt.asks
        replies = tuple(Reply(ask.id, chosen=(ask.options[0].id,)) for ask in asks)
        table.does(Answer(table.prompt.id, replies, table.prompt.revision))
    assert table.one("troll").hp == (4 if second is PARRY else 1)
    assert remaining_uses(table.encounter, "troll", "uses.twin") == 1


def test_standing_up_is_answered_once_the_creature_stands() -> None:
    table = stalked(STRIKE, JAWS)
    table.does(ApplyCondition(("ann",), "prone"))
    table.does(TakeAction("ann", "stand"))
    assert (table.prompt.title, table.effects("ann")) == ("prompt.feature_enemy_acts", set())
    table.dice(3, 4)
    table.chooses("jaws")
    (struck,) = table.happened(Attacked)
    assert (struck.ac, struck.outcome) == (10, "miss")


def test_dropping_prone_is_answered_once_the_creature_lies() -> None:
    table = stalked(STRIKE, JAWS)
    table.does(TakeAction("ann", "drop-prone"))
    assert (table.prompt.title, "prone" in table.effects("ann")) == ("prompt.feature_enemy_acts", True)


ZAP = Feature(
    "zap", "Zap", "action", price=2, save="dex", dc=10, damage="6 fire", range="30", properties=("spell", "manipulate")
)
CURE = Feature("cure", "Cure", "action", heals="1d8", properties=("manipulate",))
RAY = Feature("ray", "Ray", "action", attack=9, range="30", damage="1d6 fire", properties=("spell",))


@pytest.mark.parametrize(("face", "disrupted"), [(20, True), (9, False), (2, False)])
@pytest.mark.parametrize("feature", [ZAP, RAY])
def test_a_critical_hit_disrupts_what_was_being_done(feature: Feature, face: int, disrupted: bool) -> None:
    table = stalked(STRIKE, JAWS, own=(feature,))
    table.dice(face, *{20: (3, 3), 9: (3,), 2: ()}[face], *((15, 4) if feature is RAY else (3,)))
    command = Attack("ann", "troll", "ray") if feature is RAY else UseFeature("ann", "zap", targets=("troll",))
    table.does(command)
    table.chooses("jaws")
    while table.prompts:
        table.skips()
    assert [one.action for one in table.happened(ActionDisrupted)] == ([feature.name] if disrupted else [])
    assert (table.one("troll").hp == 60) is disrupted
    assert table.track("ann", "action") == 3 - feature.price


@pytest.mark.parametrize(("face", "disrupted"), [(20, True), (9, False)])
def test_an_interact_action_is_disrupted_by_a_critical_hit(face: int, disrupted: bool) -> None:
    table = stalked(STRIKE, JAWS)
    table.does(TakeAction("ann", "interact"))
    table.dice(face, 3, 3)
    table.chooses("jaws")
    assert len(table.happened(ActionDisrupted)) == disrupted
    assert table.track("ann", "action") == 2


def test_who_is_felled_while_acting_does_not_finish() -> None:
    table = stalked(STRIKE, JAWS, own=(ZAP,))
    table.does(SetHitPoints("ann", hp=2))
    table.dice(12, 4, 5)
    table.does(UseFeature("ann", "zap", targets=("troll",)))
    table.chooses("jaws")
    while table.prompts:
        table.skips()
    assert ([one.action for one in table.happened(ActionDisrupted)], table.one("troll").hp) == (["Zap"], 60)


@pytest.mark.parametrize("command", [UseFeature("ann", "cure"), TakeAction("ann", "cure")])
def test_healing_with_the_hands_is_answered(command: Command) -> None:
    table = stalked(STRIKE, JAWS, own=(CURE,))
    table.does(SetHitPoints("ann", hp=40))
    table.does(command)
    assert table.prompt.title == "prompt.feature_enemy_acts"
    table.dice(20, 3, 3, 8)
    table.chooses("jaws")
    assert len(table.happened(ActionDisrupted)) == 1
    assert table.one("ann").hp < 40


def test_a_critical_hit_at_movement_disrupts_nothing() -> None:
    table = stalked(STRIKE, JAWS)
    table.does(MovePath("ann", ((1, 2),)))
    table.dice(20, 3, 3)
    table.chooses("jaws")
    assert (table.one("ann").position, table.happened(ActionDisrupted)) == ((1, 2), [])


def test_who_comes_near_is_reached_once_and_not_who_stays() -> None:
    heat = Feature("heat", "Heat", trigger="enters", within=10, damage="3 fire")
    table = on_map(fight(heat), ann=(1, 1), bob=(10, 10), troll=(6, 1))
    before = table.encounter
    table.does(MovePath("ann", ((2, 1), (3, 1), (4, 1), (5, 1))))
    assert (table.one("ann").hp, table.one("ann").position) == (57, (5, 1))
    undone_and_redone(table, before)
    table.does(MovePath("ann", ((4, 1), (5, 1)), mode="walk"), anyway=True)
    assert table.one("ann").hp == 57


def test_an_aura_that_affects_once_affects_who_is_inside_and_who_is_approached() -> None:
    dread = Feature("dread", "Dread", trigger="enters", within=20, immune_after="save", save="wis", dc=30, damage="3")
    table = fight(dread)
    assert [option.id for option in table.prompt.asks[0].options] == ["ann", "bob"]  # how near is unknown
    table.skips()
    on_map(table, ann=(1, 1), bob=(9, 1), troll=(3, 1))
    table.ends_turn(2)
    assert (table.one("ann").hp, table.one("bob").hp) == (60, 60)
    table.dice(2)
    table.does(MovePath("troll", ((4, 1), (5, 1))))
    assert (table.one("ann").hp, table.one("bob").hp) == (60, 57)
    table.dice(2)
    table.ends_turn()
    assert (table.one("ann").hp, table.one("bob").hp) == (57, 57)
    table.ends_turn(3)
    assert table.prompts == []


# Reminders, and what is wanted no more ------------------------------------------------------------------------------


def test_what_has_no_figures_reminds_once_a_round_for_all_of_a_stat_block() -> None:
    gaze = Feature("gaze", "Gaze", trigger="turn-start", text="Whoever meets its eyes turns to stone.")
    table = Table(
        "ann",
        creature("basilisk", features=(gaze,)),
        roster=[RosterEntry("b", "basilisk", count=2, side="enemies")],
        rules=dnd5e(),
    )
    table.start(**{"ann": 20, "b-1": 15, "b-2": 10})
    before = table.encounter
    table.ends_turn()
    undone_and_redone(table, before)
    table.ends_turn()
    (reminded,) = table.happened(FeatureReminded)
    assert (reminded.who, reminded.feature, reminded.text) == ("b-1", "Gaze", gaze.text)
    table.ends_turn(2)
    assert (len(table.happened(FeatureReminded)), table.prompts) == (2, [])


def test_what_acts_may_be_wanted_to_remind_or_to_ask() -> None:
    for automation, hp, prompts in (("reminds", 45, 0), ("asks", 45, 1), ("off", 45, 0), ("acts", 55, 0)):
        table = fight(msgspec.structs.replace(REGENERATION, automation=automation))
        table.does(ApplyDamage(("troll",), "15 slashing"))
        table.ends_turn(2)
        assert (table.one("troll").hp, len(table.prompts)) == (hp, prompts), automation


@pytest.mark.parametrize(("option", "hp", "prompts"), [("features-ask", 45, 1), ("features-remind", 45, 0)])
def test_a_table_may_want_less_of_features_that_say_nothing_of_it(option: str, hp: int, prompts: int) -> None:
    for automation, left, open_prompts in (("", hp, prompts), ("acts", 55, 0)):
        table = fight(msgspec.structs.replace(REGENERATION, automation=automation), options=(option,))
        table.does(ApplyDamage(("troll",), "15 slashing"))
        table.ends_turn(2)
        assert (table.one("troll").hp, len(table.prompts)) == (left, open_prompts)


def test_what_waits_for_the_start_is_named_in_the_first_round_alone() -> None:
    looks = Feature("looks", "False Appearance", trigger="starts", text="It looks like a statue.")
    table = fight(looks)
    assert [one.feature for one in table.happened(FeatureReminded)] == ["False Appearance"]
    table.ends_turn(3)
    assert len(table.happened(FeatureReminded)) == 1


def test_a_feature_that_is_wanted_no_more_asks_nobody_again() -> None:
    table = fight(PARRY)
    table.dice(6)
    table.does(Attack("ann", "troll", "ram"))
    table.dice(4)
    before = table.encounter
    table.chooses("never")
    assert (table.one("troll").hp, table.track("troll", "reaction")) == (56, 1)
    assert [one.feature for one in table.happened(FeatureSwitchedOff)] == ["Parry"]
    undone_and_redone(table, before)
    table.dice(6, 4)
    table.does(Attack("ann", "troll", "ram", purpose="free"))
    assert (table.one("troll").hp, table.prompts) == (52, [])


# Guarding others, and another form ----------------------------------------------------------------------------------


def test_an_ally_near_enough_may_guard() -> None:
    guard = Feature("guard", "Guard", "reaction", trigger="damage", within=5, reduces="half")
    for square, asked in (((2, 1), True), ((5, 1), False)):
        table = Table(
            creature("ann", features=(RAM,)),
            creature("orc", hp=60),
            creature("boss", features=(guard,)),
            foes=("orc", "boss"),
            rules=dnd5e(),
            scene=Scene(system="dnd5e", strictness="warn"),
        )
        table.start(ann=20, orc=15, boss=10)
        on_map(table, ann=(0, 1), orc=(1, 1), boss=square)
        table.dice(15, 6)
        table.does(Attack("ann", "orc", "ram"))
        assert bool(table.prompts) is asked
        if asked:
            table.chooses("guard")
            assert (table.one("orc").hp, table.track("boss", "reaction")) == (57, 0)


def test_a_form_that_begins_at_0_heals_readies_and_brings_its_own_features() -> None:
    breath = Feature("breath", "Breath", "action", save="dex", dc=10, damage="1d6 fire", recharge=6)
    form = Feature(
        "mythic",
        "Mythic Form",
        trigger="dropping",
        heals="40",
        uses=1,
        per="encounter",
        does=(FeatureStep(recharges="*"),),
    )
    rage = Feature("rage", "Rage", trigger="hits", only="used:mythic", damage="2 fire")
    table = fight(form, rage, breath, RAM, hp=30)
    table.does(SetTrack("troll", "recharge.breath", 0))
    before = table.encounter
    table.does(ApplyDamage(("troll",), "50"))
    troll = table.one("troll")
    assert (troll.hp, troll.dead, table.track("troll", "recharge.breath")) == (30, False, 1)
    undone_and_redone(table, before)
    table.ends_turn(2)
    table.dice(15, 4)
    table.does(Attack("troll", "ann", "ram"))
    assert table.one("ann").hp == 54
    table.does(ApplyDamage(("troll",), "50"))
    assert table.one("troll").dead


def test_a_feature_is_switched_off_and_on_again_by_hand() -> None:
    table = fight(REGENERATION)
    table.does(ApplyDamage(("troll",), "30 slashing"))
    before = table.encounter
    table.does(SwitchFeature("troll", "regeneration"))
    undone_and_redone(table, before)
    table.ends_turn(2)
    assert table.one("troll").hp == 30
    table.does(SwitchFeature("troll", "regeneration", off=False))
    table.ends_turn(3)
    assert table.one("troll").hp == 40
    assert table.refuses(SwitchFeature("troll", "flight")).key == "refused.no_feature"


@pytest.mark.parametrize("automation", ["", "asks", "acts"])
def test_a_table_may_leave_all_features_to_the_game_master(automation: str) -> None:
    brave = Feature("brave", "Brave", rules=(DataRule("advantage", "save"),), automation=automation)  # type: ignore[arg-type]
    table = fight(msgspec.structs.replace(REGENERATION, automation=automation), brave, options=("features-off",))
    table.does(ApplyDamage(("troll",), "30 slashing"))
    table.ends_turn(2)
    assert (table.one("troll").hp, table.prompts) == (30, [])
    assert not save_roll(table.encounter, table.rules, "troll", "wis").edges


# Several at one moment ----------------------------------------------------------------------------------------------


def test_several_features_of_one_hit_stand_on_one_card_and_come_in_its_order() -> None:
    cut = Feature("cut", "Cut", "free", trigger="hits", damage="2 slashing")
    deep = Feature("deep", "Deep Cut", "free", trigger="crits", damage="3 slashing")
    back = Feature("back", "Strike Back", "reaction", trigger="hit", damage="4 fire", save="dex", dc=30)
    table = fight(back, own=(RAM, cut, deep))
    table.dice(20, 4, 5)
    table.does(Attack("ann", "troll", "ram"))
    (prompt,) = table.prompts
    assert [ask.detail for ask in prompt.asks] == ["Strike Back", "Cut", "Deep Cut"]
    table.dice(1)
    before = table.encounter
    table.does(
        Answer(prompt.id, tuple(Reply(ask.id, chosen=(ask.options[0].id,)) for ask in prompt.asks), prompt.revision)
    )
    assert (table.one("troll").hp, table.one("ann").hp) == (60 - 9 - 2 - 3, 56)
    assert [one.feature for one in table.happened(FeatureUsed)] == ["Strike Back", "Cut", "Deep Cut"]
    undone_and_redone(table, before)


def test_hurt_and_bloodied_are_one_card_too() -> None:
    rage = Feature("rage", "Rage", "free", trigger="bloodied", heals="5")
    spite = Feature("spite", "Spite", "reaction", trigger="hurt", heals="2")
    table = fight(spite, rage)
    table.does(ApplyDamage(("troll",), "40"))
    assert [ask.detail for ask in table.prompt.asks] == ["Spite", "Rage"]


def test_what_acts_as_its_own_turn_ends() -> None:
    calm = Feature("calm", "Calm", trigger="turn-end", heals="4")
    table = fight(calm)
    table.does(ApplyDamage(("troll",), "10"))
    table.ends_turn(2)
    assert table.one("troll").hp == 50
    table.ends_turn()
    assert table.one("troll").hp == 54


@pytest.mark.parametrize(("ends", "turns"), [("owner-start", 3), ("owner-end", 4), ("turn-start", 2), ("turn-end", 3)])
def test_what_a_hit_inflicts_ends_at_the_turn_of_whose_it_was(ends, turns) -> None:  # type: ignore[no-untyped-def]
    sting = Feature("sting", "Sting", "action", attack=20, reach=5, afflictions=(InflictedCondition("poisoned", ends),))
    table = fight(own=(sting,))
    before = table.encounter
    table.dice(15)
    table.does(Attack("ann", "troll", "sting", purpose="free"))
    assert find_effect(table.encounter, "troll", "poisoned") is not None
    for left in reversed(range(turns)):
        table.ends_turn()
        assert (find_effect(table.encounter, "troll", "poisoned") is None) == (left == 0)
    while table.encounter != before:
        assert table.session.undo()


def test_whoever_hurts_is_answered_by_name() -> None:
    blood = Feature("blood", "Freezing Blood", trigger="hurt", when="kind:slashing, attacker.within:5", damage="3 cold")
    table = on_map(fight(blood), ann=(1, 1), troll=(2, 1))
    table.does(ApplyDamage(("troll",), "10 slashing", by="ann", attack="melee"))
    assert table.one("ann").hp == 57
    table.does(ApplyDamage(("troll",), "10 fire", by="ann", attack="melee"))
    assert table.one("ann").hp == 57


def test_the_manual_names_every_moment() -> None:
    manual = (ROOT / "docs" / "traits.md").read_text(encoding="utf-8").partition("## Triggers")[2]
    rows = [line.split("|")[1] for line in manual.splitlines() if line.startswith("| `")]
    named = {word.strip("`") for row in rows for word in row.split() if word != "`trigger`"}
    assert named == set(get_args(TriggerMoment)) - {""}


# Flat checks, and statements about each creature around ---------------------------------------------------------------

WARD = Feature("ward", "Ward", "reaction", trigger="attacked", rules=(DataRule("flat", "attack-against", set=5),))
SCALES = Feature(
    "scales",
    "Scales",
    "reaction",
    trigger="damage",
    reduces="half",
    rules=(DataRule("flat", "damage-against", set=17),),
)
SHELTER = Feature("shelter", "Shelter", "reaction", trigger="attacked", rules=(DataRule("fail", "attack-against"),))


@pytest.mark.parametrize(
    ("feature", "face", "left"),
    [(WARD, 4, 60), (WARD, 5, 56), (SCALES, 16, 56), (SCALES, 17, 58), (SHELTER, 20, 60)],
)
def test_a_reaction_rolls_its_flat_check(feature: Feature, face: int, left: int) -> None:
    table = fight(feature)
    table.dice(15, *(() if feature.trigger == "attacked" else (4,)))
    table.does(Attack("ann", "troll", "ram"))
    table.dice(face, 4)
    table.chooses(feature.id)
    assert table.one("troll").hp == left


BARBS = "At the start of each of its turns, it deals 4 piercing damage to any creature "


@pytest.mark.parametrize(
    ("whom", "left"), [("grappling it.", 60), ("it is grappling or any creature grappling it.", 56)]
)
def test_barbs_hurt_creatures_that_their_owner_holds_if_their_text_names_them(whom: str, left: int) -> None:
    found = read("dnd5e", Feature("barbs", "Barbs", "trait", text=f"{BARBS}{whom}"))
    assert found is not None
    table = on_map(fight(found.feature), ann=(1, 1), bob=(2, 2), troll=(2, 1))
    table.does(ApplyCondition(("ann",), "grappled", by="troll"))
    table.ends_turn(2)
    assert table.one("ann").hp == left


def test_barbs_hurt_only_who_is_in_a_grapple_with_their_owner() -> None:
    barbs = Feature("barbs", "Barbs", trigger="turn-start", within=5, when="other.holds | holds", damage="4 piercing")
    table = on_map(fight(barbs), ann=(1, 1), bob=(2, 2), troll=(2, 1))
    table.ends_turn(2)
    assert (table.one("ann").hp, table.one("bob").hp, table.prompts) == (60, 60, [])
    table.does(ApplyCondition(("troll",), "grappled", by="ann"))
    table.ends_turn(3)
    assert (table.one("ann").hp, table.one("bob").hp, table.prompts) == (56, 60, [])


@pytest.mark.parametrize("save", ["", "wis"])
def test_a_feature_that_the_game_master_applies_says_its_text(save: str) -> None:
    table = fight(own=(Feature("sing", "Sing", "action", save=save, dc=10, text="Everyone weeps."), RAM))
    table.does(UseFeature("ann", "sing", targets=("troll",)))
    assert [(one.feature, one.text) for one in table.happened(FeatureReminded)] == [("Sing", "Everyone weeps.")]


def test_a_creature_passes_half_of_its_damage_on_to_those_it_grapples() -> None:
    rule = DataRule("damage", "all", over=2, when="gripping:wrap")
    shares = Feature("shares", "Shares", trigger="hurt", when="gripping:wrap", properties=("passes-on",), rules=(rule,))
    wrap = Feature(
        "wrap", "Wrap", "action", attack=20, reach=5, afflictions=(InflictedCondition("grappled", escape_dc=13),)
    )
    table = Table(creature("rug", features=(wrap, shares)), creature("ann"), creature("bob"), foes=("rug",))
    table.start(rug=20, ann=10, bob=5)
    table.dice(10)
    table.does(Attack("rug", "ann", "wrap"))
    table.does(ApplyDamage(("rug",), "8 fire"))
    assert [table.one(who).hp for who in ("rug", "ann", "bob")] == [16, 16, 20]
    table.does(EndEffect(find_effect(table.encounter, "ann", "grappled").id))
    table.does(ApplyDamage(("rug",), "8 fire"))
    assert [table.one(who).hp for who in ("rug", "ann", "bob")] == [8, 16, 20]


def test_an_elite_recovers_while_it_is_helpless() -> None:
    ends = (FeatureStep(ends="any"),)
    elite = Feature("elite", "Elite", "bonus", properties=("while-helpless",), does=ends)
    table = Table(creature("ogre", features=(elite, Feature("plain", "Plain", "bonus", does=ends))), creature("ann"))
    table.start(ogre=20, ann=10)
    table.does(ApplyCondition(("ogre",), "stunned", by="ann"))
    assert table.refuses(UseFeature("ogre", "plain")).key == "refused.condition"
    table.does(UseFeature("ogre", "elite"))
    assert table.effects("ogre") == set()


@pytest.mark.parametrize(("weapon", "dies"), [("fist", True), ("claw", False)])
def test_whom_one_attack_fells_dies_by_its_further_feature(weapon: str, dies: bool) -> None:
    attacks = [Feature(id, id.title(), "action", attack=20, reach=5, damage="60 necrotic") for id in ("fist", "claw")]
    dust = Feature("dust", "Dust", trigger="downs", when="with:fist", properties=("kills",))
    hero = creature("ann", hp=60, level=5)
    table = Table(creature("mummy", features=(*attacks, dust)), hero, foes=["mummy"], rules=dnd5e())
    table.start(mummy=12, ann=5)
    table.dice(15)
    table.does(Attack("mummy", "ann", weapon))
    assert (table.one("ann").hp, table.one("ann").dead) == (0, dies)


def test_a_helpless_elite_is_offered_its_recovery_as_a_legendary_action() -> None:
    ends = (FeatureStep(ends="any"),)
    elite = Feature("elite", "Elite", "legendary", properties=("while-helpless",), does=ends)
    table = Table(
        creature("ogre", legendary=3, features=(elite, Feature("plain", "Plain", "legendary", does=ends))),
        creature("ann"),
    )
    table.start(ann=20, ogre=10)
    table.does(ApplyCondition(("ogre",), "stunned", by="ann"))
    table.ends_turn()
    assert [option.id for option in table.prompt.asks[0].options] == ["elite", "pass"]
    table.chooses("elite")
    assert table.effects("ogre") == set()


def test_what_a_reaction_to_an_attack_leaves_is_its_owners() -> None:
    guard = DataRule("modifier", "ac", add=5)
    shield = Feature("shield", "Shield", "reaction", trigger="attacked", lasts="1 round", effect=(guard,))
    table = fight(shield)  # AC 10, and the ram adds 5
    table.dice(6)
    table.does(Attack("ann", "troll", "ram"))
    table.chooses("shield")
    assert ("Shield" in table.effects("troll"), "Shield" in table.effects("ann")) == (True, False)
    assert table.prompts == []


def test_an_attack_meets_an_armor_class_that_a_rule_sets() -> None:
    """22 is set to 20, not raised by it: a 15 and 5 hit."""
    broken = Feature("broken", "Broken", rules=(DataRule("modifier", "ac", set=20),))
    ram = Feature("ram", "Ram", "action", attack=5, reach=5, damage="7 bludgeoning")
    for face, hp in ((14, 20), (15, 13)):
        table = Table(creature("ann", features=(ram,)), creature("dragon", ac=22, features=(broken,)), foes=("dragon",))
        table.start(ann=20, dragon=10)
        table.dice(face)
        table.does(Attack("ann", "dragon", "ram"))
        assert table.one("dragon").hp == hp


@pytest.mark.parametrize("rules", [a5e, dnd5e, pf2e])
@pytest.mark.parametrize("names", [("Stench", "Stench (Entering)"), ("Stench (Staying)", "Stench")])
def test_an_aura_that_also_acts_on_entering_acts_once_as_a_turn_starts(
    rules: Callable[[], RuleSystem], names: tuple[str, str]
) -> None:
    entering = msgspec.structs.replace(STENCH, id="entering", name=names[1], trigger="enters")
    both = tuple(msgspec.structs.replace(one, immune_after="success", afflictions=()) for one in (STENCH, entering))
    table = fight(msgspec.structs.replace(both[0], name=names[0]), both[1], rules=rules())
    table.skips()
    on_map(table, ann=(3, 3), bob=(4, 3), troll=(4, 4))
    table.dice(3, 3, 3)
    table.ends_turn()
    assert sum(event.who == "bob" for event in table.happened(Rolled)) == 1
