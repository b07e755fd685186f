"""Class features: each plays in a fight with scripted dice, and fails here when one of its figures changes."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.conftest import ROOT
from tests.for_each import for_each
from tests.games import GAMES as OWN_GAMES
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.bootstrap import RuleSystems
from turnwright.cli.check import checked_file
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, Map, OtherDamage, RosterEntry, Scene
from turnwright.encounter.procedure_state.asks import Prompt, Reply
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Encounter, standing_areas
from turnwright.importers.traits.powers import character_rules, shipped_powers
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.cast_spell import CastSpell
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import Answer
from turnwright.play.asking.checks import CallForSaves
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Rest, SetHitPoints, SetTrack
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.fuzz.runner import FuzzRun
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.queries.queries import open_prompts, waiting_asks
from turnwright.play.session import Session
from turnwright.play.setup.prepared_records import Add
from turnwright.play.spawning.spawning import AddCombatants
from turnwright.play.state.events import Rolled, Unaffected
from turnwright.play.state.position_changes import SetPosition, SetRelation
from turnwright.play.turn_order.surprise import CallForChecks
from turnwright.play.turns.turns import EndEncounter
from turnwright.rules.parts.actions.action_options import feature_of
from turnwright.rules.parts.attacks.attack_targeting import armor_class
from turnwright.rules.parts.checks.ability_checks import check_roll, save_roll
from turnwright.rules.parts.economy.limited_uses import all_uses, remaining_uses
from turnwright.rules.parts.preparation.presets import known_attack
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.presets import PresetWeapon
from turnwright.storage.encounters import EncounterFile, parse_encounter
from turnwright.storage.fights import fight_text, parse_fight
from turnwright.storage.resources import resource_path
from turnwright.storage.system_data import read_ledger

SCORES = (("str", 16), ("dex", 14), ("con", 14), ("int", 10), ("wis", 16), ("cha", 18))
SWORD = Feature(
    "sword", "Sword", "action", attack=5, reach=5, damage="1d8+3 slashing", properties=("weapon", "finesse")
)
BOW = Feature("bow", "Bow", "action", attack=5, range="80/320", damage="1d8+2 piercing", properties=("weapon",))
CLAW = Feature("claw", "Claw", "action", attack=5, reach=5, damage="2d6 slashing", properties=("weapon",))


def character(game: str = "dnd5e", /, **levels: int) -> Creature:
    """Ann, with the class features of these levels."""
    rules = dnd5e()
    ann = creature("ann", hp=60, abilities=SCORES, features=(SWORD, BOW))
    words = {name.replace("_", "-"): level for name, level in levels.items()}
    return shipped_powers(game).applied(rules.data, ann, words)


def fight(
    ann: Creature, *, on_map: bool = False, foe: dict[str, Any] | None = None, strictness: str = "enforce"
) -> Table:
    """Ann, who goes first, and Bob against an ogre and a dragon."""
    rules = dnd5e()
    blast = Feature("blast", "Blast", "action", save="dex", dc=15, damage="2d6 fire", half=True)
    table = Table(
        ann,
        creature("bob", hp=60),
        creature("ogre", **({"hp": 60, "ac": 13, "features": (CLAW, BOW, blast)} | (foe or {}))),
        foes=("ogre",),
        rules=rules,
        scene=Scene(system=rules.id, strictness=strictness),
    )
    if on_map:
        table.does(Add((Map(columns=20, rows=20),)))
    table.start(ann=20, bob=15, ogre=10)
    if on_map:
        for who, square in {"ann": (1, 1), "bob": (2, 1), "ogre": (2, 2)}.items():
            table.does(SetPosition(who, position=square))
    table.events.clear()
    return table


GAMES = [game for game in OWN_GAMES if resource_path(f"systems/{game}/powers.toml").exists()]


# For each level of spells: how many slots a full caster has from which of its levels on.
SLOTS = (
    {1: 2, 2: 3, 3: 4}, {3: 2, 4: 3}, {5: 2, 6: 3}, {7: 1, 8: 2, 9: 3}, {9: 1, 10: 2, 18: 3}, {11: 1, 19: 2}, {13: 1, 20: 2},
    {15: 1}, {17: 1},
)  # fmt: skip


def test_full_casters_have_the_usual_slots() -> None:
    shipped = [[int(count) for count in row.split()] for row in shipped_powers("dnd5e").file.slots]
    usual = [
        [max(n for at, n in of.items() if at <= level) for of in SLOTS if min(of) <= level] for level in range(1, 21)
    ]
    assert shipped == usual


def test_classes_have_the_usual_hit_dice() -> None:
    of = {row.id: row.hit_die for row in shipped_powers("dnd5e").file.classes if row.hit_die}
    usual = {"barbarian": 12, "fighter": 10, "paladin": 10, "ranger": 10, "sorcerer": 6, "wizard": 6}
    assert of == {name: usual.get(name, 8) for name in of}
    assert usual.keys() <= of.keys()


@pytest.mark.parametrize("game", GAMES)
def test_the_shipped_class_features_have_no_mistakes(game: str) -> None:
    assert checked_file(resource_path(f"systems/{game}/powers.toml"), RuleSystems()).findings == ()
    file = shipped_powers(game).file
    external = {rule.id for rule in read_ledger(game)} & {*file.ledger}
    assert file.ledger
    assert external == {*file.ledger}
    assert all(".external." in id for id in file.ledger)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("classes = { rouge = 1 }", "unknown class 'rouge' (did you mean 'rogue'?)"),
        ('classes = { rogue = 1 }\ndamage = "{levle} fire"', "unknown {levle} (did you mean 'level'?)"),
        ('classes = { rogue = 1 }\nsave = "dexx"', "unknown ability 'dexx' (did you mean 'dex'?)"),
        ('classes = { rogue = 1 }\ncots = "bonus"', "unknown key (did you mean 'cost'?)"),
        ('cost = "bonus"', "missing key `classes`"),
    ],
)
def test_mistakes_in_class_features_are_found(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "powers.toml"
    head = 'format = 3\nkind = "powers"\nsystem = "dnd5e"\n[classes]\nrogue = { hit_die = 8 }\n[powers.a]\nname = "A"\n'
    file.write_text(head + line, encoding="utf-8")
    (finding,) = checked_file(file, RuleSystems()).findings
    assert message in finding.message


def left(table: Table, name: str) -> int:
    """The uses that Ann has left."""
    return remaining_uses(table.encounter, "ann", f"uses.{name}")


def test_second_wind_heals_a_die_and_the_level_once_before_a_rest() -> None:
    table = fight(character(fighter=5))
    table.does(SetHitPoints("ann", 20))
    table.dice(7)
    table.does(UseFeature("ann", "second-wind"))
    assert (table.one("ann").hp, table.track("ann", "bonus"), left(table, "second-wind")) == (20 + 7 + 5, 0, 0)
    table.does(Rest("short"))
    assert left(table, "second-wind") == 1


def test_action_surge_gives_one_more_action() -> None:
    table = fight(character(fighter=2))
    table.does(TakeAction("ann", "dodge"))
    assert table.track("ann", "action") == 0
    table.does(UseFeature("ann", "action-surge"))
    assert (table.track("ann", "action"), left(table, "action-surge")) == (1, 0)
    assert remaining_uses(fight(character(fighter=17)).encounter, "ann", "uses.action-surge") == 2
    table = fight(character(fighter=17))
    table.does(UseFeature("ann", "action-surge"))
    table.refuses(UseFeature("ann", "action-surge"))  # once a turn
    table.ends_turn(3)
    table.does(UseFeature("ann", "action-surge"))


def test_reliable_talent_counts_low_faces_as_ten_where_it_is_proficient() -> None:
    table = fight(msgspec.structs.replace(character(rogue=11), skills=(("stealth", 7),)))
    specs = [check_roll(table.encounter, table.rules, "ann", each) for each in ("dex:stealth", "dex:acrobatics", "dex")]
    assert [spec.again for spec in specs] == [-10, 0, 0]
    table.dice(3)
    table.does(CallForChecks(("ann",), "dex:stealth", 10))
    assert table.happened(Rolled)[-1].roll.total == 10 + 7


@pytest.mark.parametrize(("levels", "attacks"), [({"fighter": 4}, 1), ({"fighter": 5}, 2), ({"fighter": 11}, 3), ({"fighter": 20}, 4), ({"monk": 20}, 2), ({"rogue": 20}, 1)])  # fmt: skip
def test_extra_attack_counts_the_attacks_of_an_action(levels: dict[str, int], attacks: int) -> None:
    table = fight(character(**levels))
    for _ in range(attacks):
        table.dice(2)
        table.does(Attack("ann", "ogre", "sword"))
    table.dice(2)
    table.refuses(Attack("ann", "ogre", "sword"))


def strikes(
    table: Table, *faces: int, who: str = "ann", target: str = "ogre", weapon: str = "sword", **more: Any
) -> int:
    """Attack with these faces, and return the damage dealt."""
    before = table.one(target).hp
    table.dice(*faces)
    table.does(Attack(who, target, weapon, **more))
    return before - table.one(target).hp


SNEAKS = {"facts": ("advantage", "chosen:sneak-attack")}


@pytest.mark.parametrize(("level", "dice"), [(1, 1), (2, 1), (3, 2), (5, 3), (11, 6), (20, 10)])
def test_sneak_attack_adds_its_dice_once_a_turn(level: int, dice: int) -> None:
    table = fight(character(rogue=level))
    assert strikes(table, 15, 10, 4, *[2] * dice, **SNEAKS) == 4 + 3 + 2 * dice
    assert left(table, "sneak-attack") == 0
    table.ends_turn()
    assert left(table, "sneak-attack") == 1


@for_each(("answer", "dealt"), [("chosen:sneak-attack", 3 + 4 + 5 + 6), ("not chosen:sneak-attack", 3 + 4)])
def test_sneak_attack_is_offered_after_a_hit(answer: str, dealt: int) -> None:
    table = fight(character(rogue=3), on_map=True)
    assert (strikes(table, 2, 4), table.prompts) == (0, [])  # a miss
    table.ends_turn(3)
    table.dice(15, 4, 5, 6)
    table.does(Attack("ann", "ogre", "sword"))
    table.chooses(answer)
    assert (60 - table.one("ogre").hp, left(table, "sneak-attack")) == (dealt, int("not" in answer))


def test_sneak_attack_is_offered_after_a_hit_with_advantage() -> None:
    table = fight(character(rogue=3), on_map=True)
    table.does(SetPosition("bob", position=(9, 9)))
    table.does(ApplyCondition(("ogre",), "prone"))
    table.dice(2, 15, 4, 5, 6)
    table.does(Attack("ann", "ogre", "sword"))
    table.chooses("chosen:sneak-attack")
    assert 60 - table.one("ogre").hp == 3 + 4 + 5 + 6


@pytest.mark.parametrize("system", [dnd5e, a5e], ids=["dnd5e", "a5e"])
def test_sneak_attack_is_offered_after_a_roll_with_advantage(system: Callable[[], RuleSystem]) -> None:
    table = duel(system, "rogue 1", others=(msgspec.structs.replace(SWORD, id="rapier"),))
    table.does(SetPosition("bob", position=(9, 9)))
    for facts, asks in (((), []), (("advantage",), ["chosen:sneak-attack"])):
        table.does(SetTrack("ann", "action", 1))
        strikes(table, 15, *[12] * bool(facts), *[4] * (not facts), weapon="rapier", facts=facts)
        assert [ask.id for prompt in table.prompts for ask in prompt.asks] == asks


def test_sneak_attack_is_not_offered_again_in_the_turn() -> None:
    table = fight(character(rogue=3, fighter=5), on_map=True)
    strikes(table, 15, 4, 5, 6, facts=("chosen:sneak-attack",))
    assert strikes(table, 15, 4) == 3 + 4
    assert not table.prompts


def test_sneak_attack_needs_advantage_or_an_ally_beside_the_target() -> None:
    assert strikes(fight(character(rogue=3)), 15, 4, facts=("chosen:sneak-attack",)) == 7
    beside = fight(character(rogue=3), on_map=True)
    assert strikes(beside, 15, 4, 2, 2, facts=("chosen:sneak-attack",)) == 11
    beside = fight(character(rogue=3), on_map=True)
    assert strikes(beside, 15, 12, 4, facts=("chosen:sneak-attack", "disadvantage")) == 7


def test_sneak_attack_needs_a_light_weapon() -> None:
    for word, damage in (("heavy", 7), ("two-handed", 7), ("thrown", 7 + 2)):
        weapon = msgspec.structs.replace(SWORD, properties=("weapon", word))
        ann = msgspec.structs.replace(character(rogue=1), features=(weapon, *character(rogue=1).features[2:]))
        assert strikes(fight(ann), 15, 10, 4, 2, **SNEAKS) == damage
    longbow = msgspec.structs.replace(BOW, properties=("weapon", "heavy", "two-handed"))
    ann = msgspec.structs.replace(character(rogue=1), features=(longbow, *character(rogue=1).features[2:]))
    assert strikes(fight(ann), 15, 10, 4, 2, weapon="bow", **SNEAKS) == 6 + 2


def test_cunning_action_hides_dashes_or_disengages_for_a_bonus_action() -> None:
    table = fight(character(rogue=2))
    table.does(UseFeature("ann", "cunning-action"))
    table.chooses("action disengage")
    assert "disengaging" in table.effects("ann")
    assert (table.track("ann", "action"), table.track("ann", "bonus")) == (1, 0)


def test_uncanny_dodge_halves_the_damage_of_an_attack() -> None:
    table = fight(character(rogue=5))
    table.ends_turn(2)
    table.dice(15, 5, 5)
    table.does(Attack("ogre", "ann", "claw"))
    table.chooses("uncanny-dodge")
    assert (table.one("ann").hp, table.track("ann", "reaction")) == (60 - 5, 0)


def test_uncanny_dodge_needs_an_attacker_that_it_sees() -> None:
    table = fight(character(rogue=5))
    table.does(ApplyCondition(("ogre",), "invisible"))
    table.ends_turn(2)
    table.dice(15, 15, 5, 5)
    table.does(Attack("ogre", "ann", "claw"))
    assert (table.one("ann").hp, list(table.prompts)) == (60 - 10, [])


@pytest.mark.parametrize(("roll", "lost"), [(18, 0), (5, 4)])
def test_evasion_takes_nothing_or_half(roll: int, lost: int) -> None:
    table = fight(character(rogue=7))
    table.ends_turn(2)
    table.dice(roll, 4, 4)
    table.does(UseFeature("ogre", "blast", targets=("ann",)))
    assert table.one("ann").hp == 60 - lost


def test_danger_sense_gives_an_edge_on_dexterity_saves() -> None:
    table = fight(character(barbarian=2))
    assert [edge.reason for edge in save_roll(table.encounter, table.rules, "ann", "dex").edges] == ["Danger Sense"]
    table.does(ApplyCondition(("ann",), "blinded"))
    assert save_roll(table.encounter, table.rules, "ann", "dex").edges == ()


def test_feral_instinct_gives_an_edge_on_initiative() -> None:
    rules = fight(character(barbarian=7)).one("ann") and character(barbarian=7).features
    assert [rule.what for feature in rules if feature.id == "feral-instinct" for rule in feature.rules] == [
        "initiative"
    ]


def test_feral_instinct_lets_the_surprised_rage() -> None:
    table = fight(character(barbarian=7))
    table.does(ApplyCondition(("ann",), "surprised"))
    assert table.refuses(UseFeature("ann", "rage"))
    table.does(UseFeature("ann", "feral-rage"))
    assert (table.effects("ann"), left(table, "rage")) == ({"raging", "bonus-action-spent"}, 3)
    table.does(SetTrack("ann", "uses.rage", 0))
    table.does(ApplyCondition(("ann",), "surprised"))
    assert table.refuses(UseFeature("ann", "feral-rage")).key == "refused.not_there"


@pytest.mark.parametrize(("level", "dice"), [(9, 1), (13, 2), (17, 3)])
def test_brutal_critical_adds_dice_of_the_weapon_to_a_critical_hit(level: int, dice: int) -> None:
    assert strikes(fight(character(barbarian=level)), 20, 4, 5, *[6] * dice) == 4 + 5 + 3 + 6 * dice
    assert strikes(fight(character(barbarian=level)), 15, 4) == 7
    assert strikes(fight(character(barbarian=level)), 20, 4, 5, weapon="bow") == 4 + 5 + 2


def test_savage_attacks_add_one_die_of_the_weapon() -> None:
    assert strikes(fight(character(fighter=1, half_orc=1)), 20, 4, 5, 6) == 4 + 5 + 3 + 6


@pytest.mark.parametrize(("level", "face", "outcome"), [(2, 19, "hit"), (3, 19, "critical"), (3, 18, "hit"), (15, 18, "critical"), (15, 17, "hit")])  # fmt: skip
def test_improved_critical_widens_critical_hits(level: int, face: int, outcome: str) -> None:
    table = fight(character(champion=level))
    strikes(table, face, 1, 1)
    assert [each.outcome for each in table.happened(Attacked)] == [outcome]


def test_a_wider_critical_hit_still_has_to_hit() -> None:
    table = fight(character(champion=3), foe={"ac": 30})
    strikes(table, 19)
    assert [each.outcome for each in table.happened(Attacked)] == ["miss"]


def test_indomitable_rolls_a_failed_save_again_and_keeps_the_second_roll() -> None:
    table = fight(character(fighter=9))
    table.ends_turn(2)
    table.dice(3, 2, 2)
    table.does(UseFeature("ogre", "blast", targets=("ann",)))
    table.dice(14, 2, 2)
    table.chooses("succeeds")
    assert (table.one("ann").hp, left(table, "indomitable")) == (60 - 2, 0)
    assert [each.passed for each in table.happened(Rolled) if each.purpose == "ask.save"] == [True]
    assert remaining_uses(fight(character(fighter=17)).encounter, "ann", "uses.indomitable") == 3


def test_a_second_roll_can_fail_too_and_may_be_declined() -> None:
    table = fight(character(fighter=9))
    table.ends_turn(2)
    table.dice(3)
    table.does(UseFeature("ogre", "blast", targets=("ann",)))
    table.dice(4, 2, 3)
    table.chooses("succeeds")
    assert (table.one("ann").hp, left(table, "indomitable")) == (60 - 5, 0)
    table = fight(character(fighter=9))
    table.ends_turn(2)
    table.dice(3)
    table.does(UseFeature("ogre", "blast", targets=("ann",)))
    table.dice(2, 3)
    table.chooses("fails")
    assert (table.one("ann").hp, left(table, "indomitable")) == (60 - 5, 1)


def _misses(table: Table) -> None:
    """Ann begins her Attack action with a miss."""
    table.dice(2)
    table.does(Attack("ann", "ogre", "sword"))


@pytest.mark.parametrize(("level", "face"), [(2, 4), (5, 6), (11, 8), (17, 10)])
def test_flurry_of_blows_is_an_unarmed_strike_twice(level: int, face: int) -> None:
    table = fight(character(monk=level))
    assert table.refuses(UseFeature("ann", "flurry-of-blows")).key == "refused.not_there"
    _misses(table)
    table.does(UseFeature("ann", "flurry-of-blows"))
    for _ in range(2):
        table.dice(15, face)
        table.chooses("ogre")
        if level >= 5:
            table.chooses("pass")  # Stunning Strike
    assert 60 - table.one("ogre").hp == 2 * (face + 3)
    assert (left(table, "ki"), table.track("ann", "bonus")) == (level - 1, 0)
    table.does(Rest("short"))
    assert left(table, "ki") == level


def test_without_ki_its_features_are_refused_unless_the_player_counts_it() -> None:
    table = fight(character(monk=2))
    _misses(table)
    table.does(SetTrack("ann", "uses.ki", 0))
    assert table.refuses(UseFeature("ann", "flurry-of-blows")).key == "refused.no_uses"
    uncounted = character(monk=2)
    uncounted = msgspec.structs.replace(
        uncounted, features=tuple(each for each in uncounted.features if each.id != "ki")
    )
    table = fight(uncounted)
    table.does(UseFeature("ann", "patient-defense"))
    assert "dodging" in table.effects("ann")


def test_patient_defense_and_step_of_the_wind_are_actions_for_ki() -> None:
    table = fight(character(monk=2))
    table.does(UseFeature("ann", "patient-defense"))
    assert "dodging" in table.effects("ann")
    assert (left(table, "ki"), table.track("ann", "action")) == (1, 1)
    table = fight(character(monk=2))
    table.does(UseFeature("ann", "step-of-the-wind"))
    table.chooses("action dash")
    assert "dashing" in table.effects("ann")


def test_martial_arts_strike_once_for_a_bonus_action() -> None:
    table = fight(character(monk=1))
    _misses(table)
    table.does(UseFeature("ann", "martial-arts"))
    table.dice(15, 4)
    table.chooses("ogre")
    assert (60 - table.one("ogre").hp, table.track("ann", "bonus"), table.track("ann", "action")) == (7, 0, 0)


def test_deflect_missiles_lowers_the_damage_of_a_shot_only() -> None:
    table = fight(character(monk=3))
    table.ends_turn(2)
    table.dice(15, 8, 3)
    table.does(Attack("ogre", "ann", "bow"))
    table.chooses("deflect-missiles")
    assert table.one("ann").hp == 60 - max(0, 10 - (3 + 2 + 3))
    table = fight(character(monk=3))
    table.ends_turn(2)
    table.dice(15, 2, 3)
    table.does(Attack("ogre", "ann", "bow"))
    table.chooses("deflect-missiles")  # nothing is left of the damage
    table.dice(15, 4)
    table.chooses("use caught-missile")
    table.chooses("ogre")  # the target of the caught-missile
    assert (table.one("ann").hp, table.one("ogre").hp, left(table, "ki")) == (60, 60 - 4 - 2, 2)
    table.ends_turn()
    assert table.refuses(Attack("ann", "ogre", "caught-missile")).key == "refused.not_there"
    table = fight(character(monk=3))
    table.ends_turn(2)
    assert strikes(table, 15, 3, 3, who="ogre", target="ann", weapon="claw") == 6


def test_stunning_strike_spends_ki_after_a_hit_and_stuns_who_fails() -> None:
    table = fight(character(monk=5))
    strikes(table, 15, 4)
    table.dice(5)
    table.chooses("stunning-strike")
    assert "stunned" in table.effects("ogre")
    assert left(table, "ki") == 4
    assert feature_of(table.encounter, "ann", "stunning-strike").dc == 8 + 3 + 3  # type: ignore[union-attr]
    table.ends_turn(3)
    assert "stunned" in table.effects("ogre")
    table.ends_turn()
    assert "stunned" not in table.effects("ogre")


def test_monks_are_pure_and_still() -> None:
    table = fight(character(monk=10))
    table.does(ApplyCondition(("ann",), "frightened", source="ogre"))
    table.does(ApplyCondition(("ann",), "poisoned"))
    table.does(ApplyDamage(("ann",), "10 poison"))
    assert (table.effects("ann"), table.one("ann").hp) == ({"frightened"}, 60)  # Purity of Body
    table.does(UseFeature("ann", "stillness-of-mind"))
    assert (table.effects("ann"), table.track("ann", "action")) == (set(), 0)


def test_diamond_souls_are_proficient_in_all_saves() -> None:
    for saves, extra in (((), [5]), ((("wis", 9),), [])):
        table = fight(msgspec.structs.replace(character(monk=14), saves=saves))
        spec = save_roll(table.encounter, table.rules, "ann", "wis")
        assert [each.value for each in spec.modifiers if each.reason == "Diamond Soul"] == extra


@for_each(("answer", "ki"), [("succeeds", 13), ("fails", 14)])
def test_diamond_soul_rolls_a_save_again_for_ki(answer: str, ki: int) -> None:
    table = fight(character(monk=14))
    table.ends_turn(2)
    table.dice(2, *([19] if ki == 13 else []), 6, 6)
    table.does(UseFeature("ogre", "blast", targets=("ann",)))
    table.chooses(answer)
    assert left(table, "ki") == ki


@for_each(("face", "again", "ki", "passed"), [(7, (), 14, True), (4, (6,), 13, True), (1, (2,), 13, False)])
def test_diamond_souls_are_proficient_in_death_saves_and_roll_them_again(
    face: int, again: tuple[int, ...], ki: int, passed: bool
) -> None:
    table = fight(character(monk=14))
    table.does(ApplyDamage(("ann",), str(table.one("ann").hp)))
    table.ends_turn(2)
    table.dice(face, *again)
    table.ends_turn()
    if again:
        table.chooses("succeeds")
    (save,) = [one for one in table.happened(Rolled) if one.purpose == "ask.death_save"]
    assert (save.passed, left(table, "ki")) == (passed, ki)
    assert table.track("ann", "death-failures") == (0 if passed else 1)


@for_each(("hp", "then"), [(20, 27), (31, 31)])
def test_survivors_regain_hit_points(hp: int, then: int) -> None:
    table = fight(character(champion=18))
    table.does(SetHitPoints("ann", hp))
    table.ends_turn(3)
    assert table.one("ann").hp == then


def test_paladins_are_brave_and_smite_with_each_hit() -> None:
    table = fight(character(paladin=11), on_map=True)
    table.does(ApplyCondition(("bob",), "frightened", source="ogre"))
    assert "frightened" not in table.effects("bob")  # Aura of Courage
    assert strikes(table, 15, 4, 5) == 7 + 5  # Improved Divine Smite


@pytest.mark.parametrize(("words", "more", "damage"), [(("weapon", "thrown"), 5, 7 + 5), (("weapon",), 0, 7)])
def test_divine_smites_count_thrown_melee_weapons_too(words: tuple[str, ...], more: int, damage: int) -> None:
    weapon = msgspec.structs.replace(SWORD, id="axe", properties=words, range="20/60", reach=more)
    paladin = character(paladin=11)
    table = fight(msgspec.structs.replace(paladin, features=(*paladin.features, weapon)))
    is_thrown = {"thrown": True} if more else {}
    assert strikes(table, 15, 4, *[5] * bool(more), weapon="axe", **is_thrown) == damage


def test_lay_on_hands_heals_as_many_points_as_are_spent() -> None:
    table = fight(character(paladin=5))
    table.does(SetHitPoints("bob", 20))
    table.does(UseFeature("ann", "lay-on-hands", targets=("bob",)))
    table.answers(heal=8)
    assert (table.one("bob").hp, left(table, "lay-on-hands"), table.track("ann", "action")) == (28, 17, 0)
    table.session.undo()
    assert (table.one("bob").hp, left(table, "lay-on-hands")) == (20, 25)
    table.does(Rest("long"))
    assert left(table, "lay-on-hands") == 25


@pytest.mark.parametrize(("slot", "faces"), [("1", (5, 5)), ("2", (5, 5, 5))])
def test_divine_smite_spends_a_slot_for_its_damage(slot: str, faces: tuple[int, ...]) -> None:
    paladin = msgspec.structs.replace(character(paladin=5), slots=(("1", 4), ("2", 2)))
    table = fight(paladin)
    assert strikes(table, 15, 4) == 7
    table.dice(*faces)
    table.chooses(slot)
    assert 60 - table.one("ogre").hp == 7 + 5 * len(faces)
    had = {"1": 4, "2": 2}
    assert {level: remaining_uses(table.encounter, "ann", f"slots.{level}") for level in had} == had | {
        slot: had[slot] - 1
    }


def test_divine_smite_rolls_twice_the_dice_on_a_critical_hit_and_more_against_undead() -> None:
    uncounted = msgspec.structs.replace(character(paladin=2), slots=())
    table = fight(uncounted, foe={"type": "undead"})
    strikes(table, 20, 4, 4)
    assert [option.id for option in table.prompt.asks[0].options] == ["1", "2", "3", "4", "5", "pass", "never"]
    table.dice(*[1] * 6)
    table.chooses("1")
    assert 60 - table.one("ogre").hp == 11 + 6
    table = fight(character(paladin=2))
    strikes(table, 15, 4)
    table.chooses("pass")
    assert 60 - table.one("ogre").hp == 7


def test_aura_of_protection_adds_charisma_to_saves_of_allies_nearby() -> None:
    table = fight(character(paladin=6), on_map=True)

    def bonus(who: str) -> list[tuple[str, int]]:
        spec = save_roll(table.encounter, table.rules, who, "wis")
        return [(each.reason, each.value) for each in spec.modifiers if each.reason == "Aura of Protection"]

    assert (bonus("ann"), bonus("bob"), bonus("ogre")) == ([("Aura of Protection", 4)], [("Aura of Protection", 4)], [])
    table.does(SetPosition("bob", position=(5, 5)))
    assert bonus("bob") == []
    table.does(SetPosition("bob", position=(3, 3)))
    assert bonus("bob") == [("Aura of Protection", 4)]
    table.does(ApplyCondition(("ann",), "unconscious"))
    assert bonus("bob") == []


def test_auras_of_protection_do_not_add_up() -> None:
    paladin = character(paladin=6)
    other = msgspec.structs.replace(paladin, id="bob", name="Bob")
    table = Table(paladin, other, "ogre", foes=("ogre",), rules=dnd5e(), scene=Scene(system="dnd5e"))
    table.does(Add((Map(columns=20, rows=20),)))
    table.start(ann=20, bob=15, ogre=10)
    for who, square in {"ann": (1, 1), "bob": (2, 1)}.items():
        table.does(SetPosition(who, position=square))
    table.dice(10)
    table.does(CallForSaves(("ann",), "wis", 10))
    assert table.happened(Rolled)[-1].roll.total == 10 + 3 + 4


def test_aura_of_protection_is_offered_where_the_distance_is_unknown() -> None:
    spec = save_roll(fight(character(paladin=6)).encounter, dnd5e(), "bob", "wis")
    assert [(each.reason, each.value, each.depends_on) for each in spec.offered] == [
        ("Aura of Protection", 4, "within 10")
    ]


def test_curing_costs_five_points_of_lay_on_hands() -> None:
    table = fight(character(paladin=1))
    cure = UseFeature("ann", "cure-by-laying-on-hands", targets=("bob",))
    table.does(ApplyCondition(("bob",), "poisoned"))
    table.does(cure)
    assert (table.effects("bob"), left(table, "lay-on-hands")) == (set(), 0)
    table.does(SetTrack("ann", "uses.lay-on-hands", 4))
    table.ends_turn(3)
    assert table.refuses(cure)


@pytest.mark.parametrize("used", ["claw", "blast"])
def test_the_turned_cannot_harm_anybody(used: str) -> None:
    table = fight(creature("ann", hp=60))
    table.does(ApplyCondition(("ogre",), "turned"))
    table.ends_turn(2)
    harm = Attack("ogre", "ann", used) if used == "claw" else UseFeature("ogre", used, targets=("ann",))
    assert table.refuses(harm)
    table.does(TakeAction("ogre", "dash"))


@pytest.mark.parametrize(
    ("levels", "feature", "gear"),
    [({"barbarian": 1}, "rage", ("heavy-armor",)), ({"bard": 1}, "bardic-inspiration", ())],
)
def test_some_class_features_are_not_for_everybody(levels: dict[str, int], feature: str, gear: tuple[str, ...]) -> None:
    ann = msgspec.structs.replace(character(**levels), gear=gear)
    assert fight(ann).refuses(UseFeature("ann", feature, targets=("ann",)))


@for_each(
    ("condition", "path", "allowed"),
    [
        ("turned", ((9, 2),), True),
        ("turned", ((7, 2),), False),
        ("frightened", ((8, 3),), True),
        ("frightened", ((7, 2),), False),
        ("poisoned", ((7, 2),), True),
    ],
)
def test_the_frightened_do_not_approach_the_source_of_their_fear(
    condition: str, path: tuple[tuple[int, int], ...], *, allowed: bool
) -> None:
    table = fight(creature("ann", hp=60), on_map=True)
    table.does(SetPosition("ogre", position=(8, 2)))
    table.does(ApplyCondition(("ogre",), condition, by="ann"))
    table.ends_turn(2)
    move = MovePath("ogre", path=path)
    if allowed:
        table.does(move)
    else:
        assert table.refuses(move).key == "refused.approaches"


def test_the_turned_may_come_nearer_from_afar_but_not_within_30_feet() -> None:
    table = fight(creature("ann", hp=60), on_map=True)
    table.does(SetPosition("ogre", position=(9, 1)))
    table.does(ApplyCondition(("ogre",), "turned", by="ann"))
    table.ends_turn(2)
    table.does(MovePath("ogre", path=((8, 1),)))
    assert table.refuses(MovePath("ogre", path=((7, 1),))).key == "refused.approaches"


@for_each(
    ("levels", "feature", "offered"),
    [
        ({"paladin": 1}, "lay-on-hands", ("ann", "bob")),  # the ogre is an undead
        ({"bard": 1}, "bardic-inspiration", ("bob", "ogre")),
    ],
)
def test_features_for_a_number_of_targets_ask_for_them(
    levels: dict[str, int], feature: str, offered: tuple[str, ...]
) -> None:
    table = fight(character(**levels), on_map=True, foe={"type": "undead"})
    table.does(UseFeature("ann", feature))
    (ask,) = waiting_asks(table.prompt)
    assert (tuple(option.id for option in ask.options), ask.max_choices) == (offered, 1)


@for_each(("weapon", "dice"), [("rapier", 1), ("mace", 0), ("longsword", 0), ("handaxe", 0), ("dart", 1)])
def test_sneak_attacks_need_a_finesse_or_ranged_weapon(weapon: str, dice: int) -> None:
    held = known_attack(dnd5e().data, weapon)
    assert isinstance(held, PresetWeapon)
    more = {"thrown": True} if "thrown" in held.properties else {}
    own = msgspec.structs.replace(
        SWORD, id=weapon, properties=("weapon", *held.properties), range=held.range, reach=held.reach
    )
    rogue = character(rogue=1)
    table = fight(msgspec.structs.replace(rogue, features=(own, *rogue.features)))
    assert strikes(table, 15, 10, 4, *[6] * dice, weapon=weapon, **more, **SNEAKS) == 7 + 6 * dice


def test_turn_undead_turns_undead_that_fail_until_they_are_hurt() -> None:
    table = fight(character(cleric=5), foe={"type": "undead"})
    table.dice(5)
    table.does(UseFeature("ann", "turn-undead", targets=("ogre",)))
    assert "turned" in table.effects("ogre")
    assert feature_of(table.encounter, "ann", "turn-undead").dc == 8 + 3 + 3  # type: ignore[union-attr]
    table.does(ApplyDamage(("ogre",), "3 fire"))
    assert "turned" not in table.effects("ogre")
    assert left(table, "channel-divinity") == 0
    living = fight(character(cleric=5))
    assert living.refuses(UseFeature("ann", "turn-undead", targets=("ogre",)))


@for_each(
    ("level", "rating", "dies"),
    [(4, "0", False), (5, "1/2", True), (5, "1", False), (8, "1", True), (17, "4", True), (17, "", False)],
)
def test_turn_undead_destroys_weak_undead_that_fail(level: int, rating: str, *, dies: bool) -> None:
    for face in (2, 20):
        table = fight(character(cleric=level), foe={"type": "undead", "rating": rating})
        table.dice(face)
        table.does(UseFeature("ann", "turn-undead", targets=("ogre",)))
        assert table.one("ogre").dead is (dies and face == 2), face


@for_each(("place", "in_it"), [((7, 1), True), ((8, 1), False)])
def test_an_emanation_affects_only_creatures_in_it(place: tuple[int, int], *, in_it: bool) -> None:
    table = fight(character(cleric=2), foe={"type": "undead"}, on_map=True)
    table.does(SetPosition("ogre", position=place))
    turning = UseFeature("ann", "turn-undead", targets=("ogre",))
    table.dice(2)
    if in_it:
        table.does(turning)
    else:
        assert table.refuses(turning).key == "refused.out_of_range"
    assert ("turned" in table.effects("ogre")) is in_it


def test_channel_divinity_is_shared_and_grows() -> None:
    for level, uses in ((2, 1), (6, 2), (18, 3)):
        table = fight(character(life=level))
        assert left(table, "channel-divinity") == uses
        assert {feature.id for feature in character(life=level).features} >= {"turn-undead", "preserve-life"}


def test_preserve_life_is_divided_up_to_half_of_the_hit_points() -> None:
    table = fight(character(life=5))
    table.does(SetHitPoints("ann", 4))
    table.does(SetHitPoints("bob", 20))
    table.does(UseFeature("ann", "preserve-life", targets=("ann", "bob")))
    table.answers(heal_ann=12, heal_bob=20)
    assert (table.one("ann").hp, table.one("bob").hp, left(table, "channel-divinity")) == (16, 30, 0)
    table = fight(character(life=5))
    table.does(SetHitPoints("ann", 1))
    table.does(SetHitPoints("bob", 1))
    table.does(UseFeature("ann", "preserve-life", targets=("ann", "bob")))
    table.answers(heal_ann=20, heal_bob=20)
    assert (table.one("ann").hp, table.one("bob").hp) == (21, 6)


def test_wild_shape_takes_the_stat_block_of_a_beast_and_gives_it_back() -> None:
    table = fight(character(druid=2), foe={"type": "beast", "hp": 12})
    table.does(UseFeature("ann", "wild-shape"))
    assert [option.id for option in waiting_asks(table.prompt)[0].options] == ["ogre", "pass"]
    table.chooses("ogre")
    shape = creature_of(table.encounter, table.one("ann"))
    assert (shape.name, table.one("ann").hp, dict(shape.abilities)["wis"]) == ("Ogre", 12, 16)
    assert {"claw", "own-shape"} <= {feature.id for feature in shape.features}
    assert "sword" not in {feature.id for feature in shape.features}
    assert left(table, "wild-shape") == 1
    assert [each.rounds_left for each in table.encounter.of(Effect, "ann") if each.name == "beast-shape"] == [600]
    table.does(ApplyDamage(("ann",), "5"))
    table.does(UseFeature("ann", "own-shape"))
    assert ("beast-shape" in table.effects("ann"), table.one("ann").hp) == (False, 60)
    table.does(SetTrack("ann", "action", 1))
    table.does(UseFeature("ann", "wild-shape"))
    table.chooses("ogre")
    table.does(ApplyDamage(("ann",), "15"))
    assert ("beast-shape" in table.effects("ann"), table.one("ann").hp) == (False, 57)


def test_beasts_cast_no_spells_but_keep_their_concentration() -> None:
    table = fight(character(druid=2), foe={"type": "beast", "hp": 12})
    table.does(ApplyCondition(("ann",), "concentrating"))
    table.does(UseFeature("ann", "wild-shape"))
    table.chooses("ogre")
    assert "concentrating" in table.effects("ann")
    table.does(SetTrack("ann", "action", 1))
    assert table.refuses(CastSpell("ann", spell="cure-wounds", targets=("ann",))).key == "refused.no_casting"


@for_each(
    ("levels", "feature", "target"),
    [
        ({"druid": 2}, "own-shape", ""),
        ({"monk": 7}, "stillness-of-mind", ""),
        ({"paladin": 1}, "cure-by-laying-on-hands", "bob"),
    ],
)
def test_features_that_end_a_condition_need_it(levels: dict[str, int], feature: str, target: str) -> None:
    table = fight(character(**levels), on_map=True)
    table.refuses(UseFeature("ann", feature, targets=(target,) if target else ()))
    assert (table.track("ann", "action"), table.track("ann", "bonus")) == (1, 1)


@for_each("strictness", ["enforce", "warn"])
@for_each(
    ("level", "mode", "offered"),
    [(2, "climb", True), (2, "swim", False), (4, "swim", True), (7, "fly", False), (8, "fly", True)],
)
def test_strict_rules_limit_the_speeds_of_a_beasts_shape(
    level: int, mode: str, strictness: str, *, offered: bool
) -> None:
    table = fight(character(druid=level), foe={"type": "beast", "speeds": ((mode, 30),)}, strictness=strictness)
    table.does(UseFeature("ann", "wild-shape"))
    (ask,) = waiting_asks(table.prompt)
    assert ("ogre" in [option.id for option in ask.options]) is (offered or strictness != "enforce")


@for_each("strictness", ["enforce", "warn"])
@for_each(
    ("level", "rating", "offered"),
    [(2, "1/4", True), (2, "1/2", False), (8, "1", True), (8, "2", False), (8, "", True)],
)
def test_strict_rules_limit_the_rating_of_a_beasts_shape(
    level: int, rating: str, strictness: str, *, offered: bool
) -> None:
    ann = msgspec.structs.replace(character(druid=level), level=level)
    table = fight(ann, foe={"type": "beast", "rating": rating}, strictness=strictness)
    table.does(UseFeature("ann", "wild-shape"))
    (ask,) = waiting_asks(table.prompt)
    assert ("ogre" in [option.id for option in ask.options]) is (offered or strictness != "enforce")


def test_colossus_slayer_hurts_the_hurt_once_a_turn() -> None:
    table = fight(character(hunter=5))
    assert strikes(table, 15, 4) == 7
    assert strikes(table, 15, 4, 6) == 7 + 6
    assert left(table, "colossus-slayer") == 0


def test_lucky_rolls_a_one_again() -> None:
    table = fight(character(halfling=1))
    strikes(table, 1, 15, 4)
    (attack,) = table.happened(Attacked)
    assert attack.roll is not None
    assert (attack.outcome, attack.roll.natural, [(die.face, die.kept) for die in attack.roll.dice]) == (
        "hit",
        15,
        [(1, False), (15, True)],
    )
    table.dice(1, 2)
    table.does(CallForSaves(("ann",), "dex", 10))
    assert table.happened(Rolled)[-1].roll.natural == 2
    assert check_roll(table.encounter, table.rules, "ann", "str").again == 1


@pytest.mark.parametrize(
    ("name", "save", "threat", "reason"),
    [
        ("halfling", "wis", "against:frightened", "Brave"),
        ("dwarf", "con", "against:poison", "Dwarven Resilience"),
        ("elf", "wis", "against:charmed", "Fey Ancestry"),
        ("half_elf", "wis", "against:charmed", "Fey Ancestry"),
        ("gnome", "cha", "magic", "Gnome Cunning"),
    ],
)
def test_ancestries_have_edges_on_saves(name: str, save: str, threat: str, reason: str) -> None:
    table = fight(character(**{name: 1}))
    spec = save_roll(table.encounter, table.rules, "ann", save, "ogre", (threat,))
    assert [(edge.kind, edge.reason) for edge in spec.edges] == [("advantage", reason)]
    assert save_roll(table.encounter, table.rules, "ann", save, "ogre", ()).edges == ()


@pytest.mark.parametrize(("name", "kind"), [("dwarf", "poison"), ("tiefling", "fire")])  # Hellish Resistance
def test_ancestries_resist_damage(name: str, kind: str) -> None:
    table = fight(character(**{name: 1}))
    table.does(ApplyDamage(("ann",), f"10 {kind}"))
    assert table.one("ann").hp == 55


def test_relentless_endurance_leaves_one_hit_point_once() -> None:
    table = fight(character(half_orc=1))
    table.does(ApplyDamage(("ann",), "70 fire"))
    assert table.one("ann").hp == 1
    table.does(ApplyDamage(("ann",), "10 fire"))
    assert table.one("ann").hp == 0
    entry = RosterEntry("ann", "ann", dying="saves")
    table = Table(character(half_orc=1), "ogre", foes=("ogre",), rules=dnd5e(), roster=(entry,))
    table.start(ann=20, ogre=10)
    table.does(ApplyDamage(("ann",), "200 fire"))  # kills outright
    assert (table.one("ann").dead, left(table, "relentless-endurance")) == (True, 1)


def test_magic_cannot_put_elves_to_sleep() -> None:
    for levels, asleep in (({"fighter": 1}, True), ({"fighter": 1, "elf": 1}, False)):
        table = fight(character(**levels))
        table.ends_turn(2)
        table.dice(8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8)
        table.does(SetHitPoints("ann", 5))
        table.does(UseFeature("ogre", spell="sleep", targets=("ann",)))
        assert ("unconscious" in table.effects("ann")) is asleep


@pytest.mark.parametrize(("level", "dice"), [(1, 2), (6, 3), (11, 4), (16, 5)])
def test_breath_weapon_grows_and_can_be_saved_against(level: int, dice: int) -> None:
    table = fight(character(fighter=level, dragonborn=1))
    table.dice(2, *[3] * dice)
    table.does(UseFeature("ann", "breath-weapon"))
    ways = [option.id.removeprefix("use ") for option in waiting_asks(table.prompt)[0].options]
    assert ways == ["acid-line", "lightning-line", "fire-line", "fire-cone", "cold-cone", "poison-cone"]
    table.chooses("use cold-cone")
    table.chooses("ogre")
    proficiency = 2 + (level - 1) // 4
    dc = feature_of(table.encounter, "ann", "cold-cone").dc  # type: ignore[union-attr]
    assert (60 - table.one("ogre").hp, dc) == (3 * dice, 8 + proficiency + 2)
    assert left(table, "acid-line") == 0
    table.ends_turn(3)
    for again in ("breath-weapon", "fire-cone"):
        assert table.refuses(UseFeature("ann", again, targets=("ogre",))), again


@pytest.mark.parametrize(("level", "bonus", "uses"), [(1, 2, 2), (3, 2, 3), (9, 3, 4), (16, 4, 5), (17, 4, 6)])
def test_rage_hits_harder_and_resists_weapons_for_a_minute(level: int, bonus: int, uses: int) -> None:
    table = fight(character(barbarian=level))
    table.does(UseFeature("ann", "rage"))
    assert (table.effects("ann"), left(table, "rage"), table.track("ann", "bonus")) == ({"raging"}, uses - 1, 0)
    assert strikes(table, 15, 4) == 7 + bonus
    assert [edge.reason for edge in save_roll(table.encounter, table.rules, "ann", "str").edges] == [
        "<condition.raging>"
    ]
    table.does(ApplyDamage(("ann",), "10 slashing + 10 fire"))
    assert table.one("ann").hp == 60 - 5 - 10
    for _ in range(9):
        table.ends_turn(3)
        table.does(ApplyDamage(("ann",), "1 fire"))
    table.ends_turn(2)
    assert "raging" in table.effects("ann")
    table.ends_turn()
    assert "raging" not in table.effects("ann")


@pytest.mark.parametrize(("answer", "rages"), [("applied", False), ("waived", True)])
def test_rage_ends_with_a_turn_without_attack_and_damage_if_this_is_confirmed(answer: str, rages: bool) -> None:
    table = fight(character(barbarian=1))
    table.does(UseFeature("ann", "rage"))
    _misses(table)
    table.ends_turn(3)  # nothing is asked
    assert (table.prompts, table.active) == ([], "ann")
    table.ends_turn()
    assert table.prompt.asks[0].label == "ask.idle"
    table.chooses(answer)
    assert ("raging" in table.effects("ann"), table.prompts) == (rages, [])


def test_rage_ends_for_a_bonus_action_and_cannot_begin_twice() -> None:
    table = fight(character(barbarian=1))
    table.does(UseFeature("ann", "rage"))
    _misses(table)
    table.ends_turn(3)
    assert table.refuses(UseFeature("ann", "rage")).key == "refused.not_there"
    table.does(UseFeature("ann", "end-rage"))
    assert ("raging" in table.effects("ann"), left(table, "rage")) == (False, 1)


def test_rage_ends_when_its_owner_falls_unconscious() -> None:
    table = fight(character(barbarian=1))
    table.does(UseFeature("ann", "rage"))
    table.does(ApplyCondition(("ann",), "unconscious"))
    assert "raging" not in table.effects("ann")


def test_rage_does_not_strengthen_shots() -> None:
    table = fight(character(barbarian=1))
    table.does(UseFeature("ann", "rage"))
    assert strikes(table, 15, 4, weapon="bow") == 6


@pytest.mark.parametrize(
    ("properties", "dexterity", "more"), [(("finesse",), 18, 0), (("finesse",), 14, 2), ((), 18, 2)]
)
def test_rage_adds_damage_to_attacks_with_strength(properties: tuple[str, ...], dexterity: int, more: int) -> None:
    ann = character(barbarian=1)
    sword = msgspec.structs.replace(SWORD, properties=("weapon", *properties))
    scores = tuple((name, dexterity if name == "dex" else score) for name, score in SCORES)
    table = fight(msgspec.structs.replace(ann, abilities=scores, features=(sword, *ann.features[1:])))
    table.does(UseFeature("ann", "rage"))
    assert strikes(table, 15, 4) == 7 + more


def test_reckless_attack_gives_edges_to_both_sides_until_the_next_turn() -> None:
    table = fight(character(barbarian=2))
    table.does(UseFeature("ann", "reckless-attack"))
    table.dice(3, 15, 4)
    table.does(
        Attack("ann", "ogre", "sword", facts=("chosen:reckless-attack",))
    )  # a finesse weapon, used with Strength
    table.ends_turn(2)
    strikes(table, 2, 3, who="ogre", target="ann", weapon="bow")
    ours, theirs = (each.roll for each in table.happened(Attacked))
    assert [[edge.reason for edge in roll.edges] for roll in (ours, theirs) if roll] == [["Reckless Attack"]] * 2
    table.ends_turn()
    assert table.effects("ann") == set()
    strikes(table, 2)
    table.refuses(UseFeature("ann", "reckless-attack"))  # too late after the first attack


@pytest.mark.parametrize(("level", "sides"), [(1, 6), (5, 8), (10, 10), (15, 12)])
def test_bardic_inspiration_is_a_die_that_its_bearer_spends_once(level: int, sides: int) -> None:
    table = fight(character(bard=level))
    table.does(UseFeature("ann", "bardic-inspiration", targets=("bob",)))
    assert (table.effects("bob"), left(table, "bardic-inspiration")) == ({"Bardic Inspiration"}, 3)
    spec = save_roll(table.encounter, table.rules, "bob", "dex")
    assert [(each.reason, each.dice) for each in spec.offered] == [("Bardic Inspiration", f"1d{sides}")]
    table.does(Rest("short"))
    assert left(table, "bardic-inspiration") == (3 if level < 5 else 4)


def test_a_bearer_has_one_die_and_hears_it() -> None:
    table = fight(character(bard=1))
    inspiration = UseFeature("ann", "bardic-inspiration", targets=("bob",))
    table.does(inspiration)
    table.ends_turn(3)
    assert table.refuses(inspiration).key == "refused.target_not_meant"
    table = fight(character(bard=1))
    table.does(ApplyCondition(("bob",), "deafened"))
    assert table.refuses(inspiration).key == "refused.target_not_meant"


def test_a_bearer_keeps_the_die_until_it_is_chosen() -> None:
    table = fight(character(bard=1), strictness="warn")
    table.does(UseFeature("ann", "bardic-inspiration", targets=("bob",)))
    for face in (12, 3):  # a success, and a failure that the die can't turn
        table.dice(face)
        table.does(CallForSaves(("bob",), "dex", 10))
        assert (table.happened(Rolled)[-1].roll.total, table.effects("bob")) == (face, {"Bardic Inspiration"})
    table.dice(7)
    table.does(CallForSaves(("bob",), "dex", 10))
    table.chooses("fails")
    assert (table.happened(Rolled)[-1].roll.total, table.effects("bob")) == (7, {"Bardic Inspiration"})
    table.dice(7, 5)
    table.does(CallForSaves(("bob",), "dex", 10))
    table.chooses("succeeds")
    last = table.happened(Rolled)[-1]
    assert (last.roll.total, table.effects("bob")) == (12, set())
    assert ("Bardic Inspiration", 5) in [(part.reason, part.value) for part in last.roll.modifiers]


def test_a_bearer_adds_the_die_after_a_miss() -> None:
    table = fight(character(bard=1), strictness="warn")
    table.does(UseFeature("ann", "bardic-inspiration", targets=("ann",)))
    strikes(table, 1, 4)  # no die turns a natural 1
    assert not table.prompts
    table.ends_turn(3)
    table.dice(5, 6, 4)
    table.does(Attack("ann", "ogre", "sword"))
    table.chooses("succeeds")
    assert [each.outcome for each in table.happened(Attacked)] == ["fumble", "hit"]
    assert table.effects("ann") == set()


@for_each(("cured", "spent"), [(("poisoned",), 5), (("poisoned", "diseased"), 10)])
@pytest.mark.parametrize("level", [2, 1])
def test_laid_on_hands_cure_as_much_as_their_points_pay_for(level: int, cured: tuple[str, ...], spent: int) -> None:
    table = fight(character(paladin=level))
    for name in ("poisoned", "diseased", "blinded"):
        table.does(ApplyCondition(("bob",), name))
    table.does(UseFeature("ann", "cure-by-laying-on-hands", targets=("bob",)))
    (ask,) = table.prompt.asks
    assert ask.kind == ("targets" if level == 2 else "choice")  # for several, or for one
    table.chooses(*cured[:level])
    assert left(table, "lay-on-hands") == 5 * level - (spent if level == 2 else 5)
    assert table.effects("bob") == {"poisoned", "diseased", "blinded"} - {*cured[:level]}


@for_each("level", range(1, 21))
def test_pools_grow_with_every_level_of_their_class(level: int) -> None:
    def uses(name: str) -> list[int]:
        return [feature.uses for feature in character(paladin=level, monk=level).features if feature.id == name]

    assert (uses("lay-on-hands"), uses("ki")) == ([5 * level], [level] if level > 1 else [])
    assert uses("channel-divinity") == ([1] if level > 2 else [])


@pytest.mark.parametrize(("level", "amount"), [(6, 18), (20, 60)])
def test_wholeness_of_body_heals_three_a_level(level: int, amount: int) -> None:
    table = fight(character(open_hand=level))
    table.does(SetHitPoints("ann", 1))
    table.does(UseFeature("ann", "wholeness-of-body"))
    assert (table.one("ann").hp, left(table, "wholeness-of-body")) == (min(60, 1 + amount), 0)


def test_sacred_weapon_adds_charisma_to_attacks_for_a_minute() -> None:
    table = fight(character(devotion=3), on_map=True)
    table.does(UseFeature("ann", "sacred-weapon"))
    table.chooses("Sword")
    table.ends_turn(3)
    strikes(table, 15, 4)
    table.chooses("pass")
    table.ends_turn(3)
    strikes(table, 15, 4, weapon="bow")
    given = [
        [part.value for part in each.roll.modifiers if part.reason == "Sacred Weapon"]
        for each in table.happened(Attacked)
        if each.roll
    ]
    assert given == [[4], []]
    assert (table.effects("ann"), left(table, "channel-divinity")) == ({"Sacred Weapon"}, 0)
    (area,) = standing_areas(table.encounter)
    assert (area.light, area.radius) == ("bright", 20)
    table.does(ApplyCondition(("ann",), "unconscious"))
    assert (table.effects("ann") & {"Sacred Weapon"}, [*standing_areas(table.encounter)]) == (set(), [])


@for_each(("weapon", "dealt"), [("Bow", 3), ("Sword", 7)])
def test_sacred_weapon_is_magical_if_it_is_chosen(weapon: str, dealt: int) -> None:
    table = fight(character(devotion=3), foe={"mundane_resistance": True})
    table.does(UseFeature("ann", "sacred-weapon"))
    table.chooses(weapon)
    table.ends_turn(3)
    assert strikes(table, 14, 4) == dealt


@for_each(("properties", "dealt"), [((), 3), (("magical",), 7)])
def test_a_trait_makes_weapon_attacks_magical(properties: tuple[str, ...], dealt: int) -> None:
    ann = character()
    magic = Feature("magic", "Magic Weapons", properties=properties)
    table = fight(msgspec.structs.replace(ann, features=(*ann.features, magic)), foe={"mundane_resistance": True})
    assert strikes(table, 14, 4) == dealt


def test_fighting_styles_count_where_a_stat_block_names_them() -> None:
    styles = (
        Feature("a", "Archery"),
        Feature("b", "Fighting Style: Defense", text="As in the book."),
        Feature("c", "Dueling"),
    )
    named = msgspec.structs.replace(character(), features=(SWORD, BOW, *styles))
    rules = character_rules(dnd5e().data)
    assert not {"archery", "defense", "dueling"} & {
        feature.id for feature in rules.offered(character(), {"fighter": 1})
    }
    ann = rules.applied(named, {"fighter": 1})
    assert [feature.name for feature in ann.features][2:5] == [style.name for style in styles]
    table = fight(ann)
    assert armor_class(table.encounter, table.rules, "ann").total == 10  # that of a stat block contains it already
    assert strikes(table, 15, 4) == 4 + 3 + 2
    table = fight(ann)
    strikes(table, 15, 4, weapon="bow")
    (attack,) = table.happened(Attacked)
    assert attack.roll is not None
    assert attack.roll.total == 15 + 5 + 2
    both = msgspec.structs.replace(SWORD, other_damage=(OtherDamage("with two hands", "1d10+3 slashing"),))
    table = fight(msgspec.structs.replace(ann, features=(both, *ann.features[1:])))
    table.dice(15, 4)
    table.does(Attack("ann", "ogre", "sword", other_damage="with two hands"))
    assert 60 - table.one("ogre").hp == 4 + 3  # no Dueling
    thrown = msgspec.structs.replace(SWORD, properties=("weapon", "thrown"), range="20/60")
    table = fight(msgspec.structs.replace(ann, features=(thrown, *ann.features[1:])))
    assert strikes(table, 15, 4, thrown=True) == 4 + 3 + 2  # Dueling, but no Archery
    (attack,) = table.happened(Attacked)
    assert attack.roll is not None
    assert attack.roll.total == 15 + 5


@for_each(
    ("levels", "slots"),
    [
        ({"cleric": 1}, (2,)),
        ({"cleric": 5}, (4, 3, 2)),
        ({"wizard": 20}, (4, 3, 3, 3, 3, 2, 2, 1, 1)),
        ({"paladin": 1}, ()),
        ({"paladin": 2}, (2,)),
        ({"paladin": 5}, (4, 2)),
        ({"ranger": 20}, (4, 3, 3, 3, 2)),
        ({"cleric": 3, "paladin": 3}, (4, 3)),
        ({"fighter": 20}, ()),
    ],
)
def test_casters_have_spell_slots(levels: dict[str, int], slots: tuple[int, ...]) -> None:
    assert tuple(count for _, count in character(**levels).slots) == slots
    kept = msgspec.structs.replace(character(), slots=(("1", 1),))
    assert character_rules(dnd5e().data).applied(kept, levels).slots == (("1", 1),)


def test_a_character_rises_in_level_but_keeps_what_was_changed() -> None:
    rules = character_rules(dnd5e().data)
    young = rules.applied(character(), {"cleric": 3})
    own = msgspec.structs.replace(young.features[-1], dc=20)
    young = msgspec.structs.replace(young, features=(*young.features[:-1], own))
    old = rules.applied(young, {"cleric": 6})
    assert (old.level, old.proficiency, old.slots) == (6, 3, (("1", 4), ("2", 3), ("3", 3)))
    assert [(each.name, each.uses, each.dc) for each in old.features[2:]] == [
        ("Channel Divinity", 2, 0),
        ("Turn Undead", 0, 20),
    ]
    assert rules.applied(old, {"cleric": 6}) == old


def _smites(table: Table) -> None:
    strikes(table, 20, 4, 4)


def _lays_on_hands(table: Table) -> None:
    table.does(SetHitPoints("bob", 20))
    table.does(UseFeature("ann", "lay-on-hands", targets=("bob",)))


def _fails_a_save(table: Table) -> None:
    table.ends_turn(2)
    table.dice(3)
    table.does(UseFeature("ogre", "blast", targets=("ann",)))


def _inspires(table: Table) -> None:
    table.does(UseFeature("ann", "bardic-inspiration", targets=("bob",)))
    table.dice(4)
    table.does(CallForSaves(("bob",), "dex", 10))


@pytest.mark.parametrize(
    ("levels", "happens", "reply"),
    [
        ({"paladin": 5}, _smites, Reply("", chosen=("2",))),
        ({"paladin": 5}, _lays_on_hands, Reply("", number=8)),
        ({"fighter": 9}, _fails_a_save, Reply("", chosen=("succeeds",))),
        ({"bard": 5}, _inspires, Reply("", chosen=("succeeds",))),
    ],
)
def test_a_question_of_a_class_feature_is_saved_and_undone(
    levels: dict[str, int], happens: Callable[[Table], None], reply: Reply
) -> None:
    table = fight(character(**levels), strictness="warn")
    happens(table)
    before = table.encounter
    text = EncounterFile().render(before)
    loaded = parse_encounter(text.encode(), Path("any.toml"), {"dnd5e"})
    assert loaded.encounter is not None, loaded.findings
    saved = parse_fight(fight_text(before, (), "").encode(), Path("any.toml"), loaded.encounter)
    assert saved.records is not None, saved.findings
    opened = Session(Encounter((*loaded.encounter, *saved.records)), table.rules)
    assert opened.encounter == before
    for session in (table.session, opened):
        prompt = open_prompts(session.encounter)[0]
        ask = next(each for each in waiting_asks(prompt) if each.kind != "roll")
        session.do(Answer(prompt.id, (msgspec.structs.replace(reply, ask=ask.id),), prompt.revision))
    ours, theirs = (
        [each for each in side if not isinstance(each, Prompt)] for side in (table.encounter, opened.encounter)
    )
    assert ours == theirs
    assert table.encounter != before
    table.session.undo()
    assert table.encounter == before


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_random_fights_of_characters_break_nothing(game: str, seed: int) -> None:
    rules, chance = RuleSystems().get(game), random.Random(seed)
    classes = character_rules(rules.data)
    names = chance.sample(sorted(classes.names), 6)
    scores = PF_SCORES if game == "pf2e" else SCORES
    plain = [creature(f"p{at}", hp=40, abilities=scores, features=(SWORD, BOW)) for at in range(len(names))]
    people = [classes.applied(each, {name: chance.randint(1, 20)}) for each, name in zip(plain, names, strict=True)]
    sides = [RosterEntry(each.id, each.id, side=("party", "enemies")[at % 2]) for at, each in enumerate(people)]
    session = Session(Encounter([Scene(system=game, strictness="warn"), *people, *sides]), rules)
    assert not FuzzRun(session, seed).play(3).problems


def test_the_die_is_chosen_for_an_attack_too() -> None:
    bard = character(bard=1)
    table = fight(bard, strictness="warn")
    table.does(UseFeature("ann", "bardic-inspiration", targets=("ann",)))
    strikes(table, 15, 4)
    assert "Bardic Inspiration" in table.effects("ann")
    table.ends_turn(3)
    strikes(table, 4, 6, 4, facts=("chosen:bardic-inspiration",))
    assert [each.outcome for each in table.happened(Attacked)] == ["hit", "hit"]
    assert table.effects("ann") == set()


def test_a_die_that_was_added_before_the_roll_is_not_offered_again() -> None:
    table = fight(character(bard=1), strictness="warn")
    table.does(UseFeature("ann", "bardic-inspiration", targets=("ann",)))
    table.ends_turn(3)
    strikes(table, 2, 1, 4, facts=("chosen:bardic-inspiration",))
    assert ([each.outcome for each in table.happened(Attacked)], table.prompts) == (["miss"], [])


# A5E and Pathfinder 2e ---------------------------------------------------------------------------------------------


def duel(
    system: Callable[[], RuleSystem],
    words: str,
    *,
    on_map: bool = True,
    strictness: str = "enforce",
    foe: dict[str, Any] | None = None,
    others: tuple[Feature, ...] = (),
) -> Table:
    """Ann, with the class features in words such as `rogue 5`, beside Bob and an ogre."""
    name, level = words.split()
    rules = system()
    sword = Feature(
        "sword", "Sword", "action", attack=9, reach=5, damage="1d6+3 slashing", properties=("weapon", "agile")
    )
    shield = ("shield",) * (name != "adept")  # whose martial arts need a free hand
    ann = creature(
        "ann",
        hp=60,
        abilities=SCORES if rules is not pf2e() else PF_SCORES,
        features=(sword, BOW, *others),
        gear=shield,
    )
    ann = character_rules(rules.data).applied(ann, {name: int(level)})
    table = Table(
        ann,
        creature("bob", hp=60),
        creature("ogre", **({"hp": 90, "ac": 15, "features": (CLAW, BOW)} | (foe or {}))),
        foes=("ogre",),
        rules=rules,
        scene=Scene(system=rules.id, strictness=strictness),
    )
    if on_map:
        table.does(Add((Map(columns=20, rows=20),)))
    table.start(ann=20, bob=15, ogre=10)
    if on_map:
        for who, square in {"ann": (1, 1), "bob": (2, 1), "ogre": (2, 2)}.items():
            table.does(SetPosition(who, position=square))
    table.events.clear()
    return table


PF_SCORES = (("str", 4), ("dex", 3), ("con", 2), ("int", 0), ("wis", 1), ("cha", 3))


def test_a5e_rogues_sneak_dodge_and_evade() -> None:
    table = duel(a5e, "rogue 7")
    assert strikes(table, 12, 3, 1, 1, 1, 1, facts=("chosen:sneak-attack",)) == 3 + 3 + 4
    table.does(UseFeature("ann", "cunning-action"))
    assert [option.id for option in table.prompt.asks[0].options] == [
        "action dash",
        "action disengage",
        "action hide",
        "action use-object",
    ]
    table.chooses("action disengage")
    table.ends_turn(2)
    table.dice(15, 5, 5)
    table.does(Attack("ogre", "ann", "claw"))
    table.chooses("uncanny-dodge")
    assert table.one("ann").hp == 55
    assert {rule.kind for feature in table.encounter.need(Creature, "ann").features for rule in feature.rules} >= {
        "evasion"
    }


@pytest.mark.parametrize(("level", "uses"), [(5, 3), (9, 4), (16, 6)])
def test_a5e_berserkers_rage(level: int, uses: int) -> None:
    table = duel(a5e, f"berserker {level}")
    assert table.encounter.need(Creature, "ann").extra_attack
    table.does(UseFeature("ann", "rage"))
    assert ("raging" in table.effects("ann"), left(table, "rage")) == (True, uses - 1)
    assert strikes(table, 12, 3) == 6  # no bonus to damage
    assert [edge.kind for edge in save_roll(table.encounter, table.rules, "ann", "str").edges] == ["advantage"]
    assert table.refuses(UseFeature("ann", spell="bless", targets=("ann",))).key == "refused.no_casting"
    table.does(ApplyDamage(("ann",), "10 slashing"))
    assert table.one("ann").hp == 60 - 5
    table.ends_turn(3)
    table.does(UseFeature("ann", "end-rage"))
    assert ("raging" in table.effects("ann"), table.track("ann", "bonus")) == (False, 0)


@pytest.mark.parametrize(("level", "each", "most"), [(1, 2, 5), (9, 3, 45), (16, 4, 80), (20, 5, 100)])
def test_a5e_rage_hit_points_add_up_until_the_rage_ends(level: int, each: int, most: int) -> None:
    table = duel(a5e, f"berserker {level}")
    table.does(SetHitPoints("ann", temp_hp=7))
    table.ends_turn(3)
    assert table.one("ann").temp_hp == 7  # not raging yet
    table.does(UseFeature("ann", "rage"))
    for turns in (1, 2, 3):  # without an attack: the rage goes on
        table.ends_turn(3)
        assert ("raging" in table.effects("ann"), table.one("ann").temp_hp) == (True, min(most, turns * each))
    table.does(ApplyDamage(("ann",), "4 fire"))
    assert (table.one("ann").hp, table.one("ann").temp_hp) == (60, min(most, 3 * each) - 4)
    table.ends_turn(3)
    assert table.one("ann").temp_hp == min(most, 3 * each) - 4 + each
    table.does(ApplyCondition(("ann",), "unconscious"))
    assert ("raging" in table.effects("ann"), table.one("ann").temp_hp) == (False, 0)


@pytest.mark.parametrize(
    ("name", "level", "attacks"),
    [("fighter", 4, 1), ("fighter", 11, 3), ("fighter", 20, 3), ("marshal", 11, 3), ("berserker", 20, 2), ("rogue", 20, 1)],
)  # fmt: skip
def test_a5e_fighters_attack_most_often(name: str, level: int, attacks: int) -> None:
    table = duel(a5e, f"{name} {level}")
    for _ in range(attacks):
        strikes(table, 2)
    table.dice(2)
    table.refuses(Attack("ann", "ogre", "sword"))


@for_each(
    ("name", "levels"),
    [
        ("adept", {1: 0, 2: 4, 4: 5, 5: 7, 6: 8, 8: 9, 9: 12, 11: 13, 13: 16, 16: 18, 19: 21, 20: 22}),
        ("fighter", {1: 4, 4: 5, 5: 7, 8: 8, 9: 10, 12: 11, 13: 13, 16: 14, 17: 16, 20: 16}),
        ("rogue", {1: 0, 2: 4, 5: 6, 9: 8, 13: 10, 17: 12}),
        ("herald", {2: 0, 20: 0}),
    ],
)
def test_a5e_exertion_grows_by_class(name: str, levels: dict[int, int]) -> None:
    for level, uses in levels.items():
        features = character("a5e", **{name: level}).features
        assert sum(each.uses or 0 for each in features if each.name == "Exertion") == uses, level


@for_each(
    ("levels", "points"),
    [({"fighter": 4, "marshal": 4}, 6 + 1), ({"rogue": 3, "adept": 4}, 6 + 1), ({"berserker": 5, "fighter": 3}, 6)],
)
def test_a5e_characters_of_several_classes_have_one_exertion_pool(levels: dict[str, int], points: int) -> None:
    features = character("a5e", **levels).features
    assert [each.uses for each in features if each.name == "Exertion"] == [points]


def test_a5e_indomitable_fighters_share_its_uses() -> None:
    table = duel(a5e, "fighter 9")
    table.ends_turn(2)
    table.dice(15, 5, 5)
    table.does(Attack("ogre", "ann", "claw"))
    table.dice(3, 4)
    table.chooses("indomitable-defense")
    assert (table.one("ann").hp, left(table, "indomitable")) == (60, 0)
    assert left(duel(a5e, "fighter 17"), "indomitable") == 3


BLAST = Feature("blast", "Blast", "action", save="dex", dc=30, damage="2d6 fire", half=True, range="60")


def test_a5e_indomitable_fighters_take_less_damage_without_an_attack() -> None:
    table = duel(a5e, "fighter 9", foe={"features": (BLAST,)})
    table.ends_turn(2)
    table.dice(3)
    table.does(UseFeature("ogre", "blast", targets=("ann",)))
    table.chooses("fails")  # the save isn't rolled again
    table.dice(1, 1, 6, 5)
    table.chooses("indomitable-defense")
    assert (table.one("ann").hp, left(table, "indomitable")) == (60 - (11 - (2 + 4)), 0)


@pytest.mark.parametrize(("level", "outcome"), [(6, "hit"), (7, "critical")])
def test_a5e_rogues_hit_critically_on_19(level: int, outcome: str) -> None:
    table = duel(a5e, f"rogue {level}", on_map=False)
    strikes(table, 19, 1, 1)
    assert [each.outcome for each in table.happened(Attacked)] == [outcome]


@pytest.mark.parametrize("system", [dnd5e, a5e], ids=["dnd5e", "a5e"])
def test_evasion_is_reported_if_no_one_takes_damage(system: Callable[[], RuleSystem]) -> None:
    table = duel(system, "rogue 7", foe={"features": (msgspec.structs.replace(BLAST, dc=5),)})
    table.ends_turn(2)
    table.dice(12)
    table.does(UseFeature("ogre", "blast", targets=("ann",)))
    assert [(each.who, each.reason) for each in table.happened(Unaffected)] == [("ann", "Evasion")]


def test_a5e_rogues_aim_before_they_move() -> None:
    table = duel(a5e, "rogue 5")
    table.does(MovePath("ann", path=((1, 2),)))
    assert table.refuses(UseFeature("ann", "aim")).key == "refused.not_there"
    table.ends_turn(3)
    table.does(UseFeature("ann", "aim"))
    assert table.refuses(MovePath("ann", path=((1, 3),)))
    strikes(table, 2, 15, 3)
    table.skips()
    (attack,) = table.happened(Attacked)
    assert attack.roll is not None
    assert [edge.reason for edge in attack.roll.edges] == ["Aim"]
    assert table.effects("ann") == {"taking-aim"}
    table.ends_turn()
    assert table.effects("ann") == set()


def test_a5e_rogues_retreat_snipe_and_carve() -> None:
    table = duel(a5e, "rogue 11")
    table.ends_turn(2)
    table.dice(2)
    table.does(Attack("ogre", "ann", "claw"))
    table.chooses("tumbling-retreat")
    assert (table.prompt.asks[0].label, "disengaging" in table.effects("ann")) == ("ask.feature_move", True)
    table = duel(a5e, "rogue 11", on_map=False)
    assert strikes(table, 12, 3, weapon="bow", facts=("chosen:sniper",)) == 5 + 4
    table.does(SetTrack("ann", "action", 1))
    assert strikes(table, 12, 3, weapon="bow", facts=("chosen:sniper",)) == 5  # once a turn
    dagger = Feature(
        "dagger", "Dagger", "action", attack=9, reach=5, damage="1d6+3 piercing", properties=("weapon", "finesse")
    )
    for weapon, more, uses in (("dagger", 10, 0), ("sword", 0, 1)):
        table = duel(a5e, "rogue 11", others=(dagger,))
        strikes(table, 12, 3, *[1] * 6, *(5, 5)[: more // 5], weapon=weapon)
        while table.prompts:
            table.answers(**{ask.id.replace("-", "_"): ask.id for ask in table.prompt.asks})
        assert (90 - table.one("ogre").hp, left(table, "carver")) == (6 + 6 + more, uses)
    table = duel(a5e, "rogue 11", others=(dagger,))
    table.does(SetPosition("bob", position=(9, 9)))
    assert (strikes(table, 12, 3, weapon="dagger"), table.prompts) == (6, [])  # no sneak attack that it could add to


def test_a5e_rogues_take_another_bonus_action() -> None:
    table = duel(a5e, "rogue 11")
    table.does(UseFeature("ann", "cunning-action"))
    table.chooses("action disengage")
    table.does(UseFeature("ann", "cunning-celerity"))
    table.chooses("met")
    assert (table.track("ann", "bonus"), left(table, "cunning-celerity")) == (1, 3)
    assert table.refuses(UseFeature("ann", "cunning-celerity"))


@for_each(("weapon", "outcome"), [("sword", "critical"), ("bow", "hit")])
@for_each(("level", "face"), [(5, 19), (12, 18), (17, 17)])
def test_a5e_berserkers_hit_critically_in_melee(level: int, face: int, weapon: str, outcome: str) -> None:
    table = duel(a5e, f"berserker {level}", on_map=False)
    strikes(table, face, 3, 3, weapon=weapon)
    assert [each.outcome for each in table.happened(Attacked)] == [outcome]  # Crushing Blows


def test_a5e_berserkers_sense_danger() -> None:
    table = duel(a5e, "berserker 2")
    assert [one.reason for one in save_roll(table.encounter, table.rules, "ann", "dex").edges] == ["Danger Sense"]


@for_each(("feature", "face"), [("indomitable-retaliation", 15), ("indomitable-riposte", 2)])
def test_a5e_indomitable_fighters_answer_attacks(feature: str, face: int) -> None:
    table = duel(a5e, "fighter 9")
    table.ends_turn(2)
    table.dice(face, 5, 5)
    table.does(Attack("ogre", "ann", "claw"))
    if face == 15:
        table.skips()  # less damage
    table.chooses(feature)
    table.dice(12, 3)
    table.chooses("use sword")
    assert (90 - table.one("ogre").hp, left(table, "indomitable"), table.track("ann", "reaction")) == (6, 0, 0)


@pytest.mark.parametrize(
    ("system", "words", "feature"),
    [
        (a5e, "fighter 9", "indomitable"), (a5e, "fighter 9", "indomitable-defense"), (a5e, "rogue 6", "uncanny-dodge"),
        (pf2e, "fighter 1", "shield-block"), (pf2e, "rogue 1", "nimble-dodge"), (dnd5e, "rogue 5", "uncanny-dodge"),
    ],
)  # fmt: skip
def test_defences_wait_for_their_trigger(system: Callable[[], RuleSystem], words: str, feature: str) -> None:
    table = duel(system, words)
    assert table.refuses(UseFeature("ann", feature)).key == "refused.untriggered"
    assert table.track("ann", "reaction") == 1
    name = words.split(maxsplit=1)[0]
    reminding = msgspec.structs.replace(feature_of(table.encounter, "ann", feature), id="hint", automation="reminds")
    table = duel(system, f"{name} 1", others=(reminding,))
    table.does(UseFeature("ann", "hint"))  # only reminds, so it is used by hand
    assert table.track("ann", "reaction") == 0


def test_a5e_halflings_are_never_frightened() -> None:
    table = duel(a5e, "halfling 1")
    table.does(ApplyCondition(("ann", "bob"), "frightened", source="ogre"))
    assert ("frightened" in table.effects("ann"), "frightened" in table.effects("bob")) == (False, True)  # Fearless


def test_a5e_adepts_stun() -> None:
    table = duel(a5e, "adept 5")
    strikes(table, 12, 3)
    table.dice(2)
    table.chooses("stunning-strike")
    assert ("stunned" in table.effects("ogre"), left(table, "exertion")) == (True, 7 - 1)


@for_each(("level", "sides"), [(1, 4), (5, 6), (11, 8), (16, 10)])
def test_a5e_adepts_have_martial_arts(level: int, sides: int) -> None:
    (strike,) = (
        each
        for each in duel(a5e, f"adept {level}").encounter.need(Creature, "ann").features
        if each.id == "unarmed-strike"
    )
    assert strike.damage == f"1d{sides} bludgeoning"
    table = duel(a5e, f"adept {level}")
    assert table.refuses(UseFeature("ann", "martial-arts"))
    strikes(table, 2)
    table.does(UseFeature("ann", "martial-arts"))
    table.chooses("met")
    table.dice(12, 3)
    table.chooses("ogre")
    assert table.track("ann", "bonus") == 0


def test_a5e_adepts_spend_exertion_on_focus_features() -> None:
    for feature, effect in (("patient-defense", "dodging"), ("long-step", "disengaging")):
        table = duel(a5e, "adept 5")
        table.does(UseFeature("ann", feature))
        if feature == "long-step":
            table.chooses("action disengage")
        assert (effect in table.effects("ann"), left(table, "exertion")) == (True, 7 - 1)
    table = duel(a5e, "adept 5")
    assert table.refuses(UseFeature("ann", "flurry-of-blows"))
    strikes(table, 2)
    table.does(UseFeature("ann", "flurry-of-blows"))
    assert (len(table.prompts), left(table, "exertion")) == (1, 7 - 1)
    table = duel(a5e, "adept 5")
    table.ends_turn(2)
    table.dice(12, 12, 4, 10, 15, 3)
    table.does(Attack("ogre", "ann", "bow"))
    table.chooses("deflect-missiles")
    assert (table.one("ann").hp, "missile-caught" in table.effects("ann")) == (60, True)
    table.chooses("use caught-missile")
    table.chooses("ogre")  # Caught Missile
    assert left(table, "exertion") == 7 - 1


def test_a5e_adepts_blind_with_critical_hits() -> None:
    table = duel(a5e, "adept 5")
    strikes(table, 20, 3, 3)
    table.chooses("pass")  # the target doesn't block
    table.chooses("pass")  # Critical: Blinding Maneuver acts by itself, Stunning Strike is skipped
    (blind,) = (each for each in table.encounter.of(Effect, "ogre") if each.name == "blinded")
    assert blind.rounds_left == 3
    table = duel(a5e, "adept 3")
    strikes(table, 20, 3)
    table.chooses("fatigue")  # the critical hit becomes a normal one
    assert (table.prompts, table.effects("ogre")) == ([], set())


@pytest.mark.parametrize(
    ("power", "level", "points"),
    [
        ("exertion-of-heralds", 2, 2),
        ("exertion-of-heralds-2", 5, 4),
        ("exertion-of-heralds-3", 9, 6),
        ("exertion-of-heralds-4", 13, 8),
        ("exertion-of-heralds-5", 17, 10),
    ],
)
def test_a5e_heralds_turn_slots_into_exertion_until_a_long_rest(power: str, level: int, points: int) -> None:
    table = duel(a5e, f"herald {level}")
    if level >= 6:
        _chooses_aura(table, "courage")
    slot = f"slots.{points // 2}"
    before = remaining_uses(table.encounter, "ann", slot)
    table.does(UseFeature("ann", power))
    assert (left(table, "exertion"), remaining_uses(table.encounter, "ann", slot)) == (points, before - 1)
    table.does(Rest("long"))
    assert left(table, "exertion") == 0


@pytest.mark.parametrize("own", [0, 4])
def test_a5e_points_from_slots_join_one_pool_that_maneuvers_spend(own: int) -> None:
    pool = (Feature("exertion", "Exertion", uses=own, per="rest", automation="off"),) * bool(own)
    whirl = Feature("whirl", "Whirl", "bonus", shares="exertion", uses=3)
    quick = Feature("quick", "Quick", "free", shares="exertion")
    table = duel(a5e, "herald 5", others=(*pool, whirl, quick))
    if own:
        table.does(SetTrack("ann", "uses.exertion", 0))
    table.refuses(UseFeature("ann", "whirl"))
    table.does(UseFeature("ann", "exertion-of-heralds-2"))
    table.does(UseFeature("ann", "whirl"))
    assert left(table, "exertion") == 1
    assert "uses.exertion" in [track.name for track in all_uses(table.encounter, "ann")]
    table.does(UseFeature("ann", "quick"))
    table.refuses(UseFeature("ann", "quick"))


@pytest.mark.parametrize(("level", "sides"), [(1, 4), (5, 6), (11, 8), (16, 10)])
def test_a5e_adepts_use_their_own_die_for_adept_weapons(level: int, sides: int) -> None:
    table = duel(a5e, f"adept {level}")
    table.dice(15, sides)
    table.does(Attack("ann", "ogre", "adept-weapon"))
    assert 90 - table.one("ogre").hp == sides + 3


def test_a5e_heralds_heal_and_smite() -> None:
    table = duel(a5e, "herald 5")
    table.does(SetHitPoints("bob", 10))
    table.does(UseFeature("ann", "lay-on-hands", targets=("bob",)))
    table.answers(heal=7)
    assert (table.one("bob").hp, left(table, "lay-on-hands")) == (17, 18)
    for face, dealt, uses in ((12, 6 + 11, 2), (1, 0, 3)):
        table = duel(a5e, "herald 5")
        assert strikes(table, face, 3, 5, 6, facts=("chosen:divine-smite",)) == dealt
        assert left(table, "divine-smite") == uses
    table = duel(a5e, "herald 11")
    _chooses_aura(table, "courage")
    assert strikes(table, 12, 3, 5, facts=("not chosen:divine-smite",)) == 6 + 5  # Divine Warrior


@pytest.mark.parametrize(("system", "words"), [(a5e, "herald 6"), (dnd5e, "paladin 10")])
def test_an_aura_of_courage_suppresses_fear_that_an_ally_brings_into_it(
    system: Callable[[], RuleSystem], words: str
) -> None:
    table = duel(system, words)
    if system is a5e:
        _chooses_aura(table, "courage")
    table.does(SetPosition("bob", position=(15, 15)))
    table.does(ApplyCondition(("bob",), "frightened", by="ogre"))
    worse = []
    for square in ((15, 15), (3, 3), (15, 15)):
        table.does(SetPosition("bob", position=square))
        rolled = check_roll(table.encounter, table.rules, "bob", "str:athletics")
        worse.append(any(edge.kind == "disadvantage" for edge in rolled.edges))
    assert worse == [True, False, True]


def test_a_trait_suppresses_a_condition_while_its_statement_is_true() -> None:
    calm = Feature("calm", "Calm", rules=(DataRule("deny", "frightened", when="prone"),))
    table = duel(dnd5e, "fighter 1", others=(calm,))
    table.does(ApplyCondition(("ann",), "frightened", by="ogre"))
    for fallen in (False, True):
        table.does(ApplyCondition(("ann",), "prone")) if fallen else None
        rolled = check_roll(table.encounter, table.rules, "ann", "str:athletics")
        assert any(edge.kind == "disadvantage" for edge in rolled.edges) is not fallen


def _chooses_aura(table: Table, aura: str) -> int:
    """Choose one of the three auras, and return Bob's bonus to saves from it."""
    if not table.prompts:
        table.does(UseFeature("ann", "sacred-aura"))
    table.chooses(f"gains {aura}-aura")
    given = save_roll(table.encounter, table.rules, "bob", "wis").modifiers
    return sum(each.value for each in given if each.reason == "Sacred Aura: Resistance")


@for_each(("name", "condition"), [("Sacred Aura: Courage", "frightened"), ("Sacred Aura: Willpower", "charmed")])
def test_a5e_heralds_have_one_aura_of_their_choice(name: str, condition: str) -> None:
    table = duel(a5e, "herald 6")
    assert table.prompt.subject == "Sacred Aura"  # at the start of the fight
    assert [_chooses_aura(table, each) for each in ("resistance", name.rsplit(maxsplit=1)[-1].lower())] == [4, 0]
    for place, immune in (((2, 1), True), ((6, 1), False)):
        table.does(SetPosition("bob", position=place))
        table.does(ApplyCondition(("bob",), condition, source="ogre"))
        assert (condition not in table.effects("bob")) is immune


def test_a5e_elves_add_a_die_against_charms() -> None:
    table = duel(a5e, "elf 1")
    spec = save_roll(table.encounter, table.rules, "ann", "wis", "ogre", ("against:charmed",))
    assert [each.reason for each in spec.extra] == ["Fey Ancestry"]


@pytest.mark.parametrize(("level", "dice"), [(1, 1), (5, 2), (11, 3), (17, 4)])
def test_pf2e_rogues_hurt_the_off_guard_more(level: int, dice: int) -> None:
    table = duel(pf2e, f"rogue {level}", on_map=False)
    assert strikes(table, 10, 3) == 6
    table.does(ApplyCondition(("ogre",), "off-guard"))
    assert strikes(table, 12, 3, *[2] * dice) == 6 + 2 * dice


@pytest.mark.parametrize("how", ["hidden", "invisible", "flanking", "in front"])
def test_pf2e_sneak_attack_counts_whoever_is_off_guard_to_the_rogue(how: str) -> None:
    table = duel(pf2e, "rogue 5")
    table.does(SetPosition("bob", position=(3, 3) if how == "flanking" else (9, 9)))
    if how in ("hidden", "invisible"):
        table.does(ApplyCondition(("ann",), how))
    assert strikes(table, 4 if how != "in front" else 6, 3, 2, 2) == (6 if how == "in front" else 6 + 4)  # AC 15 or 13


@pytest.mark.parametrize(("changes", "damage"), [({}, 6 + 2), ({"properties": ("weapon", "thrown"), "reach": 5}, 6), ({"properties": ("spell", "agile")}, 6)])  # fmt: skip
def test_pf2e_sneak_attack_needs_a_fitting_weapon(changes: dict[str, Any], damage: int) -> None:
    rules = pf2e()
    dart = msgspec.structs.replace(BOW, id="dart", name="Dart", damage="1d8+3 piercing", **changes)
    ann = character_rules(rules.data).applied(creature("ann", abilities=PF_SCORES, features=(dart,)), {"rogue": 1})
    table = Table(ann, creature("ogre", hp=60, ac=13), foes=("ogre",), rules=rules)
    table.start(ann=20, ogre=10)
    table.does(ApplyCondition(("ogre",), "off-guard"))
    table.dice(12, 3, 2)
    table.does(Attack("ann", "ogre", "dart"))
    assert 60 - table.one("ogre").hp == damage


def test_pf2e_precision_damage_spares_the_immune() -> None:
    table = duel(pf2e, "rogue 5", on_map=False, foe={"immunities": ("precision",)})
    table.does(ApplyCondition(("ogre",), "off-guard"))
    assert strikes(table, 12, 3, 2, 2) == 6
    table = duel(pf2e, "precision 1", foe={"immunities": ("precision",)})
    table.does(UseFeature("ann", "hunt-prey", targets=("ogre",)))
    assert strikes(table, 12, 3, 5) == 6


@pytest.mark.parametrize(("name", "feature"), [("rogue", "nimble-dodge"), ("champion", "retributive-strike")])
def test_pf2e_reactions_need_an_enemy_in_sight_and_near(name: str, feature: str) -> None:
    for is_met in (True, False):
        table = duel(pf2e, f"{name} 5")
        target = "bob" if name == "champion" else "ann"
        if not is_met:
            table.does(ApplyCondition(("ann",), "blinded"))
            table.does(SetPosition("ogre", position=(9, 9)))
        table.ends_turn(2)
        table.dice(6, 3)  # 11 against 10, or 8 of the blinded
        table.does(Attack("ogre", target, "bow"))
        assert bool(table.prompts and feature in {one.id for one in table.prompt.asks[0].options}) is is_met


def test_pf2e_rangers_see_or_hear_their_prey() -> None:
    table = duel(pf2e, "ranger 1")
    hunt = UseFeature("ann", "hunt-prey", targets=("ogre",))
    for condition in ("blinded", "deafened"):
        table.does(ApplyCondition(("ann",), condition))
    assert table.refuses(hunt).key == "refused.target_not_meant"
    table.does(EndEffect(next(one.id for one in table.encounter.of(Effect, "ann") if one.name == "deafened")))
    table.does(hunt)


def test_pf2e_rogues_dodge_nimbly() -> None:
    table = duel(pf2e, "rogue 1")
    table.ends_turn(2)
    table.dice(6, 3, 3)  # 6 + 5 = 11 against 10
    table.does(Attack("ogre", "ann", "claw"))
    table.chooses("nimble-dodge")
    assert (table.one("ann").hp, table.track("ann", "reaction")) == (60, 0)
    table = duel(pf2e, "rogue 1")
    table.ends_turn(2)
    table.dice(16, 3, 3)  # 16 + 5 = 21 against 10: a critical hit
    table.does(Attack("ogre", "ann", "claw"))
    table.chooses("nimble-dodge")
    assert table.one("ann").hp == 60 - 6


def test_pf2e_a_nimble_dodge_adds_nothing_to_a_raised_shield() -> None:
    table = duel(pf2e, "rogue 1")
    table.does(TakeAction("ann", "raise-shield"))
    table.ends_turn(2)
    table.dice(8, 3, 3)  # 8 + 5 = 13 against 10 + 2: both bonuses are circumstance bonuses
    table.does(Attack("ogre", "ann", "claw"))
    assert (table.prompts, table.one("ann").hp) == ([], 60 - 6)  # so it isn't offered


def test_pf2e_fighters_strike_reactively_and_block() -> None:
    table = duel(pf2e, "fighter 1")
    table.ends_turn(2)
    table.dice(12, 3)
    table.does(Attack("ogre", "bob", "bow"))
    assert {option.id for option in table.prompt.asks[0].options} == {"reactive-strike", "pass", "never"}
    table = duel(pf2e, "fighter 1")
    table.does(TakeAction("ann", "raise-shield"))
    table.ends_turn(2)
    table.dice(12, 3, 4)
    table.does(Attack("ogre", "ann", "claw"))
    table.chooses("shield-block")
    assert (table.one("ann").hp, left(table, "shield-block")) == (60 - 7 + 5, 18)
    table.ends_turn()
    table.does(TakeAction("ann", "raise-shield"))
    table.ends_turn(2)
    table.dice(12, 6, 6)
    table.does(Attack("ogre", "ann", "claw"))
    table.chooses("shield-block")
    assert (left(table, "shield-block"), "shield-broken" in table.effects("ann")) == (11, False)
    table.ends_turn()
    table.does(TakeAction("ann", "raise-shield"))
    table.ends_turn(2)
    table.dice(12, 4, 4)
    table.does(Attack("ogre", "ann", "claw"))
    table.chooses("shield-block")
    assert (left(table, "shield-block"), table.effects("ann")) == (8, {"shield-broken"})
    table.ends_turn()
    assert table.refuses(TakeAction("ann", "raise-shield")).key == "refused.broken_shield"


def test_pf2e_double_slice_counts_afterwards() -> None:
    table = duel(pf2e, "fighter 1")
    table.does(UseFeature("ann", "double-slice"))
    table.chooses("met")
    table.dice(10, 3, 10, 3)
    table.chooses("ogre")  # the second Strike has the same target
    assert (90 - table.one("ogre").hp, table.track("ann", "action")) == (12, 1)


@for_each(("level", "dice"), [(1, 1), (10, 2), (18, 3)])
def test_pf2e_vicious_swings_count_as_two_attacks(level: int, dice: int) -> None:
    table = duel(pf2e, f"fighter {level}")
    table.does(UseFeature("ann", "vicious-swing"))
    table.dice(10, 3, *[4] * dice)
    table.chooses("ogre")
    assert (90 - table.one("ogre").hp, table.track("ann", "attacks-made")) == (6 + 4 * dice, 2)
    assert table.refuses(UseFeature("ann", "vicious-swing")).key == "refused.no_uses"
    assert strikes(table, 15, 3) == 6  # 15 + 9 - 8, and no further dice


def test_pf2e_vicious_swings_that_miss_leave_no_dice_for_the_next_strike() -> None:
    table = duel(pf2e, "fighter 10")
    table.does(UseFeature("ann", "vicious-swing"))
    table.dice(2)
    table.chooses("ogre")
    assert (table.one("ogre").hp, table.effects("ann")) == (90, {"attacks-made"})
    assert strikes(table, 15, 3) == 6


@for_each(("face", "value"), [(10, 1), (19, 2), (2, 0)])
def test_pf2e_intimidating_strikes_frighten(face: int, value: int) -> None:
    table = duel(pf2e, "fighter 2")
    table.does(UseFeature("ann", "intimidating-strike"))
    table.dice(face, 3)
    table.chooses("ogre")
    assert table.track("ogre", "frightened") == value


@for_each(("face", "offered"), [(6, True), (12, False), (16, True)])
def test_pf2e_a_reactive_shield_is_offered_if_it_changes_the_outcome(face: int, *, offered: bool) -> None:
    table = duel(pf2e, "fighter 1")
    table.ends_turn(2)
    table.dice(face, 3, 3)
    table.does(Attack("ogre", "ann", "claw"))
    assert bool(table.prompts) is offered
    if face == 6:
        table.chooses("reactive-shield")
        assert (table.one("ann").hp, table.effects("ann")) == (60, {"shield-raised"})
        assert armor_class(table.encounter, table.rules, "ann").total == 12


def test_pf2e_fighters_grab_after_an_attack_and_parry() -> None:
    table = duel(pf2e, "fighter 2")
    grab = UseFeature("ann", "combat-grab")
    assert table.refuses(grab).key == "refused.not_there"
    strikes(table, 2)
    table.does(grab)
    table.chooses("met")
    table.dice(15, 3)
    table.chooses("ogre")
    assert table.effects("ogre") == {"grabbed"}
    table.does(UseFeature("ann", "dueling-parry"))
    table.chooses("met")
    assert armor_class(table.encounter, table.rules, "ann").total == 12
    table.ends_turn(3)
    assert (table.effects("ogre"), armor_class(table.encounter, table.rules, "ann").total) == ({"grabbed"}, 10)
    table.ends_turn()
    assert table.effects("ogre") == set()


@for_each("rages", [True, False])
def test_pf2e_raging_barbarians_allow_no_escape(*, rages: bool) -> None:
    table = duel(pf2e, "barbarian 2")
    if rages:
        table.does(UseFeature("ann", "rage"))
    table.ends_turn(2)
    table.does(MovePath("ogre", path=((1, 2),)))
    assert not table.prompts  # it is still within reach
    table.does(MovePath("ogre", path=((1, 3), (1, 4))))
    assert (bool(table.prompts), table.one("ogre").position) == (rages, (1, 4))
    if rages:
        table.chooses("no-escape")
        assert table.prompt.asks[0].label == "ask.feature_move"
        table.does(MovePath("ann", path=((1, 2), (1, 3))))
        table.skips()
        table.does(MovePath("ogre", path=((1, 5), (1, 6))))
        assert not table.prompts  # the reaction is spent


def test_pf2e_twin_feints_meet_an_off_guard_target() -> None:
    table = duel(pf2e, "rogue 1")
    table.does(UseFeature("ann", "twin-feint"))
    table.chooses("met")
    table.dice(10, 3, 8, 3, 5)  # the second: 8 + 9 - 4 + 2 = 15
    table.chooses("ogre")
    assert 90 - table.one("ogre").hp == 6 + 6 + 5
    strikes(table, 10, 3)
    last = table.happened(Attacked)[-1].roll
    assert last is not None
    assert "<condition.feinting>" not in [part.reason for part in last.modifiers]


@for_each(("name", "feature"), [("fighter", "double-slice"), ("rogue", "twin-feint")])
def test_pf2e_attacks_with_two_weapons_use_each_of_them(name: str, feature: str) -> None:
    dagger = Feature("dagger", "Dagger", "action", attack=9, reach=5, damage="1d4+3 piercing", properties=("weapon",))
    table = duel(pf2e, f"{name} 1", others=(dagger,))
    table.does(UseFeature("ann", feature))
    table.chooses("met")
    table.chooses("use sword")
    table.dice(10, 3, 12, 3, *[3] * 2)
    table.chooses("ogre")
    assert [each.weapon for each in table.happened(Attacked)] == ["Sword", "Dagger"]


@for_each("immune", ["mental", "emotion", "fear-effects", "frightened"])
def test_pf2e_intimidating_strikes_hurt_but_do_not_frighten_the_immune(immune: str) -> None:
    table = duel(pf2e, "fighter 2", foe={"condition_immunities": (immune,)})
    table.does(UseFeature("ann", "intimidating-strike"))
    table.dice(10, 3)
    table.chooses("ogre")
    assert (90 - table.one("ogre").hp, table.effects("ogre")) == (6, set())


@for_each(("level", "less"), [(2, 0), (3, 1), (11, 3)])
def test_pf2e_rallying_anthems_protect_all_in_the_area(level: int, less: int) -> None:
    table = duel(pf2e, f"bard {level}")
    table.does(UseFeature("ann", "rallying-anthem"))
    assert table.prompt.asks[0].suggested == ("ann", "bob")
    table.chooses("ann", "bob")
    table.does(ApplyDamage(("bob",), "10 slashing"))
    assert 60 - table.one("bob").hp == 10 - less


def test_pf2e_twin_takedowns_need_the_prey() -> None:
    table = duel(pf2e, "ranger 1")
    assert table.refuses(UseFeature("ann", "twin-takedown")).key == "refused.not_there"
    table.does(UseFeature("ann", "hunt-prey", targets=("ogre",)))
    table.does(UseFeature("ann", "twin-takedown"))
    table.chooses("met")
    assert [option.id for option in table.prompt.asks[0].options] == ["ogre"]


@for_each(("words", "allowed"), [("champion 1", True), ("rogue 1", False)])
def test_pf2e_characters_that_block_with_a_shield_can_raise_it(words: str, *, allowed: bool) -> None:
    name, level = words.split()
    ann = character_rules(pf2e().data).applied(creature("ann", abilities=PF_SCORES), {name: int(level)})
    table = Table(ann, "ogre", foes=("ogre",), rules=pf2e(), scene=Scene(system="pf2e", strictness="enforce"))
    table.start(ann=20, ogre=10)
    raising = TakeAction("ann", "raise-shield")
    if allowed:
        table.does(raising)
    else:
        assert table.refuses(raising).key == "refused.no_shield"


def test_pf2e_sudden_charge_strides_twice_and_strikes() -> None:
    table = duel(pf2e, "fighter 1")
    table.does(UseFeature("ann", "sudden-charge"))
    table.chooses("done")
    table.chooses("done")
    table.dice(10, 3)
    table.chooses("ogre")
    assert (90 - table.one("ogre").hp, table.track("ann", "action")) == (6, 1)


def test_pf2e_one_flourish_a_turn_is_enough() -> None:
    table = duel(pf2e, "fighter 1")
    table.dice(2)
    table.does(UseFeature("ann", "vicious-swing"))
    while table.prompts:
        table.chooses("ogre")
    table.does(SetTrack("ann", "action", 3))
    table.refuses(UseFeature("ann", "vicious-swing"))
    assert table.refuses(UseFeature("ann", "sudden-charge")).key == "refused.not_there"
    while table.active == "ann":
        table.ends_turn()
    while table.active != "ann":
        table.ends_turn()
    table.does(UseFeature("ann", "sudden-charge"))


def test_pf2e_each_flourish_excludes_the_others() -> None:
    powers = tomllib.loads(resource_path("systems/pf2e/powers.toml").read_text(encoding="utf-8"))["powers"]
    flourishes = {id: power["only"] for id, power in powers.items() if "flourish" in power["text"]}
    for id, only in flourishes.items():
        others = {f"not used:{other}" for other in flourishes if other != id}
        assert others, id
        assert others <= {*only.split(", ")}, id


def test_pf2e_rages_end_with_the_fight() -> None:
    table = duel(pf2e, "barbarian 1")
    table.does(UseFeature("ann", "rage"))
    table.does(EndEncounter())
    assert (table.effects("ann"), table.one("ann").temp_hp) == ({"after-rage"}, 0)


def test_pf2e_barbarians_rage_for_damage_and_temporary_hit_points() -> None:
    table = duel(pf2e, "barbarian 3")
    table.does(UseFeature("ann", "rage"))
    assert (table.one("ann").temp_hp, table.effects("ann")) == (3 + 2, {"raging"})
    assert strikes(table, 10, 3) == 6 + 1  # the sword is agile
    assert table.refuses(UseFeature("ann", "rage")).key == "refused.not_there"
    assert table.refuses(TakeAction("ann", "demoralize", targets=("ogre",))).key == "refused.raging"
    assert table.refuses(UseFeature("ann", spell="fear", targets=("ogre",))).key == "refused.no_casting"
    table.does(EndEffect(next(one.id for one in table.encounter.of(Effect, "ann") if one.name == "raging")))
    assert (table.one("ann").temp_hp, table.effects("ann")) == (0, {"after-rage", "attacks-made"})
    assert table.refuses(UseFeature("ann", "rage")).key == "refused.not_there"
    table.does(UseFeature("ann", "rage-again"))
    assert (table.one("ann").temp_hp, table.effects("ann")) == (0, {"raging", "after-rage", "attacks-made"})
    table.does(ApplyCondition(("ann",), "unconscious"))
    assert "raging" not in table.effects("ann")


@pytest.mark.parametrize(("level", "dice"), [(1, 1), (11, 2), (19, 3)])
def test_pf2e_rangers_hunt_one_creature(level: int, dice: int) -> None:
    table = duel(pf2e, f"precision {level}")
    table.does(UseFeature("ann", "hunt-prey", targets=("bob",)))
    table.does(UseFeature("ann", "hunt-prey", targets=("ogre",)))
    assert ("hunted" in table.effects("ogre"), "hunted" in table.effects("bob")) == (True, False)
    checks = ("wis:perception", "wis:survival", "wis:medicine")
    offered = [check_roll(table.encounter, table.session.rules, "ann", check).offered for check in checks]
    assert [[(one.reason, one.value) for one in each] for each in offered] == [*[[("Seek and Track Prey", 2)]] * 2, []]
    table.ends_turn(3)
    assert strikes(table, 10, 3, *[5] * dice) == 6 + 5 * dice
    assert strikes(table, 15, 3) == 6
    assert remaining_uses(table.encounter, "ann", "uses.hunters-edge") == 0


FIST = Feature("fist", "Fist", "action", attack=9, reach=5, damage="1d6+3 bludgeoning", properties=("unarmed", "agile"))


def test_pf2e_monks_strike_twice_for_an_action_once_a_turn() -> None:
    table = duel(pf2e, "monk 1", others=(FIST,))
    table.does(UseFeature("ann", "flurry-of-blows"))
    for _ in range(2):
        table.dice(15, 3)
        table.chooses("ogre")
    assert (90 - table.one("ogre").hp, table.track("ann", "action"), left(table, "flurry-of-blows")) == (12, 2, 0)
    assert {each.weapon for each in table.happened(Attacked)} == {"Fist"}


def test_pf2e_a_flurry_without_an_unarmed_attack_in_the_stat_block_uses_no_weapon() -> None:
    table = duel(pf2e, "monk 1")
    table.does(UseFeature("ann", "flurry-of-blows"))
    assert table.prompt.asks[0].detail == "<option.unarmed>"


@pytest.mark.parametrize(
    ("words", "feature", "figure", "lost"),
    [
        ("monk 1", "flurry-of-blows", {"resistances": ("physical 5",)}, 6 + 4 - 5),
        ("monk 1", "flurry-of-blows", {"vulnerabilities": ("physical 5",)}, 6 + 4 + 5),
        ("fighter 1", "double-slice", {"resistances": ("physical 8",)}, 6 + 4 - 8),
        ("ranger 1", "twin-takedown", {"resistances": ("physical 8",)}, 6 + 4 - 8),
    ],
)
def test_pf2e_combined_hits_meet_resistance_and_weakness_once(
    words: str, feature: str, figure: dict[str, Any], lost: int
) -> None:
    table = duel(pf2e, words, foe=figure, others=(FIST,) if words == "monk 1" else ())
    if words == "ranger 1":
        table.does(UseFeature("ann", "hunt-prey", targets=("ogre",)))
    table.does(UseFeature("ann", feature))
    if words != "monk 1":
        table.chooses("met")
    table.dice(15, 3, 15, 1)
    while table.prompts:
        table.chooses("ogre")
    assert 90 - table.one("ogre").hp == lost


def test_pf2e_champions_protect_and_heal() -> None:
    table = duel(pf2e, "champion 5")
    table.ends_turn(2)
    table.dice(6, 6, 6)
    table.does(Attack("ogre", "bob", "claw"))
    table.dice(15, 3)
    table.chooses("retributive-strike")
    assert (table.one("bob").hp, table.one("ogre").hp) == (60 - 12 + 7, 90 - 6)
    table.ends_turn()
    table.does(UseFeature("ann", "lay-on-hands", targets=("bob",)))
    assert (table.one("bob").hp, table.effects("bob")) == (60, {"Lay on Hands"})
    assert armor_class(table.encounter, table.rules, "bob").total == 12
    table.does(UseFeature("ann", "lay-on-hands", targets=("ann",)), anyway=True)
    assert armor_class(table.encounter, table.rules, "ann").total == 10  # only for others


def test_pf2e_a_champion_protects_from_each_damage_type() -> None:
    flaming = msgspec.structs.replace(CLAW, damage="2d6 slashing + 1d6 fire")
    table = duel(pf2e, "champion 1", foe={"features": (flaming,)})
    table.ends_turn(2)
    table.dice(12, 6, 6, 2, 1)
    table.does(Attack("ogre", "bob", "claw"))
    table.chooses("retributive-strike")
    assert table.one("bob").hp == 60 - (12 - 3)  # 3 less slashing damage, and no fire damage


def test_pf2e_champions_protect_from_damage_without_an_attack() -> None:
    table = duel(pf2e, "champion 1", foe={"features": (BLAST,)})
    table.ends_turn(2)
    table.dice(10)
    table.does(UseFeature("ogre", "blast", targets=("bob",)))
    table.dice(15, 3, 6, 5)
    table.chooses("retributive-strike")
    assert (table.one("bob").hp, table.one("ogre").hp) == (60 - 2 * 11 + 3, 90 - 6)


def test_pf2e_a_champion_is_asked_once_if_several_allies_are_hurt() -> None:
    table = duel(pf2e, "champion 1", foe={"features": (BLAST,)})
    table.does(AddCombatants("bob", initiative=14))
    (twin,) = {*table.encounter.ids(Combatant)} - {"ann", "bob", "ogre"}
    table.does(SetPosition(twin, position=(3, 1)))
    table.ends_turn(3)
    table.dice(10, 10)
    table.does(UseFeature("ogre", "blast", targets=("bob", twin)))
    assert sum(ask.label == "ask.reaction" for prompt in table.prompts for ask in prompt.asks) == 2
    table.dice(1, 3)
    table.chooses("retributive-strike")
    assert not any(ask.label == "ask.reaction" for prompt in table.prompts for ask in prompt.asks)


@for_each("type", ["", "construct"])
def test_pf2e_champions_heal_only_the_willing_and_living(type: str) -> None:
    table = duel(pf2e, "champion 5", foe={"type": type})
    table.refuses(UseFeature("ann", "lay-on-hands", targets=("ogre",)))


def test_pf2e_champions_hurt_the_undead() -> None:
    table = duel(pf2e, "champion 5", foe={"type": "undead"})
    table.does(UseFeature("ann", "lay-on-hands", targets=("ogre",)))
    table.dice(3, 4, 5)
    table.chooses("failure")
    assert (table.one("ogre").hp, armor_class(table.encounter, table.rules, "ogre").total) == (90 - 12, 15 - 2)


def test_pf2e_bards_inspire_courage() -> None:
    table = duel(pf2e, "bard 1")
    table.does(UseFeature("ann", "courageous-anthem", targets=("ann", "bob")))
    assert table.effects("ann") == table.effects("bob") == {"Courageous Anthem"}
    assert strikes(table, 10, 3) == 6 + 1
    (attack,) = table.happened(Attacked)
    assert attack.roll is not None
    assert [(part.reason, part.value) for part in attack.roll.modifiers][-1] == ("Courageous Anthem", 1)


def test_pf2e_bards_perform_one_composition_a_turn() -> None:
    table = duel(pf2e, "bard 2")
    table.does(UseFeature("ann", "rallying-anthem", targets=("ann", "bob", "ogre")))
    assert [table.effects(each) for each in ("ann", "bob", "ogre")] == [{"Rallying Anthem"}, {"Rallying Anthem"}, set()]
    assert armor_class(table.encounter, table.rules, "bob").total == 10 + 1
    assert table.refuses(UseFeature("ann", "courageous-anthem", targets=("bob",))).key == "refused.no_uses"
    table.ends_turn(3)
    assert table.effects("bob") == set()
    table.does(UseFeature("ann", "courageous-anthem", targets=("bob",)))


def test_every_class_feature_is_played_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    powers = [power for game in GAMES for power in shipped_powers(game).file.powers]
    words = {power.id: (power.name, power.id, power.name.lower().replace(" ", "_")) for power in powers}
    assert [id for id, names in words.items() if not any(name in text for name in names)] == []


FIGURES = ROOT / "tests" / "systems" / "powers.toml"
FIGURED = [*GAMES, "dnd5e-2024"]
_UNTOLD = ("id", "name", "text", "read")


def told(feature: Feature) -> str:
    """The figures of a feature in one line."""
    fields = {field: getattr(feature, field) for field in feature.__struct_fields__ if field not in _UNTOLD}
    plain = Feature("", "")
    changed = {field: value for field, value in fields.items() if value != getattr(plain, field)}
    return json.dumps(msgspec.to_builtins(changed), sort_keys=True)


def figures(game: str) -> dict[str, dict[str, str]]:
    """The figures of each class feature at the levels at which they change, for a character with known scores."""
    rules = character_rules(RuleSystems().get(game).data)
    ann = Creature("ann", "Ann", abilities=PF_SCORES if game == "pf2e" else SCORES)
    found: dict[str, dict[str, str]] = {}
    own = tomllib.loads(resource_path(f"systems/{game}/powers.toml").read_text(encoding="utf-8"))["powers"]
    for power in (each for each in rules.features.file.powers if each.id in own):
        named = msgspec.structs.replace(ann, features=(Feature("a", power.name),))
        steps: dict[str, str] = {}
        for level in range(1, 21):
            levels = {name: level for name, _ in power.classes} or {next(iter(rules.names)): level}
            mine = [each for each in rules.offered(named, levels) if each.id == power.id]
            if mine and told(mine[0]) not in list(steps.values())[-1:]:
                steps[str(level)] = told(mine[0])
        found[power.id] = steps
    return found


@pytest.mark.parametrize("game", FIGURED)
def test_no_figure_of_a_class_feature_changes_unseen(game: str) -> None:
    """To accept a change: python -m tests.importers.traits.test_powers"""
    assert figures(game) == tomllib.loads(FIGURES.read_text(encoding="utf-8"))[game]


if __name__ == "__main__":
    lines = ["# The figures of class features, by level; written by tests/importers/traits/test_powers.py."]
    for game in FIGURED:
        for id, steps in figures(game).items():
            lines += ["", f"[{game}.{id}]", *(f"{level} = '{each}'" for level, each in steps.items())]
    FIGURES.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("increments", "hunted", "hits"), [(1, False, True), (2, False, False), (2, True, True), (3, True, False)]
)
def test_pf2e_hunters_shoot_as_well_in_the_second_range_increment(increments: int, *, hunted: bool, hits: bool) -> None:
    table = duel(pf2e, "ranger 1", on_map=False)
    table.does(SetRelation("ann", "ogre", distance=increments * int(BOW.range.partition("/")[0])))
    if hunted:
        table.does(UseFeature("ann", "hunt-prey", targets=("ogre",)))
    table.dice(15 - (BOW.attack or 0), 4)
    table.does(Attack("ann", "ogre", "bow"))
    assert (table.one("ogre").hp < 90) is hits
