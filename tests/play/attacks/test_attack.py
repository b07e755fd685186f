"""An attack from its declaration to what it leaves: what it costs, how it goes, and what is asked on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

from tests.for_each import for_each
from tests.play.attack_table import AXE, SHORTBOW, STRONG, Fray
from tests.table import a5e, creature, dnd5e, environment
from turnwright.dice.expression import Edge, ExtraDice, Modifier, RollSpec
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, FeatureStep, InflictedCondition, Map, Obstacle, OtherDamage, Scene
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.procedure_state.attacks import ATTACK, AttackInProgress
from turnwright.encounter.procedure_state.turns import END_TURN_OFFER, EndTurnOffer
from turnwright.encounter.running import Track
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import Answer
from turnwright.play.attacks import attack_request
from turnwright.play.attacks.attack import FactAssumed, declare
from turnwright.play.attacks.attack_request import Attack, Attacked, AttackFailed, HitOdds, hit_odds
from turnwright.play.attacks.hit import ObjectDamaged, ObjectDestroyed
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.events import RuleOverridden
from turnwright.play.kernel.scheduler import NO_ANSWERS, begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.forced_movement import Pushed
from turnwright.play.queries import queries
from turnwright.play.state.events import ActionTaken, DamageTaken, Skipped
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import RemoveCombatant
from turnwright.rules.parts.attacks import attack_rolls
from turnwright.rules.parts.attacks.attack_rolls import with_assumptions
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.system import RuleSystem


def fray(*features: Feature, orc: dict[str, Any] | None = None, **fields: Any) -> Fray:
    """Ann and an orc of AC 15 next to each other, Ann's turn."""
    ann = creature("ann", features=features or (AXE, SHORTBOW), **({"abilities": STRONG} | fields))
    foe = creature("orc", **({"ac": 15, "hp": 40} | (orc or {})))
    return Fray(ann, foe, foes=("orc",)).puts(ann=(1, 1), orc=(2, 1))


# Other damage ----------------------------------------------------------------------------------------------------


GLAIVE = msgspec.structs.replace(
    SHORTBOW, id="glaive", range="", reach=5, other_damage=(OtherDamage("with two hands", "1d10+3 slashing"),)
)


def test_an_attack_deals_the_other_damage_that_is_named() -> None:
    table = fray(GLAIVE)
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", "glaive", other_damage="With two hands"))
    table.answers(roll=18)
    assert table.prompt.asks[0].spec.dice == "1d10+3 slashing"
    table.answers(damage=9)
    assert table.lost("orc") == 9


def test_an_attack_deals_its_usual_damage_where_no_other_is_named() -> None:
    table = fray(GLAIVE)
    assert table.preview("ann", "orc", "glaive").damage.dice == "1d6+3 piercing"
    assert table.preview("ann", "orc", "glaive", other_damage="with two hands").damage.dice == "1d10+3 slashing"


BITES = msgspec.structs.replace(
    AXE,
    id="bites",
    attack=5,
    damage="4d6 piercing",
    other_damage=(
        OtherDamage("at half its hit points", "2d6 piercing", "bloodied"),
        OtherDamage("at a hurt target", "5d6 piercing", "target.hurt"),
    ),
)


def test_other_damage_is_dealt_by_itself_where_its_statement_holds() -> None:
    table = fray(BITES)

    def dealt(other: str = "") -> str:
        return table.preview("ann", "orc", "bites", other_damage=other).damage.dice

    assert dealt() == "4d6 piercing"
    table.does(SetHitPoints("orc", 10))
    assert dealt() == "5d6 piercing"
    table.does(SetHitPoints("ann", table.one("ann").hp_max // 2))
    assert dealt() == "2d6 piercing"
    assert dealt("usual") == "4d6 piercing"
    assert dealt("at a hurt target") == "5d6 piercing"
    table.does(SetHitPoints("ann", table.one("ann").hp_max))
    assert dealt() == "5d6 piercing"


def test_other_damage_of_attacks_with_advantage_is_dealt_by_itself() -> None:
    two_dice = OtherDamage("with advantage", "3d6 piercing", "rolls-with:advantage")
    table = fray(msgspec.structs.replace(AXE, id="bites", attack=5, damage="1d6 piercing", other_damage=(two_dice,)))
    facts = ((), ("advantage",), ("advantage", "disadvantage"))
    dealt = [table.preview("ann", "orc", "bites", facts=given).damage.dice for given in facts]
    assert dealt == ["1d6 piercing", "3d6 piercing", "1d6 piercing"]


def test_damage_that_an_attack_does_not_have_is_refused() -> None:
    refused = fray(GLAIVE).refuses(Attack("ann", "orc", "glaive", other_damage="with three hands"))
    assert refused.params == {"what": "with three hands"}


# The Attack action ---------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.action.attack.kinds")
def test_an_attack_is_melee_or_ranged_and_goes_target_modifiers_resolution() -> None:
    table = fray()
    kinds = {one.kind for one in attack_request.available_attacks(table.encounter, table.rules, "ann")}
    assert kinds == {"melee", "ranged"}
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", "axe"))
    assert table.prompt.asks[0].spec.modifiers
    assert table.prompt.asks[0].dc == 15
    assert not table.happened(Attacked)
    table.answers(roll=16)
    assert (table.last.outcome, table.last.target) == ("hit", "orc")
    assert table.prompt.asks[0].label == "ask.damage"


@pytest.mark.rule("a5e.action.attack.multiple")
@pytest.mark.parametrize("by", ["creature", "multiattack"])
def test_several_attacks_come_with_one_action(by: str) -> None:
    twice = {"attacks": 2, "extra_attack": True} if by == "creature" else {}
    many = (Feature("many", "Multiattack", "action", attacks=2),) if by == "multiattack" else ()
    table = fray(AXE, *many, **twice)
    table.strikes("ann", "orc", "axe", 2)
    assert (table.track("ann", "action"), table.track("ann", "attacks")) == (0, 1)
    table.strikes("ann", "orc", "axe", 3)
    assert (table.track("ann", "action"), table.track("ann", "attacks")) == (0, 0)
    assert table.refuses(Attack("ann", "orc", "axe")).rule == "a5e.turn.one-action"
    single = fray()
    single.strikes("ann", "orc", "axe", 2)
    assert single.refuses(Attack("ann", "orc", "axe")).key == "refused.none_left"


@pytest.mark.parametrize("use", [UseFeature, TakeAction])
@pytest.mark.parametrize(("cost", "more"), [("action", 0), ("bonus", 1)])
def test_a_feature_that_gives_attacks_pays_for_them(use: type[UseFeature | TakeAction], cost: str, more: int) -> None:
    table = fray(AXE, Feature("many", "Multiattack", cost, attacks=2))
    table.does(use("ann", "many"))
    assert (table.track("ann", "action"), table.track("ann", "attacks")) == (more, 2)
    table.strikes("ann", "orc", "axe", 2)
    table.strikes("ann", "orc", "axe", 3)
    assert (table.track("ann", "action"), table.track("ann", "attacks")) == (more, 0)
    if not more:
        assert table.refuses(Attack("ann", "orc", "axe")).key == "refused.none_left"


def devil(*given: dict[str, int] | Feature, text: str = "") -> Fray:
    tail, flame = (
        Feature(id, id.title(), "action", attack=4, damage="1 fire", **kind)
        for id, kind in (("tail", {"reach": 5}), ("flame", {"range": "60", "properties": ("spell",)}))
    )
    gaze = Feature("gaze", "Gaze", "action", save="wis", dc=12)
    ways = [one for one in given if isinstance(one, dict)]
    others = [one for one in given if isinstance(one, Feature)]
    many = Feature(
        "many", "Multiattack", "action", text=text, multiattack=tuple(tuple(way.items()) for way in ways), attacks=3
    )
    return fray(AXE, tail, flame, gaze, many, *others)


def test_a_multiattack_pays_for_a_spell_attack_that_it_names() -> None:
    table = devil({"axe": 2, "tail": 1}, {"axe": 1, "tail": 1, "flame": 1})
    for means in ("flame", "axe", "tail"):
        table.dice(2)
        table.does(Attack("ann", "orc", means))
    assert (table.track("ann", "action"), table.track("ann", "attacks")) == (0, 0)
    assert table.refuses(Attack("ann", "orc", "flame")).key == "refused.none_left"


def test_a_feature_with_a_save_makes_no_attack_roll() -> None:
    assert devil().refuses(Attack("ann", "orc", "gaze")).key == "refused.no_attack_roll"


def test_a_multiattack_allows_no_other_mixture_of_attacks() -> None:
    table = devil({"axe": 2, "tail": 1}, text="Two axe attacks and one tail attack.")
    table.strikes("ann", "orc", "tail", 2)
    assert table.refuses(Attack("ann", "orc", "tail")).key == "refused.not_in_multiattack"
    table.strikes("ann", "orc", "axe", 2)
    assert table.refuses(Attack("ann", "orc", "flame")).rule == "a5e.turn.one-action"  # an action of its own


def test_a_multiattack_pays_for_the_spell_that_its_text_names() -> None:
    text = "Three axe attacks. It can replace one attack with a use of Spellcasting to cast Flame."
    spells = Feature("spells", "Spellcasting", "action", does=(FeatureStep(use="flame"), FeatureStep(use="gaze")))
    table = devil({"axe": 3}, {"axe": 2, "spells": 1}, spells, text=text)
    table.strikes("ann", "orc", "axe", 2)
    assert table.refuses(UseFeature("ann", "gaze")).key == "refused.none_left"
    table.dice(2)
    table.does(Attack("ann", "orc", "flame"))
    assert table.track("ann", "attacks") == 1
    assert table.refuses(Attack("ann", "orc", "flame")).key == "refused.not_in_multiattack"


def test_an_attack_that_only_the_text_of_a_multiattack_names_is_allowed() -> None:
    table = devil({"axe": 3}, text="Three axe attacks. If it has its tail free, also a tail attack.")
    table.strikes("ann", "orc", "axe", 2)
    table.strikes("ann", "orc", "tail", 2)
    assert table.track("ann", "attacks") == 1


@pytest.mark.parametrize("use", [UseFeature, TakeAction])
@pytest.mark.parametrize(("ways", "left"), [(({"axe": 2, "tail": 1, "gaze": 1},), 3), (({"axe": 2, "gaze": 1},), 2)])
def test_a_multiattack_pays_for_a_feature_that_it_names(
    ways: tuple[dict[str, int], ...], left: int, use: type[UseFeature | TakeAction]
) -> None:
    table = devil(*ways)
    table.does(use("ann", "gaze"))
    assert (table.track("ann", "action"), table.track("ann", "attacks")) == (0, left)
    assert table.refuses(use("ann", "gaze")).key == "refused.none_left"
    table.strikes("ann", "orc", "axe", 2)
    table = devil(*ways)
    table.strikes("ann", "orc", "axe", 2)
    table.does(use("ann", "gaze"))
    assert table.track("ann", "attacks") == left - 1


@pytest.mark.parametrize("use", [UseFeature, TakeAction])
@pytest.mark.parametrize(
    ("ways", "before"), [({"axe": 2, "tail": 1, "gaze": 1}, "axe axe tail"), ({"gaze": 2}, "gaze")]
)
def test_a_multiattack_also_pays_for_a_feature_after_its_attacks(
    ways: dict[str, int], before: str, use: type[UseFeature | TakeAction]
) -> None:
    table = devil(ways, {"axe": 3})
    for means in before.split():
        table.dice(2)
        table.does(use("ann", means) if means == "gaze" else Attack("ann", "orc", means))
    table.does(use("ann", "gaze"))
    assert (table.track("ann", "action"), table.track("ann", "attacks")) == (0, 0)
    assert table.refuses(use("ann", "gaze")).key == "refused.none_left"


def test_a_multiattack_pays_for_any_spell_of_a_list_that_it_names() -> None:
    text = "Two axe attacks, and it uses its tail or Spellcasting."
    spells = Feature("spells", "Spellcasting", "action", does=(FeatureStep(use="flame"), FeatureStep(use="gaze")))
    table = devil({"axe": 2, "spells": 1}, spells, text=text)
    table.strikes("ann", "orc", "axe", 2)
    table.strikes("ann", "orc", "axe", 2)
    table.does(UseFeature("ann", "gaze"))
    assert table.refuses(UseFeature("ann", "gaze")).key == "refused.none_left"


def test_what_is_left_of_an_attack_action_is_gone_with_the_turn() -> None:
    table = fray(AXE, attacks=3)
    table.strikes("ann", "orc", "axe", 2)
    table.ends_turn(2)
    assert (table.active, table.track("ann", "action"), table.track("ann", "attacks")) == ("ann", 1, 0)


@pytest.mark.rule("a5e.action.attack.special-melee")
@pytest.mark.parametrize(("attacks", "left"), [(1, 0), (2, 1)])
def test_a_special_attack_takes_the_place_of_one(attacks: int, left: int) -> None:
    table = fray(AXE, attacks=attacks)
    table.does(TakeAction("ann", "basic-maneuver", targets=("orc",), choice="grapple"))
    assert (table.track("ann", "action"), table.track("ann", "attacks")) == (0, left)
    table.skips()
    if left:
        table.strikes("ann", "orc", "axe", 2)
    assert table.refuses(Attack("ann", "orc", "axe")).rule == "a5e.turn.one-action"


@pytest.mark.rule("a5e.turn.split-movement")
def test_movement_may_be_split_between_the_attacks_of_one_action() -> None:
    table = Fray(creature("ann", features=(SHORTBOW,), attacks=2), "orc", foes=("orc",), field=None)
    table.does(MoveFeet("ann", 15))
    table.strikes("ann", "orc", "shortbow", 2)
    table.does(MoveFeet("ann", 15))
    table.strikes("ann", "orc", "shortbow", 2)
    assert (table.track("ann", "moved"), len(table.happened(Attacked))) == (30, 2)
    assert table.refuses(MoveFeet("ann", 5)).params["left"] == 0


@pytest.mark.rule("a5e.action.object.within-action")
def test_an_arrow_is_drawn_as_part_of_the_shot() -> None:
    table = fray()
    table.strikes("ann", "orc", "shortbow", 2, 3)
    assert (table.track("ann", "action"), table.track("ann", "bonus"), table.track("ann", "reaction")) == (0, 1, 1)
    table.does(TakeAction("ann", "interact-object"))
    assert table.happened(ActionTaken)[-1].cost != "action"


def test_an_attack_out_of_turn_is_refused_and_may_be_made_anyway() -> None:
    table = fray()
    table.dice(2)
    assert table.refuses(Attack("orc", "ann")).rule == "a5e.round.on-turn"
    table.does(Attack("orc", "ann"), anyway=True)
    assert [one.reason for one in table.happened(RuleOverridden)] == ["refused.not_your_turn"]
    assert table.last.outcome == "miss"


def test_whoever_is_down_or_bereft_of_actions_attacks_nobody() -> None:
    table = fray()
    table.does(ApplyCondition(("ann",), "incapacitated"))
    assert table.refuses(Attack("ann", "orc", "axe")).key == "refused.condition"
    fallen = fray()
    fallen.does(SetHitPoints("ann", hp=0))
    assert fallen.refuses(Attack("ann", "orc", "axe")).key == "refused.down"


def test_bonus_actions_spells_and_legendary_attacks_have_costs_of_their_own() -> None:
    lash = Feature("lash", "Lash", "bonus", attack=4, reach=5, damage="1d4 slashing")
    ray = Feature("ray", "Ray", "action", attack=4, range="60", damage="1d4 fire", properties=("spell",), level=1)
    table = fray(lash, ray, attacks=2, slots=(("1", 1),))
    table.strikes("ann", "orc", "lash", 2)
    assert (table.track("ann", "bonus"), table.track("ann", "action")) == (0, 1)
    table.strikes("ann", "orc", "ray", 2, 3)
    assert (table.track("ann", "action"), table.track("ann", "attacks")) == (0, 0)
    assert table.track("ann", "slots.1") == 0
    tail = Feature("tail", "Tail", "legendary", attack=4, reach=5, damage="1d4 slashing", price=2)
    dragon = fray(tail, legendary=3)
    dragon.strikes("ann", "orc", "tail", 2)
    assert dragon.track("ann", "legendary") == 1
    assert dragon.refuses(Attack("ann", "orc", "tail")).key == "refused.no_uses"


def test_a_spell_that_is_held_is_concentrated_on_from_the_attack_on() -> None:
    ray = Feature("ray", "Ray", "action", attack=4, range="60", properties=("spell",), concentration=True)
    table = fray(ray)
    table.strikes("ann", "orc", "ray", 2, 3)
    assert table.effects("ann") == {"concentrating"}


@pytest.mark.rule("a5e.opportunity.single-melee")
def test_an_opportunity_attack_is_one_melee_attack_by_reaction() -> None:
    table = fray(AXE, SHORTBOW, attacks=3)
    table.ends_turn()
    refused = table.refuses(Attack("ann", "orc", "shortbow", purpose="opportunity"))
    assert (refused.key, refused.rule) == ("refused.melee_only", "a5e.opportunity.single-melee")
    table.strikes("ann", "orc", "", 2, purpose="opportunity")
    assert (table.last.weapon, table.track("ann", "reaction"), table.track("ann", "attacks")) == ("Axe", 0, 0)
    assert table.refuses(Attack("ann", "orc", "axe", purpose="opportunity")).rule == "a5e.turn.one-reaction"


@pytest.mark.rule("a5e.opportunity.single-melee")
def test_who_leaves_a_reach_is_struck_once_and_shot_at_by_nobody() -> None:
    table = fray(orc={"features": (AXE, SHORTBOW), "attacks": 3})
    table.does(MovePath("ann", ((0, 1), (0, 2))))
    (offer,) = table.prompt.asks
    assert [option.id for option in offer.options] == ["ann axe", "pass"]
    table.dice(15, 4)
    table.chooses("ann axe")
    assert ([one.who for one in table.happened(Attacked)], table.lost("ann")) == (["orc"], 4)
    assert (table.track("orc", "reaction"), table.one("ann").position) == (0, (0, 2))


# How it goes ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.attack.resolve")
def test_a_hit_is_followed_by_damage_and_effects_and_a_miss_by_neither() -> None:
    spear = msgspec.structs.replace(AXE, attack=5, push=5, afflictions=(InflictedCondition("prone"),))
    table = fray(spear, attacks=2, orc={"ac": 17})
    table.strikes("ann", "orc", "axe", 11)
    assert (table.last.outcome, table.lost("orc"), table.effects("orc")) == ("miss", 0, set())
    table.strikes("ann", "orc", "axe", 12, 6)
    assert (table.last.outcome, table.lost("orc"), table.effects("orc")) == ("hit", 6, {"prone"})
    assert [event.feet for event in table.happened(Pushed)] == [5]


@pytest.mark.rule("a5e.attack.ac-source")
def test_everybody_is_attacked_against_an_armor_class_of_their_own() -> None:
    table = Fray(
        creature("ann", features=(msgspec.structs.replace(AXE, attack=5),), attacks=2),
        creature("orc", ac=13),
        creature("bob", ac=17),
        foes=("orc", "bob"),
    ).puts(ann=(1, 1), orc=(2, 1), bob=(1, 2))
    assert table.strikes("ann", "orc", "axe", 10, 1).outcome == "hit"
    assert table.strikes("ann", "bob", "axe", 10).outcome == "miss"
    assert [one.rule for one in table.last.defence] == ["a5e.attack.ac-source"]


@pytest.mark.rule("a5e.attack.critical", "a5e.attack.fumble")
@pytest.mark.parametrize(("typed", "ac", "bonus", "outcome"), [("20!", 25, -2, "critical"), ("1!", 10, 14, "fumble")])
def test_natural_faces_decide_whatever_the_total(typed: str, ac: int, bonus: int, outcome: str) -> None:
    table = fray(msgspec.structs.replace(AXE, attack=bonus), orc={"ac": ac})
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", "axe", facts=("flanks",)))
    table.answers(roll=typed)
    assert (table.last.outcome, table.last.rule.rpartition(".")[2]) == (outcome, outcome)


@pytest.mark.parametrize(("said", "outcome"), [("hit", "hit"), ("critical", "critical"), ("miss", "miss")])
def test_where_dice_are_unknown_a_person_says_how_it_went(said: str, outcome: str) -> None:
    table = fray()
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", "axe"))
    table.answers(roll="?")
    table.answers(roll=said)
    assert (table.last.outcome, table.last.roll) == (outcome, None)


def test_a_roll_passed_over_comes_to_nothing() -> None:
    table = fray()
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", "axe"))
    table.skips()
    assert [one.purpose for one in table.happened(Skipped)][-1] == "ask.attack"
    assert not table.prompts


def test_a_target_that_is_taken_away_ends_the_attack() -> None:
    table = fray()
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", "axe"))
    table.does(RemoveCombatant("orc"))
    table.answers(roll=18)
    assert not table.happened(Attacked)
    assert not table.prompts


def test_help_is_used_up_by_the_roll() -> None:
    table = fray(AXE, attacks=2)
    table.marks("ann", "helped-attack", by="orc", uses_left=1)
    assert [kind for kind, _ in table.edges("ann", "orc", "axe")] == ["advantage"]
    table.strikes("ann", "orc", "axe", 2, 3)
    assert table.edges("ann", "orc", "axe") == []


@pytest.mark.parametrize(("says", "dice"), [("yes", ["1d4"]), ("no", [])])
def test_what_a_rule_leaves_to_a_person_is_asked_before_the_roll(says: str, dice: list[str]) -> None:
    ann = creature("ann", features=(AXE,), abilities=STRONG)
    scene = Scene(strictness="enforce", options=("flanking-own-actions",))
    table = Fray(ann, creature("orc"), foes=("orc",), scene=scene).puts(ann=(1, 1), orc=(2, 1))
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", "axe", purpose="opportunity", facts=("flanks",)))
    (asked,) = table.prompt.asks
    table.chooses(f"{says}:{asked.rule}")
    assert [die.dice for die in table.prompt.asks[0].spec.extra] == dice


# Saves that come with a hit ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "left"), [(11, {"poisoned"}), (12, set())])
def test_a_hit_with_a_save_leaves_its_rest_on_whoever_fails(face: int, left: set[str]) -> None:
    fang = msgspec.structs.replace(AXE, attack=5, save="con", dc=12, afflictions=(InflictedCondition("poisoned"),))
    table = fray(fang)
    table.strikes("ann", "orc", "axe", 15, 4, face)
    assert (table.lost("orc"), table.effects("orc")) == (4, left)


@pytest.mark.parametrize(("face", "lost", "left"), [(11, 7, {"poisoned"}), (12, 3, set())])
def test_a_save_that_halves_is_made_with_the_damage(face: int, lost: int, left: set[str]) -> None:
    fang = msgspec.structs.replace(
        AXE, attack=5, save="con", dc=12, half=True, afflictions=(InflictedCondition("poisoned"),)
    )
    table = fray(fang)
    table.strikes("ann", "orc", "axe", 15, 7, face)
    assert (table.lost("orc"), table.effects("orc")) == (lost, left)


@pytest.mark.parametrize(
    ("face", "half", "lost", "left"), [(11, True, 13, {"poisoned"}), (12, True, 8, set()), (12, False, 4, set())]
)
def test_a_hit_deals_more_to_whoever_fails_the_save(face: int, half: bool, lost: int, left: set[str]) -> None:
    poisoned = (InflictedCondition("poisoned"),)
    fang = msgspec.structs.replace(
        AXE, attack=5, save="con", dc=12, half=half, afflictions=poisoned, save_damage="2d8 poison"
    )
    table = fray(fang)
    further = (4, 5) if half or face < 12 else ()
    table.strikes("ann", "orc", "axe", 15, 4, face, *further)
    assert (table.lost("orc"), table.effects("orc")) == (lost, left)


def test_what_a_save_wards_off_is_no_part_of_a_critical_hit() -> None:
    fang = msgspec.structs.replace(AXE, attack=5, damage="1d4", save="con", dc=12, save_damage="2d8 poison")
    table = fray(fang)
    table.strikes("ann", "orc", "axe", 20, 4, 1, 4, 5)
    table.chooses("pass")
    assert table.lost("orc") == 17


def test_a_save_whose_dc_nobody_knows_is_judged_by_a_person() -> None:
    table = fray(msgspec.structs.replace(AXE, attack=5, save="con", afflictions=(InflictedCondition("poisoned"),)))
    table.strikes("ann", "orc", "axe", 15, 4)
    table.chooses("failed")
    assert table.effects("orc") == {"poisoned"}


def test_ongoing_damage_begins_with_the_hit() -> None:
    table = fray(msgspec.structs.replace(AXE, attack=5, ongoing="5 fire"))
    table.strikes("ann", "orc", "axe", 15, 4)
    assert "ongoing" in table.effects("orc")


# Dropping prone ----------------------------------------------------------------------------------------------------


def shot_at(**marks: str) -> Fray:
    """Ann shoots at Bob, a player's, 40 ft away; the table is asked for every roll."""
    table = Fray(creature("ann", features=(SHORTBOW, AXE), attacks=2), creature("bob"), foes=("bob",))
    table.puts(ann=(1, 1), bob=(9, 1))
    for who, name in marks.items():
        table.does(ApplyCondition((who,), name))
    table.does(SetDice("ask"))
    return table


@pytest.mark.rule("a5e.prone.drop-reaction")
def test_the_target_of_a_visible_shot_may_drop_prone_by_reaction() -> None:
    table = shot_at()
    table.does(Attack("ann", "bob", "shortbow"))
    (offer,) = table.prompt.asks
    assert (offer.who, offer.suggested) == ("bob", ("pass",))
    table.chooses("drop-prone")
    assert (table.effects("bob"), table.track("bob", "reaction")) == ({"prone"}, 0)
    assert [edge.rule for edge in table.prompt.asks[0].spec.edges] == ["a5e.prone.attacked-far"]


@pytest.mark.rule("a5e.prone.drop-reaction")
@pytest.mark.parametrize("why", ["unseen", "hidden", "melee", "prone", "spent", "rolled"])
def test_dropping_prone_is_not_offered(why: str) -> None:
    table = shot_at(**{"unseen": {"ann": "invisible"}, "prone": {"bob": "prone"}}.get(why, {}))
    if why == "hidden":
        table.marks("ann", "hidden", by="bob")
    if why == "melee":
        table.puts(bob=(2, 1))
    if why == "spent":
        table.has(msgspec.structs.replace(table.encounter.need(Track, "bob.reaction"), value=0))
    if why == "rolled":
        table.dice(10)
    table.does(Attack("ann", "bob", "axe" if why == "melee" else "shortbow"))
    assert all(ask.label != "ask.reaction" for prompt in table.prompts for ask in prompt.asks)


# Things ------------------------------------------------------------------------------------------------------------


def at_a_door(**door: Any) -> Fray:
    """Ann before a door, which takes a square."""
    field = Map(columns=8, rows=8, obstacles=(Obstacle("door", "Door", at=(2, 1), **door),))
    ann = creature("ann", features=(msgspec.structs.replace(AXE, attack=5),), attacks=4)
    return Fray(ann, "orc", foes=("orc",), field=field).puts(ann=(1, 1), orc=(6, 6))


def doors(table: Fray) -> list[tuple[str, int]]:
    field = current_map(table.encounter)
    return [(one.id, one.hp) for one in (field.obstacles if field else ())]


@pytest.mark.rule("a5e.external.armor-class")
def test_the_armor_class_of_a_thing_without_one_is_asked() -> None:
    table = at_a_door(hp=20)
    table.dice(10, 5)
    table.does(Attack("ann", "door"))
    (asked,) = table.prompt.asks
    assert (asked.kind, asked.rule) == ("number", "a5e.external.armor-class")
    table.answers(ac=15)
    assert (table.last.outcome, table.last.ac, doors(table)) == ("hit", 15, [("door", 15)])
    table.dice(9)
    table.does(Attack("ann", "door"))
    table.answers(ac=15)
    assert table.last.outcome == "miss"


def test_a_thing_takes_damage_until_it_breaks() -> None:
    table = at_a_door(ac=12, hp=9)
    assert table.strikes("ann", "door", "", 7, 4).outcome == "hit"
    assert [(one.amount, one.left) for one in table.happened(ObjectDamaged)] == [(4, 5)]
    table.strikes("ann", "door", "", 20, 3)
    assert [one.amount for one in table.happened(ObjectDestroyed)] == [6]
    assert doors(table) == []


def test_a_thing_that_can_t_be_broken_is_only_hit() -> None:
    table = at_a_door(ac=12)
    assert table.strikes("ann", "door", "", 10).outcome == "hit"
    assert (doors(table), table.prompts) == ([("door", 0)], [])


def test_a_thing_of_the_surroundings_comes_down_when_it_is_hit() -> None:
    place = environment("cavernous")
    table = Fray(creature("ann", features=(SHORTBOW,), attacks=2), "orc", foes=("orc",), field=None, more=[place])
    row = next(one for one in (*place.features, *place.actions) if one.ac)
    assert table.strikes("ann", f"cavernous.{row.id}", "shortbow", 2).outcome == "miss"
    assert not table.prompts
    table.strikes("ann", f"cavernous.{row.id}", "shortbow", row.ac - 5)
    assert table.last.outcome == "hit"
    assert table.prompt.subject == row.name


# Set going by something else --------------------------------------------------------------------------------------


def test_an_attack_begun_by_something_else_comes_to_nothing_where_it_can_t_be_aimed() -> None:
    table = fray()
    table.puts(orc=(9, 9))
    tx = Transaction(table.encounter, table.rules, 99)
    parent = begin(tx, END_TURN_OFFER.ask_end_turn, EndTurnOffer())
    axe = AttackInProgress("ann", AXE, "orc", purpose="opportunity")
    assert declare(tx, begin(tx, ATTACK.declare, axe, parent.id), axe, NO_ANSWERS) is None
    (said,) = tx.events
    assert isinstance(said, AttackFailed)
    assert said.reason == "refused.out_of_reach"


def test_damage_says_whose_attack_it_was() -> None:
    table = fray(msgspec.structs.replace(AXE, attack=5), orc={"mundane_immunity": True})
    table.strikes("ann", "orc", "axe", 15, 7)
    assert (table.happened(DamageTaken)[-1].source, table.happened(DamageTaken)[-1].taken) == ("Axe", 0)


@for_each("system", ["a5e", "dnd5e"])
@for_each(("properties", "taken"), [((), 0), (("adamantine",), 0), (("silvered",), 7), (("magical",), 7)])
def test_a_weapon_of_the_right_material_hurts_like_a_magical_one(
    system: str, properties: tuple[str, ...], taken: int
) -> None:
    axe = msgspec.structs.replace(AXE, attack=5, properties=(*AXE.properties, *properties))
    wolf = creature("wolf", mundane_immunity=True, mundane_except=("silvered", "cold-iron"))
    table = Fray(creature("ann", features=(axe,)), wolf, foes=("wolf",), scene=Scene(system=system))
    table.strikes("ann", "wolf", "axe", 15, 7)
    assert table.happened(DamageTaken)[-1].taken == taken


def test_strictness_off_lets_everything_be_attempted() -> None:
    ann = creature("ann", features=(AXE,), abilities=STRONG)
    table = Fray(ann, creature("orc"), foes=("orc",), scene=Scene(strictness="off")).puts(ann=(1, 1), orc=(9, 9))
    assert table.strikes("ann", "orc", "axe", 2).outcome == "miss"


def test_a_stale_answer_is_refused() -> None:
    table = fray()
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", "axe"))
    prompt = table.prompt
    table.answers(roll=18)
    assert table.refuses(Answer(prompt.id, (Reply("roll", typed="3"),), prompt.revision)).key == "refused.stale"


def test_the_odds_of_an_attack_count_faces_edges_and_further_dice() -> None:
    rules = fray().rules
    plus_five = RollSpec(modifiers=(Modifier(5, "why.stat_block"),))
    edge = lambda kind: msgspec.structs.replace(plus_five, edges=(Edge(kind, "why.narrator"),))  # noqa: E731
    assert hit_odds(rules, plus_five, 16) == HitOdds(pytest.approx(0.5), 11)
    assert hit_odds(rules, edge("advantage"), 16) == HitOdds(pytest.approx(0.75), 11)
    assert hit_odds(rules, edge("disadvantage"), 16) == HitOdds(pytest.approx(0.25), 11)
    assert hit_odds(rules, plus_five, 40) == HitOdds(pytest.approx(0.05), 20)  # a natural 20 hits
    assert hit_odds(rules, plus_five, 1) == HitOdds(pytest.approx(0.95), 2)  # a natural 1 misses
    blessed = msgspec.structs.replace(plus_five, extra=(ExtraDice("1d4", "why.narrator"),))
    assert hit_odds(rules, blessed, 16) == HitOdds(pytest.approx(0.625), None)
    assert hit_odds(rules, RollSpec("2d6"), 16) is None


# How near a melee attack is, without a map -----------------------------------------------------------------------

BLADE = Feature("blade", "Blade", "action", attack=5, reach=5, damage="1d8+3 slashing", properties=("weapon",))
HALBERD = msgspec.structs.replace(BLADE, id="halberd", reach=10)
BOLT = Feature("bolt", "Bolt", "action", attack=5, damage="1d10 fire", properties=("spell",))


def mapless(rules: RuleSystem, condition: str, weapon: Feature = BLADE, **relation: int) -> Fray:
    """Ann about to strike an orc that has a condition, where no map says how near she is."""
    orc = creature("orc", hp=90, ac=12, reach=5)
    scene = Scene(system=rules.id, strictness="warn")
    table = Fray(creature("ann", features=(weapon,)), orc, foes=("orc",), field=None, rules=rules, scene=scene)
    table.does(ApplyCondition(("orc",), condition))
    if relation:
        table.does(SetRelation("ann", "orc", **relation))
    return table


@for_each("rules", [a5e, dnd5e])
@for_each(
    ("weapon", "relation", "edge"),
    [
        (BLADE, {}, ["advantage"]),
        (HALBERD, {}, []),
        (HALBERD, {"distance": 5}, ["advantage"]),
        (BLADE, {"distance": 10}, ["disadvantage"]),
        (BOLT, {}, ["disadvantage"]),
    ],
)
def test_a_blow_at_the_prone_says_how_near_it_is(
    rules: Callable[[], RuleSystem], weapon: Feature, relation: dict[str, int], edge: list[str]
) -> None:
    table = mapless(rules(), "prone", weapon, **relation)
    found = table.preview("ann", "orc", weapon.id)
    assert [kind for kind, _ in table.edges("ann", "orc", weapon.id)] == edge
    assert any("within:5" in one.fact for one in found.unknown_facts) is (not relation and weapon is not BLADE)


@pytest.mark.parametrize("rules", [a5e, dnd5e])
@pytest.mark.parametrize("condition", ["paralyzed", "unconscious"])
def test_a_blow_at_the_helpless_is_critical(rules: Callable[[], RuleSystem], condition: str) -> None:
    table = mapless(rules(), condition)
    table.strikes("ann", "orc", "blade", 15, 15, 4)
    while not table.happened(Attacked):
        table.chooses(table.prompt.asks[0].options[0].id)
    assert table.last.outcome == "critical"
    for fact, outcome in (("within:5", "critical"), ("not within:5", "hit")):
        table = mapless(rules(), condition, HALBERD)
        table.strikes("ann", "orc", "halberd", 15, 15, 4)
        assert [option.id for option in table.prompt.asks[0].options] == ["within:5", "not within:5"]
        table.answers(**{"fact:within:5": (fact,)})
        while not table.happened(Attacked):
            table.chooses(queries.waiting_asks(table.prompt)[0].options[0].id)
        assert table.last.outcome == outcome


BOW = Feature("bow", "Bow", "action", attack=5, range="80/320", damage="1d8+3 piercing", properties=("weapon",))


@pytest.mark.parametrize("rules", [a5e, dnd5e])
def test_a_shot_is_assumed_to_come_from_afar_and_the_journal_says_so(rules: Callable[[], RuleSystem]) -> None:
    table = mapless(rules(), "prone", BOW)
    found = table.preview("ann", "orc", "bow")
    assert [kind for kind, _ in table.edges("ann", "orc", "bow")] == ["disadvantage"]
    assert any("within:5" in one.fact for one in found.unknown_facts)  # it can still be entered
    for fact in ("within:5", "target.within:5"):
        assert [kind for kind, _ in table.edges("ann", "orc", "bow", facts=(fact,))] == ["advantage"]
    table.strikes("ann", "orc", "bow", 15, 12, 4)
    while not table.happened(Attacked):
        table.chooses(table.prompt.asks[0].options[0].id)
    assert [(one.target, one.fact) for one in table.happened(FactAssumed) if not one.is_bookkeeping] == [
        ("orc", "not within:5")
    ]


def assumed_near(table: Fray, means: Feature) -> list[str]:
    facts = with_assumptions(table.encounter, table.rules, AttackInProgress("ann", means, "orc")).facts
    return [fact for fact in facts if "within" in fact]


def test_nothing_is_assumed_where_the_distance_is_known_or_does_not_matter() -> None:
    for table in (mapless(dnd5e(), "prone", BOW, distance=5), mapless(dnd5e(), "poisoned", BOW)):
        assert not assumed_near(table, BOW)
    table = mapless(dnd5e(), "prone", BLADE)
    assert not assumed_near(table, BLADE)


def test_a_command_works_out_the_roll_of_an_attack_once(monkeypatch: pytest.MonkeyPatch) -> None:
    above = Feature("above", "Above", rules=(DataRule("advantage", "attack", when="higher:5"),))
    table = Fray(creature("ann", features=(BOW, above)), "orc", foes=("orc",), field=None)
    table.does(SetDice("roll", seed=1))
    works_out = Mock(side_effect=attack_rolls.attack_bonus)
    monkeypatch.setattr(attack_rolls, "attack_bonus", works_out)
    table.does(Attack("ann", "orc", "bow"))
    assert (works_out.call_count, len(table.happened(Attacked))) == (1, 1)


def test_a_blow_places_nobody_but_its_two_sides() -> None:
    pack = Feature("pack", "Pack Tactics", rules=(DataRule("advantage", "attack", when="ally-at-target:5"),))
    table = Fray(creature("ann", features=(BLADE, pack)), "bob", "orc", foes=("orc",), field=None)
    table.does(SetRelation("bob", "orc", seen=True))
    assert table.edges("ann", "orc", "blade") == []
